//! `asm` statements: the template with its operands. What they mean is decided where names have types.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{Asm, AsmOperand};
use throng_base::Span;

impl Parser<'_> {
    /// `asm volatile ("…" : … );`
    pub(super) fn asm_statement(&mut self) -> Parsed<Asm> {
        let start = self.advance().span;
        let mut is_goto = false;
        while let TokenKind::Keyword(
            keyword @ (Keyword::Volatile | Keyword::Goto | Keyword::Inline | Keyword::Const),
        ) = self.peek()
        {
            is_goto |= keyword == Keyword::Goto;
            self.advance();
        }
        self.expect(Punctuator::OpenParen)?;
        let (bytes, _) = self.string_bytes()?;
        let template = String::from_utf8_lossy(&bytes).into_owned();
        let mut lists = [Vec::new(), Vec::new()];
        // Without a colon, nothing is said about what it does.
        let is_bare = !self.at(Punctuator::Colon);
        for list in &mut lists {
            if self.eat(Punctuator::Colon) {
                *list = self.asm_operands()?;
            }
        }
        let [outputs, inputs] = lists;
        // Registers that are overwritten, and labels: nothing that C sees, but for memory and jumps.
        let rest = self.peek_span().start;
        self.skip_parenthesised()?;
        let end = self.since(start).end;
        let clobbers_memory = is_bare || self.text.slice(Span { start: rest, end }).contains("\"memory\"");
        self.expect(Punctuator::Semicolon)?;
        Ok(Asm { template, outputs, inputs, clobbers_memory, is_goto, span: self.since(start) })
    }

    /// `[name] "constraint" (expression), …`, up to a colon or a parenthesis.
    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while !self.at(Punctuator::Colon) && !self.at(Punctuator::CloseParen) {
            let mut name = None;
            if self.eat(Punctuator::OpenBracket) {
                name = Some(self.expect_name("the name of an operand")?.text.to_string());
                self.expect(Punctuator::CloseBracket)?;
            }
            let (constraint, _) = self.string_bytes()?;
            self.expect(Punctuator::OpenParen)?;
            let value = self.nested(Self::expression)?;
            self.expect(Punctuator::CloseParen)?;
            let constraint = String::from_utf8_lossy(&constraint).into_owned();
            operands.push(AsmOperand { name, constraint, value });
            if !self.eat(Punctuator::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
