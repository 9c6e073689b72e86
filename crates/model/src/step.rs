//! What firing a rule means, and all successors of a configuration.
//!
//! A rule fires when the shared state is `from` and `take` is included in the bag: remove `take`, let every
//! remaining thread in the source of a move go to one of its destinations (or vanish if there is none), add
//! `put`, set the shared state to `to`. On ω-configurations a moved ω gives ω at all destinations.

use crate::bag::{self, Bag, CountOverflow};
use crate::by_state::{Listed, RulesByState};
use crate::distribute::Distribution;
use crate::rules::{RuleRef, RuleTable};
use crate::{Config, ConfigRef, LocalId, OMEGA, RuleId, SharedId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Where some of the passive threads of one local went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Where they were.
    pub from: LocalId,
    /// Where they are now; `None` if they vanished.
    pub to: Option<LocalId>,
    /// How many.
    pub count: u32,
}

/// One step of an execution: a rule and, for every passive thread that a move of the rule affects, where it
/// went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule that fired.
    pub rule: RuleId,
    /// What became of the affected passive threads.
    pub moved: Vec<Moved>,
}

/// Bags that an enumeration works with. Whoever goes through many rules keeps them, so that bags too large to be
/// kept in place are not allocated anew for each successor.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    rest: Bag,
    next: Bag,
    /// What no choice changes.
    fixed: Bag,
    moved: Vec<Moved>,
}

