//! What commands are about: a system, a Boolean program or a C program, read together with the question about it.

use crate::terms::MOST_RULES;
use std::path::PathBuf;
use throng_base::{Budget, Diagnostic, Source};
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_check::flags::{CFlags, ProgramFlags, QuestionFlags};
use throng_report::Subject;
use throng_report::c::CCase;
use throng_report::program::ProgramCase;
use throng_symbolic::explicit;

/// The code of messages about files whose format cannot be told.
const UNKNOWN_FORMAT: &str = "E0010";

/// A file and what is asked about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The file.
    pub(crate) file: PathBuf,
    /// What is asked about a system, and how the file is read.
    pub(crate) question: QuestionFlags,
    /// What is asked about a program.
    pub(crate) program: ProgramFlags,
    /// Further files of a C program.
    pub(crate) more: Vec<PathBuf>,
    /// How a C program is read.
    pub(crate) c: CFlags,
    /// Whether targets are forgotten.
    pub(crate) without_targets: bool,
    /// Whether a system without targets is one nevertheless.
    pub(crate) target_optional: bool,
}

impl Asked {
    /// Reads the file. `Err` holds at least one error.
    pub(crate) fn read(&self, budget: &Budget) -> Result<Input, Vec<Diagnostic>> {
        if self.question.start.is_c(&self.file) {
            return CInput::read(self, false, budget).map(Input::C);
        }
        self.c.for_others()?;
        if let Some(more) = self.more.first() {
            let message = format!("`{}` is one file too many", more.display());
            return Err(vec![Diagnostic::error("E0525", message).hint("only C programs have several files")]);
        }
        if self.question.start.is_program(&self.file) {
            self.question.for_program()?;
            return ProgramInput::read(self).map(Input::Program);
        }
        self.program.for_system()?;
        let mut question =
            throng_formats::Question { without_targets: self.without_targets, ..self.question.question() };
        question.target_optional |= self.target_optional;
        throng_formats::read(&self.file, &question).map(Input::System).map_err(mention_programs)
    }
}

/// Where the format of a file cannot be told, it may as well be a program.
fn mention_programs(errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mention = |error: Diagnostic| {
        if error.code == UNKNOWN_FORMAT {
            error.note("Boolean programs: .bp, .nbp; C programs: .c, .i")
        } else {
            error
        }
    };
    errors.into_iter().map(mention).collect()
}

/// An input that has been read.
#[derive(Debug)]
pub(crate) enum Input {
    /// A system.
    System(throng_formats::Input),
    /// A Boolean program.
    Program(ProgramInput),
    /// A C program.
    C(CInput),
}

/// A C program that has been read.
#[derive(Debug)]
pub(crate) struct CInput {
    pub(crate) program: throng_cprog::flow::Program,
    /// The options that it was read with, as on a command line.
    pub(crate) options: Vec<String>,
    warnings: Vec<Diagnostic>,
}

impl CInput {
    /// Reads a program, or only looks for what is not supported in it.
    pub(crate) fn read(
        asked: &Asked,
        list_unsupported: bool,
        budget: &Budget,
    ) -> Result<Self, Vec<Diagnostic>> {
        asked.question.for_c()?;
        asked.program.for_c()?;
        let files: Vec<PathBuf> = [&asked.file].into_iter().chain(&asked.more).cloned().collect();
        let (labels, property) = (&asked.program.label, asked.question.property.as_deref());
        let (program, warnings) = asked.c.read_within(budget, &files, labels, property, list_unsupported)?;
        let mut options = asked.c.told(property.is_some());
        options.extend(labels.iter().map(|label| format!("--label={label}")));
        options.extend(property.map(|file| format!("--property={}", file.display())));
        options.extend(asked.more.iter().map(|file| file.display().to_string()));
        Ok(Self { program, options, warnings })
    }

