//! Reductions before a search, with lifting of what the search finds to the original system.
//!
//! [`reduce`] makes a smaller system with the same verdict, and a [`Reduction`] turns evidence about it into
//! evidence about the original:
//!
//! 1. rules that can never fire are removed, by the thread-modular fixpoint (`thread_modular`), and targets
//!    with a thread state that no run shows;
//! 2. locals that can hold any number of threads from the beginning are removed (`unbounded`): they never matter;
//! 3. rules and locals on which no target depends are removed (`cone`), among them rules that change nothing;
//! 4. rules that others dominate are removed (`dominated`).
//!
//! What 2 to 4 remove can make more removable, so they are repeated until nothing changes.
//!
//! States keep their numbers and names, so configurations mean the same in both systems. Rules are renumbered.
//! The arguments why evidence can be lifted stand at the heads of [`lift`]'s modules, on top of the properties
//! (R), (U), (C1), (C2) and (D) of the reductions. None of this is trusted: the checker sees the lifted evidence and
//! the original only.
//!
//! Not done here: renaming of states, anything that needs counting (cuts, traps). Agglomeration of rules and fusion of
//! equal places were counted over the field's benchmarks and left out: few places allow it outside of toy nets.

mod bits;
mod cone;
mod dominated;
mod groups;
pub mod lift;
mod product;
mod sweep;
mod thread_modular;
mod thread_states;
mod unbounded;

pub use lift::LiftError;

use bits::BitSet;
use cone::Cone;
use thread_modular::{Bounds, Edges};
use thread_states::ThreadStates;
use throng_base::{Budget, StopReason};
use throng_model::{Config, RuleId, System, SystemBuilder};

/// Which reductions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// All.
    Full,
    /// Those under which a minimal proof of the reduced system is a minimal proof of the original: not the
    /// removal of rules that never fire, since lifting a proof adds elements in their place.
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
}

impl Counters {
    /// The counters by name, for statistics.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("reduced_unreachable_thread_states", self.unreachable_thread_states),
            ("reduced_fixpoint_given_up", u64::from(self.fixpoint_given_up)),
            ("reduced_unfireable_rules", self.unfireable_rules),
            ("reduced_unreachable_targets", self.unreachable_targets),
            ("reduced_irrelevant_rules", self.irrelevant_rules),
            ("reduced_irrelevant_locals", self.irrelevant_locals),
            ("reduced_dominated_rules", self.dominated_rules),
            ("reduced_unbounded_locals", self.unbounded_locals),
        ]
    }
}

/// A reduced system and what is needed to lift evidence from it.
#[derive(Debug)]
pub struct Reduction {
    system: System,
    /// The original of each rule.
    rules: Vec<RuleId>,
    reached: ThreadStates,
    cone: Cone,
    counters: Counters,
}

impl Reduction {
    /// The reduced system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// What was reduced.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The rule of the original that a rule of the reduced system is the projection of.
    pub fn original_rule(&self, rule: RuleId) -> RuleId {
        self.rules[rule.index()]
    }
}

/// How often the reductions that make others possible are repeated. After few rounds nothing changes any more.
const MOST_ROUNDS: usize = 6;

/// Reduces a system; `None` if there is nothing to reduce. Takes time and memory linear in the size of the rules.
pub fn reduce(
    original: &System,
    strength: Strength,
    budget: &Budget,
) -> Result<Option<Reduction>, StopReason> {
    reduce_within(original, strength, Bounds::of(original), budget)
}

fn reduce_within(
    original: &System,
    strength: Strength,
    bounds: Bounds,
    budget: &Budget,
) -> Result<Option<Reduction>, StopReason> {
    let (n_shared, n_locals) = (original.n_shared(), original.n_locals());
    let edges = thread_modular::edges(original);
    let reached = match strength {
        Strength::Full => thread_modular::thread_states(original, &edges, bounds, budget)?,
        Strength::KeepMinimality => ThreadStates::all(n_shared, n_locals),
    };
    let mut fireable = BitSet::new(original.rules().len());
    for (id, rule) in original.rules().iter() {
        if reached.is_fireable(rule) {
            fireable.insert(id.index());
        }
    }
    let targets = original.targets().iter().filter(|target| reached.shows(target.view()));
    let n_targets = targets.clone().count();
    let Pruned { cone, kept, n_dominated } = prune(original, &edges, &fireable, targets, budget)?;
    let counters = Counters {
        unreachable_thread_states: reached.n_missing(n_shared, n_locals),
        fixpoint_given_up: strength == Strength::Full && matches!(reached, ThreadStates::Product { .. }),
        unfireable_rules: (original.rules().len() - fireable.len()) as u64,
        unreachable_targets: (original.targets().len() - n_targets) as u64,
        irrelevant_rules: (fireable.len() - kept.len() - n_dominated) as u64,
        irrelevant_locals: (n_locals - cone.locals.len() - cone.unbounded.len()) as u64,
        dominated_rules: n_dominated as u64,
        unbounded_locals: cone.unbounded.len() as u64,
    };
    let rules: Vec<RuleId> = kept.iter().map(RuleId::new).collect();
    let is_smaller = rules.len() < original.rules().len() || n_targets < original.targets().len();
    if !is_smaller && !cone.changes(original, &rules) {
        return Ok(None);
    }
    let system = build(original, &rules, &reached, &cone, budget)?;
    Ok(Some(Reduction { system, rules, reached, cone, counters }))
}

