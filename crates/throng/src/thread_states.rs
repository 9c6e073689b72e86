//! Which thread states of a system can be reached, and with how many threads.
//!
//! What may be reached thread by thread is a superset, and what a few threads reach a subset. Of what lies between, nothing is
//! reached that the coverability set does not contain, if that is found soon. For the rest an engine is asked, for all of it at
//! once: either nothing of it is coverable, or the trace to one of them shows what is reached, and the rest is asked for
//! again. The checker looks at the superset and at the coverability set, as cover sets, at each answer, and at the runs
//! that reach what is reached, as a forest.
//!
//! [`program`] does the same for Boolean programs, whose thread states come as cubes.

pub mod program;

use crate::reduced;
use crate::{Error, Observer, Phase};
use std::collections::BTreeSet;
use throng_base::{Budget, Diagnostic, StopReason};
use throng_cert::{CoverSet, Evidence, EvidenceDocument, Forest, Header, Trace};
use throng_check::{Condition, Rejection};
use throng_engine::mincov::coverability_set;
use throng_engine::thread_states::{self, Cutoffs, Layer, Pace, ThreadState};
use throng_engine::{EngineKind, Options, Progress, UnknownReason, karp_miller};
use throng_model::{Config, System};
use throng_reduce::Strength;

/// With so many threads what is reached is explored before an engine is asked about the rest.
const FEW_THREADS: u64 = 3;
/// And no more configurations than this.
const FEW_CONFIGS: usize = 1 << 16;
/// So many successors may be computed for the coverability set, which need not be finite where rules move passive threads.
const MOST_SUCCESSORS: u64 = 1 << 22;

/// And so many for runs to what it shows.
const FEW_SUCCESSORS: u64 = 1 << 16;
/// Those have so many steps together.
const MOST_BRANCHES: usize = 1 << 17;

/// What was found out.
#[derive(Debug, Default)]
pub struct Found {
    /// What is reachable.
    pub reachable: BTreeSet<ThreadState>,
    /// Of that, what is reached by the word of the coverability set, and no run shows it.
    pub unshown: BTreeSet<ThreadState>,
    /// What is reached first with so many threads or steps.
    pub layers: Vec<Layer>,
    /// The reachability cutoff, which is known before the other one.
    pub reachability: Option<u64>,
    /// Both cutoffs, if they are known.
    pub cutoffs: Option<Cutoffs>,
}

/// Why a survey is not complete.
#[derive(Debug)]
pub enum Trouble {
    /// A limit, or something too large.
    Unknown(UnknownReason),
    /// A bug of ours, or an input that is not for this.
    Error(Error),
}

impl From<UnknownReason> for Trouble {
    fn from(reason: UnknownReason) -> Self {
        Trouble::Unknown(reason)
    }
}

/// The survey at work.
pub struct Search<'a> {
    check: bool,
    system: &'a System,
    budget: &'a Budget,
    board: &'a dyn Observer,
    /// What is known so far.
    pub found: Found,
    /// Runs that reach it.
    forest: Forest,
    /// What may be reachable and is not known to be.
    left: BTreeSet<ThreadState>,
}

/// Tells how far a search is, and stops it when it has gone too far.
struct Leash<'a> {
    board: &'a dyn Observer,
    budget: &'a Budget,
    most: u64,
}

impl throng_engine::Observer for Leash<'_> {
    fn progress(&self, progress: &Progress) {
        self.board.progress(progress);
        if progress.steps > self.most {
            self.budget.stop(StopReason::Cancelled);
        }
    }
}

impl<'a> Search<'a> {
    /// A survey of what has thread states, which has not begun. With `check`, the checker is asked about everything.
    pub fn new(
        system: &'a System,
        check: bool,
        budget: &'a Budget,
        board: &'a dyn Observer,
    ) -> Result<Self, Error> {
        if system.is_net() {
            let error = Diagnostic::error("E0901", "a net has no threads, so there are no thread states");
            return Err(Error::Refused(vec![
                error.hint("`throng cover` tells which places are ever marked"),
            ]));
        }
        board.phase(Phase::Searching);
        let (found, forest, left) = (Found::default(), Forest::default(), BTreeSet::new());
        Ok(Self { check, system, budget, board, found, forest, left })
    }

    /// Finds everything that is reachable.
    pub fn survey(&mut self) -> Result<(), Trouble> {
        let may = thread_states::may_reach(self.system, self.budget)?;
        self.left = may.iter().flat_map(states_of).collect();
        self.accept(self.system, &Evidence::CoverSet(CoverSet { elements: may }))?;
        self.explore()?;
        if !self.left.is_empty() {
            self.cover()?;
        }
        while !self.left.is_empty() {
            self.settle()?;
        }
        self.accept_reached()
    }

    /// Has the checker look at the runs that reach everything.
    fn accept_reached(&self) -> Result<(), Trouble> {
        let shown = self.found.reachable.difference(&self.found.unshown);
        let claims = shown.map(|state| (state.shared, state.local)).collect();
        self.checked(|| throng_check::check_reached(self.system, &self.forest, &claims))
    }

    /// What is not in the coverability set, if it is complete, is not reachable.
    fn cover(&mut self) -> Result<(), Trouble> {
        let budget = self.budget.part();
        let covered = coverability_set(
            self.system,
            &budget,
            &Leash { board: self.board, budget: &budget, most: MOST_SUCCESSORS },
        );
        self.budget.check().map_err(UnknownReason::from)?;
        if covered.ending.is_ok() {
            let states: BTreeSet<ThreadState> = covered.elements.iter().flat_map(states_of).collect();
            self.left.retain(|state| states.contains(state));
            self.accept(self.system, &Evidence::CoverSet(CoverSet { elements: covered.elements }))?;
            self.show_covered();
        }
        Ok(())
    }

