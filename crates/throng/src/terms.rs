//! In whose terms evidence is told: engines speak of numbered states and rules, users of the states of their system or of
//! the lines and variables of their program.

use crate::Error;
use crate::evidence::Content;
use crate::reduced::{self, Found};
use std::cell::OnceCell;
use throng_base::{Budget, Diagnostic};
use throng_cert::{Evidence, EvidenceDocument, Header};
use throng_check::program::check_program;
use throng_check::{Accepted, Rejection};
use throng_engine::{EngineKind, Observer, Options, UnknownReason};
use throng_input::ProgramInput;
use throng_model::System;
use throng_reduce::Strength;
use throng_symbolic::explicit::{Meaning, translate_with_meaning};
use throng_symbolic::{ProgramSystem, StatementTooLarge};

/// Why evidence is not told to users.
#[derive(Debug)]
pub(crate) enum Unwritten {
    /// There is too much of it, to be told or to be checked.
    TooLarge,
    /// It is wrong: a bug of ours, and the evidence if there is a text of it.
    Bug(String, Option<Vec<u8>>),
}

impl Unwritten {
    /// A bug, in words.
    pub(crate) fn bug(message: impl Into<String>) -> Self {
        Unwritten::Bug(message.into(), None)
    }

    /// The same about evidence with this text.
    pub(crate) fn about(self, text: Vec<u8>) -> Self {
        match self {
            Unwritten::Bug(message, _) => Unwritten::Bug(message, Some(text)),
            Unwritten::TooLarge => Unwritten::TooLarge,
        }
    }
}

/// What evidence is about.
pub(crate) trait Terms {
    /// Evidence as it is shown, and as it stands in a file.
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Content, Vec<u8>), Unwritten>;

    /// Whether the independent checker accepts evidence.
    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection>;
}

fn unwritable(error: impl std::fmt::Display) -> Unwritten {
    Unwritten::bug(format!("the evidence cannot be written: {error}"))
}

/// A system speaks for itself.
pub(crate) struct SystemTerms<'a>(pub(crate) &'a System);

impl Terms for SystemTerms<'_> {
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Content, Vec<u8>), Unwritten> {
        let mut text = Vec::new();
        throng_cert::write(&evidence, self.0, header, &mut text).map_err(unwritable)?;
        Ok((Content::System(evidence), text))
    }

    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
        throng_check::check(self.0, document)
    }
}

/// Rules, and pairs of states, that a program may have as a system for engines that need all of them.
pub const MOST_RULES: usize = 1 << 20;

/// A program is searched as a system that is made on demand. The concolic search needs all rules: it searches a system with a
/// state for every valuation, and a trace of that is told as a run of the program.
pub(crate) struct ProgramTerms<'a> {
    input: &'a ProgramInput,
    system: ProgramSystem<'a>,
    /// What traces are about, if it is not the system that is made on demand.
    translation: OnceCell<(System, Meaning)>,
}

impl<'a> ProgramTerms<'a> {
    /// The terms of a program. Fails if it cannot be searched.
    pub(crate) fn new(input: &'a ProgramInput) -> Result<Self, Error> {
        let system = ProgramSystem::new(&input.program, input.question.clone());
        let system = system.map_err(|error| Error::Refused(vec![too_large(input, error)]))?;
        Ok(Self { input, system, translation: OnceCell::new() })
    }

    /// Lets an engine search the program.
    pub(crate) fn search(
        &self,
        engine: EngineKind,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Found {
        let mut found = if engine == EngineKind::Concolic {
            self.search_translation(options, budget, observer)
        } else {
            Found::from(self.system.decide(engine, options, budget, observer))
        };
        let (shared, locals, rules) = self.system.n_met();
        let met = [("shared_states_met", shared), ("local_states_met", locals), ("rules_met", rules)];
        met.into_iter().for_each(|(name, count)| found.statistics.push(name, count as u64));
        found
    }
}

impl ProgramTerms<'_> {
    /// Searches the program's translation. If that is safe, it is a result and not evidence about the program, for which the
    /// program itself is searched backwards.
    fn search_translation(&self, options: &Options, budget: &Budget, observer: &dyn Observer) -> Found {
        let translation = translate_with_meaning(&self.input.program, &self.input.question, MOST_RULES);
        let Ok((system, meaning)) = translation else { return Found::nothing(UnknownReason::TooManyStates) };
        let how = (EngineKind::Concolic, options);
        let mut found = reduced::search(&system, Some(Strength::Full), how, budget, observer);
        let translated = system.rules().len() as u64;
        found.statistics.push("rules_translated", translated);
        match &found.evidence {
            Ok(Evidence::Trace(_)) => {
                // It is set once, before it is told.
                let _ = self.translation.set((system, meaning));
            }
            Ok(Evidence::Proof(_) | Evidence::CoverSet(_)) => {
                let proved = self.system.decide(EngineKind::Widen, options, budget, observer);
                found.evidence = Found::from(proved).evidence;
            }
            Err(_) => {}
        }
        found
    }
}

/// The message about a statement that cannot be handled.
pub fn too_large(input: &ProgramInput, error: StatementTooLarge) -> Diagnostic {
    let span = input.program.location(error.location).span;
    Diagnostic::error("E0530", "this statement has too many variables")
        .at(input.source(), span, "with what `enforce` demands here")
        .hint("split it into several statements, in an atomic section if need be")
}

impl Terms for ProgramTerms<'_> {
    fn tell(&self, evidence: Evidence, header: Header<'_>) -> Result<(Content, Vec<u8>), Unwritten> {
        let document = match (&evidence, self.translation.get()) {
            (Evidence::Trace(trace), Some((system, meaning))) => {
                self.system.document_of_translated((system, meaning), trace, header)
            }
            _ => self.system.document(&evidence, header),
        };
        let document = document.map_err(|why| match why {
            throng_symbolic::Untold::TooLong => Unwritten::TooLarge,
            throng_symbolic::Untold::Wrong => {
                Unwritten::bug("the evidence cannot be told in terms of the program")
            }
        })?;
        let mut text = Vec::new();
        throng_cert::write_document(&document, &mut text).map_err(unwritable)?;
        Ok((Content::Program(document), text))
    }

    fn check(&self, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
        check_program(&self.input.program, &self.input.question, document)
    }
}
