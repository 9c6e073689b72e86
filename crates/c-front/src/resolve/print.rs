//! Types in the words of C, for messages.

use super::Resolver;
use crate::hir::{Opaque, TypeId, TypeKind};
use crate::syntax::IntegerWord;

impl Resolver<'_> {
    /// A type between backquotes.
    pub(super) fn describe(&self, ty: TypeId) -> String {
        format!("`{}`", self.type_name(ty, String::new()))
    }

    /// A type around a declarator, inside out as C writes it.
    pub(super) fn type_name(&self, id: TypeId, inner: String) -> String {
        let ty = self.types.get(id);
        let mut words = String::new();
        for (is_set, word) in [
            (ty.qualifiers.is_const, "const"),
            (ty.qualifiers.is_volatile, "volatile"),
            (ty.qualifiers.is_atomic, "_Atomic"),
        ] {
            if is_set {
                words.push_str(word);
                words.push(' ');
            }
        }
        let base = match &ty.kind {
            TypeKind::Pointer(to) => {
                let needs_parentheses =
                    matches!(self.types.kind(*to), TypeKind::Array { .. } | TypeKind::Function { .. });
                let pointer = format!("*{words}{inner}");
                return self.type_name(
                    *to,
                    if needs_parentheses { format!("({})", pointer.trim_end()) } else { pointer },
                );
            }
            TypeKind::Array { element, length } => {
                let length = length.map_or(String::new(), |length| length.to_string());
                return self.type_name(*element, format!("{inner}[{length}]"));
            }
            TypeKind::Function { result, parameters, is_variadic } => {
                let mut list: Vec<String> =
                    parameters.iter().map(|&ty| self.type_name(ty, String::new())).collect();
                match (list.is_empty(), is_variadic) {
                    (true, false) => list.push("void".to_owned()),
                    (false, true) => list.push("...".to_owned()),
                    _ => {}
                }
                return self.type_name(*result, format!("{inner}({})", list.join(", ")));
            }
            kind => match ty.opaque {
                Some(opaque) => opaque_name(opaque).to_owned(),
                None => self.base_name(kind),
            },
        };
        let separator = if inner.is_empty() { "" } else { " " };
        format!("{words}{base}{separator}{}", inner.trim_end())
    }

    fn base_name(&self, kind: &TypeKind) -> String {
        match kind {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Integer { is_signed, rank, .. } => {
                let word = match rank {
                    IntegerWord::Char => "char",
                    IntegerWord::SignedChar => "signed char",
                    IntegerWord::Short => "short",
                    IntegerWord::Int => "int",
                    IntegerWord::Long => "long",
                    IntegerWord::LongLong => "long long",
                    IntegerWord::Int128 => "__int128",
                };
                if *is_signed { word.to_owned() } else { format!("unsigned {word}") }
            }
            TypeKind::Floating { bytes: 4, is_real: true } => "float".to_owned(),
            TypeKind::Floating { bytes: 8, is_real: true } => "double".to_owned(),
            TypeKind::Floating { bytes, .. } => format!("a floating-point type of {bytes} bytes"),
            TypeKind::Record(id) => {
                let record = &self.records[id.index()];
                format!("{} {}", if record.is_union { "union" } else { "struct" }, record.name)
            }
            TypeKind::VaList => "va_list".to_owned(),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function { .. } => String::new(),
        }
    }
}

fn opaque_name(opaque: Opaque) -> &'static str {
    match opaque {
        Opaque::Thread => "pthread_t",
        Opaque::Mutex => "pthread_mutex_t",
        Opaque::MutexAttributes => "pthread_mutexattr_t",
        Opaque::ReadWriteLock => "pthread_rwlock_t",
        Opaque::Condition => "pthread_cond_t",
        Opaque::Attributes => "pthread_attr_t",
    }
}
