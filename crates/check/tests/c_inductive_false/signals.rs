//! Whom signals and broadcasts update.

use super::*;

/// `main` starts threads and then updates all of them.
fn broadcast(updates: impl Fn(&mut Builder, TemplateId) -> (VariableId, Vec<PassiveUpdate>)) -> Told {
    let mut w = workers();
    let done = w.b.end(w.main);
    let (told, updates) = updates(&mut w.b, w.worker);
    w.b.edge(w.start, done, None, &[], Some(Effect::Broadcast(updates)));
    let (worker, entry) = (w.worker, w.entry);
    Told { claim: Claim::about(w.b), worker, entry, done, told }
}

struct Told {
    claim: Claim,
    worker: TemplateId,
    entry: LocationId,
    done: LocationId,
    told: VariableId,
}

impl Told {
    /// No thread has this value once all were told.
    fn never(mut self, value: u128) -> Claim {
        let is_so = self.claim.is(self.told, value);
        let is_so = self.claim.predicate(is_so, Some(self.worker), None);
        self.claim.never(&[self.done, self.entry], &[(is_so, Of::Thread(1), true)]);
        self.claim
    }
}

#[test]
fn the_first_update_that_is_possible_happens() {
    let both = || {
        broadcast(|b, worker| {
            let told = b.local(worker, 2);
            let guard = b.constant(1, 1);
            let values = [1, 2].map(|value| b.constant(value, 2));
            let update = |value| PassiveUpdate { template: worker, guard, assignments: vec![(told, value)] };
            (told, values.into_iter().map(update).collect())
        })
    };
    both().never(1).is_false();
    both().never(2).is_true();
    both().never(0).is_true();
}

#[test]
fn only_those_are_updated_for_whom_it_is_possible() {
    let some = |asked: u128| {
        broadcast(move |b, worker| {
            let told = b.local(worker, 1);
            let x = b.variable(Scope::Local(worker), 1, None, 1);
            let theirs = b.program.expressions.insert(Expression::Passive(x), 1);
            let (asked, one) = (b.constant(asked, 1), b.constant(1, 1));
            let guard = b.binary(BinaryOperator::Equal, theirs, asked);
            (told, vec![PassiveUpdate { template: worker, guard, assignments: vec![(told, one)] }])
        })
    };
    some(0).never(0).is_false();
    some(1).never(0).is_false();
}

/// Two threads of an element are updated at once, each by what it holds itself.
#[test]
fn all_are_updated_at_once() {
    let exchange = || {
        broadcast(|b, worker| {
            let told = b.variable(Scope::Local(worker), 1, None, 1);
            let theirs = b.program.expressions.insert(Expression::Passive(told), 1);
            let (guard, other) = (b.constant(1, 1), b.not(theirs));
            (told, vec![PassiveUpdate { template: worker, guard, assignments: vec![(told, other)] }])
        })
    };
    let Told { mut claim, worker, entry, done, told } = exchange();
    let (mine, theirs) = (claim.is(told, 1), claim.theirs_is(told, 1));
    let equal = claim.e().equal(mine, theirs);
    let equal = claim.predicate(equal, Some(worker), Some((worker, &[entry])));
    // Before and after, some threads differ.
    claim.never(&[done, entry, entry], &[(equal, Of::Pair(1, 2), false)]);
    claim.is_false();
    let Told { mut claim, worker, entry, done, told } = exchange();
    let mine = claim.is(told, 1);
    let mine = claim.predicate(mine, Some(worker), None);
    claim.never(&[done, entry, entry], &[(mine, Of::Thread(1), true), (mine, Of::Thread(2), true)]);
    claim.is_false();
}

/// If there is nobody whom a signal could wake, then nobody wakes up, even if everybody could be.
#[test]
fn a_signal_may_be_lost() {
    let mut w = workers();
    let told = w.b.local(w.worker, 1);
    let signalled = w.b.inner(w.worker);
    let (guard, one) = (w.b.constant(1, 1), w.b.constant(1, 1));
    let update = PassiveUpdate { template: w.worker, guard, assignments: vec![(told, one)] };
    w.b.edge(w.entry, signalled, None, &[], Some(Effect::Signal(vec![update])));
    let (worker, everywhere) = (w.worker, [w.entry, signalled]);
    let mut claim = Claim::about(w.b);
    let falsity = claim.e().truth(false);
    let is_alone = claim.predicate(falsity, Some(worker), Some((worker, &everywhere)));
    let nobody = claim.nobody(worker, &[signalled]);
    claim.never(&[signalled], &[(is_alone, Of::Thread(0), true), (nobody, Of::State, false)]);
    claim.is_false();
}
