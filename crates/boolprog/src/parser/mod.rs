//! The parser: text to [`syntax::Program`], by recursive descent.
//!
//! ```text
//! program  := (decl | function)*
//! decl     := ['thread_local'] 'decl' NAME (',' NAME)* ';'
//! function := ['dfs'] ['void' | 'bool' ['<' N '>']] NAME '(' [NAME (',' NAME)*] ')' 'begin' decl* stmt* 'end'
//! ```
//!
//! Statements are described in [`statement`], expressions in [`expression`]. After an error in a statement, parsing
//! goes on behind its `;` or at the next `end`, `fi`, `od`, `else` or `elsif`, so one run reports several errors.
//! What is parsed in spite of errors is thrown away. Statements nest up to [`MAX_NESTING`] deep; expressions without
//! limit.
//!
//! The parser does not know what is declared: see [`crate::resolve`].

mod expression;
mod start;
mod statement;

pub(crate) use expression::{binding, groups_right};

use crate::lexer::Token;
use crate::messages::Messages;
use crate::syntax::{Declaration, Function, Name, Program, Symbol};
use expression::Shunt;
use rustc_hash::FxHashSet;
use throng_base::names::NameTable;
use throng_base::tokens::Tokens;
use throng_base::{Diagnostic, Source, Span};

/// How deep `if` and `while` may nest. The tree is built and walked by recursion; without optimisation, this much fits
/// three times into the stack of a thread (2 MiB).
pub const MAX_NESTING: usize = 100;

/// Most results of a function.
const MAX_RESULTS: u32 = 1 << 16;

/// Parses a program. All errors that are found are returned, in the order of their places.
pub fn parse(source: &Source) -> Result<Program, Vec<Diagnostic>> {
    let mut parser = Parser {
        tokens: Tokens::new(source),
        names: NameTable::default(),
        errors: Messages::new(source),
        depth: 0,
        has_given_up: false,
        shunt: Shunt::default(),
        bare_starts: FxHashSet::default(),
    };
    let mut program = Program::default();
    while !parser.tokens.at_end() {
        parser.item(&mut program);
    }
    parser.settle_starts(&mut program);
    let errors = parser.errors.finish();
    program.names = parser.names;
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

struct Parser<'s> {
    tokens: Tokens<'s, Token>,
    names: NameTable,
    errors: Messages<'s>,
    /// How many compound statements are open.
    depth: usize,
    /// Whether the rest of the text is not looked at.
    has_given_up: bool,
    /// Stacks of the expression that is being parsed.
    shunt: Shunt,
    /// Where names stand behind `start_thread` without parentheses.
    bare_starts: FxHashSet<u32>,
}

