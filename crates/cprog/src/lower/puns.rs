//! Which scalars a program looks at through pointers that were made for something else.
//!
//! A pointer to a scalar of another size than what it points to comes from a conversion: between pointers to different
//! types, from `void *`, or from an integer. For the types that conversions lead to, accesses are compared with all parts of
//! the objects that may be meant; for all others with scalars of their own shape only, which keeps graphs small.

use super::types;
use super::walk;
use crate::hir::{Expression, ExpressionKind, Program, TypeId, TypeKind};
use rustc_hash::FxHashSet;

/// Sizes in bytes and widths of the scalars.
pub(super) fn of(program: &Program) -> FxHashSet<(u64, u32)> {
    let mut found = FxHashSet::default();
    for function in &program.functions {
        let body = function.body.as_deref().unwrap_or_default();
        walk::statements(body, &mut |e| converted(program, e, &mut found));
    }
    for object in &program.objects {
        for store in &object.initial {
            walk::expression(&store.value, &mut |e| converted(program, e, &mut found));
        }
    }
    // Pointers of different types that share memory are conversions, too.
    for record in program.records.iter().filter(|record| record.is_union) {
        for field in record.fields.iter().flatten() {
            for leaf in types::leaves(program, field.ty) {
                if let Some(to) = types::pointee(program, leaf.ty) {
                    add(program, to, &mut found);
                }
            }
        }
    }
    found
}

fn converted(program: &Program, e: &Expression, found: &mut FxHashSet<(u64, u32)>) {
    let ExpressionKind::Convert(from) = &e.kind else { return };
    let Some(to) = types::pointee(program, e.ty) else { return };
    let is_null = matches!(from.kind, ExpressionKind::Constant(0));
    let same = types::pointee(program, from.ty).is_some_and(|from| kind(program, from) == kind(program, to));
    if !is_null && !same {
        add(program, to, found);
    }
}

/// What tells types of the same values apart.
fn kind(program: &Program, ty: TypeId) -> Option<(&TypeKind, u64)> {
    let found = &types::get(program, ty).kind;
    match found {
        TypeKind::Integer { bits, .. } => Some((&TypeKind::Void, u64::from(*bits))),
        TypeKind::Pointer(_) => Some((&TypeKind::Bool, 0)),
        other => Some((other, 0)),
    }
}

fn add(program: &Program, to: TypeId, found: &mut FxHashSet<(u64, u32)>) {
    if matches!(types::get(program, to).kind, TypeKind::Void | TypeKind::Function { .. }) {
        return;
    }
    for leaf in types::leaves(program, to) {
        found.insert((leaf.size, leaf.bits));
    }
}

/// Widths of integers that addresses and numbers of threads are converted to.
pub(super) fn address_widths(program: &Program) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    let mut visit = |e: &Expression| {
        let ExpressionKind::Convert(from) = &e.kind else { return };
        let mut base: &Expression = from;
        while let ExpressionKind::Convert(inner) = &base.kind {
            base = inner;
        }
        let is_null = matches!(base.kind, ExpressionKind::Constant(0));
        let is_integer = matches!(types::get(program, e.ty).kind, TypeKind::Integer { .. });
        let is_address = types::pointee(program, base.ty).is_some()
            || types::get(program, base.ty).opaque == Some(crate::hir::Opaque::Thread);
        if is_integer && is_address && !is_null {
            found.insert(types::bits_of(program, e.ty));
        }
    };
    for function in &program.functions {
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut visit);
    }
    for object in &program.objects {
        object.initial.iter().for_each(|store| walk::expression(&store.value, &mut visit));
    }
    found
}
