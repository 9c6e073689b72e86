//! What a superset says about pairs of threads.

use super::company::Company;
use super::stations::Stations;
use crate::cover::cover_between;
use crate::relation::Owner;
use crate::rules::bits;
use crate::thread_states::footprint::{Footprint, is_plain};
use crate::thread_states::sets::Space;
use biodivine_lib_bdd::Bdd;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;
use throng_boolprog::flow::{Edge, Effect, LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// A superset of what is reachable.
#[derive(Debug)]
pub(crate) struct Superset {
    /// For each location, the valuations that a thread may see there, atomic bit included.
    pub(crate) at: Vec<Bdd>,
    /// Where different threads may be at the same time.
    pub(super) company: Company,
    pub(super) stations: Stations,
    /// By edge.
    pub(super) footprints: Vec<Footprint>,
}

impl Superset {
    fn is_alive(&self, at: LocationId) -> bool {
        !self.at[at.index()].is_false()
    }

    /// By location, those at which another thread may be at the same time.
    fn together(&self) -> Vec<FixedBitSet> {
        let n_locations = self.at.len();
        let everywhere = || {
            let mut all = FixedBitSet::with_capacity(n_locations);
            all.insert_range(..);
            all
        };
        if !self.stations.are_apart() {
            return (0..n_locations).map(|_| everywhere()).collect();
        }
        let row = |one: LocationId| {
            let mut stations = FixedBitSet::with_capacity(self.stations.count());
            self.stations.at(one).for_each(|it| stations.union_with(self.company.of(it)));
            let others = LocationId::all(n_locations);
            let others = others.filter(|&other| stations.contains_any_in_range(self.stations.at(other)));
            let mut row = FixedBitSet::with_capacity(n_locations);
            others.for_each(|other| row.insert(other.index()));
            row
        };
        LocationId::all(n_locations).map(row).collect()
    }

    /// By location, whether a thread there may as well go on before others act, see `crowd`: all that it can do is
    /// independent of all that others can do at the same time, and so was what brought it there.
    pub(crate) fn hasty(&self, space: &Space<'_>) -> Vec<bool> {
        let program = space.program;
        let together = self.together();
        let others: Vec<(LocationId, &Footprint)> =
            program.edges().iter().zip(&self.footprints).map(|(edge, it)| (edge.from, it)).collect();
        let is_free = |at: LocationId, number: u32, edge: Edge| {
            let own = &self.footprints[number as usize];
            let mut others = others.iter().filter(|&&(from, _)| together[at.index()].contains(from.index()));
            is_plain(space, edge) && others.all(|(_, other)| own.is_independent_of(other))
        };
        let is_quiet = |at: LocationId| {
            let mut edges = (program.first_edge(at)..).zip(program.outgoing(at)).peekable();
            edges.peek().is_some() && edges.all(|(number, &edge)| is_free(at, number, edge))
        };
        let is_quiet: Vec<bool> = LocationId::all(self.at.len()).map(is_quiet).collect();
        let mut is_hasty = is_quiet.clone();
        is_hasty[program.entry().index()] = false;
        for edge in program.edges().iter().filter(|edge| self.is_alive(edge.from)) {
            if let Effect::Start { at, .. } = edge.effect {
                is_hasty[at.index()] = false;
            }
            if let Some(to) = edge.to.filter(|_| !is_quiet[edge.from.index()]) {
                is_hasty[to.index()] = false;
            }
        }
        is_hasty
    }

    /// Patterns of two threads that are never together, as far as the proof needs them: where others would be felt, and
    /// whence steps lead to such pairs.
    pub(crate) fn never_together(&self, space: &Space<'_>) -> Vec<Pattern> {
        if !self.stations.are_apart() {
            return Vec::new();
        }
        let program = space.program;
        let incoming = self.incoming(program);
        let alive: Vec<Vec<usize>> =
            LocationId::all(self.at.len()).map(|at| self.alive_stations(space, at)).collect();
        let felt = (0..).zip(program.edges()).filter(|&(number, &edge)| {
            let (before, after) = bits(program, edge);
            before != after || self.footprints[number as usize].is_felt()
        });
        let felt: BTreeSet<LocationId> =
            felt.map(|(_, edge)| edge.from).filter(|&at| self.is_alive(at)).collect();
        let mut pending: Vec<(LocationId, LocationId)> = LocationId::all(self.at.len())
            .filter(|&at| self.is_alive(at))
            .flat_map(|at| felt.iter().map(move |&from| (at, from)))
            .collect();
        let (mut seen, mut patterns) = (BTreeSet::new(), Vec::new());
        while let Some((one, other)) = pending.pop() {
            let (one, other) = (one.min(other), one.max(other));
            let are_atomic = [one, other].iter().all(|&at| program.location(at).is_atomic);
            if are_atomic || !seen.insert((one, other)) {
                continue;
            }
            let before = patterns.len();
            self.apart(space, [one, other], &alive, &mut patterns);
            if patterns.len() > before {
                pending.extend(incoming[one.index()].iter().map(|&before| (before, other)));
                pending.extend(incoming[other.index()].iter().map(|&before| (one, before)));
            }
        }
        patterns
    }

    /// By location, whence steps lead there.
    fn incoming(&self, program: &Program) -> Vec<Vec<LocationId>> {
        let mut incoming: Vec<Vec<LocationId>> = vec![Vec::new(); self.at.len()];
        for edge in program.edges().iter().filter(|edge| self.is_alive(edge.from)) {
            let child = match edge.effect {
                Effect::Start { at, .. } => Some(at),
                Effect::None | Effect::Assign(_) => None,
            };
            [edge.to, child].into_iter().flatten().for_each(|end| incoming[end.index()].push(edge.from));
        }
        incoming
    }

    fn alive_stations(&self, space: &Space<'_>, at: LocationId) -> Vec<usize> {
        let is_alive = |&station: &usize| {
            let literals = self.stations.literals(space, at, station);
            !self.at[at.index()].restrict(&literals).is_false()
        };
        self.stations.at(at).filter(is_alive).collect()
    }

    /// Patterns of the stations of two locations that are never together. Where nobody ever is does not matter.
    fn apart(
        &self,
        space: &Space<'_>,
        [one, other]: [LocationId; 2],
        alive: &[Vec<usize>],
        patterns: &mut Vec<Pattern>,
    ) {
        let of = |at: LocationId| &alive[at.index()];
        let pairs = || of(one).iter().flat_map(|&a| of(other).iter().map(move |&b| (a, b)));
        let (mut some, mut all) = (false, true);
        for (a, b) in pairs() {
            let are_together = self.company.has(a, b);
            some |= !are_together;
            all &= !are_together;
        }
        if !some {
            return;
        }
        let pattern = |first: Cube, second: Cube| {
            let thread = |location, locals| ThreadPattern { location, locals };
            Pattern { shared: Cube::any(), threads: vec![thread(one, first), thread(other, second)] }
        };
        if all {
            patterns.push(pattern(Cube::any(), Cube::any()));
            return;
        }
        let nothing = space.slots.always().not();
        let (mut apart, mut together) = (nothing.clone(), nothing);
        for (a, b) in pairs() {
            let first = self.stations.values(one, a).map(|(it, value)| (Owner::Own, it, value));
            let second = self.stations.values(other, b).map(|(it, value)| (Owner::Passive, it, value));
            let literals =
                first.chain(second).map(|(owner, it, value)| (space.variable(owner, it, false), value));
            let both = space.slots.always().select(&literals.collect::<Vec<_>>());
            let set = if self.company.has(a, b) { &mut together } else { &mut apart };
            *set = set.or(&both);
        }
        for cube in cover_between(&apart, &together.not()) {
            let (mut first, mut second) = (Cube::any(), Cube::any());
            for (variable, value) in cube {
                let slot = space.slots.all[variable.to_index()];
                let cube = if slot.owner == Owner::Own { &mut first } else { &mut second };
                cube.set(slot.variable, value);
            }
            patterns.push(pattern(first, second));
        }
    }
}
