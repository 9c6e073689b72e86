//! Drafts with arbitrary values in them, brought into a form in which equal ones look alike.
//!
//! A draft stands for the states that it is for some choice of arbitrary values with which its conditions hold. What is done here leaves
//! none of them out:
//!
//! * A draft is taken apart into one where a condition holds and one where it does not, and in each the condition has its truth value.
//!   One of which the solver says that its conditions have no model stands for no state.
//! * An arbitrary value that a condition says to be a number, or another one, is replaced by that.
//! * A term can be replaced by a new arbitrary value, and a condition can be left out: more states, if anything.
//! * Arbitrary values are given other names, different ones to different ones.

use super::rows::Rows;
use super::steps::Draft;
use super::words::{Value, Values, as_term, has_terms};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::{Budget, StopReason};
use throng_solver::terms::{Node, Op};
use throng_solver::{BitSolver, TermId, Terms, VarId};

/// Into so many parts a draft is taken apart.
const MOST_PARTS: usize = 64;
/// After so many questions the solver begins anew.
const MOST_QUESTIONS: u32 = 20_000;

/// Asks the solver, and remembers what it said.
#[derive(Debug, Default)]
pub(super) struct Oracle {
    solver: BitSolver,
    n_asked: u32,
    known: FxHashMap<Vec<TermId>, bool>,
}

impl Oracle {
    /// Whether conditions can hold together.
    fn can_hold(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.n_asked = self.n_asked.saturating_add(1);
        if self.n_asked > MOST_QUESTIONS {
            (self.solver, self.n_asked) = (BitSolver::default(), 0);
        }
        let answer = self.solver.is_satisfiable(terms, &key, budget)?;
        self.known.insert(key, answer);
        Ok(answer)
    }

    /// Adds a condition to others; whether they can hold together.
    pub(super) fn assume(
        &mut self,
        terms: &Terms,
        conditions: &mut Vec<TermId>,
        condition: Value,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        match condition {
            Value::Known(value) => Ok(value == 1),
            Value::Term(condition) => {
                add(terms, conditions, condition);
                self.can_hold(terms, conditions, budget)
            }
        }
    }
}

/// Adds a condition, in parts.
fn add(terms: &Terms, conditions: &mut Vec<TermId>, condition: TermId) {
    let mut open = vec![condition];
    while let Some(part) = open.pop() {
        match terms.node(part) {
            Node::Binary(Op::And, a, b) => open.extend([b, a]),
            Node::Constant(1) => {}
            _ if conditions.contains(&part) => {}
            _ => conditions.push(part),
        }
    }
}

/// A draft with all rows written out.
#[derive(Clone)]
struct Whole {
    conditions: Vec<TermId>,
    /// The shared row, then those of the threads.
    rows: Vec<Vec<u32>>,
}

/// Whether a draft has something arbitrary in it.
pub(super) fn is_symbolic(draft: &Draft, rows: &Rows) -> bool {
    !draft.conditions.is_empty()
        || has_terms(&draft.shared)
        || draft.threads.iter().any(|&row| has_terms(rows.get(row)))
}

/// The parts of a draft in the form in which they are kept.
pub(super) fn settle(
    draft: &Draft,
    rows: &mut Rows,
    values: &mut Values,
    oracle: &mut Oracle,
    budget: &Budget,
) -> Result<Vec<Draft>, StopReason> {
    let threads = draft.threads.iter().map(|&row| rows.get(row).to_vec());
    let all = std::iter::once(draft.shared.clone()).chain(threads).collect();
    let mut open = vec![Whole { conditions: draft.conditions.clone(), rows: all }];
    let mut done = Vec::new();
    while let Some(mut whole) = open.pop() {
        if !whole.use_equalities(values) {
            continue;
        }
        let is_full = open.len().saturating_add(done.len()) >= MOST_PARTS;
        let Some(condition) = whole.undecided(&values.terms).filter(|_| !is_full) else {
            done.push(whole);
            continue;
        };
        for truth in [false, true] {
            let mut part = whole.clone();
            let (decided, constant) = if truth {
                (condition, values.terms.truth(true))
            } else {
                (values.terms.not(condition), values.terms.truth(false))
            };
            let decided = values.value(decided);
            if oracle.assume(&values.terms, &mut part.conditions, decided, budget)? {
                let roots = part.terms();
                let new = replaced(&mut values.terms, &roots, condition, constant);
                part.put(values, &new);
                open.push(part);
            }
        }
    }
    for whole in &mut done {
        whole.set_free(values);
        whole.rename(values);
    }
    Ok(done.into_iter().map(|whole| whole.packed(rows)).collect())
}

