//! What n threads can reach, where n counts all threads ever created.
//!
//! Breadth first over configurations with exact counts. It starts with every initial configuration of at most n threads; a
//! step that leaves more threads than there were has created the difference. A configuration that was met before is followed
//! again only if fewer threads were ever created this time.
//!
//! A rule that creates threads and ends others in the same step counts as creating the difference only. Thread
//! transition systems and programs have no such rules.

use super::ThreadState;
use crate::{Observer, Progress, UnknownReason};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{Forest, Trace, TraceItem};
use throng_model::store::ConfigId;
use throng_model::{Bag, Config, ConfigRef, ConfigStore, Entry, LocalId, OMEGA, RuleId, TransitionSystem};

/// A configuration that was met.
#[derive(Clone, Copy, Debug)]
struct Node {
    config: ConfigId,
    /// Threads that were ever created.
    created: u64,
    depth: u64,
    /// From which node, by which rule; `None` for initial ones.
    before: Option<(usize, RuleId)>,
}

/// Rₙ with first depths and traces.
#[derive(Debug)]
pub struct Exploration {
    configs: ConfigStore,
    nodes: Vec<Node>,
    /// For each configuration, the fewest threads ever created with which it was met.
    fewest: Vec<u64>,
    first: FxHashMap<ThreadState, usize>,
    is_complete: bool,
}

/// Explores what n threads can do; no further than this many configurations.
pub fn explore(
    system: &dyn TransitionSystem,
    n: u64,
    most_configs: usize,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Exploration, UnknownReason> {
    let mut exploration = Exploration {
        configs: ConfigStore::default(),
        nodes: Vec::new(),
        fewest: Vec::new(),
        first: FxHashMap::default(),
        is_complete: true,
    };
    for initial in initial_configs(system, n)? {
        exploration.meet(initial.view(), initial.view().size(), 0, None);
    }
    let mut next = 0;
    while next < exploration.nodes.len() {
        budget.check()?;
        if exploration.nodes.len() > most_configs {
            exploration.is_complete = false;
            break;
        }
        exploration.expand(system, next, n)?;
        next += 1;
        if next.is_multiple_of(256) {
            let (elements, frontier) =
                (exploration.nodes.len() as u64, (exploration.nodes.len() - next) as u64);
            let progress = Progress { elements, frontier, threads: n, ..Progress::default() };
            observer.progress(&Progress { expanded: next as u64, steps: next as u64, ..progress });
        }
    }
    Ok(exploration)
}

impl Exploration {
    /// Whether everything was explored.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The thread states with their first depths, in no particular order.
    pub fn states(&self) -> impl Iterator<Item = (ThreadState, u64)> + '_ {
        self.first.iter().map(|(&state, &node)| (state, self.nodes[node].depth))
    }

    /// How many configurations were met.
    pub fn n_configs(&self) -> usize {
        self.configs.len()
    }

    /// How many local states occur in each configuration, all added up.
    pub fn n_occupied(&self) -> u64 {
        self.configs.iter().map(|(_, config)| config.bag.len() as u64).sum()
    }

    /// A shortest trace to a thread state; `None` if it was not reached.
    pub fn trace_to(&self, system: &dyn TransitionSystem, state: ThreadState) -> Option<Trace> {
        let mut path = vec![*self.first.get(&state)?];
        while let Some((before, _)) = self.nodes[path[path.len() - 1]].before {
            path.push(before);
        }
        path.reverse();
        let initial = self.configs.get(self.nodes[path[0]].config).to_config();
        let mut items = Vec::with_capacity(path.len() - 1);
        for pair in path.windows(2) {
            let (from, to) = (self.nodes[pair[0]], self.nodes[pair[1]]);
            let (_, rule) = to.before.expect("INVARIANT: only the first node of a path is initial");
            let (from, to) = (self.configs.get(from.config), self.configs.get(to.config));
            let (step, _) = system.step_covering(from, rule, to).expect("INVARIANT: the step was seen");
            items.push(TraceItem::Step(step));
        }
        Some(Trace { initial, items })
    }

    /// Adds shortest runs to these thread states to a forest, as far as they were reached.
    pub fn grow(
        &self,
        system: &dyn TransitionSystem,
        states: impl Iterator<Item = ThreadState>,
        forest: &mut Forest,
    ) {
        let mut branches: FxHashMap<usize, usize> = FxHashMap::default();
        for state in states {
            let Some(&first) = self.first.get(&state) else { continue };
            let (mut at, mut path) = (first, Vec::new());
            while !branches.contains_key(&at) {
                path.push(at);
                let Some((before, _)) = self.nodes[at].before else { break };
                at = before;
            }
            for &number in path.iter().rev() {
                let (node, to) = (self.nodes[number], self.configs.get(self.nodes[number].config));
                let branch = match node.before {
                    None => forest.plant(system, &to.to_config()),
                    Some((before, rule)) => {
                        let from = self.configs.get(self.nodes[before].config);
                        let (step, _) =
                            system.step_covering(from, rule, to).expect("INVARIANT: the step was seen");
                        forest.grow(system, branches[&before], &TraceItem::Step(step))
                    }
                };
                branches.insert(number, branch);
            }
        }
    }

    fn expand(&mut self, system: &dyn TransitionSystem, at: usize, n: u64) -> Result<(), UnknownReason> {
        let node = self.nodes[at];
        let config = self.configs.get(node.config).to_config();
        let size = config.view().size();
        let enumeration = system.for_each_successor(config.view(), &mut |rule, after| {
            let created = node.created + after.size().saturating_sub(size);
            if created <= n {
                self.meet(after, created, node.depth + 1, Some((at, rule)));
            }
            ControlFlow::Continue(())
        });
        let _ = enumeration?;
        Ok(())
    }

    fn meet(&mut self, config: ConfigRef<'_>, created: u64, depth: u64, before: Option<(usize, RuleId)>) {
        let (id, is_new) = self.configs.intern(config);
        if is_new {
            self.fewest.push(created);
        } else if self.fewest[id.index()] <= created {
            return;
        } else {
            self.fewest[id.index()] = created;
        }
        let number = self.nodes.len();
        self.nodes.push(Node { config: id, created, depth, before });
        for entry in config.bag {
            let state = ThreadState { shared: config.shared, local: entry.local };
            self.first.entry(state).or_insert(number);
        }
    }
}

