//! Explicit systems: named states, a list of rules, initial configurations and targets.

use crate::bag::{self, Bag};
use crate::names::{NameTable, parse_number};
use crate::pre::PredecessorIndex;
use crate::rules::{Rule, RuleRef, RuleTable};
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

/// Why a list of parts is not a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A state of a rule, initial configuration or target is not among the names.
    #[error("{what} refers to {kind} state {index}, but there are only {count}")]
    UnknownState {
        /// What refers to it.
        what: String,
        /// "shared" or "local".
        kind: &'static str,
        /// The state.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Two moves of a rule have the same source.
    #[error("rule {0} lists the moves of one local state twice")]
    RepeatedMove(usize),
    /// There is no initial configuration.
    #[error("there is no initial configuration")]
    NoInitial,
}

/// An explicit system. Built by [`SystemBuilder`]; immutable afterwards.
#[derive(Debug)]
pub struct System {
    shared: Names,
    locals: Names,
    rules: RuleTable,
    rule_names: Option<NameTable>,
    rule_lines: Vec<u32>,
    initial: Vec<Initial>,
    targets: Vec<Config>,
    predecessors: OnceLock<PredecessorIndex>,
    successors: OnceLock<SuccessorIndex>,
}

impl System {
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
        line_of(&self.rule_lines, id)
    }

    /// The initial configurations.
    pub fn initial(&self) -> &[Initial] {
        &self.initial
    }

    /// The targets: the bad set is their upward closure.
    pub fn targets(&self) -> &[Config] {
        &self.targets
    }

    pub(crate) fn predecessor_index(&self) -> &PredecessorIndex {
        self.predecessors.get_or_init(|| PredecessorIndex::new(&self.rules))
    }

    pub(crate) fn successor_index(&self) -> &SuccessorIndex {
        self.successors.get_or_init(|| SuccessorIndex::new(&self.rules))
    }
}

fn line_of(rule_lines: &[u32], id: RuleId) -> Option<u32> {
    rule_lines.get(id.index()).copied().filter(|&line| line > 0)
}

/// Collects the parts of a [`System`].
#[derive(Debug)]
pub struct SystemBuilder {
    shared: Names,
    locals: Names,
    rules: RuleTable,
    rule_names: Option<NameTable>,
    rule_lines: Vec<u32>,
    initial: Vec<Initial>,
    targets: Vec<Config>,
    error: Option<ModelError>,
}

impl SystemBuilder {
    /// A system with these states and nothing else yet.
    pub fn new(shared: Names, locals: Names) -> Self {
        Self {
            shared,
            locals,
            rules: RuleTable::default(),
            rule_names: None,
            rule_lines: Vec::new(),
            initial: Vec::new(),
            targets: Vec::new(),
            error: None,
        }
    }

    /// A Petri net with these places: one anonymous shared state, `SharedId::new(0)`.
    pub fn net(places: Names) -> Self {
        Self::new(Names::single_anonymous(), places)
    }

    /// Number of shared states.
    pub fn n_shared(&self) -> usize {
        self.shared.len()
    }

    /// Names of the shared states.
    pub fn shared_names(&self) -> &Names {
        &self.shared
    }

    /// Names of the local states.
    pub fn local_names(&self) -> &Names {
        &self.locals
    }

    /// The rules so far.
    pub fn rules(&self) -> &RuleTable {
        &self.rules
    }

    /// The line of the input (from 1) that a rule stands on, where known.
    pub fn rule_line(&self, id: RuleId) -> Option<u32> {
        line_of(&self.rule_lines, id)
    }

