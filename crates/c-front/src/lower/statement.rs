//! Statements: control flow within a function.

use super::place::Spot;
use super::points::Target;
use super::scope::Depth;
use super::types::{self, Hop};
use super::{Lower, library, scope};
use crate::hir::{
    Expression, ExpressionKind, FunctionId, ObjectId, Statement, StatementKind, Step, Storage, Store, TypeId,
    TypeKind,
};
use std::collections::VecDeque;
use throng_base::Span;
use throng_cfa::flow::{Assignment, BinaryOperator as Flow, ExpressionId, LocationId, PropertyKind};

impl<'p> Lower<'p> {
    /// A block: statements one after the other.
    pub(super) fn statements(&mut self, list: &'p [Statement]) {
        let outer = self.open_block(list);
        self.in_block(list);
        self.leave(outer, list.last().map_or_else(Span::default, |last| last.span));
        self.close_block(outer);
    }

    /// How much is open where code is being made.
    fn depth(&self) -> Depth {
        let frame = self.frames.last();
        frame.map_or_else(Depth::default, |frame| Depth { scope: frame.scope.len(), open: frame.open.len() })
    }

    /// The variables of a block live from now on; gives what was open before.
    fn open_block(&mut self, list: &[Statement]) -> Depth {
        let depth = self.depth();
        let lives = scope::lives(self.program, list);
        if let Some(frame) = self.frames.last_mut() {
            frame.open.extend(lives);
        }
        depth
    }

    /// What comes from now on is outside of a block.
    fn close_block(&mut self, outer: Depth) {
        if let Some(frame) = self.frames.last_mut() {
            frame.scope.truncate(outer.scope);
            frame.open.truncate(outer.open);
        }
    }

    fn in_block(&mut self, list: &'p [Statement]) {
        let mut special = None;
        for statement in list {
            if let StatementKind::Label(label) = &statement.kind {
                let name = self.label_name(label.index());
                if library::is_async_label(&name) || name == library::PASSIVE_BROADCAST {
                    special = Some(name);
                }
            } else if let Some(name) = special.take() {
                self.labelled(&name, statement);
                continue;
            }
            self.statement(statement);
        }
    }

    fn label_name(&self, index: usize) -> String {
        let function = self.frames.last().map(|frame| &self.program.functions[frame.function.index()]);
        function.and_then(|f| f.labels.get(index)).map(|label| label.name.clone()).unwrap_or_default()
    }

    /// Statements within an expression; gives what was open before, if they are a block. A compound literal is none: it lives
    /// on in the block around the expression.
    pub(super) fn nested_statements(&mut self, list: &'p [Statement]) -> Option<Depth> {
        let outer = (!scope::is_literal(self.program, list)).then(|| self.open_block(list));
        let is_inside = self.is_inside;
        for statement in list {
            let count = self.temporary_count;
            self.statement(statement);
            self.temporary_count = count;
        }
        self.is_inside = is_inside;
        outer
    }

    /// Whether something happens when a block within an expression is left.
    pub(super) fn ends_something(&self, outer: Option<Depth>) -> bool {
        let Some(outer) = outer else { return false };
        let is_cleaned = |object: &ObjectId| {
            self.program.objects.get(object.index()).is_some_and(|object| object.cleanup.is_some())
        };
        self.scope_beyond(outer.scope).iter().any(is_cleaned)
            || self.is_kept_somewhere(&self.open_beyond(outer.open))
    }

    /// Leaves a block within an expression.
    pub(super) fn leave_nested(&mut self, outer: Option<Depth>, span: Span) {
        let Some(outer) = outer else { return };
        let is_inside = self.is_inside;
        self.leave(outer, span);
        self.is_inside = is_inside;
        self.close_block(outer);
    }

    /// A statement that a special label stands before.
    fn labelled(&mut self, name: &str, statement: &'p Statement) {
        if !self.is_reachable() {
            return;
        }
        self.begin_statement();
        match &statement.kind {
            StatementKind::Expression(e) if name == library::PASSIVE_BROADCAST => self.passive_broadcast(e),
            StatementKind::Expression(e) => self.start_async(e),
            _ => {
                let message =
                    format!("the label {name} stands before a statement that it says nothing about");
                self.refuse("E0730", message, statement.span, "put it before a call or an assignment");
            }
        }
        self.end_statement(statement.span);
    }

    fn begin_statement(&mut self) {
        self.temporary_count = 0;
        self.statement_number += 1;
        self.boundary();
        self.is_inside = true;
    }

    fn end_statement(&mut self, span: Span) {
        if !self.obligations.is_empty() {
            self.emit_assignments(Vec::new(), span);
        }
        self.is_inside = false;
        self.boundary();
    }

