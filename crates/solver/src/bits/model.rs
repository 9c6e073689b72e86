//! Valuations that satisfy what was asserted.

use crate::blast::Blaster;
use crate::terms::{Evaluator, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// A value for every variable: those that were not asked about are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: FxHashMap<VarId, u128>,
}

impl Model {
    /// The model that the solver has found.
    pub(super) fn of(terms: &Terms, blaster: &Blaster) -> Self {
        let value = |&variable: &VarId| (variable, blaster.value(terms, terms.variable_term(variable)));
        Self { values: blaster.variables().iter().map(value).collect() }
    }

    /// The model with these values.
    pub(crate) fn from_values(values: impl IntoIterator<Item = (VarId, u128)>) -> Self {
        Self { values: values.into_iter().collect() }
    }

    /// The value of a variable.
    pub fn variable(&self, variable: VarId) -> u128 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    /// The value of a term, which need not have occurred in the question.
    pub fn value(&self, terms: &Terms, term: TermId) -> u128 {
        self.values(terms, &[term])[0]
    }

    /// The values of several terms; common parts are evaluated once.
    pub fn values(&self, terms: &Terms, all: &[TermId]) -> Vec<u128> {
        let valuation = |variable| self.variable(variable);
        let mut evaluator = Evaluator::new(terms, &valuation);
        all.iter().map(|&term| evaluator.value(term)).collect()
    }

    /// Whether a formula holds.
    pub fn holds(&self, terms: &Terms, formula: TermId) -> bool {
        self.value(terms, formula) == 1
    }

    /// Whether all these formulas hold.
    pub fn all_hold<'a>(&self, terms: &Terms, formulas: impl IntoIterator<Item = &'a TermId>) -> bool {
        let valuation = |variable| self.variable(variable);
        let mut evaluator = Evaluator::new(terms, &valuation);
        formulas.into_iter().all(|&formula| evaluator.holds(formula))
    }

    /// The variables that occurred in the question, in the order in which they were made, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u128)> {
        let mut all: Vec<(VarId, u128)> =
            self.values.iter().map(|(&variable, &value)| (variable, value)).collect();
        all.sort_unstable();
        all.into_iter()
    }
}
