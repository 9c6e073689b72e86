//! Expressions of control-flow graphs as terms of the solver.
//!
//! A [`Store`] holds what variables are: a term for each scalar. Expressions are translated in a [`View`]: the shared
//! variables, those of the thread that acts, perhaps those of another. What no view knows (whether a thread has ended, what it
//! returned) is a new variable each time it is asked in a new view: that allows more than the program does.
//!
//! Rows are taken apart: reading one is a choice by the index, beyond the end zero; writing changes every scalar
//! whose number the index is.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use throng_cfa::flow::{
    Assignment, Expression, ExpressionId, Expressions, NondetId, Program, Scope, TemplateId, VariableId,
};
use throng_explore::operators;
use throng_solver::terms::{TermId, Terms};

/// Longer rows are not taken apart: reading one gives anything, and what is written is forgotten.
pub(crate) const LONGEST_ROW: u32 = 256;

/// Along a single interleaving, longer rows than that are known.
pub(crate) const LONGEST_KNOWN_ROW: u32 = 1 << 16;

/// What variables hold, by their numbers: a term for each scalar. Variables of others are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Store {
    scalars: Vec<Arc<Vec<TermId>>>,
}

impl Store {
    /// New variables for the shared variables, or for those of a thread.
    pub(crate) fn fresh(program: &Program, scope: Scope, terms: &mut Terms, prefix: &str) -> Self {
        Self::small(program, scope, terms, prefix, u32::MAX)
    }

    /// The same, but only with values that have so many bits and a sign.
    pub(crate) fn small(
        program: &Program,
        scope: Scope,
        terms: &mut Terms,
        prefix: &str,
        most_bits: u32,
    ) -> Self {
        let scalars = program.variables.iter().map(|variable| {
            if variable.scope != scope || variable.length > LONGEST_ROW {
                return Arc::default();
            }
            let name = format!("{prefix}{}", variable.name);
            let mut scalar = || {
                let small = terms.fresh(&name, variable.bits.min(most_bits));
                terms.sext(small, variable.bits)
            };
            Arc::new((0..variable.length).map(|_| scalar()).collect())
        });
        Self { scalars: scalars.collect() }
    }

    /// The values at the start: of the program, or of a thread. What is arbitrary is a new variable.
    pub(crate) fn initial(program: &Program, scope: Scope, terms: &mut Terms, prefix: &str) -> Self {
        let mut store = Self::fresh(program, scope, terms, prefix);
        for (index, variable) in program.variables.iter().enumerate() {
            if let Some(values) = variable.initial.as_ref().filter(|_| !store.scalars[index].is_empty()) {
                let values = values.iter().map(|&it| terms.constant(it, variable.bits));
                store.scalars[index] = Arc::new(values.collect());
            }
        }
        store
    }

    /// The same with long rows, as far as they are known ([`LONGEST_KNOWN_ROW`]).
    pub(crate) fn known(program: &Program, scope: Scope, terms: &mut Terms, prefix: &str) -> Self {
        let mut store = Self::initial(program, scope, terms, prefix);
        for (index, variable) in program.variables.iter().enumerate() {
            let is_long = (LONGEST_ROW + 1..=LONGEST_KNOWN_ROW).contains(&variable.length);
            if variable.scope == scope && is_long {
                let term = |number: u32| match &variable.initial {
                    Some(values) => {
                        let value = values.get(number as usize).copied().unwrap_or(0);
                        terms.constant(value, variable.bits)
                    }
                    None => terms.fresh(&variable.name, variable.bits),
                };
                store.scalars[index] = Arc::new((0..variable.length).map(term).collect());
            }
        }
        store
    }

    /// The scalars of a variable; none if they are not here.
    pub(crate) fn get(&self, variable: VariableId) -> &[TermId] {
        self.scalars.get(variable.index()).map_or(&[], |row| row.as_slice())
    }

    /// The variables that are here, with their scalars.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (VariableId, &[TermId])> {
        let rows = self.scalars.iter().enumerate().filter(|(_, row)| !row.is_empty());
        rows.map(|(index, row)| (VariableId::new(index), row.as_slice()))
    }

    /// Changes the scalars of a variable.
    pub(crate) fn set(&mut self, variable: VariableId, index: usize, value: TermId) {
        let row = &mut self.scalars[variable.index()];
        if row.len() > index
            && let Some(scalar) = Arc::make_mut(row).get_mut(index)
        {
            *scalar = value;
        }
    }
}

