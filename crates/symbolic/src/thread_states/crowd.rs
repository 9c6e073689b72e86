//! What a few threads reach, as decision diagrams: a subset of what any number of threads reach, and mostly all of it.
//!
//! Some threads are followed, each in a place of its own: for each list of their locations there is a diagram over the shared
//! variables and the variables of all of them. Others may be there and do nothing. So a thread that is started is followed
//! or not, as there is room; a thread that has ended makes room, and one that is followed may be left alone for ever to
//! make room for another. More threads never take a step away, so all that is found is reached.
//!
//! Few interleavings are looked at. A thread is *hasty* while all that it can do is independent of all that others can do at
//! the same time, as long as it holds a lock, say. Then others wait, or the thread is left alone for ever. Nothing is
//! missed by that: steps of others can come before those of a hasty thread, since others may act when a thread becomes
//! hasty, and of several hasty threads one can go after the other, the last being the one that is looked at.

mod layout;
mod step;

use super::journal::Journal;
use super::modular;
use super::rename::{renamed, simpler};
use super::sets::{Space, StateSet};
use crate::relation::Owner;
use biodivine_lib_bdd::{Bdd, BddVariable};
use layout::Layout;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use step::Steps;
use throng_base::{Budget, StopReason};
use throng_boolprog::InitThreads;
use throng_boolprog::flow::LocationId;
use throng_boolprog::schedule::{Actor, Keep, Move, Origin};
use throng_engine::{Observer, Progress};

/// Where the threads are that are followed; nobody is in a place without a location.
type Places = SmallVec<[Option<LocationId>; 4]>;

/// What is reached is shown before more has piled up than this, so that it does not take long when time is up.
const MOST_UNSEEN: usize = 1_000;

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Everything that so many threads do was followed.
    Complete,
    /// It was more work than allowed.
    TooMuch,
}

/// What may be reached.
#[derive(Clone, Copy)]
pub(crate) struct Limit<'a> {
    /// More is not to be found.
    pub(crate) possible: &'a StateSet,
    /// By location, whether threads are hasty there.
    pub(crate) is_hasty: &'a [bool],
    /// So much work may be done, as steps and the nodes of their diagrams.
    pub(crate) most_work: u64,
}

/// Follows so many threads, and adds what they reach. What was reached is added also if there is an error.
pub(crate) fn follow(
    space: &Space<'_>,
    (threads, n_followed): (InitThreads, usize),
    limit: Limit<'_>,
    (reached, journal): (&mut StateSet, &mut Journal),
    (budget, observer): (&Budget, &dyn Observer),
) -> Result<Ending, StopReason> {
    // Whoever has not taken a step yet has arbitrary values, unless others assign to them.
    let wakes = threads == InitThreads::Any && !modular::has_broadcasts(space.program);
    let Some(layout) = Layout::new(space, n_followed + 1) else { return Ok(Ending::TooMuch) };
    let mut crowd = Crowd {
        steps: Steps::new(space, &layout),
        space,
        limit,
        journal,
        layout: &layout,
        known: FxHashMap::default(),
        new: FxHashMap::default(),
        waiting: BTreeSet::new(),
        unseen: BTreeSet::new(),
        wakes,
        more_to_come: wakes || space.program.starts_threads(),
        work: 0,
    };
    crowd.start(threads, n_followed);
    let ending = crowd.explore(reached, budget, observer);
    crowd.show(reached);
    ending
}

struct Crowd<'a, 'p> {
    space: &'a Space<'p>,
    limit: Limit<'a>,
    journal: &'a mut Journal,
    layout: &'a Layout<'a, 'p>,
    steps: Steps<'a, 'p>,
    known: FxHashMap<Places, Bdd>,
    /// What is known and has not been followed.
    new: FxHashMap<Places, Bdd>,
    /// By the sum of ranks.
    waiting: BTreeSet<(u32, Places)>,
    /// What has become known since it was shown last.
    unseen: BTreeSet<Places>,
    /// Whether a thread may be at the start that was not followed so far.
    wakes: bool,
    /// Whether there will be threads that are not there yet.
    more_to_come: bool,
    work: u64,
}

