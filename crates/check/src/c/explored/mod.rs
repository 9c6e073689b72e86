//! Explores all states of a program with finitely many threads.
//!
//! What a program does is defined in [`throng_cfa::flow`]. A *kept state* is a row of shared values, a row for each thread (its
//! location and its values), and conditions. Values are numbers, or terms over *inputs*, and conditions are about inputs too. It
//! stands for all states that it is when inputs have values with which the conditions hold; and for all states that differ
//! from these only in what decides nothing (`layout`).
//!
//! Accepted iff the kept states that are found from the start by taking every edge of every thread that may act, whose
//! guard can be true, have no thread at an error, and their number and that of their threads are what the evidence says. Where
//! the question is about at most N threads, edges that would start one more are not taken.
//!
//! # Why that is sound
//!
//! By induction over the steps of a run, each of its states is one that some kept state stands for. At the start: `Desk::start` has the
//! initial values, and an input for each that is arbitrary. A step: let k stand for the state s by values of the inputs, and let a thread take
//! an edge from s. It is at the same location in k, and no other thread is at an atomic location in k either. Values of
//! expressions in k, for these values of the inputs and for those of new inputs that are the arbitrary values of the step, are those
//! in s: `code` says of each operator what `flow` says, numbers as the machine that replays interleavings computes them, and what is
//! dead or not kept is not read. So the guard's value is true; if it is a term, it holds together with the conditions, and the solver
//! does not say that it cannot. Then the assignments, the start of a thread and what happens to others are performed as in s
//! (`steps`): a signal to each thread that may get it is a draft of its own, with the condition that it may. What is made of drafts
//! (`symbolic`) stands for the same states, or more. These are kept, and all kept states are looked at. So a run to an error would
//! have led to a kept state with a thread at an error.
//!
//! Without terms, the answer does not depend on the solver.
//!
//! The program is the one in larger steps, which has every error of the program that was read (`reduction`), with no
//! more threads: the run that is made there leaves out steps and starts no thread that was not started.

mod code;
mod identity;
mod layout;
mod rows;
mod steps;
mod symbolic;
mod words;

use crate::{Condition, Rejection};
use code::Inputs;
use layout::Layout;
use rows::Rows;
use steps::{Desk, Draft, Step};
use symbolic::Oracle;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{LocationKind, Program};
use throng_solver::TermId;
use words::{Value, Values};

/// How far is explored.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The question is about at most so many threads.
    pub threads: Option<u32>,
    /// More states are not looked at.
    pub states: u64,
    /// A program that has more threads is not looked at further.
    pub most_threads: u32,
}

/// What was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explored {
    /// How many states there are.
    pub states: u64,
    /// How many threads there are at most.
    pub threads: u32,
    /// Whether a thread was not started because the question is about fewer threads.
    pub is_bounded: bool,
}

/// Refuses programs that can tell threads apart by the numbers that starting them tells (`identity`).
pub(super) fn check_identity(program: &Program) -> Result<(), Rejection> {
    if identity::is_seen(program) {
        let reason =
            "it compares what pthread_create told of a thread, which the model fixes and machines do not";
        return Err(Rejection::new(Condition::Size, "the program", reason));
    }
    Ok(())
}

/// Explores all states of a program. `Ok` means that none of its states, with as many threads as the bounds allow, has a thread at an error.
pub fn explore(program: &Program, bounds: &Bounds, budget: &Budget) -> Result<Explored, Rejection> {
    let mut explorer = Explorer::new(program, bounds, budget)?;
    explorer.run()?;
    Ok(Explored {
        states: explorer.states.len() as u64,
        threads: explorer.threads,
        is_bounded: explorer.is_bounded,
    })
}

struct Explorer<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    budget: &'a Budget,
    layout: Layout,
    steps: Vec<Step>,
    values: Values,
    inputs: Inputs,
    slots: Vec<Value>,
    oracle: Oracle,
    /// Rows of threads.
    rows: Rows,
    shared: Rows,
    conditions: Rows,
    /// The numbers of conditions, shared row, and the threads' rows.
    states: Rows,
    threads: u32,
    is_bounded: bool,
}

/// A claim does not hold.
fn wrong(place: impl Into<String>, reason: impl Into<String>) -> Rejection {
    Rejection::new(Condition::Explored, place, reason)
}

fn too_large(reason: impl Into<String>) -> Rejection {
    Rejection::new(Condition::Size, "the states", reason)
}

/// The budget ended.
fn stopped(reason: StopReason) -> Rejection {
    too_large(format!("not all could be explored: {reason}"))
}

impl<'a> Explorer<'a> {
    fn new(program: &'a Program, bounds: &'a Bounds, budget: &'a Budget) -> Result<Self, Rejection> {
        let layout = Layout::new(program)?;
        let steps = program.edges.iter().map(|edge| Step::new(program, &layout, edge)).collect();
        Ok(Self {
            program,
            bounds,
            budget,
            layout,
            steps,
            values: Values::default(),
            inputs: Inputs::default(),
            slots: Vec::new(),
            oracle: Oracle::default(),
            rows: Rows::default(),
            shared: Rows::default(),
            conditions: Rows::default(),
            states: Rows::default(),
            threads: 0,
            is_bounded: false,
        })
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk {
            program: self.program,
            layout: &self.layout,
            rows: &mut self.rows,
            values: &mut self.values,
            inputs: &mut self.inputs,
            slots: &mut self.slots,
        }
    }

