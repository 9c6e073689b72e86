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

mod backtrack;
mod partitions;

use super::candidates::Candidates;
use super::{Tally, Widening};
use crate::blackboard::Blackboard;
use crate::covered::{Covered, Reason};
use crate::options::Options;
use crate::queue::SizeQueue;
use crate::record::{BackwardGraph, Curve};
use crate::settled::Settled;
use crate::{Progress, UnknownReason};
use partitions::Partitions;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{Bag, ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// See the module's documentation.
pub(super) struct Pessimistic<'b, 's> {
    system: &'s dyn TransitionSystem,
    settled: Settled<'b, 's>,
    candidates: Candidates,
    /// Whether larger vertices of a partition go when a smaller one joins it.
    consolidate: bool,
    /// U, E and ζ.
    graph: Partitions,
    /// W, but for vertices that are not minimal in U: those rely on what is below them.
    work: SizeQueue,
    /// D.
    covered: Covered<'s>,
    /// The size of D when the vertices were last widened.
    widened_at: Option<usize>,
    /// A target that is in D.
    hit: Option<Config>,
    tally: Tally,
    curve: Curve,
    /// Buffers: what is being expanded, and a candidate.
    config: Vec<throng_model::Entry>,
    chosen: Bag,
}

impl<'b, 's> Pessimistic<'b, 's> {
    /// A search that has only its targets.
    pub(super) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        let mut search = Self {
            system,
            settled: Settled::new(board),
            candidates: Candidates::new(system, options),
            consolidate: options.minimal,
            graph: Partitions::default(),
            work: SizeQueue::default(),
            covered: Covered::initial(system),
            widened_at: None,
            hit: None,
            tally: Tally::default(),
            curve: Curve::new(options.record.vertices),
            config: Vec::new(),
            chosen: Bag::new(),
        };
        for target in crate::minimal_targets(system) {
            if search.covered.contains(target.view()) {
                search.hit = Some(target);
            } else if !search.settled.excludes(target.view()) {
                let vertex = search.graph.add(target.view(), None, 0, true);
                search.work.push(target.view().size(), vertex);
            }
        }
        search
    }

    /// Adds a candidate below a vertex, or makes one of a vertex that is there.
    fn widen(&mut self, vertex: ElementId) {
        let mut chosen = std::mem::take(&mut self.chosen);
        let config = self.graph.config(vertex);
        let shared = config.shared;
        if self.candidates.choose(config, &mut self.covered, &mut chosen) {
            let depth = self.graph.vertex(vertex).depth;
            let config = ConfigRef::new(shared, &chosen);
            match self.graph.find(config) {
                None => {
                    let candidate = self.graph.add(config, None, depth, false);
                    self.work.push(config.size(), candidate);
                    self.tally.added(config.size(), true);
                }
                Some(candidate) if self.graph.root(candidate) != candidate => {
                    self.tally.candidates += 1;
                    self.graph.hand_over(candidate, candidate);
                }
                Some(_) => {}
            }
        }
        self.chosen = chosen;
    }

    /// The smallest vertex that waits and is minimal in U. Others are asked again when what is below them goes.
    fn next(&mut self) -> Option<ElementId> {
        loop {
            let vertex = self.work.pop()?;
            if !self.graph.is_present(vertex) || !self.graph.vertex(vertex).waiting {
                continue;
            }
            self.widen(vertex);
            match self.graph.smaller(vertex) {
                None => return Some(vertex),
                Some(smaller) => self.graph.rely(vertex, smaller),
            }
        }
    }

    /// Computes the predecessors of a vertex and offers them, until one is in D: then the vertex is coverable.
    fn expand(&mut self, vertex: ElementId, budget: &Budget) -> Result<(), UnknownReason> {
        let system = self.system;
        let mut buffer = std::mem::take(&mut self.config);
        let config = self.graph.config(vertex);
        let shared = config.shared;
        buffer.clear();
        buffer.extend_from_slice(config.bag);
        let config = ConfigRef::new(shared, &buffer);
        self.graph.set_waiting(vertex, false);
        let mut hit = None;
        let mut stopped = Ok(());
        let enumeration = system.for_each_predecessor(config, &mut |rule, before| {
            self.tally.predecessors += 1;
            self.settled.earn(1);
            hit = self.offer(before, vertex, rule).map(|before| Reason::Step { rule, before });
            // One element can have exponentially many predecessors, so the budget counts here too.
            if self.tally.predecessors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if hit.is_none() && stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Some(reason) = hit {
            self.tally.covered_by_search += self.cover(config, reason);
        }
        self.config = buffer;
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// A predecessor of a vertex: adds it unless its partition knows it. If it is in D instead, the element that
    /// covers it is returned.
    fn offer(&mut self, config: ConfigRef<'_>, vertex: ElementId, rule: RuleId) -> Option<ElementId> {
        let root = self.graph.root(vertex);
        if let Some(known) = self.graph.known_to(root, config) {
            if known != vertex {
                self.graph.rely(vertex, known);
            }
            return None;
        }
        if let Some(covering) = self.covered.covering(config) {
            return Some(covering);
        }
        if self.settled.excludes(config) {
            return None;
        }
        if let Some(before) = self.graph.find(config) {
            self.graph.connect(before, rule, vertex);
            return None;
        }
        let depth = self.graph.vertex(vertex).depth + 1;
        let before = self.graph.add(config, Some(root), depth, false);
        self.graph.connect(before, rule, vertex);
        self.work.push(config.size(), before);
        self.tally.added(config.size(), false);
        if self.consolidate {
            self.consolidate(before);
        }
        self.widen(before);
        None
    }

    /// Widens all vertices once more, if D grew since the last time; whether there is something to do now.
    fn widen_again(&mut self) -> bool {
        if self.widened_at == Some(self.covered.n_ever()) {
            return false;
        }
        self.widened_at = Some(self.covered.n_ever());
        let vertices: Vec<ElementId> = self.graph.iter().map(|(vertex, _)| vertex).collect();
        for vertex in vertices {
            self.widen(vertex);
        }
        true
    }
}

impl<'b, 's> Widening<'b, 's> for Pessimistic<'b, 's> {
    fn settled(&mut self) -> &mut Settled<'b, 's> {
        &mut self.settled
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
        self.tally.vertices(self.graph.len());
        self.curve.push(self.tally.iterations, self.graph.len() as u64);
        Ok(ControlFlow::Continue(()))
    }

    fn hit(&self) -> Option<&Config> {
        self.hit.as_ref()
    }

    fn learn(&mut self, config: ConfigRef<'_>, node: ElementId) {
        self.tally.covered_by_oracle += self.cover(config, Reason::Forward { node });
    }

    fn covered(&self) -> &Covered<'_> {
        &self.covered
    }

    fn proof(&mut self) -> Vec<Config> {
        let mut proof = UpwardClosedSet::default();
        for (_, element) in self.graph.iter() {
            proof.insert(element);
        }
        proof.minimise();
        for (_, element) in proof.generators().iter() {
            let vertex = self.graph.find(element).expect("INVARIANT: proofs consist of vertices");
            let (depth, candidate) = (self.graph.vertex(vertex).depth, self.graph.is_candidate(vertex));
            self.tally.in_proof(element.size(), depth, candidate);
        }
        proof.generators().iter().map(|(_, element)| element.to_config()).collect()
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.graph.len() as u64,
            frontier: self.work.len() as u64,
            expanded: self.tally.iterations,
            steps: self.tally.predecessors,
            threads: self.tally.max_threads,
        }
    }

    fn n_pruned(&self) -> u64 {
        self.settled.n_pruned()
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn take_curve(&mut self) -> Curve {
        std::mem::take(&mut self.curve)
    }

    fn draw(&self) -> BackwardGraph {
        self.graph.draw()
    }
}
