//! `explore`: a search for errors with one thread, two, three … and growing numbers of steps.

use crate::c::contender::{Contender, Effort, Ending, News, Problem};
use throng_base::{Budget, StopReason};
use throng_cfa::trace::Trace;
use throng_check::c::{Bounds, Explored, explore_reduced};
use throng_engine::{Progress, Statistics, UnknownReason};
use throng_explore::{BoundedOptions, Outcome};

/// An opening looks at so many threads and steps, which is enough for most errors.
const OPENING_THREADS: u32 = 3;
const OPENING_STEPS: u32 = 24;
/// It ends early after so many edges: where there are very many short runs, the provers would have to wait for ever. This is counted
/// and not timed, so that a run comes out the same each time.
const OPENING_EDGES: u64 = 6_000;

/// How many states the checker's exploration may have before the search begins: many programs have few.
const FEW_STATES: u64 = 20_000;
const FEW_THREADS: u32 = 12;
/// How many threads there may be when everything is known to have been searched.
const MANY_THREADS: u32 = 1_000;

/// How many edges are taken to find a shorter run to an error that is known: a tenth of a second.
const SHORTER_EDGES: u64 = 200_000;

pub(crate) struct Explore;

/// Tries the exploration that is the checker's proof of `safe`. Its evidence is how many states there are.
fn all_states(problem: &Problem, states: u64, most_threads: u32, budget: &Budget) -> Option<Explored> {
    let bounds = Bounds { threads: problem.max_threads, states, most_threads };
    explore_reduced(&problem.program, &bounds, budget).ok()
}

/// Whether a search has seen everything that the question is about.
fn is_all(outcome: &Outcome, most: Option<u32>) -> bool {
    match *outcome {
        Outcome::NoBug { is_exhausted: true, .. } => true,
        Outcome::NoBug { complete_up_to, .. } => most.is_some_and(|most| complete_up_to >= most),
        _ => false,
    }
}

/// A run to an error that is shorter than one that is known, if a small exploration finds one. It is counted and not timed, so that
/// the same comes out each time.
pub(crate) fn shorter(problem: &Problem, known: &Trace, budget: &Budget) -> Option<Trace> {
    let threads = known.steps.iter().map(|step| step.thread).max()?;
    let max_threads = Some(problem.max_threads.map_or(threads, |most| most.min(threads)));
    let options = BoundedOptions { max_threads, ..BoundedOptions::default() };
    let own = budget.part();
    let mut progress = |told: throng_explore::Progress| {
        if told.statistics.edges > SHORTER_EDGES {
            own.stop(StopReason::Cancelled);
        }
    };
    match throng_explore::search(&problem.program, &options, &own, &mut progress) {
        Outcome::Unsafe { trace, .. } if trace.steps.len() < known.steps.len() => Some(trace),
        _ => None,
    }
}

impl Contender for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn is_prover(&self) -> bool {
        false
    }

    fn run(&self, problem: &Problem, effort: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending {
        let most = problem.max_threads;
        let options = match effort {
            Effort::Full => BoundedOptions { max_threads: most, ..BoundedOptions::default() },
            Effort::Opening => BoundedOptions {
                max_threads: Some(most.map_or(OPENING_THREADS, |most| most.min(OPENING_THREADS))),
                max_steps: Some(OPENING_STEPS),
                ..BoundedOptions::default()
            },
        };
        // Who wants no facts to be filtered wants to see what the prover does.
        let few = || all_states(problem, FEW_STATES, most.unwrap_or(FEW_THREADS).min(FEW_THREADS), budget);
        if let Some(found) = problem.prover.houdini.then(few).flatten() {
            return Ending::Explored(found);
        }
        let own = budget.part();
        let mut is_enough = false;
        let mut progress = |told: throng_explore::Progress| {
            if effort == Effort::Opening && told.statistics.edges > OPENING_EDGES {
                is_enough = true;
                own.stop(StopReason::Cancelled);
            }
            tell(news(told.threads, told.statistics));
        };
        let outcome = throng_explore::search(&problem.program, &options, &own, &mut progress);
        let is_all = effort == Effort::Full && is_all(&outcome, most);
        let mut end = |statistics: throng_explore::Statistics| tell(news(statistics.threads, statistics));
        match outcome {
            Outcome::Unsafe { trace, statistics, .. } => {
                end(statistics);
                Ending::Error(trace)
            }
            Outcome::NoBug { statistics, .. } => {
                end(statistics);
                let found = is_all.then(|| all_states(problem, u64::from(u32::MAX), MANY_THREADS, budget));
                found.flatten().map_or(Ending::Unknown(UnknownReason::Bounded), Ending::Explored)
            }
            Outcome::Stopped { reason, statistics } => {
                end(statistics);
                let is_bound = is_enough && budget.check().is_ok();
                Ending::Unknown(if is_bound { UnknownReason::Bounded } else { reason.into() })
            }
            Outcome::Internal(message) => Ending::Internal(message),
        }
    }
}

/// How far a search is, as all engines tell it.
fn news(threads: u32, counted: throng_explore::Statistics) -> News {
    let progress = Progress {
        elements: counted.states,
        steps: counted.edges,
        threads: threads.into(),
        ..Progress::default()
    };
    News::Progress(progress, counters(counted))
}

/// What the search counted, by name.
fn counters(counted: throng_explore::Statistics) -> Statistics {
    let mut statistics = Statistics::default();
    for (name, count) in [
        ("threads_tried", counted.threads.into()),
        ("threads_complete", counted.complete_up_to.into()),
        ("steps_tried", counted.deepest),
        ("states", counted.states),
        ("edges_taken", counted.edges),
        ("thread_rows", counted.rows),
        ("solver_queries", counted.queries),
    ] {
        statistics.push(name, count);
    }
    statistics
}
