//! Expressions: points before accesses, and operands in order.

use super::order::Both;
use super::{Piece, Rewriter, key, order};
use throng_base::Span;
use throng_c_front::hir::{Builtin, Callee, Expression, ExpressionKind, Place, PlaceKind, TypeKind};
use throng_c_front::lower::Volatile;
use throng_c_front::syntax::BinaryOperator;

/// `place op= value`.
pub(super) struct Update<'e> {
    place: &'e Place,
    operator: BinaryOperator,
    value: &'e Expression,
    is_postfix: bool,
}

impl<'a> Rewriter<'a> {
    /// An expression with points.
    pub(super) fn expression(&mut self, e: &'a Expression) -> Piece {
        match &e.kind {
            ExpressionKind::Constant(_) | ExpressionKind::FunctionAddress(_) => Piece::same(e.span),
            ExpressionKind::Load(place) => self.load(place, e.span),
            ExpressionKind::AddressOf(place) => {
                let pieces = self.place(place);
                self.plain(e.span, pieces)
            }
            ExpressionKind::Convert(a) if key(a.span) == key(e.span) => self.expression(a),
            ExpressionKind::Negate(a)
            | ExpressionKind::BitNot(a)
            | ExpressionKind::Not(a)
            | ExpressionKind::Convert(a) => {
                let piece = self.expression(a);
                self.carry(e.span, vec![piece])
            }
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Difference(a, b, _)
            | ExpressionKind::Offset { pointer: a, index: b, .. } => {
                let pieces = vec![self.expression(a), self.expression(b)];
                self.in_order(e.span, pieces)
            }
            ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => {
                self.covered(e).unwrap_or_else(|| self.sequence(e.span, &[a, b]))
            }
            ExpressionKind::Conditional(a, b, c) => {
                self.covered(e).unwrap_or_else(|| self.sequence(e.span, &[a, b, c]))
            }
            ExpressionKind::Elvis(a, b) | ExpressionKind::Comma(a, b) => self.sequence(e.span, &[a, b]),
            ExpressionKind::Assign(place, value) => self.assign(place, value, e.span),
            ExpressionKind::Update { place, operator, value, is_postfix, .. } => {
                let update = Update { place, operator: *operator, value, is_postfix: *is_postfix };
                self.update(&update, e.span)
            }
            ExpressionKind::Call(callee, arguments) => self.call(callee, arguments, e),
            ExpressionKind::Builtin(_, arguments) => {
                let pieces = arguments.iter().map(|argument| self.expression(argument)).collect();
                self.access_after(e.span, pieces)
            }
            ExpressionKind::Block(body, value) => {
                let mut edits = Vec::new();
                self.statements(body, &mut edits);
                let mut pieces: Vec<Piece> =
                    edits.into_iter().map(|(span, text)| Piece::new(span, text)).collect();
                pieces.extend(value.iter().map(|value| self.expression(value)));
                Piece { is_ordered: true, ..self.plain(e.span, pieces) }
            }
            ExpressionKind::Unmodelled(_, operands) => {
                let pieces = operands.iter().map(|operand| self.expression(operand)).collect();
                self.plain(e.span, pieces)
            }
        }
    }

