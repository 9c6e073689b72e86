//! Summaries as the paper writes them, with ⊕ as in its equation (2), decided by an SMT-LIB solver where one is
//! installed, to compare with. For tests only.

use super::path::Path;
use std::fmt::Write;
use std::process::{Command, Stdio};
use throng_base::Budget;
use throng_model::{Bag, Config, Initial, LocalId, Names, Rule, RuleId, SharedId, System, SystemBuilder};
use throng_solver::Feasibility;

const N_LOCALS: usize = 3;

/// A random path: rules one after the other, the last one first, some of them loops of their own.
struct Sample {
    /// What each rule takes and puts.
    rules: Vec<([u32; N_LOCALS], [u32; N_LOCALS])>,
    /// Whether the rule is gone around κ ≥ 1 times.
    is_loop: Vec<bool>,
    target: [u32; N_LOCALS],
    initial: [u32; N_LOCALS],
}

impl Sample {
    fn random(mut seed: u64) -> Self {
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (seed >> 33) as u32 % n
        };
        let n_rules = 1 + below(6) as usize;
        let mut few = || [(); N_LOCALS].map(|()| [0, 0, 0, 1, 1, 2, 3][below(7) as usize]);
        let rules = (0..n_rules).map(|_| (few(), few())).collect();
        let is_loop = (0..n_rules).map(|_| below(2) == 0).collect();
        let target = [(); N_LOCALS].map(|()| below(12));
        Self { rules, is_loop, target, initial: [(); N_LOCALS].map(|()| below(6)) }
    }

    fn system(&self) -> System {
        let bag = |counts: &[u32; N_LOCALS]| {
            Bag::from_counts((0..N_LOCALS).map(LocalId::new).zip(*counts).filter(|&(_, n)| n > 0))
        };
        let bag = |counts| bag(counts).expect("small counts");
        let shared = SharedId::new(0);
        let mut builder = SystemBuilder::new(Names::Numbered(1), Names::Numbered(N_LOCALS));
        for (take, put) in &self.rules {
            let (take, put) = (bag(take), bag(put));
            builder.rule(&Rule { from: shared, to: shared, take, put, moves: Vec::new() }, 0);
        }
        builder.initial(Initial { shared, exact: bag(&self.initial), unbounded: Vec::new() });
        builder.target(Config::new(shared, bag(&self.target)));
        builder.finish().expect("the parts fit together")
    }

    /// Whether the summary is satisfiable, as the engine says.
    fn is_feasible(&self) -> bool {
        let system = self.system();
        let mut path = Path::new(&system);
        path.begin(&system.targets()[0]);
        for (rule, &is_loop) in self.is_loop.iter().enumerate() {
            let rule = RuleId::new(rule);
            if is_loop {
                let effects = path.effects_around(&[rule]).expect("small counts");
                assert!(path.go_around(vec![rule], &effects));
            } else {
                path.step(rule);
            }
        }
        let found = path.check(&system.initial()[0], &Budget::unlimited()).expect("no limit");
        assert_ne!(found, Feasibility::Undecided);
        matches!(found, Feasibility::Feasible(_))
    }

    /// The same as the paper writes it: one counter per local state and rule.
    fn formula(&self) -> String {
        let mut text = String::from("(reset)(set-logic QF_LIA)\n");
        let mut line = |words: String| writeln!(text, "{words}").expect("strings take everything");
        (0..self.rules.len()).for_each(|k| line(format!("(declare-const k{k} Int)(assert (>= k{k} 1))")));
        for local in 0..N_LOCALS {
            let mut before = self.target[local].to_string();
            for (k, ((take, put), is_loop)) in self.rules.iter().zip(&self.is_loop).enumerate() {
                let (take, put) = (i64::from(take[local]), i64::from(put[local]));
                let delta = if take < put { format!("(- {})", put - take) } else { (take - put).to_string() };
                // b is what one round leaves of nothing: max(0 − put, 0) + take.
                let once = at_least(&format!("(+ {before} {delta})"), take);
                let more = at_least(&format!("(+ {once} (* {delta} (- k{k} 1)))"), take);
                let name = format!("n{local}_{k}");
                line(format!("(define-fun {name} () Int {})", if *is_loop { more } else { once }));
                before = name;
            }
            line(format!("(assert (<= {before} {}))", self.initial[local]));
        }
        line("(check-sat)".into());
        text
    }
}

/// x ⊕ 0 with the lower bound b.
fn at_least(x: &str, b: i64) -> String {
    format!("(ite (>= {x} {b}) {x} {b})")
}

/// What an SMT-LIB solver says to each check in a script; `None` if there is none.
fn smt_verdicts(script: &str) -> Option<Vec<bool>> {
    let file = std::env::temp_dir().join(format!("throng-formulas-{}.smt2", std::process::id()));
    std::fs::write(&file, script).ok()?;
    let programs: [(&str, &[&str]); 2] = [("z3", &[]), ("cvc5", &["--incremental"])];
    let verdicts = programs.iter().find_map(|(program, arguments)| {
        let output = Command::new(program).args(*arguments).arg(&file).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let words = text.lines().filter(|line| matches!(*line, "sat" | "unsat"));
        Some(words.map(|word| word == "sat").collect())
    });
    let _ = std::fs::remove_file(file);
    verdicts
}

#[test]
fn summaries_agree_with_an_smt_solver() {
    let samples: Vec<Sample> = (0..2000).map(Sample::random).collect();
    let script: String = samples.iter().map(Sample::formula).collect();
    let found: Vec<bool> = samples.iter().map(Sample::is_feasible).collect();
    let n_feasible = found.iter().filter(|&&feasible| feasible).count();
    assert!((100..1900).contains(&n_feasible), "both occur: {n_feasible}");
    match smt_verdicts(&script) {
        Some(verdicts) => assert_eq!(found, verdicts),
        None => eprintln!("skipped: no SMT-LIB solver is installed"),
    }
}

#[test]
fn summaries_agree_with_unrolled_loops() {
    for seed in 0..300 {
        let sample = Sample::random(seed);
        // Twelve threads at most are demanded at the start, and each round that is worth it lowers some demand.
        let most: u64 = 16;
        let n_loops = sample.is_loop.iter().filter(|&&is_loop| is_loop).count() as u32;
        if n_loops > 3 {
            continue;
        }
        let is_feasible = (0..most.pow(n_loops)).any(|code| {
            let mut code = code;
            let mut demand = sample.target.map(i64::from);
            for ((take, put), &is_loop) in sample.rules.iter().zip(&sample.is_loop) {
                let rounds = if is_loop { 1 + code % most } else { 1 };
                code /= if is_loop { most } else { 1 };
                for _ in 0..rounds {
                    for local in 0..N_LOCALS {
                        let rest = (demand[local] - i64::from(put[local])).max(0);
                        demand[local] = rest + i64::from(take[local]);
                    }
                }
            }
            demand.iter().zip(sample.initial).all(|(&demand, count)| demand <= i64::from(count))
        });
        assert!(!is_feasible || sample.is_feasible(), "seed {seed}: unrolled, it is feasible");
        assert!(is_feasible || !sample.is_feasible(), "seed {seed}: few rounds should do");
    }
}
