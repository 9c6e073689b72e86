//! Reachable thread states and cutoffs, as text and JSON.
//!
//! The last line of the text is `reach: …` or `cutoff: …`. The JSON documents are described by
//! `docs/schemas/reach-v1.schema.json` and `docs/schemas/cutoff-v1.schema.json`.

use crate::grid::{Align, Grid};
use crate::json;
use crate::survey::{Completeness, Head, Survey, Tail};
use crate::text::{TextOptions, start_lines, steps, why_unknown};
use crate::words::{Words, counted};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use throng_engine::thread_states::{Cutoffs, Layer, ThreadState};
use throng_model::System;

/// Local states that are listed for a shared state unless everything is asked for.
const LIMIT: usize = 40;
/// Shared states that are listed unless everything is asked for.
const LINES: usize = 50;

/// Which thread states can be reached.
#[derive(Clone, Copy, Debug)]
pub struct ReachResult<'a> {
    /// What it is about; it is complete if no other can be reached.
    pub survey: Survey<'a>,
    /// The thread states that can be reached.
    pub reachable: &'a BTreeSet<ThreadState>,
}

impl ReachResult<'_> {
    /// The reachable local states for each shared state.
    fn by_shared(&self) -> BTreeMap<String, Vec<String>> {
        let words = Words { system: self.survey.subject };
        let mut by_shared: Vec<(throng_model::SharedId, Vec<String>)> = Vec::new();
        for state in self.reachable {
            let local = words.local(state.local);
            match by_shared.last_mut() {
                Some((shared, locals)) if *shared == state.shared => locals.push(local),
                _ => by_shared.push((state.shared, vec![local])),
            }
        }
        by_shared.into_iter().map(|(shared, locals)| (words.shared(shared), locals)).collect()
    }

    /// How many local states occur.
    fn n_occupied(&self) -> usize {
        self.reachable.iter().map(|state| state.local).collect::<BTreeSet<_>>().len()
    }

    /// How many thread states there are, reachable or not.
    fn n_all(&self) -> u128 {
        self.survey.subject.n_shared() as u128 * self.survey.subject.n_locals() as u128
    }
}

/// Whether somebody checked that this is all, or why it need not be.
pub(crate) fn trust(completeness: Completeness<'_>) -> String {
    match completeness {
        Completeness::Complete { checked: true, unshown: 0 } => {
            "The independent checker accepted that all of these are reached and no other thread state is.\n"
                .to_owned()
        }
        Completeness::Complete { checked: true, unshown } => {
            format!(
                "The independent checker accepted that no other thread state can be reached. That these are it accepted but for {unshown}, of which only the coverability set says so.\n"
            )
        }
        Completeness::Complete { checked: false, .. } => {
            "Nobody checked that no other thread state can be reached (--no-check).\n".to_owned()
        }
        Completeness::Unknown { reason, phase } => {
            format!("Unfinished: {}.\nThese can be reached, and perhaps more.\n", why_unknown(reason, phase))
        }
    }
}

/// The reachable thread states as text, every line ended.
pub fn render_reach(result: &ReachResult<'_>, verbose: bool) -> String {
    let (lines, limit) = if verbose { (usize::MAX, usize::MAX) } else { (LINES, LIMIT) };
    let mut text = start_lines(result.survey.file, result.survey.threads, result.survey.subject);
    let found = counted(result.reachable.len() as u64, "thread state");
    let occupied =
        format!("{} of {} local states occur", result.n_occupied(), result.survey.subject.n_locals());
    text.push_str(&format!("\n{found} of {} can be reached; {occupied}.\n", result.n_all()));
    let by_shared = result.by_shared();
    let width = by_shared.keys().map(|shared| shared.chars().count()).max().unwrap_or(0);
    for (shared, locals) in by_shared.iter().take(lines) {
        let more = locals.len().saturating_sub(limit);
        let more = if more > 0 { format!(", … ({more} more; -v shows all)") } else { String::new() };
        let shown: Vec<&str> = locals.iter().take(limit).map(String::as_str).collect();
        text.push_str(&format!("  {shared:width$} | {}{more}\n", shown.join(", ")));
    }
    if by_shared.len() > lines {
        text.push_str(&format!("  … ({} more shared states; -v shows all)\n", by_shared.len() - lines));
    }
    text.push_str(&format!("\n{}", trust(result.survey.completeness)));
    text.push_str(&format!("\nreach: {}\n", result.survey.ending("complete")));
    text
}

#[derive(Serialize)]
struct ReachDocument<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    n_reachable: usize,
    n_occupied_local_states: usize,
    reachable: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The reachable thread states as JSON, with a line end.
