//! `struct`, `union` and `enum`.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{Declarator, EnumSpecifier, Expression, Member, Name, RecordSpecifier};

impl Parser<'_> {
    /// `struct tag { … }`
    pub(super) fn record_specifier(&mut self) -> Parsed<RecordSpecifier> {
        let keyword = self.advance();
        let is_union = keyword.kind == TokenKind::Keyword(Keyword::Union);
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        self.attributes(&mut attributes)?;
        let mut members = None;
        if self.eat(Punctuator::OpenBrace) {
            members = Some(self.members()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.fail_expected("a tag or `{`");
        }
        Ok(RecordSpecifier { is_union, tag, members, attributes, span: self.since(keyword.span) })
    }

    fn tag(&mut self) -> Option<Name> {
        matches!(self.peek(), TokenKind::Name).then(|| self.take_name())
    }

    /// Members up to `}`, which is taken. An error in one of them does not hide those of others.
    fn members(&mut self) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        while !self.eat(Punctuator::CloseBrace) {
            if self.peek() == TokenKind::End {
                return self.fail_expected("`}`");
            }
            if self.eat(Punctuator::Semicolon) {
                continue;
            }
            match self.member() {
                Ok(member) => members.push(member),
                Err(_) => self.recover(false),
            }
        }
        Ok(members)
    }

    fn member(&mut self) -> Parsed<Member> {
        while self.eat_keyword(Keyword::Extension) {}
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(Member::StaticAssert(self.static_assert()?));
        }
        if !self.starts_specifiers(0) && !self.unknown_type() {
            return self.fail_expected("a member");
        }
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        if !self.at(Punctuator::Semicolon) {
            loop {
                declarators.push(self.member_declarator()?);
                if !self.eat(Punctuator::Comma) {
                    break;
                }
            }
        }
        if !self.at(Punctuator::CloseBrace) {
            self.expect(Punctuator::Semicolon)?;
        }
        Ok(Member::Field { specifiers, declarators })
    }

    /// `a`, `b : 3`, `: 0`
    fn member_declarator(&mut self) -> Parsed<(Declarator, Option<Expression>)> {
        let start = self.peek_span();
        let mut declarator = if self.at(Punctuator::Colon) {
            Declarator { name: None, derived: Vec::new(), attributes: Vec::new(), span: start }
        } else {
            self.declarator(Naming::Required)?
        };
        let width = if self.eat(Punctuator::Colon) { Some(self.nested(Self::conditional)?) } else { None };
        self.attributes(&mut declarator.attributes)?;
        Ok((declarator, width))
    }

    /// `enum tag { A, B = 2 }`
    pub(super) fn enum_specifier(&mut self) -> Parsed<EnumSpecifier> {
        let start = self.advance().span;
        // Attributes of enumerations, such as `packed`, change their size only, which has no place in the tree.
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        self.attributes(&mut attributes)?;
        let mut constants = None;
        if self.eat(Punctuator::OpenBrace) {
            constants = Some(self.enum_constants()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.fail_expected("a tag or `{`");
        }
        if let Some(packed) = attributes.iter().find(|attribute| &*attribute.name.text == "packed") {
            let span = packed.name.span;
            return self.fail("E0834", "packed enumerations are not supported", span);
        }
        Ok(EnumSpecifier { tag, constants, span: self.since(start) })
    }

    fn enum_constants(&mut self) -> Parsed<Vec<(Name, Option<Expression>)>> {
        let mut constants = Vec::new();
        while !self.eat(Punctuator::CloseBrace) {
            let name = self.expect_name("the name of a constant")?;
            self.attributes(&mut Vec::new())?;
            let value =
                if self.eat(Punctuator::Assign) { Some(self.nested(Self::conditional)?) } else { None };
            self.scopes.declare(&name.text, false);
            constants.push((name, value));
            if !self.eat(Punctuator::Comma) {
                self.expect(Punctuator::CloseBrace)?;
                break;
            }
        }
        Ok(constants)
    }
}
