//! The brute-force oracle: decides small systems without any idea from the engines.
//!
//! * `unsafe`: explicit forward search with k threads in every unbounded local, for growing k, through all
//!   interleavings and all choices of moved threads.
//! * `safe`: a naive backward fixpoint over an explicit list of configurations. The predecessors of an element
//!   are found by trying: every configuration up to a size is tested by firing, without a formula for
//!   predecessors. That size is enough: a step that covers an element needs the threads it takes, and one
//!   more for each thread of the element that is not put.
//!
//! Where its bounds are passed it answers [`Verdict::Undecided`]. The definitions are those of [`crate::dense`].

use crate::dense::{Counts, Dense, DenseRule, DenseSystem, MAX_LOCALS, size};
use std::collections::{HashMap, VecDeque};
use std::sync::LazyLock;
use throng_model::System;

/// How far the oracle looks.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Forward search tries up to this many threads in each unbounded local.
    pub threads: u8,
    /// Configurations that one forward search visits.
    pub visited: usize,
    /// Threads of a configuration that a forward search still continues from.
    pub forward_size: usize,
    /// Elements of the backward fixpoint.
    pub elements: usize,
    /// Threads of an element of the backward fixpoint; at most [`MAX_ELEMENT_SIZE`].
    pub element_size: usize,
}

/// The largest elements for which candidates are tabulated.
pub const MAX_ELEMENT_SIZE: usize = 8;

impl Default for Bounds {
    fn default() -> Self {
        Self { threads: 2, visited: 60, forward_size: 8, elements: 150, element_size: MAX_ELEMENT_SIZE }
    }
}

/// What the oracle found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No target is coverable; the elements of the fixpoint.
    Safe(Vec<Dense>),
    /// A target is covered at the end of this execution.
    Unsafe(Witness),
    /// The bounds were passed.
    Undecided,
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// A genuine initial configuration.
    pub initial: Dense,
    /// Rule and configuration after it.
    pub steps: Vec<(usize, Dense)>,
}

/// Decides a system: a short forward search, then the fixpoint.
pub fn decide(system: &System, bounds: &Bounds) -> Verdict {
    let Some(dense) = DenseSystem::of(system) else { return Verdict::Undecided };
    for threads in 0..=bounds.threads {
        if let Some(witness) = search_forward(&dense, threads, bounds) {
            return Verdict::Unsafe(witness);
        }
    }
    search_backward(&dense, bounds)
}

/// Looks for an execution to a target from the initial configurations with `threads` threads more in every
/// unbounded local. `None` says nothing about larger numbers, or if the bounds were passed.
pub fn search_forward(system: &DenseSystem, threads: u8, bounds: &Bounds) -> Option<Witness> {
    let mut before: HashMap<Dense, Option<(usize, Dense)>> = HashMap::new();
    let mut queue = VecDeque::new();
    for initial in &system.initial {
        let start = initial.with_more(threads);
        if before.insert(start, None).is_none() {
            queue.push_back(start);
        }
    }
    while let Some(config) = queue.pop_front() {
        if system.is_bad(&config) {
            return Some(walk_back(&before, config));
        }
        if config.size() > bounds.forward_size {
            continue;
        }
        for (i, rule) in system.rules.iter().enumerate() {
            rule.any_successor(&config, &mut |next| {
                if before.len() < bounds.visited && !before.contains_key(&next) {
                    before.insert(next, Some((i, config)));
                    queue.push_back(next);
                }
                false
            });
        }
    }
    None
}

fn walk_back(before: &HashMap<Dense, Option<(usize, Dense)>>, last: Dense) -> Witness {
    let mut steps = Vec::new();
    let mut config = last;
    while let Some(&Some((rule, previous))) = before.get(&config) {
        steps.push((rule, config));
        config = previous;
    }
    steps.reverse();
    Witness { initial: config, steps }
}

/// An element of the fixpoint: from it, `rule` leads into the upward closure of the element `next`.
struct Element {
    config: Dense,
    step: Option<(usize, usize)>,
    /// Whether a smaller element was found later, whose predecessors are below this one's.
    dominated: bool,
}