    /// The rule with this name, where the input names rules.
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        self.rule_names.as_ref()?.find(name).map(RuleId::new)
    }

    /// Number of rules so far.
    pub fn n_rules(&self) -> usize {
        self.rules.len()
    }

    /// Adds a rule without a name. `line` is where it stands in the input, 0 if unknown.
    pub fn rule(&mut self, rule: &Rule, line: u32) -> RuleId {
        let number = self.rules.len() + 1;
        let mut sources: Vec<LocalId> = rule.moves.iter().map(|step| step.source).collect();
        sources.sort_unstable();
        if sources.windows(2).any(|pair| pair[0] == pair[1]) {
            self.fail(ModelError::RepeatedMove(number));
            return RuleId::new(0);
        }
        let locals =
            rule.moves.iter().flat_map(|step| step.destinations.iter().chain([&step.source])).copied();
        let locals = locals.chain(rule.take.iter().chain(rule.put.iter()).map(|entry| entry.local));
        let what = || format!("rule {number}");
        if !self.check_states(what, [rule.from, rule.to], locals) {
            return RuleId::new(0);
        }
        if line > 0 {
            self.rule_lines.resize(self.rules.len(), 0);
            self.rule_lines.push(line);
        }
        self.rules.push(rule)
    }

    /// Adds a rule with a name. Names must be distinct: `Err` with the earlier rule otherwise. Either all
    /// rules of a system have names or none.
    pub fn named_rule(&mut self, name: &str, rule: &Rule, line: u32) -> Result<RuleId, RuleId> {
        let names = self.rule_names.get_or_insert_default();
        debug_assert_eq!(names.len(), self.rules.len(), "INVARIANT: all rules have names or none");
        match names.insert(name) {
            (earlier, false) => Err(RuleId::new(earlier)),
            (_, true) => Ok(self.rule(rule, line)),
        }
    }

    /// Adds a set of initial configurations.
    pub fn initial(&mut self, mut initial: Initial) -> &mut Self {
        initial.unbounded.sort_unstable();
        initial.unbounded.dedup();
        let locals = initial.exact.iter().map(|entry| entry.local).chain(initial.unbounded.iter().copied());
        if self.check_states(|| "an initial configuration".into(), [initial.shared], locals) {
            self.initial.push(initial);
        }
        self
    }

    /// Adds a target.
    pub fn target(&mut self, target: Config) -> &mut Self {
        let locals = target.bag.iter().map(|entry| entry.local);
        if self.check_states(|| "a target".into(), [target.shared], locals) {
            self.targets.push(target);
        }
        self
    }

    /// The targets so far.
    pub fn targets(&self) -> &[Config] {
        &self.targets
    }

    /// Forgets the initial configurations, so that others can take their place.
    pub fn clear_initial(&mut self) -> &mut Self {
        self.initial.clear();
        self
    }

    /// Forgets the targets, so that others can take their place.
    pub fn clear_targets(&mut self) -> &mut Self {
        self.targets.clear();
        self
    }

    /// The system, or the first thing that was wrong with a part.
    pub fn finish(mut self) -> Result<System, ModelError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.initial.is_empty() {
            return Err(ModelError::NoInitial);
        }
        Ok(System {
            shared: self.shared,
            locals: self.locals,
            rules: self.rules,
            rule_names: self.rule_names,
            rule_lines: self.rule_lines,
            initial: self.initial,
            targets: self.targets,
            predecessors: OnceLock::new(),
            successors: OnceLock::new(),
        })
    }

    fn fail(&mut self, error: ModelError) {
        self.error.get_or_insert(error);
    }

    fn check_states(
        &mut self,
        what: impl Fn() -> String,
        shared: impl IntoIterator<Item = SharedId>,
        locals: impl IntoIterator<Item = LocalId>,
    ) -> bool {
        let unknown = |kind, index, count| ModelError::UnknownState { what: what(), kind, index, count };
        let (n_shared, n_locals) = (self.shared.len(), self.locals.len());
        let bad_shared = shared.into_iter().find(|s| s.index() >= n_shared);
        let bad_local = locals.into_iter().find(|l| l.index() >= n_locals);
        let error = match (bad_shared, bad_local) {
            (Some(s), _) => unknown("shared", s.index(), n_shared),
            (_, Some(l)) => unknown("local", l.index(), n_locals),
            (None, None) => return true,
        };
        self.fail(error);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system without names for its three rules.
    fn three_rules() -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(1), Names::Numbered(1));
        let shared = SharedId::new(0);
        let rule = Rule { from: shared, to: shared, take: Bag::new(), put: Bag::new(), moves: vec![] };
        for _ in 0..3 {
            builder.rule(&rule, 0);
        }
        builder.initial(Initial { shared, exact: Bag::new(), unbounded: vec![] });
        builder.finish().unwrap()
    }

    #[test]
    fn every_rule_has_one_name() {
        let system = three_rules();
        for (id, _) in system.rules().iter() {
            assert_eq!(system.find_rule(&system.rule_name(id)), Some(id));
        }
        for other in ["#0", "#4", "#01", "#+1", "#", "1", "##1", "#1 ", "# 1", "#-1", "#18446744073709551616"]
        {
            assert_eq!(system.find_rule(other), None, "`{other}`");
        }
    }
}
