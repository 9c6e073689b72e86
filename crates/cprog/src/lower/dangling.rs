//! Pointers to what has ended: when the life of a variable ends, pointers to it are indeterminate (C11 §6.2.4 p2).
//!
//! Where a scope is left, each pointer that outlives it and points into one of its variables becomes arbitrary, so that a use of
//! it later is a use of a pointer to nothing, also where a variable of the same name lives again: in the next turn of a loop,
//! or the next call. Pointers in integers and in rows of more than [`MAX_ROW`] are not looked for.

use super::Lower;
use super::memory::Facet;
use super::types::{self, LeafKind};
use crate::flow::{Assignment, BinaryOperator, ValueType};
use crate::hir::{ObjectId, Storage, TypeKind};
use throng_base::Span;

/// Rows of at most this many pointers are looked at.
const MAX_ROW: u64 = 16;

impl Lower<'_> {
    /// Pointers to these objects, whose life ends here, become arbitrary.
    pub(super) fn bury(&mut self, objects: &[ObjectId], span: Span) {
        if !self.is_reachable() {
            return;
        }
        for &object in objects {
            let assignments = self.burial(object, objects);
            if !assignments.is_empty() {
                self.emit_assignments(assignments, span);
                if let Some(arc) = self.graph.arcs.last_mut() {
                    arc.is_havoc = true;
                }
            }
        }
    }

    /// Whether something outlives objects and may point to one of them.
    pub(super) fn is_kept_somewhere(&self, objects: &[ObjectId]) -> bool {
        objects.iter().any(|&object| !self.keepers(object, objects).is_empty())
    }

    /// What may hold the address of an object, and lives on when these end.
    fn keepers(&self, object: ObjectId, ending: &[ObjectId]) -> Vec<ObjectId> {
        let is_automatic = matches!(
            self.memory.objects[object.index()].storage,
            Storage::Automatic(_) | Storage::Parameter(_)
        );
        if !is_automatic || !self.points.addressed.contains(&object) {
            return Vec::new();
        }
        let mut keepers = self.points.holders(object);
        keepers.retain(|&keeper| {
            !ending.contains(&keeper)
                && self.is_accessible(keeper)
                && self.is_alive(keeper)
                && !self.is_constant(keeper)
        });
        keepers
    }

    fn burial(&mut self, object: ObjectId, ending: &[ObjectId]) -> Vec<Assignment> {
        let width = self.program.data_model.pointer_bits();
        let (from, size) = {
            let info = &self.memory.objects[object.index()];
            (u128::from(info.address), u128::from(info.size))
        };
        let mut assignments = Vec::new();
        for keeper in self.keepers(object, ending) {
            let shape = self.shape_of(keeper);
            for (number, cell) in shape.cells.iter().enumerate() {
                let is_pointer = cell
                    .ty
                    .is_none_or(|ty| matches!(types::get(self.program, ty).kind, TypeKind::Pointer(_)));
                let is_fit = cell.kind == LeafKind::Value && cell.bits == width && cell.length() <= MAX_ROW;
                if !is_pointer || !is_fit {
                    continue;
                }
                let target = self.cell_variable(keeper, number, Facet::Value);
                for element in 0..cell.length() {
                    let is_row = cell.length() != 1;
                    let index = is_row.then(|| self.e.constant(u128::from(element), width));
                    let old = self.scalar(target, index, width);
                    let from = self.e.constant(from, width);
                    let distance = self.e.subtract(old, from);
                    // One past the end is a pointer to it as well.
                    let end = self.e.constant(size + 1, width);
                    let is_inside = self.e.binary(BinaryOperator::UnsignedLess, distance, end);
                    let nothing = self.nondet("a pointer to what has ended", width, ValueType::Pointer);
                    let value = self.e.if_then_else(is_inside, nothing, old);
                    assignments.push(Assignment { target, index, value });
                }
            }
        }
        assignments
    }
}
