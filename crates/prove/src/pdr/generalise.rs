//! Lemmas from cubes that no step leads to: threads and literals that are not needed for that go.

use super::cube::{Cube, Lit};
use super::{Pdr, Reached};
use crate::translate::{self, Store, View};
use std::collections::BTreeSet;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{ExpressionId, Expressions, VariableId};
use throng_solver::BitSolver;
use throng_solver::terms::Terms;

/// After so many literals that cannot go, the others are kept.
const MOST_FAILURES: usize = 24;
/// So many weaker literals are tried in the place of one that cannot go.
const MOST_WEAKER: usize = 8;

impl Pdr<'_> {
    /// Excludes a cube that no step leads to, at this level or a higher one, for which these literals are enough. The level.
    pub(super) fn lemma(
        &mut self,
        cube: &Cube,
        core: &BTreeSet<usize>,
        level: usize,
        budget: &Budget,
    ) -> Result<usize, StopReason> {
        let mut lemma = cube.clone();
        let fewer = cube.with(|it| core.contains(&it));
        if !self.is_at_start(&fewer, budget)? {
            lemma = fewer;
        }
        lemma = self.fewer_threads(lemma, level, budget)?;
        lemma = self.fewer_literals(lemma, level, budget)?;
        let mut level = level;
        while level < self.top {
            match self.reached(&lemma, level + 1, budget)? {
                Reached::No(_) => level += 1,
                Reached::By(..) => break,
            }
        }
        self.frames.add(lemma, level);
        Ok(level)
    }

    fn fewer_threads(&mut self, mut lemma: Cube, level: usize, budget: &Budget) -> Result<Cube, StopReason> {
        let mut thread = lemma.threads.len();
        while thread > 0 {
            thread -= 1;
            if lemma.threads.len() > 1
                && let Some(fewer) = self.excluded(&lemma.without_thread(thread), level, budget)?
            {
                lemma = fewer;
            }
        }
        Ok(lemma)
    }

    fn fewer_literals(&mut self, mut lemma: Cube, level: usize, budget: &Budget) -> Result<Cube, StopReason> {
        let (mut at, mut n_failures) = (lemma.lits.len(), 0);
        while at > 0 && n_failures < MOST_FAILURES {
            at -= 1;
            match self.excluded(&lemma.with(|it| it != at), level, budget)? {
                None => {
                    n_failures += 1;
                    lemma = self.weaker_literal(lemma, at, level, budget)?;
                    at = at.min(lemma.lits.len());
                }
                Some(fewer) => {
                    at = at.min(fewer.lits.len());
                    lemma = fewer;
                }
            }
        }
        Ok(lemma)
    }

    /// The cube with a weaker literal in the place of this one, if that is enough: `x != 0` for `x == 4`.
    fn weaker_literal(
        &mut self,
        lemma: Cube,
        at: usize,
        level: usize,
        budget: &Budget,
    ) -> Result<Cube, StopReason> {
        let lit = lemma.lits[at];
        for weaker in self.weaker(lit, budget)? {
            let mut changed = lemma.clone();
            if changed.lits.contains(&weaker) {
                continue;
            }
            changed.lits[at] = weaker;
            if let Some(fewer) = self.excluded(&changed, level, budget)? {
                return Ok(fewer);
            }
        }
        Ok(lemma)
    }

    /// Conditions on the only variable of a literal that it implies.
    fn weaker(&mut self, lit: Lit, budget: &Budget) -> Result<Vec<Lit>, StopReason> {
        if let Some(known) = self.weaker.get(&lit) {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        let only = |e: &Expressions, it: ExpressionId| -> Option<VariableId> {
            let mentioned = translate::variables(e, it);
            match (&mentioned.own[..], &mentioned.passive[..]) {
                ([only], []) => Some(*only),
                _ => None,
            }
        };
        if let Some(variable) = only(&self.table, lit.expression) {
            let scope = self.program.variable(variable).scope;
            let conditions: Vec<ExpressionId> =
                self.vocabulary.of(scope).filter(|&it| only(&self.table, it) == Some(variable)).collect();
            let mut terms = Terms::new();
            let store = Store::fresh(self.program, scope, &mut terms, "");
            let nothing = Store::default();
            let mut view = View::new(&self.table, &store, &nothing);
            let term = view.term(&mut terms, lit.expression);
            let given = if lit.value { term } else { terms.not(term) };
            for expression in conditions {
                let term = view.term(&mut terms, expression);
                for value in [true, false] {
                    let (holds, fails) = (term, terms.not(term));
                    let (holds, fails) = if value { (holds, fails) } else { (fails, holds) };
                    let mut solver = BitSolver::default();
                    let other = terms.not(given);
                    let is_implied = !solver.is_satisfiable(&terms, &[given, fails], budget)?;
                    if is_implied && solver.is_satisfiable(&terms, &[other, holds], budget)? {
                        found.push(Lit { expression, value, ..lit });
                    }
                }
            }
            found.truncate(MOST_WEAKER);
        }
        self.weaker.insert(lit, found.clone());
        Ok(found)
    }

    /// What is needed of a cube that no step leads to and that the start is not like; `None` if it is not one.
    fn excluded(&mut self, cube: &Cube, level: usize, budget: &Budget) -> Result<Option<Cube>, StopReason> {
        if self.is_at_start(cube, budget)? {
            return Ok(None);
        }
        let Reached::No(core) = self.reached(cube, level, budget)? else { return Ok(None) };
        let fewer = cube.with(|it| core.contains(&it));
        Ok(Some(if self.is_at_start(&fewer, budget)? { cube.clone() } else { fewer }))
    }
}
