//! Cat: target set widening that keeps all vertices, in partitions (Algorithm 3 of Kaiser's thesis, which is Mcov
//! of Kaiser, Kroening and Wahl, CONCUR 2012).
//!
//! Each candidate, and each target, is the root of a partition ζ: a tree of predecessors that is an attempt to prove
//! it uncoverable. A vertex that is not minimal in U is kept but not expanded, so that it is there when the smaller
//! one turns out to be coverable. Then the partitions of all vertices that are coverable with it are dropped as a
//! whole, after what other partitions need of them was handed over (P-conflicts, Algorithm 2).
//!
//! Where this differs from the paper:
//! * A predecessor that is not new to its partition, because it covers a vertex s there, is skipped. If s is dropped
//!   and the vertex that was being expanded is not (it was handed over, or became part of another partition), the
//!   skipped predecessor would be lost. So whoever skips because of s is expanded again when s goes.
//! * Widening after backtracking is done when a vertex is selected and once more at the end, instead of for all
//!   minimal vertices at once.
//! * There may be several targets, and spawns, weights and moves of any kind: nothing below depends on the rules.

use super::candidates::Candidates;
use super::{Status, Tally, Widening};
use crate::covered::{Covered, Reason};
use crate::options::Options;
use crate::queue::SizeQueue;
use crate::record::{BackwardEdge, BackwardGraph, BackwardVertex, Curve};
use crate::{Progress, UnknownReason};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{Antichain, Bag, ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// An edge r → s of E: r is a predecessor of s.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: ElementId,
    rule: RuleId,
}

#[derive(Clone, Debug)]
struct Vertex {
    /// ζ: the root of its partition.
    root: ElementId,
    /// Whether it is in W.
    waiting: bool,
    target: bool,
    depth: u32,
    /// E, in both directions; what was removed may still be listed.
    successors: Vec<Edge>,
    predecessors: Vec<ElementId>,
    /// Who has to be looked at again when this vertex goes.
    relying: Vec<ElementId>,
}

/// Vertices that turned out to be coverable, each once.
#[derive(Debug, Default)]
struct Coverable {
    vertices: Vec<ElementId>,
    seen: FxHashSet<ElementId>,
}

/// See the module's documentation.
pub(super) struct Pessimistic<'s> {
    system: &'s dyn TransitionSystem,
    candidates: Candidates,
    /// Whether larger vertices of a partition go when a smaller one joins it (Figure 23).
    consolidate: bool,
    targets: Vec<Config>,
    /// U.
    index: Antichain,
    vertices: Vec<Vertex>,
    work: SizeQueue,
    covered: Covered,
    /// The size of D when the minimal vertices were last widened.
    widened_at: Option<usize>,
    hit: Option<Config>,
    tally: Tally,
    curve: Curve,
    config: Vec<throng_model::Entry>,
    chosen: Bag,
}

impl<'s> Pessimistic<'s> {
    /// A search that has only its targets.
    pub(super) fn new(system: &'s dyn TransitionSystem, options: &Options) -> Self {
        let mut search = Self {
            system,
            candidates: Candidates::new(options),
            consolidate: options.minimal,
            targets: super::minimal_targets(system),
            index: Antichain::default(),
            vertices: Vec::new(),
            work: SizeQueue::default(),
            covered: Covered::initial(system),
            widened_at: None,
            hit: None,
            tally: Tally::default(),
            curve: Curve::new(options.record.vertices),
            config: Vec::new(),
            chosen: Bag::new(),
        };
        for target in search.targets.clone() {
            if search.covered.contains(target.view()) {
                search.hit = Some(target);
            } else {
                let vertex = search.add(target.view(), None, 0);
                search.vertices[vertex.index()].target = true;
            }
        }
        search
    }

    /// Adds a vertex to U and W, to a partition or as the root of a new one.
    fn add(&mut self, config: ConfigRef<'_>, root: Option<ElementId>, depth: u32) -> ElementId {
        let id = self.index.add(config);
        debug_assert_eq!(id.index(), self.vertices.len());
        self.vertices.push(Vertex {
            root: root.unwrap_or(id),
            waiting: true,
            target: false,
            depth,
            successors: Vec::new(),
            predecessors: Vec::new(),
            relying: Vec::new(),
        });
        self.work.push(config.size(), id);
        id
    }

    fn root(&self, vertex: ElementId) -> ElementId {
        self.vertices[vertex.index()].root
    }

