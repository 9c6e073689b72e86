//! Random multi-threaded C programs: what the provers say agrees with trying everything with few threads.
//!
//! These are few programs, for every day. `cargo run --release -p throng-lab -- random-threads --count 2000`
//! does the same for 2,000.

use std::time::Duration;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::{Expression, LocationKind, Program};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Predicate, Predicates};
use throng_lab::threads::compare::{Kind, Parties, ProverAnswer, Settings, compare, shrink};
use throng_lab::threads::described::reaches_described;
use throng_lab::threads::explore::{Exploration, explore};
use throng_lab::threads::syntax::{Declaration, Function, Statement, ThreadProgram};
use throng_lab::threads::{from_seed, provers};

const TIME: Duration = Duration::from_secs(2);

fn settings() -> Settings {
    Settings { most_states: 50_000, ..Settings::default() }
}

fn check(prover: &dyn Fn(&Program) -> ProverAnswer, seeds: std::ops::Range<u64>) -> Vec<ProverAnswer> {
    let parties = Parties { prover, judge: &provers::judge };
    let compared = seeds.map(|seed| {
        let program = from_seed(seed);
        match compare(&program, &parties, &settings()) {
            Ok(compared) => compared.answer,
            Err(disagreement) => {
                let small = shrink(&program, disagreement.kind, &parties, &settings());
                panic!("seed {seed}: {disagreement:?}\n{}", small.text());
            }
        }
    });
    compared.collect()
}

#[test]
fn proofs_by_abstraction_agree_with_trying_everything() {
    let answers = check(&|program| provers::by_abstraction(program, TIME, true), 1..31);
    let n_safe = answers.iter().filter(|answer| matches!(answer, ProverAnswer::Safe(_))).count();
    assert!(n_safe > 0, "some are proved");
}

#[test]
fn the_bounded_search_agrees_with_trying_everything() {
    let answers = check(&|program| provers::by_search(program, TIME), 1000..1030);
    let n_unsafe = answers.iter().filter(|answer| matches!(answer, ProverAnswer::Unsafe(_))).count();
    assert!(n_unsafe > 0, "some have errors");
}

#[test]
fn about_half_of_the_programs_have_errors() {
    let explored: Vec<Exploration> = (1..201)
        .map(|seed| {
            let program = throng_lab::threads::read(&from_seed(seed), &Options::default());
            explore(&program.unwrap_or_else(|why| panic!("seed {seed}: {why}")), 4, 20_000)
        })
        .collect();
    let is_error = |found: &&Exploration| matches!(found, Exploration::Error { .. });
    let is_none = |found: &&Exploration| matches!(found, Exploration::NoError { .. });
    let (n_errors, n_none) =
        (explored.iter().filter(is_error).count(), explored.iter().filter(is_none).count());
    assert!(n_errors >= 60 && n_none >= 80, "{n_errors} errors, {n_none} without");
}

/// Reads a text that declares what it needs.
fn program(text: &str) -> Program {
    read_text("test.i", text, &Preprocessing::default(), &Options::default()).expect("the text is C").0
}

const COUNTER: &str = "
    void assert(int); unsigned char x;
    void f(void) { x = x + 1; assert(x < 3); }
    int main(void) { while (1) { __CPROVER_ASYNC_1: f(); } }";

#[test]
fn the_fewest_threads_are_found() {
    // Counted by hand: 1, 4 and 16 states with 0, 1 and 2 threads besides the first, in no order.
    assert_eq!(explore(&program(COUNTER), 3, 10_000), Exploration::NoError { states: 21 });
    assert_eq!(explore(&program(COUNTER), 5, 10_000), Exploration::Error { threads: 4 });
    assert_eq!(explore(&program(COUNTER), 5, 40), Exploration::TooLarge { complete_up_to: 3 });
}

/// The invariant that says that `x` is never this value.
fn never(program: &Program, value: u128) -> Invariant {
    let mut predicates = Predicates::new(program.expressions.clone());
    let x = program.variables.iter().position(|variable| variable.name == "x").expect("there is an x");
    let x = predicates.expressions.insert(Expression::Variable(throng_cfa::flow::VariableId::new(x)), 8);
    let constant = predicates.expressions.insert(Expression::Constant(value), 8);
    let equal = Expression::Binary(throng_cfa::flow::BinaryOperator::Equal, x, constant);
    let expression = predicates.expressions.insert(equal, 1);
    let predicate = predicates.insert(Predicate { expression, active: None, passive: None });
    let literals = vec![Literal { predicate, of: Of::State, value: true }];
    let element = Element { atomic: None, threads: Vec::new(), literals };
    Invariant { counts: Vec::new(), predicates, elements: vec![element] }
}

