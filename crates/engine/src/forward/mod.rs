//! Forward searches: what is coverable, found from the initial configurations on.
//!
//! * *Karp–Miller*: ω-configurations with accelerations ([`tree`]). On systems without moves it ends with the
//!   coverability set; with moves it need not end, but all it says is true (Kaiser's thesis, §4.3.1).
//! * *Explicit*: exact numbers of threads, with 0, 1, 2, … of them in each unbounded initial local.
//! * *Random*: walks through successors chosen at random, unbounded initial locals being an endless supply.
//!
//! All three grow one tree by [`ForwardSearch::advance`], a bounded piece of work at a time, so that they can serve
//! as oracle for other searches in turns or in a thread of their own. All report what they find in the same way:
//! nodes c with ↓c ⊆ Cover, each of which can be turned into a trace.

mod frontier;
mod tree;
mod unwind;

use crate::UnknownReason;
use crate::options::{Ancestors, Options, OracleKind, Order};
use frontier::{Frontier, mix};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{
    Bag, ClosedSet, Config, ConfigRef, Entry, OMEGA, RuleId, TransitionSystem, UpwardClosedSet,
};
pub(crate) use tree::{Origin, Tree};

/// How far a forward search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// There is more to find.
    Running,
    /// A node covers a target.
    Covered(ElementId),
    /// The maximal nodes are all that is coverable.
    Complete,
    /// It grew to as many nodes as it may.
    Full,
    /// It cannot go on.
    GaveUp(UnknownReason),
}

/// What kind of search it is.
#[derive(Debug)]
enum Kind {
    KarpMiller,
    /// So many threads start in each unbounded local.
    Explicit {
        threads: u32,
    },
    /// The node where the walk is, how long it may go on, and how many random numbers were drawn.
    Random {
        at: ElementId,
        steps_left: u32,
        drawn: u64,
    },
}

/// A walk starts again after so many steps.
const WALK: u32 = 256;

/// See the module's documentation.
pub(crate) struct ForwardSearch<'s> {
    system: &'s dyn TransitionSystem,
    kind: Kind,
    ancestors: Ancestors,
    seed: u64,
    /// What grew so far.
    pub(crate) tree: Tree,
    frontier: Frontier,
    targets: UpwardClosedSet,
    /// Random walks start at the first nodes.
    n_roots: usize,
    /// The most nodes that it may grow to.
    most_nodes: usize,
    state: State,
    /// What was done, in units that are comparable to computing one small predecessor.
    work: u64,
    /// Successors computed.
    pub(crate) successors: u64,
    /// Nodes expanded.
    pub(crate) expanded: u64,
    /// Nodes that were covered by others while they waited.
    pub(crate) discarded: u64,
    /// The configuration being expanded, since the tree changes meanwhile.
    config: Config,
    after: Bag,
}

impl<'s> ForwardSearch<'s> {
    /// A search that has not begun; `None` if nobody shall search.
    pub(crate) fn new(
        system: &'s dyn TransitionSystem,
        oracle: OracleKind,
        options: &Options,
        most_nodes: usize,
    ) -> Option<Self> {
        let root = ElementId::new(0);
        let (kind, order) = match oracle {
            OracleKind::None => return None,
            OracleKind::KarpMiller => (Kind::KarpMiller, options.order),
            OracleKind::Explicit => (Kind::Explicit { threads: 0 }, options.order),
            OracleKind::Random => (Kind::Random { at: root, steps_left: WALK, drawn: 0 }, Order::Breadth),
        };
        let mut targets = UpwardClosedSet::default();
        let _ = system.for_each_target(&mut |target| {
            targets.insert(target);
            ControlFlow::Continue(())
        });
        let mut search = Self {
            system,
            kind,
            ancestors: options.ancestors,
            seed: options.seed,
            tree: Tree::default(),
            frontier: Frontier::new(order, options.seed),
            targets,
            n_roots: 0,
            most_nodes,
            state: State::Running,
            work: 0,
            successors: 0,
            expanded: 0,
            discarded: 0,
            config: Config::new(throng_model::SharedId::new(0), Bag::new()),
            after: Bag::new(),
        };
        search.plant();
        search.n_roots = search.tree.len();
        Some(search)
    }

    /// How many nodes wait.
    pub(crate) fn n_waiting(&self) -> usize {
        self.frontier.len()
    }

    /// A target that a configuration covers.
    pub(crate) fn target_below(&self, config: ConfigRef<'_>) -> Config {
        let target = self.targets.witness(config).expect("INVARIANT: asked of what covers a target");
        self.targets.generators().get(target).to_config()
    }

    /// Adds the initial configurations as roots. For an explicit search, whether there are more to come.
    fn plant(&mut self) -> bool {
        let system = self.system;
        let mut unbounded = false;
        let _ = system.for_each_initial(&mut |initial| {
            let mut root = Bag::from(initial.bag);
            if let Kind::Explicit { threads } = self.kind {
                unbounded |= initial.bag.iter().any(|entry| entry.count == OMEGA);
                root = with_supply(initial.bag, threads);
            }
            self.offer_root(ConfigRef::new(initial.shared, &root));
            ControlFlow::Continue(())
        });
        unbounded
    }

    fn offer_root(&mut self, root: ConfigRef<'_>) {
        if self.tree.covering(root).is_none() {
            self.add(root, None, Vec::new());
        }
    }

