//! Cuts: linear bounds on every reachable configuration, strengthened by traps.
//!
//! A *trap* Q is accepted iff every initial set guarantees a thread in Q by its exact threads, and every rule
//! keeps one there: put contains a member of Q, or else (a) take contains none and (b) each member that is a
//! source of the rule's moves has destinations, all of them in Q. Then Q holds a thread in every reachable
//! configuration. In the second case, a thread of Q before the step is passive by (a), and by (b) it stays or
//! goes to a member, whatever it chooses. The condition is necessary too: if put has no member, then from
//! `take` alone with a member in it, or from `take` plus one thread in a member that vanishes or can go
//! outside, the step empties Q.
//!
//! A *cut* has weights y ≥ 0 on shared states and locals, traps Qᵢ with multipliers mᵢ, and a bound. Let z =
//! y + Σ mᵢ·[· ∈ Qᵢ] on locals and z = y on shared states. It is accepted iff
//! * for each rule z·put + z(to) ≤ z·take + z(from), and z(q) ≤ z(p) for each destination q of each source p:
//!   then no step raises z (threads that vanish lower it);
//! * z is 0 on the unbounded locals of every initial set: then z is at most M, the maximum over the initial
//!   sets of z(shared) + z·exact, on I, hence on every reachable c;
//! * bound ≥ M − Σ mᵢ: every reachable c has a thread in each Qᵢ, so y·c = z·c − Σ mᵢ·|c in Qᵢ| ≤ M − Σ mᵢ ≤
//!   bound.

use crate::bag::{Config, counts};
use crate::names::{self, place};
use crate::verdict::{Condition, Rejection, Trouble};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use throng_cert::document::Cut;
use throng_model::{Entry, LocalId, RuleRef, SharedId, System};

/// Cuts that hold in every reachable configuration.
pub(crate) struct Cuts {
    cuts: Vec<Inequality>,
    /// For each state, by index, the cuts that give it a weight.
    shared: Vec<Vec<(usize, u64)>>,
    locals: Vec<Vec<(usize, u64)>>,
    last_broken: Cell<usize>,
}

/// A cut that holds: y·c ≤ bound for every reachable c.
struct Inequality {
    written: Written,
    bound: u128,
}

impl Cuts {
    /// Accepts cuts and traps.
    pub(crate) fn check(system: &System, cuts: &[Cut], traps: &[Vec<String>]) -> Result<Self, Rejection> {
        let traps = traps.iter().enumerate().map(|(i, trap)| check_trap(system, &place("trap", i), trap));
        let traps = traps.collect::<Result<Vec<_>, _>>()?;
        let mut accepted = Self {
            cuts: Vec::new(),
            shared: vec![Vec::new(); system.n_shared()],
            locals: vec![Vec::new(); system.n_locals()],
            last_broken: Cell::new(0),
        };
        for (index, cut) in cuts.iter().enumerate() {
            let place = place("cut", index);
            let written = Written::resolve(system, &place, cut)?;
            check_cut(system, &place, cut, &written, &traps)?;
            accepted.push(Inequality { written, bound: cut.bound.into() });
        }
        Ok(accepted)
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

    /// Whether the cut that was found broken last is broken again. Similar configurations break the same cut,
    /// and one cut is quickly asked.
    pub(crate) fn last_is_broken_by(&self, config: &Config) -> bool {
        self.cuts.get(self.last_broken.get()).is_some_and(|cut| cut.is_broken_by(config))
    }

    /// Whether some cut is broken: then no reachable configuration is above `config`.
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
        let weight = |weights: &[(LocalId, u64)], local: LocalId| {
            let found = weights.binary_search_by_key(&local, |&(local, _)| local);
            found.ok().and_then(|at| weights.get(at)).map_or(0, |&(_, weight)| weight)
        };
        let shared = self.written.shared.iter().filter(|&&(state, _)| state == config.shared);
        let shared = shared.fold(0, |sum, &(_, weight)| add_weight(sum, weight, 1));
        let threads = config.bag.entries().iter();
        let sum = threads
            .fold(shared, |sum, &(local, count)| add_weight(sum, weight(&self.written.locals, local), count));
        sum > self.bound
    }
}

/// The sum and `count` times the weight. Saturation is exact here: a saturated sum is above every bound.
fn add_weight(sum: u128, weight: u64, count: u64) -> u128 {
    sum.saturating_add(u128::from(weight).saturating_mul(count.into()))
}

/// The weights y of a cut as written, sorted by state.
struct Written {
    shared: Vec<(SharedId, u64)>,
    locals: Vec<(LocalId, u64)>,
}

impl Written {
    fn resolve(system: &System, place: &str, cut: &Cut) -> Result<Self, Rejection> {
        let shared = |name: &str| names::shared(system, place, name);
        let local = |name: &str| names::local(system, place, name);
        let (shared, locals) = (distinct(place, &cut.shared, shared)?, distinct(place, &cut.locals, local)?);
        Ok(Self { shared, locals })
    }
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

/// The weights z of a cut together with its traps, by index of the state.
struct Weights {
    shared: Vec<u128>,
    locals: Vec<u128>,
}

impl Weights {
    fn shared(&self, state: SharedId) -> u128 {
        self.shared.get(state.index()).copied().unwrap_or(0)
    }

    fn local(&self, local: LocalId) -> u128 {
        self.locals.get(local.index()).copied().unwrap_or(0)
    }

