//! Makes a failing system small: removes whatever can be removed while it still fails.
//!
//! [`shrink`] tries the [`edits`] of a sketch, keeps the first that still fails, and starts again, until none
//! does. Every edit makes the sketch smaller in [`weight`], so this ends; the result is a local minimum, not
//! the smallest failing system.

use crate::sketch::Sketch;
use throng_model::{Bag, Entry, LocalId, Move, SharedId};

/// The smallest sketch found from `sketch` for which `fails` still holds. `sketch` itself must fail.
pub fn shrink(sketch: &Sketch, mut fails: impl FnMut(&Sketch) -> bool) -> Sketch {
    let mut best = sketch.clone();
    while let Some(smaller) = edits(&best).into_iter().find(|edit| fails(edit)) {
        debug_assert!(weight(&smaller) < weight(&best), "INVARIANT: edits shrink");
        best = smaller;
    }
    best
}

/// The size of a sketch: everything that can be taken away counts.
pub fn weight(sketch: &Sketch) -> usize {
    let threads = |bag: &Bag| bag.iter().map(|entry| 1 + entry.count as usize).sum::<usize>();
    let moves = |moves: &[Move]| moves.iter().map(|step| 2 + step.destinations.len()).sum::<usize>();
    let rules = sketch.rules.iter().map(|r| {
        let changes_shared = usize::from(r.from != r.to);
        10 + changes_shared + threads(&r.take) + threads(&r.put) + moves(&r.moves)
    });
    let initial = sketch.initial.iter().map(|i| 10 + threads(&i.exact) + 2 * i.unbounded.len());
    let targets = sketch.targets.iter().map(|t| 10 + threads(&t.bag));
    20 * (sketch.n_shared + sketch.n_locals)
        + rules.sum::<usize>()
        + initial.sum::<usize>()
        + targets.sum::<usize>()
}

/// All sketches that are one edit smaller, the boldest edits first.
pub fn edits(sketch: &Sketch) -> Vec<Sketch> {
    let mut edits = Vec::new();
    edits.extend(without_each(sketch, sketch.rules.len(), |s, i| drop(s.rules.remove(i))));
    if sketch.targets.len() > 1 {
        edits.extend(without_each(sketch, sketch.targets.len(), |s, i| drop(s.targets.remove(i))));
    }
    if sketch.initial.len() > 1 {
        edits.extend(without_each(sketch, sketch.initial.len(), |s, i| drop(s.initial.remove(i))));
    }
    edits.extend((0..sketch.n_shared).filter_map(|shared| without_shared(sketch, shared)));
    edits.extend((1..sketch.n_shared).map(|shared| with_shared_merged(sketch, shared)));
    edits.extend((0..sketch.n_locals).filter_map(|local| without_local(sketch, local)));
    for i in 0..sketch.rules.len() {
        rule_edits(sketch, i, &mut edits);
    }
    for (i, initial) in sketch.initial.iter().enumerate() {
        edits.extend(without_each(sketch, initial.unbounded.len(), |s, k| {
            s.initial[i].unbounded.remove(k);
        }));
        edits.extend(smaller_bags(&initial.exact).map(|bag| edited(sketch, |s| s.initial[i].exact = bag)));
    }
    for (i, target) in sketch.targets.iter().enumerate() {
        edits.extend(smaller_bags(&target.bag).map(|bag| edited(sketch, |s| s.targets[i].bag = bag)));
    }
    edits
}

/// Edits of one rule: fewer moves, destinations and threads, and no change of the shared state.
fn rule_edits(sketch: &Sketch, i: usize, edits: &mut Vec<Sketch>) {
    let rule = &sketch.rules[i];
    edits.extend(without_each(sketch, rule.moves.len(), |s, k| drop(s.rules[i].moves.remove(k))));
    for (k, step) in rule.moves.iter().enumerate() {
        // The last destination stays: a move without one is a reset, not a smaller move.
        if step.destinations.len() > 1 {
            edits.extend(without_each(sketch, step.destinations.len(), |s, d| {
                s.rules[i].moves[k].destinations.remove(d);
                s.rules[i].moves.retain(|step| step.destinations != [step.source]);
            }));
        }
    }
    edits.extend(smaller_bags(&rule.take).map(|bag| edited(sketch, |s| s.rules[i].take = bag)));
    edits.extend(smaller_bags(&rule.put).map(|bag| edited(sketch, |s| s.rules[i].put = bag)));
    if rule.from != rule.to {
        edits.push(edited(sketch, |s| s.rules[i].to = s.rules[i].from));
        edits.push(edited(sketch, |s| s.rules[i].from = s.rules[i].to));
    }
}

fn edited(sketch: &Sketch, edit: impl FnOnce(&mut Sketch)) -> Sketch {
    let mut copy = sketch.clone();
    edit(&mut copy);
    copy
}

fn without_each<'a>(
    sketch: &'a Sketch,
    count: usize,
    mut remove: impl FnMut(&mut Sketch, usize) + 'a,
) -> impl Iterator<Item = Sketch> + 'a {
    (0..count).map(move |i| edited(sketch, |copy| remove(copy, i)))
}