    fn add(&mut self, config: ConfigRef<'_>, origin: Option<Origin>, ancestors: Vec<ElementId>) -> ElementId {
        let node = self.tree.add(config, origin, ancestors);
        self.frontier.push(node, config);
        if self.state == State::Running && self.targets.contains(config) {
            self.state = State::Covered(node);
        }
        node
    }

    /// Goes on for a piece of work that is about that of `quantum` small successors.
    pub(crate) fn advance(&mut self, quantum: u64, budget: &Budget) -> State {
        let end = self.work + quantum;
        while self.state == State::Running && self.work < end {
            self.work += 1;
            if let Err(reason) = self.turn(budget) {
                self.state = State::GaveUp(reason);
            }
        }
        self.state.clone()
    }

    fn turn(&mut self, budget: &Budget) -> Result<(), UnknownReason> {
        budget.check()?;
        if self.tree.len() >= self.most_nodes {
            self.state = State::Full;
            return Ok(());
        }
        if matches!(self.kind, Kind::Random { .. }) && self.tree.len() > 0 {
            return self.walk(budget);
        }
        match self.frontier.pop() {
            Some(node) if self.tree.keep_if_maximal(node) => self.expand(node, budget),
            Some(_) => {
                self.discarded += 1;
                Ok(())
            }
            None => {
                self.exhausted();
                Ok(())
            }
        }
    }

    /// Nothing waits: the search is complete, unless more threads can start.
    fn exhausted(&mut self) {
        if let Kind::Explicit { threads } = &mut self.kind {
            *threads += 1;
            if self.plant() {
                return;
            }
        }
        if self.state == State::Running {
            self.tree.minimise();
            self.state = State::Complete;
        }
    }

    /// Adds the successors of a node.
    fn expand(&mut self, node: ElementId, budget: &Budget) -> Result<(), UnknownReason> {
        self.expanded += 1;
        let system = self.system;
        let mut stopped = Ok(());
        let config = self.take_config(node);
        self.frontier.expand(config.shared);
        let enumeration = system.for_each_successor(config.view(), &mut |rule, after| {
            self.successors += 1;
            self.work += 1 + after.bag.len() as u64 / 8;
            if self.tree.covering(after).is_none() {
                self.add_successor(node, rule, after);
            }
            // A broadcast can have exponentially many successors.
            if self.successors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_ok() && self.state == State::Running {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        self.config = config;
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// A copy of a node's configuration in the buffer for it.
    fn take_config(&mut self, node: ElementId) -> Config {
        let empty = Config::new(self.config.shared, Bag::new());
        let mut config = std::mem::replace(&mut self.config, empty);
        let view = self.tree.get(node);
        config.shared = view.shared;
        config.bag.assign(view.bag);
        config
    }

    /// Adds a successor that no node covers, accelerated if this search does that.
    fn add_successor(&mut self, parent: ElementId, rule: RuleId, after: ConfigRef<'_>) -> ElementId {
        let plain = self.system.plain_effect(rule).is_some();
        let origin = Some(Origin { parent, rule, plain });
        if !plain || !matches!(self.kind, Kind::KarpMiller) {
            return self.add(after, origin, Vec::new());
        }
        let mut accelerated = std::mem::take(&mut self.after);
        let ancestors = self.tree.accelerate(parent, after, self.ancestors, &mut accelerated);
        let node = self.add(ConfigRef::new(after.shared, &accelerated), origin, ancestors);
        self.after = accelerated;
        node
    }

    /// One step of a random walk. A successor that is known is left for the node that covers it, which can do
    /// all that the successor can.
    fn walk(&mut self, budget: &Budget) -> Result<(), UnknownReason> {
        let Kind::Random { at, steps_left, mut drawn } = self.kind else { return Ok(()) };
        let seed = mix(self.seed);
        let mut random = |bound: usize| {
            drawn += 1;
            (mix(seed.wrapping_add(drawn)) % bound.max(1) as u64) as usize
        };
        let mut chosen: Option<(RuleId, Config)> = None;
        let config = self.tree.get(at).to_config();
        let (mut n_seen, mut stopped) = (0, Ok(()));
        let enumeration = self.system.for_each_successor(config.view(), &mut |rule, after| {
            n_seen += 1;
            if random(n_seen) == 0 {
                chosen = Some((rule, after.to_config()));
            }
            stopped = budget.check();
            if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        stopped?;
        let _ = enumeration?;
        let root = ElementId::new(random(self.n_roots));
        self.successors += n_seen as u64;
        self.work += n_seen as u64 * (1 + config.bag.len() as u64 / 8);
        self.expanded += 1;
        let (at, steps_left) = match chosen {
            Some((rule, after)) if steps_left > 0 => {
                let known = self.tree.covering(after.view());
                (known.unwrap_or_else(|| self.add_successor(at, rule, after.view())), steps_left - 1)
            }
            _ => (root, WALK),
        };
        self.kind = Kind::Random { at, steps_left, drawn };
        Ok(())
    }
}

/// An initial configuration with so many threads in each unbounded local.
fn with_supply(initial: &[Entry], threads: u32) -> Bag {
    let counts = initial.iter().map(|entry| {
        let count = if entry.count == OMEGA { threads } else { entry.count };
        (entry.local, count)
    });
    Bag::from_counts(counts).expect("INVARIANT: every local occurs once")
}
