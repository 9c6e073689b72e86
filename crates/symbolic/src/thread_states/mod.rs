//! What a thread of a program can see: reachable thread states and cutoffs (Zhao's thesis on STAR, Oxford 2009).
//!
//! A *thread state* is a valuation of the shared variables with the location and the variables of one thread. [`Survey`]
//! finds all that some number of threads reach, exactly: a superset thread by thread (`modular`), a subset by
//! following one thread while others come and go (`escort`), then few threads in all their interleavings (`crowd`), and if
//! these differ a coverability question about what lies between. If something of that is reached, more threads are followed;
//! where that is too much work, there are the Karp–Miller tree and more questions. All sets are decision diagrams (`sets`), so
//! it is the statements that count, not the valuations.
//!
//! Every superset comes with evidence: a proof that asks for what is outside, a cover set, or the proof of an engine. And so
//! does what is reached: a schedule of all moves that have shown something new (`journal`), which the checker performs.

mod crowd;
mod cutoff;
mod data;
mod escort;
mod footprint;
mod journal;
mod modular;
mod rename;
mod sets;
mod translated;
mod wanted;

pub use cutoff::Reachability;
pub use data::{Needy, ThreadStates};

use crate::system::{ProgramSystem, StatementTooLarge};
use biodivine_lib_bdd::Bdd;
use crowd::Ending;
use journal::Journal;
use sets::{Space, StateSet};
use std::sync::{Arc, Mutex, PoisonError};
use throng_base::{Budget, StopReason};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, Schedule, ThreadPattern};
use throng_cert::document::{Body, Proof};
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_engine::thread_states::ThreadState;
use throng_engine::{Answer, EngineKind, Observer, Options, UnknownReason, karp_miller};
use throng_model::Config;

/// So many threads are followed before anything else is tried.
const FEW_THREADS: usize = 3;
/// And not with more work than this.
const MOST_WORK: u64 = 1 << 25;
/// So large may a Karp–Miller tree grow before single questions are asked instead.
const FEW_NODES: usize = 1 << 16;

/// Diagrams with so many nodes have cubes that are found at once.
const FEW_CUBES: usize = 1 << 14;

/// Why a survey ends before it is complete.
pub trait Trouble: From<UnknownReason> {}

impl<T: From<UnknownReason>> Trouble for T {}

/// What a survey has to show for what it says.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// The question is answered: a target is reached, or none is.
    Answer(&'a EvidenceDocument),
    /// Everything that the targets stand for is reached.
    Reached(&'a Schedule),
}

/// Has evidence about a question checked.
pub type Accept<'a, E> = &'a mut dyn FnMut(&ProgramQuestion, Shown<'_>) -> Result<(), E>;

/// See the module's documentation.
#[derive(Debug)]
pub struct Survey<'p> {
    space: Space<'p>,
    /// The program with every step and every variable.
    system: ProgramSystem<'p>,
    threads: InitThreads,
    /// What is reached for certain.
    reached: StateSet,
    /// How it is reached.
    journal: Journal,
    window: Window,
}

/// What a survey has found so far, for somebody who does not want to wait for it any longer.
#[derive(Clone, Debug, Default)]
pub struct Window {
    seen: Arc<Mutex<Option<StateSet>>>,
}

impl Window {
    /// What is known to be reached, if anything; for the program that is surveyed.
    pub fn states(&self, program: &Program) -> Option<ThreadStates> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some(described(&Space::new(program)?, &seen, FEW_CUBES))
    }
}

fn described(space: &Space<'_>, states: &StateSet, most_nodes: usize) -> ThreadStates {
    let is_small = states.at.iter().map(Bdd::size).sum::<usize>() <= most_nodes;
    ThreadStates {
        places: if is_small { states.cubes(space) } else { Vec::new() },
        count: states.count(space),
        occupied: states.count_locals(space),
        all: sets::all_locals(space),
    }
}

impl<'p> Survey<'p> {
    /// A survey of what so many threads at the start can reach.
    pub fn new(program: &'p Program, threads: InitThreads) -> Result<Self, StatementTooLarge> {
        let question = ProgramQuestion { threads, targets: Vec::new() };
        let system = ProgramSystem::in_full(program, question)?;
        let space = Space::new(program).ok_or(StatementTooLarge { location: program.entry() })?;
        let reached = StateSet::empty(&space);
        let (journal, window) = (Journal::default(), Window::default());
        Ok(Self { space, system, threads, reached, journal, window })
    }

