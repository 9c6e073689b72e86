//! Which stations different threads can be at, at the same time: without that, nobody would be alone with a lock.
//!
//! Two stations are *together* if threads may start at both; if a thread may come from a station that is together with the
//! other one, along an edge that is possible for shared variables that both may see; or if one may start a thread at the
//! other, or be started by somebody who is together with it. So if two stations are not together, a pattern with
//! both has no predecessor that is not outside: it is an element of the proof (see `proof`).

use super::Search;
use super::stations::Stations;
use crate::relation::{Owner, assigned, written};
use crate::rules::bits;
use biodivine_lib_bdd::{Bdd, BddVariable};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use throng_base::StopReason;
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, Program};

/// A symmetric relation between stations; without stations everything is together.
#[derive(Debug)]
pub(super) struct Company {
    rows: Vec<FixedBitSet>,
}

impl Company {
    pub(super) fn new(program: &Program, stations: &Stations, threads: InitThreads) -> Self {
        let count = stations.count();
        if !stations.are_apart() {
            return Self { rows: vec![FixedBitSet::with_capacity_and_blocks(1, [1])] };
        }
        let mut company = Self { rows: vec![FixedBitSet::with_capacity(count); count] };
        let are_several = match threads {
            InitThreads::Exactly(count) => count > 1,
            InitThreads::Any => true,
        };
        if are_several {
            for one in stations.at(program.entry()) {
                company.rows[one].insert_range(stations.at(program.entry()));
            }
        }
        company
    }

    /// Whether different threads may be there at the same time.
    pub(super) fn has(&self, one: usize, other: usize) -> bool {
        self.rows[one].contains(other)
    }

    /// Who may be there at the same time.
    pub(super) fn of(&self, station: usize) -> &FixedBitSet {
        &self.rows[station]
    }

    /// Whether this is new.
    fn add(&mut self, one: usize, other: usize) -> bool {
        let is_new = !self.rows[one].put(other);
        self.rows[other].insert(one);
        is_new
    }
}

/// A way from a station along an edge.
#[derive(Clone, Debug)]
struct Way {
    from: usize,
    /// Where the thread comes to, if it does not end, and where a thread is started.
    to: Option<usize>,
    child: Option<usize>,
    /// Where this is possible, over shared variables and other local ones before the step.
    guard: Bdd,
}

/// Sets of valuations of shared variables, each with a number.
#[derive(Debug, Default)]
pub(super) struct Views {
    numbers: FxHashMap<Bdd, u32>,
    all: Vec<Bdd>,
    /// Whether two sets meet.
    meet: FxHashMap<(u32, u32), bool>,
    /// By station, what threads there may see, and when that was computed.
    seen: Vec<Option<(u64, u32)>>,
    /// By location, the ways from there when they were first needed.
    ways: FxHashMap<LocationId, Vec<Way>>,
    /// By location, edge, and number of the way, where it is possible, and when that was computed.
    enabled: FxHashMap<(LocationId, usize), (u64, Option<u32>)>,
}

impl Views {
    pub(super) fn new(stations: &Stations) -> Self {
        Self { seen: vec![None; stations.count()], ..Self::default() }
    }

    fn number(&mut self, set: Bdd) -> u32 {
        let all = &mut self.all;
        *self.numbers.entry(set).or_insert_with_key(|set| {
            all.push(set.clone());
            all.len() as u32 - 1
        })
    }

    fn do_meet(&mut self, one: u32, other: u32) -> bool {
        let (all, key) = (&self.all, (one.min(other), one.max(other)));
        *self.meet.entry(key).or_insert_with(|| !all[one as usize].and(&all[other as usize]).is_false())
    }
}

impl Search<'_, '_> {
    /// Adds all pairs of stations that steps lead to.
    pub(super) fn keep_company(&mut self) -> Result<(), StopReason> {
        if !self.stations.are_apart() {
            return Ok(());
        }
        let mut order: Vec<LocationId> = LocationId::all(self.at.len()).collect();
        order.sort_unstable_by_key(|&location| self.space.rank(location));
        loop {
            let mut grows = false;
            for &location in &order {
                self.budget.check()?;
                if !self.at[location.index()].is_false() {
                    grows |= self.lead_on(location);
                }
            }
            if !grows {
                return Ok(());
            }
        }
    }

    /// Adds the pairs that steps from a location lead to.
    fn lead_on(&mut self, location: LocationId) -> bool {
        let ways = match self.views.ways.remove(&location) {
            Some(ways) => ways,
            None => self.ways(location),
        };
        let mut grows = false;
        for (index, way) in ways.iter().enumerate() {
            // Who starts a thread has company even if nobody else is there.
            if let (Some(to), Some(child)) = (way.to, way.child)
                && !self.company.has(to, child)
            {
                grows |= self.enabled(location, index, way).is_some() && self.company.add(to, child);
            }
            for end in [way.to, way.child].into_iter().flatten() {
                let others = self.company.of(way.from).difference(self.company.of(end));
                // Nobody acts while another thread is in an atomic section.
                let others: Vec<usize> = others.filter(|&it| !self.is_atomic[it]).collect();
                if others.is_empty() {
                    continue;
                }
                let Some(enabled) = self.enabled(location, index, way) else { break };
                for other in others {
                    let seen = self.seen(other);
                    grows |= self.views.do_meet(enabled, seen) && self.company.add(end, other);
                }
            }
        }
        self.views.ways.insert(location, ways);
        grows
    }

