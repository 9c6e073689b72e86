//! Satisfiability of formulas over bit-vectors, incrementally: assert, assume, check; models, cores,
//! enumeration.
//!
//! A formula is a term of one bit. A [`BitSolver`] translates what it is told to clauses ([`crate::sat`])
//! once and keeps what the search has learnt, so related questions go to one solver, as assumptions that
//! change from one check to the next. But old gates stay variables that every later search has to decide:
//! unrelated questions go to new solvers, which cost microseconds (measured: one solver for thousands of
//! unrelated questions comes to a standstill).
//!
//! One `BitSolver` is used with one [`Terms`], which may grow in between.
//!
//! What is trusted when the answer is [`Outcome::Unsat`]: the constructors' simplifications, the circuits,
//! and the SAT library. A proof would come from the latter. A model that is given out is checked by
//! evaluating the formulas, in builds with debug assertions.

mod core;
mod cubes;
mod enumerate;
mod model;

pub use cubes::PartialValue;
pub use model::Model;

use crate::blast::Blaster;
use crate::sat::{Backend, Lit, SatResult, SatStatistics};
use crate::terms::{Node, Op, TermId, Terms};
use throng_base::{Budget, StopReason};

/// What a check found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All formulas hold under this valuation.
    Sat(Model),
    /// None makes all hold. These assumptions, in the order given, are enough for that; none if the
    /// assertions alone are contradictory.
    Unsat(Vec<TermId>),
    /// The budget ended first.
    Unknown(StopReason),
}

impl Outcome {
    /// The model, if there is one.
    pub fn model(self) -> Option<Model> {
        match self {
            Outcome::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// Whether there is a model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Outcome::Sat(_))
    }

    /// Whether it was shown that there is no model.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Outcome::Unsat(_))
    }
}

/// Formulas asserted since a level was opened.
struct Level {
    /// They hold where this literal is true.
    active: Lit,
    n_asserted: usize,
}

/// See the module's documentation.
pub struct BitSolver {
    blaster: Blaster,
    levels: Vec<Level>,
    /// All formulas that were asserted and not taken back.
    asserted: Vec<TermId>,
}

impl Default for BitSolver {
    fn default() -> Self {
        Self::new(Backend::default())
    }
}

impl std::fmt::Debug for BitSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BitSolver").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

impl BitSolver {
    /// A solver without assertions.
    pub fn new(backend: Backend) -> Self {
        Self { blaster: Blaster::new(backend.solver()), levels: Vec::new(), asserted: Vec::new() }
    }

    /// What the SAT library has done.
    pub fn statistics(&self) -> SatStatistics {
        self.blaster.sat().statistics()
    }

    /// What was asserted and not taken back.
    pub fn asserted(&self) -> &[TermId] {
        &self.asserted
    }

    /// Asserts a formula; for ever, or until the newest level is closed.
    ///
    /// # Panics
    /// If the term has more than one bit.
    pub fn assert(&mut self, terms: &Terms, formula: TermId) {
        assert_eq!(terms.width(formula), 1, "a formula has one bit");
        self.asserted.push(formula);
        // Conjunctions are taken apart; what is left is a literal, a clause, or an equation.
        let mut conjuncts = vec![formula];
        while let Some(conjunct) = conjuncts.pop() {
            match terms.node(conjunct) {
                Node::Binary(Op::And, a, b) => conjuncts.extend([b, a]),
                _ if self.define(terms, conjunct) => {}
                _ => self.assert_clause(terms, conjunct),
            }
        }
    }

    /// Takes an equation of a variable that did not occur yet as its definition. Only outside of levels: a
    /// definition cannot be taken back.
    fn define(&mut self, terms: &Terms, formula: TermId) -> bool {
        if !self.levels.is_empty() {
            return false;
        }
        let (a, b, is_negated) = match terms.node(formula) {
            Node::Binary(Op::Eq, a, b) => (a, b, false),
            Node::Binary(Op::Xor, a, b) => (a, b, true),
            Node::Not(x) => match terms.node(x) {
                Node::Binary(Op::Xor, a, b) => (a, b, false),
                _ => return false,
            },
            _ => return false,
        };
        self.blaster.define(terms, a, b, is_negated) || self.blaster.define(terms, b, a, is_negated)
    }

