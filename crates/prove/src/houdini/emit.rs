//! Facts as elements of an invariant: what no reachable state looks like.

use super::lists::Lists;
use super::slots::{Fact, Slot, Slots};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{ExpressionId, LocationId, Program, TemplateId};
use throng_cfa::invariant::{
    Count, Element, Invariant, Literal, Of, Party, Predicate, PredicateId, Predicates,
};

/// A predicate without its scope.
type Key = (ExpressionId, Option<TemplateId>, Option<TemplateId>);

/// The invariant that says these facts.
pub(super) fn invariant(
    program: &Program,
    lists: &Lists,
    slots: &Slots,
    facts: &[Fact],
    counts: &[Count],
) -> Invariant {
    let mut predicates: Vec<(Key, Vec<LocationId>)> = Vec::new();
    let mut index: FxHashMap<Key, usize> = FxHashMap::default();
    let mut elements = Vec::new();
    for &fact in facts {
        let slot = slots.get(fact.slot).slot;
        let threads = match slot {
            Slot::Global => Vec::new(),
            Slot::At(location) => vec![location],
            Slot::Pair(a, b) => vec![a, b],
        };
        let literal = fact.candidate.map(|candidate| {
            let (key, of, passive) = condition(program, lists, slot, candidate);
            let number = *index.entry(key).or_insert_with(|| {
                predicates.push((key, Vec::new()));
                predicates.len() - 1
            });
            predicates[number].1.extend(passive);
            Literal { predicate: PredicateId::new(number), of, value: false }
        });
        elements.push(Element { atomic: None, threads, literals: literal.into_iter().collect() });
    }
    let list = predicates.into_iter().map(|((expression, active, passive), mut scope)| {
        scope.sort_unstable();
        scope.dedup();
        Predicate { expression, active, passive: passive.map(|template| Party { template, scope }) }
    });
    let predicates = Predicates { expressions: lists.expressions.clone(), list: list.collect() };
    Invariant { counts: counts.to_vec(), predicates, elements }
}

/// The predicate that a candidate of a slot is, for whom, and where the passive thread stands.
fn condition(
    program: &Program,
    lists: &Lists,
    slot: Slot,
    candidate: usize,
) -> (Key, Of, Option<LocationId>) {
    match slot {
        Slot::Global => ((lists.global[candidate], None, None), Of::State, None),
        Slot::At(location) => {
            let template = program.location(location).template;
            ((lists.single[template.index()][candidate], Some(template), None), Of::Thread(0), None)
        }
        Slot::Pair(a, b) => {
            let (active, passive) = (program.location(a).template, program.location(b).template);
            let expression = lists.pair[&(active, passive)][candidate];
            ((expression, Some(active), Some(passive)), Of::Pair(0, 1), Some(b))
        }
    }
}
