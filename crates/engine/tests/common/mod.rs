//! What the tests of all engines share: systems from text, and runs whose evidence is checked.

#![allow(dead_code, reason = "not every test file uses all of it")]

use throng_base::{Budget, Source};
use throng_cert::EvidenceDocument;
use throng_engine::{Answer, EngineKind, Options, Outcome, Safety, Silent};
use throng_formats::{Format, Question};
use throng_model::{Config, System};

/// The running example of Kaiser, Kroening and Wahl (CONCUR 2012), §3, with target `3|`; thesis Figure 15 up to names.
pub(crate) const RUNNING_EXAMPLE: &str = "4 4\n2 2 -> 3 0\n0 2 -> 2 0\n1 2 -> 0 0\n1 1 -> 1 2\n0 0 -> 1 1\n";

pub(crate) fn system(text: &str, init: &str, target: &str) -> System {
    let question = Question { init: vec![init.into()], target: vec![target.into()], ..Question::default() };
    let source = Source::from_text("test.tts", text);
    throng_formats::read_source(Format::Tts, &source, &question).expect("the text is right").system
}

/// Runs an engine; evidence must pass the checker.
pub(crate) fn run(engine: EngineKind, system: &System, options: &Options) -> Outcome {
    let outcome = engine.run(system, options, &Budget::unlimited(), &Silent);
    if let Ok(evidence) = outcome.answer.clone().into_evidence() {
        let document = EvidenceDocument::new(&evidence, system, Default::default());
        throng_check::check(system, &document).expect("the evidence is right");
    }
    outcome
}

/// The elements of a proof, sorted.
pub(crate) fn proof(outcome: Outcome) -> Vec<Config> {
    let Answer::Safe(Safety::Proof(proof)) = outcome.answer else { panic!("no proof: {:?}", outcome.answer) };
    let mut elements = proof.elements;
    elements.sort();
    elements
}
