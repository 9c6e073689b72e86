//! Whether an element describes a state at the start.

use super::facts::Facts;
use super::scene::{ACTOR, Scene, Time, View};
use super::words;
use crate::Rejection;
use throng_base::Budget;
use throng_cfa::invariant::{Element, Literal, Of, PredicateKind};
use throng_solver::{BitSolver, Outcome, TermId};

/// No element does.
pub(super) fn check(facts: &Facts<'_>, budget: &Budget) -> Result<(), Rejection> {
    let program = facts.program;
    let entry = program.templates[program.main.index()].entry;
    let mut scene = Scene::initial(facts);
    for (index, element) in facts.elements.iter().enumerate() {
        // There is one thread, and it stands at the entry of `main`.
        let is_there = element.threads.len() <= 1 && element.threads.iter().all(|&at| at == entry);
        let is_atomic = element.atomic.is_none_or(|is_atomic| is_atomic == facts.is_atomic(entry));
        if !is_there || !is_atomic {
            continue;
        }
        let formulas = literals(&mut scene, element);
        // What the scene has asserted is about numbers of threads.
        let mut solver = BitSolver::default();
        scene.solver.asserted().iter().for_each(|&formula| solver.assert(&scene.terms, formula));
        match solver.check(&scene.terms, &formulas, budget) {
            Outcome::Unsat(_) => {}
            Outcome::Unknown(reason) => return Err(words::stopped(reason)),
            Outcome::Sat(model) => return Err(words::initial(facts, index, &scene, &model)),
        }
    }
    Ok(())
}

fn literals(scene: &mut Scene<'_>, element: &Element) -> Vec<TermId> {
    let all = element.literals.iter();
    all.map(|literal| {
        let truth = truth(scene, literal);
        if literal.value { truth } else { scene.terms.not(truth) }
    })
    .collect()
}

/// The truth of a predicate where there is one thread.
fn truth(scene: &mut Scene<'_>, literal: &Literal) -> TermId {
    let facts = scene.facts;
    let predicate = facts.predicates.get(literal.predicate);
    let time = Time::Before;
    let (active, passive) = match (literal.of, predicate.kind()) {
        // There are no others.
        (Of::Thread(_) | Of::Pair(..), PredicateKind::InterThread) => return scene.terms.truth(true),
        (Of::State, PredicateKind::Universal) => {
            let is_its_code =
                predicate.passive.as_ref().map(|party| party.template) == Some(facts.program.main);
            let scope = facts.scope_of[literal.predicate.index()].filter(|_| is_its_code);
            let counts = scope.map(|scope| scene.in_scope(ACTOR, scope, time));
            if !counts.is_some_and(|counts| scene.terms.is_true(counts)) {
                return scene.terms.truth(true);
            }
            (None, Some(ACTOR))
        }
        (Of::Thread(_), _) => (Some(ACTOR), None),
        _ => (None, None),
    };
    scene.translate(predicate.expression, View { active, passive, time })
}
