//! The thread-modular fixpoint: the least set R of [`crate::thread_states`], by a worklist.
//!
//! R is kept as one set of locals per shared state. When that of s has grown, each rule from s is looked at, and
//! what it adds to the set of its `to` is one union for all fireable rules without moves between two shared
//! states, and one for each rule with moves. No pair (s, l) is handled by itself.
//!
//! The fixpoint can cost (rules) × (locals) × (times that a set grows), so its work is bounded by a multiple of
//! the number of rules. Past the bound it is given up for a coarser R, see [`crate::product`].

use crate::bits::BitSet;
use crate::groups::Groups;
use crate::product;
use crate::thread_states::ThreadStates;
use std::collections::VecDeque;
use throng_base::{Budget, StopReason};
use throng_model::{LocalId, RuleId, RuleRef, SharedId, System};

/// Rules by the shared state they start from, in each group sorted by the shared state they lead to.
pub(crate) type Edges = Groups<Edge>;

/// A rule as an edge between shared states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Where it leads.
    pub(crate) to: SharedId,
    /// The rule.
    pub(crate) rule: RuleId,
    /// The locals of one thread that steps from one to the other, if that is all the rule does to threads. Most
    /// rules of a large system are such, and reading them here saves two cache misses each.
    step: Option<(LocalId, LocalId)>,
}

/// The rules of a system as edges.
pub(crate) fn edges(system: &System) -> Edges {
    let rules = (0..system.rules().len()).map(RuleId::new).map(|id| (id, system.rule(id)));
    let mut edges = Groups::new(
        system.n_shared(),
        rules.map(|(id, rule)| {
            let step = match (rule.take, rule.put) {
                ([take], [put]) if !rule.has_moves() => Some((take.local, put.local)),
                _ => None,
            };
            (rule.from.index(), Edge { to: rule.to, rule: id, step })
        }),
    );
    (0..edges.len()).for_each(|from| edges.of_mut(from).sort_unstable_by_key(|edge| (edge.to, edge.rule)));
    edges
}

/// What the fixpoint may cost before it is given up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Operations on words of 64 locals and looks at rules.
    pub(crate) work: u64,
    /// Words of 64 locals that are kept.
    pub(crate) words: u64,
}

impl Bounds {
    /// In proportion to the input. Small inputs may use what takes some milliseconds in any case.
    pub(crate) fn of(system: &System) -> Self {
        let n_rules = system.rules().len() as u64;
        Self { work: (1 << 20) + 16 * n_rules, words: (1 << 18) + 4 * n_rules }
    }
}

/// A set R for a system: the least one or, if that costs too much, the least product.
pub(crate) fn thread_states(
    system: &System,
    edges: &Edges,
    bounds: Bounds,
    budget: &Budget,
) -> Result<ThreadStates, StopReason> {
    // Every edge is followed once at least.
    let least = (system.rules().len() as u64).saturating_mul(BitSet::n_words(system.n_locals()) as u64);
    if least > bounds.work {
        return Ok(product::thread_states(system));
    }
    match Fixpoint::new(system, edges, bounds).run(budget)? {
        Some(rows) => Ok(ThreadStates::Pairs(rows)),
        None => Ok(product::thread_states(system)),
    }
}

struct Fixpoint<'a> {
    system: &'a System,
    edges: &'a Edges,
    /// The locals that occur with each shared state that occurs.
    rows: Vec<Option<BitSet>>,
    /// Shared states whose row has grown since they were visited.
    queue: VecDeque<SharedId>,
    is_queued: BitSet,
    fireable: BitSet,
    some_moves: bool,
    bounds: Bounds,
}

/// The work or the memory of a fixpoint passed its bound.
struct TooExpensive;

impl<'a> Fixpoint<'a> {
    fn new(system: &'a System, edges: &'a Edges, bounds: Bounds) -> Self {
        Self {
            system,
            edges,
            rows: vec![None; system.n_shared()],
            queue: VecDeque::new(),
            is_queued: BitSet::new(system.n_shared()),
            fireable: BitSet::new(system.rules().len()),
            some_moves: system.rules().iter().any(|(_, rule)| rule.has_moves()),
            bounds,
        }
    }

