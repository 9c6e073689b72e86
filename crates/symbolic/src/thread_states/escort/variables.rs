//! The diagram variables of a thread that is followed and the root.
//!
//! First the bits of the root's location; then for each shared variable its value at some earlier time, now, and after a step;
//! then for each local variable those of the thread that is followed and of the root, now and after a step.

use crate::relation::{Owner, Slot, Slots};
use crate::thread_states::rename::renamed;
use crate::thread_states::sets::Space;
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use rustc_hash::FxHashSet;
use throng_boolprog::flow::LocationId;

/// Whose variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The thread that is followed.
    Own,
    Root,
}

pub(super) struct Variables<'a, 'p> {
    space: &'a Space<'p>,
    set: BddVariableSet,
    n_bits: usize,
    /// Where the root may be, in the order of ranks; nowhere if there is none.
    pub(super) root_locations: Vec<LocationId>,
    /// The same by location.
    pub(super) is_root: Vec<bool>,
    /// By location, its number among these.
    codes: Vec<usize>,
    /// The root is not in an atomic section.
    pub(super) root_is_outside: Bdd,
}

impl<'a, 'p> Variables<'a, 'p> {
    /// `None` if they are too many.
    pub(super) fn new(space: &'a Space<'p>, has_root: bool) -> Option<Self> {
        let program = space.program;
        let (n_shared, n_locals) = (program.shared().len(), program.locals().len());
        let mut is_root = vec![false; program.locations().len()];
        let mut root_locations = Vec::new();
        if has_root {
            is_root[program.entry().index()] = true;
            root_locations.push(program.entry());
            let mut next = 0;
            while let Some(&at) = root_locations.get(next) {
                next += 1;
                for to in program.outgoing(at).iter().filter_map(|edge| edge.to) {
                    if !std::mem::replace(&mut is_root[to.index()], true) {
                        root_locations.push(to);
                    }
                }
            }
        }
        root_locations.sort_unstable_by_key(|&at| space.rank(at));
        let mut codes = vec![0; program.locations().len()];
        // Zero is for a root that has ended.
        (1..).zip(&root_locations).for_each(|(code, at)| codes[at.index()] = code);
        let n_bits = (root_locations.len() + 1).next_power_of_two().trailing_zeros() as usize;
        let n_bits = if has_root { n_bits } else { 0 };
        let count = n_bits + 3 * n_shared + 4 * n_locals;
        let set = BddVariableSet::new_anonymous(u16::try_from(count).ok().filter(|&it| it < u16::MAX)?);
        let root_is_outside = set.mk_true();
        let mut variables = Self { space, set, n_bits, root_locations, is_root, codes, root_is_outside };
        let inside = variables.root_locations.iter().filter(|&&at| program.location(at).is_atomic);
        let inside: Vec<Bdd> = inside.map(|&at| variables.root_at(&variables.always(), Some(at))).collect();
        variables.root_is_outside = inside.iter().fold(variables.always(), |all, inside| all.and_not(inside));
        Some(variables)
    }

    pub(super) fn has_root(&self) -> bool {
        !self.root_locations.is_empty()
    }

    pub(super) fn always(&self) -> Bdd {
        self.set.mk_true()
    }

    fn n_shared(&self) -> usize {
        self.space.program.shared().len()
    }

    pub(super) fn earlier(&self, variable: u32) -> BddVariable {
        BddVariable::from_index(self.n_bits + 3 * variable as usize)
    }

    pub(super) fn shared(&self, variable: u32, is_new: bool) -> BddVariable {
        BddVariable::from_index(self.n_bits + 3 * variable as usize + 1 + usize::from(is_new))
    }

    pub(super) fn local(&self, place: Place, variable: u32, is_new: bool) -> BddVariable {
        let offset = if place == Place::Own { 0 } else { 2 };
        let first = self.n_bits + 3 * self.n_shared() + 4 * variable as usize;
        BddVariable::from_index(first + offset + usize::from(is_new))
    }

    fn of(&self, place: Place, owner: Owner, variable: u32, is_new: bool) -> BddVariable {
        match owner {
            Owner::Shared => self.shared(variable, is_new),
            Owner::Own | Owner::Passive => self.local(place, variable, is_new),
        }
    }

    /// What the diagram variables are for a step of a thread in a place.
    pub(super) fn slots(&self, place: Place) -> Slots {
        self.slots_of(|variable, is_new| self.local(place, variable, is_new))
    }

    /// The same for the root when it starts a thread that is followed: new values are those of the new thread.
    pub(super) fn slots_of_start(&self) -> Slots {
        self.slots_of(|variable, is_new| {
            let place = if is_new { Place::Own } else { Place::Root };
            self.local(place, variable, false)
        })
    }

