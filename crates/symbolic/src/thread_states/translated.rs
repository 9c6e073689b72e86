//! The search for the cutoff in a program's translation to a system with a state for every valuation (`explicit`), where that is
//! small: threads of a system go their way far faster than cubes.
//!
//! A thread state of the program is reached if one of the states of the translation that stand for it is: the atomic bit does
//! not count, and threads that have not chosen their values yet stand for all of them. States of the shared part that are no
//! states of the program (a thread is being started) show nothing. The translation may be made smaller
//! (`throng_engine::thread_states::Gathered`); only local states count there that alone stand for their thread states.
//! Programs in which threads read each other's variables keep values that do not belong to thread states; those are not for this.

use super::sets::StateSet;
use super::wanted::n_threads;
use super::{Survey, pattern};
use crate::explicit::{Meaning, Stage, translate_with_meaning};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_boolprog::{Pattern, ProgramQuestion};
use throng_cert::{EvidenceDocument, Header, Trace, TraceItem};
use throng_engine::thread_states::{Followed, Gathered, Narrowed, ThreadState, Wanted, coverable};
use throng_engine::{Observer, UnknownReason};
use throng_model::{ClosedSet, Config, ConfigRef, DownwardClosedSet, LocalId, SharedId, System};

/// Translations may have so many rules, or pairs of states that occur together.
const MOST_RULES: usize = 1 << 16;

pub(super) struct Translated<'a, 'p> {
    survey: &'a Survey<'p>,
    original: System,
    meaning: Meaning,
    gathered: Option<Gathered>,
    /// What any number of threads cover in the system that is searched.
    cover: DownwardClosedSet,
    /// Local states that alone stand for their thread states.
    plain: FxHashSet<LocalId>,
}

impl<'a, 'p> Translated<'a, 'p> {
    /// The translation of a program; `None` if it is too large.
    pub(super) fn new(
        survey: &'a Survey<'p>,
        limits: (&Budget, &dyn Observer),
    ) -> Result<Option<Self>, UnknownReason> {
        let program = survey.space.program;
        let reads_others = |it: &throng_boolprog::flow::Expression| it.references().any(|it| it.is_passive);
        if program.expressions().iter().any(reads_others) {
            return Ok(None);
        }
        let question = ProgramQuestion { threads: survey.threads, targets: Vec::new() };
        let Ok((original, meaning)) = translate_with_meaning(program, &question, MOST_RULES) else {
            return Ok(None);
        };
        let Some(covered) = coverable(&original, limits)? else { return Ok(None) };
        let plain = plain(&original, &meaning);
        let states = covered.generators();
        let reachable: BTreeSet<ThreadState> = states
            .iter()
            .flat_map(|(_, it)| {
                it.bag.iter().map(move |entry| ThreadState { shared: it.shared, local: entry.local })
            })
            .collect();
        let gathered = Gathered::new(&original, &reachable, &|local| plain.contains(&local));
        let cover = match &gathered {
            Some(gathered) => coverable(gathered.system(), limits)?,
            None => Some(covered),
        };
        Ok(cover.map(|cover| Self { survey, original, meaning, gathered, cover, plain }))
    }

    /// What is searched.
    pub(super) fn system(&self) -> System {
        let system = self.gathered.as_ref().map_or(&self.original, |it| it.system());
        system.with_targets(Vec::new())
    }

    /// What a shared and a local state stand for.
    fn meaning_of(&self, shared: SharedId, local: LocalId) -> Option<Pattern> {
        let Some(Stage::At { values, .. }) = self.meaning.stage(shared) else { return None };
        let thread = self.meaning.local(local)?;
        Some(pattern(thread.location, values.clone(), thread.locals.clone()))
    }

    /// A run to an example that can be shown, of at most so many threads.
    pub(super) fn run(&self, example: &Pattern, found: &Narrowed<'_, Pattern>) -> Option<EvidenceDocument> {
        let fits = |state: &&ThreadState| {
            self.plain.contains(&state.local) && self.stands_for(state.shared, state.local, example)
        };
        let by_scout = found.scout.seen().iter().filter(fits).filter_map(|&it| found.scout.trace_to(it));
        let asked = found.runs.iter().filter(|(it, _)| it == example).map(|(_, trace)| trace.clone());
        let mut documents = by_scout.chain(asked).filter_map(|trace| {
            let trace = match &self.gathered {
                Some(gathered) => gathered.lift(&self.original, &trace)?,
                None => trace,
            };
            let translation = (&self.original, &self.meaning);
            self.survey.system.document_of_translated(translation, &trace, Header::default()).ok()
        });
        documents.find(|document| n_threads(document) <= found.threads)
    }

    fn stands_for(&self, shared: SharedId, local: LocalId, example: &Pattern) -> bool {
        let Some(Stage::At { values, .. }) = self.meaning.stage(shared) else { return false };
        let (Some(thread), Some(wanted)) = (self.meaning.local(local), example.threads.first()) else {
            return false;
        };
        thread.location == wanted.location
            && values.meets(&example.shared)
            && thread.locals.meets(&wanted.locals)
    }
}

/// Local states with all values at locations where all have all values.
fn plain(system: &System, meaning: &Meaning) -> FxHashSet<LocalId> {
    let all = || (0..system.n_locals()).map(LocalId::new);
    let unchosen = all().filter(|&local| !meaning.is_chosen(local)).filter_map(|local| meaning.local(local));
    let open: FxHashSet<_> = unchosen.map(|thread| thread.location).collect();
    all().filter(|&local| meaning.local(local).is_some_and(|it| !open.contains(&it.location))).collect()
}

impl Wanted for Translated<'_, '_> {
    type Left = StateSet;
    type Example = Pattern;

    fn all(&self) -> StateSet {
        let mut all = self.survey.reached.clone();
        let Some(gathered) = &self.gathered else { return all };
        let left_out = (0..self.original.n_locals()).map(LocalId::new).filter(|&it| gathered.leaves_out(it));
        for thread in left_out.filter_map(|local| self.meaning.local(local)) {
            let at = thread.location.index();
            let nobody = throng_boolprog::Cube::default();
            all.at[at] =
                all.at[at].and_not(&self.survey.space.product(thread.location, &nobody, &thread.locals));
        }
        all
    }

    fn remove(
        &self,
        left: &mut StateSet,
        seen: &[ThreadState],
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        let mut states = Vec::new();
        for state in seen {
            budget.check()?;
            if let Some(it) = self.meaning_of(state.shared, state.local) {
                let thread = &it.threads[0];
                let product = self.survey.space.product(thread.location, &it.shared, &thread.locals);
                states.push((thread.location, product));
            }
        }
        let mut shown = StateSet::empty(&self.survey.space);
        shown.add_all(states);
        *left = left.without(&shown);
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
        let shared = (0..self.original.n_shared()).map(SharedId::new);
        let states = shared
            .flat_map(|shared| (0..self.original.n_locals()).map(move |local| (shared, LocalId::new(local))));
        let fits = states.filter(|&(shared, local)| self.stands_for(shared, local, example));
        fits.map(|(shared, local)| ThreadState { shared, local }.to_config()).collect()
    }

    fn fewest(&self, config: ConfigRef<'_>) -> Option<u64> {
        self.cover.contains(config).then_some(1)
    }

    fn note(&mut self, _: &StateSet, _: u64) {}

    fn follow(&self, trace: &Trace, _: &Pattern, _: u64) -> Option<Followed> {
        let system = self.gathered.as_ref().map_or(&self.original, |it| it.system());
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
