//! Traces from the end to the start: what has to be there before each step so that the goal is covered after.
//!
//! A plan is made backwards: a *demand*, a configuration that has to be covered, is carried over rules to what
//! they need, until it is initial. Performing the plan forwards from a genuine initial configuration then gives a
//! trace. Repetitions of rules without moves are carried over by arithmetic: with C what one repetition of σ adds
//! and H what it needs to fire, k repetitions need max(d − k·C, H + (k − 1)·max(0, −C)) to leave d.

use std::ops::ControlFlow;
use throng_cert::{Trace, TraceItem};
use throng_model::bag::{self, CountOverflow};
use throng_model::{Bag, Config, ConfigRef, Entry, LocalId, OMEGA, RuleId, Step, TransitionSystem};

/// Why a plan cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlanError {
    /// It would be longer than anybody would read or check.
    TooLong,
    /// It needs more threads than a count can hold.
    Overflow,
}

impl From<CountOverflow> for PlanError {
    fn from(_: CountOverflow) -> Self {
        PlanError::Overflow
    }
}

/// A part of a plan.
#[derive(Clone, Debug)]
enum Action {
    /// One step, which has to cover the goal.
    Step { rule: RuleId, goal: Config },
    /// Rules without moves, fired in this order, several times.
    Repeat { times: u32, rules: Vec<RuleId> },
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What has to be covered for the rest of the plan to work.
    demand: Config,
    /// The last action comes first.
    actions: Vec<Action>,
}

/// Plans are not made longer than this.
const MOST_ACTIONS: usize = 1 << 22;

impl Plan {
    /// The plan that does nothing but has a goal.
    pub(crate) fn new(goal: ConfigRef<'_>) -> Self {
        Self { demand: goal.to_config(), actions: Vec::new() }
    }

    /// How many actions it has.
    pub(crate) fn len(&self) -> usize {
        self.actions.len()
    }

    /// What has to be covered for the plan to work.
    pub(crate) fn demand(&self) -> ConfigRef<'_> {
        self.demand.view()
    }

    fn push(&mut self, action: Action) -> Result<(), PlanError> {
        if self.actions.len() >= MOST_ACTIONS {
            return Err(PlanError::TooLong);
        }
        self.actions.push(action);
        Ok(())
    }

    /// Fires a rule first. Its passive threads have to come from what `before` covers; without `before`, the rule
    /// has no moves.
    pub(crate) fn prepend(
        &mut self,
        system: &dyn TransitionSystem,
        rule: RuleId,
        before: Option<ConfigRef<'_>>,
    ) -> Result<(), PlanError> {
        let demand = match before {
            Some(before) => system.predecessor_within(rule, self.demand.view(), before)?,
            None => {
                let mut only = None;
                let enumeration = system.for_each_predecessor_by(rule, self.demand.view(), &mut |before| {
                    only = Some(before.to_config());
                    ControlFlow::Break(())
                });
                let _ = enumeration?;
                only
            }
        };
        let demand = demand.expect("INVARIANT: a step to the demand was seen by the search");
        let goal = std::mem::replace(&mut self.demand, demand);
        self.push(Action::Step { rule, goal })
    }

    /// Fires rules without moves first, `times` times in a row. Firing them once leads back to the shared state
    /// where it started.
    pub(crate) fn prepend_repeated(
        &mut self,
        system: &dyn TransitionSystem,
        rules: Vec<RuleId>,
        times: u32,
    ) -> Result<(), PlanError> {
        let (need, gain) = (need(system, &rules)?, gain(system, &rules));
        let locals = need.iter().chain(self.demand.bag.iter()).map(|entry| entry.local);
        let counts = locals.chain(gain.iter().map(|&(local, _)| local)).map(|local| {
            let gain = gain.binary_search_by_key(&local, |&(local, _)| local).map_or(0, |at| gain[at].1);
            let times = i128::from(times);
            let rest = i128::from(bag::count(&self.demand.bag, local)) - times * gain;
            let fire = i128::from(bag::count(&need, local)) + (times - 1) * (-gain).max(0);
            (local, rest.max(fire).max(0))
        });
        let mut counts: Vec<(LocalId, i128)> = counts.collect();
        counts.sort_unstable();
        counts.dedup();
        let counts = counts.into_iter().map(|(local, count)| {
            u32::try_from(count).ok().filter(|&count| count != OMEGA).map(|count| (local, count))
        });
        let counts: Option<Vec<(LocalId, u32)>> = counts.collect();
        self.demand.bag = Bag::from_counts(counts.ok_or(PlanError::Overflow)?)?;
        self.push(Action::Repeat { times, rules })
    }

    /// The trace from the smallest initial configuration that meets the demand.
    pub(crate) fn perform(&self, system: &dyn TransitionSystem) -> Result<Trace, PlanError> {
        let initial = system
            .initial_instance(self.demand.view())
            .expect("INVARIANT: a plan is complete when its demand is initial");
        let mut current = initial.clone();
        let mut items = Vec::with_capacity(self.actions.len());
        for action in self.actions.iter().rev() {
            match action {
                Action::Step { rule, goal } => {
                    let (step, after) = system
                        .step_covering(current.view(), *rule, goal.view())
                        .expect("INVARIANT: what covers a predecessor has a step that covers its successor");
                    items.push(TraceItem::Step(step));
                    current = after;
                }
                Action::Repeat { times, rules } => {
                    current.bag = repeated(&current.bag, &gain(system, rules), *times)?;
                    let steps = rules.iter().map(|&rule| TraceItem::Step(Step { rule, moved: Vec::new() }));
                    items.push(TraceItem::Repeat { times: u64::from(*times), items: steps.collect() });
                }
            }
        }
        Ok(Trace { initial, items })
    }
}