    fn statement(&mut self, statement: &'p Statement) {
        let span = statement.span;
        self.visit(span);
        match &statement.kind {
            StatementKind::Expression(e) => {
                if self.is_reachable() {
                    self.begin_statement();
                    self.effect(e);
                    self.end_statement(span);
                }
            }
            StatementKind::Declare(object, stores) => {
                if self.is_reachable() {
                    self.begin_statement();
                    self.declare(*object, stores.as_deref(), span);
                    self.end_statement(span);
                }
                // A jump out of its own initialiser does not clean it up.
                if let Some(frame) = self.frames.last_mut() {
                    frame.scope.push(*object);
                }
            }
            StatementKind::Block(body) => self.statements(body),
            StatementKind::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise),
            StatementKind::Loop { condition, is_do, step, body } => {
                self.loop_statement(condition.as_ref(), *is_do, step.as_ref(), body);
            }
            StatementKind::Switch { value, body } => self.switch(value, body, span),
            StatementKind::Case(..) | StatementKind::Default => {
                let case = self.frames.last_mut().and_then(|frame| frame.cases.last_mut()?.pop_front());
                if let Some(case) = case {
                    self.continue_at(case);
                }
            }
            StatementKind::Label(label) => self.label(label.index(), span),
            StatementKind::Goto(label) => {
                let entered = self.entered_by_goto(label.index());
                let (left, ended) = (self.left_by_goto(label.index()), self.ended_by_goto(label.index()));
                self.run_cleanups(&left, span);
                self.bury(&ended, span);
                self.jump_over(&entered, span);
                let to = self.frames.last().map(|frame| frame.labels[label.index()]);
                self.jump(to);
            }
            StatementKind::Break => {
                let to = self.frames.last().and_then(|frame| frame.breaks.last().copied());
                self.leave(to.map_or_else(|| self.depth(), |(_, depth)| depth), span);
                self.jump(to.map(|(to, _)| to));
            }
            StatementKind::Continue => {
                let to = self.frames.last().and_then(|frame| frame.continues.last().copied());
                self.leave(to.map_or_else(|| self.depth(), |(_, depth)| depth), span);
                self.jump(to.map(|(to, _)| to));
            }
            StatementKind::Return(value) => {
                if self.is_reachable() {
                    self.begin_statement();
                    self.return_statement(value.as_ref(), span);
                    self.is_inside = false;
                }
            }
            StatementKind::Unmodelled(what) => {
                if self.is_reachable() {
                    let message = format!("{} is not supported", what.what);
                    self.refuse(what.code, message, span, "");
                    self.graph.here = None;
                }
            }
        }
    }

    fn jump(&mut self, to: Option<LocationId>) {
        match to {
            Some(to) => self.goto(to),
            None => self.graph.here = None,
        }
    }

    fn label(&mut self, index: usize, span: Span) {
        let name = self.label_name(index);
        let Some(location) = self.frames.last().map(|frame| frame.labels[index]) else { return };
        self.begin_at(location);
        if self.options.properties.labels.contains(&name) {
            self.fail(PropertyKind::Reach, format!("label {name} is reached"), span);
        }
        self.stop_at_label(&name, span);
    }

    fn if_statement(&mut self, condition: &'p Expression, then: &'p [Statement], otherwise: &'p [Statement]) {
        let (yes, no) = (self.fresh_boundary(), self.fresh_boundary());
        let join = self.fresh_boundary();
        self.test(condition, yes, no);
        self.resume(yes);
        self.statements(then);
        self.goto(join);
        self.resume(no);
        self.statements(otherwise);
        self.continue_at(join);
    }

    /// A condition as a statement of its own.
    fn test(&mut self, condition: &'p Expression, yes: LocationId, no: LocationId) {
        if !self.is_reachable() {
            return;
        }
        self.begin_statement();
        self.branch(condition, yes, no);
        self.is_inside = false;
    }

    fn loop_statement(
        &mut self,
        condition: Option<&'p Expression>,
        is_do: bool,
        step: Option<&'p Expression>,
        body: &'p [Statement],
    ) {
        let (head, inside) = (self.fresh_boundary(), self.fresh_boundary());
        let (again, after) = (self.fresh_boundary(), self.fresh_boundary());
        // Labels and cases in the body are ways in from elsewhere, and what stands before them is the next turn.
        if self.is_reachable() || scope::has_entries(body) {
            self.begin_at(if is_do { inside } else { head });
        }
        if !is_do {
            self.loop_test(condition, inside, after);
            self.resume(inside);
        }
        if let Some(frame) = self.frames.last_mut() {
            let depth = Depth { scope: frame.scope.len(), open: frame.open.len() };
            frame.breaks.push((after, depth));
            frame.continues.push((again, depth));
        }
        self.statements(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.continues.pop();
        }
        self.continue_at(again);
        if let (Some(step), true) = (step, self.is_reachable()) {
            self.begin_statement();
            self.effect(step);
            self.end_statement(step.span);
        }
        if is_do {
            self.loop_test(condition, inside, after);
        } else {
            self.goto(head);
        }
        self.resume(after);
    }

    fn loop_test(&mut self, condition: Option<&'p Expression>, inside: LocationId, after: LocationId) {
        match condition {
            Some(condition) => self.test(condition, inside, after),
            None => self.goto(inside),
        }
    }

    fn switch(&mut self, value: &'p Expression, body: &'p [Statement], span: Span) {
        let mut ranges = Vec::new();
        collect_cases(body, &mut ranges);
        let locations: Vec<LocationId> = ranges.iter().map(|_| self.fresh_boundary()).collect();
        let after = self.fresh_boundary();
        if self.is_reachable() {
            self.jump_over(&scope::before_cases(body), span);
            self.begin_statement();
            self.dispatch(value, &ranges, &locations, after, span);
            self.is_inside = false;
        }
        if let Some(frame) = self.frames.last_mut() {
            let depth = Depth { scope: frame.scope.len(), open: frame.open.len() };
            frame.breaks.push((after, depth));
            frame.cases.push(VecDeque::from(locations));
        }
        self.statements(body);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.cases.pop();
        }
        self.continue_at(after);
    }

    fn dispatch(
        &mut self,
        value: &'p Expression,
        ranges: &[Option<(i128, i128)>],
        locations: &[LocationId],
        after: LocationId,
        span: Span,
    ) {
        let is_signed = types::is_signed(self.program, value.ty);
        let value_span = value.span;
        let switched = self.value(value);
        let value = self.deciding(value, switched, true);
        let bits = self.e.bits(value);
        let mut none = self.e.truth(true);
        let mut ways = Vec::new();
        let mut default = after;
        for (range, &location) in ranges.iter().zip(locations) {
            let Some((first, last)) = *range else {
                default = location;
                continue;
            };
            let (low, high) = (self.e.constant(first as u128, bits), self.e.constant(last as u128, bits));
            let condition = if first == last {
                self.e.equal(value, low)
            } else {
                let operator = if is_signed { Flow::SignedLessOrEqual } else { Flow::UnsignedLessOrEqual };
                let above = self.e.binary(operator, low, value);
                let below = self.e.binary(operator, value, high);
                self.e.and(above, below)
            };
            let not = self.e.not(condition);
            none = self.e.and(none, not);
            ways.push((condition, Vec::new(), location));
        }
        ways.push((none, Vec::new(), default));
        let _ = span;
        self.split(ways, value_span);
    }

    fn return_statement(&mut self, value: Option<&'p Expression>, span: Span) {
        let Some(frame) = self.frames.last() else { return };
        let (function, exit, is_root) = (frame.function, frame.exit, frame.is_root);
        if let Some(value) = value {
            self.check_dangling(function, value);
            if is_root {
                self.return_from_thread(value, span);
            } else if let Some((object, ty)) = self.result_object(function) {
                let to = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
                if types::record_of(self.program, ty).is_some() {
                    let from = self.record_spot(value);
                    self.copy(&from, &to, ty, span);
                } else {
                    let value = self.value(value);
                    if self.frames.last().is_some_and(|frame| frame.relates_result) {
                        self.equality_predicate(object, value, span);
                    }
                    self.store(&to, ty, value, span, false);
                }
            } else {
                self.effect(value);
            }
        } else {
            self.without_result(function, is_root);
        }
        self.leave(Depth::default(), span);
        self.goto(exit);
    }

    /// A function must not return the address of one of its own objects.
    fn check_dangling(&mut self, function: FunctionId, value: &'p Expression) {
        if self.points.of(self.program, value).iter().any(|target| match target {
            Target::Object(object) => match self.memory.objects[object.index()].storage {
                Storage::Automatic(f) | Storage::Parameter(f) => f == function,
                Storage::Static | Storage::Thread => false,
            },
            _ => false,
        }) {
            let message = "the address of a variable that ends with the function may be returned here";
            self.refuse(
                "E0719",
                message,
                value.span,
                "let the caller give the address of a variable of its own",
            );
        }
    }

    /// An automatic object begins to live; its first value is written even if it is constant from then on.
    fn declare(&mut self, object: ObjectId, stores: Option<&'p [Store]>, span: Span) {
        let before = self.newborn.replace(object);
        self.start_life(object, span);
        self.begin_life(object, stores, span);
        self.newborn = before;
    }

    fn begin_life(&mut self, object: ObjectId, stores: Option<&'p [Store]>, span: Span) {
        let ty = self.memory.objects[object.index()].ty;
        if matches!(self.memory.objects[object.index()].storage, Storage::Static | Storage::Thread) {
            return;
        }
        self.check_length(object, span);
        let spot = Spot::Named { object, path: Vec::new(), indices: Vec::new() };
        let Some(stores) = stores else {
            match self.is_large(object) {
                false => self.havoc(&spot, ty, span),
                true if self.is_born_once(object) => {}
                true => self.havoc_row(object, span),
            }
            return;
        };
        if let [Store { path, value }] = stores
            && path.is_empty()
        {
            self.initialise(&spot, ty, value, span);
            return;
        }
        self.initialise_parts(object, ty, stores, span);
    }

    fn initialise(&mut self, spot: &Spot, ty: TypeId, value: &'p Expression, span: Span) {
        if types::record_of(self.program, ty).is_some() {
            let from = self.record_spot(value);
            self.copy(&from, spot, ty, span);
        } else {
            let value = self.value(value);
            self.store(spot, ty, value, span, false);
        }
    }

    /// What is constant is stored in one step with the zeros; the rest in order.
    fn initialise_parts(&mut self, object: ObjectId, ty: TypeId, stores: &'p [Store], span: Span) {
        let Some(parts) = self.parts(&Spot::whole(object), ty, span) else { return };
        let mut assignments: Vec<Assignment> = Vec::new();
        for (part, ty) in &parts {
            let zero = self.e.constant(0, types::bits_of(self.program, *ty));
            self.write_into(&mut assignments, part, *ty, zero, span);
        }
        self.note_initial_order(stores, span);
        let mut later = Vec::new();
        for store in stores {
            let (part, ty) = self.part_at(object, &store.path);
            let is_simple = types::record_of(self.program, ty).is_none()
                && !self.has_effects(&store.value)
                && self.shared_reads(&store.value) == 0
                && later.is_empty();
            if !is_simple {
                later.push((part, ty, &store.value));
                continue;
            }
            let value = self.value(&store.value);
            self.write_into(&mut assignments, &part, ty, value, span);
        }
        self.emit_assignments(assignments, span);
        for (part, ty, value) in later {
            self.initialise(&part, ty, value, span);
        }
    }

    /// A part of an object by constant steps, with its type.
    fn part_at(&mut self, object: ObjectId, steps: &[Step]) -> (Spot, TypeId) {
        let width = self.program.data_model.pointer_bits();
        let mut ty = self.memory.objects[object.index()].ty;
        let (mut path, mut indices) = (Vec::new(), Vec::new());
        for step in steps {
            match (step, &types::get(self.program, ty).kind) {
                (Step::Field(field), TypeKind::Record(record)) => {
                    path.push(Hop::Field(*field));
                    let fields = self.program.records[record.index()].fields.as_ref();
                    if let Some(field) = fields.and_then(|fields| fields.get(*field as usize)) {
                        ty = field.ty;
                    }
                }
                (Step::Element(index), TypeKind::Array { element, .. }) => {
                    path.push(Hop::Element);
                    indices.push(self.e.constant(u128::from(*index), width));
                    ty = *element;
                }
                _ => {}
            }
        }
        (Spot::Named { object, path, indices }, ty)
    }

    /// The value of an expression that has no effects, as one truth value.
    pub(super) fn truth_of(&mut self, e: &'p Expression) -> ExpressionId {
        let e = match &e.kind {
            ExpressionKind::Convert(a) if self.is_widening(a.ty, e.ty) => a,
            _ => e,
        };
        let value = self.value(e);
        let value = self.deciding(e, value, false);
        self.e.is_nonzero(value)
    }
}

/// The cases and defaults of a switch in the order in which they stand; those of inner switches left out.
fn collect_cases(list: &[Statement], out: &mut Vec<Option<(i128, i128)>>) {
    for statement in list {
        match &statement.kind {
            StatementKind::Case(first, last) => out.push(Some((*first, *last))),
            StatementKind::Default => out.push(None),
            StatementKind::Block(body) | StatementKind::Loop { body, .. } => collect_cases(body, out),
            StatementKind::If { then, otherwise, .. } => {
                collect_cases(then, out);
                collect_cases(otherwise, out);
            }
            _ => {}
        }
    }
}
