//! Small programs made by hand.

mod common;

use common::{Builder, n_threads, search};
use throng_cfa::flow::*;
use throng_cfa::trace::Trace;
use throng_explore::Outcome;

fn expect_unsafe(program: &Program, max_threads: u32) -> Trace {
    match search(program, max_threads) {
        Outcome::Unsafe { trace, .. } => trace,
        other => panic!("an error is there: {other:?}"),
    }
}

fn expect_safe(program: &Program, max_threads: u32) -> bool {
    match search(program, max_threads) {
        Outcome::NoBug { complete_up_to, is_exhausted, .. } => {
            assert!(complete_up_to == max_threads || is_exhausted, "everything is explored");
            is_exhausted
        }
        other => panic!("no error is there: {other:?}"),
    }
}

fn spawn(template: TemplateId) -> Option<Effect> {
    Some(Effect::Spawn { template, arguments: Vec::new() })
}

/// `while (1) spawn(worker);`
fn spawner(b: &mut Builder) -> (TemplateId, LocationId) {
    let (_, main) = b.template();
    let (worker, entry) = b.template();
    b.edge(main, main, None, &[], spawn(worker));
    (worker, entry)
}

/// Workers read a counter and write it one larger in two steps; the error is a lost update.
fn counter(is_locked: bool, is_atomic: bool) -> Program {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (x, lock, inside) = (b.shared(8), b.shared(1), b.shared(8));
    let t = b.local(worker, 8);
    let read = b.location(worker, LocationKind::Inner, is_atomic);
    let wrote = b.location(worker, LocationKind::Inner, is_atomic);
    let checked = b.location(worker, LocationKind::Inner, is_atomic);
    let (error, end) = (b.error(worker), b.end(worker));
    let zero = b.constant(0, 1);
    let one = b.constant(1, 1);
    let (get, more) = (b.get(x), b.plus(t, 1));
    let free = b.is(lock, 0);
    let more_inside = b.plus(inside, 1);
    if is_locked {
        b.edge(
            entry,
            read,
            Some(free),
            &[(lock, None, one), (t, None, get), (inside, None, more_inside)],
            None,
        );
    } else {
        b.edge(entry, read, None, &[(t, None, get), (inside, None, more_inside)], None);
    }
    b.edge(read, wrote, None, &[(x, None, more)], None);
    let (a, c) = (b.get(x), b.get(t));
    let two = b.constant(1, 8);
    let expected = b.binary(BinaryOperator::Add, c, two);
    let is_right = b.binary(BinaryOperator::Equal, a, expected);
    let is_wrong = b.not(is_right);
    b.edge(wrote, error, Some(is_wrong), &[], None);
    b.edge(wrote, checked, Some(is_right), &[], None);
    b.edge(checked, end, None, &[(lock, None, zero)], None);
    b.finish()
}

#[test]
fn two_threads_race() {
    let program = counter(false, false);
    let trace = expect_unsafe(&program, 5);
    assert_eq!(n_threads(&program, &trace), 3, "main and two workers");
    assert!(trace.steps.len() <= 8, "nothing that is not needed: {}", trace.steps.len());
}

#[test]
fn a_mutex_makes_it_safe() {
    assert!(!expect_safe(&counter(true, false), 5), "there may be more threads");
}

#[test]
fn an_atomic_section_makes_it_safe() {
    expect_safe(&counter(false, true), 5);
}

#[test]
fn three_workers_are_needed() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let x = b.shared(8);
    let (waiting, error, end) = (b.inner(worker), b.error(worker), b.end(worker));
    let (more, is_three, is_fewer) = (b.plus(x, 1), b.is(x, 3), b.is(x, 2));
    b.edge(entry, waiting, None, &[(x, None, more)], None);
    b.edge(waiting, error, Some(is_three), &[], None);
    b.edge(waiting, end, Some(is_fewer), &[], None);
    let program = b.finish();
    expect_safe(&program, 3);
    let trace = expect_unsafe(&program, 10);
    assert_eq!(n_threads(&program, &trace), 4);
    assert_eq!(trace.steps.len(), 7, "three starts, three increments, one look");
}

