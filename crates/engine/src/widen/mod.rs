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

use crate::covered::Covered;
use crate::record::{BackwardGraph, Curve};
use crate::{
    Answer, Observer, Options, Outcome, Progress, Recording, Safety, Statistics, UnknownReason, karp_miller,
};
use cooperate::{Cooperation, Ending};
use optimistic::Optimistic;
use pessimistic::Pessimistic;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::Proof;
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, TransitionSystem, UpwardClosedSet};

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
trait Widening {
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
    fn covered(&self) -> &Covered;

    /// The proof, once the search is closed.
    fn proof(&mut self) -> Vec<Config>;

    /// How far it is, for people who wait.
    fn progress(&self) -> Progress;

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

/// The optimistic variant.
pub fn optimistic(
    system: &dyn TransitionSystem,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    run(system, options, &mut Optimistic::new(system, options), budget, observer)
}

/// The pessimistic variant.
pub fn pessimistic(
    system: &dyn TransitionSystem,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    run(system, options, &mut Pessimistic::new(system, options), budget, observer)
}

/// The minimal targets of a system.
fn minimal_targets(system: &dyn TransitionSystem) -> Vec<Config> {
    let mut targets = UpwardClosedSet::default();
    let _ = system.for_each_target(&mut |target| {
        targets.insert(target);
        ControlFlow::Continue(())
    });
    targets.minimise();
    targets.generators().iter().map(|(_, target)| target.to_config()).collect()
}

fn run(
    system: &dyn TransitionSystem,
    options: &Options,
    widening: &mut dyn Widening,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    let Cooperation { ending, forward } = cooperate::run(system, options, widening, budget, observer);
    let mut proof_size = None;
    let answer = match ending {
        Ending::Unknown(reason) => Answer::Unknown(reason),
        Ending::Forward(state) => {
            let forward = forward.as_ref().expect("INVARIANT: a search that ended was there");
            karp_miller::answer(forward, system, &state)
                .expect("INVARIANT: a search that ended has an answer")
        }
        Ending::Covered(target) => match widening.covered().trace(system, target.view(), forward.as_ref()) {
            Ok(trace) => Answer::Unsafe(trace),
            Err(error) => Answer::Unknown(error.into()),
        },
        Ending::Closed => match proof(system, options, widening, budget) {
            Ok(elements) => {
                proof_size = Some(elements.len());
                Answer::Safe(Safety::Proof(Proof { elements, ..Proof::default() }))
            }
            Err(reason) => Answer::Unknown(reason),
        },
    };
    let mut statistics = widening.tally().statistics(widening.covered().len());
    if let Some(size) = proof_size {
        statistics.push("proof_elements", size as u64);
        statistics.push("threads_in_proof", widening.tally().threads_in_proof);
        statistics.push("longest_path", widening.tally().longest_path);
    }
    if let Some(forward) = &forward {
        karp_miller::push_statistics(forward, &mut statistics);
    }
    let record = options.record;
    let recording = Recording {
        vertices: widening.take_curve().into_samples(),
        backward: record.graphs.then(|| widening.draw()),
        forward: forward.filter(|_| record.graphs).map(|forward| karp_miller::draw(&forward)),
    };
    Outcome { answer, statistics, recording }
}

/// The proof of a search that is closed.
fn proof(
    system: &dyn TransitionSystem,
    options: &Options,
    widening: &mut dyn Widening,
    budget: &Budget,
) -> Result<Vec<Config>, UnknownReason> {
    let elements = widening.proof();
    if options.minimal { minimal::irredundant(system, elements, budget) } else { Ok(elements) }
}
