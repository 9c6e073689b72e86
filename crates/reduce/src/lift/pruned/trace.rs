//! Traces: the same rules fire in the original, with the threads outside the cone beside them.
//!
//! *Claim.* If c′ is reached in the reduced system, the original reaches some c that is above c′ on L*, by the originals of
//! the same rules after some firings that fill unbounded locals. Initially: c is c′, the exact threads outside L*, and
//! what `supply` adds. A step: `take` is inside L* or in unbounded locals, which never run dry, so the original rule is
//! enabled. Passive threads in L* go where they go in the reduced system; those that vanish there because no
//! destination is in L* go to some destination outside, those that stay because their own local is the only destination
//! in L* go there; those that c has more than c′ go anywhere. Passive threads outside L* go to any destination, which
//! is outside L* by (C2), and none of them is in an unbounded local. What `put` has more is outside L*. So c stays above
//! c′ on L*; at the end, a target whose part in L* is covered is covered, the supply including its other part.
//!
//! *Repeated segments.* The steps of a round depend on the numbers of threads in the sources of its moves, and on
//! nothing else. If a round leaves these as they were, all later rounds are the same, and the repetition stays
//! one. Otherwise the round is written out and the next one is tried, up to a limit. (A segment that can be
//! repeated in the reduced system need not be periodic here: threads outside the cone may pile up in a source.)

use super::supply::{Counts, Effect, Supply};
use crate::lift::LiftError;
use crate::pruning::Pruning;
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_cert::{Trace, TraceItem};
use throng_model::{Config, Entry, Initial, LocalId, Moved, RuleId, RuleRef, SharedId, Step, System, bag};

/// How many steps may be written out for repetitions that are none in the original.
const MOST_WRITTEN_OUT: usize = 1 << 20;

/// Lifts a trace, see the module's documentation.
pub(super) fn lift(
    pruning: &Pruning,
    original: &System,
    trace: &Trace,
    budget: &Budget,
) -> Result<Trace, LiftError> {
    let set = original_set(pruning, original, &trace.initial)?;
    let unbounded = &pruning.cone.unbounded;
    let supply = match unbounded.len() {
        0 => Supply::default(),
        _ => Supply::new(original, set, unbounded, demand(pruning, original, (set, trace), budget)?)?,
    };
    let mut initial = original_initial(pruning, set, &trace.initial)?;
    for (&local, &count) in &supply.initial {
        initial.bag.add(local, u32::try_from(count).map_err(|_| LiftError::CountOverflow)?)?;
    }
    let mut replay = Replay::new(pruning, original, &initial, budget);
    supply.firings.iter().try_for_each(|&(rule, times)| replay.fire(original.rule(rule), times))?;
    let mut items: Vec<TraceItem> = supply.items().collect();
    replay.items(&trace.items, &mut items)?;
    Ok(Trace { initial, items })
}

/// What a trace and the target that it covers ask of the unbounded locals.
fn demand(
    pruning: &Pruning,
    original: &System,
    (set, trace): (&Initial, &Trace),
    budget: &Budget,
) -> Result<Counts, LiftError> {
    let unbounded = &pruning.cone.unbounded;
    // More than a trace can take, so that the replay finds out where the other threads are at the end.
    let plenty = unbounded.iter().map(|local| (LocalId::new(local), u64::from(u32::MAX) << 30));
    let initial = original_initial(pruning, set, &trace.initial)?;
    let mut replay = Replay::new(pruning, original, &initial, budget);
    replay.threads.extend(plenty);
    replay.items(&trace.items, &mut Vec::new())?;
    let mut effect = Effect::default();
    replay.add_effect(&trace.items, &mut effect)?;
    let covers = |target: &&Config| {
        let inside = target.bag.iter().filter(|entry| pruning.cone.has_local(entry.local));
        target.shared == replay.shared
            && pruning.reached.shows(target.view())
            && inside.into_iter().all(|entry| replay.count(entry.local) >= u64::from(entry.count))
    };
    let target = original.targets().iter().find(covers).ok_or(LiftError::Foreign)?;
    for entry in target.bag.iter().filter(|entry| unbounded.contains(entry.local.index())) {
        effect.take(entry.local, entry.count.into())?;
    }
    effect.demand()
}

