//! What right evidence is, decided by brute force on small systems.
//!
//! Shares no idea with the checker beyond the definition of firing: configurations are dense vectors, passive
//! threads choose one by one, minimal predecessors are found by firing every small configuration, repetitions
//! are unrolled.

use std::collections::BTreeSet;
use throng_cert::document::{Body, Configuration, CoverSet, Cut, Item, Proof, Step, Trace};
use throng_cert::{Count, EvidenceDocument, State, Verdict};
use throng_model::{RuleRef, System};

/// Arbitrarily many.
const OMEGA: u64 = u64::MAX;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dense {
    pub(crate) shared: usize,
    pub(crate) counts: Vec<u64>,
}

impl Dense {
    pub(crate) fn le(&self, other: &Dense) -> bool {
        self.shared == other.shared && self.counts.iter().zip(&other.counts).all(|(a, b)| a <= b)
    }

    fn size(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Whether the evidence proves its verdict.
pub(crate) fn is_right(system: &System, document: &EvidenceDocument) -> bool {
    let right = match (&document.body, document.verdict) {
        (Body::Trace(trace), Verdict::Unsafe) => trace_is_right(system, trace),
        (Body::Proof(proof), Verdict::Safe) => proof_is_right(system, proof),
        (Body::CoverSet(set), Verdict::Safe) => cover_set_is_right(system, set),
        _ => None,
    };
    right.unwrap_or(false)
}

fn dense_bag(system: &System, entries: &[throng_model::Entry]) -> Vec<u64> {
    let mut counts = vec![0; system.n_locals()];
    for entry in entries {
        counts[entry.local.index()] += u64::from(entry.count);
    }
    counts
}

fn targets(system: &System) -> Vec<Dense> {
    let dense =
        |t: &throng_model::Config| Dense { shared: t.shared.index(), counts: dense_bag(system, &t.bag) };
    system.targets().iter().map(dense).collect()
}

/// All results of firing, every passive thread choosing by itself.
pub(crate) fn fire(system: &System, rule: RuleRef<'_>, config: &Dense) -> BTreeSet<Dense> {
    let take = dense_bag(system, rule.take);
    let mut results = BTreeSet::new();
    if config.shared != rule.from.index() || take.iter().zip(&config.counts).any(|(t, c)| t > c) {
        return results;
    }
    results.insert(Dense { shared: rule.to.index(), counts: dense_bag(system, rule.put) });
    for (local, (count, taken)) in config.counts.iter().zip(&take).enumerate() {
        let destinations: Vec<usize> = match rule.moves().find(|(source, _)| source.index() == local) {
            None => vec![local],
            Some((_, [])) => continue,
            Some((_, destinations)) => destinations.iter().map(|d| d.index()).collect(),
        };
        for _ in 0..count - taken {
            let chosen = |before: &Dense| {
                let before = before.clone();
                destinations.clone().into_iter().map(move |destination| {
                    let mut after = before.clone();
                    after.counts[destination] += 1;
                    after
                })
            };
            results = results.iter().flat_map(chosen).collect();
        }
    }
    results
}

/// All configurations with this shared state and at most `size` threads.
pub(crate) fn all_configs(system: &System, shared: usize, size: u64) -> Vec<Dense> {
    let mut bags: BTreeSet<Vec<u64>> = BTreeSet::from([vec![0; system.n_locals()]]);
    for _ in 0..size {
        let grown: Vec<Vec<u64>> = bags
            .iter()
            .flat_map(|bag| {
                (0..bag.len()).map(|local| {
                    let mut more = bag.clone();
                    more[local] += 1;
                    more
                })
            })
            .collect();
        bags.extend(grown);
    }
    bags.into_iter().map(|counts| Dense { shared, counts }).collect()
}

/// What executions reach from the initial configurations with up to `more` threads in each unbounded local,
/// as far as configurations of at most `size` threads lead.
pub(crate) fn reachable(system: &System, more: u64, size: u64) -> BTreeSet<Dense> {
    let mut found = BTreeSet::new();
    for initial in system.initial() {
        for more in 0..=more {
            let mut counts = dense_bag(system, &initial.exact);
            initial.unbounded.iter().for_each(|local| counts[local.index()] += more);
            found.insert(Dense { shared: initial.shared.index(), counts });
        }
    }
    let mut work: Vec<Dense> = found.iter().cloned().collect();
    while let Some(config) = work.pop() {
        if config.size() > size {
            continue;
        }
        for after in system.rules().iter().flat_map(|(_, rule)| fire(system, rule, &config)) {
            if found.insert(after.clone()) {
                work.push(after);
            }
        }
    }
    found
}

/// Whether a configuration covers a target.
pub(crate) fn is_bad(system: &System, config: &Dense) -> bool {
    targets(system).iter().any(|target| target.le(config))
}

/// The minimal configurations from which `rule` can lead above `goal`, found by firing all small ones: a
/// minimal one has no thread that is neither taken nor becomes a thread of the goal.
pub(crate) fn minimal_predecessors(system: &System, rule: RuleRef<'_>, goal: &Dense) -> Vec<Dense> {
    let size = goal.size() + dense_bag(system, rule.take).iter().sum::<u64>();
    let leads_there = |config: &Dense| fire(system, rule, config).iter().any(|after| goal.le(after));
    let all: Vec<Dense> =
        all_configs(system, rule.from.index(), size).into_iter().filter(leads_there).collect();
    all.iter().filter(|p| !all.iter().any(|q| q != *p && q.le(p))).cloned().collect()
}

/// Everything that an element stands for; `None` if it makes no sense.
fn expand(system: &System, written: &Configuration, allow_omega: bool) -> Option<Vec<Dense>> {
    let matching = |names: &throng_model::Names, state: &State| -> Option<Vec<usize>> {
        match state {
            State::Name(name) => Some(vec![names.find(name)?]),
            State::AnyOf(list) => list.iter().map(|name| names.find(name)).collect(),
            State::Any => Some((0..names.len()).collect()),
            State::At { .. } | State::Where { .. } => None,
        }
    };
    let shared = match &written.shared {
        None if system.is_net() => vec![0],
        None => return None,
        Some(state) => matching(system.shared_names(), state)?,
    };
    let mut bags = BTreeSet::from([vec![0; system.n_locals()]]);
    for (state, count) in &written.threads {
        let states = matching(system.local_names(), state)?;
        let with = |bag: &Vec<u64>, local: usize| {
            let mut bag = bag.clone();
            bag[local] = if bag[local] == OMEGA { OMEGA } else { bag[local] + 1 };
            bag
        };
        match count {
            Count::Omega if !allow_omega => return None,
            Count::Omega => {
                let everywhere = |mut bag: Vec<u64>| {
                    states.iter().for_each(|&local| bag[local] = OMEGA);
                    bag
                };
                bags = bags.into_iter().map(everywhere).collect();
            }
            Count::Finite(n) => {
                for _ in 0..*n {
                    bags = bags.iter().flat_map(|bag| states.iter().map(|&local| with(bag, local))).collect();
                }
            }
        }
    }
    let place = |shared: usize| bags.iter().map(move |bag| Dense { shared, counts: bag.clone() });
    Some(shared.into_iter().flat_map(place).collect())
}

fn expand_all(system: &System, elements: &[Configuration], allow_omega: bool) -> Option<Vec<Dense>> {
    let expanded = elements.iter().map(|element| expand(system, element, allow_omega));
    Some(expanded.collect::<Option<Vec<_>>>()?.concat())
}

fn trace_is_right(system: &System, trace: &Trace) -> Option<bool> {
    let named = |state: &State| matches!(state, State::Name(_));
    if !trace.initial.threads.iter().map(|(state, _)| state).chain(&trace.initial.shared).all(named) {
        return None;
    }
    let mut config = expand(system, &trace.initial, false)?.pop()?;
    let genuine = system.initial().iter().any(|initial| {
        let exact = dense_bag(system, &initial.exact);
        let unbounded = |local: usize| initial.unbounded.iter().any(|u| u.index() == local);
        let fits = |local: usize| match config.counts[local].cmp(&exact[local]) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => true,
            std::cmp::Ordering::Greater => unbounded(local),
        };
        initial.shared.index() == config.shared && (0..exact.len()).all(fits)
    });
    if !genuine {
        return None;
    }
    run(system, &trace.items, &mut config)?;
    Some(targets(system).iter().any(|target| target.le(&config)))
}

fn run(system: &System, items: &[Item], config: &mut Dense) -> Option<()> {
    for item in items {
        match item {
            Item::Step(step) => *config = run_step(system, step, config)?,
            Item::Repeat { times: 0, .. } => return None,
            Item::Repeat { times, items } => (0..*times).try_for_each(|_| run(system, items, config))?,
        }
    }
    Some(())
}

fn run_step(system: &System, step: &Step, config: &Dense) -> Option<Dense> {
    let rule = system.rule(system.find_rule(&step.rule)?);
    let take = dense_bag(system, rule.take);
    if config.shared != rule.from.index() {
        return None;
    }
    let mut rest = Vec::new();
    for (count, taken) in config.counts.iter().zip(&take) {
        rest.push(count.checked_sub(*taken)?);
    }
    let mut after = dense_bag(system, rule.put);
    for moved in &step.moved {
        let from = system.local_names().find(&moved.from)?;
        let (_, destinations) = rule.moves().find(|(source, _)| source.index() == from)?;
        rest[from] = rest[from].checked_sub(moved.count)?;
        match &moved.to {
            None if destinations.is_empty() => {}
            None => return None,
            Some(to) => {
                let to = system.local_names().find(to)?;
                destinations.iter().find(|d| d.index() == to)?;
                after[to] += moved.count;
            }
        }
    }
    if rule.moves().any(|(source, _)| rest[source.index()] > 0) {
        return None;
    }
    let counts = after.iter().zip(&rest).map(|(a, b)| a + b).collect();
    Some(Dense { shared: rule.to.index(), counts })
}

/// The members of each trap; `None` if some are unknown.
pub(crate) fn dense_traps(system: &System, traps: &[Vec<String>]) -> Option<Vec<Vec<usize>>> {
    let members = |trap: &Vec<String>| {
        let members = trap.iter().map(|name| system.local_names().find(name));
        Some(members.collect::<Option<BTreeSet<_>>>()?.into_iter().collect())
    };
    traps.iter().map(members).collect()
}

/// The weights of a cut by state, and the members of its traps with multipliers.
pub(crate) struct DenseCut {
    shared: Vec<u64>,
    locals: Vec<u64>,
    traps: Vec<(Vec<usize>, u64)>,
    bound: u64,
}

impl DenseCut {
    pub(crate) fn new(system: &System, cut: &Cut, traps: &[Vec<usize>]) -> Option<Self> {
        let (mut shared, mut locals) = (vec![0; system.n_shared()], vec![0; system.n_locals()]);
        for (name, weight) in &cut.shared {
            shared[system.shared_names().find(name)?] = *weight;
        }
        for (name, weight) in &cut.locals {
            locals[system.local_names().find(name)?] = *weight;
        }
        let trap = |&(index, multiplier): &(u64, u64)| Some((traps.get(index as usize)?.clone(), multiplier));
        let traps = cut.traps.iter().map(trap).collect::<Option<_>>()?;
        Some(Self { shared, locals, traps, bound: cut.bound })
    }

