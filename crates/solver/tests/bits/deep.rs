//! Terms as deep as they come do not overflow the stack.

use throng_base::Budget;
use throng_solver::{BitSolver, Terms};

const DEPTH: u32 = 20_000;

/// Runs on a stack on which recursion over such terms would fail at once.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(test).expect("a thread starts");
    thread.join().expect("the test passes");
}

#[test]
fn deep_terms_are_made_evaluated_substituted_and_solved() {
    on_a_small_stack(|| {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", 8), terms.variable("y", 8));
        let mut chain = x;
        let mut expected = 5_u8;
        for i in 0..DEPTH {
            let k = terms.constant(u128::from(i), 8);
            chain = match i % 3 {
                0 => terms.add(chain, y),
                1 => terms.xor(chain, k),
                _ => terms.not(chain),
            };
            expected = match i % 3 {
                0 => expected.wrapping_add(3),
                1 => expected ^ i as u8,
                _ => !expected,
            };
        }
        let (five, three) = (terms.constant(5, 8), terms.constant(3, 8));
        let value = |variable| if terms.variable_term(variable) == x { 5 } else { 3 };
        assert_eq!(terms.eval(chain, &value), u128::from(expected));
        let replaced = terms.substitute(&[chain], &|variable| (variable.index() == 0).then_some(five))[0];
        let value = terms.constant(u128::from(expected), 8);
        let (given, equation) = (terms.eq(y, three), terms.ne(replaced, value));
        let mut solver = BitSolver::default();
        assert!(solver.check(&terms, &[given, equation], &Budget::unlimited()).is_unsat());
    });
}

#[test]
fn deep_chains_of_what_constructors_look_through_are_made() {
    on_a_small_stack(|| {
        let mut terms = Terms::new();
        let (x, c) = (terms.variable("x", 16), terms.variable("c", 1));
        let mut chain = x;
        let mut formula = c;
        for i in 0..DEPTH {
            let k = terms.constant(u128::from(i) | 1, 16);
            chain = match i % 6 {
                0 => terms.add(chain, k),
                1 => terms.not(chain),
                2 => terms.sub(k, chain),
                3 => terms.xor(chain, k),
                4 => {
                    let (high, low) = (terms.extract(chain, 15, 8), terms.extract(chain, 7, 0));
                    terms.concat(low, high)
                }
                _ => {
                    let wide = terms.zext(chain, 32);
                    let k = terms.constant(u128::from(i), 32);
                    let sum = terms.add(wide, k);
                    terms.extract(sum, 15, 0)
                }
            };
            let equation = terms.eq(chain, k);
            formula = terms.ite(equation, formula, c);
        }
        let mut solver = BitSolver::default();
        assert!(solver.check(&terms, &[formula], &Budget::unlimited()).is_sat());
    });
}
