//! Random formulas against trying all values.

use crate::naive::{Expr, Kind, expression};
use arbitrary::{Result, Unstructured};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_solver::{Backend, BitSolver, Outcome, TermId, Terms};

const WIDTHS: [u32; 3] = [3, 2, 4];

fn variables(terms: &mut Terms) -> Vec<TermId> {
    WIDTHS.iter().enumerate().map(|(i, &width)| terms.variable(&format!("x{i}"), width)).collect()
}

/// All values of the variables.
fn valuations() -> impl Iterator<Item = Vec<u128>> {
    let total: u32 = WIDTHS.iter().sum();
    (0..1_u128 << total).map(|mut code| {
        let digits = WIDTHS.iter().map(|&width| {
            let digit = code % (1 << width);
            code /= 1 << width;
            digit
        });
        digits.collect()
    })
}

fn formulas(u: &mut Unstructured<'_>, most: usize) -> Result<Vec<Expr>> {
    let n = u.int_in_range(1..=most)?;
    (0..n).map(|_| expression(u, 1, &WIDTHS, 4, 6)).collect()
}

fn holds(formulas: &[Expr], values: &[u128]) -> bool {
    formulas.iter().all(|formula| formula.eval(values) == 1)
}

#[test]
fn simplified_terms_have_the_same_values() {
    arbtest::arbtest(|u| {
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let width = u.int_in_range(1..=6)?;
        let tree = expression(u, width, &WIDTHS, 5, 7)?;
        let term = tree.term(&mut terms, &variables);
        assert_eq!(terms.width(term), width);
        for values in valuations().step_by(7) {
            let found = terms.eval(term, &|variable| values[variable.index()]);
            assert_eq!(found, tree.eval(&values), "{tree:?} for {values:?}");
        }
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn substitution_commutes_with_evaluation() {
    arbtest::arbtest(|u| {
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let tree = expression(u, 4, &WIDTHS, 4, 6)?;
        let term = tree.term(&mut terms, &variables);
        let replacement = expression(u, WIDTHS[0], &WIDTHS, 3, 6)?;
        let by = replacement.term(&mut terms, &variables);
        let replaced = terms.substitute(&[term], &|variable| (variable.index() == 0).then_some(by))[0];
        for values in valuations().step_by(5) {
            let mut inner = values.clone();
            inner[0] = replacement.eval(&values);
            let found = terms.eval(replaced, &|variable| values[variable.index()]);
            assert_eq!(found, tree.eval(&inner));
        }
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn satisfiability_agrees_with_trying_all_values() {
    let (mut n_sat, mut n_unsat) = (0, 0);
    arbtest::arbtest(|u| {
        let backend = *u.choose(Backend::ALL)?;
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let (asserted, assumed) = (formulas(u, 2)?, formulas(u, 4)?);
        let mut solver = BitSolver::new(backend);
        for formula in &asserted {
            let formula = formula.term(&mut terms, &variables);
            solver.assert(&terms, formula);
        }
        let assumptions: Vec<TermId> =
            assumed.iter().map(|formula| formula.term(&mut terms, &variables)).collect();
        let all: Vec<Expr> = asserted.iter().chain(&assumed).cloned().collect();
        match solver.check(&terms, &assumptions, &Budget::unlimited()) {
            Outcome::Sat(model) => {
                assert!(holds(&all, &model.values(&terms, &variables)));
                n_sat += 1;
            }
            Outcome::Unsat(core) => {
                assert!(!valuations().any(|values| holds(&all, &values)), "{all:?}");
                assert_core(&asserted, &assumed, &assumptions, &core, false);
                let (least, complete) = solver.minimise_core(&terms, core, &Budget::unlimited());
                assert_eq!(complete, Ok(()));
                assert_core(&asserted, &assumed, &assumptions, &least, true);
                n_unsat += 1;
            }
            Outcome::Unknown(reason) => panic!("no limit: {reason}"),
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(n_sat > 20 && n_unsat > 20, "both occur: {n_sat}, {n_unsat}");
}

/// The core contradicts the assertions; no part of it does if it is minimal.
fn assert_core(
    asserted: &[Expr],
    assumed: &[Expr],
    assumptions: &[TermId],
    core: &[TermId],
    is_minimal: bool,
) {
    let tree = |term: &TermId| {
        let position = assumptions.iter().position(|assumption| assumption == term);
        assumed[position.expect("a core is made of assumptions")].clone()
    };
    let with = |core: &[TermId]| {
        let all: Vec<Expr> = asserted.iter().cloned().chain(core.iter().map(tree)).collect();
        valuations().any(|values| holds(&all, &values))
    };
    assert!(!with(core), "a core is contradictory");
    for left_out in 0..if is_minimal { core.len() } else { 0 } {
        let mut rest = core.to_vec();
        rest.remove(left_out);
        assert!(with(&rest), "nothing can be left out of a minimal core");
    }
}

#[test]
fn enumeration_finds_exactly_the_projections_of_all_models() {
    arbtest::arbtest(|u| {
        let backend = *u.choose(Backend::ALL)?;
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let (asserted, assumed) = (formulas(u, 1)?, formulas(u, 1)?);
        let over = [expression(u, 2, &WIDTHS, 3, 6)?, expression(u, 1, &WIDTHS, 3, 6)?];
        let mut solver = BitSolver::new(backend);
        for formula in &asserted {
            let formula = formula.term(&mut terms, &variables);
            solver.assert(&terms, formula);
        }
        let assumptions: Vec<TermId> = assumed.iter().map(|tree| tree.term(&mut terms, &variables)).collect();
        let over_terms: Vec<TermId> = over.iter().map(|tree| tree.term(&mut terms, &variables)).collect();
        let all: Vec<Expr> = asserted.iter().chain(&assumed).cloned().collect();
        let expected: BTreeSet<Vec<u128>> = valuations()
            .filter(|values| holds(&all, values))
            .map(|values| over.iter().map(|tree| tree.eval(&values)).collect())
            .collect();
        // Twice: enumeration leaves no trace.
        for _ in 0..2 {
            let mut found = BTreeSet::new();
            let flow =
                solver.for_each_model(&terms, &assumptions, &over_terms, &Budget::unlimited(), |values| {
                    assert!(found.insert(values.to_vec()), "each once");
                    ControlFlow::Continue(())
                });
            assert_eq!(flow, Ok(ControlFlow::Continue(())));
            assert_eq!(found, expected);
        }
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn cubes_cover_exactly_the_projections_of_all_models() {
    let (mut n_open, mut n_cubes) = (0, 0);
    arbtest::arbtest(|u| {
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let (asserted, assumed) = (formulas(u, 1)?, formulas(u, 1)?);
        // A variable, and a term that may contain it or not.
        let depth = u.arbitrary::<bool>()?.into();
        let over = [Expr { width: WIDTHS[0], kind: Kind::Variable(0) }, expression(u, 2, &WIDTHS, depth, 6)?];
        let mut solver = BitSolver::default();
        let [asserted_terms, assumptions, over_terms] = [&asserted[..], &assumed, &over]
            .map(|trees| trees.iter().map(|tree| tree.term(&mut terms, &variables)).collect::<Vec<TermId>>());
        for formula in asserted_terms {
            solver.assert(&terms, formula);
        }
        let all: Vec<Expr> = asserted.iter().chain(&assumed).cloned().collect();
        let expected: BTreeSet<Vec<u128>> = valuations()
            .filter(|values| holds(&all, values))
            .map(|values| over.iter().map(|tree| tree.eval(&values)).collect())
            .collect();
        let mut found = BTreeSet::new();
        let flow = solver.for_each_cube(&terms, &assumptions, &over_terms, &Budget::unlimited(), |cube| {
            n_cubes += 1;
            n_open += u32::from(cube[0].known != 7);
            for a in (0..8).filter(|&a| cube[0].contains(a)) {
                found.extend((0..4).filter(|&b| cube[1].contains(b)).map(|b| vec![a, b]));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        assert_eq!(found, expected);
        Ok(())
    })
    .budget_ms(1500);
    assert!(n_open * 20 > n_cubes && n_open > 20, "{n_open} of {n_cubes} cubes leave bits open");
}

#[test]
fn levels_leave_no_trace() {
    arbtest::arbtest(|u| {
        let backend = *u.choose(Backend::ALL)?;
        let mut terms = Terms::new();
        let variables = variables(&mut terms);
        let mut solver = BitSolver::new(backend);
        let mut stack: Vec<Vec<Expr>> = vec![Vec::new()];
        for _ in 0..12 {
            match u.int_in_range(0..=2)? {
                0 => {
                    solver.push();
                    stack.push(Vec::new());
                }
                1 if stack.len() > 1 => {
                    solver.pop();
                    stack.pop();
                }
                _ => {
                    let tree = expression(u, 1, &WIDTHS, 3, 5)?;
                    let formula = tree.term(&mut terms, &variables);
                    solver.assert(&terms, formula);
                    stack.last_mut().expect("never empty").push(tree);
                }
            }
            let all: Vec<Expr> = stack.iter().flatten().cloned().collect();
            let expected = valuations().any(|values| holds(&all, &values));
            assert_eq!(solver.check(&terms, &[], &Budget::unlimited()).is_sat(), expected);
        }
        Ok(())
    })
    .budget_ms(1500);
}
