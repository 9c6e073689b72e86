//! Small programs, and documents about them.

use throng_base::Source;
use throng_boolprog::flow::Program;
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_cert::EvidenceDocument;
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
