//! The two cutoffs, given what is reachable at all.
//!
//! The reachability cutoff comes first: mostly few threads suffice, while in how few steps any number of threads gets
//! somewhere can take long to find out. Few configurations are all explored, with first depths; where there are more, the
//! cutoff is found from both sides (`narrow`).

use super::gather::Gathered;
use super::narrow::{Followed, Wanted, narrow};
use super::{Exploration, ThreadState, explore, first_depths};
use crate::mincov::coverability_set;
use crate::{Observer, Progress, UnknownReason};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use throng_base::{Budget, StopReason};
use throng_cert::{Trace, TraceItem};
use throng_model::{ClosedSet, Config, ConfigRef, DownwardClosedSet, TransitionSystem};

/// So many successors may be computed to find out what any number of threads cover.
const MOST_SUCCESSORS: u64 = 1 << 20;

/// How much work is done of each kind before another one is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// So many configurations are all explored.
    pub few_configs: usize,
    /// So many are followed by a scout before somebody asks what it has not seen; then twice as many, and so on.
    pub first_effort: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { few_configs: 1 << 14, first_effort: 1 << 14 }
    }
}

/// What so many threads reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How many threads.
    pub threads: u64,
    /// How many thread states they reach.
    pub reached: usize,
    /// How many of those they reach in as few steps as any number of threads.
    pub at_first_depth: usize,
    /// How many configurations they have.
    pub configs: usize,
}

/// A thread state that fewer threads do not reach.
#[derive(Clone, Debug)]
pub struct Needy {
    /// The thread state.
    pub state: ThreadState,
    /// How it is reached.
    pub trace: Trace,
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct Cutoffs {
    /// n₀: so many threads reach everything that any number of threads reach, and no fewer do.
    pub reachability: u64,
    /// N₀: so many threads reach it in as few steps as any number of threads, and no fewer do.
    pub uniform: u64,
    /// What needs n₀ threads; `None` if nothing is reachable.
    pub needy: Option<Needy>,
    /// What 1, 2, …, N₀ threads reach.
    pub layers: Vec<Layer>,
}

/// The reachability cutoff by itself, and what was explored to find it.
#[derive(Clone, Debug)]
pub struct Reachability {
    /// n₀.
    pub threads: u64,
    /// What needs n₀ threads; `None` if nothing is reachable.
    pub needy: Option<Needy>,
    /// What 1, 2, … threads reach, with first depths, and in how many configurations; not necessarily up to n₀.
    reached: Vec<(BTreeMap<ThreadState, u64>, usize)>,
}

/// Computes the reachability cutoff, given all reachable thread states. `note` learns how many threads do not suffice.
pub fn reachability_cutoff(
    system: &dyn TransitionSystem,
    reachable: &BTreeSet<ThreadState>,
    pace: Pace,
    (budget, observer): (&Budget, &dyn Observer),
    note: &mut dyn FnMut(u64),
) -> Result<Reachability, UnknownReason> {
    let mut reached: Vec<(BTreeMap<ThreadState, u64>, usize)> = Vec::new();
    for threads in 1.. {
        let exploration = explore(system, threads, pace.few_configs, budget, observer)?;
        if !exploration.is_complete() {
            break;
        }
        let depths = depths_of(&exploration, reachable);
        if depths.len() == reachable.len() {
            // Of what is new, the last to be reached.
            let is_new = |state| reached.last().is_none_or(|(before, _)| !before.contains_key(state));
            let new = depths.iter().filter(|&(state, _)| is_new(state));
            let last =
                new.max_by_key(|&(state, depth)| (depth, std::cmp::Reverse(state))).map(|(&state, _)| state);
            let needy =
                last.and_then(|state| Some(Needy { state, trace: exploration.trace_to(system, state)? }));
            reached.push((depths, exploration.n_configs()));
            return Ok(Reachability { threads, needy, reached });
        }
        note(threads);
        reached.push((depths, exploration.n_configs()));
    }
    let gathered = system.explicit().and_then(|system| Gathered::new(system, reachable, &|_| true));
    let waits = |state: &&ThreadState| gathered.as_ref().is_none_or(|it| !it.leaves_out(state.local));
    let all: BTreeSet<ThreadState> = reachable.iter().filter(waits).copied().collect();
    let searched: &dyn TransitionSystem = gathered.as_ref().map_or(system, |it| it.system());
    let lower = reached.len() as u64;
    let cover = coverable(searched, (budget, observer))?;
    let mut wanted = States { system: searched, all: &all, fewest: FxHashMap::default(), cover };
    wanted.fewest.extend(all.iter().map(|&state| {
        let few = reached.iter().take_while(|(depths, _)| !depths.contains_key(&state)).count();
        (state, few as u64 + 1)
    }));
    let example = reached
        .last()
        .map_or(all.first(), |(depths, _)| all.iter().rev().find(|state| !depths.contains_key(state)));
    let found = narrow(searched, &mut wanted, (lower, pace.first_effort), (budget, observer), note)?;
    let needy = found.example.or(example.copied()).and_then(|state| {
        let trace = found.scout.trace_to(state)?;
        let trace = match (&gathered, system.explicit()) {
            (Some(gathered), Some(system)) => gathered.lift(system, &trace)?,
            _ => trace,
        };
        Some(Needy { state, trace })
    });
    Ok(Reachability { threads: found.threads, needy, reached })
}

/// The thread states of a system that are to be reached.
struct States<'a> {
    system: &'a dyn TransitionSystem,
    all: &'a BTreeSet<ThreadState>,
    /// How many threads they need at least.
    fewest: FxHashMap<ThreadState, u64>,
    /// What any number of threads cover, if that is known.
    cover: Option<DownwardClosedSet>,
}

