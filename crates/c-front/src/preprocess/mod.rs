//! From files to one preprocessed text.
//!
//! Files that end in `.i` are taken as they are. Others go through the system's compiler (`$CC -E`, or `cc -E`) with
//! headers of our own in front of the system's, since those are short and have what is modelled; where there is no
//! compiler, a preprocessor of our own does the same. Either way the line markers say where each line came from.

mod child;
mod compiler;
pub mod headers;
mod markers;
pub mod own;
mod pragma;

use crate::hir::DataModel;
use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic, Source, Span};
use throng_cfa::text::{Marker, Text};

/// What the user says about preprocessing.
#[derive(Clone, Debug, Default)]
pub struct Preprocessing {
    /// Directories of headers (`-I`).
    pub include: Vec<PathBuf>,
    /// `NAME` or `NAME=text` (`-D`).
    pub defines: Vec<String>,
    /// Names that are not defined, not even by the compiler (`-U`); they win over `defines`.
    pub undefines: Vec<String>,
    /// How wide `long` and pointers are.
    pub data_model: DataModel,
    /// Whether to use our own preprocessor even where there is a compiler.
    pub own: bool,
    /// What is left of it, the compiler may use. Should it end, the files are refused with E0811.
    pub budget: Budget,
}

/// A part of the text that is one translation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPart {
    /// The file, as the user gave it.
    pub file: String,
    /// Its part of the text.
    pub span: Span,
    /// Whether it is a part of our model of the C library.
    pub is_library: bool,
}

/// All units as one text.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The text, line markers blanked.
    pub text: Text,
    /// The units in it, in the order of the files.
    pub units: Vec<UnitPart>,
}

/// Reads and preprocesses files. All errors of all files are told.
pub fn read(files: &[PathBuf], options: &Preprocessing) -> Result<Preprocessed, Vec<Diagnostic>> {
    check(options)?;
    let mut collected = Collected::default();
    let mut errors = Vec::new();
    for file in files {
        let unit = unit_text(file, options)
            .and_then(|text| collected.add(&file.display().to_string(), &text).map_err(|error| vec![error]));
        if let Err(more) = unit {
            errors.extend(more);
        }
    }
    if errors.is_empty() { collected.finish().map_err(|error| vec![error]) } else { Err(errors) }
}

/// Whether options are what they are meant to be, so that none can be taken for another: `-D` without a name would be
/// followed by the next word.
fn check(options: &Preprocessing) -> Result<(), Vec<Diagnostic>> {
    let is_name = |text: &str| {
        let is_letter = |c: char| c.is_alphabetic() || c == '_' || c == '$';
        text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_numeric())
    };
    let is_macro = |text: &str| {
        let name = text.split(['=', '(']).next().unwrap_or_default();
        is_name(name) && !text.contains(['\n', '\r', '\0'])
    };
    let error = |option: String, hint: &str| {
        Diagnostic::error("E0812", format!("`{option}` makes no sense to a preprocessor")).hint(hint)
    };
    let defines = options.defines.iter().filter(|define| !is_macro(define));
    let defines = defines.map(|define| error(format!("-D{define}"), "write `-DNAME` or `-DNAME=TEXT`"));
    let undefines = options.undefines.iter().filter(|name| !is_name(name));
    let undefines = undefines.map(|name| error(format!("-U{name}"), "write `-UNAME`"));
    let include = options.include.iter().filter(|directory| directory.as_os_str().is_empty());
    let include = include.map(|_| error("-I".to_owned(), "write `-I.` for the current directory"));
    let errors: Vec<Diagnostic> = defines.chain(undefines).chain(include).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What is said of a file that could not be preprocessed within the budget.
fn stopped(file: &Path) -> Diagnostic {
    let message = format!("`{}` could not be preprocessed within the limits", file.display());
    Diagnostic::error("E0811", message).hint("`--timeout` and `--memory` set them")
}

/// A text that is preprocessed already, as one unit: for tests and texts that are not in files.
pub fn from_text(name: &str, text: &str) -> Result<Preprocessed, Vec<Diagnostic>> {
    let mut collected = Collected::default();
    collected.add(name, text).map_err(|error| vec![error])?;
    collected.finish().map_err(|error| vec![error])
}

