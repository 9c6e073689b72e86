//! What the steps of others mean to threads that wait.
//!
//! Stations at which the same steps of others are felt form a *class*; what these steps do is put together once for all
//! of them.

use super::{Search, is_plain};
use crate::relation::Owner;
use biodivine_lib_bdd::{Bdd, op_function};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use throng_base::StopReason;
use throng_boolprog::flow::{Effect, LocationId};

/// Steps of others that change the same variables in the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// They assign these shared variables and lead from one atomic bit to the other.
    Shared(Vec<u32>, (bool, bool)),
    /// They go along this edge, which changes other threads.
    Broadcast(u32),
}

/// What others do, over all variables before a step and those that are assigned after it. The values of a passive thread are
/// own values here: it is the one that feels this. The atomic bit is assigned.
#[derive(Debug)]
pub(super) struct Influence {
    /// The station of who does it, and the edge.
    pub(super) from: usize,
    pub(super) edge: u32,
    pub(super) kind: Kind,
    pub(super) known: Bdd,
    pub(super) changed: u64,
}

/// What others do at some stations.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// The numbers of influences.
    influences: Vec<u32>,
    /// By edges, whether they are independent of what others do here.
    independent: FxHashMap<u32, bool>,
    relations: Vec<(Kind, Bdd)>,
    /// When these were put together.
    made: u64,
    /// What valuations become by all of these.
    closures: FxHashMap<Bdd, Bdd>,
}

impl Search<'_, '_> {
    /// Finds out who is felt where, and which edges are smooth.
    pub(super) fn look_around(&mut self) {
        let program = self.space.program;
        let mut felt = FixedBitSet::with_capacity(self.stations.count());
        let mut influences: Vec<Vec<u32>> = vec![Vec::new(); self.stations.count()];
        for (number, influence) in (0..).zip(&self.influences) {
            felt.insert(influence.from);
            influences[influence.from].push(number);
        }
        for location in LocationId::all(self.at.len()) {
            for station in self.stations.at(location) {
                let others = self.company.of(station).intersection(&felt);
                let here: Vec<u32> = others.flat_map(|other| influences[other].iter().copied()).collect();
                let classes = &mut self.classes;
                let class = *self.class_numbers.entry(here).or_insert_with_key(|influences| {
                    classes.push(Class { influences: influences.clone(), ..Class::default() });
                    classes.len() - 1
                });
                if self.class_of[station] != class {
                    self.class_of[station] = class;
                    self.joined[location.index()] = self.tick();
                }
            }
        }
        let classes: Vec<Option<usize>> =
            LocationId::all(self.at.len()).map(|it| self.class_at(it)).collect();
        let mut is_open = vec![false; self.at.len()];
        is_open[program.entry().index()] = true;
        for (number, &edge) in (0_u32..).zip(program.edges()) {
            let is_smooth = self.finds_same(number, &classes);
            if is_smooth && !self.is_smooth[number as usize] && !self.at[edge.from.index()].is_false() {
                // Now it can be taken also while others are in atomic sections.
                self.to_expand[edge.from.index()] = self.at[edge.from.index()].clone();
                self.waiting.insert((self.space.rank(edge.from), edge.from));
            }
            self.is_smooth[number as usize] = is_smooth;
            if let Effect::Start { at, .. } = edge.effect {
                is_open[at.index()] = true;
            }
            if let Some(to) = edge.to.filter(|_| !is_smooth) {
                is_open[to.index()] = true;
            }
        }
        for location in LocationId::all(self.at.len()) {
            if is_open[location.index()] && !self.is_open[location.index()] {
                self.joined[location.index()] = self.tick();
            }
        }
        self.is_open = is_open;
    }

    /// The class of all stations of a location where somebody may be, if it is the same.
    fn class_at(&self, location: LocationId) -> Option<usize> {
        let stations = self.stations.at(location);
        if stations.len() == 1 || self.at[location.index()].is_false() {
            return Some(self.class_of[stations.start]);
        }
        let mut alive = stations.filter(|&it| !self.at_station(location, it).is_false());
        let class = self.class_of[alive.next()?];
        alive.all(|it| self.class_of[it] == class).then_some(class)
    }

