//! All models as cubes: values of some bits that allow all values of the others.
//!
//! After each model, a second solver that asserts the *negation* of all formulas is asked under the model's
//! bits. It finds no model, and its core names bits that make the formulas true whatever the others are (an
//! implicant). Bits of the terms enumerated that are not needed are left open. Other variables keep the
//! values they have in the model, so every completion of a cube has a model: that is sound for projections
//! too.

use super::{BitSolver, Level};
use crate::sat::{Backend, Lit, SatResult};
use crate::terms::{Node, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use throng_base::{Budget, StopReason};

/// A vector of which some bits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialValue {
    /// The bits that are known; 0 elsewhere.
    pub value: u128,
    /// Which bits are known.
    pub known: u128,
}

impl PartialValue {
    /// Whether a value agrees with all known bits.
    pub fn contains(self, value: u128) -> bool {
        value & self.known == self.value
    }
}

/// Says of bits whether the formulas are true because of them.
struct Implicants {
    /// Asserts that some formula is false.
    negation: BitSolver,
    /// Variables that formulas or enumerated terms depend on.
    variables: Vec<VarId>,
    /// Those whose bits may be left open.
    open: FxHashSet<VarId>,
}

impl BitSolver {
    /// Like [`BitSolver::for_each_model`], but calls `f` with cubes, one partial value for each term of
    /// `over`: every completion of a cube is a tuple of values in some model, and every such tuple is in some
    /// cube. Cubes may overlap.
    ///
    /// Bits are left open of terms that are variables and do not occur in another term of `over`.
    pub fn for_each_cube(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        over: &[TermId],
        budget: &Budget,
        mut f: impl FnMut(&[PartialValue]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StopReason> {
        for &term in over {
            self.blaster.bits(terms, term);
        }
        let mut implicants = Implicants::new(self, terms, assumptions, over);
        self.push();
        let flow = loop {
            match self.search(terms, assumptions, budget) {
                SatResult::Stopped(reason) => break Err(reason),
                SatResult::Unsatisfiable => break Ok(ControlFlow::Continue(())),
                SatResult::Satisfiable => {}
            }
            let open = match implicants.open_bits(self, terms, budget) {
                Ok(open) => open,
                Err(reason) => break Err(reason),
            };
            let cube: Vec<PartialValue> = over
                .iter()
                .map(|&term| {
                    let known = !open.get(&term).copied().unwrap_or(0) & ones(terms, term);
                    PartialValue { value: self.blaster.value(terms, term) & known, known }
                })
                .collect();
            if f(&cube).is_break() {
                break Ok(ControlFlow::Break(()));
            }
            self.exclude(terms, over, &cube);
        };
        self.pop();
        flow
    }

    /// From now on in this level, some known bit of the cube is different.
    fn exclude(&mut self, terms: &Terms, over: &[TermId], cube: &[PartialValue]) {
        let mut clause: Vec<Lit> =
            self.levels.last().map(|level: &Level| !level.active).into_iter().collect();
        for (&term, part) in over.iter().zip(cube) {
            for (i, &lit) in self.blaster.bits(terms, term).iter().enumerate() {
                if part.known >> i & 1 == 1 {
                    clause.push(lit.equals(part.value >> i & 1 == 0));
                }
            }
        }
        self.blaster.sat_mut().add_clause(&clause);
    }
}

impl Implicants {
    fn new(solver: &BitSolver, terms: &Terms, assumptions: &[TermId], over: &[TermId]) -> Self {
        let mut negation = BitSolver::new(Backend::default());
        let formulas: Vec<TermId> = solver.asserted.iter().chain(assumptions).copied().collect();
        let mut clause: Vec<Lit> = Vec::new();
        for &formula in &formulas {
            clause.push(!negation.blaster.bit(terms, formula));
        }
        negation.blaster.sat_mut().add_clause(&clause);
        let is_variable = |term: &TermId| matches!(terms.node(*term), Node::Variable(_));
        let (plain, computed): (Vec<TermId>, Vec<TermId>) = over.iter().copied().partition(is_variable);
        let mut open: FxHashSet<VarId> = terms.variables_of(&plain).into_iter().collect();
        for variable in terms.variables_of(&computed) {
            open.remove(&variable);
        }
        let roots: Vec<TermId> = formulas.iter().chain(over).copied().collect();
        Self { negation, variables: terms.variables_of(&roots), open }
    }

    /// The bits of variables that may have any value when all others have those of the model that `solver`
    /// has found.
    fn open_bits(
        &mut self,
        solver: &BitSolver,
        terms: &Terms,
        budget: &Budget,
    ) -> Result<FxHashMap<TermId, u128>, StopReason> {
        let mut fixed: Vec<Lit> = Vec::new();
        let mut candidates: Vec<(Lit, TermId, u32)> = Vec::new();
        for &variable in &self.variables {
            let term = terms.variable_term(variable);
            let value = solver.blaster.value(terms, term);
            for (i, &lit) in (0..).zip(self.negation.blaster.bits(terms, term)) {
                let lit = lit.equals(value >> i & 1 == 1);
                if self.open.contains(&variable) {
                    candidates.push((lit, term, i));
                } else {
                    fixed.push(lit);
                }
            }
        }
        let mut needed: Vec<Lit> = candidates.iter().map(|&(lit, ..)| lit).collect();
        // All bits at first; then without one after the other, as long as the rest is enough.
        let mut next = None;
        loop {
            let mut assumed = needed.clone();
            if let Some(position) = next {
                assumed.remove(position);
            }
            let assumed: Vec<Lit> = fixed.iter().copied().chain(assumed).collect();
            match self.negation.blaster.sat_mut().solve(&assumed, budget) {
                SatResult::Stopped(reason) => return Err(reason),
                SatResult::Unsatisfiable => {
                    let core: FxHashSet<Lit> = self.negation.blaster.sat().core().iter().copied().collect();
                    needed.retain(|lit| core.contains(lit));
                    next = Some(next.unwrap_or(0));
                }
                // INVARIANT: not at first, since the model makes all formulas true.
                SatResult::Satisfiable => next = next.map(|position| position + 1),
            }
            if next.is_none_or(|position| position >= needed.len()) {
                break;
            }
        }
        let needed: FxHashSet<Lit> = needed.into_iter().collect();
        let mut open: FxHashMap<TermId, u128> = FxHashMap::default();
        for (lit, term, i) in candidates {
            if !needed.contains(&lit) {
                *open.entry(term).or_default() |= 1 << i;
            }
        }
        Ok(open)
    }
}

fn ones(terms: &Terms, term: TermId) -> u128 {
    crate::terms::values::ones(terms.width(term))
}
