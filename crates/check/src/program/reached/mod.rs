//! Checks that thread states are reached: performs a [`Schedule`], and looks whether all that is claimed was seen.
//!
//! To each crew belongs a set of states: a state has values of the shared variables, where the root is, and the values of the
//! local variables of the root and of the crew's threads. The invariant is: for each state of a crew's set, a configuration can
//! be reached that has these threads with these values, and perhaps others.
//!
//! * *Start*: up to as many threads as there are at the start are at the entry.
//! * *Step*: the successors of all states by one edge (`steps`). A thread outside of atomic sections acts where no thread of
//!   the crew is inside of one, and threads that are left alone never are (see Leave); so it can act in the configuration as
//!   well. Where others change with the step, each thread of the crew gets new values that are possible for it, or is gone.
//! * *Leave*: a thread that is not in an atomic section does nothing from now on. More threads never take a step away.
//! * *Join*, *Errand*: a thread that has done nothing so far may as well have been there all the time, if any number were at
//!   the start or could have been started (`waiting`). With assignments to passive threads this is not so: they would have
//!   changed it.
//!
//! Local variables that do not matter at a location are forgotten there: neither a step nor a thread state looks at their values
//! before they get new ones (`variables`), so a run with other values of them looks the same.
//!
//! A claim is a pattern with one thread: for all values that it allows of the shared variables and of the local variables of
//! the functions that the thread is in, a configuration can be reached with such a thread.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "`Variables::new` makes sure that the numbers of all variables of all places fit, with room for three more"
)]

mod diagram;
mod steps;
mod variables;
mod waiting;

use super::well_formed;
use crate::verdict::{Condition, Rejection, Trouble};
use diagram::{EMPTY, FULL, Set, Table};
use rustc_hash::FxHashMap;
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::schedule::{Crew, Move, Schedule};
use throng_boolprog::{InitThreads, Pattern, ProgramQuestion};
use variables::{ROOT, Variables, in_scope};

/// Diagrams may have so many nodes together.
const MOST_NODES: usize = 1 << 25;
/// And at so many they are tidied up for the first time.
const MANY_NODES: usize = 1 << 21;

/// Accepts that everything that is claimed is reached, or says what is wrong. A claim is a pattern with one thread.
pub fn check_reached(
    program: &Program,
    threads: InitThreads,
    schedule: &Schedule,
    claims: &[Pattern],
) -> Result<(), Rejection> {
    well_formed::check(program, &ProgramQuestion { threads, targets: claims.to_vec() })?;
    let n_places = schedule.crews.iter().map(|crew| crew.places.len()).max().unwrap_or(0);
    let variables = Variables::new(program, n_places).map_err(|trouble| trouble.at("the schedule"))?;
    let mut performer = Performer {
        program,
        threads,
        variables,
        table: Table::new(MOST_NODES),
        sets: FxHashMap::default(),
        outside: None,
        waiting: FxHashMap::default(),
        tidy_at: MANY_NODES,
    };
    for (number, &step) in schedule.moves.iter().enumerate() {
        let place = crate::names::place("move", number);
        performer.perform(schedule, step).map_err(|wrong| wrong.at(&place))?;
    }
    let shown = performer.shown().map_err(|trouble| trouble.at("the schedule"))?;
    claims.iter().try_for_each(|claim| performer.claimed(&shown, claim))
}

