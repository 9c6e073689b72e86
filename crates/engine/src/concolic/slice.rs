//! Slices: what is left of a system along one path through components, for paths that cannot be summarised.
//!
//! A slice has the rules inside of the path's components and those from each of them to the next. A target
//! that is coverable in a slice is coverable in the system, by the same trace. A slice in which no target is coverable
//! says nothing about the others, so slices are searched for bugs, with limited work, and the shortest paths first; what
//! is known about the system holds in a slice, and what is coverable in a slice is coverable in the system.

use super::quotient::{Quotient, Shape};
use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::widen::{Variant, Widen};
use crate::{Answer, Options, UnknownReason};
use std::collections::VecDeque;
use throng_base::Budget;
use throng_cert::{Trace, TraceItem};
use throng_model::{Config, RuleId, System, SystemBuilder};

/// Paths that are looked at one by one.
const MOST_SLICES: usize = 8;
/// Paths that are followed at the same time while the shortest are looked for.
const MOST_PATHS: usize = 1 << 12;
/// Predecessors that the search of one slice may compute.
const WORK: u64 = 1 << 14;

/// The shortest paths over components, from initial ones to targets, that pass a component that is no simple loop; none if
/// there are too many.
pub(super) fn spaghetti_paths(system: &System, quotient: &Quotient, targets: &[Config]) -> Vec<Vec<usize>> {
    let component = |shared| quotient.vertex(shared).map(|vertex| quotient.component_of(vertex));
    let is_initial = |c: usize| system.initial().iter().any(|initial| component(initial.shared) == Some(c));
    let mut into: Vec<(usize, usize)> = quotient.crossings.iter().map(|&(from, to)| (to, from)).collect();
    into.sort_unstable();
    into.dedup();
    let mut ends: Vec<usize> = targets.iter().filter_map(|target| component(target.shared)).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut waiting: VecDeque<Vec<usize>> = ends.into_iter().map(|end| vec![end]).collect();
    let mut found = Vec::new();
    // First in, first out: shorter paths come before longer ones.
    while let Some(path) = waiting.pop_front() {
        let first = *path.last().expect("INVARIANT: a path has an end");
        let is_spaghetti = path.iter().any(|&c| quotient.components[c].shape == Shape::Spaghetti);
        if is_initial(first) && is_spaghetti {
            found.push(path.clone());
        }
        if found.len() >= MOST_SLICES || waiting.len() >= MOST_PATHS {
            break;
        }
        let start = into.partition_point(|&(to, _)| to < first);
        for &(_, from) in into[start..].iter().take_while(|&&(to, _)| to == first) {
            waiting.push_back(path.iter().copied().chain([from]).collect());
        }
    }
    found
}

/// The rules along a path over components; `None` if these are nearly all that there are.
fn rules_along(system: &System, quotient: &Quotient, path: &[usize]) -> Option<Vec<RuleId>> {
    let mut position = vec![None; quotient.components.len()];
    path.iter().rev().enumerate().for_each(|(at, &component)| position[component] = Some(at));
    let at = |shared| quotient.vertex(shared).and_then(|vertex| position[quotient.component_of(vertex)]);
    let is_along = |&rule: &RuleId| {
        let rule = system.rule(rule);
        matches!((at(rule.from), at(rule.to)), (Some(from), Some(to)) if to == from || to == from + 1)
    };
    let mut rules: Vec<RuleId> = quotient.rules().filter(is_along).collect();
    rules.sort_unstable();
    (rules.len() * 8 < quotient.n_rules * 7).then_some(rules)
}

