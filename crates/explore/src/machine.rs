//! Runs threads: a visible step and then everything up to the next place where others may come in between.
//!
//! A *run* of a thread takes one edge, goes through the atomic section that it begins, if any, and on along edges that are
//! of no interest to others ([`crate::analysis`]); threads that it starts run up to their first visible step as well. All
//! of that could happen without anybody coming in between, and nothing that others do in between could make a difference:
//! local edges and those of others commute. A run that branches has several results.
//!
//! A thread that has nothing to do any more, because it is stuck at a local edge or because nothing of what it may still
//! do matters, is *gone*: it keeps only what others may see of it.

use crate::analysis::{Analysis, Reach};
use crate::code::{Compiled, Step};
use crate::evaluate::{Choices, Scene};
use crate::layout::Layout;
use crate::oracle::Oracle;
use crate::rows::Rows;
use crate::value::{Value, Values};
use rustc_hash::FxHashSet;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{EdgeId, NondetId, Program, VariableId};
use throng_solver::TermId;

/// After how many edges a run stops in the middle, to go on in another one.
const LONGEST_RUN: u32 = 500;
/// From how many branches on a run looks for those that come together again.
const MANY_BRANCHES: u32 = 32;

/// An edge that was taken. Threads are meant by their places in the state in which the run began.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) thread: u32,
    pub(crate) edge: EdgeId,
    pub(crate) signalled: Option<u32>,
    /// The inputs that were chosen.
    pub(crate) chosen: Vec<(NondetId, TermId)>,
    /// The inputs of the thread that was started.
    pub(crate) started: Vec<(VariableId, u32, TermId)>,
}

/// A state in the middle of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) shared: Vec<u32>,
    /// The row of the thread that runs.
    pub(crate) own: Vec<u32>,
    /// Its place.
    pub(crate) thread: usize,
    /// The rows of all threads; that of the running one is out of date.
    pub(crate) threads: Vec<u32>,
    /// What is known about the inputs.
    pub(crate) conditions: Vec<TermId>,
    /// Threads that are to run up to their next visible steps.
    pending: Vec<u32>,
    length: u32,
    pub(crate) n_inputs: u32,
    /// What was done, if that is recorded.
    pub(crate) taken: Vec<Taken>,
}

/// A moment of a run, as far as it decides how the run goes on: shared row, own row and thread, other threads, conditions.
type Key = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<TermId>);

/// What the runs of threads of a program need.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: Layout,
    pub(crate) analysis: Analysis,
    pub(crate) compiled: Compiled,
    pub(crate) values: Values,
    /// The rows of threads.
    pub(crate) rows: Rows,
    pub(crate) oracle: Oracle,
    budget: Budget,
    /// How many threads there may be.
    pub(crate) limit: usize,
    /// Whether there was a state in which a thread that the limit does not allow might be started.
    pub(crate) may_need_more: bool,
    /// Whether runs say what they did.
    pub(crate) is_recording: bool,
    pub(crate) slots: Vec<Value>,
    stack: Vec<Moment>,
    /// The results of the last run.
    pub(crate) results: Vec<Moment>,
    spare: Vec<Moment>,
    met: FxHashSet<Key>,
    pub(crate) n_edges: u64,
}

/// How a run ended.
pub(crate) enum Ending {
    /// As usual: the results are in [`Machine::results`].
    Done,
    /// An error was reached.
    Error(Box<Moment>),
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    pub(crate) fn new(program: &'p Program, budget: &Budget) -> Self {
        let layout = Layout::new(program);
        Self {
            program,
            analysis: Analysis::new(program, &layout),
            compiled: Compiled::new(program, &layout),
            layout,
            values: Values::default(),
            rows: Rows::default(),
            oracle: Oracle::default(),
            budget: budget.clone(),
            limit: 1,
            may_need_more: false,
            is_recording: false,
            slots: Vec::new(),
            stack: Vec::new(),
            results: Vec::new(),
            spare: Vec::new(),
            met: FxHashSet::default(),
            n_edges: 0,
        }
    }

    /// What is known about a location when there are so many threads.
    pub(crate) fn reach(&self, n_threads: usize, location: u32) -> Option<&Reach> {
        let all = if n_threads < self.limit { &self.analysis.open } else { &self.analysis.closed };
        all.get(location as usize)
    }

    /// A moment to be filled in.
    pub(crate) fn spare(&mut self) -> Moment {
        let mut moment = self.spare.pop().unwrap_or_default();
        moment.conditions.clear();
        moment.pending.clear();
        moment.taken.clear();
        (moment.length, moment.n_inputs) = (0, 0);
        moment
    }

