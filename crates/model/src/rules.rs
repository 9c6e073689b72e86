//! Rules, stored flat: a list of a million rules is four arrays, not a million small boxes.

use crate::bag::Bag;
use crate::{Entry, LocalId, RuleId, SharedId};

/// Every passive thread in `source` goes to one of `destinations`, each choosing for itself; with no
/// destination it vanishes (a reset).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the threads are.
    pub source: LocalId,
    /// Where they may go.
    pub destinations: Vec<LocalId>,
}

/// One rule, owned: the form in which readers hand rules to a [`crate::SystemBuilder`].
///
/// It fires when the shared state is `from` and `take` is included in the bag: `take` is removed, every
/// remaining thread in the source of a move goes to one of its destinations, `put` is added and the shared
/// state becomes `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Shared state before.
    pub from: SharedId,
    /// Shared state after.
    pub to: SharedId,
    /// Threads needed and removed.
    pub take: Bag,
    /// Threads added.
    pub put: Bag,
    /// What the passive threads do; sources that are not listed stay. One entry per source.
    pub moves: Vec<Move>,
}

/// A rule in a [`RuleTable`].
#[derive(Clone, Copy, Debug)]
pub struct RuleRef<'a> {
    /// Shared state before.
    pub from: SharedId,
    /// Shared state after.
    pub to: SharedId,
    /// Threads needed and removed.
    pub take: &'a [Entry],
    /// Threads added.
    pub put: &'a [Entry],
    moves: &'a [MoveRow],
    destinations: &'a [LocalId],
}

impl<'a> RuleRef<'a> {
    /// Whether passive threads move.
    #[inline]
    pub fn has_moves(self) -> bool {
        !self.moves.is_empty()
    }

    /// The moves, by increasing source: source and sorted destinations.
    #[inline]
    pub fn moves(self) -> impl ExactSizeIterator<Item = (LocalId, &'a [LocalId])> + Clone {
        let destinations = self.destinations;
        self.moves.iter().map(move |row| (row.source, &destinations[row.start as usize..row.end as usize]))
    }

    /// Where a passive thread in `source` may go; `None` if it stays.
    pub fn destinations_of(self, source: LocalId) -> Option<&'a [LocalId]> {
        let at = self.moves.binary_search_by_key(&source, |row| row.source).ok()?;
        Some(&self.destinations[self.moves[at].start as usize..self.moves[at].end as usize])
    }

    /// Whether firing the rule changes nothing.
    pub fn is_identity(self) -> bool {
        self.from == self.to
            && self.take == self.put
            && self.moves().all(|(source, destinations)| destinations == [source])
    }

    /// An owned copy.
    pub fn to_rule(self) -> Rule {
        let moves = self.moves().map(|(source, d)| Move { source, destinations: d.to_vec() }).collect();
        Rule { from: self.from, to: self.to, take: Bag::from(self.take), put: Bag::from(self.put), moves }
    }
}

#[derive(Clone, Copy, Debug)]
struct MoveRow {
    source: LocalId,
    start: u32,
    end: u32,
}

/// Where the parts of a rule begin and end in the arrays of a table; `take` and `moves` begin where those of the
/// rule before end.
#[derive(Clone, Copy, Debug)]
struct Row {
    from: SharedId,
    to: SharedId,
    take_end: u32,
    put_end: u32,
    moves_end: u32,
}

/// All rules of a system.
#[derive(Clone, Debug, Default)]
pub struct RuleTable {
    rows: Vec<Row>,
    entries: Vec<Entry>,
    moves: Vec<MoveRow>,
    destinations: Vec<LocalId>,
}

impl RuleTable {
    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rule with this id.
    #[inline]
    pub fn get(&self, id: RuleId) -> RuleRef<'_> {
        let row = &self.rows[id.index()];
        let before = id.index().checked_sub(1).map(|before| &self.rows[before]);
        let (take, moves) = before.map_or((0, 0), |before| (before.put_end, before.moves_end));
        RuleRef {
            from: row.from,
            to: row.to,
            take: &self.entries[take as usize..row.take_end as usize],
            put: &self.entries[row.take_end as usize..row.put_end as usize],
            moves: &self.moves[moves as usize..row.moves_end as usize],
            destinations: &self.destinations,
        }
    }

    /// All rules in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (RuleId, RuleRef<'_>)> {
        RuleId::all(self.len()).map(|id| (id, self.get(id)))
    }

    /// Makes room for so many more rules that each take one thread and put one.
    pub fn reserve(&mut self, additional: usize) {
        self.rows.reserve_exact(additional);
        self.entries.reserve_exact(additional.saturating_mul(2));
    }

    /// Appends a rule. Moves are sorted by source, destinations sorted and without repetitions; a move of a
    /// local to itself alone is dropped, since threads that are not listed stay.
    ///
    /// Precondition: at most one [`Move`] per source.
    pub fn push(&mut self, rule: &Rule) -> RuleId {
        let id = RuleId::new(self.rows.len());
        self.entries.extend_from_slice(&rule.take);
        let take_end = offset(self.entries.len());
        self.entries.extend_from_slice(&rule.put);
        let put_end = offset(self.entries.len());
        let moves = self.moves.len();
        for step in &rule.moves {
            let start = self.destinations.len();
            self.destinations.extend_from_slice(&step.destinations);
            self.destinations[start..].sort_unstable();
            dedup_tail(&mut self.destinations, start);
            if self.destinations[start..] == [step.source] {
                self.destinations.truncate(start);
            } else {
                let end = offset(self.destinations.len());
                self.moves.push(MoveRow { source: step.source, start: offset(start), end });
            }
        }
        self.moves[moves..].sort_unstable_by_key(|row| row.source);
        debug_assert!(self.moves[moves..].is_sorted_by(|a, b| a.source < b.source), "one move per source");
        let moves_end = offset(self.moves.len());
        self.rows.push(Row { from: rule.from, to: rule.to, take_end, put_end, moves_end });
        id
    }
}

/// Offsets are four bytes: a rule list of 4 G entries does not fit the memory of any machine we meet.
fn offset(len: usize) -> u32 {
    u32::try_from(len).expect("rule tables hold fewer than 2^32 entries")
}

/// Removes repetitions from the sorted tail of a vector.
fn dedup_tail(items: &mut Vec<LocalId>, start: usize) {
    let mut kept = start;
    for i in start..items.len() {
        if kept == start || items[kept - 1] != items[i] {
            items[kept] = items[i];
            kept += 1;
        }
    }
    items.truncate(kept);
}