    /// What is surveyed, as engines see it.
    pub fn system(&self) -> &ProgramSystem<'p> {
        &self.system
    }

    /// What is known to be reached.
    pub fn states(&self) -> ThreadStates {
        described(&self.space, &self.reached, usize::MAX)
    }

    /// The same in no time: without cubes where there would be very many.
    pub fn states_at_once(&self) -> ThreadStates {
        described(&self.space, &self.reached, FEW_CUBES)
    }

    /// What others can look at while the survey goes on.
    pub fn window(&self) -> Window {
        self.window.clone()
    }

    /// Lets others see what is known to be reached.
    fn publish(&self) {
        let mut seen = self.window.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = Some(self.reached.clone());
    }

    /// Finds everything that is reached, and has it checked that nothing else is and that all of it is. Ends early with what it
    /// knows.
    pub fn run<E: Trouble>(
        &mut self,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<(), E> {
        self.find(budget, observer, accept)?;
        let targets = self.patterns(&self.reached, budget).map_err(|reason| E::from(reason.into()))?;
        let question = ProgramQuestion { threads: self.threads, targets };
        accept(&question, Shown::Reached(self.journal.schedule()))
    }

    fn find<E: Trouble>(
        &mut self,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<(), E> {
        let stopped = |reason| E::from(UnknownReason::Stopped(reason));
        let may = modular::may_reach(&self.space, self.threads, budget).map_err(stopped)?;
        let possible = modular::thread_states(&self.space, &may.at);
        let is_hasty = may.hasty(&self.space);
        let mut is_proved = false;
        for followed in 0.. {
            let (reached, journal) = (&mut self.reached, &mut self.journal);
            let ending = if followed == 0 {
                escort::follow(&self.space, self.threads, &is_hasty, (reached, journal), budget)
            } else {
                let limit = crowd::Limit { possible: &possible, is_hasty: &is_hasty, most_work: MOST_WORK };
                let (limits, asked) = ((budget, observer), (self.threads, followed));
                crowd::follow(&self.space, asked, limit, (reached, journal), limits)
            };
            self.publish();
            let ending = ending.map_err(stopped)?;
            let left = possible.without(&self.reached);
            let is_exact = left.is_empty();
            let is_last = ending == Ending::TooMuch;
            if !is_proved && (is_exact || is_last || followed >= FEW_THREADS) {
                let outside = self.outside(&may.at, budget).map_err(stopped)?;
                let (question, proof) = self.proof(outside, may.never_together(&self.space));
                accept(&question, Shown::Answer(&proof))?;
                is_proved = true;
            }
            if is_exact {
                return Ok(());
            }
            if is_last {
                break;
            }
            if followed >= FEW_THREADS && self.ask(&left, budget, observer, accept)? {
                return Ok(());
            }
        }
        let covered = self.karp_miller(budget, observer, accept)?;
        self.settle(covered.as_ref().unwrap_or(&possible), budget, observer, accept)
    }

    /// The patterns of what a superset does not contain.
    fn outside(&self, may: &[Bdd], budget: &Budget) -> Result<Vec<Pattern>, StopReason> {
        let outside = StateSet { at: may.iter().map(Bdd::not).collect() };
        self.patterns(&outside, budget)
    }

    /// Patterns of thread states.
    fn patterns(&self, states: &StateSet, budget: &Budget) -> Result<Vec<Pattern>, StopReason> {
        let places = states.cubes_within(&self.space, budget)?.into_iter();
        let patterns = places.flat_map(|(location, cubes)| {
            cubes.into_iter().map(move |(shared, locals)| pattern(location, shared, locals))
        });
        Ok(patterns.collect())
    }

    /// The proof that nothing outside of a superset is reached that is closed thread by thread, given pairs of
    /// threads that are never together.
    fn proof(&self, outside: Vec<Pattern>, pairs: Vec<Pattern>) -> (ProgramQuestion, EvidenceDocument) {
        let pairs = pairs.iter().map(|it| self.system.pattern_configuration(it));
        let elements = outside.iter().map(|it| self.system.pattern_configuration(it)).chain(pairs).collect();
        let body = Body::Proof(Proof { elements, ..Proof::default() });
        let document = EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body };
        (ProgramQuestion { threads: self.threads, targets: outside }, document)
    }

    /// All thread states that these pairs of states stand for, with their locations.
    fn diagrams(
        &self,
        states: impl Iterator<Item = ThreadState>,
        budget: &Budget,
    ) -> Result<Vec<(LocationId, Bdd)>, StopReason> {
        let mut all = Vec::new();
        for state in states {
            budget.check()?;
            if let Some((shared, thread)) = self.system.thread_state(state.shared, state.local) {
                let states = self.space.product(thread.location, shared, &thread.locals);
                all.push((thread.location, states));
            }
        }
        Ok(all)
    }

    /// What the Karp–Miller tree covers, if it could be completed: nothing else is reached. That all of it is rests on the tree,
    /// and the tree is not shown; so it is asked for like everything else.
    fn karp_miller<E: Trouble>(
        &mut self,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<Option<StateSet>, E> {
        let stopped = |reason| E::from(UnknownReason::Stopped(reason));
        let outcome =
            karp_miller::search_within(&self.system, &Options::default(), FEW_NODES, budget, observer);
        let Ok(evidence) = outcome.answer.into_evidence() else {
            budget.check().map_err(stopped)?;
            return Ok(None);
        };
        let mut covered = self.reached.clone();
        if let throng_cert::Evidence::CoverSet(set) = &evidence {
            let states = self.diagrams(set.elements.iter().flat_map(states_of), budget).map_err(stopped)?;
            covered.add_all(states);
        }
        let targets = self.outside(&covered.at, budget).map_err(stopped)?;
        let question = ProgramQuestion { threads: self.threads, targets };
        let document = self.system.document(&evidence, Header::default());
        let document = document.map_err(|_| E::from(UnknownReason::EvidenceTooLarge))?;
        accept(&question, Shown::Answer(&document))?;
        Ok(Some(covered))
    }

    /// Asks about what lies between, until nothing does.
    fn settle<E: Trouble>(
        &mut self,
        possible: &StateSet,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<(), E> {
        loop {
            let left = possible.without(&self.reached);
            if left.is_empty() || self.ask(&left, budget, observer, accept)? {
                return Ok(());
            }
        }
    }

    /// Whether nothing of this is reached. Otherwise something is known to be reached now that was not known before.
    fn ask<E: Trouble>(
        &mut self,
        left: &StateSet,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<bool, E> {
        let targets = self.patterns(left, budget).map_err(|reason| E::from(reason.into()))?;
        let question = ProgramQuestion { threads: self.threads, targets };
        let system = ProgramSystem::new(self.space.program, question.clone());
        let system = system.map_err(|_| E::from(UnknownReason::Unsupported))?;
        let options = Options { jobs: 1, ..Options::default() };
        let outcome = system.decide(EngineKind::Auto, &options, budget, observer);
        let is_trace = matches!(outcome.answer, Answer::Unsafe(_));
        let evidence = outcome.answer.into_evidence()?;
        let document = system.document(&evidence, Header::default());
        let document = document.map_err(|_| E::from(UnknownReason::EvidenceTooLarge))?;
        accept(&question, Shown::Answer(&document))?;
        if !is_trace {
            return Ok(true);
        }
        let before = self.reached.clone();
        let Some(run) = system.run_of(&evidence) else { return Err(E::from(UnknownReason::Inconclusive)) };
        self.journal.note_run(&run);
        let seen = run.thread_states().into_iter().map(|(shared, thread)| {
            (thread.location, self.space.product(thread.location, &shared, &thread.locals))
        });
        self.reached.add_all(seen.collect());
        self.publish();
        if self.reached == before { Err(E::from(UnknownReason::Inconclusive)) } else { Ok(false) }
    }
}

fn pattern(location: LocationId, shared: Cube, locals: Cube) -> Pattern {
    Pattern { shared, threads: vec![ThreadPattern { location, locals }] }
}

/// The thread states that a configuration shows.
fn states_of(config: &Config) -> impl Iterator<Item = ThreadState> {
    config.bag.iter().map(|entry| ThreadState { shared: config.shared, local: entry.local })
}
