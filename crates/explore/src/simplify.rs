//! Keeps terms small, so that a program with finitely many states has finitely many states here, and few.
//!
//! * An input that occurs once, under an operation that can be undone (`i + t`, `i ^ t`, `~i`), makes the result as arbitrary as
//!   itself: it becomes an input ([`free`]).
//! * If a state has large terms that can only have few values, it is taken apart into states with numbers ([`split`]).
//!
//! Both are exact.

use crate::machine::{Machine, Moment};
use crate::value::{self, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_solver::terms::{Node, Op};
use throng_solver::{BitSolver, Outcome, TermId, Terms};

/// States with so many bits in terms may be taken apart, from so many subterms on.
const LIMITS: [(u32, usize); 2] = [(8, 8), (16, 40)];
/// Into how many states.
const MOST_PARTS: usize = 300;

/// The different terms of a state.
fn terms_of(machine: &Machine, moment: &Moment) -> Vec<TermId> {
    let rows = moment.threads.iter().map(|&row| machine.rows.get(row));
    let words = rows.chain([moment.shared.as_slice()]).flatten();
    let mut terms: Vec<TermId> = words.copied().filter_map(value::as_term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Takes a state whose terms are too large for the few values that they can have apart into states with numbers; nothing
/// happens to others, and if the budget ends.
pub(crate) fn split(machine: &mut Machine, moment: Moment, parts: &mut Vec<Moment>) {
    let terms = terms_of(machine, &moment);
    let bits: u32 = terms.iter().map(|&term| machine.values.terms.width(term)).sum();
    let limit = LIMITS.iter().find(|(most, _)| bits <= *most);
    let is_large = limit.is_some_and(|&(_, size)| {
        let roots: Vec<TermId> = terms.iter().chain(&moment.conditions).copied().collect();
        machine.values.terms.subterms(&roots).len() > size
    });
    let all = if is_large && !terms.is_empty() { valuations(machine, &moment, &terms) } else { None };
    let Some(all) = all else {
        parts.push(moment);
        return;
    };
    for numbers in all {
        let by: FxHashMap<TermId, u128> = terms.iter().copied().zip(numbers).collect();
        let mut part = moment.clone();
        part.conditions.clear();
        let put = |word: &mut u32, machine: &mut Machine| {
            if let Some(term) = value::as_term(*word) {
                *word = machine.values.encode(Value::Known(by[&term]));
            }
        };
        part.shared.iter_mut().for_each(|word| put(word, machine));
        for id in &mut part.threads {
            let mut row = machine.rows.get(*id).to_vec();
            row.iter_mut().for_each(|word| put(word, machine));
            *id = machine.rows.insert(&row);
        }
        parts.push(part);
    }
}

/// All values that terms can have together under the conditions of a state; `None` if there are too many.
fn valuations(machine: &mut Machine, moment: &Moment, terms: &[TermId]) -> Option<Vec<Vec<u128>>> {
    let budget = machine.budget().clone();
    let mut solver = BitSolver::default();
    let all = &mut machine.values.terms;
    moment.conditions.iter().for_each(|&condition| solver.assert(all, condition));
    let mut found = Vec::new();
    loop {
        match solver.check(all, &[], &budget) {
            Outcome::Unsat(_) => {
                found.sort_unstable();
                return Some(found);
            }
            Outcome::Unknown(_) => return None,
            Outcome::Sat(model) => {
                let values = model.values(all, terms);
                let mut others = Vec::new();
                for (&term, &value) in terms.iter().zip(&values) {
                    let number = all.constant(value, all.width(term));
                    others.push(all.ne(term, number));
                }
                let is_other = all.or_all(others);
                solver.assert(all, is_other);
                found.push(values);
            }
        }
        if found.len() > MOST_PARTS {
            return None;
        }
    }
}

/// What becomes of terms when those are replaced by inputs that are as arbitrary as one.
pub(crate) fn free(
    machine: &mut Machine,
    roots: &[TermId],
    next_input: &mut u32,
) -> Option<FxHashMap<TermId, TermId>> {
    let terms = &machine.values.terms;
    let all = terms.subterms(roots);
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    let distinct: FxHashSet<TermId> = roots.iter().copied().collect();
    for &term in all.iter().filter(|term| distinct.contains(term)) {
        *uses.entry(term).or_insert(0) += 1;
    }
    for &term in &all {
        terms.node(term).parts().for_each(|part| *uses.entry(part).or_insert(0) += 1);
    }
    let mut is_free: FxHashSet<TermId> = FxHashSet::default();
    let mut is_any = false;
    for &term in &all {
        let is_once = |part: TermId| is_free.contains(&part) && uses[&part] == 1;
        let is_arbitrary = match terms.node(term) {
            Node::Variable(_) => true,
            Node::Not(a) => is_once(a),
            Node::Binary(Op::Add | Op::Sub | Op::Xor, a, b) => a != b && (is_once(a) || is_once(b)),
            Node::Binary(Op::Mul, a, b) => {
                is_once(a) && terms.as_constant(b).is_some_and(|factor| factor % 2 == 1)
            }
            _ => false,
        };
        if is_arbitrary {
            is_any |= !matches!(terms.node(term), Node::Variable(_));
            is_free.insert(term);
        }
    }
    if !is_any {
        return None;
    }
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &term in &all {
        let node = machine.values.terms.node(term);
        let replaced = if matches!(node, Node::Variable(_)) {
            term
        } else if is_free.contains(&term) {
            *next_input += 1;
            let bits = machine.values.terms.width(term);
            machine.values.input(false, bits, *next_input)
        } else {
            rebuild(&mut machine.values.terms, term, &new)
        };
        new.insert(term, replaced);
    }
    Some(new)
}

fn rebuild(terms: &mut Terms, term: TermId, new: &FxHashMap<TermId, TermId>) -> TermId {
    let width = terms.width(term);
    match terms.node(term) {
        Node::Constant(_) | Node::Variable(_) => term,
        Node::Not(a) => terms.not(new[&a]),
        Node::Binary(op, a, b) => terms.binary(op, new[&a], new[&b]),
        Node::Ite(a, b, c) => terms.ite(new[&a], new[&b], new[&c]),
        Node::ZeroExtend(a) => terms.zext(new[&a], width),
        Node::SignExtend(a) => terms.sext(new[&a], width),
        Node::Extract(a, low) => terms.extract(new[&a], low + width - 1, low),
    }
}
