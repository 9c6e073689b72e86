//! `__attribute__((…))`, which GNU C allows nearly everywhere, and the `asm("name")` of declarators.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{Attribute, Expression, ExpressionKind, Name};
use crate::world::{self, Meaning};

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
        while self.at_keyword(Keyword::Asm) {
            let span = self.advance().span;
            self.expect(Punctuator::OpenParen)?;
            let start = self.peek_span();
            let (bytes, encoding) = self.string_bytes()?;
            let kind = ExpressionKind::String { bytes, encoding };
            let argument = Expression { kind, span: self.since(start) };
            self.expect(Punctuator::CloseParen)?;
            into.push(Attribute { name: Name { text: "asm".into(), span }, arguments: vec![argument] });
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
        self.check_attribute(&name);
        let mut arguments = Vec::new();
        if self.eat(Punctuator::OpenParen) {
            arguments = self.attribute_arguments()?;
        }
        Ok(Attribute { name, arguments })
    }

    /// Attributes that nothing is known about are refused, and those that change the meaning in a way without a model.
    fn check_attribute(&mut self, name: &Name) {
        let message = match world::attribute(&name.text) {
            Some(entry) => match entry.meaning {
                Meaning::Refused(hint) => {
                    Some((format!("the attribute `{}` is not supported", name.text), hint))
                }
                Meaning::Modelled(_) | Meaning::Harmless(_) => None,
            },
            None => Some((
                format!("the attribute `{}` is not known", name.text),
                "leave it out if it does not change what the program does",
            )),
        };
        if let Some((message, hint)) = message.filter(|_| !self.has_enough_errors()) {
            let error = self.text.error("E0836", message, name.span).hint(hint);
            self.errors.push(error);
        }
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
