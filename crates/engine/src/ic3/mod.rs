//! Incremental, inductive coverability: IC3 for well-structured systems.
//!
//! Kloos, Majumdar, Niksic and Piskac, "Incremental, Inductive Coverability" (CAV 2013). Frames R_0 = ↓I, R_1, …, R_N
//! over-approximate what is coverable in at most 0, 1, …, N steps (`frames`). A target in R_N is an obligation
//! (`obligations`): it has to be blocked there. *Decide* an obligation at level i has a predecessor in R_{i−1}, which
//! becomes an obligation at level i−1; *Model* one that is initial gives a trace. *Conflict* it has none, so a
//! configuration below it that is inductive relative to R_{i−1} becomes a lemma (`generalise`). Blocked obligations
//! are queued again at the next level. Once R_N contains no target, there is a new frame *Unfold*, lemmas move up as far
//! as they are inductive (`propagate`, *Induction*), and when all lemmas of some level have moved up, two frames are
//! equal: the lemmas from there on are a proof *Valid*.
//!
//! Shared states stay shared states: a lemma is a shared state and a bag, and only threads are dropped from it. What
//! breaks a cut is blocked for ever, and what is known to be coverable is never tried as a lemma (`known`).
//!
//! It ends on every system: see `obligations` for why there are finitely many obligations; lemmas are below them or, for
//! counterexamples to generalisation, below the predecessors of what is below them, to a bounded depth.
//! Counterexamples through few threads are found late, the paper says so too; an oracle helps with those.

mod frames;
mod generalise;
mod known;
mod needed;
mod obligations;
mod propagate;
mod relative;

use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::{Answer, Options, Progress, Safety, Statistics, UnknownReason, minimal_targets};
use frames::{Frames, Level};
use generalise::Preference;
use known::{Known, Oracle};
use needed::Broadcasts;
use obligations::{Obligations, Successor};
use relative::Choice;
use throng_base::Budget;
use throng_bounds::Pruner;
use throng_cert::Proof;
use throng_model::closed::ElementId;
use throng_model::{Bag, Config, TransitionSystem};

/// What the search does when no obligation waits.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The targets have not been looked at.
    Begin,
    /// Looks for targets in the last frame, from this one on.
    Candidates(usize),
    /// Moves the lemmas of this level up.
    Propagate(Level),
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    predecessors: u64,
    blocked: u64,
    propagated: u64,
    threads_dropped: u64,
    counterexamples_blocked: u64,
    pruned: u64,
    max_threads: u64,
}

/// The search at work.
pub(crate) struct Ic3<'b, 's> {
    system: &'s dyn TransitionSystem,
    board: &'b Blackboard<'s>,
    pruner: Pruner<'b, 's>,
    oracle: Option<Oracle<'s>>,
    known: Known,
    frames: Frames,
    obligations: Obligations,
    targets: Vec<ElementId>,
    phase: Phase,
    /// N, the level of the last frame.
    last: Level,
    preference: Preference,
    broadcasts: Broadcasts,
    counters: Counters,
    /// What was done besides computing predecessors.
    turns: u64,
    proof_elements: Option<(u64, u64)>,
    /// What is left of a configuration that breaks a cut.
    smallest: Bag,
}

impl Contender for Ic3<'_, '_> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
        self.run(quantum, budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason)))
    }

    fn progress(&self) -> Progress {
        Progress {
            elements: self.frames.len() as u64,
            frontier: self.obligations.n_waiting() as u64,
            expanded: self.counters.blocked,
            steps: self.counters.predecessors,
            threads: self.counters.max_threads,
        }
    }

    fn statistics(&self) -> Statistics {
        let counters = &self.counters;
        let mut statistics = Statistics::default();
        statistics.push("frames", u64::from(self.last));
        statistics.push("obligations", self.obligations.len() as u64);
        statistics.push("blocked", counters.blocked);
        statistics.push("propagated", counters.propagated);
        statistics.push("threads_dropped", counters.threads_dropped);
        statistics.push("counterexamples_blocked", counters.counterexamples_blocked);
        statistics.push("lemmas_for_ever", self.frames.n_forever() as u64);
        statistics.push("predecessors", counters.predecessors);
        statistics.push("elements", self.frames.len() as u64);
        statistics.push("threads_at_most", counters.max_threads);
        statistics.push("pruned_by_cuts", counters.pruned);
        statistics.push("covered", self.known.len() as u64);
        if let Some(oracle) = &self.oracle {
            oracle.push_statistics(&mut statistics);
        }
        if let Some((elements, threads)) = self.proof_elements {
            statistics.push("proof_elements", elements);
            statistics.push("threads_in_proof", threads);
        }
        statistics
    }
}

