//! Programs decided by engines, from few values to more (`precision`).

use crate::fixed;
use crate::system::ProgramSystem;
use throng_base::Budget;
use throng_engine::{Answer, EngineKind, Observer, Options, Outcome};

/// More often than this a search is not repeated with more values; then all are looked at.
const MOST_REPETITIONS: u64 = 1_000;

impl ProgramSystem<'_> {
    /// Lets an engine answer the question. It is asked again as long as it finds interleavings that are none of the program,
    /// each time looking at more values.
    pub fn decide(
        &self,
        engine: EngineKind,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Outcome {
        // Statements that relate other threads' variables are abstractions: few of their values do not matter.
        if fixed::relates_others(self.program()) {
            self.look_at_all_values();
        } else {
            self.forget_values();
        }
        for repetition in 0.. {
            let mut outcome = engine.run(self, options, budget, observer);
            outcome.statistics.push("refinements", repetition);
            let Answer::Unsafe(trace) = &outcome.answer else { return outcome };
            if !self.refine(trace) {
                return outcome;
            }
            if repetition == MOST_REPETITIONS {
                self.look_at_all_values();
            }
            if let Err(reason) = budget.check() {
                outcome.answer = Answer::Unknown(reason.into());
                return outcome;
            }
        }
        unreachable!("INVARIANT: a loop without an end has a last turn")
    }
}
