//! Documents of invariants of C programs: they come back as they were, and what has no meaning is refused in words.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use throng::evidence::c::invariant_document;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cert::document::{self, Body, ElementThread, InvariantElement, Passive};
use throng_cert::mutate::{Alphabet, mutations};
use throng_cert::{EvidenceDocument, Header, read, write_document};
use throng_cfa::flow::{LocationId, Program};
use throng_cfa::invariant::{
    Element, Invariant, Literal, Of, PredicateId, Predicates, read_predicates, template_named,
};
use throng_check::c::invariant_of;
use throng_check::{Accepted, Condition};

const TEXT: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
void reach_error(void);
_Atomic unsigned next, serving;
int row[3];
void *worker(void *p) {
  unsigned ticket = next++;
  while (ticket != serving) { }
  if (row[0] == 3) reach_error();
  row[0] = 1;
  serving = serving + 1;
  return p;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); return 0; }
";

const PREDICATES: &str = "next == serving
worker: ticket < next
worker: ticket != ticket$
all worker: ticket <= next
row[0] == 3 || row[1] < 0
";

fn program() -> Program {
    match read_text("ticket.c", TEXT, &Preprocessing::default(), &Options::default()) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn invariant(program: &Program) -> Invariant {
    let mut predicates = Predicates::new(program.expressions.clone());
    read_predicates(program, "p.txt", PREDICATES, &mut predicates).unwrap();
    let worker = template_named(program, "worker").unwrap();
    let locations: Vec<LocationId> = (0..program.locations.len())
        .map(LocationId::new)
        .filter(|&location| program.location(location).template == worker)
        .collect();
    let literal = |predicate, of, value| Literal { predicate: PredicateId::new(predicate), of, value };
    let elements = vec![
        Element { atomic: None, threads: vec![locations[0]], literals: vec![] },
        Element {
            atomic: Some(false),
            threads: vec![locations[2], locations[3]],
            literals: vec![
                literal(0, Of::State, true),
                literal(1, Of::Thread(1), false),
                literal(2, Of::Thread(0), true),
                literal(2, Of::Pair(1, 0), false),
                literal(3, Of::State, false),
                literal(4, Of::State, true),
            ],
        },
        Element::default(),
    ];
    Invariant { counts: Vec::new(), predicates, elements }
}

fn document_of(program: &Program) -> (EvidenceDocument, document::Invariant) {
    let header = Header { engine: Some("cegar"), input: Some("ticket.c") };
    let options = vec!["--atomicity=access".to_owned()];
    let document = invariant_document(program, &invariant(program), options, header).unwrap();
    let Body::Invariant(body) = document.body.clone() else { panic!("not an invariant") };
    (document, body)
}

#[test]
fn invariants_come_back_from_documents() {
    let program = program();
    let original = invariant(&program);
    assert!(original.predicates.list[2].passive.as_ref().is_some_and(|party| party.scope.len() > 2));
    let (document, _) = document_of(&program);
    let mut text = Vec::new();
    write_document(&document, &mut text).unwrap();
    let Body::Invariant(body) = read(&text).unwrap().body else { panic!("not an invariant") };
    assert_eq!(body.predicates[2].text, "ticket != ticket$");
    assert!(body.elements[1].threads[0].place.as_deref().is_some_and(|place| place.starts_with("ticket.c:")));
    let back = invariant_of(&program, &body).unwrap();
    assert_eq!(back.elements, original.elements);
    // Expressions are numbered anew, so documents are compared.
    assert_eq!(
        invariant_document(&program, &back, body.options, Header::default()).unwrap().body,
        document.body
    );
}

#[test]
fn documents_without_a_meaning_are_refused() {
    let program = program();
    let (_, good) = document_of(&program);
    assert!(invariant_of(&program, &good).is_ok());
    let refused = |change: &dyn Fn(&mut document::Invariant), part: &str| {
        let mut changed = good.clone();
        change(&mut changed);
        let rejection = invariant_of(&program, &changed).map(|_| ()).expect_err(part);
        assert!(rejection.to_string().contains(part), "{rejection}: {part}");
        assert!(matches!(rejection.condition, Condition::Form | Condition::Names), "{rejection}");
    };
    refused(&|i| i.predicates[0].text = "next == ".into(), "predicate 0: column 9");
    refused(&|i| i.predicates[0].text = "next + 1".into(), "predicate 0: it has 32 bits, not one");
    refused(&|i| i.predicates[0].text = "ticket == 1".into(), "predicate 0: column 1");
    refused(&|i| i.predicates[1].active = None, "predicate 1: column 1");
    refused(&|i| i.predicates[1].active = Some("main".into()), "predicate 1: column 1");
    refused(&|i| i.predicates[1].active = Some("nobody".into()), "predicate 1: no threads run `nobody`");
    refused(&|i| i.predicates[2].passive = None, "predicate 2: column 11");
    let scope = |scope: Vec<u32>| Some(Passive { template: "worker".into(), scope });
    refused(&|i| i.predicates[2].passive = scope(vec![u32::MAX]), "predicate 2: there is no location");
    refused(
        &|i| i.predicates[2].passive = scope(vec![0]),
        "predicate 2: location 0 does not belong to worker",
    );
    refused(
        &|i| i.predicates[2].passive.as_mut().unwrap().scope.reverse(),
        "predicate 2: the scope is not sorted",
    );
    refused(&|i| i.elements[0].threads[0].location = u32::MAX, "element 0: there is no location");
    refused(&|i| i.elements[0].threads[0].location = 9999, "element 0: there is no location 9999");
    refused(&|i| i.elements[1].literals[0].thread = Some(0), "element 1: predicate 0 is a shared predicate");
    refused(&|i| i.elements[1].literals[1].thread = Some(2), "element 1: predicate 1 is said of thread 2");
    refused(
        &|i| i.elements[1].literals[3].passive = Some(1),
        "element 1: predicate 2 is said of thread 1 and itself",
    );
    refused(&|i| i.elements[1].literals[0].predicate = u32::MAX, "element 1: there is no predicate");
    refused(
        &|i| i.elements[1].threads[1].location = 0,
        "element 1: predicate 1 is not about the code of thread 1",
    );
}

#[test]
fn mutations_are_read_or_refused_and_change_something() {
    let program = program();
    let (document, _) = document_of(&program);
    let found = mutations(&document, Alphabet { shared: &[], locals: &[], rules: &[] });
    let mut n_read = 0;
    for mutation in &found {
        assert_ne!(mutation.document, document, "{}", mutation.label);
        let mut text = Vec::new();
        write_document(&mutation.document, &mut text).unwrap();
        let again = read(&text).unwrap();
        assert_eq!(again, mutation.document, "{}", mutation.label);
        let Body::Invariant(body) = again.body else { panic!("not an invariant") };
        n_read += usize::from(invariant_of(&program, &body).is_ok());
    }
    for part in [
        "flip literal !p1(1)",
        "drop literal p0",
        "drop element 1",
        "thread 0 at location",
        "predicate 2: `ticket == ticket$`",
        "predicate 2: not at location",
    ] {
        assert!(found.iter().any(|mutation| mutation.label.contains(part)), "{part}");
    }
    // Most changes make another invariant, which only a proof can refuse.
    assert!(2 * n_read > found.len(), "{n_read} of {}", found.len());
}

#[test]
fn invariants_say_nothing_about_other_inputs() {
    let program = program();
    let (document, _) = document_of(&program);
    let rejection: Result<Accepted, _> = throng_check::c::check_interleaving(&program, &document);
    assert_eq!(rejection.unwrap_err().condition, Condition::Form);
    let unnamed =
        InvariantElement { threads: vec![ElementThread { location: 0, place: None }], ..Default::default() };
    let body = document::Invariant { elements: vec![unnamed], ..Default::default() };
    assert_eq!(invariant_of(&program, &body).unwrap().elements.len(), 1);
}
