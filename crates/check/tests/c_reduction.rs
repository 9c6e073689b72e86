//! Steps that are made larger than they may be, one fault each: the check has to say what others notice. The right ones beside them are
//! accepted.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
#[path = "reduction/faults.rs"]
mod faults;
mod reduction;

use common::Builder;
use faults::{Code, NOTICED, accepts_passing, atomic, rejects, rejects_passing, section, setting};
use reduction::{put_together, taken_apart, unmerged};
use throng_cfa::flow::*;

#[test]
fn a_section_may_be_one_step() {
    let (program, at) = section(|code, [lock, x, _]| {
        code.take(lock);
        code.fails_if(x, 1);
        code.set(lock, 0);
    });
    accepts_passing(&program, at);
}

#[test]
fn one_access_too_many() {
    let (mut b, template, entry, [_, x, _]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.set(x, 1);
    code.set(x, 0);
    code.at = entry;
    code.fails_if(x, 1);
    rejects_passing(&b.finish(), at, NOTICED);
}

#[test]
fn a_lock_that_does_not_protect() {
    // Somebody reads x without it.
    let (program, at) = section(|code, [_, x, _]| code.fails_if(x, 1));
    rejects_passing(&program, at, NOTICED);
    // Somebody writes x without it, and the holder looks twice.
    let (mut b, template, entry, [lock, x, t]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    code.take(lock);
    let at = code.copy(t, x);
    let (a, c) = (code.b.get(t), code.b.get(x));
    let is_same = code.b.binary(BinaryOperator::Equal, a, c);
    let differs = code.b.not(is_same);
    let error = code.b.error(template);
    code.b.edge(at, error, Some(differs), &[], None);
    code.set(lock, 0);
    code.at = entry;
    code.set(x, 1);
    rejects_passing(&b.finish(), at, NOTICED);
}

#[test]
fn a_lock_that_others_free_try_or_set() {
    let (program, at) = section(|code, [lock, x, _]| {
        code.set(lock, 0);
        code.take(lock);
        code.fails_if(x, 1);
    });
    rejects_passing(&program, at, NOTICED);
    // `t = trylock()`, and then x is read whatever t is.
    let (program, at) = section(|code, [lock, x, t]| {
        let (is_free, old, one) = (code.b.is(lock, 0), code.b.get(lock), code.b.constant(1, 1));
        let new = code.b.program.expressions.insert(Expression::IfThenElse(is_free, one, old), 1);
        code.step(None, &[(lock, None, new), (t, None, is_free)]);
        code.fails_if(x, 1);
    });
    rejects_passing(&program, at, NOTICED);
    // Set without waiting.
    let (program, at) = section(|code, [lock, x, _]| {
        code.set(lock, 1);
        code.fails_if(x, 1);
    });
    rejects_passing(&program, at, NOTICED);
}

/// What looks like taking the lock and is not: a guard that does not imply that it is free, or nothing that is written to it.
#[test]
fn a_lock_that_is_not_taken() {
    type Guard = fn(&mut Code<'_>, VariableId, VariableId) -> ExpressionId;
    let guards: [Guard; 2] = [
        |code, lock, t| {
            let (a, c) = (code.b.is(t, 0), code.b.is(lock, 0));
            code.b.binary(BinaryOperator::Or, a, c)
        },
        |code, _, t| {
            let value = code.b.get(t);
            code.b.not(value)
        },
    ];
    for guard in guards {
        let (program, at) = section(|code, [lock, x, t]| {
            let (guard, one) = (guard(code, lock, t), code.b.constant(1, 1));
            code.step(Some(guard), &[(lock, None, one)]);
            code.fails_if(x, 1);
        });
        rejects_passing(&program, at, NOTICED);
    }
    // Beyond the end, and 0.
    for (index, value) in [(Some(1), 1), (None, 0)] {
        let (mut b, template, entry, [lock, x, _]) = setting();
        let is_free = b.is(lock, 0);
        let (index, value) = (index.map(|index| b.constant(index, 1)), b.constant(value, 1));
        let mut code = Code { b: &mut b, template, at: entry };
        code.step(Some(is_free), &[(lock, index, value)]);
        let at = code.set(x, 1);
        code.set(x, 0);
        code.set(lock, 0);
        code.at = entry;
        code.take(lock);
        code.fails_if(x, 1);
        code.set(lock, 0);
        rejects_passing(&b.finish(), at, NOTICED);
    }
    // Waited for, and not taken: nobody else has it just then, but afterwards they may.
    let (mut b, template, entry, [lock, x, _]) = setting();
    let (is_free, zero, one) = (b.is(lock, 0), b.constant(0, 1), b.constant(1, 1));
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.step(Some(is_free), &[(x, None, one)]);
    code.step(Some(is_free), &[(x, None, zero)]);
    code.at = entry;
    code.take(lock);
    code.fails_if(x, 1);
    code.set(lock, 0);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// A pointer that says which of two locks is taken; `section` always takes the same one.
#[test]
fn a_lock_that_is_passed_by_pointer() {
    let (program, at) = section(|code, [lock, x, t]| {
        let other = code.b.shared(1);
        code.set(t, 1);
        let (is_first, is_free, is_other_free) = (code.b.is(t, 0), code.b.is(lock, 0), code.b.is(other, 0));
        let e = &mut code.b.program.expressions;
        let guard = e.insert(Expression::IfThenElse(is_first, is_free, is_other_free), 1);
        let (one, a, b) = (code.b.constant(1, 1), code.b.get(lock), code.b.get(other));
        let e = &mut code.b.program.expressions;
        let first = e.insert(Expression::IfThenElse(is_first, one, a), 1);
        let second = e.insert(Expression::IfThenElse(is_first, b, one), 1);
        code.step(Some(guard), &[(lock, None, first), (other, None, second)]);
        code.fails_if(x, 1);
    });
    rejects_passing(&program, at, NOTICED);
}

/// A lock that is an element of a row may be another element.
#[test]
fn a_lock_in_a_row() {
    let (mut b, template, entry, [_, x, t]) = setting();
    let row = b.variable(Scope::Shared, 1, Some(vec![0, 0]), 2);
    let (zero, one, index) = (b.constant(0, 1), b.constant(1, 1), b.get(t));
    let take = |code: &mut Code<'_>, index: ExpressionId| {
        let held = code.b.program.expressions.insert(Expression::Element(row, index), 1);
        let is_free = code.b.not(held);
        code.step(Some(is_free), &[(row, Some(index), one)])
    };
    let mut code = Code { b: &mut b, template, at: entry };
    take(&mut code, zero);
    let at = code.set(x, 1);
    code.set(x, 0);
    code.at = entry;
    code.set(t, 1);
    take(&mut code, index);
    code.fails_if(x, 1);
    rejects_passing(&b.finish(), at, NOTICED);
}

#[test]
fn a_lock_that_is_freed_on_the_way() {
    // lock(); x = 1; unlock(); lock(); x = 0;
    let (mut b, template, entry, [lock, x, _]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    code.take(lock);
    code.set(x, 1);
    let at = code.set(lock, 0);
    code.take(lock);
    code.set(x, 0);
    code.set(lock, 0);
    code.at = entry;
    code.take(lock);
    code.fails_if(x, 1);
    code.set(lock, 0);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// `cond_wait` frees the lock; what was written before is seen by others.
#[test]
fn a_lock_that_is_waited_with() {
    let (mut b, template, entry, [lock, x, _]) = setting();
    let (waiting, zero, one) = (b.local(template, 1), b.constant(0, 1), b.constant(1, 1));
    let mut code = Code { b: &mut b, template, at: entry };
    code.take(lock);
    code.set(x, 1);
    let asleep = code.step(None, &[(lock, None, zero), (waiting, None, one)]);
    let (is_free, is_woken) = (code.b.is(lock, 0), code.b.is(waiting, 1));
    let guard = code.b.binary(BinaryOperator::And, is_free, is_woken);
    code.step(Some(guard), &[(lock, None, one), (x, None, zero)]);
    code.set(lock, 0);
    code.at = entry;
    code.take(lock);
    code.fails_if(x, 1);
    rejects_passing(&b.finish(), asleep, NOTICED);
}

#[test]
fn taking_a_lock_that_others_look_at() {
    let (mut b, template, entry, [lock, _, t]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.take(lock);
    code.set(lock, 0);
    code.at = entry;
    code.copy(t, lock);
    code.fails_if(t, 1);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// Main sets x under no lock, after it has started a thread or before.
#[test]
fn what_main_does_when_it_is_not_alone() {
    for is_late in [false, true] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (lock, x, t) = (b.shared(1), b.shared(1), b.local(worker, 1));
        let mut from = start;
        let begin = |b: &mut Builder, from| {
            let to = b.inner(main);
            b.edge(from, to, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
            to
        };
        if is_late {
            from = begin(&mut b, from);
        }
        let at = Code { b: &mut b, template: main, at: from }.set(x, 1);
        begin(&mut b, at);
        let mut code = Code { b: &mut b, template: worker, at: entry };
        code.take(lock);
        let looked = code.copy(t, x);
        let (a, c) = (code.b.get(t), code.b.get(x));
        let is_same = code.b.binary(BinaryOperator::Equal, a, c);
        let differs = code.b.not(is_same);
        let error = code.b.error(worker);
        code.b.edge(looked, error, Some(differs), &[], None);
        let program = b.finish();
        if is_late {
            rejects_passing(&program, looked, NOTICED);
        } else {
            accepts_passing(&program, looked);
        }
    }
}

/// `x = 1; assume(0); x = 0;` and `x = 1; while (1);`: others see what was written, though the thread does not go on.
#[test]
fn a_thread_that_does_not_go_on() {
    let (mut b, template, entry, [_, x, t]) = setting();
    let never = b.is(t, 1);
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.set(x, 1);
    code.step(Some(never), &[]);
    code.set(x, 0);
    code.at = entry;
    code.fails_if(x, 1);
    rejects_passing(&b.finish(), at, NOTICED);
    let (mut b, template, entry, [_, x, _]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.set(x, 1);
    let again = code.step(None, &[]);
    code.b.edge(again, at, None, &[], None);
    code.at = entry;
    code.fails_if(x, 1);
    let program = b.finish();
    let honest = unmerged(&program);
    // All edges of the cycle are gone, and the one that leads to it.
    let is_left = |edge: &Edge| ![edge.from, edge.to].contains(&at) && ![edge.from, edge.to].contains(&again);
    let edges = taken_apart(&honest).into_iter().filter(|made| is_left(&made.0)).collect();
    rejects(&program, &put_together(&honest, edges), "a cycle is without a location that is kept");
}

#[test]
fn atomic_locations() {
    let (program, [inside, after, _]) = atomic();
    accepts_passing(&program, inside);
    rejects_passing(&program, after, NOTICED);
    // Forgotten, or made up.
    let mut wrong = unmerged(&program);
    wrong.program.locations[inside.index()].is_atomic = false;
    rejects(&program, &wrong, "the locations are not what they were");
    let mut wrong = unmerged(&program);
    wrong.program.locations[after.index()].is_atomic = true;
    rejects(&program, &wrong, "the locations are not what they were");
}

/// `s = flag; t = flag;` and a signal sets the flag in between.
#[test]
fn what_signals_set_is_read_in_time() {
    let (mut b, template, entry, [_, _, t]) = setting();
    let (flag, s, one) = (b.local(template, 1), b.local(template, 1), b.constant(1, 1));
    let update = PassiveUpdate { template, guard: one, assignments: vec![(flag, one)] };
    b.edge(entry, entry, None, &[], Some(Effect::Signal(vec![update])));
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.copy(s, flag);
    let last = code.copy(t, flag);
    let (a, c) = (code.b.get(s), code.b.get(t));
    let is_same = code.b.binary(BinaryOperator::Equal, a, c);
    let differs = code.b.not(is_same);
    let error = code.b.error(template);
    code.b.edge(last, error, Some(differs), &[], None);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// `x = 1; x = 0;` in `main`, which may be started again.
#[test]
fn several_threads_may_run_main() {
    for is_started in [false, true] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let x = b.shared(1);
        let mut code = Code { b: &mut b, template: main, at: start };
        code.fails_if(x, 1);
        let at = code.set(x, 1);
        code.set(x, 0);
        if is_started {
            b.edge(start, start, None, &[], Some(Effect::Spawn { template: main, arguments: Vec::new() }));
        }
        let program = b.finish();
        if is_started {
            rejects_passing(&program, at, NOTICED);
        } else {
            accepts_passing(&program, at);
        }
    }
}

/// `result = 1; result = 0;` in a thread, and somebody asks for its result before it has ended.
#[test]
fn results_that_are_looked_at() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    let result = b.local(worker, 1);
    b.program.templates[worker.index()].result = Some(result);
    let (waiting, error, number) = (b.inner(main), b.error(main), b.constant(2, 8));
    b.edge(start, waiting, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    let value = b.program.expressions.insert(Expression::ResultOf(number), 1);
    b.edge(waiting, error, Some(value), &[], None);
    let mut code = Code { b: &mut b, template: worker, at: entry };
    let at = code.set(result, 1);
    code.set(result, 0);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// A thread sees that another one has not ended, or what its result is, and later what it has written with its last step.
#[test]
fn looks_at_threads_are_in_time() {
    for looks_at_end in [true, false] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (x, result) = (b.shared(1), b.local(worker, 1));
        b.program.templates[worker.index()].result = Some(result);
        let (started, seen, error, end) = (b.inner(main), b.inner(main), b.error(main), b.end(worker));
        let (one, number) = (b.constant(1, 1), b.constant(2, 8));
        let look = if looks_at_end { Expression::HasEnded(number) } else { Expression::ResultOf(number) };
        let look = b.program.expressions.insert(look, 1);
        let not_yet = b.not(look);
        b.edge(start, started, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
        b.edge(started, seen, Some(not_yet), &[], None);
        let is_set = b.is(x, 1);
        b.edge(seen, error, Some(is_set), &[], None);
        b.edge(entry, end, None, &[(x, None, one), (result, None, one)], None);
        rejects_passing(&b.finish(), seen, NOTICED);
    }
}

/// `x = 1; if (*) t = 1; else assert(y == 0);` and another thread sets y when it sees x: there is more than one way on.
#[test]
fn ways_on_that_are_not_silent() {
    let (mut b, template, entry, [_, x, t]) = setting();
    let y = b.shared(1);
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.set(x, 1);
    code.set(t, 1);
    code.at = at;
    code.fails_if(y, 1);
    code.at = entry;
    let (sees, one) = (code.b.is(x, 1), code.b.constant(1, 1));
    code.step(Some(sees), &[(y, None, one)]);
    rejects_passing(&b.finish(), at, NOTICED);
}

/// `x = 1; assert(x != 2);` in `main`, and another thread, which never reads x, sets it to 2.
#[test]
fn what_others_only_write() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    let (x, started) = (b.shared(2), b.inner(main));
    b.edge(start, started, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    let mut code = Code { b: &mut b, template: main, at: started };
    let at = code.set(x, 1);
    code.fails_if(x, 2);
    Code { b: &mut b, template: worker, at: entry }.set(x, 2);
    rejects_passing(&b.finish(), at, NOTICED);
}
