//! Random small programs in which threads take locks, properly or almost so.
//!
//! Each variable has a lock that it should be accessed under, and each thread takes and frees locks in sections. What is not
//! as it should be: variables accessed without their lock, locks freed by those who do not have them, looked at, tried, never freed,
//! or taken in other ways than by one step; branches in which only one side takes or frees a lock; and returns while one is held.
//! And what people do with locks beyond taking and freeing them by name (`ways`).

mod ways;

use super::Builder;
use super::random::Random;
use throng_cfa::flow::*;

struct Style {
    /// How many accesses in 100 are made without looking which locks are held.
    sloppy: usize,
    /// How many of the things that are done to locks, in 100, are odd.
    odd: usize,
    /// How many locks, in 100, are taken by several steps.
    handmade: usize,
    /// How many sections, in 100, use locks in other ways.
    ways: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    b: Builder,
    style: Style,
    locks: Vec<VariableId>,
    /// Variables with the place of their lock.
    data: Vec<(VariableId, usize)>,
    template: TemplateId,
    locals: Vec<VariableId>,
    end: LocationId,
    error: LocationId,
    /// By lock: whether the thread should hold it at present.
    is_held: Vec<bool>,
    places: Vec<LocationId>,
    /// A row of locks, if there is one.
    row: Option<VariableId>,
    /// By template: whether its thread waits for a signal.
    waiting: Vec<VariableId>,
}

/// A random program with locks.
pub fn program(random: &mut Random) -> Program {
    let style = Style {
        sloppy: if random.chance(30) { 0 } else { 35 },
        odd: if random.chance(65) { 0 } else { 20 },
        handmade: if random.chance(65) { 0 } else { 60 },
        ways: if random.chance(50) { 0 } else { 50 },
    };
    let mut b = Builder::new();
    let n_templates = 2 + usize::from(random.chance(25));
    let entries: Vec<(TemplateId, LocationId)> = (0..n_templates).map(|_| b.template()).collect();
    let mut locks = Vec::new();
    for _ in 0..1 + random.below(2) {
        let initial = if random.chance(6) { random.pick(&[None, Some(vec![1])]) } else { Some(vec![0]) };
        let bits = 1 + random.below(2) as u32;
        locks.push(b.variable(Scope::Shared, bits, initial, 1));
    }
    let mut data = Vec::new();
    for _ in 0..1 + random.below(2) {
        let length = if random.chance(15) { 2 } else { 1 };
        let lock = random.below(locks.len());
        let bits = 1 + random.below(2) as u32;
        data.push((b.variable(Scope::Shared, bits, Some(vec![0; length as usize]), length), lock));
    }
    let row =
        (style.ways > 0 && random.chance(30)).then(|| b.variable(Scope::Shared, 1, Some(vec![0; 2]), 2));
    let mut waiting = Vec::new();
    if style.ways > 0 {
        waiting.extend(entries.iter().map(|&(template, _)| b.local(template, 1)));
    }
    let is_held = vec![false; locks.len()];
    let template = entries[0].0;
    let (end, error) = (b.end(template), b.error(template));
    let mut maker = Maker {
        random,
        b,
        style,
        locks,
        data,
        template,
        locals: Vec::new(),
        end,
        error,
        is_held,
        places: Vec::new(),
        row,
        waiting,
    };
    maker.main(&entries);
    for &(template, entry) in &entries[1..] {
        maker.worker(template, entry);
    }
    maker.b.finish()
}