/// What is left of a system for its targets.
struct Pruned {
    cone: Cone,
    /// The relevant rules that no other dominates.
    kept: BitSet,
    /// How many rules were dominated by others.
    n_dominated: usize,
}

/// Removes unbounded locals, what is outside the cone of influence, and dominated rules, until nothing changes.
fn prune<'a>(
    original: &System,
    edges: &Edges,
    fireable: &BitSet,
    targets: impl Iterator<Item = &'a Config> + Clone,
    budget: &Budget,
) -> Result<Pruned, StopReason> {
    let filled = unbounded::filled_by_all(original);
    let (mut candidates, mut n_dominated) = (fireable.clone(), 0);
    let mut n_rounds = 0;
    loop {
        let unbounded = unbounded::without_sources(original, &filled, &candidates);
        let cone = Cone::new(original, &candidates, unbounded, targets.clone(), budget)?;
        let mut kept = cone.rules.clone();
        n_dominated += dominated::remove_dominated(original, edges, &cone, &mut kept, budget)?;
        n_rounds += 1;
        if n_rounds == MOST_ROUNDS || kept.len() == candidates.len() {
            return Ok(Pruned { cone, kept, n_dominated });
        }
        candidates = kept;
    }
}

/// The reduced system: the projections of these rules, of the initial configurations and of the targets that
/// may be coverable.
fn build(
    original: &System,
    rules: &[RuleId],
    reached: &ThreadStates,
    cone: &Cone,
    budget: &Budget,
) -> Result<System, StopReason> {
    let mut builder = SystemBuilder::new(original.shared_names().clone(), original.local_names().clone());
    for chunk in rules.chunks(1 << 16) {
        budget.check()?;
        for &id in chunk {
            builder.rule(&cone.project_rule(original.rule(id)), original.rule_line(id).unwrap_or(0));
        }
    }
    for initial in original.initial() {
        builder.initial(cone.project_initial(initial));
    }
    for target in original.targets().iter().filter(|target| reached.shows(target.view())) {
        builder.target(cone.project_target(target));
    }
    Ok(builder.finish().expect("INVARIANT: the parts of a system are those of one with the same states"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, Initial, LocalId, Names, Rule, SharedId};

    fn one(local: usize) -> Bag {
        Bag::from_locals([LocalId::new(local)]).expect("one thread")
    }

    /// A chain of shared states that one thread walks along, its end the target; and a rule from a shared state
    /// that is not reached to the target.
    fn chain(length: usize) -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(length + 2), Names::Numbered(2));
        let mut rule = |from, to| {
            let (from, to) = (SharedId::new(from), SharedId::new(to));
            builder.rule(&Rule { from, to, take: one(0), put: one(0), moves: vec![] }, 0);
        };
        (0..length).for_each(|i| rule(i, i + 1));
        rule(length + 1, length);
        builder.initial(Initial { shared: SharedId::new(0), exact: one(0), unbounded: vec![] });
        builder.target(Config::new(SharedId::new(length), one(0)));
        builder.finish().expect("the parts fit together")
    }

    #[test]
    fn unreachable_shared_states_are_found_without_the_fixpoint_too() {
        for bounds in
            [Bounds::of(&chain(3)), Bounds { work: 0, words: 0 }, Bounds { work: 1 << 20, words: 1 }]
        {
            let reduction = reduce_within(&chain(3), Strength::Full, bounds, &Budget::unlimited());
            let reduction = reduction.ok().flatten().expect("there is something to reduce");
            assert_eq!(reduction.counters().unfireable_rules, 1);
            assert_eq!(reduction.counters().fixpoint_given_up, bounds.words <= 1);
            assert_eq!(reduction.system().rules().len(), 3);
        }
    }

    #[test]
    fn a_cone_longer_than_the_sweeps_is_found() {
        for length in [sweep::MOST_SWEEPS - 1, sweep::MOST_SWEEPS, sweep::MOST_SWEEPS + 1, 40] {
            let reduction = reduce(&chain(length), Strength::Full, &Budget::unlimited());
            let reduction = reduction.ok().flatten().expect("there is something to reduce");
            assert_eq!(reduction.system().rules().len(), length);
            assert_eq!(reduction.counters().irrelevant_rules, 0);
        }
    }
}
