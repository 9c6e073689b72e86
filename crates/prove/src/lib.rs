//! Proves C programs safe for any number of threads, after Kaiser's thesis,
//! §3 and §5.1 (MONABS): predicates about shared variables, a thread and all others; abstract programs that keep
//! monotonicity; refinement from spurious interleavings.
//!
//! [`verify`] answers with an [`Invariant`] of the program's own control-flow graphs, or with an interleaving that was
//! replayed on it, or it says how far it came. It is trusted with nothing: the checker proves the invariant by itself.
//!
//! * `translate`: expressions of control-flow graphs as terms of the solver.
//! * `pool`: conditions that might be worth knowing. `houdini`: which of them always hold; often that is a proof.
//! * `packed`: which bits of words are fields of their own.
//! * `pdr`: an invariant searched for from the errors backwards.
//! * `scene`: one step with bits for predicates; `scopes`: where other threads count.
//! * `relate`: what a step does to predicates, exactly or by clauses (`cartesian`); `monotone`: whether others can block it.
//! * `program`: the abstract program, a Boolean program with passive variables; `text`: its text.
//! * `cegar`: the loop. `run`: is an interleaving one of the program? `transitions`: steps that the abstraction should not have.
//! * `refute`: which predicates exclude an interleaving, of those that its equalities stand for (`equalities`), of the pool
//!   (`candidates`) and of weakest preconditions (`weakest`), in which order (`tiers`). `normal`: which of them say the same.
//! * `simplify`: shorter invariants.
//! * `exact`: programs with finite data as systems with a list of rules.
//! * `paper`: tests with the thesis' figures.

mod candidates;
mod cartesian;
mod cegar;
mod counting;
mod equalities;
mod exact;
mod houdini;
mod monotone;
mod normal;
mod packed;
#[cfg(test)]
mod paper;
mod pdr;
mod pool;
mod program;
mod refute;
mod relate;
mod run;
mod scene;
mod scopes;
mod simplify;
mod text;
mod tiers;
mod transitions;
mod translate;
mod weakest;

pub use exact::{Counted, Exact, Exactly, Limits as ExactLimits, Listed, Unlisted};
pub use houdini::{Filtered, filter};
pub use pdr::{Beginning, Searched, search};

use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Effect, Program, PropertyId};
use throng_cfa::invariant::{Invariant, PredicateKind, Predicates};
use throng_cfa::merge::{self, Merged};
use throng_cfa::trace::{Trace, TraceStep};

/// What is searched for, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Predicates to begin with, about the prepared program; their expressions begin with its.
    pub predicates: Predicates,
    /// Whether templates of facts are filtered to an invariant first.
    pub houdini: bool,
    /// If there are more models of a step's abstraction, it is approximated instead: see [`Options::max_cube_length`].
    pub max_models: usize,
    /// The most literals of a clause of an approximated abstraction. Longer ones are learned from interleavings where they are
    /// needed: short ones make abstract programs that are small and quickly checked, long ones make fewer turns.
    pub max_cube_length: usize,
    /// How often predicates are added.
    pub max_iterations: usize,
    /// How many threads there may be in all, the first one included; `None` for any number. An invariant for any number
    /// is an answer, too; a proof for so many threads only is [`Outcome::SafeUpTo`].
    pub threads: Option<u32>,
    /// How many threads may be used.
    pub jobs: usize,
    /// The seed of random choices.
    pub seed: u64,
}

impl Options {
    /// What a user gets who chooses nothing, for a prepared program.
    pub fn new(prepared: &Program) -> Self {
        Self {
            predicates: Predicates::new(prepared.expressions.clone()),
            houdini: true,
            max_models: 0,
            max_cube_length: 1,
            max_iterations: 100,
            threads: None,
            jobs: 1,
            seed: 0,
        }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Candidates for facts are filtered.
    Filter,
    /// The abstract program is computed.
    Abstract,
    /// The abstract program is checked.
    Check,
    /// An interleaving of the abstract program is tried on the program, and predicates are searched for.
    Refine,
}

/// How many predicates there are of each kind. Local ones are single-thread ones without shared variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// About shared variables only.
    pub shared: usize,
    /// About all threads.
    pub universal: usize,
    /// About a thread; those that are local are included.
    pub single_thread: usize,
    /// About a thread's own variables only.
    pub local: usize,
    /// About a thread and all others.
    pub inter_thread: usize,
}

/// What one turn of the loop did.
#[derive(Clone, Debug, Default)]
pub struct Iteration {
    /// From 1.
    pub number: usize,
    /// The predicates that it began with.
    pub predicates: Counts,
    /// Literals of the abstract program's constraints.
    pub size: usize,
    /// Whether steps change what others know: the abstract program is dual-reference.
    pub is_dual_reference: bool,
    /// Whether no step depends on the absence of threads, so that its monotone closure is the abstract program itself.
    pub is_monotone: bool,
    /// The engine that answered, if one did.
    pub engine: Option<&'static str>,
    /// What the search found.
    pub found: Finding,
    /// The predicates that were added.
    pub added: Predicates,
}

/// What a search of an abstract program found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No error is reachable in it.
    Proof,
    /// An interleaving to an error.
    Interleaving {
        /// How long it is.
        steps: usize,
        /// How many threads it has.
        threads: usize,
        /// How many of its steps the program has nothing like, so that they were excluded.
        refined: usize,
    },
    /// Nothing, for this reason.
    Nothing(String),
}

impl Default for Finding {
    fn default() -> Self {
        Finding::Nothing(String::new())
    }
}

