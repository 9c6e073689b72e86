//! The race: several engines on the same question over one blackboard, and the first answer counts.
//!
//! Most questions are easy, so the widening engine gets a head start by itself. Then the root analyses and the other
//! engines join in. Each engine is a contender that is advanced piece by piece; any number of threads pick up
//! contenders that wait (`field`), so the same race runs on one core and on many. On one core it is the same each
//! time.
//!
//! Which engines run: `widen` (with its forward oracle), which is best on most systems; `ic3` and `backward` with cuts
//! for nets whose proofs it does not find; `backward` once more with the newest elements first; the directed
//! forward search for deep bugs; and `concolic`, if there are paths through simple loops, and not too many.

mod field;
mod root;

use crate::backward::Backward;
use crate::blackboard::Blackboard;
use crate::concolic::{Company, Concolic};
use crate::contender::{Contender, Guest};
use crate::directed::Directed;
use crate::ic3::Ic3;
use crate::options::QueueOrder;
use crate::widen::{Variant, Widen};
use crate::{Answer, Observer, Options, Outcome, Progress, UnknownReason};
use field::{Field, Runner};
use root::Root;
use throng_base::Budget;
use throng_model::TransitionSystem;

/// What became of an engine in a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has the answer.
    Answered,
    /// It was still searching.
    Searching,
    /// It ended without an answer.
    GaveUp(UnknownReason),
    /// It was taken out of the race because memory ran short.
    TakenOut,
}

/// An engine in a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// Its name; `root` for the root analyses.
    pub name: &'static str,
    /// What became of it.
    pub fate: Fate,
    /// How far it was.
    pub progress: Progress,
}

/// Runs the race.
pub(crate) fn run(
    system: &dyn TransitionSystem,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    let board = Blackboard::new(system, options);
    let mut widen = Widen::new(Variant::Optimistic, system, options, &board);
    if options.head_start > 0
        && let Some(answer) = widen.advance(options.head_start, budget)
    {
        return alone(widen, answer);
    }
    observer.progress(&widen.progress());
    let runners = line_up(system, options, &board, widen);
    Field::new(runners).race(options.jobs, budget, observer)
}

/// The widening engine did not need anybody.
fn alone(mut widen: Widen<'_, '_>, answer: Answer) -> Outcome {
    let fate = match &answer {
        Answer::Unknown(reason) => Fate::GaveUp(reason.clone()),
        Answer::Safe(_) | Answer::Unsafe(_) => Fate::Answered,
    };
    let contest = vec![Contestant { name: "widen", fate, progress: widen.progress() }];
    Outcome { answer, statistics: widen.statistics(), recording: widen.recording(), contest }
}

/// Who runs, with which share of the work, and after how much work of the others.
fn line_up<'b, 's: 'b>(
    system: &'s dyn TransitionSystem,
    options: &Options,
    board: &'b Blackboard<'s>,
    widen: Widen<'b, 's>,
) -> Vec<Runner<'b>> {
    let newest_first = Options { queue: QueueOrder::Lifo, ..options.clone() };
    let oldest_first = Options { queue: QueueOrder::Fifo, ..options.clone() };
    let later = 1 << 4;
    let mut runners = vec![
        Runner::new("widen", Box::new(widen), 4, 1),
        Runner::new("ic3", Box::new(Ic3::new(system, options, board, false)), 2, later),
        Runner::new("forward", Box::new(Directed::new(system, options, board)), 1, later),
        Runner::new("backward", Box::new(Backward::new(system, &oldest_first, board)), 1, later),
        Runner::new("backward (lifo)", Box::new(Backward::new(system, &newest_first, board)), 1, later),
    ];
    let concolic = Concolic::new(system, options, board, Company::InARace);
    let concolic = concolic.filter(Concolic::is_promising);
    runners.extend(concolic.map(|concolic| Runner::new("concolic", Box::new(concolic), 1, 2)));
    let guest = |guest: &Guest| Runner::new(guest.name, (guest.make)(system, options), guest.share, 1);
    runners.extend(options.guests.iter().map(guest));
    runners.extend(Root::new(system, board).map(|root| Runner::new("root", Box::new(root), 1, 4)));
    runners
}
