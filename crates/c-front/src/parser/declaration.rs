//! Declarations with their initial values.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::literals;
use crate::syntax::{
    Declaration, Declarator, Designator, Encoding, InitDeclarator, Initializer, InitializerList, Specifiers,
    StaticAssert, Storage,
};
use throng_base::Span;

impl Parser<'_> {
    /// The rest of a declaration after its specifiers and perhaps its first declarator.
    pub(super) fn declaration_after(
        &mut self,
        specifiers: Specifiers,
        first: Option<Declarator>,
        start: Span,
    ) -> Parsed<Declaration> {
        let mut declarators = Vec::new();
        let mut next = first;
        if next.is_some() || !self.at(Punctuator::Semicolon) {
            loop {
                let declarator = match next.take() {
                    Some(declarator) => declarator,
                    None => self.declarator(Naming::Required)?,
                };
                declarators.push(self.init_declarator(&specifiers, declarator)?);
                if !self.eat(Punctuator::Comma) {
                    break;
                }
            }
        }
        self.expect(Punctuator::Semicolon)?;
        Ok(Declaration { specifiers, declarators, span: self.since(start) })
    }

    fn init_declarator(&mut self, specifiers: &Specifiers, declarator: Declarator) -> Parsed<InitDeclarator> {
        // The name hides others in its own initial value already.
        self.declare(specifiers, &declarator);
        let initializer =
            if self.eat(Punctuator::Assign) { Some(self.nested(Self::initializer)?) } else { None };
        Ok(InitDeclarator { declarator, initializer })
    }

    /// From here on, the declared name is a type or hides one.
    pub(super) fn declare(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        if let Some(name) = &declarator.name {
            self.scopes.declare(&name.text, specifiers.storage == Some(Storage::Typedef));
        }
    }

    /// An expression, or a list in braces.
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.at(Punctuator::OpenBrace) {
            return Ok(Initializer::List(self.initializer_list()?));
        }
        Ok(Initializer::Expression(self.assignment()?))
    }

    /// `{ 1, .x = 2, [3 ... 5] = { 4 } }`
    pub(super) fn initializer_list(&mut self) -> Parsed<InitializerList> {
        let start = self.expect(Punctuator::OpenBrace)?;
        let mut entries = Vec::new();
        while !self.eat(Punctuator::CloseBrace) {
            let designators = self.designators()?;
            let initializer = self.nested(Self::initializer)?;
            entries.push((designators, initializer));
            if !self.eat(Punctuator::Comma) {
                self.expect(Punctuator::CloseBrace)?;
                break;
            }
        }
        Ok(InitializerList { entries, span: self.since(start) })
    }

    /// What a value of a list is for, with the `=` after it; the old GNU form is `x: value` or `[3] value`.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let colon = TokenKind::Punctuator(Punctuator::Colon);
        if self.peek() == TokenKind::Name && self.peek_at(1) == colon {
            let name = self.take_name();
            self.advance();
            return Ok(vec![Designator::Member(name)]);
        }
        let mut designators = Vec::new();
        loop {
            if self.eat(Punctuator::Dot) {
                designators.push(Designator::Member(self.expect_name("the name of a member")?));
            } else if self.eat(Punctuator::OpenBracket) {
                designators.push(self.index_designator()?);
            } else {
                break;
            }
        }
        let is_old = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if !designators.is_empty() && !self.eat(Punctuator::Assign) && !is_old {
            return self.fail_expected("`=`");
        }
        Ok(designators)
    }

    /// What stands between brackets, whose opening one is taken.
    fn index_designator(&mut self) -> Parsed<Designator> {
        let first = self.nested(Self::conditional)?;
        let last = if self.eat(Punctuator::Ellipsis) { Some(self.nested(Self::conditional)?) } else { None };
        self.expect(Punctuator::CloseBracket)?;
        Ok(match last {
            Some(last) => Designator::Range(first, last),
            None => Designator::Index(first),
        })
    }

    /// The members and elements of `__builtin_offsetof`.
    pub(super) fn offsetof_designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = vec![Designator::Member(self.expect_name("the name of a member")?)];
        loop {
            if self.eat(Punctuator::Dot) {
                designators.push(Designator::Member(self.expect_name("the name of a member")?));
            } else if self.eat(Punctuator::OpenBracket) {
                let index = self.nested(Self::expression)?;
                self.expect(Punctuator::CloseBracket)?;
                designators.push(Designator::Index(index));
            } else {
                return Ok(designators);
            }
        }
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        debug_assert!(self.at_keyword(Keyword::StaticAssert));
        let start = self.advance().span;
        self.expect(Punctuator::OpenParen)?;
        let condition = self.nested(Self::conditional)?;
        let mut message = None;
        if self.eat(Punctuator::Comma) {
            message = Some(String::from_utf8_lossy(&self.string_bytes()?.0).into_owned());
        }
        self.expect(Punctuator::CloseParen)?;
        self.expect(Punctuator::Semicolon)?;
        Ok(StaticAssert { condition, message, span: self.since(start) })
    }

    /// Adjacent strings: their bytes and what their characters are.
    pub(super) fn string_bytes(&mut self) -> Parsed<(Vec<u8>, Encoding)> {
        if self.peek() != TokenKind::String {
            return self.fail_expected("a string");
        }
        let start = self.peek_span();
        let mut parts = Vec::new();
        while self.peek() == TokenKind::String {
            parts.push(self.text_at(0));
            self.advance();
        }
        match literals::string(&parts) {
            Ok(string) => Ok(string),
            Err(message) => self.fail("E0821", message, self.since(start)),
        }
    }
}
