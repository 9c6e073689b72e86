//! Threads that are not at hand.

use super::*;

/// `main` may go on at any time; then some thread at `inside` of the worker has x = 1.
fn main_goes_on() -> (Workers, LocationId, VariableId) {
    let mut w = workers();
    let x = w.b.variable(Scope::Local(w.worker), 1, Some(vec![1]), 1);
    let done = w.b.end(w.main);
    w.b.edge(w.start, done, None, &[], None);
    (w, done, x)
}

/// That nobody is at some locations says nothing about those who are elsewhere, nor about nobody.
#[test]
fn what_is_excluded_of_one_place_is_not_excluded_of_others() {
    for n_before in 0..3 {
        for n_after in 0..3 {
            let mut b = Builder::new();
            let (main, start) = b.template();
            let done = b.end(main);
            let (worker, first) = b.template();
            let others = (0..n_before).map(|_| b.inner(worker));
            let before: Vec<LocationId> = std::iter::once(first).chain(others).collect();
            let inside = b.inner(worker);
            let after: Vec<LocationId> = (0..n_after).map(|_| b.inner(worker)).collect();
            b.program.templates[worker.index()].entry = inside;
            let x = b.variable(Scope::Local(worker), 1, Some(vec![1]), 1);
            b.edge(start, start, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
            b.edge(start, done, None, &[], None);
            let mut claim = Claim::about(b);
            let scope: Vec<LocationId> = LocationId::all(claim.program.locations.len())
                .filter(|&at| claim.program.location(at).template == worker)
                .collect();
            let zero = claim.theirs_is(x, 0);
            let all = claim.predicate(zero, None, Some((worker, &scope)));
            before.iter().chain(&after).for_each(|&at| claim.never(&[at], &[]));
            claim.never(&[done], &[(all, Of::State, false)]);
            claim.is_false();
        }
    }
}

/// Nobody is there: no reason to think that somebody is.
#[test]
fn a_witness_need_not_exist() {
    let (w, done, _) = main_goes_on();
    let (worker, entry) = (w.worker, w.entry);
    let mut claim = Claim::about(w.b);
    let nobody = claim.nobody(worker, &[entry]);
    claim.never(&[done], &[(nobody, Of::State, true)]);
    claim.is_false();
}

/// Two witnesses may stand for one thread: that all threads differ says nothing about them.
#[test]
fn two_witnesses_may_be_one_thread() {
    let mut w = workers();
    let (s, gone_on) = (w.b.shared(1), w.b.shared(1));
    let (x, y) = (w.b.local(w.worker, 1), w.b.local(w.worker, 1));
    let (inside, done) = (w.b.inner(w.worker), w.b.end(w.main));
    let one = w.b.constant(1, 1);
    let (a, c) = (w.b.is(s, 0), w.b.is(gone_on, 0));
    let guard = w.b.binary(BinaryOperator::And, a, c);
    w.b.edge(w.entry, inside, Some(guard), &[(s, None, one), (x, None, one), (y, None, one)], None);
    w.b.edge(w.start, done, None, &[(gone_on, None, one)], None);
    let worker = w.worker;
    let mut claim = Claim::about(w.b);
    let (free, on) = (claim.is(s, 0), claim.is(gone_on, 0));
    let (free, on) = (claim.shared(free), claim.shared(on));
    claim.never(&[inside], &[(free, Of::State, true)]);
    claim.never(&[done], &[(on, Of::State, true)]);
    // All threads inside differ, which is true since there is one at most.
    let (mine, theirs) = (claim.is(x, 1), claim.theirs_is(x, 0));
    let differ = claim.e().equal(mine, theirs);
    let differ = claim.predicate(differ, Some(worker), Some((worker, &[inside])));
    claim.never(&[inside], &[(differ, Of::Thread(0), false)]);
    claim.is_true();
    // Somebody inside has x, and somebody has x and y: the same.
    let (x, y) = (claim.theirs_is(x, 0), claim.theirs_is(y, 0));
    let either = claim.e().or(x, y);
    let no_x = claim.predicate(x, None, Some((worker, &[inside])));
    let not_both = claim.predicate(either, None, Some((worker, &[inside])));
    claim.never(&[done], &[(no_x, Of::State, false), (not_both, Of::State, false)]);
    claim.is_false();
}

/// The same for their numbers.
#[test]
fn two_witnesses_may_have_one_number() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (started, done) = (b.inner(main), b.end(main));
    let (worker, entry) = b.template();
    let number = b.shared(8);
    let one = Some(vec![1]);
    let x = b.variable(Scope::Local(worker), 1, one.clone(), 1);
    let y = b.variable(Scope::Local(worker), 1, one, 1);
    let new = b.program.expressions.insert(Expression::NewThread, 8);
    let spawn = Effect::Spawn { template: worker, arguments: Vec::new() };
    b.edge(start, started, None, &[(number, None, new)], Some(spawn));
    b.edge(started, done, None, &[], None);
    let mut claim = Claim::about(b);
    // There is one such thread, and its number is known.
    claim.never(&[start, entry], &[]);
    let known = claim.e().variable(number, 8);
    let own = claim.e().insert(Expression::ThisThread, 8);
    let is_known = claim.e().equal(own, known);
    let is_known = claim.predicate(is_known, Some(worker), None);
    claim.never(&[entry], &[(is_known, Of::Thread(0), false)]);
    claim.is_true();
    let (x, y) = (claim.theirs_is(x, 0), claim.theirs_is(y, 0));
    let no_x = claim.predicate(x, None, Some((worker, &[entry])));
    let no_y = claim.predicate(y, None, Some((worker, &[entry])));
    claim.never(&[done], &[(no_x, Of::State, false), (no_y, Of::State, false)]);
    claim.is_false();
}