    /// The same question about another form of the program.
    pub(crate) fn with(&self, program: throng_cprog::flow::Program) -> Self {
        Self { program, options: self.options.clone(), warnings: Vec::new() }
    }

    /// The program, for reports.
    pub(crate) fn case(&self) -> CCase<'_> {
        CCase { program: &self.program }
    }
}

/// A program that has been read.
#[derive(Debug)]
pub(crate) struct ProgramInput {
    source: Source,
    pub(crate) program: Program,
    pub(crate) question: ProgramQuestion,
    warnings: Vec<Diagnostic>,
}

impl ProgramInput {
    fn read(asked: &Asked) -> Result<Self, Vec<Diagnostic>> {
        let source = Source::read(&asked.file).map_err(|error| vec![error])?;
        let (throng_boolprog::Input { program, warnings }, mut question) =
            asked.program.read(&source, asked.question.start.threads)?;
        if asked.without_targets {
            question.targets.clear();
        }
        Ok(Self { source, program, question, warnings })
    }

    /// The text, for messages.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The program and the question, for reports.
    pub(crate) fn case(&self) -> ProgramCase<'_> {
        ProgramCase { source: &self.source, program: &self.program, question: &self.question }
    }

    /// What its author may not have meant.
    pub(crate) fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl Input {
    /// Whether there is memory for a search; if not, the budget ends.
    pub(crate) fn fits(&self, budget: &Budget) -> bool {
        match self {
            Input::System(input) => throng_check::limits::fits(&input.system, budget),
            Input::Program(_) | Input::C(_) => true,
        }
    }

    /// What its author may not have meant.
    pub(crate) fn warnings(&self) -> &[Diagnostic] {
        match self {
            Input::System(input) => &input.warnings,
            Input::Program(input) => &input.warnings,
            Input::C(input) => &input.warnings,
        }
    }

    /// The name of its format.
    pub(crate) fn format(&self) -> &'static str {
        match self {
            Input::System(input) => input.format.extension(),
            Input::Program(_) => PROGRAM_FORMAT,
            Input::C(_) => "c",
        }
    }

    /// What results are about.
    pub(crate) fn subject(&self) -> Subject<'_> {
        match self {
            Input::System(input) => Subject::System(&input.system),
            Input::Program(input) => Subject::Program(input.case()),
            Input::C(input) => Subject::C(input.case()),
        }
    }
}

/// The name of the format of programs in results.
pub(crate) const PROGRAM_FORMAT: &str = "bp";

/// The code of messages about inputs that a command is not for.
const NOT_FOR_THIS: &str = "E0902";

impl Asked {
    /// Reads the file as a system: of a Boolean program, one with a state for every valuation.
    pub(crate) fn read_system(&self, budget: &Budget) -> Result<throng_formats::Input, Vec<Diagnostic>> {
        let refused = || {
            let error = Diagnostic::error(NOT_FOR_THIS, "this cannot be done with C programs");
            vec![error.note("`throng check` and `throng graph` read C programs")]
        };
        if self.question.start.is_c(&self.file) {
            return Err(refused());
        }
        match self.read(budget)? {
            Input::System(input) => Ok(input),
            Input::Program(input) => input.translated(),
            Input::C(_) => Err(refused()),
        }
    }
}

impl ProgramInput {
    /// The program as a system, if it is small.
    fn translated(self) -> Result<throng_formats::Input, Vec<Diagnostic>> {
        let system = explicit::translate(&self.program, &self.question, MOST_RULES).map_err(|error| {
            let message = "the program has too many valuations for a system with a state for each";
            vec![Diagnostic::error("E0541", message).note(error.to_string()).note(
                "`throng check`, `reach` and `cutoff` read programs as they are, without a state for every valuation",
            )]
        })?;
        let (format, warnings) = (throng_formats::Format::Tts, self.warnings);
        Ok(throng_formats::Input { system, format, warnings, invariant_hints: Vec::new() })
    }
}