/// The initial set whose projection has this configuration.
fn original_set<'a>(
    pruning: &Pruning,
    original: &'a System,
    config: &Config,
) -> Result<&'a Initial, LiftError> {
    let is_instance = |initial: &&Initial| {
        let projected = pruning.cone.project_initial(initial);
        projected.shared == config.shared
            && bag::le(&projected.exact, &config.bag)
            && config.bag.iter().all(|entry| {
                entry.count == bag::count(&projected.exact, entry.local)
                    || projected.unbounded.binary_search(&entry.local).is_ok()
            })
    };
    original.initial().iter().find(is_instance).ok_or(LiftError::Foreign)
}

/// An initial configuration of the reduced system and the exact threads outside the cone.
fn original_initial(pruning: &Pruning, set: &Initial, config: &Config) -> Result<Config, LiftError> {
    let mut initial = config.clone();
    for entry in set.exact.iter().filter(|entry| !pruning.cone.has_local(entry.local)) {
        initial.bag.add(entry.local, entry.count)?;
    }
    Ok(initial)
}

struct Replay<'a> {
    pruning: &'a Pruning,
    original: &'a System,
    budget: &'a Budget,
    shared: SharedId,
    /// Where the threads of the original are.
    threads: Counts,
    n_written_out: usize,
}

impl<'a> Replay<'a> {
    fn new(pruning: &'a Pruning, original: &'a System, start: &Config, budget: &'a Budget) -> Self {
        let threads = start.bag.iter().map(|entry| (entry.local, u64::from(entry.count))).collect();
        Self { pruning, original, budget, shared: start.shared, threads, n_written_out: 0 }
    }

    fn count(&self, local: LocalId) -> u64 {
        self.threads.get(&local).copied().unwrap_or(0)
    }

    /// Fires a rule without moves so many times.
    fn fire(&mut self, rule: RuleRef<'_>, times: u64) -> Result<(), LiftError> {
        let times = i128::from(times);
        for entry in rule.take {
            self.change(entry.local, -i128::from(entry.count) * times)?;
        }
        rule.put.iter().try_for_each(|entry| self.change(entry.local, i128::from(entry.count) * times))
    }

    /// What items do to unbounded locals, after `effect`. Threads that are moved there are not counted on.
    fn add_effect(&self, items: &[TraceItem], effect: &mut Effect) -> Result<(), LiftError> {
        let is_unbounded = |entry: &&Entry| self.pruning.cone.unbounded.contains(entry.local.index());
        for item in items {
            match item {
                TraceItem::Step(step) => {
                    let rule = self.original.rule(self.original_rule(step)?);
                    for entry in rule.take.iter().filter(is_unbounded) {
                        effect.take(entry.local, entry.count.into())?;
                    }
                    for entry in rule.put.iter().filter(is_unbounded) {
                        effect.put(entry.local, entry.count.into())?;
                    }
                }
                TraceItem::Repeat { times, items } => {
                    let mut round = Effect::default();
                    self.add_effect(items, &mut round)?;
                    effect.repeat(&round, *times)?;
                }
            }
        }
        Ok(())
    }

