//! Minimal coverability sets: the antichain of ω-configurations whose downward closure is everything coverable.
//!
//! MinCov of Finkel, Haddad and Khmelnitsky ("Minimal coverability tree construction made complete and efficient",
//! FoSSaCS 2020): a Karp–Miller tree from which everything that a new node covers is cut off. What makes that complete is
//! that accelerations are stored (`acceleration`) and fired like rules, so that nothing is forgotten with the path
//! that an acceleration was found on. A node is taken from the front and
//!
//! 1. saturated with the stored accelerations;
//! 2. dropped if a processed node covers it;
//! 3. if it covers an ancestor, the path from there gives a new acceleration, and the ancestor is taken back to the front
//!    without its subtree;
//! 4. otherwise it is processed: nodes below it are cut off with their subtrees, and its successors join the front.
//!
//! Shared states are kept as such: nodes are compared at equal shared states, and an acceleration belongs to the shared
//! state where its cycle starts. Rules with moves are fired but never accelerated, because their moves can undo what a
//! repetition gains. A node that covers an ancestor across such a rule takes its place as a root of its own. So
//! with moves the search may go on for ever; without, it ends.
//!
//! Every node c satisfies ↓c ⊆ Cover at all times: an unfinished search gives a lower bound. When the front is empty, the
//! processed nodes are an antichain; that they contain the initial configurations and all their successors is looked
//! at once more, and what should be missing joins the front.

mod acceleration;
mod forest;

use crate::{Observer, Progress, Statistics, UnknownReason};
use acceleration::{Accelerations, Sequence};
use forest::{Forest, Handle, Origin};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, DownwardClosedSet, RuleId, TransitionSystem};

/// What is coverable.
#[derive(Clone, Debug)]
pub struct Coverability {
    /// Maximal ω-configurations, sorted. Everything below them is coverable.
    pub elements: Vec<Config>,
    /// Why there may be more; `Ok` if these are all.
    pub ending: Result<(), UnknownReason>,
    /// What was counted.
    pub statistics: Statistics,
}

/// Computes the minimal coverability set of a system, as far as the budget allows. Targets play no role.
pub fn coverability_set(
    system: &dyn TransitionSystem,
    budget: &Budget,
    observer: &dyn Observer,
) -> Coverability {
    let mut search = MinCov::new(system);
    let ending = search.run(budget, observer);
    let mut statistics = Statistics::default();
    statistics.push("nodes_ever", search.forest.n_ever());
    statistics.push("nodes_at_most", search.most_nodes as u64);
    statistics.push("accelerations_stored", search.accelerations.len() as u64);
    statistics.push("nodes_expanded", search.expanded);
    statistics.push("successors", search.successors);
    statistics.push("nodes_waiting", search.n_waiting() as u64);
    Coverability { elements: search.elements(), ending, statistics }
}

/// Nodes that wait and are shown when a search is stopped.
const MOST_WAITING_SHOWN: usize = 64;

/// How often the observer is told, in nodes.
const TOLD_EVERY: u64 = 64;

/// See the module's documentation.
struct MinCov<'s> {
    system: &'s dyn TransitionSystem,
    forest: Forest,
    accelerations: Accelerations,
    /// The processed nodes, an antichain, and which node each element is.
    processed: DownwardClosedSet,
    handles: Vec<Handle>,
    /// Nodes that wait, perhaps with some that were cut off; the newest is taken first.
    front: Vec<Handle>,
    most_nodes: usize,
    taken: u64,
    expanded: u64,
    successors: u64,
}

impl<'s> MinCov<'s> {
    fn new(system: &'s dyn TransitionSystem) -> Self {
        Self {
            system,
            forest: Forest::default(),
            accelerations: Accelerations::default(),
            processed: DownwardClosedSet::default(),
            handles: Vec::new(),
            front: Vec::new(),
            most_nodes: 0,
            taken: 0,
            expanded: 0,
            successors: 0,
        }
    }

    fn n_waiting(&self) -> usize {
        self.forest.len() - self.processed.generators().len()
    }

    /// The maximal configurations that were found, and of those that wait only some: a search that was stopped has little
    /// time left, and comparing all of them with each other can take long.
    fn elements(&self) -> Vec<Config> {
        let waiting = self.forest.iter().filter(|node| node.element.is_none()).take(MOST_WAITING_SHOWN);
        let waiting = waiting.filter(|node| !self.processed.contains(node.config.view()));
        let mut shown = DownwardClosedSet::default();
        waiting.for_each(|node| {
            shown.insert(node.config.view());
        });
        shown.minimise();
        let shown: Vec<Config> = shown.generators().iter().map(|(_, config)| config.to_config()).collect();
        let processed = self.processed.generators().iter().map(|(_, element)| element);
        let maximal = processed.filter(|element| !shown.iter().any(|config| element.le(config.view())));
        let mut elements: Vec<Config> = maximal.map(|element| element.to_config()).collect();
        elements.extend(shown);
        elements.sort_unstable();
        elements
    }

