//! Expressions: commas, assignments, `?:`, casts, unary and postfix operators.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, TypeName, UnaryOperator};
use throng_base::Span;

impl Parser<'_> {
    /// An expression, with commas.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.apart(Self::comma_chain)
    }

    fn comma_chain(&mut self) -> Parsed<Expression> {
        let mut left = self.assignment()?;
        while self.eat(Punctuator::Comma) {
            let right = self.assignment()?;
            self.grow()?;
            let span = left.span.to(right.span);
            left = Expression { kind: ExpressionKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expression> {
        self.apart(Self::assignment_chain)
    }

    fn assignment_chain(&mut self) -> Parsed<Expression> {
        let left = self.conditional()?;
        let Some(operator) = self.assignment_operator() else { return Ok(left) };
        self.advance();
        let right = self.nested(Self::assignment)?;
        self.grow()?;
        let span = left.span.to(right.span);
        Ok(Expression { kind: ExpressionKind::Assign(operator, Box::new(left), Box::new(right)), span })
    }

    fn assignment_operator(&self) -> Option<Option<BinaryOperator>> {
        use BinaryOperator as B;
        use Punctuator as P;
        let TokenKind::Punctuator(punctuator) = self.peek() else { return None };
        Some(Some(match punctuator {
            P::Assign => return Some(None),
            P::StarAssign => B::Multiply,
            P::SlashAssign => B::Divide,
            P::PercentAssign => B::Remainder,
            P::PlusAssign => B::Add,
            P::MinusAssign => B::Subtract,
            P::ShiftLeftAssign => B::ShiftLeft,
            P::ShiftRightAssign => B::ShiftRight,
            P::AndAssign => B::BitAnd,
            P::XorAssign => B::BitXor,
            P::OrAssign => B::BitOr,
            _ => return None,
        }))
    }

    /// An expression without assignments. `a ? b : c ? d : e` is one chain.
    pub(super) fn conditional(&mut self) -> Parsed<Expression> {
        self.apart(Self::conditional_chain)
    }

    fn conditional_chain(&mut self) -> Parsed<Expression> {
        let mut links = Vec::new();
        let mut last = self.binary()?;
        while self.eat(Punctuator::Question) {
            let then = if self.at(Punctuator::Colon) {
                None
            } else {
                Some(Box::new(self.nested(Self::expression)?))
            };
            self.expect(Punctuator::Colon)?;
            links.push((last, then));
            last = self.binary()?;
        }
        for (condition, then) in links.into_iter().rev() {
            self.grow()?;
            let span = condition.span.to(last.span);
            let kind = ExpressionKind::Conditional(Box::new(condition), then, Box::new(last));
            last = Expression { kind, span };
        }
        Ok(last)
    }

    /// `(type) e`, or something stronger.
    pub(super) fn cast(&mut self) -> Parsed<Expression> {
        if !self.at(Punctuator::OpenParen) || !self.starts_specifiers(1) {
            return self.unary();
        }
        let start = self.peek_span();
        let type_name = self.parenthesised_type()?;
        if self.at(Punctuator::OpenBrace) {
            let literal = self.compound_literal(type_name, start)?;
            return self.postfix(literal);
        }
        let operand = self.nested(Self::cast)?;
        let span = start.to(operand.span);
        Ok(Expression { kind: ExpressionKind::Cast(Box::new(type_name), Box::new(operand)), span })
    }

    /// `(type)`
    fn parenthesised_type(&mut self) -> Parsed<TypeName> {
        self.expect(Punctuator::OpenParen)?;
        let type_name = self.nested(Self::type_name)?;
        self.expect(Punctuator::CloseParen)?;
        Ok(type_name)
    }

    fn compound_literal(&mut self, type_name: TypeName, start: Span) -> Parsed<Expression> {
        let list = self.nested(Self::initializer_list)?;
        let span = self.since(start);
        Ok(Expression { kind: ExpressionKind::CompoundLiteral(Box::new(type_name), list), span })
    }

    fn unary_operator(&self) -> Option<UnaryOperator> {
        let TokenKind::Punctuator(punctuator) = self.peek() else { return None };
        Some(match punctuator {
            Punctuator::Plus => UnaryOperator::Plus,
            Punctuator::Minus => UnaryOperator::Minus,
            Punctuator::Tilde => UnaryOperator::BitNot,
            Punctuator::Not => UnaryOperator::Not,
            Punctuator::And => UnaryOperator::AddressOf,
            Punctuator::Star => UnaryOperator::Dereference,
            Punctuator::Increment => UnaryOperator::PreIncrement,
            Punctuator::Decrement => UnaryOperator::PreDecrement,
            _ => return None,
        })
    }

    /// `-e`, `sizeof e`, `&&label`, or something stronger.
    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.peek_span();
        if let Some(operator) = self.unary_operator() {
            self.advance();
            let operand = self.nested(Self::cast)?;
            let span = start.to(operand.span);
            return Ok(Expression { kind: ExpressionKind::Unary(operator, Box::new(operand)), span });
        }
        let kind = match self.peek() {
            TokenKind::Punctuator(Punctuator::AndAnd) => {
                self.advance();
                ExpressionKind::LabelAddress(self.expect_name("a label")?)
            }
            TokenKind::Keyword(Keyword::Extension) => {
                self.advance();
                return self.nested(Self::cast);
            }
            TokenKind::Keyword(Keyword::Sizeof) => return self.size_or_alignment(true),
            TokenKind::Keyword(Keyword::Alignof) => return self.size_or_alignment(false),
            TokenKind::Keyword(Keyword::Real | Keyword::Imaginary) => {
                return self.fail("E0834", "complex numbers are not supported", start);
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        Ok(Expression { kind, span: self.since(start) })
    }

    /// `sizeof e`, `sizeof(type)`, `_Alignof(type)`
    fn size_or_alignment(&mut self, is_size: bool) -> Parsed<Expression> {
        let start = self.advance().span;
        let mut operand = None;
        if self.at(Punctuator::OpenParen) && self.starts_specifiers(1) {
            let open = self.peek_span();
            let type_name = self.parenthesised_type()?;
            if !self.at(Punctuator::OpenBrace) {
                let ty = Box::new(type_name);
                let kind =
                    if is_size { ExpressionKind::SizeofType(ty) } else { ExpressionKind::AlignofType(ty) };
                return Ok(Expression { kind, span: self.since(start) });
            }
            let literal = self.compound_literal(type_name, open)?;
            operand = Some(self.postfix(literal)?);
        }
        let operand = Box::new(match operand {
            Some(operand) => operand,
            None => self.nested(Self::unary)?,
        });
        let kind = if is_size {
            ExpressionKind::SizeofExpression(operand)
        } else {
            ExpressionKind::AlignofExpression(operand)
        };
        Ok(Expression { kind, span: self.since(start) })
    }

    /// Calls, indices, members and increments after an expression.
    pub(super) fn postfix(&mut self, first: Expression) -> Parsed<Expression> {
        let mut expression = first;
        loop {
            let TokenKind::Punctuator(punctuator) = self.peek() else { return Ok(expression) };
            let start = expression.span;
            let kind = match punctuator {
                Punctuator::OpenBracket => {
                    self.advance();
                    let index = self.nested(Self::expression)?;
                    self.expect(Punctuator::CloseBracket)?;
                    ExpressionKind::Index(Box::new(expression), Box::new(index))
                }
                Punctuator::OpenParen => {
                    self.advance();
                    let arguments = self.nested(Self::expressions_until_parenthesis)?;
                    ExpressionKind::Call(Box::new(expression), arguments)
                }
                Punctuator::Dot => {
                    self.advance();
                    ExpressionKind::Member(Box::new(expression), self.expect_name("the name of a member")?)
                }
                Punctuator::Arrow => {
                    self.advance();
                    ExpressionKind::Arrow(Box::new(expression), self.expect_name("the name of a member")?)
                }
                Punctuator::Increment | Punctuator::Decrement => {
                    self.advance();
                    let is_increment = punctuator == Punctuator::Increment;
                    let operator = if is_increment {
                        UnaryOperator::PostIncrement
                    } else {
                        UnaryOperator::PostDecrement
                    };
                    ExpressionKind::Unary(operator, Box::new(expression))
                }
                _ => return Ok(expression),
            };
            self.grow()?;
            expression = Expression { kind, span: self.since(start) };
        }
    }
}
