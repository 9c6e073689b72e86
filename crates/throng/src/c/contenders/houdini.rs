//! `houdini`: templates of facts are filtered until those that are left hold together, and perhaps exclude every error.

use crate::c::contender::{Contender, Effort, Ending, News, Problem};
use crate::observe::ProverEvent;
use throng_base::Budget;
use throng_cfa::invariant::without_counts;
use throng_engine::UnknownReason;
use throng_prove::{Event, Phase};

/// How many questions about candidates are asked in an opening.
const OPENING_QUESTIONS: u64 = 4_000;

pub(crate) struct Houdini;

impl Contender for Houdini {
    fn name(&self) -> &'static str {
        "houdini"
    }

    fn is_prover(&self) -> bool {
        true
    }

    fn run(&self, problem: &Problem, effort: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending {
        tell(News::Prover(ProverEvent::Event(Box::new(Event::Phase(Phase::Filter)))));
        let questions = match effort {
            Effort::Opening => OPENING_QUESTIONS,
            Effort::Full => u64::MAX,
        };
        match throng_prove::filter(&problem.prepared.program, questions, budget) {
            Err(reason) => {
                problem.facts.post(None);
                Ending::Unknown(reason.into())
            }
            Ok(Some(filtered)) if filtered.proves => {
                let predicates = without_counts(&problem.prepared.program, &filtered.invariant.predicates);
                tell(News::Prover(ProverEvent::Predicates(Box::new(predicates))));
                Ending::Proof(Box::new(filtered.invariant))
            }
            Ok(filtered) => {
                problem.facts.post(filtered);
                Ending::Unknown(UnknownReason::Inconclusive)
            }
        }
    }
}
