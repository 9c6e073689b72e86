//! Which configuration looks closest to a target.
//!
//! Two guesses: the syntactic [`distance`](super::distance), and *potentials*, optimal solutions y of the dual of
//! the state equation: y·(target − c) bounds the steps from c to the target from below, for every c, and is exact up
//! to rounding where it was solved for. So one linear program serves many configurations; of several potentials for one
//! target the best counts (Blondin, Haase and Offtermatt, TACAS 2021, solve one program per configuration).
//!
//! Programs are solved when the search makes no progress, a bounded number of times, because each can cost as much as
//! thousands of successors. Where the rules are not known as a whole there is no guess, and everything looks equal.

use super::distance::{Distances, FAR, Roads};
use throng_base::Budget;
use throng_bounds::{Potential, potential};
use throng_model::{Config, ConfigRef, System};

/// Targets that are aimed at; further ones are only noticed when they are covered.
const MOST_AIMS: usize = 4;

/// Targets that are looked at when aims are chosen.
const MOST_LOOKED_AT: usize = 64;

/// Potentials that are kept for one aim, the newest ones.
const MOST_POTENTIALS: usize = 4;

/// Linear programs that are solved.
const MOST_PROGRAMS: u32 = 48;

/// Potentials are compared in steps of this size.
const PARTS: f64 = 16.0;

/// How far a configuration seems to be from the nearest target. Smaller is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Estimate {
    /// By potentials.
    pub(super) potential: u32,
    /// By syntactic distance.
    pub(super) distance: u32,
}

/// A target that the search is led to.
#[derive(Debug)]
struct Aim {
    target: Config,
    distances: Distances,
    /// Potentials with their values at the target.
    potentials: Vec<(Potential, f64)>,
}

impl Aim {
    fn potential(&self, config: ConfigRef<'_>) -> u32 {
        let values = self.potentials.iter().map(|(potential, at_target)| at_target - potential.of(config));
        // Rounding off protects from noise; the cast saturates, and what is not a number becomes 0.
        let best = values.fold(0.0, f64::max);
        ((best * PARTS - 0.5).ceil().max(0.0) as u32).min(FAR)
    }
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Guide<'s> {
    system: Option<&'s System>,
    aims: Vec<Aim>,
    n_programs: u32,
}

impl<'s> Guide<'s> {
    /// A guide from these starts to the nearest of these targets.
    pub(super) fn new(system: Option<&'s System>, starts: &[Config], targets: &[Config]) -> Self {
        let Some(explicit) = system else { return Self::default() };
        let roads = Roads::new(explicit);
        let mut targets: Vec<&Config> = targets.iter().collect();
        targets.sort_by_key(|target| target.view().size());
        targets.truncate(MOST_LOOKED_AT);
        let mut aims: Vec<(u32, Aim)> = Vec::new();
        for target in targets {
            let distances = roads.distances(target.view());
            let nearest = starts.iter().map(|start| distances.of(start.view())).min().unwrap_or(FAR);
            aims.push((nearest, Aim { target: target.clone(), distances, potentials: Vec::new() }));
            aims.sort_by_key(|&(distance, _)| distance);
            aims.truncate(MOST_AIMS);
        }
        Self { system, aims: aims.into_iter().map(|(_, aim)| aim).collect(), n_programs: 0 }
    }

    /// How many linear programs were solved. Estimates made with fewer may be too low.
    pub(super) fn n_programs(&self) -> u32 {
        self.n_programs
    }

    /// Whether there are potentials.
    pub(super) fn has_potentials(&self) -> bool {
        self.aims.iter().any(|aim| !aim.potentials.is_empty())
    }

    /// How far a configuration seems to be from the nearest target.
    pub(super) fn estimate(&self, config: ConfigRef<'_>) -> Estimate {
        let potential = self.aims.iter().map(|aim| aim.potential(config)).min();
        let distance = self.aims.iter().map(|aim| aim.distances.of(config)).min();
        Estimate { potential: potential.unwrap_or(0), distance: distance.unwrap_or(0) }
    }

    /// Looks closer at the way from this configuration to the target that seems nearest. Whether estimates changed.
    pub(super) fn refine(&mut self, config: ConfigRef<'_>, budget: &Budget) -> bool {
        let Some(system) = self.system.filter(|_| self.n_programs < MOST_PROGRAMS) else { return false };
        let nearest =
            self.aims.iter_mut().min_by_key(|aim| (aim.potential(config), aim.distances.of(config)));
        let Some(aim) = nearest else { return false };
        self.n_programs += 1;
        let Some(found) = potential(system, config, aim.target.view(), budget) else { return false };
        let at_target = found.of(aim.target.view());
        let before = aim.potential(config);
        aim.potentials.push((found, at_target));
        if aim.potential(config) <= before {
            aim.potentials.pop();
            return false;
        }
        if aim.potentials.len() > MOST_POTENTIALS {
            aim.potentials.remove(0);
        }
        true
    }
}
