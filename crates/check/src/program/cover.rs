//! Cover sets: crowds that contain the initial configurations, are closed under steps and avoid the targets.
//!
//! ↓E are the configurations of the elements, read universally: threads can be assigned to the groups of an element, and
//! the shared variables agree with it. Accepted iff
//! (1) every initial configuration is in ↓E,
//! (2) no configuration in ↓E fits a target,
//! (3) if a step leads from a configuration in ↓E to c, then c is in ↓E.
//! By induction on the number of steps every reachable configuration is in ↓E, so none fits a target. With locations that
//! threads pass through, (1) and (3) are about outcomes, see `through`. All conditions are decided exactly: (1) and (3)
//! see `inside` and `after`.
//!
//! For (2): some configuration of an element fits a target iff their shared literals do not contradict, the threads of the
//! target can be different threads of the element, and such a configuration exists. It has at most one thread at an
//! atomic location, none if the bit is 0, and if the bit must be 1 and the target's threads are elsewhere, the
//! element has a group at an atomic location.

use super::after::Successors;
use super::inside::{Crowd, Group, Inside, distributions};
use super::matching;
use super::names::{Bit, Names};
use super::scene::Budget;
use super::step::Action;
use super::through::Through;
use crate::bag::OMEGA;
use crate::names::place;
use crate::verdict::{Accepted, Condition, Limits, Rejection, Trouble};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern};
use throng_cert::Count;
use throng_cert::document::CoverSet;

/// Accepts a cover set or says which condition it violates first.
pub(super) fn check(
    names: &Names<'_>,
    question: &ProgramQuestion,
    set: &CoverSet,
    limits: Limits,
) -> Result<Accepted, Rejection> {
    let program = names.program;
    let through = Through::new(names, question, &set.through)?;
    let elements = elements(names, &through, set)?;
    let mut budget = Budget::new(limits.choices);
    let inside = Inside::new(elements.clone());
    check_initial(names, question, &through, &inside, &mut budget)?;
    for (index, element) in elements.iter().enumerate() {
        if let Some(target) = question.targets.iter().find(|target| meets(program, element, target)) {
            let reason = format!(
                "{} has configurations that fit {}",
                show(names, element),
                names.show_pattern(target)
            );
            return Err(Rejection::new(Condition::CoverTarget, place("element", index), reason));
        }
    }
    let outside = program.edges().iter().filter(|edge| !through.contains(edge.from));
    let mut actions: Vec<Vec<Action<'_>>> = vec![Vec::new(); program.locations().len()];
    outside.for_each(|&edge| actions[edge.from.index()].push(Action::new(program, edge)));
    let mentioned = mentioned(&elements, &through);
    let successors = Successors { program, through: &through, inside: &inside, mentioned };
    for (index, element) in elements.iter().enumerate() {
        check_successors(names, &successors, &actions, (index, element), &mut budget)?;
    }
    Ok(Accepted::CoverSet { elements: set.elements.len() })
}

/// The elements as crowds.
fn elements(names: &Names<'_>, through: &Through<'_>, set: &CoverSet) -> Result<Vec<Crowd>, Rejection> {
    let elements = set.elements.iter().enumerate().map(|(index, element)| {
        let place = place("element", index);
        let (shared, counted) = names.configuration(&place, element, Bit::Allowed)?;
        through.check_element(names, &place, counted.iter().map(|(thread, _)| thread))?;
        let groups = counted.into_iter().map(|(thread, count)| match count {
            Count::Omega => Ok((thread, OMEGA)),
            Count::Finite(OMEGA) => Err(Trouble::Overflow.at(&*place)),
            Count::Finite(count) => Ok((thread, count)),
        });
        let crowd = Crowd { shared, groups: groups.collect::<Result<Vec<Group>, Rejection>>()? };
        crowd.merged().map_err(|trouble| trouble.at(&*place))
    });
    elements.collect()
}

