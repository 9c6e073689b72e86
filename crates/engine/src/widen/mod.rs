//! Target set widening: proofs through small uncoverable elements, after Kaiser, Kroening and Wahl.
//!
//! A backward search that tries, instead of each new element, a smaller one that is not known to be coverable.
//! Smaller elements have smaller predecessors (Lemma 26 of Kaiser's thesis), so if the guess was right, the search
//! ends earlier and with a smaller proof; if it was wrong, the search has to take it back. An oracle that searches
//! forwards keeps it from guessing wrong: what it reports joins D, the elements known to be coverable.
//!
//! * `optimistic`: CatOpt, keeps minimal vertices only and visits again who relied on a wrong guess.
//! * `pessimistic`: Cat, keeps all vertices in partitions, one per candidate, and drops partitions as a whole.
//! * `cooperate`: runs a widening search and an oracle, in turns or in parallel.
//! * `minimal`: makes a proof irredundant.

mod candidates;
mod cooperate;
mod links;
mod minimal;
mod optimistic;
mod pessimistic;

use crate::blackboard::Blackboard;
use crate::contender::{self, Contender};
use crate::covered::Covered;
use crate::record::{BackwardGraph, Curve};
use crate::settled::Settled;
use crate::{
    Answer, Observer, Options, Outcome, Progress, Recording, Safety, Statistics, UnknownReason, karp_miller,
};
use cooperate::{Ending, Turns};
use optimistic::Optimistic;
use pessimistic::Pessimistic;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{Config, ConfigRef, TransitionSystem};

/// How far a widening search is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    /// There is more to do.
    Running,
    /// This target is in D.
    Covered(Config),
    /// The vertices are a proof.
    Closed,
}

/// A widening search, as cooperation sees it.
trait Widening<'b, 's>: Send {
    /// What is known not to be coverable without this search.
    fn settled(&mut self) -> &mut Settled<'b, 's>;

    /// Looks at one vertex; breaks if there is none to look at any more.
    fn turn(&mut self, budget: &Budget) -> Result<ControlFlow<()>, UnknownReason>;

    /// A target that is in D.
    fn hit(&self) -> Option<&Config>;

    /// Goes on for about `quantum` predecessors.
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Result<Status, UnknownReason> {
        let end = self.tally().predecessors + quantum;
        for _ in 0..quantum {
            if let Some(target) = self.hit() {
                return Ok(Status::Covered(target.clone()));
            }
            if self.turn(budget)?.is_break() {
                return Ok(Status::Closed);
            }
            if self.tally().predecessors >= end {
                break;
            }
        }
        Ok(Status::Running)
    }

    /// A forward search found out that everything below `config` is coverable.
    fn learn(&mut self, config: ConfigRef<'_>, node: ElementId);

    /// What is known to be coverable.
    fn covered(&self) -> &Covered<'_>;

    /// The proof, once the search is closed.
    fn proof(&mut self) -> Vec<Config>;

    /// How far it is, for people who wait.
    fn progress(&self) -> Progress;

    /// How many configurations turned out to break a cut.
    fn n_pruned(&self) -> u64;

    /// What it counted.
    fn tally(&self) -> &Tally;

    /// The vertices over time.
    fn take_curve(&mut self) -> Curve;

    /// Its graph.
    fn draw(&self) -> BackwardGraph;
}

/// What a widening search counts.
#[derive(Clone, Debug, Default)]
struct Tally {
    iterations: u64,
    predecessors: u64,
    /// Vertices ever added, and the most at a time.
    vertices_ever: u64,
    vertices_at_most: u64,
    vertices: u64,
    candidates: u64,
    /// Candidates that turned out to be coverable.
    candidates_bad: u64,
    /// Of those, whom the oracle reported and whom the search found out by itself.
    covered_by_oracle: u64,
    covered_by_search: u64,
    backtracks: u64,
    max_threads: u64,
    candidates_in_proof: u64,
    longest_path: u64,
    threads_in_proof: u64,
}

impl Tally {
    fn added(&mut self, size: u64, candidate: bool) {
        self.vertices_ever += 1;
        self.candidates += u64::from(candidate);
        self.max_threads = self.max_threads.max(size);
    }

    fn vertices(&mut self, vertices: usize) {
        self.vertices = vertices as u64;
        self.vertices_at_most = self.vertices_at_most.max(self.vertices);
    }

    fn in_proof(&mut self, size: u64, depth: u32, candidate: bool) {
        self.candidates_in_proof += u64::from(candidate);
        self.longest_path = self.longest_path.max(u64::from(depth));
        self.threads_in_proof = self.threads_in_proof.max(size);
    }

