//! The inequalities that make weights a cut: "no rule raises them", one row for each rule and each move.
//!
//! For weights z ≥ 0 on states, the row of a rule says z·put + z(to) ≤ z·take + z(from), and the row of a move
//! from p to q says z(q) ≤ z(p) (definition and proof: the checker's `cuts`). Only a row with a positive entry can
//! be violated, and only if a state with positive weight is among its positive entries; so an index from states to
//! the rows that raise them is all that is needed to find violated rows.
//!
//! Some weights are 0 whatever else is chosen: those of unbounded initial locals, and those of states that are
//! filled at the expense of such states only. They are found here once, by propagation.

use crate::space::{Space, State};
use throng_model::{LocalId, RuleId, RuleRef, System};

/// One inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// What the threads that take part in a rule do.
    Rule(RuleId),
    /// What a passive thread does.
    Move {
        /// Where it was.
        source: LocalId,
        /// Where it may go.
        destination: LocalId,
    },
}

/// How often the propagation of zero weights goes through all rules. Chains in the order of the rules are found in
/// one sweep; what is missed is only more work for the linear program.
const MOST_SWEEPS: usize = 16;

/// The rows of a system.
#[derive(Debug)]
pub(crate) struct Rows<'s> {
    pub(crate) system: &'s System,
    pub(crate) space: Space,
    /// For each state, the rules that put more there than they take.
    raising: Lists,
    /// For each state, the locals from which passive threads move there.
    sources: Lists,
    /// Pairs of a source and a destination of passive threads, each once, sorted.
    moves: Vec<(LocalId, LocalId)>,
    /// Whether the weight of a state must be 0.
    zero: Vec<bool>,
}

impl<'s> Rows<'s> {
    /// The rows of a system; `None` if it has too many states.
    pub(crate) fn of(system: &'s System) -> Option<Self> {
        let space = Space::of(system)?;
        let raising = Lists::new(space.dimension(), |list| {
            for (id, rule) in system.rules().iter() {
                space.for_each_effect(rule, |state, change| {
                    if change > 0 {
                        list(state, id.raw());
                    }
                });
            }
        });
        let moves = moves_of(system.rules().iter().map(|(_, rule)| rule));
        let sources = Lists::new(space.dimension(), |list| {
            moves.iter().for_each(|&(source, to)| list(space.local(to), source.raw()));
        });
        let zero = vec![false; space.dimension()];
        let mut rows = Self { system, space, raising, sources, moves, zero };
        rows.propagate_zeros();
        Some(rows)
    }

    /// Finds weights that are 0: if everything that a rule lowers has weight 0, so has everything it raises.
    fn propagate_zeros(&mut self) {
        let Self { system, space, zero, moves, .. } = self;
        for local in system.initial().iter().flat_map(|initial| &initial.unbounded) {
            zero[space.local(*local)] = true;
        }
        for _ in 0..MOST_SWEEPS {
            let mut changed = false;
            for (_, rule) in system.rules().iter() {
                let mut lowers_nothing = true;
                space.for_each_effect(rule, |state, change| lowers_nothing &= change > 0 || zero[state]);
                if lowers_nothing {
                    space.for_each_effect(rule, |state, change| {
                        changed |= change > 0 && !std::mem::replace(&mut zero[state], true);
                    });
                }
            }
            for &(source, destination) in moves.iter() {
                if zero[space.local(source)] {
                    changed |= !std::mem::replace(&mut zero[space.local(destination)], true);
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Whether the weight of a state must be 0.
    #[inline]
    pub(crate) fn is_zero(&self, state: usize) -> bool {
        self.zero[state]
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.system.rules().len() + self.moves.len()
    }

    /// All rows.
    pub(crate) fn all(&self) -> impl Iterator<Item = Row> + '_ {
        let rules = RuleId::all(self.system.rules().len()).map(Row::Rule);
        rules.chain(self.moves.iter().map(|&(source, destination)| Row::Move { source, destination }))
    }

    /// The rows in which a state has a positive entry.
    pub(crate) fn raising(&self, state: usize) -> impl Iterator<Item = Row> + '_ {
        let rules = self.raising.get(state).iter().map(|&rule| Row::Rule(RuleId::new(rule as usize)));
        let destination = match self.space.state(state) {
            State::Shared(_) => None,
            State::Local(local) => Some(local),
        };
        let moves = destination.into_iter().flat_map(move |destination| {
            let sources = self.sources.get(state).iter();
            sources.map(move |&source| Row::Move { source: LocalId::new(source as usize), destination })
        });
        rules.chain(moves)
    }

    /// The entries of a row that are not 0, each state once.
    #[inline]
    pub(crate) fn for_each_entry(&self, row: Row, mut report: impl FnMut(usize, i64)) {
        match row {
            Row::Rule(id) => self.space.for_each_effect(self.system.rule(id), report),
            Row::Move { source, destination } => {
                report(self.space.local(source), -1);
                report(self.space.local(destination), 1);
            }
        }
    }

    /// z·row in floating point.
    pub(crate) fn value(&self, row: Row, weight: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        self.for_each_entry(row, |state, change| sum += weight(state) * change as f64);
        sum
    }
}

/// All pairs of a source and another local that passive threads may go to, each once, sorted.
pub(crate) fn moves_of<'r>(rules: impl Iterator<Item = RuleRef<'r>>) -> Vec<(LocalId, LocalId)> {
    let mut moves = Vec::new();
    let mut distinct = 0;
    for rule in rules.filter(|rule| rule.has_moves()) {
        for (source, destinations) in rule.moves() {
            moves.extend(destinations.iter().filter(|&&to| to != source).map(|&to| (source, to)));
        }
        // Broadcasts repeat each other; what is kept is at most twice as long as what is distinct.
        if moves.len() > 2 * distinct + 1024 {
            moves.sort_unstable();
            moves.dedup();
            distinct = moves.len();
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// A list of numbers for each state, all in one array.
#[derive(Debug)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// The lists with the items that `each` reports; it is called twice and reports the same both times.
    fn new(n_lists: usize, each: impl Fn(&mut dyn FnMut(usize, u32))) -> Self {
        let mut starts = vec![0_u32; n_lists + 2];
        // The count of a list is kept two places on, so that after the sums a start is where its next item goes, one
        // place on, and after the items are in place everything has moved to where it belongs.
        each(&mut |list, _| starts[list + 2] += 1);
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut items = vec![0; starts[n_lists + 1] as usize];
        each(&mut |list, item| {
            items[starts[list + 1] as usize] = item;
            starts[list + 1] += 1;
        });
        Self { starts, items }
    }

    #[inline]
    fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_rows_that_raise_a_state_are_those_with_a_positive_entry() {
        let system = samples::broadcast();
        let rows = Rows::of(&system).unwrap();
        for state in 0..rows.space.dimension() {
            let raises = |row: &Row| {
                let mut found = false;
                rows.for_each_entry(*row, |entry, change| found |= entry == state && change > 0);
                found
            };
            let expected: Vec<Row> = rows.all().filter(raises).collect();
            assert_eq!(rows.raising(state).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn what_comes_from_unbounded_locals_alone_has_no_weight() {
        let system = samples::mutex();
        let rows = Rows::of(&system).unwrap();
        let zeros: Vec<usize> = (0..rows.space.dimension()).filter(|&state| rows.is_zero(state)).collect();
        // Waiting and noncritical threads, but neither the critical one nor the lock.
        assert_eq!(zeros, [rows.space.local(samples::NONCRITICAL), rows.space.local(samples::WAITING)]);
    }
}
