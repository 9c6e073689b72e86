//! What n threads reach, the unusual first: a search for runs to many thread states, which need not look at every
//! configuration. n counts all threads ever created, as in `explore`.
//!
//! A configuration that shows a thread state for the first time is followed before all others, and one that shows two threads
//! for the first time together before the rest (*novelty* of width one and two, as in planning: Lipovetzky and Geffner,
//! ECAI 2012). Pairs are what it takes to get a thread into a critical section while another one is elsewhere, say.

use super::ThreadState;
use super::bounded::initial_configs;
use crate::{Observer, Progress, UnknownReason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{Trace, TraceItem};
use throng_model::store::ConfigId;
use throng_model::{Config, ConfigRef, ConfigStore, LocalId, RuleId, SharedId, TransitionSystem, bag};

/// A configuration that was met.
#[derive(Clone, Copy, Debug)]
struct Node {
    config: ConfigId,
    /// Threads that were ever created.
    created: u64,
    /// From which node, by which rule; `None` for initial ones.
    before: Option<(usize, RuleId)>,
}

/// How unusual a configuration is: the smaller the more.
const RANKS: usize = 3;

/// The search at work.
pub struct Scout<'a> {
    system: &'a dyn TransitionSystem,
    threads: u64,
    configs: ConfigStore,
    nodes: Vec<Node>,
    /// For each configuration, the node that met it with the fewest threads ever created.
    node_of: Vec<usize>,
    first: FxHashMap<ThreadState, usize>,
    /// The same in the order in which they were met.
    seen: Vec<ThreadState>,
    pairs: FxHashSet<(SharedId, LocalId, LocalId)>,
    /// What waits, the most unusual first.
    waiting: [VecDeque<usize>; RANKS],
    expanded: u64,
}

impl std::fmt::Debug for Scout<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scout").field("threads", &self.threads).field("nodes", &self.nodes.len()).finish()
    }
}

impl<'a> Scout<'a> {
    /// A search with so many threads that has not begun.
    pub(super) fn new(system: &'a dyn TransitionSystem, threads: u64) -> Result<Self, UnknownReason> {
        let mut scout = Self {
            system,
            threads,
            configs: ConfigStore::default(),
            nodes: Vec::new(),
            node_of: Vec::new(),
            first: FxHashMap::default(),
            seen: Vec::new(),
            pairs: FxHashSet::default(),
            waiting: std::array::from_fn(|_| VecDeque::new()),
            expanded: 0,
        };
        for initial in starts(system, threads)? {
            scout.meet(initial.view(), initial.view().size(), None);
        }
        Ok(scout)
    }

    /// Goes on until so many configurations have been followed, all in all; whether nothing is left to do.
    pub(super) fn advance(
        &mut self,
        until: u64,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<bool, UnknownReason> {
        while self.expanded < until {
            budget.check()?;
            let Some(next) = self.waiting.iter_mut().find_map(VecDeque::pop_front) else { return Ok(true) };
            self.expand(next)?;
            self.expanded += 1;
            if self.expanded.is_multiple_of(256) {
                let (elements, expanded, steps) = (self.nodes.len() as u64, self.expanded, self.expanded);
                let frontier = self.waiting.iter().map(|waiting| waiting.len() as u64).sum();
                observer.progress(&Progress { elements, frontier, expanded, steps, threads: self.threads });
            }
        }
        Ok(self.waiting.iter().all(VecDeque::is_empty))
    }

    /// How many configurations have been followed.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The thread states that were seen, in the order in which they were.
    pub fn seen(&self) -> &[ThreadState] {
        &self.seen
    }

    /// A run to a thread state; `None` if it was not reached.
    pub fn trace_to(&self, state: ThreadState) -> Option<Trace> {
        self.run_to(*self.first.get(&state)?).map(|(trace, _)| trace)
    }

    /// All that was met: numbers, configurations, and how many threads were ever created.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (usize, ConfigRef<'_>, u64)> {
        self.nodes.iter().enumerate().map(|(number, it)| (number, self.configs.get(it.config), it.created))
    }