    pub(crate) fn weight(&self, config: &Dense) -> u64 {
        self.shared[config.shared] + config.counts.iter().zip(&self.locals).map(|(c, w)| c * w).sum::<u64>()
    }

    /// The least bound with which the cut can be right.
    pub(crate) fn least_bound(&self, system: &System) -> u64 {
        let multipliers: u64 = self.traps.iter().map(|(_, m)| m).sum();
        let start = system.initial().iter().map(|initial| {
            let counts = dense_bag(system, &initial.exact);
            self.weight_with_traps(&Dense { shared: initial.shared.index(), counts })
        });
        start.max().unwrap_or(0).saturating_sub(multipliers)
    }

    fn weight_with_traps(&self, config: &Dense) -> u64 {
        let traps =
            self.traps.iter().map(|(trap, m)| m * trap.iter().map(|&l| config.counts[l]).sum::<u64>());
        self.weight(config) + traps.sum::<u64>()
    }

    /// Whether the bound holds initially and none of these rules can raise the weights.
    fn is_right(&self, system: &System, rules: &[RuleRef<'_>]) -> bool {
        let raises =
            |config: &Dense, after: &Dense| self.weight_with_traps(after) > self.weight_with_traps(config);
        let multipliers: u64 = self.traps.iter().map(|(_, m)| m).sum();
        let holds_initially = system.initial().iter().all(|initial| {
            let with = |extra: u64| {
                let mut counts = dense_bag(system, &initial.exact);
                initial.unbounded.iter().for_each(|local| counts[local.index()] += extra);
                self.weight_with_traps(&Dense { shared: initial.shared.index(), counts })
            };
            with(0) == with(1) && with(0) <= self.bound + multipliers
        });
        // What a rule takes can weigh more than what it puts. So many threads that each gain a little outweigh
        // that.
        let taken = rules.iter().map(|rule| self.weight_with_traps(&needed(system, *rule)));
        holds_initially && !some_step(system, rules, taken.max().unwrap_or(0) + 1, raises)
    }
}

/// The smallest configuration that enables a rule.
fn needed(system: &System, rule: RuleRef<'_>) -> Dense {
    Dense { shared: rule.from.index(), counts: dense_bag(system, rule.take) }
}

/// Whether some step of one of these rules does this, from the threads that the rule takes alone or with up to `more`
/// passive threads in one local.
fn some_step(
    system: &System,
    rules: &[RuleRef<'_>],
    more: u64,
    found: impl Fn(&Dense, &Dense) -> bool,
) -> bool {
    rules.iter().any(|&rule| {
        let take = needed(system, rule);
        let with = |local: usize, more: u64| {
            let mut config = take.clone();
            config.counts[local] += more;
            config
        };
        let mut tried = (0..system.n_locals()).flat_map(|local| (0..=more).map(move |more| (local, more)));
        tried.any(|(local, more)| {
            let config = with(local, more);
            fire(system, rule, &config).iter().any(|after| found(&config, after))
        })
    })
}

/// The shared states of targets and, as often as there are any, those with a rule to one of them.
pub(crate) fn matters(system: &System) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = system.targets().iter().map(|target| target.shared.index()).collect();
    loop {
        let leads_in = system.rules().iter().filter(|(_, rule)| found.contains(&rule.to.index()));
        let more: BTreeSet<usize> = leads_in.map(|(_, rule)| rule.from.index()).collect();
        if more.is_subset(&found) {
            return found;
        }
        found.extend(more);
    }
}

fn proof_is_right(system: &System, proof: &Proof) -> Option<bool> {
    let traps = dense_traps(system, &proof.traps)?;
    let cuts = proof.cuts.iter().map(|cut| DenseCut::new(system, cut, &traps));
    let cuts = cuts.collect::<Option<Vec<_>>>()?;
    let elements = expand_all(system, &proof.elements, false)?;
    let excluded = |config: &Dense| {
        elements.iter().any(|element| element.le(config))
            || cuts.iter().any(|cut| cut.weight(config) > cut.bound)
    };
    // No other rule is enabled where the proof says that executions stay and that can still become bad.
    let matters = matters(system);
    let rules = system.rules().iter().map(|(_, rule)| rule);
    let rules = rules.filter(|rule| matters.contains(&rule.to.index()) && !excluded(&needed(system, *rule)));
    let rules: Vec<RuleRef<'_>> = rules.collect();
    for trap in &traps {
        let marks = |counts: &[u64]| trap.iter().any(|&member| counts[member] > 0);
        if !system.initial().iter().all(|initial| marks(&dense_bag(system, &initial.exact))) {
            return None;
        }
        if some_step(system, &rules, 1, |config, after| marks(&config.counts) && !marks(&after.counts)) {
            return None;
        }
    }
    let right = cuts.iter().all(|cut| cut.is_right(system, &rules))
        && targets(system).iter().all(excluded)
        && !elements.iter().any(|element| is_initial(system, element))
        && elements.iter().all(|element| {
            let mut rules = system.rules().iter();
            rules.all(|(_, rule)| minimal_predecessors(system, rule, element).iter().all(excluded))
        });
    Some(right)
}

/// Whether an initial configuration covers this one.
pub(crate) fn is_initial(system: &System, config: &Dense) -> bool {
    system.initial().iter().any(|initial| {
        let mut counts = dense_bag(system, &initial.exact);
        initial.unbounded.iter().for_each(|local| counts[local.index()] += config.size());
        config.le(&Dense { shared: initial.shared.index(), counts })
    })
}

fn cover_set_is_right(system: &System, set: &CoverSet) -> Option<bool> {
    let elements = expand_all(system, &set.elements, true)?;
    let inside = |config: &Dense| elements.iter().any(|element| config.le(element));
    let finite = elements.iter().flat_map(|e| &e.counts).filter(|&&count| count != OMEGA).max();
    let in_rules = system.rules().iter().flat_map(|(_, rule)| rule.take.iter().chain(rule.put));
    let in_targets = system.targets().iter().flat_map(|target| target.bag.iter());
    let in_initial = system.initial().iter().flat_map(|initial| initial.exact.iter());
    let others = in_rules.chain(in_targets).chain(in_initial).map(|entry| u64::from(entry.count)).max();
    // So many threads that, spread evenly over all locals, each still has more than any finite count here.
    let many = (finite.unwrap_or(&0) + 2 * others.unwrap_or(0) + 1) * system.n_locals() as u64;
    let concrete = |config: &Dense| Dense {
        shared: config.shared,
        counts: config.counts.iter().map(|&count| if count == OMEGA { many } else { count }).collect(),
    };
    let initial_inside = system.initial().iter().all(|initial| {
        let mut counts = dense_bag(system, &initial.exact);
        initial.unbounded.iter().for_each(|local| counts[local.index()] += many);
        inside(&Dense { shared: initial.shared.index(), counts })
    });
    let bad = targets(system);
    let right = initial_inside
        && elements.iter().map(concrete).all(|element| {
            !bad.iter().any(|target| target.le(&element))
                && system.rules().iter().all(|(_, rule)| fire(system, rule, &element).iter().all(inside))
        });
    Some(right)
}
