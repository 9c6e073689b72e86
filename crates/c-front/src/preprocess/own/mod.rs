//! A preprocessor for machines without a C compiler: C11's directives and macros, with our own headers.
//!
//! Macros expand as the standard says, with hide sets as in Prosser's algorithm (`expand`); GNU's `, ## args` and named
//! variable arguments are known. `#line` is ignored; pragmas other than `once` are left as they are. The output has line markers, and what
//! is not made by a macro keeps its column.

mod condition;
mod directive;
mod expand;
mod include;
mod paste;
mod predefined;
mod tokens;

#[cfg(test)]
mod tests;

use super::Preprocessing;
use condition::Conditional;
use expand::Macro;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use throng_base::{Diagnostic, Source, Span};
use tokens::{Kind, Token};

/// How deep headers may include each other.
const MAX_INCLUDES: usize = 200;

/// How many tokens macros may make in all.
const MAX_EXPANSION: usize = 5_000_000;

/// After this many errors, the rest is not looked at.
const MAX_ERRORS: usize = 20;

/// The text of a file after preprocessing, with line markers.
pub(super) fn preprocess(file: &Path, options: &Preprocessing) -> Result<String, Vec<Diagnostic>> {
    let source = Source::read(file).map_err(|error| vec![error])?;
    preprocess_source(source, file.parent().map(Path::to_path_buf), options)
}

/// The same for a text that is in no file: for tests and fuzzing. Headers are not looked for in files.
pub fn preprocess_text(name: &str, text: &str, options: &Preprocessing) -> Result<String, Vec<Diagnostic>> {
    preprocess_source(Source::from_text(name, text), None, options)
}

fn preprocess_source(
    source: Source,
    directory: Option<PathBuf>,
    options: &Preprocessing,
) -> Result<String, Vec<Diagnostic>> {
    let mut preprocessor = Preprocessor::new(options);
    preprocessor.define_predefined();
    let name = source.name().to_owned();
    let path = PathBuf::from(&name);
    preprocessor.file(File { source: Rc::new(source), name, directory, is_system: false, shown: (0, None) });
    // What is there may be a part only.
    if options.budget.check().is_err() {
        return Err(vec![super::stopped(&path)]);
    }
    if preprocessor.errors.is_empty() { Ok(preprocessor.output) } else { Err(preprocessor.errors) }
}

/// A file that is read.
#[derive(Clone)]
struct File {
    source: Rc<Source>,
    /// The name in line markers.
    name: String,
    /// Where headers in quotes are looked for first; none for a text that is in no file.
    directory: Option<PathBuf>,
    is_system: bool,
    /// What `#line` says: how much to add to the numbers of lines, and the file's name.
    shown: (i64, Option<String>),
}

/// The state of the preprocessor.
struct Preprocessor<'o> {
    options: &'o Preprocessing,
    macros: FxHashMap<Rc<str>, Rc<Macro>>,
    /// The files that are open, the innermost last.
    files: Vec<File>,
    /// Files with `#pragma once`.
    once: FxHashSet<String>,
    output: String,
    /// The line of the innermost file that the output is at, and the column, both from 1.
    line: u32,
    column: u32,
    errors: Vec<Diagnostic>,
    /// How many tokens macros may still make.
    budget: usize,
    counter: u32,
}

impl<'o> Preprocessor<'o> {
    fn new(options: &'o Preprocessing) -> Self {
        Self {
            options,
            macros: FxHashMap::default(),
            files: Vec::new(),
            once: FxHashSet::default(),
            output: String::new(),
            line: 1,
            column: 1,
            errors: Vec::new(),
            budget: MAX_EXPANSION,
            counter: 0,
        }
    }