    /// Asserts a disjunction as one clause.
    fn assert_clause(&mut self, terms: &Terms, formula: TermId) {
        let mut clause: Vec<Lit> = self.levels.last().map(|level| !level.active).into_iter().collect();
        let mut disjuncts = vec![formula];
        while let Some(disjunct) = disjuncts.pop() {
            match terms.node(disjunct) {
                Node::Binary(Op::Or, a, b) => disjuncts.extend([a, b]),
                _ => clause.push(self.blaster.bit(terms, disjunct)),
            }
        }
        self.blaster.sat_mut().add_clause(&clause);
    }

    /// Opens a level: what is asserted from now on is taken back by [`BitSolver::pop`].
    ///
    /// For a few questions about the same formulas. What was translated stays; see the module's
    /// documentation.
    pub fn push(&mut self) {
        let active = self.blaster.fresh();
        self.levels.push(Level { active, n_asserted: self.asserted.len() });
    }

    /// Closes the newest level.
    ///
    /// # Panics
    /// If none is open.
    pub fn pop(&mut self) {
        let level = self.levels.pop().expect("a level that is closed has been opened");
        self.blaster.sat_mut().add_clause(&[!level.active]);
        self.asserted.truncate(level.n_asserted);
    }

    /// Whether all assertions and these assumptions can hold together.
    ///
    /// # Panics
    /// If an assumption has more than one bit.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> Outcome {
        let result = self.search(terms, assumptions, budget);
        self.outcome(terms, assumptions, result)
    }

    /// Like [`BitSolver::check`], with at most so many decisions: `None` if they were not enough. That depends on the questions that
    /// were asked before, but on nothing else.
    ///
    /// # Panics
    /// If an assumption has more than one bit.
    pub fn check_within(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        decisions: u64,
        budget: &Budget,
    ) -> Option<Outcome> {
        let lits = self.literals(terms, assumptions);
        let result = self.blaster.sat_mut().solve_within(&lits, decisions, budget)?;
        Some(self.outcome(terms, assumptions, result))
    }

    fn outcome(&mut self, terms: &Terms, assumptions: &[TermId], result: SatResult) -> Outcome {
        match result {
            SatResult::Stopped(reason) => Outcome::Unknown(reason),
            SatResult::Unsatisfiable => Outcome::Unsat(self.failed(terms, assumptions)),
            SatResult::Satisfiable => {
                let model = Model::of(terms, &self.blaster);
                debug_assert!(
                    model.all_hold(terms, self.asserted.iter().chain(assumptions)),
                    "a model satisfies what was asserted and assumed"
                );
                Outcome::Sat(model)
            }
        }
    }

    /// Like [`BitSolver::check`], without making a model or a core.
    pub fn is_satisfiable(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        match self.search(terms, assumptions, budget) {
            SatResult::Satisfiable => Ok(true),
            SatResult::Unsatisfiable => Ok(false),
            SatResult::Stopped(reason) => Err(reason),
        }
    }

    fn search(&mut self, terms: &Terms, assumptions: &[TermId], budget: &Budget) -> SatResult {
        let lits = self.literals(terms, assumptions);
        self.blaster.sat_mut().solve(&lits, budget)
    }

    fn literals(&mut self, terms: &Terms, assumptions: &[TermId]) -> Vec<Lit> {
        let mut lits: Vec<Lit> = self.levels.iter().map(|level| level.active).collect();
        for &assumption in assumptions {
            let lit = self.blaster.bit(terms, assumption);
            lits.push(lit);
        }
        lits
    }

    /// The assumptions of the last search that failed.
    fn failed(&mut self, terms: &Terms, assumptions: &[TermId]) -> Vec<TermId> {
        let mut failed = self.blaster.sat().core().to_vec();
        let mut core = Vec::new();
        for &assumption in assumptions {
            let lit = self.blaster.bit(terms, assumption);
            if self.blaster.as_constant(lit) == Some(false) {
                return vec![assumption];
            }
            // Of equal assumptions, one is enough.
            if let Some(at) = failed.iter().position(|&other| other == lit) {
                failed.swap_remove(at);
                core.push(assumption);
            }
        }
        core
    }
}
