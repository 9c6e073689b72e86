//! Whether n threads reach some configuration, backwards; n counts all threads ever created.
//!
//! Minimal predecessors, as in `backward`, with one more number for each element: how many threads the steps from it to the
//! target create. An element with k threads and m threads to be created needs at least k + m, and neither grows less on the
//! way back, since a step needs what it does not create. So elements that need more than n are left out. An element
//! stands for another if it is below it and no more threads are created after it.
//!
//! That nothing is missed: take a run of n threads to the target. By induction from its end, before each step there is an
//! element below the run's configuration whose steps to the target are among those that remain of the run. So it needs at
//! most as many threads as the run, n. That nothing is invented: the steps can be performed from the smallest initial
//! configuration that covers an element, and create as many threads as they are said to.
//!
//! What is known to need too many threads, or not to be reachable at all, is left out too.

use super::scout::Scout;
use crate::{Observer, Progress, UnknownReason, wider};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{Trace, TraceItem};
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet, bag};

/// So many threads are needed to cover a configuration, or more; `None` if it is not reachable.
pub(super) type Fewest<'a> = &'a dyn Fn(ConfigRef<'_>) -> Option<u64>;

/// How a search ended.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// With a run to one of the targets.
    Run(Trace),
    /// There is none of so many threads.
    Nothing,
    /// It was more work than allowed.
    TooMuch,
}

/// An element, by the number of threads that are created after it.
#[derive(Clone, Copy, Debug)]
struct Place {
    later: usize,
    element: ElementId,
}

/// What becomes of an element: the rule and what one step covers.
#[derive(Clone, Copy, Debug)]
struct Successor {
    rule: RuleId,
    at: Place,
}

/// The elements after which as many threads are created.
#[derive(Debug, Default)]
struct Level {
    elements: UpwardClosedSet,
    successors: Vec<Option<Successor>>,
}

/// An initial configuration that was met, and what becomes of what it covers.
struct Hit {
    instance: Config,
    successor: Option<Successor>,
}

/// The search at work.
pub(super) struct Reverse<'a> {
    system: &'a dyn TransitionSystem,
    fewest: Fewest<'a>,
    threads: u64,
    levels: Vec<Level>,
    /// What waits, by the number of threads that it needs.
    waiting: BTreeMap<u64, VecDeque<Place>>,
    /// By rule, how many threads it creates.
    created: FxHashMap<RuleId, u64>,
    /// How many predecessors were computed.
    steps: u64,
}

impl<'a> Reverse<'a> {
    /// A search that has not begun, for runs of so many threads.
    pub(super) fn new(system: &'a dyn TransitionSystem, fewest: Fewest<'a>, threads: u64) -> Self {
        Self {
            system,
            fewest,
            threads,
            levels: Vec::new(),
            waiting: BTreeMap::new(),
            created: FxHashMap::default(),
            steps: 0,
        }
    }

