//! A widening search and its oracle at work together.
//!
//! With one thread they take turns, always the same ones. With more, the oracle has a thread of its own and sends
//! what it finds; the widening search looks into its letter box after each piece of work. Whoever has the answer
//! first stops the other: both look at a flag every few hundred predecessors or successors, so this takes far less
//! than a tenth of a second. The oracle's tree comes back when it stops, so evidence that runs through it is whole.
//!
//! When the oracle is complete, D is all that is coverable and the widening search no longer guesses wrong. It then
//! gets a little longer, since a proof through small elements is what was asked for; if that does not suffice, the
//! oracle's cover set is the answer.
//!
//! The other direction is quiet: a forward search only ever meets what is coverable, so knowing what is not cannot
//! spare it any node. All that can be pruned is its goal, and that happens when the widening search is closed.

use super::{Status, Widening};
use crate::blackboard::Blackboard;
use crate::contender::PIECES_BEFORE_SEEDING;
use crate::forward::{ForwardSearch, State};
use crate::{Observer, Options, UnknownReason};
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use throng_base::{Budget, StopReason};
use throng_model::closed::ElementId;
use throng_model::{Config, TransitionSystem};

/// How much work is done before looking at the other side.
pub(super) const QUANTUM: u64 = 512;
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

/// One piece of the widening search's work.
fn piece(widening: &mut dyn Widening<'_, '_>, budget: &Budget) -> Option<Ending> {
    match widening.advance(QUANTUM, budget) {
        Ok(Status::Running) => None,
        Ok(Status::Closed) => Some(Ending::Closed),
        Ok(Status::Covered(target)) => Some(Ending::Covered(target)),
        Err(reason) => Some(Ending::Unknown(reason)),
    }
}

/// How long the widening search may still go on after the oracle is complete, in pieces of work.
fn grace(options: &Options) -> u64 {
    if options.minimal { u64::MAX } else { 128 }
}

/// Both searches on one thread, taking turns.
pub(super) struct Turns<'b, 's> {
    pub(super) board: &'b Blackboard<'s>,
    /// The oracle, if there is one.
    pub(super) forward: Option<ForwardSearch<'s>>,
    n_told: usize,
    untold: Untold,
    /// For how many pieces the widening search may still go on after the oracle is complete.
    grace: u64,
    is_complete: bool,
}

impl<'b, 's> Turns<'b, 's> {
    /// Nobody has begun.
    pub(super) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
    ) -> Self {
        Self {
            board,
            forward: ForwardSearch::new(system, options.oracle, options, MOST_NODES),
            n_told: 0,
            untold: Untold::default(),
            grace: grace(options),
            is_complete: false,
        }
    }

    /// One piece of work of each; how it ended, if it did.
    pub(super) fn take(&mut self, widening: &mut dyn Widening<'_, '_>, budget: &Budget) -> Option<Ending> {
        if let Some(forward) = &mut self.forward {
            let state = forward.advance(QUANTUM, budget);
            let complete = state == State::Complete;
            let news = news(forward, &mut self.n_told);
            self.board.covered.publish(news.iter().map(|(_, config)| config.clone()));
            if complete && !self.is_complete {
                self.untold.replace(self::news(forward, &mut 0));
            } else {
                self.untold.extend(news);
            }
            self.is_complete = complete;
            self.untold.tell(widening, complete);
            match state {
                State::Complete if self.grace > 0 => self.grace -= 1,
                State::Complete | State::Covered(_) => return Some(Ending::Forward(state)),
                // An oracle that cannot go on is no loss but for speed.
                State::Running | State::Full | State::GaveUp(_) => {}
            }
        }
        piece(widening, budget)
    }
}

/// The nodes that are new since the last time.
fn news(forward: &ForwardSearch<'_>, n_told: &mut usize) -> Vec<(ElementId, Config)> {
    let new = (*n_told..forward.tree.len()).map(ElementId::new);
    *n_told = forward.tree.len();
    new.filter(|&node| forward.tree.is_maximal(node))
        .map(|node| (node, forward.tree.get(node).to_config()))
        .collect()
}

/// News that the widening search has not taken in yet.
///
/// Taking them in costs time, and an oracle can have more to tell than that is worth: it would keep the widening
/// search from its own work. So only so many are taken in at a time, the newest first because they tend to be the
/// largest, and old ones are forgotten. They are hints; nothing depends on them.
#[derive(Default)]
struct Untold {
    nodes: VecDeque<(ElementId, Config)>,
}