/// Waiters wait until they are woken; the error is reached by the second one that goes on.
fn waiters(is_broadcast: bool) -> Program {
    let mut b = Builder::new();
    let (_, main) = b.template();
    let (worker, entry) = b.template();
    let waits = b.local(worker, 1);
    let (x, awake) = (b.shared(2), b.shared(2));
    let main_id = TemplateId::new(0);
    let (second, ready, end) = (b.inner(main_id), b.inner(main_id), b.end(main_id));
    b.edge(main, second, None, &[], spawn(worker));
    b.edge(second, ready, None, &[], spawn(worker));
    let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
    let passive = b.program.expressions.insert(Expression::Passive(waits), 1);
    let updates = vec![PassiveUpdate { template: worker, guard: passive, assignments: vec![(waits, zero)] }];
    let both = b.is(x, 2);
    let effect = if is_broadcast { Effect::Broadcast(updates) } else { Effect::Signal(updates) };
    b.edge(ready, end, Some(both), &[], Some(effect));
    let (sleeping, awoken, error) = (b.inner(worker), b.inner(worker), b.error(worker));
    let more = b.plus(x, 1);
    b.edge(entry, sleeping, None, &[(waits, None, one), (x, None, more)], None);
    let (is_woken, more_awake, is_second) = (b.is(waits, 0), b.plus(awake, 1), b.is(awake, 2));
    b.edge(sleeping, awoken, Some(is_woken), &[(awake, None, more_awake)], None);
    b.edge(awoken, error, Some(is_second), &[], None);
    b.finish()
}

#[test]
fn a_broadcast_wakes_all() {
    let trace = expect_unsafe(&waiters(true), 5);
    assert_eq!(n_threads(&waiters(true), &trace), 3);
}

#[test]
fn a_signal_wakes_one() {
    assert!(expect_safe(&waiters(false), 5), "there are never more than three threads");
}

/// `x = nondet(); if (x * x == square && x > 7) error`.
fn square(bits: u32, square: u128) -> Program {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let x = b.local(main, bits);
    let (chosen, error) = (b.inner(main), b.error(main));
    let nondet = b.nondet(bits);
    b.edge(entry, chosen, None, &[(x, None, nondet)], None);
    let (get, number, seven) = (b.get(x), b.constant(square, bits), b.constant(7, bits));
    let product = b.binary(BinaryOperator::Multiply, get, get);
    let is_square = b.binary(BinaryOperator::Equal, product, number);
    let is_large = b.binary(BinaryOperator::UnsignedLess, seven, get);
    let both = b.binary(BinaryOperator::And, is_square, is_large);
    b.edge(chosen, error, Some(both), &[], None);
    b.finish()
}

#[test]
fn the_solver_finds_values() {
    for (bits, product) in [(8, 49), (32, 49), (16, 4489)] {
        let trace = expect_unsafe(&square(bits, product), 1);
        let x = trace.steps[0].choices[0].1;
        assert!(x > 7 && (x * x) & (u128::MAX >> (128 - bits)) == product, "{x} squared is {product}");
    }
    assert!(expect_safe(&square(32, 50), 1), "50 is no square");
}

/// `i = nondet(); a[i] = 5; if (a[2] == 5) error`, guarded by `i < bound`.
fn array(bound: u128) -> Program {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let a = b.variable(Scope::Shared, 8, Some(vec![0; 4]), 4);
    let i = b.local(main, 32);
    let (chosen, small, wrote, error) = (b.inner(main), b.inner(main), b.inner(main), b.error(main));
    let nondet = b.nondet(32);
    b.edge(entry, chosen, None, &[(i, None, nondet)], None);
    let (index, limit, five, two) = (b.get(i), b.constant(bound, 32), b.constant(5, 8), b.constant(2, 32));
    let is_small = b.binary(BinaryOperator::UnsignedLess, index, limit);
    b.edge(chosen, small, Some(is_small), &[], None);
    b.edge(small, wrote, None, &[(a, Some(index), five)], None);
    let element = b.program.expressions.insert(Expression::Element(a, two), 8);
    let is_five = b.binary(BinaryOperator::Equal, element, five);
    b.edge(wrote, error, Some(is_five), &[], None);
    b.finish()
}

#[test]
fn arrays_with_arbitrary_indices() {
    let trace = expect_unsafe(&array(4), 1);
    assert_eq!(trace.steps[0].choices[0].1, 2);
    expect_safe(&array(2), 1);
}