#[test]
fn invariants_that_describe_reachable_states_are_found_out() {
    let program = program(COUNTER);
    assert!(reaches_described(&program, &never(&program, 2), 2, 10_000).is_none());
    assert!(reaches_described(&program, &never(&program, 2), 3, 10_000).is_some());
}

#[test]
fn threads_of_elements_are_different_threads() {
    let program = program(COUNTER);
    let end = program.locations.iter().position(|location| location.kind == LocationKind::End).unwrap();
    let end = throng_cfa::flow::LocationId::new(end);
    let element = Element { atomic: None, threads: vec![end, end], literals: Vec::new() };
    let predicates = Predicates::new(program.expressions.clone());
    let invariant = Invariant { counts: Vec::new(), predicates, elements: vec![element] };
    assert!(reaches_described(&program, &invariant, 2, 10_000).is_none());
    assert!(reaches_described(&program, &invariant, 3, 10_000).is_some());
}

/// A program whose error two threads reach, with a statement that does not matter.
fn broken() -> ThreadProgram {
    let global =
        |name: &str| Declaration { ty: "unsigned char".to_owned(), name: name.to_owned(), value: Some(0) };
    let body = ["y = 1;", "assert(x == 0);", "x = 1;", "x = 0;", "y = 0;"];
    let function = Function {
        name: "f0".to_owned(),
        has_argument: false,
        locals: Vec::new(),
        body: body.into_iter().map(Statement::line).collect(),
    };
    let start = vec![Statement::line("__CPROVER_ASYNC_1: f0();")];
    ThreadProgram {
        helpers: String::new(),
        globals: vec![global("x"), global("y")],
        functions: vec![function],
        by_library: false,
        main: vec![Statement::block("while (1)", start)],
    }
}

#[test]
fn a_prover_that_calls_everything_safe_is_caught_with_a_small_program() {
    let nothing = |program: &Program| {
        let predicates = Predicates::new(program.expressions.clone());
        ProverAnswer::Safe(Invariant { counts: Vec::new(), predicates, elements: Vec::new() })
    };
    let parties = Parties { prover: &nothing, judge: &|_, _| Ok(()) };
    let disagreement = compare(&broken(), &parties, &settings()).unwrap_err();
    assert_eq!(disagreement.kind, Kind::WrongSafe);
    let small = shrink(&broken(), Kind::WrongSafe, &parties, &settings());
    let body: Vec<Statement> = ["assert(x == 0);", "x = 1;"].into_iter().map(Statement::line).collect();
    assert_eq!(small.functions[0].body, body);
    assert!(!small.text().contains('y'));
}

#[test]
fn wrong_runs_and_rejected_invariants_are_disagreements() {
    let kind = |prover: &dyn Fn(&Program) -> ProverAnswer, judge: &dyn Fn(&Program, &Invariant) -> _| {
        let mut program = broken();
        program.functions[0].body.retain(|statement| *statement != Statement::line("x = 1;"));
        compare(&program, &Parties { prover, judge }, &settings()).map_err(|disagreement| disagreement.kind)
    };
    let fine = |_: &Program, _: &Invariant| Ok(());
    let is_safe = |program: &Program| ProverAnswer::Safe(never(program, 1));
    assert!(kind(&is_safe, &fine).is_ok());
    assert_eq!(kind(&is_safe, &|_, _| Err("no".to_owned())).unwrap_err(), Kind::Rejected);
    let is_false = |program: &Program| ProverAnswer::Safe(never(program, 0));
    assert_eq!(kind(&is_false, &fine).unwrap_err(), Kind::FalseInvariant);
    let no_run = |_: &Program| ProverAnswer::Unsafe(throng_cfa::trace::Trace::default());
    assert_eq!(kind(&no_run, &fine).unwrap_err(), Kind::WrongTrace);
}