/// Threads that have ended can still be who violates something.
#[test]
fn threads_that_have_ended_are_there() {
    let mut w = workers();
    let x = w.b.variable(Scope::Local(w.worker), 1, Some(vec![1]), 1);
    let (ended, done) = (w.b.end(w.worker), w.b.end(w.main));
    let g = w.b.shared(1);
    let (one, before) = (w.b.constant(1, 1), w.b.is(g, 0));
    w.b.edge(w.entry, ended, Some(before), &[], None);
    w.b.edge(w.start, done, None, &[(g, None, one)], None);
    let worker = w.worker;
    let mut claim = Claim::about(w.b);
    let before = claim.is(g, 0);
    let before = claim.shared(before);
    claim.never(&[done], &[(before, Of::State, true)]);
    let zero = claim.theirs_is(x, 0);
    let all = claim.predicate(zero, None, Some((worker, &[ended])));
    claim.never(&[done], &[(all, Of::State, false)]);
    claim.is_false();
}

/// A thread of the same code as the acting one may be a witness, also if that is the code of `main`.
#[test]
fn others_run_the_same_code() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (waiting, done) = (b.inner(main), b.end(main));
    let g = b.shared(1);
    let (one, before) = (b.constant(1, 1), b.is(g, 0));
    b.edge(start, start, None, &[], Some(Effect::Spawn { template: main, arguments: Vec::new() }));
    b.edge(start, waiting, Some(before), &[], None);
    b.edge(start, done, None, &[(g, None, one)], None);
    let mut claim = Claim::about(b);
    let before = claim.is(g, 0);
    let before = claim.shared(before);
    claim.never(&[done], &[(before, Of::State, true)]);
    let nobody = claim.nobody(main, &[waiting]);
    claim.never(&[done], &[(nobody, Of::State, false)]);
    claim.is_false();
    // The same with both threads at hand.
    claim.invariant.elements.pop();
    claim.never(&[done, waiting], &[]);
    claim.is_false();
}
