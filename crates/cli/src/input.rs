//! What commands are about: a system, a Boolean program or a C program, read together with the question about it.

use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic, Source};
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_check::flags::{CFlags, ProgramFlags, QuestionFlags, StartFlags};
use throng_report::Subject;
use throng_report::c::CCase;
use throng_report::program::ProgramCase;

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
        let question =
            throng_formats::Question { without_targets: self.without_targets, ..self.question.question() };
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
        let throng_boolprog::Input { program, warnings } = throng_boolprog::read(&source)?;
        let mut question = asked.program.question(&program, asked.question.start.threads)?;
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

/// Refuses programs where a command is for systems only; `command` does not do something, as in `draw programs`.
pub(crate) fn refuse_program(
    start: &StartFlags,
    file: &Path,
    command: &str,
    missing: &str,
) -> Result<(), Vec<Diagnostic>> {
    if start.is_c(file) {
        let error = Diagnostic::error("E0902", format!("`throng {command}` cannot {missing} C programs"));
        return Err(vec![error.note("`throng check` and `throng graph` read C programs")]);
    }
    if !start.is_program(file) {
        return Ok(());
    }
    let (name, tts) = (file.display(), file.with_extension("tts"));
    let error = Diagnostic::error("E0902", format!("`throng {command}` cannot {missing} Boolean programs"))
        .note("it needs all states and rules; `throng check`, `reach` and `cutoff` read programs as they are")
        .hint(format!("make a system of it: `throng convert {name} {}`", tts.display()));
    Err(vec![error])
}
