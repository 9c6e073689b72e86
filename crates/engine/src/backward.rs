//! The classical backward search: from the targets over minimal predecessors to a fixpoint or to an initial
//! configuration.
//!
//! Algorithm 1 of Kaiser, Kroening and Wahl, "Efficient Coverability Analysis by Proof Minimization", after
//! Abdulla et al. (LICS 1996). U is an upward-closed set, kept as its minimal elements; W, the elements still
//! to be expanded, is a queue by number of threads. Both directions of subsumption are used: a predecessor
//! above an element of U is not new, and an element that has a smaller one below it by the time it would be
//! expanded is dropped instead. It ends because the order on configurations is a well-quasi-order.
//!
//! If no initial configuration is met, the minimal elements of U are a proof. If one is, successor pointers
//! lead back to a target, and firing the rules forwards from a genuine initial configuration gives the trace.
//! Since small elements come first, traces have few threads; they need not have the fewest possible.
//!
//! What breaks a cut, or is known not to be coverable by others, is not expanded.
//!
//! No widening, no oracle: those are other engines' business.

use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::queue::SizeQueue;
use crate::record::Curve;
use crate::settled::Settled;
use crate::wider;
use crate::{Answer, Options, Progress, Recording, Safety, Statistics, UnknownReason};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{Trace, TraceItem};
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// How an element leads to a target: its rule and the element that one step covers.
#[derive(Clone, Copy, Debug)]
struct Successor {
    rule: RuleId,
    element: ElementId,
}

/// What a proof looks like.
#[derive(Clone, Copy, Debug)]
struct ProofShape {
    elements: u64,
    threads: u64,
    longest_path: u64,
}

/// An initial configuration that was met, and the successor of what it covers.
struct Hit {
    instance: Config,
    successor: Option<Successor>,
}

/// The search at work.
pub(crate) struct Backward<'b, 's> {
    system: &'s dyn TransitionSystem,
    settled: Settled<'b, 's>,
    uncovered: UpwardClosedSet,
    /// For each element of `uncovered`, present or not; `None` for targets.
    successors: Vec<Option<Successor>>,
    work: SizeQueue,
    /// Whether the targets have been offered.
    begun: bool,
    expanded: u64,
    predecessors: u64,
    max_threads: u64,
    proof: Option<ProofShape>,
    curve: Curve,
    /// Configurations may not be kept while `uncovered` changes, so the one being expanded is copied here.
    buffer: Vec<throng_model::Entry>,
}

impl Contender for Backward<'_, '_> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
        self.run(quantum, budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason)))
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.uncovered.generators().len() as u64,
            frontier: self.work.len() as u64,
            expanded: self.expanded,
            steps: self.predecessors,
            threads: self.max_threads,
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.push("iterations", self.expanded);
        statistics.push("predecessors", self.predecessors);
        statistics.push("elements", self.uncovered.generators().len() as u64);
        statistics.push("elements_ever", self.uncovered.generators().n_ever() as u64);
        statistics.push("frontier", self.work.len() as u64);
        statistics.push("threads_at_most", self.max_threads);
        statistics.push("pruned_by_cuts", self.settled.n_pruned());
        if let Some(proof) = self.proof {
            statistics.push("proof_elements", proof.elements);
            statistics.push("threads_in_proof", proof.threads);
            statistics.push("longest_path", proof.longest_path);
        }
        statistics
    }

    fn recording(&mut self) -> Recording {
        Recording { vertices: std::mem::take(&mut self.curve).into_samples(), ..Recording::default() }
    }
}