pub fn render_reach_json(result: &ReachResult<'_>) -> String {
    json::pretty(&ReachDocument {
        head: result.survey.head("throng-reach"),
        n_reachable: result.reachable.len(),
        n_occupied_local_states: result.n_occupied(),
        reachable: result.by_shared(),
        tail: result.survey.tail(),
    })
}

/// The cutoffs of what can be reached, or as far as they are known.
#[derive(Clone, Copy, Debug)]
pub struct CutoffResult<'a> {
    /// What can be reached; its completeness says how the search for cutoffs ended too.
    pub reach: ReachResult<'a>,
    /// The reachability cutoff, if it is known; the other one takes longer.
    pub reachability: Option<u64>,
    /// So many threads do not reach everything; 0 if that is not known of any number.
    pub not_enough: u64,
    /// The cutoffs, if they are known.
    pub cutoffs: Option<&'a Cutoffs>,
    /// What so many threads reach, as far as that was looked at.
    pub layers: &'a [Layer],
}

/// The cutoffs as text, every line ended.
pub fn render_cutoff(result: &CutoffResult<'_>, options: TextOptions) -> String {
    let reach = &result.reach;
    let mut text = start_lines(reach.survey.file, reach.survey.threads, reach.survey.subject);
    let found = counted(reach.reachable.len() as u64, "thread state");
    text.push_str(&format!("\n{found} can be reached.\n\n"));
    if !result.layers.is_empty() {
        text.push_str(&format!("{}\n", layers_text(result.layers)));
    }
    let ending = match (result.cutoffs, result.reachability) {
        (Some(cutoffs), _) => {
            text.push_str(&cutoffs_text(result, cutoffs, options));
            reach.survey.ending(&format!("{} (uniform: {})", cutoffs.reachability, cutoffs.uniform))
        }
        (None, Some(reachability)) => {
            text.push_str(&reachability_text(reachability));
            text.push_str(&format!("In how few steps is not known: {}.\n", why(reach.survey.completeness)));
            format!("{reachability} (uniform: {})", reach.survey.ending(""))
        }
        (None, None) => {
            text.push_str(&not_enough_text(result.not_enough));
            text.push_str(&trust(reach.survey.completeness));
            reach.survey.ending("")
        }
    };
    text.push_str(&format!("\ncutoff: {ending}\n"));
    text
}

/// Why a survey is not complete; nothing if it is.
pub(crate) fn why(completeness: Completeness<'_>) -> String {
    match completeness {
        Completeness::Complete { .. } => String::new(),
        Completeness::Unknown { reason, phase } => why_unknown(reason, phase),
    }
}

/// What a reachability cutoff means.
pub(crate) fn reachability_text(reachability: u64) -> String {
    let (n, reach) = (counted(reachability, "thread"), verb(reachability, "reach"));
    format!("{n} {reach} everything that any number of threads can reach, and fewer do not.\n")
}

/// How many threads are too few.
pub(crate) fn not_enough_text(threads: u64) -> String {
    let verb = if threads == 1 { "does" } else { "do" };
    match threads {
        0 => String::new(),
        _ => format!("{} {verb} not reach everything that any number can.\n", counted(threads, "thread")),
    }
}

/// A table of what so many threads reach.
pub(crate) fn layers_text(layers: &[Layer]) -> String {
    let head = ["threads", "thread states", "in the fewest steps", "configurations"];
    let mut grid = Grid::aligned(head.map(str::to_owned).to_vec(), vec![Align::Right; head.len()]);
    for layer in layers {
        let numbers =
            [layer.threads, layer.reached as u64, layer.at_first_depth as u64, layer.configs as u64];
        grid.push(numbers.map(|number| number.to_string()).to_vec());
    }
    grid.render()
}

fn cutoffs_text(result: &CutoffResult<'_>, cutoffs: &Cutoffs, options: TextOptions) -> String {
    let words = Words { system: result.reach.survey.subject };
    let uniform = counted(cutoffs.uniform, "thread");
    let take = verb(cutoffs.uniform, "reach");
    let mut text = reachability_text(cutoffs.reachability);
    text.push_str(&format!(
        "{uniform} {take} it in as few steps as any number of threads, and fewer do not.\n"
    ));
    if let Some(needy) = &cutoffs.needy {
        let state = words.config(needy.state.to_config().view(), LIMIT);
        let trace = &needy.trace;
        text.push_str(&format!(
            "\n{} in {}:\n\n",
            needed(cutoffs.reachability, &state),
            counted(trace.n_steps(), "step")
        ));
        text.push_str(&steps(words, trace, options));
    }
    text.push_str(&format!("\n{}", trust(result.reach.survey.completeness)));
    text
}

