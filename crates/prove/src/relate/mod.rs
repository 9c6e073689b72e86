//! What a step does to predicates: all values before and after it that are possible together (eq. 24 and 34 of the thesis), by
//! enumeration of models, projected to the bits that matter, or by clauses that all of them satisfy (`cartesian`).
//!
//! A predicate is *affected* by a step if its value may change. Of the others, those *matter* that share variables with
//! the guard, with what is assigned, or with a predicate that matters. What does not matter stays as it is and is not
//! looked at: that is exact as far as predicates without common variables are independent.
//!
//! If there are more than 64 bits, fewer predicates are looked at, the nearest ones: that allows more steps, never fewer.

mod matter;

use crate::cartesian::{Cube, impossible_cubes};
use crate::scene::{Act, Bit, Others, Scene, Time, Who};
use crate::scopes::Scopes;
use crate::translate::{Mentioned, variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::ControlFlow;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Edge, Effect, LocationId, Program, TemplateId, VariableId};
use throng_cfa::invariant::{PredicateId, PredicateKind, Predicates};
use throng_solver::bits::BitSolver;
use throng_solver::terms::TermId;

/// All values that bits can have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    /// At most 64.
    pub(crate) bits: Vec<Bit>,
    pub(crate) values: Values,
}

/// The values of a relation. Bit i of a model or cube is about `bits[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// These, sorted.
    Models(Vec<u64>),
    /// At most those that are in none of these.
    Except(Vec<Cube>),
}

#[cfg(test)]
impl Relation {
    /// All values, which must have been enumerated.
    pub(crate) fn models(&self) -> &[u64] {
        match &self.values {
            Values::Models(models) => models,
            Values::Except(cubes) => panic!("{} cubes instead of models", cubes.len()),
        }
    }
}

/// Everything about predicates that does not depend on a step.
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) predicates: &'a Predicates,
    pub(crate) scopes: Scopes,
    mentioned: Vec<Mentioned>,
    /// Variables that predicates mention.
    tracked: FxHashSet<VariableId>,
    /// Whether there is only one thread with the code of the first one.
    pub(crate) main_is_single: bool,
    cache: &'a RefCell<Cache>,
}

/// What was found out about steps before. Predicates and scopes keep their numbers when others are added.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// For a step, a passive thread's code, and the predicates that were looked at.
    relations: FxHashMap<(What, Option<TemplateId>, Vec<PredicateId>), Relation>,
    /// For a step and a passive thread's code: values that are impossible together.
    learned: FxHashMap<(What, Option<TemplateId>), Vec<Literals>>,
}

/// Bits with their values.
pub(crate) type Literals = Vec<(Bit, bool)>;

/// A step, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    Edge(LocationId, usize),
    Begin { template: TemplateId, first: bool },
}

impl<'a> Context<'a> {
    pub(crate) fn new(program: &'a Program, predicates: &'a Predicates, cache: &'a RefCell<Cache>) -> Self {
        let mentioned: Vec<Mentioned> =
            predicates.list.iter().map(|it| variables(&predicates.expressions, it.expression)).collect();
        let tracked = mentioned.iter().flat_map(|it| it.own.iter().chain(&it.passive)).copied().collect();
        let starts_main = |edge: &Edge| matches!(&edge.effect, Some(Effect::Spawn { template, .. }) if *template == program.main);
        let main_is_single = !program.edges.iter().any(starts_main);
        let scopes = Scopes::new(program, predicates);
        Self { program, predicates, scopes, mentioned, tracked, main_is_single, cache }
    }

    /// All predicates.
    pub(crate) fn ids(&self) -> impl Iterator<Item = PredicateId> + use<> {
        PredicateId::all(self.predicates.list.len())
    }

    /// What a step does to the state and to the acting thread.
    pub(crate) fn active(
        &self,
        act: Act<'_>,
        others: Others,
        limits: Limits<'_>,
    ) -> Result<Relation, StopReason> {
        let template = self.template(act);
        let affected = self.affected(act);
        let among: Vec<PredicateId> = self.ids().filter(|&id| self.belongs(id, template)).collect();
        let matter = self.nearest(self.looks_at(act), &affected, &among);
        self.fit(matter.len(), affected.len(), |n| {
            let matter = &matter[..n];
            self.remembered(act, None, matter, || {
                let bits = self.acting_bits(act, matter, &affected);
                let scene = Scene::new(self.program, self.predicates, &self.scopes, act, others);
                values(scene, bits, limits)
            })
        })
    }

