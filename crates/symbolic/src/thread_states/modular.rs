//! A superset of the reachable thread states: each thread by itself, in the company of others.
//!
//! For every location there is a set of valuations of shared variables, atomic bit included, and of the thread's own. It
//! contains what threads start with and is closed under the steps of each thread, of threads that it starts, and of others
//! that can be at other locations at the same time (`company`): these change the shared variables, and by broadcasts the
//! thread's own (`disturb`). So if somebody asks for what is outside, the cubes outside and the pairs of locations that are
//! never together are a proof: whoever is in one was, a step before, in one, or another thread was.
//!
//! An edge is *smooth* if what others do at both of its ends is the same and independent of it (`footprint`). Then they may
//! act before the step instead of after it: where threads come only by smooth edges, nothing is left for others to do,
//! and an atomic section that another thread is in may as well begin after the step. That is so for runs; what others may
//! see here is a superset, which need not contain what was before the step. So at the end everybody feels what
//! others do, except after edges that have nothing to do with shared variables.

mod company;
mod disturb;
mod stations;
mod superset;

use super::footprint::{Footprint, is_plain};
use super::rename::{renamed, simpler};
use super::sets::{Space, StateSet};
use crate::relation::{Owner, Parts, assigned, written};
use crate::rules::bits;
use biodivine_lib_bdd::{Bdd, BddVariable};
use company::{Company, Views};
use disturb::{Class, Influence, Kind};
use rustc_hash::FxHashMap;
use stations::Stations;
use std::collections::BTreeSet;
pub(crate) use superset::Superset;
use throng_base::{Budget, StopReason};
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, Program};

/// What threads may see.
pub(crate) fn may_reach(
    space: &Space<'_>,
    threads: InitThreads,
    budget: &Budget,
) -> Result<Superset, StopReason> {
    let program = space.program;
    let mut search = Search::new(space, threads, budget)?;
    if threads != InitThreads::Exactly(0) {
        let start = space.slots.always().var_select(space.atomic_bit(), false);
        search.join(program.entry(), &start);
    }
    loop {
        while let Some((rank, location)) = search.waiting.pop_first() {
            search.feel(location)?;
            search.waiting.remove(&(rank, location));
            search.expand(location)?;
        }
        search.keep_company()?;
        search.look_around();
        if search.waiting.is_empty() && !search.disturb()? {
            if !search.is_thorough {
                search.is_thorough = true;
                search.look_around();
                continue;
            }
            let Search { at, company, stations, footprints, .. } = search;
            return Ok(Superset { at, company, stations, footprints });
        }
    }
}

/// Without the atomic bit.
pub(crate) fn thread_states(space: &Space<'_>, at: &[Bdd]) -> StateSet {
    StateSet { at: at.iter().map(|states| states.exists(&[space.atomic_bit()])).collect() }
}