    /// Λ(u): u and the vertices of its partition that lead to it.
    fn subtree(&self, vertex: ElementId) -> Vec<ElementId> {
        let root = self.root(vertex);
        let mut subtree = vec![vertex];
        // After vertices were handed over a partition need not be a tree any more.
        let mut seen = FxHashSet::from_iter([vertex, root]);
        let mut next = 0;
        while let Some(&vertex) = subtree.get(next) {
            next += 1;
            let predecessors = self.vertices[vertex.index()].predecessors.iter().copied();
            subtree.extend(predecessors.filter(|&before| {
                self.index.is_present(before) && self.root(before) == root && seen.insert(before)
            }));
        }
        subtree
    }

    /// Adds a candidate below a vertex, or makes one of a vertex that is there; whether there is one.
    fn widen(&mut self, vertex: ElementId) -> bool {
        let mut chosen = std::mem::take(&mut self.chosen);
        let config = self.index.get(vertex);
        let shared = config.shared;
        let found = self.candidates.choose(config, &mut self.covered, &mut chosen);
        if found {
            let depth = self.vertices[vertex.index()].depth;
            let config = ConfigRef::new(shared, &chosen);
            match self.index.find(config) {
                None => {
                    self.add(config, None, depth);
                    self.tally.added(config.size(), true);
                }
                Some(candidate) if self.root(candidate) != candidate => {
                    self.tally.candidates += 1;
                    for member in self.subtree(candidate) {
                        self.vertices[member.index()].root = candidate;
                    }
                }
                Some(_) => {}
            }
        }
        self.chosen = chosen;
        found
    }

    /// The smallest vertex that waits and is minimal in U. Others are asked again when what is below them goes.
    fn next(&mut self) -> Option<ElementId> {
        loop {
            let vertex = self.work.pop()?;
            if !self.index.is_present(vertex) || !self.vertices[vertex.index()].waiting {
                continue;
            }
            self.widen(vertex);
            let mut smaller = None;
            let _ = self.index.for_each_below(self.index.get(vertex), |below| {
                if below == vertex {
                    return ControlFlow::Continue(());
                }
                smaller = Some(below);
                ControlFlow::Break(())
            });
            match smaller {
                None => return Some(vertex),
                Some(smaller) => self.vertices[smaller.index()].relying.push(vertex),
            }
        }
    }

