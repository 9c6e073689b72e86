//! Sections with locks that are not just taken and freed by name: passed by pointer, aliased, in rows, tried, made anew, freed by
//! somebody else, or waited with.

use super::Maker;
use throng_cfa::flow::*;

/// A way to say which lock is meant.
#[derive(Clone, Copy)]
enum Which {
    /// The first one or the last one, as a local variable says: a pointer, which may change on the way.
    Pointed(VariableId),
    /// An element of the row, at a constant or where a local variable says.
    Element(VariableId, ExpressionId),
}

impl Maker<'_> {
    /// A section with a lock that is used in another way.
    pub(super) fn other_section(&mut self, at: LocationId) -> LocationId {
        match self.random.below(6) {
            0 => self.pointed_section(at),
            1 if self.row.is_some() => self.row_section(at),
            2 => self.tried_section(at),
            3 => self.renewed_section(at),
            4 => self.handed_section(at),
            _ => self.waiting_section(at),
        }
    }

    /// Some steps while all locks are said to be held, or one of them.
    fn inside(&mut self, mut at: LocationId, lock: Option<usize>) -> LocationId {
        let before = self.is_held.clone();
        match lock {
            Some(lock) => self.is_held[lock] = true,
            None => self.is_held.fill(true),
        }
        for _ in 0..1 + self.random.below(2) {
            at = self.anything(at);
        }
        self.is_held = before;
        at
    }

    fn pointed_section(&mut self, at: LocationId) -> LocationId {
        let pointer = self.random.pick(&self.locals);
        let at = self.take_which(at, Which::Pointed(pointer));
        let at = self.inside(at, None);
        // Freed by the pointer, by another one, or by name.
        match self.random.below(4) {
            0 => {
                let lock = self.random.below(self.locks.len());
                self.free(at, lock)
            }
            1 => {
                let alias = self.random.pick(&self.locals);
                self.free_which(at, Which::Pointed(alias))
            }
            _ => self.free_which(at, Which::Pointed(pointer)),
        }
    }

    fn row_section(&mut self, at: LocationId) -> LocationId {
        let Some(row) = self.row else { return at };
        let local = self.random.pick(&self.locals);
        let index = match self.random.below(3) {
            0 => self.b.get(local),
            other => self.b.constant(other as u128 - 1, 2),
        };
        let at = self.take_which(at, Which::Element(row, index));
        let at = self.inside(at, None);
        self.free_which(at, Which::Element(row, index))
    }

    fn take_which(&mut self, at: LocationId, which: Which) -> LocationId {
        let to = self.next(false);
        match which {
            Which::Pointed(pointer) => {
                let (first, last) = (self.locks[0], self.locks[self.locks.len() - 1]);
                let (is_first_free, is_last_free) = (self.b.is(first, 0), self.b.is(last, 0));
                let is_first = self.b.is(pointer, 0);
                let e = &mut self.b.program.expressions;
                let guard = e.insert(Expression::IfThenElse(is_first, is_first_free, is_last_free), 1);
                let assigned = self.write_pointed(is_first, 1);
                self.b.edge(at, to, Some(guard), &assigned, None);
            }
            Which::Element(row, index) => {
                let held = self.b.program.expressions.insert(Expression::Element(row, index), 1);
                let (is_free, one) = (self.b.not(held), self.b.constant(1, 1));
                self.b.edge(at, to, Some(is_free), &[(row, Some(index), one)], None);
            }
        }
        to
    }

    fn free_which(&mut self, at: LocationId, which: Which) -> LocationId {
        let to = self.next(false);
        match which {
            Which::Pointed(pointer) => {
                let is_first = self.b.is(pointer, 0);
                let assigned = self.write_pointed(is_first, 0);
                self.b.edge(at, to, None, &assigned, None);
            }
            Which::Element(row, index) => {
                let zero = self.b.constant(0, 1);
                self.b.edge(at, to, None, &[(row, Some(index), zero)], None);
            }
        }
        to
    }

    /// `*p = value`, as the front end says it: each lock that may be meant gets the value or keeps its own.
    fn write_pointed(
        &mut self,
        is_first: ExpressionId,
        value: u128,
    ) -> Vec<(VariableId, Option<ExpressionId>, ExpressionId)> {
        let n_locks = self.locks.len();
        let mut assigned = Vec::new();
        for (place, lock) in self.locks.clone().into_iter().enumerate() {
            let bits = self.b.program.variable(lock).bits;
            let (new, old) = (self.b.constant(value, bits), self.b.get(lock));
            let e = &mut self.b.program.expressions;
            let value = match (place, n_locks) {
                (_, 1) => new,
                (0, _) => e.insert(Expression::IfThenElse(is_first, new, old), bits),
                _ => e.insert(Expression::IfThenElse(is_first, old, new), bits),
            };
            assigned.push((lock, None, value));
        }
        assigned
    }

    /// `if (trylock() == 0) { … unlock(); }`, and sometimes unlock even if it failed.
    fn tried_section(&mut self, at: LocationId) -> LocationId {
        let lock = self.random.below(self.locks.len());
        let id = self.locks[lock];
        let bits = self.b.program.variable(id).bits;
        let local = self.random.pick(&self.locals);
        let (tried, inside, to) = (self.next(false), self.next(false), self.next(false));
        let (is_free, old, one) = (self.b.is(id, 0), self.b.get(id), self.b.constant(1, bits));
        let e = &mut self.b.program.expressions;
        let new = e.insert(Expression::IfThenElse(is_free, one, old), bits);
        let got = e.insert(Expression::Extend { operand: is_free, is_signed: false }, 2);
        self.b.edge(at, tried, None, &[(id, None, new), (local, None, got)], None);
        let (has, has_not) = (self.b.is(local, 1), self.b.is(local, 0));
        self.b.edge(tried, inside, Some(has), &[], None);
        let other = if self.random.chance(self.style.odd) { inside } else { to };
        self.b.edge(tried, other, Some(has_not), &[], None);
        let last = self.inside(inside, Some(lock));
        let last = self.free(last, lock);
        self.b.edge(last, to, None, &[], None);
        to
    }

    /// `mutex_init()` before or within the section, whoever holds the lock.
    fn renewed_section(&mut self, at: LocationId) -> LocationId {
        let lock = self.random.below(self.locks.len());
        let mut at = at;
        let place = self.random.below(3);
        if place == 0 {
            at = self.free(at, lock);
        }
        at = self.take(at, lock);
        at = self.inside(at, Some(lock));
        if place == 1 {
            at = self.free(at, lock);
            at = self.inside(at, Some(lock));
        }
        self.free(at, lock)
    }

    /// Taken and left for another thread to free, or freed for another thread: sometimes by starting one.
    fn handed_section(&mut self, at: LocationId) -> LocationId {
        let lock = self.random.below(self.locks.len());
        if self.random.chance(50) {
            let at = self.inside(at, Some(lock));
            return self.free(at, lock);
        }
        let at = self.take(at, lock);
        let at = self.inside(at, Some(lock));
        if self.random.chance(50) {
            let to = self.next(false);
            let template = TemplateId::new(1);
            self.b.edge(at, to, None, &[], Some(Effect::Spawn { template, arguments: Vec::new() }));
            return to;
        }
        at
    }

    /// `lock(); … cond_wait(); … cond_signal(); unlock();`
    fn waiting_section(&mut self, at: LocationId) -> LocationId {
        let lock = self.random.below(self.locks.len());
        let at = self.take(at, lock);
        let mut at = self.inside(at, Some(lock));
        if self.random.chance(60) {
            at = self.wait(at, lock);
            at = self.inside(at, Some(lock));
        }
        if self.random.chance(60) {
            at = self.wake(at);
        }
        self.free(at, lock)
    }

    /// Frees the lock and sleeps in one step; when woken, or for no reason, takes it again.
    fn wait(&mut self, at: LocationId, lock: usize) -> LocationId {
        let id = self.locks[lock];
        let bits = self.b.program.variable(id).bits;
        let waiting = self.waiting[self.template.index()];
        let (asleep, to) = (self.next(false), self.next(false));
        let (zero, yes, one) = (self.b.constant(0, bits), self.b.constant(1, 1), self.b.constant(1, bits));
        self.b.edge(at, asleep, None, &[(id, None, zero), (waiting, None, yes)], None);
        let is_free = self.b.is(id, 0);
        let guard = if self.random.chance(30) {
            is_free
        } else {
            let is_woken = self.b.is(waiting, 0);
            self.b.binary(BinaryOperator::And, is_woken, is_free)
        };
        // Sometimes the lock is not taken again.
        let is_odd = self.random.chance(self.style.odd);
        let assigned = if is_odd { vec![] } else { vec![(id, None, one)] };
        self.b.edge(asleep, to, Some(guard), &assigned, None);
        to
    }

    /// A signal or a broadcast to all that wait.
    fn wake(&mut self, at: LocationId) -> LocationId {
        let to = self.next(false);
        let no = self.b.constant(0, 1);
        let mut updates = Vec::new();
        for (index, &waiting) in self.waiting.iter().enumerate() {
            let guard = self.b.program.expressions.insert(Expression::Passive(waiting), 1);
            let template = TemplateId::new(index);
            updates.push(PassiveUpdate { template, guard, assignments: vec![(waiting, no)] });
        }
        let is_signal = self.random.chance(60);
        let effect = if is_signal { Effect::Signal(updates) } else { Effect::Broadcast(updates) };
        self.b.edge(at, to, None, &[], Some(effect));
        to
    }
}