    fn statistics(&self, n_covered: usize) -> Statistics {
        let mut statistics = Statistics::default();
        for (name, value) in [
            ("iterations", self.iterations),
            ("predecessors", self.predecessors),
            ("vertices", self.vertices),
            ("vertices_at_most", self.vertices_at_most),
            ("vertices_ever", self.vertices_ever),
            ("threads_at_most", self.max_threads),
            ("candidates", self.candidates),
            ("candidates_good", self.candidates_in_proof),
            ("candidates_bad", self.candidates_bad),
            ("coverable_by_oracle", self.covered_by_oracle),
            ("coverable_by_search", self.covered_by_search),
            ("oracle_share_percent", self.covered_by_oracle * 100 / self.candidates_bad.max(1)),
            ("backtracks", self.backtracks),
            ("covered", n_covered as u64),
        ] {
            statistics.push(name, value);
        }
        statistics
    }
}

/// The two ways to take back wrong guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// CatOpt.
    Optimistic,
    /// Cat.
    Pessimistic,
}

/// A widening search with its oracle at work.
pub(crate) struct Widen<'b, 's> {
    system: &'s dyn TransitionSystem,
    options: Options,
    widening: Box<dyn Widening<'b, 's> + 'b>,
    turns: Turns<'b, 's>,
    proof_size: Option<usize>,
}

impl<'b, 's: 'b> Widen<'b, 's> {
    /// A search that has not begun.
    pub(crate) fn new(
        variant: Variant,
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        let widening: Box<dyn Widening<'b, 's> + 'b> = match variant {
            Variant::Optimistic => Box::new(Optimistic::new(system, options, board)),
            Variant::Pessimistic => Box::new(Pessimistic::new(system, options, board)),
        };
        let turns = Turns::new(system, options, board);
        Self { system, options: options.clone(), widening, turns, proof_size: None }
    }

    /// Runs the search alone: with more than one thread, the oracle has one of its own.
    pub(crate) fn run(mut self, budget: &Budget, observer: &dyn Observer) -> Outcome {
        if self.options.jobs == 1 || self.turns.forward.is_none() {
            let board = self.turns.board;
            return contender::drive(&mut self, board, budget, observer);
        }
        let ending = cooperate::in_parallel(&mut self.turns, &mut *self.widening, budget, observer);
        let answer = self.conclude(ending, budget);
        let (statistics, recording) = (self.statistics(), self.recording());
        Outcome { answer, statistics, recording, contest: Vec::new() }
    }

    fn conclude(&mut self, ending: Ending, budget: &Budget) -> Answer {
        let (system, forward) = (self.system, self.turns.forward.as_ref());
        match ending {
            Ending::Unknown(reason) => Answer::Unknown(reason),
            Ending::Forward(state) => {
                let forward = forward.expect("INVARIANT: a search that ended was there");
                karp_miller::answer(forward, system, &state)
                    .expect("INVARIANT: a search that ended has an answer")
            }
            Ending::Covered(target) => match self.widening.covered().trace(system, target.view(), forward) {
                Ok(trace) => Answer::Unsafe(trace),
                Err(error) => Answer::Unknown(error.into()),
            },
            Ending::Closed => match proof(system, &self.options, &mut *self.widening, budget) {
                Ok(elements) => {
                    self.proof_size = Some(elements.len());
                    Answer::Safe(Safety::Proof(self.widening.settled().proof(elements)))
                }
                Err(reason) => Answer::Unknown(reason),
            },
        }
    }
}

impl<'s: 'b, 'b> Contender for Widen<'b, 's> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
        self.widening.settled().read_board();
        for _ in 0..quantum.div_ceil(cooperate::QUANTUM) {
            if let Some(ending) = self.turns.take(&mut *self.widening, budget) {
                return Some(self.conclude(ending, budget));
            }
        }
        None
    }

    fn progress(&self) -> Progress {
        self.widening.progress()
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.widening.tally().statistics(self.widening.covered().len());
        statistics.push("pruned_by_cuts", self.widening.n_pruned());
        if let Some(size) = self.proof_size {
            statistics.push("proof_elements", size as u64);
            statistics.push("threads_in_proof", self.widening.tally().threads_in_proof);
            statistics.push("longest_path", self.widening.tally().longest_path);
        }
        if let Some(forward) = &self.turns.forward {
            karp_miller::push_statistics(forward, &mut statistics);
        }
        statistics
    }

    fn recording(&mut self) -> Recording {
        let graphs = self.options.record.graphs;
        let forward = self.turns.forward.as_ref().filter(|_| graphs);
        Recording {
            vertices: self.widening.take_curve().into_samples(),
            backward: graphs.then(|| self.widening.draw()),
            forward: forward.map(karp_miller::draw),
        }
    }
}

/// The proof of a search that is closed.
fn proof(
    system: &dyn TransitionSystem,
    options: &Options,
    widening: &mut dyn Widening<'_, '_>,
    budget: &Budget,
) -> Result<Vec<Config>, UnknownReason> {
    let elements = widening.proof();
    if options.minimal { minimal::irredundant(system, elements, budget) } else { Ok(elements) }
}
