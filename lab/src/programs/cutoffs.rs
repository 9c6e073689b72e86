//! Reachable thread states and cutoffs of Boolean programs against brute force.
//!
//! [`compare_cutoffs`] surveys a program, has every piece of evidence checked in its JSON form, and runs the program with one
//! thread, two threads, and so on ([`super::interpret`]). What is said to be reachable must be what n₀ and n₀ + 1 threads
//! reach and more than what fewer reach; first depths must be those of N₀ and N₀ + 1 threads and of no fewer; and the
//! interleaving to what needs n₀ threads must be one of n₀ threads. That no larger number of threads reaches more is
//! what the checked evidence says.
//!
//! What takes too long is passed over. Work is counted in steps, never in seconds.

use super::differential::through_json;
use super::interpret::{Exploration, ThreadState, explore};
use super::random::{Generated, from_seed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use throng_base::{Budget, StopReason};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion};
use throng_cert::document::{Body, Item};
use throng_cert::{Count, Verdict};
use throng_check::Condition;
use throng_check::program::{check_program, check_reached};
use throng_engine::thread_states::{Layer, Pace};
use throng_engine::{Observer, Progress, UnknownReason};
use throng_symbolic::thread_states::{Needy, Reachability, Shown, Survey, ThreadStates};

/// How much work is done for one program.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many states brute force may look at with each number of threads.
    pub most_states: usize,
    /// How many elements or steps each search of a survey may have.
    pub most_steps: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { most_states: 20_000, most_steps: 5_000 }
    }
}

/// What was compared, and nothing was wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// n₀.
    pub reachability: u64,
    /// N₀.
    pub uniform: u64,
    /// Whether N₀ was compared as well.
    pub is_uniform_compared: bool,
    /// How many thread states are reachable.
    pub n_states: usize,
    /// How often evidence was accepted by the checker.
    pub n_checked: u32,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// A statement that a survey cannot handle.
    Refused,
    /// Evidence that does not survive its JSON form.
    Json(String),
    /// Evidence that the checker rejects.
    Rejected(Verdict, String),
    /// A survey that ends without a limit being reached.
    GivenUp(UnknownReason),
    /// Numbers that are not those of the thread states: what they count.
    Count(&'static str),
    /// So many threads reach something that is not among what any number reach.
    Missed(u32, ThreadState),
    /// Something is said to be reachable that so many threads, at least n₀, do not reach.
    Invented(u32, ThreadState),
    /// So many threads, fewer than n₀, reach everything.
    ReachabilityTooLarge(u32),
    /// First depths of so many threads: whether they are those of more threads is wrong.
    Uniform(u32),
    /// What is told about so many threads on the way is wrong.
    Layer(u32),
    /// What needs n₀ threads is reached by fewer, or by none, or its interleaving has another number of threads.
    Needy(&'static str),
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("a statement is too large"),
            Self::Json(error) => write!(f, "evidence does not survive its JSON form: {error}"),
            Self::Rejected(verdict, reason) => {
                write!(f, "evidence for {} is rejected: {reason}", verdict.word())
            }
            Self::GivenUp(reason) => write!(f, "the survey gives up: {reason:?}"),
            Self::Count(what) => write!(f, "a wrong number of {what}"),
            Self::Missed(n, state) => write!(f, "{n} threads reach what is not reachable: {state:?}"),
            Self::Invented(n, state) => write!(f, "{n} threads do not reach {state:?}"),
            Self::ReachabilityTooLarge(n) => write!(f, "{n} threads, fewer than n₀, reach everything"),
            Self::Uniform(n) => write!(f, "first depths with {n} threads do not fit N₀"),
            Self::Layer(n) => write!(f, "what is told about {n} threads is wrong"),
            Self::Needy(what) => write!(f, "what needs n₀ threads: {what}"),
        }
    }
}

