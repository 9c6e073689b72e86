//! Reductions before a search, with lifting of what the search finds to the original system.
//!
//! [`reduce`] makes a smaller system with the same verdict, and a [`Reduction`] turns evidence about it into
//! evidence about the original. A reduction is a stack of stages, each of which can lift evidence over itself:
//!
//! 1. *pruning* (`pruning`) leaves out what cannot matter: rules that never fire, locals that can hold any number of
//!    threads, what no target depends on, rules that others dominate;
//! 2. *agglomeration* (`agglomeration`) replaces locals that threads only pass through by what comes before or after;
//! 3. pruning again, since rules that became equal or idle are left; then agglomeration again, a few times.
//!
//! States keep their numbers and names, so configurations mean the same in both systems. Rules are renumbered; each
//! comes from one rule of the original, which may stand for several steps after an agglomeration. None of this is
//! trusted: the checker sees the lifted evidence and the original only.
//!
//! Not done here: renaming of states, anything that needs counting (cuts, traps), fusion of places that always hold equally
//! many threads (28 places in all of the field's suite that we have).

mod agglomeration;
mod bits;
mod cone;
mod detours;
mod dominated;
mod groups;
pub mod lift;
mod product;
mod pruning;
mod substitution;
mod sweep;
mod thread_modular;
mod thread_states;
mod unbounded;

pub use lift::LiftError;

use agglomeration::Agglomeration;
use pruning::{How, Pruning};
use thread_modular::Bounds;
use throng_base::{Budget, StopReason};
use throng_model::{RuleId, System};

/// Which reductions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// All.
    Full,
    /// Those that only leave things out, so that a proof grows little when it is lifted: no agglomeration.
    Pruning,
    /// Those under which a minimal proof of the reduced system is a minimal proof of the original: not the
    /// removal of rules that never fire and not agglomeration, since lifting a proof then adds elements.
    KeepMinimality,
}

/// What was reduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Pairs of a shared state and a local that no run shows.
    pub unreachable_thread_states: u64,
    /// Whether the thread-modular fixpoint was too expensive and reachability of shared states and locals by
    /// themselves took its place.
    pub fixpoint_given_up: bool,
    /// Rules that can never fire.
    pub unfireable_rules: u64,
    /// Targets that are not coverable because of one thread state.
    pub unreachable_targets: u64,
    /// Rules on which no target depends.
    pub irrelevant_rules: u64,
    /// Locals on which no target depends.
    pub irrelevant_locals: u64,
    /// Rules that other rules dominate.
    pub dominated_rules: u64,
    /// Locals that can hold any number of threads from the beginning.
    pub unbounded_locals: u64,
    /// Locals that threads only pass through.
    pub agglomerated_locals: u64,
    /// Rules by which threads pass through them.
    pub agglomerated_rules: u64,
}

impl Counters {
    /// The counters by name, for statistics.
    pub fn named(&self) -> [(&'static str, u64); 10] {
        [
            ("reduced_unreachable_thread_states", self.unreachable_thread_states),
            ("reduced_fixpoint_given_up", u64::from(self.fixpoint_given_up)),
            ("reduced_unfireable_rules", self.unfireable_rules),
            ("reduced_unreachable_targets", self.unreachable_targets),
            ("reduced_irrelevant_rules", self.irrelevant_rules),
            ("reduced_irrelevant_locals", self.irrelevant_locals),
            ("reduced_dominated_rules", self.dominated_rules),
            ("reduced_unbounded_locals", self.unbounded_locals),
            ("reduced_agglomerated_locals", self.agglomerated_locals),
            ("reduced_agglomerated_rules", self.agglomerated_rules),
        ]
    }

    /// Adds what a later pruning removed. Which thread states are reachable was counted by the first.
    fn add(&mut self, later: &Counters) {
        self.unfireable_rules += later.unfireable_rules;
        self.unreachable_targets += later.unreachable_targets;
        self.irrelevant_rules += later.irrelevant_rules;
        self.irrelevant_locals += later.irrelevant_locals;
        self.dominated_rules += later.dominated_rules;
        self.unbounded_locals += later.unbounded_locals;
    }
}

/// A reduced system and what is needed to lift evidence from it.
#[derive(Debug)]
pub struct Reduction {
    /// What was done, in this order; at least one stage.
    stages: Vec<Stage>,
    counters: Counters,
}

impl Reduction {
    /// The reduced system.
    pub fn system(&self) -> &System {
        self.stages.last().expect("INVARIANT: a reduction has a stage").system()
    }

