//! Small programs for faults, step by step, and what the check has to say.
#![allow(dead_code, unreachable_pub, reason = "not every test file uses all of it")]

use super::common::compare::{fewest, spawner};
use super::common::{self, Builder};
use super::reduction::{passing, unmerged};
use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::merge::Merged;
use throng_check::Condition;
use throng_check::c::check_merged;

pub fn check(before: &Program, merged: &Merged) -> Result<(), String> {
    check_merged(before, merged, &Budget::unlimited()).map_err(|rejection| {
        assert_eq!(rejection.condition, Condition::Reduction, "{rejection}");
        rejection.to_string()
    })
}

#[track_caller]
pub fn rejects(before: &Program, merged: &Merged, reason: &str) {
    let rejection = check(before, merged).expect_err("the fault is noticed");
    assert!(rejection.contains(reason), "{rejection}");
}

/// Passes over a location, which makes the program wrong: it has other errors. That is rejected for this reason.
#[track_caller]
pub fn rejects_passing(program: &Program, at: LocationId, reason: &str) {
    let wrong = passing(&unmerged(program), at).expect("it can be passed over");
    assert_ne!(fewest(program, 100_000), fewest(&wrong.program, 100_000), "the fault matters");
    rejects(program, &wrong, reason);
}

#[track_caller]
pub fn accepts_passing(program: &Program, at: LocationId) {
    let right = passing(&unmerged(program), at).expect("it can be passed over");
    assert_eq!(check(program, &right), Ok(()));
}

pub const NOTICED: &str = "others may act here and see what the thread has done";

/// The code of a template, step by step.
pub struct Code<'b> {
    pub b: &'b mut Builder,
    pub template: TemplateId,
    pub at: LocationId,
}

impl Code<'_> {
    pub fn step(&mut self, guard: Option<ExpressionId>, assigned: common::Assigned<'_>) -> LocationId {
        let to = self.b.inner(self.template);
        self.b.edge(self.at, to, guard, assigned, None);
        self.at = to;
        to
    }

    pub fn set(&mut self, variable: VariableId, value: u128) -> LocationId {
        let value = self.b.constant(value, self.b.program.variable(variable).bits);
        self.step(None, &[(variable, None, value)])
    }

    pub fn copy(&mut self, to: VariableId, from: VariableId) -> LocationId {
        let value = self.b.get(from);
        self.step(None, &[(to, None, value)])
    }

    pub fn take(&mut self, lock: VariableId) -> LocationId {
        let is_free = self.b.is(lock, 0);
        let one = self.b.constant(1, self.b.program.variable(lock).bits);
        self.step(Some(is_free), &[(lock, None, one)])
    }

    pub fn fails_if(&mut self, variable: VariableId, value: u128) {
        let guard = self.b.is(variable, value);
        let error = self.b.error(self.template);
        self.b.edge(self.at, error, Some(guard), &[], None);
    }
}

/// Any number of workers; a lock, a shared variable and a local one.
pub fn setting() -> (Builder, TemplateId, LocationId, [VariableId; 3]) {
    let mut b = Builder::new();
    let (worker, entry) = spawner(&mut b);
    let (lock, x, t) = (b.shared(1), b.shared(1), b.local(worker, 1));
    (b, worker, entry, [lock, x, t])
}

/// `lock(); x = 1; x = 0; unlock();`, the location where x is 1, and what else the worker may do, from its entry.
pub fn section(other: impl FnOnce(&mut Code<'_>, [VariableId; 3])) -> (Program, LocationId) {
    let (mut b, template, entry, [lock, x, t]) = setting();
    let mut code = Code { b: &mut b, template, at: entry };
    code.take(lock);
    let at = code.set(x, 1);
    code.set(x, 0);
    code.set(lock, 0);
    code.at = entry;
    other(&mut code, [lock, x, t]);
    (b.finish(), at)
}

/// `atomic { x = 1; t = 1; } x = 0;`
pub fn atomic() -> (Program, [LocationId; 3]) {
    let (mut b, template, entry, [_, x, t]) = setting();
    let inside = b.location(template, LocationKind::Inner, true);
    let (zero, one) = (b.constant(0, 1), b.constant(1, 1));
    b.edge(entry, inside, None, &[(x, None, one)], None);
    let mut code = Code { b: &mut b, template, at: inside };
    let after = code.step(None, &[(t, None, one)]);
    let last = code.step(None, &[(x, None, zero)]);
    code.at = entry;
    code.fails_if(x, 1);
    (b.finish(), [inside, after, last])
}