/// Enumerates the successors of `config` under `rule`, with the passive moves that lead to each. Successors
/// may repeat. Nothing is reported if the rule is not enabled.
pub fn for_each_successor(
    rule: RuleRef<'_>,
    config: ConfigRef<'_>,
    buffers: &mut Buffers,
    report: &mut dyn FnMut(&[Moved], ConfigRef<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, CountOverflow> {
    if rule.from != config.shared || !bag::le(rule.take, config.bag) {
        return Ok(ControlFlow::Continue(()));
    }
    let Buffers { rest, next, fixed, moved } = buffers;
    bag::difference_into(config.bag, rule.take, rest);
    if !rule.has_moves() {
        bag::sum_into(rest, rule.put, next)?;
        return Ok(report(&[], ConfigRef::new(rule.to, next)));
    }

    let mut omegas = Bag::new();
    let mut distribution = Distribution::default();
    fixed.clear();
    moved.clear();
    for &entry in rest.iter() {
        match rule.destinations_of(entry.local) {
            None => fixed.push(entry),
            Some([]) => moved.push(Moved { from: entry.local, to: None, count: entry.count }),
            Some(destinations) if entry.count == OMEGA => {
                for &to in destinations {
                    omegas.add(to, OMEGA)?;
                    moved.push(Moved { from: entry.local, to: Some(to), count: OMEGA });
                }
            }
            Some(destinations) => distribution.push(entry, SmallVec::from_slice(destinations)),
        }
    }
    bag::sum_into(fixed, &omegas, next)?;
    bag::sum_into(next, rule.put, fixed)?;
    let n_fixed = moved.len();
    loop {
        moved.truncate(n_fixed);
        moved.extend(distribution.choices().map(|(from, to, count)| Moved { from, to, count }));
        bag::sum_into(fixed, &distribution.bag()?, next)?;
        if report(moved, ConfigRef::new(rule.to, next)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if !distribution.advance() {
            return Ok(ControlFlow::Continue(()));
        }
    }
}

/// Fires `rule` with exactly the passive moves `moved`; `None` if that is not a step from `config`.
pub fn fire(rule: RuleRef<'_>, config: ConfigRef<'_>, moved: &[Moved]) -> Option<Config> {
    if rule.from != config.shared || !bag::le(rule.take, config.bag) {
        return None;
    }
    let (mut rest, mut next) = (Bag::new(), Bag::new());
    bag::difference_into(config.bag, rule.take, &mut rest);
    for entry in rest.iter() {
        let Some(destinations) = rule.destinations_of(entry.local) else {
            next.push(*entry);
            continue;
        };
        let mut gone = 0u64;
        for choice in moved.iter().filter(|choice| choice.from == entry.local) {
            let allowed = choice.to.map_or(destinations.is_empty(), |to| destinations.contains(&to));
            if !allowed {
                return None;
            }
            gone += u64::from(choice.count);
        }
        if gone != u64::from(entry.count) {
            return None;
        }
    }
    let affected = |from| rule.destinations_of(from).is_some() && bag::count(&rest, from) > 0;
    if !moved.iter().all(|choice| choice.count == 0 || affected(choice.from)) {
        return None;
    }
    for choice in moved {
        if let Some(to) = choice.to {
            next.add(to, choice.count).ok()?;
        }
    }
    let mut bag = Bag::new();
    bag::sum_into(&next, rule.put, &mut bag).ok()?;
    Some(Config::new(rule.to, bag))
}

/// Rules by shared state and one local they take, so that only rules with a chance are tried.
#[derive(Clone, Debug)]
pub(crate) struct SuccessorIndex {
    /// Every rule once: under its shared state alone if it takes nothing, otherwise under the local of its `take`
    /// that the fewest rules take.
    lists: RulesByState,
}

impl SuccessorIndex {
    pub(crate) fn new(rules: &RuleTable) -> Self {
        let users = Users::new(rules);
        let listed = |(id, rule): (RuleId, RuleRef<'_>)| Listed::new(rule.from, users.rarest_of(rule), id);
        Self { lists: RulesByState::new(rules.iter().map(listed).collect()) }
    }

    /// The rules that may be enabled in `config`, each once.
    pub(crate) fn candidates<'a>(&'a self, config: ConfigRef<'a>) -> impl Iterator<Item = RuleId> + 'a {
        let free = self.lists.get(config.shared, None);
        let watched =
            config.bag.iter().flat_map(move |entry| self.lists.get(config.shared, Some(entry.local)));
        free.chain(watched)
    }
}

/// How many rules take a thread from each local, by shared state.
struct Users(FxHashMap<(SharedId, LocalId), u32>);

impl Users {
    fn new(rules: &RuleTable) -> Self {
        let mut users: FxHashMap<(SharedId, LocalId), u32> = FxHashMap::default();
        // Without a choice between locals nobody asks.
        if rules.iter().any(|(_, rule)| rule.take.len() > 1) {
            for (_, rule) in rules.iter() {
                for entry in rule.take {
                    *users.entry((rule.from, entry.local)).or_default() += 1;
                }
            }
        }
        Self(users)
    }

    /// The local of the rule's `take` that the fewest rules take; `None` if it takes nothing.
    fn rarest_of(&self, rule: RuleRef<'_>) -> Option<LocalId> {
        let locals = rule.take.iter().map(|entry| entry.local);
        locals.min_by_key(|&local| self.0.get(&(rule.from, local)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Rule};

    fn bag(counts: &[(usize, u32)]) -> Bag {
        Bag::from_counts(counts.iter().map(|&(l, n)| (LocalId::new(l), n))).unwrap()
    }

    fn table(take: &[(usize, u32)], put: &[(usize, u32)], moves: &[(usize, &[usize])]) -> RuleTable {
        let moves = moves.iter().map(|&(source, to)| Move {
            source: LocalId::new(source),
            destinations: to.iter().copied().map(LocalId::new).collect(),
        });
        let (from, to) = (SharedId::new(0), SharedId::new(0));
        let mut table = RuleTable::default();
        table.push(&Rule { from, to, take: bag(take), put: bag(put), moves: moves.collect() });
        table
    }

    /// The successors of a bag; each is also fired step by step.
    fn successors(table: &RuleTable, from: &[(usize, u32)]) -> Vec<Bag> {
        let rule = table.get(RuleId::new(0));
        let config = Config::new(SharedId::new(0), bag(from));
        let finite = config.bag.iter().all(|entry| entry.count != OMEGA);
        let mut found = Vec::new();
        let flow = for_each_successor(rule, config.view(), &mut Buffers::default(), &mut |moved, after| {
            if finite {
                assert_eq!(fire(rule, config.view(), moved), Some(after.to_config()));
            }
            found.push(Bag::from(after.bag));
            ControlFlow::Continue(())
        });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        found.sort();
        found
    }

    #[test]
    fn the_active_thread_is_not_moved_by_the_passive_moves() {
        let table = table(&[(0, 1)], &[(1, 1)], &[(0, &[2])]);
        assert_eq!(successors(&table, &[(0, 3)]), [bag(&[(1, 1), (2, 2)])]);
    }

    #[test]
    fn passive_threads_choose_independently() {
        let table = table(&[], &[], &[(0, &[0, 1])]);
        let expected = [bag(&[(0, 1), (1, 1)]), bag(&[(0, 2)]), bag(&[(1, 2)])];
        assert_eq!(successors(&table, &[(0, 2)]), expected);
    }

    #[test]
    fn a_pure_broadcast_needs_no_thread_and_a_taken_thread_is_needed() {
        assert_eq!(successors(&table(&[], &[], &[(0, &[1])]), &[]), [bag(&[])]);
        assert!(successors(&table(&[(0, 2)], &[], &[]), &[(0, 1)]).is_empty());
    }

    #[test]
    fn a_moved_omega_gives_omega_at_all_destinations() {
        let table = table(&[(0, 1)], &[(3, 1)], &[(0, &[1, 2]), (4, &[])]);
        let after = bag(&[(1, OMEGA), (2, OMEGA), (3, 1)]);
        assert_eq!(successors(&table, &[(0, OMEGA), (4, OMEGA)]), [after]);
    }

    #[test]
    fn moves_that_do_not_account_for_every_thread_are_no_step() {
        let table = table(&[(0, 1)], &[], &[(0, &[1])]);
        let rule = table.get(RuleId::new(0));
        let config = Config::new(SharedId::new(0), bag(&[(0, 3)]));
        let moved = |to: usize, count| [Moved { from: LocalId::new(0), to: Some(LocalId::new(to)), count }];
        assert!(fire(rule, config.view(), &moved(1, 2)).is_some());
        assert!(fire(rule, config.view(), &moved(1, 1)).is_none());
        assert!(fire(rule, config.view(), &moved(1, 3)).is_none());
        assert!(fire(rule, config.view(), &moved(2, 2)).is_none());
        assert!(fire(rule, config.view(), &[]).is_none());
    }
}
