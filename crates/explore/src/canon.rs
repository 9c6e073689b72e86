//! The form in which states are kept: two states that differ only in the order of interchangeable threads or in the names
//! of inputs should look the same, and what no longer matters is forgotten.
//!
//! Conditions on inputs that the state does not depend on, directly or through other conditions, are dropped: they can
//! hold (that was asked when they were added), whatever the others are. An input that must have one value becomes it.

use crate::machine::{Machine, Moment};
use crate::rows::Rows;
use crate::simplify;
use crate::symmetry::Symmetry;
use crate::value::{self, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use throng_solver::terms::{Node, Op};
use throng_solver::{TermId, VarId};

/// Rows of shared variables and lists of conditions, and how threads may be exchanged.
#[derive(Debug, Default)]
pub(crate) struct Canon {
    pub(crate) shared: Rows,
    pub(crate) conditions: Rows,
    /// `None` if threads are not exchanged.
    symmetry: Option<Symmetry>,
    /// Whether it turned out during the search that they may not be.
    pub(crate) is_off: bool,
}

/// Words in front of the threads' rows in a packed state: conditions and shared row.
pub(crate) const HEAD: usize = 2;

impl Canon {
    /// Nothing known yet.
    pub(crate) fn new(symmetry: Option<Symmetry>) -> Self {
        let mut canon = Self { symmetry, ..Self::default() };
        canon.conditions.insert(&[]);
        canon
    }

    /// Whether threads with equal rows do the same.
    pub(crate) fn has_twins(&self) -> bool {
        !self.is_off && self.symmetry.as_ref().is_some_and(|symmetry| !symmetry.has_numbers())
    }

    /// Packs a state in its canonical form. The result says which thread was where before: the thread that is now at
    /// place i was at `order[i]`.
    pub(crate) fn pack(
        &mut self,
        machine: &mut Machine,
        moment: &mut Moment,
        packed: &mut Vec<u32>,
    ) -> Vec<u32> {
        let is_symbolic = !moment.conditions.is_empty() || has_terms(machine, moment);
        let mut order: Vec<u32> = (0..moment.threads.len() as u32).collect();
        if moment.threads.len() > 1 && !self.is_off {
            self.sort(machine, moment, is_symbolic, &mut order);
        }
        let mut conditions = 0;
        if is_symbolic {
            rename(machine, moment);
            let list: Vec<u32> = moment.conditions.iter().map(|condition| condition.raw()).collect();
            conditions = self.conditions.insert(&list);
        }
        packed.clear();
        packed.push(conditions);
        packed.push(self.shared.insert(&moment.shared));
        packed.extend_from_slice(&moment.threads);
        order
    }

    /// Unpacks a state, except for the running thread.
    pub(crate) fn unpack(&self, packed: &[u32], moment: &mut Moment) {
        moment.conditions.clear();
        let conditions = self.conditions.get(packed[0]);
        moment.conditions.extend(conditions.iter().map(|&condition| TermId::new(condition as usize)));
        moment.shared.clear();
        moment.shared.extend_from_slice(self.shared.get(packed[1]));
        moment.threads.clear();
        moment.threads.extend_from_slice(&packed[HEAD..]);
    }

    /// Brings the threads into the canonical order.
    fn sort(&mut self, machine: &mut Machine, moment: &mut Moment, is_symbolic: bool, order: &mut [u32]) {
        let Some(symmetry) = &self.symmetry else { return };
        if !symmetry.has_numbers() && !is_symbolic {
            order.sort_by_key(|&place| moment.threads[place as usize]);
            moment.threads.sort_unstable();
            return;
        }
        if has_term_numbers(symmetry, machine, moment) {
            // Which thread is meant is not known, and conditions may be about it: no exchange from now on.
            self.is_off = true;
            return;
        }
        order.sort_by(|&a, &b| compare(symmetry, machine, moment, a, b));
        if order.is_sorted() {
            return;
        }
        let threads: Vec<u32> = order.iter().map(|&place| moment.threads[place as usize]).collect();
        moment.threads = threads;
        if symmetry.has_numbers() {
            renumber(symmetry, machine, moment, order);
        }
    }
}

/// The results of the last run, some of them taken apart.
pub(crate) fn parts(machine: &mut Machine) -> Vec<Moment> {
    let mut results = std::mem::take(&mut machine.results);
    if results.iter().any(|moment| has_terms(machine, moment)) {
        for moment in std::mem::take(&mut results) {
            simplify::split(machine, moment, &mut results);
        }
    }
    results
}

/// Whether a state has terms in it.
fn has_terms(machine: &Machine, moment: &Moment) -> bool {
    moment.shared.iter().any(|&word| value::is_term(word))
        || moment.threads.iter().any(|&row| machine.rows.get(row).iter().any(|&word| value::is_term(word)))
}

/// The words of a thread that hold numbers of threads.
fn numbers<'a>(symmetry: &'a Symmetry, machine: &Machine, row: &[u32]) -> &'a [u32] {
    &symmetry.local[machine.compiled.points[row[0] as usize].template.index()]
}

