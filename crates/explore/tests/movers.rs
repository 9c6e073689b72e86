//! Larger steps with locks: what a lock protects, who holds it, and programs in which it is not so.

mod common;

use common::Builder;
use common::compare::{merged, n_edges, spawner};
use throng_cfa::flow::*;
use throng_cfa::merge::Merged;

/// The code of a template, statement by statement.
struct Code<'b> {
    b: &'b mut Builder,
    template: TemplateId,
    at: LocationId,
    error: LocationId,
}

impl<'b> Code<'b> {
    fn new(b: &'b mut Builder, template: TemplateId, at: LocationId) -> Self {
        let error = b.error(template);
        Self { b, template, at, error }
    }

    fn step(&mut self, guard: Option<ExpressionId>, assigned: common::Assigned) -> &mut Self {
        let to = self.b.inner(self.template);
        self.to(to, guard, assigned);
        self.at = to;
        self
    }

    fn to(&mut self, to: LocationId, guard: Option<ExpressionId>, assigned: common::Assigned) {
        self.b.edge(self.at, to, guard, assigned, None);
    }

    fn take(&mut self, lock: VariableId) -> &mut Self {
        let is_free = self.b.is(lock, 0);
        self.take_if(is_free, lock)
    }

    fn take_if(&mut self, guard: ExpressionId, lock: VariableId) -> &mut Self {
        let one = self.b.constant(1, self.b.program.variable(lock).bits);
        self.step(Some(guard), &[(lock, None, one)])
    }

    fn free(&mut self, lock: VariableId) -> &mut Self {
        self.set(lock, 0)
    }

    fn set(&mut self, variable: VariableId, value: u128) -> &mut Self {
        let value = self.b.constant(value, self.b.program.variable(variable).bits);
        self.step(None, &[(variable, None, value)])
    }

    /// `to = from`
    fn copy(&mut self, to: VariableId, from: VariableId) -> &mut Self {
        let value = self.b.get(from);
        self.step(None, &[(to, None, value)])
    }

    /// An error is possible here if a variable has this value.
    fn fails_if(&mut self, variable: VariableId, value: u128) -> &mut Self {
        let guard = self.b.is(variable, value);
        self.b.edge(self.at, self.error, Some(guard), &[], None);
        self
    }

    /// `t = x; assert(x == t)`
    fn look_twice(&mut self, t: VariableId, x: VariableId) -> &mut Self {
        self.copy(t, x);
        let (a, b) = (self.b.get(t), self.b.get(x));
        let is_same = self.b.binary(BinaryOperator::Equal, a, b);
        let differs = self.b.not(is_same);
        self.b.edge(self.at, self.error, Some(differs), &[], None);
        self
    }

    fn start(&mut self, template: TemplateId) -> &mut Self {
        let to = self.b.inner(self.template);
        self.b.edge(self.at, to, None, &[], Some(Effect::Spawn { template, arguments: Vec::new() }));
        self.at = to;
        self
    }
}

/// How many locations of a template threads go on from.
fn n_places(merged: &Merged, template: TemplateId) -> usize {
    let places = merged.program.locations.iter();
    places.filter(|location| location.template == template && location.edges.1 > 0).count()
}

/// Any number of workers, a lock, a variable and a local one.
fn setting() -> (Builder, TemplateId, LocationId, [VariableId; 3]) {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (lock, x, t) = (b.shared(1), b.shared(1), b.local(worker, 1));
    (b, worker, entry, [lock, x, t])
}

/// `lock(); t = x; assert(x == t); x = 1; x = 0; unlock();` and perhaps something else that the thread may do instead.
fn section(other: impl FnOnce(&mut Code, [VariableId; 3])) -> (Program, TemplateId, LocationId) {
    let (mut b, worker, entry, [lock, x, t]) = setting();
    let mut code = Code::new(&mut b, worker, entry);
    code.take(lock).look_twice(t, x).set(x, 1).set(x, 0).free(lock);
    code.at = entry;
    other(&mut code, [lock, x, t]);
    (b.finish(), worker, entry)
}

#[test]
fn a_section_is_one_step() {
    let (program, worker, entry) = section(|_, _| ());
    let merged = merged(&program, false);
    assert_eq!((n_places(&merged, worker), n_edges(&merged, entry)), (1, 1));
    let (id, edge) = merged.program.edges_from(entry).next().expect("an edge");
    // The lock and the variable are what they were.
    assert_eq!((merged.paths[id.index()].len(), edge.assignments.len()), (5, 2));
}

#[test]
fn a_variable_that_is_written_elsewhere_is_not_protected() {
    let (program, worker, _) = section(|code, [_, x, _]| {
        code.set(x, 1);
    });
    assert!(n_places(&merged(&program, true), worker) > 1);
}