    /// What a step does to a passive thread of this code, together with the state and the acting thread; `None` if
    /// nothing and nobody can notice.
    pub(crate) fn passive(
        &self,
        act: Act<'_>,
        passive: TemplateId,
        others: Others,
        limits: Limits<'_>,
    ) -> Result<Option<Relation>, StopReason> {
        let template = self.template(act);
        let affected = self.affected_passive(act, passive);
        let changed = self.affected(act);
        let theirs: Vec<PredicateId> =
            self.ids().filter(|&id| self.predicates.get(id).active == Some(passive)).collect();
        let mine: Vec<PredicateId> = self.ids().filter(|&id| self.belongs(id, template)).collect();
        let mut among = mine.clone();
        among.extend(theirs.iter().filter(|id| !mine.contains(id)));
        // Only what is changed can be noticed: otherwise the threads agree about the state before the step already.
        let is_step = edge_of(act).is_some();
        let first: Vec<PredicateId> = affected.iter().chain(&changed).copied().collect();
        let matter = self.nearest(self.looks_at(act), &dedup(first), &among);
        let noticed = matter.iter().any(|id| theirs.contains(id));
        if is_first(act) || affected.is_empty() && (!noticed || !is_step) {
            return Ok(None);
        }
        let relation = self.fit(matter.len(), affected.len(), |n| {
            let matter = &matter[..n];
            self.remembered(act, Some(passive), matter, || {
                let of_acting: Vec<PredicateId> =
                    matter.iter().copied().filter(|id| mine.contains(id)).collect();
                let mut bits = self.acting_bits(act, &of_acting, &changed);
                let of_passive: Vec<PredicateId> =
                    matter.iter().copied().filter(|id| theirs.contains(id)).collect();
                bits.extend(passive_bits(&of_passive, &affected));
                bits.extend(self.count_bits(passive, matter));
                let mut scene = Scene::new(self.program, self.predicates, &self.scopes, act, others);
                scene.add_passive(passive);
                values(scene, bits, limits)
            })
        })?;
        Ok(Some(relation))
    }

    /// Bits of the state and of the acting thread.
    fn acting_bits(&self, act: Act<'_>, matter: &[PredicateId], affected: &[PredicateId]) -> Vec<Bit> {
        let mut bits = Vec::new();
        for &id in matter {
            let who = self.owner(id);
            // What begins had no values before, and what begins first nothing at all.
            let is_new = edge_of(act).is_none() && (who == Who::Active || is_first(act));
            if !is_new {
                bits.push(Bit::Value { predicate: id, who, time: Time::Before });
            }
            if affected.contains(&id) {
                bits.push(Bit::Value { predicate: id, who, time: Time::After });
            }
        }
        bits
    }

    /// Where a passive thread counts, as far as these predicates depend on it.
    fn count_bits(&self, passive: TemplateId, matter: &[PredicateId]) -> impl Iterator<Item = Bit> + use<> {
        let scopes = matter.iter().filter(|&&id| self.predicates.get(id).passive.is_some());
        let mut scopes: Vec<usize> = scopes.map(|&id| self.scopes.of(id)).collect();
        scopes
            .retain(|&scope| self.scopes.template(scope) == passive && scope >= self.program.templates.len());
        scopes.sort_unstable();
        scopes.dedup();
        scopes.into_iter().map(Bit::Counts)
    }

    /// All bits of the state and of the acting thread.
    pub(crate) fn bits_of_acting(&self, act: Act<'_>) -> Vec<Bit> {
        let template = self.template(act);
        let all: Vec<PredicateId> = self.ids().filter(|&id| self.belongs(id, template)).collect();
        self.acting_bits(act, &all, &self.affected(act))
    }

    /// All bits of a passive thread.
    pub(crate) fn bits_of_passive(&self, act: Act<'_>, passive: TemplateId) -> Vec<Bit> {
        let theirs = self.ids().filter(|&id| self.predicates.get(id).active == Some(passive));
        let theirs: Vec<PredicateId> = theirs.collect();
        let mut bits = passive_bits(&theirs, &self.affected_passive(act, passive));
        let all: Vec<PredicateId> = self.ids().collect();
        bits.extend(self.count_bits(passive, &all));
        bits
    }

    /// Whether nobody of this code watches the step: the first thread is the only one of its code.
    pub(crate) fn is_alone(&self, act: Act<'_>, passive: TemplateId) -> bool {
        self.main_is_single && passive == self.program.main && passive == self.template(act)
    }

    /// Remembers that values are impossible together; whether that is new.
    pub(crate) fn learn(&self, act: Act<'_>, passive: Option<TemplateId>, values: Literals) -> bool {
        let mut cache = self.cache.borrow_mut();
        let known = cache.learned.entry((self.what(act), passive)).or_default();
        let is_new = !known.contains(&values);
        if is_new {
            known.push(values);
        }
        is_new
    }