impl<'b, 's> Ic3<'b, 's> {
    /// A search that has not begun. By itself it has an oracle, in company it reads what others find.
    pub(crate) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
        alone: bool,
    ) -> Self {
        Self {
            system,
            board,
            pruner: Pruner::new(board.cuts()),
            oracle: if alone { Oracle::new(system, options) } else { None },
            known: Known::default(),
            frames: Frames::default(),
            obligations: Obligations::default(),
            targets: Vec::new(),
            phase: Phase::Begin,
            last: 1,
            preference: Preference::default(),
            broadcasts: Broadcasts::new(system),
            counters: Counters::default(),
            turns: 0,
            proof_elements: None,
            smallest: Bag::new(),
        }
    }

    fn run(&mut self, quantum: u64, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        if let Some(oracle) = &mut self.oracle
            && let Some(answer) = oracle.advance(self.system, quantum, &self.board.covered, budget)
        {
            return Ok(Some(answer));
        }
        self.known.read(&self.board.covered);
        if let Some(cuts) = self.board.cuts() {
            self.preference.refresh(cuts);
        }
        let end = self.work() + quantum;
        while self.work() < end {
            budget.check()?;
            self.turns += 1;
            let answer = match self.obligations.pop() {
                Some((obligation, level)) => self.handle(obligation, level, budget)?,
                None => self.next_phase(budget)?,
            };
            if answer.is_some() {
                return Ok(answer);
            }
        }
        Ok(None)
    }

    /// What was done, in predecessors.
    fn work(&self) -> u64 {
        self.turns + self.counters.predecessors
    }

    /// Blocks an obligation or finds a predecessor that has to be blocked before.
    fn handle(
        &mut self,
        obligation: ElementId,
        level: Level,
        budget: &Budget,
    ) -> Result<Option<Answer>, UnknownReason> {
        let config = self.obligations.get(obligation).to_config();
        let mut blocked = self.frames.highest_blocking(config.view());
        if blocked < level && self.is_pruned(config.view()) {
            return Ok(None);
        }
        if blocked < level {
            match self.choose_predecessor(config.view(), level - 1, budget)? {
                Choice::Initial(rule, instance) => {
                    let successor = Some(Successor { rule, obligation });
                    let trace = self.obligations.trace(self.system, instance, successor);
                    return Ok(Some(Answer::Unsafe(trace)));
                }
                Choice::Open(rule, before) => {
                    let successor = Some(Successor { rule, obligation });
                    let earlier = self.obligations.obligation(before.view(), successor);
                    self.counters.max_threads = self.counters.max_threads.max(before.view().size());
                    self.obligations.push(earlier, level - 1);
                    self.obligations.push(obligation, level);
                    return Ok(None);
                }
                Choice::None => {
                    self.counters.blocked += 1;
                    blocked = self.block(config.view(), level, 0, budget)?;
                }
            }
        }
        if blocked < self.last {
            self.obligations.push(obligation, blocked + 1);
        }
        Ok(None)
    }

    /// What comes next when no obligation waits.
    fn next_phase(&mut self, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        match self.phase {
            Phase::Begin => {
                self.phase = Phase::Candidates(0);
                return Ok(self.begin());
            }
            Phase::Candidates(at) => match self.targets.get(at) {
                Some(&target) => {
                    self.phase = Phase::Candidates(at + 1);
                    if self.is_open(self.obligations.get(target).to_config().view(), self.last) {
                        self.obligations.push(target, self.last);
                    }
                }
                None => {
                    self.last = self.last.saturating_add(1);
                    self.phase = Phase::Propagate(1);
                }
            },
            Phase::Propagate(level) if level < self.last => {
                self.propagate(level, budget)?;
                if self.frames.n_at(level) == 0 {
                    return Ok(Some(self.safe(level)));
                }
                self.phase = Phase::Propagate(level + 1);
            }
            Phase::Propagate(_) => self.phase = Phase::Candidates(0),
        }
        Ok(None)
    }

    /// Collects the targets. The answer, if one is initial.
    fn begin(&mut self) -> Option<Answer> {
        for target in minimal_targets(self.system) {
            if let Some(instance) = self.system.initial_instance(target.view()) {
                return Some(Answer::Unsafe(self.obligations.trace(self.system, instance, None)));
            }
            self.targets.push(self.obligations.obligation(target.view(), None));
            self.counters.max_threads = self.counters.max_threads.max(target.view().size());
        }
        None
    }

    /// The proof: no lemma has this level, so the frames of this level and of the next are equal.
    fn safe(&mut self, level: Level) -> Answer {
        let elements: Vec<_> = self.frames.proof(level).map(|lemma| lemma.to_config()).collect();
        let threads = elements.iter().map(|element| element.view().size()).max().unwrap_or(0);
        self.proof_elements = Some((elements.len() as u64, threads));
        let (cuts, traps) = self.pruner.evidence();
        Answer::Safe(Safety::Proof(Proof { elements, cuts, traps }))
    }

    /// Tells others about a lemma that holds for ever. The cuts that it rests on are evidence for everybody.
    fn publish(&self, lemma: Config) {
        self.board.uncoverable.publish([lemma]);
    }
}
