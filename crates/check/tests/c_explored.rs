//! Exploration as evidence: what is accepted, what is not, and what it is about.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use throng_base::Budget;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cert::document::Body;
use throng_cert::mutate::{Alphabet, mutations};
use throng_cert::{EvidenceDocument, Header, read, write_document};
use throng_cfa::flow::Program;
use throng_check::c::{Bounds, check_c, check_c_within, explore_reduced, explored_document};
use throng_check::{Accepted, Condition};

const HEAD: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);
_Atomic int x;
void *worker(void *p) { x++; return p; }
";

const TWO: &str =
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);
pthread_join(t, 0); pthread_join(u, 0); if (x != 2) reach_error(); return 0; }";

const MANY: &str = "int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, worker, 0); if (x > 3) reach_error(); } }";

fn program(text: &str) -> Program {
    let text = format!("{HEAD}{text}");
    match read_text("a.c", &text, &Preprocessing::default(), &Options::default()) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn bounds(threads: Option<u32>) -> Bounds {
    Bounds { threads, states: 100_000, most_threads: 20 }
}

fn evidence(program: &Program, threads: Option<u32>) -> EvidenceDocument {
    let found = explore_reduced(program, &bounds(threads), &Budget::unlimited()).unwrap();
    let document = explored_document(found, threads, vec!["-DX".to_owned()], Header::default());
    let mut text = Vec::new();
    write_document(&document, &mut text).unwrap();
    assert_eq!(read(&text).unwrap(), document);
    document
}

fn rejects(program: &Program, document: &EvidenceDocument, threads: Option<u32>) -> Condition {
    check_c_within(program, document, threads, &Budget::unlimited()).unwrap_err().condition
}

#[test]
fn two_joined_threads_are_explored() {
    let program = program(TWO);
    let document = evidence(&program, None);
    let accepted = check_c(&program, &document, &Budget::unlimited()).unwrap();
    let Accepted::Explored { threads: 3, at_most: None, .. } = accepted else { panic!("{accepted}") };
    assert!(accepted.to_string().starts_with("safe (explored: "), "{accepted}");
}

#[test]
fn changed_numbers_are_rejected() {
    let program = program(TWO);
    let document = evidence(&program, None);
    let alphabet = Alphabet { shared: &[], locals: &[], rules: &[] };
    let all = mutations(&document, alphabet);
    assert_eq!(all.len(), 6);
    for mutation in all {
        let answer = check_c(&program, &mutation.document, &Budget::unlimited());
        assert!(answer.is_err(), "{}: {answer:?}", mutation.label);
    }
}

#[test]
fn a_program_with_an_error_has_no_such_evidence() {
    let right = program(TWO);
    let document = evidence(&right, None);
    let wrong = program(&TWO.replace("x != 2", "x == 2"));
    assert_eq!(rejects(&wrong, &document, None), Condition::Explored);
    let answer = explore_reduced(&wrong, &bounds(None), &Budget::unlimited());
    assert_eq!(answer.unwrap_err().condition, Condition::Explored);
}

#[test]
fn evidence_for_few_threads_says_nothing_about_more() {
    let program = program(MANY);
    let document = evidence(&program, Some(3));
    let Body::Explored(body) = &document.body else { panic!("not explored") };
    assert_eq!((body.threads, body.threads_at_most), (3, Some(3)));
    for fewer in [2, 3] {
        check_c_within(&program, &document, Some(fewer), &Budget::unlimited()).unwrap();
    }
    assert_eq!(rejects(&program, &document, Some(4)), Condition::Explored);
    assert_eq!(rejects(&program, &document, None), Condition::Explored);
    // Without the bound, there are more threads than it says.
    let mut unbounded = document.clone();
    let Body::Explored(body) = &mut unbounded.body else { panic!("not explored") };
    body.threads_at_most = None;
    assert_eq!(rejects(&program, &unbounded, None), Condition::Size);
    // The error needs four increments and main.
    assert_eq!(
        explore_reduced(&program, &bounds(Some(5)), &Budget::unlimited()).unwrap_err().condition,
        Condition::Explored
    );
}

#[test]
fn a_bound_that_does_not_matter_is_not_mentioned() {
    let program = program(TWO);
    let document = evidence(&program, Some(3));
    check_c(&program, &document, &Budget::unlimited()).unwrap();
}

#[test]
fn arbitrary_values_are_explored_together() {
    let main = |end: &str| {
        program(&format!(
            "int seen; void *reader(void *p) {{ seen = x; return p; }}
            int main(void) {{ pthread_t t; int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v != 7); x = v;
            pthread_create(&t, 0, reader, 0); pthread_join(t, 0); {end} return 0; }}"
        ))
    };
    let right = main("if (seen == 7 || seen != v) reach_error();");
    let document = evidence(&right, None);
    let Body::Explored(body) = &document.body else { panic!("not explored") };
    assert!(body.states < 20, "{}", body.states);
    let wrong = main("if (seen == 8) reach_error();");
    assert_eq!(rejects(&wrong, &document, None), Condition::Explored);
}

#[test]
fn a_budget_that_ends_is_no_answer() {
    let program = program(TWO);
    let document = evidence(&program, None);
    let budget = Budget::unlimited();
    budget.stop(throng_base::StopReason::Cancelled);
    let answer = check_c(&program, &document, &budget);
    assert_eq!(answer.unwrap_err().condition, Condition::Size);
}

#[test]
fn programs_that_compare_threads_are_not_explored() {
    let equal = "int pthread_equal(pthread_t, pthread_t);\n";
    let body = "pthread_create(&t, 0, worker, 0); pthread_join(t, 0); pthread_create(&u, 0, worker, 0); pthread_join(u, 0);";
    let text = format!(
        "{equal}int main(void) {{ pthread_t t, u; {body} if (pthread_equal(t, u)) reach_error(); return 0; }}"
    );
    let answer = explore_reduced(&program(&text), &bounds(None), &Budget::unlimited());
    assert_eq!(answer.unwrap_err().condition, Condition::Size);
}