/// What is needed to fire rules without moves one after the other.
fn need(system: &dyn TransitionSystem, rules: &[RuleId]) -> Result<Bag, CountOverflow> {
    let (mut need, mut rest) = (Bag::new(), Bag::new());
    for &rule in rules.iter().rev() {
        let effect = system.plain_effect(rule).expect("INVARIANT: repeated rules have no moves");
        bag::difference_into(&need, effect.put, &mut rest);
        bag::sum_into(&rest, effect.take, &mut need)?;
    }
    Ok(need)
}

/// What firing rules without moves one after the other adds, sorted by local state.
fn gain(system: &dyn TransitionSystem, rules: &[RuleId]) -> Vec<(LocalId, i128)> {
    let mut changes: Vec<(LocalId, i128)> = Vec::new();
    for &rule in rules {
        let effect = system.plain_effect(rule).expect("INVARIANT: repeated rules have no moves");
        changes.extend(effect.put.iter().map(|entry| (entry.local, i128::from(entry.count))));
        changes.extend(effect.take.iter().map(|entry| (entry.local, -i128::from(entry.count))));
    }
    changes.sort_unstable_by_key(|&(local, _)| local);
    let mut gain: Vec<(LocalId, i128)> = Vec::new();
    for (local, change) in changes {
        match gain.last_mut() {
            Some((last, sum)) if *last == local => *sum += change,
            _ => gain.push((local, change)),
        }
    }
    gain
}

/// A bag after a gain was added several times.
fn repeated(bag: &[Entry], gain: &[(LocalId, i128)], times: u32) -> Result<Bag, CountOverflow> {
    let count = |local| i128::from(bag::count(bag, local));
    let changed = gain.iter().map(|&(local, gain)| (local, count(local) + i128::from(times) * gain));
    let kept = bag.iter().filter(|entry| gain.binary_search_by_key(&entry.local, |&(l, _)| l).is_err());
    let kept = kept.map(|entry| (entry.local, i128::from(entry.count)));
    let counts = changed.chain(kept).map(|(local, count)| {
        let count = u32::try_from(count).ok().filter(|&count| count != OMEGA);
        count.map(|count| (local, count)).ok_or(CountOverflow)
    });
    Bag::from_counts(counts.collect::<Result<Vec<_>, _>>()?)
}
