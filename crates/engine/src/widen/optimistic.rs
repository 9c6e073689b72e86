//! CatOpt: target set widening that keeps minimal vertices only (Kaiser's thesis, §4.3.2).
//!
//! U holds vertices that are believed to be uncoverable. A new predecessor p that is in ↑U is not kept; one that
//! is in D shows that what it leads to is coverable; any other is replaced by a candidate below it, if there is
//! one, and added. So U stays small, but a belief may be wrong. When a vertex u turns out to be coverable, it is
//! removed, and whoever relied on it looks again at the predecessors that u stood for: they may be in D now, or
//! above another vertex, or need a new candidate.
//!
//! The thesis finds those who relied on a pruned vertex by the order of processing: everything processed later is
//! processed again. Here each vertex keeps links to those who rely on it ([`super::links`]), so exactly they are
//! visited. What nobody relies on any more is dropped; that is the partition of a candidate that failed, without
//! the parts that others share. Counting links does not see cycles, so a sweep from the targets follows at times.
//!
//! It ends as *closed*, when every target is above a vertex, every vertex is expanded and all its predecessors are
//! above vertices: the minimal vertices are a proof. Or as *covered*, when a target is in D.

use super::candidates::Candidates;
use super::links::{Dependent, Links, Predecessors};
use super::{Tally, Widening};
use crate::blackboard::Blackboard;
use crate::covered::{Covered, Reason};
use crate::options::Options;
use crate::queue::SizeQueue;
use crate::record::{BackwardEdge, BackwardGraph, BackwardVertex, Curve};
use crate::settled::Settled;
use crate::wider;
use crate::{Progress, UnknownReason};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{Bag, ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// What became of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Its predecessors have not been computed.
    Waiting,
    /// Each of its predecessors is above a vertex.
    Expanded,
    /// It was removed.
    Gone,
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    fate: Fate,
    candidate: bool,
    /// The candidate, or the vertex for a target, from which it was first reached.
    root: ElementId,
    /// Steps to a target, counted along the first path that led here.
    depth: u32,
}

/// See the module's documentation.
pub(super) struct Optimistic<'b, 's> {
    system: &'s dyn TransitionSystem,
    settled: Settled<'b, 's>,
    candidates: Candidates,
    targets: Vec<Config>,
    uncovered: UpwardClosedSet,
    vertices: Vec<Vertex>,
    links: Links,
    work: SizeQueue,
    /// Who lost a vertex to rely on.
    revisits: Vec<(Dependent, Predecessors)>,
    orphans: Vec<ElementId>,
    covered: Covered<'s>,
    /// A target that is in D.
    hit: Option<usize>,
    n_pruned_since_sweep: usize,
    tally: Tally,
    curve: Curve,
    /// Buffers: what is being expanded, and a candidate.
    config: Vec<throng_model::Entry>,
    chosen: Bag,
}

