//! What variables, rows and numbers of threads hold.

use super::*;

/// A program in which the first thread takes one step.
fn one_step(step: impl Fn(&mut Builder, LocationId, LocationId)) -> Claim {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let done = b.end(main);
    step(&mut b, start, done);
    Claim::about(b)
}

#[test]
fn arbitrary_values_are_arbitrary() {
    // At the start.
    let mut claim = one_step(|b, _, _| {
        b.variable(Scope::Shared, 1, None, 1);
    });
    let set = claim.is(VariableId::new(0), 1);
    let set = claim.shared(set);
    claim.never(&[], &[(set, Of::State, true)]);
    claim.is_false();
    // In a step.
    let mut claim = one_step(|b, start, done| {
        let (s, any) = (b.shared(1), b.nondet(1));
        b.edge(start, done, None, &[(s, None, any)], None);
    });
    let set = claim.is(VariableId::new(0), 1);
    let set = claim.shared(set);
    claim.never(&[], &[(set, Of::State, true)]);
    claim.is_false();
    // Of a new thread.
    let mut w = workers();
    let x = w.b.variable(Scope::Local(w.worker), 1, None, 1);
    let (worker, entry) = (w.worker, w.entry);
    let mut claim = Claim::about(w.b);
    let set = claim.is(x, 1);
    let set = claim.predicate(set, Some(worker), None);
    claim.never(&[entry], &[(set, Of::Thread(0), true)]);
    claim.is_false();
}

/// The scalar at this index of a row of so many, in which the one at 1 is assigned.
fn row(length: u32, initial: u128, index: u128) -> (Claim, ExpressionId) {
    let mut claim = one_step(|b, start, done| {
        let row = b.variable(Scope::Shared, 1, Some(vec![initial; length as usize]), length);
        let (place, one) = (b.constant(1, 12), b.constant(1, 1));
        b.edge(start, done, None, &[(row, Some(place), one)], None);
    });
    let index = claim.e().constant(index, 12);
    let scalar = claim.e().insert(Expression::Element(VariableId::new(0), index), 1);
    (claim, scalar)
}

#[test]
fn an_element_of_a_row_is_assigned() {
    for length in [2, 1500] {
        let (mut claim, scalar) = row(length, 0, 1);
        let set = claim.shared(scalar);
        claim.never(&[], &[(set, Of::State, true)]);
        claim.is_false();
    }
    let (mut claim, scalar) = row(2, 0, 0);
    let set = claim.shared(scalar);
    claim.never(&[], &[(set, Of::State, true)]);
    claim.is_true();
}

#[test]
fn beyond_the_end_of_a_row_there_are_zeros() {
    let (mut claim, scalar) = row(2, 1, 3);
    let set = claim.shared(scalar);
    claim.never(&[], &[(set, Of::State, false)]);
    claim.is_false();
    claim.invariant.elements[0].literals[0].value = true;
    claim.is_true();
}

#[test]
fn threads_end() {
    let has_ended = |change: &dyn Fn(&mut Builder, TemplateId, LocationId)| {
        let Known { mut b, worker, entry, started, number } = one_known_thread();
        change(&mut b, worker, entry);
        let mut claim = Claim::about(b);
        let number = claim.e().variable(number, 8);
        let ended = claim.e().insert(Expression::HasEnded(number), 1);
        let ended = claim.shared(ended);
        claim.never(&[started], &[(ended, Of::State, true)]);
        claim
    };
    // By a step.
    let by_step = has_ended(&|b, worker, entry| {
        let ended = b.end(worker);
        b.edge(entry, ended, None, &[], None);
    });
    by_step.is_false();
    // As soon as they begin.
    has_ended(&|b, _, entry| b.program.locations[entry.index()].kind = LocationKind::End).is_false();
    has_ended(&|_, _, _| ()).is_true();
}

/// What the thread with a number has as its result may be changed from outside.
#[test]
fn a_broadcast_changes_results() {
    for is_told in [false, true] {
        let Known { mut b, worker, started, number, .. } = one_known_thread();
        let told = b.local(worker, 1);
        b.program.templates[worker.index()].result = Some(told);
        let done = b.end(TemplateId::new(0));
        let (guard, value) = (b.constant(1, 1), b.constant(is_told.into(), 1));
        let update = PassiveUpdate { template: worker, guard, assignments: vec![(told, value)] };
        b.edge(started, done, None, &[], Some(Effect::Broadcast(vec![update])));
        let mut claim = Claim::about(b);
        let number = claim.e().variable(number, 8);
        let result = claim.e().insert(Expression::ResultOf(number), 1);
        let result = claim.shared(result);
        claim.never(&[started], &[(result, Of::State, true)]);
        claim.is_true();
        claim.never(&[done], &[(result, Of::State, true)]);
        // What becomes of results of threads that are not at hand is not followed, so only one of both is decided.
        if is_told {
            claim.is_false();
        }
    }
}

/// `main` starts one thread and remembers its number.
struct Known {
    b: Builder,
    worker: TemplateId,
    entry: LocationId,
    started: LocationId,
    number: VariableId,
}

fn one_known_thread() -> Known {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let started = b.inner(main);
    let (worker, entry) = b.template();
    let number = b.shared(8);
    let new = b.program.expressions.insert(Expression::NewThread, 8);
    let spawn = Effect::Spawn { template: worker, arguments: Vec::new() };
    b.edge(start, started, None, &[(number, None, new)], Some(spawn));
    Known { b, worker, entry, started, number }
}

/// A thread that is started with the code of `main` has another number than the first, which has 1.
#[test]
fn threads_of_main_have_different_numbers() {
    let numbers = |is_started: bool| {
        let mut b = Builder::new();
        let (main, start) = b.template();
        if is_started {
            b.edge(start, start, None, &[], Some(Effect::Spawn { template: main, arguments: Vec::new() }));
        }
        let mut claim = Claim::about(b);
        let (own, one) = (claim.e().insert(Expression::ThisThread, 32), claim.e().constant(1, 32));
        let first = claim.e().equal(own, one);
        let first = claim.predicate(first, Some(main), None);
        (claim, start, first)
    };
    for (is_started, value) in [(true, false), (true, true), (false, true)] {
        let (mut claim, start, first) = numbers(is_started);
        claim.never(&[start], &[(first, Of::Thread(0), value)]);
        claim.is_false();
    }
    let (mut claim, start, first) = numbers(false);
    claim.never(&[start], &[(first, Of::Thread(0), false)]);
    claim.is_true();
}