/// That fewer than n threads do not reach something, and the beginning of how n do.
pub(crate) fn needed(n: u64, what: &str) -> String {
    if n == 1 {
        return format!("The last that it reaches is {what}. This is how it does,");
    }
    format!("Fewer than {} do not reach {what}. This is how they do,", counted(n, "thread"))
}

/// A verb in the form that fits a number.
pub(crate) fn verb(count: u64, verb: &str) -> String {
    if count == 1 { format!("{verb}es") } else { verb.to_owned() }
}

/// What so many threads reach.
#[derive(Serialize)]
pub(crate) struct LayerDocument {
    threads: u64,
    thread_states: usize,
    in_fewest_steps: usize,
    configurations: usize,
}

#[derive(Serialize)]
struct NeedyDocument {
    shared: String,
    local: String,
    n_steps: u64,
    trace: json::TraceDocument,
}

#[derive(Serialize)]
struct CutoffDocument<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    n_reachable: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachability: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_enough: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uniform: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_most: Option<NeedyDocument>,
    layers: Vec<LayerDocument>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The same for each number of threads.
pub(crate) fn layer_documents(layers: &[Layer]) -> Vec<LayerDocument> {
    let layer = |layer: &Layer| LayerDocument {
        threads: layer.threads,
        thread_states: layer.reached,
        in_fewest_steps: layer.at_first_depth,
        configurations: layer.configs,
    };
    layers.iter().map(layer).collect()
}

/// The cutoffs as JSON, with a line end.
pub fn render_cutoff_json(result: &CutoffResult<'_>) -> String {
    let reach = &result.reach;
    json::pretty(&CutoffDocument {
        head: reach.survey.head("throng-cutoff"),
        n_reachable: reach.reachable.len(),
        reachability: result.reachability,
        not_enough: (result.not_enough > 0 && result.reachability.is_none()).then_some(result.not_enough),
        uniform: result.cutoffs.map(|cutoffs| cutoffs.uniform),
        needs_most: result.cutoffs.and_then(|cutoffs| needy(reach.survey.subject, cutoffs)),
        layers: layer_documents(result.layers),
        tail: reach.survey.tail(),
    })
}

fn needy(system: &System, cutoffs: &Cutoffs) -> Option<NeedyDocument> {
    let needy = cutoffs.needy.as_ref()?;
    let words = Words { system };
    Some(NeedyDocument {
        shared: words.shared(needy.state.shared),
        local: words.local(needy.state.local),
        n_steps: needy.trace.n_steps(),
        trace: json::trace_document(system, &needy.trace),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phase;
    use throng_base::StopReason;
    use throng_engine::UnknownReason;
    use throng_model::{Bag, Initial, LocalId, Names, SharedId, SystemBuilder};

    #[test]
    fn the_reachability_cutoff_is_told_even_if_the_other_one_is_not_known() {
        let mut builder = SystemBuilder::new(Names::Numbered(1), Names::Numbered(1));
        let unbounded = vec![LocalId::new(0)];
        builder.initial(Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded });
        let system = builder.finish().unwrap();
        let reason = UnknownReason::Stopped(StopReason::Timeout);
        let survey = Survey {
            file: "a.tts",
            format: "tts",
            threads: None,
            subject: &system,
            completeness: Completeness::Unknown { reason: &reason, phase: Phase::Searching },
            warnings: &[],
            cost: None,
        };
        let reachable = BTreeSet::from([ThreadState { shared: SharedId::new(0), local: LocalId::new(0) }]);
        let reach = ReachResult { survey, reachable: &reachable };
        let mut result =
            CutoffResult { reach, reachability: Some(2), not_enough: 1, cutoffs: None, layers: &[] };
        let options = TextOptions { width: 80, verbose: false };
        let text = render_cutoff(&result, options);
        assert!(text.contains("2 threads reach everything that any number of threads can reach"), "{text}");
        assert!(text.ends_with("\ncutoff: 2 (uniform: unknown(timeout))\n"), "{text}");
        assert!(render_cutoff_json(&result).contains("\"reachability\": 2"));
        assert!(!render_cutoff_json(&result).contains("not_enough"));
        result.reachability = None;
        let text = render_cutoff(&result, options);
        assert!(text.ends_with("\ncutoff: unknown(timeout)\n"), "{text}");
        assert!(text.contains("\n1 thread does not reach everything that any number can.\n"), "{text}");
        assert!(render_cutoff_json(&result).contains("\"not_enough\": 1"));
    }
}
