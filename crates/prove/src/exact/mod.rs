//! Finite data, any number of threads: a program whose variables take few values is a system with a finite list of rules, which the
//! engines for such systems decide.
//!
//! 1. `states` numbers what shared variables hold and where threads stand with what values (`layout` says which values count, `evaluate` and
//!    `choices` what steps lead to). `seed` explores with few threads; what it meets are the first *known* thread states.
//! 2. `system` makes a system of these. What leads out of the known ones is a target beside the errors.
//! 3. An engine decides it. A trace out of the known ones shows more of them (`follow`), and the system is made again; a trace to an
//!    error is an interleaving of the program. If nothing is coverable, the proof together with the known thread states is an
//!    invariant (`invariant`, in few words by `cubes`).
//!
//! `listed` does 1 and 2 without looking at errors, for `throng reach` and its like.
//!
//! Variables whose values are too many are not tracked: they are read as unknown values. So a proof is one of the program
//! in any case, and an interleaving is tried on the program before it is believed.

mod choices;
mod cubes;
mod evaluate;
mod follow;
mod invariant;
mod known;
mod layout;
mod listed;
mod seed;
mod states;
mod system;

pub use listed::{Listed, Unlisted};

use crate::cegar::in_small_steps;
use crate::run::{feasible, is_known};
use follow::{Followed, follow};
use known::Known;
use rustc_hash::FxHashSet;
use states::States;
use system::{Numbered, make};
use throng_base::{Budget, StopReason};
use throng_cert::{Proof, Trace as Run};
use throng_cfa::flow::{Program, VariableId};
use throng_cfa::invariant::Invariant;
use throng_cfa::merge::Merged;
use throng_cfa::trace::Trace;
use throng_engine::{Answer, EngineKind, Observer, OracleKind, Progress, Safety, UnknownReason};

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Known thread states.
    pub thread_states: usize,
    /// Configurations of one exploration.
    pub configurations: usize,
    /// Rules of the system.
    pub rules: usize,
    /// Steps of an engine.
    pub steps: u64,
    /// How often the system is made again.
    pub rounds: usize,
}

impl Limits {
    /// What can be done soon.
    pub const FEW: Limits =
        Limits { thread_states: 2_000, configurations: 5_000, rules: 20_000, steps: 100_000, rounds: 64 };
    /// What can be done at all.
    pub const MANY: Limits = Limits {
        thread_states: 60_000,
        configurations: 100_000,
        rules: 1_000_000,
        steps: 20_000_000,
        rounds: 400,
    };
    /// What is listed for people.
    pub const LIST: Limits = Limits {
        thread_states: 20_000,
        configurations: 50_000,
        rules: 200_000,
        steps: 20_000_000,
        rounds: 400,
    };
}

/// What was found out.
#[derive(Debug)]
pub enum Exactly {
    /// No error is reachable.
    Safe(Invariant),
    /// An error is reachable.
    Unsafe(Trace),
    /// Neither.
    Unknown(UnknownReason),
    /// A bug of ours, in words.
    Internal(String),
}

/// How large it became.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Known thread states.
    pub thread_states: usize,
    /// Shared states.
    pub shared_states: usize,
    /// Local states.
    pub local_states: usize,
    /// Rules.
    pub rules: usize,
    /// How often the system was made.
    pub rounds: usize,
    /// Variables that are not tracked.
    pub untracked: usize,
}

/// Why an attempt ended.
#[derive(Debug)]
enum Trouble {
    /// A variable has too many values.
    Untrack(VariableId),
    /// There are too many states.
    TooMany,
    Stopped(StopReason),
    /// An engine has no answer.
    Nothing(UnknownReason),
    /// A bug of ours.
    Internal(String),
}

impl From<StopReason> for Trouble {
    fn from(reason: StopReason) -> Self {
        Trouble::Stopped(reason)
    }
}

/// So many variables with many values are given up, one after the other.
const MOST_GIVEN_UP: usize = 3;
/// A variable with so many values is one of them.
const MANY_VALUES: usize = 24;

/// What is asked, and how.
pub struct Exact<'a> {
    /// The program, which interleavings are about.
    pub original: &'a Program,
    /// The same in larger steps, which invariants are about.
    pub prepared: &'a Merged,
    /// How much is looked at.
    pub limits: Limits,
    /// How many threads engines may use.
    pub jobs: usize,
    /// The seed of random choices.
    pub seed: u64,
}

