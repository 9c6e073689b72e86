//! Sets of valuations as decision diagrams, for [`super`]: plain and of our own, so that nothing is shared with the search.
//!
//! Nodes are numbered in a table in which no two are the same, so equal sets have equal numbers. 0 is the empty set, 1 the
//! full one. Variables are numbers; smaller ones are asked first.

use crate::verdict::Trouble;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of valuations, in a [`Table`].
pub(super) type Set = u32;

pub(super) const EMPTY: Set = 0;
pub(super) const FULL: Set = 1;

/// The variable of the two constants: behind all others.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    /// Where the variable is 0.
    low: Set,
    /// Where it is 1.
    high: Set,
}

/// All nodes, and what was computed since the last clean-up.
#[derive(Debug)]
pub(super) struct Table {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, Set>,
    known: FxHashMap<(Set, Set, Set), Set>,
    most_nodes: usize,
}

type Result<T> = std::result::Result<T, Trouble>;

impl Table {
    /// A table that may have so many nodes.
    pub(super) fn new(most_nodes: usize) -> Self {
        let constant = |value| Node { variable: NONE, low: value, high: value };
        let nodes = vec![constant(EMPTY), constant(FULL)];
        Self { nodes, numbers: FxHashMap::default(), known: FxHashMap::default(), most_nodes }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn variable(&self, set: Set) -> u32 {
        self.nodes[set as usize].variable
    }

    fn node(&mut self, variable: u32, low: Set, high: Set) -> Result<Set> {
        if low == high {
            return Ok(low);
        }
        let node = Node { variable, low, high };
        if let Some(&number) = self.numbers.get(&node) {
            return Ok(number);
        }
        if self.nodes.len() >= self.most_nodes {
            return Err(Trouble::TooManyCases);
        }
        let number = self.nodes.len() as Set;
        self.nodes.push(node);
        self.numbers.insert(node, number);
        Ok(number)
    }

    /// The valuations with this value.
    pub(super) fn literal(&mut self, variable: u32, value: bool) -> Result<Set> {
        if value { self.node(variable, EMPTY, FULL) } else { self.node(variable, FULL, EMPTY) }
    }

    /// The parts of a set where a variable that nothing is asked before is 0 and 1.
    fn parts(&self, set: Set, variable: u32) -> (Set, Set) {
        let node = self.nodes[set as usize];
        if node.variable == variable { (node.low, node.high) } else { (set, set) }
    }

    /// `yes` where `condition` holds, `no` elsewhere.
    pub(super) fn choose(&mut self, condition: Set, yes: Set, no: Set) -> Result<Set> {
        match (condition, yes, no) {
            (FULL, _, _) => return Ok(yes),
            (EMPTY, _, _) => return Ok(no),
            (_, FULL, EMPTY) => return Ok(condition),
            (_, a, b) if a == b => return Ok(a),
            _ => {}
        }
        if let Some(&known) = self.known.get(&(condition, yes, no)) {
            return Ok(known);
        }
        let first = self.variable(condition).min(self.variable(yes)).min(self.variable(no));
        let (c, y, n) = (self.parts(condition, first), self.parts(yes, first), self.parts(no, first));
        let low = self.choose(c.0, y.0, n.0)?;
        let high = self.choose(c.1, y.1, n.1)?;
        let result = self.node(first, low, high)?;
        self.known.insert((condition, yes, no), result);
        Ok(result)
    }

    pub(super) fn and(&mut self, one: Set, other: Set) -> Result<Set> {
        let (one, other) = (one.min(other), one.max(other));
        self.choose(one, other, EMPTY)
    }

    pub(super) fn or(&mut self, one: Set, other: Set) -> Result<Set> {
        let (one, other) = (one.min(other), one.max(other));
        self.choose(one, FULL, other)
    }

    pub(super) fn not(&mut self, set: Set) -> Result<Set> {
        self.choose(set, EMPTY, FULL)
    }

    /// Those of the first that are not in the second.
    pub(super) fn without(&mut self, one: Set, other: Set) -> Result<Set> {
        self.choose(other, EMPTY, one)
    }

    /// Valuations that are in both sets, with any values of the variables that are `lost`.
    pub(super) fn and_any(&mut self, one: Set, other: Set, lost: &dyn Fn(u32) -> bool) -> Result<Set> {
        let mut known = FxHashMap::default();
        self.and_any_known(one, other, lost, &mut known)
    }

    fn and_any_known(
        &mut self,
        one: Set,
        other: Set,
        lost: &dyn Fn(u32) -> bool,
        known: &mut FxHashMap<(Set, Set), Set>,
    ) -> Result<Set> {
        let (one, other) = (one.min(other), one.max(other));
        if one == EMPTY || (one == FULL && other == FULL) {
            return Ok(one);
        }
        if let Some(&set) = known.get(&(one, other)) {
            return Ok(set);
        }
        let first = self.variable(one).min(self.variable(other));
        let (a, b) = (self.parts(one, first), self.parts(other, first));
        let low = self.and_any_known(a.0, b.0, lost, known)?;
        let result = if lost(first) {
            if low == FULL {
                FULL
            } else {
                let high = self.and_any_known(a.1, b.1, lost, known)?;
                self.or(low, high)?
            }
        } else {
            let high = self.and_any_known(a.1, b.1, lost, known)?;
            self.node(first, low, high)?
        };
        known.insert((one, other), result);
        Ok(result)
    }

    /// Any values of the variables that are `lost`.
    pub(super) fn any(&mut self, set: Set, lost: &dyn Fn(u32) -> bool) -> Result<Set> {
        self.and_any(set, FULL, lost)
    }

    /// Other variables instead: no two may get the same name.
    pub(super) fn renamed(&mut self, set: Set, name: &dyn Fn(u32) -> u32) -> Result<Set> {
        let mut known = FxHashMap::default();
        self.renamed_known(set, name, &mut known)
    }

    fn renamed_known(
        &mut self,
        set: Set,
        name: &dyn Fn(u32) -> u32,
        known: &mut FxHashMap<Set, Set>,
    ) -> Result<Set> {
        if set <= FULL {
            return Ok(set);
        }
        if let Some(&renamed) = known.get(&set) {
            return Ok(renamed);
        }
        let Node { variable, low, high } = self.nodes[set as usize];
        let low = self.renamed_known(low, name, known)?;
        let high = self.renamed_known(high, name, known)?;
        let variable = name(variable);
        let result = if variable < self.variable(low) && variable < self.variable(high) {
            self.node(variable, low, high)?
        } else {
            let condition = self.literal(variable, true)?;
            self.choose(condition, high, low)?
        };
        known.insert(set, result);
        Ok(result)
    }

    /// The variables that a set depends on.
    pub(super) fn support(&self, set: Set) -> FxHashSet<u32> {
        let (mut seen, mut pending) = (FxHashSet::default(), vec![set]);
        let mut variables = FxHashSet::default();
        while let Some(set) = pending.pop() {
            if set > FULL && seen.insert(set) {
                let Node { variable, low, high } = self.nodes[set as usize];
                variables.insert(variable);
                pending.extend([low, high]);
            }
        }
        variables
    }

    /// Whether all valuations with these values are in a set.
    pub(super) fn contains(&self, set: Set, values: &dyn Fn(u32) -> Option<bool>) -> bool {
        let (mut seen, mut pending) = (FxHashSet::default(), vec![set]);
        while let Some(set) = pending.pop() {
            if set == EMPTY {
                return false;
            }
            if set != FULL && seen.insert(set) {
                let Node { variable, low, high } = self.nodes[set as usize];
                match values(variable) {
                    Some(value) => pending.push(if value { high } else { low }),
                    None => pending.extend([low, high]),
                }
            }
        }
        true
    }

    /// Forgets everything but these sets, whose numbers change.
    pub(super) fn keep_only<'s>(&mut self, sets: impl Iterator<Item = &'s mut Set>) -> Result<()> {
        let mut fresh = Self::new(self.most_nodes);
        let mut moved: FxHashMap<Set, Set> = FxHashMap::default();
        for set in sets {
            *set = self.moved(*set, &mut fresh, &mut moved)?;
        }
        *self = fresh;
        Ok(())
    }