    fn items(&mut self, items: &[TraceItem], lifted: &mut Vec<TraceItem>) -> Result<(), LiftError> {
        for item in items {
            match item {
                TraceItem::Step(step) => lifted.push(TraceItem::Step(self.step(step)?)),
                TraceItem::Repeat { times, items } => self.repeat(*times, items, lifted)?,
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<Step, LiftError> {
        let id = self.original_rule(step)?;
        let rule = self.original.rule(id);
        self.shared = rule.to;
        for entry in rule.take {
            self.change(entry.local, -i128::from(entry.count))?;
        }
        let moved = if rule.has_moves() { self.passive_moves(rule, &step.moved)? } else { Vec::new() };
        for choice in &moved {
            self.change(choice.from, -i128::from(choice.count))?;
        }
        for choice in &moved {
            if let Some(to) = choice.to {
                self.change(to, i128::from(choice.count))?;
            }
        }
        for entry in rule.put {
            self.change(entry.local, i128::from(entry.count))?;
        }
        Ok(Step { rule: id, moved })
    }

    /// What the passive threads of the original do when those of the reduced system do this.
    fn passive_moves(&self, rule: RuleRef<'_>, reduced: &[Moved]) -> Result<Vec<Moved>, LiftError> {
        let mut moved = Vec::new();
        for (from, destinations) in rule.moves() {
            let mut left = self.count(from);
            let anywhere = destinations.first().copied();
            for choice in reduced.iter().filter(|choice| choice.from == from && choice.count > 0) {
                moved.push(Moved { to: choice.to.or(anywhere), ..*choice });
                left = left.checked_sub(u64::from(choice.count)).ok_or(LiftError::Foreign)?;
            }
            if left > 0 {
                let to = self.pruning.cone.project_destinations(destinations).next().or(anywhere);
                let count = u32::try_from(left).ok().filter(|&count| count <= bag::MAX_COUNT);
                moved.push(Moved { from, to, count: count.ok_or(LiftError::CountOverflow)? });
            }
        }
        Ok(moved)
    }

    fn change(&mut self, local: LocalId, by: i128) -> Result<(), LiftError> {
        let count = self.threads.entry(local).or_insert(0);
        let changed = i128::from(*count).checked_add(by).ok_or(LiftError::CountOverflow)?;
        *count = u64::try_from(changed)
            .map_err(|_| if changed < 0 { LiftError::Foreign } else { LiftError::CountOverflow })?;
        Ok(())
    }

    fn repeat(
        &mut self,
        times: u64,
        items: &[TraceItem],
        lifted: &mut Vec<TraceItem>,
    ) -> Result<(), LiftError> {
        let mut sources = BTreeSet::new();
        self.collect_sources(items, &mut sources)?;
        let mut left = times;
        while left > 0 {
            self.budget.check()?;
            let before = self.threads.clone();
            let mut round = Vec::with_capacity(items.len());
            self.items(items, &mut round)?;
            left -= 1;
            if sources.iter().all(|source| before.get(source) == self.threads.get(source)) {
                self.advance(&before, left)?;
                lifted.push(TraceItem::Repeat { times: left + 1, items: round });
                return Ok(());
            }
            self.n_written_out = self.n_written_out.saturating_add(round.len());
            if self.n_written_out > MOST_WRITTEN_OUT {
                return Err(LiftError::TooLarge);
            }
            lifted.append(&mut round);
        }
        Ok(())
    }

    /// The locals from which the original rules of a segment move threads.
    fn collect_sources(&self, items: &[TraceItem], sources: &mut BTreeSet<LocalId>) -> Result<(), LiftError> {
        for item in items {
            match item {
                TraceItem::Step(step) => {
                    let rule = self.original.rule(self.original_rule(step)?);
                    sources.extend(rule.moves().map(|(source, _)| source));
                }
                TraceItem::Repeat { items, .. } => self.collect_sources(items, sources)?,
            }
        }
        Ok(())
    }

    fn original_rule(&self, step: &Step) -> Result<RuleId, LiftError> {
        self.pruning.rules.get(step.rule.index()).copied().ok_or(LiftError::Foreign)
    }

    /// Does `rounds` times more what was done since `before`.
    fn advance(&mut self, before: &Counts, rounds: u64) -> Result<(), LiftError> {
        for (local, count) in &mut self.threads {
            let effect = i128::from(*count) - i128::from(before.get(local).copied().unwrap_or(0));
            let more = effect.checked_mul(i128::from(rounds)).ok_or(LiftError::CountOverflow)?;
            let changed = i128::from(*count).checked_add(more).ok_or(LiftError::CountOverflow)?;
            *count = u64::try_from(changed).map_err(|_| LiftError::CountOverflow)?;
        }
        Ok(())
    }
}