/// Where expressions are translated.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) expressions: &'a Expressions,
    pub(crate) shared: &'a Store,
    pub(crate) own: &'a Store,
    pub(crate) passive: Option<&'a Store>,
    /// The number of the thread that acts.
    pub(crate) this_thread: Option<TermId>,
    /// The number of the thread that is started.
    pub(crate) new_thread: Option<TermId>,
    /// All threads, if they are known: their numbers, whether they have ended, and what they returned.
    pub(crate) threads: Option<Vec<(TermId, bool, Option<TermId>)>>,
    nondets: FxHashMap<NondetId, TermId>,
    memo: FxHashMap<ExpressionId, TermId>,
}

impl<'a> View<'a> {
    /// The acting thread's view.
    pub(crate) fn new(expressions: &'a Expressions, shared: &'a Store, own: &'a Store) -> Self {
        Self {
            expressions,
            shared,
            own,
            passive: None,
            this_thread: None,
            new_thread: None,
            threads: None,
            nondets: FxHashMap::default(),
            memo: FxHashMap::default(),
        }
    }

    /// The same with another thread's variables.
    pub(crate) fn with_passive(mut self, passive: &'a Store) -> Self {
        self.passive = Some(passive);
        self
    }

    /// The arbitrary values that were met, with their terms.
    pub(crate) fn nondets(&self) -> impl Iterator<Item = (NondetId, TermId)> + '_ {
        let mut all: Vec<(NondetId, TermId)> = self.nondets.iter().map(|(&id, &term)| (id, term)).collect();
        all.sort_unstable_by_key(|&(id, _)| id.index());
        all.into_iter()
    }

    /// An expression as a term.
    pub(crate) fn term(&mut self, terms: &mut Terms, id: ExpressionId) -> TermId {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let n = stack.len();
            stack.extend(self.expressions.operands(top).filter(|it| !self.memo.contains_key(it)));
            if stack.len() == n {
                stack.pop();
                let term = self.translate(terms, top);
                self.memo.insert(top, term);
            }
        }
        self.memo[&id]
    }

    /// An expression whose operands are translated.
    fn translate(&mut self, terms: &mut Terms, id: ExpressionId) -> TermId {
        let bits = self.expressions.bits(id);
        match self.expressions.get(id) {
            Expression::Constant(value) => terms.constant(value, bits),
            Expression::Variable(variable) => self.read(terms, variable, bits),
            Expression::Passive(variable) => {
                let known = self.passive.and_then(|store| store.get(variable).first().copied());
                known.unwrap_or_else(|| terms.fresh("passive", bits))
            }
            Expression::Element(variable, index) => {
                let index = self.memo[&index];
                self.read_row(terms, variable, index, bits)
            }
            Expression::Nondet(nondet) => {
                *self.nondets.entry(nondet).or_insert_with(|| terms.fresh("nondet", bits))
            }
            Expression::ThisThread => self.number(terms, self.this_thread, bits),
            Expression::NewThread => self.number(terms, self.new_thread, bits),
            Expression::HasEnded(number) => self.has_ended(terms, self.memo[&number]),
            Expression::ResultOf(number) => self.result_of(terms, self.memo[&number], bits),
            Expression::Unary(operator, a) => operators::unary(terms, operator, self.memo[&a]),
            Expression::Binary(operator, a, b) => {
                operators::binary(terms, operator, self.memo[&a], self.memo[&b])
            }
            Expression::IfThenElse(c, a, b) => terms.ite(self.memo[&c], self.memo[&a], self.memo[&b]),
            Expression::Extend { operand, is_signed: true } => terms.sext(self.memo[&operand], bits),
            Expression::Extend { operand, is_signed: false } => terms.zext(self.memo[&operand], bits),
            Expression::Extract { operand, low } => terms.extract(self.memo[&operand], low + bits - 1, low),
        }
    }

    fn has_ended(&self, terms: &mut Terms, number: TermId) -> TermId {
        let Some(threads) = &self.threads else { return terms.fresh("has ended", 1) };
        let mut any = terms.truth(false);
        for &(other, _, _) in threads.iter().filter(|&&(_, has_ended, _)| has_ended) {
            let is_it = same_number(terms, number, other);
            any = terms.or(any, is_it);
        }
        any
    }

    fn result_of(&self, terms: &mut Terms, number: TermId, bits: u32) -> TermId {
        let Some(threads) = &self.threads else { return terms.fresh("result", bits) };
        let mut value = terms.constant(0, bits);
        for &(other, _, result) in threads {
            let Some(result) = result else { continue };
            let is_it = same_number(terms, number, other);
            let result = terms.resize_unsigned(result, bits);
            value = terms.ite(is_it, result, value);
        }
        value
    }

    fn number(&self, terms: &mut Terms, number: Option<TermId>, bits: u32) -> TermId {
        match number {
            Some(number) => terms.resize_unsigned(number, bits),
            None => terms.fresh("thread", bits),
        }
    }

    fn row(&self, variable: VariableId) -> &'a [TermId] {
        let shared = self.shared.get(variable);
        if shared.is_empty() { self.own.get(variable) } else { shared }
    }

    fn read(&self, terms: &mut Terms, variable: VariableId, bits: u32) -> TermId {
        self.row(variable).first().copied().unwrap_or_else(|| terms.fresh("unknown", bits))
    }

    fn read_row(&self, terms: &mut Terms, variable: VariableId, index: TermId, bits: u32) -> TermId {
        let row = self.row(variable);
        if row.is_empty() {
            return terms.fresh("unknown", bits);
        }
        if let Some(index) = terms.as_constant(index) {
            let scalar = usize::try_from(index).ok().and_then(|index| row.get(index).copied());
            return scalar.unwrap_or_else(|| terms.constant(0, bits));
        }
        let mut value = terms.constant(0, bits);
        for (number, &scalar) in row.iter().enumerate().rev() {
            let is_it = is_index(terms, index, number);
            value = terms.ite(is_it, scalar, value);
        }
        value
    }

    /// Assignments, all at once, as changes of scalars: the variable, the scalar's number, its new value.
    pub(crate) fn assign(
        &mut self,
        terms: &mut Terms,
        assignments: &[Assignment],
    ) -> Vec<(VariableId, usize, TermId)> {
        let mut changes = Vec::new();
        for assignment in assignments {
            let value = self.term(terms, assignment.value);
            let row = self.row(assignment.target);
            match assignment.index {
                None => changes.push((assignment.target, 0, value)),
                Some(index) => {
                    let index = self.term(terms, index);
                    // A known index is about one scalar.
                    let only = terms.as_constant(index).map(|it| usize::try_from(it).unwrap_or(usize::MAX));
                    let numbers = match only {
                        Some(only) => only.min(row.len())..only.saturating_add(1).min(row.len()),
                        None => 0..row.len(),
                    };
                    for number in numbers {
                        let old = row[number];
                        // Several assignments may be to scalars of one row.
                        let known =
                            |&(v, i, _): &(VariableId, usize, TermId)| (v, i) == (assignment.target, number);
                        let at = changes.iter().position(known);
                        let before = at.map_or(old, |at| changes[at].2);
                        let is_it = is_index(terms, index, number);
                        let after = terms.ite(is_it, value, before);
                        match at {
                            Some(at) => changes[at].2 = after,
                            None if after == old => {}
                            None => changes.push((assignment.target, number, after)),
                        }
                    }
                }
            }
        }
        changes
    }
}

