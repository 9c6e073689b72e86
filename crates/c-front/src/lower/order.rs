//! The order of evaluation, where C leaves it open.
//!
//! Operands of most operators and arguments of calls are evaluated in any order. Where the order can make a difference, since
//! one operand writes what another one uses, or since both look at memory that other threads change, all orders are
//! possible runs:
//!
//! * operands that only read simple places are read one by one, in any order (a location for each set of places that are
//!   read already);
//! * others are evaluated one after the other, with a path for each order.
//!
//! The values of an initialiser are computed from left to right, which C leaves open as well, but compilers do not; where it makes a
//! difference, the ledger says so.

use super::Lower;
use super::call::Argument;
use super::footprint::Footprint;
use super::place::Spot;
use super::types;
use crate::hir::{Expression, ExpressionKind, Place, PlaceKind, Store};
use throng_base::Span;
use throng_cfa::flow::{Assignment, ExpressionId, LocationId};

/// Up to this many places are read in any order.
pub(super) const MAX_PLACES: usize = 4;
/// Up to this many operands are evaluated in any order, one after the other.
const MAX_OPERANDS: usize = 3;
/// How deep such operands may be nested.
pub(super) const MAX_DEPTH: u32 = 3;

impl<'p> Lower<'p> {
    /// Values of two operands, usable at once.
    pub(super) fn pair(&mut self, a: &'p Expression, b: &'p Expression) -> (ExpressionId, ExpressionId) {
        let values = self.in_any_order(&[a, b]);
        let mut scalars = values.iter().filter_map(Argument::scalar);
        match (scalars.next(), scalars.next()) {
            (Some(a), Some(b)) => (a, b),
            _ => (self.e.truth(false), self.e.truth(false)),
        }
    }

    /// Values of several operands that are no records, usable at once.
    pub(super) fn unsequenced(&mut self, operands: &'p [Expression]) -> Vec<ExpressionId> {
        let operands: Vec<&'p Expression> = operands.iter().collect();
        let values = self.in_any_order(&operands);
        values.iter().map(|value| value.scalar().unwrap_or_else(|| self.e.truth(false))).collect()
    }