/// The naive backward fixpoint.
pub fn search_backward(system: &DenseSystem, bounds: &Bounds) -> Verdict {
    let mut elements: Vec<Element> = Vec::new();
    for target in &system.targets {
        if let Some(found) = add(system, &mut elements, *target, None) {
            return found;
        }
    }
    let mut next = 0;
    while next < elements.len() {
        if elements.len() > bounds.elements {
            return Verdict::Undecided;
        }
        for rule in 0..system.rules.len() {
            if elements[next].dominated {
                break;
            }
            if let Some(found) = add_predecessors(system, &mut elements, next, rule, bounds) {
                return found;
            }
        }
        next += 1;
    }
    Verdict::Safe(elements.iter().filter(|e| !e.dominated).map(|e| e.config).collect())
}

/// Adds the configurations from which `rule` leads above element `at`, smallest first, unless they are in the
/// upward closure already.
fn add_predecessors(
    system: &DenseSystem,
    elements: &mut Vec<Element>,
    at: usize,
    rule_index: usize,
    bounds: &Bounds,
) -> Option<Verdict> {
    let (rule, goal) = (&system.rules[rule_index], elements[at].config);
    if rule.to != goal.shared {
        return None;
    }
    if size(&rule.take) + n_more_threads(rule, &goal) > bounds.element_size {
        return Some(Verdict::Undecided);
    }
    for candidate in candidates(rule, &goal, system.n_locals) {
        if elements.iter().any(|element| candidate.covers(&element.config)) {
            continue;
        }
        let leads_there = rule.any_successor(&candidate, &mut |after| after.covers(&goal));
        let found = leads_there.then(|| add(system, elements, candidate, Some((rule_index, at))));
        if let Some(Some(found)) = found {
            return Some(found);
        }
    }
    None
}

/// How many threads, besides those it takes, a step of `rule` needs at most to cover `goal`: one for each thread
/// of `goal` that is not put.
fn n_more_threads(rule: &DenseRule, goal: &Dense) -> usize {
    goal.counts.iter().zip(&rule.put).map(|(g, p)| usize::from(g.saturating_sub(*p))).sum()
}

/// Configurations, smallest first, that contain all minimal ones from which `rule` covers `goal`. Whether it does
/// is for the caller to try.
///
/// Precondition: neither `goal` nor what the rule takes has more than [`MAX_ELEMENT_SIZE`] threads.
pub fn candidates(rule: &DenseRule, goal: &Dense, n_locals: usize) -> impl Iterator<Item = Dense> {
    let (from, take, n_more) = (rule.from, rule.take, n_more_threads(rule, goal));
    multisets(n_locals).iter().take_while(move |more| size(more) <= n_more).map(move |more| {
        let mut candidate = Dense { shared: from, counts: take };
        candidate.counts.iter_mut().zip(more).for_each(|(n, more)| *n += more);
        candidate
    })
}

/// Adds an element; answers if an initial configuration covers it.
fn add(
    system: &DenseSystem,
    elements: &mut Vec<Element>,
    config: Dense,
    step: Option<(usize, usize)>,
) -> Option<Verdict> {
    for element in elements.iter_mut() {
        element.dominated |= element.config != config && element.config.covers(&config);
    }
    elements.push(Element { config, step, dominated: false });
    let initial = system.initial.iter().find(|initial| initial.covers(&config))?;
    let mut start = initial.least;
    start.counts.iter_mut().zip(&config.counts).for_each(|(n, needed)| *n = (*n).max(*needed));
    Some(replay(system, elements, start).map_or(Verdict::Undecided, Verdict::Unsafe))
}

/// Fires along the chain of the last element. `None` if counts pass the oracle's bounds.
fn replay(system: &DenseSystem, elements: &[Element], start: Dense) -> Option<Witness> {
    let mut witness = Witness { initial: start, steps: Vec::new() };
    let (mut config, mut element) = (start, elements.last()?);
    while let Some((rule, next)) = element.step {
        element = &elements[next];
        let mut after = None;
        system.rules[rule].any_successor(&config, &mut |successor| {
            let found = successor.covers(&element.config);
            after = found.then_some(successor);
            found
        });
        config = after?;
        witness.steps.push((rule, config));
    }
    Some(witness)
}