/// Whether two numbers of threads are the same.
fn same_number(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a).max(terms.width(b));
    let (a, b) = (terms.resize_unsigned(a, width), terms.resize_unsigned(b, width));
    terms.eq(a, b)
}

/// Whether an index is this number.
fn is_index(terms: &mut Terms, index: TermId, number: usize) -> TermId {
    let width = terms.width(index);
    if width < 64 && number as u64 >= 1 << width {
        return terms.truth(false);
    }
    let number = terms.constant(number as u128, width);
    terms.eq(index, number)
}

/// The variables that an expression mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentioned {
    /// Shared ones and those of the active thread, sorted.
    pub(crate) own: Vec<VariableId>,
    /// Those of the passive thread, sorted.
    pub(crate) passive: Vec<VariableId>,
}

/// The variables that an expression mentions.
pub(crate) fn variables(expressions: &Expressions, id: ExpressionId) -> Mentioned {
    let mut mentioned = Mentioned::default();
    let (mut stack, mut seen) = (vec![id], rustc_hash::FxHashSet::default());
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match expressions.get(id) {
            Expression::Variable(variable) | Expression::Element(variable, _) => mentioned.own.push(variable),
            Expression::Passive(variable) => mentioned.passive.push(variable),
            _ => {}
        }
        stack.extend(expressions.operands(id));
    }
    for list in [&mut mentioned.own, &mut mentioned.passive] {
        list.sort_unstable_by_key(|it| it.index());
        list.dedup();
    }
    mentioned
}

/// Whose variables a thread of this code has.
pub(crate) fn scope_of(template: TemplateId) -> Scope {
    Scope::Local(template)
}
