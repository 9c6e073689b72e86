//! Parser of formulas in infix notation, shared by LoLA and Petrinizer formulas.
//!
//! ```text
//! condition := condition ('and' | 'or' | 'implies') condition | 'not' condition | '(' condition ')' | 'true' | 'false'
//!            | sum comparison sum
//! sum       := sum ('+' | '-' | '*') sum | '-' sum | '(' sum ')' | number | place        -- '*' with a number on one side
//! ```
//!
//! From loosest to tightest: implies, or, and, not, comparisons, `+ -`, `*`, unary minus. Operator precedence with
//! explicit stacks: an opening parenthesis need not tell whether a sum or a condition follows, and nesting
//! costs no stack.

use super::{Comparison, Formula, Linear, NodeId, too_large_number};
use throng_base::{Diagnostic, Source, Span};

/// Operators and parentheses that may be open at the same time.
const MAX_NESTING: usize = 100_000;

/// What a formula is made of, whatever its spelling.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Open,
    Close,
    Not,
    And,
    Or,
    Implies,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    /// A number or a place.
    Sum(Linear),
    /// A truth value, or what else is a condition by itself.
    Condition(NodeId),
    /// The formula is over. Not consumed.
    End,
}

/// The symbols of a formula in one format.
pub(crate) trait Symbols {
    /// The text they stand in.
    fn source(&self) -> &Source;

    /// The next symbol. Conditions are added to `formula`.
    fn next(&mut self, formula: &mut Formula) -> Result<(Symbol, Span), Diagnostic>;
}

/// Reads a condition up to [`Symbol::End`].
pub(crate) fn parse_condition(
    symbols: &mut impl Symbols,
    formula: &mut Formula,
) -> Result<NodeId, Diagnostic> {
    let mut parser = Parser { operands: Vec::new(), operators: Vec::new() };
    loop {
        let operand = parser.operand(symbols, formula)?;
        parser.operands.push(operand);
        if parser.operators_after(symbols, formula)? {
            break;
        }
    }
    match parser.operands.pop() {
        Some((Value::Condition(node), _)) => Ok(node),
        Some((Value::Sum(_), span)) => Err(wrong_kind(symbols.source(), span, "a condition", "a sum")),
        None => Err(Diagnostic::error("E0101", "expected a condition")),
    }
}

#[derive(Clone, Debug)]
enum Value {
    Sum(Linear),
    Condition(NodeId),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Open,
    Implies,
    Or,
    And,
    Not,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    Negate,
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Operator::Open => 0,
            Operator::Implies => 1,
            Operator::Or => 2,
            Operator::And => 3,
            Operator::Not => 4,
            Operator::Compare(_) => 5,
            Operator::Plus | Operator::Minus => 6,
            Operator::Times => 7,
            Operator::Negate => 8,
        }
    }
}

struct Parser {
    operands: Vec<(Value, Span)>,
    operators: Vec<(Operator, Span)>,
}

impl Parser {
    /// Reads prefix operators and opening parentheses, then an operand.
    fn operand(
        &mut self,
        symbols: &mut impl Symbols,
        formula: &mut Formula,
    ) -> Result<(Value, Span), Diagnostic> {
        loop {
            let (symbol, span) = symbols.next(formula)?;
            let operator = match symbol {
                Symbol::Sum(linear) => return Ok((Value::Sum(linear), span)),
                Symbol::Condition(node) => return Ok((Value::Condition(node), span)),
                Symbol::Open => Operator::Open,
                Symbol::Not => Operator::Not,
                Symbol::Minus => Operator::Negate,
                _ => return Err(unexpected(symbols.source(), span, "a place, a number or a condition")),
            };
            self.push(operator, span, symbols.source())?;
        }
    }

    /// Reads closing parentheses and an infix operator; says whether the formula is over instead.
    fn operators_after(
        &mut self,
        symbols: &mut impl Symbols,
        formula: &mut Formula,
    ) -> Result<bool, Diagnostic> {
        loop {
            let (symbol, span) = symbols.next(formula)?;
            let source = symbols.source();
            let operator = match symbol {
                Symbol::Close => {
                    self.close(span, source, formula)?;
                    continue;
                }
                Symbol::End => {
                    self.reduce_above(Operator::Open, source, formula)?;
                    return match self.operators.last() {
                        Some((_, open)) => Err(unexpected(source, span, "`)`").note(format!(
                            "to close `(` at line {}, column {}",
                            source.position(open.start).0,
                            source.position(open.start).1
                        ))),
                        None => Ok(true),
                    };
                }
                Symbol::And => Operator::And,
                Symbol::Or => Operator::Or,
                Symbol::Implies => Operator::Implies,
                Symbol::Compare(comparison) => Operator::Compare(comparison),
                Symbol::Plus => Operator::Plus,
                Symbol::Minus => Operator::Minus,
                Symbol::Times => Operator::Times,
                _ => return Err(unexpected(source, span, "an operator or the end of the formula")),
            };
            // Implication associates to the right, the others to the left.
            let tighter = operator.precedence() + u8::from(operator == Operator::Implies);
            self.reduce_at_least(tighter, source, formula)?;
            self.push(operator, span, source)?;
            return Ok(false);
        }
    }

