//! What searches have done, as a schedule that the checker performs: every move that showed something new.

use crate::concrete::Run;
use rustc_hash::FxHashMap;
use throng_boolprog::flow::LocationId;
use throng_boolprog::schedule::{Actor, Crew, Keep, Move, Schedule};

/// A schedule that grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    schedule: Schedule,
    numbers: FxHashMap<Crew, usize>,
}

impl Journal {
    pub(crate) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The number of a crew, whose places are in order.
    pub(crate) fn crew(&mut self, has_root: bool, places: Vec<LocationId>) -> usize {
        let crews = &mut self.schedule.crews;
        *self.numbers.entry(Crew { has_root, places }).or_insert_with_key(|crew| {
            crews.push(crew.clone());
            crews.len() - 1
        })
    }

    /// The number of a route.
    pub(crate) fn route(&mut self, edges: Vec<u32>) -> usize {
        self.schedule.routes.push(edges);
        self.schedule.routes.len() - 1
    }

    pub(crate) fn note(&mut self, step: Move) {
        self.schedule.moves.push(step);
    }

    /// Follows all threads of a run.
    pub(crate) fn note_run(&mut self, run: &Run) {
        let mut threads = run.initial.threads.clone();
        let places = |threads: &[crate::concrete::Thread]| threads.iter().map(|it| it.location).collect();
        let crew = self.crew(false, places(&threads));
        self.note(Move::Start { crew });
        for step in &run.steps {
            let Some(place) = threads.iter().position(|it| *it == step.before) else { return };
            let crew = self.crew(false, places(&threads));
            self.note(Move::Step { crew, actor: Actor::Place(place), edge: step.edge, keep: Keep::Both });
            for (before, after) in &step.passive {
                let passive =
                    threads.iter().enumerate().position(|(it, thread)| it != place && thread == before);
                if let (Some(at), Some(after)) = (passive, after) {
                    threads[at] = after.clone();
                }
            }
            // Places of the others stay the same until everybody has changed.
            let gone = step.passive.iter().filter(|(_, after)| after.is_none()).map(|(before, _)| before);
            let mut gone: Vec<&crate::concrete::Thread> = gone.collect();
            let mut next = Vec::with_capacity(threads.len() + 1);
            for (at, thread) in threads.iter().enumerate() {
                if at == place {
                    next.extend(step.after.clone());
                } else if let Some(lost) = gone.iter().position(|it| *it == thread) {
                    gone.swap_remove(lost);
                } else {
                    next.push(thread.clone());
                }
            }
            next.extend(step.child.clone());
            next.sort_by_key(|it| it.location);
            threads = next;
        }
    }
}