/// Terms with one of their parts replaced by another term.
fn replaced(terms: &mut Terms, roots: &[TermId], from: TermId, to: TermId) -> Vec<TermId> {
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in terms.subterms(roots) {
        let node = terms.node(term);
        let of = |part: TermId| new[&part];
        let width = terms.width(term);
        let result = match node {
            _ if term == from => to,
            _ if node.parts().all(|part| of(part) == part) => term,
            Node::Constant(_) | Node::Variable(_) => term,
            Node::Not(a) => terms.not(of(a)),
            Node::Binary(op, a, b) => terms.binary(op, of(a), of(b)),
            Node::Ite(a, b, c) => terms.ite(of(a), of(b), of(c)),
            Node::ZeroExtend(a) => terms.zext(of(a), width),
            Node::SignExtend(a) => terms.sext(of(a), width),
            Node::Extract(a, low) => terms.extract(of(a), low.saturating_add(width).saturating_sub(1), low),
        };
        new.insert(term, result);
    }
    roots.iter().map(|root| new[root]).collect()
}

impl Whole {
    /// The terms of the words, in order.
    fn terms(&self) -> Vec<TermId> {
        self.rows.iter().flatten().copied().filter_map(as_term).collect()
    }

    /// Puts others for them.
    fn put(&mut self, values: &mut Values, new: &[TermId]) {
        let words = self.rows.iter_mut().flatten().filter(|word| as_term(**word).is_some());
        for (word, &term) in words.zip(new) {
            let value = values.value(term);
            *word = values.encode(value);
        }
    }

    /// Puts terms for arbitrary values everywhere; whether the conditions may still hold.
    fn substitute(&mut self, values: &mut Values, by: &FxHashMap<VarId, TermId>) -> bool {
        let mut roots = self.terms();
        let n_words = roots.len();
        roots.extend_from_slice(&self.conditions);
        let new = values.terms.substitute(&roots, &|input| by.get(&input).copied());
        self.put(values, &new[..n_words]);
        self.conditions.clear();
        for &condition in &new[n_words..] {
            if values.terms.is_false(condition) {
                return false;
            }
            add(&values.terms, &mut self.conditions, condition);
        }
        true
    }

    /// Replaces arbitrary values that conditions determine; whether the conditions may still hold.
    fn use_equalities(&mut self, values: &mut Values) -> bool {
        loop {
            let terms = &mut values.terms;
            let found = self.conditions.iter().find_map(|&condition| match terms.node(condition) {
                Node::Variable(input) => Some((input, terms.truth(true))),
                Node::Not(inner) => match terms.node(inner) {
                    Node::Variable(input) => Some((input, terms.truth(false))),
                    _ => None,
                },
                Node::Binary(Op::Eq, a, b) => match (terms.node(a), terms.node(b)) {
                    (Node::Variable(input), Node::Constant(_) | Node::Variable(_)) => Some((input, b)),
                    (Node::Constant(_), Node::Variable(input)) => Some((input, a)),
                    _ => None,
                },
                _ => None,
            });
            let Some((input, term)) = found else { return true };
            if !self.substitute(values, &FxHashMap::from_iter([(input, term)])) {
                return false;
            }
        }
    }