impl Parser<'_> {
    /// A declaration or a function, added to `program`.
    fn item(&mut self, program: &mut Program) {
        match self.tokens.peek() {
            Some(Token::Decl | Token::ThreadLocal) => self.declarations(&mut program.declarations),
            Some(token) if starts_function(token) || token == Token::Name => {
                program.functions.extend(self.function());
            }
            _ => {
                let error = self.tokens.unexpected("`decl` or a function");
                self.recover(error, |token| {
                    starts_function(token) || matches!(token, Token::Decl | Token::ThreadLocal)
                });
            }
        }
    }

    /// Declarations up to something else.
    fn declarations(&mut self, declarations: &mut Vec<Declaration>) {
        while let Some(Token::Decl | Token::ThreadLocal) = self.tokens.peek() {
            match self.declaration() {
                Ok(declaration) => declarations.push(declaration),
                Err(error) => self.recover_statement(error),
            }
        }
    }

    fn declaration(&mut self) -> Result<Declaration, Diagnostic> {
        let start = self.tokens.span();
        let is_thread_local = self.tokens.eat(Token::ThreadLocal);
        self.tokens.expect(Token::Decl)?;
        let variables = self.list(Self::name)?;
        let end = self.tokens.expect(Token::Semicolon)?;
        Ok(Declaration { is_thread_local, variables, span: start.to(end) })
    }

    /// A function; `None` if there is an error in its head.
    fn function(&mut self) -> Option<Function> {
        let head = match self.function_head() {
            Ok(head) => Some(head),
            Err(error) => {
                self.recover(error, |token| token == Token::Begin || starts_function(token));
                None
            }
        };
        if let Err(error) = self.tokens.expect(Token::Begin) {
            if head.is_some() {
                self.report(error);
            }
            return None;
        }
        let mut declarations = Vec::new();
        self.declarations(&mut declarations);
        let mut body = Vec::new();
        self.statements(&mut body);
        while self.is_at_stray_end() {
            let error = self.tokens.unexpected("a statement or `end`");
            self.tokens.advance();
            self.tokens.eat(Token::Semicolon);
            self.report(error);
            self.statements(&mut body);
        }
        let end = self.tokens.expect(Token::End).unwrap_or_else(|error| {
            self.report(error);
            Span::default()
        });
        let (is_depth_first, n_results, name, parameters) = head?;
        Some(Function { is_depth_first, n_results, name, parameters, declarations, body, end })
    }

    /// Everything of a function before `begin`.
    fn function_head(&mut self) -> Result<(bool, u32, Name, Vec<Name>), Diagnostic> {
        let is_depth_first = self.tokens.eat(Token::DepthFirst);
        let n_results = if self.tokens.eat(Token::Bool) {
            if self.tokens.eat(Token::Less) { self.result_count()? } else { 1 }
        } else {
            self.tokens.eat(Token::Void);
            0
        };
        let name = self.name()?;
        self.tokens.expect(Token::Open)?;
        let has_parameters = self.tokens.peek() != Some(Token::Close);
        let parameters = if has_parameters { self.list(Self::name)? } else { Vec::new() };
        self.tokens.expect(Token::Close)?;
        Ok((is_depth_first, n_results, name, parameters))
    }

    /// The number in `bool<n>`, with the closing bracket.
    fn result_count(&mut self) -> Result<u32, Diagnostic> {
        let digits = self.tokens.span();
        if self.tokens.peek() != Some(Token::Number) {
            return Err(self.tokens.unexpected("the number of results"));
        }
        let count = self.tokens.text().parse().ok().filter(|&count| count <= MAX_RESULTS);
        let count = count.ok_or_else(|| {
            Diagnostic::error("E0102", "number too large").at(
                self.tokens.source,
                digits,
                format!("at most {MAX_RESULTS}"),
            )
        })?;
        self.tokens.advance();
        self.tokens.expect(Token::Greater)?;
        Ok(count)
    }

    /// Items separated by commas, at least one.
    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<Vec<T>, Diagnostic> {
        let mut items = vec![item(self)?];
        while self.tokens.eat(Token::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Result<Name, Diagnostic> {
        if self.tokens.peek() != Some(Token::Name) {
            return Err(self.tokens.unexpected("a name"));
        }
        Ok(self.intern())
    }

    /// A label: a name, or a number in `.nbp` files.
    fn label(&mut self) -> Result<Name, Diagnostic> {
        match self.tokens.peek() {
            Some(Token::Name | Token::Number) => Ok(self.intern()),
            _ => Err(self.tokens.unexpected("a label")),
        }
    }

    /// Consumes the next token as a name.
    fn intern(&mut self) -> Name {
        let (index, _) = self.names.insert(self.tokens.text());
        Name { symbol: Symbol::new(index), span: self.tokens.advance() }
    }

    /// Whether the next token ends a compound statement that was never begun.
    fn is_at_stray_end(&self) -> bool {
        matches!(self.tokens.peek(), Some(Token::Fi | Token::Od | Token::Else | Token::Elsif))
    }

    /// Reports an error and goes on behind the next `;`, or at what ends a list of statements.
    fn recover_statement(&mut self, error: Diagnostic) {
        self.recover(error, |token| token == Token::Semicolon || ends_statements(token));
        self.tokens.eat(Token::Semicolon);
    }

    /// Reports an error and goes on at the next token that is good.
    fn recover(&mut self, error: Diagnostic, is_good: impl Fn(Token) -> bool) {
        self.report(error);
        while !self.tokens.at_end() && !self.tokens.peek().is_some_and(&is_good) {
            self.tokens.advance();
        }
    }

    /// Reports an error. When there are too many, the rest of the text is not looked at.
    fn report(&mut self, error: Diagnostic) {
        // What is missing at the end of a text that was not read is no error.
        if self.has_given_up {
            return;
        }
        self.errors.push(self.tokens.span(), |_| error);
        if self.errors.is_full() {
            self.give_up();
        }
    }

    /// Skips the rest of the text.
    fn give_up(&mut self) {
        self.has_given_up = true;
        while !self.tokens.at_end() {
            self.tokens.advance();
        }
    }
}

/// Whether a function begins here, unless it has no type.
fn starts_function(token: Token) -> bool {
    matches!(token, Token::DepthFirst | Token::Void | Token::Bool)
}

/// Whether a list of statements ends before this token.
fn ends_statements(token: Token) -> bool {
    matches!(token, Token::End | Token::Fi | Token::Od | Token::Else | Token::Elsif) || starts_function(token)
}
