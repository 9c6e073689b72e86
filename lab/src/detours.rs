//! Detours: random systems in which threads pass through locals of their own on the way.
//!
//! What a rule puts, or takes, is replaced by a new local that becomes it, or is made of it, by another rule. That is what
//! `throng_reduce` undoes by agglomeration. Now and then the detour is spoiled, so that undoing it would be wrong: it is
//! missing in some shared states, or leads elsewhere, or somebody else looks at the new local.

use crate::choices::{Choices, SplitMix64};
use crate::random;
use crate::sketch::Sketch;
use throng_model::{Bag, LocalId, Rule, SharedId};

/// The random system with this seed, with two to four detours.
pub fn from_seed(seed: u64) -> Sketch {
    let mut choices = SplitMix64::new(seed);
    let mut sketch = random::generate(&mut choices, &random::Shape::default()).sketch;
    for _ in 0..2 + choices.below(3) {
        add(&mut sketch, &mut choices);
    }
    sketch
}

/// Adds a detour, if there is a rule to take one.
pub fn add(sketch: &mut Sketch, choices: &mut impl Choices) {
    if sketch.rules.is_empty() {
        return;
    }
    let is_exit = choices.chance(50);
    let chosen = choices.below(sketch.rules.len());
    let rule = &mut sketch.rules[chosen];
    let (bag, home) = if is_exit { (&mut rule.put, rule.to) } else { (&mut rule.take, rule.from) };
    if bag.is_empty() {
        return;
    }
    // All of it, or one thread.
    let image = if choices.chance(50) { bag.clone() } else { one(bag[choices.below(bag.len())].local) };
    let detour = LocalId::new(sketch.n_locals);
    sketch.n_locals += 1;
    image.iter().for_each(|entry| bag.remove(entry.local, entry.count));
    put(bag, detour);
    for shared in shared_states(sketch, home, choices) {
        let (take, put) = if is_exit { (one(detour), image.clone()) } else { (image.clone(), one(detour)) };
        sketch.rules.push(Rule { from: shared, to: shared, take, put, moves: Vec::new() });
    }
    spoil(sketch, detour, choices);
}

/// Where a detour is possible: mostly everywhere.
fn shared_states(sketch: &Sketch, home: SharedId, choices: &mut impl Choices) -> Vec<SharedId> {
    match choices.below(10) {
        0 => vec![SharedId::new(choices.below(sketch.n_shared))],
        1..3 => vec![home],
        _ => SharedId::all(sketch.n_shared).collect(),
    }
}

/// Lets somebody else use the new local, in about half of the cases.
fn spoil(sketch: &mut Sketch, detour: LocalId, choices: &mut impl Choices) {
    let chosen = choices.below(sketch.rules.len());
    let other = LocalId::new(choices.below(sketch.n_locals));
    let rule = &mut sketch.rules[chosen];
    match choices.below(16) {
        0..3 => put(&mut rule.put, detour),
        3..5 => put(&mut rule.take, detour),
        5 => {
            if let Some(step) = rule.moves.first_mut() {
                step.destinations.push(detour);
            }
        }
        6 => {
            if let Some(step) = rule.moves.first_mut() {
                step.source = detour;
            }
        }
        7 => {
            let (from, to, take, put) = (rule.from, rule.from, one(detour), one(other));
            sketch.rules.push(Rule { from, to, take, put, moves: Vec::new() });
        }
        8 => {
            if let Some(initial) = sketch.initial.first_mut() {
                put(&mut initial.exact, detour);
            }
        }
        9 => {
            if let Some(target) = sketch.targets.first_mut() {
                put(&mut target.bag, detour);
            }
        }
        _ => {}
    }
}

fn one(local: LocalId) -> Bag {
    Bag::from_locals([local]).expect("one thread")
}

fn put(bag: &mut Bag, local: LocalId) {
    bag.add(local, 1).expect("a handful of threads");
}
