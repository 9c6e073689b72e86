//! Is every configuration of a region excluded? Inclusion in ↑U, decided by splitting.
//!
//! A *region* is a pattern, with the atomic bit in its shared part wherever it is known. It stands for all configurations
//! that fit it; those that contradict the atomic bit do not exist. ↑U, the configurations that fit an element, is closed
//! under more threads, so a region is in ↑U iff its smallest configurations are: those without further threads, except
//! for one at an atomic location where the bit is 1 and the region does not mention it.
//!
//! If some element includes the region (its literals are among the region's, its threads are different threads of the
//! region), it is. Otherwise, if a smallest configuration is in ↑U, it fits an element that *meets* the region: no
//! literal contradicts. The region is split on something that this element says and the region leaves open: a
//! shared variable, the bit, where the atomic thread is, a local variable. If no element meets the region, it is a
//! counterexample, and a smallest configuration of it exists. Every split makes the region say more, so this ends. It
//! is exact; a bad case has exponentially many parts, which the budget bounds.
//!
//! All of this is about configurations without threads at locations that are passed through (`through`).
//!
//! Elements are found by the locations of their threads: the key of an element that includes or meets a region is a
//! sub-multiset of the region's locations, apart from an atomic thread that the region does not mention.

use super::matching;
use super::scene::Budget;
use super::through::Through;
use crate::verdict::Trouble;
use std::collections::{BTreeSet, HashMap};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// Regions with more threads than this are compared with all elements: they have too many sub-multisets.
const MAX_SUBSETS_OF: usize = 10;

/// The elements of a proof, for finding those that include or meet a region.
#[derive(Debug)]
pub(super) struct Excluded<'p> {
    program: &'p Program,
    /// Without the bit where a thread says that it is 1.
    elements: Vec<Pattern>,
    /// By the locations of all threads.
    by_locations: HashMap<Vec<LocationId>, Vec<usize>>,
    /// Those with an atomic thread, by the locations of the others.
    by_others: HashMap<Vec<LocationId>, Vec<usize>>,
    /// Where an atomic thread can be.
    atomic_locations: Vec<LocationId>,
}

/// Something to split a region on.
#[derive(Clone, Copy, Debug)]
enum Open {
    Shared(u32),
    /// Where the atomic thread is.
    Atomic,
    /// A variable of a thread.
    Local(usize, u32),
}

impl<'p> Excluded<'p> {
    /// Elements that stand for no configuration are forgotten.
    pub(super) fn new(
        program: &'p Program,
        through: &Through<'_>,
        elements: impl IntoIterator<Item = Pattern>,
    ) -> Self {
        let is_atomic = |&at: &LocationId| program.location(at).is_atomic;
        let locations = LocationId::all(program.locations().len()).filter(|&at| !through.contains(at));
        let mut excluded = Self {
            program,
            elements: Vec::new(),
            by_locations: HashMap::new(),
            by_others: HashMap::new(),
            atomic_locations: locations.filter(is_atomic).collect(),
        };
        for element in elements {
            let Some(mut element) = excluded.region(element) else { continue };
            let number = excluded.elements.len();
            element.threads.sort_unstable();
            let locations: Vec<LocationId> = element.threads.iter().map(|thread| thread.location).collect();
            let others: Vec<LocationId> = locations.iter().copied().filter(|at| !is_atomic(at)).collect();
            if others.len() < locations.len() {
                element.shared.clear(program.atomic_bit());
                excluded.by_others.entry(others).or_default().push(number);
            }
            excluded.by_locations.entry(locations).or_default().push(number);
            excluded.elements.push(element);
        }
        excluded
    }

    /// The region with what follows from the atomic bit; `None` if no configuration fits it.
    pub(super) fn region(&self, mut pattern: Pattern) -> Option<Pattern> {
        let bit = self.program.atomic_bit();
        let is_atomic = |thread: &&ThreadPattern| self.program.location(thread.location).is_atomic;
        match (pattern.threads.iter().filter(is_atomic).count(), pattern.shared.get(bit)) {
            (0, Some(true)) => (!self.atomic_locations.is_empty()).then_some(pattern),
            (0, _) => Some(pattern),
            (1, None | Some(true)) => {
                pattern.shared.set(bit, true);
                Some(pattern)
            }
            _ => None,
        }
    }