/// Why a move is not performed.
enum Wrong {
    Trouble(Trouble),
    Form(&'static str),
    NotEnabled(&'static str),
}

impl From<Trouble> for Wrong {
    fn from(trouble: Trouble) -> Self {
        Wrong::Trouble(trouble)
    }
}

impl Wrong {
    fn at(self, place: &str) -> Rejection {
        match self {
            Wrong::Trouble(trouble) => trouble.at(place),
            Wrong::Form(reason) => Rejection::new(Condition::Form, place, reason),
            Wrong::NotEnabled(reason) => Rejection::new(Condition::TraceEnabled, place, reason),
        }
    }
}

type Result<T, E = Wrong> = std::result::Result<T, E>;

struct Performer<'p> {
    program: &'p Program,
    threads: InitThreads,
    variables: Variables<'p>,
    table: Table,
    /// The states of each crew.
    sets: FxHashMap<Crew, Set>,
    /// The root is not in an atomic section.
    outside: Option<Set>,
    /// By edge, where the root is when it may have started any number of threads along it.
    waiting: FxHashMap<u32, Set>,
    tidy_at: usize,
}

impl Performer<'_> {
    fn perform(&mut self, schedule: &Schedule, step: Move) -> Result<()> {
        let crew = |number: usize| {
            let crew = schedule.crews.get(number).ok_or(Wrong::Form("there is no such crew"))?;
            let is_known = crew.places.iter().all(|at| at.index() < self.program.locations().len());
            let is_sorted = crew.places.is_sorted();
            if is_known && is_sorted { Ok(crew) } else { Err(Wrong::Form("the crew is not in order")) }
        };
        match step {
            Move::Start { crew: number } => {
                let crew = crew(number)?;
                self.start(crew)?;
            }
            Move::Step { crew: number, actor, edge, keep } => {
                let crew = crew(number)?;
                self.step(crew, actor, edge, keep)?;
            }
            Move::Leave { crew: number, place } => {
                let crew = crew(number)?;
                self.leave(crew, place)?;
            }
            Move::Join { crew: number, origin } => {
                let crew = crew(number)?;
                let (states, at) = self.newcomer(crew, origin)?;
                let mut threads = threads_of(crew);
                threads.push((at, crew.places.len() as u32 + 1));
                self.meet(crew.has_root, threads, states)?;
            }
            Move::Errand { crew: number, origin, route } => {
                let crew = crew(number)?;
                let route = schedule.routes.get(route).ok_or(Wrong::Form("there is no such route"))?;
                self.errand(crew, origin, route)?;
            }
        }
        self.tidy()
    }

    fn states(&self, crew: &Crew) -> Set {
        self.sets.get(crew).copied().unwrap_or(EMPTY)
    }

    fn is_atomic(&self, at: LocationId) -> bool {
        self.program.location(at).is_atomic
    }

    /// A crew at the start.
    fn start(&mut self, crew: &Crew) -> Result<()> {
        let entry = self.program.entry();
        let count = crew.places.len() + usize::from(crew.has_root);
        let is_possible = match self.threads {
            InitThreads::Exactly(most) => count <= most as usize,
            InitThreads::Any => true,
        };
        if !is_possible || crew.places.iter().any(|&at| at != entry) {
            return Err(Wrong::NotEnabled("there is no such crew at the start"));
        }
        let mut states = FULL;
        if crew.has_root {
            states = self.variables.root_at(&mut self.table, Some(entry))?;
        }
        self.meet(crew.has_root, threads_of(crew), states)
    }

    /// A thread is left alone.
    fn leave(&mut self, crew: &Crew, place: usize) -> Result<()> {
        let at = *crew.places.get(place).ok_or(Wrong::Form("there is no such place"))?;
        if self.is_atomic(at) {
            return Err(Wrong::NotEnabled("a thread is left alone in an atomic section"));
        }
        let mut threads = threads_of(crew);
        let (_, block) = threads.remove(place);
        let states = self.without_block(self.states(crew), block)?;
        self.meet(crew.has_root, threads, states)
    }

    fn without_block(&mut self, states: Set, block: u32) -> Result<Set, Trouble> {
        let variables = &self.variables;
        self.table.any(states, &|it| variables.is_of(block, it))
    }

    /// Adds states of a crew whose threads are in these blocks.
    fn meet(&mut self, has_root: bool, mut threads: Vec<(LocationId, u32)>, states: Set) -> Result<()> {
        threads.sort_by_key(|&(at, _)| at);
        let new: FxHashMap<u32, u32> = (1..).zip(&threads).map(|(new, &(_, old))| (old, new)).collect();
        let is_moved = new.iter().any(|(old, new)| old != new);
        let states = if is_moved {
            let variables = &self.variables;
            self.table.renamed(states, &|it| match variables.owner(it) {
                Some((block, variable)) => {
                    let block = if block == ROOT { ROOT } else { new.get(&block).copied().unwrap_or(block) };
                    variables.local(block, variable) + it % 2
                }
                None => it,
            })?
        } else {
            states
        };
        let places = threads.into_iter().map(|(at, _)| at).collect();
        let known = self.sets.entry(Crew { has_root, places }).or_insert(EMPTY);
        *known = self.table.or(*known, states)?;
        Ok(())
    }

