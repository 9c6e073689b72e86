//! Random systems with the shape of programs: components of shared states, most of them loops, that are passed one
//! after the other.
//!
//! In the systems of [`crate::random`] nearly all rules are in one component with many loops. Engines that look at
//! control flow need others: loops that are entered and left at different points, joined by several rules, with
//! horizontal rules, thread creation, exact and unbounded initial counts, and targets of several threads.

use crate::choices::{Choices, SplitMix64};
use crate::sketch::{self, Sketch};
use std::ops::Range;
use throng_model::{Config, Initial, LocalId, Rule, SharedId};

/// The system with this seed.
pub fn program_from_seed(seed: u64) -> Sketch {
    let choices = &mut SplitMix64::new(seed);
    let components = components(choices);
    let n_shared = components.last().map_or(1, |last| last.end);
    let mut sketch = Sketch::new(n_shared, 2 + choices.below(4));
    let n_locals = sketch.n_locals;
    for (number, component) in components.iter().enumerate() {
        inner_rules(component, n_locals, choices, &mut sketch.rules);
        for next in &components[number + 1..] {
            // Neighbours are nearly always joined, others seldom.
            let is_next = next.start == component.end;
            for _ in 0..if is_next { choices.pick(&[1, 1, 1, 2, 0]) } else { choices.pick(&[0, 0, 0, 1]) } {
                let (from, to) = (within(component, choices), within(next, choices));
                sketch.rules.push(rule(from, to, n_locals, choices));
            }
        }
    }
    let first = 0..components[0].end.max(1);
    let start = if choices.chance(80) { first } else { 0..n_shared };
    sketch.initial = (0..choices.pick(&[1, 1, 1, 2])).map(|_| initial(&start, n_locals, choices)).collect();
    let end = components[components.len() - 1].clone();
    let end = if choices.chance(80) { end } else { 0..n_shared };
    sketch.targets = (0..choices.pick(&[1, 1, 1, 2])).map(|_| target(&end, n_locals, choices)).collect();
    sketch
}

/// Up to four components of up to three shared states each.
fn components(choices: &mut impl Choices) -> Vec<Range<usize>> {
    let mut components = Vec::new();
    let mut start = 0;
    for _ in 0..2 + choices.below(3) {
        let end = start + choices.pick(&[1, 1, 2, 2, 3]);
        components.push(start..end);
        start = end;
    }
    components
}

fn within(component: &Range<usize>, choices: &mut impl Choices) -> usize {
    component.start + choices.below(component.len())
}

/// A cycle through all states of a component; a single state may be without one. A few components have more.
fn inner_rules(component: &Range<usize>, n_locals: usize, choices: &mut impl Choices, rules: &mut Vec<Rule>) {
    if component.len() == 1 && choices.chance(40) {
        return;
    }
    for from in component.clone() {
        let to = if from + 1 == component.end { component.start } else { from + 1 };
        rules.push(rule(from, to, n_locals, choices));
    }
    if choices.chance(10) {
        rules.push(rule(within(component, choices), within(component, choices), n_locals, choices));
    }
}

/// A step mostly; also thread creation, weights, and rules that take or put nothing.
fn rule(from: usize, to: usize, n_locals: usize, choices: &mut impl Choices) -> Rule {
    let mut locals = |n: usize| -> Vec<usize> { (0..n).map(|_| choices.below(n_locals)).collect() };
    let (mut take, mut put) = (locals(1), locals(1));
    let (more, other) = (locals(2), locals(2));
    match choices.below(10) {
        0 => put = vec![take[0], put[0]],
        1 => take.extend(more),
        2 => put.extend(more),
        3 => {
            take.extend(&more);
            put.extend(&other);
        }
        4 => put.clear(),
        _ => {}
    }
    let (from, to) = (SharedId::new(from), SharedId::new(to));
    Rule { from, to, take: sketch::bag(&take), put: sketch::bag(&put), moves: Vec::new() }
}

fn initial(start: &Range<usize>, n_locals: usize, choices: &mut impl Choices) -> Initial {
    let exact: Vec<usize> = (0..choices.below(4)).map(|_| choices.below(n_locals)).collect();
    let mut unbounded: Vec<LocalId> = Vec::new();
    if choices.chance(70) {
        unbounded.push(LocalId::new(choices.below(n_locals)));
    }
    Initial { shared: SharedId::new(within(start, choices)), exact: sketch::bag(&exact), unbounded }
}

/// Several threads, many of them in the same local state: that is what loops are gone around for.
fn target(end: &Range<usize>, n_locals: usize, choices: &mut impl Choices) -> Config {
    let mut threads = vec![choices.below(n_locals); 1 + choices.below(5)];
    threads.extend((0..choices.below(2)).map(|_| choices.below(n_locals)));
    Config::new(SharedId::new(within(end, choices)), sketch::bag(&threads))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Bounds, Verdict, decide};

    #[test]
    fn both_verdicts_are_common() {
        let (mut n_safe, mut n_unsafe) = (0, 0);
        for seed in 0..1000 {
            match decide(&program_from_seed(seed).build(), &Bounds::default()) {
                Verdict::Safe(_) => n_safe += 1,
                Verdict::Unsafe(_) => n_unsafe += 1,
                Verdict::Undecided => {}
            }
        }
        assert!(n_safe > 200 && n_unsafe > 150, "{n_safe} safe, {n_unsafe} unsafe of 1000");
    }
}
