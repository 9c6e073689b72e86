//! Explicit systems: named states, a list of rules, initial configurations and targets.

use crate::bag::{self, Bag};
use crate::names::{NameTable, parse_number};
use crate::pre::PredecessorIndex;
use crate::rules::{RuleRef, RuleTable};
use crate::step::SuccessorIndex;
use crate::{Config, ConfigRef, LocalId, Names, RuleId, SharedId};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A set of initial configurations: this shared state, exactly these threads, and any number of further
/// threads in each of the unbounded locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The shared state.
    pub shared: SharedId,
    /// Threads that are there in every configuration of the set.
    pub exact: Bag,
    /// Locals with any number of threads more; sorted, without repetitions.
    pub unbounded: Vec<LocalId>,
}

impl Initial {
    /// Whether some configuration of the set covers `config`, that is, `config ∈ ↓I`.
    pub fn covers(&self, config: ConfigRef<'_>) -> bool {
        config.shared == self.shared
            && config.bag.iter().all(|entry| {
                self.unbounded.binary_search(&entry.local).is_ok()
                    || entry.count <= bag::count(&self.exact, entry.local)
            })
    }

    /// The smallest configuration of the set that covers `config`; `None` if none does.
    pub fn instance_covering(&self, config: ConfigRef<'_>) -> Option<Config> {
        if !self.covers(config) {
            return None;
        }
        let mut bag = self.exact.clone();
        for entry in config.bag {
            let more = entry.count.saturating_sub(bag::count(&self.exact, entry.local));
            bag.add(entry.local, more).expect("the sum is the larger of two counts");
        }
        Some(Config::new(self.shared, bag))
    }
}

/// An explicit system. Built by [`crate::SystemBuilder`]; immutable afterwards.
#[derive(Debug)]
pub struct System {
    pub(crate) shared: Names,
    pub(crate) locals: Names,
    pub(crate) rules: RuleTable,
    pub(crate) rule_names: Option<NameTable>,
    pub(crate) rule_lines: Vec<u32>,
    pub(crate) initial: Vec<Initial>,
    pub(crate) targets: Vec<Config>,
    predecessors: OnceLock<PredecessorIndex>,
    successors: OnceLock<SuccessorIndex>,
}

impl System {
    /// A system with these states and nothing else, for the builder.
    pub(crate) fn empty(shared: Names, locals: Names) -> Self {
        Self {
            shared,
            locals,
            rules: RuleTable::default(),
            rule_names: None,
            rule_lines: Vec::new(),
            initial: Vec::new(),
            targets: Vec::new(),
            predecessors: OnceLock::new(),
            successors: OnceLock::new(),
        }
    }

    /// Names of the shared states.
    pub fn shared_names(&self) -> &Names {
        &self.shared
    }

    /// Names of the local states.
    pub fn local_names(&self) -> &Names {
        &self.locals
    }

    /// Number of shared states.
    pub fn n_shared(&self) -> usize {
        self.shared.len()
    }

    /// Number of local states.
    pub fn n_locals(&self) -> usize {
        self.locals.len()
    }

    /// Whether this is a net: one anonymous shared state, so that only places matter.
    pub fn is_net(&self) -> bool {
        self.shared.len() == 1 && self.shared.get(0).is_empty()
    }

    /// The rules.
    pub fn rules(&self) -> &RuleTable {
        &self.rules
    }

    /// The rule with this id.
    #[inline]
    pub fn rule(&self, id: RuleId) -> RuleRef<'_> {
        self.rules.get(id)
    }

    /// The name of a rule: its own where the input names rules, `#k` for the k-th rule (from 1) otherwise.
    pub fn rule_name(&self, id: RuleId) -> Cow<'_, str> {
        match &self.rule_names {
            Some(names) => Cow::Borrowed(names.get(id.index())),
            None => Cow::Owned(format!("#{}", id.index() + 1)),
        }
    }

    /// Whether the input names its rules.
    pub fn has_rule_names(&self) -> bool {
        self.rule_names.is_some()
    }

    /// The rule with this name, see [`System::rule_name`]. Every rule has one name: `#01` is none.
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        let index = match &self.rule_names {
            Some(names) => names.find(name)?,
            None => parse_number(name.strip_prefix('#')?)?.checked_sub(1)?,
        };
        (index < self.rules.len()).then(|| RuleId::new(index))
    }

    /// The line of the input (from 1) that a rule stands on, where known.
    pub fn rule_line(&self, id: RuleId) -> Option<u32> {
        self.rule_lines.get(id.index()).copied().filter(|&line| line > 0)
    }

    /// The initial configurations.
    pub fn initial(&self) -> &[Initial] {
        &self.initial
    }

    /// The targets: the bad set is their upward closure.
    pub fn targets(&self) -> &[Config] {
        &self.targets
    }

    /// The same system with other targets.
    ///
    /// # Panics
    /// If a target has a state that the system does not have.
    #[must_use]
    pub fn with_targets(&self, targets: Vec<Config>) -> Self {
        for target in &targets {
            assert!(target.shared.index() < self.n_shared(), "a target's shared state is one of the system");
            let known = |entry: &crate::Entry| entry.local.index() < self.n_locals();
            assert!(target.bag.iter().all(known), "a target's local states are those of the system");
        }
        Self {
            shared: self.shared.clone(),
            locals: self.locals.clone(),
            rules: self.rules.clone(),
            rule_names: self.rule_names.clone(),
            rule_lines: self.rule_lines.clone(),
            initial: self.initial.clone(),
            targets,
            predecessors: OnceLock::new(),
            successors: OnceLock::new(),
        }
    }

    pub(crate) fn predecessor_index(&self) -> &PredecessorIndex {
        self.predecessors.get_or_init(|| PredecessorIndex::new(&self.rules))
    }

    pub(crate) fn successor_index(&self) -> &SuccessorIndex {
        self.successors.get_or_init(|| SuccessorIndex::new(&self.rules))
    }
}