    /// A run to a node, and its configuration.
    pub(super) fn run_to(&self, node: usize) -> Option<(Trace, Config)> {
        let mut path = vec![node];
        while let Some((before, _)) = self.nodes[path[path.len() - 1]].before {
            path.push(before);
        }
        path.reverse();
        let of = |node: usize| self.configs.get(self.nodes[node].config);
        let mut items = Vec::with_capacity(path.len() - 1);
        for pair in path.windows(2) {
            let (_, rule) = self.nodes[pair[1]].before?;
            let (step, _) = self.system.step_covering(of(pair[0]), rule, of(pair[1]))?;
            items.push(TraceItem::Step(step));
        }
        Some((Trace { initial: of(path[0]).to_config(), items }, of(node).to_config()))
    }

    /// Adds the configurations of a run of so many threads: where it starts, and the rules with what they lead to.
    pub(super) fn add(&mut self, initial: &Config, steps: &[(RuleId, Config)]) {
        let mut size = initial.view().size();
        let mut created = size;
        let mut at = self.meet(initial.view(), created, None);
        for (rule, config) in steps {
            created += config.view().size().saturating_sub(size);
            size = config.view().size();
            at = self.meet(config.view(), created, Some((at, *rule)));
        }
    }

    fn expand(&mut self, at: usize) -> Result<(), UnknownReason> {
        let Node { config, created, .. } = self.nodes[at];
        let config = self.configs.get(config).to_config();
        let size = config.view().size();
        let system = self.system;
        let enumeration = system.for_each_successor(config.view(), &mut |rule, after| {
            let created = created + after.size().saturating_sub(size);
            if created <= self.threads {
                self.meet(after, created, Some((at, rule)));
            }
            ControlFlow::Continue(())
        });
        let _ = enumeration?;
        Ok(())
    }

    /// Notes a configuration; the node that stands for it.
    fn meet(&mut self, config: ConfigRef<'_>, created: u64, before: Option<(usize, RuleId)>) -> usize {
        let (id, is_new) = self.configs.intern(config);
        let number = self.nodes.len();
        if is_new {
            self.node_of.push(number);
        } else if self.nodes[self.node_of[id.index()]].created <= created {
            return self.node_of[id.index()];
        } else {
            self.node_of[id.index()] = number;
        }
        self.nodes.push(Node { config: id, created, before });
        let rank = self.rank(config, number);
        self.waiting[rank].push_back(number);
        number
    }

    /// How unusual a configuration is; notes what it shows.
    fn rank(&mut self, config: ConfigRef<'_>, number: usize) -> usize {
        let mut rank = RANKS - 1;
        for (index, entry) in config.bag.iter().enumerate() {
            let from = if entry.count > 1 { index } else { index + 1 };
            for other in &config.bag[from..] {
                if self.pairs.insert((config.shared, entry.local, other.local)) {
                    rank = rank.min(1);
                }
            }
            let state = ThreadState { shared: config.shared, local: entry.local };
            self.first.entry(state).or_insert_with(|| {
                self.seen.push(state);
                rank = 0;
                number
            });
        }
        rank
    }
}

/// The initial configurations of so many threads. Those of fewer threads show nothing else, unless threads that are not there
/// at the start may be created later.
fn starts(system: &dyn TransitionSystem, threads: u64) -> Result<Vec<Config>, UnknownReason> {
    let mut all = initial_configs(system, threads)?;
    let creates_none = system.explicit().is_some_and(|system| {
        system.rules().iter().all(|(_, rule)| bag::size(rule.put) <= bag::size(rule.take))
    });
    if creates_none {
        let more: Vec<Config> =
            all.iter().filter(|config| config.view().size() == threads).cloned().collect();
        all.retain(|config| {
            config.view().size() == threads || !more.iter().any(|other| config.view().le(other.view()))
        });
    }
    Ok(all)
}
