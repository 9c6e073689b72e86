//! What is exported can fail to happen, and what is monitored can be broken: both are told.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::time::Duration;
use throng_c_front::lower::{Options, Whole, read_whole_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::{LocationKind, Program};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Predicate, Predicates};
use throng_cfa::merge::prepare;
use throng_cfa::trace::{Trace, TraceStep};
use throng_export::{Ran, Watched};

const TIME: Duration = Duration::from_secs(30);

const RACE: &str = "\
void __VERIFIER_assert(int);
int x;
void f(void) { x = x + 1; }
int main(void) { __CPROVER_ASYNC_1: f(); x = 5; __VERIFIER_assert(x == 5); return 0; }
";

fn read(text: &str) -> Whole {
    read_whole_text("race.i", text, &Preprocessing::default(), &Options::default()).unwrap()
}

fn has_compiler() -> bool {
    let is_there = throng_export::compiler().is_some();
    if !is_there {
        println!("skipped: there is no C compiler, so nothing is compiled and run");
    }
    is_there
}

/// The run in which threads move as it is said; each takes the first edge that `wanted` likes.
fn trace(program: &Program, threads: &[u32], wanted: impl Fn(&Program, usize) -> bool) -> Trace {
    let mut at = vec![program.templates[program.main.index()].entry];
    let mut steps = Vec::new();
    for &thread in threads {
        let here = at[thread as usize - 1];
        let (edge, taken) = program.edges_from(here).find(|(id, _)| wanted(program, id.index())).unwrap();
        at[thread as usize - 1] = taken.to;
        if let Some(throng_cfa::flow::Effect::Spawn { template, .. }) = &taken.effect {
            at.push(program.templates[template.index()].entry);
        }
        steps.push(TraceStep { thread, edge, choices: Vec::new(), signalled: None, started: Vec::new() });
    }
    Trace { start: Vec::new(), steps }
}

fn to_error(program: &Program, edge: usize) -> bool {
    let edge = &program.edges[edge];
    let others = program.edges_from(edge.from);
    let leads = |to| matches!(program.location(to).kind, LocationKind::Error(_));
    leads(edge.to) || !others.into_iter().any(|(_, other)| leads(other.to))
}

#[test]
fn a_race_is_forced() {
    if !has_compiler() {
        return;
    }
    let whole = read(RACE);
    // The other thread writes between main's write and main's look.
    let run = trace(&whole.program, &[1, 1, 2, 2, 1], to_error);
    let exported = throng_export::export(&whole, &run, &Options::default()).unwrap();
    assert!(exported.notes.is_empty(), "{:?}", exported.notes);
    let ran = throng_export::run(&exported, TIME).unwrap();
    assert!(matches!(ran, Ran::Happened(_)), "{ran:?}\n{}", exported.text);
}

#[test]
fn what_does_not_happen_is_not_claimed() {
    if !has_compiler() {
        return;
    }
    let whole = read(RACE);
    // Nothing happens between the write and the look, so nothing fails: the checker would reject this run.
    let run = trace(&whole.program, &[1, 2, 2, 1, 1], to_error);
    let exported = throng_export::export(&whole, &run, &Options::default()).unwrap();
    let ran = throng_export::run(&exported, TIME).unwrap();
    assert!(matches!(&ran, Ran::NotReproduced(why) if why.contains("nothing has failed")), "{ran:?}");
}

#[test]
fn other_text_is_refused() {
    let whole = read("int main(void) { int l; __CPROVER_passive_broadcast: l = 1; return 0; }");
    let error = throng_export::export(&whole, &Trace::default(), &Options::default()).unwrap_err();
    assert_eq!(error.code, "E0916");
}

/// An invariant that says that a comparison of `x` with a number never holds.
fn never(whole: &Whole, value: u128) -> (Program, Invariant) {
    let prepared = prepare(&whole.program).program;
    let mut predicates = Predicates::new(prepared.expressions.clone());
    let x = prepared.variables.iter().position(|variable| variable.name == "x").unwrap();
    let e = &mut predicates.expressions;
    let (x, value) = (e.variable(throng_cfa::flow::VariableId::new(x), 32), e.constant(value, 32));
    let expression = e.equal(x, value);
    let predicate = predicates.insert(Predicate { expression, active: None, passive: None });
    let literal = Literal { predicate, of: Of::State, value: true };
    let element = Element { atomic: None, threads: Vec::new(), literals: vec![literal] };
    (prepared, Invariant { counts: Vec::new(), predicates, elements: vec![element] })
}

const COUNTER: &str = "\
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
void f(void) { while (1) { __VERIFIER_atomic_begin(); x = x < 3 ? x + 1 : 0; __VERIFIER_atomic_end(); __VERIFIER_assert(x < 4); } }
int main(void) { __CPROVER_ASYNC_1: f(); __CPROVER_ASYNC_2: f(); while (1) __VERIFIER_assert(x < 4); }
";

#[test]
fn a_false_invariant_is_broken_and_a_true_one_holds() {
    if !has_compiler() {
        return;
    }
    let whole = read(COUNTER);
    let watch = |value| {
        let (prepared, invariant) = never(&whole, value);
        let monitored = throng_export::monitor(&whole, &prepared, &invariant, &Options::default()).unwrap();
        assert_eq!((monitored.monitored, monitored.left_out.len()), (1, 0));
        throng_export::watch(&monitored, 1..=4, TIME).unwrap()
    };
    let broken = watch(3);
    assert!(
        matches!(&broken, Watched::Broken { said, .. } if said.contains("invariant is broken")),
        "{broken:?}"
    );
    let held = watch(4);
    assert!(matches!(held, Watched::Held { schedules: 4, states } if states > 100), "{held:?}");
}
