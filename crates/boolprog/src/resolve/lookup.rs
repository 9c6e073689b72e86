//! Finding what a name refers to, and whether it may stand where it does.

use super::{Scope, Scopes};
use crate::flow::{self, FunctionId, VariableId};
use crate::messages::Messages;
use crate::syntax::{self, Name, Program, Symbol, Target};
use throng_base::suggest::closest;
use throng_base::{Diagnostic, Span};

/// Where an expression stands, which decides what it may speak about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A condition, an argument or a result: the values of the thread itself.
    Own,
    /// A value that is assigned: `x$` as well.
    Passive,
    /// What follows `constrain`: `'x` as well.
    Constrain,
    /// What follows `constrain` in an assignment to variables of passive threads: everything.
    PassiveConstrain,
}

/// Finds the names of one function.
pub(crate) struct Lookup<'a, 's> {
    pub(crate) tree: &'a Program,
    scopes: &'a Scopes,
    scope: &'a Scope,
    pub(crate) errors: &'a mut Messages<'s>,
}

impl<'a, 's> Lookup<'a, 's> {
    /// The names of `function`.
    pub(crate) fn new(
        tree: &'a Program,
        scopes: &'a Scopes,
        function: FunctionId,
        errors: &'a mut Messages<'s>,
    ) -> Self {
        Self { tree, scopes, scope: scopes.of(function), errors }
    }

    /// The variable with a name; `None` is an error that has been reported.
    pub(crate) fn variable(&mut self, name: Name) -> Option<VariableId> {
        let (inner, outer) = (&self.scope.names, &self.scopes.globals);
        let found = inner.get(&name.symbol).or_else(|| outer.get(&name.symbol));
        if found.is_none() {
            self.unknown("E0504", name, "variable", inner.iter().chain(outer));
        }
        found.map(|&(variable, _)| variable)
    }

    /// The function with a name.
    pub(crate) fn function(&mut self, name: Name) -> Option<FunctionId> {
        let functions = &self.scopes.functions;
        let found = functions.get(&name.symbol);
        if found.is_none() {
            self.unknown("E0506", name, "function", functions.iter());
        }
        found.map(|&(function, _)| function)
    }

    /// The number of a label.
    pub(crate) fn label(&mut self, name: Name) -> Option<u32> {
        let labels = &self.scope.labels;
        let found = labels.get(&name.symbol);
        if found.is_none() {
            self.unknown("E0505", name, "label", labels.iter());
        }
        found.map(|&(label, _)| label)
    }

    /// Whether what is assigned to a target is thrown away: `_`, unless there is a variable of this name.
    pub(crate) fn is_thrown_away(&self, target: Target) -> bool {
        let symbol = target.name.symbol;
        let is_declared = self.scope.names.contains_key(&symbol) || self.scopes.globals.contains_key(&symbol);
        !target.is_passive && !is_declared && self.tree.text(symbol) == "_"
    }

    /// A variable that is assigned to.
    pub(crate) fn target(&mut self, target: Target) -> Option<flow::Target> {
        let variable = self.variable(target.name)?;
        self.check_passive(target.is_passive, variable, target.name)?;
        Some(flow::Target { variable, is_passive: target.is_passive })
    }

    /// An expression at a place.
    pub(crate) fn expression(
        &mut self,
        expression: &syntax::Expression,
        place: Place,
    ) -> Option<flow::Expression> {
        let mut is_good = true;
        let tree = expression.tree.map(|reference| {
            let resolved = self.reference(*reference, place);
            is_good &= resolved.is_some();
            // What stands in for an unknown name is thrown away with the whole expression.
            resolved.unwrap_or(flow::Reference {
                variable: VariableId::Shared(0),
                is_next: false,
                is_passive: false,
            })
        });
        is_good.then_some(tree)
    }

    fn reference(&mut self, reference: syntax::Reference, place: Place) -> Option<flow::Reference> {
        let syntax::Reference { name, is_next, is_passive } = reference;
        let variable = self.variable(name)?;
        self.check_passive(is_passive, variable, name)?;
        let span = name.span;
        let text = self.tree.text(name.symbol);
        if is_next && !matches!(place, Place::Constrain | Place::PassiveConstrain) {
            self.errors.push(span, |source| {
                Diagnostic::error("E0508", "a next value can only be used after `constrain`")
                    .at(source, span, format!("expected `{text}`"))
                    .note(format!("`'{text}` is the value of `{text}` after an assignment"))
            });
            return None;
        }
        if is_passive && !matches!(place, Place::Passive | Place::PassiveConstrain) {
            self.errors.push(span, |source| {
                let message = "a variable of passive threads can only be used in values that are assigned";
                Diagnostic::error("E0509", message)
                    .at(source, span, format!("expected `{text}`"))
                    .note(
                        "a step that depends on all other threads could become impossible by adding threads",
                    )
                    .hint(format!("`{text}$ := …` may read it, to change it in every other thread"))
            });
            return None;
        }
        Some(flow::Reference { variable, is_next, is_passive })
    }

    /// Whether `x$` makes sense for this variable.
    fn check_passive(&mut self, is_passive: bool, variable: VariableId, name: Name) -> Option<()> {
        let span = name.span;
        let is_wrong = is_passive && matches!(variable, VariableId::Shared(_));
        if is_wrong {
            self.errors.push(span, |source| {
                let text = self.tree.text(name.symbol);
                Diagnostic::error("E0509", format!("`{text}` is shared: passive threads have no copy of it"))
                    .at(source, span, "expected a local variable before `$`")
                    .hint(format!("write `{text}`, or declare it `thread_local`"))
            });
        }
        (!is_wrong).then_some(())
    }

    /// Reports a name that is not among those known.
    fn unknown<'n, T: 'n>(
        &mut self,
        code: &'static str,
        name: Name,
        kind: &str,
        known: impl Iterator<Item = (&'n Symbol, &'n (T, Span))>,
    ) {
        let tree = self.tree;
        self.errors.push(name.span, |source| {
            let text = tree.text(name.symbol);
            let error = Diagnostic::error(code, format!("there is no {kind} called `{text}`"));
            let error = error.at(source, name.span, "not declared");
            // Sorted, so that the order of a hash table is not visible.
            let mut declared: Vec<(u32, Symbol)> =
                known.map(|(&symbol, &(_, span))| (span.start, symbol)).collect();
            declared.sort_unstable();
            match closest(declared.into_iter().map(|(_, symbol)| tree.text(symbol)), text) {
                Some(close) => error.hint(format!("a close name is `{close}`")),
                None => error,
            }
        });
    }
}