/// Main starts a worker, waits for its end if it joins, and looks at what it returned.
fn join(waits: bool) -> Program {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let (worker, begin) = b.template();
    let (t, result) = (b.local(main, 32), b.local(worker, 8));
    b.program.templates[worker.index()].result = Some(result);
    let (started, joined, error, end) = (b.inner(main), b.inner(main), b.error(main), b.end(worker));
    let new = b.program.expressions.insert(Expression::NewThread, 32);
    b.edge(entry, started, None, &[(t, None, new)], spawn(worker));
    let number = b.get(t);
    let has_ended = b.program.expressions.insert(Expression::HasEnded(number), 1);
    b.edge(started, joined, waits.then_some(has_ended), &[], None);
    let value = b.program.expressions.insert(Expression::ResultOf(number), 8);
    let seven = b.constant(7, 8);
    let is_seven = b.binary(BinaryOperator::Equal, value, seven);
    let is_other = b.not(is_seven);
    b.edge(joined, error, Some(is_other), &[], None);
    b.edge(begin, end, None, &[(result, None, seven)], None);
    b.finish()
}

#[test]
fn join_waits_for_the_result() {
    assert!(expect_safe(&join(true), 5));
    assert_eq!(n_threads(&join(false), &expect_unsafe(&join(false), 5)), 2);
}

#[test]
fn uninitialised_variables_are_arbitrary() {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let (x, y) = (b.variable(Scope::Shared, 32, None, 1), b.variable(Scope::Local(main), 32, None, 1));
    let error = b.error(main);
    let (is_x, is_y) = (b.is(x, 123_456), b.is(y, 654_321));
    let both = b.binary(BinaryOperator::And, is_x, is_y);
    b.edge(entry, error, Some(both), &[], None);
    let trace = expect_unsafe(&b.finish(), 1);
    assert_eq!(trace.start, vec![(x, 0, 123_456), (y, 0, 654_321)]);
}

#[test]
fn an_endless_search_with_few_threads_does_not_keep_others_waiting() {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let (worker, begin) = b.template();
    let (x, y) = (b.shared(64), b.shared(1));
    // Main counts for ever; a worker sees the counter at 1.
    let loops = b.inner(main);
    b.edge(entry, loops, None, &[], spawn(worker));
    let more = b.plus(x, 1);
    b.edge(loops, loops, None, &[(x, None, more)], None);
    b.edge(entry, loops, None, &[], None);
    let (seen, error) = (b.inner(worker), b.error(worker));
    let (is_one, one, is_set) = (b.is(x, 1), b.constant(1, 1), b.is(y, 1));
    b.edge(begin, seen, Some(is_one), &[(y, None, one)], None);
    b.edge(seen, error, Some(is_set), &[], None);
    let program = b.finish();
    assert_eq!(n_threads(&program, &expect_unsafe(&program, 3)), 2);
}

/// A thread writes and then begins an atomic section that blocks, or ends the program; another one looks.
fn blocks_after_write(ends: bool) -> Program {
    let mut b = Builder::new();
    let (main, entry) = b.template();
    let (worker, begin) = b.template();
    let y = b.shared(1);
    let (started, wrote) = (b.inner(main), b.inner(main));
    let kind = if ends { LocationKind::End } else { LocationKind::Inner };
    let inside = b.location(main, kind, true);
    let (one, is_one) = (b.constant(1, 1), b.is(y, 1));
    b.edge(entry, started, None, &[], spawn(worker));
    b.edge(started, wrote, None, &[(y, None, one)], None);
    b.edge(wrote, inside, None, &[], None);
    // What main would do if it came out of the section, or had not gone in: so it is not without interest.
    let (z, after) = (b.local(main, 1), b.inner(main));
    let (never, zero) = (b.is(z, 1), b.constant(0, 1));
    b.edge(if ends { wrote } else { inside }, after, Some(never), &[], None);
    b.edge(after, wrote, None, &[(y, None, zero)], None);
    let error = b.error(worker);
    b.edge(begin, error, Some(is_one), &[], None);
    b.finish()
}

#[test]
fn others_go_on_before_a_section_that_blocks() {
    for ends in [false, true] {
        let program = blocks_after_write(ends);
        assert_eq!(n_threads(&program, &expect_unsafe(&program, 3)), 2);
    }
}
