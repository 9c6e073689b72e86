//! Pictures of searches: the graph of a backward search, the tree of a forward search, and how many vertices a search
//! had after each iteration, compared with how it would have gone otherwise.
//!
//! Searches are drawn as they were left, also those that a limit ended. They run on one thread unless `--jobs` says
//! otherwise, so that a picture can be drawn again.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{GraphFlags, SearchFlags, Subject};
use crate::reading;
use crate::supervise::Board;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use throng::reduced::{self, Found};
use throng_base::{Budget, StopReason};
use throng_cert::Evidence;
use throng_engine::options::Record;
use throng_engine::{EngineKind, Options, OracleKind, Recording};
use throng_formats::Input;
use throng_model::System;
use throng_report::chart::vertices::{Growth, vertices};
use throng_report::{Phase, dot};

/// How often a search is told what the user or a limit says.
const TICK: Duration = Duration::from_millis(20);

/// A search to be drawn.
#[derive(Clone, Debug)]
struct Search {
    label: String,
    engine: EngineKind,
    options: Options,
}

/// Searches and draws the search, not what it found.
pub(super) fn searched(flags: &GraphFlags, colour: Colour) -> Result<Result<String, super::Refusal>, Exit> {
    let what = flags.what;
    let searches = match what {
        Subject::Vertices => comparison(&flags.search),
        _ => match recorder(what, &flags.search) {
            Ok(search) => vec![search],
            Err(refusal) => return Ok(Err(refusal)),
        },
    };
    // Pictures show the input as it stands; charts only count.
    let strength = flags.search.reductions().filter(|_| matches!(flags.what, Subject::Vertices));
    let limit = flags.limits.limits().time;
    let name = flags.input.file_name().unwrap_or_default().display();
    let title = format!("Vertices over iterations: {name}");
    let work = move |input: &Input, budget: &Budget, board: &Board| {
        board.enter(Phase::Searching);
        let started = Instant::now();
        let run = |(done, search): (usize, &Search)| {
            let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
            let share = left.map(|left| left / u32::try_from(searches.len() - done).unwrap_or(u32::MAX));
            let how = (search.engine, &search.options);
            within(share, budget, |part| reduced::search(&input.system, strength, how, part, board))
        };
        let found: Vec<Found> = searches.iter().enumerate().map(run).collect();
        Ok(match what {
            Subject::Vertices => chart(&title, &searches, found),
            _ => graph(what, &input.system, found),
        })
    };
    reading::with_input(super::asked(flags), &flags.limits, colour, work).map(|drawn| {
        drawn.map(|(picture, ending)| {
            if let Some(reason) = ending.filter(|_| !flags.limits.quiet) {
                console::remark(&format!(
                    "note: the search was not finished ({reason}); it is drawn as it was left"
                ));
            }
            picture
        })
    })
}

/// A picture, and why the search that it shows was not finished.
type Drawn = (String, Option<String>);

/// Runs a search within a share of the time, and no longer than the whole.
fn within(share: Option<Duration>, whole: &Budget, search: impl FnOnce(&Budget) -> Found) -> Found {
    let (started, part) = (Instant::now(), Budget::unlimited());
    let (finished, finish) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let told = part.clone();
        scope.spawn(move || {
            while finish.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Err(reason) = whole.check() {
                    told.stop(reason);
                } else if share.is_some_and(|share| started.elapsed() >= share) {
                    told.stop(StopReason::Timeout);
                }
            }
        });
        let found = search(&part);
        drop(finished);
        found
    })
}

/// The engine that records what is to be drawn.
fn recorder(what: Subject, flags: &SearchFlags) -> Result<Search, super::Refusal> {
    let mut options = flags.repeatable_options();
    options.record = Record { graphs: true, vertices: false };
    // What cuts exclude would be missing in the picture.
    options.cuts = false;
    let engine = match (what, flags.engine()) {
        (_, EngineKind::Auto | EngineKind::Ic3 | EngineKind::Forward) => EngineKind::Widen,
        (Subject::ForwardTree, EngineKind::Backward) => EngineKind::KarpMiller,
        (Subject::ForwardTree, engine) => engine,
        (_, EngineKind::KarpMiller) => {
            return Err("karp-miller searches forwards; draw it with `--what forward-tree`".to_owned());
        }
        (_, EngineKind::Backward) => {
            // The same search, by an engine that keeps its graph.
            options = Options { widen: false, oracle: OracleKind::None, ..options };
            EngineKind::Widen
        }
        (_, engine) => engine,
    };
    Ok(Search { label: engine.name().to_owned(), engine, options })
}

