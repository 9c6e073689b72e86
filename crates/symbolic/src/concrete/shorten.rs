//! Runs without detours: searches find interleavings that work, often with threads and rounds of loops that nobody needs.
//!
//! In turn, all steps of one thread are left out, its last ones, and those between two visits of the same location; what is
//! left stays if a plan for it can be made. Programs with broadcasts are left alone: there every thread counts.

use super::layout::{Known, Layout, Micro};
use super::plan::plan_within;
use crate::system::ProgramSystem;
use throng_boolprog::flow::{Effect, LocationId};
use throng_boolprog::{InitThreads, Pattern};

/// So many steps are planned at most in all attempts together.
const MOST_PLANNED: usize = 1 << 16;

/// A run to the same target with fewer steps, if one is found.
pub(super) fn shorten(system: &ProgramSystem<'_>, layout: &Layout, targets: &[Pattern]) -> Option<Layout> {
    let has_passive = |micro: &Micro| system.rules.images[micro.edge as usize].relation.passive.is_some();
    if layout.reached.is_empty() || layout.micros.iter().any(has_passive) {
        return None;
    }
    let mut shortening =
        Shortening { system, targets, layout, kept: vec![true; layout.micros.len()], left: MOST_PLANNED };
    let mut best = None;
    while let Some(shorter) = shortening.improve() {
        best = Some(shorter);
    }
    best
}

struct Shortening<'a, 'p> {
    system: &'a ProgramSystem<'p>,
    targets: &'a [Pattern],
    layout: &'a Layout,
    /// Which steps are left.
    kept: Vec<bool>,
    /// How many steps may still be planned.
    left: usize,
}

impl Shortening<'_, '_> {
    /// Leaves out something; `None` if nothing can be left out.
    fn improve(&mut self) -> Option<Layout> {
        let threads = (0..self.layout.n_threads).rev();
        let helpers = threads.clone().filter(|it| !self.layout.reached.contains(it));
        let ends = helpers.flat_map(|thread| self.ends_of(thread)).collect::<Vec<_>>();
        let rounds = threads.flat_map(|thread| self.rounds_of(thread)).collect::<Vec<_>>();
        ends.into_iter().chain(rounds).find_map(|steps| self.without(&steps))
    }

    /// All steps of a thread, the last half of them, a quarter, and so on.
    fn ends_of(&self, thread: usize) -> Vec<Vec<usize>> {
        let steps = self.steps_of(thread);
        let lengths = std::iter::successors(Some(steps.len()), |&length| Some(length / 2));
        lengths
            .take_while(|&length| length > 0)
            .map(|length| steps[steps.len() - length..].to_vec())
            .collect()
    }

    /// The steps of a thread that are left.
    fn steps_of(&self, thread: usize) -> Vec<usize> {
        let steps = self.layout.micros.iter().enumerate();
        steps.filter(|&(at, micro)| self.kept[at] && micro.actor == thread).map(|(at, _)| at).collect()
    }

    /// The steps of a thread between two visits of a location, the longest first.
    fn rounds_of(&self, thread: usize) -> Vec<Vec<usize>> {
        let steps = self.steps_of(thread);
        let from = |at: usize| self.system.program().edges()[self.layout.micros[at].edge as usize].from;
        let locations: Vec<LocationId> = steps.iter().map(|&at| from(at)).collect();
        let mut rounds = Vec::new();
        for (start, location) in locations.iter().enumerate() {
            let next = (start + 1..locations.len()).filter(|&end| locations[end] == *location);
            // The way to the next visit, and to the last.
            let ends: Vec<usize> = next.collect();
            rounds.extend(ends.last().map(|&end| steps[start..end].to_vec()));
            rounds.extend(ends.first().filter(|_| ends.len() > 1).map(|&end| steps[start..end].to_vec()));
        }
        rounds.sort_by_key(|steps| std::cmp::Reverse(steps.len()));
        rounds
    }

    /// The run without these steps, if there is one.
    fn without(&mut self, steps: &[usize]) -> Option<Layout> {
        let mut kept = self.kept.clone();
        steps.iter().for_each(|&at| kept[at] = false);
        let layout = self.restricted(&kept)?;
        self.left = self.left.checked_sub(layout.micros.len() + 1)?;
        if !self.respects_sections(&layout) {
            return None;
        }
        let attempts = layout.micros.len() * 4 + 64;
        plan_within(self.system, &layout, self.targets, attempts).ok()?;
        self.kept = kept;
        Some(layout)
    }

    /// Whether nobody acts while another thread is in an atomic section, and whether one is open in the end as before.
    fn respects_sections(&self, layout: &Layout) -> bool {
        let program = self.system.program();
        let is_atomic = |at: Option<LocationId>| at.is_some_and(|at| program.location(at).is_atomic);
        let mut threads = vec![None; layout.n_threads];
        threads[..layout.n_initial].fill(Some(program.entry()));
        for micro in &layout.micros {
            let others = threads.iter().enumerate().filter(|&(thread, _)| thread != micro.actor);
            if others.into_iter().any(|(_, &at)| is_atomic(at)) {
                return false;
            }
            let edge = program.edges()[micro.edge as usize];
            threads[micro.actor] = edge.to;
            if let (Some(child), Effect::Start { at, .. }) = (micro.child, edge.effect) {
                threads[child] = Some(at);
            }
        }
        let last = self.system.rules.states.shared(layout.last.shared);
        let was_open = last.and_then(|cube| cube.get(program.atomic_bit())).unwrap_or(false);
        threads.into_iter().any(is_atomic) == was_open
    }

    /// The layout with some of the steps and the threads that are left; `None` if a thread is missing.
    fn restricted(&self, kept: &[bool]) -> Option<Layout> {
        let layout = self.layout;
        let steps = || layout.micros.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(micro, _)| micro);
        let mut is_needed = vec![false; layout.n_threads];
        steps().for_each(|micro| is_needed[micro.actor] = true);
        layout.reached.iter().for_each(|&thread| is_needed[thread] = true);
        if let InitThreads::Exactly(_) = self.system.question().threads {
            is_needed[..layout.n_initial].fill(true);
        }
        let mut number: Vec<Option<usize>> = vec![None; layout.n_threads];
        let mut n_threads = 0;
        let initial = (0..layout.n_initial).filter(|&thread| is_needed[thread]);
        let started = steps().filter_map(|micro| micro.child);
        for thread in initial.chain(started) {
            number[thread] = Some(n_threads);
            n_threads += 1;
        }
        let n_initial = number[..layout.n_initial].iter().flatten().count();
        if (0..layout.n_threads).any(|thread| is_needed[thread] && number[thread].is_none()) {
            return None;
        }
        let micros = steps().map(|micro| {
            let child = micro.child.and_then(|child| number[child]);
            Some(Micro {
                edge: micro.edge,
                actor: number[micro.actor]?,
                child,
                known: None,
                gone: Vec::new(),
            })
        });
        let mut threads = vec![None; n_threads];
        for (thread, &number) in number.iter().enumerate() {
            // Where others are in the end is another matter now.
            if let Some(number) = number.filter(|_| layout.reached.contains(&thread)) {
                threads[number] = layout.last.threads[thread];
            }
        }
        Some(Layout {
            n_initial,
            n_threads,
            micros: micros.collect::<Option<Vec<Micro>>>()?,
            last: Known { shared: layout.last.shared, threads },
            reached: layout.reached.iter().map(|&thread| number[thread]).collect::<Option<Vec<usize>>>()?,
        })
    }
}
