//! `pdr`: an invariant is searched for from the errors backwards, beginning with the facts that `houdini` has found.

use crate::c::contender::{Contender, Effort, Ending, News, Problem};
use crate::observe::ProverEvent;
use throng_base::Budget;
use throng_cfa::invariant::without_counts;
use throng_engine::UnknownReason;
use throng_prove::Beginning;

/// How many questions about steps are asked in an opening.
const OPENING_QUESTIONS: u64 = 8_000;

pub(crate) struct Pdr;

impl Contender for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn is_prover(&self) -> bool {
        true
    }

    fn run(&self, problem: &Problem, effort: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending {
        let facts = match problem.facts.wait(budget) {
            Ok(facts) => facts,
            Err(reason) => return Ending::Unknown(reason.into()),
        };
        let questions = match effort {
            Effort::Opening => OPENING_QUESTIONS,
            Effort::Full => u64::MAX,
        };
        let program = &problem.prepared.program;
        let beginning = match &facts {
            None => Beginning::Patient,
            Some(None) => Beginning::Quick,
            Some(Some(facts)) => Beginning::Facts(facts),
        };
        match throng_prove::search(program, beginning, questions, budget) {
            Err(reason) => Ending::Unknown(reason.into()),
            Ok(found) => match found.invariant {
                Some(invariant) => {
                    let predicates = without_counts(program, &invariant.predicates);
                    tell(News::Prover(ProverEvent::Predicates(Box::new(predicates))));
                    Ending::Proof(Box::new(invariant))
                }
                None => Ending::Unknown(UnknownReason::Inconclusive),
            },
        }
    }
}
