//! Which scalars a program looks at through pointers that were made for something else.
//!
//! A pointer to a scalar of another size than what it points to comes from a conversion: between pointers to different
//! types, from `void *`, or from an integer. For the types that conversions lead to, accesses are compared with all parts of
//! the objects that may be meant; for all others with scalars of their own shape only, which keeps graphs small.

use super::points::PointsTo;
use super::threads::strip;
use super::types;
use super::walk;
use crate::hir::{Callee, Expression, ExpressionKind, FunctionId, Program, RecordId, TypeId, TypeKind};
use rustc_hash::FxHashSet;

/// What conversions of pointers lead to.
#[derive(Default)]
pub(super) struct Puns {
    /// Sizes in bytes and widths of the scalars.
    pub(super) scalars: FxHashSet<(u64, u32)>,
    /// Structs and unions that pointers to scalars other than characters are converted to pointers to.
    pub(super) records: FxHashSet<RecordId>,
    /// Whether somebody may look at the byte of a `_Bool`: in a union, through a pointer to something else, or in `memcpy` and
    /// the like.
    pub(super) has_bool_bytes: bool,
    /// Whether pointers to something with a `_Bool` become `void *`, and whether `void *` becomes a pointer to an integer.
    is_hidden: (bool, bool),
}

/// The conversions of a program.
pub(super) fn of(program: &Program) -> Puns {
    let mut found = Puns::default();
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
                    add(program, to, &mut found.scalars);
                }
            }
            found.has_bool_bytes |= has_bool(program, field.ty);
        }
    }
    found.has_bool_bytes |= found.is_hidden == (true, true);
    found
}

fn has_bool(program: &Program, ty: TypeId) -> bool {
    !matches!(types::get(program, ty).kind, TypeKind::Void | TypeKind::Function { .. })
        && types::leaves(program, ty).iter().any(|leaf| types::get(program, leaf.ty).kind == TypeKind::Bool)
}

/// Whether a function of the library looks at objects byte by byte.
fn is_about_bytes(program: &Program, function: FunctionId) -> bool {
    let name = program.functions[function.index()].name.trim_start_matches("__builtin_");
    name.starts_with("mem") || matches!(name, "bcopy" | "bzero" | "bcmp")
}

fn converted(program: &Program, e: &Expression, found: &mut Puns) {
    if let ExpressionKind::Call(Callee::Direct(function), arguments) = &e.kind
        && program.functions[function.index()].body.is_none()
    {
        let mut pointers =
            arguments.iter().filter_map(|argument| types::pointee(program, strip(argument).ty));
        found.has_bool_bytes |=
            pointers.any(|to| has_bool(program, to)) && is_about_bytes(program, *function);
    }
    let ExpressionKind::Convert(from) = &e.kind else { return };
    let Some(to) = types::pointee(program, e.ty) else { return };
    let is_null = matches!(from.kind, ExpressionKind::Constant(0));
    let from = types::pointee(program, from.ty);
    let same = from.is_some_and(|from| kind(program, from) == kind(program, to));
    if is_null || same {
        return;
    }
    add(program, to, &mut found.scalars);
    let Some(from) = from else { return };
    match (&types::get(program, from).kind, &types::get(program, to).kind) {
        (_, TypeKind::Void) => found.is_hidden.0 |= has_bool(program, from),
        (TypeKind::Void, TypeKind::Integer { .. }) => found.is_hidden.1 = true,
        (TypeKind::Void, _) => {}
        _ => found.has_bool_bytes |= has_bool(program, from) || has_bool(program, to),
    }
    let is_scalar = match types::get(program, from).kind {
        TypeKind::Integer { bits, .. } => bits > 8,
        TypeKind::Bool | TypeKind::Pointer(_) | TypeKind::Floating { .. } => true,
        _ => false,
    };
    if let (true, Some(record)) = (is_scalar, types::record_of(program, to)) {
        found.records.insert(record);
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

/// Widths of integers that addresses and numbers of threads are converted to, and of parts of such integers.
pub(super) fn address_widths(program: &Program, points: &PointsTo) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    // A part may be cut into parts again.
    loop {
        let known: FxHashSet<u32> = found.clone();
        add_widths(program, points, &mut found);
        if found.len() == known.len() {
            return found;
        }
    }
}

fn add_widths(program: &Program, points: &PointsTo, found: &mut FxHashSet<u32>) {
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
        let is_part =
            found.contains(&types::bits_of(program, from.ty)) && !points.of(program, from).is_empty();
        if is_integer && (is_address && !is_null || is_part) {
            found.insert(types::bits_of(program, e.ty));
        }
    };
    for function in &program.functions {
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut visit);
    }
    for object in &program.objects {
        object.initial.iter().for_each(|store| walk::expression(&store.value, &mut visit));
    }
}
