//! A widening search and its oracle at work together.
//!
//! With one thread they take turns, always the same ones. With more, the oracle has a thread of its own and sends
//! what it finds; the widening search looks into its letter box after each piece of work. Whoever has the answer
//! first stops the other: both look at a flag every few hundred predecessors or successors, so this takes far less
//! than a tenth of a second. The oracle's tree comes back when it stops, so evidence that runs through it is whole.
//!
//! The other direction is quiet: a forward search only ever meets what is coverable, so knowing what is not cannot
//! spare it any node. All that can be pruned is its goal, and that happens when the widening search is closed.

use super::{Status, Widening};
use crate::forward::{ForwardSearch, State};
use crate::{Observer, Options, UnknownReason};
use std::sync::mpsc::{self, Sender};
use throng_base::{Budget, StopReason};
use throng_model::closed::ElementId;
use throng_model::{Config, TransitionSystem};

/// How much work is done before looking at the other side.
const QUANTUM: u64 = 512;
/// An oracle that grew to this many nodes has said what it can say.
const MOST_NODES: usize = 1 << 21;

/// How a cooperation ended.
pub(super) enum Ending {
    /// The widening search is closed.
    Closed,
    /// This target is known to be coverable.
    Covered(Config),
    /// The forward search has the answer.
    Forward(State),
    /// Nobody has it.
    Unknown(UnknownReason),
}

/// How it ended, and the forward search, if there was one.
pub(super) struct Cooperation<'s> {
    pub(super) ending: Ending,
    pub(super) forward: Option<ForwardSearch<'s>>,
}

/// Runs both searches until one has the answer.
pub(super) fn run<'s>(
    system: &'s dyn TransitionSystem,
    options: &Options,
    widening: &mut dyn Widening,
    budget: &Budget,
    observer: &dyn Observer,
) -> Cooperation<'s> {
    match ForwardSearch::new(system, options.oracle, options, MOST_NODES) {
        Some(forward) if options.jobs > 1 => in_parallel(forward, widening, budget, observer),
        forward => in_turns(forward, widening, budget, observer),
    }
}

/// What the state of a forward search means for both: an ending, or nothing.
fn ending(state: &State) -> Option<Ending> {
    match state {
        State::Covered(_) | State::Complete => Some(Ending::Forward(state.clone())),
        // An oracle that cannot go on is no loss but for speed.
        State::Running | State::Full | State::GaveUp(_) => None,
    }
}

/// One piece of the widening search's work.
fn piece(widening: &mut dyn Widening, budget: &Budget, observer: &dyn Observer) -> Option<Ending> {
    let status = widening.advance(QUANTUM, budget);
    observer.progress(&widening.progress());
    match status {
        Ok(Status::Running) => None,
        Ok(Status::Closed) => Some(Ending::Closed),
        Ok(Status::Covered(target)) => Some(Ending::Covered(target)),
        Err(reason) => Some(Ending::Unknown(reason)),
    }
}

fn in_turns<'s>(
    mut forward: Option<ForwardSearch<'s>>,
    widening: &mut dyn Widening,
    budget: &Budget,
    observer: &dyn Observer,
) -> Cooperation<'s> {
    let mut n_told = 0;
    let ending = loop {
        if let Some(forward) = &mut forward {
            let state = forward.advance(QUANTUM, budget);
            if let Some(ending) = ending(&state) {
                break ending;
            }
            for node in (n_told..forward.tree.len()).map(ElementId::new) {
                if forward.tree.is_maximal(node) {
                    widening.learn(forward.tree.get(node), node);
                }
            }
            n_told = forward.tree.len();
        }
        if let Some(ending) = piece(widening, budget, observer) {
            break ending;
        }
    };
    Cooperation { ending, forward }
}

/// A node of the forward search.
type News = Vec<(ElementId, Config)>;

fn in_parallel<'s>(
    forward: ForwardSearch<'s>,
    widening: &mut dyn Widening,
    budget: &Budget,
    observer: &dyn Observer,
) -> Cooperation<'s> {
    let (own, others) = (budget.part(), budget.part());
    let (sender, letter_box) = mpsc::channel();
    std::thread::scope(|scope| {
        let worker = {
            let (own, others) = (own.clone(), others.clone());
            scope.spawn(move || serve(forward, &sender, &others, &own))
        };
        let ending = loop {
            for (node, config) in letter_box.try_iter().flatten() {
                widening.learn(config.view(), node);
            }
            if let Some(ending) = piece(widening, &own, observer) {
                break ending;
            }
        };
        others.stop(StopReason::Cancelled);
        let (forward, state) = match worker.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        // If the oracle was first, it stopped the widening search.
        let ending = match ending {
            Ending::Unknown(UnknownReason::Stopped(StopReason::Cancelled)) => {
                self::ending(&state).unwrap_or(ending)
            }
            ending => ending,
        };
        Cooperation { ending, forward: Some(forward) }
    })
}

/// The oracle's thread: searches, tells, and stops the widening search if it has the answer.
fn serve<'s>(
    mut forward: ForwardSearch<'s>,
    sender: &Sender<News>,
    budget: &Budget,
    widening: &Budget,
) -> (ForwardSearch<'s>, State) {
    let mut n_told = 0;
    loop {
        let state = forward.advance(QUANTUM, budget);
        if ending(&state).is_some() {
            widening.stop(StopReason::Cancelled);
        }
        let news: News = (n_told..forward.tree.len())
            .map(ElementId::new)
            .filter(|&node| forward.tree.is_maximal(node))
            .map(|node| (node, forward.tree.get(node).to_config()))
            .collect();
        n_told = forward.tree.len();
        // If nobody listens any more, the flag is about to say so.
        if !news.is_empty() {
            let _ = sender.send(news);
        }
        if state != State::Running {
            return (forward, state);
        }
    }
}
