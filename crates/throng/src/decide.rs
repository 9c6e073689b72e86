//! The way to a verdict: read the input, search, have the evidence checked.

use crate::c;
use crate::evidence::{Content, Evidence};
use crate::reduced::{self, Found};
use crate::terms::{ProgramTerms, SystemTerms, Terms, Unwritten};
use crate::{Error, Observer, Options, Phase, Silent};
use std::sync::Arc;
use throng_base::Budget;
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_cfa::flow::{LedgerEntry, PropertyId};
use throng_check::{Accepted, Condition, Rejection};
use throng_engine::{Contestant, Fate, Statistics, UnknownReason};
use throng_input::{Input, Question, Subject};

/// What was found out, with all that it rests on.
#[derive(Debug)]
pub struct Decision {
    /// The input, unless the run ended while it was read.
    pub input: Option<Arc<Input>>,
    /// The evidence for the verdict, which the checker has accepted if it was asked; or why there is no verdict.
    pub evidence: Result<Evidence, UnknownReason>,
    /// Whether the checker was asked.
    pub is_checked: bool,
    /// How far the run came.
    pub phase: Phase,
    /// What the engines counted.
    pub statistics: Statistics,
    /// How the race of engines went, if there was one.
    pub contest: Vec<Contestant>,
    /// Which assertions of a C program that is safe are reached: those that are not say nothing.
    pub assertions: Vec<c::Assertion>,
    /// Obligations of a C program that are proved although others are not.
    pub proved: Vec<PropertyId>,
}

impl Decision {
    /// No verdict, for this reason.
    pub fn unknown(input: Option<Arc<Input>>, reason: UnknownReason, phase: Phase) -> Self {
        let (evidence, statistics) = (Err(reason), Statistics::default());
        let (contest, assertions, proved) = (Vec::new(), Vec::new(), Vec::new());
        Self { input, evidence, is_checked: false, phase, statistics, contest, assertions, proved }
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.evidence.as_ref().ok().map(Evidence::verdict)
    }

    /// Why there is no verdict; `None` if there is one.
    pub fn reason(&self) -> Option<&UnknownReason> {
        self.evidence.as_ref().err()
    }

    /// What a verdict about a C program rests on, and what was left out: assumptions, models of library functions, and what
    /// else is not as in the text.
    pub fn ledger(&self) -> &[LedgerEntry] {
        match self.input.as_deref() {
            Some(Input::C(input)) => &input.program.ledger,
            _ => &[],
        }
    }

    /// Of the ledger, what is assumed: the verdict says nothing about runs in which it is not so.
    pub fn assumptions(&self) -> impl Iterator<Item = &LedgerEntry> {
        self.ledger().iter().filter(|entry| entry.is_assumption())
    }
}

/// Answers a question about a subject: `safe` with a proof or `unsafe` with an execution, which the checker has accepted, or
/// neither because the budget ended or the engines do not know.
pub fn decide(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
) -> Result<Decision, Error> {
    decide_observed(subject, question, options, budget, &Silent)
}