/// The bags with one thread less.
fn smaller_bags(bag: &[Entry]) -> impl Iterator<Item = Bag> + '_ {
    (0..bag.len()).map(move |i| {
        let less = |k: usize, entry: &Entry| (entry.local, entry.count - u32::from(k == i));
        Bag::from_counts(bag.iter().enumerate().map(|(k, entry)| less(k, entry))).expect("smaller counts")
    })
}

/// The sketch without a shared state and everything that mentions it; `None` if nothing would be left to ask.
fn without_shared(sketch: &Sketch, shared: usize) -> Option<Sketch> {
    let gone = SharedId::new(shared);
    let mut copy = sketch.clone();
    copy.rules.retain(|rule| rule.from != gone && rule.to != gone);
    copy.initial.retain(|initial| initial.shared != gone);
    copy.targets.retain(|target| target.shared != gone);
    has_question(with_shared_merged(&copy, shared))
}

/// The sketch in which a shared state is the same as the one before it.
fn with_shared_merged(sketch: &Sketch, shared: usize) -> Sketch {
    let rename = |s: &mut SharedId| *s = SharedId::new(s.index() - usize::from(s.index() >= shared.max(1)));
    edited(sketch, |copy| {
        copy.n_shared -= 1;
        copy.rules.iter_mut().for_each(|rule| {
            rename(&mut rule.from);
            rename(&mut rule.to);
        });
        copy.initial.iter_mut().for_each(|initial| rename(&mut initial.shared));
        copy.targets.iter_mut().for_each(|target| rename(&mut target.shared));
    })
}

/// The sketch without a local state: rules and targets that need it go, other mentions are erased.
fn without_local(sketch: &Sketch, local: usize) -> Option<Sketch> {
    let gone = LocalId::new(local);
    let uses = |bag: &Bag| bag.iter().any(|entry| entry.local == gone);
    let rename = |l: LocalId| LocalId::new(l.index() - usize::from(l.index() > local));
    let rename_bag = |bag: &Bag| {
        let kept = bag.iter().filter(|entry| entry.local != gone);
        Bag::from_counts(kept.map(|entry| (rename(entry.local), entry.count))).expect("the same counts")
    };
    let rename_all =
        |locals: &[LocalId]| locals.iter().filter(|&&l| l != gone).copied().map(rename).collect();
    let mut copy = sketch.clone();
    copy.n_locals -= 1;
    copy.rules.retain(|rule| !uses(&rule.take));
    copy.targets.retain(|target| !uses(&target.bag));
    for rule in &mut copy.rules {
        (rule.take, rule.put) = (rename_bag(&rule.take), rename_bag(&rule.put));
        rule.moves.retain(|step| step.source != gone);
        for step in &mut rule.moves {
            step.source = rename(step.source);
            step.destinations = rename_all(&step.destinations);
        }
        rule.moves.retain(|step| step.destinations != [step.source]);
    }
    for initial in &mut copy.initial {
        initial.exact = rename_bag(&initial.exact);
        initial.unbounded = rename_all(&initial.unbounded);
    }
    copy.targets.iter_mut().for_each(|target| target.bag = rename_bag(&target.bag));
    has_question(copy)
}

fn has_question(sketch: Sketch) -> Option<Sketch> {
    let whole = !sketch.initial.is_empty() && !sketch.targets.is_empty();
    (whole && sketch.n_shared > 0 && sketch.n_locals > 0).then_some(sketch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Bounds, Verdict, decide};
    use crate::random::from_seed;

    #[test]
    fn every_edit_is_smaller_and_builds() {
        for seed in 0..300 {
            let sketch = from_seed(seed).sketch;
            for edit in edits(&sketch) {
                assert!(weight(&edit) < weight(&sketch), "seed {seed}:\n{sketch}->\n{edit}");
                assert_eq!(Sketch::of(&edit.build()), edit, "seed {seed}");
            }
        }
    }

    #[test]
    fn an_unsafe_system_shrinks_to_one_that_is_unsafe_at_once() {
        let is_unsafe = |s: &Sketch| matches!(decide(&s.build(), &Bounds::default()), Verdict::Unsafe(_));
        for seed in (0..200).filter(|&seed| is_unsafe(&from_seed(seed).sketch)) {
            let small = shrink(&from_seed(seed).sketch, is_unsafe);
            assert!(small.rules.is_empty() && small.n_locals == 1 && small.n_shared == 1, "{seed}:\n{small}");
        }
    }

    #[test]
    fn what_the_failure_needs_stays() {
        let uses_reset =
            |s: &Sketch| s.rules.iter().any(|r| r.moves.iter().any(|m| m.destinations.is_empty()));
        let seed = (0..).find(|&seed| uses_reset(&from_seed(seed).sketch)).unwrap();
        let small = shrink(&from_seed(seed).sketch, uses_reset);
        assert_eq!((small.rules.len(), small.rules[0].moves.len()), (1, 1));
        assert!(small.rules[0].take.is_empty() && small.rules[0].put.is_empty());
    }
}
