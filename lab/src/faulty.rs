//! Systems with a planted bug in their predecessor and successor routines: what a wrong engine would believe.
//!
//! An engine that runs on a [`Faulty`] system produces evidence for the wrong system. The tests send that
//! evidence to the checker together with the right one and see it rejected whenever it is wrong.

use crate::sketch::Sketch;
use std::borrow::Cow;
use std::ops::ControlFlow;
use throng_model::bag::CountOverflow;
use throng_model::interface::{Effect, Enumeration, Report};
use throng_model::{Bag, Config, ConfigRef, LocalId, Rule, RuleId, SharedId, Step, System, TransitionSystem};

/// A bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Every n-th predecessor (and successor) of a configuration is lost.
    DropEvery(usize),
    /// The threads that a rule takes are not added.
    ForgetTake,
    /// The threads that a rule puts are not subtracted.
    ForgetPut,
    /// Passive threads are believed to stay where they are.
    IgnoreMoves,
    /// Of several sources of a moved thread only the first is considered.
    FirstSourceOnly,
    /// Resets are believed to leave their threads alone.
    IgnoreResets,
    /// The shared states before and after are mixed up.
    SwapEnds,
    /// Counts above one are taken for one.
    IgnoreWeights,
}

impl Fault {
    /// One fault of each kind.
    pub const ALL: [Fault; 8] = [
        Fault::DropEvery(2),
        Fault::ForgetTake,
        Fault::ForgetPut,
        Fault::IgnoreMoves,
        Fault::FirstSourceOnly,
        Fault::IgnoreResets,
        Fault::SwapEnds,
        Fault::IgnoreWeights,
    ];

    /// What the bug makes of a rule.
    fn distort(self, rule: &mut Rule) {
        match self {
            Fault::DropEvery(_) => {}
            Fault::ForgetTake => rule.take.clear(),
            Fault::ForgetPut => rule.put.clear(),
            Fault::IgnoreMoves => rule.moves.clear(),
            Fault::FirstSourceOnly => keep_first_sources(rule),
            Fault::IgnoreResets => rule.moves.retain(|step| !step.destinations.is_empty()),
            Fault::SwapEnds => std::mem::swap(&mut rule.from, &mut rule.to),
            Fault::IgnoreWeights => {
                rule.take = once_each(&rule.take);
                rule.put = once_each(&rule.put);
            }
        }
    }
}

fn keep_first_sources(rule: &mut Rule) {
    let mut seen: Vec<LocalId> = Vec::new();
    for step in &mut rule.moves {
        step.destinations.retain(|destination| !seen.contains(destination));
        seen.extend(&step.destinations);
    }
}

fn once_each(bag: &Bag) -> Bag {
    Bag::from_locals(bag.iter().map(|entry| entry.local)).expect("one thread each")
}

/// A system as an engine with a bug sees it. It hides the list of rules, so that engines must ask it.
#[derive(Debug)]
pub struct Faulty<S> {
    inner: S,
    fault: Fault,
    believed: System,
}

impl<S: TransitionSystem> Faulty<S> {
    /// Plants a bug; `None` if the rules of the system cannot be listed.
    pub fn new(inner: S, fault: Fault) -> Option<Self> {
        let mut sketch = Sketch::of(inner.explicit()?);
        sketch.rules.iter_mut().for_each(|rule| fault.distort(rule));
        Some(Self { inner, fault, believed: sketch.build() })
    }

    /// The rules as the bug has them, for engines that read rules; `None` if the bug is not one of rules.
    pub fn believed(&self) -> Option<&System> {
        (!matches!(self.fault, Fault::DropEvery(_))).then_some(&self.believed)
    }
}

impl<S: TransitionSystem> TransitionSystem for Faulty<S> {
    fn for_each_initial(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.inner.for_each_initial(report)
    }

    fn for_each_target(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.inner.for_each_target(report)
    }

    fn is_initial(&self, config: ConfigRef<'_>) -> bool {
        self.inner.is_initial(config)
    }

    fn initial_instance(&self, config: ConfigRef<'_>) -> Option<Config> {
        self.inner.initial_instance(config)
    }

    fn for_each_predecessor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut number = 0;
        self.believed.for_each_predecessor(config, &mut |rule, before| {
            number += 1;
            match self.fault {
                Fault::DropEvery(n) if number % n == 0 => ControlFlow::Continue(()),
                _ => report(rule, before),
            }
        })
    }

    fn for_each_predecessor_by(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration {
        self.believed.for_each_predecessor_by(rule, config, report)
    }

    fn predecessor_within(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        limit: ConfigRef<'_>,
    ) -> Result<Option<Config>, CountOverflow> {
        self.believed.predecessor_within(rule, config, limit)
    }

    fn plain_effect(&self, rule: RuleId) -> Option<Effect<'_>> {
        self.believed.plain_effect(rule)
    }

    fn for_each_successor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut number = 0;
        self.believed.for_each_successor(config, &mut |rule, after| {
            number += 1;
            match self.fault {
                Fault::DropEvery(n) if number % n == 0 => ControlFlow::Continue(()),
                _ => report(rule, after),
            }
        })
    }

    /// The step as the bug sees it, so that the engine notices nothing.
    fn step_covering(
        &self,
        config: ConfigRef<'_>,
        rule: RuleId,
        goal: ConfigRef<'_>,
    ) -> Option<(Step, Config)> {
        self.believed.step_covering(config, rule, goal)
    }

    fn shared_name(&self, shared: SharedId) -> Cow<'_, str> {
        self.inner.shared_name(shared)
    }

    fn local_name(&self, local: LocalId) -> Cow<'_, str> {
        self.inner.local_name(local)
    }

    fn rule_name(&self, rule: RuleId) -> Cow<'_, str> {
        self.inner.rule_name(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::config;

    fn predecessors(system: &dyn TransitionSystem, goal: &Config) -> Vec<Config> {
        let mut found = Vec::new();
        let enumeration = system.for_each_predecessor(goal.view(), &mut |_, before| {
            found.push(before.to_config());
            ControlFlow::Continue(())
        });
        assert!(enumeration.is_ok());
        found.sort();
        found
    }

    #[test]
    fn each_fault_changes_predecessors() {
        let system = || {
            Sketch::new(2, 4)
                .rule((0, 1), &[0, 0], &[1, 1], &[(2, &[3]), (1, &[3]), (0, &[])])
                .initial(0, &[], &[0])
                .target(1, &[1, 3])
                .build()
        };
        let goal = config(1, &[1, 1, 3]);
        let right = predecessors(&system(), &goal);
        assert_eq!(right, [1, 2, 3].map(|source| config(0, &[0, 0, source])));
        for fault in Fault::ALL.into_iter().filter(|&fault| fault != Fault::IgnoreResets) {
            let faulty = Faulty::new(system(), fault).unwrap();
            assert_ne!(predecessors(&faulty, &goal), right, "{fault:?}");
            assert!(faulty.explicit().is_none());
        }
        let faulty = Faulty::new(system(), Fault::IgnoreResets).unwrap();
        let goal = config(1, &[0]);
        assert_eq!(predecessors(&system(), &goal), []);
        assert_eq!(predecessors(&faulty, &goal), [config(0, &[0, 0, 0])]);
    }
}
