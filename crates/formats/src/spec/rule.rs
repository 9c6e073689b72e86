//! The text of one rule of a `.spec` file: guards and assignments, not yet given a meaning.

use super::{Constraint, Reader, Token};
use crate::tokens::TakeCount;
use std::ops::Range;
use throng_base::{Diagnostic, Span};
use throng_model::LocalId;

/// One rule as it is written. Reused from rule to rule, so that a large file needs few allocations.
#[derive(Debug, Default)]
pub(super) struct RuleText {
    /// The constraints of the guard; at most one per variable.
    pub(super) guards: Vec<Constraint>,
    pub(super) assignments: Vec<Assignment>,
    /// The variables on the right-hand sides, see [`Assignment::terms`].
    pub(super) terms: Vec<Term>,
    /// From the first guard to the semicolon.
    pub(super) span: Span,
}

/// `variable' = terms + constant`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) variable: LocalId,
    /// Which of [`RuleText::terms`] are on the right.
    pub(super) terms: Range<usize>,
    /// At least 0 if there are no terms.
    pub(super) constant: i64,
    pub(super) span: Span,
}

/// A variable on the right-hand side of an assignment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) variable: LocalId,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// Reads one rule into `text`.
    pub(super) fn rule(&mut self, text: &mut RuleText) -> Result<(), Diagnostic> {
        text.guards.clear();
        text.assignments.clear();
        text.terms.clear();
        let start = self.tokens.span();
        self.conjunction += 1;
        loop {
            if !self.tokens.eat(Token::True) {
                text.guards.push(self.constraint()?);
            }
            if !self.tokens.eat(Token::Comma) {
                break;
            }
        }
        if self.tokens.peek() != Some(Token::Arrow) {
            return Err(self.tokens.unexpected("`,` or `->`"));
        }
        self.tokens.advance();
        if self.tokens.peek() == Some(Token::Name) {
            self.assignment(text)?;
            while self.tokens.eat(Token::Comma) {
                self.assignment(text)?;
            }
        }
        if self.tokens.peek() != Some(Token::Semicolon) {
            let before = if text.assignments.is_empty() { "an assignment" } else { "`,`" };
            return Err(self.tokens.unexpected(&format!("{before} or `;`")));
        }
        text.span = start.to(self.tokens.advance());
        Ok(())
    }

    fn assignment(&mut self, text: &mut RuleText) -> Result<(), Diagnostic> {
        let (variable, start) = self.variable()?;
        self.tokens.expect(Token::Prime)?;
        self.tokens.expect(Token::Equals)?;
        let first_term = text.terms.len();
        let (constant, end) = self.expression(text)?;
        let terms = first_term..text.terms.len();
        text.assignments.push(Assignment { variable, terms, constant, span: start.to(end) });
        Ok(())
    }

    /// Reads a right-hand side: its variables are added to the terms, its constant is returned.
    fn expression(&mut self, text: &mut RuleText) -> Result<(i64, Span), Diagnostic> {
        if self.tokens.peek() == Some(Token::Number) {
            let (constant, span) = self.tokens.number(Token::Number)?;
            return Ok((i64::from(constant), span));
        }
        if self.tokens.peek() != Some(Token::Name) {
            return Err(self.tokens.unexpected("a variable or a number"));
        }
        let mut end = self.term(text)?;
        while self.tokens.eat(Token::Plus) {
            if self.tokens.peek() == Some(Token::Number) {
                let (constant, span) = self.tokens.number(Token::Number)?;
                return Ok((i64::from(constant), span));
            }
            if self.tokens.peek() != Some(Token::Name) {
                return Err(self.tokens.unexpected("a variable or a number"));
            }
            end = self.term(text)?;
        }
        if self.tokens.eat(Token::Minus) {
            let (constant, span) = self.tokens.number(Token::Number)?;
            return Ok((-i64::from(constant), span));
        }
        Ok((0, end))
    }

    fn term(&mut self, text: &mut RuleText) -> Result<Span, Diagnostic> {
        let (variable, span) = self.variable()?;
        text.terms.push(Term { variable, span });
        Ok(span)
    }
}