impl<'b, 's> Backward<'b, 's> {
    /// A search that has not begun.
    pub(crate) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        Self {
            system,
            settled: Settled::new(board),
            uncovered: UpwardClosedSet::default(),
            successors: Vec::new(),
            work: SizeQueue::new(options.queue),
            begun: false,
            expanded: 0,
            predecessors: 0,
            max_threads: 0,
            proof: None,
            curve: Curve::new(options.record.vertices),
            buffer: Vec::new(),
        }
    }

    fn run(&mut self, quantum: u64, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        let mut best: Option<Hit> = None;
        if !self.begun {
            self.begun = true;
            let system = self.system;
            let _ = system.for_each_target(&mut |target| {
                self.offer(target, None, &mut best);
                if budget.check().is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        self.settled.read_board();
        let end = self.predecessors + quantum;
        for _ in 0..quantum {
            if let Some(hit) = best {
                return Ok(Some(Answer::Unsafe(self.trace(hit))));
            }
            budget.check()?;
            let Some(element) = self.next() else { return Ok(Some(self.safe())) };
            best = self.expand(element, budget)?;
            self.curve.push(self.expanded, self.uncovered.generators().len() as u64);
            if self.predecessors >= end && best.is_none() {
                break;
            }
        }
        Ok(None)
    }

    /// The proof, when nothing waits.
    fn safe(&mut self) -> Answer {
        wider::minimise(&mut self.uncovered, self.system);
        self.proof = Some(self.proof_shape());
        let elements = self.uncovered.generators().iter().map(|(_, element)| element.to_config()).collect();
        Answer::Safe(Safety::Proof(self.settled.proof(elements)))
    }

    /// The smallest element that waits and is still minimal.
    fn next(&mut self) -> Option<ElementId> {
        loop {
            let element = self.work.pop()?;
            if !self.uncovered.keep_if_minimal(element) {
                continue;
            }
            if wider::wider_than(&self.uncovered, self.system, element).is_some() {
                self.uncovered.remove(element);
                continue;
            }
            // Cuts may have been found since it was added.
            if self.settled.excludes_already(self.uncovered.generators().get(element)) {
                self.uncovered.remove(element);
            } else {
                return Some(element);
            }
        }
    }

    /// Offers the predecessors of an element. Of several initial ones the one with the fewest threads is
    /// returned.
    fn expand(&mut self, element: ElementId, budget: &Budget) -> Result<Option<Hit>, UnknownReason> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let config = self.uncovered.generators().get(element);
        let shared = config.shared;
        buffer.clear();
        buffer.extend_from_slice(config.bag);
        self.expanded += 1;
        let mut best = None;
        let mut stopped = Ok(());
        let system = self.system;
        let enumeration =
            system.for_each_predecessor(ConfigRef::new(shared, &buffer), &mut |rule, before| {
                self.predecessors += 1;
                self.settled.earn(1);
                self.offer(before, Some(Successor { rule, element }), &mut best);
                // One element can have exponentially many predecessors, so the budget counts here too.
                if self.predecessors.is_multiple_of(256) {
                    stopped = budget.check();
                }
                if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        self.buffer = buffer;
        stopped?;
        let _ = enumeration?;
        Ok(best)
    }

    /// Adds a configuration that leads to a target, unless that is known.
    fn offer(&mut self, config: ConfigRef<'_>, successor: Option<Successor>, best: &mut Option<Hit>) {
        // Most predecessors are known. One that is above an element cannot be initial, since the element is not.
        if wider::witness(&self.uncovered, self.system, config).is_some() {
            return;
        }
        if let Some(instance) = self.system.initial_instance(config) {
            if best.as_ref().is_none_or(|hit| instance.view().size() < hit.instance.view().size()) {
                *best = Some(Hit { instance, successor });
            }
            return;
        }
        if self.settled.excludes(config) {
            return;
        }
        let id = self.uncovered.add_new(config);
        debug_assert_eq!(id.index(), self.successors.len());
        self.successors.push(successor);
        self.work.push(config.size(), id);
        self.max_threads = self.max_threads.max(config.size());
    }

    /// Looks at the proof: successors come before their predecessors, so one pass finds all path lengths.
    fn proof_shape(&self) -> ProofShape {
        let mut paths: Vec<u64> = Vec::with_capacity(self.successors.len());
        for successor in &self.successors {
            paths.push(successor.map_or(0, |successor| paths[successor.element.index()] + 1));
        }
        let elements = || self.uncovered.generators().iter();
        ProofShape {
            elements: elements().count() as u64,
            threads: elements().map(|(_, element)| element.size()).max().unwrap_or(0),
            longest_path: elements().map(|(id, _)| paths[id.index()]).max().unwrap_or(0),
        }
    }

    /// Fires the rules on the way from an initial configuration to a target.
    fn trace(&self, hit: Hit) -> Trace {
        let mut items = Vec::new();
        let mut current = hit.instance.clone();
        let mut next = hit.successor;
        while let Some(Successor { rule, element }) = next {
            let goal = self.uncovered.generators().get(element);
            let (step, after) = self
                .system
                .step_covering(current.view(), rule, goal)
                .expect("INVARIANT: what covers a predecessor has a step that covers its successor");
            items.push(TraceItem::Step(step));
            current = after;
            next = self.successors[element.index()];
        }
        Trace { initial: hit.instance, items }
    }
}