    /// Operands that C evaluates one after the other.
    fn sequence(&mut self, span: Span, operands: &[&'a Expression]) -> Piece {
        let pieces = operands.iter().map(|operand| self.expression(operand)).collect();
        self.plain(span, pieces)
    }

    /// The text with the pieces in it.
    pub(super) fn plain(&self, span: Span, pieces: Vec<Piece>) -> Piece {
        let is_changed = pieces.iter().any(|piece| piece.text.is_some());
        Piece {
            span,
            text: is_changed.then(|| self.splice(span, &pieces)),
            is_ordered: pieces.iter().any(|piece| piece.is_ordered),
            reads: Vec::new(),
        }
    }

    /// Something whose operands are evaluated first, and which then is one access.
    pub(super) fn access_after(&mut self, span: Span, mut pieces: Vec<Piece>) -> Piece {
        if !self.is_accessed(span) || self.is_covered {
            return self.in_order(span, pieces);
        }
        let before = self.settle(&mut pieces, false);
        let point = self.point(span);
        let text = format!("({{ {before}__throng_point({point}); {}; }})", self.splice(span, &pieces));
        Piece::new(span, text)
    }

    /// The expressions in a place.
    pub(super) fn place(&mut self, place: &'a Place) -> Vec<Piece> {
        match &place.kind {
            PlaceKind::Object(_) => Vec::new(),
            PlaceKind::Member(inner, _) => self.place(inner),
            PlaceKind::Element(inner, index) => {
                let mut pieces = self.place(inner);
                pieces.push(self.expression(index));
                pieces
            }
            PlaceKind::Value(e) => vec![self.expression(e)],
            PlaceKind::Dereference(e) => self.dereferenced(e, place.span),
        }
    }

    /// `*p`, or `p[i]`, which is written without a star.
    fn dereferenced(&mut self, e: &'a Expression, span: Span) -> Vec<Piece> {
        let mut inner = e;
        while let ExpressionKind::Convert(a) = &inner.kind {
            inner = a;
        }
        let ExpressionKind::Offset { pointer, index, .. } = &inner.kind else {
            return vec![self.expression(e)];
        };
        // `(q + 1)->m` is no subscript, and neither is `*(q + 1)`.
        let text = self.slice(span);
        let is_subscript = text.trim_end().ends_with(']') && !text.trim_start().starts_with('*');
        if key(e.span) != key(span) || !is_subscript {
            return vec![self.expression(e)];
        }
        let mut pieces = vec![self.expression(pointer), self.expression(index)];
        if pieces.iter().all(|piece| !piece.reads.is_empty()) {
            let piece = self.carry(span, pieces);
            let text = piece.text.unwrap_or_else(|| self.slice(span).to_owned());
            let text = format!("(*{})", order::after_reads(&piece.reads, format!("&({text})")));
            return vec![Piece::new(span, text)];
        }
        let before = self.settle(&mut pieces, true);
        if before.is_empty() {
            return pieces;
        }
        let text = format!("(*({{ {before}&({}); }}))", self.splice(span, &pieces));
        vec![Piece::new(span, text)]
    }

    fn load(&mut self, place: &'a Place, span: Span) -> Piece {
        let pieces = self.place(place);
        let is_point = self.is_accessed(place.span) && !self.is_covered;
        let piece = self.plain(span, pieces);
        let is_volatile = self.typed.types[place.ty.index()].qualifiers.is_volatile;
        if is_volatile && self.options.volatile == Volatile::Nondet {
            let point = self.point(place.span);
            self.quiet.insert(point);
            let text = self.text_of(&piece);
            return Piece::new(span, format!("((__typeof__({text}))__throng_arbitrary({point}))"));
        }
        if !is_point {
            return piece;
        }
        let point = self.point(place.span);
        let text = self.text_of(&piece);
        let text = if piece.is_ordered && !self.is_bit_field(place) {
            let pointer = self.fresh("q");
            format!("(*({{ __auto_type {pointer} = &({text}); __throng_point({point}); {pointer}; }}))")
        } else if !piece.is_ordered && !self.is_free && self.is_scalar(place) {
            return self.put_off(span, point, text);
        } else {
            format!("({{ __throng_point({point}); {text}; }})")
        };
        Piece::new(span, text)
    }

    fn is_scalar(&self, place: &Place) -> bool {
        !matches!(self.typed.types[place.ty.index()].kind, TypeKind::Record(_) | TypeKind::Array { .. })
    }

    pub(super) fn is_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Member(inner, field) = &place.kind else { return false };
        let TypeKind::Record(record) = self.typed.types[inner.ty.index()].kind else { return false };
        let fields = self.typed.records[record.index()].fields.as_ref();
        fields.and_then(|fields| fields.get(*field as usize)).is_some_and(|field| field.bits.is_some())
    }

    /// A condition that the model evaluates in one step has one point before it.
    fn covered(&mut self, e: &'a Expression) -> Option<Piece> {
        if self.is_covered {
            return None;
        }
        let mut loads = Vec::new();
        let is_pure = self.reads(e, &mut loads);
        if !is_pure || loads.is_empty() || (loads.len() > 1 && !self.is_statement_mode()) {
            return None;
        }
        let point = self.point(e.span);
        for load in loads {
            self.by_span.insert(key(load), point);
        }
        self.is_covered = true;
        let operands: Vec<&Expression> = match &e.kind {
            ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => vec![a, b],
            ExpressionKind::Conditional(a, b, c) => vec![a, b, c],
            _ => Vec::new(),
        };
        let piece = self.sequence(e.span, &operands);
        self.is_covered = false;
        let text = format!("({{ __throng_point({point}); {}; }})", self.text_of(&piece));
        Some(Piece::new(e.span, text))
    }

    /// The shared reads of an expression; whether it does nothing else.
    fn reads(&self, e: &'a Expression, out: &mut Vec<Span>) -> bool {
        let mut is_pure = true;
        throng_c_front::lower::walk::expression(e, &mut |e| match &e.kind {
            ExpressionKind::Load(place) if self.is_accessed(place.span) => out.push(place.span),
            ExpressionKind::Builtin(Builtin::AtomicLoad, _) => out.push(e.span),
            ExpressionKind::Builtin(Builtin::Expect | Builtin::ConstantP | Builtin::Fence, _) => {}
            ExpressionKind::Builtin(..)
            | ExpressionKind::Assign(..)
            | ExpressionKind::Update { .. }
            | ExpressionKind::Block(..) => is_pure = false,
            ExpressionKind::Call(callee, _) => is_pure &= self.is_pure_call(callee),
            _ => {}
        });
        is_pure
    }

