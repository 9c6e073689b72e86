//! Traces of the system as interleavings of the program.

use super::seed::Crowd;
use super::system::{Numbered, Origin};
use crate::run::Taken;
use throng_cert::{Trace, TraceItem};
use throng_cfa::flow::{Effect, Program};
use throng_model::Step;

/// Longer traces are not followed.
const MOST_STEPS: u64 = 100_000;

/// What a trace is about.
pub(super) struct Followed {
    /// The larger steps of threads.
    pub(super) steps: Vec<Taken>,
    /// The configuration at its end.
    pub(super) end: Crowd,
    /// Whether an error is reached.
    pub(super) is_error: bool,
}

/// Who is where.
struct Walk<'a> {
    program: &'a Program,
    numbered: &'a Numbered,
    shared: u32,
    /// `None`: the thread has ended.
    threads: Vec<Option<u32>>,
    last: usize,
    steps: Vec<Taken>,
    is_error: bool,
}

/// Follows a trace. `None` if it is too long, or none of the system.
pub(super) fn follow(program: &Program, numbered: &Numbered, trace: &Trace) -> Option<Followed> {
    if trace.n_steps() > MOST_STEPS {
        return None;
    }
    let first = trace.initial.bag.iter();
    let threads: Vec<Option<u32>> = first.map(|entry| Some(entry.local.index() as u32)).collect();
    let shared = trace.initial.shared.index() as u32;
    // A program whose first thread ends at once has none.
    let threads = if threads.is_empty() { vec![None] } else { threads };
    let mut walk = Walk { program, numbered, shared, threads, last: 0, steps: Vec::new(), is_error: false };
    walk.items(&trace.items)?;
    let mut crowd: Vec<u32> = walk.threads.iter().copied().flatten().collect();
    crowd.sort_unstable();
    Some(Followed { steps: walk.steps, end: (walk.shared, crowd), is_error: walk.is_error })
}

impl Walk<'_> {
    fn items(&mut self, items: &[TraceItem]) -> Option<()> {
        for item in items {
            match item {
                TraceItem::Step(step) => self.step(step)?,
                TraceItem::Repeat { times, items } => {
                    for _ in 0..*times {
                        self.items(items)?;
                    }
                }
            }
        }
        Some(())
    }

    /// A thread in this state, the one that acted last if it is.
    fn find(&self, state: u32, but: Option<usize>) -> Option<usize> {
        let is_it = |&thread: &usize| self.threads[thread] == Some(state) && Some(thread) != but;
        Some(self.last).filter(is_it).or_else(|| (0..self.threads.len()).find(is_it))
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        let Origin { edge, own, fired, signalled } = &self.numbered.origins[step.rule.index()];
        let actor = self.find(*own, None)?;
        let others: Vec<Option<u32>> = self.threads.clone();
        let mut is_moved = vec![false; others.len()];
        if let Some((before, after)) = *signalled {
            let other = self.find(before, Some(actor))?;
            self.threads[other] = Some(after);
        }
        for moved in &step.moved {
            let from = Some(moved.from.index() as u32);
            let is_there = |thread: &usize| *thread != actor && others[*thread] == from;
            // Those that were moved already are not where they were, or have moved to where they were.
            let mut left: Vec<usize> = (0..others.len()).filter(is_there).collect();
            left.retain(|&thread| !is_moved[thread]);
            for &thread in left.iter().take(moved.count as usize) {
                self.threads[thread] = moved.to.map(|to| to.index() as u32);
                is_moved[thread] = true;
            }
        }
        self.threads[actor] = fired.own;
        self.is_error |= fired.error.is_some();
        self.shared = fired.shared;
        let starts = matches!(self.program.edge(*edge).effect, Some(Effect::Spawn { .. }));
        let child = starts.then(|| {
            self.threads.push(fired.child);
            self.threads.len() - 1
        });
        self.steps.push(Taken { thread: actor, edge: *edge, child, present: Vec::new() });
        self.last = actor;
        Some(())
    }
}