impl Exact<'_> {
    /// Decides the program, if its data is finite and small enough.
    pub fn decide(&self, budget: &Budget, tell: &mut dyn FnMut(&Counted)) -> Exactly {
        let program = &self.prepared.program;
        let mut is_untracked = vec![false; program.variables.len()];
        let mut given_up = 0;
        loop {
            let mut states = States::new(program, &is_untracked, budget);
            let mut counted =
                Counted { untracked: is_untracked.iter().filter(|it| **it).count(), ..Counted::default() };
            let variable = match self.attempt(&mut states, &mut counted, budget, tell) {
                Ok(found) => return found,
                Err(Trouble::Untrack(variable)) => Some(variable),
                Err(Trouble::TooMany) if given_up < MOST_GIVEN_UP => {
                    given_up += 1;
                    widest(&states)
                }
                Err(Trouble::TooMany) => None,
                Err(Trouble::Stopped(reason)) => return Exactly::Unknown(reason.into()),
                Err(Trouble::Nothing(reason)) => return Exactly::Unknown(reason),
                Err(Trouble::Internal(message)) => return Exactly::Internal(message),
            };
            match variable {
                Some(variable) if !is_untracked[variable.index()] => is_untracked[variable.index()] = true,
                _ => return Exactly::Unknown(UnknownReason::TooManyStates),
            }
        }
    }

    fn attempt(
        &self,
        states: &mut States<'_>,
        counted: &mut Counted,
        budget: &Budget,
        tell: &mut dyn FnMut(&Counted),
    ) -> Result<Exactly, Trouble> {
        let mut known = Known::default();
        seed::seed(states, &mut known, &self.limits)?;
        for round in 1..=self.limits.rounds {
            let numbered = make(states, &known, &self.limits)?;
            *counted = Counted {
                thread_states: known.len(),
                shared_states: states.shared.rows.len(),
                local_states: states.own.rows.len(),
                rules: numbered.origins.len(),
                rounds: round,
                ..*counted
            };
            tell(counted);
            let followed = match self.search(&numbered, budget)? {
                Found::Proof(proof) => {
                    let found = invariant::invariant(states, &known, &proof);
                    return Ok(found.map_or(Exactly::Unknown(UnknownReason::EvidenceTooLarge), Exactly::Safe));
                }
                Found::Run(run) => follow(states.program, &numbered, &run)
                    .ok_or(Trouble::Nothing(UnknownReason::EvidenceTooLarge))?,
            };
            if followed.is_error {
                return self.perform(&followed, budget);
            }
            if !known.add(followed.end.0, &followed.end.1) {
                return Err(Trouble::Internal("a trace leads to nothing new".to_owned()));
            }
            let n_threads = followed.end.1.len();
            let few = Limits { configurations: FEW_CONFIGURATIONS, ..self.limits };
            seed::explore(states, &mut known, followed.end, n_threads, &few)?;
        }
        Err(Trouble::TooMany)
    }

    /// Tries an interleaving on the program.
    fn perform(&self, followed: &Followed, budget: &Budget) -> Result<Exactly, Trouble> {
        let small = in_small_steps(self.prepared, &followed.steps);
        let found = is_known(self.original, &small).then(|| feasible(self.original, &small, budget));
        Ok(match found.transpose()?.flatten() {
            Some((trace, _)) => Exactly::Unsafe(trace),
            None => Exactly::Unknown(UnknownReason::Inconclusive),
        })
    }

    fn search(&self, numbered: &Numbered, budget: &Budget) -> Result<Found, Trouble> {
        let mut options = throng_engine::Options {
            jobs: self.jobs,
            seed: self.seed,
            cuts: false,
            ..throng_engine::Options::default()
        };
        let mut engine = EngineKind::Auto;
        loop {
            let part = budget.part();
            let leash = Leash { budget: &part, most: self.limits.steps };
            let outcome = engine.run(&numbered.system, &options, &part, &leash);
            return match outcome.answer {
                Answer::Safe(Safety::Proof(proof)) if proof.cuts.is_empty() => Ok(Found::Proof(proof)),
                // What can be covered is no invariant of the program yet: a backward search gives one.
                Answer::Safe(_) if engine == EngineKind::Auto => {
                    engine = EngineKind::Ic3;
                    options.oracle = OracleKind::None;
                    continue;
                }
                Answer::Safe(_) => Err(Trouble::Nothing(UnknownReason::Inconclusive)),
                Answer::Unsafe(run) => Ok(Found::Run(run)),
                Answer::Unknown(UnknownReason::Stopped(_)) => {
                    budget.check()?;
                    Err(Trouble::Nothing(UnknownReason::TooManyStates))
                }
                Answer::Unknown(reason) => Err(Trouble::Nothing(reason)),
            };
        }
    }
}

/// From a trace on, so many configurations are explored.
const FEW_CONFIGURATIONS: usize = 2_000;

enum Found {
    Proof(Proof),
    Run(Run),
}

/// Ends a search that goes too far.
struct Leash<'a> {
    budget: &'a Budget,
    most: u64,
}

impl Observer for Leash<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.steps > self.most {
            self.budget.stop(StopReason::Cancelled);
        }
    }
}

/// The variable with the most values, if these are many.
fn widest(states: &States<'_>) -> Option<VariableId> {
    let mut values: Vec<FxHashSet<u128>> = vec![FxHashSet::default(); states.program.variables.len()];
    for row in &states.shared.rows {
        for (scalar, &value) in states.layout.shared.iter().zip(&row.values) {
            values[scalar.variable.index()].insert(value);
        }
    }
    for row in &states.own.rows {
        let template = states.program.location(row.location).template;
        for (scalar, &value) in states.layout.own[template.index()].iter().zip(&row.values) {
            values[scalar.variable.index()].insert(value);
        }
    }
    let most = (0..values.len()).max_by_key(|&variable| values[variable].len())?;
    (values[most].len() >= MANY_VALUES).then(|| VariableId::new(most))
}
