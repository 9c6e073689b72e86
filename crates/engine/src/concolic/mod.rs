//! Concolic search: paths with simple loops are summarised exactly in Presburger arithmetic, and the rest is searched.
//!
//! After Liu and Wahl, "Concolic Unbounded-Thread Reachability via Loop Summaries" (ICFEM 2016, extended report). In
//! systems that come from programs, control flow gives order: many paths to a target run through simple loops, if any. What a
//! backward search does along such a path, κ times around each loop, is one formula; whether it is satisfiable is
//! whether the target is reached along this path.
//!
//! * `quotient`: the expanded diagram without building it, its components, and how many paths there are.
//! * `summary`: what a rule, a sequence of rules and a repeated loop do to a demand, exactly.
//! * `path`, `walk`, `pass`, `bounds`: the paths one after the other, in the order of the paper, with pruning.
//! * `slice`: paths with components that are no simple loops.
//!
//! What follows when all summaries have been refuted: if there were no other paths, no target is coverable, but that is a
//! result, not evidence. Cuts often prove it at once; otherwise the minimal predecessors along the summarised paths are
//! computed by a backward search, which is bound to end without finding anything. Where other paths exist, a plain
//! backward search gets a chance; then the slices along the shortest paths are searched for bugs, and in the end the whole
//! system backwards with widening, with all that is known by then.
//!
//! Theorem 3 is proved in `summary` for rules that take and put any number of threads, so weights and thread creation
//! need nothing special. Rules that move passive threads are outside of the method.

mod bounds;
#[cfg(test)]
mod expanded;
#[cfg(test)]
mod formulas;
mod pass;
mod path;
mod quotient;
mod slice;
mod summary;
mod walk;

use crate::backward::Backward;
use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::plan::{Plan, PlanError};
use crate::settled::Settled;
use crate::widen::{Variant, Widen};
use crate::{Answer, Options, Progress, Recording, Safety, Statistics, UnknownReason};
use quotient::{Quotient, Shape};
use throng_base::Budget;
use throng_model::{Bag, Config, RuleId, System, TransitionSystem};
use walk::{Aid, Walk, Walked};

/// A number that is too large for a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Overflow;

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// One rule.
    Step(RuleId),
    /// The rules of a loop, and how often.
    Loop(Vec<RuleId>, u32),
}

/// A path on which a target is reached.
#[derive(Clone, Debug)]
struct Witness {
    target: Config,
    /// The last rule comes first.
    items: Vec<Item>,
}

/// Whether other engines run beside this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    /// What cannot be summarised is searched too.
    Alone,
    /// What cannot be summarised is left to others.
    InARace,
}

/// What is done at the moment.
enum Phase<'b, 's> {
    /// Paths are summarised.
    Walking,
    /// Paths over components that are no simple loops, those that are left.
    Slicing(Vec<Vec<usize>>),
    /// All paths were refuted: a search of the whole system for the proof.
    Proving(Backward<'b, 's>),
    /// A search of the whole system for an answer.
    Searching(Widen<'b, 's>),
}

/// The walk over paths is ended when it has come to so many points: then a search is better at it.
const MOST_POINTS: u64 = 1 << 18;
/// How many times the head start of a race a plain backward search gets. A predecessor takes well below a microsecond.
const HEAD_STARTS: u64 = 16;
/// What proving the result by cuts may cost.
const WORK_FOR_CUTS: u64 = 1 << 24;

/// The search at work.
pub(crate) struct Concolic<'b, 's> {
    system: &'s System,
    options: Options,
    board: &'b Blackboard<'s>,
    company: Company,
    settled: Settled<'b, 's>,
    targets: Vec<Config>,
    walk: Walk<'s>,
    phase: Phase<'b, 's>,
    n_paths: [u64; 4],
    n_slices: u64,
}

impl<'b, 's> Concolic<'b, 's> {
    /// A search that has not begun. `None` if the rules are not known as a whole or move passive threads.
    pub(crate) fn new(
        system: &'s dyn TransitionSystem,
        options: &Options,
        board: &'b Blackboard<'s>,
        company: Company,
    ) -> Option<Self> {
        let system = system.explicit()?;
        if system.rules().iter().any(|(_, rule)| rule.has_moves()) {
            return None;
        }
        let targets = crate::minimal_targets(system);
        let quotient = Quotient::new(system, &targets);
        let n_paths = quotient.n_paths(system, &targets);
        Some(Self {
            system,
            options: Options { jobs: 1, ..options.clone() },
            board,
            company,
            settled: Settled::new(board),
            walk: Walk::new(system, quotient, targets.clone()),
            targets,
            phase: Phase::Walking,
            n_paths,
            n_slices: 0,
        })
    }

    /// Whether there are simple loops to be summarised, and not too many paths through them.
    pub(crate) fn is_promising(&self) -> bool {
        let [_, real, other, _] = self.n_paths;
        (1..=5000).contains(&real.saturating_add(other))
    }

    fn proceed(&mut self, quantum: u64, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        match &mut self.phase {
            Phase::Walking => self.go_on_walking(quantum, budget),
            Phase::Slicing(paths) => {
                let Some(path) = paths.pop() else {
                    let widen = Widen::new(Variant::Optimistic, self.system, &self.options, self.board);
                    self.phase = Phase::Searching(widen);
                    return Ok(None);
                };
                self.n_slices += 1;
                let context = (&self.options, self.board);
                let trace = slice::search(self.system, self.walk.quotient(), &path, context, budget)?;
                Ok(trace.map(Answer::Unsafe))
            }
            Phase::Proving(backward) => {
                let answer = backward.advance(quantum, budget);
                debug_assert!(!matches!(answer, Some(Answer::Unsafe(_))), "INVARIANT: summaries are exact");
                Ok(answer)
            }
            Phase::Searching(widen) => Ok(widen.advance(quantum, budget)),
        }
    }

