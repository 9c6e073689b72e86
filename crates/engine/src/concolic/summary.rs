//! Summaries: what walking backwards along rules, and around a loop κ times, does to a demand.
//!
//! A *demand* says how many threads have to be in each local state. The minimal predecessor of a demand n under a rule
//! demands, in each local state by itself, max(n − put, 0) + take = max(n + shift, floor) threads, with shift = take −
//! put and floor = take: what the rule puts need not be there before, what it takes must. (Algorithm 2 of Liu and Wahl
//! distinguishes real edges, n − 1, from expansions, n ⊖ 1; where a thread is known to be there both are the same.)
//!
//! *Composition.* max(max(n + s, f) + s', f') = max(n + (s + s'), max(f + s', f')), so every sequence of rules has this form:
//! [`Effect`].
//!
//! *Loops* (Theorem 3, for rules of any kind). For κ ≥ 1, by induction on κ,
//! κ-fold application gives max(n + κ·s, f, f + s, …, f + (κ − 1)·s), and of the last terms, which rise or fall evenly, the
//! first or the last is largest: max(n + κ·s, f, f + (κ − 1)·s). For κ = 0 it is n, which is no instance of this.
//!
//! *Symbolic demands.* With a κ for each loop passed, the demand in a local state is thus the maximum of *forms*, linear
//! in the κs. The one question that is asked is whether demands can be met, "maximum ≤ bound", which is the conjunction of
//! "form ≤ bound". So ⊕ and ⊖ are encoded exactly without any disjunction.

use crate::concolic::Overflow;
use rustc_hash::FxHashMap;
use throng_model::{LocalId, RuleId, System};

/// n ↦ max(n + shift, floor), the effect on the demand in one local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) shift: i64,
    pub(super) floor: i64,
}

impl Effect {
    const IDENTITY: Effect = Effect { shift: 0, floor: 0 };

    /// First this effect, then another.
    fn then(self, next: Effect) -> Result<Self, Overflow> {
        let shift = self.shift.checked_add(next.shift).ok_or(Overflow)?;
        let floor = self.floor.checked_add(next.shift).ok_or(Overflow)?.max(next.floor);
        Ok(Self { shift, floor })
    }

    /// What remains of n after κ ≥ 1 rounds.
    #[cfg(test)]
    fn repeated(self, kappa: i64, n: i64) -> i64 {
        (n + kappa * self.shift).max(self.floor).max(self.floor + (kappa - 1) * self.shift)
    }
}

/// The effects of one rule, in the local states that it takes from or puts into, sorted.
pub(super) fn effects_of(system: &System, rule: RuleId) -> Vec<(LocalId, Effect)> {
    let rule = system.rule(rule);
    let mut effects: Vec<(LocalId, Effect)> = Vec::with_capacity(rule.take.len() + rule.put.len());
    effects.extend(rule.take.iter().map(|entry| {
        let count = i64::from(entry.count);
        (entry.local, Effect { shift: count, floor: count })
    }));
    for entry in rule.put {
        let count = i64::from(entry.count);
        match effects.binary_search_by_key(&entry.local, |&(local, _)| local) {
            Ok(at) => effects[at].1.shift -= count,
            Err(at) => effects.insert(at, (entry.local, Effect { shift: -count, floor: 0 })),
        }
    }
    effects
}

/// The effects of walking backwards over rules, the last one first, sorted by local state.
pub(super) fn effects_along<'a>(
    system: &System,
    rules: impl DoubleEndedIterator<Item = &'a RuleId>,
) -> Result<Vec<(LocalId, Effect)>, Overflow> {
    let mut effects: FxHashMap<LocalId, Effect> = FxHashMap::default();
    for &rule in rules.rev() {
        for (local, effect) in effects_of(system, rule) {
            let before = effects.entry(local).or_insert(Effect::IDENTITY);
            *before = before.then(effect)?;
        }
    }
    let mut effects: Vec<(LocalId, Effect)> = effects.into_iter().collect();
    effects.sort_unstable_by_key(|&(local, _)| local);
    Ok(effects)
}