impl<'b, 's> Optimistic<'b, 's> {
    /// A search that has not begun.
    pub(super) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        let targets = crate::minimal_targets(system);
        Self {
            system,
            settled: Settled::new(board),
            candidates: Candidates::new(system, options),
            revisits: (0..targets.len() as u32)
                .rev()
                .map(|target| (Dependent::Target(target), Predecessors::Several))
                .collect(),
            targets,
            uncovered: UpwardClosedSet::default(),
            vertices: Vec::new(),
            links: Links::default(),
            work: SizeQueue::default(),
            orphans: Vec::new(),
            covered: Covered::initial(system),
            hit: None,
            n_pruned_since_sweep: 0,
            tally: Tally::default(),
            curve: Curve::new(options.record.vertices),
            config: Vec::new(),
            chosen: Bag::new(),
        }
    }

    /// Makes sure that a predecessor of `dependent` (or a target) is above a vertex. If it is in D instead, the
    /// element that covers it is returned.
    fn offer(
        &mut self,
        config: ConfigRef<'_>,
        dependent: Dependent,
        rule: Option<RuleId>,
        depth: u32,
    ) -> Option<ElementId> {
        // Most predecessors are known. What is above a vertex is not in D, since the vertex is not.
        if let Some(witness) = wider::witness(&self.uncovered, self.system, config) {
            self.links.add(witness, dependent, rule);
            return None;
        }
        if let Some(covering) = self.covered.covering(config) {
            return Some(covering);
        }
        if self.settled.excludes(config) {
            return None;
        }
        let mut chosen = std::mem::take(&mut self.chosen);
        let candidate = self.candidates.choose(config, &mut self.covered, &mut chosen);
        let smallest = if candidate { ConfigRef::new(config.shared, &chosen) } else { config };
        let id = self.uncovered.add_new(smallest);
        debug_assert_eq!(id.index(), self.vertices.len());
        let root = match dependent {
            Dependent::Vertex(dependent) if !candidate => self.vertices[dependent.index()].root,
            Dependent::Vertex(_) | Dependent::Target(_) => id,
        };
        self.vertices.push(Vertex { fate: Fate::Waiting, candidate, root, depth });
        self.links.add_vertex();
        self.links.add(id, dependent, rule);
        self.work.push(smallest.size(), id);
        self.tally.added(smallest.size(), candidate);
        self.chosen = chosen;
        None
    }

    fn offer_target(&mut self, number: u32) {
        let target = self.targets[number as usize].clone();
        if self.offer(target.view(), Dependent::Target(number), None, 0).is_some() {
            self.hit = Some(number as usize);
        }
    }

    /// The smallest vertex that waits and is still minimal.
    fn next(&mut self) -> Option<ElementId> {
        loop {
            let vertex = self.work.pop()?;
            if self.vertices[vertex.index()].fate != Fate::Waiting {
                continue;
            }
            if let Some(wider) = wider::wider_than(&self.uncovered, self.system, vertex) {
                self.uncovered.remove(vertex);
                self.vertices[vertex.index()].fate = Fate::Gone;
                self.links.transfer(vertex, wider);
                continue;
            }
            if self.uncovered.keep_if_minimal(vertex) {
                if !self.settled.excludes_already(self.uncovered.generators().get(vertex)) {
                    return Some(vertex);
                }
                // A cut was found since it was added. Whoever relies on it will see that, too.
                self.remove(vertex);
                self.links.take_dependents(vertex, &mut self.revisits);
                continue;
            }
            self.vertices[vertex.index()].fate = Fate::Gone;
            let smaller = self.uncovered.witness(self.uncovered.generators().get(vertex));
            let smaller = smaller.expect("INVARIANT: what is not minimal has something below it");
            self.links.transfer(vertex, smaller);
        }
    }

    /// Makes sure that the predecessors of a vertex, all or those by one rule, are above vertices.
    fn expand(&mut self, vertex: ElementId, by: Predecessors, budget: &Budget) -> Result<(), UnknownReason> {
        let system = self.system;
        let mut buffer = std::mem::take(&mut self.config);
        let config = self.uncovered.generators().get(vertex);
        let shared = config.shared;
        buffer.clear();
        buffer.extend_from_slice(config.bag);
        let config = ConfigRef::new(shared, &buffer);
        let depth = self.vertices[vertex.index()].depth + 1;
        self.links.begin();
        let mut hit = None;
        let mut stopped = Ok(());
        let mut report = |rule: RuleId, before: ConfigRef<'_>| {
            self.tally.predecessors += 1;
            self.settled.earn(1);
            if let Some(covering) = self.offer(before, Dependent::Vertex(vertex), Some(rule), depth) {
                hit = Some(Reason::Step { rule, before: covering });
                return ControlFlow::Break(());
            }
            // One element can have exponentially many predecessors, so the budget counts here too.
            if self.tally.predecessors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let enumeration = match by {
            Predecessors::Several => system.for_each_predecessor(config, &mut report),
            Predecessors::By(rule) => {
                system.for_each_predecessor_by(rule, config, &mut |before| report(rule, before))
            }
        };
        if let Some(reason) = hit {
            self.tally.covered_by_search += u64::from(self.vertices[vertex.index()].candidate);
            self.cover(config, reason);
        }
        self.config = buffer;
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// Adds an element to D and prunes the vertices below it; how many of these were candidates.
    fn cover(&mut self, config: ConfigRef<'_>, reason: Reason) -> u64 {
        if !self.covered.insert(config, reason) {
            return 0;
        }
        let mut pruned = Vec::new();
        let _ = self.uncovered.generators().for_each_below(config, |vertex| {
            pruned.push(vertex);
            ControlFlow::Continue(())
        });
        if pruned.is_empty() {
            return 0;
        }
        self.tally.backtracks += 1;
        self.n_pruned_since_sweep += pruned.len();
        let mut candidates = 0;
        for vertex in pruned {
            candidates += u64::from(self.vertices[vertex.index()].candidate);
            self.remove(vertex);
            self.links.take_dependents(vertex, &mut self.revisits);
        }
        self.tally.candidates_bad += candidates;
        candidates
    }

    /// Removes a vertex from U.
    fn remove(&mut self, vertex: ElementId) {
        self.vertices[vertex.index()].fate = Fate::Gone;
        self.uncovered.remove(vertex);
        self.links.release(vertex, &mut self.orphans);
    }

    /// Removes what nobody relies on.
    fn collect(&mut self) {
        while let Some(vertex) = self.orphans.pop() {
            if self.vertices[vertex.index()].fate != Fate::Gone && !self.links.has_dependents(vertex) {
                self.remove(vertex);
            }
        }
    }

    /// Whoever lost a vertex to rely on looks for another.
    fn revisit(
        &mut self,
        dependent: Dependent,
        by: Predecessors,
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        match dependent {
            Dependent::Target(number) => self.offer_target(number),
            // A vertex that waits will look at all its predecessors anyway.
            Dependent::Vertex(vertex) if self.vertices[vertex.index()].fate == Fate::Expanded => {
                if by == Predecessors::Several {
                    self.tally.iterations += 1;
                    self.links.release(vertex, &mut self.orphans);
                }
                self.expand(vertex, by, budget)?;
            }
            Dependent::Vertex(_) => {}
        }
        Ok(())
    }

    /// The vertices that targets rely on, directly or not.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.vertices.len()];
        let mut stack: Vec<ElementId> = Vec::new();
        stack.extend(self.targets.iter().filter_map(|target| self.uncovered.witness(target.view())));
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut needed[vertex.index()], true) {
                stack.extend(self.links.witnesses(vertex).map(|(witness, _)| witness));
            }
        }
        needed
    }

    /// Removes what no target relies on, once so much was pruned that it may pay.
    fn sweep(&mut self) {
        if self.n_pruned_since_sweep < 64 + self.uncovered.generators().len() / 2 {
            return;
        }
        self.n_pruned_since_sweep = 0;
        let needed = self.needed();
        // A target may rely on another vertex than the one that it needs, which is then the one to rely on.
        for (number, target) in (0_u32..).zip(&self.targets) {
            if let Some(witness) = self.uncovered.witness(target.view()) {
                self.links.add(witness, Dependent::Target(number), None);
            }
        }
        for vertex in ElementId::all(self.vertices.len()) {
            if !needed[vertex.index()] && self.vertices[vertex.index()].fate != Fate::Gone {
                self.remove(vertex);
            }
        }
        self.orphans.clear();
    }
}

