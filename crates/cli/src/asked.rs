//! What a command is about: files, and what flags ask about them.

use std::path::PathBuf;
use throng::{Error, Question, Subject};
use throng_base::{Budget, Diagnostic};
use throng_input::flags::{CFlags, ProgramFlags, QuestionFlags};
use throng_input::{CInput, Input, Origin};

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
    /// Whether a C program with few values is taken for a system.
    pub(crate) takes_c: bool,
}

impl Asked {
    /// The question.
    pub(crate) fn question(&self) -> Question {
        Question {
            system: self.question.clone(),
            program: self.program.clone(),
            c: self.c.clone(),
            without_targets: self.without_targets,
            target_optional: self.target_optional,
        }
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        [&self.file].into_iter().chain(&self.more).cloned()
    }

    /// What it is asked about.
    pub(crate) fn subject(&self) -> Subject {
        Subject::files(self.files(), &self.question())
    }

    /// Reads the files. `Err` holds at least one error.
    pub(crate) fn read(&self, budget: &Budget) -> Result<Input, Vec<Diagnostic>> {
        self.subject().read(&self.question(), budget)
    }

    /// Reads the file as a system: of a Boolean program, one with a state for every valuation.
    pub(crate) fn read_system(&self, budget: &Budget) -> Result<throng_formats::Input, Error> {
        if self.question.start.is_c(&self.file) {
            if !self.takes_c {
                return Err(Error::Refused(throng::not_for_c()));
            }
            self.any_number()?;
        }
        match self.read(budget).map_err(Error::Refused)? {
            Input::C(input) => throng::c::system_of_c(&input, true, budget),
            input => throng::as_system(input).map_err(Error::Refused),
        }
    }

    /// Refuses questions about so many threads of a C program: thread states are listed for any number.
    pub(crate) fn any_number(&self) -> Result<(), Error> {
        if self.question.start.threads.is_none() {
            return Ok(());
        }
        let error =
            Diagnostic::error("E0902", "thread states of C programs are listed for any number of threads");
        Err(Error::Refused(vec![error.note("`--threads` is for `throng check`")]))
    }

    /// Only looks for what is not supported in a C program.
    /// What does not matter, if there is nothing else.
    pub(crate) fn find_unsupported(&self, budget: &Budget) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let origins: Vec<Origin> = self.files().map(Origin::File).collect();
        CInput::read(&origins, &self.question(), true, budget).map(CInput::into_warnings)
    }
}
