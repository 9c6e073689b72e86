//! Checks of numbers: values per target, arguments per parameter, results per function.

use super::Lowering;
use crate::flow::graph::{FunctionId, Target};
use crate::syntax::{self, Name};
use rustc_hash::FxHashSet;
use throng_base::{Diagnostic, Span};

/// A number with a noun.
fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

impl Lowering<'_, '_> {
    /// One value per target.
    pub(super) fn check_values(&mut self, targets: usize, values: usize, span: Span) -> Option<()> {
        if targets == values {
            return Some(());
        }
        self.lookup.errors.push(span, |source| {
            let message = format!("{} assigned to {}", count(values, "value"), count(targets, "variable"));
            let error = Diagnostic::error("E0507", message);
            error.at(source, span, format!("expected {}", count(targets, "value")))
        });
        None
    }

    /// As many results as this function has.
    pub(super) fn check_results(&mut self, values: usize, span: Span) -> Option<()> {
        let expected = self.n_results as usize;
        if expected == values {
            return Some(());
        }
        self.lookup.errors.push(span, |source| {
            let message = format!(
                "{} returned from a function with {}",
                count(values, "value"),
                count(expected, "result")
            );
            let error = Diagnostic::error("E0507", message);
            let error = error.at(source, span, format!("expected {}", count(expected, "value")));
            let type_ = match values {
                0 => "void".to_owned(),
                1 => "bool".to_owned(),
                n => format!("bool<{n}>"),
            };
            error.hint(format!("a function with {} is declared `{type_} f()`", count(values, "result")))
        });
        None
    }

    /// As many arguments as parameters, and as many targets as results, or none.
    pub(super) fn check_call(
        &mut self,
        name: Name,
        function: FunctionId,
        arguments: usize,
        targets: usize,
    ) -> Option<()> {
        let tree = self.lookup.tree;
        let declared = &tree.functions[function.index()];
        let (parameters, results) = (declared.parameters.len(), declared.n_results as usize);
        let (message, expected) = if arguments != parameters {
            let message = format!("called with {}, but has", count(arguments, "argument"));
            (message, count(parameters, "parameter"))
        } else if targets != results && targets != 0 {
            let message = format!("assigned to {}, but has", count(targets, "variable"));
            (message, count(results, "result"))
        } else {
            return Some(());
        };
        self.lookup.errors.push(name.span, |source| {
            let (line, column) = source.position(declared.name.span.start);
            let text = tree.text(name.symbol);
            Diagnostic::error("E0507", format!("`{text}` is {message} {expected}"))
                .at(source, name.span, format!("has {expected}"))
                .note(format!("`{text}` is declared at line {line}, column {column}"))
        });
        None
    }

    /// No variable is assigned twice at once.
    pub(super) fn check_distinct(&mut self, targets: &[syntax::Target], found: &[Option<Target>]) -> Option<()> {
        let mut seen = FxHashSet::default();
        let repeated = targets.iter().zip(found).find(|&(_, found)| found.is_some() && !seen.insert(found));
        let Some((&syntax::Target { name, .. }, _)) = repeated else { return Some(()) };
        let span = name.span;
        let tree = self.lookup.tree;
        self.lookup.errors.push(span, |source| {
            let message = format!("`{}` is assigned twice in one statement", tree.text(name.symbol));
            Diagnostic::error("E0516", message).at(source, span, "second time")
        });
        None
    }

    /// A function in a new thread has nobody to give its results to.
    pub(super) fn refuse_results(&mut self, targets: &[syntax::Target]) {
        let (Some(first), Some(last)) = (targets.first(), targets.last()) else { return };
        let span = first.name.span.to(last.name.span);
        self.lookup.errors.push(span, |source| {
            Diagnostic::error("E0515", "a function that runs in a new thread has no results here")
                .at(source, span, "expected a call without `:=`")
                .note("the label `ASYNC_<n>` starts the function in a new thread")
        });
    }
}
