//! Which rules matter to an element: tables from states to rules.

use crate::bag::{Config, count_in};
use throng_model::{LocalId, RuleId, RuleRef, SharedId, System};

/// Rules by key, as one sorted array.
struct Table<K>(Vec<(K, RuleId)>);

impl<K: Ord + Copy> Table<K> {
    fn new(mut rows: Vec<(K, RuleId)>) -> Self {
        rows.sort_unstable();
        rows.dedup();
        Self(rows)
    }

    fn get(&self, key: K) -> impl Iterator<Item = RuleId> + '_ {
        let start = self.0.partition_point(|&(found, _)| found < key);
        let rest = self.0.get(start..).unwrap_or_default();
        rest.iter().take_while(move |&&(found, _)| found == key).map(|&(_, rule)| rule)
    }
}

/// Rules by what they lead to.
pub(crate) struct Producers {
    /// Rules that change the shared state.
    changing: Table<SharedId>,
    /// Other rules, under each local that they [`fill`](fills).
    filling: Table<(SharedId, LocalId)>,
}

impl Producers {
    pub(crate) fn new(system: &System) -> Self {
        let (mut changing, mut filling) = (Vec::new(), Vec::new());
        for (id, rule) in system.rules().iter() {
            if rule.from != rule.to {
                changing.push((rule.to, id));
                continue;
            }
            let put = rule.put.iter().map(|entry| entry.local);
            let moved = rule.moves().flat_map(|(_, destinations)| destinations.iter().copied());
            let filled = put.chain(moved).filter(|&local| fills(rule, local));
            filling.extend(filled.map(|local| ((rule.to, local), id)));
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

/// Whether the rule puts more threads into `local` than it takes from there, or moves some there from
/// elsewhere.
///
/// SOUND: let a rule keep the shared state and fill no local of a goal (s, B). In a minimal predecessor each
/// leftover thread of B comes from its own local, so for each local there are (B ⊖ put) + take threads, at
/// least as many as in B because take ≥ put there: the predecessor covers the goal.
fn fills(rule: RuleRef<'_>, local: LocalId) -> bool {
    count_in(rule.put, local) > count_in(rule.take, local)
        || rule.moves().any(|(source, destinations)| source != local && destinations.contains(&local))
}

/// Rules by what they need: under the shared state and the local of `take` that the fewest rules need, if
/// there is one.
pub(crate) struct Consumers(Table<(SharedId, Option<LocalId>)>);

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
