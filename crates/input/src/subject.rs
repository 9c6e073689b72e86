//! Where an input comes from, of which kind it is, and what is asked about it.

use crate::flags::{CFlags, ProgramFlags, QuestionFlags};
use crate::input::{CInput, Input, ProgramInput};
use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic, Source};
use throng_boolprog::InitThreads;
use throng_formats::Format;

/// The code of messages about files whose format cannot be told.
const UNKNOWN_FORMAT: &str = "E0010";

/// What is asked about, by its kind. It is read when a question is asked: what a file means can depend on the question.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A thread transition system or a Petri net, in any format.
    System(Origin),
    /// A Boolean program.
    BooleanProgram(Origin),
    /// A C program of one or several files.
    CProgram(Vec<Origin>),
}

/// Where a text comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A file. What belongs to it may stand beside it, such as the target of a `.tts` file in a `.prop` file.
    File(PathBuf),
    /// A text with a name, as if it stood in a file of that name. C programs as texts have to be preprocessed already.
    Text {
        /// The name, which messages use.
        name: String,
        /// The text.
        text: String,
    },
}

impl Origin {
    /// The name of the file or of the text.
    pub fn name(&self) -> String {
        match self {
            Origin::File(path) => path.display().to_string(),
            Origin::Text { name, .. } => name.clone(),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Origin::File(path) => path,
            Origin::Text { name, .. } => Path::new(name),
        }
    }

    fn source(&self) -> Result<Source, Vec<Diagnostic>> {
        match self {
            Origin::File(path) => Source::read(path).map_err(|error| vec![error]),
            Origin::Text { name, text } => Ok(Source::from_text(name, text)),
        }
    }
}

/// A question about an input. The default asks what the input itself asks: whether its target can be covered, or whether an
/// assertion can fail. What has no meaning for an input is refused when it is read.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What is asked about a system, and how many threads start.
    pub system: QuestionFlags,
    /// What is asked about a program: labels, and how Boolean programs start.
    pub program: ProgramFlags,
    /// How a C program is read, and what is asked of it.
    pub c: CFlags,
    /// Whether targets are forgotten, for questions about all that can be covered.
    pub without_targets: bool,
    /// Whether a system without targets is one nevertheless.
    pub target_optional: bool,
}

impl Question {
    /// Asks about a bad configuration of a system, such as `1|2,2`; several ask for any of them.
    #[must_use]
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.system.target.push(target.into());
        self
    }

    /// Starts a system in such a configuration; several give several.
    #[must_use]
    pub fn init(mut self, init: impl Into<String>) -> Self {
        self.system.start.init.push(init.into());
        self
    }

    /// Asks about so many threads only: exactly so many at the start of a system or a Boolean program, at most so many in a C
    /// program.
    #[must_use]
    pub fn threads(mut self, threads: u32) -> Self {
        self.system.start.threads = Some(threads);
        self
    }

    /// Asks whether a thread of a program can come to a label, such as `ERROR`, or `CS*2` for two threads at the same time.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.program.label.push(label.into());
        self
    }

    /// Says how many threads of a Boolean program start in `main`.
    #[must_use]
    pub fn init_threads(mut self, threads: InitThreads) -> Self {
        self.program.init_threads = Some(threads);
        self
    }

    /// Lets any number of threads run these functions of a C program, which then needs no `main`.
    #[must_use]
    pub fn threads_run(mut self, functions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.c.threads_run.extend(functions.into_iter().map(Into::into));
        self
    }
}

impl Subject {
    /// A file, whose name says of which kind it is.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::files([path.into()], &Question::default())
    }

    /// Files of a C program, or one file of any kind: the question may say how it is read, whatever its name is. What is one file
    /// too many is refused when it is read.
    pub fn files(files: impl IntoIterator<Item = PathBuf>, question: &Question) -> Self {
        let files: Vec<Origin> = files.into_iter().map(Origin::File).collect();
        Self::new(files, question)
    }

    /// A text, as if it stood in a file of this name: `Subject::text("mutex.tts", "2 2\n0 0 -> 1 1\n…")`.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(vec![Origin::Text { name: name.into(), text: text.into() }], &Question::default())
    }

    fn new(mut origins: Vec<Origin>, question: &Question) -> Self {
        let start = &question.system.start;
        let path = origins.first().map(Origin::path).unwrap_or(Path::new(""));
        let (is_c, is_program) = (start.is_c(path), start.is_program(path));
        // Several files can only be meant as a C program, which says so if they are none.
        if is_c || origins.len() != 1 {
            return Subject::CProgram(origins);
        }
        let origin = origins.swap_remove(0);
        if is_program { Subject::BooleanProgram(origin) } else { Subject::System(origin) }
    }

    /// The names of its files.
    pub fn name(&self) -> String {
        match self {
            Subject::System(origin) | Subject::BooleanProgram(origin) => origin.name(),
            Subject::CProgram(origins) => origins.first().map(Origin::name).unwrap_or_default(),
        }
    }

    /// Reads it together with a question. `Err` holds at least one error.
    pub fn read(&self, question: &Question, budget: &Budget) -> Result<Input, Vec<Diagnostic>> {
        match self {
            Subject::CProgram(origins) => {
                if let [first, more, ..] = &origins[..]
                    && !question.system.start.is_c(first.path())
                {
                    question.c.for_others()?;
                    let message = format!("`{}` is one file too many", more.name());
                    let error = Diagnostic::error("E0525", message);
                    return Err(vec![error.hint("only C programs have several files")]);
                }
                CInput::read(origins, question, false, budget).map(Input::C)
            }
            Subject::BooleanProgram(origin) => {
                question.c.for_others()?;
                question.system.for_program()?;
                ProgramInput::read(origin.source()?, question).map(Input::Program)
            }
            Subject::System(origin) => {
                question.c.for_others()?;
                question.program.for_system()?;
                read_system(origin, question).map(Input::System)
            }
        }
    }
}

fn read_system(origin: &Origin, question: &Question) -> Result<throng_formats::Input, Vec<Diagnostic>> {
    let mut asked =
        throng_formats::Question { without_targets: question.without_targets, ..question.system.question() };
    asked.target_optional |= question.target_optional;
    let read = match origin {
        Origin::File(path) => throng_formats::read(path, &asked),
        Origin::Text { .. } => {
            let format = asked.format.map_or_else(|| Format::of_path(origin.path()), Ok);
            let format = format.map_err(|error| vec![error]);
            format.and_then(|format| throng_formats::read_source(format, &origin.source()?, &asked))
        }
    };
    read.map_err(mention_programs)
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
