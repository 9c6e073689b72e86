//! `start_thread x;`: a function, or a label where there is no such function (Zhao's thesis, Figure 2.2).

use super::Parser;
use crate::syntax::{Name, Program, Statement, StatementKind, Symbol};
use rustc_hash::FxHashSet;
use throng_base::Diagnostic;

impl Parser<'_> {
    /// Replaces names by what they are. What is neither stays a function, which is not known; what is both is an error.
    pub(super) fn settle_starts(&mut self, program: &mut Program) {
        if self.bare_starts.is_empty() {
            return;
        }
        let functions: FxHashSet<Symbol> = program.functions.iter().map(|it| it.name.symbol).collect();
        for function in &mut program.functions {
            let mut labels = FxHashSet::default();
            collect(&function.body, &mut labels);
            self.settle(&mut function.body, &functions, &labels);
        }
    }

    fn settle(
        &mut self,
        statements: &mut [Statement],
        functions: &FxHashSet<Symbol>,
        labels: &FxHashSet<Symbol>,
    ) {
        for statement in statements {
            if let StatementKind::StartFunction { function, .. } = statement.kind
                && self.bare_starts.contains(&function.span.start)
                && labels.contains(&function.symbol)
            {
                if functions.contains(&function.symbol) {
                    self.refuse_both(function);
                } else {
                    statement.kind = StatementKind::StartAt(function);
                }
            }
            statement.kind.blocks_mut().for_each(|block| self.settle(block, functions, labels));
        }
    }

    fn refuse_both(&mut self, name: Name) {
        let text = self.names.get(name.symbol.index()).to_owned();
        self.errors.push(name.span, |source| {
            Diagnostic::error("E0519", format!("`{text}` is a function and a label"))
                .at(source, name.span, "which one?")
                .hint(format!("`start_thread {text}()` starts the function, `start_thread goto {text}` at the label"))
        });
    }
}

/// The labels of statements, also of nested ones.
fn collect(statements: &[Statement], labels: &mut FxHashSet<Symbol>) {
    for statement in statements {
        labels.extend(statement.labels.iter().map(|label| label.symbol));
        statement.kind.blocks().for_each(|block| collect(block, labels));
    }
}