    fn run(&mut self, budget: &Budget, observer: &dyn Observer) -> Result<(), UnknownReason> {
        loop {
            while let Some(handle) = self.front.pop() {
                budget.check()?;
                self.visit(handle, budget)?;
                self.most_nodes = self.most_nodes.max(self.forest.len());
                self.taken += 1;
                if self.taken.is_multiple_of(TOLD_EVERY) {
                    observer.progress(&self.progress());
                }
            }
            self.add_missing(budget)?;
            if self.front.is_empty() {
                return Ok(());
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.processed.generators().len() as u64,
            frontier: self.n_waiting() as u64,
            expanded: self.expanded,
            steps: self.successors,
            threads: 0,
        }
    }

    /// One turn of the algorithm, see the module's documentation.
    fn visit(&mut self, handle: Handle, budget: &Budget) -> Result<(), UnknownReason> {
        let Some(node) = self.forest.get_mut(handle) else { return Ok(()) };
        self.accelerations.saturate(&mut node.config, &mut node.accelerations);
        if self.processed.contains(node.config.view()) {
            self.forest.cut(handle, |_| {});
            return Ok(());
        }
        match self.covered_ancestor(handle) {
            Some(Ancestor { handle: ancestor, plain: true }) => {
                self.accelerate(ancestor, handle);
                return Ok(());
            }
            Some(Ancestor { handle: ancestor, plain: false }) => {
                self.forest.detach(handle);
                self.cut(ancestor);
            }
            None => {}
        }
        self.process(handle, budget)
    }

    /// The ancestor farthest up that a node covers; one without moves on the way, if there is one.
    fn covered_ancestor(&self, handle: Handle) -> Option<Ancestor> {
        let node = self.forest.get(handle)?;
        let mut found: Option<Ancestor> = None;
        let (mut next, mut plain) = (node.origin, true);
        while let Some(origin) = next {
            plain &= origin.plain;
            if !plain && found.is_some_and(|found| found.plain) {
                break;
            }
            let ancestor = self.forest.get(origin.parent)?;
            if ancestor.config.view().le(node.config.view()) {
                found = Some(Ancestor { handle: origin.parent, plain });
            }
            next = ancestor.origin;
        }
        found
    }

    /// Stores the acceleration of the path between two nodes and takes the first back to the front.
    fn accelerate(&mut self, ancestor: Handle, handle: Handle) {
        let mut sequence = Sequence::default();
        let mut at = handle;
        while at != ancestor {
            let node = self.forest.get(at).expect("INVARIANT: paths are whole");
            for &id in node.accelerations.iter().rev() {
                sequence.prepend_acceleration(&self.accelerations, id);
            }
            let origin = node.origin.expect("INVARIANT: an ancestor is met before the root");
            let effect = self.system.plain_effect(origin.rule);
            sequence.prepend_rule(effect.expect("INVARIANT: accelerated rules have no moves"));
            at = origin.parent;
        }
        let node = self.forest.get(ancestor).expect("INVARIANT: paths are whole");
        self.accelerations.add(node.config.shared, sequence.accelerated());
        let processed = &mut self.processed;
        self.forest.cut_below(ancestor, |element| processed.remove(element));
        let node = self.forest.get_mut(ancestor).expect("INVARIANT: only what is below was cut off");
        node.element.take().into_iter().for_each(|element| self.processed.remove(element));
        self.front.push(ancestor);
    }

    fn cut(&mut self, handle: Handle) {
        let processed = &mut self.processed;
        self.forest.cut(handle, |element| processed.remove(element));
    }

    /// Cuts off what a node covers and puts its successors into the front.
    fn process(&mut self, handle: Handle, budget: &Budget) -> Result<(), UnknownReason> {
        let node = self.forest.get(handle).expect("INVARIANT: a node is not cut off while it is looked at");
        let config = node.config.clone();
        let mut below: Vec<ElementId> = Vec::new();
        let _ = self.processed.generators().for_each_below(config.view(), |element| {
            below.push(element);
            ControlFlow::Continue(())
        });
        // A handle that an earlier one cut off has become stale, which does no harm.
        below.into_iter().for_each(|element| self.cut(self.handles[element.index()]));
        let element = self.processed.add_new(config.view());
        debug_assert_eq!(element.index(), self.handles.len());
        self.handles.push(handle);
        if let Some(node) = self.forest.get_mut(handle) {
            node.element = Some(element);
        }
        self.expanded += 1;
        self.expand(config.view(), Some(handle), budget)
    }

    /// Adds the successors of a configuration that no processed node covers to the front: as children of a node, or as
    /// roots.
    fn expand(
        &mut self,
        config: ConfigRef<'_>,
        parent: Option<Handle>,
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        let system = self.system;
        let mut stopped = Ok(());
        let enumeration = system.for_each_successor(config, &mut |rule: RuleId, after| {
            self.successors += 1;
            if !self.processed.contains(after) {
                let plain = system.plain_effect(rule).is_some();
                let origin = parent.map(|parent| Origin { parent, rule, plain });
                self.front.push(self.forest.add(after.to_config(), origin));
            }
            // A broadcast can have exponentially many successors.
            if self.successors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// Adds initial configurations and successors of processed nodes that are not covered to the front, as roots. In
    /// the beginning, those are the initial configurations.
    fn add_missing(&mut self, budget: &Budget) -> Result<(), UnknownReason> {
        let _ = self.system.for_each_initial(&mut |initial| {
            if !self.processed.contains(initial) {
                self.front.push(self.forest.add(initial.to_config(), None));
            }
            ControlFlow::Continue(())
        });
        let elements: Vec<Config> =
            self.processed.generators().iter().map(|(_, element)| element.to_config()).collect();
        for element in &elements {
            budget.check()?;
            self.expand(element.view(), None, budget)?;
        }
        Ok(())
    }
}

/// An ancestor that a node covers.
#[derive(Clone, Copy, Debug)]
struct Ancestor {
    handle: Handle,
    /// Whether no rule on the way moves passive threads.
    plain: bool,
}
