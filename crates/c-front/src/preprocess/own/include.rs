//! `#include`: next to the file for quotes, then in the user's directories, then our own headers.

use super::tokens::Token;
use super::{File, MAX_INCLUDES, Preprocessor};
use crate::preprocess::headers;
use std::path::PathBuf;
use std::rc::Rc;
use throng_base::{Source, Span};

impl Preprocessor<'_> {
    /// `#include <…>`, `#include "…"`, or a macro that becomes one of them. `line` is what stands after the word.
    pub(super) fn include(&mut self, line: &[Token], span: Span, next_line: u32) {
        let name = self.written_header(line).or_else(|| self.made_header(line));
        let Some((name, is_quoted)) = name else {
            self.error("E0805", "expected `<header>` or `\"header\"` after `#include`", span);
            return;
        };
        if self.files.len() >= MAX_INCLUDES {
            self.error("E0810", "headers include each other too deeply", span);
            return;
        }
        match self.find_header(&name, is_quoted) {
            Some(Ok(file)) => {
                if !self.once.contains(&file.name) {
                    self.file(file);
                    self.marker(next_line, " 2");
                }
            }
            Some(Err(error)) => self.errors.push(error),
            None => self.error("E0804", format!("there is no header `{name}`"), span),
        }
    }

    /// A header as it is written in the file: between `<` and `>`, nothing is a token.
    fn written_header(&self, line: &[Token]) -> Option<(String, bool)> {
        let first = line.first()?;
        if first.text.starts_with('"') {
            return Some((first.text.trim_matches('"').to_owned(), true));
        }
        if !first.is("<") {
            return None;
        }
        let text = &self.files.last()?.source.text()[first.span.end as usize..];
        let end = text.find('>')?;
        let name = &text[..end];
        (!name.contains('\n')).then(|| (name.to_owned(), false))
    }

    /// A header that a macro stands for.
    fn made_header(&mut self, line: &[Token]) -> Option<(String, bool)> {
        let made = self.expand(line.to_vec(), 0);
        let first = made.first()?;
        if first.text.starts_with('"') {
            return Some((first.text.trim_matches('"').to_owned(), true));
        }
        let text: String = made.iter().map(|token| &*token.text).collect();
        Some((text.strip_prefix('<')?.split_once('>')?.0.to_owned(), false))
    }

    /// The file of a header, or why it cannot be read.
    fn find_header(&self, name: &str, is_quoted: bool) -> Option<Result<File, throng_base::Diagnostic>> {
        let mut directories: Vec<PathBuf> = self.options.include.clone();
        if let Some(own) = self.files.last().and_then(|file| file.directory.clone()).filter(|_| is_quoted) {
            directories.insert(0, own);
        }
        for directory in directories {
            let path = directory.join(name);
            if path.is_file() {
                return Some(Source::read(&path).map(|source| File {
                    name: source.name().to_owned(),
                    source: Rc::new(source),
                    directory: path.parent().map(PathBuf::from),
                    is_system: false,
                    shown: (0, None),
                }));
            }
        }
        let text = headers::header(name)?;
        let name = format!("<{name}>");
        let source = Rc::new(Source::from_text(&name[..], text));
        Some(Ok(File { source, name, directory: None, is_system: true, shown: (0, None) }))
    }
}
