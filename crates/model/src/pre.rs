//! Minimal predecessors: the smallest configurations from which one step covers a given one.
//!
//! For a rule and a configuration (to, B), the leftover B ⊖ put must have stood somewhere before the step.
//! Each leftover thread picks, independently, a source p with its local in moves(p), or its own local if that
//! is not listed; a leftover thread without a source means that there is no predecessor. The sources plus
//! `take` are the predecessor. All results of one rule have the same size, so removing duplicates minimises.
//! Their number can be exponential in the size of B when moves are many-to-one, so they are enumerated.
//!
//! Predecessors that cover B itself are left out where the index sees it: they are never new to a search.

use crate::bag::{self, Bag, CountOverflow};
use crate::by_state::{Listed, RulesByState};
use crate::distribute::Distribution;
use crate::rules::{RuleRef, RuleTable};
use crate::step::Moved;
use crate::{Config, ConfigRef, Entry, LocalId, OMEGA, RuleId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// The passive moves that lead from a predecessor to its successor, made on demand.
pub type PassiveMoves<'a> = &'a dyn Fn() -> Vec<Moved>;

/// A callback for each predecessor.
pub type Report<'a> = &'a mut dyn FnMut(PassiveMoves<'_>, ConfigRef<'_>) -> ControlFlow<()>;

/// Bags that an enumeration works with. Whoever goes through many rules keeps them, so that bags too large to be
/// kept in place are not allocated anew for each predecessor.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    leftover: Bag,
    before: Bag,
}