/// What any number of threads cover, if that is found soon.
pub fn coverable(
    system: &dyn TransitionSystem,
    (budget, observer): (&Budget, &dyn Observer),
) -> Result<Option<DownwardClosedSet>, UnknownReason> {
    let part = budget.part();
    let leash = Leash { observer, budget: &part, most: MOST_SUCCESSORS };
    let covered = coverability_set(system, &part, &leash);
    budget.check()?;
    Ok(covered.ending.is_ok().then(|| {
        let mut set = DownwardClosedSet::default();
        for element in &covered.elements {
            set.insert(element.view());
        }
        set
    }))
}

/// Stops a search that has gone too far.
struct Leash<'a> {
    observer: &'a dyn Observer,
    budget: &'a Budget,
    most: u64,
}

impl Observer for Leash<'_> {
    fn progress(&self, progress: &Progress) {
        self.observer.progress(progress);
        if progress.steps > self.most {
            self.budget.stop(StopReason::Cancelled);
        }
    }
}

impl Wanted for States<'_> {
    type Left = BTreeSet<ThreadState>;
    type Example = ThreadState;

    fn all(&self) -> Self::Left {
        self.all.clone()
    }

    fn remove(&self, left: &mut Self::Left, seen: &[ThreadState], _: &Budget) -> Result<(), UnknownReason> {
        for state in seen {
            left.remove(state);
        }
        Ok(())
    }

    fn remove_example(&self, left: &mut Self::Left, example: &ThreadState) {
        left.remove(example);
    }

    fn n_left(&self, left: &Self::Left) -> u64 {
        left.len() as u64
    }

    fn has(&self, left: &Self::Left, example: &ThreadState) -> bool {
        left.contains(example)
    }

    fn is_empty(&self, left: &Self::Left) -> bool {
        left.is_empty()
    }

    fn examples(&self, left: &Self::Left, most: usize) -> Vec<ThreadState> {
        let apart = left.len().div_ceil(most).max(1);
        left.iter().rev().step_by(apart).copied().collect()
    }

    fn targets(&self, example: &ThreadState) -> Vec<Config> {
        vec![example.to_config()]
    }

    fn fewest(&self, config: ConfigRef<'_>) -> Option<u64> {
        let of = |local| self.fewest.get(&ThreadState { shared: config.shared, local }).copied();
        let fewest = config.bag.iter().try_fold(0, |fewest, entry| Some(of(entry.local)?.max(fewest)))?;
        self.cover.as_ref().is_none_or(|cover| cover.contains(config)).then_some(fewest)
    }

    fn note(&mut self, left: &Self::Left, threads: u64) {
        self.fewest.extend(left.iter().map(|&state| (state, threads + 1)));
    }

    fn follow(&self, trace: &Trace, _: &ThreadState, _: u64) -> Option<Followed> {
        let system = self.system.explicit()?;
        let mut followed = Followed::new();
        for item in &trace.items {
            let TraceItem::Step(step) = item else { return None };
            let before = followed.last().map_or(trace.initial.view(), |(_, config)| config.view());
            followed
                .push((step.rule, throng_model::step::fire(system.rule(step.rule), before, &step.moved)?));
        }
        Some(followed)
    }
}

/// Computes the uniform cutoff too. `report` learns of each layer when it is complete.
pub fn uniform_cutoff(
    system: &dyn TransitionSystem,
    reachable: &BTreeSet<ThreadState>,
    known: Reachability,
    budget: &Budget,
    observer: &dyn Observer,
    mut report: impl FnMut(&Layer),
) -> Result<Cutoffs, UnknownReason> {
    let first = first_depths(system, reachable, budget, observer)?;
    let mut layers: Vec<Layer> = Vec::new();
    let mut explored = known.reached.into_iter();
    for threads in 1.. {
        let (depths, configs) = match explored.next() {
            Some(known) => known,
            None => {
                let exploration = explore(system, threads, usize::MAX, budget, observer)?;
                (depths_of(&exploration, reachable), exploration.n_configs())
            }
        };
        let at_first_depth = depths.iter().filter(|&(state, depth)| first.get(state) == Some(depth)).count();
        let layer = Layer { threads, reached: depths.len(), at_first_depth, configs };
        report(&layer);
        layers.push(layer);
        if threads >= known.threads && at_first_depth == reachable.len() {
            let Reachability { threads: reachability, needy, .. } = known;
            return Ok(Cutoffs { reachability, uniform: threads, needy, layers });
        }
    }
    unreachable!("INVARIANT: there is a cutoff for every finite set of thread states")
}

/// Computes both cutoffs, given all reachable thread states. `report` learns of each layer when it is complete.
pub fn cutoffs(
    system: &dyn TransitionSystem,
    reachable: &BTreeSet<ThreadState>,
    budget: &Budget,
    observer: &dyn Observer,
    report: impl FnMut(&Layer),
) -> Result<Cutoffs, UnknownReason> {
    let known = reachability_cutoff(system, reachable, Pace::default(), (budget, observer), &mut |_| ())?;
    uniform_cutoff(system, reachable, known, budget, observer, report)
}

/// The first depths of these thread states, as far as they were reached.
fn depths_of(exploration: &Exploration, reachable: &BTreeSet<ThreadState>) -> BTreeMap<ThreadState, u64> {
    exploration.states().filter(|(state, _)| reachable.contains(state)).collect()
}