struct Search<'a, 'p> {
    space: &'a Space<'p>,
    budget: &'a Budget,
    parts: Vec<Parts>,
    footprints: Vec<Footprint>,
    at: Vec<Bdd>,
    /// What is there and was not there when the location was expanded.
    to_expand: Vec<Bdd>,
    /// By rank.
    waiting: BTreeSet<(u32, LocationId)>,
    stations: Stations,
    /// By station.
    location_of: Vec<LocationId>,
    is_atomic: Vec<bool>,
    company: Company,
    views: Views,
    /// What steps mean to others.
    influences: Vec<Influence>,
    /// By edge and station, their numbers.
    influence_of: FxHashMap<(u32, usize), usize>,
    classes: Vec<Class>,
    class_numbers: FxHashMap<Vec<u32>, usize>,
    /// By station, the others that there are.
    class_of: Vec<usize>,
    /// By edge.
    is_smooth: Vec<bool>,
    /// By location, whether threads come there otherwise than by smooth edges.
    is_open: Vec<bool>,
    has_broadcasts: bool,
    /// Whether only edges that have nothing to do with shared variables are smooth.
    is_thorough: bool,
    /// Counts changes.
    clock: u64,
    /// By location, when what may be seen there has grown.
    changed: Vec<u64>,
    /// By location, when everybody there had felt what others do.
    felt: Vec<u64>,
    /// By location, when others came along.
    joined: Vec<u64>,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(space: &'a Space<'p>, threads: InitThreads, budget: &'a Budget) -> Result<Self, StopReason> {
        let program = space.program;
        let (n_locations, n_edges) = (program.locations().len(), program.edges().len());
        let (mut parts, mut footprints) = (Vec::with_capacity(n_edges), Vec::with_capacity(n_edges));
        for &edge in program.edges() {
            budget.check()?;
            let diagrams = Parts::new(program, edge, &space.slots);
            footprints.push(Footprint::new(space, edge, &diagrams));
            parts.push(diagrams);
        }
        let nothing = vec![space.slots.always().not(); n_locations];
        let stations = Stations::new(space);
        let locations = LocationId::all(n_locations);
        let location_of: Vec<LocationId> = if stations.are_apart() {
            locations.flat_map(|it| std::iter::repeat_n(it, stations.at(it).len())).collect()
        } else {
            Vec::new()
        };
        let is_atomic = location_of.iter().map(|&it| program.location(it).is_atomic).collect();
        let mut search = Self {
            space,
            budget,
            parts,
            footprints,
            at: nothing.clone(),
            to_expand: nothing,
            waiting: BTreeSet::new(),
            company: Company::new(program, &stations, threads),
            views: Views::new(&stations),
            class_of: vec![0; stations.count()],
            stations,
            location_of,
            is_atomic,
            influences: Vec::new(),
            influence_of: FxHashMap::default(),
            classes: Vec::new(),
            class_numbers: FxHashMap::default(),
            is_smooth: vec![false; n_edges],
            is_open: vec![true; n_locations],
            has_broadcasts: has_broadcasts(program),
            is_thorough: false,
            clock: 0,
            changed: vec![0; n_locations],
            felt: vec![0; n_locations],
            joined: vec![0; n_locations],
        };
        search.look_around();
        Ok(search)
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Adds what can be seen at a location.
    fn join(&mut self, location: LocationId, states: &Bdd) {
        let index = location.index();
        let more = states.and_not(&self.at[index]);
        if !more.is_false() {
            let all = self.at[index].or(&more);
            self.to_expand[index] = simpler(self.to_expand[index].or(&more), &all);
            self.at[index] = all;
            self.changed[index] = self.tick();
            self.waiting.insert((self.space.rank(location), location));
        }
    }

    /// What is seen at a station: the values that belong to it are left out.
    fn at_station(&self, location: LocationId, station: usize) -> Bdd {
        let at = &self.at[location.index()];
        if self.stations.kept(location).is_empty() {
            return at.clone();
        }
        at.restrict(&self.stations.literals(self.space, location, station))
    }

    /// Where a step is possible, with what it leads to.
    fn possible(&self, number: u32, edge: Edge, states: &Bdd) -> Bdd {
        let possible = states.and(&self.parts[number as usize].active);
        possible.var_select(self.space.atomic_bit(), bits(self.space.program, edge).0)
    }

    /// What a thread at a location does.
    fn expand(&mut self, location: LocationId) -> Result<(), StopReason> {
        let program = self.space.program;
        let nothing = self.space.slots.always().not();
        let states = std::mem::replace(&mut self.to_expand[location.index()], nothing);
        let first = program.first_edge(location);
        for (number, &edge) in (first..).zip(program.outgoing(location)) {
            self.budget.check()?;
            if self.is_smooth[number as usize] {
                self.go(edge, &states.and(&self.parts[number as usize].active));
            }
            let possible = self.possible(number, edge, &states);
            if possible.is_false() {
                continue;
            }
            if !self.is_smooth[number as usize] {
                self.go(edge, &possible);
            }
            if let Effect::Start { at, locals } = edge.effect {
                let child = self.child(number, edge, locals, &possible);
                let child = self.space.in_scope(at, &child);
                self.join(at, &child);
            }
            self.influence(number, edge, &possible);
        }
        Ok(())
    }

    /// Where the acting thread goes.
    fn go(&mut self, edge: Edge, possible: &Bdd) {
        let Some(to) = edge.to else { return };
        let assigned = self.assigned(edge, &[Owner::Shared, Owner::Own]);
        let after = self.space.in_scope(to, &self.replace(possible, &assigned));
        let bits = bits(self.space.program, edge);
        let after = if bits.0 == bits.1 { after } else { self.with_bit(&after, bits.1) };
        self.join(to, &after);
    }

    /// Forgets the thread's own variables.
    fn only_shared(&self, states: &Bdd) -> Bdd {
        let slots = &self.space.slots;
        let others = states.support_set().into_iter().filter(|it| {
            let slot = slots.all[it.to_index()];
            slot.owner != Owner::Shared || slot.is_new
        });
        states.exists(&others.collect::<Vec<BddVariable>>())
    }

    fn of(&self, owner: Owner, is_new: bool) -> Vec<BddVariable> {
        let slots = self.space.slots.iter().filter(|(_, it)| it.owner == owner && it.is_new == is_new);
        slots.map(|(variable, _)| variable).collect()
    }

    /// The assigned variables of some owners.
    fn assigned(&self, edge: Edge, owners: &[Owner]) -> Vec<(Owner, u32)> {
        if matches!(edge.effect, Effect::Start { .. }) {
            return Vec::new();
        }
        let all = written(self.space.program, edge).map(assigned).unwrap_or_default();
        let mut all: Vec<(Owner, u32)> = all.into_iter().filter(|(it, _)| owners.contains(it)).collect();
        all.sort_unstable();
        all
    }

    fn variables(&self, assigned: &[(Owner, u32)], is_new: bool) -> Vec<BddVariable> {
        assigned.iter().map(|&(owner, variable)| self.space.variable(owner, variable, is_new)).collect()
    }

    /// Old values of assigned variables are lost, new ones take their place.
    fn replace(&self, possible: &Bdd, assigned: &[(Owner, u32)]) -> Bdd {
        self.renewed(&possible.exists(&self.variables(assigned, false)), assigned)
    }

    /// New values take the place of old ones, which are not mentioned.
    fn renewed(&self, kept: &Bdd, assigned: &[(Owner, u32)]) -> Bdd {
        if assigned.is_empty() {
            return kept.clone();
        }
        let new = self.variables(assigned, true);
        let names: FxHashMap<BddVariable, BddVariable> =
            new.into_iter().zip(self.variables(assigned, false)).collect();
        // Values before and after a step stand side by side, so the order is the same.
        renamed(kept, self.space.slots.all.len(), |it| names.get(&it).copied().unwrap_or(it))
    }

    fn with_bit(&self, states: &Bdd, open: bool) -> Bdd {
        states.var_exists(self.space.atomic_bit()).var_select(self.space.atomic_bit(), open)
    }

    fn child(&self, number: u32, edge: Edge, locals: ChildLocals, possible: &Bdd) -> Bdd {
        let after = match (locals, &self.parts[number as usize].child) {
            (ChildLocals::Fresh(arguments), Some(relation)) => {
                let arguments = arguments.map(|id| assigned(self.space.program.assignment(id)));
                let mut arguments: Vec<(Owner, u32)> = arguments.into_iter().flatten().collect();
                arguments.sort_unstable();
                let both = possible.and(relation).exists(&self.of(Owner::Own, false));
                self.renewed(&both, &arguments)
            }
            _ => possible.clone(),
        };
        self.with_bit(&after, bits(self.space.program, edge).1)
    }

    /// Notes what a step means to others.
    fn influence(&mut self, number: u32, edge: Edge, possible: &Bdd) {
        let (before, after) = bits(self.space.program, edge);
        if !self.footprints[number as usize].is_felt() && before == after {
            return;
        }
        let bit = self.space.variable(Owner::Shared, self.space.program.atomic_bit(), true);
        let possible = possible.var_select(bit, after);
        for station in self.stations.at(edge.from) {
            let literals = self.stations.literals(self.space, edge.from, station);
            let possible = possible.restrict(&literals);
            if possible.is_false() {
                continue;
            }
            let (kind, relation) = if let Some(passive) = &self.parts[number as usize].passive {
                let relation = self.without_own(&possible.and(passive));
                (Kind::Broadcast(number), self.as_own(&relation))
            } else {
                let shared = self.assigned(edge, &[Owner::Shared]).into_iter().map(|(_, variable)| variable);
                (Kind::Shared(shared.collect(), (before, after)), self.without_own(&possible))
            };
            let (now, next) = (self.tick(), self.influences.len());
            let index = *self.influence_of.entry((number, station)).or_insert(next);
            if index == next {
                let known = self.space.slots.always().not();
                self.influences.push(Influence { from: station, edge: number, kind, known, changed: 0 });
            }
            let influence = &mut self.influences[index];
            let more = relation.and_not(&influence.known);
            if !more.is_false() {
                influence.known = influence.known.or(&more);
                influence.changed = now;
            }
        }
    }

    /// Forgets the acting thread's own variables, before and after.
    fn without_own(&self, relation: &Bdd) -> Bdd {
        let support = relation.support_set().into_iter();
        let own = support.filter(|it| self.space.slots.all[it.to_index()].owner == Owner::Own);
        relation.exists(&own.collect::<Vec<BddVariable>>())
    }

    /// A relation between values of a passive thread as one between own values.
    fn as_own(&self, relation: &Bdd) -> Bdd {
        renamed(relation, self.space.slots.all.len(), |variable| {
            let slot = self.space.slots.all[variable.to_index()];
            match slot.owner {
                Owner::Passive => self.space.variable(Owner::Own, slot.variable, slot.is_new),
                Owner::Shared | Owner::Own => variable,
            }
        })
    }
}

/// Whether threads of a program assign to others.
pub(crate) fn has_broadcasts(program: &Program) -> bool {
    let assignments = program.edges().iter().filter_map(|&edge| written(program, edge));
    assignments.flat_map(|it| &it.targets).any(|target| target.is_passive)
}
