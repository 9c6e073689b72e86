//! Which threads of an element take part in a step, and how; atomic sections; limits.

use super::*;
use throng_base::{Limits, StopReason};
use throng_check::Condition;

/// The first thread that goes inside has x = 1, all later ones x = 0.
struct First {
    w: Workers,
    inside: LocationId,
    is_open: VariableId,
    x: VariableId,
}

fn first() -> First {
    let mut w = workers();
    let is_open = w.b.variable(Scope::Shared, 1, Some(vec![1]), 1);
    let x = w.b.local(w.worker, 1);
    let inside = w.b.inner(w.worker);
    let (zero, one) = (w.b.constant(0, 1), w.b.constant(1, 1));
    let (open, closed) = (w.b.is(is_open, 1), w.b.is(is_open, 0));
    w.b.edge(w.entry, inside, Some(open), &[(x, None, one), (is_open, None, zero)], None);
    w.b.edge(w.entry, inside, Some(closed), &[], None);
    First { w, inside, is_open, x }
}

/// Of two threads at one place, either may have come last.
#[test]
fn each_thread_of_an_element_may_be_the_acting_one() {
    for is_later in [false, true] {
        let First { w, inside, is_open, x } = first();
        let (worker, entry) = (w.worker, w.entry);
        let mut claim = Claim::about(w.b);
        let (open, x) = (claim.is(is_open, 1), claim.is(x, 1));
        let (open, x) = (claim.shared(open), claim.predicate(x, Some(worker), None));
        claim.never(&[entry], &[(x, Of::Thread(0), true)]);
        claim.never(&[inside], &[(open, Of::State, true)]);
        claim.is_true();
        let (a, b) = if is_later { (1, 0) } else { (0, 1) };
        claim.never(&[inside, inside], &[(x, Of::Thread(a), true), (x, Of::Thread(b), false)]);
        claim.is_false();
    }
}

/// What is excluded of two threads is not excluded of one.
#[test]
fn one_thread_is_not_two() {
    let First { mut w, inside, is_open, x } = first();
    let (worker, entry) = (w.worker, w.entry);
    let beyond = w.b.inner(worker);
    w.b.edge(inside, beyond, None, &[], None);
    let mut claim = Claim::about(w.b);
    let (open, x) = (claim.is(is_open, 1), claim.is(x, 1));
    let (open, x) = (claim.shared(open), claim.predicate(x, Some(worker), None));
    claim.never(&[entry], &[(x, Of::Thread(0), true)]);
    for at in [inside, beyond] {
        claim.never(&[at], &[(open, Of::State, true)]);
    }
    claim.never(&[inside, inside], &[(x, Of::Thread(0), true), (x, Of::Thread(1), true)]);
    claim.is_true();
    claim.never(&[inside, beyond], &[(x, Of::Thread(0), true)]);
    claim.is_false();
}

/// A thread that begins in an atomic section makes the atomic bit true.
#[test]
fn a_thread_may_begin_in_an_atomic_section() {
    let mut w = workers();
    let ended = w.b.end(w.worker);
    w.b.program.locations[w.entry.index()].is_atomic = true;
    w.b.edge(w.entry, ended, None, &[], None);
    let mut claim = Claim::about(w.b);
    claim.never_when(Some(true), &[], &[]);
    claim.is_false();
}

/// An error where a thread begins is reached by who starts it.
#[test]
fn a_thread_may_begin_at_an_error() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let worker = TemplateId::new(1);
    b.program.templates.push(Template {
        name: "t1".to_owned(),
        entry: LocationId::new(1),
        locals: Vec::new(),
        result: None,
    });
    b.error(worker);
    b.edge(start, start, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    assert_eq!(main, b.program.main);
    Claim::about(b).is_false();
}

/// So does an error where the first thread begins, and what describes every state.
#[test]
fn the_start_is_looked_at() {
    let mut b = Builder::new();
    let (_, start) = b.template();
    b.program.locations[start.index()].kind = LocationKind::Error(PropertyId::new(0));
    Claim::about(b).is_false();
    let mut claim = Claim::about(workers().b);
    claim.never(&[], &[]);
    claim.is_false();
}

/// There are no others of the first thread, and it counts where it is.
#[test]
fn at_the_start_there_is_one_thread() {
    let one_thread = || {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let x = b.variable(Scope::Local(main), 1, Some(vec![1]), 1);
        (Claim::about(b), main, start, x)
    };
    let (mut claim, main, start, x) = one_thread();
    let zero = claim.theirs_is(x, 0);
    let others = claim.predicate(zero, Some(main), Some((main, &[start])));
    claim.never(&[start], &[(others, Of::Thread(0), true)]);
    claim.is_false();
    claim.invariant.elements[0].literals[0].value = false;
    claim.is_true();
    let (mut claim, main, start, x) = one_thread();
    let zero = claim.theirs_is(x, 0);
    let all = claim.predicate(zero, None, Some((main, &[start])));
    claim.never(&[], &[(all, Of::State, false)]);
    claim.is_false();
    claim.invariant.elements[0].literals[0].value = true;
    claim.is_true();
}

/// A check that was stopped has proved nothing, wherever it was.
#[test]
fn what_is_not_decided_is_not_accepted() {
    let stopped = |claim: &Claim, budget: &Budget| {
        let rejection = check_invariant(&claim.program, &claim.invariant, budget).expect_err("stopped");
        assert_eq!(rejection.condition, Condition::Size, "{rejection}");
    };
    let at_once = Budget::unlimited();
    at_once.stop(StopReason::Timeout);
    // At the start, and nothing else to ask.
    let mut b = Builder::new();
    let (main, _) = b.template();
    let x = b.local(main, 1);
    let mut claim = Claim::about(b);
    let x = claim.is(x, 1);
    let x = claim.predicate(x, Some(main), None);
    claim.never(&[LocationId::new(0)], &[(x, Of::Thread(0), true)]);
    stopped(&claim, &at_once);
    // Before a step, and nothing to ask at the start.
    let mut b = Builder::new();
    let (main, start) = b.template();
    let done = b.end(main);
    b.edge(start, done, None, &[], None);
    let mut claim = Claim::about(b);
    claim.never(&[done], &[]);
    stopped(&claim, &at_once);
    // In the middle of the last question, which is a hard one: whether a prime of 61 bits has factors.
    let mut b = Builder::new();
    let (main, start) = b.template();
    let done = b.end(main);
    let (p, q) = (b.nondet(62), b.nondet(62));
    let (most, one) = (b.constant(1 << 31, 62), b.constant(1, 62));
    let product = b.binary(BinaryOperator::Multiply, p, q);
    let wanted = b.constant((1 << 61) - 1, 62);
    let mut guard = b.binary(BinaryOperator::Equal, product, wanted);
    for factor in [p, q] {
        for condition in [
            b.binary(BinaryOperator::UnsignedLess, factor, most),
            b.binary(BinaryOperator::UnsignedLess, one, factor),
        ] {
            guard = b.binary(BinaryOperator::And, guard, condition);
        }
    }
    b.edge(start, done, Some(guard), &[], None);
    let mut claim = Claim::about(b);
    claim.never(&[done], &[]);
    let soon = Budget::unlimited();
    let limits = Limits { time: Some(std::time::Duration::from_millis(300)), ..Limits::default() };
    let _watchdog = soon.watch(limits, || None);
    stopped(&claim, &soon);
}
