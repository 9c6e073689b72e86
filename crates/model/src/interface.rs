//! The lazy interface between systems and engines.
//!
//! An explicit list of rules ([`System`]) is one implementation; programs whose local states are made when
//! first met are others. So an engine may not assume that states, rules or targets are known beforehand: ids
//! appear when they are first reported and stay valid. What needs the whole list of rules asks for
//! [`TransitionSystem::explicit`].
//!
//! Enumerations call back with a borrowed configuration and stop when told to [`ControlFlow::Break`]. Counts
//! that pass the largest finite one end an enumeration with [`CountOverflow`], never with a wrong answer.

use crate::bag::CountOverflow;
use crate::step::{self, Step};
use crate::{Bag, Config, ConfigRef, Entry, LocalId, OMEGA, RuleId, SharedId, System, pre};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The result of an enumeration: whether it was stopped by its callback.
pub type Enumeration = Result<ControlFlow<()>, CountOverflow>;

/// A callback of an enumeration.
pub type Report<'a> = &'a mut dyn FnMut(RuleId, ConfigRef<'_>) -> ControlFlow<()>;

/// What a rule without moves does to the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<'a> {
    /// Threads that are needed and taken.
    pub take: &'a [Entry],
    /// Threads that are put.
    pub put: &'a [Entry],
}

