//! Compound assignments (`x += y`): C leaves open whether the place is read before or after what is combined with it is computed.
//! Where that can make a difference, since computing it changes the place or other threads change both, both are runs. So are both
//! orders of a struct that is assigned and of where it goes.

use super::Lower;
use super::call::Argument;
use super::footprint::Footprint;
use super::order::{MAX_DEPTH, MAX_PLACES, inner};
use super::place::Spot;
use super::types;
use crate::hir::{Expression, Place};
use throng_base::Span;
use throng_cfa::flow::{ExpressionId, VariableId};

/// Where a place is, what it holds, and what is combined with that; values are kept in temporaries.
pub(super) struct Combined {
    pub(super) spot: Spot,
    pub(super) old: ExpressionId,
    pub(super) operand: ExpressionId,
}

impl<'p> Lower<'p> {
    /// The place, its old value and the operand, in any order; `None` if the order makes no difference.
    pub(super) fn combined(
        &mut self,
        place: &'p Place,
        value: &'p Expression,
        span: Span,
    ) -> Option<Combined> {
        if self.is_joint_forced || !self.is_reachable() {
            return None;
        }
        let mut read = Footprint::default();
        self.objects_of(place, &mut read.reads);
        let footprints = [read, self.footprint(value)];
        if self.conflicts(&footprints).is_empty() {
            return None;
        }
        if let Some(combined) = self.combined_reads(place, value) {
            return Some(combined);
        }
        if self.order_depth >= MAX_DEPTH {
            let message = "the order in which this is evaluated is open in C, and it matters";
            self.refuse("E0760", message, span, "compute the operands one by one, into variables");
            return None;
        }
        Some(self.combined_in_turn(place, value, span))
    }

    /// Operands that only read simple places, which are read in any order.
    fn combined_reads(&mut self, place: &'p Place, value: &'p Expression) -> Option<Combined> {
        let parts = inner(place);
        if parts.iter().any(|e| self.has_effects(e) || self.shared_reads(e) > 0) {
            return None;
        }
        let mut places = self.simple_places(&[value]).filter(|places| places.len() < MAX_PLACES)?;
        places.insert(0, place);
        let known = self.read_places(&places);
        let spot = self.spot(place);
        let operand = self.value(value);
        let old = self.preloaded(place);
        for place in known {
            self.preloaded.remove(&place);
        }
        old.map(|old| Combined { spot, old, operand })
    }

    /// One after the other, with a path for each order.
    fn combined_in_turn(&mut self, place: &'p Place, value: &'p Expression, span: Span) -> Combined {
        let (old_bits, bits) =
            (types::bits_of(self.program, place.ty), types::bits_of(self.program, value.ty));
        let (old, operand) = (self.temporary(old_bits, place.span), self.temporary(bits, value.span));
        let (read_first, value_first, join) = (self.fresh(), self.fresh(), self.fresh());
        let truth = self.e.truth(true);
        let n_edges = self.graph.arcs.len();
        self.split(vec![(truth, Vec::new(), read_first), (truth, Vec::new(), value_first)], span);
        self.note_orders(n_edges, &[vec![span, value.span], vec![value.span, span]]);
        self.order_depth += 1;
        let mut kept = Vec::new();
        self.resume(read_first);
        let spot = self.spot(place);
        let spot = self.kept_spot(spot, &mut kept, span);
        self.read_into(old, &spot, place);
        let computed = self.value(value);
        self.set(operand, computed, value.span);
        self.goto(join);
        self.resume(value_first);
        let (other, computed) = self.place_and_value(place, value);
        self.set(operand, computed, value.span);
        let other = self.same_spot(other, &spot, &kept, span);
        self.read_into(old, &other, place);
        self.goto(join);
        self.order_depth -= 1;
        self.resume(join);
        let (old, operand) = (self.e.variable(old, old_bits), self.e.variable(operand, bits));
        Combined { spot, old, operand }
    }

    /// A struct that is assigned and the place that it goes to, in any order; `None` if the order makes no difference.
    pub(super) fn record_and_place(
        &mut self,
        place: &'p Place,
        value: &'p Expression,
        span: Span,
    ) -> Option<(Spot, Spot)> {
        let footprints = [self.place_footprint(place), self.footprint(value)];
        if self.is_joint_forced || !self.is_reachable() || self.conflicts(&footprints).is_empty() {
            return None;
        }
        if self.order_depth >= MAX_DEPTH {
            let message = "the order in which this is evaluated is open in C, and it matters";
            self.refuse("E0760", message, span, "compute the operands one by one, into variables");
            return None;
        }
        let from = self.record_temporary(value);
        let record = Argument::Record(from.clone(), value.ty);
        let (place_first, value_first, join) = (self.fresh(), self.fresh(), self.fresh());
        let truth = self.e.truth(true);
        let n_edges = self.graph.arcs.len();
        self.split(vec![(truth, Vec::new(), place_first), (truth, Vec::new(), value_first)], span);
        self.note_orders(n_edges, &[vec![place.span, value.span], vec![value.span, place.span]]);
        self.order_depth += 1;
        let mut kept = Vec::new();
        self.resume(place_first);
        let to = self.spot(place);
        let to = self.kept_spot(to, &mut kept, span);
        self.evaluate_into(value, &record);
        self.goto(join);
        self.resume(value_first);
        self.evaluate_into(value, &record);
        let other = self.spot(place);
        self.same_spot(other, &to, &kept, span);
        self.goto(join);
        self.order_depth -= 1;
        self.resume(join);
        Some((from, to))
    }

    fn read_into(&mut self, target: VariableId, spot: &Spot, place: &Place) {
        let held = self.read(spot, place.ty, place.span);
        self.set(target, held, place.span);
    }

    /// A spot whose indices and address are constants or temporaries, which are listed.
    fn kept_spot(&mut self, spot: Spot, kept: &mut Vec<VariableId>, span: Span) -> Spot {
        let mut keep = |this: &mut Self, value: ExpressionId| {
            if this.e.as_constant(value).is_some() {
                return value;
            }
            let bits = this.e.bits(value);
            let temporary = this.temporary(bits, span);
            kept.push(temporary);
            this.set(temporary, value, span);
            this.e.variable(temporary, bits)
        };
        match spot {
            Spot::Named { object, path, indices } => {
                let indices = indices.into_iter().map(|index| keep(self, index)).collect();
                Spot::Named { object, path, indices }
            }
            Spot::Pointed { address, candidates, is_unmodelled, route, field } => {
                let address = keep(self, address);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
        }
    }

    /// The same spot, computed on another path, with the same temporaries.
    fn same_spot(&mut self, other: Spot, spot: &Spot, kept: &[VariableId], span: Span) -> Spot {
        let open: Vec<ExpressionId> = match (&other, spot) {
            (Spot::Named { indices, .. }, Spot::Named { .. }) => indices.clone(),
            (Spot::Pointed { address, .. }, Spot::Pointed { .. }) => vec![*address],
            _ => Vec::new(),
        };
        let open: Vec<ExpressionId> =
            open.into_iter().filter(|&value| self.e.as_constant(value).is_none()).collect();
        let is_same = std::mem::discriminant(&other) == std::mem::discriminant(spot);
        if !is_same || open.len() != kept.len() {
            let message = "the order in which this is evaluated is open in C, and it matters";
            self.refuse("E0760", message, span, "compute the index or the pointer before");
            return other;
        }
        for (&temporary, value) in kept.iter().zip(open) {
            self.set(temporary, value, span);
        }
        spot.clone()
    }
}
