//! Slicing: what cannot influence an error goes, all else stays. Each program has an error that depends on one thing.

mod common;

use common::Builder;
use common::compare::{fewest, spawner};
use throng_cfa::flow::*;
use throng_cfa::merge::slice;

/// Slices, and sees that the program is as unsafe as before; tells how many assignments and effects there are then.
fn sliced(program: &Program, is_unsafe: bool) -> (usize, usize) {
    assert_eq!(fewest(program, 100_000).expect("few states").is_some(), is_unsafe, "the original");
    let sliced = slice(program);
    assert_eq!(fewest(&sliced, 100_000).expect("few states").is_some(), is_unsafe, "the sliced program");
    let n_assignments = sliced.edges.iter().map(|edge| edge.assignments.len()).sum();
    (n_assignments, sliced.edges.iter().filter(|edge| edge.effect.is_some()).count())
}

/// `y = 1; x = y; z = x; assert(x == 0)`: what is read on the way matters, and what nobody reads does not.
#[test]
fn values_matter_if_what_they_are_assigned_to_does() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (x, y, z) = (b.shared(1), b.local(main, 1), b.shared(1));
    let (first, second, third, error) = (b.inner(main), b.inner(main), b.inner(main), b.error(main));
    let (one, from_y, from_x) = (b.constant(1, 1), b.get(y), b.get(x));
    b.edge(start, first, None, &[(y, None, one)], None);
    b.edge(first, second, None, &[(x, None, from_y)], None);
    b.edge(second, third, None, &[(z, None, from_x)], None);
    let is_set = b.is(x, 1);
    b.edge(third, error, Some(is_set), &[], None);
    assert_eq!(sliced(&b.finish(), true), (2, 0));
}

/// `i = 1; a[i] = 1; r = a[1]; assert(r == 0)`: indices matter, and so do elements.
#[test]
fn indices_and_elements_matter() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let row = b.variable(Scope::Shared, 1, Some(vec![0, 0]), 2);
    let (i, r) = (b.local(main, 1), b.local(main, 1));
    let (first, second, third, error) = (b.inner(main), b.inner(main), b.inner(main), b.error(main));
    let (one, index) = (b.constant(1, 1), b.get(i));
    let element = b.program.expressions.insert(Expression::Element(row, one), 1);
    b.edge(start, first, None, &[(i, None, one)], None);
    b.edge(first, second, None, &[(row, Some(index), one)], None);
    b.edge(second, third, None, &[(r, None, element)], None);
    let is_set = b.is(r, 1);
    b.edge(third, error, Some(is_set), &[], None);
    assert_eq!(sliced(&b.finish(), true), (3, 0));
}

/// A thread gets an argument and a result; somebody asks for the result, or not.
#[test]
fn arguments_and_results_matter_if_somebody_asks() {
    for asks in [false, true] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (given, result, value) = (b.local(worker, 1), b.local(worker, 1), b.local(main, 1));
        b.program.templates[worker.index()].result = Some(result);
        let (ready, waiting, error) = (b.inner(main), b.inner(main), b.error(main));
        let end = b.end(worker);
        let (one, from_value, from_given) = (b.constant(1, 1), b.get(value), b.get(given));
        b.edge(start, ready, None, &[(value, None, one)], None);
        let effect = Effect::Spawn { template: worker, arguments: vec![(given, from_value)] };
        b.edge(ready, waiting, None, &[], Some(effect));
        b.edge(entry, end, None, &[(result, None, from_given)], None);
        let number = b.constant(2, 8);
        let of_thread = b.program.expressions.insert(Expression::ResultOf(number), 1);
        let guard = if asks { of_thread } else { b.constant(0, 1) };
        b.edge(waiting, error, Some(guard), &[], None);
        assert_eq!(sliced(&b.finish(), asks), if asks { (2, 1) } else { (0, 1) });
    }
}

/// A worker with its flag up is woken by a broadcast with a value; nobody else is.
#[test]
fn what_updates_read_matters_if_what_they_assign_does() {
    for matters in [false, true] {
        let mut b = Builder::new();
        let (worker, entry) = spawner(&mut b);
        let (flag, woken, value) = (b.local(worker, 1), b.local(worker, 1), b.shared(1));
        let (up, set, error) = (b.inner(worker), b.inner(worker), b.error(worker));
        let (one, from_value) = (b.constant(1, 1), b.get(value));
        b.edge(entry, up, None, &[(flag, None, one)], None);
        b.edge(entry, set, None, &[(value, None, one)], None);
        let guard = b.program.expressions.insert(Expression::Passive(flag), 1);
        let update = PassiveUpdate { template: worker, guard, assignments: vec![(woken, from_value)] };
        b.edge(set, set, None, &[], Some(Effect::Broadcast(vec![update])));
        let is_woken = if matters { b.is(woken, 1) } else { b.constant(0, 1) };
        b.edge(up, error, Some(is_woken), &[], None);
        assert_eq!(sliced(&b.finish(), matters), if matters { (2, 2) } else { (0, 1) });
    }
}

/// A thread for which an update that assigns nothing is possible is not updated by a later one.
#[test]
fn updates_without_assignments_stay_if_others_matter() {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (idle, woken) = (b.local(worker, 1), b.local(worker, 1));
    let (later, error) = (b.inner(worker), b.error(worker));
    let one = b.constant(1, 1);
    let first = PassiveUpdate { template: worker, guard: one, assignments: vec![(idle, one)] };
    let second = PassiveUpdate { template: worker, guard: one, assignments: vec![(woken, one)] };
    b.edge(entry, later, None, &[], Some(Effect::Signal(vec![first, second])));
    let is_woken = b.is(woken, 1);
    b.edge(later, error, Some(is_woken), &[], None);
    assert_eq!(sliced(&b.finish(), false), (0, 2));
}
