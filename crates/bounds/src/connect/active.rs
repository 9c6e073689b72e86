//! The rows of rules that are still there, and which states they reach.

use crate::rows::{Row, Rows, moves_of};
use rustc_hash::FxHashSet;
use throng_model::{LocalId, RuleId, RuleRef};

/// The rows of some of a system's rules. A move counts if one of these rules has it.
pub(super) struct ActiveRows<'a, 's> {
    pub(super) rows: &'a Rows<'s>,
    rules: Vec<RuleId>,
    /// Sorted.
    moves: Vec<(LocalId, LocalId)>,
}

impl<'a, 's> ActiveRows<'a, 's> {
    /// All rows.
    pub(super) fn all(rows: &'a Rows<'s>) -> Self {
        Self::of(rows, RuleId::all(rows.system.rules().len()).collect())
    }

    /// The rows of these rules only.
    pub(super) fn only(&self, rules: Vec<RuleId>) -> Self {
        Self::of(self.rows, rules)
    }

    fn of(rows: &'a Rows<'s>, rules: Vec<RuleId>) -> Self {
        let mut rows = Self { rows, rules, moves: vec![] };
        rows.collect_moves();
        rows
    }

    fn collect_moves(&mut self) {
        self.moves = moves_of(self.rules.iter().map(|&id| self.rows.system.rule(id)));
    }

    /// All rows, those of rules first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        let moves = self.moves.iter().map(|&(source, destination)| Row::Move { source, destination });
        self.rules.iter().copied().map(Row::Rule).chain(moves)
    }

    /// Keeps some of the rules.
    pub(super) fn retain(&mut self, is_kept: impl Fn(Row) -> bool) {
        self.rules.retain(|&id| is_kept(Row::Rule(id)));
        self.collect_moves();
    }

    /// The states that threads reach when only it matters which states are needed, not how many threads. Goes
    /// through the rules as often as something changes.
    pub(super) fn reached(&self) -> FxHashSet<usize> {
        let Rows { system, space, .. } = self.rows;
        let mut reached = FxHashSet::default();
        for initial in system.initial() {
            reached.insert(space.shared(initial.shared));
            reached.extend(initial.exact.iter().map(|entry| space.local(entry.local)));
            reached.extend(initial.unbounded.iter().map(|&local| space.local(local)));
        }
        let mut n_before = 0;
        while reached.len() > n_before {
            n_before = reached.len();
            for &id in &self.rules {
                let rule = system.rule(id);
                if self.needs_only(rule, &reached) {
                    reached.insert(space.shared(rule.to));
                    reached.extend(rule.put.iter().map(|entry| space.local(entry.local)));
                    for (source, destinations) in rule.moves() {
                        if reached.contains(&space.local(source)) {
                            reached.extend(destinations.iter().map(|&local| space.local(local)));
                        }
                    }
                }
            }
        }
        reached
    }

    fn needs_only(&self, rule: RuleRef<'_>, states: &FxHashSet<usize>) -> bool {
        let space = self.rows.space;
        states.contains(&space.shared(rule.from))
            && rule.take.iter().all(|entry| states.contains(&space.local(entry.local)))
    }

    /// Removes the rules that need other states than these; whether there were any.
    pub(super) fn remove_disabled(&mut self, reached: &FxHashSet<usize>) -> bool {
        let n_before = self.rules.len();
        let mut rules = std::mem::take(&mut self.rules);
        rules.retain(|&id| self.needs_only(self.rows.system.rule(id), reached));
        self.rules = rules;
        self.collect_moves();
        self.rules.len() < n_before
    }
}
