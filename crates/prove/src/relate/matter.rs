//! Which predicates a step may change, and which matter for what it does.

use super::{Context, edge_of, is_first};
use crate::scene::Act;
use crate::translate::variables;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{Edge, Effect, LocationId, Scope, TemplateId, VariableId};
use throng_cfa::invariant::PredicateId;

impl Context<'_> {
    /// Whether a predicate is one of the state, or of threads of this code.
    pub(super) fn belongs(&self, id: PredicateId, template: TemplateId) -> bool {
        self.predicates.get(id).active.is_none_or(|active| active == template)
    }

    /// The predicates of the state and of the acting thread that a step may change.
    pub(crate) fn affected(&self, act: Act<'_>) -> Vec<PredicateId> {
        let (template, edge) = (self.template(act), edge_of(act));
        let is_affected = |&id: &PredicateId| {
            let predicate = self.predicates.get(id);
            if edge.is_none() && (predicate.active == Some(template) || is_first(act)) {
                return true;
            }
            let written = |list: &[VariableId]| edge.is_some_and(|edge| writes(edge, list));
            let mentioned = &self.mentioned[id.index()];
            written(&mentioned.own) || self.others_change(id, act, predicate.active.is_none())
        };
        self.ids().filter(|&id| self.belongs(id, template)).filter(is_affected).collect()
    }

    /// The predicates of a passive thread of this code that a step may change.
    pub(crate) fn affected_passive(&self, act: Act<'_>, passive: TemplateId) -> Vec<PredicateId> {
        let is_affected = |&id: &PredicateId| {
            let Some(edge) = edge_of(act) else { return self.others_change(id, act, true) };
            let mentioned = &self.mentioned[id.index()];
            let shared: Vec<VariableId> =
                mentioned.own.iter().copied().filter(|&it| self.is_shared(it)).collect();
            let updated = updated(edge, passive);
            writes(edge, &shared)
                || mentioned.own.iter().any(|it| updated.contains(it))
                || self.others_change(id, act, true)
        };
        let own = self.ids().filter(|&id| self.predicates.get(id).active == Some(passive));
        own.filter(is_affected).collect()
    }

    /// Whether a step may change what a predicate says of passive threads: of the acting one, if that may be one, or of those that
    /// the step updates.
    pub(super) fn others_change(&self, id: PredicateId, act: Act<'_>, acting_counts: bool) -> bool {
        let Some(party) = &self.predicates.get(id).passive else { return false };
        let mentioned = &self.mentioned[id.index()].passive;
        let scope = self.scopes.of(id);
        let is_in = |location: LocationId| self.scopes.contains(scope, location);
        let acting = acting_counts
            && party.template == self.template(act)
            && match act {
                Act::Begin { template, .. } => is_in(self.program.templates[template.index()].entry),
                Act::Edge(edge) => {
                    is_in(edge.to) && (!is_in(edge.from) || writes(edge, mentioned))
                        || is_in(edge.from) && !is_in(edge.to)
                }
            };
        let updates = edge_of(act).map(|edge| updated(edge, party.template)).unwrap_or_default();
        acting || mentioned.iter().any(|it| updates.contains(it))
    }

    pub(super) fn is_shared(&self, variable: VariableId) -> bool {
        self.program.variable(variable).scope == Scope::Shared
    }

    pub(crate) fn template(&self, act: Act<'_>) -> TemplateId {
        match act {
            Act::Edge(edge) => self.program.location(edge.from).template,
            Act::Begin { template, .. } => template,
        }
    }

    /// What a step looks at: its guard, and what is assigned to variables that predicates mention.
    pub(super) fn looks_at(&self, act: Act<'_>) -> FxHashSet<VariableId> {
        let Some(edge) = edge_of(act) else { return FxHashSet::default() };
        let tracked = edge.assignments.iter().filter(|it| self.tracked.contains(&it.target));
        let values = tracked.clone().map(|it| it.value);
        let indexes = tracked.clone().filter_map(|it| it.index);
        let expressions = std::iter::once(edge.guard).chain(values).chain(indexes);
        let mut all: FxHashSet<VariableId> =
            expressions.flat_map(|it| variables(&self.program.expressions, it).own).collect();
        all.extend(tracked.map(|it| it.target));
        all
    }

    /// The candidates that matter, nearest first.
    pub(super) fn nearest(
        &self,
        seed: FxHashSet<VariableId>,
        first: &[PredicateId],
        among: &[PredicateId],
    ) -> Vec<PredicateId> {
        let mut known = seed;
        let mut order: Vec<PredicateId> = first.to_vec();
        let all = |id: PredicateId| {
            let it = &self.mentioned[id.index()];
            it.own.iter().chain(&it.passive).copied()
        };
        first.iter().for_each(|&id| known.extend(all(id)));
        loop {
            let near: Vec<PredicateId> = among
                .iter()
                .copied()
                .filter(|id| !order.contains(id) && all(*id).any(|it| known.contains(&it)))
                .collect();
            if near.is_empty() {
                return order;
            }
            near.iter().for_each(|&id| known.extend(all(id)));
            order.extend(near);
        }
    }
}

/// Whether an edge assigns to one of these variables.
fn writes(edge: &Edge, variables: &[VariableId]) -> bool {
    edge.assignments.iter().any(|it| variables.contains(&it.target))
}

/// The variables of others that an edge may change.
fn updated(edge: &Edge, template: TemplateId) -> FxHashSet<VariableId> {
    let (Some(Effect::Broadcast(updates)) | Some(Effect::Signal(updates))) = &edge.effect else {
        return FxHashSet::default();
    };
    let theirs = updates.iter().filter(|update| update.template == template);
    theirs.flat_map(|update| update.assignments.iter().map(|&(variable, _)| variable)).collect()
}
