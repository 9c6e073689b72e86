//! The race for C programs: everybody who may answer a question about one, and the first answer counts.
//!
//! Who takes part, how hard they try and in which order is one table ([`TURNS`]). Turns of one *lane* come one after the other; lanes
//! run at the same time, each on a thread of its own; with two jobs or more there is one lane more than that, since `pdr` waits for the facts
//! of `houdini` ([`Blackboard`](super::contender::Blackboard)). With one job there is one lane, so the same run comes out each time: a small
//! exploration first, which finds most errors, then facts, then lemmas, then predicates, then exploration without bounds. Who has lost is told to
//! stop, and nobody waits for it.
//!
//! Exploration without bounds need not end. Once it is alone, it goes on until the run's time limit, or if there is none, for as
//! long as the others took, and a minute at least.

use super::CEngine;
use super::contender::{Contender, Effort, Ending, News, Problem};
use super::contenders::{Cegar, Exact, Explore, Houdini, Pdr, shorter};
use crate::observe::ProverEvent;
use crate::{Error, Observer};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};
use throng_base::budget::Watchdog;
use throng_base::{Budget, Limits, StopReason};
use throng_cfa::flow::PropertyId;
use throng_cfa::invariant::Invariant;
use throng_cfa::trace::Trace;
use throng_check::c::Explored;
use throng_engine::{Contestant, Fate, Progress, Statistics, UnknownReason};
use throng_prove::{Event, Phase};

/// How long the last contender goes on at least, if there is no limit.
const LEAST_REST: Duration = Duration::from_secs(60);
/// How long the provers go on at least when there is an answer about as many threads as were asked about.
const PATIENCE: Duration = Duration::from_secs(5);
/// For the deepest nesting that parsers accept.
const STACK: usize = 64 << 20;

/// A turn of a contender.
#[derive(Clone, Copy)]
struct Turn {
    contender: &'static dyn Contender,
    effort: Effort,
    /// The lane in which it runs with one job, with two, and with more; `None` if it does not.
    lanes: [Option<usize>; 3],
}

/// All turns, in their order.
const TURNS: [Turn; 9] = [
    Turn { contender: &Explore, effort: Effort::Opening, lanes: [Some(0), None, None] },
    Turn { contender: &Exact, effort: Effort::Opening, lanes: [Some(0), Some(0), None] },
    Turn { contender: &Houdini, effort: Effort::Opening, lanes: [Some(0), Some(0), None] },
    Turn { contender: &Exact, effort: Effort::Full, lanes: [None, None, Some(1)] },
    Turn { contender: &Houdini, effort: Effort::Full, lanes: [None, None, Some(0)] },
    Turn { contender: &Pdr, effort: Effort::Opening, lanes: [Some(0), None, None] },
    Turn { contender: &Cegar, effort: Effort::Full, lanes: [Some(0), Some(0), Some(1)] },
    Turn { contender: &Pdr, effort: Effort::Full, lanes: [Some(0), Some(2), Some(3)] },
    Turn { contender: &Explore, effort: Effort::Full, lanes: [Some(0), Some(1), Some(2)] },
];

/// Everybody, those first whose reason for not having an answer says the most.
const CONTENDERS: [&dyn Contender; 5] = [&Cegar, &Pdr, &Houdini, &Exact, &Explore];

/// What is to be done, and how.
pub(super) struct Race {
    pub(super) problem: Arc<Problem>,
    /// Who takes part: one engine, or all of them.
    pub(super) engine: CEngine,
    /// How many threads may be used.
    pub(super) jobs: usize,
    /// Whether the run has a time limit.
    pub(super) is_limited: bool,
    /// How long the last contender goes on at least, if there is another question to come.
    pub(super) rest: Option<Duration>,
}

/// What was found.
pub(super) enum Found {
    /// Why no error is reachable.
    Proof(Box<Invariant>),
    /// All states were explored, and none has an error.
    Explored(Explored),
    /// A run to an error.
    Error(Trace),
    /// Nothing.
    Nothing(UnknownReason),
}

/// How the race ended.
pub(super) struct Finish {
    pub(super) found: Found,
    /// What was counted.
    pub(super) statistics: Statistics,
    /// How it went for each, if there were several.
    pub(super) contest: Vec<Contestant>,
    /// Obligations that are proved although others are not.
    pub(super) proved: Vec<PropertyId>,
}

/// What comes in from a lane.
enum Message {
    Begins(usize),
    News(usize, News),
    Ends(usize, Ending),
    Panicked,
}