impl<'b, 's> Widening<'b, 's> for Optimistic<'b, 's> {
    fn settled(&mut self) -> &mut Settled<'b, 's> {
        &mut self.settled
    }

    fn turn(&mut self, budget: &Budget) -> Result<ControlFlow<()>, UnknownReason> {
        budget.check()?;
        if let Some((dependent, by)) = self.revisits.pop() {
            self.revisit(dependent, by, budget)?;
        } else {
            self.collect();
            self.sweep();
            let Some(vertex) = self.next() else {
                // A vertex that broke a cut may have had dependents, who look again first.
                let closed = self.revisits.is_empty();
                return Ok(if closed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            };
            self.tally.iterations += 1;
            self.vertices[vertex.index()].fate = Fate::Expanded;
            self.expand(vertex, Predecessors::Several, budget)?;
        }
        self.tally.vertices(self.uncovered.generators().len());
        self.curve.push(self.tally.iterations, self.uncovered.generators().len() as u64);
        Ok(ControlFlow::Continue(()))
    }

    fn hit(&self) -> Option<&Config> {
        self.hit.map(|target| &self.targets[target])
    }

    fn learn(&mut self, config: ConfigRef<'_>, node: ElementId) {
        self.tally.covered_by_oracle += self.cover(config, Reason::Forward { node });
    }

    fn covered(&self) -> &Covered<'_> {
        &self.covered
    }

    fn proof(&mut self) -> Vec<Config> {
        let needed = self.needed();
        let mut proof = UpwardClosedSet::default();
        let elements = self.uncovered.generators().iter().filter(|(vertex, _)| needed[vertex.index()]);
        for (vertex, element) in elements {
            proof.insert(element);
            let Vertex { candidate, depth, .. } = self.vertices[vertex.index()];
            self.tally.in_proof(element.size(), depth, candidate);
        }
        wider::minimise(&mut proof, self.system);
        proof.generators().iter().map(|(_, element)| element.to_config()).collect()
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.uncovered.generators().len() as u64,
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
        let elements = self.uncovered.generators();
        let mut numbers = vec![usize::MAX; self.vertices.len()];
        for (number, (vertex, _)) in elements.iter().enumerate() {
            numbers[vertex.index()] = number;
        }
        let mut graph = BackwardGraph::default();
        for (id, element) in elements.iter() {
            let vertex = &self.vertices[id.index()];
            // What others rely on stays when the candidate that led to it goes.
            let root = if elements.is_present(vertex.root) { vertex.root } else { id };
            graph.vertices.push(BackwardVertex {
                config: element.to_config(),
                partition: numbers[root.index()],
                target: self.targets.iter().any(|target| element.le(target.view())),
                candidate: vertex.candidate,
                expanded: vertex.fate == Fate::Expanded,
            });
            self.draw_edges(id, element, &numbers, &mut graph);
        }
        graph
    }
}

impl Optimistic<'_, '_> {
    /// Draws the edges that lead to a vertex, each once.
    fn draw_edges(
        &self,
        vertex: ElementId,
        element: ConfigRef<'_>,
        numbers: &[usize],
        graph: &mut BackwardGraph,
    ) {
        let destination = numbers[vertex.index()];
        let mut drawn = FxHashSet::default();
        // What is too large to enumerate is not drawn; the picture says how many vertices it has.
        let _ = self.system.for_each_predecessor(element, &mut |rule, before| {
            if let Some(witness) = self.uncovered.witness(before) {
                let exact = self.uncovered.generators().get(witness) == before;
                if drawn.insert((witness, rule, exact)) {
                    let source = numbers[witness.index()];
                    graph.edges.push(BackwardEdge { source, destination, rule, exact });
                }
            }
            ControlFlow::Continue(())
        });
    }
}