    /// What limits the search.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Takes back a moment that is no longer needed.
    pub(crate) fn recycle(&mut self, moment: Moment) {
        self.spare.push(moment);
    }

    fn copy(&mut self, moment: &Moment) -> Moment {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.shared.clone_from(&moment.shared);
        copy.own.clone_from(&moment.own);
        copy.thread = moment.thread;
        copy.threads.clone_from(&moment.threads);
        copy.conditions.clone_from(&moment.conditions);
        copy.pending.clone_from(&moment.pending);
        copy.length = moment.length;
        copy.n_inputs = moment.n_inputs;
        copy.taken.clone_from(&moment.taken);
        copy
    }

    /// Runs a thread from a moment; `takes_first` says whether it takes an edge even if others can notice it.
    pub(crate) fn run(&mut self, moment: Moment, takes_first: bool) -> Result<Ending, StopReason> {
        debug_assert!(self.results.is_empty() && self.stack.is_empty(), "one run at a time");
        self.met.clear();
        self.stack.push(moment);
        let mut is_first = takes_first;
        let mut n_moments = 0;
        while let Some(moment) = self.stack.pop() {
            let takes_first = std::mem::take(&mut is_first);
            n_moments += 1;
            let point = self.compiled.points[moment.own[0] as usize];
            if point.is_error {
                self.stack.clear();
                self.results.clear();
                return Ok(Ending::Error(Box::new(moment)));
            }
            let reach = self.reach(moment.threads.len(), moment.own[0]);
            let is_local = reach.is_some_and(|reach| reach.is_local && !reach.is_useless);
            let goes_on = takes_first || ((point.is_atomic || is_local) && moment.length < LONGEST_RUN);
            if !goes_on || self.is_blocked(&moment) {
                self.rest(moment);
            } else if n_moments < MANY_BRANCHES || takes_first || self.is_met_first(&moment) {
                if n_moments % 256 == 0 {
                    self.budget.check().inspect_err(|_| self.abandon())?;
                }
                self.branch(moment, is_local).inspect_err(|_| self.abandon())?;
            } else if is_local {
                // Perhaps a loop without an end: others go on while this one is in it.
                self.give_up(moment);
            } else {
                self.recycle(moment);
            }
        }
        Ok(Ending::Done)
    }

    fn abandon(&mut self) {
        self.stack.clear();
        self.results.clear();
    }

    fn is_met_first(&mut self, moment: &Moment) -> bool {
        let mut own = moment.own.clone();
        own.push(moment.thread as u32);
        let others = moment.threads.iter().enumerate();
        let others = others.filter(|&(place, _)| place != moment.thread).map(|(_, &row)| row);
        let others = others.chain(moment.pending.iter().copied()).collect();
        self.met.insert((moment.shared.clone(), own, others, moment.conditions.clone()))
    }

    /// Whether another thread is at an atomic location.
    fn is_blocked(&self, moment: &Moment) -> bool {
        let mut others = moment.threads.iter().enumerate().filter(|&(place, _)| place != moment.thread);
        others.any(|(_, &row)| self.compiled.points[self.rows.get(row)[0] as usize].is_atomic)
    }

    /// The running thread stops here.
    fn rest(&mut self, mut moment: Moment) {
        let location = moment.own[0];
        let reach = self.reach(moment.threads.len(), location);
        if reach.is_some_and(|reach| reach.is_useless) {
            self.note_start(location);
            self.leave(&mut moment.own);
        } else if let Some(dead) = self.analysis.dead.get(location as usize) {
            dead.iter().for_each(|&word| moment.own[word as usize] = 0);
        }
        moment.threads[moment.thread] = self.rows.insert(&moment.own);
        let is_atomic = self.compiled.points[location as usize].is_atomic;
        match moment.pending.pop() {
            Some(next) if !is_atomic => {
                moment.thread = next as usize;
                moment.own.clear();
                moment.own.extend_from_slice(self.rows.get(moment.threads[next as usize]));
                self.stack.push(moment);
            }
            _ => self.results.push(moment),
        }
    }

    /// Notes that a thread at this location would perhaps start another one.
    pub(crate) fn note_start(&mut self, location: u32) {
        self.may_need_more |= self.analysis.open.get(location as usize).is_some_and(|reach| reach.may_start);
    }

    /// Makes a thread one that is gone.
    fn leave(&self, row: &mut [u32]) {
        let template = self.compiled.points[row[0] as usize].template;
        row[0] = self.compiled.gone(template);
        for &local in &self.program.templates[template.index()].locals {
            if self.layout.keeps(local) && !self.layout.is_observed[local.index()] {
                row[self.layout.words(self.program, local)].fill(0);
            }
        }
    }