    /// Whether an edge is smooth.
    fn finds_same(&mut self, number: u32, classes: &[Option<usize>]) -> bool {
        let edge = self.space.program.edges()[number as usize];
        let Some(to) = edge.to.filter(|_| is_plain(self.space, edge) && !self.has_broadcasts) else {
            return false;
        };
        if self.is_thorough && !self.footprints[number as usize].is_private() {
            return false;
        }
        let Some(class) = classes[edge.from.index()]
            .filter(|_| classes[edge.from.index()] == classes[to.index()] || self.at[to.index()].is_false())
        else {
            return false;
        };
        let (class, footprints) = (&mut self.classes[class], &self.footprints);
        let influences = &self.influences;
        *class.independent.entry(number).or_insert_with(|| {
            let own = &footprints[number as usize];
            let mut others = class.influences.iter().map(|&it| influences[it as usize].edge);
            others.all(|other| own.is_independent_of(&footprints[other as usize]))
        })
    }

    /// Lets everybody feel what others do; whether that made a difference.
    pub(super) fn disturb(&mut self) -> Result<bool, StopReason> {
        for location in LocationId::all(self.at.len()) {
            self.feel(location)?;
        }
        Ok(!self.waiting.is_empty())
    }

    /// Lets those at a location feel what others do.
    pub(super) fn feel(&mut self, location: LocationId) -> Result<(), StopReason> {
        let index = location.index();
        // Threads in an atomic section are alone.
        let is_atomic = self.space.program.location(location).is_atomic;
        if is_atomic || !self.is_open[index] || self.at[index].is_false() {
            return Ok(());
        }
        let mut last = self.changed[index].max(self.joined[index]);
        for station in self.stations.at(location) {
            let class = self.class_of[station];
            self.put_together(class);
            last = last.max(self.classes[class].made);
        }
        if self.felt[index] < last {
            let closed = self.closed(location)?;
            self.join(location, &closed);
            self.felt[index] = self.tick();
        }
        Ok(())
    }

    /// Joins what the edges of a class do, unless nothing has changed.
    fn put_together(&mut self, class: usize) {
        let now = self.tick();
        let class = &mut self.classes[class];
        let influences = class.influences.iter().map(|&number| &self.influences[number as usize]);
        if influences.clone().all(|it| it.changed <= class.made) {
            return;
        }
        let mut relations: BTreeMap<&Kind, Bdd> = BTreeMap::new();
        for influence in influences {
            let all = relations.entry(&influence.kind).or_insert_with(|| self.space.slots.always().not());
            *all = all.or(&influence.known);
        }
        class.relations = relations.into_iter().map(|(kind, relation)| (kind.clone(), relation)).collect();
        class.made = now;
        class.closures.clear();
    }

    /// What those at a location become by all that others do: for each station by itself, since many have the same shared
    /// variables.
    fn closed(&mut self, location: LocationId) -> Result<Bdd, StopReason> {
        let mut all = self.at[location.index()].clone();
        for station in self.stations.at(location) {
            let states = self.at_station(location, station);
            if states.is_false() {
                continue;
            }
            let class = self.class_of[station];
            let known = self.classes[class].closures.get(&states).cloned();
            let closed = match known {
                Some(closed) => closed,
                None => {
                    let closed = self.closure(&states, &self.classes[class].relations)?;
                    self.classes[class].closures.insert(states, closed.clone());
                    closed
                }
            };
            all = all.or(&closed.select(&self.stations.literals(self.space, location, station)));
        }
        Ok(all)
    }

    /// What valuations become.
    fn closure(&self, states: &Bdd, relations: &[(Kind, Bdd)]) -> Result<Bdd, StopReason> {
        let mut all = states.clone();
        let mut unchanged = 0;
        for (kind, relation) in relations.iter().cycle() {
            self.budget.check()?;
            let more = self.disturbed(kind, &all, relation).and_not(&all);
            unchanged += 1;
            if !more.is_false() {
                all = all.or(&more);
                unchanged = 0;
            }
            if unchanged == relations.len() {
                break;
            }
        }
        Ok(all)
    }

    fn disturbed(&self, kind: &Kind, states: &Bdd, relation: &Bdd) -> Bdd {
        if states.is_false() || relation.is_false() {
            return self.space.slots.always().not();
        }
        let mut assigned: Vec<(Owner, u32)> = match kind {
            Kind::Shared(shared, _) => shared.iter().map(|&it| (Owner::Shared, it)).collect(),
            Kind::Broadcast(number) => {
                let edge = self.space.program.edges()[*number as usize];
                let mut all = self.assigned(edge, &[Owner::Shared]);
                let passive = self.assigned(edge, &[Owner::Passive]).into_iter();
                all.extend(passive.map(|(_, it)| (Owner::Own, it)));
                all
            }
        };
        assigned.push((Owner::Shared, self.space.program.atomic_bit()));
        let lost = self.variables(&assigned, false);
        let kept = Bdd::binary_op_with_exists(states, relation, op_function::and, &lost);
        self.renewed(&kept, &assigned)
    }
}