/// A linear form in the κs: a constant and, for some loops by their number on the path, a coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) constant: i128,
    /// Sorted by loop, without zeros.
    pub(super) coefficients: Vec<(usize, i64)>,
}

impl Form {
    fn constant(constant: i128) -> Self {
        Self { constant, coefficients: Vec::new() }
    }

    /// Whether the form is at least the other one, since κ ≥ 1 for all loops. Not complete.
    fn dominates(&self, other: &Form) -> bool {
        if self.coefficients == other.coefficients {
            return self.constant >= other.constant;
        }
        let least: i128 = self.coefficients.iter().map(|&(_, c)| i128::from(c)).sum();
        other.coefficients.is_empty()
            && self.coefficients.iter().all(|&(_, coefficient)| coefficient > 0)
            && self.constant + least >= other.constant
    }
}

/// A demand in one local state: the maximum of these forms, never below zero.
type Forms = Vec<Form>;

fn push_form(forms: &mut Forms, form: Form) {
    if !forms.iter().any(|other| other.dominates(&form)) {
        forms.retain(|other| !form.dominates(other));
        forms.push(form);
    }
}

/// A symbolic demand that can be taken back to what it was.
#[derive(Debug, Default)]
pub(super) struct Demand {
    /// Sorted by local state; where nothing is demanded there is no entry.
    counts: Vec<(LocalId, Forms)>,
    /// What entries were before, and where levels begin.
    undos: Vec<(LocalId, Option<Forms>)>,
    levels: Vec<usize>,
}

impl Demand {
    /// Demands these counts.
    pub(super) fn new(counts: impl Iterator<Item = (LocalId, u32)>) -> Self {
        let mut counts: Vec<(LocalId, Forms)> =
            counts.map(|(local, count)| (local, vec![Form::constant(count.into())])).collect();
        counts.sort_unstable_by_key(|&(local, _)| local);
        Self { counts, ..Self::default() }
    }

    /// Begins a level.
    pub(super) fn push(&mut self) {
        self.levels.push(self.undos.len());
    }

    /// Takes back what was done since the newest level began.
    pub(super) fn pop(&mut self) {
        let Some(start) = self.levels.pop() else { return };
        for (local, forms) in self.undos.drain(start..).rev() {
            match (self.counts.binary_search_by_key(&local, |&(local, _)| local), forms) {
                (Ok(at), Some(forms)) => self.counts[at].1 = forms,
                (Ok(at), None) => drop(self.counts.remove(at)),
                (Err(at), Some(forms)) => self.counts.insert(at, (local, forms)),
                (Err(_), None) => {}
            }
        }
    }

    /// The demand in each local state where there is one.
    pub(super) fn iter(&self) -> impl Iterator<Item = (LocalId, &[Form])> {
        self.counts.iter().map(|(local, forms)| (*local, forms.as_slice()))
    }

    /// The demand in one local state; none if it is zero.
    #[cfg(test)]
    fn get(&self, local: LocalId) -> &[Form] {
        let at = self.counts.binary_search_by_key(&local, |&(local, _)| local);
        at.map_or(&[], |at| self.counts[at].1.as_slice())
    }

    /// The counts, if they depend on no κ and fit.
    pub(super) fn concrete(&self) -> Option<Vec<(LocalId, u32)>> {
        let count = |forms: &[Form]| match forms {
            [form] if form.coefficients.is_empty() => u32::try_from(form.constant).ok(),
            _ => None,
        };
        self.counts.iter().map(|(local, forms)| Some((*local, count(forms)?))).collect()
    }

    /// Walks backwards over rules with this effect in a local state.
    pub(super) fn apply(&mut self, local: LocalId, effect: Effect) {
        self.replace(local, |forms| {
            forms.iter_mut().for_each(|form| form.constant += i128::from(effect.shift));
            push_form(forms, Form::constant(effect.floor.into()));
        });
    }