/// The preprocessed text of one file, with its line markers.
fn unit_text(file: &Path, options: &Preprocessing) -> Result<String, Vec<Diagnostic>> {
    let is_preprocessed = file.extension().is_some_and(|extension| extension == "i");
    if is_preprocessed {
        return Ok(Source::read(file).map_err(|error| vec![error])?.text().to_owned());
    }
    if !options.own {
        check_readable(file)?;
        if let Some(text) = compiler::preprocess(file, options)? {
            return Ok(text);
        }
    }
    own::preprocess(file, options)
}

/// Whether a compiler can read a file. Its message about a file that is not there is no better than ours. What is in a pipe
/// can be read only once, and standard input is not the compiler's: it would see an empty program.
fn check_readable(file: &Path) -> Result<(), Vec<Diagnostic>> {
    let unreadable = |error| vec![Source::unreadable(file, &error)];
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        let message = format!("`{}` is no regular file, which a compiler needs", file.display());
        let hint = "`--own-preprocessor` reads it without a compiler";
        return Err(vec![Diagnostic::error("E0801", message).hint(hint)]);
    }
    std::fs::File::open(file).map(drop).map_err(unreadable)
}

/// Units put one after the other.
#[derive(Default)]
struct Collected {
    text: String,
    markers: Vec<Marker>,
    packs: Vec<(u32, Option<u64>)>,
    units: Vec<UnitPart>,
}

impl Collected {
    fn add(&mut self, file: &str, text: &str) -> Result<(), Diagnostic> {
        let start = self.text.len();
        if u32::try_from(start + text.len() + 1).is_err() {
            return Err(Diagnostic::error(
                "E0002",
                format!("with `{file}`, the program is larger than 4 GiB"),
            ));
        }
        let first = Marker { offset: start as u32, file: file.to_owned(), line: 1, is_system: false };
        self.markers.push(first);
        let markers::Blanked { text: blanked, markers, packs } = markers::blank(file, text)?;
        let packs = packs.into_iter().map(|(offset, pack)| (offset + start as u32, pack));
        self.packs.push((start as u32, None));
        self.packs.extend(packs);
        let markers = markers.into_iter();
        self.markers.extend(markers.map(|marker| Marker { offset: marker.offset + start as u32, ..marker }));
        self.text.push_str(&blanked);
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.units.push(UnitPart {
            file: file.to_owned(),
            span: Span::new(start, self.text.len()),
            is_library: false,
        });
        Ok(())
    }

    /// The units of the library with functions that the program mentions: whether they are needed turns out later.
    fn add_library(&mut self) -> Result<(), Diagnostic> {
        let n_units = self.units.len();
        for model in crate::world::MODELS {
            if model.functions.iter().any(|function| self.text.contains(function)) {
                let file = format!("<{}>", model.name);
                self.add(&file, &format!("# 1 \"{file}\" 3\n{}", model.text))?;
            }
        }
        for unit in self.units.iter_mut().skip(n_units) {
            unit.is_library = true;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Preprocessed, Diagnostic> {
        self.add_library()?;
        let name = self.units.first().map_or_else(String::new, |unit| unit.file.clone());
        let text = Text::new(Source::from_text(name, self.text), self.markers).with_packs(self.packs);
        Ok(Preprocessed { text, units: self.units })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_would_take_the_next_word_are_refused() {
        let codes = |options: &Preprocessing| {
            check(options).err().map(|errors| errors.iter().map(|error| error.code).collect::<Vec<_>>())
        };
        let good = ["A", "A=", "A=1", "f(x)=x", "_b=-o x", "$c=@x"].map(str::to_owned).to_vec();
        assert_eq!(codes(&Preprocessing { defines: good, ..Preprocessing::default() }), None);
        for bad in ["", "=1", "-o", "@x", "1a", "A=1\n#include <x>", " A"] {
            let options = Preprocessing { defines: vec![bad.to_owned()], ..Preprocessing::default() };
            assert_eq!(codes(&options), Some(vec!["E0812"]), "-D{bad}");
            let options = Preprocessing { undefines: vec![bad.to_owned()], ..Preprocessing::default() };
            assert_eq!(codes(&options), Some(vec!["E0812"]), "-U{bad}");
        }
        let options = Preprocessing { include: vec![PathBuf::new()], ..Preprocessing::default() };
        assert_eq!(codes(&options), Some(vec!["E0812"]));
    }
}
