//! What is known where: at all times, at locations, at pairs of locations.

use super::lists::{Lists, rank};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{LocationId, Program};

/// A place where facts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// For all states.
    Global,
    /// For each thread at this location.
    At(LocationId),
    /// For any two threads at these locations; in the order of [`rank`].
    Pair(LocationId, LocationId),
}

/// A slot, by its number in [`Slots`].
pub(super) type SlotId = usize;

/// A fact: a candidate of a slot, by its number; or, without one, that nobody stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) slot: SlotId,
    pub(super) candidate: Option<usize>,
}

/// What is known in a slot.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) slot: Slot,
    /// Whether somebody may stand there; until then, everything is known.
    pub(super) is_reachable: bool,
    /// Which candidates hold.
    pub(super) holds: Vec<bool>,
}

/// What is known where.
#[derive(Debug)]
pub(super) struct Slots {
    list: Vec<Known>,
    pairs: FxHashMap<(LocationId, LocationId), SlotId>,
}

impl Slots {
    /// Everything: nothing is reachable.
    pub(super) fn new(program: &Program, lists: &Lists) -> Self {
        let known = |slot, n| Known { slot, is_reachable: false, holds: vec![true; n] };
        let mut list = vec![known(Slot::Global, lists.global.len())];
        for (index, location) in program.locations.iter().enumerate() {
            let n = lists.single[location.template.index()].len();
            list.push(known(Slot::At(LocationId::new(index)), n));
        }
        Self { list, pairs: FxHashMap::default() }
    }

    pub(super) fn get(&self, id: SlotId) -> &Known {
        &self.list[id]
    }

    pub(super) fn get_mut(&mut self, id: SlotId) -> &mut Known {
        &mut self.list[id]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Known> {
        self.list.iter()
    }

    pub(super) fn global(&self) -> SlotId {
        0
    }

    pub(super) fn at(&self, location: LocationId) -> SlotId {
        location.index() + 1
    }

    /// The slot of two locations, whatever their order.
    pub(super) fn pair(&mut self, program: &Program, lists: &Lists, a: LocationId, b: LocationId) -> SlotId {
        let (a, b) = if rank(program, a) <= rank(program, b) { (a, b) } else { (b, a) };
        *self.pairs.entry((a, b)).or_insert_with(|| {
            let n = lists.pair[&(program.location(a).template, program.location(b).template)].len();
            self.list.push(Known { slot: Slot::Pair(a, b), is_reachable: false, holds: vec![true; n] });
            self.list.len() - 1
        })
    }

    /// Whether two threads may stand at these locations.
    pub(super) fn is_pair_reachable(&self, program: &Program, a: LocationId, b: LocationId) -> bool {
        let (a, b) = if rank(program, a) <= rank(program, b) { (a, b) } else { (b, a) };
        self.pairs.get(&(a, b)).is_some_and(|&id| self.list[id].is_reachable)
    }

    /// Whether a fact is known.
    pub(super) fn holds(&self, fact: Fact) -> bool {
        let known = &self.list[fact.slot];
        !known.is_reachable || fact.candidate.is_some_and(|candidate| known.holds[candidate])
    }
}
