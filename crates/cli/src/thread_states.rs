//! `throng reach` and `throng cutoff`: which thread states can be reached, and with how many threads.
//!
//! What may be reached thread by thread is a superset, and what a few threads reach a subset. What lies between is settled
//! by asking an engine for all of it at once: either nothing of it is coverable, or the trace to one of them shows what is
//! reached, and the rest is asked for again. The checker looks at the superset, as a cover set, and at each answer.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CutoffFlags, OutputFormat, ReachFlags, ThreadStateFlags};
use crate::supervise::{Board, Failure};
use crate::{memory, reading, reduced, units};
use std::collections::BTreeSet;
use std::time::Instant;
use throng_base::{Budget, Diagnostic};
use throng_cert::{CoverSet, Evidence, EvidenceDocument, Header, Trace};
use throng_check::Condition;
use throng_engine::thread_states::{self, Cutoffs, Layer, ThreadState};
use throng_engine::{EngineKind, Options, UnknownReason};
use throng_formats::{Input, Question};
use throng_model::{Config, System};
use throng_reduce::Strength;
use throng_report::cover::Completeness;
use throng_report::text::TextOptions;
use throng_report::thread_states as show;
use throng_report::{Cost, Phase};

/// With so many threads what is reached is explored before an engine is asked about the rest.
const FEW_THREADS: u64 = 3;
/// And no more configurations than this.
const FEW_CONFIGS: usize = 1 << 16;

/// Runs `throng reach`.
pub(crate) fn reach(flags: &ReachFlags, colour: Colour) -> Exit {
    run(&flags.common, false, colour)
}

/// Runs `throng cutoff`.
pub(crate) fn cutoff(flags: &CutoffFlags, colour: Colour) -> Exit {
    run(&flags.common, true, colour)
}

/// What was found out.
#[derive(Default)]
struct Survey {
    reachable: BTreeSet<ThreadState>,
    layers: Vec<Layer>,
    cutoffs: Option<Cutoffs>,
}

/// What the worker does besides reading.
struct Task {
    file: String,
    threads: Option<u32>,
    with_cutoffs: bool,
    check: bool,
    format: OutputFormat,
    options: TextOptions,
    started: Instant,
}

fn run(flags: &ThreadStateFlags, with_cutoffs: bool, colour: Colour) -> Exit {
    let task = Task {
        file: flags.input.display().to_string(),
        threads: flags.start.threads,
        with_cutoffs,
        check: !flags.no_check,
        format: flags.format,
        options: TextOptions { width: console::width(), verbose: flags.verbose },
        started: Instant::now(),
    };
    let question = Question { without_targets: true, ..flags.start.question() };
    let printed =
        reading::with_input(&flags.input, question, &flags.limits, colour, move |input, budget, board| {
            task.work(input, budget, board)
        });
    match printed {
        Ok((text, cost, exit)) => {
            if flags.verbose {
                let memory = cost.memory.map(|memory| format!(", {}", units::show_size(memory)));
                let time = units::show_duration(cost.elapsed);
                console::remark(&format!("cost: {time}{}", memory.unwrap_or_default()));
            }
            console::print(&text);
            exit
        }
        Err(exit) => exit,
    }
}

/// Why a survey is not complete.
enum Trouble {
    /// A limit, or something too large.
    Unknown(UnknownReason),
    /// A bug of ours, or an input that is not for this.
    Failure(Failure),
}

impl From<UnknownReason> for Trouble {
    fn from(reason: UnknownReason) -> Self {
        Trouble::Unknown(reason)
    }
}

impl Task {
    fn work(&self, input: &Input, budget: &Budget, board: &Board) -> Result<(String, Cost, Exit), Failure> {
        if input.system.is_net() {
            let error = Diagnostic::error("E0901", "a net has no threads, so there are no thread states");
            return Err(Failure::Refused(vec![
                error.hint("`throng cover` tells which places are ever marked"),
            ]));
        }
        board.enter(Phase::Searching);
        let mut survey = Survey::default();
        let ending = match self.survey(&input.system, &mut survey, budget, board) {
            Ok(()) => Ok(()),
            Err(Trouble::Unknown(reason)) => Err(reason),
            Err(Trouble::Failure(failure)) => return Err(failure),
        };
        let cost = Cost { elapsed: self.started.elapsed(), memory: memory::used() };
        let (completeness, exit) = match &ending {
            Ok(()) => (Completeness::Complete { checked: self.check }, Exit::Success),
            Err(reason) => (Completeness::Unknown { reason, phase: board.phase() }, Exit::Unknown),
        };
        Ok((self.render(input, &survey, completeness, cost), cost, exit))
    }

    fn render(&self, input: &Input, survey: &Survey, completeness: Completeness<'_>, cost: Cost) -> String {
        let reach = show::ReachResult {
            file: &self.file,
            format: input.format.extension(),
            threads: self.threads,
            system: &input.system,
            reachable: &survey.reachable,
            completeness,
            warnings: &input.warnings,
            cost: self.options.verbose.then_some(cost),
        };
        let cutoffs = survey.cutoffs.as_ref();
        let cutoff = show::CutoffResult { reach, cutoffs, layers: &survey.layers };
        match (self.with_cutoffs, self.format) {
            (false, OutputFormat::Text) => show::render_reach(&reach, self.options.verbose),
            (false, OutputFormat::Json) => show::render_reach_json(&reach),
            (true, OutputFormat::Text) => show::render_cutoff(&cutoff, self.options),
            (true, OutputFormat::Json) => show::render_cutoff_json(&cutoff),
        }
    }

