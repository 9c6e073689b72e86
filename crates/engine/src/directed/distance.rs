//! How far threads are from a target if they do not have to wait for each other: a cheap guess.
//!
//! One thread gets from a local state to another by the rules that take from the one and put into the other, or move
//! there, whatever else they need; so the least number of such rules is found by a breadth-first search backwards.
//! The same is done for shared states. After the "syntactic" heuristic of Blondin, Haase and Offtermatt (TACAS 2021),
//! which looks at the marked place that is farthest away; here each thread of the target looks for the nearest one.
//!
//! This is neither a lower nor an upper bound of the steps that it takes: one step can help several threads, and
//! threads do wait for each other.

use std::collections::VecDeque;
use throng_model::{ConfigRef, LocalId, System, bag};

/// A distance that stands for "no way that is known". Small enough that a few can be added.
pub(super) const FAR: u32 = 1 << 20;

/// Which nodes lead to which in one step, read backwards: the sources of node n are `sources[starts[n]..starts[n+1]]`.
#[derive(Debug)]
struct Sources {
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl Sources {
    /// From edges (source, destination) between nodes below `n_nodes`.
    fn new(n_nodes: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable_by_key(|&(source, destination)| (destination, source));
        edges.dedup();
        let mut starts = vec![0; n_nodes + 1];
        for &(_, destination) in &edges {
            starts[destination as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            starts[node + 1] += starts[node];
        }
        Self { starts, sources: edges.into_iter().map(|(source, _)| source).collect() }
    }

    /// The least number of steps from each node to `goal`.
    fn distances_to(&self, goal: usize) -> Vec<u32> {
        let mut distances = vec![FAR; self.starts.len() - 1];
        distances[goal] = 0;
        let mut queue = VecDeque::from([goal]);
        while let Some(node) = queue.pop_front() {
            for &source in &self.sources[self.starts[node]..self.starts[node + 1]] {
                let source = source as usize;
                if distances[source] == FAR {
                    distances[source] = distances[node] + 1;
                    queue.push_back(source);
                }
            }
        }
        distances
    }
}

/// Who leads to whom in one system. Behind the last local state stands "nowhere", from which rules that take nothing
/// bring threads.
#[derive(Debug)]
pub(super) struct Roads {
    shared: Sources,
    locals: Sources,
}

impl Roads {
    /// The roads of a system.
    pub(super) fn new(system: &System) -> Self {
        let nowhere = system.n_locals() as u32;
        let (mut shared, mut locals) = (Vec::new(), Vec::new());
        for (_, rule) in system.rules().iter() {
            shared.push((rule.from.raw(), rule.to.raw()));
            for put in rule.put {
                let taken = rule.take.iter().map(|take| take.local.raw());
                let nothing = rule.take.is_empty().then_some(nowhere);
                locals.extend(taken.chain(nothing).map(|source| (source, put.local.raw())));
            }
            for (source, destinations) in rule.moves() {
                locals.extend(destinations.iter().map(|destination| (source.raw(), destination.raw())));
            }
        }
        Self {
            shared: Sources::new(system.n_shared(), shared),
            locals: Sources::new(system.n_locals() + 1, locals),
        }
    }

    /// All distances to one target.
    pub(super) fn distances(&self, target: ConfigRef<'_>) -> Distances {
        let local = |entry: &throng_model::Entry| Goal {
            local: entry.local,
            count: entry.count,
            from: self.locals.distances_to(entry.local.index()),
        };
        Distances {
            shared: self.shared.distances_to(target.shared.index()),
            goals: target.bag.iter().map(local).collect(),
        }
    }
}

/// Where some threads of the target have to get to.
#[derive(Debug)]
struct Goal {
    local: LocalId,
    count: u32,
    /// The distance from each local state, and from nowhere at the end.
    from: Vec<u32>,
}

/// Distances to one target.
#[derive(Debug)]
pub(super) struct Distances {
    shared: Vec<u32>,
    goals: Vec<Goal>,
}

impl Distances {
    /// How far a configuration is from the target.
    pub(super) fn of(&self, config: ConfigRef<'_>) -> u32 {
        let threads = self.goals.iter().fold(0_u32, |sum, goal| sum.saturating_add(goal.missing(config)));
        self.shared[config.shared.index()].max(threads)
    }
}

impl Goal {
    /// How far the threads that are missing have to go together, if each takes the shortest way.
    fn missing(&self, config: ConfigRef<'_>) -> u32 {
        let missing = self.count.saturating_sub(bag::count(config.bag, self.local));
        if missing == 0 {
            return 0;
        }
        let others = config.bag.iter().filter(|entry| entry.local != self.local);
        let ways = others.map(|entry| self.from[entry.local.index()]);
        let nearest = ways.chain(self.from.last().copied()).min().unwrap_or(FAR);
        nearest.saturating_mul(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, Initial, Names, Rule, SharedId, SystemBuilder};

    /// A chain of local states 0 → 1 → 2 → 3 in shared state 0; from 3, a rule changes the shared state.
    fn chain() -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(2), Names::Numbered(5));
        let bag = |local| Bag::from_locals([LocalId::new(local)]).unwrap();
        let (zero, one) = (SharedId::new(0), SharedId::new(1));
        for local in 0..3 {
            let rule = Rule { from: zero, to: zero, take: bag(local), put: bag(local + 1), moves: vec![] };
            builder.rule(&rule, 0);
        }
        builder.rule(&Rule { from: zero, to: one, take: bag(3), put: bag(3), moves: vec![] }, 0);
        builder.rule(&Rule { from: one, to: one, take: Bag::new(), put: bag(2), moves: vec![] }, 0);
        builder.initial(Initial { shared: zero, exact: Bag::new(), unbounded: vec![LocalId::new(0)] });
        builder.finish().unwrap()
    }

    #[test]
    fn every_missing_thread_takes_the_shortest_way() {
        let system = chain();
        let roads = Roads::new(&system);
        let config = |shared, locals: &[usize]| {
            let bag = Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap();
            throng_model::Config::new(SharedId::new(shared), bag)
        };
        let distance = |from: &throng_model::Config, target: &throng_model::Config| {
            roads.distances(target.view()).of(from.view())
        };
        assert_eq!(distance(&config(0, &[0]), &config(0, &[1])), 1);
        assert_eq!(distance(&config(0, &[0, 2]), &config(0, &[3])), 1);
        assert_eq!(distance(&config(0, &[0, 1, 3]), &config(0, &[3, 3])), 2);
        assert_eq!(distance(&config(0, &[3]), &config(1, &[3])), 1);
        // A thread can come from nowhere.
        assert_eq!(distance(&config(1, &[]), &config(1, &[3])), 2);
        assert_eq!(distance(&config(1, &[]), &config(0, &[])), FAR);
        assert_eq!(distance(&config(0, &[0]), &config(0, &[4])), FAR);
    }
}
