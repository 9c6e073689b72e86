//! What an engine found, for those who made the program: who does what in a trace, and the patterns of a proof.

use crate::concrete;
use crate::states::States;
use crate::system::ProgramSystem;
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::{Proof, Trace};

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// The number of the thread that acts, from 0: first those that are there at the start, then those that are started.
    pub thread: usize,
    /// The number of the edge.
    pub edge: usize,
    /// The number of the thread that is started.
    pub child: Option<usize>,
    /// The threads that the search knew about before the step, the acting one included. What others know did not matter, or they
    /// are gone since a step was none for them.
    pub present: Vec<usize>,
}

/// All values between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Those of shared variables.
    pub shared: Cube,
    /// Those of each thread's own variables, by its number; `None` if it is not there yet, or gone.
    pub threads: Vec<Option<Cube>>,
}

/// So many threads' values are given out, in all snapshots together.
const MOST_VALUES: usize = 1 << 18;

fn present(micro: &concrete::layout::Micro, n_threads: usize) -> Vec<usize> {
    let is_known = |thread: usize| {
        let known = micro.known.as_ref();
        known.is_none_or(|known| known.threads.get(thread).is_some_and(Option::is_some))
    };
    (0..n_threads).filter(|&thread| thread == micro.actor || is_known(thread)).collect()
}

impl ProgramSystem<'_> {
    /// The steps of a trace; `None` if it is too long, or none of the program. With the values before the first step and after
    /// each, of one of its runs; none if that is too long.
    pub fn schedule(&self, trace: &Trace) -> Option<(Vec<Scheduled>, Vec<Snapshot>)> {
        let layout = concrete::short_layout(self, trace, &self.question().targets)?;
        let step = |micro: &concrete::layout::Micro| Scheduled {
            thread: micro.actor,
            edge: micro.edge as usize,
            child: micro.child,
            present: present(micro, layout.n_threads),
        };
        let is_short = layout.micros.len().saturating_mul(layout.n_threads) <= MOST_VALUES;
        let values = if is_short { concrete::values(self, &layout, &self.question().targets) } else { None };
        let locals = |thread: Option<concrete::Thread>| thread.map(|it| it.locals);
        let snapshot = |(shared, threads): (Cube, Vec<Option<concrete::Thread>>)| Snapshot {
            shared,
            threads: threads.into_iter().map(locals).collect(),
        };
        let snapshots = values.unwrap_or_default().into_iter().map(snapshot).collect();
        Some((layout.micros.iter().map(step).collect(), snapshots))
    }

    /// The elements of a proof as patterns.
    pub fn patterns(&self, proof: &Proof) -> Vec<Pattern> {
        let real = proof.elements.iter().filter(|element| element.shared != States::REACHED);
        let pattern = |element: &throng_model::Config| {
            let thread = |local| -> ThreadPattern { self.rules.states.local(local).clone() };
            let threads = element.bag.iter().flat_map(|entry| {
                std::iter::repeat_n(thread(entry.local), usize::try_from(entry.count).unwrap_or(0))
            });
            Some(Pattern {
                shared: self.rules.states.shared(element.shared)?.clone(),
                threads: threads.collect(),
            })
        };
        real.filter_map(pattern).collect()
    }
}
