//! Every library that was built in: models, cores, budgets, and random clauses against trying all values.

use super::*;

fn variables(sat: &mut dyn Sat, n: usize) -> Vec<Lit> {
    (0..n).map(|_| Lit::new(sat.new_var(), true)).collect()
}

/// Pigeons without enough holes: no short refutation by resolution exists.
fn pigeons(sat: &mut dyn Sat, holes: usize) {
    let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| variables(sat, holes)).collect();
    for (i, pigeon) in sits.iter().enumerate() {
        sat.add_clause(pigeon);
        for other in &sits[..i] {
            for (&a, &b) in pigeon.iter().zip(other) {
                sat.add_clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn assumptions_are_for_one_search_and_cores_name_them() {
    for &backend in Backend::ALL {
        let mut sat = backend.solver();
        let budget = Budget::unlimited();
        let [a, b, c, d] = variables(&mut *sat, 4).try_into().expect("four");
        sat.add_clause(&[!a, !b]);
        sat.add_clause(&[c, d]);
        assert_eq!(sat.solve(&[d, a, c, b], &budget), SatResult::Unsatisfiable);
        let mut core = sat.core().to_vec();
        core.sort();
        assert_eq!(core, [a, b], "{backend:?}");
        assert_eq!(sat.solve(&[a, !d], &budget), SatResult::Satisfiable);
        assert!(sat.value(a) && !sat.value(b) && sat.value(c) && sat.value(!d));
        assert_eq!(sat.solve(&[c, !c], &budget), SatResult::Unsatisfiable);
        assert_eq!(sat.core().len(), 2, "contradicting assumptions: {:?}", sat.core());
        sat.add_clause(&[a]);
        sat.add_clause(&[!a]);
        assert_eq!(sat.solve(&[c], &budget), SatResult::Unsatisfiable);
        assert!(sat.core().is_empty(), "the clauses alone are contradictory");
        assert_eq!((sat.statistics().variables, sat.statistics().solves), (4, 4));
    }
}

#[test]
fn a_search_ends_with_its_budget() {
    for &backend in Backend::ALL {
        let mut sat = backend.solver();
        pigeons(&mut *sat, 14);
        let budget = Budget::unlimited();
        let other = budget.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            other.stop(StopReason::Timeout);
        });
        assert_eq!(sat.solve(&[], &budget), SatResult::Stopped(StopReason::Timeout), "{backend:?}");
        stopper.join().unwrap();
        let mut small = backend.solver();
        pigeons(&mut *small, 4);
        assert_eq!(small.solve(&[], &Budget::unlimited()), SatResult::Unsatisfiable);
    }
}

#[test]
fn random_clauses_agree_with_trying_all_values() {
    const N: usize = 6;
    let holds = |clauses: &[Vec<Lit>], bits: usize| {
        let is_true = |lit: &Lit| (bits >> lit.variable().index() & 1 == 1) == lit.is_positive();
        clauses.iter().all(|clause| clause.iter().any(is_true))
    };
    let (mut n_sat, mut n_unsat) = (0, 0);
    arbtest::arbtest(|u| {
        for &backend in Backend::ALL {
            let mut sat = backend.solver();
            let x = variables(&mut *sat, N);
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for _ in 0..u.int_in_range(5..=30)? {
                let n = u.int_in_range(1..=4)?;
                let lits = (0..n).map(|_| Ok(u.choose(&x)?.equals(u.arbitrary()?)));
                clauses.push(lits.collect::<arbitrary::Result<_>>()?);
                sat.add_clause(clauses.last().expect("just pushed"));
            }
            let n = u.int_in_range(0..=3)?;
            let assumptions: Vec<Lit> =
                (0..n).map(|_| Ok(u.choose(&x)?.equals(u.arbitrary()?))).collect::<arbitrary::Result<_>>()?;
            let with = |extra: &[Lit]| {
                let all: Vec<Vec<Lit>> =
                    clauses.iter().cloned().chain(extra.iter().map(|&lit| vec![lit])).collect();
                (0..1 << N).any(|bits| holds(&all, bits))
            };
            match sat.solve(&assumptions, &Budget::unlimited()) {
                SatResult::Satisfiable => {
                    let bits = (0..N).map(|i| usize::from(sat.value(x[i])) << i).sum();
                    assert!(holds(&clauses, bits) && assumptions.iter().all(|&lit| sat.value(lit)));
                    n_sat += 1;
                }
                SatResult::Unsatisfiable => {
                    assert!(sat.core().iter().all(|lit| assumptions.contains(lit)));
                    assert!(!with(sat.core()), "a core is unsatisfiable: {:?}", sat.core());
                    n_unsat += 1;
                }
                SatResult::Stopped(reason) => panic!("no limit: {reason}"),
            }
        }
        Ok(())
    })
    .budget_ms(700);
    assert!(n_sat > 20 && n_unsat > 20, "both occur: {n_sat}, {n_unsat}");
}
