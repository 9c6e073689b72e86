//! Sets of thread states, as one decision diagram for each location.
//!
//! A thread state is a valuation of the shared variables together with one thread: its location and the values of the
//! variables that it can read there, those of the functions that it is in. Other variables of the thread do not count.

use crate::cover::{Literals, cover};
use crate::relation::{Owner, Slot, Slots};
use biodivine_lib_bdd::{Bdd, BddVariable};
use std::ops::{Shl, Shr};
use throng_base::{Budget, StopReason};
use throng_boolprog::Cube;
use throng_boolprog::flow::{Effect, LocationId, Program};

/// The diagram variables of thread states, before and after a step; of a passive thread as well.
#[derive(Debug)]
pub(crate) struct Space<'p> {
    pub(crate) program: &'p Program,
    pub(crate) slots: Slots,
    /// By location, the local variables that count.
    scopes: Vec<Vec<u32>>,
    /// By location, its place in an order in which loops apart everybody comes after all whence steps lead to them.
    ranks: Vec<u32>,
}

impl<'p> Space<'p> {
    /// The space of a program; `None` if it has too many variables.
    pub(crate) fn new(program: &'p Program) -> Option<Self> {
        let both = |owner, variable| [false, true].map(|is_new| Slot { owner, variable, is_new });
        let shared = (0..=program.atomic_bit()).flat_map(|variable| both(Owner::Shared, variable));
        let locals = 0..u32::try_from(program.locals().len()).ok()?;
        let locals = locals.flat_map(|variable| {
            both(Owner::Own, variable).into_iter().chain(both(Owner::Passive, variable))
        });
        let all: Vec<Slot> = shared.chain(locals).collect();
        let scope = |location| {
            let functions: Vec<_> = program.functions_at(location).collect();
            let variables = (0_u32..).zip(program.locals());
            let seen = variables.filter(|(_, it)| it.function.is_none_or(|it| functions.contains(&it)));
            seen.map(|(index, _)| index).collect()
        };
        let scopes = LocationId::all(program.locations().len()).map(scope).collect();
        let is_small = all.len() < usize::from(u16::MAX);
        is_small.then(|| Self { program, slots: Slots::new(all), scopes, ranks: ranks(program) })
    }

    /// See `ranks`. Whoever is lower should be looked at first: then others find more at once.
    pub(crate) fn rank(&self, location: LocationId) -> u32 {
        self.ranks[location.index()]
    }

    /// The local variables that count at a location.
    pub(crate) fn scope(&self, location: LocationId) -> &[u32] {
        &self.scopes[location.index()]
    }

    pub(crate) fn variable(&self, owner: Owner, variable: u32, is_new: bool) -> BddVariable {
        let slot = Slot { owner, variable, is_new };
        self.slots.get(slot).expect("INVARIANT: every variable of the program has a slot")
    }

    pub(crate) fn atomic_bit(&self) -> BddVariable {
        self.variable(Owner::Shared, self.program.atomic_bit(), false)
    }

    /// The thread states at a location that two cubes stand for.
    pub(crate) fn product(&self, location: LocationId, shared: &Cube, locals: &Cube) -> Bdd {
        let (bit, scope) = (self.program.atomic_bit(), self.scope(location));
        let shared = shared.restricted(|variable| variable != bit);
        let locals = locals.restricted(|variable| scope.binary_search(&variable).is_ok());
        let shared = shared.iter().map(|(it, value)| (self.variable(Owner::Shared, it, false), value));
        let locals = locals.iter().map(|(it, value)| (self.variable(Owner::Own, it, false), value));
        let literals: Literals = shared.chain(locals).collect();
        self.slots.always().select(&literals)
    }

    /// Forgets the values of local variables that do not count at a location.
    pub(crate) fn in_scope(&self, location: LocationId, states: &Bdd) -> Bdd {
        let scope = self.scope(location);
        let others = self.slots.iter().filter(|(_, slot)| {
            slot.owner == Owner::Own && !slot.is_new && scope.binary_search(&slot.variable).is_err()
        });
        let others: Vec<BddVariable> = others.map(|(variable, _)| variable).collect();
        states.exists(&others)
    }

    /// The cubes of a diagram over shared and own variables before a step.
    pub(crate) fn cubes(&self, states: &Bdd) -> Vec<(Cube, Cube)> {
        let cube = |literals: Literals| {
            let (mut shared, mut locals) = (Cube::any(), Cube::any());
            for (variable, value) in literals {
                let slot = self.slots.all[variable.to_index()];
                match slot.owner {
                    Owner::Shared => shared.set(slot.variable, value),
                    Owner::Own | Owner::Passive => locals.set(slot.variable, value),
                }
            }
            (shared, locals)
        };
        cover(states).into_iter().map(cube).collect()
    }
}