/// All bags of up to [`MAX_ELEMENT_SIZE`] threads over the first `n_locals` locals, by increasing size.
pub fn multisets(n_locals: usize) -> &'static [Counts] {
    static TABLES: LazyLock<Vec<Vec<Counts>>> =
        LazyLock::new(|| (0..=MAX_LOCALS).map(tabulate_multisets).collect());
    &TABLES[n_locals.min(MAX_LOCALS)]
}

fn tabulate_multisets(n_locals: usize) -> Vec<Counts> {
    let mut table = vec![[0; MAX_LOCALS]];
    for local in 0..n_locals {
        for i in 0..table.len() {
            let base = table[i];
            let room = MAX_ELEMENT_SIZE - size(&base);
            table.extend((1..=room).map(|more| {
                let mut counts = base;
                counts[local] = more as u8;
                counts
            }));
        }
    }
    table.sort_by_key(size);
    table
}

/// Whether a witness is what it claims to be, by firing every step again in all ways.
pub fn is_witness(system: &DenseSystem, witness: &Witness) -> bool {
    let genuine = system.initial.iter().any(|initial| {
        let covered = witness.initial.covers(&initial.least);
        covered && initial.covers(&witness.initial)
    });
    let mut config = witness.initial;
    let fires = witness.steps.iter().all(|&(rule, after)| {
        let found = system.rules[rule].any_successor(&config, &mut |successor| successor == after);
        config = after;
        found
    });
    genuine && fires && system.is_bad(&config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;

    /// A mutex whose holder is in local 1; `broken` lets a thread in without taking the lock.
    fn mutex(broken: bool) -> System {
        let sketch = Sketch::new(2, 2).rule((0, 1), &[0], &[1], &[]).rule((1, 0), &[1], &[0], &[]);
        let sketch = if broken { sketch.rule((1, 1), &[0], &[1], &[]) } else { sketch };
        sketch.initial(0, &[], &[0]).target(1, &[1, 1]).build()
    }

    #[test]
    fn a_mutex_is_safe_and_a_broken_one_is_not() {
        assert!(matches!(decide(&mutex(false), &Bounds::default()), Verdict::Safe(_)));
        let Verdict::Unsafe(witness) = decide(&mutex(true), &Bounds::default()) else { panic!("not unsafe") };
        assert_eq!(witness.steps.len(), 2);
        assert!(is_witness(&DenseSystem::of(&mutex(true)).unwrap(), &witness));
    }

    #[test]
    fn the_fixpoint_finds_executions_too() {
        let dense = DenseSystem::of(&mutex(true)).unwrap();
        let Verdict::Unsafe(witness) = search_backward(&dense, &Bounds::default()) else { panic!("safe?") };
        assert!(is_witness(&dense, &witness));
    }

    #[test]
    fn bags_are_tabulated_once_each_by_size() {
        let table = multisets(3);
        assert_eq!(table.iter().filter(|counts| size(counts) == 2).count(), 6);
        assert_eq!(table.iter().collect::<std::collections::BTreeSet<_>>().len(), table.len());
        assert!(table.is_sorted_by_key(size));
    }

    #[test]
    fn what_grows_beyond_the_bounds_is_undecided() {
        // Two threads in 0 need two in 1 for one of them, those two need four in 0, and so on.
        let spiral = Sketch::new(1, 2)
            .rule((0, 0), &[0, 0], &[1], &[])
            .rule((0, 0), &[1, 1, 1], &[0], &[])
            .initial(0, &[0], &[])
            .target(0, &[1, 1, 1])
            .build();
        let bounds = Bounds { element_size: 4, ..Bounds::default() };
        assert_eq!(decide(&spiral, &bounds), Verdict::Undecided);
        assert!(matches!(decide(&spiral, &Bounds::default()), Verdict::Safe(_)));
    }
}