    /// Looks for a run that covers one of these, and computes no more predecessors than this.
    pub(super) fn run(
        &mut self,
        targets: &[Config],
        most_steps: u64,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Found, UnknownReason> {
        let mut hit = None;
        for target in targets {
            self.offer(target.view(), 0, None, &mut hit);
        }
        self.go_on(hit, most_steps, budget, observer)
    }

    /// A run to a target by way of what is known to be reached: configurations with how many threads were created, and the
    /// runs to them.
    pub(super) fn meeting(&self, scout: &Scout<'_>, budget: &Budget) -> Result<Option<Trace>, UnknownReason> {
        for (number, config, created) in scout.nodes() {
            budget.check()?;
            let room = self.threads.saturating_sub(created) as usize;
            let levels = self.levels.iter().take(room + 1).enumerate();
            let met = levels.filter_map(|(later, level)| Some((later, level.elements.witness(config)?)));
            for (later, element) in met {
                let start = scout.run_to(number).and_then(|run| self.ended(run, Place { later, element }));
                if start.is_some() {
                    return Ok(start);
                }
            }
        }
        Ok(None)
    }

    /// A run to an element and on to the target.
    fn ended(&self, (mut trace, config): (Trace, Config), at: Place) -> Option<Trace> {
        let level = &self.levels[at.later];
        let hit = Hit { instance: config, successor: level.successors[at.element.index()] };
        trace.items.extend(self.steps_from(&hit)?.0);
        Some(trace)
    }

    fn go_on(
        &mut self,
        mut hit: Option<Hit>,
        most_steps: u64,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Found, UnknownReason> {
        for expanded in 1.. {
            if let Some(hit) = hit {
                return Ok(self.trace(hit).map_or(Found::TooMuch, Found::Run));
            }
            budget.check()?;
            let Some(place) = self.next() else { return Ok(Found::Nothing) };
            if self.steps >= most_steps {
                break;
            }
            hit = self.expand(place, budget)?;
            if expanded % 256 == 0 {
                let elements = self.levels.iter().map(|level| level.elements.generators().len() as u64).sum();
                let (steps, threads) = (self.steps, self.threads);
                observer.progress(&Progress { elements, expanded, steps, threads, ..Progress::default() });
            }
        }
        Ok(Found::TooMuch)
    }

    /// The first that waits and that no other stands for.
    fn next(&mut self) -> Option<Place> {
        loop {
            let mut first = self.waiting.first_entry()?;
            let place = first.get_mut().pop_front();
            if first.get().is_empty() {
                first.remove();
            }
            let Some(place) = place else { continue };
            let system = self.system;
            let elements = &mut self.levels[place.later].elements;
            if !elements.keep_if_minimal(place.element) {
                continue;
            }
            let config = elements.generators().get(place.element).to_config();
            let is_known = wider::wider_than(elements, system, place.element).is_some()
                || self.levels[..place.later]
                    .iter()
                    .any(|level| is_above(&level.elements, system, config.view()));
            if !is_known {
                return Some(place);
            }
            self.levels[place.later].elements.remove(place.element);
        }
    }

    fn expand(&mut self, place: Place, budget: &Budget) -> Result<Option<Hit>, UnknownReason> {
        let config = self.levels[place.later].elements.generators().get(place.element).to_config();
        let (mut hit, mut stopped) = (None, Ok(()));
        let system = self.system;
        let enumeration = system.for_each_predecessor(config.view(), &mut |rule, before| {
            self.steps += 1;
            let created = self.created_by(rule, before, config.view());
            self.offer(before, place.later as u64 + created, Some(Successor { rule, at: place }), &mut hit);
            if self.steps.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_ok() && hit.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        stopped?;
        let _ = enumeration?;
        Ok(hit)
    }

    /// How many threads a rule creates; it leads from one configuration to above another.
    fn created_by(&mut self, rule: RuleId, before: ConfigRef<'_>, after: ConfigRef<'_>) -> u64 {
        let system = self.system;
        *self.created.entry(rule).or_insert_with(|| {
            if let Some(effect) = system.plain_effect(rule) {
                return bag::size(effect.put).saturating_sub(bag::size(effect.take));
            }
            let after = system.step_covering(before, rule, after).map_or(0, |(_, after)| after.view().size());
            after.saturating_sub(before.size())
        })
    }

    fn offer(
        &mut self,
        config: ConfigRef<'_>,
        later: u64,
        successor: Option<Successor>,
        hit: &mut Option<Hit>,
    ) {
        let system = self.system;
        let needed = config.size() + later;
        if needed > self.threads {
            return;
        }
        let at = later as usize;
        if self.levels.iter().take(at + 1).any(|level| is_above(&level.elements, system, config)) {
            return;
        }
        let Some(fewest) = (self.fewest)(config) else { return };
        if fewest + later > self.threads {
            return;
        }
        if let Some(instance) = system.initial_instance(config)
            && instance.view().size() + later <= self.threads
        {
            *hit = Some(Hit { instance, successor });
            return;
        }
        while self.levels.len() <= at {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[at];
        let element = level.elements.add_new(config);
        level.successors.push(successor);
        self.waiting.entry(needed).or_default().push_back(Place { later: at, element });
    }

    /// A run from an initial configuration to the target; `None` if that takes more threads than allowed.
    fn trace(&self, hit: Hit) -> Option<Trace> {
        let (items, created) = self.steps_from(&hit)?;
        let threads = hit.instance.view().size() + created;
        (threads <= self.threads).then_some(Trace { initial: hit.instance, items })
    }

    /// Performs the steps from a configuration to the target, and counts the threads that are created.
    fn steps_from(&self, hit: &Hit) -> Option<(Vec<TraceItem>, u64)> {
        let (mut items, mut current, mut next) = (Vec::new(), hit.instance.clone(), hit.successor);
        let mut created = 0;
        while let Some(Successor { rule, at }) = next {
            let level = &self.levels[at.later];
            let goal = level.elements.generators().get(at.element);
            let (step, after) = self.system.step_covering(current.view(), rule, goal)?;
            items.push(TraceItem::Step(step));
            created += after.view().size().saturating_sub(current.view().size());
            current = after;
            next = level.successors[at.element.index()];
        }
        Some((items, created))
    }
}

fn is_above(set: &UpwardClosedSet, system: &dyn TransitionSystem, config: ConfigRef<'_>) -> bool {
    wider::witness(set, system, config).is_some()
}
