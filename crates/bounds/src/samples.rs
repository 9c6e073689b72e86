//! Small systems for the tests of this crate.

use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

pub(crate) const NONCRITICAL: LocalId = LocalId::new(0);
pub(crate) const WAITING: LocalId = LocalId::new(1);
pub(crate) const CRITICAL: LocalId = LocalId::new(2);
pub(crate) const FREE: SharedId = SharedId::new(0);
pub(crate) const TAKEN: SharedId = SharedId::new(1);

/// A bag of locals by number.
pub(crate) fn bag(locals: &[usize]) -> Bag {
    Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap()
}

/// A rule without moves.
pub(crate) fn rule(from: usize, to: usize, take: &[usize], put: &[usize]) -> Rule {
    let (from, to) = (SharedId::new(from), SharedId::new(to));
    Rule { from, to, take: bag(take), put: bag(put), moves: vec![] }
}

/// A net with so many places.
pub(crate) fn net(n_places: usize, rules: &[Rule], exact: &[usize], target: &[usize]) -> System {
    let mut builder = SystemBuilder::net(Names::Numbered(n_places));
    for rule in rules {
        builder.rule(rule, 0);
    }
    builder.initial(Initial { shared: SharedId::new(0), exact: bag(exact), unbounded: vec![] });
    builder.target(Config::new(SharedId::new(0), bag(target)));
    builder.finish().unwrap()
}

/// Any number of threads, a lock in the shared state, and two threads in the critical section as the target.
pub(crate) fn mutex() -> System {
    let mut builder = SystemBuilder::new(Names::Numbered(2), Names::Numbered(3));
    for (from, to, take, put) in [(0, 0, 0, 1), (1, 1, 0, 1), (0, 1, 1, 2), (1, 0, 2, 0)] {
        builder.rule(&rule(from, to, &[take], &[put]), 0);
    }
    builder.initial(Initial { shared: FREE, exact: Bag::new(), unbounded: vec![NONCRITICAL] });
    builder.target(Config::new(TAKEN, bag(&[2, 2])));
    builder.finish().unwrap()
}

/// One thread that wakes all others, which may go to two places.
pub(crate) fn broadcast() -> System {
    let mut builder = SystemBuilder::new(Names::Numbered(2), Names::Numbered(4));
    let moves = |source, destinations: &[usize]| Move {
        source: LocalId::new(source),
        destinations: destinations.iter().copied().map(LocalId::new).collect(),
    };
    builder.rule(&Rule { moves: vec![moves(0, &[1, 2]), moves(1, &[2])], ..rule(0, 1, &[3], &[3]) }, 0);
    builder.rule(&Rule { moves: vec![moves(0, &[2]), moves(2, &[])], ..rule(1, 0, &[3], &[1, 3]) }, 0);
    builder.initial(Initial { shared: FREE, exact: bag(&[0, 0, 3]), unbounded: vec![] });
    builder.target(Config::new(TAKEN, bag(&[2, 2, 2])));
    builder.finish().unwrap()
}

/// Readers and a writer with weighted arcs, after mist's `extendedread-write`: a reader takes one of `permits`
/// permits, a writer takes all. The target is a reader beside a writer.
pub(crate) fn readers_and_writers(permits: u32) -> System {
    let mut builder = SystemBuilder::net(Names::Numbered(4));
    let [pool, reading, writing, idle] = [0, 1, 2, 3].map(LocalId::new);
    let counts = |counts: &[(LocalId, u32)]| Bag::from_counts(counts.iter().copied()).unwrap();
    let shared = SharedId::new(0);
    let mut rule = |take: &[(LocalId, u32)], put: &[(LocalId, u32)]| {
        builder
            .rule(&Rule { from: shared, to: shared, take: counts(take), put: counts(put), moves: vec![] }, 0);
    };
    rule(&[(idle, 1), (pool, 1)], &[(reading, 1)]);
    rule(&[(reading, 1)], &[(idle, 1), (pool, 1)]);
    rule(&[(idle, 1), (pool, permits)], &[(writing, 1)]);
    rule(&[(writing, 1)], &[(idle, 1), (pool, permits)]);
    builder.initial(Initial { shared, exact: counts(&[(pool, permits)]), unbounded: vec![idle] });
    builder.target(Config::new(shared, counts(&[(reading, 1), (writing, 1)])));
    builder.finish().unwrap()
}

/// Peterson's algorithm for two threads, as a net with complementary places. Only with a trap can the state
/// inequation exclude that both are critical.
pub(crate) fn peterson() -> System {
    // 0–2: first thread idle, waiting, critical; 3–5: second; 6/7: the first wants not / wants; 8/9: the second;
    // 10/11: whose turn it is.
    let rules = [
        rule(0, 0, &[0, 6, 10], &[1, 7, 11]),
        rule(0, 0, &[0, 6, 11], &[1, 7, 11]),
        rule(0, 0, &[1, 8], &[2, 8]),
        rule(0, 0, &[1, 10], &[2, 10]),
        rule(0, 0, &[2, 7], &[0, 6]),
        rule(0, 0, &[3, 8, 10], &[4, 9, 10]),
        rule(0, 0, &[3, 8, 11], &[4, 9, 10]),
        rule(0, 0, &[4, 6], &[5, 6]),
        rule(0, 0, &[4, 11], &[5, 11]),
        rule(0, 0, &[5, 9], &[3, 8]),
    ];
    net(12, &rules, &[0, 3, 6, 8, 10], &[2, 5])
}
