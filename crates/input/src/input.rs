//! What was read: a system, a Boolean program or a C program, together with the question about it.

use crate::subject::{Origin, Question};
use std::sync::Arc;
use throng_base::{Budget, Diagnostic, Source};
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_c_front::lower;

/// An input that has been read.
#[derive(Debug)]
pub enum Input {
    /// A system.
    System(throng_formats::Input),
    /// A Boolean program.
    Program(ProgramInput),
    /// A C program.
    C(CInput),
}

/// A C program that has been read.
#[derive(Debug)]
pub struct CInput {
    /// The graphs of its threads.
    pub program: Arc<throng_cfa::flow::Program>,
    /// The options that it was read with, as on a command line.
    pub options: Vec<String>,
    warnings: Vec<Diagnostic>,
}

impl CInput {
    /// Reads a program, or only looks for what is not supported in it.
    pub fn read(
        origins: &[Origin],
        question: &Question,
        list_unsupported: bool,
        budget: &Budget,
    ) -> Result<Self, Vec<Diagnostic>> {
        question.system.for_c()?;
        question.program.for_c()?;
        let (labels, property) = (&question.program.label, question.system.property.as_deref());
        let (preprocessing, how) = question.c.settings(budget, labels, property, list_unsupported)?;
        let (program, warnings) = match origins {
            [Origin::Text { name, text }] => lower::read_text(name, text, &preprocessing, &how)?,
            _ => lower::read(&files(origins)?, &preprocessing, &how)?,
        };
        let mut options = question.c.told(property.is_some());
        options.extend(labels.iter().map(|label| format!("--label={label}")));
        options.extend(property.map(|file| format!("--property={}", file.display())));
        options.extend(origins.iter().skip(1).map(Origin::name));
        Ok(Self { program: Arc::new(program), options, warnings })
    }

    /// What was read as it stands, with a remark.
    pub fn into_warnings(self) -> Vec<Diagnostic> {
        self.warnings
    }

    /// The warnings of the front end.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// A program that has been read.
#[derive(Debug)]
pub struct ProgramInput {
    source: Source,
    /// Its control flow.
    pub program: Program,
    /// What is asked about it.
    pub question: ProgramQuestion,
    warnings: Vec<Diagnostic>,
}

impl ProgramInput {
    pub(crate) fn read(source: Source, asked: &Question) -> Result<Self, Vec<Diagnostic>> {
        let (throng_boolprog::Input { program, warnings }, mut question) =
            asked.program.read(&source, asked.system.start.threads)?;
        if asked.without_targets {
            question.targets.clear();
        }
        Ok(Self { source, program, question, warnings })
    }

    /// The text, for messages.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What its author may not have meant.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl Input {
    /// Whether there is memory for a search; if not, the budget ends.
    pub fn fits(&self, budget: &Budget) -> bool {
        match self {
            Input::System(input) => crate::limits::fits(&input.system, budget),
            Input::Program(_) | Input::C(_) => true,
        }
    }

    /// What its author may not have meant.
    pub fn warnings(&self) -> &[Diagnostic] {
        match self {
            Input::System(input) => &input.warnings,
            Input::Program(input) => &input.warnings,
            Input::C(input) => &input.warnings,
        }
    }

    /// The name of its format.
    pub fn format(&self) -> &'static str {
        match self {
            Input::System(input) => input.format.extension(),
            Input::Program(_) => PROGRAM_FORMAT,
            Input::C(_) => "c",
        }
    }
}

/// The name of the format of programs in results.
pub const PROGRAM_FORMAT: &str = "bp";

/// Where several files come from: of texts, only one is read.
fn files(origins: &[Origin]) -> Result<Vec<std::path::PathBuf>, Vec<Diagnostic>> {
    let file = |origin: &Origin| match origin {
        Origin::File(path) => Ok(path.clone()),
        Origin::Text { name, .. } => {
            let message = format!("`{name}` is a text: a C program of several parts has to stand in files");
            Err(vec![Diagnostic::error("E0525", message)])
        }
    };
    origins.iter().map(file).collect()
}