/// Enumerates the distinct minimal predecessors of `goal` under `rule`, all of them, each with the passive
/// moves that take its threads to `goal`.
pub fn for_each_predecessor(
    rule: RuleRef<'_>,
    goal: ConfigRef<'_>,
    buffers: &mut Buffers,
    report: Report<'_>,
) -> Result<ControlFlow<()>, CountOverflow> {
    if rule.to != goal.shared {
        return Ok(ControlFlow::Continue(()));
    }
    let Buffers { leftover, before } = buffers;
    bag::difference_into(goal.bag, rule.put, leftover);
    if !rule.has_moves() {
        bag::sum_into(leftover, rule.take, before)?;
        return Ok(report(&Vec::new, ConfigRef::new(rule.from, before)));
    }

    let mut distribution = Distribution::default();
    for &entry in leftover.iter() {
        let sources = sources_of(rule, entry.local);
        if sources.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        distribution.push(entry, sources);
    }
    let mut seen = distribution.may_repeat().then(FxHashSet::<Bag>::default);
    loop {
        bag::sum_into(&distribution.bag()?, rule.take, before)?;
        if seen.as_mut().is_none_or(|seen| seen.insert(before.clone())) {
            let moved = || passive_moves(rule, &distribution);
            if report(&moved, ConfigRef::new(rule.from, before)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if !distribution.advance() {
            return Ok(ControlFlow::Continue(()));
        }
    }
}

/// A minimal predecessor of `goal` under `rule` that `limit` covers, and the passive moves that take its threads to
/// `goal`; `None` if there is none. There may be very many predecessors, and they are not enumerated.
pub fn predecessor_within(
    rule: RuleRef<'_>,
    goal: ConfigRef<'_>,
    limit: ConfigRef<'_>,
) -> Result<Option<(Vec<Moved>, Config)>, CountOverflow> {
    if rule.to != goal.shared || rule.from != limit.shared || !bag::le(rule.take, limit.bag) {
        return Ok(None);
    }
    let (mut leftover, mut distribution) = (Bag::new(), Distribution::default());
    bag::difference_into(goal.bag, rule.put, &mut leftover);
    for &entry in leftover.iter() {
        distribution.push(entry, sources_of(rule, entry.local));
    }
    let room = |local: LocalId| match bag::count(limit.bag, local) {
        OMEGA => OMEGA,
        count => count - bag::count(rule.take, local),
    };
    if !distribution.fit(room) {
        return Ok(None);
    }
    let mut before = Bag::new();
    bag::sum_into(&distribution.bag()?, rule.take, &mut before)?;
    Ok(Some((passive_moves(rule, &distribution), Config::new(rule.from, before))))
}

/// The locals from which a passive thread can come to stand in `local` when `rule` fires.
fn sources_of(rule: RuleRef<'_>, local: LocalId) -> SmallVec<[LocalId; 2]> {
    let mut sources = SmallVec::new();
    let mut listed = false;
    for (source, destinations) in rule.moves() {
        listed |= source == local;
        if destinations.binary_search(&local).is_ok() {
            sources.push(source);
        }
    }
    if !listed {
        sources.push(local);
    }
    sources
}

/// The choices of a distribution of leftovers over sources, read forwards; threads that stay are not moved.
fn passive_moves(rule: RuleRef<'_>, distribution: &Distribution) -> Vec<Moved> {
    let choices = distribution.choices().filter_map(|(to, from, count)| Some((to, from?, count)));
    let moved = choices.filter(|&(_, from, _)| rule.destinations_of(from).is_some());
    moved.map(|(to, from, count)| Moved { from, to: Some(to), count }).collect()
}

/// Rules by the shared state they lead to and the locals they can help to fill.
#[derive(Clone, Debug)]
pub(crate) struct PredecessorIndex {
    /// Rules that change the shared state under the new one alone: they always give something new. Other rules under
    /// every local they can help to fill, see [`fills`].
    lists: RulesByState,
}

impl PredecessorIndex {
    pub(crate) fn new(rules: &RuleTable) -> Self {
        let mut listed = Vec::with_capacity(rules.len());
        let mut locals = Vec::new();
        for (id, rule) in rules.iter() {
            if rule.from != rule.to {
                listed.push(Listed::new(rule.to, None, id));
                continue;
            }
            let moved = rule.moves().flat_map(|(_, destinations)| destinations.iter().copied());
            locals.clear();
            locals.extend(rule.put.iter().map(|entry| entry.local).chain(moved));
            locals.sort_unstable();
            locals.dedup();
            let filled = locals.iter().filter(|&&local| fills(rule, local));
            listed.extend(filled.map(|&local| Listed::new(rule.to, Some(local), id)));
        }
        Self { lists: RulesByState::new(listed) }
    }

    /// The rules under which `goal` has predecessors that do not cover it, each once; and perhaps others.
    pub(crate) fn candidates<'a>(
        &'a self,
        rules: &'a RuleTable,
        goal: ConfigRef<'a>,
    ) -> impl Iterator<Item = RuleId> + 'a {
        let changing = self.lists.get(goal.shared, None);
        let filling = goal.bag.iter().enumerate().flat_map(move |(i, entry)| {
            // A rule listed under several locals of the bag is reported at the first of them.
            let earlier: &[Entry] = &goal.bag[..i];
            let listed = self.lists.get(goal.shared, Some(entry.local));
            listed.filter(move |&id| !earlier.iter().any(|entry| fills(rules.get(id), entry.local)))
        });
        changing.chain(filling)
    }
}

