//! Removal of what cannot matter: one round of the reductions that only leave things out.
//!
//! 1. Rules that can never fire, by the thread-modular fixpoint ([`crate::thread_modular`]), and targets with a thread
//!    state that no run shows;
//! 2. locals that can hold any number of threads from the beginning ([`crate::unbounded`]): they never matter;
//! 3. rules and locals on which no target depends ([`crate::cone`]), among them rules that change nothing;
//! 4. rules that others dominate ([`crate::dominated`]).
//!
//! What 2 to 4 remove can make more removable, so they are repeated until nothing changes.
//!
//! States keep their numbers and names; rules are renumbered. The arguments why evidence can be lifted stand at the
//! heads of the modules of `lift::pruned`, on top of the properties (R), (U), (C1), (C2) and (D) of the reductions.

use crate::bits::BitSet;
use crate::cone::Cone;
use crate::thread_modular::{self, Bounds, Edges};
use crate::thread_states::ThreadStates;
use crate::{Counters, Strength, dominated, unbounded};
use throng_base::{Budget, StopReason};
use throng_model::{Config, RuleId, System, SystemBuilder};

/// A pruned system and what is needed to lift evidence from it.
#[derive(Debug)]
pub(crate) struct Pruning {
    /// The pruned system.
    pub(crate) system: System,
    /// The original of each rule.
    pub(crate) rules: Vec<RuleId>,
    /// The thread states that runs may show.
    pub(crate) reached: ThreadStates,
    /// What the targets depend on.
    pub(crate) cone: Cone,
    /// What was removed.
    pub(crate) counters: Counters,
}

/// How often the reductions that make others possible are repeated. After few rounds nothing changes any more.
const MOST_ROUNDS: usize = 6;

/// How a system is pruned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// Which reductions are used.
    pub(crate) strength: Strength,
    /// What the thread-modular fixpoint may cost.
    pub(crate) bounds: Bounds,
    /// How many locals the system uses.
    pub(crate) n_locals: usize,
}

/// Prunes a system; `None` if there is nothing to remove. Takes time and memory linear in the size of the rules.
pub(crate) fn prune(original: &System, how: How, budget: &Budget) -> Result<Option<Pruning>, StopReason> {
    let (n_shared, n_locals) = (original.n_shared(), original.n_locals());
    let edges = thread_modular::edges(original);
    let reached = match how.strength {
        Strength::Full | Strength::Pruning => {
            thread_modular::thread_states(original, &edges, how.bounds, budget)?
        }
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
    let Pruned { cone, kept, n_dominated } = prune_states(original, &edges, &fireable, targets, budget)?;
    let counters = Counters {
        unreachable_thread_states: reached.n_missing(n_shared, n_locals),
        fixpoint_given_up: how.strength != Strength::KeepMinimality
            && matches!(reached, ThreadStates::Product { .. }),
        unfireable_rules: (original.rules().len() - fireable.len()) as u64,
        unreachable_targets: (original.targets().len() - n_targets) as u64,
        irrelevant_rules: (fireable.len() - kept.len() - n_dominated) as u64,
        irrelevant_locals: how.n_locals.saturating_sub(cone.locals.len() + cone.unbounded.len()) as u64,
        agglomerated_locals: 0,
        agglomerated_rules: 0,
        dominated_rules: n_dominated as u64,
        unbounded_locals: cone.unbounded.len() as u64,
    };
    let rules: Vec<RuleId> = kept.iter().map(RuleId::new).collect();
    let is_smaller = rules.len() < original.rules().len() || n_targets < original.targets().len();
    if !is_smaller && !cone.changes(original, &rules) {
        return Ok(None);
    }
    let system = build(original, &rules, &reached, &cone, budget)?;
    Ok(Some(Pruning { system, rules, reached, cone, counters }))
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
fn prune_states<'a>(
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
    use crate::sweep;
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

    fn pruned(system: &System, bounds: Bounds) -> Pruning {
        let how = How { strength: Strength::Full, bounds, n_locals: system.n_locals() };
        let pruning = prune(system, how, &Budget::unlimited());
        pruning.ok().flatten().expect("there is something to remove")
    }

    #[test]
    fn unreachable_shared_states_are_found_without_the_fixpoint_too() {
        for bounds in
            [Bounds::of(&chain(3)), Bounds { work: 0, words: 0 }, Bounds { work: 1 << 20, words: 1 }]
        {
            let pruning = pruned(&chain(3), bounds);
            assert_eq!(pruning.counters.unfireable_rules, 1);
            assert_eq!(pruning.counters.fixpoint_given_up, bounds.words <= 1);
            assert_eq!(pruning.system.rules().len(), 3);
        }
    }

    #[test]
    fn a_cone_longer_than_the_sweeps_is_found() {
        for length in [sweep::MOST_SWEEPS - 1, sweep::MOST_SWEEPS, sweep::MOST_SWEEPS + 1, 40] {
            let pruning = pruned(&chain(length), Bounds::of(&chain(length)));
            assert_eq!(pruning.system.rules().len(), length);
            assert_eq!(pruning.counters.irrelevant_rules, 0);
        }
    }
}
