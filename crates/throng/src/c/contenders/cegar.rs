//! `cegar`: predicate abstraction to Boolean programs, refined as long as these have interleavings that the program does not have.

use crate::c::contender::{Contender, Effort, Ending, News, Problem};
use crate::observe::{GaveUp, ProverEvent};
use throng_base::Budget;
use throng_engine::UnknownReason;
use throng_prove::{Options, Outcome, n_threads};

pub(crate) struct Cegar;

impl Contender for Cegar {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn is_prover(&self) -> bool {
        true
    }

    fn run(&self, problem: &Problem, _: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending {
        let options = Options { houdini: false, ..problem.prover.clone() };
        let mut event = |event| tell(News::Prover(ProverEvent::Event(Box::new(event))));
        let (program, prepared) = (&problem.program, &problem.prepared);
        let outcome = throng_prove::verify(program, prepared, &options, budget, &mut event);
        let mut prover = |event| tell(News::Prover(event));
        let mut give_up = |reason: String, interleaving| {
            prover(ProverEvent::GaveUp(GaveUp { reason, interleaving }));
        };
        match outcome {
            Outcome::Safe { invariant, .. } => {
                prover(ProverEvent::Predicates(Box::new(invariant.predicates.clone())));
                Ending::Proof(Box::new(invariant))
            }
            Outcome::SafeUpTo { threads, .. } => {
                let what = format!("no error is reachable with up to {threads} threads; more may have one");
                give_up(what, Vec::new());
                Ending::Unknown(UnknownReason::Bounded)
            }
            Outcome::Unsafe { trace, .. } => {
                let most = problem.max_threads.map_or(usize::MAX, |most| most as usize);
                if n_threads(program, &trace) <= most {
                    return Ending::Error(trace);
                }
                let what = "an error was found that needs more threads than were asked about";
                give_up(what.to_owned(), Vec::new());
                Ending::Unknown(UnknownReason::Refinement)
            }
            Outcome::GaveUp { reason, interleaving, predicates } => {
                give_up(reason, interleaving);
                prover(ProverEvent::Predicates(predicates));
                Ending::Unknown(UnknownReason::Refinement)
            }
            Outcome::Stopped { reason, predicates } => {
                prover(ProverEvent::Predicates(predicates));
                Ending::Unknown(reason.into())
            }
        }
    }
}