    /// What was reduced.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The rule of the original that a rule of the reduced system comes from. After an agglomeration the rule may
    /// stand for some steps before and after that one.
    pub fn original_rule(&self, rule: RuleId) -> RuleId {
        self.stages.iter().rev().fold(rule, |rule, stage| stage.rules()[rule.index()])
    }
}

/// One step from a system to a smaller one.
#[derive(Debug)]
enum Stage {
    Pruning(Pruning),
    Agglomeration(Agglomeration),
}

impl Stage {
    /// The smaller system.
    fn system(&self) -> &System {
        match self {
            Stage::Pruning(pruning) => &pruning.system,
            Stage::Agglomeration(agglomeration) => &agglomeration.system,
        }
    }

    /// The rule that each rule of the smaller system comes from.
    fn rules(&self) -> &[RuleId] {
        match self {
            Stage::Pruning(pruning) => &pruning.rules,
            Stage::Agglomeration(agglomeration) => &agglomeration.rules,
        }
    }
}

/// How often locals are agglomerated. After few rounds there are none.
const MOST_AGGLOMERATIONS: usize = 4;

/// Reduces a system; `None` if there is nothing to reduce. Takes time and memory linear in the size of the rules.
pub fn reduce(
    original: &System,
    strength: Strength,
    budget: &Budget,
) -> Result<Option<Reduction>, StopReason> {
    let mut stack =
        Stack { stages: Vec::new(), counters: Counters::default(), n_locals: original.n_locals() };
    stack.prune(original, strength, Bounds::of(original), budget)?;
    if strength == Strength::Full {
        for _ in 0..MOST_AGGLOMERATIONS {
            if !stack.agglomerate(original, budget)? {
                break;
            }
            // What was reachable still is: the fixpoint would find nothing that the first one did not.
            stack.prune(original, strength, Bounds { work: 0, words: 0 }, budget)?;
        }
    }
    let Stack { stages, counters, .. } = stack;
    Ok((!stages.is_empty()).then_some(Reduction { stages, counters }))
}

/// A reduction that is being made.
struct Stack {
    stages: Vec<Stage>,
    counters: Counters,
    /// How many locals are left.
    n_locals: usize,
}

impl Stack {
    /// The smallest system so far.
    fn system<'a>(&'a self, original: &'a System) -> &'a System {
        self.stages.last().map_or(original, Stage::system)
    }

    fn prune(
        &mut self,
        original: &System,
        strength: Strength,
        bounds: Bounds,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let how = How { strength, bounds, n_locals: self.n_locals };
        let Some(pruning) = pruning::prune(self.system(original), how, budget)? else { return Ok(()) };
        if self.stages.is_empty() {
            self.counters = pruning.counters;
        } else {
            self.counters.add(&pruning.counters);
        }
        self.n_locals = pruning.cone.locals.len();
        self.stages.push(Stage::Pruning(pruning));
        Ok(())
    }

    /// Whether there were locals to agglomerate.
    fn agglomerate(&mut self, original: &System, budget: &Budget) -> Result<bool, StopReason> {
        let system = self.system(original);
        let n_rules = system.rules().len();
        let Some(agglomeration) = agglomeration::agglomerate(system, budget)? else { return Ok(false) };
        let n_replaced = agglomeration.substitution.images().len();
        self.counters.agglomerated_locals += n_replaced as u64;
        self.counters.agglomerated_rules += (n_rules - agglomeration.rules.len()) as u64;
        self.n_locals = self.n_locals.saturating_sub(n_replaced);
        self.stages.push(Stage::Agglomeration(agglomeration));
        Ok(true)
    }
}
