//! Checks evidence about Boolean programs.

use crate::{Accepted, Condition, Rejection};
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_cert::EvidenceDocument;

/// Checks evidence about a program. `Ok` means that the verdict of the document holds.
pub fn check_program(
    program: &Program,
    question: &ProgramQuestion,
    document: &EvidenceDocument,
) -> Result<Accepted, Rejection> {
    let _ = (program, question, document);
    Err(Rejection::new(Condition::Form, "the document", "evidence about programs cannot be checked"))
}