/// What [`verify`] tells while it works.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something else is being done now.
    Phase(Phase),
    /// A turn of the loop is over.
    Iteration(Box<Iteration>),
    /// These are the predicates from now on: what is needed to go on later.
    Predicates(Box<Predicates>),
    /// The abstract program, as text.
    AbstractProgram(String),
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No error is reachable.
    Safe {
        /// Why.
        invariant: Invariant,
        /// How often predicates were added; 0 if the filtered facts were enough.
        iterations: usize,
    },
    /// No error is reachable with so many threads at most. That says nothing about more threads.
    SafeUpTo {
        /// The first one included.
        threads: u32,
        /// How many turns that took.
        iterations: usize,
    },
    /// An error is reachable.
    Unsafe {
        /// A run to it.
        trace: Trace,
        /// What happens at its end.
        property: PropertyId,
    },
    /// The loop does not know how to go on.
    GaveUp {
        /// In a sentence.
        reason: String,
        /// The interleaving that could not be excluded: the thread and the edge of each step, in words.
        interleaving: Vec<String>,
        /// The predicates at the end.
        predicates: Box<Predicates>,
    },
    /// It was stopped.
    Stopped {
        /// Why.
        reason: StopReason,
        /// The predicates at the end.
        predicates: Box<Predicates>,
    },
}

/// The program that proofs are about: without what cannot matter, in steps that are as large as possible. The checker makes the same
/// one by itself.
pub fn prepare(program: &Program) -> Merged {
    merge::prepare(program)
}

/// The program that lists of thread states are about: every access to a shared variable is a step of its own.
pub fn prepare_visible(program: &Program) -> Merged {
    merge::prepare_visible(program)
}

/// Proves that no error is reachable with any number of threads, or finds one. `prepared` is what [`prepare`] makes of the
/// program; predicates and the invariant are about that.
///
/// If only so many threads are asked about, the proof for any number comes first: what it proves holds for fewer. Only if there is
/// an error with more threads, the loop says whether there is one with so many.
pub fn verify(
    program: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    let any = Options { threads: None, ..options.clone() };
    let assumed = program.most_threads.map(|most| u32::try_from(most).unwrap_or(u32::MAX));
    let threads = options.threads.into_iter().chain(assumed).min();
    let options = &Options { threads, ..options.clone() };
    match (verify_any(program, prepared, &any, budget, tell), threads) {
        (Outcome::Unsafe { trace, .. }, Some(most)) if n_threads(program, &trace) > most.max(1) as usize => {
            cegar::run(program, prepared, options, budget, tell)
        }
        (outcome, _) => outcome,
    }
}

/// How many threads a run has in all, the first one included.
pub fn n_threads(program: &Program, trace: &Trace) -> usize {
    let is_start = |step: &&TraceStep| matches!(program.edge(step.edge).effect, Some(Effect::Spawn { .. }));
    1 + trace.steps.iter().filter(is_start).count()
}

fn verify_any(
    program: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    match (options.houdini, options.jobs) {
        (false, _) => cegar::run(program, prepared, options, budget, tell),
        (true, 0 | 1) => in_turn(program, prepared, options, budget, tell),
        (true, _) => at_once(program, prepared, options, budget, tell),
    }
}

/// How many questions about candidates are asked before the loop has its turn.
const FIRST_QUESTIONS: u64 = 4_000;

/// Filters facts first, for a while, then runs the loop.
fn in_turn(
    program: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    tell(Event::Phase(Phase::Filter));
    match filter(&prepared.program, FIRST_QUESTIONS, budget) {
        Err(reason) => Outcome::Stopped { reason, predicates: Box::new(options.predicates.clone()) },
        Ok(Some(filtered)) if filtered.proves => {
            Outcome::Safe { invariant: filtered.invariant, iterations: 0 }
        }
        Ok(_) => cegar::run(program, prepared, options, budget, tell),
    }
}

/// Filters facts and runs the loop at the same time. The first answer counts.
fn at_once(
    program: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    let (filtering, looping) = (budget.part(), budget.part());
    std::thread::scope(|scope| {
        let facts = scope.spawn(|| {
            let filtered = filter(&prepared.program, u64::MAX, &filtering).ok().flatten();
            let proof = filtered.filter(|it| it.proves);
            if proof.is_some() {
                looping.stop(StopReason::Cancelled);
            }
            proof
        });
        let outcome = cegar::run(program, prepared, options, &looping, tell);
        let is_answer =
            matches!(outcome, Outcome::Safe { .. } | Outcome::SafeUpTo { .. } | Outcome::Unsafe { .. });
        if is_answer {
            filtering.stop(StopReason::Cancelled);
        } else if budget.check().is_ok() {
            tell(Event::Phase(Phase::Filter));
        }
        match facts.join() {
            Ok(Some(filtered)) if !is_answer => {
                Outcome::Safe { invariant: filtered.invariant, iterations: 0 }
            }
            Ok(_) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// How many predicates of a list there are of each kind.
pub fn counts(predicates: &Predicates, program: &Program) -> Counts {
    let mut counts = Counts::default();
    for predicate in &predicates.list {
        match predicate.kind() {
            PredicateKind::Shared => counts.shared += 1,
            PredicateKind::Universal => counts.universal += 1,
            PredicateKind::InterThread => counts.inter_thread += 1,
            PredicateKind::SingleThread => {
                counts.single_thread += 1;
                let mentioned = translate::variables(&predicates.expressions, predicate.expression);
                let is_shared = |id: &_| program.variable(*id).scope == throng_cfa::flow::Scope::Shared;
                counts.local += usize::from(!mentioned.own.iter().any(is_shared));
            }
        }
    }
    counts
}
