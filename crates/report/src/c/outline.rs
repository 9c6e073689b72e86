//! Which rows of an interleaving are shown, and what stands for the others, so that a deep bug fits a page: repeated rounds
//! are told once, what a thread does on its own in one line, and of what is still long the middle is left out.

use super::follow::{Followed, Row};
use super::happen::Note;
use super::values;
use std::collections::BTreeMap;
use std::ops::Range;
use throng_cfa::flow::{Program, SiteId, VariableId};

/// The longest rounds that are looked for.
const LONGEST_ROUND: usize = 40;
/// Rounds that are worth folding, and how many rows they have together at least.
const ROUNDS: usize = 3;
const ROUND_ROWS: usize = 7;
/// Rows in a row that a thread does on its own that are worth folding.
const ALONE: usize = 8;
/// Items shown at the beginning and the end of what is still long.
const HEAD: usize = 30;
const TAIL: usize = 60;
/// Values told of what is left out.
const MOST_VALUES: usize = 4;

/// A line of an outline. Numbers are those of rows in [`Outline::rows`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// This row.
    Row(usize),
    /// The rows before these are repeated in them, so many times.
    Again { rows: Range<usize>, times: usize },
    /// What one thread does on its own.
    Alone(Range<usize>),
    /// The middle of something long.
    Gap(Range<usize>),
}

/// What is shown of an interleaving.
pub(super) struct Outline<'f> {
    /// The rows about which there is something to say.
    pub(super) rows: Vec<&'f Row>,
    /// The lines.
    pub(super) items: Vec<Item>,
}

/// What makes rows alike: who does what, and how it comes out.
type Key = (u32, Option<SiteId>, Vec<bool>);

fn key(row: &Row) -> Key {
    let ways = row.notes.iter().filter_map(|note| match note {
        Note::Decides(way) | Note::Swaps(way) => Some(*way),
        Note::Fails => Some(false),
        _ => None,
    });
    (row.thread, row.site, ways.collect())
}

/// The outline of an interleaving; with everything if that is asked for.
pub(super) fn outline<'f>(program: &Program, followed: &'f Followed, everything: bool) -> Outline<'f> {
    let is_shown = |row: &&Row| everything || row.says_something(program);
    let rows: Vec<&Row> = followed.rows.iter().filter(is_shown).collect();
    let items = if everything {
        (0..rows.len()).map(Item::Row).collect()
    } else {
        shorten(alone(&rows, rounds(&rows)))
    };
    Outline { rows, items }
}

/// Finds repeated rounds.
fn rounds(rows: &[&Row]) -> Vec<Item> {
    let keys: Vec<Key> = rows.iter().map(|row| key(row)).collect();
    let mut items = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        match best_round(&keys[at..]) {
            Some((length, times)) => {
                items.extend((at..at + length).map(Item::Row));
                items.push(Item::Again { rows: at + length..at + length * times, times: times - 1 });
                at += length * times;
            }
            None => {
                items.push(Item::Row(at));
                at += 1;
            }
        }
    }
    items
}

/// The round with which a list begins that takes the most of it, as its length and how many times it is there.
fn best_round(keys: &[Key]) -> Option<(usize, usize)> {
    let times = |length: usize| {
        let round = &keys[..length];
        keys.chunks_exact(length).take_while(|chunk| *chunk == round).count()
    };
    let lengths = 1..=LONGEST_ROUND.min(keys.len() / ROUNDS);
    let found = lengths.map(|length| (length, times(length)));
    let worth = found.filter(|&(length, times)| times >= ROUNDS && length * times >= ROUND_ROWS);
    // The shortest of those that take the same.
    worth.max_by_key(|&(length, times)| (length * times, std::cmp::Reverse(length)))
}

/// Folds what a thread does on its own between two things that concern others.
fn alone(rows: &[&Row], items: Vec<Item>) -> Vec<Item> {
    let mut out = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    let flush = |run: &mut Vec<usize>, out: &mut Vec<Item>| {
        if run.len() >= ALONE {
            out.push(Item::Alone(run[0]..run[run.len() - 1] + 1));
        } else {
            out.extend(run.iter().map(|&row| Item::Row(row)));
        }
        run.clear();
    };
    for item in items {
        match item {
            Item::Row(row) if !rows[row].is_about_others() => {
                let continues =
                    run.last().is_none_or(|&last| last + 1 == row && rows[last].thread == rows[row].thread);
                if !continues {
                    flush(&mut run, &mut out);
                }
                run.push(row);
            }
            other => {
                flush(&mut run, &mut out);
                out.push(other);
            }
        }
    }
    flush(&mut run, &mut out);
    out
}

