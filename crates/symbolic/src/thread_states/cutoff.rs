//! The two cutoffs of a program, given what is reachable at all; the reachability cutoff first, since it takes less time.
//!
//! As `throng_engine::thread_states` has it for systems, except that states are cubes that may overlap: what matters are
//! the thread states that they stand for. So for each depth the set of what is first reached there is compared.

use super::data::Needy;
use super::sets::StateSet;
use super::translated::Translated;
use super::wanted::{Valuations, n_threads};
use super::{Survey, pattern, states_of};
use biodivine_lib_bdd::Bdd;
use std::ops::ControlFlow;
use throng_base::{Budget, StopReason};
use throng_boolprog::flow::LocationId;
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::{Header, Trace};
use throng_engine::thread_states::{
    Exploration, Layer, Narrowed, Pace, ThreadState, Wanted, explore, narrow, run_to,
};
use throng_engine::{Observer, Progress, UnknownReason};
use throng_model::{ClosedSet, Config, ConfigRef, DownwardClosedSet, TransitionSystem};

/// So many traces are looked at for one that can be shown.
const MOST_ATTEMPTS: usize = 256;

/// For each depth, what is reached there and not earlier.
type Depths = Vec<StateSet>;

/// The reachability cutoff, and what was explored to find it.
#[derive(Clone, Debug)]
pub struct Reachability {
    /// n₀: so many threads reach everything that any number of threads reach, and no fewer do.
    pub threads: u64,
    /// What fewer threads do not reach, if there is such a thing.
    pub needy: Option<Needy>,
    /// What 1, 2, … threads reach; not necessarily up to n₀.
    explored: Vec<Explored>,
}

/// What so many threads reach.
#[derive(Clone, Debug)]
struct Explored {
    all: StateSet,
    depths: Depths,
    n_configs: usize,
}