/// The local variables that elements mention, or that are read where threads pass through.
fn mentioned(elements: &[Crowd], through: &Through<'_>) -> Cube {
    let groups = elements.iter().flat_map(|element| &element.groups);
    let mut mentioned: Cube = groups.flat_map(|(thread, _)| thread.locals.iter()).collect();
    through.variables().for_each(|index| mentioned.set(index, true));
    mentioned
}

/// Condition (1).
fn check_initial(
    names: &Names<'_>,
    question: &ProgramQuestion,
    through: &Through<'_>,
    inside: &Inside,
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let place = "the initial configurations";
    let entry = names.program.entry();
    let count = match question.threads {
        InitThreads::Exactly(count) => count.into(),
        InitThreads::Any => OMEGA,
    };
    let find = |budget: &mut Budget| -> Result<Option<Crowd>, Trouble> {
        let location = through.end(entry);
        let starts = through.forth(entry, &Cube::any(), budget)?;
        let starts: Vec<ThreadPattern> =
            starts.into_iter().map(|locals| ThreadPattern { location, locals }).collect();
        for groups in distributions(&starts, count, budget)? {
            let shared = Cube::any().with(names.program.atomic_bit(), false);
            let outside = inside.find_outside(Crowd { shared, groups }, budget)?;
            if outside.is_some() {
                return Ok(outside);
            }
        }
        Ok(None)
    };
    match find(budget).map_err(|trouble| trouble.at(place))? {
        None => Ok(()),
        Some(part) => {
            let reason = format!("{} is in no element", show(names, &part));
            Err(Rejection::new(Condition::CoverInitial, place, reason))
        }
    }
}

/// Condition (2): whether a configuration of the element fits the target.
fn meets(program: &Program, element: &Crowd, target: &Pattern) -> bool {
    let is_atomic = |at: LocationId| program.location(at).is_atomic;
    let Some(shared) = element.shared.and(&target.shared) else { return false };
    let n_atomic = target.threads.iter().filter(|thread| is_atomic(thread.location)).count();
    let has_atomic = || element.groups.iter().any(|(thread, _)| is_atomic(thread.location));
    let exists = match (n_atomic, shared.get(program.atomic_bit())) {
        (0, Some(true)) => has_atomic(),
        (0, _) => true,
        (1, bit) => bit != Some(false),
        _ => false,
    };
    let counts: Vec<u64> = element.groups.iter().map(|&(_, count)| count).collect();
    let fits = |demand: usize, kind: usize| {
        let (wanted, (thread, _)) = (&target.threads[demand], &element.groups[kind]);
        wanted.location == thread.location && wanted.locals.meets(&thread.locals)
    };
    exists && matching::exists(target.threads.len(), &counts, fits)
}

/// Condition (3) for one element.
fn check_successors(
    names: &Names<'_>,
    successors: &Successors<'_>,
    actions: &[Vec<Action<'_>>],
    (index, element): (usize, &Crowd),
    budget: &mut Budget,
) -> Result<(), Rejection> {
    let place = place("element", index);
    for (number, (thread, _)) in element.groups.iter().enumerate() {
        for action in &actions[thread.location.index()] {
            let outside = successors.find_outside(element, action, number, budget);
            if let Some(part) = outside.map_err(|trouble| trouble.at(&*place))? {
                let reason = format!(
                    "{} has the successor {} under the step `{}` from `{}`, which is in no element",
                    show(names, element),
                    show(names, &part),
                    names.program.edge_text(action.edge),
                    names.program.location_text(action.edge.from)
                );
                return Err(Rejection::new(Condition::CoverSuccessor, place, reason));
            }
        }
    }
    Ok(())
}

/// A crowd, for messages.
fn show(names: &Names<'_>, crowd: &Crowd) -> String {
    let groups = crowd.groups.iter().map(|(thread, count)| {
        let thread = names.show_thread(thread.location, &thread.locals);
        match *count {
            1 => thread,
            OMEGA => format!("{thread}*ω"),
            count => format!("{thread}*{count}"),
        }
    });
    format!("`{}|{}`", names.show_shared(&crowd.shared), groups.collect::<Vec<_>>().join(","))
}
