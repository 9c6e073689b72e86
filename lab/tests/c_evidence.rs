//! Genuine proofs of the C programs of `tests/c`, changed a little: literals flipped, elements, threads, literals and
//! locations of scopes dropped, conditions changed. What the checker still accepts may describe no state that few threads
//! reach, and most of what is no proof any more has to be rejected.

use std::path::Path;
use std::time::Duration;
use throng::evidence::c::invariant_document;
use throng_base::Budget;
use throng_c_front::lower::{Options, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cert::document::Body;
use throng_cert::mutate::{Alphabet, mutations};
use throng_cert::{EvidenceDocument, Header};
use throng_cfa::flow::Program;
use throng_check::c::{check_c, invariant_of};
use throng_lab::threads::compare::ProverAnswer;
use throng_lab::threads::described::reaches_described;
use throng_lab::threads::provers;

/// How many states are looked at.
const MOST_STATES: usize = 3_000;

fn proof(name: &str) -> (Program, EvidenceDocument) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/c").join(name);
    let (program, _) = match read(&[path], &Preprocessing::default(), &Options::default()) {
        Ok(read) => read,
        Err(errors) => panic!("{name}: {}", errors[0]),
    };
    let ProverAnswer::Safe(invariant) = provers::by_abstraction(&program, Duration::from_secs(60), true)
    else {
        panic!("{name} is not proved");
    };
    let prepared = throng_prove::prepare(&program).program;
    let header = Header { engine: None, input: None };
    let document =
        invariant_document(&prepared, &invariant, Vec::new(), header).expect("the proof can be told");
    (program, document)
}

/// The program with fewer states than there are: arbitrary values of many bits cannot all be tried.
fn with_few_values(mut program: Program) -> Program {
    for variable in program.variables.iter_mut().filter(|variable| variable.bits > 2) {
        variable.initial.get_or_insert_with(|| vec![0; variable.length as usize]);
    }
    for nondet in &mut program.nondets {
        nondet.bits = nondet.bits.min(2);
    }
    program
}

/// Counts those that are rejected.
fn changed_proofs_of(name: &str) -> usize {
    let (program, document) = proof(name);
    let accepts = |document: &EvidenceDocument| check_c(&program, document, &Budget::unlimited()).is_ok();
    assert!(accepts(&document), "{name}");
    let prepared = throng_prove::prepare(&program).program;
    let few = with_few_values(prepared.clone());
    let all = mutations(&document, Alphabet { shared: &[], locals: &[], rules: &[] });
    // Some dozens of each are enough; the step is odd, so that kinds of changes take turns.
    let step = (all.len() / 80).max(1) | 1;
    let mut n_rejected = 0;
    for mutation in all.iter().step_by(step) {
        if !accepts(&mutation.document) {
            n_rejected += 1;
            continue;
        }
        let Body::Invariant(body) = &mutation.document.body else { panic!("not an invariant") };
        let invariant = invariant_of(&prepared, body).expect("it was accepted");
        let found = reaches_described(&few, &invariant, 3, MOST_STATES);
        assert_eq!(found, None, "{name}, accepted: {}", mutation.label);
    }
    let n_tried = all.iter().step_by(step).len();
    assert!(n_rejected * 4 > n_tried, "{name}: {n_rejected} of {n_tried} are rejected");
    n_rejected
}

#[test]
fn changed_proofs_are_rejected_or_true() {
    let names = ["spin.c", "tas-lock.c", "cv-var.c", "once.c", "inc-lock.c", "maxsimp-cas.c", "ticket.c"];
    let n_rejected: usize = names.into_iter().map(changed_proofs_of).sum();
    eprintln!("{n_rejected} rejected");
}
