//! `errno`: each thread's own variable, which functions of the library change.
//!
//! C lets every function of the library change it, failing or not, unless its description says otherwise. So it is arbitrary
//! after calls, but for those that are known: `pthread_…` return their errors and leave it alone, what is no function of
//! the library at all (`__VERIFIER_…`) and what only looks at or copies bytes leaves it alone as well, and semaphores say why they fail.

use super::memory::Facet;
use super::place::Spot;
use super::{Lower, library, types};
use crate::hir::{FunctionId, TypeId};
use crate::world;
use throng_base::Span;
use throng_cfa::flow::Assignment;

/// What our header calls it.
const NAME: &str = "__throng_errno";

impl Lower<'_> {
    fn errno(&self) -> Option<(Spot, TypeId)> {
        let mut objects = crate::hir::ObjectId::all(self.program.objects.len());
        let object = objects.find(|object| self.program.objects[object.index()].name == NAME)?;
        let ty = self.program.objects[object.index()].ty;
        Some((Spot::Named { object, path: Vec::new(), indices: Vec::new() }, ty))
    }

    /// After a call, `errno` is arbitrary if the function may have changed it.
    pub(super) fn havoc_errno(&mut self, function: FunctionId, span: Span) {
        let definition = &self.program.functions[function.index()];
        let name = definition.name.as_str();
        let is_quiet = name.starts_with("pthread_")
            || name.starts_with("sem_")
            || name.starts_with("__")
            || library::has_no_effect(name)
            || library::is_nondet(name)
            || super::bytes::is_known(name);
        let is_library = match definition.body {
            Some(_) => self.program.text.is_system(definition.span.start),
            None => world::function(name).is_some_and(|call| !call.is_primitive),
        };
        if is_quiet || !is_library || !self.is_reachable() {
            return;
        }
        if let Some((spot, ty)) = self.errno() {
            self.havoc(&spot, ty, span);
        }
    }

    /// The assignment of an error to `errno`; nothing if the program does not know it.
    pub(super) fn set_errno(&mut self, error: u128, span: Span) -> Vec<Assignment> {
        let Some((spot, ty)) = self.errno() else { return Vec::new() };
        let value = self.e.constant(error, types::bits_of(self.program, ty));
        self.write(&spot, ty, Facet::Value, value, span)
    }
}
