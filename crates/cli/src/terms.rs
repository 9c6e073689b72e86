//! In whose terms evidence is told: engines speak of numbered states and rules, users of the states of their system or of
//! the lines and variables of their program.

use crate::input::ProgramInput;
use crate::reduced::Found;
use crate::supervise::Failure;
use throng_base::{Budget, Diagnostic};
use throng_cert::{Evidence, EvidenceDocument, Header};
use throng_check::program::check_program;
use throng_check::{Accepted, Rejection};
use throng_engine::{EngineKind, Observer, Options};
use throng_model::System;
use throng_symbolic::{ProgramSystem, StatementTooLarge};

/// Evidence as it is shown.
#[derive(Debug)]
pub(crate) enum Told {
    /// About a system, over its ids.
    System(Evidence),
    /// About a program, in its own terms.
    Program(EvidenceDocument),
    /// About a C program.
    C(EvidenceDocument),
}

/// Why evidence is not told to users.
#[derive(Debug)]
pub(crate) enum Untold {
    /// There is too much of it, to be told or to be checked.
    TooLarge,
    /// It is wrong: a bug of ours.
    Bug(String),
}

/// What evidence is about.
pub(crate) trait Terms {
    /// Evidence as it is shown, and as it stands in a file.
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Told, Vec<u8>), Untold>;

    /// Whether the independent checker accepts evidence.
    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection>;
}

fn unwritable(error: impl std::fmt::Display) -> Untold {
    Untold::Bug(format!("the evidence cannot be written: {error}"))
}

/// A system speaks for itself.
pub(crate) struct SystemTerms<'a>(pub(crate) &'a System);

impl Terms for SystemTerms<'_> {
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Told, Vec<u8>), Untold> {
        let mut text = Vec::new();
        throng_cert::write(&evidence, self.0, header, &mut text).map_err(unwritable)?;
        Ok((Told::System(evidence), text))
    }

    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
        throng_check::check(self.0, document)
    }
}

/// A program is searched as a system that is made on demand.
pub(crate) struct ProgramTerms<'a> {
    input: &'a ProgramInput,
    system: ProgramSystem<'a>,
}

impl<'a> ProgramTerms<'a> {
    /// The terms of a program. Fails if it cannot be searched.
    pub(crate) fn new(input: &'a ProgramInput) -> Result<Self, Failure> {
        let system = ProgramSystem::new(&input.program, input.question.clone());
        let system = system.map_err(|error| Failure::Refused(vec![too_large(input, error)]))?;
        Ok(Self { input, system })
    }

    /// Lets an engine search the program.
    pub(crate) fn search(
        &self,
        engine: EngineKind,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Found {
        let mut found = Found::from(self.system.decide(engine, options, budget, observer));
        let (shared, locals, rules) = self.system.n_met();
        let met = [("shared_states_met", shared), ("local_states_met", locals), ("rules_met", rules)];
        met.into_iter().for_each(|(name, count)| found.statistics.push(name, count as u64));
        found
    }
}

/// The message about a statement that cannot be handled.
pub(crate) fn too_large(input: &ProgramInput, error: StatementTooLarge) -> Diagnostic {
    let span = input.program.location(error.location).span;
    Diagnostic::error("E0530", "this statement has too many variables")
        .at(input.source(), span, "with what `enforce` demands here")
        .hint("split it into several statements, in an atomic section if need be")
}

impl Terms for ProgramTerms<'_> {
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Told, Vec<u8>), Untold> {
        let document = self.system.document(&evidence, header).map_err(|why| match why {
            throng_symbolic::Untold::TooLong => Untold::TooLarge,
            throng_symbolic::Untold::Wrong => {
                Untold::Bug("the evidence cannot be told in terms of the program".to_owned())
            }
        })?;
        let mut text = Vec::new();
        throng_cert::write_document(&document, &mut text).map_err(unwritable)?;
        Ok((Told::Program(document), text))
    }

    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
        check_program(&self.input.program, &self.input.question, document)
    }
}
