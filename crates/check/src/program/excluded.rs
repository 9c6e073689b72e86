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
//! An element e that demands the bit to be 0 is an element *around* each location ℓ of a section that does not matter to
//! it as well (`idle`): for regions with a thread at ℓ, the same without the bit. It meets a region whose atomic thread is
//! open if it does so without the bit.
//!
//! All of this is about configurations without threads at locations that are passed through (`through`).
//!
//! Elements are found by the locations of their threads: the key of an element that includes or meets a region is a
//! sub-multiset of the region's locations, apart from an atomic thread that the region does not mention.

use super::idle::Idle;
use super::matching;
use super::scene::Budget;
use super::through::Through;
use crate::verdict::Trouble;
use std::collections::{BTreeSet, HashMap, HashSet};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// Regions with more threads than this are compared with all elements: they have too many sub-multisets.
const MAX_SUBSETS_OF: usize = 10;

/// The elements of a proof, for finding those that include or meet a region.
#[derive(Debug)]
pub(super) struct Excluded<'p> {
    program: &'p Program,
    idle: &'p Idle,
    /// Without the bit where a thread says that it is 1, and with sorted threads.
    elements: Vec<Pattern>,
    /// The shared parts of those that demand the bit to be 0, without it.
    around: Vec<Option<Cube>>,
    /// The same, to find those that are regions themselves: most are.
    exact: HashSet<Pattern>,
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
        idle: &'p Idle,
        elements: impl IntoIterator<Item = Pattern>,
    ) -> Self {
        let is_atomic = |&at: &LocationId| program.location(at).is_atomic;
        let locations = LocationId::all(program.locations().len()).filter(|&at| !through.contains(at));
        let mut excluded = Self {
            program,
            idle,
            elements: Vec::new(),
            around: Vec::new(),
            exact: HashSet::new(),
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
            if excluded.exact.insert(element.clone()) {
                excluded.by_locations.entry(locations).or_default().push(number);
            }
            let bit = program.atomic_bit();
            let around = element.shared.get(bit) == Some(false);
            excluded.around.push(around.then(|| element.shared.restricted(|variable| variable != bit)));
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
        let is_atomic = |thread: &ThreadPattern| self.program.location(thread.location).is_atomic;
        let inside = part.threads.iter().position(is_atomic);
        if self.is_element(part, inside) {
            return Some(None);
        }
        let keys = keys(part);
        let mut near = self.with_keys(&self.by_locations, keys.as_ref());
        let includes = |number: usize| {
            let at = inside.map(|inside| part.threads[inside].location);
            self.shared_for(number, at).includes(&part.shared) && has_threads(&self.elements[number], part)
        };
        if near.any(includes) {
            return Some(None);
        }
        let near = self.with_keys(&self.by_locations, keys.as_ref());
        let missing_of = |number: usize| {
            let at = inside.map(|inside| part.threads[inside].location);
            missing(self.shared_for(number, at), &self.elements[number].threads, part)
        };
        let best = near.filter_map(missing_of).min_by_key(Vec::len);
        if let Some(&open) = best.as_ref().and_then(|missing| missing.first()) {
            return Some(Some(open));
        }
        if inside.is_some() || part.shared.get(bit) == Some(false) {
            return None;
        }
        let open = if part.shared.get(bit).is_none() { Open::Shared(bit) } else { Open::Atomic };
        self.meets_inside(part, keys.as_ref()).then_some(Some(open))
    }

    /// Whether an element meets a region without the atomic thread, which the region does not mention.
    fn meets_inside(&self, part: &Pattern, keys: Option<&BTreeSet<Vec<LocationId>>>) -> bool {
        let is_atomic = |thread: &ThreadPattern| self.program.location(thread.location).is_atomic;
        let with_atomic = |number: usize| {
            let Pattern { shared, threads } = &self.elements[number];
            let others: Vec<ThreadPattern> =
                threads.iter().filter(|&thread| !is_atomic(thread)).cloned().collect();
            missing(shared, &others, part).is_some()
        };
        let around = |number: usize| {
            let shared = self.around[number].as_ref();
            shared.is_some_and(|shared| missing(shared, &self.elements[number].threads, part).is_some())
        };
        self.with_keys(&self.by_others, keys).any(with_atomic)
            || self.with_keys(&self.by_locations, keys).any(around)
    }

    /// What an element says about shared variables where a region has its atomic thread at `inside`, if it has one.
    fn shared_for(&self, number: usize, inside: Option<LocationId>) -> &Cube {
        let around = self.around[number].as_ref();
        let around = around.filter(|shared| inside.is_some_and(|at| self.idle.contains(at, shared)));
        around.unwrap_or(&self.elements[number].shared)
    }

    /// Whether the region, with its atomic thread at `inside`, is an element as it stands, or one around that thread.
    fn is_element(&self, part: &Pattern, inside: Option<usize>) -> bool {
        let Some(inside) = inside else { return self.exact.contains(part) };
        let bit = self.program.atomic_bit();
        let mut part = part.clone();
        part.shared.clear(bit);
        if self.exact.contains(&part) {
            return true;
        }
        let is_idle = self.idle.contains(part.threads[inside].location, &part.shared);
        part.threads.remove(inside);
        part.shared.set(bit, false);
        is_idle && self.exact.contains(&part)
    }

    /// The numbers of the elements with these keys; of all of them if there are no keys.
    fn with_keys<'a>(
        &'a self,
        map: &'a HashMap<Vec<LocationId>, Vec<usize>>,
        keys: Option<&'a BTreeSet<Vec<LocationId>>>,
    ) -> Box<dyn Iterator<Item = usize> + 'a> {
        match keys {
            None => Box::new(0..self.elements.len()),
            Some(keys) => Box::new(keys.iter().filter_map(|key| map.get(key)).flatten().copied()),
        }
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

