//! Locations, each with values of some local variables: what tells threads apart that are never together.
//!
//! Whether a thread has a lock is often told by a local variable, and what it may do by an argument. As many variables are
//! told apart as there is room for, those first that keep their values. With broadcasts there are none: others change
//! the variables of a thread then.

use super::has_broadcasts;
use crate::relation::{Owner, assigned, written};
use crate::thread_states::sets::Space;
use biodivine_lib_bdd::BddVariable;
use std::ops::Range;
use throng_boolprog::flow::{Effect, LocationId};

/// So many stations there may be: pairs of them are kept.
const MOST_STATIONS: usize = 1 << 14;
/// So many variables are told apart at one location.
const MOST_KEPT: usize = 8;

/// The stations of a program. Those of a location are numbered one after the other. If there are too many locations, there is
/// one station for all of them.
#[derive(Debug)]
pub(super) struct Stations {
    /// By location, the variables that are told apart.
    kept: Vec<Vec<u32>>,
    /// By location, its first station; at the end the number of all. Nothing if there is only one.
    first: Vec<usize>,
}

impl Stations {
    pub(super) fn new(space: &Space<'_>) -> Self {
        let program = space.program;
        let n_locations = program.locations().len();
        let mut kept: Vec<Vec<u32>> = vec![Vec::new(); n_locations];
        if n_locations > MOST_STATIONS {
            return Self { kept, first: Vec::new() };
        }
        if !has_broadcasts(program) {
            for variable in by_changes(space) {
                let longer = |(location, kept): (LocationId, &Vec<u32>)| {
                    let is_new = space.scope(location).binary_search(&variable).is_ok();
                    kept.len() + usize::from(is_new)
                };
                let sizes = LocationId::all(n_locations).zip(&kept).map(longer);
                let fits = |size: usize| (size <= MOST_KEPT).then(|| 1_usize << size);
                let total: Option<usize> = sizes.map(fits).sum();
                if total.is_some_and(|total| total <= MOST_STATIONS) {
                    for (location, kept) in LocationId::all(n_locations).zip(&mut kept) {
                        if space.scope(location).binary_search(&variable).is_ok() {
                            kept.push(variable);
                        }
                    }
                }
            }
        }
        let mut first = vec![0];
        for kept in &mut kept {
            kept.sort_unstable();
            first.push(first[first.len() - 1] + (1 << kept.len()));
        }
        Self { kept, first }
    }

    /// Whether locations are told apart.
    pub(super) fn are_apart(&self) -> bool {
        !self.first.is_empty()
    }

    pub(super) fn count(&self) -> usize {
        self.first.last().copied().unwrap_or(1)
    }

    /// The stations of a location.
    pub(super) fn at(&self, location: LocationId) -> Range<usize> {
        if self.are_apart() { self.first[location.index()]..self.first[location.index() + 1] } else { 0..1 }
    }

    /// The variables that are told apart at a location.
    pub(super) fn kept(&self, location: LocationId) -> &[u32] {
        &self.kept[location.index()]
    }

    /// The values of these at a station.
    pub(super) fn values(
        &self,
        location: LocationId,
        station: usize,
    ) -> impl Iterator<Item = (u32, bool)> + '_ {
        let number = station - self.at(location).start;
        let kept = self.kept[location.index()].iter().enumerate();
        kept.map(move |(index, &variable)| (variable, number >> index & 1 == 1))
    }

    /// The same as literals of diagrams.
    pub(super) fn literals(
        &self,
        space: &Space<'_>,
        location: LocationId,
        station: usize,
    ) -> Vec<(BddVariable, bool)> {
        let values = self.values(location, station);
        values.map(|(variable, value)| (space.variable(Owner::Own, variable, false), value)).collect()
    }

    /// The station of a location with these values.
    pub(super) fn find(&self, location: LocationId, value: impl Fn(u32) -> bool) -> usize {
        let kept = self.kept[location.index()].iter().enumerate();
        let number: usize = kept.map(|(index, &variable)| usize::from(value(variable)) << index).sum();
        self.at(location).start + number
    }
}

/// The local variables, those first that are assigned in the fewest places.
fn by_changes(space: &Space<'_>) -> Vec<u32> {
    let program = space.program;
    let mut changes = vec![0_usize; program.locals().len()];
    let plain = program.edges().iter().filter(|edge| !matches!(edge.effect, Effect::Start { .. }));
    for &edge in plain {
        let targets = written(program, edge).map(assigned).unwrap_or_default();
        let own = targets.iter().filter(|&&(owner, _)| owner == Owner::Own);
        own.for_each(|&(_, variable)| changes[variable as usize] += 1);
    }
    let mut variables: Vec<u32> = (0..changes.len() as u32).collect();
    variables.sort_by_key(|&variable| changes[variable as usize]);
    variables
}
