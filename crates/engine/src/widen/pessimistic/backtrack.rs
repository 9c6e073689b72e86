//! What goes when a guess of Cat was wrong, and what stays.
//!
//! When a vertex is found to be coverable, so is all that is below it or that it leads to: the least lower
//! successor-closed set ⌊p (Definition 31 of Kaiser's thesis). It joins D, and the partitions of its vertices are
//! dropped (Algorithm 2). An edge from what is dropped to what stays is a *conflict*: the vertex that it starts from
//! is needed as a predecessor, so it is handed over, with its Λ, to the partition that needs it.
//!
//! Consolidation (Figure 23) drops in the same way what is above a new vertex of the same partition.
//!
//! Which vertices get a new candidate afterwards is not decided here: [`super`] widens when it selects.

use super::Pessimistic;
use super::partitions::Edge;
use crate::covered::Reason;
use rustc_hash::FxHashSet;
use throng_model::ConfigRef;
use throng_model::closed::ElementId;

impl Pessimistic<'_, '_> {
    /// Adds an element to D with all vertices that are coverable because of it, and drops their partitions. How many
    /// candidates were coverable.
    pub(super) fn cover(&mut self, config: ConfigRef<'_>, reason: Reason) -> u64 {
        // Once a target is known to be coverable, nothing else matters.
        if self.hit.is_some() || !self.covered.insert(config, reason) {
            return 0;
        }
        let coverable = self.close(config);
        let target = coverable.iter().find(|&&vertex| self.graph.vertex(vertex).target);
        self.hit = target.map(|&target| self.graph.config(target).to_config());
        let mut roots: Vec<ElementId> = coverable.iter().map(|&vertex| self.graph.root(vertex)).collect();
        roots.sort_unstable();
        roots.dedup();
        let n_candidates = roots.iter().filter(|&&root| self.graph.is_candidate(root)).count() as u64;
        self.tally.candidates_bad += n_candidates;
        if self.hit.is_none() && !roots.is_empty() {
            self.tally.backtracks += 1;
            self.prune(roots.iter().flat_map(|&root| self.graph.subtree(root)).collect(), None);
        }
        n_candidates
    }

    /// ⌊p without what is no vertex: the vertices below a new element of D and, again and again, what they lead to
    /// and what is below that. All join D.
    fn close(&mut self, config: ConfigRef<'_>) -> Vec<ElementId> {
        let (mut coverable, mut seen) = (Vec::new(), FxHashSet::default());
        self.graph.collect_below(config, &mut coverable, &mut seen);
        let mut next = 0;
        while let Some(&vertex) = coverable.get(next) {
            next += 1;
            let before = self.covered.covering(self.graph.config(vertex));
            let before = before.expect("INVARIANT: what is coverable here was added to D");
            for Edge { to, rule } in self.graph.successors(vertex) {
                let config = self.graph.config(to);
                if !self.covered.contains(config) {
                    self.covered.insert(config, Reason::Step { rule, before });
                    self.graph.collect_below(config, &mut coverable, &mut seen);
                }
            }
        }
        coverable
    }

    /// Algorithm 2: removes vertices, but for those that others need, which are handed over to these. Nobody needs
    /// the vertex `replaced`.
    fn prune(&mut self, vertices: Vec<ElementId>, replaced: Option<ElementId>) {
        let mut doomed: FxHashSet<ElementId> = vertices.iter().copied().collect();
        let mut conflicts = vertices.clone();
        while let Some(vertex) = conflicts.pop() {
            if !doomed.contains(&vertex) || Some(vertex) == replaced {
                continue;
            }
            let kept = self.graph.successors(vertex).find(|edge| !doomed.contains(&edge.to));
            let Some(Edge { to, .. }) = kept else { continue };
            for member in self.graph.hand_over(vertex, self.graph.root(to)) {
                doomed.remove(&member);
                // What leads here from other partitions that are dropped is needed now, too.
                conflicts.extend(self.graph.predecessors(member));
            }
        }
        for vertex in vertices {
            if doomed.contains(&vertex) {
                self.remove(vertex);
            }
        }
    }

    /// Removes a vertex from U and W; whoever relied on it is looked at again.
    fn remove(&mut self, vertex: ElementId) {
        for relying in self.graph.remove(vertex) {
            self.graph.set_waiting(relying, true);
            self.work.push(self.graph.config(relying).size(), relying);
        }
    }

    /// Drops the vertices of a partition that are above a new one there, with their Λ (Figure 23). What they lead to
    /// relies on the new vertex instead.
    pub(super) fn consolidate(&mut self, new: ElementId) {
        let root = self.graph.root(new);
        for larger in self.graph.subtree(root) {
            let superfluous = larger != new
                && larger != root
                && self.graph.is_present(larger)
                && self.graph.root(larger) == root
                && self.graph.config(new).le(self.graph.config(larger));
            if !superfluous {
                continue;
            }
            let subtree = self.graph.subtree(larger);
            // A path from the new vertex through a larger one would go with it.
            if subtree.contains(&new) {
                continue;
            }
            let successors: Vec<Edge> = self.graph.successors(larger).collect();
            for Edge { to, .. } in successors {
                self.graph.rely(to, new);
            }
            self.prune(subtree, Some(larger));
        }
    }
}