/// The sub-multisets of the locations of a region with sorted threads; `None` if they are too many.
fn keys(part: &Pattern) -> Option<BTreeSet<Vec<LocationId>>> {
    if part.threads.len() > MAX_SUBSETS_OF {
        return None;
    }
    let mut keys: BTreeSet<Vec<LocationId>> = BTreeSet::from([Vec::new()]);
    for thread in &part.threads {
        let longer: Vec<Vec<LocationId>> =
            keys.iter().map(|key| [&key[..], &[thread.location]].concat()).collect();
        keys.extend(longer);
    }
    Some(keys)
}

/// Whether the threads of an element are different threads of the region, whatever their open variables are.
fn has_threads(element: &Pattern, part: &Pattern) -> bool {
    matching::exists(element.threads.len(), &vec![1; part.threads.len()], |demand, kind| {
        let (wanted, thread) = (&element.threads[demand], &part.threads[kind]);
        wanted.location == thread.location && wanted.locals.includes(&thread.locals)
    })
}

/// The literals of an element with these shared variables and threads that a region leaves open, if the element meets the
/// region. There are some unless it includes the region.
fn missing(shared: &Cube, threads: &[ThreadPattern], part: &Pattern) -> Option<Vec<Open>> {
    if !shared.meets(&part.shared) {
        return None;
    }
    let given = matching::find(threads.len(), &vec![1; part.threads.len()], |demand, kind| {
        let (wanted, thread) = (&threads[demand], &part.threads[kind]);
        wanted.location == thread.location && wanted.locals.meets(&thread.locals)
    })?;
    let shared = shared.iter().map(|(index, _)| index);
    let shared = shared.filter(|&index| part.shared.get(index).is_none()).map(Open::Shared);
    let locals = given.iter().enumerate().flat_map(|(kind, demands)| {
        let wanted = demands.iter().flat_map(|&demand| threads[demand].locals.iter());
        let missing = wanted.filter(move |&(index, _)| part.threads[kind].locals.get(index).is_none());
        missing.map(move |(index, _)| Open::Local(kind, index))
    });
    Some(shared.chain(locals).collect())
}
