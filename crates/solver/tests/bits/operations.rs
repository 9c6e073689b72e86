//! Each operation: its value against the machine's arithmetic, and its circuit against its value.

use crate::naive::{self, OPS};
use throng_base::Budget;
use throng_solver::terms::{Op, values};
use throng_solver::{Backend, BitSolver, Outcome, TermId, Terms};

/// A reproducible stream of numbers (xorshift64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn value(&mut self, width: u32) -> u128 {
        let value = u128::from(self.next()) << 64 | u128::from(self.next());
        // Small numbers, and large ones.
        value >> (self.next() % 128) & values::ones(width)
    }
}

/// Corner values.
fn corners(width: u32) -> Vec<u128> {
    let ones = values::ones(width);
    let all = [0, 1, 2, 3, 7, u128::from(width) - 1, u128::from(width), u128::from(width) + 1];
    let mut all: Vec<u128> = all.into_iter().chain([ones, ones - 1, ones >> 1, (ones >> 1) + 1]).collect();
    all.iter_mut().for_each(|value| *value &= ones);
    all.sort_unstable();
    all.dedup();
    all
}

/// Pairs of corner values and of random ones.
fn pairs(width: u32, n_random: usize) -> Vec<(u128, u128)> {
    let corners = corners(width);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut all: Vec<_> = corners.iter().flat_map(|&a| corners.iter().map(move |&b| (a, b))).collect();
    all.extend((0..n_random).map(|_| (numbers.value(width), numbers.value(width))));
    all
}

/// What the machine does, where it does what SMT-LIB says: not for division by zero, and for shifts below the
/// width.
macro_rules! machine {
    ($unsigned:ty, $signed:ty, $op:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a as $unsigned, $b as $unsigned);
        let (x, y) = (a as $signed, b as $signed);
        let amount = u32::try_from($b).ok().filter(|&amount| amount < <$unsigned>::BITS);
        let value = match $op {
            Op::And => Some(a & b),
            Op::Or => Some(a | b),
            Op::Xor => Some(a ^ b),
            Op::Add => Some(a.wrapping_add(b)),
            Op::Sub => Some(a.wrapping_sub(b)),
            Op::Mul => Some(a.wrapping_mul(b)),
            Op::UDiv => a.checked_div(b),
            Op::URem => a.checked_rem(b),
            Op::SDiv => (b != 0).then(|| x.wrapping_div(y) as $unsigned),
            Op::SRem => (b != 0).then(|| x.wrapping_rem(y) as $unsigned),
            Op::Shl => amount.map(|amount| a << amount),
            Op::LShr => amount.map(|amount| a >> amount),
            Op::AShr => amount.map(|amount| (x >> amount) as $unsigned),
            Op::Eq => Some((a == b).into()),
            Op::Ult => Some((a < b).into()),
            Op::Slt => Some((x < y).into()),
            Op::Concat => None,
        };
        value.map(|value| value as u128)
    }};
}

#[test]
fn operations_on_values_are_the_machines() {
    for width in [8, 16, 32, 64, 128] {
        for (a, b) in pairs(width, 2000) {
            for op in OPS {
                let expected = match width {
                    8 => machine!(u8, i8, op, a, b),
                    16 => machine!(u16, i16, op, a, b),
                    32 => machine!(u32, i32, op, a, b),
                    64 => machine!(u64, i64, op, a, b),
                    _ => machine!(u128, i128, op, a, b),
                };
                if let Some(expected) = expected {
                    assert_eq!(
                        values::apply(op, width, a, b),
                        expected,
                        "{op:?} of {a} and {b}, {width} bits"
                    );
                }
            }
        }
    }
}

#[test]
fn operations_on_values_are_those_of_the_standard() {
    for width in [1, 2, 3, 7, 8, 31, 64, 127, 128] {
        for (a, b) in pairs(width, 300) {
            for op in OPS {
                if op == Op::Concat && width > 64 {
                    continue;
                }
                let expected = naive::apply(op, width, a, b);
                assert_eq!(values::apply(op, width, a, b), expected, "{op:?} of {a} and {b}, {width} bits");
            }
        }
    }
}

/// Checks that inputs x = a, y = b force the value of a term.
fn forces(
    solver: &mut BitSolver,
    terms: &mut Terms,
    inputs: &[(TermId, u128)],
    term: TermId,
    expected: u128,
) {
    let budget = Budget::unlimited();
    let mut assumptions: Vec<TermId> = Vec::new();
    for &(input, value) in inputs {
        let value = terms.constant(value, terms.width(input));
        assumptions.push(terms.eq(input, value));
    }
    let Outcome::Sat(model) = solver.check(terms, &assumptions, &budget) else { panic!("inputs are free") };
    assert_eq!(model.value(terms, term), expected);
    let expected = terms.constant(expected, terms.width(term));
    assumptions.push(terms.ne(term, expected));
    assert!(solver.check(terms, &assumptions, &budget).is_unsat(), "{inputs:?} force the value");
}

