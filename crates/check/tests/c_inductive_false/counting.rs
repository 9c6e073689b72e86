//! What steps do to "for all".

use super::*;

/// All threads that count have this value in their variable, which begins with that one.
fn all_are(initial: u128, scope_at: usize, change: impl Fn(&mut Workers, VariableId, LocationId)) -> Claim {
    let mut w = workers();
    let x = w.b.variable(Scope::Local(w.worker), 1, Some(vec![initial]), 1);
    let next = w.b.inner(w.worker);
    change(&mut w, x, next);
    let (worker, scope) = (w.worker, [[w.entry], [next]][scope_at]);
    let mut claim = Claim::about(w.b);
    let zero = claim.theirs_is(x, 0);
    let all = claim.predicate(zero, None, Some((worker, &scope)));
    claim.never(&[], &[(all, Of::State, false)]);
    claim
}

#[test]
fn a_new_thread_counts() {
    all_are(1, 0, |_, _, _| ()).is_false();
    all_are(0, 0, |_, _, _| ()).is_true();
}

#[test]
fn who_counts_changes_its_value() {
    let set = |to: u128| {
        move |w: &mut Workers, x: VariableId, _: LocationId| {
            let value = w.b.constant(to, 1);
            w.b.edge(w.entry, w.entry, None, &[(x, None, value)], None);
        }
    };
    all_are(0, 0, set(1)).is_false();
    all_are(0, 0, set(0)).is_true();
}

#[test]
fn who_comes_into_the_scope_counts() {
    let go = |w: &mut Workers, _: VariableId, next: LocationId| w.b.edge(w.entry, next, None, &[], None);
    all_are(1, 1, go).is_false();
}

/// Somebody counts, and all that do have the value 0.
fn some_and_all(change: impl Fn(&mut Workers, VariableId, LocationId)) -> Claim {
    let mut w = workers();
    let x = w.b.variable(Scope::Local(w.worker), 1, Some(vec![1]), 1);
    let next = w.b.inner(w.worker);
    change(&mut w, x, next);
    let (worker, scope) = (w.worker, [w.entry]);
    let mut claim = Claim::about(w.b);
    let zero = claim.theirs_is(x, 0);
    let all = claim.predicate(zero, None, Some((worker, &scope)));
    let nobody = claim.nobody(worker, &scope);
    claim.never(&[], &[(all, Of::State, true), (nobody, Of::State, false)]);
    claim
}

#[test]
fn who_violated_it_no_longer_does() {
    let set = |to: u128| {
        move |w: &mut Workers, x: VariableId, _: LocationId| {
            let value = w.b.constant(to, 1);
            w.b.edge(w.entry, w.entry, None, &[(x, None, value)], None);
        }
    };
    some_and_all(set(0)).is_false();
    some_and_all(set(1)).is_true();
}

#[test]
fn who_violated_it_leaves_the_scope() {
    // The first thread of all has another value: it is what is left when the others go.
    let mut w = workers();
    let s = w.b.shared(1);
    let x = w.b.local(w.worker, 1);
    let (inside, gone) = (w.b.inner(w.worker), w.b.end(w.worker));
    let (is_first, one, is_later) = (w.b.is(s, 0), w.b.constant(1, 1), w.b.is(s, 1));
    w.b.edge(w.entry, inside, Some(is_first), &[(s, None, one), (x, None, one)], None);
    w.b.edge(w.entry, inside, Some(is_later), &[], None);
    w.b.edge(inside, gone, None, &[], None);
    let worker = w.worker;
    let mut claim = Claim::about(w.b);
    let zero = claim.theirs_is(x, 0);
    let all = claim.predicate(zero, None, Some((worker, &[inside])));
    let nobody = claim.nobody(worker, &[inside]);
    let is_first = claim.is(s, 0);
    let is_first = claim.shared(is_first);
    claim.never(&[inside], &[(is_first, Of::State, true)]);
    claim.never(&[], &[(all, Of::State, true), (nobody, Of::State, false)]);
    claim.is_false();
}

/// What is said about all others of a thread is not said about itself, and only about threads in the scope.
#[test]
fn a_thread_is_no_other_of_itself() {
    let mut w = workers();
    let x = w.b.local(w.worker, 1);
    let (entry, worker) = (w.entry, w.worker);
    let next = w.b.inner(worker);
    let one = w.b.constant(1, 1);
    w.b.edge(entry, next, None, &[(x, None, one)], None);
    let mut claim = Claim::about(w.b);
    let zero = claim.theirs_is(x, 0);
    let others = claim.predicate(zero, Some(worker), Some((worker, &[entry, next])));
    // With one such thread, all others have the value 0.
    claim.never(&[next], &[(others, Of::Thread(0), true)]);
    claim.is_false();
}