    /// Runs to what is coverable, as far as a Karp–Miller tree that is not too large shows them.
    fn show_covered(&mut self) {
        let mut left = std::mem::take(&mut self.left);
        let (system, budget, board) = (self.system, self.budget, self.board);
        let part = budget.part();
        let leash = Leash { board, budget: &part, most: FEW_SUCCESSORS };
        karp_miller::traces(system, &mut left, FEW_CONFIGS, &part, &leash, |trace, left| {
            if self.forest.branches.len() > MOST_BRANCHES {
                part.stop(StopReason::Cancelled);
                return;
            }
            let Some(seen) = seen(system, trace) else { return };
            left.retain(|state| !seen.contains(state));
            self.forest.add_trace(system, trace);
            self.found.reachable.extend(seen);
        });
        // The rest is reached as well, by the word of the coverability set.
        self.found.unshown = std::mem::take(&mut left);
        self.found.reachable.extend(&self.found.unshown);
    }

    /// What a few threads reach is reachable.
    fn explore(&mut self) -> Result<(), Trouble> {
        let fewest =
            self.system.initial().iter().map(|initial| throng_model::bag::size(&initial.exact)).min();
        let fewest = fewest.unwrap_or(0).max(1);
        for threads in fewest..fewest + FEW_THREADS {
            if self.left.is_empty() {
                break;
            }
            let few = thread_states::explore(self.system, threads, FEW_CONFIGS, self.budget, self.board)?;
            let new: BTreeSet<ThreadState> = few.states().map(|(state, _)| state).collect();
            let new = new.difference(&self.found.reachable).copied().collect::<BTreeSet<_>>();
            few.grow(self.system, new.iter().copied(), &mut self.forest);
            self.add(new);
            if !few.is_complete() {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, reached: BTreeSet<ThreadState>) {
        self.left.retain(|state| !reached.contains(state));
        self.found.reachable.extend(reached);
    }

    /// Either nothing of what is left can be reached, or a trace tells what can.
    fn settle(&mut self) -> Result<(), Trouble> {
        let asked = self.system.with_targets(self.left.iter().map(|state| state.to_config()).collect());
        let engine = (EngineKind::Auto, &Options::default());
        let answer = reduced::search(&asked, Some(Strength::Full), engine, self.budget, self.board);
        let evidence = answer.evidence?;
        self.accept(&asked, &evidence)?;
        let Evidence::Trace(trace) = evidence else {
            self.left.clear();
            return Ok(());
        };
        let before = self.left.len();
        self.forest.add_trace(&asked, &trace);
        let seen = seen(&asked, &trace);
        self.add(seen.ok_or_else(|| internal("a trace is not an execution"))?);
        if self.left.len() == before {
            return Err(internal("a trace shows none of the thread states that were asked for"));
        }
        Ok(())
    }

    /// Finds how many threads are needed, after the survey. `note` is told as soon as so many threads are known not to suffice.
    pub fn find_cutoffs(&mut self, note: &mut dyn FnMut(u64)) -> Result<(), Trouble> {
        let (system, budget, board) = (self.system, self.budget, self.board);
        let (reachable, pace) = (&self.found.reachable, Pace::default());
        let mut note = |threads| note(threads);
        let known = thread_states::reachability_cutoff(system, reachable, pace, (budget, board), &mut note)?;
        if let Some(needy) = &known.needy {
            let asked = system.with_targets(vec![needy.state.to_config()]);
            self.accept(&asked, &Evidence::Trace(needy.trace.clone()))?;
        }
        self.found.reachability = Some(known.threads);
        let Found { reachable, layers, .. } = &mut self.found;
        let report = |layer: &Layer| layers.push(*layer);
        let cutoffs = thread_states::uniform_cutoff(system, reachable, known, budget, board, report)?;
        self.found.cutoffs = Some(cutoffs);
        Ok(())
    }

    /// Has the checker look at evidence.
    fn accept(&self, system: &System, evidence: &Evidence) -> Result<(), Trouble> {
        let document = || EvidenceDocument::new(evidence, system, Header::default());
        self.checked(|| throng_check::check(system, &document()).map(drop))
    }

    fn checked(&self, check: impl FnOnce() -> Result<(), Rejection>) -> Result<(), Trouble> {
        if !self.check {
            return Ok(());
        }
        self.board.phase(Phase::Checking);
        let result = match check() {
            Ok(()) => Ok(()),
            Err(rejection) if rejection.condition == Condition::Size => {
                Err(Trouble::Unknown(UnknownReason::EvidenceTooLarge))
            }
            Err(rejection) => Err(internal(&format!("the checker rejects the evidence: {rejection}"))),
        };
        self.board.phase(Phase::Searching);
        result
    }
}

/// A bug of ours, in words.
pub fn internal(message: &str) -> Trouble {
    Trouble::Error(Error::internal(message))
}

/// The thread states that a configuration shows.
pub fn states_of(config: &Config) -> impl Iterator<Item = ThreadState> {
    config.bag.iter().map(|entry| ThreadState { shared: config.shared, local: entry.local })
}

/// The thread states that a trace shows; `None` if it is not an execution.
fn seen(system: &System, trace: &Trace) -> Option<BTreeSet<ThreadState>> {
    let mut seen: BTreeSet<ThreadState> = states_of(&trace.initial).collect();
    crate::replay::configurations(system, trace)?.iter().for_each(|config| seen.extend(states_of(config)));
    Some(seen)
}
