//! From a path of the search to a trace of the program.
//!
//! The search keeps of each state only from where and by the run of which thread it was met. The runs are done again with
//! a record of the edges; thread places are translated back into numbers; the edges are then run once more with inputs of
//! their own, all guards are collected, and the solver says what the inputs may be.

use crate::canon::{self, Canon, HEAD};
use crate::evaluate::Choices;
use crate::explore::{Exploration, Found, NO_STATE, moment_at};
use crate::machine::{Ending, Machine, Moment, Taken};
use crate::oracle::Oracle;
use crate::value::Value;
use throng_base::{Budget, StopReason};
use throng_cfa::trace::{Trace, TraceStep};
use throng_solver::{Outcome, TermId};

/// Why there is no trace.
pub(crate) enum Trouble {
    /// The budget ended.
    Stopped(StopReason),
    /// The search is wrong; in words.
    Internal(String),
}

impl From<StopReason> for Trouble {
    fn from(reason: StopReason) -> Self {
        Trouble::Stopped(reason)
    }
}

fn internal<T>(text: &str) -> Result<T, Trouble> {
    Err(Trouble::Internal(text.to_owned()))
}

/// Packed states from a first one on, each with the place of the thread that runs from there; the last run reaches an error.
/// Without states, the start itself does.
pub(crate) type Chain = Vec<(Vec<u32>, u32)>;

/// The chain to an error that an exploration has found.
pub(crate) fn chain(exploration: &Exploration, found: Found) -> Chain {
    let mut chain = Vec::new();
    let (mut state, mut thread) = (found.state, found.thread);
    while state != NO_STATE {
        chain.push((exploration.state(state).to_vec(), thread));
        (state, thread) = exploration.parent(state);
    }
    chain.reverse();
    chain
}

/// The trace along a chain.
pub(crate) fn trace(
    machine: &mut Machine,
    canon: &mut Canon,
    chain: &Chain,
    budget: &Budget,
) -> Result<Trace, Trouble> {
    machine.is_recording = true;
    let path = path(machine, canon, chain);
    let trace = path.and_then(|path| concretise(machine, &path, budget));
    machine.is_recording = false;
    trace
}

/// All edges that are taken; threads are meant by their numbers less one.
fn path(machine: &mut Machine, canon: &mut Canon, chain: &Chain) -> Result<Vec<Taken>, Trouble> {
    let mut path = Vec::new();
    // By place: the thread's real place.
    let mut real: Vec<u32> = vec![0];
    let mut before: Option<&(Vec<u32>, u32)> = None;
    for next in chain {
        let moments = match run_again(machine, canon, before)? {
            Ending::Done => canon::parts(machine),
            Ending::Error(_) => return internal("a run reaches an error when it is done again"),
        };
        let Some((moment, order)) = find(machine, canon, moments, &next.0) else {
            return internal("a run has another result when it is done again");
        };
        extend(&mut path, moment.taken, &mut real);
        real.extend(real.len() as u32..order.len() as u32);
        real = order.iter().map(|&place| real[place as usize]).collect();
        before = Some(next);
    }
    match run_again(machine, canon, before)? {
        Ending::Error(moment) => extend(&mut path, moment.taken, &mut real),
        Ending::Done => {
            machine.results.clear();
            return internal("a run does not reach the error when it is done again");
        }
    }
    Ok(path)
}

/// Runs a thread from a state, or the first one from the start.
fn run_again(
    machine: &mut Machine,
    canon: &Canon,
    from: Option<&(Vec<u32>, u32)>,
) -> Result<Ending, StopReason> {
    let moment = match from {
        None => machine.start().0,
        Some((state, thread)) => moment_at(machine, canon, state, *thread as usize),
    };
    machine.run(moment, from.is_some())
}

/// The moment that becomes a state in canonical form, and how its threads are ordered there.
fn find(
    machine: &mut Machine,
    canon: &mut Canon,
    moments: Vec<Moment>,
    state: &[u32],
) -> Option<(Moment, Vec<u32>)> {
    let mut packed = Vec::new();
    let was_off = canon.is_off;
    let mut found = None;
    'all: for moment in moments {
        // Whether threads were exchanged when the state was kept is not known any more.
        for is_off in [false, true] {
            canon.is_off = is_off;
            let mut copy = moment.clone();
            let order = canon.pack(machine, &mut copy, &mut packed);
            if packed == state {
                found = Some((moment, order));
                break 'all;
            }
        }
    }
    canon.is_off = was_off;
    debug_assert!(state.len() > HEAD, "there is a thread in every state");
    found
}

/// Appends edges, with threads by their real places; those that are started get the next ones.
fn extend(path: &mut Vec<Taken>, taken: Vec<Taken>, real: &mut Vec<u32>) {
    // Places of threads that are started are the next ones in the state too.
    let place = |real: &mut Vec<u32>, place: u32| {
        while real.len() <= place as usize {
            real.push(real.len() as u32);
        }
        real[place as usize]
    };
    for mut step in taken {
        step.thread = place(real, step.thread);
        step.signalled = step.signalled.map(|other| place(real, other));
        path.push(step);
    }
}

/// Runs the edges with inputs of their own and finds values for these.
fn concretise(machine: &mut Machine, path: &[Taken], budget: &Budget) -> Result<Trace, Trouble> {
    let (mut moment, start) = machine.start();
    for step in path {
        machine.switch(&mut moment, step.thread as usize);
        let number = step.edge.index();
        let mut choices = Choices { n_inputs: moment.inputs(), ..Choices::default() };
        match machine.guard(&moment, number, &mut choices) {
            Value::Known(0) => return internal("an edge of the path is not possible"),
            Value::Known(_) => {}
            Value::Term(guard) => moment.conditions.push(guard),
        }
        moment = match machine.take_as(moment, number, choices, step.signalled)? {
            Some(moment) => moment,
            None => return internal("no thread can be signalled as on the path"),
        };
    }
    let model = match Oracle::solve(&machine.values.terms, &moment.conditions, budget) {
        Outcome::Sat(model) => model,
        Outcome::Unsat(_) => return internal("the guards of the path contradict each other"),
        Outcome::Unknown(reason) => return Err(Trouble::Stopped(reason)),
    };
    let terms = &machine.values.terms;
    let number = |term: TermId| model.value(terms, term);
    let steps = moment.taken.iter().map(|taken| TraceStep {
        thread: taken.thread + 1,
        edge: taken.edge,
        choices: taken.chosen.iter().map(|&(nondet, term)| (nondet, number(term))).collect(),
        signalled: taken.signalled.map(|place| place + 1),
        started: taken.started.iter().map(|&(id, scalar, term)| (id, scalar, number(term))).collect(),
    });
    let steps = steps.collect();
    Ok(Trace { start: start.iter().map(|&(id, scalar, term)| (id, scalar, number(term))).collect(), steps })
}
