//! `__attribute__((…))`, which GNU C allows nearly everywhere, and the `asm("name")` of declarators.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{Attribute, Expression, Name};

impl Parser<'_> {
    /// All attributes that stand here.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            match self.peek() {
                TokenKind::Keyword(Keyword::Attribute) => {
                    self.advance();
                    self.expect(Punctuator::OpenParen)?;
                    self.expect(Punctuator::OpenParen)?;
                    while !self.at(Punctuator::CloseParen) {
                        if !self.eat(Punctuator::Comma) {
                            let attribute = self.attribute()?;
                            into.push(attribute);
                        }
                    }
                    self.expect(Punctuator::CloseParen)?;
                    self.expect(Punctuator::CloseParen)?;
                }
                TokenKind::Keyword(Keyword::Extension) => {
                    self.advance();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Attributes and names for the assembler, after a declarator.
    pub(super) fn attributes_and_asm(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        self.attributes(into)?;
        while self.eat_keyword(Keyword::Asm) {
            self.expect(Punctuator::OpenParen)?;
            self.skip_parenthesised()?;
            self.attributes(into)?;
        }
        Ok(())
    }

    /// One attribute: a word, perhaps a keyword, and perhaps arguments.
    fn attribute(&mut self) -> Parsed<Attribute> {
        let is_word = matches!(self.peek(), TokenKind::Name | TokenKind::Keyword(_));
        if !is_word {
            return self.fail_expected("an attribute");
        }
        let mut name = self.take_name();
        if self.at_scope_separator() {
            // `gnu::packed`
            self.advance();
            self.advance();
            name = self.take_name();
        }
        let bare = name.text.trim_matches('_');
        let name = Name { text: bare.into(), span: name.span };
        let mut arguments = Vec::new();
        if self.eat(Punctuator::OpenParen) {
            arguments = self.attribute_arguments()?;
        }
        Ok(Attribute { name, arguments })
    }

    fn at_scope_separator(&self) -> bool {
        let colon = TokenKind::Punctuator(Punctuator::Colon);
        self.peek() == colon && self.peek_at(1) == colon && matches!(self.peek_at(2), TokenKind::Name)
    }

    /// The arguments as far as they are expressions; what is none, such as a type, is skipped.
    fn attribute_arguments(&mut self) -> Parsed<Vec<Expression>> {
        let start = self.next;
        let (n_errors, depth) = (self.errors.len(), self.depth);
        if let Ok(arguments) = self.nested(Self::expressions_until_parenthesis) {
            return Ok(arguments);
        }
        (self.next, self.depth) = (start, depth);
        self.errors.truncate(n_errors);
        self.skip_parenthesised()?;
        Ok(Vec::new())
    }

    /// `a, b)`
    pub(super) fn expressions_until_parenthesis(&mut self) -> Parsed<Vec<Expression>> {
        let mut list = Vec::new();
        if self.eat(Punctuator::CloseParen) {
            return Ok(list);
        }
        loop {
            list.push(self.assignment()?);
            if !self.eat(Punctuator::Comma) {
                self.expect(Punctuator::CloseParen)?;
                return Ok(list);
            }
        }
    }
}