/// Leaves out the middle of what is still long.
fn shorten(mut items: Vec<Item>) -> Vec<Item> {
    if items.len() <= HEAD + TAIL + 1 {
        return items;
    }
    let end = items.len() - TAIL;
    let gap = items[HEAD].first()..items[end - 1].last() + 1;
    items.splice(HEAD..end, [Item::Gap(gap)]);
    items
}

impl Item {
    fn first(&self) -> usize {
        match self {
            Item::Row(row) => *row,
            Item::Again { rows, .. } | Item::Alone(rows) | Item::Gap(rows) => rows.start,
        }
    }

    fn last(&self) -> usize {
        match self {
            Item::Row(row) => *row,
            Item::Again { rows, .. } | Item::Alone(rows) | Item::Gap(rows) => rows.end - 1,
        }
    }
}

impl Outline<'_> {
    /// What variables hold after rows that are left out: the last values of those that got one there.
    pub(super) fn values_after(&self, program: &Program, rows: &Range<usize>) -> String {
        let mut shared: BTreeMap<(VariableId, usize), u128> = BTreeMap::new();
        let mut own: BTreeMap<(u32, (VariableId, usize)), u128> = BTreeMap::new();
        for row in &self.rows[rows.clone()] {
            shared.extend(row.shared.iter().map(|(&place, &value)| (place, value)));
            own.extend(row.own.iter().map(|(&place, &value)| ((row.thread, place), value)));
        }
        let is_told = |id: VariableId| !program.variable(id).is_ghost;
        let shared = shared.iter().filter(|((id, _), _)| is_told(*id));
        let shared = shared.map(|(&(id, element), &value)| values::assignment(program, id, element, value));
        let own = own
            .iter()
            .filter(|((_, (id, _)), _)| is_told(*id))
            .map(|(&(_, (id, element)), &value)| values::assignment(program, id, element, value));
        let all: Vec<String> = shared.chain(own).collect();
        let more = if all.len() > MOST_VALUES { ", …" } else { "" };
        let shown = all.into_iter().take(MOST_VALUES).collect::<Vec<_>>().join(", ");
        if shown.is_empty() { shown } else { format!("then {shown}{more}") }
    }

    /// The lines of the source that rows are about: `20..31`.
    pub(super) fn lines(&self, program: &Program, rows: &Range<usize>) -> String {
        let lines =
            self.rows[rows.clone()].iter().filter_map(|row| Some(program.site(row.site?).position.line));
        let (first, last) = lines.fold((u32::MAX, 0), |(low, high), line| (low.min(line), high.max(line)));
        if first == last { format!("{first}") } else { format!("{first}..{last}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(thread: u32, site: usize) -> Row {
        Row { thread, site: Some(SiteId::new(site)), ..Row::default() }
    }

    #[test]
    fn rounds_are_told_once() {
        let mut list = vec![row(1, 0)];
        for _ in 0..400 {
            list.extend([row(1, 1), row(2, 2), row(1, 3)]);
        }
        list.push(row(2, 4));
        let rows: Vec<&Row> = list.iter().collect();
        let expected = vec![
            Item::Row(0),
            Item::Row(1),
            Item::Row(2),
            Item::Row(3),
            Item::Again { rows: 4..1201, times: 399 },
            Item::Row(1201),
        ];
        assert_eq!(rounds(&rows), expected);
        // Two rounds are quicker read than explained.
        assert!(rounds(&rows[1..7]).iter().all(|item| matches!(item, Item::Row(_))));
    }

    #[test]
    fn what_a_thread_does_alone_is_one_line_and_the_middle_of_much_is_left_out() {
        let list: Vec<Row> = (0..20).map(|site| row(1 + u32::from(site >= 12), site as usize)).collect();
        let rows: Vec<&Row> = list.iter().collect();
        let items = alone(&rows, (0..20).map(Item::Row).collect());
        assert_eq!(items, [Item::Alone(0..12), Item::Alone(12..20)]);
        let few = alone(&rows, (8..16).map(Item::Row).collect());
        assert_eq!(few, (8..16).map(Item::Row).collect::<Vec<_>>());
        let long = shorten((0..500).map(Item::Row).collect());
        assert_eq!(long.len(), HEAD + TAIL + 1);
        assert_eq!(long[HEAD], Item::Gap(HEAD..500 - TAIL));
    }
}