impl Race {
    /// The turns of each lane. An engine alone has one turn.
    fn lanes(&self) -> Vec<Vec<Turn>> {
        if let Some(alone) = self.engine.contender() {
            return vec![vec![Turn { contender: alone, effort: Effort::Full, lanes: [Some(0); 3] }]];
        }
        let column = self.jobs.clamp(1, 3) - 1;
        let n_lanes = TURNS.iter().filter_map(|turn| turn.lanes[column]).max().map_or(0, |most| most + 1);
        let mut lanes: Vec<Vec<Turn>> = vec![Vec::new(); n_lanes];
        // Who wants no facts to be filtered wants to see what the loop does by itself; exploration still finds errors.
        let is_loop = |turn: &Turn| [Cegar.name(), Explore.name()].contains(&turn.contender.name());
        let is_wanted = |turn: &Turn| self.problem.prover.houdini || is_loop(turn);
        for turn in TURNS.into_iter().filter(is_wanted) {
            if let Some(lane) = turn.lanes[column].and_then(|lane| lanes.get_mut(lane)) {
                lane.push(turn);
            }
        }
        lanes.retain(|lane| !lane.is_empty());
        lanes
    }

    /// Runs the race.
    pub(super) fn run(&self, budget: &Budget, observer: &dyn Observer) -> Result<Finish, Error> {
        let lanes = self.lanes();
        if lanes.iter().flatten().any(|turn| turn.contender.is_prover()) {
            observer.prover(ProverEvent::Begins(Arc::clone(&self.problem.prepared)));
            // What the user gave is not lost if the time is over before the loop begins.
            let given = &self.problem.prover.predicates;
            if !given.list.is_empty() {
                observer.prover(ProverEvent::Predicates(Box::new(given.clone())));
            }
        }
        let turns: Vec<Turn> = lanes.iter().flatten().copied().collect();
        if turns.iter().any(|turn| turn.contender.name() == Houdini.name()) {
            self.problem.facts.expect();
        }
        let mut standings = Standings::new(observer, turns);
        match &lanes[..] {
            [_] => self.in_turns(budget, &mut standings)?,
            _ => self.together(&lanes, budget, &mut standings)?,
        }
        let finish = standings.finish();
        Ok(if self.engine.contender().is_none() { self.shortened(finish, budget) } else { finish })
    }

    /// Provers find errors in their own order. What few threads do in few steps is easier to read: a small exploration, counted and not
    /// timed, looks for that.
    fn shortened(&self, mut finish: Finish, budget: &Budget) -> Finish {
        if let Found::Error(long) = &finish.found
            && let Some(short) = shorter(&self.problem, long, budget)
        {
            finish.found = Found::Error(short);
        }
        finish
    }

    /// In turns, on this thread.
    fn in_turns(&self, budget: &Budget, standings: &mut Standings<'_>) -> Result<(), Error> {
        for number in 0..standings.turns.len() {
            let Turn { contender, effort, .. } = standings.turns[number];
            let part = budget.part();
            standings.begins(number);
            let _watchdog = self.watch_rest(&part, standings);
            let ending =
                contender.run(&self.problem, effort, &part, &mut |news| standings.news(number, news));
            standings.ends(number, ending)?;
            if standings.is_over() || budget.check().is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Limits how long the last contender goes on alone.
    fn watch_rest(&self, rest: &Budget, standings: &Standings<'_>) -> Option<Watchdog> {
        if standings.fallback.is_some() {
            let time = Some(standings.started.elapsed().max(PATIENCE));
            return Some(rest.watch(Limits { time, memory: None }, || None));
        }
        let is_wanted = standings.is_rest() && (!self.is_limited || self.rest.is_some());
        let time = Some(standings.started.elapsed().max(self.rest.unwrap_or(LEAST_REST)));
        is_wanted.then(|| rest.watch(Limits { time, memory: None }, || None))
    }

    /// At the same time, each lane on a thread of its own.
    fn together(
        &self,
        lanes: &[Vec<Turn>],
        budget: &Budget,
        standings: &mut Standings<'_>,
    ) -> Result<(), Error> {
        let own = budget.part();
        let (sender, receiver) = mpsc::channel();
        let mut first = 0;
        for lane in lanes {
            self.start(first, lane.clone(), own.clone(), sender.clone())?;
            first += lane.len();
        }
        drop(sender);
        let mut watchdog = None;
        // The channel ends when all lanes have ended.
        for message in receiver {
            match message {
                Message::Begins(number) => standings.begins(number),
                Message::News(number, news) => standings.news(number, news),
                Message::Ends(number, ending) => {
                    standings.ends(number, ending)?;
                    watchdog = watchdog.or_else(|| self.watch_rest(&own, standings));
                }
                Message::Panicked => return Err(Error::internal("a panic, see above")),
            }
            if standings.is_over() {
                own.stop(StopReason::Cancelled);
                break;
            }
        }
        Ok(())
    }

    /// Starts a lane whose first turn has this number. Nobody may listen any more when it ends, which does not matter.
    fn start(
        &self,
        first: usize,
        lane: Vec<Turn>,
        budget: Budget,
        sender: Sender<Message>,
    ) -> Result<(), Error> {
        let problem = Arc::clone(&self.problem);
        let name = lane.first().map_or("contender", |turn| turn.contender.name());
        let work = move || {
            for (number, turn) in (first..).zip(lane) {
                drop(sender.send(Message::Begins(number)));
                let mut tell = |news| drop(sender.send(Message::News(number, news)));
                let run = || turn.contender.run(&problem, turn.effort, &budget, &mut tell);
                let message = match catch_unwind(AssertUnwindSafe(run)) {
                    Ok(ending) => Message::Ends(number, ending),
                    Err(_) => Message::Panicked,
                };
                drop(sender.send(message));
                if budget.check().is_err() {
                    break;
                }
            }
        };
        let started = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work);
        started.map(drop).map_err(|error| Error::internal(format!("cannot start a thread: {error}")))
    }
}

/// What became of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Running,
    Ended(UnknownReason),
    Answered,
}