impl Crowd<'_, '_> {
    fn start(&mut self, threads: InitThreads, n_followed: usize) {
        let entry = self.space.program.entry();
        let fewest = match threads {
            InitThreads::Exactly(count) => (count as usize).min(n_followed),
            InitThreads::Any => 1,
        };
        let most = if threads == InitThreads::Any { n_followed } else { fewest };
        for count in fewest..=most {
            // The last place is for threads that are seen when they start and not followed.
            let places = (0..=n_followed).map(|place| (place < count).then_some(entry)).collect();
            let crew = self.crew(&places);
            self.meet(places, self.layout.always(), Move::Start { crew });
        }
    }

    /// The crew of those who are followed.
    fn crew(&mut self, places: &Places) -> usize {
        self.journal.crew(false, places.iter().copied().flatten().collect())
    }

    /// Notes where a move leads threads; they have no names, so they are in the order of their locations.
    fn meet(&mut self, mut places: Places, mut states: Bdd, by: Move) {
        if states.is_false() {
            return;
        }
        let mut order: SmallVec<[usize; 4]> = (0..places.len()).collect();
        order.sort_by_key(|&place| (places[place].is_none(), places[place]));
        if order.iter().enumerate().any(|(to, &from)| to != from) {
            states = self.layout.permuted(&states, &order, &places);
            places = order.iter().map(|&from| places[from]).collect();
        }
        let nothing = || self.layout.always().not();
        let known = self.known.entry(places.clone()).or_insert_with(nothing);
        let more = states.and_not(known);
        if more.is_false() {
            return;
        }
        *known = known.or(&more);
        self.journal.note(by);
        self.unseen.insert(places.clone());
        let new = self.new.entry(places.clone()).or_insert_with(nothing);
        if new.is_false() {
            let rank = places.iter().flatten().map(|&at| self.space.rank(at)).sum();
            self.waiting.insert((rank, places));
        }
        *new = simpler(new.or(&more), known);
    }