impl Survey<'_> {
    /// Computes the reachability cutoff after a survey is complete. `note` learns how many threads do not suffice.
    pub fn reachability_cutoff(
        &self,
        pace: Pace,
        (budget, observer): (&Budget, &dyn Observer),
        note: &mut dyn FnMut(u64),
    ) -> Result<Reachability, UnknownReason> {
        let mut explored: Vec<Explored> = Vec::new();
        for threads in 1.. {
            let exploration = explore(&self.system, threads, pace.few_configs, budget, observer)?;
            if !exploration.is_complete() {
                break;
            }
            explored.push(self.explored(&exploration, budget)?);
            let (last, before) = explored.split_last().expect("INVARIANT: one was added");
            if last.all == self.reached {
                let nothing = StateSet::empty(&self.space);
                let before = before.last().map_or(&nothing, |before| &before.all);
                let needy = self.needy(&exploration, &last.depths, before);
                return Ok(Reachability { threads, needy, explored });
            }
            note(threads);
        }
        let lower = explored.len() as u64;
        let nothing = StateSet::empty(&self.space);
        let before = explored.last().map_or(&nothing, |before| &before.all);
        if let Some(translated) = Translated::new(self, (budget, observer))? {
            let efforts = (lower, pace.first_effort);
            let (threads, needy) =
                self.narrow_translated(translated, before, efforts, (budget, observer), note)?;
            return Ok(Reachability { threads, needy, explored });
        }
        let mut wanted = Valuations::new(self);
        let example = wanted.examples(&self.reached.without(before), 1).pop();
        let found = narrow(&self.system, &mut wanted, (lower, pace.first_effort), (budget, observer), note)?;
        let example = found.example.clone().or(example);
        let needy = match example {
            Some(example) => self.needy_example(&wanted, &example, &found, budget, observer)?,
            None => None,
        };
        Ok(Reachability { threads: found.threads, needy, explored })
    }

    /// The cutoff by way of the translation, given what one thread less than the first number in question reaches.
    fn narrow_translated(
        &self,
        mut translated: Translated<'_, '_>,
        before: &StateSet,
        (lower, first_effort): (u64, u64),
        (budget, observer): (&Budget, &dyn Observer),
        note: &mut dyn FnMut(u64),
    ) -> Result<(u64, Option<Needy>), UnknownReason> {
        let system = translated.system();
        let example = translated.examples(&translated.all().without(before), 1).pop();
        let found = narrow(&system, &mut translated, (lower, first_effort), (budget, observer), note)?;
        let Some(example) = found.example.clone().or(example) else { return Ok((found.threads, None)) };
        let mut trace = translated.run(&example, &found);
        if trace.is_none() {
            let wanted = Valuations::new(self);
            let run = run_to(&self.system, &wanted, &example, found.threads, (budget, observer))?;
            let document = run.and_then(|it| self.system.document_of_trace(&it, &example, Header::default()));
            trace = document.filter(|document| n_threads(document) <= found.threads);
        }
        let thread = example.threads.first().cloned();
        let needy = trace.zip(thread);
        let needy = needy.map(|(trace, thread)| Needy { shared: example.shared.clone(), thread, trace });
        Ok((found.threads, needy))
    }

    /// A run to an example that can be shown.
    fn needy_example(
        &self,
        wanted: &Valuations<'_, '_>,
        example: &Pattern,
        found: &Narrowed<'_, Pattern>,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Option<Needy>, UnknownReason> {
        let shown = |trace: &Trace| {
            let document = self.system.document_of_trace(trace, example, Header::default());
            document.filter(|document| n_threads(document) <= found.threads)
        };
        let fits = found.scout.seen().iter().filter(|&&state| self.fits(state, example)).take(MOST_ATTEMPTS);
        let by_scout = || fits.filter_map(|&state| shown(&found.scout.trace_to(state)?)).next();
        let mut runs = found.runs.iter().filter(|(it, _)| it == example);
        let mut trace = runs.find_map(|(_, trace)| shown(trace)).or_else(by_scout);
        if trace.is_none() {
            let run = run_to(&self.system, wanted, example, found.threads, (budget, observer))?;
            trace = run.as_ref().and_then(shown);
        }
        let thread = example.threads.first().cloned();
        Ok(trace.zip(thread).map(|(trace, thread)| Needy { shared: example.shared.clone(), thread, trace }))
    }

    /// Computes the uniform cutoff N₀ as well, which can take much longer: so many threads reach everything in as few
    /// steps as any number of threads, and no fewer do. `report` learns of each layer when it is there.
    pub fn uniform_cutoff(
        &self,
        known: Reachability,
        budget: &Budget,
        observer: &dyn Observer,
        mut report: impl FnMut(&Layer),
    ) -> Result<u64, UnknownReason> {
        let first = self.first_depths(budget, observer)?;
        let mut explored = known.explored.into_iter();
        for threads in 1.. {
            let here = match explored.next() {
                Some(here) => here,
                None => {
                    let exploration = explore(&self.system, threads, usize::MAX, budget, observer)?;
                    self.explored(&exploration, budget)?
                }
            };
            let small = |count: u128| usize::try_from(count).unwrap_or(usize::MAX);
            let same = here.depths.iter().zip(&first).map(|(here, any)| here.common(any).count(&self.space));
            report(&Layer {
                threads,
                reached: small(here.all.count(&self.space)),
                at_first_depth: small(same.fold(0, u128::saturating_add)),
                configs: here.n_configs,
            });
            if threads >= known.threads && here.depths == first {
                return Ok(threads);
            }
        }
        unreachable!("INVARIANT: there is a cutoff for every finite set of thread states")
    }

    /// What is reached, and what of it first at each depth.
    fn explored(&self, exploration: &Exploration, budget: &Budget) -> Result<Explored, StopReason> {
        let mut states: Vec<(u64, ThreadState)> =
            exploration.states().map(|(state, depth)| (depth, state)).collect();
        states.sort_unstable();
        let mut depths = Depths::new();
        let mut all = StateSet::empty(&self.space);
        for at_depth in states.chunk_by(|a, b| a.0 == b.0) {
            while (depths.len() as u64) < at_depth[0].0 {
                depths.push(StateSet::empty(&self.space));
            }
            let states = self.diagrams(at_depth.iter().map(|&(_, state)| state), budget)?;
            self.next_depth(states, &mut all, &mut depths);
        }
        trim(&mut depths);
        Ok(Explored { all, depths, n_configs: exploration.n_configs() })
    }

    fn next_depth(&self, states: Vec<(LocationId, Bdd)>, all: &mut StateSet, depths: &mut Depths) {
        let mut here = StateSet::empty(&self.space);
        here.add_all(states);
        depths.push(here.without(all));
        all.union(&here);
    }

    /// In how many steps any number of threads reach what they reach: breadth first over configurations with an
    /// endless supply of threads where there is one, until everything has been met.
    fn first_depths(&self, budget: &Budget, observer: &dyn Observer) -> Result<Depths, UnknownReason> {
        let (mut seen, mut level) = (DownwardClosedSet::default(), Vec::new());
        let meet = |config: ConfigRef<'_>, seen: &mut DownwardClosedSet, next: &mut Vec<Config>| {
            if !seen.contains(config) {
                seen.insert(config);
                next.push(config.to_config());
            }
        };
        let _ = self.system.for_each_initial(&mut |initial| {
            meet(initial, &mut seen, &mut level);
            ControlFlow::Continue(())
        });
        let (mut all, mut depths) = (StateSet::empty(&self.space), Depths::new());
        loop {
            let states = self.diagrams(level.iter().flat_map(states_of), budget)?;
            self.next_depth(states, &mut all, &mut depths);
            if level.is_empty() || self.reached.without(&all).is_empty() {
                trim(&mut depths);
                return Ok(depths);
            }
            for config in std::mem::take(&mut level) {
                budget.check()?;
                let enumeration = self.system.for_each_successor(config.view(), &mut |_, after| {
                    meet(after, &mut seen, &mut level);
                    ControlFlow::Continue(())
                });
                let _ = enumeration?;
            }
            let (elements, frontier) = (seen.generators().len() as u64, level.len() as u64);
            let steps = depths.len() as u64;
            observer.progress(&Progress { elements, frontier, steps, ..Progress::default() });
        }
    }

    /// Of what fewer threads do not reach, something that is reached last. Not every trace over cubes can be made one of the
    /// program, so there are several attempts.
    fn needy(&self, exploration: &Exploration, depths: &Depths, before: &StateSet) -> Option<Needy> {
        let mut states: Vec<(u64, ThreadState)> =
            exploration.states().map(|(state, depth)| (depth, state)).collect();
        states.sort_unstable();
        let new = depths.iter().rev().map(|here| here.without(before)).filter(|new| !new.is_empty());
        let places = new.flat_map(|new| new.cubes(&self.space));
        let wanted = places.flat_map(|(location, cubes)| {
            cubes.into_iter().map(move |(shared, locals)| (location, shared, locals))
        });
        let mut attempts = MOST_ATTEMPTS;
        for (location, shared, locals) in wanted {
            let (shared, locals) = self.valuation(location, &shared, &locals);
            let target = pattern(location, shared.clone(), locals.clone());
            for &(_, state) in states.iter().filter(|&&(_, state)| self.fits(state, &target)) {
                attempts = usize::checked_sub(attempts, 1)?;
                let trace = exploration.trace_to(&self.system, state)?;
                if let Some(trace) = self.system.document_of_trace(&trace, &target, Header::default()) {
                    return Some(Needy { shared, thread: ThreadPattern { location, locals }, trace });
                }
            }
        }
        None
    }

    /// One of the valuations that two cubes stand for at a location.
    pub(super) fn valuation(&self, location: LocationId, shared: &Cube, locals: &Cube) -> (Cube, Cube) {
        let total = |cube: &Cube, variables: &mut dyn Iterator<Item = u32>| -> Cube {
            variables.map(|it| (it, cube.get(it).unwrap_or(false))).collect()
        };
        let shared = total(shared, &mut (0..self.space.program.atomic_bit()));
        (shared, total(locals, &mut self.space.scope(location).iter().copied()))
    }

    /// Whether a thread state of a pattern is one of those that a pair of states stands for.
    fn fits(&self, state: ThreadState, wanted: &Pattern) -> bool {
        self.system.thread_state(state.shared, state.local).is_some_and(|(cube, thread)| {
            let mut cube = cube.clone();
            cube.clear(self.space.program.atomic_bit());
            let is_fit =
                |it: &ThreadPattern| thread.location == it.location && thread.locals.meets(&it.locals);
            cube.meets(&wanted.shared) && wanted.threads.iter().all(is_fit)
        })
    }
}

/// Drops depths at the end where nothing is new.
fn trim(depths: &mut Depths) {
    while depths.last().is_some_and(StateSet::is_empty) {
        depths.pop();
    }
}
