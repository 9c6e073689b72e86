//! Statements (C11 §6.8). An error in one does not keep the next from being looked at.

use super::function::SwitchContext;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, Statement, StatementKind, Unmodelled};
use crate::syntax::{self, BlockItem, ForInit, StatementKind as Kind};
use throng_base::Span;

impl Resolver<'_> {
    /// What stands in a block, in the scope that is there.
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Statement>) {
        for item in items {
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration, out),
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
                BlockItem::NestedFunction(function) => {
                    self.error_with_hint(
                        "E0662",
                        "functions within functions are not modelled",
                        function.span,
                        "define it outside, with what it uses as parameters",
                    );
                }
                BlockItem::Statement(statement) => self.statement(statement, out),
            }
        }
    }

    /// A statement that is a part of another, in a scope of its own.
    fn part(&mut self, statement: &syntax::Statement) -> Vec<Statement> {
        let mut out = Vec::new();
        self.scopes.enter();
        match &statement.kind {
            Kind::Block(block) => self.block_items(&block.items, &mut out),
            _ => self.statement(statement, &mut out),
        }
        self.scopes.leave();
        out
    }

    fn statement(&mut self, statement: &syntax::Statement, out: &mut Vec<Statement>) {
        // Labels in front are walked, not descended: `case 1: case 2: …` is one statement in another.
        let mut statement = statement;
        loop {
            let (outcome, inner) = match &statement.kind {
                Kind::Label(name, inner) => (self.label(name), inner),
                Kind::Case(first, last, inner) => (self.case(first, last.as_ref(), statement.span), inner),
                Kind::Default(inner) => (self.default_case(statement.span), inner),
                _ => break,
            };
            if let Ok(kind) = outcome {
                out.push(Statement { kind, span: statement.span });
            }
            statement = inner;
        }
        if let Ok(Some(kind)) = self.unlabelled(statement, out) {
            out.push(Statement { kind, span: statement.span });
        }
    }

    fn label(&mut self, name: &syntax::Name) -> Outcome<StatementKind> {
        match self.context(name.span)?.define_label(name) {
            Ok(id) => Ok(StatementKind::Label(id)),
            Err(before) => {
                let note = format!("it is also at {}", self.place_name(before));
                let message = format!("the label `{}` is there twice", name.text);
                let diagnostic = self.text.error("E0663", message, name.span).note(note);
                Err(self.report(diagnostic))
            }
        }
    }

    /// A statement without labels; `None` if nothing is to be done.
    fn unlabelled(
        &mut self,
        statement: &syntax::Statement,
        out: &mut Vec<Statement>,
    ) -> Outcome<Option<StatementKind>> {
        let span = statement.span;
        Ok(Some(match &statement.kind {
            Kind::Empty => return Ok(None),
            Kind::Asm(asm) => return self.assembly(asm, out),
            Kind::Expression(expression) => StatementKind::Expression(self.evaluated(expression)?),
            Kind::Block(_) => StatementKind::Block(self.part(statement)),
            Kind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let then = self.part(then);
                let otherwise = otherwise.as_ref().map_or_else(Vec::new, |otherwise| self.part(otherwise));
                StatementKind::If { condition: condition?, then, otherwise }
            }
            Kind::Switch(value, body) => self.switch(value, body, span)?,
            Kind::While(condition, body) => {
                let condition = self.condition(condition);
                let body = self.loop_body(body);
                StatementKind::Loop { condition: Some(condition?), is_do: false, step: None, body }
            }
            Kind::DoWhile(body, condition) => {
                let body = self.loop_body(body);
                let condition = Some(self.condition(condition)?);
                StatementKind::Loop { condition, is_do: true, step: None, body }
            }
            Kind::For(init, condition, step, body) => {
                self.scopes.enter();
                let outcome = self.for_loop(init, condition.as_ref(), step.as_ref(), body, span);
                self.scopes.leave();
                return outcome.map(Some);
            }
            Kind::Goto(name) => StatementKind::Goto(self.context(span)?.label(name)),
            Kind::ComputedGoto(target) => {
                let target = self.rvalue(target)?;
                out.push(Statement { kind: StatementKind::Expression(target), span });
                unmodelled("E0703", "a computed `goto`")
            }
            Kind::Continue => {
                if self.context(span)?.loops == 0 {
                    return Err(self.error("E0664", "`continue` is not in a loop", span));
                }
                StatementKind::Continue
            }
            Kind::Break => {
                let context = self.context(span)?;
                if context.loops == 0 && context.switches.is_empty() {
                    return Err(self.error("E0664", "`break` is neither in a loop nor in a `switch`", span));
                }
                StatementKind::Break
            }
            Kind::Return(value) => self.return_statement(value.as_ref(), span, out)?,
            Kind::Label(..) | Kind::Case(..) | Kind::Default(_) => return Ok(None),
        }))
    }

    /// An expression that is evaluated for what it does: `a, b`'s value and that of a struct are not used.
    fn evaluated(&mut self, expression: &syntax::Expression) -> Outcome<Expression> {
        self.rvalue(expression)
    }

    fn loop_body(&mut self, body: &syntax::Statement) -> Vec<Statement> {
        if let Some(context) = &mut self.function {
            context.loops += 1;
        }
        let body = self.part(body);
        if let Some(context) = &mut self.function {
            context.loops -= 1;
        }
        body
    }

    /// `for`: what stands first comes before the loop, in a block around both.
    fn for_loop(
        &mut self,
        init: &ForInit,
        condition: Option<&syntax::Expression>,
        step: Option<&syntax::Expression>,
        body: &syntax::Statement,
        span: Span,
    ) -> Outcome<StatementKind> {
        let mut out = Vec::new();
        match init {
            ForInit::None => {}
            ForInit::Expression(expression) => {
                if let Ok(value) = self.evaluated(expression) {
                    out.push(Statement { kind: StatementKind::Expression(value), span: expression.span });
                }
            }
            ForInit::Declaration(declaration) => self.declaration(declaration, &mut out),
        }
        let condition = condition.map(|condition| self.condition(condition)).transpose();
        let step = step.map(|step| self.evaluated(step)).transpose();
        let body = self.loop_body(body);
        let kind = StatementKind::Loop { condition: condition?, is_do: false, step: step?, body };
        if out.is_empty() {
            return Ok(kind);
        }
        out.push(Statement { kind, span });
        Ok(StatementKind::Block(out))
    }

    fn switch(
        &mut self,
        value: &syntax::Expression,
        body: &syntax::Statement,
        span: Span,
    ) -> Outcome<StatementKind> {
        let value = self.rvalue(value)?;
        if !self.types.is_integer(value.ty) {
            let found = self.describe(value.ty);
            return Err(self.error(
                "E0665",
                format!("`switch` is for integers, not for {found}"),
                value.span,
            ));
        }
        let value = self.promote(value);
        let context = self.context(span)?;
        context.switches.push(SwitchContext { ty: value.ty, cases: Vec::new(), has_default: false });
        // `continue` in a switch is that of the loop around it.
        let body = self.part(body);
        self.context(span)?.switches.pop();
        Ok(StatementKind::Switch { value, body })
    }

    /// `case first ... last:`, converted to the type of the switch.
    fn case(
        &mut self,
        first: &syntax::Expression,
        last: Option<&syntax::Expression>,
        span: Span,
    ) -> Outcome<StatementKind> {
        let Some(ty) = self.context(span)?.switches.last().map(|switch| switch.ty) else {
            return Err(self.error("E0664", "`case` is not in a `switch`", span));
        };
        let first = self.rvalue(first)?;
        let first = self.case_value(first, ty)?;
        let last = match last {
            Some(last) => {
                let last = self.rvalue(last)?;
                self.case_value(last, ty)?
            }
            None => first,
        };
        if last < first {
            self.warn("W0603", "this range of cases is empty", span);
        }
        let Some(switch) = self.context(span)?.switches.last_mut() else { return Err(super::Reported) };
        let is_duplicate = first <= last && switch.cases.iter().any(|&(a, b)| first <= b && a <= last);
        switch.cases.push((first, last));
        if is_duplicate {
            return Err(self.error("E0666", "there is another `case` for this value", span));
        }
        Ok(StatementKind::Case(first, last))
    }

    fn case_value(&mut self, value: Expression, ty: crate::hir::TypeId) -> Outcome<i128> {
        if !self.types.is_integer(value.ty) {
            let found = self.describe(value.ty);
            return Err(self.error(
                "E0620",
                format!("the value of a case is not an integer but {found}"),
                value.span,
            ));
        }
        let value = self.convert(value, ty);
        self.integer_value(&value, "the value of a case")
    }

    fn default_case(&mut self, span: Span) -> Outcome<StatementKind> {
        let Some(switch) = self.context(span)?.switches.last_mut() else {
            return Err(self.error("E0664", "`default` is not in a `switch`", span));
        };
        if std::mem::replace(&mut switch.has_default, true) {
            return Err(self.error("E0666", "there is another `default` in this `switch`", span));
        }
        Ok(StatementKind::Default)
    }

    fn return_statement(
        &mut self,
        value: Option<&syntax::Expression>,
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Outcome<StatementKind> {
        let result = self.context(span)?.result;
        let Some(value) = value else {
            if !self.types.is_void(result) {
                let found = self.describe(result);
                self.warn(
                    "W0604",
                    format!("this function returns {found}, but nothing is returned here"),
                    span,
                );
            }
            return Ok(StatementKind::Return(None));
        };
        let value = self.rvalue(value)?;
        if self.types.is_void(result) {
            if !self.types.is_void(value.ty) {
                self.warn("W0604", "this function returns nothing, but a value is returned here", span);
            }
            out.push(Statement { kind: StatementKind::Expression(value), span });
            return Ok(StatementKind::Return(None));
        }
        let value = self.assigned(value, result, "the result")?;
        Ok(StatementKind::Return(Some(value)))
    }

    /// `({ …; e; })`: the value of the last expression.
    pub(super) fn statement_expression(&mut self, block: &syntax::Block, span: Span) -> Outcome<Expression> {
        self.context(span)?;
        self.scopes.enter();
        let mut out = Vec::new();
        self.block_items(&block.items, &mut out);
        self.scopes.leave();
        let ends_in_value = matches!(block.items.last(), Some(BlockItem::Statement(last)) if is_value(last));
        let value = match out.pop() {
            Some(Statement { kind: StatementKind::Expression(value), .. }) if ends_in_value => Some(value),
            last => {
                out.extend(last);
                None
            }
        };
        let ty = value.as_ref().map_or_else(|| self.types.void(), |value| value.ty);
        Ok(Expression { kind: ExpressionKind::Block(out, value.map(Box::new)), ty, span })
    }
}

/// Whether a statement is an expression, with labels in front or not.
fn is_value(statement: &syntax::Statement) -> bool {
    let mut statement = statement;
    while let Kind::Label(_, inner) = &statement.kind {
        statement = inner;
    }
    matches!(statement.kind, Kind::Expression(_))
}

fn unmodelled(code: &'static str, what: &str) -> StatementKind {
    StatementKind::Unmodelled(Unmodelled { code, what: what.to_owned() })
}
