//! Proofs: patterns that no reachable configuration fits.
//!
//! ↑U are the configurations that fit an element. Accepted iff
//! (1) every configuration that fits a target is in ↑U,
//! (2) no initial configuration is in ↑U,
//! (3) if a step leads from c to a configuration in ↑U, c is in ↑U.
//! By induction on the number of steps no reachable configuration is in ↑U, so none fits a target. With locations that
//! threads pass through, (2) and (3) are about outcomes, see `through`. An element that demands the atomic bit to be 0 also
//! excludes configurations inside of atomic sections that do not matter to it, for which nothing has to be looked at, see
//! `idle`.
//!
//! (1) and (3) are decided exactly, see `before` and `excluded`. For (2): all variables are arbitrary at the start, every
//! thread is at the entry, and the atomic bit is 0. So an initial configuration fits an element iff all of its threads
//! are where threads come out that start, with values that they can have there, there are not more of them than may start,
//! and it does not demand that the bit is 1.

use super::before::Edges;
use super::excluded::Excluded;
use super::idle::Idle;
use super::names::{Bit, Names};
use super::scene::Budget;
use super::through::Through;
use crate::names::place;
use crate::verdict::{Accepted, Condition, Limits, Rejection};
use throng_boolprog::{InitThreads, Pattern, ProgramQuestion};
use throng_cert::Count;
use throng_cert::document::{Configuration, Proof};

/// How many threads an element may have: they are compared one by one.
const MAX_THREADS: u64 = 1_000;

/// Accepts a proof or says which condition it violates first.
pub(super) fn check(
    names: &Names<'_>,
    question: &ProgramQuestion,
    proof: &Proof,
    limits: Limits,
) -> Result<Accepted, Rejection> {
    if !proof.cuts.is_empty() || !proof.traps.is_empty() {
        let reason = "cuts and traps speak about systems, not about programs";
        return Err(Rejection::new(Condition::Form, "the document", reason));
    }
    let through = Through::new(names, question, &proof.through)?;
    let elements = elements(names, &through, &proof.elements, limits)?;
    let mut budget = Budget::new(limits.choices);
    let idle = Idle::new(names.program);
    let excluded = Excluded::new(names.program, &through, &idle, elements.iter().cloned());
    check_targets(names, question, &excluded, &mut budget)?;
    check_initial(names, question, &through, &elements, &mut budget)?;
    let edges = Edges::new(names.program, &through, &idle);
    for (index, element) in elements.iter().enumerate() {
        check_predecessors(names, &edges, &excluded, (index, element), &mut budget)?;
    }
    Ok(Accepted::Proof { elements: proof.elements.len(), cuts: 0 })
}

/// The elements as patterns.
fn elements(
    names: &Names<'_>,
    through: &Through<'_>,
    written: &[Configuration],
    limits: Limits,
) -> Result<Vec<Pattern>, Rejection> {
    let mut room = limits.expanded;
    let elements = written.iter().enumerate().map(|(index, element)| {
        let place = place("element", index);
        let (shared, counted) = names.configuration(&place, element, Bit::Allowed)?;
        through.check_element(names, &place, counted.iter().map(|(thread, _)| thread))?;
        let (mut threads, mut n_threads) = (Vec::new(), 0_u64);
        for (thread, count) in counted {
            let Count::Finite(count) = count else {
                return Err(Rejection::new(Condition::Form, place, "ω has no place outside cover sets"));
            };
            n_threads = n_threads.saturating_add(count);
            if n_threads > MAX_THREADS {
                let reason = format!("has more than {MAX_THREADS} threads");
                return Err(Rejection::new(Condition::Size, place, reason));
            }
            room = room.checked_sub(count).ok_or_else(|| {
                let reason = format!("the elements have more than {} threads", limits.expanded);
                Rejection::new(Condition::Size, &*place, reason)
            })?;
            threads.extend((0..count).map(|_| thread.clone()));
        }
        Ok(Pattern { shared, threads })
    });
    elements.collect()
}

/// Condition (1).
fn check_targets(
    names: &Names<'_>,
    question: &ProgramQuestion,
    excluded: &Excluded<'_>,
    budget: &mut Budget,
) -> Result<(), Rejection> {
    for (index, target) in question.targets.iter().enumerate() {
        let place = place("target", index);
        let outside = excluded.find_outside(target.clone(), budget).map_err(|it| it.at(&*place))?;
        if let Some(part) = outside {
            let reason = format!("{} fits no element", names.show_pattern(&part));
            return Err(Rejection::new(Condition::ProofTarget, place, reason));
        }
    }
    Ok(())
}

/// Condition (2).
fn check_initial(
    names: &Names<'_>,
    question: &ProgramQuestion,
    through: &Through<'_>,
    elements: &[Pattern],
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let entry = names.program.entry();
    for (index, element) in elements.iter().enumerate() {
        let place = place("element", index);
        let n_threads = u128::try_from(element.threads.len()).unwrap_or(u128::MAX);
        let are_enough = match question.threads {
            InitThreads::Exactly(count) => n_threads <= u128::from(count),
            InitThreads::Any => true,
        };
        let mut is_initial = are_enough && element.shared.get(names.program.atomic_bit()) != Some(true);
        for thread in &element.threads {
            is_initial = is_initial
                && thread.location == through.end(entry)
                && !through.back(entry, &thread.locals, budget).map_err(|it| it.at(&*place))?.is_empty();
        }
        if is_initial {
            let reason = format!("initial configurations fit {}", names.show_pattern(element));
            return Err(Rejection::new(Condition::ProofInitial, place, reason));
        }
    }
    Ok(())
}

/// Condition (3) for one element.
fn check_predecessors(
    names: &Names<'_>,
    edges: &Edges<'_>,
    excluded: &Excluded<'_>,
    (index, element): (usize, &Pattern),
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let place = place("element", index);
    let Some(element) = excluded.region(element.clone()) else { return Ok(()) };
    for number in edges.relevant(&element) {
        let mut outside = None;
        let done = edges.predecessors(&element, number, budget, &mut |region, budget| {
            outside = excluded.find_outside(region, budget)?;
            Ok(outside.is_none())
        });
        done.map_err(|trouble| trouble.at(&*place))?;
        if let Some(part) = outside {
            let edge = edges.actions[number].edge;
            let text = names.program.edge_text(edge);
            let reason = format!(
                "{} has the predecessor {} under the step `{}` from `{}`, which fits no element",
                names.show_pattern(&element),
                names.show_pattern(&part),
                text,
                names.program.location_text(edge.from)
            );
            return Err(Rejection::new(Condition::ProofPredecessor, place, reason));
        }
    }
    Ok(())
}
