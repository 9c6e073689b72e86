//! The thread states of a program as something to be reached by so many threads, for the search for the cutoff.
//!
//! What is left is kept as diagrams. Examples are single valuations, so that it is certain what it means to reach one.

use super::sets::StateSet;
use super::{Survey, pattern};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use throng_base::Budget;
use throng_boolprog::Pattern;
use throng_cert::document::{Body, Item};
use throng_cert::{Count, EvidenceDocument, Header, Trace};
use throng_engine::UnknownReason;
use throng_engine::thread_states::{Followed, ThreadState, Wanted};
use throng_model::{Bag, Config, ConfigRef, LocalId, SharedId};

pub(super) struct Valuations<'a, 'p> {
    survey: &'a Survey<'p>,
    /// Whether anything that a shared and a local state stand for is reachable.
    reachable: RefCell<FxHashMap<(SharedId, LocalId), bool>>,
}

impl<'a, 'p> Valuations<'a, 'p> {
    pub(super) fn new(survey: &'a Survey<'p>) -> Self {
        Self { survey, reachable: RefCell::default() }
    }

    fn is_reachable(&self, shared: SharedId, local: LocalId) -> bool {
        let known = self.reachable.borrow().get(&(shared, local)).copied();
        known.unwrap_or_else(|| {
            let survey = self.survey;
            // What stands for no thread state is not known to be out of reach.
            let is_reachable = survey.system.thread_state(shared, local).is_none_or(|(cube, thread)| {
                let states = survey.space.product(thread.location, cube, &thread.locals);
                !states.and(&survey.reached.at[thread.location.index()]).is_false()
            });
            self.reachable.borrow_mut().insert((shared, local), is_reachable);
            is_reachable
        })
    }
}

impl Survey<'_> {
    /// The diagram of an example, with its location.
    pub(super) fn diagram_of(&self, example: &Pattern) -> Option<(usize, biodivine_lib_bdd::Bdd)> {
        let thread = example.threads.first()?;
        let states = self.space.product(thread.location, &example.shared, &thread.locals);
        Some((thread.location.index(), states))
    }

    /// At most so many valuations, from everywhere.
    pub(super) fn examples_of(&self, left: &StateSet, most: usize) -> Vec<Pattern> {
        let places = left.cubes(&self.space).into_iter();
        let cubes = places.flat_map(|(location, cubes)| cubes.into_iter().map(move |it| (location, it)));
        let all: Vec<_> = cubes.collect();
        let apart = all.len().div_ceil(most).max(1);
        let chosen = all.iter().rev().step_by(apart);
        let examples = chosen.map(|(location, (shared, locals))| {
            let (shared, locals) = self.valuation(*location, shared, locals);
            pattern(*location, shared, locals)
        });
        examples.collect()
    }
}

impl Wanted for Valuations<'_, '_> {
    type Left = StateSet;
    type Example = Pattern;

    fn all(&self) -> StateSet {
        self.survey.reached.clone()
    }

    fn remove(
        &self,
        left: &mut StateSet,
        seen: &[ThreadState],
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        let states = self.survey.diagrams(seen.iter().copied(), budget)?;
        let mut seen = StateSet::empty(&self.survey.space);
        seen.add_all(states);
        *left = left.without(&seen);
        Ok(())
    }

    fn remove_example(&self, left: &mut StateSet, example: &Pattern) {
        if let Some((at, states)) = self.survey.diagram_of(example) {
            left.at[at] = left.at[at].and_not(&states);
        }
    }

    fn n_left(&self, left: &StateSet) -> u64 {
        u64::try_from(left.count(&self.survey.space)).unwrap_or(u64::MAX)
    }

    fn has(&self, left: &StateSet, example: &Pattern) -> bool {
        self.survey.diagram_of(example).is_some_and(|(at, states)| !left.at[at].and(&states).is_false())
    }

    fn is_empty(&self, left: &StateSet) -> bool {
        left.is_empty()
    }

    fn examples(&self, left: &StateSet, most: usize) -> Vec<Pattern> {
        self.survey.examples_of(left, most)
    }

    fn targets(&self, example: &Pattern) -> Vec<Config> {
        self.survey.system.configurations(example)
    }

    fn fewest(&self, config: ConfigRef<'_>) -> Option<u64> {
        config.bag.iter().all(|entry| self.is_reachable(config.shared, entry.local)).then_some(1)
    }

    fn note(&mut self, _: &StateSet, _: u64) {}

    fn follow(&self, trace: &Trace, example: &Pattern, threads: u64) -> Option<Followed> {
        // Cubes on the way back are not those on the way forth, so a scout cannot go on from there. And a step back that
        // starts a thread which nobody mentions does not count it, so threads are counted in the run itself.
        let document = self.survey.system.document_of_trace(trace, example, Header::default())?;
        (n_threads(&document) <= threads).then(Followed::new)
    }
}

/// How many threads an interleaving has, all that are ever started.
pub(super) fn n_threads(document: &EvidenceDocument) -> u64 {
    let Body::Trace(trace) = &document.body else { return u64::MAX };
    let counts = trace.initial.threads.iter().map(|(_, count)| match count {
        Count::Finite(count) => *count,
        Count::Omega => u64::MAX,
    });
    counts.fold(n_started(&trace.items), u64::saturating_add)
}

fn n_started(items: &[Item]) -> u64 {
    let one = |item: &Item| match item {
        Item::Step(step) => u64::from(step.act.as_ref().is_some_and(|act| act.starts.is_some())),
        Item::Repeat { times, items } => times.saturating_mul(n_started(items)),
    };
    items.iter().map(one).fold(0, u64::saturating_add)
}

impl crate::system::ProgramSystem<'_> {
    /// Configurations such that a run shows a pattern if and only if it covers one of them.
    fn configurations(&self, pattern: &Pattern) -> Vec<Config> {
        let rules = &self.rules;
        let locals = pattern.threads.iter().map(|it| rules.local_before(it.location, it.locals.clone()));
        let Some(locals) = locals.collect::<Option<Vec<LocalId>>>() else { return Vec::new() };
        let n_atomic = locals.iter().filter(|&&local| rules.is_atomic(local)).count();
        let Ok(bag) = Bag::from_locals(locals) else { return Vec::new() };
        let bit = rules.program.atomic_bit();
        let open = [false, true].into_iter().filter(|&open| n_atomic <= usize::from(open));
        open.map(|open| {
            Config::new(rules.states.shared_id(pattern.shared.clone().with(bit, open)), bag.clone())
        })
        .collect()
    }
}
