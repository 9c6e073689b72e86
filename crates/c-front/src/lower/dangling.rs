//! Pointers to what has ended: when the life of a variable ends, pointers to it are indeterminate (C11 §6.2.4 p2).
//!
//! Where a scope is left, each pointer that outlives it and points into one of its variables becomes arbitrary, so that a use of
//! it later is a use of a pointer to nothing, also where a variable of the same name lives again: in the next turn of a loop,
//! or the next call. Pointers in integers and in rows of more than [`MAX_ROW`] are not looked for.
//!
//! Other threads may know variables of `main`, and of functions that only `main` calls, by an address of their own. For such a variable
//! that may end while they run (`mortal`), a ghost says whether it has, and their accesses have to come before that. When `main`
//! returns, the program ends with it; when it calls `pthread_exit`, its variables live on.

use super::Lower;
use super::memory::Facet;
use super::place::Spot;
use super::types::{self, LeafKind};
use crate::hir::{ObjectId, Storage, TypeKind};
use throng_base::Span;
use throng_cfa::flow::{
    Assignment, BinaryOperator, PropertyKind, Scope, TemplateId, ValueType, Variable, VariableId,
};

/// Rows of at most this many pointers are looked at.
const MAX_ROW: u64 = 16;

impl Lower<'_> {
    /// Pointers to these objects, whose life ends here, become arbitrary.
    pub(super) fn bury(&mut self, objects: &[ObjectId], span: Span) {
        if !self.is_reachable() {
            return;
        }
        self.end_lives(objects, span);
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
        objects
            .iter()
            .any(|&object| self.mortal.contains_key(&object) || !self.keepers(object, objects).is_empty())
    }

    /// The ghost that says whether an object that other threads see has ended.
    fn has_ended(&mut self, object: ObjectId) -> Option<VariableId> {
        if let Some(known) = *self.mortal.get(&object)? {
            return Some(known);
        }
        let variable = self.add_variable(Variable {
            name: format!("{} has ended", self.memory.objects[object.index()].name),
            function: None,
            scope: Scope::Shared,
            bits: 1,
            ty: ValueType::Bool,
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.mortal.insert(object, Some(variable));
        Some(variable)
    }

    fn set_ended(&mut self, objects: &[ObjectId], has_ended: bool, span: Span) {
        let value = self.e.truth(has_ended);
        let mut assignments = Vec::new();
        for &object in objects {
            let target = self.has_ended(object);
            assignments.extend(target.map(|target| Assignment { target, index: None, value }));
        }
        if !assignments.is_empty() && self.is_reachable() {
            self.emit_assignments(assignments, span);
        }
    }

    /// Other threads may no longer access these objects.
    pub(super) fn end_lives(&mut self, objects: &[ObjectId], span: Span) {
        self.set_ended(objects, true, span);
    }

    /// Other threads may access an object, from now on or again.
    pub(super) fn start_life(&mut self, object: ObjectId, span: Span) {
        self.set_ended(&[object], false, span);
    }

    /// `main` ends and the program does not: its blocks are never left, so its variables live on, as C says. POSIX says that one may not rely on it.
    pub(super) fn end_main(&mut self, span: Span) {
        let mut open = self.frames.iter().flat_map(|frame| &frame.open);
        if self.template == TemplateId::new(0) && open.any(|object| self.shared_locals.contains(object)) {
            let text =
                "variables of main live on after it has called pthread_exit(), which POSIX leaves undefined";
            self.note("main-exits", text, span);
        }
    }

    /// What another thread's variable is accessed through has to point to one that lives.
    pub(super) fn oblige_alive(&mut self, spot: &Spot, span: Span) {
        let Spot::Pointed { address, candidates, .. } = spot else { return };
        if self.template == TemplateId::new(0) || self.mortal.is_empty() {
            return;
        }
        let width = self.e.bits(*address);
        for &object in candidates.iter() {
            let Some(ended) = self.has_ended(object) else { continue };
            let info = &self.memory.objects[object.index()];
            let (from, size) = (u128::from(info.address), u128::from(info.size.max(1)));
            let (from, size) = (self.e.constant(from, width), self.e.constant(size, width));
            let distance = self.e.subtract(*address, from);
            let is_elsewhere = self.e.binary(BinaryOperator::UnsignedLessOrEqual, size, distance);
            let ended = self.e.variable(ended, 1);
            let lives = self.e.not(ended);
            let holds = self.e.or(is_elsewhere, lives);
            let failure = "use of a variable of another thread after its life";
            self.require_or(PropertyKind::Pointers, holds, failure, span);
        }
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