impl Disagreement {
    /// Whether two are of the same kind, whatever the details are. Programs shrink within a kind.
    pub fn resembles(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The program with this seed, and how many threads start it: for some programs another number than they are meant for.
pub fn case(seed: u64) -> (String, InitThreads) {
    let Generated { text, threads } = from_seed(seed);
    (text, if seed % 4 == 3 { InitThreads::Any } else { threads })
}

/// Stops a search that has gone too far.
pub(super) struct Brake<'a> {
    pub(super) budget: &'a Budget,
    pub(super) most_steps: u64,
}

impl Observer for Brake<'_> {
    fn progress(&self, progress: &Progress) {
        let Progress { elements, expanded, steps, .. } = *progress;
        if elements.max(expanded).max(steps) > self.most_steps {
            self.budget.stop(StopReason::Timeout);
        }
    }
}

/// Why there is nothing to compare.
pub(super) enum Trouble {
    TooLong,
    Wrong(Disagreement),
}

impl From<UnknownReason> for Trouble {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Stopped(_) => Trouble::TooLong,
            other => Trouble::Wrong(Disagreement::GivenUp(other)),
        }
    }
}

impl From<Disagreement> for Trouble {
    fn from(disagreement: Disagreement) -> Self {
        Trouble::Wrong(disagreement)
    }
}

/// Compares on a program that so many threads start; `None` if that takes too long.
pub fn compare_cutoffs(
    program: &Program,
    threads: InitThreads,
    effort: Effort,
) -> Result<Option<Agreement>, Disagreement> {
    match attempt(program, threads, effort) {
        Ok(agreement) => Ok(Some(agreement)),
        Err(Trouble::TooLong) => Ok(None),
        Err(Trouble::Wrong(disagreement)) => Err(disagreement),
    }
}

fn attempt(program: &Program, threads: InitThreads, effort: Effort) -> Result<Agreement, Trouble> {
    let mut layers = Vec::new();
    let surveyed = survey(program, threads, effort, &mut layers)?;
    let reachable = explicit(program, &surveyed.states, effort)?;
    let question = ProgramQuestion { threads, targets: Vec::new() };
    let brute = |n: u32| explore(program, &question, n, effort.most_states);
    let Cutoffs { reachability, uniform, .. } = surveyed.cutoffs;
    let number = |n: u64| u32::try_from(n).map_err(|_| Trouble::TooLong);
    let mut explored: Vec<Exploration> = Vec::new();
    for n in 1..=number(reachability.max(uniform) + 1)? {
        match brute(n) {
            Some(exploration) => explored.push(exploration),
            None if u64::from(n) <= reachability + 1 => return Err(Trouble::TooLong),
            None => break,
        }
    }
    for (n, exploration) in (1..).zip(&explored) {
        compare_reached(n, exploration, &reachable, reachability)?;
    }
    let is_uniform_compared = explored.len() as u64 > uniform;
    if is_uniform_compared {
        compare_depths(&explored, uniform, &layers)?;
    }
    let before = reachability.checked_sub(2).map(|index| &explored[index as usize].depths);
    compare_needy(&surveyed.cutoffs, &reachable, before)?;
    let n_checked = surveyed.n_checked;
    Ok(Agreement { reachability, uniform, is_uniform_compared, n_states: reachable.len(), n_checked })
}

/// Both cutoffs, and what needs as many threads as the first.
struct Cutoffs {
    reachability: u64,
    uniform: u64,
    needy: Option<Needy>,
}

struct Surveyed {
    states: ThreadStates,
    cutoffs: Cutoffs,
    n_checked: u32,
}

/// Has the checker look at what a survey shows.
pub(super) fn accepted(
    program: &Program,
    question: &ProgramQuestion,
    shown: Shown<'_>,
) -> Result<(), Trouble> {
    let (verdict, result) = match shown {
        Shown::Answer(document) => {
            let document = through_json(document).map_err(Disagreement::Json)?;
            (document.verdict, check_program(program, question, &document).map(drop))
        }
        Shown::Reached(schedule) => {
            let result = check_reached(program, question.threads, schedule, &question.targets);
            (Verdict::Unsafe, result)
        }
    };
    result.map_err(|rejection| match rejection.condition {
        // As the command has it: unknown.
        Condition::Size => Trouble::TooLong,
        _ => Disagreement::Rejected(verdict, rejection.to_string()).into(),
    })
}

