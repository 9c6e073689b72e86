//! Cuts: linear bounds on every reachable configuration, strengthened by traps and proved together with the elements.
//!
//! # Definitions
//!
//! A *cut* has weights y ≥ 0 on shared states and locals, traps Qᵢ with multipliers mᵢ, and a bound. A configuration
//! c *breaks* it iff y·c > bound. Let z = y + Σ mᵢ·[· ∈ Qᵢ] on locals and z = y on shared states, and let M be
//! the maximum of z(shared) + z·exact over the initial sets. Let U be the elements of the proof. A configuration is
//! *excluded* iff it is in ↑U or breaks some cut; what is above it is excluded too, since weights are not negative.
//! A shared state *matters* iff rules lead from it, step by step, to the shared state of a target; a rule from a
//! shared state that does not matter leads to one that does not. A rule is *exempt* iff (from, take) is excluded, or
//! `to` does not matter.
//!
//! # Conditions
//!
//! * (I1) Each initial set has a thread in each trap by its exact threads.
//! * (I2) z is 0 on the unbounded locals of every initial set, and bound ≥ M − Σ mᵢ.
//! * (S) Each rule that is not exempt keeps each trap ([`crate::traps`]) and each cut ([`crate::weights`]).
//!
//! # Why no reachable configuration that matters is excluded
//!
//! With the conditions (2) and (3) on elements of the crate's documentation, every reachable configuration whose shared
//! state matters is in
//!
//! > J = {c | z·c ≤ M for each cut, c has a thread in each trap, c ∉ ↑U}.
//!
//! *In J nothing is excluded*: y·c = z·c − Σ mᵢ·|c in Qᵢ| ≤ M − Σ mᵢ ≤ bound for c ∈ J, and c ∉ ↑U.
//!
//! *Initial* configurations are in J: z is at most M on them by (I2), they mark the traps by (I1), and they are not in
//! ↑U by (2).
//!
//! *Steps* stay in J. Let c be reachable, fire a rule and become c′, whose shared state matters. Then that of c matters,
//! and c ∈ J by hypothesis. Since c ≥ (from, take) and c is not excluded, (from, take) is not excluded: the rule is
//! not exempt. By (S), z·c′ ≤ z·c ≤ M for each cut, and c′ has a thread in each trap because c has one. If c′ ≥ u for
//! some u ∈ U, then c ≥ p for a minimal predecessor p of u, which is excluded by (3), so that c is excluded: a
//! contradiction.
//!
//! The induction is over steps, for all cuts, traps and elements at once. An exemption uses that c keeps all cuts and
//! is not in ↑U, which is the hypothesis about the configuration *before* the step. So there is no order among cuts: a
//! rule may be exempt from a cut because of a later cut, of an element whose own proof needs this cut, or of this
//! cut itself.

use crate::bag::{Bag, Config, counts};
use crate::names::{self, place};
use crate::rules::Ancestors;
use crate::traps::Trap;
use crate::verdict::{Condition, Rejection};
use crate::weights::{Weights, Written};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use throng_cert::document::Cut;
use throng_model::{RuleId, RuleRef, System};

/// Cuts and traps that fulfil (I1) and (I2). They hold in every reachable configuration if [`Cuts::check_rules`]
/// and the conditions on elements accept too.
pub(crate) struct Cuts {
    cuts: Vec<Inequality>,
    traps: Vec<Trap>,
    /// For each state, by index, the cuts that give it a weight.
    shared: Vec<Vec<(usize, u64)>>,
    locals: Vec<Vec<(usize, u64)>>,
    last_broken: Cell<usize>,
}

/// The claim y·c ≤ bound.
struct Inequality {
    written: Written,
    /// Indices and multipliers.
    traps: Vec<(usize, u64)>,
    bound: u128,
}

impl Cuts {
    /// Reads cuts and traps and sees that they hold initially.
    pub(crate) fn new(system: &System, cuts: &[Cut], traps: &[Vec<String>]) -> Result<Self, Rejection> {
        let traps = traps.iter().enumerate().map(|(i, trap)| Trap::new(system, &place("trap", i), trap));
        let mut read = Self {
            cuts: Vec::new(),
            traps: traps.collect::<Result<_, _>>()?,
            shared: vec![Vec::new(); system.n_shared()],
            locals: vec![Vec::new(); system.n_locals()],
            last_broken: Cell::new(0),
        };
        for (index, cut) in cuts.iter().enumerate() {
            let place = place("cut", index);
            let cut = read.resolve(system, &place, cut)?;
            read.check_initial(system, &place, &cut)?;
            read.push(cut);
        }
        Ok(read)
    }