/// Others read it: what the holder writes is seen, but what it reads stays.
#[test]
fn a_variable_that_is_read_elsewhere_is_protected_from_writing() {
    merged(
        &section(|code, [_, x, _]| {
            code.fails_if(x, 1);
        })
        .0,
        true,
    );
    let (program, worker, _) = section(|code, [_, x, t]| {
        code.copy(t, x);
    });
    let merged = merged(&program, false);
    // After `x = 1` and after `x = 0`.
    assert_eq!(n_places(&merged, worker), 3);
}

#[test]
fn a_lock_that_is_looked_at_is_seen() {
    let (mut b, worker, entry, [lock, x, t]) = setting();
    Code::new(&mut b, worker, entry).fails_if(lock, 1).take(lock).look_twice(t, x).set(x, 1).free(lock);
    assert_eq!(n_places(&merged(&b.finish(), true), worker), 2);
    // Even if it is never freed, and nothing else is done.
    let (mut b, worker, entry, [lock, _, _]) = setting();
    let end = b.end(worker);
    let mut code = Code::new(&mut b, worker, entry);
    code.fails_if(lock, 1).take(lock).to(end, None, &[]);
    merged(&b.finish(), true);
}

#[test]
fn a_lock_that_is_freed_by_others_is_none() {
    merged(
        &section(|code, [lock, x, _]| {
            code.free(lock).take(lock).set(x, 1).free(lock);
        })
        .0,
        true,
    );
}

#[test]
fn a_lock_that_is_not_waited_for_is_none() {
    merged(
        &section(|code, [lock, x, _]| {
            code.set(lock, 1).set(x, 1).free(lock);
        })
        .0,
        true,
    );
}

/// `lock(); unlock(); x = 1;`
#[test]
fn a_lock_is_not_held_after_it_was_freed() {
    merged(
        &section(|code, [lock, x, _]| {
            code.take(lock).free(lock).set(x, 1);
        })
        .0,
        true,
    );
}

/// `if (*) lock(); x = 1; unlock();`
#[test]
fn a_lock_is_held_if_all_ways_took_it() {
    let ways = |code: &mut Code, [lock, x, _]: [VariableId; 3]| {
        let from = code.at;
        code.take(lock);
        let after = code.at;
        code.at = from;
        code.to(after, None, &[]);
        code.at = after;
        code.set(x, 1).free(lock);
    };
    merged(&section(ways).0, true);
}

/// `while (1) { t = x; assert(x == t); x = 1; x = 0; lock(); }` never frees it, but the first round is without it.
#[test]
fn nobody_holds_a_lock_at_the_entry() {
    let (mut b, worker, entry, [lock, x, t]) = setting();
    let (is_free, one) = (b.is(lock, 0), b.constant(1, 1));
    let mut code = Code::new(&mut b, worker, entry);
    code.look_twice(t, x).set(x, 1).set(x, 0).to(entry, Some(is_free), &[(lock, None, one)]);
    merged(&b.finish(), true);
}

/// A guard that is true if the lock is free, or otherwise; or if something else is free; or if the lock is taken.
#[test]
fn what_does_not_demand_that_a_lock_is_free_does_not_take_it() {
    let guards: [fn(&mut Code, VariableId, VariableId) -> ExpressionId; 3] = [
        |code, lock, t| {
            let (a, b) = (code.b.is(t, 0), code.b.is(lock, 0));
            code.b.binary(BinaryOperator::Or, a, b)
        },
        |code, _, t| code.b.is(t, 0),
        |code, lock, _| code.b.is(lock, 1),
    ];
    for guard in guards {
        let other = |code: &mut Code, [lock, x, t]: [VariableId; 3]| {
            let guard = guard(code, lock, t);
            code.take_if(guard, lock).set(x, 1).free(lock);
        };
        merged(&section(other).0, true);
    }
    // Of two bits, `~lock` is another thing than `!lock`.
    let (mut b, worker, entry, [_, x, t]) = setting();
    let lock = b.shared(2);
    let flipped = b.get(lock);
    let flipped = b.not(flipped);
    let guard = b.program.expressions.insert(Expression::Extract { operand: flipped, low: 1 }, 1);
    Code::new(&mut b, worker, entry).take_if(guard, lock).look_twice(t, x).set(x, 1).free(lock);
    merged(&b.finish(), true);
}

#[test]
fn what_main_does_alone_disturbs_nobody() {
    for (starts_first, expected) in [(false, false), (true, true)] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (lock, x, t) = (b.shared(1), b.shared(1), b.local(worker, 1));
        let mut code = Code::new(&mut b, main, start);
        if starts_first {
            code.start(worker);
        }
        code.set(x, 1).set(lock, 0).set(x, 0).start(worker).start(worker);
        let end = b.end(worker);
        let mut code = Code::new(&mut b, worker, entry);
        code.take(lock).fails_if(x, 1).look_twice(t, x).free(lock).to(end, None, &[]);
        let merged = merged(&b.finish(), expected);
        assert_eq!(n_places(&merged, worker) == 1, !expected);
    }
}