    fn is_pure_call(&self, callee: &Callee) -> bool {
        let Callee::Direct(function) = callee else { return false };
        let function = &self.typed.functions[function.index()];
        function.body.is_none() && super::call::is_arbitrary(&function.name)
    }

    fn assign(&mut self, place: &'a Place, value: &'a Expression, span: Span) -> Piece {
        let in_steps =
            self.assign_field(place, value, span).or_else(|| self.assign_members(place, value, span));
        if let Some(piece) = in_steps {
            return piece;
        }
        let inner = self.place(place);
        let value = self.expression(value);
        let is_point = self.is_accessed(span);
        if let Some(piece) = self.assign_reads(place.span, &inner, &value, span) {
            return piece;
        }
        let target = self.plain(place.span, inner);
        if is_point && matches!(self.typed.types[place.ty.index()].kind, TypeKind::Record(_)) {
            let point = self.point(span);
            self.blocks.insert(point);
        }
        if !(is_point || target.is_ordered && value.is_ordered) {
            return self.plain(span, vec![target, value]);
        }
        let point = if is_point { format!("__throng_point({}); ", self.point(span)) } else { String::new() };
        if !target.is_ordered && !value.is_ordered {
            let plain = self.plain(span, vec![target, value]);
            let text = format!("({{ {point}{}; }})", self.text_of(&plain));
            return Piece::new(span, text);
        }
        if let Some(piece) = self.assign_in_turn(place, &target, &value, &point, span) {
            return piece;
        }
        // The place first, then the value, then the store.
        let mut before = String::new();
        let mut target = target;
        if target.is_ordered && !self.is_bit_field(place) {
            let pointer = self.fresh("q");
            before.push_str(&format!("__auto_type {pointer} = &({}); ", self.text_of(&target)));
            target.text = Some(format!("*{pointer}"));
        }
        let mut value = [value];
        before.push_str(&self.settle(&mut value, false));
        let [value] = value;
        let text = format!("({{ {before}{point}{} = {}; }})", self.text_of(&target), self.text_of(&value));
        Piece::new(span, text)
    }

    fn update(&mut self, update: &Update<'a>, span: Span) -> Piece {
        let inner = self.place(update.place);
        let target = self.plain(update.place.span, inner);
        let value = self.expression(update.value);
        let is_inside = value.span.start >= target.span.end && value.span.end <= span.end;
        let pieces = if is_inside { vec![target.clone(), value.clone()] } else { vec![target.clone()] };
        if !self.is_accessed(span) {
            return self.plain(span, pieces);
        }
        let operand = is_inside.then(|| value.clone());
        let operator = operator_text(update.operator);
        if let Some(piece) = self.update_field(update.place, operand, operator, update.is_postfix, span) {
            return piece;
        }
        let qualifiers = self.typed.types[update.place.ty.index()].qualifiers;
        let is_bit_field = self.is_bit_field(update.place);
        let mut before = String::new();
        let mut place = self.text_of(&target);
        if !is_bit_field {
            let pointer = self.fresh("q");
            before.push_str(&format!("__auto_type {pointer} = &({place}); "));
            place = format!("(*{pointer})");
        }
        if qualifiers.is_atomic || self.is_statement_mode() {
            let mut operand = [value];
            before.push_str(&self.settle(&mut operand, false));
            let [value] = operand;
            let point = self.point(span);
            self.by_span.insert(key(update.place.span), point);
            let operand = self.text_of(&value);
            let pieces = [Piece::new(target.span, place), Piece { text: Some(operand), ..value }];
            let n_pieces = if is_inside { 2 } else { 1 };
            let text = self.splice(span, &pieces[..n_pieces]);
            let text = format!("({{ {before}__throng_point({point}); {text}; }})");
            return Piece::new(span, text);
        }
        let (read, write) = (self.point(update.place.span), self.point(span));
        let ty =
            if is_bit_field { format!("__typeof__(+({place}))") } else { format!("__typeof__({place})") };
        let both = self.old_and_operand((&place, &ty, read), is_inside.then_some(value), span);
        let Both { before: evaluated, old, operand } = both;
        let result = if update.is_postfix { format!(" {old};") } else { String::new() };
        let text = format!(
            "({{ {before}{evaluated}__throng_point({write}); {place} = {old} {operator} ({operand});{result} }})"
        );
        Piece::new(span, text)
    }
}

impl Piece {
    /// What stays as it is.
    pub(super) fn same(span: Span) -> Self {
        Self { span, text: None, is_ordered: false, reads: Vec::new() }
    }

    pub(super) fn new(span: Span, text: String) -> Self {
        Self { span, text: Some(text), is_ordered: true, reads: Vec::new() }
    }
}

fn operator_text(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
    }
}
