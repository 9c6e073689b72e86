//! `asm`: barriers and fences mean nothing; an empty template with operands moves values about; instructions that are not
//! known are refused where threads come.

use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, Statement, StatementKind, Unmodelled};
use crate::syntax::{self, Asm};
use crate::world;
use throng_base::Span;

impl Resolver<'_> {
    /// An `asm` outside of functions: directives that mean nothing.
    pub(super) fn file_assembly(&mut self, asm: &Asm) {
        let lines = asm.template.split(['\n', ';']).map(str::trim).filter(|line| !line.starts_with('#'));
        if let Some(line) = lines.into_iter().find(|line| world::directive(line).is_none()) {
            let message = format!("`asm(\"{line}\")` outside of functions is not known");
            self.error_with_hint("E0704", message, asm.span, "write what it defines in C");
        }
    }

    /// An `asm` statement: nothing, values moved about, instructions that are known, or others. Those that say that they leave
    /// memory alone only compute their outputs, which have no model.
    pub(super) fn assembly(&mut self, asm: &Asm, out: &mut Vec<Statement>) -> Outcome<Option<StatementKind>> {
        let is_empty = asm.template.trim().is_empty();
        if world::assembly(&asm.template).is_some() && !asm.is_goto && (is_empty || asm.outputs.is_empty()) {
            return self.moved(asm, out);
        }
        if let Some(body) = self.instructions(asm) {
            return Ok(Some(StatementKind::Block(body)));
        }
        let in_memory =
            |operand: &syntax::AsmOperand| operand.constraint.contains(['m', 'o', 'V', 'Q', 'g', 'X']);
        let leaves_memory =
            !asm.clobbers_memory && !asm.is_goto && !asm.outputs.iter().chain(&asm.inputs).any(in_memory);
        if !leaves_memory {
            return Ok(Some(unknown("an `asm` with instructions")));
        }
        for input in &asm.inputs {
            let value = self.rvalue(&input.value)?;
            out.push(Statement { span: value.span, kind: StatementKind::Expression(value) });
        }
        for output in &asm.outputs {
            let super::convert::Operand::Place(place) = self.operand(&output.value)? else {
                return Err(self.error("E0640", "the output of an `asm` is not a variable", asm.span));
            };
            let (ty, span) = (self.types.unqualified(place.ty), asm.span);
            let what = "what an `asm` computes".to_owned();
            let value = Box::new(Self::unmodelled("E0704", what, Vec::new(), ty, span));
            let kind = StatementKind::Expression(Expression {
                kind: ExpressionKind::Assign(place, value),
                ty,
                span,
            });
            out.push(Statement { kind, span });
        }
        Ok(None)
    }

    /// An `asm` without instructions that do anything: outputs are the inputs that they are tied to, or arbitrary.
    fn moved(&mut self, asm: &Asm, out: &mut Vec<Statement>) -> Outcome<Option<StatementKind>> {
        let tied: Vec<(usize, &syntax::Expression)> = asm
            .inputs
            .iter()
            .filter_map(|input| Some((input.constraint.trim_matches('%').parse().ok()?, &input.value)))
            .collect();
        if !tied.is_empty() && asm.outputs.len() > 1 {
            return Ok(Some(unknown("an `asm` with several outputs that are tied to inputs")));
        }
        let named = asm.inputs.iter().any(|input| input.constraint.contains('['));
        if named && !asm.outputs.is_empty() {
            return Ok(Some(unknown("an `asm` with named operands")));
        }
        for input in asm.inputs.iter().filter(|_| tied.is_empty()) {
            let value = self.rvalue(&input.value)?;
            out.push(Statement { span: value.span, kind: StatementKind::Expression(value) });
        }
        for (number, output) in asm.outputs.iter().enumerate() {
            // What is read and written, with nothing in between, stays.
            if output.constraint.contains('+') {
                continue;
            }
            let value = tied.iter().find(|&&(output, _)| output == number).map(|&(_, value)| value);
            let statement = self.output(&output.value, value, asm.span)?;
            out.push(Statement { kind: StatementKind::Expression(statement), span: asm.span });
        }
        Ok(None)
    }

    /// `place = value`, or an arbitrary value.
    fn output(
        &mut self,
        place: &syntax::Expression,
        value: Option<&syntax::Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        let super::convert::Operand::Place(place) = self.operand(place)? else {
            return Err(self.error("E0640", "the output of an `asm` is not a variable", span));
        };
        let ty = self.types.unqualified(place.ty);
        let value = match value {
            Some(value) => {
                let value = self.rvalue(value)?;
                self.assigned(value, ty, "the output")?
            }
            None => self.arbitrary(ty, span)?,
        };
        Ok(Expression { kind: ExpressionKind::Assign(place, Box::new(value)), ty, span })
    }

    /// An arbitrary value of a type: a call of a function that returns one.
    pub(super) fn arbitrary(&mut self, ty: crate::hir::TypeId, span: Span) -> Outcome<Expression> {
        let function = self.types.function(ty, Vec::new(), false);
        let name = format!("__VERIFIER_nondet_asm_{}", ty.index());
        let Some(function) = self.declare_by_use(&name, function, span) else {
            return Err(self.error("E0611", format!("`{name}` is declared otherwise"), span));
        };
        let kind = ExpressionKind::Call(crate::hir::Callee::Direct(function), Vec::new());
        Ok(Expression { kind, ty, span })
    }
}

fn unknown(what: &str) -> StatementKind {
    StatementKind::Unmodelled(Unmodelled { code: "E0704", what: what.to_owned() })
}
