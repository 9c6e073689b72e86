//! From tokens to the syntax tree, by recursive descent.
//!
//! C cannot be read without knowing which names are types, so the parser keeps a scope of them (`scope`); it knows
//! nothing else about names. After an error it goes on at the next `;` or `}`, so that one run tells several errors;
//! a tree is handed out only if there was none.
//!
//! How deep trees are is limited, since everything that walks them recurses: chains of operators, `else if`s and
//! labels are read without recursion and count towards the height of the tree only.

mod assembly;
mod attribute;
mod binary;
mod cursor;
mod declaration;
mod declarator;
mod expression;
mod external;
mod primary;
mod record;
mod scope;
mod specifiers;
mod statement;

#[cfg(test)]
mod tests;

use crate::lexer::{self, Token};
use crate::preprocess::UnitPart;
use crate::syntax::Unit;
use rustc_hash::FxHashMap;
use scope::Scopes;
use std::sync::Arc;
use throng_base::{Diagnostic, Span};
use throng_cfa::text::Text;

/// How tall a tree may be, and how deep what is written may be nested: each parenthesis, each operator of a chain and
/// each `else if` counts one, each block with its statement about four.
const MAX_HEIGHT: u32 = 1000;

/// After this many errors in a unit, the rest is not looked at.
const MAX_ERRORS: usize = 20;

/// Stack enough for [`MAX_HEIGHT`] levels, in builds without optimisation too.
const STACK_SIZE: usize = 64 << 20;

/// Reads translation units. All errors of all units are told.
pub fn parse(text: &Text, units: &[UnitPart]) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("parser".to_owned()).stack_size(STACK_SIZE);
        match builder.spawn_scoped(scope, || parse_units(text, units)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let message = format!("cannot start a thread to read the program: {error}");
                Err(vec![Diagnostic::error("E0801", message)])
            }
        }
    })
}

fn parse_units(text: &Text, units: &[UnitPart]) -> Result<Vec<Unit>, Vec<Diagnostic>> {
    let mut trees = Vec::new();
    let mut errors = Vec::new();
    for unit in units {
        let mut parser = Parser::new(text, unit.span);
        let items = parser.unit();
        trees.push(Unit { file: unit.file.clone(), items, is_library: unit.is_library });
        errors.append(&mut parser.errors);
    }
    if errors.is_empty() { Ok(trees) } else { Err(errors) }
}

/// There was an error, which is already in the list.
#[derive(Debug)]
struct Failed;

/// What a part of the grammar gives.
type Parsed<T> = Result<T, Failed>;

/// The state of the parser.
struct Parser<'t> {
    text: &'t Text,
    tokens: Vec<Token>,
    /// The index of the next token.
    next: usize,
    scopes: Scopes,
    errors: Vec<Diagnostic>,
    /// How many constructs are open.
    depth: u32,
    /// The height of the tallest tree completed within the construct that is open.
    height: u32,
    names: FxHashMap<&'t str, Arc<str>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t Text, part: Span) -> Self {
        let (tokens, lex_errors) = lexer::tokens(text.source().text(), part);
        let errors = lex_errors
            .into_iter()
            .take(MAX_ERRORS)
            .map(|error| text.error(error.code, error.message, error.span))
            .collect();
        let (scopes, names) = (Scopes::default(), FxHashMap::default());
        Self { text, tokens, next: 0, scopes, errors, depth: 0, height: 0, names }
    }

    /// Reads one construct that others may be nested in.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_HEIGHT {
            return self.fail_too_deep();
        }
        let outside = std::mem::take(&mut self.height);
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        let result = result.and_then(|value| self.grow().map(|()| value));
        self.height = self.height.max(outside);
        result
    }

    /// Reads something whose height does not depend on what was read before it.
    fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::take(&mut self.height);
        let result = read(self);
        self.height = self.height.max(outside);
        result
    }

    /// The tree in hand gets one level more.
    fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height + self.depth > MAX_HEIGHT { self.fail_too_deep() } else { Ok(()) }
    }

    fn fail_too_deep<T>(&mut self) -> Parsed<T> {
        if self.has_enough_errors() {
            return Err(Failed);
        }
        let error = self.text.error("E0833", "this is nested too deeply", self.peek_span());
        self.errors.push(error.note(format!("the syntax tree may be {MAX_HEIGHT} levels high")));
        Err(Failed)
    }
}
