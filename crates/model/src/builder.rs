//! Building explicit systems from their parts, each checked as it comes.

use crate::rules::{Move, Rule, RuleTable};
use crate::{Config, Initial, LocalId, Names, RuleId, SharedId, System};

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

/// Collects the parts of a [`System`].
#[derive(Debug)]
pub struct SystemBuilder {
    /// What there is so far.
    system: System,
    /// The first thing that was wrong.
    error: Option<ModelError>,
}

impl SystemBuilder {
    /// A system with these states and nothing else yet.
    pub fn new(shared: Names, locals: Names) -> Self {
        Self { system: System::empty(shared, locals), error: None }
    }

    /// A Petri net with these places: one anonymous shared state, `SharedId::new(0)`.
    pub fn net(places: Names) -> Self {
        Self::new(Names::single_anonymous(), places)
    }

    /// Number of shared states.
    pub fn n_shared(&self) -> usize {
        self.system.shared.len()
    }

    /// Names of the shared states.
    pub fn shared_names(&self) -> &Names {
        &self.system.shared
    }

    /// Names of the local states.
    pub fn local_names(&self) -> &Names {
        &self.system.locals
    }

    /// The rules so far.
    pub fn rules(&self) -> &RuleTable {
        &self.system.rules
    }

    /// The line of the input (from 1) that a rule stands on, where known.
    pub fn rule_line(&self, id: RuleId) -> Option<u32> {
        self.system.rule_line(id)
    }

    /// The rule with this name, where the input names rules.
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        self.system.rule_names.as_ref()?.find(name).map(RuleId::new)
    }

    /// Number of rules so far.
    pub fn n_rules(&self) -> usize {
        self.system.rules.len()
    }

    /// Makes room for so many more rules, with lines of the input: readers of large files know about how many there
    /// are. More or fewer may come.
    pub fn reserve(&mut self, additional: usize) -> &mut Self {
        self.system.rules.reserve(additional);
        self.system.rule_lines.reserve_exact(additional);
        self
    }

    /// Adds a rule without a name. `line` is where it stands in the input, 0 if unknown.
    pub fn rule(&mut self, rule: &Rule, line: u32) -> RuleId {
        let number = self.system.rules.len() + 1;
        if repeats_a_source(&rule.moves) {
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
            self.system.rule_lines.resize(self.system.rules.len(), 0);
            self.system.rule_lines.push(line);
        }
        self.system.rules.push(rule)
    }

    /// Adds a rule with a name. Names must be distinct: `Err` with the earlier rule otherwise. Either all
    /// rules of a system have names or none.
    pub fn named_rule(&mut self, name: &str, rule: &Rule, line: u32) -> Result<RuleId, RuleId> {
        let names = self.system.rule_names.get_or_insert_default();
        debug_assert_eq!(names.len(), self.system.rules.len(), "INVARIANT: all rules have names or none");
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
            self.system.initial.push(initial);
        }
        self
    }

    /// Adds a target.
    pub fn target(&mut self, target: Config) -> &mut Self {
        let locals = target.bag.iter().map(|entry| entry.local);
        if self.check_states(|| "a target".into(), [target.shared], locals) {
            self.system.targets.push(target);
        }
        self
    }

    /// The targets so far.
    pub fn targets(&self) -> &[Config] {
        &self.system.targets
    }

    /// The initial configurations so far.
    pub fn initial_sets(&self) -> &[Initial] {
        &self.system.initial
    }

    /// Forgets the initial configurations, so that others can take their place.
    pub fn clear_initial(&mut self) -> &mut Self {
        self.system.initial.clear();
        self
    }

    /// Forgets the targets, so that others can take their place.
    pub fn clear_targets(&mut self) -> &mut Self {
        self.system.targets.clear();
        self
    }

    /// The system, or the first thing that was wrong with a part.
    pub fn finish(mut self) -> Result<System, ModelError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.system.initial.is_empty() {
            return Err(ModelError::NoInitial);
        }
        Ok(self.system)
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
        let (n_shared, n_locals) = (self.system.shared.len(), self.system.locals.len());
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

/// Whether two moves have the same source.
fn repeats_a_source(moves: &[Move]) -> bool {
    if moves.is_sorted_by(|a, b| a.source < b.source) {
        return false;
    }
    let mut sources: Vec<LocalId> = moves.iter().map(|step| step.source).collect();
    sources.sort_unstable();
    sources.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bag;

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