/// The reverse of the order in which a walk leaves locations for good.
fn ranks(program: &Program) -> Vec<u32> {
    let next = |at: LocationId| -> Vec<LocationId> {
        let edges = program.outgoing(at).iter();
        let ends = edges.flat_map(|edge| match edge.effect {
            Effect::Start { at, .. } => [edge.to, Some(at)],
            Effect::None | Effect::Assign(_) => [edge.to, None],
        });
        ends.flatten().collect()
    };
    let n_locations = program.locations().len();
    let (mut ranks, mut last) = (vec![0; n_locations], n_locations as u32);
    let mut met = vec![false; n_locations];
    met[program.entry().index()] = true;
    let mut path = vec![(program.entry(), next(program.entry()))];
    while let Some((at, rest)) = path.last_mut() {
        if let Some(to) = rest.pop() {
            if !std::mem::replace(&mut met[to.index()], true) {
                path.push((to, next(to)));
            }
        } else {
            last = last.saturating_sub(1);
            ranks[at.index()] = last;
            path.pop();
        }
    }
    ranks
}

/// By location, pairs of cubes over shared and over local variables.
pub(crate) type CubesAt = Vec<(LocationId, Vec<(Cube, Cube)>)>;

/// A set of thread states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateSet {
    /// By location, over shared variables and own variables that count there; not over the atomic bit.
    pub(crate) at: Vec<Bdd>,
}

impl StateSet {
    pub(crate) fn empty(space: &Space<'_>) -> Self {
        Self { at: vec![space.slots.always().not(); space.program.locations().len()] }
    }

    /// What diagrams over variables that count stand for.
    pub(crate) fn of(space: &Space<'_>, seen: Vec<(LocationId, Bdd)>) -> Self {
        let mut all = Self::empty(space);
        all.add_all(seen);
        all
    }

    /// Adds diagrams over variables that count. Many small ones are joined before they meet large ones.
    pub(crate) fn add_all(&mut self, mut seen: Vec<(LocationId, Bdd)>) {
        seen.sort_by_key(|(location, _)| *location);
        for here in seen.chunk_by(|a, b| a.0 == b.0) {
            let mut level: Vec<Bdd> = here.iter().map(|(_, states)| states.clone()).collect();
            while level.len() > 1 {
                level = level
                    .chunks(2)
                    .map(|pair| pair.iter().skip(1).fold(pair[0].clone(), |a, b| a.or(b)))
                    .collect();
            }
            if let (Some((location, _)), Some(all)) = (here.first(), level.first()) {
                let at = &mut self.at[location.index()];
                *at = at.or(all);
            }
        }
    }

    pub(crate) fn union(&mut self, other: &Self) {
        for (at, more) in self.at.iter_mut().zip(&other.at) {
            *at = at.or(more);
        }
    }

    /// What is in this set and not in the other.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self { at: self.at.iter().zip(&other.at).map(|(at, less)| at.and_not(less)).collect() }
    }

    pub(crate) fn common(&self, other: &Self) -> Self {
        Self { at: self.at.iter().zip(&other.at).map(|(at, also)| at.and(also)).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at.iter().all(Bdd::is_false)
    }

    /// The locations with their thread states, as cubes.
    pub(crate) fn cubes(&self, space: &Space<'_>) -> CubesAt {
        self.cubes_within(space, &Budget::unlimited()).unwrap_or_default()
    }

    /// The same within a budget.
    pub(crate) fn cubes_within(&self, space: &Space<'_>, budget: &Budget) -> Result<CubesAt, StopReason> {
        let ids = LocationId::all(self.at.len()).zip(&self.at).filter(|(_, at)| !at.is_false());
        ids.map(|(location, at)| budget.check().map(|()| (location, space.cubes(at)))).collect()
    }

    /// How many thread states there are; saturates.
    pub(crate) fn count(&self, space: &Space<'_>) -> u128 {
        let ids = LocationId::all(self.at.len()).zip(&self.at);
        let counts = ids.map(|(location, at)| {
            number(at, space, space.program.shared().len() + space.scope(location).len())
        });
        counts.fold(0, u128::saturating_add)
    }

    /// How many local states occur in some thread state; saturates.
    pub(crate) fn count_locals(&self, space: &Space<'_>) -> u128 {
        let shared = (0..=space.program.atomic_bit()).map(|it| space.variable(Owner::Shared, it, false));
        let shared: Vec<BddVariable> = shared.collect();
        let ids = LocationId::all(self.at.len()).zip(&self.at);
        let counts =
            ids.map(|(location, at)| number(&at.exists(&shared), space, space.scope(location).len()));
        counts.fold(0, u128::saturating_add)
    }
}

/// The number of valuations of so many variables, which are all that a diagram mentions.
fn number(diagram: &Bdd, space: &Space<'_>, variables: usize) -> u128 {
    let all = diagram.exact_cardinality();
    u128::try_from(all.shr(space.slots.all.len() - variables)).unwrap_or(u128::MAX)
}

/// How many local states a program has, occupied or not; saturates.
pub(crate) fn all_locals(space: &Space<'_>) -> u128 {
    let counts = LocationId::all(space.program.locations().len()).map(|location| {
        let bits = space.scope(location).len();
        if bits < 128 { 1_u128.shl(bits) } else { u128::MAX }
    });
    counts.fold(0, u128::saturating_add)
}
