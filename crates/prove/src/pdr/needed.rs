//! What of an invariant matters for the errors, as evidence.

use super::cube::{Cube, Lit};
use super::{Pdr, key};
use crate::houdini::Whom;
use rustc_hash::FxHashMap;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{ExpressionId, LocationId, TemplateId};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Party, Predicate, PredicateId, Predicates};

/// The invariant that all that is excluded makes, without what is not needed.
pub(super) fn invariant(pdr: &mut Pdr<'_>, budget: &Budget) -> Result<Invariant, StopReason> {
    let mut waiting = pdr.errors();
    let mut is_needed = vec![false; pdr.frames.lemmas.len()];
    let mut cubes: Vec<Cube> = Vec::new();
    while let Some(cube) = waiting.pop() {
        for task in pdr.steps.to(&pdr.table, &cube) {
            budget.check()?;
            let mut stage = pdr.take(&task);
            let question = pdr.question(&cube, &task, 2);
            let reasons = stage.reasons(&question, &is_needed, budget);
            pdr.stages.insert(key(pdr.program, &task), stage);
            for lemma in reasons? {
                if !is_needed[lemma] {
                    is_needed[lemma] = true;
                    let found = &pdr.frames.lemmas[lemma].0;
                    if !waiting.contains(found) && !cubes.contains(found) && *found != cube {
                        waiting.push(found.clone());
                    }
                }
            }
        }
        cubes.push(cube);
    }
    Ok(emit(pdr, &cubes))
}

/// A predicate without its scope.
type Key = (ExpressionId, Option<TemplateId>, Option<TemplateId>);

fn emit(pdr: &Pdr<'_>, cubes: &[Cube]) -> Invariant {
    let mut list: Vec<(Key, Vec<LocationId>)> = Vec::new();
    let mut index: FxHashMap<Key, usize> = FxHashMap::default();
    let mut elements = Vec::new();
    for cube in cubes {
        let template = |it: usize| pdr.program.location(cube.threads[it]).template;
        let mut literals = Vec::new();
        for &Lit { expression, whom, value } in &cube.lits {
            let (active, passive, of) = match whom {
                Whom::Nobody => (None, None, Of::State),
                Whom::Thread(a) => (Some(template(a)), None, Of::Thread(a)),
                Whom::Threads(a, b) => {
                    (Some(template(a)), Some((template(b), cube.threads[b])), Of::Pair(a, b))
                }
            };
            let key = (expression, active, passive.map(|(template, _)| template));
            let number = *index.entry(key).or_insert_with(|| {
                list.push((key, Vec::new()));
                list.len() - 1
            });
            list[number].1.extend(passive.map(|(_, at)| at));
            literals.push(Literal { predicate: PredicateId::new(number), of, value });
        }
        elements.push(Element { atomic: None, threads: cube.threads.clone(), literals });
    }
    let list = list.into_iter().map(|((expression, active, passive), mut scope)| {
        scope.sort_unstable();
        scope.dedup();
        Predicate { expression, active, passive: passive.map(|template| Party { template, scope }) }
    });
    let predicates = Predicates { expressions: pdr.table.clone(), list: list.collect() };
    Invariant { counts: pdr.counting.counts.clone(), predicates, elements }
}