    fn resolve(&self, system: &System, place: &str, cut: &Cut) -> Result<Inequality, Rejection> {
        let shared = |name: &str| names::shared(system, place, name);
        let local = |name: &str| names::local(system, place, name);
        let trap = |&(trap, multiplier): &(u64, u64)| {
            let index = usize::try_from(trap).ok().filter(|&index| index < self.traps.len());
            index.map(|index| (index, multiplier)).ok_or_else(|| {
                let n_traps = self.traps.len();
                let reason = format!("refers to trap {trap}, counted from 0, but there are {n_traps}");
                Rejection::new(Condition::Names, place, reason)
            })
        };
        let written = Written {
            shared: distinct(place, &cut.shared, shared)?,
            locals: distinct(place, &cut.locals, local)?,
        };
        let traps = cut.traps.iter().map(trap).collect::<Result<_, _>>()?;
        Ok(Inequality { written, traps, bound: cut.bound.into() })
    }

    /// The weights z of a cut.
    fn weights(&self, system: &System, place: &str, cut: &Inequality) -> Result<Weights, Rejection> {
        let traps =
            cut.traps.iter().filter_map(|&(trap, multiplier)| Some((self.traps.get(trap)?, multiplier)));
        Weights::new(system, &cut.written, traps).map_err(|trouble| trouble.at(place))
    }

    /// Condition (I2).
    fn check_initial(&self, system: &System, place: &str, cut: &Inequality) -> Result<(), Rejection> {
        let weights = self.weights(system, place, cut)?;
        for initial in system.initial() {
            if let Some(&local) = initial.unbounded.iter().find(|&&local| weights.local(local) > 0) {
                let (name, weight) = (system.local_names().get(local.index()), weights.local(local));
                let reason = format!("`{name}` has weight {weight}, but unboundedly many threads initially");
                return Err(Rejection::new(Condition::CutUnbounded, place, reason));
            }
            let total = weights.total(initial.shared, &initial.exact).map_err(|trouble| trouble.at(place))?;
            // Every trap is marked initially, so the difference is not negative.
            let (least, bound) = (total.saturating_sub(weights.multipliers), cut.bound);
            if bound < least {
                let reason = format!("the bound is {bound}, but an initial configuration reaches {least}");
                return Err(Rejection::new(Condition::CutBound, place, reason));
            }
        }
        Ok(())
    }

    fn push(&mut self, cut: Inequality) {
        let index = self.cuts.len();
        for &(state, weight) in &cut.written.shared {
            if let Some(list) = self.shared.get_mut(state.index()) {
                list.push((index, weight));
            }
        }
        for &(local, weight) in &cut.written.locals {
            if let Some(list) = self.locals.get_mut(local.index()) {
                list.push((index, weight));
            }
        }
        self.cuts.push(cut);
    }

    /// Condition (S), given what is excluded.
    pub(crate) fn check_rules(
        &self,
        system: &System,
        excluded: &dyn Fn(&Config) -> bool,
    ) -> Result<(), Rejection> {
        let mut exemptions =
            Exemptions { system, matters: OnceCell::new(), excluded, known: BTreeMap::new() };
        for (index, trap) in self.traps.iter().enumerate() {
            for (id, rule) in system.rules().iter() {
                let emptied = trap.emptied_by(system, rule);
                if let Some(how) = emptied
                    && !exemptions.has(id, rule)?
                {
                    let reason = format!("rule `{}` {how}", system.rule_name(id));
                    return Err(Rejection::new(Condition::TrapRule, place("trap", index), reason));
                }
            }
        }
        for (index, cut) in self.cuts.iter().enumerate() {
            let place = place("cut", index);
            let weights = self.weights(system, &place, cut)?;
            for (id, rule) in system.rules().iter() {
                let raised = weights.raised_by(system, rule).map_err(|trouble| trouble.at(&*place))?;
                if let Some(how) = raised
                    && !exemptions.has(id, rule)?
                {
                    let reason = format!("rule `{}` {how}", system.rule_name(id));
                    return Err(Rejection::new(Condition::CutRule, place, reason));
                }
            }
        }
        Ok(())
    }