    /// Forgets nodes that belong to nothing any more.
    fn tidy(&mut self) -> Result<()> {
        if self.table.len() < self.tidy_at {
            return Ok(());
        }
        self.variables.forget();
        let kept = self.sets.values_mut().chain(self.outside.as_mut()).chain(self.waiting.values_mut());
        self.table.keep_only(kept)?;
        self.tidy_at = self.tidy_at.max(4 * self.table.len());
        Ok(())
    }

    /// By location, what threads there see, in the block behind the root's.
    fn shown(&mut self) -> Result<Vec<Set>, Trouble> {
        let mut shown = vec![EMPTY; self.program.locations().len()];
        let mut by_root = EMPTY;
        let mut all: Vec<(Crew, Set)> = self.sets.iter().map(|(crew, &set)| (crew.clone(), set)).collect();
        all.sort_by(|(a, _), (b, _)| (a.has_root, &a.places).cmp(&(b.has_root, &b.places)));
        let variables = &self.variables;
        for (crew, states) in all {
            if crew.has_root {
                let alone =
                    self.table.any(states, &|it| !matches!(variables.owner(it), None | Some((ROOT, _))))?;
                by_root = self.table.or(by_root, alone)?;
            }
            for (block, &at) in (1..).zip(&crew.places) {
                let seen = view(&mut self.table, variables, states, (block, at))?;
                shown[at.index()] = self.table.or(shown[at.index()], seen)?;
            }
        }
        for at in LocationId::all(shown.len()) {
            let here = variables.root_at(&mut self.table, Some(at))?;
            let states = self.table.and(by_root, here)?;
            let seen = view(&mut self.table, variables, states, (ROOT, at))?;
            shown[at.index()] = self.table.or(shown[at.index()], seen)?;
        }
        Ok(shown)
    }

    fn claimed(&self, shown: &[Set], claim: &Pattern) -> Result<(), Rejection> {
        let [thread] = &*claim.threads else {
            return Err(Rejection::new(Condition::Form, "a claim", "is not about one thread"));
        };
        let scope = in_scope(self.program, thread.location);
        let is_known = thread.locals.iter().all(|(it, _)| scope.get(it as usize) == Some(&true));
        if !is_known || claim.shared.get(self.program.atomic_bit()).is_some() {
            return Err(Rejection::new(Condition::Form, "a claim", "is about values that nobody sees"));
        }
        let value = |it: u32| match self.variables.owner(it) {
            Some((_, variable)) => thread.locals.get(variable),
            None => claim
                .shared
                .iter()
                .find(|&(variable, _)| self.variables.shared(variable) == it)
                .map(|it| it.1),
        };
        if self.table.contains(shown[thread.location.index()], &value) {
            return Ok(());
        }
        let place = format!("a thread at {}", self.program.location_text(thread.location));
        Err(Rejection::new(
            Condition::TraceTarget,
            place,
            "is claimed to see what the schedule does not show",
        ))
    }
}

/// What the thread in a block sees at a location.
fn view(
    table: &mut Table,
    variables: &Variables<'_>,
    states: Set,
    (block, at): (u32, LocationId),
) -> Result<Set, Trouble> {
    let scope = in_scope(variables.program, at);
    let seen = table.any(states, &|it| match variables.owner(it) {
        Some((owner, variable)) => owner != block || !scope[variable as usize],
        None => variables.is_root_bit(it),
    })?;
    table.renamed(seen, &|it| match variables.owner(it) {
        Some((_, variable)) => variables.local(ROOT + 1, variable),
        None => it,
    })
}

/// The threads of a crew with their blocks.
fn threads_of(crew: &Crew) -> Vec<(LocationId, u32)> {
    crew.places.iter().copied().zip(1..).collect()
}
