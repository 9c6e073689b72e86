//! Scopes: what ordinary names and tags mean at a place (C11 §6.2.1, §6.2.3). Labels belong to functions and members to
//! structs, so neither is here.

use crate::hir::{FunctionId, ObjectId, RecordId, TypeId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use throng_base::{Span, suggest};

/// What an ordinary name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A type.
    Typedef(TypeId),
    /// A variable.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// A constant of an enumeration: its bits and type.
    Enumerator(u128, TypeId),
}

impl Meaning {
    /// What it is called in messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            Meaning::Typedef(_) => "a type",
            Meaning::Object(_) => "a variable",
            Meaning::Function(_) => "a function",
            Meaning::Enumerator(..) => "an enumeration constant",
        }
    }
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `struct` or `union`.
    Record(RecordId),
    /// `enum`, with the integer type that holds it; `None` while it is incomplete.
    Enum(Option<TypeId>),
}

/// One scope.
#[derive(Debug, Default)]
struct Scope {
    names: FxHashMap<Arc<str>, (Meaning, Span)>,
    tags: FxHashMap<Arc<str>, (Tag, Span)>,
}

/// The scopes around a place, the file's first.
#[derive(Debug)]
pub(super) struct Scopes {
    stack: Vec<Scope>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self { stack: vec![Scope::default()] }
    }
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.stack.push(Scope::default());
    }

    /// Leaves the innermost scope; that of the file is never left.
    pub(super) fn leave(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }

    /// Whether the place is outside of functions and their parameters.
    pub(super) fn is_file(&self) -> bool {
        self.stack.len() == 1
    }

    fn innermost(&mut self) -> &mut Scope {
        self.stack.last_mut().expect("invariant: the scope of the file is never left")
    }

    /// What a name means.
    pub(super) fn name(&self, name: &str) -> Option<(Meaning, Span)> {
        self.stack.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    /// What a name means if it is declared in the innermost scope.
    pub(super) fn name_here(&self, name: &str) -> Option<(Meaning, Span)> {
        self.stack.last().and_then(|scope| scope.names.get(name)).copied()
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: Arc<str>, meaning: Meaning, span: Span) {
        self.innermost().names.insert(name, (meaning, span));
    }

    /// Declares a name in the scope of the file, for functions that are declared by their use.
    pub(super) fn declare_in_file(&mut self, name: Arc<str>, meaning: Meaning, span: Span) {
        self.stack[0].names.insert(name, (meaning, span));
    }

    /// What a tag means.
    pub(super) fn tag(&self, name: &str) -> Option<(Tag, Span)> {
        self.stack.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    /// What a tag means if it is declared in the innermost scope.
    pub(super) fn tag_here(&self, name: &str) -> Option<(Tag, Span)> {
        self.stack.last().and_then(|scope| scope.tags.get(name)).copied()
    }

    /// Declares a tag in the innermost scope.
    pub(super) fn declare_tag(&mut self, name: Arc<str>, tag: Tag, span: Span) {
        self.innermost().tags.insert(name, (tag, span));
    }

    /// The name that is closest to one that means nothing. All names of one or two letters are close to each other.
    pub(super) fn closest(&self, wanted: &str) -> Option<String> {
        if wanted.len() < 3 {
            return None;
        }
        let mut names: Vec<&str> =
            self.stack.iter().flat_map(|scope| scope.names.keys()).map(AsRef::as_ref).collect();
        names.sort_unstable();
        suggest::closest(names, wanted).map(str::to_owned)
    }
}
