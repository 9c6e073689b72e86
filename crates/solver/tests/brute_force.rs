//! The solver against trying all values, and against an SMT-LIB solver where one is installed.

use arbitrary::{Result, Unstructured};
use std::io::Write;
use std::process::{Command, Stdio};
use throng_base::Budget;
use throng_solver::{Feasibility, LinearSolver};

/// Inequalities a·x ≤ b.
type Inequalities = Vec<(Vec<i64>, i128)>;

fn inequalities(u: &mut Unstructured<'_>, n: usize, largest: i64) -> Result<Inequalities> {
    let count = u.int_in_range(1..=6)?;
    (0..count)
        .map(|_| {
            let form = (0..n).map(|_| u.int_in_range(-largest..=largest)).collect::<Result<_>>()?;
            Ok((form, i128::from(u.int_in_range(-3 * largest..=3 * largest)?)))
        })
        .collect()
}

fn add(solver: &mut LinearSolver, inequalities: &Inequalities) {
    for (form, bound) in inequalities {
        let form: Vec<_> = form.iter().enumerate().map(|(i, &c)| (solver.variable(i), c)).collect();
        solver.at_most(&form, *bound);
    }
}

fn holds(inequalities: &Inequalities, values: &[i128]) -> bool {
    inequalities.iter().all(|(form, bound)| {
        form.iter().zip(values).map(|(&c, &value)| i128::from(c) * value).sum::<i128>() <= *bound
    })
}

/// All points of a box.
fn points(n: usize, most: i128) -> impl Iterator<Item = Vec<i128>> {
    let side = 2 * most + 1;
    (0..side.pow(u32::try_from(n).expect("few variables")))
        .map(move |code| (0..n).map(|i| code / side.pow(i as u32) % side - most).collect())
}

/// −most ≤ x ≤ most for all variables.
fn bounds(n: usize, most: i128) -> Inequalities {
    let unit = |i: usize, value| (0..n).map(|j| if i == j { value } else { 0 }).collect::<Vec<i64>>();
    (0..n).flat_map(|i| [(unit(i, 1), most), (unit(i, -1), most)]).collect()
}

#[test]
fn within_a_box_all_points_are_tried() {
    let (mut n_feasible, mut n_infeasible) = (0, 0);
    arbtest::arbtest(|u| {
        let n = u.int_in_range(1..=3)?;
        let mut all = bounds(n, 4);
        all.extend(inequalities(u, n, 9)?);
        let mut solver = LinearSolver::new(n);
        add(&mut solver, &all);
        match solver.check(&Budget::unlimited()).expect("no limit") {
            Feasibility::Feasible(values) => {
                assert!(holds(&all, &values), "{values:?} does not satisfy {all:?}");
                n_feasible += 1;
            }
            Feasibility::Infeasible => {
                assert_eq!(points(n, 4).find(|point| holds(&all, point)), None, "{all:?}");
                n_infeasible += 1;
            }
            Feasibility::Undecided => panic!("a box has few branches: {all:?}"),
        }
        Ok(())
    })
    .budget_ms(1500);
    assert!(n_feasible > 20 && n_infeasible > 20, "both occur: {n_feasible}, {n_infeasible}");
}

#[test]
fn levels_leave_no_trace() {
    arbtest::arbtest(|u| {
        let n = u.int_in_range(1..=3)?;
        let budget = Budget::unlimited();
        // A stack of batches, and a solver that follows it.
        let (mut stack, mut solver) = (vec![bounds(n, 4)], LinearSolver::new(n));
        add(&mut solver, &stack[0]);
        for _ in 0..u.int_in_range(1..=12)? {
            if u.ratio(2, 5)? && stack.len() > 1 {
                solver.pop();
                stack.pop();
            } else {
                let batch = inequalities(u, n, 5)?;
                solver.push();
                add(&mut solver, &batch);
                stack.push(batch);
            }
            let mut fresh = LinearSolver::new(n);
            stack.iter().for_each(|batch| add(&mut fresh, batch));
            let (old, new) = (solver.check(&budget), fresh.check(&budget));
            let (old, new) = (old.expect("no limit"), new.expect("no limit"));
            assert_eq!(old == Feasibility::Infeasible, new == Feasibility::Infeasible, "{stack:?}");
            if let Feasibility::Feasible(values) = old {
                assert!(stack.iter().all(|batch| holds(batch, &values)));
            }
        }
        Ok(())
    })
    .budget_ms(1500);
}

/// What an SMT-LIB solver says about many systems in one go; `None` if there is none.
fn smt_verdicts(systems: &[(usize, Inequalities)]) -> Option<Vec<bool>> {
    let script: String = systems.iter().map(|(n, system)| smt_script(*n, system)).collect();
    let candidates: [(&str, &[&str]); 4] = [
        ("z3", &["-in"]),
        ("cvc5", &["--incremental"]),
        ("yices-smt2", &["--incremental"]),
        ("mathsat", &[]),
    ];
    candidates.iter().find_map(|(program, arguments)| {
        let mut command = Command::new(program);
        let command = command.args(*arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let mut input = child.stdin.take()?;
        let script = script.clone();
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = child.wait_with_output().ok()?;
        writer.join().ok()?.ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let verdicts: Vec<bool> = text
            .lines()
            .filter_map(|line| match line.trim() {
                "sat" => Some(true),
                "unsat" => Some(false),
                _ => None,
            })
            .collect();
        (verdicts.len() == systems.len()).then_some(verdicts)
    })
}

fn smt_script(n: usize, system: &Inequalities) -> String {
    let number = |value: i128| if value < 0 { format!("(- {})", -value) } else { value.to_string() };
    let declarations = (0..n).map(|i| format!("(declare-const x{i} Int)"));
    let assertions = system.iter().map(|(form, bound)| {
        let terms: Vec<String> =
            form.iter().enumerate().map(|(i, &c)| format!("(* {} x{i})", number(i128::from(c)))).collect();
        format!("(assert (<= (+ 0 {}) {}))", terms.join(" "), number(*bound))
    });
    let lines: Vec<String> = declarations.chain(assertions).collect();
    format!("(reset)(set-logic QF_LIA)\n{}\n(check-sat)\n", lines.join("\n"))
}

#[test]
fn unbounded_systems_agree_with_an_smt_solver() {
    let mut systems: Vec<(usize, Inequalities)> = Vec::new();
    arbtest::arbtest(|u| {
        let n = u.int_in_range(1..=5)?;
        let largest = if u.ratio(1, 4)? { 1_000_000_000 } else { 12 };
        let system = inequalities(u, n, largest)?;
        if systems.len() < 2000 {
            systems.push((n, system));
        }
        Ok(())
    })
    .budget_ms(1000);
    let Some(verdicts) = smt_verdicts(&systems) else {
        eprintln!("skipped: no SMT-LIB solver is installed");
        return;
    };
    let mut n_undecided = 0;
    for ((n, system), expected) in systems.iter().zip(verdicts) {
        let mut solver = LinearSolver::new(*n);
        add(&mut solver, system);
        match solver.check(&Budget::unlimited()).expect("no limit") {
            Feasibility::Feasible(values) => assert!(expected && holds(system, &values), "{system:?}"),
            Feasibility::Infeasible => assert!(!expected, "{system:?}"),
            Feasibility::Undecided => n_undecided += 1,
        }
    }
    assert!(n_undecided * 100 <= systems.len(), "{n_undecided} of {} undecided", systems.len());
}
