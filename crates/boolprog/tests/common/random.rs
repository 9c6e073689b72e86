//! Random syntax trees, with all statements and operators. Their names need not make sense.

use arbtest::arbitrary::{Result, Unstructured};
use throng_base::Span;
use throng_boolprog::expression::{self, Operator};
use throng_boolprog::syntax::*;

/// Names of variables and functions.
const NAMES: [&str; 6] = ["a", "b0_1_eq_m", "c$$main", "main", "Tx", "_"];

/// Labels, which may be numbers.
const LABELS: [&str; 4] = ["L", "ASYNC_1", "7", "007"];

const OPERATORS: [Operator; 6] =
    [Operator::And, Operator::Or, Operator::Xor, Operator::Implies, Operator::Equal, Operator::NotEqual];

/// A random program.
pub(crate) fn program(u: &mut Unstructured<'_>) -> Result<Program> {
    let mut random = Random { u, program: Program::default() };
    let declarations = random.up_to(2, Random::declaration)?;
    let functions = random.up_to(2, Random::function)?;
    Ok(Program { declarations, functions, ..random.program })
}

struct Random<'u, 'd> {
    u: &'u mut Unstructured<'d>,
    program: Program,
}

impl Random<'_, '_> {
    fn function(&mut self) -> Result<Function> {
        Ok(Function {
            is_depth_first: self.u.arbitrary()?,
            n_results: self.u.int_in_range(0..=3)?,
            name: self.name()?,
            parameters: self.up_to(2, Self::name)?,
            declarations: self.up_to(1, Self::declaration)?,
            body: self.block(0)?,
            end: Span::default(),
        })
    }

    fn declaration(&mut self) -> Result<Declaration> {
        let variables = self.some(Self::name)?;
        Ok(Declaration { is_thread_local: self.u.arbitrary()?, variables, span: Span::default() })
    }

    fn block(&mut self, depth: usize) -> Result<Vec<Statement>> {
        self.up_to(3, |random| {
            let labels = random.up_to(2, Self::label)?;
            Ok(Statement { labels, kind: random.kind(depth)?, span: Span::default() })
        })
    }

    fn kind(&mut self, depth: usize) -> Result<StatementKind> {
        let last = if depth < 3 { 18 } else { 16 };
        Ok(match self.u.int_in_range(0..=last)? {
            0 => StatementKind::Skip,
            1 => StatementKind::Goto(self.some(Self::label)?),
            2 | 3 => StatementKind::Assign {
                targets: self.some(Self::target)?,
                values: self.some(Self::expression)?,
                constrain: if self.u.arbitrary()? { Some(self.expression()?) } else { None },
            },
            4 => StatementKind::Call {
                targets: self.up_to(2, Self::target)?,
                function: self.name()?,
                arguments: self.up_to(2, Self::expression)?,
            },
            5 => StatementKind::Return(self.up_to(2, Self::expression)?),
            6 => StatementKind::Assert(self.expression()?),
            7 => StatementKind::Assume(self.expression()?),
            8 => StatementKind::AbortIf(self.expression()?),
            9 => StatementKind::Enforce(self.expression()?),
            10 => StatementKind::StartAt(self.label()?),
            11 => StatementKind::StartFunction {
                function: self.name()?,
                arguments: self.up_to(2, Self::expression)?,
            },
            12 => StatementKind::EndThread,
            13 => StatementKind::Sync(self.label()?),
            14 => StatementKind::Dead(self.some(Self::name)?),
            15 => StatementKind::AtomicBegin,
            16 => StatementKind::AtomicEnd,
            17 => StatementKind::While { condition: self.expression()?, body: self.block(depth + 1)? },
            _ => StatementKind::If {
                arms: self.some(|random| Ok((random.expression()?, random.block(depth + 1)?)))?,
                otherwise: if self.u.arbitrary()? { Some(self.block(depth + 1)?) } else { None },
            },
        })
    }

    fn target(&mut self) -> Result<Target> {
        Ok(Target { name: self.name()?, is_passive: self.u.ratio(1, 4)? })
    }

    fn expression(&mut self) -> Result<Expression> {
        Ok(Expression { tree: self.tree(4)?, span: Span::default() })
    }

    fn tree(&mut self, depth: usize) -> Result<expression::Expression<Reference>> {
        use expression::Expression as Tree;
        let kinds = if depth == 0 { 3 } else { 8 };
        Ok(match self.u.int_in_range(0..=kinds)? {
            0 => Tree::constant(self.u.arbitrary()?),
            1 => Tree::choice(),
            2 | 3 => Tree::read(Reference {
                name: self.name()?,
                is_next: self.u.ratio(1, 4)?,
                is_passive: self.u.ratio(1, 4)?,
            }),
            4 => self.tree(depth - 1)?.negated(),
            5 => self.tree(depth - 1)?.schoose(self.tree(depth - 1)?),
            _ => {
                let operator = *self.u.choose(&OPERATORS)?;
                self.tree(depth - 1)?.binary(operator, self.tree(depth - 1)?)
            }
        })
    }

    fn name(&mut self) -> Result<Name> {
        let text = *self.u.choose(&NAMES)?;
        Ok(self.intern(text))
    }

    fn label(&mut self) -> Result<Name> {
        let text = *self.u.choose(&LABELS)?;
        Ok(self.intern(text))
    }

    fn intern(&mut self, text: &str) -> Name {
        Name { symbol: Symbol::new(self.program.names.insert(text).0), span: Span::default() }
    }

    /// At least one item.
    fn some<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.u.int_in_range(1..=3)?;
        (0..count).map(|_| item(self)).collect()
    }

    fn up_to<T>(&mut self, most: usize, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.u.int_in_range(0..=most)?;
        (0..count).map(|_| item(self)).collect()
    }
}
