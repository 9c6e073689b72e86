//! Which rules matter to an element, and which sources to a local: tables made once per system.

use crate::bag::{Config, count_in};
use throng_model::{LocalId, RuleId, RuleRef, SharedId, System};

/// Values by key, as one sorted array.
struct Table<K, V>(Vec<(K, V)>);

impl<K: Ord + Copy, V: Ord + Copy> Table<K, V> {
    fn new(mut rows: Vec<(K, V)>) -> Self {
        rows.sort_unstable();
        rows.dedup();
        Self(rows)
    }

    fn get(&self, key: K) -> impl Iterator<Item = V> + '_ {
        let start = self.0.partition_point(|&(found, _)| found < key);
        let rest = self.0.get(start..).unwrap_or_default();
        rest.iter().take_while(move |&&(found, _)| found == key).map(|&(_, value)| value)
    }
}

/// The shared states of some configurations.
#[derive(Debug)]
pub(crate) struct SharedStates(Vec<SharedId>);

impl SharedStates {
    pub(crate) fn of(configs: &[Config]) -> Self {
        let mut states: Vec<_> = configs.iter().map(|config| config.shared).collect();
        states.sort_unstable();
        states.dedup();
        Self(states)
    }

    /// The rules of a system that lead to one of the states: of a large system, few matter to a small proof.
    fn rules_to<'a>(&'a self, system: &'a System) -> impl Iterator<Item = (RuleId, RuleRef<'a>)> + 'a {
        system.rules().iter().filter(|(_, rule)| self.0.binary_search(&rule.to).is_ok())
    }
}

/// Shared states from which rules lead, step by step, to those of the targets, whatever threads that takes.
pub(crate) struct Ancestors(Vec<bool>);

impl Ancestors {
    pub(crate) fn of_targets(system: &System) -> Self {
        let edges = system.rules().iter().filter(|(_, rule)| rule.from != rule.to);
        let before = Table::new(edges.map(|(_, rule)| (rule.to, rule.from)).collect());
        let mut found = Self(vec![false; system.n_shared()]);
        let mut work: Vec<SharedId> = system.targets().iter().map(|target| target.shared).collect();
        while let Some(state) = work.pop() {
            if let Some(is_found) = found.0.get_mut(state.index())
                && !std::mem::replace(is_found, true)
            {
                work.extend(before.get(state));
            }
        }
        found
    }

    pub(crate) fn contain(&self, state: SharedId) -> bool {
        self.0.get(state.index()).copied().unwrap_or(true)
    }
}

/// Rules by what they lead to.
///
/// A rule *fills* a local if it puts more threads there than it takes, or moves some there from elsewhere.
///
/// SOUND: let a rule keep the shared state and fill no local of a goal (s, B). In a minimal predecessor each
/// leftover thread of B comes from its own local, so for each local there are (B ⊖ put) + take threads, at
/// least as many as in B because take ≥ put there: the predecessor covers the goal.
pub(crate) struct Producers {
    /// Rules that change the shared state.
    changing: Table<SharedId, RuleId>,
    /// Other rules, under each local that they fill.
    filling: Table<(SharedId, LocalId), RuleId>,
}

impl Producers {
    /// For goals with these shared states.
    pub(crate) fn new(system: &System, goals: &SharedStates) -> Self {
        let (mut changing, mut filling) = (Vec::new(), Vec::new());
        for (id, rule) in goals.rules_to(system) {
            if rule.from != rule.to {
                changing.push((rule.to, id));
                continue;
            }
            let put = rule.put.iter().map(|entry| entry.local);
            let put = put.filter(|&local| count_in(rule.put, local) > count_in(rule.take, local));
            let moved = rule.moves().flat_map(|(source, destinations)| {
                destinations.iter().copied().filter(move |&destination| destination != source)
            });
            filling.extend(put.chain(moved).map(|local| ((rule.to, local), id)));
        }
        Self { changing: Table::new(changing), filling: Table::new(filling) }
    }

    /// Every rule under which some minimal predecessor of `goal` does not cover `goal` itself, each once, in
    /// order; and perhaps others.
    pub(crate) fn of(&self, goal: &Config, found: &mut Vec<RuleId>) {
        found.clear();
        found.extend(self.changing.get(goal.shared));
        for &(local, _) in goal.bag.entries() {
            found.extend(self.filling.get((goal.shared, local)));
        }
        found.sort_unstable();
        found.dedup();
    }
}

/// For each rule and each destination of its moves, the sources.
pub(crate) struct Sources(Table<(RuleId, LocalId), LocalId>);

impl Sources {
    /// For the rules that lead to one of these shared states.
    pub(crate) fn new(system: &System, goals: &SharedStates) -> Self {
        let mut rows = Vec::new();
        for (id, rule) in goals.rules_to(system) {
            for (source, destinations) in rule.moves() {
                rows.extend(destinations.iter().map(|&destination| ((id, destination), source)));
            }
        }
        Self(Table::new(rows))
    }

    /// The sources from which the rule moves threads to `destination`.
    pub(crate) fn of(&self, rule: RuleId, destination: LocalId) -> impl Iterator<Item = LocalId> + '_ {
        self.0.get((rule, destination))
    }
}

/// Rules by what they need: under the shared state and the local of `take` that the fewest rules need, if
/// there is one.
pub(crate) struct Consumers(Table<(SharedId, Option<LocalId>), RuleId>);

impl Consumers {
    pub(crate) fn new(system: &System) -> Self {
        let mut users = vec![0_u32; system.n_locals()];
        for (_, rule) in system.rules().iter() {
            for entry in rule.take {
                if let Some(users) = users.get_mut(entry.local.index()) {
                    *users = users.saturating_add(1);
                }
            }
        }
        let rows = system.rules().iter().map(|(id, rule)| {
            let needed = rule.take.iter().map(|entry| entry.local);
            ((rule.from, needed.min_by_key(|local| users.get(local.index()))), id)
        });
        Self(Table::new(rows.collect()))
    }

    /// The rules that may be enabled in `config`, each once.
    pub(crate) fn of<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = RuleId> + 'a {
        let locals = config.bag.entries().iter().map(|&(local, _)| Some(local));
        locals.chain([None]).flat_map(|local| self.0.get((config.shared, local)))
    }
}
