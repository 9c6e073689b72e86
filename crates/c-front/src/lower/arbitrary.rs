//! What C leaves to the implementation: where objects are in memory, the numbers of threads, whether equal strings are one.
//!
//! The model has one layout and one way to number threads. A program that only copies, compares for equality and
//! dereferences addresses cannot tell; one that orders them as integers, looks at their low bits beyond what alignment
//! says, or compares them with constants can, and what it sees has no model: it is refused if it matters. Which values may be
//! addresses or numbers of threads is what the points-to analysis says. Strings with the same text may or may not be the
//! same object: comparing them gives either. So does comparing a pointer just behind an object with one to another object, which
//! may or may not be the next one in memory.

use super::memory;
use super::points::{PointsTo, Target};
use super::threads::strip;
use super::{Lower, types, walk};
use crate::hir::{Expression, ExpressionKind, ObjectId, Place, PlaceKind, Program, TypeId, TypeKind};
use crate::syntax::BinaryOperator;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use throng_base::Span;
use throng_cfa::flow::{BinaryOperator as Flow, ExpressionId, PropertyKind, ValueType};

impl<'p> Lower<'p> {
    /// The value of an operation whose result depends on what the implementation chooses; `None` if it does not.
    pub(super) fn left_to_implementation(
        &mut self,
        operator: BinaryOperator,
        (a, left): (&'p Expression, ExpressionId),
        (b, right): (&'p Expression, ExpressionId),
        e: &'p Expression,
    ) -> Option<ExpressionId> {
        let bits = types::bits_of(self.program, e.ty);
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let is_pointer = types::pointee(self.program, a.ty).is_some();
        if is_pointer && is_equality {
            return self.compare_strings(operator, (a, left), (b, right), bits);
        }
        if is_pointer {
            self.require_one_object((a, left), (b, right), "comparison", e.span);
            return None;
        }
        let (from_a, from_b) = (self.chosen(a), self.chosen(b));
        if from_a.is_empty() && from_b.is_empty() {
            return None;
        }
        let depends = match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                self.is_told_apart((a, &from_a), (right, &from_b))
                    || self.is_told_apart((b, &from_b), (left, &from_a))
            }
            BinaryOperator::Less
            | BinaryOperator::Greater
            | BinaryOperator::LessOrEqual
            | BinaryOperator::GreaterOrEqual => !is_one_object(&from_a, &from_b),
            BinaryOperator::Remainder => true,
            BinaryOperator::BitAnd => {
                self.is_telling_mask(right, (a, &from_a)) || self.is_telling_mask(left, (b, &from_b))
            }
            _ => false,
        };
        if !depends {
            return None;
        }
        if operator != BinaryOperator::Remainder
            && operator != BinaryOperator::BitAnd
            && from_a.iter().chain(&from_b).all(|target| *target == Target::Thread)
        {
            // Nothing is known about numbers of threads but whether they are equal: anything may come out.
            let value = self.nondet("how a thread is numbered", 1, ValueType::Bool);
            return Some(self.e.resize(value, bits, false));
        }
        Some(self.left_open(bits, e.span))
    }

    fn left_open(&mut self, bits: u32, span: Span) -> ExpressionId {
        let message =
            "this depends on where objects are in memory, or on the numbers of threads, which C leaves open";
        self.unmodelled_at(bits, "E0761", message, span)
    }

    /// A value that decides where a thread goes, by more than whether it is zero if `tells_more`. Parts of addresses have no model.
    pub(super) fn deciding(
        &mut self,
        e: &'p Expression,
        value: ExpressionId,
        tells_more: bool,
    ) -> ExpressionId {
        if (tells_more || !self.is_whole(e)) && self.is_open(e) {
            return self.left_open(self.e.bits(value), e.span);
        }
        value
    }

    /// Whether a value is made from addresses, and not only from numbers of threads.
    fn is_open(&self, e: &Expression) -> bool {
        self.chosen(e).iter().any(|target| *target != Target::Thread)
    }