/// As [`decide`], and tells what it does.
pub fn decide_observed(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Decision, Error> {
    observer.phase(Phase::Reading);
    let input = Arc::new(subject.read(question, budget).map_err(Error::Refused)?);
    observer.input(&input);
    if !input.fits(budget) {
        return Err(Error::Refused(Vec::new()));
    }
    observer.phase(Phase::Searching);
    let name = subject.name();
    let run = Run { input: &input, name: &name, options, observer };
    match &*input {
        Input::System(input) => {
            let how = (options.engine, &options.search);
            let found = reduced::search(&input.system, options.reductions, how, budget, observer);
            run.conclude(found, &SystemTerms(&input.system))
        }
        Input::Program(input) => {
            let terms = ProgramTerms::new(input)?;
            let found = terms.search(options.engine, &options.search, budget, observer);
            run.conclude(found, &terms)
        }
        Input::C(c_input) => c::decide(&run, c_input, question.system.start.threads, budget),
    }
}

/// Has the checker look at evidence about a subject. `Ok` holds its verdict with the size of the evidence, or why the evidence
/// does not prove what it says.
pub fn check(
    subject: &Subject,
    question: &Question,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Result<Accepted, Rejection>, Error> {
    let input = subject.read(question, budget).map_err(Error::Refused)?;
    if !input.fits(budget) {
        return Err(Error::Refused(Vec::new()));
    }
    let document = evidence.document();
    Ok(match &input {
        Input::System(input) => throng_check::check(&input.system, &document),
        Input::Program(input) => {
            throng_check::program::check_program(&input.program, &input.question, &document)
        }
        Input::C(input) => {
            throng_check::c::check_c_within(&input.program, &document, question.system.start.threads, budget)
        }
    })
}

/// A run that is searching.
pub(crate) struct Run<'a> {
    pub(crate) input: &'a Arc<Input>,
    pub(crate) name: &'a str,
    pub(crate) options: &'a Options,
    pub(crate) observer: &'a dyn Observer,
}

impl Run<'_> {
    /// The decision of a run that ends without a verdict.
    pub(crate) fn nothing(&self, reason: UnknownReason, phase: Phase) -> Decision {
        Decision::unknown(Some(Arc::clone(self.input)), reason, phase)
    }

    /// Has what was found checked.
    fn conclude(&self, found: Found, terms: &dyn Terms) -> Result<Decision, Error> {
        let Found { evidence, statistics, contest, .. } = found;
        let winner = contest.iter().find(|contestant| contestant.fate == Fate::Answered);
        let engine = winner.map_or(self.options.engine.name(), |winner| winner.name);
        let header = Header { engine: Some(engine), input: Some(self.name) };
        let decision = match evidence {
            Ok(evidence) => {
                self.observer.phase(Phase::Checking);
                let written = terms.tell(evidence, header);
                self.accepted(written, &|document| terms.check(document))?
            }
            Err(reason) => self.nothing(reason, Phase::Searching),
        };
        Ok(Decision { statistics, contest, ..decision })
    }

    /// The decision that rests on evidence, if the checker accepts it.
    pub(crate) fn accepted(
        &self,
        written: Result<(Content, Vec<u8>), Unwritten>,
        check: &dyn Fn(&EvidenceDocument) -> Result<Accepted, Rejection>,
    ) -> Result<Decision, Error> {
        let accepted = written.and_then(|(content, text)| {
            match if self.options.check { accept(&text, check) } else { Ok(()) } {
                Ok(()) => Ok(Evidence::new(content, text)),
                Err(why) => Err(why.about(text)),
            }
        });
        match accepted {
            Ok(evidence) => {
                let decision = self.nothing(UnknownReason::Inconclusive, Phase::Writing);
                Ok(Decision { evidence: Ok(evidence), is_checked: self.options.check, ..decision })
            }
            Err(Unwritten::TooLarge) => Ok(self.nothing(UnknownReason::EvidenceTooLarge, Phase::Checking)),
            Err(Unwritten::Bug(message, evidence)) => Err(Error::Internal { message, evidence }),
        }
    }
}

/// Has the checker accept evidence from the very bytes that a user gets, so that a verdict also vouches for them.
fn accept(
    text: &[u8],
    check: &dyn Fn(&EvidenceDocument) -> Result<Accepted, Rejection>,
) -> Result<(), Unwritten> {
    let document = throng_cert::read(text)
        .map_err(|error| Unwritten::bug(format!("the evidence cannot be read back: {error}")))?;
    check(&document).map(drop).map_err(|rejection| match rejection.condition {
        Condition::Size => Unwritten::TooLarge,
        _ => Unwritten::bug(format!("the checker rejects the evidence: {rejection}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;
    use throng_cert::Proof;
    use throng_formats::{Format, Question};

    #[test]
    fn evidence_that_the_checker_rejects_is_an_internal_error() {
        let source = Source::from_text("x.tts", "1 2\n0 0 -> 0 1\n");
        let question = Question { target: vec!["0|1".to_owned()], ..Question::default() };
        let input = throng_formats::read_source(Format::Tts, &source, &question).unwrap();
        let wrong = throng_cert::Evidence::Proof(Proof::default());
        let terms = SystemTerms(&input.system);
        let (_, text) = terms.tell(wrong, Header::default()).unwrap();
        let Err(Unwritten::Bug(message, _)) = accept(&text, &|document| terms.check(document)) else {
            panic!("an empty proof was accepted");
        };
        assert!(message.contains("the checker rejects the evidence"), "{message}");
        assert!(message.contains("proof-target"), "{message}");
    }
}