fn has_term_numbers(symmetry: &Symmetry, machine: &Machine, moment: &Moment) -> bool {
    let is_term = |row: &[u32], words: &[u32]| words.iter().any(|&word| value::is_term(row[word as usize]));
    is_term(&moment.shared, &symmetry.shared)
        || moment.threads.iter().any(|&row| {
            let row = machine.rows.get(row);
            is_term(row, numbers(symmetry, machine, row))
        })
}

/// Compares two threads by what does not depend on numbers of threads and names of inputs.
fn compare(symmetry: &Symmetry, machine: &Machine, moment: &Moment, a: u32, b: u32) -> Ordering {
    let rows = [a, b].map(|place| machine.rows.get(moment.threads[place as usize]));
    let location = rows[0][0].cmp(&rows[1][0]);
    if location != Ordering::Equal {
        return location;
    }
    let words = numbers(symmetry, machine, rows[0]);
    let plain = |row: &[u32], word: usize, own: u32| match row[word] {
        term if value::is_term(term) => u32::MAX,
        number if words.contains(&(word as u32)) => match number {
            0 => 0,
            number if number == own + 1 => 1,
            _ => 2,
        },
        number => number,
    };
    let key = |row: &[u32], word: usize, own: u32| plain(row, word, own);
    for word in 1..rows[0].len() {
        let order = key(rows[0], word, a).cmp(&key(rows[1], word, b));
        if order != Ordering::Equal {
            return order;
        }
    }
    let meant = |own: u32| symmetry.shared.iter().map(move |&word| moment.shared[word as usize] == own + 1);
    meant(a).cmp(meant(b))
}

/// Gives threads their new numbers wherever numbers are held.
fn renumber(symmetry: &Symmetry, machine: &mut Machine, moment: &mut Moment, order: &[u32]) {
    let mut new = vec![0; order.len() + 1];
    for (place, &old) in order.iter().enumerate() {
        new[old as usize + 1] = place as u32 + 1;
    }
    let rename = |word: &mut u32| {
        if let Some(&number) = new.get(*word as usize) {
            *word = number;
        }
    };
    symmetry.shared.iter().for_each(|&word| rename(&mut moment.shared[word as usize]));
    let mut row = Vec::new();
    for id in &mut moment.threads {
        row.clear();
        row.extend_from_slice(machine.rows.get(*id));
        let words = numbers(symmetry, machine, &row);
        if !words.is_empty() {
            words.iter().for_each(|&word| rename(&mut row[word as usize]));
            *id = machine.rows.insert(&row);
        }
    }
}

