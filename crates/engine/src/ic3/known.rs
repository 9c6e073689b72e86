//! D: what is known to be coverable, and the oracle that finds out.
//!
//! What is in D is never tried as a lemma: it could hold at a few levels but never for ever. D comes without traces,
//! so it answers nothing; the oracle does, when it covers a target or is complete.

use crate::blackboard::Log;
use crate::forward::{ForwardSearch, State};
use crate::{Answer, Options, Statistics, karp_miller};
use throng_base::Budget;
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, ConfigRef, DownwardClosedSet, TransitionSystem};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Known {
    covered: DownwardClosedSet,
    n_read: usize,
}

impl Known {
    /// Beyond this many elements, asking costs more than another rejected guess is worth.
    const MOST: usize = 1 << 13;

    /// Learns what has been found since the last time.
    pub(super) fn read(&mut self, log: &Log) {
        log.read_on(&mut self.n_read, |config| {
            if self.covered.generators().len() < Self::MOST {
                self.covered.insert(config.view());
            }
        });
    }

    /// Whether a configuration is known to be coverable.
    pub(super) fn contains(&self, config: ConfigRef<'_>) -> bool {
        self.covered.contains(config)
    }

    /// How many maximal elements D has.
    pub(super) fn len(&self) -> usize {
        self.covered.generators().len()
    }
}

/// A forward search that takes turns with the search that it helps.
pub(super) struct Oracle<'s> {
    forward: ForwardSearch<'s>,
    /// How many of its nodes have been told.
    n_told: usize,
    /// Turns that the other search still gets after the oracle is complete: a proof is better than a cover set.
    n_turns_left: u32,
}

impl<'s> Oracle<'s> {
    /// An oracle that grew to this many nodes has said what it can say.
    const MOST_NODES: usize = 1 << 21;
    /// The most nodes that are told at a time, the newest: they tend to be the largest.
    const AT_A_TIME: usize = 128;
    const GRACE: u32 = 128;
    /// It gets one part in so many of the work: most of what helps is found early.
    const SHARE: u64 = 4;
    /// And less when it has more maximal nodes than this.
    const LARGE: u64 = 1 << 11;

    /// An oracle of the kind that is asked for, if one is.
    pub(super) fn new(system: &'s dyn TransitionSystem, options: &Options) -> Option<Self> {
        let forward = ForwardSearch::new(system, options.oracle, options, Self::MOST_NODES)?;
        Some(Self { forward, n_told: 0, n_turns_left: Self::GRACE })
    }

    /// Goes on for a while and tells what is new. The answer, if it has one.
    pub(super) fn advance(
        &mut self,
        system: &dyn TransitionSystem,
        quantum: u64,
        log: &Log,
        budget: &Budget,
    ) -> Option<Answer> {
        // Every node is compared with the others, so that a step costs the more the larger the tree is.
        let share = Self::SHARE * (1 + self.forward.tree.n_maximal() as u64 / Self::LARGE);
        let state = self.forward.advance((quantum / share).max(1), budget);
        match state {
            State::Complete if self.n_turns_left > 0 => {
                if self.n_turns_left == Self::GRACE {
                    self.tell(0, usize::MAX, log);
                }
                self.n_turns_left -= 1;
                None
            }
            State::Complete | State::Covered(_) => {
                // A trace may be too long to be written down; the other search may find a shorter one.
                let answer = karp_miller::answer(&self.forward, system, &state);
                answer.filter(|answer| !matches!(answer, Answer::Unknown(_)))
            }
            State::Running => {
                self.tell(self.n_told, Self::AT_A_TIME, log);
                None
            }
            // An oracle that cannot go on is no loss but for speed.
            State::Full | State::GaveUp(_) => None,
        }
    }

    /// Tells the newest maximal nodes from some node on.
    fn tell(&mut self, first: usize, most: usize, log: &Log) {
        let tree = &self.forward.tree;
        let new = (first..tree.len()).rev().map(ElementId::new).filter(|&node| tree.is_maximal(node));
        log.publish(new.take(most).map(|node| tree.get(node).to_config()));
        self.n_told = tree.len();
    }

    /// What it counted.
    pub(super) fn push_statistics(&self, statistics: &mut Statistics) {
        karp_miller::push_statistics(&self.forward, statistics);
    }
}