/// Who is doing what, and what has come out of it.
struct Standings<'a> {
    observer: &'a dyn Observer,
    turns: Vec<Turn>,
    /// What became of each turn.
    states: Vec<State>,
    /// How far each was.
    progress: Vec<Progress>,
    /// What each prover is doing.
    phases: Vec<Option<Phase>>,
    found: Option<Found>,
    /// An answer about no more threads than were asked about, which counts if there is none about any number.
    fallback: Option<Explored>,
    /// What each has counted.
    statistics: Vec<Statistics>,
    started: Instant,
}

impl<'a> Standings<'a> {
    fn new(observer: &'a dyn Observer, turns: Vec<Turn>) -> Self {
        let states = vec![State::default(); turns.len()];
        let progress = vec![Progress::default(); turns.len()];
        let phases = vec![None; turns.len()];
        let statistics = vec![Statistics::default(); turns.len()];
        let (found, started) = (None, Instant::now());
        Self { observer, turns, states, progress, phases, found, fallback: None, statistics, started }
    }

    fn is_over(&self) -> bool {
        let is_proved = |number: usize| self.is_prover(number);
        self.found.is_some() || (self.fallback.is_some() && !self.open().any(is_proved))
    }

    /// Whether all proofs have been given up, and what is left only searches.
    fn is_rest(&self) -> bool {
        let has_provers = self.turns.iter().any(|turn| turn.contender.is_prover());
        let mut open = self.open();
        has_provers && open.next().is_some() && !self.open().any(|number| self.is_prover(number))
    }

    /// The turns that have not ended.
    fn open(&self) -> impl Iterator<Item = usize> {
        let is_open = |&number: &usize| matches!(self.states[number], State::Waiting | State::Running);
        (0..self.turns.len()).filter(is_open)
    }

    fn is_prover(&self, number: usize) -> bool {
        self.turns[number].contender.is_prover()
    }

    fn begins(&mut self, number: usize) {
        self.states[number] = State::Running;
    }

    fn news(&mut self, number: usize, news: News) {
        match news {
            News::Progress(progress, statistics) => {
                self.observer.progress(&progress);
                self.progress[number] = Progress { expanded: progress.steps, ..progress };
                self.statistics[number] = statistics;
            }
            News::Prover(event) => self.prover_news(number, event),
        }
    }

    /// Of what several provers do at the same time, that is told which the loop does.
    fn prover_news(&mut self, number: usize, event: ProverEvent) {
        let ProverEvent::Event(told) = &event else { return self.observer.prover(event) };
        match **told {
            Event::Iteration(_) => self.progress[number].expanded += 1,
            Event::Phase(phase) => {
                self.phases[number] = Some(phase);
                let is_running = |other| other != number && self.is_running_prover(other);
                if phase == Phase::Filter && self.open().any(is_running) {
                    return;
                }
            }
            Event::Predicates(_) | Event::AbstractProgram(_) => {}
        }
        self.observer.prover(event);
    }

    fn is_running_prover(&self, number: usize) -> bool {
        self.states[number] == State::Running && self.is_prover(number)
    }

