//! Directed forward search: greedy best-first search on configurations, for deep bugs with short traces.
//!
//! Nodes are ω-configurations with ω only where any number of threads may start: an endless supply, which is exact,
//! because coverability is monotone. All other counts are finite, and nothing is accelerated. So the threads that have
//! left the supply are explored explicitly, and each node stands for any number of threads that have not. A successor
//! below a node that is known is dropped (the node can do all that it can), and a node that a later one covers is not
//! expanded.
//!
//! The number of threads (outside the supply) is bounded, and the bound grows: 1, 2, 3, … more than at the start. What has
//! more threads is put off until the nodes within the bound are expanded, or enough of them. Without a bound, the
//! larger nodes of an endless chain would take the places of the smaller ones below them.
//!
//! Which node comes next decides a [`guide`], with the dual of the state equation and a syntactic distance, in turns
//! with the number of threads ([`open`]). When the guide's best
//! estimate stays the same for long, the guide looks closer at the node that is best by it.
//!
//! `unsafe` when a node covers a target: the path to it, without the steps that nobody needs, is the trace. `safe` when
//! no node waits: then the maximal nodes are a cover set. That happens when finitely many threads can leave the
//! supply; otherwise the search goes on until the budget ends. What it finds is published as D.

mod distance;
mod guide;
mod later;
mod open;
mod path;

use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::forward::{Origin, Tree};
use crate::{Answer, Options, Progress, Recording, Safety, Statistics, UnknownReason};
use guide::{Estimate, Guide};
use later::Later;
use open::{By, Open};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::CoverSet;
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// Nodes that are published at a time, and altogether.
const BATCH: usize = 64;
const MOST_PUBLISHED: usize = 1 << 14;

/// So many nodes, times the number of times that more threads were allowed, are expanded before more threads are
/// allowed although nodes with fewer wait.
const FAIR_SHARE: u64 = 1024;

/// After so many nodes without progress the guide looks closer, and after twice as many the next time.
const FIRST_PATIENCE: u64 = 64;

/// See the module's documentation.
pub(crate) struct Directed<'b, 's> {
    system: &'s dyn TransitionSystem,
    board: &'b Blackboard<'s>,
    tree: Tree,
    open: Open,
    /// What has more threads than `most_threads`.
    later: Later,
    most_threads: u64,
    /// How often that was raised, and nodes expanded since the last time.
    n_raised: u64,
    since_raised: u64,
    guide: Guide<'s>,
    targets: UpwardClosedSet,
    /// A node that covers a target.
    hit: Option<ElementId>,
    begun: bool,
    /// The best estimate by the guide so far, and how many nodes were expanded since, and may be.
    best: Option<Estimate>,
    since_best: u64,
    patience: u64,
    /// Found to be coverable and not published yet.
    news: Vec<Config>,
    n_published: usize,
    expanded: u64,
    successors: u64,
    draws: bool,
    /// The configuration being expanded, since the tree changes meanwhile.
    config: Config,
}

impl Contender for Directed<'_, '_> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
        self.run(quantum, budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason)))
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.tree.n_maximal() as u64,
            frontier: self.open.len() as u64,
            expanded: self.expanded,
            steps: self.successors,
            threads: self.config.view().size(),
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.push("nodes", self.tree.len() as u64);
        statistics.push("maximal", self.tree.n_maximal() as u64);
        statistics.push("nodes_expanded", self.expanded);
        statistics.push("successors", self.successors);
        statistics.push("nodes_waiting", self.open.len() as u64);
        statistics.push("potentials", u64::from(self.guide.n_programs()));
        statistics
    }

    fn recording(&mut self) -> Recording {
        Recording { forward: self.draws.then(|| self.tree.draw()), ..Recording::default() }
    }
}