    fn run(&mut self) -> Result<(), Rejection> {
        let start = self.desk().start();
        self.keep(start)?;
        let mut next = 0;
        while next < self.states.len() {
            self.budget.check().map_err(stopped)?;
            let state = self.state(next);
            for actor in self.actors(&state) {
                self.act(&state, actor)?;
            }
            next = next.saturating_add(1);
        }
        Ok(())
    }

    fn state(&self, number: usize) -> Draft {
        let words = self.states.get(number as u32);
        let conditions = self.conditions.get(words[0]);
        Draft {
            conditions: conditions.iter().map(|&term| TermId::new(term as usize)).collect(),
            shared: self.shared.get(words[1]).to_vec(),
            threads: words[2..].to_vec(),
        }
    }

    /// The threads that may act: all, or the one that is at an atomic location, or none if several are.
    fn actors(&self, state: &Draft) -> std::ops::Range<usize> {
        let is_atomic = |&place: &usize| {
            self.program.locations[self.rows.get(state.threads[place])[0] as usize].is_atomic
        };
        let mut atomic = (0..state.threads.len()).filter(is_atomic);
        match (atomic.next(), atomic.next()) {
            (None, _) => 0..state.threads.len(),
            (Some(only), None) => only..only.saturating_add(1),
            (Some(_), Some(_)) => 0..0,
        }
    }

    /// Takes all edges of a thread.
    fn act(&mut self, state: &Draft, actor: usize) -> Result<(), Rejection> {
        let location = self.rows.get(state.threads[actor])[0] as usize;
        let (first, count) = self.program.locations[location].edges;
        for edge in first.index()..first.index().saturating_add(count as usize) {
            let (program, budget) = (self.program, self.budget);
            let Self { steps, layout, rows, values, inputs, slots, oracle, .. } = self;
            inputs.clear();
            let step = &steps[edge];
            let mut desk = Desk { program, layout, rows, values, inputs, slots };
            let guard = step.guard(&mut desk, state, actor);
            let mut conditions = state.conditions.clone();
            if !oracle.assume(&desk.values.terms, &mut conditions, guard, budget).map_err(stopped)? {
                continue;
            }
            let n_threads = u32::try_from(state.threads.len()).unwrap_or(u32::MAX);
            if step.starts() && self.bounds.threads.is_some_and(|most| n_threads >= most) {
                self.is_bounded = true;
                continue;
            }
            for (draft, condition) in step.happen(&mut desk, state, actor, &conditions) {
                self.follow(draft, condition)?;
            }
        }
        Ok(())
    }

    /// Keeps a draft where a condition holds.
    fn follow(&mut self, mut draft: Draft, condition: Value) -> Result<(), Rejection> {
        let terms = &self.values.terms;
        let can_hold = self.oracle.assume(terms, &mut draft.conditions, condition, self.budget);
        if can_hold.map_err(stopped)? { self.keep(draft) } else { Ok(()) }
    }

    /// Keeps what a draft stands for.
    fn keep(&mut self, draft: Draft) -> Result<(), Rejection> {
        if !symbolic::is_symbolic(&draft, &self.rows) {
            return self.insert(&draft);
        }
        let Self { rows, values, oracle, .. } = self;
        let parts = symbolic::settle(&draft, rows, values, oracle, self.budget).map_err(stopped)?;
        parts.iter().try_for_each(|part| self.insert(part))
    }

    fn insert(&mut self, draft: &Draft) -> Result<(), Rejection> {
        let conditions: Vec<u32> = draft.conditions.iter().map(|term| term.raw()).collect();
        let mut packed = vec![self.conditions.insert(&conditions), self.shared.insert(&draft.shared)];
        packed.extend_from_slice(&draft.threads);
        let n_before = self.states.len();
        self.states.insert(&packed);
        if self.states.len() == n_before {
            return Ok(());
        }
        self.look_at(draft)
    }

    /// Looks at a new state.
    fn look_at(&mut self, draft: &Draft) -> Result<(), Rejection> {
        for (place, &row) in draft.threads.iter().enumerate() {
            let location = &self.program.locations[self.rows.get(row)[0] as usize];
            if let LocationKind::Error(property) = location.kind {
                let text = &self.program.properties[property.index()].text;
                let number = place.saturating_add(1);
                return Err(wrong(format!("thread {number}"), format!("it comes to an error: {text}")));
            }
        }
        self.threads = self.threads.max(u32::try_from(draft.threads.len()).unwrap_or(u32::MAX));
        if self.threads > self.bounds.most_threads {
            return Err(too_large(format!("there are more than {} threads", self.bounds.most_threads)));
        }
        if self.states.len() as u64 > self.bounds.states {
            return Err(too_large(format!("there are more than {}", self.bounds.states)));
        }
        Ok(())
    }
}