    fn moved(&self, set: Set, fresh: &mut Self, moved: &mut FxHashMap<Set, Set>) -> Result<Set> {
        if set <= FULL {
            return Ok(set);
        }
        if let Some(&known) = moved.get(&set) {
            return Ok(known);
        }
        let Node { variable, low, high } = self.nodes[set as usize];
        let (low, high) = (self.moved(low, fresh, moved)?, self.moved(high, fresh, moved)?);
        let result = fresh.node(variable, low, high)?;
        moved.insert(set, result);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The valuations of four variables that are in a set, as bits.
    fn table(all: &Table, set: Set) -> u16 {
        let is_in = |bits: u16| all.contains(set, &|it| Some(bits >> it & 1 == 1));
        (0..16).filter(|&bits| is_in(bits)).map(|bits| 1 << bits).sum()
    }

    #[test]
    fn operations_are_those_of_sets() -> Result<()> {
        let mut all = Table::new(1 << 16);
        let mut sets: Vec<Set> = (0..4).map(|it| all.literal(it, true)).collect::<Result<_>>()?;
        // Some sets made of others.
        for round in 0..40 {
            let (a, b) = (sets[round * 7 % sets.len()], sets[round * 5 % sets.len()]);
            let (x, y) = (table(&all, a), table(&all, b));
            let (and, or, not, less) = (all.and(a, b)?, all.or(a, b)?, all.not(a)?, all.without(a, b)?);
            assert_eq!(table(&all, and), x & y);
            assert_eq!(table(&all, or), x | y);
            assert_eq!(table(&all, not), !x);
            assert_eq!(table(&all, less), x & !y);
            let variable = round as u32 % 4;
            let any = all.and_any(a, b, &|it| it == variable)?;
            let both = x & y;
            let other = |bits: u16| bits ^ 1 << variable;
            let expected = (0..16).filter(|&it| both >> it & 1 == 1 || both >> other(it) & 1 == 1);
            assert_eq!(table(&all, any), expected.map(|it| 1_u16 << it).sum::<u16>());
            // Variables change places.
            let swapped = all.renamed(a, &|it| 3 - it)?;
            let mirror = |bits: u16| (0..4).map(|it| (bits >> it & 1) << (3 - it)).sum::<u16>();
            let expected = (0..16_u16).filter(|&it| x >> mirror(it) & 1 == 1);
            assert_eq!(table(&all, swapped), expected.map(|it| 1_u16 << it).sum::<u16>());
            sets.extend([and, or, not, less, any, swapped]);
        }
        let before: Vec<u16> = sets.iter().map(|&set| table(&all, set)).collect();
        all.keep_only(sets.iter_mut())?;
        assert_eq!(sets.iter().map(|&set| table(&all, set)).collect::<Vec<_>>(), before);
        Ok(())
    }

    #[test]
    fn too_many_nodes_are_an_error() {
        let mut all = Table::new(4);
        assert!((0..4).try_for_each(|it| all.literal(it, true).map(drop)).is_err());
    }
}