impl<'b, 's> Directed<'b, 's> {
    /// A search that has not begun.
    pub(crate) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        Self {
            system,
            board,
            tree: Tree::default(),
            open: Open::default(),
            later: Later::default(),
            most_threads: 0,
            n_raised: 1,
            since_raised: 0,
            guide: Guide::default(),
            targets: UpwardClosedSet::default(),
            hit: None,
            begun: false,
            best: None,
            since_best: 0,
            patience: FIRST_PATIENCE,
            news: Vec::new(),
            n_published: 0,
            expanded: 0,
            successors: 0,
            draws: options.record.graphs,
            config: Config::new(throng_model::SharedId::new(0), throng_model::Bag::new()),
        }
    }

    fn run(&mut self, quantum: u64, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        if !self.begun {
            self.begun = true;
            self.begin();
        }
        let end = self.successors + quantum;
        for _ in 0..quantum {
            if let Some(node) = self.hit {
                let target = self.targets.witness(self.tree.get(node));
                let target = target.expect("INVARIANT: a hit covers a target");
                let target = self.targets.generators().get(target);
                return Ok(Some(Answer::Unsafe(path::trace(&self.tree, self.system, node, target)?)));
            }
            budget.check()?;
            let Some((by, node)) = self.next() else { return Ok(Some(self.safe())) };
            if self.tree.keep_if_maximal(node) {
                self.look_closer(by, node, budget);
                self.expand(node, budget)?;
            }
            if self.successors >= end {
                break;
            }
        }
        Ok(None)
    }

    /// Adds the initial configurations as roots.
    fn begin(&mut self) {
        let (mut starts, mut targets) = (Vec::new(), Vec::new());
        let _ = self.system.for_each_initial(&mut |initial| {
            starts.push(initial.to_config());
            ControlFlow::Continue(())
        });
        let _ = self.system.for_each_target(&mut |target| {
            self.targets.insert(target);
            ControlFlow::Continue(())
        });
        self.targets.minimise();
        targets.extend(self.targets.generators().iter().map(|(_, target)| target.to_config()));
        self.guide = Guide::new(self.system.explicit(), &starts, &targets);
        self.most_threads = starts.iter().map(|start| start.view().size() + 1).max().unwrap_or(0);
        for start in &starts {
            self.offer(start.view(), None);
        }
    }

    /// Adds a configuration, unless a node covers it or it has too many threads for now.
    fn offer(&mut self, config: ConfigRef<'_>, origin: Option<Origin>) {
        if self.tree.covering(config).is_some() {
            return;
        }
        let is_hit = self.targets.contains(config);
        if config.size() > self.most_threads && !is_hit {
            self.later.put_off(config, origin);
            return;
        }
        let node = self.tree.add(config, origin, Vec::new());
        self.open.push(node, self.guide.estimate(config), config.size());
        if is_hit {
            self.hit.get_or_insert(node);
        }
    }

    /// The node to expand next. More threads are allowed when none waits, or when as many were expanded as seems
    /// reasonable for so many threads.
    fn next(&mut self) -> Option<(By, ElementId)> {
        loop {
            let raised = match self.later.fewest_threads() {
                Some(threads) if self.open.len() == 0 => threads,
                Some(_) if self.since_raised >= FAIR_SHARE * self.n_raised => self.most_threads + 1,
                _ => return self.open.pop(self.guide.has_potentials()),
            };
            (self.most_threads, self.since_raised) = (raised, 0);
            self.n_raised += 1;
            for (config, origin) in self.later.take(raised) {
                self.offer(config.view(), origin);
            }
        }
    }

    /// The cover set, when nothing waits.
    fn safe(&mut self) -> Answer {
        self.tree.minimise();
        let elements = self.tree.maximal().map(|(_, config)| config.to_config()).collect();
        Answer::Safe(Safety::CoverSet(CoverSet { elements }))
    }

    /// Lets the guide look closer at a node that it thought best, if there was no progress for long.
    fn look_closer(&mut self, by: By, node: ElementId, budget: &Budget) {
        self.since_best += 1;
        if by == By::Threads {
            return;
        }
        let config = self.tree.get(node);
        let estimate = self.guide.estimate(config);
        if self.best.is_none_or(|best| estimate < best) {
            (self.best, self.since_best) = (Some(estimate), 0);
        } else if self.since_best >= self.patience {
            self.since_best = 0;
            self.patience = self.patience.saturating_mul(2);
            if self.guide.refine(config, budget) {
                let (guide, tree) = (&self.guide, &self.tree);
                self.open.estimate_again(|node| {
                    let config = tree.get(node);
                    (guide.estimate(config), config.size())
                });
                self.best = None;
            }
        }
    }

    /// Adds the successors of a node.
    fn expand(&mut self, node: ElementId, budget: &Budget) -> Result<(), UnknownReason> {
        self.expanded += 1;
        self.since_raised += 1;
        let view = self.tree.get(node);
        self.config.shared = view.shared;
        self.config.bag.assign(view.bag);
        let config = self.config.clone();
        self.publish(&config);
        let system = self.system;
        let mut stopped = Ok(());
        let enumeration = system.for_each_successor(config.view(), &mut |rule, after| {
            self.successors += 1;
            self.offer(after, Some(self.origin(node, rule)));
            // A broadcast can have exponentially many successors.
            if self.successors.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_ok() && self.hit.is_none() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    fn origin(&self, parent: ElementId, rule: RuleId) -> Origin {
        Origin { parent, rule, plain: self.system.plain_effect(rule).is_some() }
    }

    /// Tells others that a configuration is coverable.
    fn publish(&mut self, config: &Config) {
        if self.n_published < MOST_PUBLISHED {
            self.news.push(config.clone());
            if self.news.len() == BATCH {
                self.n_published += BATCH;
                self.board.covered.publish(self.news.drain(..));
            }
        }
    }
}