fn survey(
    program: &Program,
    threads: InitThreads,
    effort: Effort,
    layers: &mut Vec<Layer>,
) -> Result<Surveyed, Trouble> {
    let mut n_checked = 0;
    let mut accept = |question: &ProgramQuestion, shown: Shown<'_>| -> Result<(), Trouble> {
        n_checked += 1;
        accepted(program, question, shown)
    };
    let mut survey = Survey::new(program, threads).map_err(|_| Disagreement::Refused)?;
    let budget = Budget::unlimited();
    let brake = Brake { budget: &budget, most_steps: effort.most_steps };
    survey.run(&budget, &brake, &mut accept)?;
    let known = survey.reachability_cutoff(Pace::default(), (&budget, &brake), &mut |_| ())?;
    compare_narrowed(&survey, &known, effort)?;
    let (reachability, needy) = (known.threads, known.needy.clone());
    let uniform = survey.uniform_cutoff(known, &budget, &brake, |layer| layers.push(*layer))?;
    let cutoffs = Cutoffs { reachability, uniform, needy };
    if let Some(Needy { shared, thread, trace }) = &cutoffs.needy {
        let target = Pattern { shared: shared.clone(), threads: vec![thread.clone()] };
        accept(&ProgramQuestion { threads, targets: vec![target] }, Shown::Answer(trace))?;
    }
    Ok(Surveyed { states: survey.states(), cutoffs, n_checked })
}

/// The same number comes out where it is narrowed from both sides from the beginning.
fn compare_narrowed(survey: &Survey<'_>, known: &Reachability, effort: Effort) -> Result<(), Trouble> {
    let budget = Budget::unlimited();
    let brake = Brake { budget: &budget, most_steps: effort.most_steps };
    let pace = Pace { few_configs: 0, first_effort: 2 };
    let narrowed = match survey.reachability_cutoff(pace, (&budget, &brake), &mut |_| ()) {
        Err(UnknownReason::Stopped(_)) => return Ok(()),
        narrowed => narrowed?,
    };
    let has_example = narrowed.needy.is_some() || known.needy.is_none();
    match (narrowed.threads == known.threads, has_example) {
        (true, true) => Ok(()),
        (true, false) => Err(Disagreement::Needy("there is no example after narrowing").into()),
        (false, _) => Err(Disagreement::Count("threads, narrowed from both sides").into()),
    }
}

/// Thread states one by one.
pub(super) fn explicit(
    program: &Program,
    states: &ThreadStates,
    effort: Effort,
) -> Result<BTreeSet<ThreadState>, Trouble> {
    if states.count > effort.most_states as u128 {
        return Err(Trouble::TooLong);
    }
    let shared: Vec<u32> = (0..program.shared().len() as u32).collect();
    let mut all = BTreeSet::new();
    for (location, cubes) in &states.places {
        let locals = variables_at(program, *location);
        for (shared_cube, locals_cube) in cubes {
            let locals_here = valuations(locals_cube, &locals);
            for shared in valuations(shared_cube, &shared) {
                let state = |locals: &Cube| ThreadState {
                    shared: shared.clone(),
                    location: *location,
                    locals: locals.clone(),
                };
                all.extend(locals_here.iter().map(state));
            }
        }
    }
    let occupied: BTreeSet<(LocationId, &Cube)> =
        all.iter().map(|state| (state.location, &state.locals)).collect();
    let locations = LocationId::all(program.locations().len());
    let possible: u128 = locations.map(|it| 1_u128 << variables_at(program, it).len()).sum();
    for (told, counted, what) in [
        (states.count, all.len() as u128, "thread states"),
        (states.occupied, occupied.len() as u128, "occupied local states"),
        (states.all, possible, "local states"),
    ] {
        if told != counted {
            return Err(Disagreement::Count(what).into());
        }
    }
    Ok(all)
}

/// The variables that a thread at a location can read.
pub(super) fn variables_at(program: &Program, at: LocationId) -> Vec<u32> {
    let functions: Vec<_> = program.functions_at(at).collect();
    let locals = (0..).zip(program.locals());
    let read = locals.filter(|(_, variable)| variable.function.is_none_or(|it| functions.contains(&it)));
    read.map(|(index, _)| index).collect()
}