/// Searches the slice along a path; the trace, if a target is coverable there.
pub(super) fn search(
    system: &System,
    quotient: &Quotient,
    path: &[usize],
    (options, board): (&Options, &Blackboard<'_>),
    budget: &Budget,
) -> Result<Option<Trace>, UnknownReason> {
    let Some(rules) = rules_along(system, quotient, path) else { return Ok(None) };
    let slice = restricted(system, &rules);
    let own = Blackboard::new(&slice, options);
    let mut known = Vec::new();
    board.uncoverable.read_on(&mut 0, |config| known.push(config.clone()));
    own.uncoverable.publish(known);
    let answer = Widen::new(Variant::Optimistic, &slice, options, &own).advance(WORK, budget);
    let mut covered = Vec::new();
    own.covered.read_on(&mut 0, |config| covered.push(config.clone()));
    board.covered.publish(covered);
    match answer {
        Some(Answer::Unsafe(trace)) => {
            Ok(Some(Trace { initial: trace.initial, items: renamed(trace.items, &rules) }))
        }
        Some(Answer::Unknown(reason @ UnknownReason::Stopped(_))) => Err(reason),
        _ => Ok(None),
    }
}

/// A system with some of its rules.
fn restricted(system: &System, rules: &[RuleId]) -> System {
    let mut builder = SystemBuilder::new(system.shared_names().clone(), system.local_names().clone());
    for &rule in rules {
        builder.rule(&system.rule(rule).to_rule(), 0);
    }
    for initial in system.initial() {
        builder.initial(initial.clone());
    }
    for target in system.targets() {
        builder.target(target.clone());
    }
    builder.finish().expect("INVARIANT: the parts of a system are those of one with the same states")
}

/// A trace with the numbers that the rules have in the whole system.
fn renamed(items: Vec<TraceItem>, rules: &[RuleId]) -> Vec<TraceItem> {
    let rename = |item| match item {
        TraceItem::Step(mut step) => {
            step.rule = rules[step.rule.index()];
            TraceItem::Step(step)
        }
        TraceItem::Repeat { times, items } => TraceItem::Repeat { times, items: renamed(items, rules) },
    };
    items.into_iter().map(rename).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, Initial, LocalId, Names, Rule, SharedId};

    /// From 0 rules lead to 3 by way of 1 and by way of 2, where the thread that came goes from 1 to 2 and back.
    fn two_ways(target: usize) -> System {
        let shared = SharedId::new;
        let one = |local| Bag::from_locals([LocalId::new(local)]).unwrap();
        let mut builder = SystemBuilder::new(Names::Numbered(4), Names::Numbered(3));
        for way in [1, 2] {
            for (from, take, to, put) in [(0, 0, way, 1), (way, 1, way, 2), (way, 2, way, 1), (way, 2, 3, 0)]
            {
                let (from, to) = (shared(from), shared(to));
                builder.rule(&Rule { from, to, take: one(take), put: one(put), moves: vec![] }, 0);
            }
        }
        let unbounded = vec![LocalId::new(0)];
        builder.initial(Initial { shared: shared(0), exact: Bag::new(), unbounded });
        builder.target(Config::new(shared(3), one(target)));
        builder.finish().unwrap()
    }

    /// Searches the slices one by one over a blackboard; how many steps their traces have.
    fn search_slices(system: &System, board: &Blackboard<'_>, options: &Options) -> Vec<Option<u64>> {
        let quotient = Quotient::new(system, system.targets());
        let paths = spaghetti_paths(system, &quotient, system.targets());
        let budget = Budget::unlimited();
        let traces = paths.iter().map(|path| {
            assert_eq!(rules_along(system, &quotient, path).unwrap().len(), 4, "one of the two ways");
            search(system, &quotient, path, (options, board), &budget).unwrap()
        });
        traces.map(|trace| trace.map(|trace| trace.n_steps())).collect()
    }

    #[test]
    fn slices_find_bugs_and_tell_others_what_they_cover() {
        let (system, options) = (two_ways(2), Options { cuts: false, ..Options::default() });
        let board = Blackboard::new(&system, &options);
        assert_eq!(
            search_slices(&system, &board, &options),
            [None, None],
            "nobody is in 2 after the last step"
        );
        let mut covered = Vec::new();
        board.covered.read_on(&mut 0, |config| covered.push(config.shared.index()));
        assert!([1, 2].iter().all(|way| covered.contains(way)), "{covered:?}");
        let bug = two_ways(0);
        assert_eq!(search_slices(&bug, &Blackboard::new(&bug, &options), &options), [Some(3), Some(3)]);
    }
}