    /// A condition that a word depends on: one of a choice between values, or a truth value that is no input.
    fn undecided(&self, terms: &Terms) -> Option<TermId> {
        let roots = self.terms();
        if roots.is_empty() {
            return None;
        }
        let is_plain = |term: TermId| match terms.node(term) {
            Node::Variable(_) | Node::Constant(_) => true,
            Node::Not(inner) => matches!(terms.node(inner), Node::Variable(_)),
            _ => false,
        };
        let all = terms.subterms(&roots);
        all.into_iter().find_map(|term| match terms.node(term) {
            Node::Ite(condition, _, _) => Some(condition),
            Node::ZeroExtend(a) | Node::SignExtend(a) if terms.width(a) == 1 && !is_plain(a) => Some(a),
            _ if terms.width(term) == 1 && !is_plain(term) && roots.contains(&term) => Some(term),
            _ => None,
        })
    }

    /// Where an arbitrary value occurs in one place only, as an operand of an operation that can have every result whatever the other
    /// operand is, the result is an arbitrary value.
    fn set_free(&mut self, values: &mut Values) {
        loop {
            let mut roots = self.terms();
            let n_words = roots.len();
            roots.extend_from_slice(&self.conditions);
            let Some((term, width)) = free(&values.terms, &roots) else { return };
            let fresh = values.terms.fresh("free", width);
            let new = replaced(&mut values.terms, &roots, term, fresh);
            self.put(values, &new[..n_words]);
            self.conditions = new[n_words..].to_vec();
        }
    }

    /// Leaves out conditions that have nothing to do with the words, and names the arbitrary values in order.
    fn rename(&mut self, values: &mut Values) {
        let terms = &mut values.terms;
        let mut order: Vec<VarId> = Vec::new();
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        for term in self.terms() {
            order.extend(terms.variables_of(&[term]).into_iter().filter(|&input| seen.insert(input)));
        }
        let mut waiting: Vec<(TermId, Vec<VarId>)> =
            self.conditions.iter().map(|&condition| (condition, terms.variables_of(&[condition]))).collect();
        self.conditions.clear();
        loop {
            let touches =
                |(_, inputs): &(TermId, Vec<VarId>)| inputs.iter().any(|input| seen.contains(input));
            let Some(next) = waiting.iter().position(touches) else { break };
            let (condition, inputs) = waiting.remove(next);
            self.conditions.push(condition);
            order.extend(inputs.into_iter().filter(|&input| seen.insert(input)));
        }
        let mut count: FxHashMap<u32, u32> = FxHashMap::default();
        let mut names: FxHashMap<VarId, TermId> = FxHashMap::default();
        for input in order {
            let term = terms.variable_term(input);
            let bits = terms.width(term);
            let number = count.entry(bits).or_insert(0);
            let name = terms.variable(&format!("kept{number}.{bits}"), bits);
            *number = number.saturating_add(1);
            if name != term {
                names.insert(input, name);
            }
        }
        if !names.is_empty() {
            // Names only: no condition becomes false.
            self.substitute(values, &names);
        }
        self.conditions.sort_unstable();
        self.conditions.dedup();
    }

    fn packed(self, rows: &mut Rows) -> Draft {
        let mut all = self.rows.into_iter();
        let shared = all.next().unwrap_or_default();
        let threads = all.map(|row| rows.insert(&row)).collect();
        Draft { conditions: self.conditions, shared, threads }
    }
}

/// A term that can be replaced by an arbitrary value: see [`Whole::set_free`].
fn free(terms: &Terms, roots: &[TermId]) -> Option<(TermId, u32)> {
    let all = terms.subterms(roots);
    let mut users: FxHashMap<TermId, (u32, TermId)> = FxHashMap::default();
    for &term in &all {
        for part in terms.node(term).parts() {
            let entry = users.entry(part).or_insert((0, term));
            entry.0 = entry.0.saturating_add(1);
        }
    }
    for &root in roots {
        let entry = users.entry(root).or_insert((0, root));
        entry.0 = entry.0.saturating_add(u32::from(matches!(terms.node(root), Node::Variable(_))));
    }
    all.iter().find_map(|&term| {
        let Node::Variable(_) = terms.node(term) else { return None };
        let &(1, user) = users.get(&term)? else { return None };
        let is_free = match terms.node(user) {
            Node::Not(_) => user != term,
            Node::Binary(Op::Add | Op::Sub | Op::Xor, a, b) => (a == term) != (b == term),
            _ => false,
        };
        is_free.then(|| (user, terms.width(user)))
    })
}