    fn survey(
        &self,
        system: &System,
        survey: &mut Survey,
        budget: &Budget,
        board: &Board,
    ) -> Result<(), Trouble> {
        let may = thread_states::may_reach(system, budget)?;
        self.accept(system, &Evidence::CoverSet(CoverSet { elements: may.clone() }), board)?;
        let mut left: BTreeSet<ThreadState> = may.iter().flat_map(states_of).collect();
        self.explore(system, survey, &mut left, budget, board)?;
        while !left.is_empty() {
            self.settle(system, survey, &mut left, budget, board)?;
        }
        if self.with_cutoffs {
            let (reachable, layers) = (&survey.reachable, &mut survey.layers);
            let report = |layer: &Layer| layers.push(*layer);
            survey.cutoffs = Some(thread_states::cutoffs(system, reachable, budget, board, report)?);
            if let Some(needy) = survey.cutoffs.as_ref().and_then(|cutoffs| cutoffs.needy.as_ref()) {
                let asked = system.with_targets(vec![needy.state.to_config()]);
                self.accept(&asked, &Evidence::Trace(needy.trace.clone()), board)?;
            }
        }
        Ok(())
    }

    /// What a few threads reach is reachable.
    fn explore(
        &self,
        system: &System,
        survey: &mut Survey,
        left: &mut BTreeSet<ThreadState>,
        budget: &Budget,
        board: &Board,
    ) -> Result<(), Trouble> {
        let fewest = system.initial().iter().map(|initial| throng_model::bag::size(&initial.exact)).min();
        let fewest = fewest.unwrap_or(0).max(1);
        for threads in fewest..fewest + FEW_THREADS {
            if left.is_empty() {
                break;
            }
            let few = thread_states::explore(system, threads, FEW_CONFIGS, budget, board)?;
            let found: BTreeSet<ThreadState> = few.states().map(|(state, _)| state).collect();
            left.retain(|state| !found.contains(state));
            survey.reachable.extend(found);
            if !few.is_complete() {
                break;
            }
        }
        Ok(())
    }

    /// Either nothing of what is left can be reached, or a trace tells what can.
    fn settle(
        &self,
        system: &System,
        survey: &mut Survey,
        left: &mut BTreeSet<ThreadState>,
        budget: &Budget,
        board: &Board,
    ) -> Result<(), Trouble> {
        let asked = system.with_targets(left.iter().map(|state| state.to_config()).collect());
        let options = Options::default();
        let found =
            reduced::search(&asked, Some(Strength::Full), (EngineKind::Auto, &options), budget, board);
        let evidence = found.evidence?;
        self.accept(&asked, &evidence, board)?;
        match evidence {
            Evidence::Trace(trace) => {
                let seen = seen(&asked, &trace).ok_or_else(|| {
                    Trouble::Failure(Failure::Internal("a trace is not an execution".to_owned()))
                })?;
                let before = left.len();
                left.retain(|state| !seen.contains(state));
                if left.len() == before {
                    let message = "a trace shows none of the thread states that were asked for".to_owned();
                    return Err(Trouble::Failure(Failure::Internal(message)));
                }
                survey.reachable.extend(seen);
            }
            Evidence::Proof(_) | Evidence::CoverSet(_) => left.clear(),
        }
        Ok(())
    }

    /// Has the checker look at evidence.
    fn accept(&self, system: &System, evidence: &Evidence, board: &Board) -> Result<(), Trouble> {
        if !self.check {
            return Ok(());
        }
        board.enter(Phase::Checking);
        let document = EvidenceDocument::new(evidence, system, Header::default());
        let result = match throng_check::check(system, &document) {
            Ok(_) => Ok(()),
            Err(rejection) if rejection.condition == Condition::Size => {
                Err(Trouble::Unknown(UnknownReason::EvidenceTooLarge))
            }
            Err(rejection) => {
                let message = format!("the checker rejects the evidence: {rejection}");
                Err(Trouble::Failure(Failure::Internal(message)))
            }
        };
        board.enter(Phase::Searching);
        result
    }
}

/// The thread states that a configuration shows.
fn states_of(config: &Config) -> impl Iterator<Item = ThreadState> {
    config.bag.iter().map(|entry| ThreadState { shared: config.shared, local: entry.local })
}

/// The thread states that a trace shows; `None` if it is not an execution.
fn seen(system: &System, trace: &Trace) -> Option<BTreeSet<ThreadState>> {
    let mut seen: BTreeSet<ThreadState> = states_of(&trace.initial).collect();
    throng_report::replay::configurations(system, trace)?
        .iter()
        .for_each(|config| seen.extend(states_of(config)));
    Some(seen)
}