    /// A vertex because of which `config` is not minimal for the partition of `root` (Definition 30).
    fn known_to(&self, root: ElementId, config: ConfigRef<'_>) -> Option<ElementId> {
        let mut known = None;
        let _ = self.index.for_each_below(config, |below| {
            let leads_there = |edge: &Edge| self.index.is_present(edge.to) && self.root(edge.to) == root;
            if self.root(below) == root || self.vertices[below.index()].successors.iter().any(leads_there) {
                known = Some(below);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        known
    }

    fn expand(&mut self, vertex: ElementId, budget: &Budget) -> Result<(), UnknownReason> {
        let system = self.system;
        let mut buffer = std::mem::take(&mut self.config);
        let config = self.index.get(vertex);
        let shared = config.shared;
        buffer.clear();
        buffer.extend_from_slice(config.bag);
        let config = ConfigRef::new(shared, &buffer);
        self.vertices[vertex.index()].waiting = false;
        let mut hit = None;
        let mut stopped = Ok(());
        let enumeration = system.for_each_predecessor(config, &mut |rule, before| {
            self.tally.predecessors += 1;
            hit = self.offer(before, vertex, rule).map(|before| Reason::Step { rule, before });
            // One element can have exponentially many predecessors, so the budget counts here too.
            if self.tally.predecessors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if hit.is_none() && stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Some(reason) = hit {
            let is_candidate = self.root(vertex) == vertex;
            self.tally.covered_by_search += u64::from(is_candidate);
            self.cover(config, reason);
        }
        self.config = buffer;
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// A predecessor of a vertex: adds it unless its partition knows it. If it is in D instead, the element that
    /// covers it is returned.
    fn offer(&mut self, config: ConfigRef<'_>, vertex: ElementId, rule: RuleId) -> Option<ElementId> {
        let root = self.root(vertex);
        if let Some(known) = self.known_to(root, config) {
            if known != vertex {
                self.vertices[known.index()].relying.push(vertex);
            }
            return None;
        }
        if let Some(covering) = self.covered.covering(config) {
            return Some(covering);
        }
        let depth = self.vertices[vertex.index()].depth + 1;
        let (before, new) = match self.index.find(config) {
            Some(before) => (before, false),
            None => (self.add(config, Some(root), depth), true),
        };
        self.vertices[before.index()].successors.push(Edge { to: vertex, rule });
        self.vertices[vertex.index()].predecessors.push(before);
        if new {
            self.tally.added(config.size(), false);
            if self.consolidate {
                self.consolidate(before);
            }
            self.widen(before);
        }
        None
    }

    /// Drops the vertices of a partition that are above a new one there, with their subtrees (Figure 23). What they
    /// lead to relies on the new vertex instead.
    fn consolidate(&mut self, new: ElementId) {
        let root = self.root(new);
        for larger in self.subtree(root) {
            let superfluous = larger != new
                && larger != root
                && self.index.is_present(larger)
                && self.root(larger) == root
                && self.index.get(new).le(self.index.get(larger));
            // A path from the new vertex through a larger one would go with it.
            if !superfluous || self.subtree(larger).contains(&new) {
                continue;
            }
            for edge in self.vertices[larger.index()].successors.clone() {
                self.vertices[new.index()].relying.push(edge.to);
            }
            let mut dropped = self.subtree(larger);
            dropped.retain(|&member| !self.hand_over(member, larger));
            for member in dropped {
                if self.root(member) == root {
                    self.remove(member);
                }
            }
        }
    }

    /// Hands the subtree of a vertex over to another partition that it leads to, if there is one. The edges of
    /// `dropped` itself do not count.
    fn hand_over(&mut self, vertex: ElementId, dropped: ElementId) -> bool {
        if vertex == dropped {
            return false;
        }
        let root = self.root(vertex);
        let other = self.vertices[vertex.index()]
            .successors
            .iter()
            .map(|edge| edge.to)
            .find(|&successor| self.index.is_present(successor) && self.root(successor) != root);
        let Some(other) = other.map(|successor| self.root(successor)) else { return false };
        for member in self.subtree(vertex) {
            self.vertices[member.index()].root = other;
        }
        true
    }

    /// Adds an element to D with all vertices that are coverable because of it (Definition 31), and drops their
    /// partitions. How many candidates were dropped.
    fn cover(&mut self, config: ConfigRef<'_>, reason: Reason) -> u64 {
        // Once a target is known to be coverable, nothing else matters.
        if self.hit.is_some() || !self.covered.insert(config, reason) {
            return 0;
        }
        let mut coverable = Coverable::default();
        self.cover_below(config, &mut coverable);
        let mut next = 0;
        while let Some(&vertex) = coverable.vertices.get(next) {
            next += 1;
            let before = self.covered.covering(self.index.get(vertex));
            let before = before.expect("INVARIANT: what is coverable here was added to D");
            for Edge { to, rule } in self.vertices[vertex.index()].successors.clone() {
                if self.index.is_present(to) && !self.covered.contains(self.index.get(to)) {
                    let config = self.index.get(to).to_config();
                    self.covered.insert(config.view(), Reason::Step { rule, before });
                    self.cover_below(config.view(), &mut coverable);
                }
            }
        }
        let target = coverable.vertices.iter().find(|vertex| self.vertices[vertex.index()].target);
        self.hit = target.map(|&target| self.index.get(target).to_config());
        let mut roots: Vec<ElementId> = coverable.vertices.iter().map(|&vertex| self.root(vertex)).collect();
        roots.sort_unstable();
        roots.dedup();
        if self.hit.is_none() && !roots.is_empty() {
            self.backtrack(&roots);
        }
        let candidates = roots.len() as u64;
        self.tally.candidates_bad += candidates;
        candidates
    }

    /// Appends the vertices below an element of D that are not listed yet.
    fn cover_below(&self, config: ConfigRef<'_>, coverable: &mut Coverable) {
        let _ = self.index.for_each_below(config, |vertex| {
            if coverable.seen.insert(vertex) {
                coverable.vertices.push(vertex);
            }
            ControlFlow::Continue(())
        });
    }

    /// Algorithm 2: drops partitions, after what others need was handed over to them.
    fn backtrack(&mut self, roots: &[ElementId]) {
        self.tally.backtracks += 1;
        let dropped = |root: ElementId| roots.binary_search(&root).is_ok();
        let members: Vec<ElementId> = roots.iter().flat_map(|&root| self.subtree(root)).collect();
        let mut conflicts = members.clone();
        while let Some(vertex) = conflicts.pop() {
            if !dropped(self.root(vertex)) {
                continue;
            }
            let kept = self.vertices[vertex.index()]
                .successors
                .iter()
                .map(|edge| edge.to)
                .find(|&successor| self.index.is_present(successor) && !dropped(self.root(successor)));
            let Some(root) = kept.map(|successor| self.root(successor)) else { continue };
            for member in self.subtree(vertex) {
                self.vertices[member.index()].root = root;
                // What leads here from other partitions that are dropped is needed now, too.
                conflicts.extend(&self.vertices[member.index()].predecessors);
            }
        }
        for vertex in members {
            if dropped(self.root(vertex)) && self.index.is_present(vertex) {
                self.remove(vertex);
            }
        }
    }

    /// Removes a vertex from U and W; whoever relied on it is looked at again.
    fn remove(&mut self, vertex: ElementId) {
        self.index.remove(vertex);
        for relying in std::mem::take(&mut self.vertices[vertex.index()].relying) {
            if self.index.is_present(relying) {
                self.vertices[relying.index()].waiting = true;
                self.work.push(self.index.get(relying).size(), relying);
            }
        }
    }

    /// Widens all vertices once more, if D grew since the last time; whether there is something to do now.
    fn widen_again(&mut self) -> bool {
        if self.widened_at == Some(self.covered.n_ever()) {
            return false;
        }
        self.widened_at = Some(self.covered.n_ever());
        let vertices: Vec<ElementId> = self.index.iter().map(|(vertex, _)| vertex).collect();
        for vertex in vertices {
            self.widen(vertex);
        }
        true
    }

    fn turn(&mut self, budget: &Budget) -> Result<ControlFlow<()>, UnknownReason> {
        budget.check()?;
        match self.next() {
            Some(vertex) => {
                self.tally.iterations += 1;
                self.expand(vertex, budget)?;
            }
            None if self.widen_again() => {}
            None => return Ok(ControlFlow::Break(())),
        }
        self.tally.vertices(self.index.len());
        self.curve.push(self.tally.iterations, self.index.len() as u64);
        Ok(ControlFlow::Continue(()))
    }
}

impl Widening for Pessimistic<'_> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Result<Status, UnknownReason> {
        let end = self.tally.predecessors + quantum;
        for _ in 0..quantum {
            if let Some(target) = &self.hit {
                return Ok(Status::Covered(target.clone()));
            }
            if self.turn(budget)?.is_break() {
                return Ok(Status::Closed);
            }
            if self.tally.predecessors >= end {
                break;
            }
        }
        Ok(Status::Running)
    }

    fn learn(&mut self, config: ConfigRef<'_>, node: ElementId) {
        self.tally.covered_by_oracle += self.cover(config, Reason::Forward { node });
    }

    fn covered(&self) -> &Covered {
        &self.covered
    }

    fn proof(&mut self) -> Vec<Config> {
        let mut proof = UpwardClosedSet::default();
        for (_, element) in self.index.iter() {
            proof.insert(element);
        }
        proof.minimise();
        for (_, element) in proof.generators().iter() {
            let vertex = self.index.find(element).expect("INVARIANT: proofs consist of vertices");
            let candidate = self.root(vertex) == vertex && !self.vertices[vertex.index()].target;
            self.tally.in_proof(element.size(), self.vertices[vertex.index()].depth, candidate);
        }
        proof.generators().iter().map(|(_, element)| element.to_config()).collect()
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.index.len() as u64,
            frontier: self.work.len() as u64,
            expanded: self.tally.iterations,
            steps: self.tally.predecessors,
            threads: self.tally.max_threads,
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn take_curve(&mut self) -> Curve {
        std::mem::take(&mut self.curve)
    }

    fn draw(&self) -> BackwardGraph {
        let mut numbers = vec![usize::MAX; self.vertices.len()];
        for (number, (vertex, _)) in self.index.iter().enumerate() {
            numbers[vertex.index()] = number;
        }
        let mut graph = BackwardGraph::default();
        for (id, config) in self.index.iter() {
            let vertex = &self.vertices[id.index()];
            let (partition, source) = (numbers[vertex.root.index()], numbers[id.index()]);
            let (target, expanded) = (vertex.target, !vertex.waiting);
            graph.vertices.push(BackwardVertex { config: config.to_config(), partition, target, expanded });
            let edges = vertex.successors.iter().filter(|edge| self.index.is_present(edge.to));
            graph.edges.extend(edges.map(|edge| BackwardEdge {
                source,
                destination: numbers[edge.to.index()],
                rule: edge.rule,
                exact: true,
            }));
        }
        graph
    }
}