    fn explore(
        &mut self,
        reached: &mut StateSet,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<Ending, StopReason> {
        let mut steps = 0_u64;
        while let Some((_, places)) = self.waiting.pop_first() {
            let Some(states) = self.new.remove(&places) else { continue };
            let crew = self.crew(&places);
            self.make_room(crew, &places, &states);
            for place in 0..self.layout.spare() {
                if !self.may_act(&places, place) {
                    continue;
                }
                for (edge, after, states) in self.steps.after(&places, place, &states, budget)? {
                    self.work += 16 + states.size() as u64;
                    let step = |keep| Move::Step { crew, actor: Actor::Place(place), edge, keep };
                    self.meet_all(after, &states, reached, step);
                }
                budget.check()?;
            }
            steps += 1;
            if steps.is_multiple_of(64) {
                let (elements, frontier) = (self.known.len() as u64, self.waiting.len() as u64);
                let threads = self.layout.spare() as u64;
                observer.progress(&Progress { elements, frontier, threads, steps, ..Progress::default() });
            }
            if self.unseen.len() > MOST_UNSEEN {
                self.show(reached);
                if self.limit.possible.without(reached).is_empty() {
                    return Ok(Ending::Complete);
                }
            }
            if self.work > self.limit.most_work {
                return Ok(Ending::TooMuch);
            }
        }
        Ok(Ending::Complete)
    }

    fn is_hasty(&self, at: LocationId) -> bool {
        self.limit.is_hasty[at.index()]
    }

    /// Where there is room, a thread may begin that did nothing so far. Where all places are taken, any thread may be left
    /// alone from now on, and nobody looks at it any more.
    fn make_room(&mut self, crew: usize, places: &Places, states: &Bdd) {
        let (spare, program) = (self.layout.spare(), self.space.program);
        let hasty = places.iter().position(|at| at.is_some_and(|at| self.is_hasty(at)));
        if let Some(place) = hasty {
            let mut fewer = places.clone();
            fewer[place] = None;
            self.meet(fewer, states.exists(&self.layout.all_of(place)), Move::Leave { crew, place });
            return;
        }
        if let Some(room) = places[..spare].iter().position(Option::is_none) {
            if self.wakes {
                let mut more = places.clone();
                more[room] = Some(program.entry());
                self.meet(more, states.clone(), Move::Join { crew, origin: Origin::Entry });
            }
            return;
        }
        if !self.more_to_come || spare < 2 {
            return;
        }
        for (place, at) in places[..spare].iter().enumerate() {
            if at.is_some_and(|at| !program.location(at).is_atomic) {
                let mut fewer = places.clone();
                fewer[place] = None;
                let left = states.exists(&self.layout.all_of(place));
                self.meet(fewer, left, Move::Leave { crew, place });
            }
        }
    }

    /// Whether there is a thread, and no other one is hasty or in an atomic section.
    fn may_act(&self, places: &Places, place: usize) -> bool {
        let is_first = |at: LocationId| self.is_hasty(at) || self.space.program.location(at).is_atomic;
        let mut others = places.iter().enumerate().filter(|&(other, _)| other != place);
        places[place].is_some() && !others.any(|(_, at)| at.is_some_and(is_first))
    }

    /// A thread in the spare place was started. It is followed in another place, if there is one, and also not followed.
    fn meet_all(
        &mut self,
        mut places: Places,
        states: &Bdd,
        reached: &mut StateSet,
        step: impl Fn(Keep) -> Move,
    ) {
        let spare = self.layout.spare();
        if let Some(at) = places[spare].take() {
            let seen = self.seen(at, spare, states);
            if !seen.and_not(&reached.at[at.index()]).is_false() {
                reached.at[at.index()] = reached.at[at.index()].or(&seen);
                self.journal.note(step(Keep::Both));
            }
            let room = places[..spare].iter().position(Option::is_none);
            if let Some(room) = room {
                let mut followed = places.clone();
                followed[room] = Some(at);
                let moved = self.layout.moved(states, spare, room);
                self.meet(followed, moved, step(Keep::Both));
            }
            // Nobody acts while a thread is in an atomic section, so it cannot be forgotten there.
            if !self.space.program.location(at).is_atomic {
                let forgotten = states.exists(&self.layout.all_of(spare));
                self.meet(places, forgotten, step(Keep::Parent));
            }
        } else {
            self.meet(places, states.clone(), step(Keep::Parent));
        }
    }

    /// The thread states that a thread in a place has.
    fn seen(&self, at: LocationId, place: usize, states: &Bdd) -> Bdd {
        let layout = self.layout;
        let others: Vec<BddVariable> =
            (0..=layout.spare()).filter(|&other| other != place).flat_map(|it| layout.all_of(it)).collect();
        let alone = states.exists(&others);
        let n_variables = self.space.slots.all.len();
        let own = renamed(&alone, n_variables, |variable| match layout.meaning(variable) {
            (None, index) => self.space.variable(Owner::Shared, index, false),
            (Some(_), index) => self.space.variable(Owner::Own, index, false),
        });
        self.space.in_scope(at, &own)
    }

    /// Adds everything that is known.
    fn show(&mut self, reached: &mut StateSet) {
        let mut seen = Vec::new();
        for places in std::mem::take(&mut self.unseen) {
            let Some(states) = self.known.get(&places) else { continue };
            let there = places.iter().enumerate().filter_map(|(place, at)| Some((place, (*at)?)));
            seen.extend(there.map(|(place, at)| (at, self.seen(at, place, states))));
        }
        reached.add_all(seen);
    }
}