    /// Values of several operands, usable at once.
    pub(super) fn in_any_order(&mut self, operands: &[&'p Expression]) -> Vec<Argument> {
        if operands.len() < 2 || self.is_joint_forced || !self.is_reachable() {
            return self.in_order(operands);
        }
        let footprints: Vec<Footprint> = operands.iter().map(|operand| self.footprint(operand)).collect();
        let open = self.conflicts(&footprints);
        if open.is_empty() {
            return self.in_order(operands);
        }
        if let Some(places) = self.simple_places(operands) {
            if self.are_preloaded(&places) {
                return self.in_order(operands);
            }
            let known = self.read_places(&places);
            let values = self.in_order(operands);
            for place in known {
                self.preloaded.remove(&place);
            }
            return values;
        }
        if open.len() > MAX_OPERANDS || self.order_depth >= MAX_DEPTH {
            let message = "the order in which this is evaluated is open in C, and it matters";
            self.refuse(
                "E0760",
                message,
                operands[0].span,
                "compute the operands one by one, into variables",
            );
            return self.in_order(operands);
        }
        self.in_all_orders(operands, &open)
    }

    /// From left to right; values that later operands change are kept in temporaries.
    fn in_order(&mut self, operands: &[&'p Expression]) -> Vec<Argument> {
        let mut values: Vec<Argument> = Vec::new();
        for (number, operand) in operands.iter().enumerate() {
            for (value, earlier) in values.iter_mut().zip(operands) {
                if let Argument::Scalar(old) = *value {
                    *value = Argument::Scalar(self.settle(old, operand, earlier.span));
                }
            }
            if types::record_of(self.program, operand.ty).is_none() {
                values.push(Argument::Scalar(self.value(operand)));
                continue;
            }
            let mut spot = self.record_spot(operand);
            let is_plain = matches!(operand.kind, ExpressionKind::Load(_));
            if is_plain && operands[number + 1..].iter().any(|later| self.has_effects(later)) {
                let kept = self.record_temporary(operand);
                self.copy(&spot, &kept, operand.ty, operand.span);
                spot = kept;
            }
            values.push(Argument::Record(spot, operand.ty));
        }
        values
    }

    /// The values of an initialiser are computed from left to right, as compilers do; C leaves it open, and if it makes a difference
    /// that is noted.
    pub(super) fn note_initial_order(&mut self, stores: &'p [Store], span: Span) {
        if self.is_joint_forced || !self.is_reachable() {
            return;
        }
        let mut footprints = Vec::new();
        for store in stores.iter().filter(|store| !matches!(store.value.kind, ExpressionKind::Constant(_))) {
            footprints.push(self.footprint(&store.value));
        }
        if footprints.len() > 1 && !self.conflicts(&footprints).is_empty() {
            let text = "the values of an initialiser are computed from left to right, which C leaves open";
            self.note("initialiser-order", text, span);
        }
    }

    /// Whether what other threads do can make a difference to this.
    fn is_racing(&mut self, footprint: &Footprint, others: &Footprint) -> bool {
        if footprint.is_open {
            return true;
        }
        let accessed = |object| others.reads.contains(object) || others.writes.contains(object);
        footprint.reads.iter().any(|object| self.is_shared(*object) && others.writes.contains(object))
            || footprint.writes.iter().any(|object| self.is_shared(*object) && accessed(object))
    }

    /// The operands whose order matters.
    pub(super) fn conflicts(&mut self, footprints: &[Footprint]) -> Vec<usize> {
        let is_threaded = !self.points.started.is_empty() || !self.options.threads_run.is_empty();
        let racing: Vec<bool> = if is_threaded && !self.is_joint() {
            let others = self.others();
            footprints.iter().map(|footprint| self.is_racing(footprint, &others)).collect()
        } else {
            vec![false; footprints.len()]
        };
        let disturbs = |a: &Footprint, b: &Footprint| {
            a.writes.iter().any(|object| b.reads.contains(object) || b.writes.contains(object))
        };
        let is_open = |i: usize, j: usize| {
            (racing[i] && racing[j])
                || disturbs(&footprints[i], &footprints[j])
                || disturbs(&footprints[j], &footprints[i])
        };
        (0..footprints.len()).filter(|&i| (0..footprints.len()).any(|j| i != j && is_open(i, j))).collect()
    }

    /// The places that operands read which others may change, if they do nothing else that matters: no effects, and none of
    /// the places depends on another one or on a condition.
    pub(super) fn simple_places(&mut self, operands: &[&'p Expression]) -> Option<Vec<&'p Place>> {
        let mut places = Vec::new();
        for operand in operands {
            if self.has_effects(operand) || !self.collect_places(operand, &mut places) {
                return None;
            }
        }
        (places.len() <= MAX_PLACES).then_some(places)
    }

    /// Whether these were read beforehand, for an expression that they are part of: each is read once.
    fn are_preloaded(&self, places: &[&'p Place]) -> bool {
        places.iter().all(|place| self.preloaded(place).is_some())
    }

    fn collect_places(&self, e: &'p Expression, out: &mut Vec<&'p Place>) -> bool {
        match &e.kind {
            ExpressionKind::Load(place) => {
                let is_record = types::record_of(self.program, place.ty).is_some();
                let reads: usize = inner(place).iter().map(|e| self.shared_reads(e)).sum();
                if !self.is_shared_place(place) {
                    return reads == 0;
                }
                out.push(place);
                reads == 0 && !is_record
            }
            ExpressionKind::Negate(a)
            | ExpressionKind::BitNot(a)
            | ExpressionKind::Not(a)
            | ExpressionKind::Convert(a) => self.collect_places(a, out),
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Difference(a, b, _)
            | ExpressionKind::Offset { pointer: a, index: b, .. } => {
                self.collect_places(a, out) && self.collect_places(b, out)
            }
            _ => self.shared_reads(e) == 0,
        }
    }

    /// Reads places into temporaries, in any order; gives what was noted of them.
    pub(super) fn read_places(&mut self, places: &[&'p Place]) -> Vec<usize> {
        let mut temporaries = Vec::new();
        for place in places {
            let bits = types::bits_of(self.program, place.ty);
            temporaries.push((self.temporary(bits, place.span), bits));
        }
        let all = (1usize << places.len()) - 1;
        let stages: Vec<LocationId> = (0..=all).map(|_| self.fresh()).collect();
        self.begin_at(stages[0]);
        for read in 0..all {
            for (number, place) in places.iter().enumerate() {
                if read & (1 << number) != 0 {
                    continue;
                }
                self.resume(stages[read]);
                let before = (self.touched.len(), self.graph.arcs.len());
                let spot = self.spot(place);
                let value = self.read(&spot, place.ty, place.span);
                let target = temporaries[number].0;
                let truth = self.e.truth(true);
                let assignment = Assignment { target, index: None, value };
                self.split(vec![(truth, vec![assignment], stages[read | (1 << number)])], place.span);
                self.only_new_touch(before);
            }
        }
        self.resume(stages[all]);
        let mut known = Vec::new();
        for (place, (temporary, bits)) in places.iter().zip(temporaries) {
            let key = std::ptr::from_ref::<Place>(place) as usize;
            let value = self.e.variable(temporary, bits);
            self.preloaded.insert(key, value);
            known.push(key);
        }
        known
    }

    /// What was accessed since then, where the edges since then begin, is accessed by these and not by others that begin there.
    fn only_new_touch(&mut self, (n_touched, n_edges): (usize, usize)) {
        let mut kept = Vec::new();
        for (location, span) in self.touched.split_off(n_touched) {
            let here = self.graph.find(location);
            let edges = n_edges..self.graph.arcs.len();
            let edges: Vec<usize> =
                edges.filter(|&arc| self.graph.find(self.graph.arcs[arc].from) == here).collect();
            if edges.is_empty() {
                kept.push((location, span));
            }
            for edge in edges {
                self.touched_by.entry(edge).or_default().push(span);
            }
        }
        self.touched.extend(kept);
    }

    /// Notes the orders that the last edges stand for, if there were such.
    pub(super) fn note_orders(&mut self, n_edges: usize, orders: &[Vec<Span>]) {
        let first = self.graph.arcs.len().saturating_sub(orders.len());
        if first >= n_edges {
            self.ordered_by.extend((first..).zip(orders.iter().cloned()));
        }
    }

    /// A path for each order of some of the operands; the others do not matter and come afterwards.
    fn in_all_orders(&mut self, operands: &[&'p Expression], open: &[usize]) -> Vec<Argument> {
        let mut kept = Vec::new();
        for &number in open {
            kept.push(self.place_for(operands[number]));
        }
        let orders = permutations(open.len());
        let join = self.fresh();
        let ways: Vec<LocationId> = orders.iter().map(|_| self.fresh()).collect();
        let truth = self.e.truth(true);
        let n_edges = self.graph.arcs.len();
        self.split(ways.iter().map(|&way| (truth, Vec::new(), way)).collect(), operands[0].span);
        let spans = |order: &Vec<usize>| order.iter().map(|&number| operands[open[number]].span).collect();
        self.note_orders(n_edges, &orders.iter().map(spans).collect::<Vec<_>>());
        self.order_depth += 1;
        for (order, way) in orders.iter().zip(ways) {
            self.resume(way);
            for &number in order {
                self.evaluate_into(operands[open[number]], &kept[number]);
            }
            self.goto(join);
        }
        self.order_depth -= 1;
        self.resume(join);
        let rest: Vec<&'p Expression> = (0..operands.len())
            .filter(|number| !open.contains(number))
            .map(|number| operands[number])
            .collect();
        let mut rest = self.in_order(&rest).into_iter();
        let mut values = Vec::new();
        for number in 0..operands.len() {
            match open.iter().position(|&other| other == number) {
                Some(position) => values.push(kept[position].clone()),
                None => values.extend(rest.next()),
            }
        }
        values
    }

    /// Where the value of an operand is kept.
    fn place_for(&mut self, e: &'p Expression) -> Argument {
        if types::record_of(self.program, e.ty).is_some() {
            return Argument::Record(self.record_temporary(e), e.ty);
        }
        let bits = types::bits_of(self.program, e.ty);
        let temporary = self.temporary(bits, e.span);
        Argument::Scalar(self.e.variable(temporary, bits))
    }

    pub(super) fn evaluate_into(&mut self, e: &'p Expression, kept: &Argument) {
        match kept {
            Argument::Scalar(kept) => {
                let value = self.value(e);
                if let throng_cfa::flow::Expression::Variable(temporary) = self.e.get(*kept) {
                    self.set(temporary, value, e.span);
                }
            }
            Argument::Record(kept, ty) => {
                let spot = self.record_spot(e);
                if !is_same(&spot, kept) {
                    self.copy(&spot, kept, *ty, e.span);
                }
            }
        }
    }

    /// Where a place is, and the value that is to be written there or combined with it.
    pub(super) fn place_and_value(
        &mut self,
        place: &'p Place,
        value: &'p Expression,
    ) -> (Spot, ExpressionId) {
        let footprints = [self.place_footprint(place), self.footprint(value)];
        if self.is_joint_forced || self.conflicts(&footprints).is_empty() {
            let spot = self.spot(place);
            let spot = self.settle_spot(spot, value);
            return (spot, self.value(value));
        }
        let mut operands = inner(place);
        operands.push(value);
        if let Some(places) = self.simple_places(&operands) {
            let known = self.read_places(&places);
            let spot = self.spot(place);
            let spot = self.settle_spot(spot, value);
            let value = self.value(value);
            for place in known {
                self.preloaded.remove(&place);
            }
            return (spot, value);
        }
        self.in_both_orders(place, value)
    }

    fn in_both_orders(&mut self, place: &'p Place, value: &'p Expression) -> (Spot, ExpressionId) {
        if self.order_depth >= MAX_DEPTH {
            let message = "the order in which this is evaluated is open in C, and it matters";
            self.refuse("E0760", message, place.span, "compute the operands one by one, into variables");
        }
        let (bits, width) = (types::bits_of(self.program, value.ty), self.program.data_model.pointer_bits());
        let (address, kept) = (self.temporary(width, place.span), self.temporary(bits, value.span));
        let (first, second, join) = (self.fresh(), self.fresh(), self.fresh());
        let truth = self.e.truth(true);
        let ways = vec![(truth, Vec::new(), first), (truth, Vec::new(), second)];
        let n_edges = self.graph.arcs.len();
        self.split(ways, place.span);
        self.note_orders(n_edges, &[vec![place.span, value.span], vec![value.span, place.span]]);
        self.order_depth += 1;
        let mut found = None;
        for (way, is_place_first) in [(first, true), (second, false)] {
            self.resume(way);
            for is_place in [is_place_first, !is_place_first] {
                if is_place {
                    let spot = self.spot(place);
                    let at = self.address(&spot);
                    self.set(address, at, place.span);
                    found = Some(spot);
                } else {
                    let computed = self.value(value);
                    self.set(kept, computed, value.span);
                }
            }
            self.goto(join);
        }
        self.order_depth -= 1;
        self.resume(join);
        let at = self.e.variable(address, width);
        let spot = found.map(|spot| self.moved(&spot, place, at)).unwrap_or_else(|| self.spot(place));
        (spot, self.e.variable(kept, bits))
    }

    /// The same kind of spot at an address.
    fn moved(&mut self, spot: &Spot, place: &Place, address: ExpressionId) -> Spot {
        match spot {
            Spot::Pointed { candidates, is_unmodelled, route, field, .. } => Spot::Pointed {
                address,
                candidates: candidates.clone(),
                is_unmodelled: *is_unmodelled,
                route: route.clone(),
                field: *field,
            },
            Spot::Named { object, .. } => {
                let field = self.is_field(spot, place.ty).then(|| self.field_of(place)).flatten();
                let (candidates, route) = (std::rc::Rc::new(vec![*object]), (place.ty, Vec::new()));
                Spot::Pointed { address, candidates, is_unmodelled: false, route, field }
            }
        }
    }

    fn field_of(&self, place: &Place) -> Option<(u32, u32)> {
        match &place.kind {
            PlaceKind::Member(inner, field) => self.field_bits(inner.ty, *field),
            _ => None,
        }
    }

    /// What was read of a place beforehand.
    pub(super) fn preloaded(&self, place: &Place) -> Option<ExpressionId> {
        self.preloaded.get(&(std::ptr::from_ref(place) as usize)).copied()
    }
}

/// The expressions that say where a place is.
pub(super) fn inner(place: &Place) -> Vec<&Expression> {
    match &place.kind {
        PlaceKind::Object(_) => Vec::new(),
        PlaceKind::Dereference(e) | PlaceKind::Value(e) => vec![e],
        PlaceKind::Member(place, _) => inner(place),
        PlaceKind::Element(place, index) => {
            let mut all = inner(place);
            all.push(index);
            all
        }
    }
}

fn is_same(a: &Spot, b: &Spot) -> bool {
    match (a, b) {
        (Spot::Named { object: a, path: p, indices: i }, Spot::Named { object: b, path: q, indices: j }) => {
            a == b && p == q && i == j
        }
        _ => false,
    }
}

/// All orders of this many things.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for order in permutations(count - 1) {
        for position in 0..count {
            let mut longer = order.clone();
            longer.insert(position, count - 1);
            out.push(longer);
        }
    }
    out
}
