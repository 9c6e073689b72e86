//! Whether conditions on inputs can hold together.
//!
//! Conditions are lists of terms of one bit. Only those that have inputs in common with the newest one, directly or
//! through others, are asked about: the others can hold by themselves. Answers are kept, and models of earlier
//! questions are tried before the solver is.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use throng_base::{Budget, StopReason};
use throng_solver::terms::{Node, Op};
use throng_solver::{BitSolver, Model, Outcome, TermId, Terms, VarId};

/// How many models are tried.
const MODELS: usize = 8;
/// After how many terms the solver starts afresh, so that what is no longer asked about does not slow it down.
const RENEWAL: usize = 200_000;

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Oracle {
    solver: BitSolver,
    /// How many terms there were when the solver was new.
    since: usize,
    answers: FxHashMap<Box<[TermId]>, bool>,
    models: VecDeque<Model>,
    inputs: FxHashMap<TermId, Box<[VarId]>>,
    /// How often the solver was asked.
    pub(crate) n_queries: u64,
}

impl Oracle {
    /// Adds a condition to others that can hold together; tells whether they still can.
    pub(crate) fn assume(
        &mut self,
        terms: &Terms,
        conditions: &mut Vec<TermId>,
        condition: TermId,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let n_before = conditions.len();
        let mut open = vec![condition];
        while let Some(part) = open.pop() {
            match terms.node(part) {
                Node::Constant(0) => return Ok(false),
                Node::Constant(_) => {}
                Node::Binary(Op::And, a, b) => open.extend([b, a]),
                _ if conditions.contains(&part) => {}
                _ => conditions.push(part),
            }
        }
        if conditions.len() == n_before {
            return Ok(true);
        }
        let mut question = self.connected(terms, conditions, n_before);
        question.sort_unstable();
        if let Some(&answer) = self.answers.get(question.as_slice()) {
            return Ok(answer);
        }
        let answer = self.ask(terms, &question, budget)?;
        self.answers.insert(question.into(), answer);
        Ok(answer)
    }

    fn ask(&mut self, terms: &Terms, question: &[TermId], budget: &Budget) -> Result<bool, StopReason> {
        if self.models.iter().any(|model| model.all_hold(terms, question)) {
            return Ok(true);
        }
        if terms.len() - self.since > RENEWAL {
            self.solver = BitSolver::default();
            self.since = terms.len();
        }
        self.n_queries += 1;
        match self.solver.check(terms, question, budget) {
            Outcome::Sat(model) => {
                self.models.push_front(model);
                self.models.truncate(MODELS);
                Ok(true)
            }
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// The conditions from the n-th on and those before that are connected with them by inputs.
    fn connected(&mut self, terms: &Terms, conditions: &[TermId], n: usize) -> Vec<TermId> {
        let mut inputs: FxHashSet<VarId> = FxHashSet::default();
        for &condition in &conditions[n..] {
            inputs.extend(self.inputs(terms, condition));
        }
        let mut chosen = conditions[n..].to_vec();
        chosen.extend(self.touching(terms, &conditions[..n], &mut inputs));
        chosen
    }

    /// The conditions that have some of these inputs, or inputs in common with such; the inputs are added.
    pub(crate) fn touching(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        inputs: &mut FxHashSet<VarId>,
    ) -> Vec<TermId> {
        let mut rest = conditions.to_vec();
        let mut chosen = Vec::new();
        loop {
            let n_chosen = chosen.len();
            rest.retain(|&condition| {
                let own = self.inputs(terms, condition);
                let is_touched = own.iter().any(|input| inputs.contains(input));
                if is_touched {
                    inputs.extend(own);
                    chosen.push(condition);
                }
                !is_touched
            });
            if chosen.len() == n_chosen {
                return chosen;
            }
        }
    }

    /// The inputs of a term in the order in which a walk from left to right meets them.
    pub(crate) fn inputs(&mut self, terms: &Terms, term: TermId) -> &[VarId] {
        self.inputs.entry(term).or_insert_with(|| {
            let mut seen = FxHashSet::default();
            let mut found = Vec::new();
            let mut open = vec![term];
            while let Some(term) = open.pop() {
                if !seen.insert(term) {
                    continue;
                }
                let node = terms.node(term);
                if let Node::Variable(variable) = node {
                    found.push(variable);
                }
                let parts: smallvec::SmallVec<[TermId; 3]> = node.parts().collect();
                open.extend(parts.into_iter().rev());
            }
            found.into()
        })
    }

    /// Values of all inputs for which all conditions hold.
    pub(crate) fn solve(terms: &Terms, conditions: &[TermId], budget: &Budget) -> Outcome {
        BitSolver::default().check(terms, conditions, budget)
    }
}
