//! What a thread of a program can see: reachable thread states and cutoffs (Zhao's thesis on STAR, Oxford 2009).
//!
//! A *thread state* is a valuation of the shared variables with the location and the variables of one thread. [`Survey`]
//! finds all that some number of threads reach, exactly: a superset thread by thread (`modular`), a subset by
//! following few threads (`crowd`), and if these differ a coverability question about what lies between. If something of that is
//! reached, more threads are followed; where that is too much work, there are the Karp–Miller tree and more questions. All sets are decision diagrams (`sets`), so it is the statements that count, not the valuations.
//!
//! Every superset comes with evidence: a proof that asks for what is outside, a cover set, or the proof of an engine.

mod crowd;
mod cutoff;
mod data;
mod modular;
mod rename;
mod sets;

pub use data::{Cutoffs, Needy, ThreadStates};

use crate::system::{ProgramSystem, StatementTooLarge};
use sets::{Space, StateSet};
use throng_base::Budget;
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern};
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

/// Why a survey ends before it is complete.
pub trait Trouble: From<UnknownReason> {}

impl<T: From<UnknownReason>> Trouble for T {}

/// Has evidence checked: it answers the question with no.
pub type Accept<'a, E> = &'a mut dyn FnMut(&ProgramQuestion, &EvidenceDocument) -> Result<(), E>;

/// See the module's documentation.
#[derive(Debug)]
pub struct Survey<'p> {
    space: Space<'p>,
    /// The program with every step and every variable.
    system: ProgramSystem<'p>,
    threads: InitThreads,
    /// What is reached for certain.
    reached: StateSet,
}

impl<'p> Survey<'p> {
    /// A survey of what so many threads at the start can reach.
    pub fn new(program: &'p Program, threads: InitThreads) -> Result<Self, StatementTooLarge> {
        let question = ProgramQuestion { threads, targets: Vec::new() };
        let system = ProgramSystem::in_full(program, question)?;
        let space = Space::new(program).ok_or(StatementTooLarge { location: program.entry() })?;
        let reached = StateSet::empty(&space);
        Ok(Self { space, system, threads, reached })
    }

    /// What is surveyed, as engines see it.
    pub fn system(&self) -> &ProgramSystem<'p> {
        &self.system
    }

    /// What is known to be reached.
    pub fn states(&self) -> ThreadStates {
        ThreadStates {
            places: self.reached.cubes(&self.space),
            count: self.reached.count(&self.space),
            occupied: self.reached.count_locals(&self.space),
            all: sets::all_locals(&self.space),
        }
    }

    /// Finds everything that is reached. Ends early with what it knows.
    pub fn run<E: Trouble>(
        &mut self,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<(), E> {
        let stopped = |reason| E::from(UnknownReason::Stopped(reason));
        let may = modular::may_reach(&self.space, self.threads, budget).map_err(stopped)?;
        let possible = modular::thread_states(&self.space, &may);
        let mut is_proved = false;
        for followed in 1.. {
            let (limits, asked) = ((budget, observer), (self.threads, followed));
            let ending = crowd::follow(&self.space, asked, MOST_WORK, &mut self.reached, limits);
            let ending = ending.map_err(stopped)?;
            let left = possible.without(&self.reached);
            let is_exact = left.is_empty();
            let is_last = ending == crowd::Ending::TooMuch;
            if !is_proved && (is_exact || is_last || followed >= FEW_THREADS) {
                let (question, proof) = self.proof(self.outside(&may));
                accept(&question, &proof)?;
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
        if self.karp_miller(budget, observer, accept)? {
            return Ok(());
        }
        self.settle(&possible, budget, observer, accept)
    }

    /// The patterns of what a superset does not contain.
    fn outside(&self, may: &[biodivine_lib_bdd::Bdd]) -> Vec<Pattern> {
        let places = LocationId::all(may.len()).zip(may);
        let outside = places.flat_map(|(location, states)| {
            let cubes = self.space.cubes(&states.not());
            cubes.into_iter().map(move |(shared, locals)| pattern(location, shared, locals))
        });
        outside.collect()
    }

    /// The proof that nothing outside of a superset is reached that is closed thread by thread.
    fn proof(&self, outside: Vec<Pattern>) -> (ProgramQuestion, EvidenceDocument) {
        let elements = outside.iter().map(|it| self.system.pattern_configuration(it)).collect();
        let body = Body::Proof(Proof { elements, ..Proof::default() });
        let document = EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body };
        (ProgramQuestion { threads: self.threads, targets: outside }, document)
    }

    fn add(&mut self, state: ThreadState) {
        let mut set = StateSet::empty(&self.space);
        self.add_to(&mut set, state);
        self.reached.union(&set);
    }

    /// Adds all thread states that a pair of states stands for.
    fn add_to(&self, set: &mut StateSet, state: ThreadState) {
        if let Some((shared, thread)) = self.system.thread_state(state.shared, state.local) {
            set.add(&self.space, thread.location, shared, &thread.locals);
        }
    }

    fn add_config(&mut self, config: &Config) {
        for entry in config.bag.iter() {
            self.add(ThreadState { shared: config.shared, local: entry.local });
        }
    }

    /// Whether the Karp–Miller tree could be completed: then it says what is reached.
    fn karp_miller<E: Trouble>(
        &mut self,
        budget: &Budget,
        observer: &dyn Observer,
        accept: Accept<'_, E>,
    ) -> Result<bool, E> {
        let outcome =
            karp_miller::search_within(&self.system, &Options::default(), FEW_NODES, budget, observer);
        let Ok(evidence) = outcome.answer.into_evidence() else {
            budget.check().map_err(|reason| E::from(UnknownReason::Stopped(reason)))?;
            return Ok(false);
        };
        if let throng_cert::Evidence::CoverSet(set) = &evidence {
            set.elements.iter().for_each(|config| self.add_config(config));
        }
        let targets: Vec<Pattern> = self.outside(&self.reached.at.clone());
        let question = ProgramQuestion { threads: self.threads, targets };
        let document = self.system.document(&evidence, Header::default());
        let document = document.ok_or(E::from(UnknownReason::EvidenceTooLarge))?;
        accept(&question, &document)?;
        Ok(true)
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
        let patterns = left.cubes(&self.space).into_iter().flat_map(|(location, cubes)| {
            cubes.into_iter().map(move |(shared, locals)| pattern(location, shared, locals))
        });
        let question = ProgramQuestion { threads: self.threads, targets: patterns.collect() };
        let system = ProgramSystem::new(self.space.program, question.clone());
        let system = system.map_err(|_| E::from(UnknownReason::Unsupported))?;
        let options = Options { jobs: 1, ..Options::default() };
        let outcome = EngineKind::Auto.run(&system, &options, budget, observer);
        let is_trace = matches!(outcome.answer, Answer::Unsafe(_));
        let evidence = outcome.answer.into_evidence()?;
        let document = system.document(&evidence, Header::default());
        let document = document.ok_or(E::from(UnknownReason::EvidenceTooLarge))?;
        accept(&question, &document)?;
        if !is_trace {
            return Ok(true);
        }
        let before = self.reached.clone();
        for (shared, thread) in system.states_on(&evidence) {
            self.reached.add(&self.space, thread.location, &shared, &thread.locals);
        }
        if self.reached == before { Err(E::from(UnknownReason::Inconclusive)) } else { Ok(false) }
    }
}

fn pattern(location: LocationId, shared: Cube, locals: Cube) -> Pattern {
    Pattern { shared, threads: vec![ThreadPattern { location, locals }] }
}
