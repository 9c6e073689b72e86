//! Is every configuration of a set inside of a cover set? Inclusion in ↓E, decided by splitting.
//!
//! A [`Crowd`] stands for all configurations whose shared valuation agrees with its cube and whose threads can be assigned
//! to its groups: a group is a location, a cube of local variables and how many threads it takes at most, perhaps ω. The
//! elements of a cover set are crowds, and ↓E is their union.
//!
//! A crowd is in ↓E if one element includes it: its shared literals are among the crowd's, each group with ω threads
//! is included in a group of the element with ω, and the threads of the other groups find room in groups that include
//! theirs. Otherwise the crowd is split: on a shared variable; or on a variable of a group, where ω threads become ω
//! threads of both halves, and k threads are distributed in all k + 1 ways. When nothing that the elements mention is open
//! any more, all threads of a group are the same as far as elements can tell. Then the crowd is an ideal, and an ideal is in
//! a finite union of ideals only if it is in one of them. So this is exact.
//!
//! Only elements that *may* include a part of the crowd decide what to split on: where no literal contradicts, and
//! every group of the crowd meets groups of the element with enough room.

use super::matching;
use super::scene::Budget;
use crate::bag::{OMEGA, add};
use crate::verdict::Trouble;
use std::collections::HashMap;
use throng_boolprog::{Cube, ThreadPattern};

/// How many threads may be assigned to groups one by one.
const MAX_ASSIGNED: u64 = 2_000;

/// Threads at a location and how many there may be; [`OMEGA`]: any number.
pub(super) type Group = (ThreadPattern, u64);

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    /// Shared variables and the atomic bit.
    pub(super) shared: Cube,
    pub(super) groups: Vec<Group>,
}

impl Crowd {
    /// Groups that are the same become one, empty ones none.
    pub(super) fn merged(mut self) -> Result<Self, Trouble> {
        self.groups.retain(|&(_, count)| count > 0);
        self.groups.sort_unstable();
        let mut groups: Vec<Group> = Vec::with_capacity(self.groups.len());
        for (thread, count) in self.groups {
            match groups.last_mut() {
                Some((last, sum)) if *last == thread => *sum = add(*sum, count)?,
                _ => groups.push((thread, count)),
            }
        }
        Ok(Self { shared: self.shared, groups })
    }
}

/// Something to split a crowd on.
#[derive(Clone, Copy, Debug)]
enum Open {
    Shared(u32),
    /// A variable of a group.
    Local(usize, u32),
}

/// How threads are compared with groups.
type Relation = fn(&Cube, &Cube) -> bool;

/// The elements of a cover set.
#[derive(Debug)]
pub(super) struct Inside {
    elements: Vec<Crowd>,
    /// By the cube of shared variables: most crowds are in an element with the same one.
    by_shared: HashMap<Cube, Vec<usize>>,
}

impl Inside {
    pub(super) fn new(elements: Vec<Crowd>) -> Self {
        let mut by_shared: HashMap<Cube, Vec<usize>> = HashMap::new();
        for (number, element) in elements.iter().enumerate() {
            by_shared.entry(element.shared.clone()).or_default().push(number);
        }
        Self { elements, by_shared }
    }

    /// A part of the crowd that is in no element, if there is one.
    pub(super) fn find_outside(&self, crowd: Crowd, budget: &mut Budget) -> Result<Option<Crowd>, Trouble> {
        let mut pending = vec![crowd];
        while let Some(part) = pending.pop() {
            budget.spend()?;
            let part = part.merged()?;
            if self.includes(&part)? {
                continue;
            }
            match self.open(&part)? {
                Some(open) => split(&part, open, budget, &mut pending)?,
                None => return Ok(Some(part)),
            }
        }
        Ok(None)
    }