    /// Takes all edges from here.
    fn branch(&mut self, moment: Moment, is_local: bool) -> Result<(), StopReason> {
        let (first, count) = self.compiled.points[moment.own[0] as usize].steps;
        let mut is_covered = false;
        let mut open: Vec<TermId> = Vec::new();
        for number in first..first + count {
            let mut choices = Choices { n_inputs: moment.n_inputs, ..Choices::default() };
            let guard = self.guard(&moment, number as usize, &mut choices);
            if guard == Value::ZERO {
                continue;
            }
            if self.compiled.steps[number as usize].starts() && moment.threads.len() >= self.limit {
                self.may_need_more = true;
                continue;
            }
            let mut next = self.copy(&moment);
            let is_possible = match guard {
                Value::Known(_) => {
                    is_covered = true;
                    true
                }
                Value::Term(guard) => {
                    open.push(guard);
                    self.assume(&mut next, guard)?
                }
            };
            if is_possible {
                self.take(next, number as usize, choices)?;
            } else {
                self.recycle(next);
            }
        }
        if is_local && !is_covered {
            self.stay(moment, &open)
        } else {
            self.recycle(moment);
            Ok(())
        }
    }

    /// The value of the guard of an edge.
    pub(crate) fn guard(&mut self, moment: &Moment, number: usize, choices: &mut Choices) -> Value {
        let step: &Step = &self.compiled.steps[number];
        if step.guard.operations.is_empty() {
            return Value::TRUE;
        }
        let scene = Scene {
            program: self.program,
            compiled: &self.compiled,
            rows: &self.rows,
            shared: &moment.shared,
            own: &moment.own,
            passive: &[],
            threads: &moment.threads,
            thread: moment.thread,
        };
        self.values.run(&step.guard, &scene, choices, &mut self.slots);
        self.slots.last().copied().unwrap_or(Value::TRUE)
    }

    /// Whether a condition can hold in a moment, to which it is added.
    pub(crate) fn assume(&mut self, moment: &mut Moment, condition: TermId) -> Result<bool, StopReason> {
        self.oracle.assume(&self.values.terms, &mut moment.conditions, condition, &self.budget)
    }

    /// The case that none of these guards of local edges holds: the thread stays here for good, but others go on.
    fn stay(&mut self, mut moment: Moment, guards: &[TermId]) -> Result<(), StopReason> {
        let terms = &mut self.values.terms;
        let negated: Vec<TermId> = guards.iter().map(|&guard| terms.not(guard)).collect();
        let none = terms.and_all(negated);
        if self.assume(&mut moment, none)? {
            self.give_up(moment);
        } else {
            self.recycle(moment);
        }
        Ok(())
    }

    /// The running thread does nothing more.
    fn give_up(&mut self, mut moment: Moment) {
        self.note_start(moment.own[0]);
        self.leave(&mut moment.own);
        self.rest(moment);
    }

    /// Lets a run go on from a moment later.
    pub(crate) fn push(&mut self, moment: Moment) {
        self.stack.push(moment);
    }

    /// Makes another thread the running one.
    pub(crate) fn switch(&mut self, moment: &mut Moment, thread: usize) {
        moment.threads[moment.thread] = self.rows.insert(&moment.own);
        moment.thread = thread;
        moment.own.clear();
        moment.own.extend_from_slice(self.rows.get(moment.threads[thread]));
    }

    /// Takes one edge and nothing more, with this thread signalled if there is a signal.
    pub(crate) fn take_as(
        &mut self,
        moment: Moment,
        number: usize,
        choices: Choices,
        signalled: Option<u32>,
    ) -> Result<Option<Moment>, StopReason> {
        debug_assert!(self.stack.is_empty(), "one run at a time");
        self.take(moment, number, choices)?;
        let mut all = std::mem::take(&mut self.stack).into_iter();
        Ok(all.find(|moment| moment.taken.last().is_some_and(|taken| taken.signalled == signalled)))
    }
}

impl Moment {
    /// How many inputs were made.
    pub(crate) fn inputs(&self) -> u32 {
        self.n_inputs
    }

    /// Counts an edge.
    pub(crate) fn count(&mut self, n_inputs: u32) {
        self.length += 1;
        self.n_inputs = n_inputs;
    }

    /// Lets a thread run up to its next visible step after the running one rests.
    pub(crate) fn wake(&mut self, thread: usize) {
        self.pending.push(thread as u32);
    }

    /// Lets all threads but the running one do so.
    pub(crate) fn wake_all(&mut self) {
        self.pending.clear();
        self.pending.extend((0..self.threads.len() as u32).filter(|&place| place as usize != self.thread));
    }
}