    fn go_on_walking(&mut self, quantum: u64, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        if self.walk.quotient().is_empty() {
            return Ok(Some(self.without_a_path()));
        }
        self.settled.read_board();
        let mut aid = Aid { settled: &mut self.settled, budget };
        let is_decided = match self.walk.advance(quantum, &mut aid)? {
            Walked::Found(witness) => return Ok(Some(self.reached(&witness))),
            Walked::OnTheWay if self.walk.counts.points < MOST_POINTS => return Ok(None),
            Walked::OnTheWay => false,
            Walked::Done { decided } => decided && self.n_paths[Shape::Spaghetti as usize] == 0,
        };
        if is_decided && let Some(proof) = self.by_cuts(budget)? {
            return Ok(Some(proof));
        }
        if self.company == Company::InARace {
            return Ok(Some(Answer::Unknown(UnknownReason::Inconclusive)));
        }
        if is_decided {
            self.phase = Phase::Proving(Backward::new(self.system, &self.options, self.board));
        } else if let Some(answer) = self.search_plainly(budget) {
            return Ok(Some(answer));
        } else {
            let mut paths = slice::spaghetti_paths(self.system, self.walk.quotient(), &self.targets);
            // The shortest is taken first.
            paths.reverse();
            self.phase = Phase::Slicing(paths);
        }
        Ok(None)
    }

    /// A backward search with little work and no cuts: most questions about programs are decided by then, and looking for
    /// cuts or guessing candidates would cost more than it saves.
    fn search_plainly(&self, budget: &Budget) -> Option<Answer> {
        let options = Options { cuts: false, ..self.options.clone() };
        let board = Blackboard::new(self.system, &options);
        if options.head_start == 0 {
            return None;
        }
        Backward::new(self.system, &options, &board).advance(HEAD_STARTS * options.head_start, budget)
    }

    /// Lemma 2: what is in a shared state that leads to a target is not coverable if no initial one leads there.
    fn without_a_path(&self) -> Answer {
        let leading = quotient::leading_to(self.system, &self.targets);
        let elements = leading.into_iter().map(|shared| Config::new(shared, Bag::new()));
        Answer::Safe(Safety::Proof(self.settled.proof(elements.collect())))
    }

    /// The trace along a path.
    fn reached(&self, witness: &Witness) -> Answer {
        let plan = || {
            let mut plan = Plan::new(witness.target.view());
            for item in &witness.items {
                match item {
                    Item::Step(rule) => plan.prepend(self.system, *rule, None)?,
                    Item::Loop(cycle, times) => plan.prepend_repeated(self.system, cycle.clone(), *times)?,
                }
            }
            plan.perform(self.system)
        };
        match plan() {
            Ok(trace) => Answer::Unsafe(trace),
            Err(PlanError::TooLong) => Answer::Unknown(UnknownReason::EvidenceTooLarge),
            Err(PlanError::Overflow) => Answer::Unknown(UnknownReason::CountOverflow),
        }
    }

    /// The proof by cuts, if each target breaks one.
    fn by_cuts(&mut self, budget: &Budget) -> Result<Option<Answer>, UnknownReason> {
        let Some(cuts) = self.board.cuts() else { return Ok(None) };
        let left = cuts.settle(&self.targets, WORK_FOR_CUTS, budget)?;
        let settled = &mut self.settled;
        let is_proved =
            left.is_empty() && self.targets.iter().all(|target| settled.excludes_already(target.view()));
        Ok(is_proved.then(|| Answer::Safe(Safety::Proof(self.settled.proof(Vec::new())))))
    }
}

impl Contender for Concolic<'_, '_> {
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
        self.proceed(quantum, budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason)))
    }

    fn progress(&self) -> Progress {
        match &self.phase {
            Phase::Proving(backward) => backward.progress(),
            Phase::Searching(widen) => widen.progress(),
            Phase::Walking | Phase::Slicing(_) => Progress {
                elements: self.walk.counts.points,
                steps: self.walk.counts.points,
                expanded: self.walk.counts.summaries,
                ..Progress::default()
            },
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let components = &self.walk.quotient().components;
        let of_shape = |shape| components.iter().filter(|component| component.shape == shape).count() as u64;
        statistics.push("components", components.len() as u64);
        statistics.push("simple_loops", of_shape(Shape::RealLoop) + of_shape(Shape::Loop));
        statistics.push("spaghetti", of_shape(Shape::Spaghetti));
        statistics.push("paths_without_loops", self.n_paths[0]);
        statistics.push("paths_with_real_loops", self.n_paths[1]);
        statistics.push("paths_with_loops", self.n_paths[2]);
        statistics.push("paths_with_spaghetti", self.n_paths[3]);
        statistics.push("path_points", self.walk.counts.points);
        statistics.push("path_summaries", self.walk.counts.summaries);
        statistics.push("paths_cut_short", self.walk.counts.pruned);
        statistics.push("slices", self.n_slices);
        let more = match &self.phase {
            Phase::Proving(backward) => backward.statistics(),
            Phase::Searching(widen) => widen.statistics(),
            Phase::Walking | Phase::Slicing(_) => Statistics::default(),
        };
        more.iter().for_each(|(name, value)| statistics.push(name, value));
        statistics
    }

    fn recording(&mut self) -> Recording {
        match &mut self.phase {
            Phase::Proving(backward) => backward.recording(),
            Phase::Searching(widen) => widen.recording(),
            Phase::Walking | Phase::Slicing(_) => Recording::default(),
        }
    }
}