    fn slots_of(&self, own: impl Fn(u32, bool) -> BddVariable) -> Slots {
        let count = self.n_bits + 3 * self.n_shared() + 4 * self.space.program.locals().len();
        // Slots that nobody asks for have numbers that no variable has.
        let unused =
            |index: usize| Slot { owner: Owner::Passive, variable: u32::MAX - index as u32, is_new: false };
        let mut all: Vec<Slot> = (0..count).map(unused).collect();
        for is_new in [false, true] {
            for variable in 0..self.n_shared() as u32 {
                all[self.shared(variable, is_new).to_index()] =
                    Slot { owner: Owner::Shared, variable, is_new };
            }
            for variable in 0..self.space.program.locals().len() as u32 {
                all[own(variable, is_new).to_index()] = Slot { owner: Owner::Own, variable, is_new };
            }
        }
        Slots::new(all)
    }

    /// New values take the place of old ones.
    pub(super) fn advanced(&self, possible: &Bdd, targets: &[(Owner, u32)], place: Place) -> Bdd {
        if targets.is_empty() {
            return possible.clone();
        }
        let old: Vec<BddVariable> =
            targets.iter().map(|&(owner, variable)| self.of(place, owner, variable, false)).collect();
        let new: FxHashSet<BddVariable> =
            targets.iter().map(|&(owner, variable)| self.of(place, owner, variable, true)).collect();
        self.renewed(&self.dropped(possible, |it| old.contains(&it)), |it| new.contains(&it))
    }

    /// New values as those of now.
    pub(super) fn renewed(&self, kept: &Bdd, is_new: impl Fn(BddVariable) -> bool) -> Bdd {
        renamed(kept, usize::from(self.set.num_vars()), |it| {
            if is_new(it) { BddVariable::from_index(it.to_index() - 1) } else { it }
        })
    }

    /// Each of some variables as the next one.
    pub(super) fn shifted(&self, states: &Bdd, is_moved: impl Fn(BddVariable) -> bool) -> Bdd {
        renamed(states, usize::from(self.set.num_vars()), |it| {
            if is_moved(it) { BddVariable::from_index(it.to_index() + 1) } else { it }
        })
    }

    /// Without some variables.
    pub(super) fn dropped(&self, states: &Bdd, is_lost: impl Fn(BddVariable) -> bool) -> Bdd {
        let lost: Vec<BddVariable> = states.support_set().into_iter().filter(|&it| is_lost(it)).collect();
        if lost.is_empty() { states.clone() } else { states.exists(&lost) }
    }

    /// Whose local variable a diagram variable is, and which one.
    fn meaning(&self, variable: BddVariable) -> Option<(Place, u32)> {
        let index = variable.to_index().checked_sub(self.n_bits + 3 * self.n_shared())?;
        Some((if index % 4 < 2 { Place::Own } else { Place::Root }, (index / 4) as u32))
    }

    /// Whether nothing is mentioned but variables of the thread that is followed.
    pub(super) fn is_only_own(&self, states: &Bdd) -> bool {
        states
            .support_set()
            .into_iter()
            .all(|it| self.meaning(it).is_some_and(|(owner, _)| owner == Place::Own))
    }

    /// Without the variables of a thread.
    pub(super) fn without(&self, states: &Bdd, place: Place) -> Bdd {
        self.dropped(states, |it| self.meaning(it).is_some_and(|(owner, _)| owner == place))
    }

    /// Without the root and where it is.
    pub(super) fn without_root(&self, states: &Bdd) -> Bdd {
        self.dropped(states, |it| {
            it.to_index() < self.n_bits || self.meaning(it).is_some_and(|(owner, _)| owner == Place::Root)
        })
    }

    /// Without the variables of a thread that do not count at its location.
    pub(super) fn in_scope(&self, states: &Bdd, place: Place, at: LocationId) -> Bdd {
        let scope = self.space.scope(at);
        self.dropped(states, |it| {
            let meaning = self.meaning(it).filter(|&(owner, _)| owner == place);
            meaning.is_some_and(|(_, variable)| scope.binary_search(&variable).is_err())
        })
    }

    fn code(&self, at: Option<LocationId>) -> Vec<(BddVariable, bool)> {
        let code = at.map_or(0, |at| self.codes[at.index()]);
        (0..self.n_bits).map(|bit| (BddVariable::from_index(bit), code >> bit & 1 == 1)).collect()
    }

    /// The part in which the root is at a location, which is not mentioned any more.
    pub(super) fn with_root_at(&self, states: &Bdd, at: LocationId) -> Bdd {
        states.restrict(&self.code(Some(at)))
    }

    /// The root is at a location from now on, or has ended.
    pub(super) fn root_at(&self, states: &Bdd, at: Option<LocationId>) -> Bdd {
        states.select(&self.code(at))
    }

    /// What a thread sees: only shared variables and those of its place are mentioned.
    pub(super) fn seen(&self, states: &Bdd, place: Place) -> Bdd {
        let states = match place {
            Place::Own => states.clone(),
            Place::Root => self.without(states, Place::Own),
        };
        renamed(&states, self.space.slots.all.len(), |it| match self.meaning(it) {
            Some((_, variable)) => self.space.variable(Owner::Own, variable, false),
            None => {
                let variable = (it.to_index() - self.n_bits) / 3;
                self.space.variable(Owner::Shared, variable as u32, false)
            }
        })
    }
}
