//! Several threads at labels at the same time (`--label A*2,B`), as an error that one thread comes to.
//!
//! A thread that has come to a label may *stop* there: it counts itself, in a variable of the model for each label, and does
//! nothing any more. Where all others that are asked for have stopped, a thread that comes to its label is an error. That is
//! exact: threads that are at their labels together have come there, one after the other, and done nothing since; no step is ever forced, so each
//! may stop there instead, just before the end. And whoever has stopped could have stayed.
//!
//! Who is in an atomic section cannot stop before others go on, for they cannot; it comes last, so any of the labels may be
//! the last one.

use super::Lower;
use std::collections::BTreeMap;
use throng_base::Span;
use throng_cfa::flow::{Assignment, ExpressionId, PropertyKind, Scope, ValueType, Variable, VariableId};

/// How the names of the variables begin that count who has stopped.
pub const STOPPED: &str = "threads stopped at ";

/// Threads that must not be at labels at the same time: how many at which.
pub type Together = BTreeMap<String, u32>;

/// In words: `2 threads are at CS`, `threads are at A and at B at once`.
pub(super) fn words(together: &Together) -> String {
    let each: Vec<String> = together
        .iter()
        .map(|(label, &count)| match count {
            1 => format!("a thread at {label}"),
            _ => format!("{count} threads at {label}"),
        })
        .collect();
    format!("{} at the same time", each.join(" and "))
}

impl Lower<'_> {
    /// Here is a label: what is asked about several threads at this and other labels.
    pub(super) fn stop_at_label(&mut self, label: &str, span: Span) {
        let asked: Vec<(usize, Together)> =
            self.options.properties.together.iter().cloned().enumerate().collect();
        let asked: Vec<_> = asked.into_iter().filter(|(_, group)| group.contains_key(label)).collect();
        if asked.is_empty() || !self.is_reachable() {
            return;
        }
        self.boundary();
        for (number, group) in asked {
            let all: Vec<ExpressionId> = group
                .iter()
                .map(|(name, &count)| {
                    let others = count - u32::from(name == label);
                    self.has_stopped(number, (name, count), others)
                })
                .collect();
            let guard = self.e.all(all);
            let error = self.error_location(PropertyKind::Reach, words(&group), span);
            self.arc(error, guard, Vec::new(), None, span);
            let count = group[label];
            // If there is only one label, the last thread is the error itself.
            let most = if group.len() == 1 { count - 1 } else { count };
            for already in 0..most {
                let guard = self.has_stopped(number, (label, count), already);
                let (target, bits) = self.stopped(number, label, count);
                let value = self.e.constant(u128::from(already + 1), bits);
                let rest = self.fresh_boundary();
                self.arc(rest, guard, vec![Assignment { target, index: None, value }], None, span);
                // That threads stay there is meant.
                self.graph.begin(rest);
            }
        }
        let on = self.fresh_boundary();
        self.skip(on, None, span);
    }

    /// Whether so many threads have stopped at a label.
    fn has_stopped(&mut self, group: usize, (label, count): (&str, u32), threads: u32) -> ExpressionId {
        let (variable, bits) = self.stopped(group, label, count);
        let value = self.e.variable(variable, bits);
        let threads = self.e.constant(u128::from(threads), bits);
        self.e.equal(value, threads)
    }

    /// The number of threads that have stopped at a label.
    fn stopped(&mut self, group: usize, label: &str, count: u32) -> (VariableId, u32) {
        let bits = u32::BITS - count.leading_zeros();
        let key = (group, label.to_owned());
        if let Some(&variable) = self.stopped.get(&key) {
            return (variable, bits);
        }
        let variable = self.add_variable(Variable {
            name: format!("{STOPPED}{label}"),
            function: None,
            scope: Scope::Shared,
            bits,
            ty: ValueType::Integer { is_signed: false },
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.stopped.insert(key, variable);
        (variable, bits)
    }
}
