//! Expressions, by operator precedence with explicit stacks: nesting is limited by memory only.
//!
//! ```text
//! e := '0' | '1' | 'F' | 'T' | '*' | x | '!' e | e op e | '(' e ')' | 'schoose' '[' e ',' e ']'
//! x := ["'"] NAME ['$']
//! ```
//!
//! From tightest to loosest: `!` (or `~`); `=` and `!=`; `&` (or `&&`); `^`; `|` (or `||`); `=>`. This is the order
//! of the same operators in C, from which the language comes, with implication below. Tools write parentheses nearly
//! everywhere (SATABS: `((!b0) | 'b1) & …`), so files rarely depend on it. All operators group to the left, `=>` to
//! the right.

use super::Parser;
use crate::expression::{Expression as Tree, Node, Operator};
use crate::lexer::Token;
use crate::syntax::{Expression, Name, Reference};
use throng_base::{Diagnostic, Span};

/// How tight an operator binds; more is tighter.
pub(crate) fn binding(operator: Operator) -> u8 {
    match operator {
        Operator::Equal | Operator::NotEqual => 5,
        Operator::And => 4,
        Operator::Xor => 3,
        Operator::Or => 2,
        Operator::Implies => 1,
    }
}

/// Whether `a op b op c` is `a op (b op c)`.
pub(crate) fn groups_right(operator: Operator) -> bool {
    operator == Operator::Implies
}

/// What waits for its last operand.
#[derive(Clone, Copy)]
enum Pending {
    Not,
    Binary(Operator),
    /// An open group, see [`Group`].
    Group,
}

/// What is open around the current operand.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Parentheses,
    /// `schoose[` before its comma.
    First,
    /// `schoose[…,`
    Second,
}

/// The expression so far.
#[derive(Default)]
pub(super) struct Shunt {
    output: Vec<Node<Reference>>,
    pending: Vec<Pending>,
    groups: Vec<Group>,
}

impl Shunt {
    fn clear(&mut self) {
        self.output.clear();
        self.pending.clear();
        self.groups.clear();
    }

    fn open(&mut self, group: Group) {
        self.pending.push(Pending::Group);
        self.groups.push(group);
    }

    /// Ends the innermost group.
    fn close(&mut self) {
        self.flush(|_| true);
        self.pending.pop();
        self.groups.pop();
    }

    /// Adds an operator behind an operand.
    fn operator(&mut self, operator: Operator) {
        self.flush(|before| {
            binding(before) > binding(operator)
                || (binding(before) == binding(operator) && !groups_right(before))
        });
        self.pending.push(Pending::Binary(operator));
    }

    /// Moves pending operators to the output while they bind, down to the innermost group.
    fn flush(&mut self, binds: impl Fn(Operator) -> bool) {
        while let Some(&pending) = self.pending.last() {
            match pending {
                Pending::Not => self.output.push(Node::Not),
                Pending::Binary(operator) if binds(operator) => self.output.push(Node::Binary(operator)),
                Pending::Binary(_) | Pending::Group => return,
            }
            self.pending.pop();
        }
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<Expression, Diagnostic> {
        // The stacks are reused, so that an expression costs one allocation of its size.
        let mut shunt = std::mem::take(&mut self.shunt);
        shunt.clear();
        let expression = self.expression_with(&mut shunt);
        self.shunt = shunt;
        expression
    }

    fn expression_with(&mut self, shunt: &mut Shunt) -> Result<Expression, Diagnostic> {
        let start = self.tokens.span();
        loop {
            self.prefixes(shunt)?;
            let mut end = self.operand(shunt)?;
            loop {
                match (self.tokens.peek(), shunt.groups.last()) {
                    (Some(Token::Close), Some(Group::Parentheses)) => shunt.close(),
                    (Some(Token::CloseBracket), Some(Group::Second)) => {
                        shunt.close();
                        shunt.output.push(Node::Schoose);
                    }
                    _ => break,
                }
                end = self.tokens.advance();
            }
            if !self.infix(shunt)? {
                shunt.flush(|_| true);
                // INVARIANT: operands and operators alternate, so this is one expression.
                let tree = Tree::from_postorder(shunt.output.clone()).unwrap_or_else(Tree::choice);
                return Ok(Expression { tree, span: start.to(end) });
            }
        }
    }

    /// What stands before an operand.
    fn prefixes(&mut self, shunt: &mut Shunt) -> Result<(), Diagnostic> {
        loop {
            match self.tokens.peek() {
                Some(Token::Not) => shunt.pending.push(Pending::Not),
                Some(Token::Open) => shunt.open(Group::Parentheses),
                Some(Token::Schoose) => {
                    self.tokens.advance();
                    if self.tokens.peek() != Some(Token::OpenBracket) {
                        return Err(self.tokens.unexpected("`[`"));
                    }
                    shunt.open(Group::First);
                }
                _ => return Ok(()),
            }
            self.tokens.advance();
        }
    }

    /// A constant, a choice or a variable; its place is returned.
    fn operand(&mut self, shunt: &mut Shunt) -> Result<Span, Diagnostic> {
        let node = match (self.tokens.peek(), self.tokens.text()) {
            (Some(Token::True), _) | (Some(Token::Number), "1") => Node::Constant(true),
            (Some(Token::False), _) | (Some(Token::Number), "0") => Node::Constant(false),
            (Some(Token::Number), _) => return Err(self.tokens.unexpected("`0` or `1`")),
            (Some(Token::Star), _) => Node::Choice,
            (Some(Token::Name | Token::Prime), _) => {
                let reference = self.reference()?;
                shunt.output.push(Node::Read(reference));
                return Ok(reference.name.span);
            }
            _ => return Err(self.tokens.unexpected("an expression")),
        };
        shunt.output.push(node);
        Ok(self.tokens.advance())
    }

    fn reference(&mut self) -> Result<Reference, Diagnostic> {
        let start = self.tokens.span();
        let is_next = self.tokens.eat(Token::Prime);
        let name = self.name()?;
        let mark = (self.tokens.peek() == Some(Token::Dollar)).then(|| self.tokens.advance());
        if self.tokens.peek() == Some(Token::Open) {
            let call = "a call is a statement of its own: assign its result to a variable first";
            return Err(self.tokens.unexpected("an operator").hint(call));
        }
        let span = start.to(mark.unwrap_or(name.span));
        Ok(Reference { name: Name { span, ..name }, is_next, is_passive: mark.is_some() })
    }

    /// What stands behind an operand if another operand follows; false at the end of the expression.
    fn infix(&mut self, shunt: &mut Shunt) -> Result<bool, Diagnostic> {
        let operator = match (self.tokens.peek(), shunt.groups.last()) {
            (Some(Token::And), _) => Operator::And,
            (Some(Token::Or), _) => Operator::Or,
            (Some(Token::Xor), _) => Operator::Xor,
            (Some(Token::Implies), _) => Operator::Implies,
            (Some(Token::Equal), _) => Operator::Equal,
            (Some(Token::NotEqual), _) => Operator::NotEqual,
            (Some(Token::Comma), Some(Group::First)) => {
                shunt.close();
                shunt.open(Group::Second);
                self.tokens.advance();
                return Ok(true);
            }
            (_, None) => return Ok(false),
            (_, Some(Group::Parentheses)) => return Err(self.tokens.unexpected("an operator or `)`")),
            (_, Some(Group::First)) => return Err(self.tokens.unexpected("an operator or `,`")),
            (_, Some(Group::Second)) => return Err(self.tokens.unexpected("an operator or `]`")),
        };
        shunt.operator(operator);
        self.tokens.advance();
        Ok(true)
    }
}