    /// Walks backwards around a loop with this effect, κ ≥ 1 times; `kappa` is the number of the loop, larger than all
    /// before.
    pub(super) fn apply_repeatedly(&mut self, local: LocalId, effect: Effect, kappa: usize) {
        let Effect { shift, floor } = effect;
        self.replace(local, |forms| {
            if shift != 0 {
                forms.iter_mut().for_each(|form| form.coefficients.push((kappa, shift)));
                let constant = i128::from(floor) - i128::from(shift);
                push_form(forms, Form { constant, coefficients: vec![(kappa, shift)] });
            }
            push_form(forms, Form::constant(floor.into()));
        });
    }

    fn replace(&mut self, local: LocalId, change: impl FnOnce(&mut Forms)) {
        let at = self.counts.binary_search_by_key(&local, |&(local, _)| local);
        let before = at.ok().map(|at| self.counts[at].1.clone());
        let mut forms = before.clone().unwrap_or_else(|| vec![Form::constant(0)]);
        change(&mut forms);
        let is_zero = forms.iter().all(|form| form.coefficients.is_empty() && form.constant <= 0);
        match at {
            Ok(at) if is_zero => drop(self.counts.remove(at)),
            Ok(at) => self.counts[at].1 = forms,
            Err(_) if is_zero => return,
            Err(at) => self.counts.insert(at, (local, forms)),
        }
        self.undos.push((local, before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_summary_is_the_loop_unrolled() {
        for shift in -4..=4_i64 {
            for floor in 0..=5 {
                for n in 0..=9 {
                    let effect = Effect { shift, floor };
                    let mut unrolled = n;
                    for kappa in 1..=7 {
                        unrolled = (unrolled + shift).max(floor);
                        assert_eq!(effect.repeated(kappa, n), unrolled, "{effect:?} on {n}, {kappa} times");
                    }
                }
            }
        }
    }

    #[test]
    fn forms_mean_what_the_loop_does() {
        let local = LocalId::new(0);
        let value = |demand: &Demand, kappas: &[i128]| {
            let value = |form: &Form| {
                form.constant
                    + form.coefficients.iter().map(|&(k, c)| kappas[k] * i128::from(c)).sum::<i128>()
            };
            demand.get(local).iter().map(value).max().unwrap_or(0)
        };
        let effects = (-3..=3).flat_map(|shift| (0..=3).map(move |floor| Effect { shift, floor }));
        let effects: Vec<Effect> = effects.filter(|e| e.floor >= e.shift).collect();
        for &first in &effects {
            for &second in &effects {
                for n in [0, 1, 5] {
                    let mut demand = Demand::new([(local, n)].into_iter().filter(|&(_, n)| n > 0));
                    demand.apply_repeatedly(local, first, 0);
                    demand.apply(local, Effect { shift: -1, floor: 0 });
                    demand.apply_repeatedly(local, second, 1);
                    for (kappa, lambda) in [(1, 1), (1, 4), (3, 1), (5, 6)] {
                        let once = first.repeated(kappa, i64::from(n));
                        let expected = second.repeated(lambda, (once - 1).max(0));
                        let found = value(&demand, &[kappa.into(), lambda.into()]);
                        assert_eq!(
                            found,
                            i128::from(expected),
                            "{first:?}^{kappa} then {second:?}^{lambda} on {n}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn levels_take_back_what_was_done() {
        let local = LocalId::new;
        let mut demand = Demand::new([(local(1), 2)].into_iter());
        let before = format!("{:?}", demand.counts);
        demand.push();
        demand.apply(local(0), Effect { shift: 1, floor: 1 });
        demand.apply(local(1), Effect { shift: -2, floor: 0 });
        assert_eq!(demand.concrete(), Some(vec![(local(0), 1)]));
        demand.apply_repeatedly(local(0), Effect { shift: 1, floor: 1 }, 0);
        assert_eq!(demand.concrete(), None);
        demand.pop();
        assert_eq!(format!("{:?}", demand.counts), before);
    }
}