    fn ends(&mut self, number: usize, ending: Ending) -> Result<(), Error> {
        let (state, found) = match ending {
            Ending::Proof(invariant) => (State::Answered, Some(Found::Proof(invariant))),
            // What holds for any number of threads is a better answer than what holds for so many.
            Ending::Explored(found) if found.is_bounded => {
                self.fallback = Some(found);
                (State::Answered, None)
            }
            Ending::Explored(found) => (State::Answered, Some(Found::Explored(found))),
            Ending::Error(trace) => (State::Answered, Some(Found::Error(trace))),
            Ending::Unknown(reason) => (State::Ended(reason), None),
            Ending::Internal(message) => return Err(Error::internal(message)),
        };
        self.states[number] = state;
        if self.is_prover(number) {
            let other = self.open().find(|&other| self.is_running_prover(other) && found.is_none());
            let phase = other.and_then(|other| self.phases[other]);
            let told = phase.map(|phase| ProverEvent::Event(Box::new(Event::Phase(phase))));
            self.observer.prover(told.unwrap_or(ProverEvent::Ends));
        }
        self.found = found;
        Ok(())
    }

    fn finish(self) -> Finish {
        let part = |contender: &&dyn Contender| -> Option<(&'static str, State, Progress)> {
            let is_meant = |number: &usize| self.turns[*number].contender.name() == contender.name();
            let numbers = || (0..self.turns.len()).filter(is_meant);
            // The last turn that has begun says what became of it.
            let began = numbers().filter(|&number| self.states[number] != State::Waiting).last();
            let number = began.or_else(|| numbers().next())?;
            Some((contender.name(), self.states[number].clone(), self.progress[number]))
        };
        let parts: Vec<_> = CONTENDERS.iter().filter_map(part).collect();
        let reasons = parts.iter().filter_map(|(_, state, _)| match state {
            State::Ended(reason) => Some(reason.clone()),
            _ => None,
        });
        let statistics = counted(&self.turns, &self.states, &self.statistics);
        let found = self.found.or(self.fallback.map(Found::Explored));
        let found = found.unwrap_or_else(|| Found::Nothing(why(&reasons.collect::<Vec<_>>())));
        let contestant = |(name, state, progress): (&'static str, State, Progress)| {
            let fate = match state {
                State::Answered => Fate::Answered,
                State::Waiting | State::Running | State::Ended(UnknownReason::Stopped(_)) => Fate::Searching,
                State::Ended(reason) => Fate::GaveUp(reason),
            };
            let Progress { expanded, elements, .. } = progress;
            Contestant { name, fate, progress: Progress { expanded, elements, ..Progress::default() } }
        };
        let contest = if parts.len() > 1 { parts.into_iter().map(contestant).collect() } else { Vec::new() };
        Finish { found, statistics, contest, proved: Vec::new() }
    }
}

/// What was counted: by the one who answered, or if nobody did, by everybody in the last turn.
fn counted(turns: &[Turn], states: &[State], statistics: &[Statistics]) -> Statistics {
    if let Some(winner) = states.iter().position(|state| *state == State::Answered)
        && statistics[winner].iter().next().is_some()
    {
        return statistics[winner].clone();
    }
    let mut all = Statistics::default();
    for (number, turn) in turns.iter().enumerate() {
        let is_same = |later: usize| {
            turns[later].contender.name() == turn.contender.name()
                && statistics[later].iter().next().is_some()
        };
        if !(number + 1..turns.len()).any(is_same) {
            statistics[number].iter().for_each(|(name, count)| all.push(name, count));
        }
    }
    all
}

/// Why nobody has an answer; the first reason says the most.
fn why(reasons: &[UnknownReason]) -> UnknownReason {
    use UnknownReason::Stopped;
    // What the user or the machine ended is nobody's fault.
    let is_outside =
        |reason: &&UnknownReason| matches!(reason, Stopped(StopReason::Interrupted | StopReason::Memory));
    let reason = reasons.iter().find(is_outside).or(reasons.first());
    reason.cloned().unwrap_or(Stopped(StopReason::Cancelled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prover_that_gave_up_is_the_reason_unless_the_user_was() {
        let stopped = UnknownReason::Stopped;
        let (gave_up, bounded) = (UnknownReason::Refinement, UnknownReason::Bounded);
        assert_eq!(why(&[gave_up.clone(), stopped(StopReason::Timeout)]), gave_up);
        assert_eq!(why(&[gave_up.clone(), bounded.clone()]), gave_up);
        assert_eq!(why(&[gave_up, stopped(StopReason::Interrupted)]).to_string(), "interrupted");
        assert_eq!(why(&[stopped(StopReason::Timeout), bounded]).to_string(), "timeout");
        assert_eq!(why(&[stopped(StopReason::Timeout)]).to_string(), "timeout");
    }
}
