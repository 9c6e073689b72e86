//! Duplicate and dominated rules.
//!
//! Projected to the cone, r₂ *dominates* r₁ if both have the same `from`, `to` and moves, take₂ ≤ take₁, and
//! put₁ ≤ put₂ + (take₁ − take₂ without the sources of moves). Then whatever r₁ leads to from c is covered by
//! something that r₂ leads to from c: r₂ is enabled where r₁ is, the passive threads of r₁ are passive in r₂ too
//! and may go the same ways, and the others that r₂ leaves are where r₁ puts its threads. **(D)** So minimal
//! predecessors of a configuration under r₁ are above ones under r₂, and successors under r₁ below ones under r₂.
//!
//! A rule is removed if one that is kept at that moment dominates it; since domination is transitive, one that
//! is kept to the end does. Of equal rules the first is kept. Candidates are found by a local that r₁ raises, which
//! r₂ must raise too, and at most [`MOST_COMPARISONS`] of them are tried: dominated rules may be missed.

use crate::bits::BitSet;
use crate::cone::{self, Cone};
use crate::thread_modular::{Edge, Edges};
use throng_base::{Budget, StopReason};
use throng_model::{Bag, LocalId, RuleId, RuleRef, System, bag};

/// How many rules one rule is compared with.
const MOST_COMPARISONS: usize = 32;

/// Takes rules that others dominate out of `kept`; how many there were. All rules in `kept` are relevant.
pub(crate) fn remove_dominated(
    system: &System,
    edges: &Edges,
    cone: &Cone,
    kept: &mut BitSet,
    budget: &Budget,
) -> Result<usize, StopReason> {
    let mut n_removed = 0;
    let mut group = Group { system, cone, by_raised: Vec::new() };
    for from in 0..edges.len() {
        for parallel in edges.of(from).chunk_by(|a, b| a.to == b.to) {
            if parallel.len() < 2 {
                continue;
            }
            budget.check()?;
            group.fill(parallel, kept);
            for id in parallel.iter().rev().map(|edge| edge.rule) {
                if kept.contains(id.index()) && group.dominates(id, kept) {
                    kept.remove(id.index());
                    n_removed += 1;
                }
            }
        }
    }
    Ok(n_removed)
}

/// The kept rules between two shared states.
struct Group<'a> {
    system: &'a System,
    cone: &'a Cone,
    /// Each rule under every local of the cone that it raises, or under `None` if it raises none; sorted.
    by_raised: Vec<(Option<LocalId>, RuleId)>,
}

impl Group<'_> {
    fn fill(&mut self, rules: &[Edge], kept: &BitSet) {
        self.by_raised.clear();
        for id in rules.iter().map(|edge| edge.rule).filter(|id| kept.contains(id.index())) {
            let before = self.by_raised.len();
            let raised = cone::raised(self.system.rule(id)).filter(|&local| self.cone.has_local(local));
            self.by_raised.extend(raised.map(|local| (Some(local), id)));
            if self.by_raised.len() == before {
                self.by_raised.push((None, id));
            }
        }
        self.by_raised.sort_unstable();
    }

    /// The rules under a key.
    fn under(&self, key: Option<LocalId>) -> &[(Option<LocalId>, RuleId)] {
        let start = self.by_raised.partition_point(|&(other, _)| other < key);
        let rest = &self.by_raised[start..];
        &rest[..rest.partition_point(|&(other, _)| other == key)]
    }

    /// Whether a kept rule dominates this one.
    fn dominates(&self, id: RuleId, kept: &BitSet) -> bool {
        let rule = self.system.rule(id);
        let raised = cone::raised(rule).filter(|&local| self.cone.has_local(local));
        let candidates = raised.map(|local| self.under(Some(local))).min_by_key(|rules| rules.len());
        let candidates = candidates.unwrap_or_else(|| self.under(None)).iter().map(|&(_, other)| other);
        let mut others = candidates.filter(|&other| other != id && kept.contains(other.index()));
        others
            .by_ref()
            .take(MOST_COMPARISONS)
            .any(|other| dominates(self.cone, self.system.rule(other), rule))
    }
}

/// Whether the projection of `large` dominates that of `small`, which has the same shared states.
fn dominates(cone: &Cone, large: RuleRef<'_>, small: RuleRef<'_>) -> bool {
    let mut taken = large.take.iter().filter(|entry| cone.has_local(entry.local));
    let takes_less = taken.all(|entry| entry.count <= bag::count(small.take, entry.local));
    if !takes_less || !projected_moves(cone, large).eq(projected_moves(cone, small)) {
        return false;
    }
    let mut left = Bag::new();
    bag::difference_into(small.take, large.take, &mut left);
    small.put.iter().filter(|entry| cone.has_local(entry.local)).all(|entry| {
        let stays =
            small.destinations_of(entry.local).is_none() && large.destinations_of(entry.local).is_none();
        let left = if stays { bag::count(&left, entry.local) } else { 0 };
        entry.count <= bag::count(large.put, entry.local).saturating_add(left)
    })
}

/// The moves of a projected rule in one sequence: each source that does not stay, then its destinations.
fn projected_moves<'a>(
    cone: &'a Cone,
    rule: RuleRef<'a>,
) -> impl Iterator<Item = (LocalId, Option<LocalId>)> + 'a {
    let sources = rule.moves().filter(move |&(source, destinations)| {
        cone.has_local(source) && !cone.project_destinations(destinations).eq([source])
    });
    sources.flat_map(move |(source, destinations)| {
        let destinations = cone.project_destinations(destinations).map(move |to| (source, Some(to)));
        std::iter::once((source, None)).chain(destinations)
    })
}