    /// The rows of the least R; `None` if that is too expensive.
    fn run(mut self, budget: &Budget) -> Result<Option<Vec<Option<BitSet>>>, StopReason> {
        for initial in self.system.initial() {
            let exact = initial.exact.iter().map(|entry| entry.local);
            let mut locals = BitSet::new(self.system.n_locals());
            for local in exact.chain(initial.unbounded.iter().copied()) {
                locals.insert(local.index());
            }
            if self.add(initial.shared, &locals).is_err() {
                return Ok(None);
            }
        }
        while let Some(from) = self.queue.pop_front() {
            budget.check()?;
            self.is_queued.remove(from.index());
            if self.visit(from).is_err() {
                return Ok(None);
            }
        }
        Ok(Some(self.rows))
    }

    /// The row of a shared state, made if the state is new.
    fn row(&mut self, shared: SharedId) -> Result<&mut BitSet, TooExpensive> {
        let row = &mut self.rows[shared.index()];
        if row.is_none() {
            let n_locals = self.system.n_locals();
            self.bounds.words =
                self.bounds.words.checked_sub(BitSet::n_words(n_locals) as u64).ok_or(TooExpensive)?;
            if self.is_queued.insert(shared.index()) {
                self.queue.push_back(shared);
            }
            *row = Some(BitSet::new(n_locals));
        }
        row.as_mut().ok_or(TooExpensive)
    }

    /// Adds locals to the row of a shared state.
    fn add(&mut self, shared: SharedId, locals: &BitSet) -> Result<(), TooExpensive> {
        self.spend(BitSet::n_words(self.system.n_locals()))?;
        if self.row(shared)?.union_with(locals) && self.is_queued.insert(shared.index()) {
            self.queue.push_back(shared);
        }
        Ok(())
    }

    /// Adds one local to the row of a shared state.
    fn add_local(&mut self, shared: SharedId, local: LocalId) -> Result<(), TooExpensive> {
        if self.row(shared)?.insert(local.index()) && self.is_queued.insert(shared.index()) {
            self.queue.push_back(shared);
        }
        Ok(())
    }

    fn spend(&mut self, work: usize) -> Result<(), TooExpensive> {
        self.bounds.work = self.bounds.work.checked_sub(work as u64).ok_or(TooExpensive)?;
        Ok(())
    }

    /// Adds what the rules from a shared state show.
    fn visit(&mut self, from: SharedId) -> Result<(), TooExpensive> {
        let Some(row) = self.rows[from.index()].clone() else { return Ok(()) };
        let edges = self.edges.of(from.index());
        self.spend(edges.len())?;
        for parallel in edges.chunk_by(|a, b| a.to == b.to) {
            let mut some_stay = false;
            for edge in parallel {
                some_stay |= self.fire(edge, &row)?;
            }
            let to = parallel[0].to;
            if some_stay && to != from {
                self.add(to, &row)?;
            }
        }
        Ok(())
    }

    /// Adds what a rule shows, except passive threads that stay where they are: whether all of them do is
    /// returned. `row` is that of its shared state.
    fn fire(&mut self, edge: &Edge, row: &BitSet) -> Result<bool, TooExpensive> {
        let id = edge.rule;
        let is_known = self.fireable.contains(id.index());
        if is_known && !self.some_moves {
            return Ok(true);
        }
        if let Some((take, put)) = edge.step {
            let is_fireable = row.contains(take.index());
            if is_fireable && self.fireable.insert(id.index()) {
                self.add_local(edge.to, put)?;
            }
            return Ok(is_fireable);
        }
        let rule = self.system.rule(id);
        if !is_known {
            if !rule.take.iter().all(|entry| row.contains(entry.local.index())) {
                return Ok(false);
            }
            self.fireable.insert(id.index());
            for entry in rule.put {
                self.add_local(rule.to, entry.local)?;
            }
        }
        if rule.has_moves() {
            self.spend(cost(rule))?;
            self.add(rule.to, &moved(rule, row))?;
        }
        Ok(!rule.has_moves())
    }
}

/// What it takes to find where the passive threads of a rule go.
fn cost(rule: RuleRef<'_>) -> usize {
    rule.moves().map(|(_, destinations)| 1 + destinations.len()).sum()
}

/// Where passive threads of these locals can be after a rule.
fn moved(rule: RuleRef<'_>, locals: &BitSet) -> BitSet {
    let mut after = locals.clone();
    rule.moves().for_each(|(source, _)| after.remove(source.index()));
    for (_, destinations) in rule.moves().filter(|(source, _)| locals.contains(source.index())) {
        for to in destinations {
            after.insert(to.index());
        }
    }
    after
}