    /// The shared variables for which a way is possible, atomic bit included; `None` if there are none.
    fn enabled(&mut self, location: LocationId, index: usize, way: &Way) -> Option<u32> {
        let changed = self.changed[location.index()];
        if let Some(&(then, known)) = self.views.enabled.get(&(location, index))
            && then == changed
        {
            return known;
        }
        let shared = self.only_shared(&self.at_station(location, way.from).and(&way.guard));
        let enabled = (!shared.is_false()).then(|| self.views.number(shared));
        self.views.enabled.insert((location, index), (changed, enabled));
        enabled
    }

    /// The shared variables that a thread at a station may see, atomic bit included.
    fn seen(&mut self, station: usize) -> u32 {
        let location = self.location_of[station];
        let changed = self.changed[location.index()];
        if let Some((then, known)) = self.views.seen[station]
            && then == changed
        {
            return known;
        }
        let shared = self.only_shared(&self.at_station(location, station));
        let seen = self.views.number(shared);
        self.views.seen[station] = Some((changed, seen));
        seen
    }

    /// The ways from the stations of a location.
    fn ways(&self, location: LocationId) -> Vec<Way> {
        let program = self.space.program;
        let mut ways = Vec::new();
        for (number, &edge) in (program.first_edge(location)..).zip(program.outgoing(location)) {
            let active = &self.parts[number as usize].active;
            let possible = active.var_select(self.space.atomic_bit(), bits(program, edge).0);
            for from in self.stations.at(location) {
                let possible = possible.restrict(&self.stations.literals(self.space, location, from));
                if !possible.is_false() {
                    self.ways_along(number, edge, from, &possible, &mut ways);
                }
            }
        }
        ways
    }

    /// The ways along an edge from one station, given where it is possible.
    fn ways_along(&self, number: u32, edge: Edge, from: usize, possible: &Bdd, ways: &mut Vec<Way>) {
        let mut add = |to: Option<usize>, child: Option<usize>, possible: &Bdd| {
            let new =
                possible.support_set().into_iter().filter(|it| self.space.slots.all[it.to_index()].is_new);
            let guard = possible.exists(&new.collect::<Vec<BddVariable>>());
            ways.push(Way { from, to, child, guard });
        };
        match edge.effect {
            Effect::None | Effect::Assign(_) => {
                let Some(to) = edge.to else { return };
                for (to, possible) in self.arrivals(edge, from, to, false, possible) {
                    add(Some(to), None, &possible);
                }
            }
            Effect::Start { at, locals } => {
                let parents = match edge.to {
                    Some(to) => {
                        let arrivals = self.arrivals(edge, from, to, true, possible);
                        arrivals.into_iter().map(|(to, possible)| (Some(to), possible)).collect()
                    }
                    None => vec![(None, possible.clone())],
                };
                for (to, possible) in parents {
                    let child = match (locals, &self.parts[number as usize].child) {
                        (ChildLocals::Fresh(_), Some(relation)) => {
                            let literals = self.stations.literals(self.space, edge.from, from);
                            self.arrivals(edge, from, at, false, &possible.and(&relation.restrict(&literals)))
                        }
                        _ => self.arrivals(edge, from, at, true, &possible),
                    };
                    child.into_iter().for_each(|(child, possible)| add(to, Some(child), &possible));
                }
            }
        }
    }

    /// The stations of a location that a thread may come to from a station, and where that is possible. What is assigned
    /// gets new values, unless the thread keeps its own; what was not there before is arbitrary, and so is everything of
    /// a new thread but its arguments.
    fn arrivals(
        &self,
        edge: Edge,
        from: usize,
        to: LocationId,
        keeps: bool,
        possible: &Bdd,
    ) -> Vec<(usize, Bdd)> {
        let is_new_thread = matches!(edge.effect, Effect::Start { .. }) && !keeps;
        let assigned = written(self.space.program, edge).map(assigned).unwrap_or_default();
        let before: FxHashMap<u32, bool> = self.stations.values(edge.from, from).collect();
        let mut all: Vec<(FxHashMap<u32, bool>, Bdd)> = vec![(FxHashMap::default(), possible.clone())];
        for &variable in self.stations.kept(to) {
            let is_assigned = !keeps && assigned.contains(&(Owner::Own, variable));
            let same = before.get(&variable).copied().filter(|_| !is_assigned && !is_new_thread);
            let slot = self.space.variable(Owner::Own, variable, is_assigned);
            let mut next = Vec::new();
            for (values, possible) in all {
                for value in [false, true].into_iter().filter(|&value| same.is_none_or(|same| same == value))
                {
                    let is_looked_at = same.is_none() && (is_assigned || !is_new_thread);
                    let here =
                        if is_looked_at { possible.var_restrict(slot, value) } else { possible.clone() };
                    if !here.is_false() {
                        let mut values = values.clone();
                        values.insert(variable, value);
                        next.push((values, here));
                    }
                }
            }
            all = next;
        }
        let station =
            |values: &FxHashMap<u32, bool>| self.stations.find(to, |it| values.get(&it) == Some(&true));
        all.into_iter().map(|(values, possible)| (station(&values), possible)).collect()
    }
}