    /// A part of the region in which no configuration is excluded, if there is one.
    pub(super) fn find_outside(
        &self,
        pattern: Pattern,
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Trouble> {
        let mut pending: Vec<Pattern> = self.region(pattern).into_iter().collect();
        while let Some(mut part) = pending.pop() {
            budget.spend()?;
            part.threads.sort_unstable();
            match self.look_at(&part) {
                Some(None) => {}
                Some(Some(open)) => self.split(&part, open, &mut pending),
                None => return Ok(Some(part)),
            }
        }
        Ok(None)
    }

    /// `Some(None)` if some element includes the region, what to split on if one meets it, and `None` otherwise.
    fn look_at(&self, part: &Pattern) -> Option<Option<Open>> {
        let bit = self.program.atomic_bit();
        let locations: Vec<LocationId> = part.threads.iter().map(|thread| thread.location).collect();
        let mut best: Option<(usize, Open)> = None;
        let includes = self.find(&self.by_locations, &locations, &mut |element| {
            let Some((missing, open)) = compare(element, part) else { return false };
            let Some(open) = open else { return true };
            if best.is_none_or(|(least, _)| missing < least) {
                best = Some((missing, open));
            }
            false
        });
        if includes {
            return Some(None);
        }
        let has_atomic = locations.iter().any(|&at| self.program.location(at).is_atomic);
        if best.is_none() && !has_atomic && part.shared.get(bit) != Some(false) {
            self.find(&self.by_others, &locations, &mut |element| {
                let others =
                    element.threads.iter().filter(|it| !self.program.location(it.location).is_atomic);
                let others = Pattern { shared: element.shared.clone(), threads: others.cloned().collect() };
                if compare(&others, part).is_some() {
                    let open = if part.shared.get(bit).is_none() { Open::Shared(bit) } else { Open::Atomic };
                    best = Some((0, open));
                }
                best.is_some()
            });
        }
        best.map(|(_, open)| Some(open))
    }

    /// Whether `test` says yes to one of the elements whose key is among these locations, which are sorted.
    fn find(
        &self,
        map: &HashMap<Vec<LocationId>, Vec<usize>>,
        locations: &[LocationId],
        test: &mut dyn FnMut(&Pattern) -> bool,
    ) -> bool {
        if locations.len() > MAX_SUBSETS_OF {
            return self.elements.iter().any(test);
        }
        // Sub-multisets, each once: a location is left out before its repetitions are.
        let mut keys: BTreeSet<Vec<LocationId>> = BTreeSet::from([Vec::new()]);
        for &location in locations {
            let longer: Vec<Vec<LocationId>> =
                keys.iter().map(|key| [&key[..], &[location]].concat()).collect();
            keys.extend(longer);
        }
        let numbers = keys.iter().filter_map(|key| map.get(key)).flatten();
        numbers.into_iter().any(|&number| test(&self.elements[number]))
    }

    /// The parts of a region that stand for it together.
    fn split(&self, part: &Pattern, open: Open, pending: &mut Vec<Pattern>) {
        match open {
            Open::Shared(index) => pending.extend([false, true].into_iter().filter_map(|value| {
                let shared = part.shared.clone().with(index, value);
                self.region(Pattern { shared, threads: part.threads.clone() })
            })),
            Open::Atomic => pending.extend(self.atomic_locations.iter().map(|&location| {
                let mut part = part.clone();
                part.threads.push(ThreadPattern { location, locals: Cube::any() });
                part
            })),
            Open::Local(thread, index) => pending.extend([false, true].map(|value| {
                let mut part = part.clone();
                part.threads[thread].locals.set(index, value);
                part
            })),
        }
    }
}

/// `None` if the element does not meet the region; otherwise how many of its literals the region leaves open, and one of
/// them. If there is none, it includes the region.
fn compare(element: &Pattern, part: &Pattern) -> Option<(usize, Option<Open>)> {
    if !element.shared.meets(&part.shared) || element.threads.len() > part.threads.len() {
        return None;
    }
    let capacities = vec![1; part.threads.len()];
    let pair = |demand: usize, kind: usize| (&element.threads[demand], &part.threads[kind]);
    let same_place = |demand, kind| {
        let (wanted, thread) = pair(demand, kind);
        wanted.location == thread.location
    };
    let n_threads = element.threads.len();
    let shared_included = element.shared.includes(&part.shared);
    let includes = |demand, kind| {
        let (wanted, thread) = pair(demand, kind);
        same_place(demand, kind) && wanted.locals.includes(&thread.locals)
    };
    if shared_included && matching::exists(n_threads, &capacities, includes) {
        return Some((0, None));
    }
    let meets = |demand, kind| {
        let (wanted, thread) = pair(demand, kind);
        same_place(demand, kind) && wanted.locals.meets(&thread.locals)
    };
    let given = matching::find(n_threads, &capacities, meets)?;
    let shared = element.shared.iter().map(|(index, _)| index);
    let shared = shared.filter(|&index| part.shared.get(index).is_none()).map(Open::Shared);
    let locals = given.iter().enumerate().flat_map(|(kind, demands)| {
        let wanted = demands.iter().flat_map(|&demand| element.threads[demand].locals.iter());
        let missing = wanted.filter(move |&(index, _)| part.threads[kind].locals.get(index).is_none());
        missing.map(move |(index, _)| Open::Local(kind, index))
    });
    let open: Vec<Open> = shared.chain(locals).collect();
    Some((open.len(), open.first().copied()))
}