    /// Values that were found to be impossible together.
    pub(crate) fn learned(&self, act: Act<'_>, passive: Option<TemplateId>) -> Vec<Literals> {
        self.cache.borrow().learned.get(&(self.what(act), passive)).cloned().unwrap_or_default()
    }

    fn what(&self, act: Act<'_>) -> What {
        match act {
            Act::Begin { template, first } => What::Begin { template, first },
            Act::Edge(edge) => {
                let index = self.program.edges_from(edge.from).position(|(_, it)| std::ptr::eq(it, edge));
                What::Edge(edge.from, index.unwrap_or(usize::MAX))
            }
        }
    }

    /// A relation that was computed before, or a new one.
    fn remembered(
        &self,
        act: Act<'_>,
        passive: Option<TemplateId>,
        matter: &[PredicateId],
        make: impl FnOnce() -> Result<Option<Relation>, StopReason>,
    ) -> Result<Option<Relation>, StopReason> {
        let mut sorted = matter.to_vec();
        sorted.sort_unstable();
        let key = (self.what(act), passive, sorted);
        if let Some(known) = self.cache.borrow().relations.get(&key) {
            return Ok(Some(known.clone()));
        }
        let made = make()?;
        if let Some(made) = &made {
            self.cache.borrow_mut().relations.insert(key, made.clone());
        }
        Ok(made)
    }

    /// Who has the bit of a predicate, if it is not the passive thread's.
    pub(crate) fn owner(&self, id: PredicateId) -> Who {
        match self.predicates.get(id).kind() {
            PredicateKind::Shared | PredicateKind::Universal => Who::State,
            PredicateKind::SingleThread | PredicateKind::InterThread => Who::Active,
        }
    }

    /// Tries with fewer and fewer predicates until the values can be enumerated.
    fn fit(
        &self,
        most: usize,
        least: usize,
        mut attempt: impl FnMut(usize) -> Result<Option<Relation>, StopReason>,
    ) -> Result<Relation, StopReason> {
        let mut n = most;
        loop {
            if let Some(relation) = attempt(n)? {
                return Ok(relation);
            }
            if n == 0 {
                // Nothing is known about the step: everything that it may change is arbitrary.
                return Ok(Relation { bits: Vec::new(), values: Values::Except(Vec::new()) });
            }
            n = if n > least { least.max(n - (n / 4).max(1)) } else { n / 2 };
        }
    }
}

/// How exact relations are, and how long they may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) max_models: usize,
    pub(crate) max_cube_length: usize,
    pub(crate) budget: &'a Budget,
}

/// What is known about the values of the bits in a scene; `None` if there are too many bits.
fn values(mut scene: Scene<'_>, bits: Vec<Bit>, limits: Limits<'_>) -> Result<Option<Relation>, StopReason> {
    if bits.len() > 64 {
        return Ok(None);
    }
    let terms: Vec<TermId> = bits.iter().map(|&bit| scene.term(bit)).collect();
    scene.close();
    let mut solver = BitSolver::default();
    scene.holds.iter().for_each(|&it| solver.assert(&scene.terms, it));
    let mut models = Vec::new();
    let flow = solver.for_each_model(&scene.terms, &[], &terms, limits.budget, |values| {
        let model = values.iter().enumerate().map(|(index, &value)| (value as u64) << index);
        models.push(model.sum::<u64>());
        if models.len() > limits.max_models { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let values = if flow.is_continue() {
        models.sort_unstable();
        Values::Models(models)
    } else {
        let most = limits.max_cube_length;
        Values::Except(impossible_cubes(&mut solver, &mut scene.terms, &terms, models, most, limits.budget)?)
    };
    Ok(Some(Relation { bits, values }))
}

/// Bits of a passive thread.
fn passive_bits(matter: &[PredicateId], affected: &[PredicateId]) -> Vec<Bit> {
    let mut bits = Vec::new();
    for &predicate in matter {
        bits.push(Bit::Value { predicate, who: Who::Passive, time: Time::Before });
        if affected.contains(&predicate) {
            bits.push(Bit::Value { predicate, who: Who::Passive, time: Time::After });
        }
    }
    bits
}

fn dedup(mut list: Vec<PredicateId>) -> Vec<PredicateId> {
    let mut seen = FxHashSet::default();
    list.retain(|&id| seen.insert(id));
    list
}

fn edge_of(act: Act<'_>) -> Option<&Edge> {
    match act {
        Act::Edge(edge) => Some(edge),
        Act::Begin { .. } => None,
    }
}

pub(crate) fn is_first(act: Act<'_>) -> bool {
    matches!(act, Act::Begin { first: true, .. })
}