    /// Records an error at a place of the innermost file.
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        let error = Diagnostic::error(code, message);
        let error = match self.files.last() {
            Some(file) => error.at(&file.source, span, ""),
            None => error,
        };
        self.errors.push(error);
    }

    fn is_over(&self) -> bool {
        self.errors.len() >= MAX_ERRORS || self.budget == 0 || self.options.budget.check().is_err()
    }

    /// Reads a file to its end.
    fn file(&mut self, file: File) {
        let source = Rc::clone(&file.source);
        self.files.push(file);
        self.marker(1, " 1");
        let tokens = tokens::tokens(source.text());
        let mut conditionals: Vec<Conditional> = Vec::new();
        let mut text = Vec::new();
        let mut rest = &tokens[..];
        while let Some(first) = rest.first() {
            if self.is_over() {
                break;
            }
            let length = 1 + rest[1..].iter().take_while(|token| !token.is_first).count();
            let (line, after) = rest.split_at(length);
            rest = after;
            if first.is("#") {
                self.flush(&mut text);
                self.directive(line, &mut conditionals);
            } else if conditionals.iter().all(|conditional| conditional.is_active) {
                text.extend(line.iter().cloned());
            }
        }
        self.flush(&mut text);
        if let Some(open) = conditionals.last() {
            let span = open.span;
            self.error("E0809", "this `#if` has no `#endif`", span);
        }
        self.files.pop();
    }

    /// Expands and writes lines that are no directives.
    fn flush(&mut self, text: &mut Vec<Token>) {
        if text.is_empty() {
            return;
        }
        for token in self.expand(std::mem::take(text), 0) {
            // Written out, it could be taken for a directive.
            if token.kind == Kind::Pragma {
                self.pragma_line(&token.text, token.line);
                continue;
            }
            if token.kind != Kind::Quoted && matches!(&*token.text, "#" | "##") && !self.is_over() {
                self.error("E0820", format!("`{}` is no part of C", token.text), token.span);
            }
            self.write(&token);
        }
    }

    /// Writes a pragma on a line of its own; the text goes on in this line of the file.
    pub(super) fn pragma_line(&mut self, words: &str, next: u32) {
        if !self.output.is_empty() && !self.output.ends_with('\n') {
            self.output.push('\n');
        }
        self.output.push_str(&format!("#pragma {words}\n"));
        self.marker(next, "");
    }

    /// Tells where the next line comes from.
    fn marker(&mut self, line: u32, flag: &str) {
        let Some(file) = self.files.last() else { return };
        if !self.output.is_empty() && !self.output.ends_with('\n') {
            self.output.push('\n');
        }
        let name = file.name.replace('\\', "\\\\").replace('"', "\\\"");
        let system = if file.is_system { " 3" } else { "" };
        self.output.push_str(&format!("# {line} \"{name}\"{flag}{system}\n"));
        (self.line, self.column) = (line, 1);
    }

    /// Writes a token on its line and, if nothing else stands there, in its column.
    fn write(&mut self, token: &Token) {
        /// From this distance on, a line marker is shorter than empty lines.
        const FAR: u32 = 8;
        if token.line > self.line + FAR {
            self.marker(token.line, "");
        }
        while self.line < token.line {
            self.output.push('\n');
            (self.line, self.column) = (self.line + 1, 1);
        }
        let may_join = self.output.ends_with(|c: char| !c.is_whitespace());
        if may_join && (token.has_space || !token.is_written || joins(&self.output, &token.text)) {
            self.output.push(' ');
            self.column += 1;
        }
        while token.is_written && self.column < token.column {
            self.output.push(' ');
            self.column += 1;
        }
        self.output.push_str(&token.text);
        self.column += token.text.chars().count() as u32;
    }
}

/// Whether a text put right after another could make another token.
fn joins(before: &str, after: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    let is_operator = |c: char| "+-<>=&|#%:*/^!.".contains(c);
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return false };
    (is_word(last) && (is_word(first) || first == '"' || first == '\''))
        || (is_operator(last) && is_operator(first))
}

impl Token {
    /// Whether it is this punctuator or name.
    fn is(&self, text: &str) -> bool {
        self.kind != Kind::Quoted && &*self.text == text
    }
}