/// A well-structured transition system over configurations. See the module's documentation.
pub trait TransitionSystem: Sync {
    /// The initial configurations as ω-configurations: ↓I is the downward closure of what is reported.
    fn for_each_initial(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The minimal elements of the bad set. They need not be an antichain.
    fn for_each_target(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Whether some initial configuration covers `config`, that is, `config ∈ ↓I`.
    fn is_initial(&self, config: ConfigRef<'_>) -> bool;

    /// The smallest genuine initial configuration that covers `config`; `None` if there is none.
    fn initial_instance(&self, config: ConfigRef<'_>) -> Option<Config>;

    /// The minimal predecessors of `config`, with the rule that leads from each into ↑`config`. Those that
    /// cover `config` itself may be left out.
    fn for_each_predecessor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration;

    /// The minimal predecessors of `config` under one rule, those that cover `config` included.
    fn for_each_predecessor_by(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration;

    /// A minimal predecessor of `config` under one rule that `limit` covers; `None` if there is none.
    fn predecessor_within(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        limit: ConfigRef<'_>,
    ) -> Result<Option<Config>, CountOverflow>;

    /// For systems whose states are sets of states: reports configurations such that everything that stands for all that
    /// `config` stands for ([`Self::is_wider`]) is below one of them. Those equal to it need not be reported.
    fn for_each_wider(
        &self,
        _config: ConfigRef<'_>,
        _report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) {
    }

    /// Whether everything that covers something that `narrow` stands for covers something that `wide` stands for.
    fn is_wider(&self, wide: ConfigRef<'_>, narrow: ConfigRef<'_>) -> bool {
        wide.le(narrow)
    }

    /// What a rule takes and puts, if it leaves the passive threads where they are; `None` if it moves some.
    fn plain_effect(&self, rule: RuleId) -> Option<Effect<'_>>;

    /// The successors of `config`, with the rule that leads to each. On ω-configurations the successors whose
    /// downward closure is that of all successors. Successors may repeat.
    fn for_each_successor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration;

    /// A step of `rule` from `config` to a configuration that covers `goal`, and that configuration; `None` if
    /// there is no such step. `config` is finite.
    fn step_covering(
        &self,
        config: ConfigRef<'_>,
        rule: RuleId,
        goal: ConfigRef<'_>,
    ) -> Option<(Step, Config)>;

    /// The name of a shared state.
    fn shared_name(&self, shared: SharedId) -> Cow<'_, str>;

    /// The name of a local state.
    fn local_name(&self, local: LocalId) -> Cow<'_, str>;

    /// The name of a rule.
    fn rule_name(&self, rule: RuleId) -> Cow<'_, str>;

    /// The whole list of rules, if there is one.
    fn explicit(&self) -> Option<&System> {
        None
    }
}

impl TransitionSystem for System {
    fn for_each_initial(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        for initial in self.initial() {
            let bounded = initial.exact.iter().filter(|e| initial.unbounded.binary_search(&e.local).is_err());
            let counts =
                bounded.map(|e| (e.local, e.count)).chain(initial.unbounded.iter().map(|&l| (l, OMEGA)));
            let bag = Bag::from_counts(counts).expect("every local occurs once");
            report(ConfigRef::new(initial.shared, &bag))?;
        }
        ControlFlow::Continue(())
    }

    fn for_each_target(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        self.targets().iter().try_for_each(|target| report(target.view()))
    }

    fn is_initial(&self, config: ConfigRef<'_>) -> bool {
        self.initial().iter().any(|initial| initial.covers(config))
    }

    fn initial_instance(&self, config: ConfigRef<'_>) -> Option<Config> {
        let instances = self.initial().iter().filter_map(|initial| initial.instance_covering(config));
        instances.min_by_key(|instance| instance.view().size())
    }

    fn for_each_predecessor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut buffers = pre::Buffers::default();
        for id in self.predecessor_index().candidates(self.rules(), config) {
            let mut report = |_: pre::PassiveMoves<'_>, before: ConfigRef<'_>| report(id, before);
            if pre::for_each_predecessor(self.rule(id), config, &mut buffers, &mut report)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn for_each_predecessor_by(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration {
        let mut report = |_: pre::PassiveMoves<'_>, before: ConfigRef<'_>| report(before);
        pre::for_each_predecessor(self.rule(rule), config, &mut pre::Buffers::default(), &mut report)
    }

    fn predecessor_within(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        limit: ConfigRef<'_>,
    ) -> Result<Option<Config>, CountOverflow> {
        let found = pre::predecessor_within(self.rule(rule), config, limit)?;
        Ok(found.map(|(_, before)| before))
    }

    fn plain_effect(&self, rule: RuleId) -> Option<Effect<'_>> {
        let rule = self.rule(rule);
        (!rule.has_moves()).then_some(Effect { take: rule.take, put: rule.put })
    }

    fn for_each_successor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut buffers = step::Buffers::default();
        for id in self.successor_index().candidates(config) {
            let mut report = |_: &[step::Moved], after: ConfigRef<'_>| report(id, after);
            if step::for_each_successor(self.rule(id), config, &mut buffers, &mut report)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn step_covering(
        &self,
        config: ConfigRef<'_>,
        id: RuleId,
        goal: ConfigRef<'_>,
    ) -> Option<(Step, Config)> {
        let rule = self.rule(id);
        let (mut moved, _) = pre::predecessor_within(rule, goal, config).ok()??;
        // Threads that the goal does not need must go somewhere too: they take the first destination.
        let mut rest = Bag::new();
        crate::bag::difference_into(config.bag, rule.take, &mut rest);
        for &Entry { local, count } in rest.iter() {
            let Some(destinations) = rule.destinations_of(local) else { continue };
            let needed: u32 =
                moved.iter().filter(|choice| choice.from == local).map(|choice| choice.count).sum();
            if count > needed {
                let to = destinations.first().copied();
                moved.push(step::Moved { from: local, to, count: count - needed });
            }
        }
        let next = step::fire(rule, config, &moved)?;
        debug_assert!(goal.le(next.view()), "INVARIANT: the chosen moves cover the goal");
        Some((Step { rule: id, moved }, next))
    }

    fn shared_name(&self, shared: SharedId) -> Cow<'_, str> {
        self.shared_names().get(shared.index())
    }

    fn local_name(&self, local: LocalId) -> Cow<'_, str> {
        self.local_names().get(local.index())
    }

    fn rule_name(&self, rule: RuleId) -> Cow<'_, str> {
        System::rule_name(self, rule)
    }

    fn explicit(&self) -> Option<&System> {
        Some(self)
    }
}
