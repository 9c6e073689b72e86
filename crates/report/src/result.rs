//! What a run found out: the data that the text and JSON outputs show.

use crate::c::{Assertion, CCase, Proving};
use crate::program::ProgramCase;
use std::time::Duration;
pub use throng::Phase;
use throng::evidence::Content;
use throng_base::Diagnostic;
use throng_cert::{Evidence, EvidenceDocument, Verdict};
use throng_cfa::flow::PropertyId;
use throng_engine::{Contestant, Statistics, UnknownReason};
use throng_input::Input;
use throng_model::System;

/// The result of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunResult<'a> {
    /// The input as the user named it.
    pub file: &'a str,
    /// The input and the options that ask the question, as a shell reads them.
    pub arguments: &'a str,
    /// The name of the input's format, if the input got that far.
    pub format: Option<&'a str>,
    /// With how many threads it starts, if exactly so many were asked for.
    pub threads: Option<u32>,
    /// The name of the engine.
    pub engine: &'a str,
    /// How the race went, if the engine is one.
    pub contest: &'a [Contestant],
    /// The verdict with what it rests on.
    pub finding: Finding<'a>,
    /// What the engine counted.
    pub statistics: &'a Statistics,
    /// What the prover of C programs did, if it ran.
    pub proving: Option<&'a Proving>,
    /// Which assertions of a C program that is safe are reached.
    pub assertions: &'a [Assertion],
    /// Obligations of a C program that are proved although others are not.
    pub proved: &'a [PropertyId],
    /// What the reader of the input remarked.
    pub warnings: &'a [Diagnostic],
    /// Where the evidence was written.
    pub evidence_file: Option<&'a str>,
    /// What the run cost, if that should be shown: it differs from run to run.
    pub cost: Option<Cost>,
}

/// A verdict. One that decides carries its evidence.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// `safe` or `unsafe`, depending on the kind of evidence.
    Decided {
        /// The input and why the verdict about it is right.
        case: Case<'a>,
        /// Whether the checker accepted the evidence. `false` means that it was not asked.
        checked: bool,
    },
    /// No answer.
    Unknown {
        /// The input, unless the run ended while it was read.
        subject: Option<Subject<'a>>,
        /// Why there is none.
        reason: &'a UnknownReason,
        /// What was going on when the run ended.
        phase: Phase,
    },
}

/// What a result is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A system.
    System(&'a System),
    /// A Boolean program.
    Program(ProgramCase<'a>),
    /// A C program.
    C(CCase<'a>),
}

impl<'a> From<&'a System> for Subject<'a> {
    fn from(system: &'a System) -> Self {
        Subject::System(system)
    }
}

impl<'a> From<ProgramCase<'a>> for Subject<'a> {
    fn from(case: ProgramCase<'a>) -> Self {
        Subject::Program(case)
    }
}

impl<'a> From<&'a Input> for Subject<'a> {
    fn from(input: &'a Input) -> Self {
        match input {
            Input::System(input) => Subject::System(&input.system),
            Input::Program(input) => Subject::Program(input.into()),
            Input::C(input) => Subject::C(input.into()),
        }
    }
}

impl Subject<'_> {
    /// Whether tokens move, not threads.
    pub fn is_net(self) -> bool {
        matches!(self, Subject::System(system) if system.is_net())
    }
}

/// An input with evidence about it.
#[derive(Clone, Copy, Debug)]
pub enum Case<'a> {
    /// A system.
    System {
        /// What the evidence is about.
        system: &'a System,
        /// Why the verdict is right.
        evidence: &'a Evidence,
    },
    /// A Boolean program.
    Program {
        /// What the evidence is about.
        program: ProgramCase<'a>,
        /// Why the verdict is right.
        document: &'a EvidenceDocument,
    },
    /// A C program.
    C {
        /// What the evidence is about.
        program: CCase<'a>,
        /// Why the verdict is right.
        document: &'a EvidenceDocument,
    },
}

impl<'a> Case<'a> {
    /// An input with evidence about it; `None` if they do not fit together.
    pub fn new(input: &'a Input, evidence: &'a Content) -> Option<Self> {
        match (input, evidence) {
            (Input::System(input), Content::System(evidence)) => {
                Some(Case::System { system: &input.system, evidence })
            }
            (Input::Program(input), Content::Program(document) | Content::Read(document)) => {
                Some(Case::Program { program: input.into(), document })
            }
            (Input::C(input), Content::C(document) | Content::Read(document)) => {
                Some(Case::C { program: input.into(), document })
            }
            _ => None,
        }
    }

    /// The input.
    pub fn subject(self) -> Subject<'a> {
        match self {
            Case::System { system, .. } => Subject::System(system),
            Case::Program { program, .. } => Subject::Program(program),
            Case::C { program, .. } => Subject::C(program),
        }
    }

    /// The verdict.
    pub fn verdict(self) -> Verdict {
        match self {
            Case::System { evidence: Evidence::Trace(_), .. } => Verdict::Unsafe,
            Case::System { evidence: Evidence::Proof(_) | Evidence::CoverSet(_), .. } => Verdict::Safe,
            Case::Program { document, .. } | Case::C { document, .. } => document.verdict,
        }
    }
}

/// What was being done in a phase, for people.
pub(crate) fn phase_words(phase: Phase) -> &'static str {
    match phase {
        Phase::Reading => "while the input was read",
        Phase::Searching => "before the search was finished",
        Phase::Checking => "while the evidence was checked",
        Phase::Writing => "while the evidence was written",
        Phase::Rendering => "while the output was made",
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Resident memory in bytes, where that can be known.
    pub memory: Option<u64>,
}

impl<'a> Finding<'a> {
    /// The input, unless the run ended while it was read.
    pub fn subject(self) -> Option<Subject<'a>> {
        match self {
            Finding::Decided { case, .. } => Some(case.subject()),
            Finding::Unknown { subject, .. } => subject,
        }
    }

    /// The verdict word: `safe`, `unsafe` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Finding::Decided { case, .. } => case.verdict().word(),
            Finding::Unknown { .. } => "unknown",
        }
    }

    /// The verdict as the last line of the text output states it.
    pub fn verdict(self) -> String {
        match self {
            Finding::Decided { checked: true, .. } => self.word().to_owned(),
            Finding::Decided { checked: false, .. } => format!("{} (unchecked)", self.word()),
            Finding::Unknown { reason, .. } => format!("unknown({reason})"),
        }
    }
}
