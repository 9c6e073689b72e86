//! Which names are types where: a block may use a name of a type for a variable, and the other way round.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The scopes that are open, the file's first. Each name is a type (true) or something else.
pub(super) struct Scopes {
    scopes: Vec<FxHashMap<Arc<str>, bool>>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self { scopes: vec![FxHashMap::default()] }
    }
}

impl Scopes {
    /// Whether a name is that of a type here.
    pub(super) fn is_type(&self, name: &str) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied().unwrap_or(false)
    }

    /// A name means a type, or something else, from here on.
    pub(super) fn declare(&mut self, name: &Arc<str>, is_type: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(Arc::clone(name), is_type);
        }
    }

    /// A name is a type in the whole file: what an unknown type is taken for, so that it is told once.
    pub(super) fn declare_outside(&mut self, name: &Arc<str>) {
        for scope in &mut self.scopes {
            scope.remove(name);
        }
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(Arc::clone(name), true);
        }
    }

    /// How many scopes are open.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// Closes scopes until this many are open.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.scopes.truncate(depth.max(1));
    }
}