    /// z(shared) + z·bag.
    fn total(&self, shared: SharedId, bag: &[Entry]) -> Result<u128, Trouble> {
        counts(bag).try_fold(self.shared(shared), |sum, (local, count)| {
            let product = self.local(local).checked_mul(u128::from(count));
            product.and_then(|product| sum.checked_add(product)).ok_or(Trouble::Overflow)
        })
    }
}

fn check_cut(
    system: &System,
    place: &str,
    cut: &Cut,
    written: &Written,
    traps: &[BTreeSet<LocalId>],
) -> Result<(), Rejection> {
    let (weights, multipliers) = combine(system, place, cut, written, traps)?;
    for (id, rule) in system.rules().iter() {
        if let Some(reason) = raised_by(system, rule, &weights).map_err(|trouble| trouble.at(place))? {
            let reason = format!("rule `{}` {reason}", system.rule_name(id));
            return Err(Rejection::new(Condition::CutRule, place, reason));
        }
    }
    check_bound(system, place, cut.bound, &weights, multipliers)
}

/// The weights z of a cut together with its traps, and the sum of its multipliers.
fn combine(
    system: &System,
    place: &str,
    cut: &Cut,
    written: &Written,
    traps: &[BTreeSet<LocalId>],
) -> Result<(Weights, u128), Rejection> {
    let overflow = |trouble: Trouble| trouble.at(place);
    let mut weights = Weights { shared: vec![0; system.n_shared()], locals: vec![0; system.n_locals()] };
    for &(state, weight) in &written.shared {
        raise(&mut weights.shared, state.index(), weight).map_err(overflow)?;
    }
    for &(local, weight) in &written.locals {
        raise(&mut weights.locals, local.index(), weight).map_err(overflow)?;
    }
    let mut multipliers = 0_u128;
    for &(trap, multiplier) in &cut.traps {
        let Some(members) = usize::try_from(trap).ok().and_then(|trap| traps.get(trap)) else {
            let reason = format!("refers to trap {trap}, counted from 0, but there are {}", traps.len());
            return Err(Rejection::new(Condition::Names, place, reason));
        };
        for member in members {
            raise(&mut weights.locals, member.index(), multiplier).map_err(overflow)?;
        }
        multipliers =
            multipliers.checked_add(multiplier.into()).ok_or(Trouble::Overflow).map_err(overflow)?;
    }
    Ok((weights, multipliers))
}

fn raise(weights: &mut [u128], index: usize, by: u64) -> Result<(), Trouble> {
    let weight = weights.get_mut(index).ok_or(Trouble::Overflow)?;
    *weight = weight.checked_add(by.into()).ok_or(Trouble::Overflow)?;
    Ok(())
}

/// How a rule raises the weights, if it does.
fn raised_by(system: &System, rule: RuleRef<'_>, weights: &Weights) -> Result<Option<String>, Trouble> {
    let before = weights.total(rule.from, rule.take)?;
    let after = weights.total(rule.to, rule.put)?;
    if after > before {
        return Ok(Some(format!("raises the weight from {before} to {after}")));
    }
    for (source, destinations) in rule.moves() {
        for &destination in destinations {
            let (before, after) = (weights.local(source), weights.local(destination));
            if after > before {
                let name = |local: LocalId| system.local_names().get(local.index());
                let (from, to) = (name(source), name(destination));
                return Ok(Some(format!(
                    "moves threads from `{from}` (weight {before}) to `{to}` (weight {after})"
                )));
            }
        }
    }
    Ok(None)
}

fn check_bound(
    system: &System,
    place: &str,
    bound: u64,
    weights: &Weights,
    multipliers: u128,
) -> Result<(), Rejection> {
    for initial in system.initial() {
        if let Some(&local) = initial.unbounded.iter().find(|&&local| weights.local(local) > 0) {
            let name = system.local_names().get(local.index());
            let weight = weights.local(local);
            let reason = format!("`{name}` has weight {weight}, but unboundedly many threads initially");
            return Err(Rejection::new(Condition::CutUnbounded, place, reason));
        }
        let total = weights.total(initial.shared, &initial.exact).map_err(|trouble| trouble.at(place))?;
        // Every trap is marked initially, so the difference is not negative.
        let least = total.saturating_sub(multipliers);
        if u128::from(bound) < least {
            let reason = format!("the bound is {bound}, but an initial configuration reaches {least}");
            return Err(Rejection::new(Condition::CutBound, place, reason));
        }
    }
    Ok(())
}

/// Accepts a trap.
fn check_trap(system: &System, place: &str, trap: &[String]) -> Result<BTreeSet<LocalId>, Rejection> {
    let members = trap.iter().map(|name| names::local(system, place, name));
    let members = members.collect::<Result<BTreeSet<_>, _>>()?;
    let marks = |bag: &[Entry]| bag.iter().any(|entry| entry.count > 0 && members.contains(&entry.local));
    if !system.initial().iter().all(|initial| marks(&initial.exact)) {
        let reason = "an initial configuration guarantees no thread in it";
        return Err(Rejection::new(Condition::TrapInitial, place, reason));
    }
    for (id, rule) in system.rules().iter().filter(|(_, rule)| !marks(rule.put)) {
        let reject = |reason: String| {
            let reason = format!("rule `{}` {reason}", system.rule_name(id));
            Err(Rejection::new(Condition::TrapRule, place, reason))
        };
        if marks(rule.take) {
            return reject("takes a thread out of it and puts none in".to_owned());
        }
        for (source, destinations) in rule.moves().filter(|(source, _)| members.contains(source)) {
            let name = |local: LocalId| system.local_names().get(local.index());
            if destinations.is_empty() {
                return reject(format!("lets the threads of `{}` vanish", name(source)));
            }
            if let Some(&outside) = destinations.iter().find(|local| !members.contains(local)) {
                return reject(format!("moves threads from `{}` to `{}`", name(source), name(outside)));
            }
        }
    }
    Ok(members)
}