impl Maker<'_> {
    fn begin(&mut self, template: TemplateId, entry: LocationId) {
        self.template = template;
        self.locals = (0..1 + self.random.below(2)).map(|_| self.b.local(template, 2)).collect();
        (self.end, self.error) = (self.b.end(template), self.b.error(template));
        self.is_held.fill(false);
        self.places = vec![entry];
    }

    /// Some steps alone, then threads are started, then perhaps what threads do.
    fn main(&mut self, entries: &[(TemplateId, LocationId)]) {
        let (template, mut at) = entries[0];
        self.begin(template, at);
        for _ in 0..self.random.below(4) {
            at = match self.random.below(4) {
                0 => {
                    let lock = self.random.below(self.locks.len());
                    self.free(at, lock)
                }
                1 => self.section(at, 0),
                2 => self.own(at),
                _ => {
                    let (variable, _) = self.random.pick(&self.data);
                    self.write(at, variable)
                }
            };
        }
        let is_endless = self.random.chance(30);
        for _ in 0..1 + self.random.below(2) {
            let bound = if self.random.chance(4) { entries.len() } else { entries.len() - 1 };
            let (template, _) = entries[entries.len() - 1 - self.random.below(bound)];
            let to = if is_endless { at } else { self.next(false) };
            self.b.edge(at, to, None, &[], Some(Effect::Spawn { template, arguments: Vec::new() }));
            at = to;
        }
        if self.random.chance(60) {
            self.body(at);
        }
    }

    fn worker(&mut self, template: TemplateId, entry: LocationId) {
        self.begin(template, entry);
        self.body(entry);
    }

    fn body(&mut self, mut at: LocationId) {
        for _ in 0..1 + self.random.below(2) {
            let is_other = self.random.chance(self.style.ways);
            at = if is_other { self.other_section(at) } else { self.section(at, 0) };
            if self.random.chance(60) {
                at = self.anything(at);
            }
        }
        let to = if self.random.chance(40) { self.random.pick(&self.places) } else { self.end };
        self.b.edge(at, to, None, &[], None);
    }

    fn next(&mut self, is_atomic: bool) -> LocationId {
        let location = self.b.location(self.template, LocationKind::Inner, is_atomic);
        if !is_atomic {
            self.places.push(location);
        }
        location
    }

    /// Takes a lock, does something, frees it.
    fn section(&mut self, at: LocationId, depth: usize) -> LocationId {
        let lock = self.random.below(self.locks.len());
        if self.is_held[lock] && !self.random.chance(self.style.odd) {
            return self.anything(at);
        }
        let mut at = self.take(at, lock);
        let before = std::mem::replace(&mut self.is_held[lock], true);
        for _ in 0..1 + self.random.below(3) {
            at = match self.random.below(10) {
                0 if depth == 0 => self.section(at, 1),
                1 => self.branch(at, lock),
                _ => self.anything(at),
            };
        }
        self.is_held[lock] = before;
        if self.random.chance(self.style.odd) { self.anything(at) } else { self.free(at, lock) }
    }

    fn take(&mut self, at: LocationId, lock: usize) -> LocationId {
        let lock = self.locks[lock];
        let bits = self.b.program.variable(lock).bits;
        let one = self.b.constant(1, bits);
        let is_free = self.is_free(lock);
        if self.random.chance(self.style.handmade) {
            return self.take_in_steps(at, lock, is_free, one);
        }
        let is_atomic = self.random.chance(self.style.odd / 3);
        let to = self.next(is_atomic);
        let is_odd = self.random.chance(self.style.odd);
        match self.random.below(if is_odd { 4 } else { 1 }) {
            // Tried: the thread may go on without it.
            1 => {
                let is_taken = self.b.not(is_free);
                let local = self.random.pick(&self.locals);
                let (yes, no) = (self.b.constant(1, 2), self.b.constant(0, 2));
                let other = if self.random.chance(50) { to } else { self.random.pick(&self.places) };
                self.b.edge(at, to, Some(is_free), &[(lock, None, one), (local, None, yes)], None);
                self.b.edge(at, other, Some(is_taken), &[(local, None, no)], None);
            }
            // Not waited for.
            2 => self.b.edge(at, to, None, &[(lock, None, one)], None),
            // With something that others can see.
            3 => {
                let (variable, _) = self.random.pick(&self.data);
                let assigned = self.assignment(variable);
                self.b.edge(at, to, Some(is_free), &[(lock, None, one), assigned], None);
            }
            _ => self.b.edge(at, to, Some(is_free), &[(lock, None, one)], None),
        }
        to
    }

    /// An atomic section that waits and sets, a test and set with a loop, or a compare and swap.
    fn take_in_steps(
        &mut self,
        at: LocationId,
        lock: VariableId,
        is_free: ExpressionId,
        one: ExpressionId,
    ) -> LocationId {
        let local = self.random.pick(&self.locals);
        let kind = self.random.below(3);
        let middle = self.next(kind == 0);
        let to = self.next(false);
        match kind {
            0 => {
                let waits = self.next(true);
                self.b.edge(at, middle, None, &[], None);
                self.b.edge(middle, waits, Some(is_free), &[], None);
                self.b.edge(waits, to, None, &[(lock, None, one)], None);
            }
            1 | 2 => {
                let was = self
                    .b
                    .program
                    .expressions
                    .insert(Expression::Extend { operand: is_free, is_signed: false }, 2);
                let old = self.b.get(lock);
                let new = if kind == 1 {
                    one
                } else {
                    self.b
                        .program
                        .expressions
                        .insert(Expression::IfThenElse(is_free, one, old), self.b.program.variable(lock).bits)
                };
                self.b.edge(at, middle, None, &[(local, None, was), (lock, None, new)], None);
                let (got, missed) = (self.b.is(local, 1), self.b.is(local, 0));
                self.b.edge(middle, to, Some(got), &[], None);
                self.b.edge(middle, at, Some(missed), &[], None);
            }
            _ => unreachable!("three kinds"),
        }
        to
    }

    fn is_free(&mut self, lock: VariableId) -> ExpressionId {
        if self.b.program.variable(lock).bits == 1 && self.random.chance(50) {
            let value = self.b.get(lock);
            return self.b.not(value);
        }
        let guard = self.b.is(lock, 0);
        if !self.random.chance(20) {
            return guard;
        }
        let local = self.random.pick(&self.locals);
        let other = self.b.is(local, 0);
        let operator =
            if self.random.chance(self.style.odd) { BinaryOperator::Or } else { BinaryOperator::And };
        self.b.binary(operator, other, guard)
    }

    fn free(&mut self, at: LocationId, lock: usize) -> LocationId {
        let to = self.next(false);
        let lock = self.locks[lock];
        let zero = self.b.constant(0, self.b.program.variable(lock).bits);
        self.b.edge(at, to, None, &[(lock, None, zero)], None);
        to
    }

    /// Two ways that meet again; on one of them the lock may be freed, and taken again or not.
    fn branch(&mut self, at: LocationId, lock: usize) -> LocationId {
        let guard = self.condition();
        let other = self.b.not(guard);
        let (left, right) = (self.next(false), self.next(false));
        self.b.edge(at, left, Some(guard), &[], None);
        self.b.edge(at, right, Some(other), &[], None);
        let mut left_end = self.anything(left);
        let right_end = self.anything(right);
        if self.random.chance(50) {
            left_end = self.free(left_end, lock);
            if self.random.chance(50) && !self.random.chance(self.style.odd) {
                left_end = self.take(left_end, lock);
            } else {
                // An early return.
                self.b.edge(left_end, self.end, None, &[], None);
                return right_end;
            }
        }
        let to = self.next(false);
        self.b.edge(left_end, to, None, &[], None);
        self.b.edge(right_end, to, None, &[], None);
        to
    }

    /// Something with one variable, or an assertion, or something odd.
    fn anything(&mut self, at: LocationId) -> LocationId {
        if self.random.chance(self.style.odd) {
            return self.odd(at);
        }
        let usable: Vec<VariableId> =
            self.data.iter().filter(|&&(_, lock)| self.is_held[lock]).map(|&(id, _)| id).collect();
        let all: Vec<VariableId> = self.data.iter().map(|&(id, _)| id).collect();
        let usable = if self.random.chance(self.style.sloppy) { all } else { usable };
        if usable.is_empty() {
            return self.own(at);
        }
        let variable = self.random.pick(&usable);
        match self.random.below(6) {
            0 => self.own(at),
            1 | 2 => self.write(at, variable),
            3 if self.random.chance(60) => self.look_twice(at, variable),
            3 => {
                let (to, local) = (self.next(false), self.random.pick(&self.locals));
                let value = self.read(variable);
                let value = self.fit(value, 2);
                self.b.edge(at, to, None, &[(local, None, value)], None);
                to
            }
            4 => self.look_twice(at, variable),
            _ => {
                let (to, local) = (self.next(false), self.random.pick(&self.locals));
                let (a, b) = (self.read(variable), self.b.get(local));
                let a = self.fit(a, 2);
                let guard = self.b.binary(BinaryOperator::UnsignedLess, b, a);
                self.assert(at, to, guard);
                to
            }
        }
    }

    /// Reads a variable twice: nobody changes it meanwhile, if it is protected.
    fn look_twice(&mut self, at: LocationId, variable: VariableId) -> LocationId {
        let (middle, to, local) = (self.next(false), self.next(false), self.random.pick(&self.locals));
        let value = self.read(variable);
        let value = self.fit(value, 2);
        let saved = self.b.get(local);
        self.b.edge(at, middle, None, &[(local, None, value)], None);
        let is_same = self.b.binary(BinaryOperator::Equal, value, saved);
        let differs = self.b.not(is_same);
        self.assert(middle, to, differs);
        to
    }

    fn assert(&mut self, at: LocationId, to: LocationId, fails: ExpressionId) {
        self.b.edge(at, self.error, Some(fails), &[], None);
        let holds = self.random.chance(70).then(|| self.b.not(fails));
        self.b.edge(at, to, holds, &[], None);
    }

    fn odd(&mut self, at: LocationId) -> LocationId {
        let lock = self.random.below(self.locks.len());
        match self.random.below(6) {
            0 => self.free(at, lock),
            1 => {
                self.b.edge(at, self.end, None, &[], None);
                self.own(at)
            }
            2 => {
                // Looks at the lock.
                let (to, local) = (self.next(false), self.random.pick(&self.locals));
                let value = self.b.get(self.locks[lock]);
                let value = self.fit(value, 2);
                self.b.edge(at, to, None, &[(local, None, value)], None);
                to
            }
            3 => {
                let to = self.next(false);
                let guard = self.b.is(self.locks[lock], 1);
                self.assert(at, to, guard);
                to
            }
            4 => {
                // In an atomic section.
                let (middle, last) = (self.next(true), self.next(false));
                let (variable, _) = self.random.pick(&self.data);
                let assigned = self.assignment(variable);
                let guard = self.condition();
                self.b.edge(at, middle, None, &[assigned], None);
                self.b.edge(middle, last, Some(guard), &[], None);
                last
            }
            _ => self.signal(at),
        }
    }

    /// What others have in a variable changes.
    fn signal(&mut self, at: LocationId) -> LocationId {
        let to = self.next(false);
        let local = self.random.pick(&self.locals);
        let (variable, _) = self.random.pick(&self.data);
        let value = self.read(variable);
        let value = self.fit(value, 2);
        let guard = self.b.constant(1, 1);
        let update = PassiveUpdate { template: self.template, guard, assignments: vec![(local, value)] };
        let effect = if self.random.chance(50) {
            Effect::Signal(vec![update])
        } else {
            Effect::Broadcast(vec![update])
        };
        self.b.edge(at, to, None, &[], Some(effect));
        to
    }

    fn own(&mut self, at: LocationId) -> LocationId {
        let (to, local) = (self.next(false), self.random.pick(&self.locals));
        let value = self.b.plus(local, 1);
        self.b.edge(at, to, None, &[(local, None, value)], None);
        to
    }

    fn write(&mut self, at: LocationId, variable: VariableId) -> LocationId {
        let to = self.next(false);
        let assigned = self.assignment(variable);
        self.b.edge(at, to, None, &[assigned], None);
        to
    }

    fn assignment(&mut self, variable: VariableId) -> (VariableId, Option<ExpressionId>, ExpressionId) {
        let (bits, length) =
            (self.b.program.variable(variable).bits, self.b.program.variable(variable).length);
        let local = self.random.pick(&self.locals);
        let (one, held) = (self.b.constant(1, bits), self.b.get(local));
        let value = match self.random.below(3) {
            0 => self.b.constant(self.random.below(1 << bits) as u128, bits),
            1 => self.fit(held, bits),
            _ => {
                let old = self.read(variable);
                self.b.binary(BinaryOperator::Add, old, one)
            }
        };
        let index = (length > 1).then_some(held);
        (variable, index, value)
    }

    fn read(&mut self, variable: VariableId) -> ExpressionId {
        let (bits, length) =
            (self.b.program.variable(variable).bits, self.b.program.variable(variable).length);
        if length == 1 {
            return self.b.get(variable);
        }
        let local = self.random.pick(&self.locals);
        let index = self.b.get(local);
        self.b.program.expressions.insert(Expression::Element(variable, index), bits)
    }

    /// Something about a local variable.
    fn condition(&mut self) -> ExpressionId {
        let local = self.random.pick(&self.locals);
        self.b.is(local, self.random.below(2) as u128)
    }

    fn fit(&mut self, id: ExpressionId, bits: u32) -> ExpressionId {
        let expression = match self.b.program.expressions.bits(id).cmp(&bits) {
            std::cmp::Ordering::Equal => return id,
            std::cmp::Ordering::Less => Expression::Extend { operand: id, is_signed: false },
            std::cmp::Ordering::Greater => Expression::Extract { operand: id, low: 0 },
        };
        self.b.program.expressions.insert(expression, bits)
    }
}
