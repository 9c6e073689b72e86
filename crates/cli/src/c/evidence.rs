//! Evidence about C programs, read again from a file.
//!
//! Evidence is data that others may have written. Options in it that say what a program means are taken from it; what
//! names files or reaches the preprocessor is not: users name that themselves, and are told what the evidence names.

use crate::flags::SubjectFlags;
use clap::Parser;
use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic};
use throng_c_front::lower::{self, Whole};
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_cfa::flow::Program;
use throng_check::c::check_c_within;
use throng_input::flags::{CFlags, ProgramFlags, QuestionFlags};

/// The options in evidence, as the command line reads them.
#[derive(Debug, Parser)]
struct ReadOptions {
    more: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionFlags,
    #[command(flatten)]
    program: ProgramFlags,
    #[command(flatten)]
    c: CFlags,
}

/// Whether words are options that say how a program is read, and further files of it, and nothing else.
pub(crate) fn are_about_reading(words: &[String]) -> bool {
    parsed(words).is_some()
}

fn parsed(words: &[String]) -> Option<ReadOptions> {
    ReadOptions::try_parse_from(std::iter::once("throng").chain(words.iter().map(String::as_str))).ok()
}

/// Evidence with the options in it.
#[derive(Debug)]
pub(super) struct Evidence {
    name: String,
    pub(super) document: EvidenceDocument,
    options: ReadOptions,
}

/// Reads evidence about a C program. `unfit` says what else can be done with evidence that is not meant.
pub(super) fn read(
    file: &Path,
    unfit: fn(&Body) -> Option<&'static str>,
) -> Result<Evidence, Vec<Diagnostic>> {
    let name = file.display().to_string();
    let text =
        std::fs::read(file).map_err(|error| refuse("E0001", format!("cannot read `{name}`: {error}")))?;
    let document = throng_cert::read(&text).map_err(|error| refuse("E0910", format!("`{name}`: {error}")))?;
    if let Some(hint) = unfit(&document.body) {
        let what = document.body.kind();
        let message =
            format!("`{name}` cannot be shown by this command: it holds evidence of the kind `{what}`");
        return Err(vec![Diagnostic::error("E0911", message).hint(hint)]);
    }
    let words = match &document.body {
        Body::Interleaving(shown) => &shown.options,
        Body::Invariant(shown) => &shown.options,
        Body::Explored(shown) => &shown.options,
        _ => return Err(refuse("E0911", format!("`{name}` is not about a C program"))),
    };
    let options = parsed(words)
        .ok_or_else(|| refuse("E0912", format!("`{name}` names options that this version does not have")))?;
    Ok(Evidence { name, document, options })
}

fn refuse(code: &'static str, message: String) -> Vec<Diagnostic> {
    vec![Diagnostic::error(code, message)]
}

impl Evidence {
    /// The program that the user names, read with the options of the evidence.
    pub(super) fn program(
        &self,
        given: &SubjectFlags,
        budget: &Budget,
    ) -> Result<(Whole, lower::Options), Vec<Diagnostic>> {
        if given.inputs.is_empty() {
            let message = format!("the program that `{}` is about has to be named, too", self.name);
            let error = Diagnostic::error("E0913", message)
                .note("what evidence names is not read unless you name it: others may have written it")
                .hint(format!("if you trust these names: {}", self.words(true)));
            return Err(vec![error]);
        }
        let c = CFlags {
            include: given.include.clone(),
            define: given.define.clone(),
            undefine: given.undefine.clone(),
            ..self.options.c.clone()
        };
        let labels = &self.options.program.label;
        let (preprocessing, options) = c.settings(budget, labels, given.property.as_deref(), false)?;
        let whole = lower::read_whole(&given.inputs, &preprocessing, &options);
        whole.map(|whole| (whole, options)).map_err(|mut errors| {
            // Macros and headers that are missing are often why a program cannot be read.
            if let Some(error) = errors.last_mut().filter(|_| self.is_read_otherwise(given)) {
                error.notes.push(self.otherwise());
            }
            errors
        })
    }

    /// Has the checker look at everything again.
    pub(super) fn check(
        &self,
        program: &Program,
        given: &SubjectFlags,
        budget: &Budget,
    ) -> Result<(), Vec<Diagnostic>> {
        // What it is about is said with it.
        let threads = match &self.document.body {
            Body::Explored(shown) => shown.threads_at_most,
            _ => None,
        };
        check_c_within(program, &self.document, threads, budget).map(drop).map_err(|rejection| {
            let error = Diagnostic::error("E0914", format!("this is not so in the program: {rejection}"));
            vec![if self.is_read_otherwise(given) { error.note(self.otherwise()) } else { error }]
        })
    }

    /// Whether the evidence names other headers, macros or properties than the user.
    fn is_read_otherwise(&self, given: &SubjectFlags) -> bool {
        let CFlags { include, define, undefine, .. } = &self.options.c;
        let has_property = |property: &Option<PathBuf>| property.is_some();
        (include, define, undefine) != (&given.include, &given.define, &given.undefine)
            || has_property(&self.options.question.property) != has_property(&given.property)
    }

    fn otherwise(&self) -> String {
        format!("when the evidence was made, the program was read with other options: {}", self.words(false))
    }

    /// What the evidence names, as a shell reads it.
    fn words(&self, with_command: bool) -> String {
        let CFlags { include, define, undefine, .. } = &self.options.c;
        let question = &self.options.question;
        let path = |option: &str, path: &Path| format!("{option}{}", path.display());
        let mut words: Vec<String> = Vec::new();
        if with_command {
            let command = match self.document.body {
                Body::Interleaving(_) => "replay",
                _ => "explain",
            };
            words.extend(["throng", command].map(str::to_owned));
            words.extend([self.name.clone(), self.document.input.clone().unwrap_or_default()]);
            words.extend(self.options.more.iter().map(|file| path("", file)));
        }
        words.extend(include.iter().map(|directory| path("-I", directory)));
        words.extend(define.iter().map(|define| format!("-D{define}")));
        words.extend(undefine.iter().map(|undefine| format!("-U{undefine}")));
        words.extend(question.property.iter().map(|file| path("--property=", file)));
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(" ") }
    }
}

/// A word as a shell reads it. Control characters, which could do things to a terminal, are escaped.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=+:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let shown: String = word
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect();
    format!("'{}'", shown.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("-Iinc/a"), "-Iinc/a");
        assert_eq!(quoted("a b;rm"), "'a b;rm'");
        assert_eq!(quoted("it's\u{1b}"), "'it'\\''s\\u{1b}'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn options_that_write_are_not_about_reading() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(are_about_reading(&words("--threads-run f -DX=1 --check bounds b.c")));
        assert!(!are_about_reading(&words("--evidence=x")));
        assert!(!are_about_reading(&words("--save-predicates x")));
        assert!(!are_about_reading(&words("--help")));
    }
}