impl Untold {
    const MOST: usize = 4096;
    const AT_A_TIME: usize = 128;

    fn extend(&mut self, news: Vec<(ElementId, Config)>) {
        self.nodes.extend(news);
        let n_forgotten = self.nodes.len().saturating_sub(Self::MOST);
        self.nodes.drain(..n_forgotten);
    }

    /// These are all that count from now on.
    fn replace(&mut self, news: Vec<(ElementId, Config)>) {
        self.nodes = news.into();
    }

    /// Tells some, or all that are left.
    fn tell(&mut self, widening: &mut dyn Widening<'_, '_>, all: bool) {
        let n = if all { self.nodes.len() } else { Self::AT_A_TIME };
        for _ in 0..n {
            let Some((node, config)) = self.nodes.pop_back() else { return };
            widening.learn(config.view(), node);
        }
    }
}

/// What the oracle tells the widening search.
enum Letter {
    /// These nodes are new.
    News(Vec<(ElementId, Config)>),
    /// There will be no more: these are the maximal ones, so everything coverable is below them.
    Complete(Vec<(ElementId, Config)>),
}

/// Both searches on threads of their own until one has the answer. There is an oracle, and it comes back.
pub(super) fn in_parallel(
    turns: &mut Turns<'_, '_>,
    widening: &mut dyn Widening<'_, '_>,
    budget: &Budget,
    observer: &dyn Observer,
) -> Ending {
    let (own, others) = (budget.part(), budget.part());
    let (sender, letter_box) = mpsc::channel();
    let forward = turns.forward.take().expect("INVARIANT: asked to run with an oracle");
    std::thread::scope(|scope| {
        let worker = {
            let (own, others) = (own.clone(), others.clone());
            scope.spawn(move || serve(forward, &sender, &others, &own))
        };
        let ending = read_and_work(&letter_box, turns, widening, &own, observer);
        others.stop(StopReason::Cancelled);
        let (forward, state) = match worker.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        turns.forward = Some(forward);
        match (ending, state) {
            // The oracle was first and stopped the widening search.
            (Ending::Unknown(UnknownReason::Stopped(StopReason::Cancelled)), state @ State::Covered(_)) => {
                Ending::Forward(state)
            }
            (ending, _) => ending,
        }
    })
}

/// The widening search's side: works, and looks into the letter box in between.
fn read_and_work(
    letter_box: &Receiver<Letter>,
    turns: &Turns<'_, '_>,
    widening: &mut dyn Widening<'_, '_>,
    budget: &Budget,
    observer: &dyn Observer,
) -> Ending {
    let (mut complete, mut n_pieces_left, mut n_pieces) = (false, turns.grace, 0);
    let mut untold = Untold::default();
    loop {
        for letter in letter_box.try_iter() {
            match letter {
                Letter::News(nodes) => untold.extend(nodes),
                Letter::Complete(nodes) => {
                    untold.replace(nodes);
                    complete = true;
                }
            }
        }
        untold.tell(widening, complete);
        if complete && n_pieces_left == 0 {
            return Ending::Forward(State::Complete);
        }
        n_pieces_left -= u64::from(complete);
        if let Some(ending) = piece(widening, budget) {
            return ending;
        }
        observer.progress(&widening.progress());
        n_pieces += 1;
        if n_pieces == PIECES_BEFORE_SEEDING
            && let Err(reason) = turns.board.seed(budget)
        {
            return Ending::Unknown(reason.into());
        }
    }
}

/// The oracle's side: searches, tells, and stops the widening search if it has covered a target.
fn serve<'s>(
    mut forward: ForwardSearch<'s>,
    sender: &Sender<Letter>,
    budget: &Budget,
    widening: &Budget,
) -> (ForwardSearch<'s>, State) {
    let mut n_told = 0;
    loop {
        let state = forward.advance(QUANTUM, budget);
        if let State::Covered(_) = state {
            widening.stop(StopReason::Cancelled);
        }
        // If nobody listens any more, the budget is about to say so; until then letters are lost, not needed.
        let _ = sender.send(Letter::News(news(&forward, &mut n_told)));
        if state == State::Complete {
            let _ = sender.send(Letter::Complete(news(&forward, &mut 0)));
        }
        if state != State::Running {
            return (forward, state);
        }
    }
}
