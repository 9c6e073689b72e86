//! `syscall(number, …)`: the system calls that synchronise threads, and a few that only return something. Others are unknown
//! functions.
//!
//! A futex is a place to wait: `FUTEX_WAIT` fails if the word is not what the caller says, and may return at any time otherwise
//! (Linux allows that it does so without a reason, and signals do it); so for what can be reached, waking is no effect.

use super::threads::strip;
use super::{Lower, types};
use crate::hir::Expression;
use throng_cfa::flow::{ExpressionId, ValueType};

/// The numbers of system calls: those of the machine for which the system's headers are made.
struct Numbers {
    futex: u128,
    gettid: u128,
    sched_yield: u128,
}

const NUMBERS: Numbers = if cfg!(target_arch = "x86_64") {
    Numbers { futex: 202, gettid: 186, sched_yield: 24 }
} else {
    Numbers { futex: 98, gettid: 178, sched_yield: 124 }
};

/// Operations on futexes, without their flags.
const WAIT: [u128; 2] = [0, 9];
const WAKE: [u128; 2] = [1, 10];
const FLAGS: u128 = 128 | 256;

impl<'p> Lower<'p> {
    /// A call of `syscall`.
    pub(super) fn system_call(&mut self, arguments: &'p [Expression], e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let number = arguments.first().and_then(|number| self.constant_argument(number));
        self.nondet_span = e.span;
        match (number, arguments) {
            (Some(number), [_, word, operation, value, ..]) if number == NUMBERS.futex => {
                let operation = self.constant_argument(operation).map(|operation| operation & !FLAGS);
                match operation {
                    Some(operation) if WAIT.contains(&operation) => self.futex_wait(word, value, e),
                    Some(operation) if WAKE.contains(&operation) => {
                        arguments[1..].iter().for_each(|argument| self.effect(argument));
                        let woken = self.nondet("futex", 31, ValueType::Integer { is_signed: false });
                        self.e.resize(woken, bits, false)
                    }
                    _ => self.unknown_call("syscall", arguments, e),
                }
            }
            (Some(number), [_]) if number == NUMBERS.gettid => {
                let value = self.nondet("gettid", 31, ValueType::Integer { is_signed: false });
                self.e.resize(value, bits, false)
            }
            (Some(number), [_]) if number == NUMBERS.sched_yield => self.e.constant(0, bits),
            _ => self.unknown_call("syscall", arguments, e),
        }
    }

    /// The value of an argument that is a constant where it stands.
    fn constant_argument(&mut self, e: &'p Expression) -> Option<u128> {
        if self.has_effects(e) || self.shared_reads(e) > 0 {
            return None;
        }
        let obligations = self.obligations.len();
        let value = self.value(e);
        self.obligations.truncate(obligations);
        self.e.as_constant(value)
    }

    fn futex_wait(&mut self, word: &'p Expression, value: &'p Expression, e: &'p Expression) -> ExpressionId {
        let bits = types::bits_of(self.program, e.ty);
        let pointer = strip(word);
        let is_word =
            |&to: &_| types::size_of(self.program, to) == 4 && types::bits_of(self.program, to) == 32;
        let Some(to) = types::pointee(self.program, pointer.ty).filter(is_word) else {
            let message = "a futex has to be given by the address of an integer of 32 bits";
            self.refuse("E0721", message, e.span, "do not convert the pointer to another type");
            return self.e.constant(0, bits);
        };
        let wanted = self.value(value);
        let wanted = self.materialise(wanted, value.span);
        let wanted = self.e.resize(wanted, 32, false);
        let spot = self.dereference(pointer, to);
        let held = self.read(&spot, to, e.span);
        let held = self.materialise(held, e.span);
        let held = self.e.resize(held, 32, false);
        let is_equal = self.e.equal(held, wanted);
        let failed = self.nondet("futex", 1, ValueType::Bool);
        let failed = self.e.resize(failed, bits, true);
        let again = self.e.constant(u128::MAX, bits);
        self.note("futex", "waiting for a futex may end at any time, as Linux allows", e.span);
        self.e.if_then_else(is_equal, failed, again)
    }
}