/// The searches of Figures 22 and 25 of Kaiser's thesis: without widening, with it, and with an oracle as well.
fn comparison(flags: &SearchFlags) -> Vec<Search> {
    let mut chosen = flags.repeatable_options();
    chosen.record = Record { graphs: false, vertices: true };
    chosen.cuts = false;
    let engine = match flags.engine() {
        EngineKind::WidenPessimistic => EngineKind::WidenPessimistic,
        _ => EngineKind::Widen,
    };
    let search = |label: String, options| Search { label, engine, options };
    let plain = Options { widen: false, oracle: OracleKind::None, ..chosen };
    let mut searches = vec![search("no widening".to_owned(), plain)];
    if chosen.widen {
        let alone = Options { oracle: OracleKind::None, ..chosen };
        searches.push(search(engine.name().to_owned(), alone));
        if chosen.oracle != OracleKind::None {
            searches.push(search(format!("{} with {}", engine.name(), chosen.oracle.name()), chosen));
        }
    }
    searches
}

/// Why there is nothing to see of a search that did not have to begin.
const DECIDED_BEFORE: &str = "it was decided before the backward search began; without an oracle (`--oracle none`) \
                              and reductions (`--no-reduce`) there may be more to see";

fn chart(title: &str, searches: &[Search], found: Vec<Found>) -> Result<Drawn, super::Refusal> {
    if found.iter().all(|found| found.recording.vertices.is_empty()) {
        return Err(DECIDED_BEFORE.to_owned());
    }
    let growth = |(search, found): (&Search, Found)| Growth {
        label: search.label.clone(),
        ending: match &found.evidence {
            Ok(Evidence::Trace(_)) => "unsafe".to_owned(),
            Ok(Evidence::Proof(_) | Evidence::CoverSet(_)) => "safe".to_owned(),
            Err(reason) => reason.to_string(),
        },
        samples: found.recording.vertices,
    };
    let growths: Vec<Growth> = searches.iter().zip(found).map(growth).collect();
    Ok((vertices(title, &growths).to_svg(), None))
}

fn graph(what: Subject, system: &System, found: Vec<Found>) -> Result<Drawn, super::Refusal> {
    let found = found.into_iter().next();
    let ending = found.as_ref().and_then(|found| found.evidence.as_ref().err()).map(ToString::to_string);
    let Recording { backward, forward, .. } = found.map(|found| found.recording).unwrap_or_default();
    let picture = match (what, forward, backward) {
        (Subject::ForwardTree, Some(tree), _) => dot::forward_tree(system, &tree),
        (Subject::BackwardGraph, _, Some(graph)) if graph.vertices.is_empty() => {
            return Err(DECIDED_BEFORE.to_owned());
        }
        (Subject::BackwardGraph, _, Some(graph)) => dot::backward_graph(system, &graph),
        _ => {
            return Err(
                "this search has no such graph; choose another with `--engine` or `--oracle`".to_owned()
            );
        }
    };
    Ok((picture, ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;
    use throng_cert::Proof;
    use throng_engine::record::BackwardGraph;
    use throng_engine::{Statistics, UnknownReason};
    use throng_formats::{Format, Question, read_source};

    #[test]
    fn a_search_ends_with_its_share_or_with_the_whole() {
        let wait = |part: &Budget| loop {
            if let Err(reason) = part.check() {
                let recording = Recording::default();
                let evidence = Err(reason.into());
                return Found { evidence, statistics: Statistics::default(), recording, contest: vec![] };
            }
            std::thread::yield_now();
        };
        let whole = Budget::unlimited();
        let found = within(Some(Duration::from_millis(1)), &whole, wait);
        assert_eq!(found.evidence, Err(UnknownReason::Stopped(StopReason::Timeout)));
        assert_eq!(whole.check(), Ok(()));
        whole.stop(StopReason::Interrupted);
        let found = within(None, &whole, wait);
        assert_eq!(found.evidence, Err(UnknownReason::Stopped(StopReason::Interrupted)));
    }

    #[test]
    fn a_search_that_never_began_is_no_empty_picture() {
        let source = Source::from_text("x.tts", "1 2\n0 0 -> 0 1\n");
        let question = Question { target: vec!["0|1".to_owned()], ..Question::default() };
        let system = read_source(Format::Tts, &source, &question).unwrap().system;
        let found = |recording| {
            let evidence = Ok(Evidence::Proof(Proof::default()));
            vec![Found { evidence, statistics: Statistics::default(), recording, contest: vec![] }]
        };
        let empty = Recording { backward: Some(BackwardGraph::default()), ..Recording::default() };
        let refusal = graph(Subject::BackwardGraph, &system, found(empty)).unwrap_err();
        assert!(refusal.contains("before the backward search began"), "{refusal}");
        let search = Search { label: String::new(), engine: EngineKind::Widen, options: Options::default() };
        let refusal = chart("", &[search], found(Recording::default())).unwrap_err();
        assert!(refusal.contains("before the backward search began"), "{refusal}");
        let refusal = graph(Subject::ForwardTree, &system, found(Recording::default())).unwrap_err();
        assert!(refusal.contains("has no such graph"), "{refusal}");
    }
}