/// Forgets conditions that do not matter, puts values for inputs that have only one, and numbers the others.
fn rename(machine: &mut Machine, moment: &mut Moment) {
    while let Some(known) = known_inputs(machine, &moment.conditions) {
        substitute(machine, moment, &known);
    }
    let mut n_inputs = moment.inputs();
    loop {
        let roots = roots(machine, moment);
        let Some(by) = simplify::free(machine, &roots, &mut n_inputs) else { break };
        replace(machine, moment, roots.iter().map(|root| by[root]).collect());
    }
    let mut order: Vec<VarId> = Vec::new();
    let mut seen: FxHashSet<VarId> = FxHashSet::default();
    let Machine { oracle, values, rows, .. } = machine;
    let words = moment.shared.iter().copied();
    let words = words.chain(moment.threads.iter().flat_map(|&row| rows.get(row).iter().copied()));
    for term in words.filter_map(value::as_term) {
        let inputs = oracle.inputs(&values.terms, term);
        order.extend(inputs.iter().copied().filter(|&input| seen.insert(input)));
    }
    let mut touched = seen.clone();
    moment.conditions = oracle.touching(&values.terms, &moment.conditions, &mut touched);
    for &condition in &moment.conditions {
        let inputs = oracle.inputs(&values.terms, condition);
        order.extend(inputs.iter().copied().filter(|&input| seen.insert(input)));
    }
    let mut count: FxHashMap<u32, u32> = FxHashMap::default();
    let mut names: FxHashMap<VarId, TermId> = FxHashMap::default();
    let mut is_same = true;
    for input in order {
        let term = values.terms.variable_term(input);
        let bits = values.terms.width(term);
        let number = count.entry(bits).or_insert(0);
        let name = values.input(true, bits, *number);
        *number += 1;
        is_same &= name == term;
        names.insert(input, name);
    }
    if !is_same {
        substitute(machine, moment, &names);
    }
    moment.conditions.sort_unstable();
    moment.conditions.dedup();
}

/// Inputs whose values follow from a single condition.
fn known_inputs(machine: &mut Machine, conditions: &[TermId]) -> Option<FxHashMap<VarId, TermId>> {
    let terms = &mut machine.values.terms;
    let mut known = FxHashMap::default();
    for &condition in conditions {
        let (input, value) = match terms.node(condition) {
            Node::Variable(input) => (input, 1),
            Node::Not(inner) => match terms.node(inner) {
                Node::Variable(input) => (input, 0),
                _ => continue,
            },
            Node::Binary(Op::Eq, a, b) => match (terms.node(a), terms.node(b)) {
                (Node::Variable(input), Node::Constant(value)) => (input, value),
                _ => continue,
            },
            _ => continue,
        };
        let bits = terms.width(terms.variable_term(input));
        known.insert(input, terms.constant(value, bits));
    }
    (!known.is_empty()).then_some(known)
}

/// Puts terms for inputs everywhere.
fn substitute(machine: &mut Machine, moment: &mut Moment, by: &FxHashMap<VarId, TermId>) {
    let roots = roots(machine, moment);
    let new = machine.values.terms.substitute(&roots, &|input| by.get(&input).copied());
    replace(machine, moment, new);
}

/// All terms of a state: those of the threads, the shared ones, the conditions.
fn roots(machine: &Machine, moment: &Moment) -> Vec<TermId> {
    let rows = moment.threads.iter().map(|&row| machine.rows.get(row));
    let words = rows.chain([moment.shared.as_slice()]).flatten().copied().filter_map(value::as_term);
    words.chain(moment.conditions.iter().copied()).collect()
}

/// Puts other terms for those that [`roots`] tells, in the same order.
fn replace(machine: &mut Machine, moment: &mut Moment, new: Vec<TermId>) {
    let Machine { values, rows, .. } = machine;
    let mut new = new.into_iter();
    let mut put = |word: &mut u32| {
        if value::is_term(*word) {
            let term = new.next().expect("there is a new term for each root");
            let value = values.value(term);
            *word = values.encode(value);
        }
    };
    let mut row = Vec::new();
    for id in &mut moment.threads {
        row.clear();
        row.extend_from_slice(rows.get(*id));
        if row.iter().any(|&word| value::is_term(word)) {
            row.iter_mut().for_each(&mut put);
            *id = rows.insert(&row);
        }
    }
    moment.shared.iter_mut().for_each(&mut put);
    moment.conditions.clear();
    for condition in new {
        if let Value::Term(condition) = values.value(condition) {
            push_parts(values, condition, &mut moment.conditions);
        }
    }
}

/// Takes a conjunction apart.
fn push_parts(values: &value::Values, condition: TermId, into: &mut Vec<TermId>) {
    let mut open = vec![condition];
    while let Some(part) = open.pop() {
        match values.terms.node(part) {
            Node::Binary(Op::And, a, b) => open.extend([b, a]),
            _ if into.contains(&part) => {}
            _ => into.push(part),
        }
    }
}
