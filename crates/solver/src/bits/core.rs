//! Fewer assumptions that still contradict the assertions.

use super::{BitSolver, Outcome};
use crate::terms::{TermId, Terms};
use throng_base::{Budget, StopReason};

impl BitSolver {
    /// A part of a core from which nothing can be taken away: each assumption is left out in turn, and stays
    /// out if what is left is still a core. One search per assumption at most.
    ///
    /// `core` has to contradict the assertions, as what [`Outcome::Unsat`] carries does. If the budget ends,
    /// what is left by then is a core as well.
    pub fn minimise_core(
        &mut self,
        terms: &Terms,
        core: Vec<TermId>,
        budget: &Budget,
    ) -> (Vec<TermId>, Result<(), StopReason>) {
        let mut core = core;
        // All before this position are needed.
        let mut n_needed = 0;
        while n_needed < core.len() {
            let mut rest = core.clone();
            rest.remove(n_needed);
            match self.check(terms, &rest, budget) {
                // What was needed before is in a smaller core too, since without it there is a model: it is
                // still in front.
                Outcome::Unsat(smaller) => core = smaller,
                Outcome::Sat(_) => n_needed += 1,
                Outcome::Unknown(reason) => return (core, Err(reason)),
            }
        }
        (core, Ok(()))
    }

    /// The *preferred* core of assumptions that stand in order, the best first, beside others that cost nothing: from which
    /// nothing can be taken away, and whose worst is as good as it can be, then the next one, and so on. It depends on
    /// what is satisfiable only, not on which core a search happens to find. `None` if there is a model.
    ///
    /// By halving (QuickXplain; Junker, AAAI 2004): for a core of k among n, about 2 k log(n / k) searches.
    pub fn preferred_core(
        &mut self,
        terms: &Terms,
        free: &[TermId],
        ordered: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, StopReason> {
        let mut known = free.to_vec();
        known.extend(ordered);
        if !self.contradicts(terms, &known, budget)? {
            return Ok(None);
        }
        known.truncate(free.len());
        if ordered.is_empty() || self.contradicts(terms, &known, budget)? {
            return Ok(Some(Vec::new()));
        }
        self.halve(terms, &mut known, false, ordered, budget).map(Some)
    }

    /// The preferred core of `ordered` beside what is known, which contradict the assertions together. `is_more`: what is known
    /// has grown since it was last asked whether it contradicts them alone.
    fn halve(
        &mut self,
        terms: &Terms,
        known: &mut Vec<TermId>,
        is_more: bool,
        ordered: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, StopReason> {
        if is_more && self.contradicts(terms, known, budget)? {
            return Ok(Vec::new());
        }
        if let [_] = ordered {
            return Ok(ordered.to_vec());
        }
        let (better, worse) = ordered.split_at(ordered.len().div_ceil(2));
        let n_known = known.len();
        known.extend(better);
        let of_worse = self.halve(terms, known, true, worse, budget)?;
        known.truncate(n_known);
        known.extend(&of_worse);
        let mut core = self.halve(terms, known, !of_worse.is_empty(), better, budget)?;
        known.truncate(n_known);
        core.extend(of_worse);
        Ok(core)
    }

    fn contradicts(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        match self.check(terms, assumptions, budget) {
            Outcome::Sat(_) => Ok(false),
            Outcome::Unsat(_) => Ok(true),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of several cores, the one whose worst assumption is the best, whatever the order of assertions.
    #[test]
    fn the_preferred_core_is_the_best_one() {
        let budget = Budget::unlimited();
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..6).map(|_| terms.fresh("a", 1)).collect();
        let cores: [&[usize]; 3] = [&[0, 5], &[1, 2, 3], &[0, 2, 4]];
        for turn in 0..3 {
            let mut solver = BitSolver::default();
            for at in 0..3 {
                let mut both = terms.truth(true);
                for &it in cores[(at + turn) % 3] {
                    both = terms.and(both, all[it]);
                }
                let never = terms.not(both);
                solver.assert(&terms, never);
            }
            let of = |it: &[usize]| it.iter().map(|&it| all[it]).collect::<Vec<_>>();
            let mut core = |free: &[usize], ordered: &[usize]| {
                solver.preferred_core(&terms, &of(free), &of(ordered), &budget).expect("no limit")
            };
            assert_eq!(core(&[], &[0, 1, 2, 3, 4, 5]), Some(of(&[1, 2, 3])));
            assert_eq!(core(&[], &[5, 4, 3, 2, 1, 0]), Some(of(&[3, 2, 1])));
            assert_eq!(core(&[0], &[1, 2, 3, 4, 5]), Some(of(&[1, 2, 3])));
            assert_eq!(core(&[0, 2], &[1, 4, 3, 5]), Some(of(&[4])));
            assert_eq!(core(&[0, 5], &[1, 2]), Some(Vec::new()));
            assert_eq!(core(&[], &[1, 2, 4, 5]), None);
        }
    }
}