/// Whether a predecessor under `rule` can have fewer threads in `local` than its successor: the rule puts more
/// there than it takes, or passive threads come from elsewhere. If a rule keeps the shared state and fills no
/// local of B, then each predecessor of B covers B: every leftover thread stays where it is, and `take` adds
/// at least what `put` gave.
fn fills(rule: RuleRef<'_>, local: LocalId) -> bool {
    bag::count(rule.put, local) > bag::count(rule.take, local)
        || rule
            .moves()
            .any(|(source, destinations)| source != local && destinations.binary_search(&local).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Rule, SharedId};

    fn bag(locals: &[usize]) -> Bag {
        Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap()
    }

    fn rule(take: &[usize], put: &[usize], moves: &[(usize, &[usize])]) -> Rule {
        let moves = moves.iter().map(|&(source, to)| Move {
            source: LocalId::new(source),
            destinations: to.iter().copied().map(LocalId::new).collect(),
        });
        let (from, to) = (SharedId::new(0), SharedId::new(1));
        Rule { from, to, take: bag(take), put: bag(put), moves: moves.collect() }
    }

    fn predecessors(rule: &Rule, goal: &[usize]) -> Vec<Bag> {
        let mut table = RuleTable::default();
        let id = table.push(rule);
        let goal = Config::new(SharedId::new(1), bag(goal));
        let mut found = Vec::new();
        let flow =
            for_each_predecessor(table.get(id), goal.view(), &mut Buffers::default(), &mut |_, before| {
                assert_eq!(before.shared, SharedId::new(0));
                found.push(Bag::from(before.bag));
                ControlFlow::Continue(())
            });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        found.sort();
        found
    }

    #[test]
    fn a_thread_that_the_goal_does_not_mention_is_added() {
        assert_eq!(predecessors(&rule(&[1], &[2], &[]), &[3]), [bag(&[1, 3])]);
        assert_eq!(predecessors(&rule(&[1], &[2], &[]), &[2, 2]), [bag(&[1, 2])]);
    }

    #[test]
    fn weights_are_subtracted_once() {
        assert_eq!(predecessors(&rule(&[0, 0, 0], &[1, 1], &[]), &[1, 1, 1]), [bag(&[0, 0, 0, 1])]);
    }

    #[test]
    fn each_leftover_thread_picks_its_own_source() {
        // 2 can come from 0, 1 (moved) or 2 itself (it stays): three threads, ten bags.
        let many_to_one = rule(&[], &[], &[(0, &[2]), (1, &[2])]);
        assert_eq!(predecessors(&many_to_one, &[2, 2, 2]).len(), 10);
    }

    #[test]
    fn equal_choices_are_reported_once() {
        // Both 2 and 3 can come from 0 and 1, and from nowhere else: {0, 1} in two ways.
        let crossing = rule(&[], &[], &[(0, &[2, 3]), (1, &[2, 3]), (2, &[0]), (3, &[0])]);
        assert_eq!(predecessors(&crossing, &[2, 3]), [bag(&[0, 1]), bag(&[0, 0]), bag(&[1, 1])]);
    }

    #[test]
    fn a_thread_in_a_local_that_is_left_by_all_has_no_predecessor() {
        assert!(predecessors(&rule(&[], &[], &[(1, &[2])]), &[1]).is_empty());
        assert_eq!(predecessors(&rule(&[0], &[1], &[(1, &[2])]), &[1]), [bag(&[0])]);
    }

    #[test]
    fn one_of_very_many_predecessors_is_found_at_once() {
        // A million threads in 4, from four places, three of which have room for few. Enumerated, that takes ages.
        let many_to_one = rule(&[0], &[], &[(0, &[4]), (1, &[4]), (2, &[4]), (3, &[4]), (4, &[])]);
        let mut table = RuleTable::default();
        let id = table.push(&many_to_one);
        let counts = |counts: &[(usize, u32)]| {
            Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count))).unwrap()
        };
        let goal = Config::new(SharedId::new(1), counts(&[(4, 1_000_000)]));
        let find = |limit: &[(usize, u32)]| {
            let limit = Config::new(SharedId::new(0), counts(limit));
            predecessor_within(table.get(id), goal.view(), limit.view()).unwrap()
        };
        let (moved, before) = find(&[(0, 10), (1, 20), (2, 999_971), (4, 5)]).unwrap();
        assert_eq!(before.bag, counts(&[(0, 10), (1, 20), (2, 999_971)]));
        assert_eq!(moved.iter().map(|it| it.count).sum::<u32>(), 1_000_000);
        assert_eq!(find(&[(0, 10), (1, 20), (2, 999_970)]), None);
        assert_eq!(find(&[(1, 1_000_000)]), None);
        assert_eq!(find(&[(0, 1), (3, OMEGA)]).unwrap().1.bag, counts(&[(0, 1), (3, 1_000_000)]));
    }

    #[test]
    fn a_reset_leaves_nothing_behind() {
        assert!(predecessors(&rule(&[0], &[0], &[(1, &[])]), &[0, 1]).is_empty());
        assert_eq!(predecessors(&rule(&[0], &[0], &[(1, &[])]), &[0, 2]), [bag(&[0, 2])]);
    }
}