/// `x = 1; x = 0;` in main, and a worker reads x twice under a lock: main starts it and goes back, or goes on, or the worker starts another main.
#[test]
fn main_is_alone_until_it_is_not() {
    for way in 0..3 {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (lock, x, t) = (b.shared(1), b.shared(1), b.local(worker, 1));
        let own = b.local(main, 1);
        let mut code = Code::new(&mut b, main, start);
        if way == 1 {
            code.start(worker).set(own, 1);
        }
        code.set(x, 1).set(x, 0);
        let last = code.at;
        let to = if way == 0 { start } else { b.inner(main) };
        if way != 1 {
            b.edge(last, to, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
        }
        let mut code = Code::new(&mut b, worker, entry);
        if way == 2 {
            code.start(main);
        }
        code.take(lock).look_twice(t, x).free(lock);
        merged(&b.finish(), true);
    }
}

/// An atomic section that waits for a lock and takes it is a step that takes it.
#[test]
fn locks_that_are_made_by_hand_are_locks() {
    let (mut b, worker, entry, [lock, x, t]) = setting();
    let waiting = b.location(worker, LocationKind::Inner, true);
    let setting = b.location(worker, LocationKind::Inner, true);
    let taken = b.inner(worker);
    let (is_free, one) = (b.is(lock, 0), b.constant(1, 1));
    b.edge(entry, waiting, None, &[], None);
    b.edge(waiting, setting, Some(is_free), &[], None);
    b.edge(setting, taken, None, &[(lock, None, one)], None);
    Code::new(&mut b, worker, taken).look_twice(t, x).set(x, 1).set(x, 0).free(lock);
    let merged = merged(&b.finish(), false);
    assert_eq!((n_places(&merged, worker), n_edges(&merged, entry)), (1, 1));
    let (id, _) = merged.program.edges_from(entry).next().expect("an edge");
    assert_eq!(merged.paths[id.index()].len(), 7, "the edges of the original");
}

/// A lock that is taken inside of another, and one of two variables each.
#[test]
fn locks_may_be_nested() {
    let (mut b, worker, entry, [outer, x, t]) = setting();
    let (inner, y) = (b.shared(1), b.shared(1));
    Code::new(&mut b, worker, entry)
        .take(outer)
        .look_twice(t, x)
        .take(inner)
        .set(x, 1)
        .look_twice(t, y)
        .set(y, 1)
        .free(inner)
        .look_twice(t, x)
        .set(x, 0)
        .free(outer);
    let merged = merged(&b.finish(), false);
    // The inner lock is free again where a larger step ends, so in the second round nobody takes it.
    assert_eq!(n_places(&merged, worker), 1);
}

/// A value that is not known may free a lock; and an assignment beyond the end takes none.
#[test]
fn what_is_assigned_to_a_lock_is_known() {
    let (program, _, _) = section(|code, [lock, x, t]| {
        code.copy(lock, t).take(lock).set(x, 1).free(lock);
    });
    merged(&program, true);
    let (program, _, _) = section(|code, [lock, x, _]| {
        let (is_free, one) = (code.b.is(lock, 0), code.b.constant(1, 1));
        code.step(Some(is_free), &[(lock, Some(one), one)]).set(x, 1).free(lock);
    });
    merged(&program, true);
}

/// Arbitrary values of both rounds are told in terms of the original: one number in an atomic section, and twice afterwards.
#[test]
fn arbitrary_values_of_both_rounds_are_known() {
    let (mut b, worker, entry, [lock, x, t]) = setting();
    let inside = b.location(worker, LocationKind::Inner, true);
    let taken = b.inner(worker);
    let (is_free, one, any) = (b.is(lock, 0), b.constant(1, 1), b.nondet(1));
    let (s, u) = (b.local(worker, 1), b.local(worker, 1));
    b.edge(entry, inside, Some(is_free), &[(t, None, any)], None);
    b.edge(inside, taken, None, &[(lock, None, one)], None);
    let mut code = Code::new(&mut b, worker, taken);
    code.step(None, &[(x, None, any), (s, None, any)]).step(None, &[(u, None, any)]).free(lock);
    for (first, second) in [(t, s), (t, u), (s, u)] {
        let (first, second) = (code.b.get(first), code.b.get(second));
        let is_equal = code.b.binary(BinaryOperator::Equal, first, second);
        let differs = code.b.not(is_equal);
        code.b.edge(code.at, code.error, Some(differs), &[], None);
    }
    let merged = merged(&b.finish(), true);
    let (id, _) = merged.program.edges_from(entry).next().expect("an edge");
    assert_eq!(merged.paths[id.index()].len(), 5, "one step");
    let choices = &merged.choices[id.index()];
    assert_eq!(choices.iter().map(|choice| choice.part).collect::<Vec<_>>(), [0, 2, 3]);
    assert!(choices.iter().all(|choice| choice.original == NondetId::new(0)));
    let numbers: std::collections::BTreeSet<NondetId> = choices.iter().map(|choice| choice.nondet).collect();
    assert_eq!(numbers.len(), 3, "{choices:?}");
}
