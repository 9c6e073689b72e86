//! Random formulas of all widths against an SMT-LIB solver, where one is installed.

use crate::naive::expression;
use throng_base::{Budget, StopReason};
use throng_solver::smtlib::SmtProcess;
use throng_solver::{BitSolver, Outcome, TermId, Terms};

fn process() -> Option<SmtProcess> {
    let process = SmtProcess::find();
    match &process {
        Some(process) => eprintln!("compared with {}", process.name()),
        None => eprintln!("skipped: no SMT-LIB solver is installed"),
    }
    process
}

#[test]
fn satisfiability_agrees_with_an_smt_solver() {
    let Some(mut process) = process() else { return };
    let (mut n_sat, mut n_unsat) = (0, 0);
    let budget = Budget::unlimited();
    arbtest::arbtest(|u| {
        let widest = *u.choose(&[4, 8, 16, 33, 64])?;
        let widths = [widest, 1.max(widest / 2), 3];
        let mut terms = Terms::new();
        let variables: Vec<TermId> =
            widths.iter().enumerate().map(|(i, &width)| terms.variable(&format!("x{i}"), width)).collect();
        // Products and quotients of wide variables are hard for everybody: less deep.
        let depth = match widest {
            ..8 => 3,
            8..20 => 2,
            _ => 1,
        };
        let mut formulas = Vec::new();
        for _ in 0..u.int_in_range(1..=4)? {
            let tree = expression(u, 1, &widths, depth, widest)?;
            formulas.push(tree.term(&mut terms, &variables));
        }
        let theirs = process.check(&terms, &formulas, &budget).expect("it answers");
        match (BitSolver::default().check(&terms, &formulas, &budget), theirs) {
            (Outcome::Sat(ours), Outcome::Sat(theirs)) => {
                assert!(ours.all_hold(&terms, &formulas) && theirs.all_hold(&terms, &formulas));
                n_sat += 1;
            }
            (Outcome::Unsat(_), Outcome::Unsat(_)) => n_unsat += 1,
            (ours, theirs) => {
                panic!("{ours:?} but {theirs:?}: {}", throng_solver::smtlib::script(&terms, &formulas))
            }
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(n_sat > 20 && n_unsat > 20, "both occur: {n_sat}, {n_unsat}");
}

#[test]
fn a_stopped_question_ends_the_process() {
    let Some(mut process) = process() else { return };
    // A product of two primes near 2^60.
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 120), terms.variable("y", 120));
    let (product, one) = (terms.mul(x, y), terms.constant(1, 120));
    let bound = terms.constant(1 << 60, 120);
    let value = terms.constant(1_152_921_504_606_846_883 * 1_152_921_504_606_846_869, 120);
    let formulas = [
        terms.eq(product, value),
        terms.ult(one, x),
        terms.ult(x, bound),
        terms.ult(one, y),
        terms.ult(y, bound),
    ];
    let budget = Budget::unlimited();
    budget.stop(StopReason::Timeout);
    let outcome = process.check(&terms, &formulas, &budget).expect("a budget is no error");
    assert!(matches!(outcome, Outcome::Unknown(StopReason::Timeout)), "{outcome:?}");
    assert!(process.check(&terms, &formulas[..1], &Budget::unlimited()).is_err());
}
