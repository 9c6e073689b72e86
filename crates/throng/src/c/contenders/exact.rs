//! `exact`: programs whose variables take few values, as systems with a list of rules.

use crate::c::contender::{Contender, Effort, Ending, News, Problem};
use throng_base::Budget;
use throng_check::c::check_invariant;
use throng_engine::{Progress, Statistics, UnknownReason};
use throng_prove::{Counted, ExactLimits, Exactly, n_threads};

pub(crate) struct Exact;

impl Contender for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn is_prover(&self) -> bool {
        true
    }

    fn run(&self, problem: &Problem, effort: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending {
        let limits = match effort {
            Effort::Opening => ExactLimits::FEW,
            Effort::Full => ExactLimits::MANY,
        };
        let exact = throng_prove::Exact {
            original: &problem.program,
            prepared: &problem.prepared,
            limits,
            jobs: problem.prover.jobs,
            seed: problem.prover.seed,
        };
        match exact.decide(budget, &mut |counted| tell(news(counted))) {
            // What is unknown about variables that are not tracked may be too little for the checker.
            Exactly::Safe(invariant) => {
                match check_invariant(&problem.prepared.program, &invariant, budget) {
                    Ok(()) => Ending::Proof(Box::new(invariant)),
                    Err(_) => Ending::Unknown(UnknownReason::Inconclusive),
                }
            }
            Exactly::Unsafe(trace) => {
                let assumed = problem.program.most_threads;
                let most = problem.max_threads.map(u64::from).into_iter().chain(assumed).min();
                match most {
                    Some(most) if n_threads(&problem.program, &trace) as u64 > most => {
                        Ending::Unknown(UnknownReason::Bounded)
                    }
                    _ => Ending::Error(trace),
                }
            }
            Exactly::Unknown(reason) => Ending::Unknown(reason),
            Exactly::Internal(message) => Ending::Internal(message),
        }
    }
}

fn news(counted: &Counted) -> News {
    let progress = Progress {
        elements: counted.thread_states as u64,
        steps: counted.rules as u64,
        ..Progress::default()
    };
    let mut statistics = Statistics::default();
    for (name, count) in [
        ("thread_states", counted.thread_states),
        ("shared_states", counted.shared_states),
        ("local_states", counted.local_states),
        ("rules", counted.rules),
        ("rounds", counted.rounds),
        ("untracked_variables", counted.untracked),
    ] {
        statistics.push(name, count as u64);
    }
    News::Progress(progress, statistics)
}
