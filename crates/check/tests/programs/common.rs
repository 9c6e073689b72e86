//! Small programs, and documents about them.

use crate::covers::Element;
use throng_base::Source;
use throng_boolprog::flow::{Effect, LocationId, Program, VariableId};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion};
use throng_cert::document::{Body, Configuration, CoverSet, Proof};
use throng_cert::{Count, EvidenceDocument, State, Verdict};
use throng_check::program::check_program;
use throng_check::{Accepted, Condition, Rejection};

/// A program with a question: can an assertion fail, when so many threads start?
pub(crate) struct Case {
    pub(crate) program: Program,
    pub(crate) question: ProgramQuestion,
}

impl Case {
    pub(crate) fn new(text: &str, threads: InitThreads) -> Self {
        let source = Source::from_text("p.bp", text);
        let program = throng_boolprog::read(&source).unwrap_or_else(|errors| panic!("{errors:?}")).program;
        let question = ProgramQuestion::assertions(&program, threads);
        Self { program, question }
    }

    /// The answer about evidence of this kind.
    pub(crate) fn check(&self, kind: &str, body: &str) -> Result<Accepted, Rejection> {
        check_program(&self.program, &self.question, &document(kind, body))
    }

    #[track_caller]
    pub(crate) fn accepts(&self, kind: &str, body: &str) {
        self.check(kind, body).unwrap_or_else(|rejection| panic!("{rejection}\n{body}"));
    }

    #[track_caller]
    pub(crate) fn rejects(&self, kind: &str, body: &str, condition: Condition) {
        match self.check(kind, body) {
            Ok(accepted) => panic!("accepted as {accepted}: {body}"),
            Err(rejection) => assert_eq!(rejection.condition, condition, "{rejection}\n{body}"),
        }
    }
}

/// The document with this evidence; its verdict is the one that fits.
pub(crate) fn document(kind: &str, body: &str) -> EvidenceDocument {
    let verdict = if kind == "trace" { "unsafe" } else { "safe" };
    let text = format!(
        r#"{{"format":"throng-evidence","version":1,"verdict":"{verdict}","kind":"{kind}","{kind}":{body}}}"#
    );
    throng_cert::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The answer about a document that went through JSON.
pub(crate) fn accepted_or_why(case: &Case, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
    let mut text = Vec::new();
    throng_cert::write_document(document, &mut text).unwrap();
    let again = throng_cert::read(&text).unwrap();
    assert_eq!(again, *document);
    check_program(&case.program, &case.question, document)
}

/// The state of the shared variables in a document.
pub(crate) fn shared_state(program: &Program, cube: &Cube) -> State {
    let name = |index: u32| {
        if index == program.atomic_bit() {
            "(atomic)".to_owned()
        } else {
            program.variable_text(VariableId::Shared(index))
        }
    };
    State::Where { valuation: cube.iter().map(|(index, value)| (name(index), value)).collect() }
}

/// A thread in a document.
pub(crate) fn thread_state(program: &Program, location: LocationId, cube: &Cube) -> State {
    let name = |index: u32| program.variable_text(VariableId::Local(index));
    let valuation = cube.iter().map(|(index, value)| (name(index), value)).collect();
    State::At { location: program.location_text(location), valuation }
}

/// The document of a proof.
pub(crate) fn proof(program: &Program, elements: &[Pattern], through: &[LocationId]) -> EvidenceDocument {
    let elements = elements.iter().map(|element| Configuration {
        shared: Some(shared_state(program, &element.shared)),
        threads: element
            .threads
            .iter()
            .map(|thread| (thread_state(program, thread.location, &thread.locals), Count::Finite(1)))
            .collect(),
    });
    let through = through.iter().map(|&at| program.location_text(at)).collect();
    let body = Body::Proof(Proof { elements: elements.collect(), through, ..Proof::default() });
    EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body }
}

/// Whether a thread at a location has one step, always possible, that only computes own variables from own ones. Cycles
/// are not looked at.
pub(crate) fn can_pass(program: &Program, at: LocationId) -> bool {
    let is_local = |variable| matches!(variable, VariableId::Local(_));
    let [edge] = program.outgoing(at) else { return false };
    let own = match edge.effect {
        Effect::None => true,
        Effect::Start { .. } => false,
        Effect::Assign(id) => {
            let assignment = program.assignment(id);
            assignment.constraints.is_empty()
                && assignment.targets.iter().all(|target| is_local(target.variable) && !target.is_passive)
                && assignment.values.iter().all(|&value| {
                    program.expression(value).references().all(|reference| is_local(reference.variable))
                })
        }
    };
    let keeps_atomic = |to| program.location(to).is_atomic == program.location(at).is_atomic;
    own && edge.guard.is_none() && edge.enforced.is_none() && edge.to.is_some_and(keeps_atomic)
}

/// Whether threads can go in a circle inside of these locations.
pub(crate) fn has_cycle(program: &Program, inside: &[LocationId]) -> bool {
    inside.iter().any(|&start| {
        let mut at = start;
        (0..=inside.len()).all(|_| {
            let next = program.outgoing(at).first().and_then(|edge| edge.to).filter(|_| inside.contains(&at));
            at = next.unwrap_or(at);
            next.is_some()
        })
    })
}

/// The document of a cover set.
pub(crate) fn cover_set(program: &Program, elements: &[Element], through: &[LocationId]) -> EvidenceDocument {
    let elements = elements.iter().map(|element| Configuration {
        shared: Some(shared_state(program, &element.shared)),
        threads: element
            .groups
            .iter()
            .map(|(thread, count)| (thread_state(program, thread.location, &thread.locals), *count))
            .collect(),
    });
    let through = through.iter().map(|&at| program.location_text(at)).collect();
    let body = Body::CoverSet(CoverSet { elements: elements.collect(), through });
    EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body }
}