    /// Whether the cut that was found broken last is broken again. Similar configurations break the same cut,
    /// and one cut is quickly asked.
    pub(crate) fn last_is_broken_by(&self, config: &Config) -> bool {
        self.cuts.get(self.last_broken.get()).is_some_and(|cut| cut.is_broken_by(config))
    }

    /// Whether some cut is broken.
    pub(crate) fn are_broken_by(&self, config: &Config) -> bool {
        if self.cuts.is_empty() {
            return false;
        }
        let broken = self.find_broken_by(config);
        if let Some(cut) = broken {
            self.last_broken.set(cut);
        }
        broken.is_some()
    }

    /// Adds up the weights of all cuts side by side, until some sum passes its bound.
    fn find_broken_by(&self, config: &Config) -> Option<usize> {
        let mut sums = vec![0_u128; self.cuts.len()];
        let one = [(self.shared.get(config.shared.index()), 1)];
        let threads = config.bag.entries().iter().map(|&(local, n)| (self.locals.get(local.index()), n));
        for (weights, count) in one.into_iter().chain(threads) {
            for &(cut, weight) in weights.into_iter().flatten() {
                let (sum, bound) = (sums.get_mut(cut)?, self.cuts.get(cut)?.bound);
                *sum = add_weight(*sum, weight, count);
                if *sum > bound {
                    return Some(cut);
                }
            }
        }
        // No weight at all is above no bound.
        None
    }
}

impl Inequality {
    fn is_broken_by(&self, config: &Config) -> bool {
        let shared = self.written.shared.iter().filter(|&&(state, _)| state == config.shared);
        let shared = shared.fold(0, |sum, &(_, weight)| add_weight(sum, weight, 1));
        let weights = &self.written.locals;
        let threads = config.bag.entries().iter();
        let sum = threads.fold(shared, |sum, &(local, count)| {
            let found = weights.binary_search_by_key(&local, |&(local, _)| local);
            let weight = found.ok().and_then(|at| weights.get(at)).map_or(0, |&(_, weight)| weight);
            add_weight(sum, weight, count)
        });
        sum > self.bound
    }
}

/// The sum and `count` times the weight. Saturation is exact here: a saturated sum is above every bound.
fn add_weight(sum: u128, weight: u64, count: u64) -> u128 {
    sum.saturating_add(u128::from(weight).saturating_mul(count.into()))
}

/// The weights, sorted by state. No state may be listed twice.
fn distinct<Id: Copy + Ord>(
    place: &str,
    weights: &[(String, u64)],
    find: impl Fn(&str) -> Result<Id, Rejection>,
) -> Result<Vec<(Id, u64)>, Rejection> {
    let mut found = BTreeMap::new();
    for (name, weight) in weights {
        if found.insert(find(name)?, *weight).is_some() {
            return Err(Rejection::new(Condition::Form, place, format!("`{name}` has two weights")));
        }
    }
    Ok(found.into_iter().collect())
}

/// Which rules are exempt, found out when it is asked: rules that keep everything need no look.
struct Exemptions<'a> {
    system: &'a System,
    /// The shared states that matter.
    matters: OnceCell<Ancestors>,
    excluded: &'a dyn Fn(&Config) -> bool,
    known: BTreeMap<RuleId, bool>,
}

impl Exemptions<'_> {
    fn has(&mut self, id: RuleId, rule: RuleRef<'_>) -> Result<bool, Rejection> {
        if let Some(&known) = self.known.get(&id) {
            return Ok(known);
        }
        let bag = Bag::from_counts(counts(rule.take)).map_err(|trouble| trouble.at("the rules"))?;
        let matters = self.matters.get_or_init(|| Ancestors::of_targets(self.system));
        let is_exempt = !matters.contain(rule.to) || (self.excluded)(&Config { shared: rule.from, bag });
        self.known.insert(id, is_exempt);
        Ok(is_exempt)
    }
}