/// The initial configurations of at most n threads.
pub(super) fn initial_configs(system: &dyn TransitionSystem, n: u64) -> Result<Vec<Config>, UnknownReason> {
    let mut configs = Vec::new();
    let mut patterns = Vec::new();
    let _ = system.for_each_initial(&mut |initial| {
        patterns.push(initial.to_config());
        ControlFlow::Continue(())
    });
    for pattern in patterns {
        let (unbounded, exact): (Vec<Entry>, Vec<Entry>) =
            pattern.bag.iter().partition(|entry| entry.count == OMEGA);
        let exact = Bag::from_counts(exact.into_iter().map(|entry| (entry.local, entry.count)))?;
        let unbounded: Vec<LocalId> = unbounded.into_iter().map(|entry| entry.local).collect();
        let mut wave = vec![Config::new(pattern.shared, exact)];
        // All configurations of a wave have the same number of threads, those of the next one more.
        while let Some(size) = wave.first().map(|config| config.view().size()).filter(|&size| size <= n) {
            configs.extend(wave.iter().filter_map(|config| {
                let instance = system.initial_instance(config.view())?;
                (instance.view().size() == size).then_some(instance)
            }));
            wave = one_more(&wave, &unbounded)?;
        }
    }
    configs.sort_unstable();
    configs.dedup();
    Ok(configs)
}

/// All configurations with one thread more in some of these local states.
fn one_more(wave: &[Config], locals: &[LocalId]) -> Result<Vec<Config>, UnknownReason> {
    let mut next = Vec::new();
    for config in wave {
        for &local in locals {
            let mut more = config.clone();
            more.bag.add(local, 1)?;
            next.push(more);
        }
    }
    next.sort_unstable();
    next.dedup();
    Ok(next)
}
