//! Declarators: names with pointers, arrays and parameters around them.

use super::{MAX_HEIGHT, Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{
    ArraySize, Attribute, Declarator, Derived, Name, Parameter, Parameters, Qualifiers, TypeName,
};

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It has: that of a variable or member.
    Required,
    /// It may have: that of a parameter.
    Optional,
    /// It has none: that of a type in parentheses.
    None,
}

impl Parser<'_> {
    /// A declarator, with attributes before and after it.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let start = self.peek_span();
        let mut attributes = Vec::new();
        let (name, derived) = self.nested(|parser| parser.derived(naming, &mut attributes))?;
        self.attributes_and_asm(&mut attributes)?;
        let span = if self.next > 0 { self.since(start) } else { start };
        if derived.len() > MAX_HEIGHT as usize {
            return self.fail_too_deep();
        }
        Ok(Declarator { name, derived, attributes, span })
    }

    /// The name and the steps from the specifiers' type to its type: pointers first, then what stands behind it from
    /// right to left, then what stands within parentheses.
    fn derived(
        &mut self,
        naming: Naming,
        attributes: &mut Vec<Attribute>,
    ) -> Parsed<(Option<Name>, Vec<Derived>)> {
        self.attributes(attributes)?;
        let mut derived = self.pointers(attributes)?;
        let mut inner = (None, Vec::new());
        if self.starts_inner_declarator(naming) {
            self.advance();
            inner = self.nested(|parser| parser.derived(naming, attributes))?;
            self.expect(Punctuator::CloseParen)?;
        } else if naming != Naming::None && self.peek() == TokenKind::Name {
            inner.0 = Some(self.take_name());
        } else if naming == Naming::Required {
            return self.fail_expected("a name");
        }
        let mut suffixes = Vec::new();
        loop {
            if self.at(Punctuator::OpenBracket) {
                suffixes.push(self.array()?);
            } else if self.at(Punctuator::OpenParen) {
                suffixes.push(Derived::Function(self.nested(Self::parameters)?));
            } else {
                break;
            }
        }
        suffixes.reverse();
        derived.append(&mut suffixes);
        derived.append(&mut inner.1);
        Ok((inner.0, derived))
    }

    /// Whether a parenthesis here is around a declarator and not around parameters.
    fn starts_inner_declarator(&self, naming: Naming) -> bool {
        if !self.at(Punctuator::OpenParen) {
            return false;
        }
        match self.peek_at(1) {
            TokenKind::Punctuator(Punctuator::Star | Punctuator::OpenParen | Punctuator::OpenBracket) => true,
            TokenKind::Keyword(Keyword::Attribute) => true,
            _ if naming == Naming::Required => true,
            TokenKind::Name => naming == Naming::Optional && !self.scopes.is_type(self.text_at(1)),
            _ => false,
        }
    }

    /// `* const *`
    fn pointers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Vec<Derived>> {
        let mut pointers = Vec::new();
        while self.eat(Punctuator::Star) {
            let mut qualifiers = Qualifiers::default();
            loop {
                self.attributes(attributes)?;
                if !self.qualifier(&mut qualifiers) {
                    break;
                }
            }
            pointers.push(Derived::Pointer(qualifiers));
        }
        Ok(pointers)
    }

    /// `[3]`, `[]`, `[static const n]`, `[*]`
    fn array(&mut self) -> Parsed<Derived> {
        let start = self.advance().span;
        let mut qualifiers = Qualifiers::default();
        while self.qualifier(&mut qualifiers) || self.eat_keyword(Keyword::Static) {}
        let close = TokenKind::Punctuator(Punctuator::CloseBracket);
        let size = if self.peek() == close {
            ArraySize::Unknown
        } else if self.at(Punctuator::Star) && self.peek_at(1) == close {
            self.advance();
            ArraySize::Star
        } else {
            ArraySize::Expression(Box::new(self.nested(Self::assignment)?))
        };
        self.expect(Punctuator::CloseBracket)?;
        Ok(Derived::Array { size, span: self.since(start) })
    }

    /// `(int a, char *b, ...)`, `(void)`, `()`, `(a, b)`. Names of parameters hide types up to the `)`.
    fn parameters(&mut self) -> Parsed<Parameters> {
        self.expect(Punctuator::OpenParen)?;
        if self.eat(Punctuator::CloseParen) {
            return Ok(Parameters { is_unspecified: true, ..Parameters::default() });
        }
        if self.peek() == TokenKind::Name && !self.starts_specifiers(0) {
            let is_list =
                |kind| matches!(kind, TokenKind::Punctuator(Punctuator::Comma | Punctuator::CloseParen));
            if is_list(self.peek_at(1)) {
                return self.old_names();
            }
        }
        let depth = self.scopes.depth();
        self.scopes.open();
        let parameters = self.parameter_list();
        self.scopes.close_to(depth);
        parameters
    }

    fn parameter_list(&mut self) -> Parsed<Parameters> {
        let mut parameters = Parameters::default();
        loop {
            if self.eat(Punctuator::Ellipsis) {
                parameters.is_variadic = true;
                break;
            }
            let parameter = self.parameter()?;
            if let Some(name) = &parameter.declarator.name {
                self.scopes.declare(&name.text, false);
            }
            parameters.list.push(parameter);
            if !self.eat(Punctuator::Comma) {
                break;
            }
        }
        self.expect(Punctuator::CloseParen)?;
        if parameters.is_only_void() {
            parameters.list.clear();
        }
        Ok(parameters)
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        if !self.starts_specifiers(0) && !self.unknown_type() {
            if self.peek() != TokenKind::Name {
                return self.fail_expected("a parameter");
            }
            let (span, name) = (self.peek_span(), self.text_at(0));
            return self.fail("E0831", format!("unknown type `{name}`"), span);
        }
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(Naming::Optional)?;
        Ok(Parameter { specifiers, declarator })
    }

    /// `(a, b)` of a function in the old style.
    fn old_names(&mut self) -> Parsed<Parameters> {
        let mut old_names = Vec::new();
        loop {
            old_names.push(self.expect_name("the name of a parameter")?);
            if !self.eat(Punctuator::Comma) {
                break;
            }
        }
        self.expect(Punctuator::CloseParen)?;
        Ok(Parameters { old_names, ..Parameters::default() })
    }

    /// A type without a name: `int *`, `struct s [3]`.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.peek_span();
        if !self.starts_specifiers(0) {
            return self.fail_expected("a type");
        }
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(Naming::None)?;
        Ok(TypeName { specifiers, declarator, span: self.since(start) })
    }
}

impl Parameters {
    /// `(void)`
    fn is_only_void(&self) -> bool {
        let [Parameter { specifiers, declarator }] = &self.list[..] else { return false };
        let is_void = matches!(specifiers.ty, crate::syntax::TypeSpecifier::Void);
        is_void && declarator.name.is_none() && declarator.derived.is_empty() && !self.is_variadic
    }
}