/// All valuations of some variables that agree with a cube.
pub(super) fn valuations(cube: &Cube, variables: &[u32]) -> Vec<Cube> {
    variables.iter().fold(vec![Cube::any()], |all, &variable| {
        let values = cube.get(variable).map_or(vec![false, true], |value| vec![value]);
        all.iter().flat_map(|it| values.iter().map(|&value| it.clone().with(variable, value))).collect()
    })
}

/// From n₀ threads on everything is reached, with fewer not.
fn compare_reached(
    n: u32,
    exploration: &Exploration,
    reachable: &BTreeSet<ThreadState>,
    reachability: u64,
) -> Result<(), Disagreement> {
    if let Some(state) = exploration.depths.keys().find(|state| !reachable.contains(state)) {
        return Err(Disagreement::Missed(n, state.clone()));
    }
    let left = reachable.iter().find(|state| !exploration.depths.contains_key(state));
    match (left, u64::from(n) >= reachability) {
        (Some(state), true) => Err(Disagreement::Invented(n, state.clone())),
        (None, false) => Err(Disagreement::ReachabilityTooLarge(n)),
        _ => Ok(()),
    }
}

/// From N₀ threads on first depths stay the same, with fewer some are later; layers tell how many are the same.
fn compare_depths(explored: &[Exploration], uniform: u64, layers: &[Layer]) -> Result<(), Disagreement> {
    let last = &explored[explored.len() - 1].depths;
    for (n, exploration) in (1..).zip(explored) {
        if (&exploration.depths == last) != (u64::from(n) >= uniform) {
            return Err(Disagreement::Uniform(n));
        }
        let same = |&(state, depth): &(&ThreadState, &u32)| last.get(state) == Some(depth);
        let at_first_depth = exploration.depths.iter().filter(same).count();
        let told = layers.get(n as usize - 1);
        let fits = told.map_or(u64::from(n) > uniform, |layer| {
            (layer.threads, layer.reached, layer.at_first_depth)
                == (u64::from(n), exploration.depths.len(), at_first_depth)
        });
        if !fits {
            return Err(Disagreement::Layer(n));
        }
    }
    Ok(())
}

/// The example is one, and its interleaving has n₀ threads. That this leads there is the checker's business.
fn compare_needy(
    cutoffs: &Cutoffs,
    reachable: &BTreeSet<ThreadState>,
    before: Option<&BTreeMap<ThreadState, u32>>,
) -> Result<(), Disagreement> {
    let Some(Needy { shared, thread, trace }) = &cutoffs.needy else {
        return if reachable.is_empty() { Ok(()) } else { Err(Disagreement::Needy("there is no example")) };
    };
    let state =
        ThreadState { shared: shared.clone(), location: thread.location, locals: thread.locals.clone() };
    if !reachable.contains(&state) {
        return Err(Disagreement::Needy("it is not reachable"));
    }
    if before.is_some_and(|before| before.contains_key(&state)) {
        return Err(Disagreement::Needy("fewer threads reach it"));
    }
    let Body::Trace(trace) = &trace.body else {
        return Err(Disagreement::Needy("the evidence is not an interleaving"));
    };
    let at_start: u64 = trace.initial.threads.iter().map(|(_, count)| finite(*count)).sum();
    let is_right = at_start + started(&trace.items) == cutoffs.reachability;
    if is_right { Ok(()) } else { Err(Disagreement::Needy("the interleaving has another number of threads")) }
}

/// Interleavings start with exact numbers, which the checker has seen to.
fn finite(count: Count) -> u64 {
    match count {
        Count::Finite(count) => count,
        Count::Omega => 0,
    }
}

/// How many threads are started.
fn started(items: &[Item]) -> u64 {
    let one = |item: &Item| match item {
        Item::Step(step) => u64::from(step.act.as_ref().is_some_and(|act| act.starts.is_some())),
        Item::Repeat { times, items } => times * started(items),
    };
    items.iter().map(one).sum()
}