    /// Pointers that are ordered or subtracted point to one object, or just behind it; otherwise that is undefined. Null has no
    /// place among addresses either, but all machines agree that it is below them.
    pub(super) fn require_one_object(
        &mut self,
        (a, left): (&'p Expression, ExpressionId),
        (b, right): (&'p Expression, ExpressionId),
        what: &str,
        span: Span,
    ) {
        let (from_a, from_b) = (self.points.of(self.program, a), self.points.of(self.program, b));
        let is_null = [left, right].iter().any(|&address| self.e.as_constant(address) == Some(0));
        let is_unmodelled = from_a.iter().chain(&from_b).any(|target| *target == Target::Unmodelled);
        if is_null || is_unmodelled || is_one_object(&from_a, &from_b) {
            return;
        }
        let mut is_same = self.e.truth(false);
        for target in from_a.intersection(&from_b) {
            let Target::Object(object) = *target else { continue };
            let (one, other) = (self.is_within(left, object), self.is_within(right, object));
            let both = self.e.and(one, other);
            is_same = self.e.or(is_same, both);
        }
        let failure = format!("{what} of pointers to different objects");
        self.require_or(PropertyKind::Pointers, is_same, &failure, span);
    }

    /// Objects, functions and threads whose addresses or numbers a value may be made from.
    fn chosen(&self, e: &Expression) -> BTreeSet<Target> {
        match &e.kind {
            ExpressionKind::Convert(a) => return self.chosen(a),
            // What a comparison of addresses gives is a truth value, and it was judged where it was made.
            ExpressionKind::Binary(operator, ..) if super::is_comparison(*operator) => {
                return BTreeSet::new();
            }
            ExpressionKind::Binary(operator, a, b) => {
                let (from_a, from_b) = (self.chosen(a), self.chosen(b));
                // How far apart two places in one object are, C says.
                if *operator == BinaryOperator::Subtract && is_one_object(&from_a, &from_b) {
                    return BTreeSet::new();
                }
                let targets = &from_a | &from_b;
                // Low bits are known where alignment decides them.
                return if self.is_aligned_part(e, &targets) { BTreeSet::new() } else { targets };
            }
            _ => {}
        }
        let ty = types::get(self.program, e.ty);
        let is_address = types::pointee(self.program, e.ty).is_some() || ty.opaque.is_some();
        // The points-to analysis does not tell members apart: an integer is an address only if one was converted to its kind.
        if !is_address && !self.address_widths.contains(&types::bits_of(self.program, e.ty)) {
            return BTreeSet::new();
        }
        let targets = self.points.of(self.program, e);
        // What has no model is arbitrary already.
        if targets.contains(&Target::Unmodelled) { BTreeSet::new() } else { targets }
    }

    /// Whether an expression is only those low bits of addresses that alignment decides.
    fn is_aligned_part(&self, e: &Expression, targets: &BTreeSet<Target>) -> bool {
        match &e.kind {
            ExpressionKind::Convert(a) => self.is_aligned_part(a, targets),
            ExpressionKind::Binary(BinaryOperator::BitAnd, a, b) => {
                [(a, b), (b, a)].into_iter().any(|(mask, other)| {
                    let is_low = matches!(strip(mask).kind, ExpressionKind::Constant(mask)
                        if targets.iter().all(|target| mask < u128::from(self.least_alignment(target))));
                    is_low && self.is_whole(other)
                })
            }
            _ => false,
        }
    }

    fn least_alignment(&self, target: &Target) -> u64 {
        match target {
            Target::Object(object) => self.alignment(*object),
            _ => 1,
        }
    }

    /// Whether comparing such a value with another one tells more than whether they are the same thing.
    fn is_told_apart(
        &self,
        (e, targets): (&Expression, &BTreeSet<Target>),
        (other, others): (ExpressionId, &BTreeSet<Target>),
    ) -> bool {
        if targets.is_empty() {
            return false;
        }
        let bits = self.e.bits(other);
        // Nothing is at 0 or at the very end of memory.
        let is_number = self
            .e
            .as_constant(other)
            .is_some_and(|value| value != 0 && value != throng_cfa::flow::mask(bits));
        (is_number && others.is_empty()) || !self.is_whole(e)
    }

    /// Whether an integer is an address or number as it is, perhaps with something added or some bits set.
    fn is_whole(&self, e: &Expression) -> bool {
        let width = self.program.data_model.pointer_bits();
        match &e.kind {
            ExpressionKind::Convert(a) => self.is_whole(a),
            ExpressionKind::Binary(operator, a, b) => {
                let is_plain = matches!(
                    operator,
                    BinaryOperator::Add
                        | BinaryOperator::Subtract
                        | BinaryOperator::BitOr
                        | BinaryOperator::BitAnd
                );
                is_plain && self.is_whole(a) && self.is_whole(b)
            }
            ExpressionKind::Constant(_) => true,
            _ => types::bits_of(self.program, e.ty) >= width,
        }
    }

    /// Whether a mask leaves a part of an address that neither alignment decides nor is all that there is to know of it: not just
    /// without low bits, where programs keep marks, or without the highest bits, which no address has.
    fn is_telling_mask(&self, mask: ExpressionId, (e, targets): (&Expression, &BTreeSet<Target>)) -> bool {
        let Some(alignment) = targets.iter().map(|target| self.least_alignment(target)).min() else {
            return false;
        };
        let width = self.e.bits(mask);
        let Some(mask) = self.e.as_constant(mask) else { return true };
        let unused = if width == 64 { 0xffff << 48 } else { 0 };
        let cleared = throng_cfa::flow::mask(width) & !mask;
        let is_kept = cleared & !(0xfff | unused) == 0;
        let is_decided = mask < u128::from(alignment) && self.is_whole(e);
        !is_kept && !is_decided
    }

    fn alignment(&self, object: ObjectId) -> u64 {
        align_of(self, self.memory.objects[object.index()].ty)
    }

    /// Equality of pointers that may be to different strings of the same text.
    fn compare_strings(
        &mut self,
        operator: BinaryOperator,
        (a, left): (&'p Expression, ExpressionId),
        (b, right): (&'p Expression, ExpressionId),
        bits: u32,
    ) -> Option<ExpressionId> {
        let mut either = self.are_neighbours((a, left), (b, right));
        let (a, b) = (self.strings(a), self.strings(b));
        for &one in &a {
            for &other in &b {
                if one != other && self.may_share(one, other) {
                    let (one, other) = (self.is_within(left, one), self.is_within(right, other));
                    let both = self.e.and(one, other);
                    either = self.e.or(either, both);
                }
            }
        }
        if self.e.as_constant(either) == Some(0) {
            return None;
        }
        let same = self.e.equal(left, right);
        let choice = self.nondet("whether strings or neighbours in memory are the same", 1, ValueType::Bool);
        let value = self.e.if_then_else(either, choice, same);
        let value = if operator == BinaryOperator::NotEqual { self.e.not(value) } else { value };
        Some(self.e.resize(value, bits, false))
    }

    /// Whether one pointer is just behind an object and the other one is to another object.
    fn are_neighbours(
        &mut self,
        (a, left): (&'p Expression, ExpressionId),
        (b, right): (&'p Expression, ExpressionId),
    ) -> ExpressionId {
        let mut either = self.e.truth(false);
        if self.is_joint_forced || self.stepped.is_empty() {
            return either;
        }
        let (from_a, from_b) = (self.points.of(self.program, a), self.points.of(self.program, b));
        let sides = [((&from_a, left), (&from_b, right)), ((&from_b, right), (&from_a, left))];
        for ((behind, one), (before, other)) in sides {
            for first in behind {
                let Target::Object(first) = *first else { continue };
                if !self.stepped.contains(&first) {
                    continue;
                }
                for second in before.iter().filter(|&&second| second != Target::Object(first)) {
                    let Target::Object(second) = *second else { continue };
                    let info = &self.memory.objects[first.index()];
                    let end = u128::from(info.address + info.size);
                    let start = u128::from(self.memory.objects[second.index()].address);
                    let width = self.e.bits(one);
                    let (end, start) = (self.e.constant(end, width), self.e.constant(start, width));
                    let (is_end, is_start) = (self.e.equal(one, end), self.e.equal(other, start));
                    let both = self.e.and(is_end, is_start);
                    either = self.e.or(either, both);
                }
            }
        }
        either
    }

    /// The string literals that a pointer may point to.
    fn strings(&self, e: &Expression) -> Vec<ObjectId> {
        let targets = self.points.of(self.program, e);
        let objects = targets.into_iter().filter_map(|target| match target {
            Target::Object(object) => Some(object),
            _ => None,
        });
        objects.filter(|object| self.memory.objects[object.index()].name.starts_with('"')).collect()
    }

    /// Whether one string ends as the other one.
    fn may_share(&self, one: ObjectId, other: ObjectId) -> bool {
        let text = |object| -> Vec<u128> {
            let stores = memory::stores(self.program, object).iter();
            stores
                .map(|store| match store.value.kind {
                    ExpressionKind::Constant(value) => value,
                    _ => 0,
                })
                .take_while(|&value| value != 0)
                .collect()
        };
        let (one, other) = (text(one), text(other));
        one.ends_with(&other) || other.ends_with(&one)
    }

    fn is_within(&mut self, address: ExpressionId, object: ObjectId) -> ExpressionId {
        let info = &self.memory.objects[object.index()];
        let (base, size) = (u128::from(info.address), u128::from(info.size));
        let width = self.e.bits(address);
        let base = self.e.constant(base, width);
        let size = self.e.constant(size, width);
        let distance = self.e.subtract(address, base);
        self.e.binary(Flow::UnsignedLessOrEqual, distance, size)
    }
}

/// Objects that a pointer may have been moved in, and so may be just behind: by arithmetic whose result is kept.
pub(super) fn stepped(program: &Program, points: &PointsTo) -> FxHashSet<ObjectId> {
    // What is only accessed through has to be inside.
    let mut accessed: FxHashSet<*const Expression> = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut visit = |e: &Expression| match &e.kind {
        ExpressionKind::Load(place) | ExpressionKind::Assign(place, _) => {
            pointer_of(place, &mut accessed);
        }
        ExpressionKind::Update { place, size, .. } => {
            pointer_of(place, &mut accessed);
            if size.is_some() {
                found.extend(objects(points.of(program, e)));
            }
        }
        ExpressionKind::Offset { pointer, .. } if !accessed.contains(&std::ptr::from_ref(e)) => {
            found.extend(objects(points.of(program, pointer)));
        }
        ExpressionKind::AddressOf(place) if is_element(program, place) => {
            found.extend(objects(points.of(program, e)));
        }
        _ => {}
    };
    for function in &program.functions {
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut visit);
    }
    for object in &program.objects {
        object.initial.iter().for_each(|store| walk::expression(&store.value, &mut visit));
    }
    found
}

fn objects(targets: BTreeSet<Target>) -> impl Iterator<Item = ObjectId> {
    targets.into_iter().filter_map(|target| match target {
        Target::Object(object) => Some(object),
        _ => None,
    })
}

/// Notes the expression that a place is accessed through, if it is a pointer.
fn pointer_of(place: &Place, found: &mut FxHashSet<*const Expression>) {
    match &place.kind {
        PlaceKind::Dereference(pointer) => {
            found.insert(std::ptr::from_ref(&**pointer));
        }
        PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => pointer_of(inner, found),
        PlaceKind::Object(_) | PlaceKind::Value(_) => {}
    }
}

/// Whether a place is an element of an array that may be the one behind its last.
fn is_element(program: &Program, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Element(array, index) => {
            let TypeKind::Array { length, .. } = types::get(program, array.ty).kind else { return true };
            let is_inside = match (&index.kind, length) {
                (ExpressionKind::Constant(index), Some(length)) => *index < u128::from(length),
                _ => false,
            };
            !is_inside || is_element(program, array)
        }
        PlaceKind::Member(inner, _) => is_element(program, inner),
        _ => false,
    }
}

/// Whether all addresses are in one object.
fn is_one_object(a: &BTreeSet<Target>, b: &BTreeSet<Target>) -> bool {
    let all: BTreeSet<&Target> = a.iter().chain(b).collect();
    all.len() == 1 && !a.is_empty() && !b.is_empty() && matches!(all.first(), Some(Target::Object(_)))
}

fn align_of(lower: &Lower<'_>, ty: TypeId) -> u64 {
    match types::get(lower.program, ty).kind {
        TypeKind::Array { element, .. } => align_of(lower, element),
        TypeKind::Record(record) => lower.program.records[record.index()].alignment.max(1),
        _ => types::size_of(lower.program, ty).next_power_of_two().min(16),
    }
}