    /// Whether one element includes the crowd.
    fn includes(&self, part: &Crowd) -> Result<bool, Trouble> {
        let same = self.by_shared.get(&part.shared).into_iter().flatten();
        let same = same.map(|&number| &self.elements[number]);
        let wider = |element: &&Crowd| element.shared != part.shared && element.shared.includes(&part.shared);
        for element in same.chain(self.elements.iter().filter(wider)) {
            if has_room(element, part, Cube::includes)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Something that an element mentions which may include a part of the crowd, and that the crowd leaves open.
    fn open(&self, part: &Crowd) -> Result<Option<Open>, Trouble> {
        let mut best: Option<(usize, Open)> = None;
        for element in self.elements.iter().filter(|element| element.shared.meets(&part.shared)) {
            if !has_room(element, part, Cube::meets)? {
                continue;
            }
            let mut missing = Vec::new();
            let shared = element.shared.iter().map(|(index, _)| index);
            missing.extend(shared.filter(|&index| part.shared.get(index).is_none()).map(Open::Shared));
            for (number, (thread, _)) in part.groups.iter().enumerate() {
                let there = element.groups.iter().filter(|(it, _)| it.location == thread.location);
                let there = there.filter(|(it, _)| it.locals.meets(&thread.locals));
                let wanted = there.flat_map(|(it, _)| it.locals.iter().map(|(index, _)| index));
                let open = wanted.filter(|&index| thread.locals.get(index).is_none());
                missing.extend(open.map(|index| Open::Local(number, index)));
            }
            if let Some(&first) = missing.first()
                && best.is_none_or(|(least, _)| missing.len() < least)
            {
                best = Some((missing.len(), first));
            }
        }
        Ok(best.map(|(_, open)| open))
    }
}

/// Whether the threads of a crowd find room in groups of an element at the same location with related valuations.
fn has_room(element: &Crowd, part: &Crowd, related: Relation) -> Result<bool, Trouble> {
    let fits = |(wide, _): &Group, (thread, _): &Group| {
        wide.location == thread.location && related(&wide.locals, &thread.locals)
    };
    let (unlimited, limited): (Vec<&Group>, Vec<&Group>) =
        element.groups.iter().partition(|&&(_, count)| count == OMEGA);
    // Every thread of the rest needs a place in a group that is limited.
    let mut rest: Vec<&Group> = Vec::new();
    for group in part.groups.iter().filter(|group| !unlimited.iter().any(|wide| fits(wide, group))) {
        if group.1 == OMEGA || !limited.iter().any(|wide| fits(wide, group)) {
            return Ok(false);
        }
        rest.push(group);
    }
    let capacities: Vec<u64> = limited.iter().map(|&&(_, count)| count).collect();
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.fold(0, u64::saturating_add);
    let n_threads = sum(&mut rest.iter().map(|&&(_, count)| count));
    if n_threads > sum(&mut capacities.iter().copied()) {
        return Ok(false);
    }
    if n_threads > MAX_ASSIGNED {
        return Err(Trouble::TooManyCases);
    }
    let rest: Vec<&Group> = rest.into_iter().flat_map(|group| (0..group.1).map(move |_| group)).collect();
    Ok(matching::exists(rest.len(), &capacities, |demand, kind| fits(limited[kind], rest[demand])))
}

/// The crowds that stand for a crowd together.
fn split(part: &Crowd, open: Open, budget: &mut Budget, pending: &mut Vec<Crowd>) -> Result<(), Trouble> {
    match open {
        Open::Shared(index) => pending.extend([false, true].map(|value| {
            let shared = part.shared.clone().with(index, value);
            Crowd { shared, groups: part.groups.clone() }
        })),
        Open::Local(number, index) => {
            let (thread, count) = &part.groups[number];
            let halves = [false, true].map(|value| ThreadPattern {
                location: thread.location,
                locals: thread.locals.clone().with(index, value),
            });
            for distribution in distributions(&halves, *count, budget)? {
                let mut part = part.clone();
                part.groups.remove(number);
                part.groups.extend(distribution);
                pending.push(part);
            }
        }
    }
    Ok(())
}

/// All ways in which threads can be each in one of several sets, which may overlap: ω threads are ω threads in each.
pub(super) fn distributions(
    sets: &[ThreadPattern],
    count: u64,
    budget: &mut Budget,
) -> Result<Vec<Vec<Group>>, Trouble> {
    let Some((first, rest)) = sets.split_first() else { return Ok(vec![Vec::new()]) };
    if count == OMEGA {
        return Ok(vec![sets.iter().map(|set| (set.clone(), OMEGA)).collect()]);
    }
    if rest.is_empty() {
        return Ok(vec![vec![(first.clone(), count)]]);
    }
    let mut all = Vec::new();
    for here in 0..=count {
        for mut others in distributions(rest, count.saturating_sub(here), budget)? {
            budget.spend()?;
            others.push((first.clone(), here));
            all.push(others);
        }
    }
    Ok(all)
}
