//! What stands outside of functions, and functions with their bodies.

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{Declaration, Declarator, Derived, FunctionDefinition, Item, Specifiers};
use throng_base::Span;

/// A declaration, or a function with its body.
pub(super) enum Declared {
    /// A declaration with its semicolon.
    Declaration(Declaration),
    /// A function.
    Function(FunctionDefinition),
}

impl Parser<'_> {
    /// A whole unit. Errors are in the list.
    pub(super) fn unit(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.peek() != TokenKind::End {
            if self.eat(Punctuator::Semicolon) {
                continue;
            }
            match self.item() {
                Ok(item) => items.push(item),
                Err(_) => {
                    self.scopes.close_to(1);
                    self.recover(true);
                }
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<Item> {
        match self.peek() {
            TokenKind::Keyword(Keyword::StaticAssert) => Ok(Item::StaticAssert(self.static_assert()?)),
            TokenKind::Keyword(Keyword::Asm) => Ok(Item::Asm(self.asm_statement()?)),
            _ => Ok(match self.declared()? {
                Declared::Declaration(declaration) => Item::Declaration(declaration),
                Declared::Function(function) => Item::Function(function),
            }),
        }
    }

    /// A declaration or a function. Outside of functions the type may be left out, as it was before 1999.
    pub(super) fn declared(&mut self) -> Parsed<Declared> {
        let start = self.peek_span();
        let open = TokenKind::Punctuator(Punctuator::OpenParen);
        let is_implicit = self.peek() == TokenKind::Name && self.peek_at(1) == open;
        if !self.starts_specifiers(0) && !self.unknown_type() && !is_implicit {
            return self.fail_expected("a declaration");
        }
        let specifiers = self.specifiers()?;
        if self.at(Punctuator::Semicolon) {
            return Ok(Declared::Declaration(self.declaration_after(specifiers, None, start)?));
        }
        let declarator = self.declarator(Naming::Required)?;
        if self.starts_body(&declarator) {
            return Ok(Declared::Function(self.function(specifiers, declarator, start)?));
        }
        Ok(Declared::Declaration(self.declaration_after(specifiers, Some(declarator), start)?))
    }

    /// Whether the body of a function, or declarations of parameters in the old style, follow its declarator.
    fn starts_body(&self, declarator: &Declarator) -> bool {
        let Some(Derived::Function(parameters)) = declarator.derived.last() else { return false };
        self.at(Punctuator::OpenBrace) || (!parameters.old_names.is_empty() && self.starts_specifiers(0))
    }

    fn function(
        &mut self,
        specifiers: Specifiers,
        declarator: Declarator,
        start: Span,
    ) -> Parsed<FunctionDefinition> {
        let span = self.since(start);
        self.declare(&specifiers, &declarator);
        let depth = self.scopes.depth();
        self.scopes.open();
        let result = self.parameters_and_body(&declarator);
        self.scopes.close_to(depth);
        let (old_parameters, body) = result?;
        Ok(FunctionDefinition { specifiers, declarator, old_parameters, body, span })
    }

    fn parameters_and_body(
        &mut self,
        declarator: &Declarator,
    ) -> Parsed<(Vec<Declaration>, crate::syntax::Block)> {
        if let Some(Derived::Function(parameters)) = declarator.derived.last() {
            let typed = parameters.list.iter().filter_map(|parameter| parameter.declarator.name.as_ref());
            for name in typed.chain(&parameters.old_names) {
                self.scopes.declare(&name.text, false);
            }
        }
        let mut old_parameters = Vec::new();
        while !self.at(Punctuator::OpenBrace) {
            if !self.starts_specifiers(0) {
                return self.fail_expected("`{`");
            }
            let start = self.peek_span();
            let specifiers = self.specifiers()?;
            old_parameters.push(self.declaration_after(specifiers, None, start)?);
        }
        Ok((old_parameters, self.nested(Self::block)?))
    }
}