fn circuits_agree(width: u32, ops: &[Op], n_random: usize, most: usize) {
    for &backend in Backend::ALL {
        for &op in ops {
            let mut terms = Terms::new();
            let (x, y) = (terms.variable("x", width), terms.variable("y", width));
            let term = terms.binary(op, x, y);
            // The result as a variable, so that it has to be computed in every model.
            let result = terms.variable("result", terms.width(term));
            let definition = terms.eq(result, term);
            let mut solver = BitSolver::new(backend);
            solver.assert(&terms, definition);
            let pairs = pairs(width, n_random);
            let step = pairs.len().div_ceil(most);
            for &(a, b) in pairs.iter().step_by(step) {
                let expected = naive::apply(op, width, a, b);
                assert_eq!(terms.eval(term, &|v| if terms.variable_term(v) == x { a } else { b }), expected);
                forces(&mut solver, &mut terms, &[(x, a), (y, b)], result, expected);
            }
        }
    }
}

#[test]
fn circuits_of_narrow_operations_compute_their_values() {
    for width in [1, 2, 7, 8] {
        circuits_agree(width, &OPS, 60, 200);
    }
}

#[test]
fn circuits_of_wide_operations_compute_their_values() {
    for width in [16, 32, 64, 128] {
        let most = if width > 32 { 8 } else { 40 };
        let last = if width > 64 { 16 } else { 17 };
        circuits_agree(width, &OPS[..last], 40, most);
    }
}

#[test]
fn operations_with_a_constant_compute_their_values() {
    for width in [1, 2, 7, 8, 32, 128] {
        let constants = corners(width);
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        for op in &OPS[..16] {
            // Wide circuits are large, and each constant makes its own.
            let step = if width > 64 { 6 } else { 1 };
            for &k in constants.iter().step_by(step).chain(&[numbers.value(width)]) {
                let mut terms = Terms::new();
                let x = terms.variable("x", width);
                let k_term = terms.constant(k, width);
                let both = [terms.binary(*op, x, k_term), terms.binary(*op, k_term, x)];
                let mut solver = BitSolver::default();
                for a in [numbers.value(width), constants[constants.len() / 2]] {
                    let expected = [naive::apply(*op, width, a, k), naive::apply(*op, width, k, a)];
                    for (term, expected) in both.into_iter().zip(expected) {
                        assert_eq!(terms.eval(term, &|_| a), expected, "{op:?} of {a} and {k}, {width} bits");
                        forces(&mut solver, &mut terms, &[(x, a)], term, expected);
                    }
                }
            }
        }
    }
}

#[test]
fn extensions_and_extracts_compute_their_values() {
    for (from, to) in [(1, 2), (1, 128), (7, 8), (8, 16), (8, 32), (32, 64), (63, 64), (64, 128), (127, 128)]
    {
        let mut terms = Terms::new();
        let x = terms.variable("x", from);
        let y = terms.variable("y", to);
        let (zext, sext) = (terms.zext(x, to), terms.sext(x, to));
        let (low, high) = (terms.extract(y, from - 1, 0), terms.extract(y, to - 1, to - from));
        let mut solver = BitSolver::default();
        for (a, b) in corners(from).into_iter().zip(corners(to)) {
            let is_negative = a >> (from - 1) == 1;
            let above = values::ones(to) - values::ones(from);
            let inputs = [(x, a), (y, b)];
            forces(&mut solver, &mut terms, &inputs, zext, a);
            forces(&mut solver, &mut terms, &inputs, sext, if is_negative { a + above } else { a });
            forces(&mut solver, &mut terms, &inputs, low, b & values::ones(from));
            forces(&mut solver, &mut terms, &inputs, high, b >> (to - from));
        }
    }
}

#[test]
fn operations_are_inverted() {
    // Free inputs with a given output: models are checked with the evaluator.
    let budget = Budget::unlimited();
    for width in [8, 16, 32] {
        for op in &OPS[..13] {
            let mut terms = Terms::new();
            let (x, y) = (terms.variable("x", width), terms.variable("y", width));
            let term = terms.binary(*op, x, y);
            let mut numbers = Numbers(0x1234_5678_9abc_def1);
            let (a, b) = (numbers.value(width), numbers.value(width));
            let output = terms.constant(naive::apply(*op, width, a, b), width);
            let known = terms.constant(b, width);
            let formulas = [terms.eq(term, output), terms.eq(y, known)];
            for n_given in [1, 2] {
                let outcome = BitSolver::default().check(&terms, &formulas[..n_given], &budget);
                let Outcome::Sat(model) = outcome else { panic!("{a} and {b} are a model for {op:?}") };
                assert!(model.all_hold(&terms, &formulas[..n_given]));
            }
        }
    }
}