    fn push(&mut self, operator: Operator, span: Span, source: &Source) -> Result<(), Diagnostic> {
        if self.operators.len() >= MAX_NESTING {
            return Err(Diagnostic::error("E0413", "the formula is nested too deeply").at(
                source,
                span,
                format!("at most {MAX_NESTING} levels"),
            ));
        }
        self.operators.push((operator, span));
        Ok(())
    }

    fn close(&mut self, span: Span, source: &Source, formula: &mut Formula) -> Result<(), Diagnostic> {
        self.reduce_above(Operator::Open, source, formula)?;
        let Some((_, open)) = self.operators.pop() else {
            return Err(unexpected(source, span, "an operator or the end of the formula")
                .note("this `)` closes nothing"));
        };
        if let Some((_, place)) = self.operands.last_mut() {
            *place = open.to(span);
        }
        Ok(())
    }

    fn reduce_above(
        &mut self,
        operator: Operator,
        source: &Source,
        formula: &mut Formula,
    ) -> Result<(), Diagnostic> {
        self.reduce_at_least(operator.precedence() + 1, source, formula)
    }

    /// Applies the operators on top of the stack that bind at least so tightly.
    fn reduce_at_least(
        &mut self,
        precedence: u8,
        source: &Source,
        formula: &mut Formula,
    ) -> Result<(), Diagnostic> {
        while let Some(&(operator, span)) = self.operators.last() {
            if operator.precedence() < precedence {
                break;
            }
            self.operators.pop();
            let Some(right) = self.operands.pop() else { break };
            let value = match operator {
                Operator::Open => break,
                Operator::Not => {
                    let (node, place) = condition(right, source)?;
                    (Value::Condition(formula.not(node)), span.to(place))
                }
                Operator::Negate => {
                    let (linear, place) = sum(right, source)?;
                    let place = span.to(place);
                    let linear = linear.times(-1).map_err(|_| too_large_number(source, place))?;
                    (Value::Sum(linear), place)
                }
                _ => {
                    let Some(left) = self.operands.pop() else { break };
                    infix(operator, left, right, source, formula)?
                }
            };
            self.operands.push(value);
        }
        Ok(())
    }
}

fn infix(
    operator: Operator,
    left: (Value, Span),
    right: (Value, Span),
    source: &Source,
    formula: &mut Formula,
) -> Result<(Value, Span), Diagnostic> {
    let span = left.1.to(right.1);
    if matches!(operator, Operator::And | Operator::Or | Operator::Implies) {
        let ((left, _), (right, _)) = (condition(left, source)?, condition(right, source)?);
        let node = match operator {
            Operator::And => formula.and(left, right),
            Operator::Or => formula.or(left, right),
            _ => {
                let not_left = formula.not(left);
                formula.or(not_left, right)
            }
        };
        return Ok((Value::Condition(node), span));
    }
    let ((left, _), (right, _)) = (sum(left, source)?, sum(right, source)?);
    if let Operator::Compare(comparison) = operator {
        return Ok((Value::Condition(formula.compare(left, comparison, right, source, span)?), span));
    }
    let result = match operator {
        Operator::Plus => left.plus(right),
        Operator::Minus => left.minus(right),
        _ if right.terms.is_empty() => left.times(right.constant),
        _ if left.terms.is_empty() => right.times(left.constant),
        _ => {
            return Err(Diagnostic::error("E0411", "a product of places is not linear").at(
                source,
                span,
                "one side must be a number",
            ));
        }
    };
    Ok((Value::Sum(result.map_err(|_| too_large_number(source, span))?), span))
}

fn condition((value, span): (Value, Span), source: &Source) -> Result<(NodeId, Span), Diagnostic> {
    match value {
        Value::Condition(node) => Ok((node, span)),
        Value::Sum(_) => Err(wrong_kind(source, span, "a condition", "a sum")),
    }
}

fn sum((value, span): (Value, Span), source: &Source) -> Result<(Linear, Span), Diagnostic> {
    match value {
        Value::Sum(linear) => Ok((linear, span)),
        Value::Condition(_) => Err(wrong_kind(source, span, "a sum", "a condition")),
    }
}

fn wrong_kind(source: &Source, span: Span, expected: &str, found: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {found}");
    Diagnostic::error("E0101", message).at(source, span, format!("expected {expected}"))
}

fn unexpected(source: &Source, span: Span, expected: &str) -> Diagnostic {
    let text = source.slice(span);
    let found = match text.is_empty() {
        true => "the end of the file".to_owned(),
        false => format!("`{}`", text.escape_debug()),
    };
    Diagnostic::error("E0101", format!("expected {expected}, found {found}")).at(
        source,
        span,
        format!("expected {expected}"),
    )
}
