//! The loop: abstract, check, and add predicates that exclude what the program does not do (Figure 26 of the thesis).

use crate::candidates::candidates;
use crate::equalities::{self, Growing};
use crate::normal::Normal;
use crate::program::{AbstractProgram, Origin, abstract_program};
use crate::refute::{Candidate, Linked, Words, refute};
use crate::relate::{Cache, Context, Limits};
use crate::run::{Taken, feasible};
use crate::scene::Others;
use crate::simplify::simplify;
use crate::tiers::Tiers;
use crate::transitions::{AbstractRun, exclude_steps};
use crate::weakest::along;
use crate::{Event, Finding, Iteration, Options, Outcome, Phase, counts};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Edge, Effect, Expressions, Program};
use throng_cfa::invariant::{Invariant, Predicate, Predicates};
use throng_cfa::merge::Merged;
use throng_engine::{Answer, EngineKind, Fate, OracleKind, Safety, Silent, UnknownReason};
use throng_symbolic::{ProgramSystem, Scheduled};

/// Where predicates come from, and what was found out with them.
struct Pool {
    candidates: Vec<Candidate>,
    /// What the equalities along interleavings stand for, of all turns: what one does not need, the next one may.
    equalities: Vec<Candidate>,
    tiers: Tiers,
    normal: Normal,
    growing: Growing,
    /// What is known about steps.
    cache: RefCell<Cache>,
}

/// What a check of an abstract program found.
enum Found {
    Safe(Invariant),
    Interleaving(AbstractRun),
    GaveUp(String),
}

/// What a turn led to.
enum Turn {
    /// Predicates were added.
    Added,
    /// Steps of the abstract program were excluded: see `transitions`.
    Refined,
    Done(Outcome),
}

/// How often steps are excluded, in all turns together.
const MOST_REFINEMENTS: usize = 1000;

/// See the module's documentation.
pub(crate) fn run(
    original: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    let program = &prepared.program;
    // A new thread would begin to count only after the section, in which the program has it already.
    let is_inside = |edge: &Edge| {
        matches!(edge.effect, Some(Effect::Spawn { .. })) && program.location(edge.to).is_atomic
    };
    if program.edges.iter().any(is_inside) {
        let reason = "a thread is started inside of an atomic section".to_owned();
        let predicates = Box::new(options.predicates.clone());
        return Outcome::GaveUp { reason, interleaving: Vec::new(), predicates };
    }
    let mut predicates = options.predicates.clone();
    let normal = Normal::new(program, &mut predicates);
    let tiers = Tiers::new(program);
    let candidates = candidates(program, &tiers, &mut predicates.expressions);
    let growing = Growing::new(program);
    let cache = RefCell::new(Cache::default());
    let mut pool = Pool { candidates, equalities: Vec::new(), tiers, normal, growing, cache };
    let (mut number, mut n_added, mut n_refined) = (0, 0, 0);
    while n_added < options.max_iterations && n_refined < MOST_REFINEMENTS {
        number += 1;
        let turn = turn((original, prepared), &mut predicates, &mut pool, number, options, budget, tell);
        match turn {
            Ok(Turn::Refined) => n_refined += 1,
            Ok(Turn::Added) => {
                n_added += 1;
                tell(Event::Predicates(Box::new(predicates.clone())));
            }
            Ok(Turn::Done(outcome)) => return outcome,
            Err(reason) => return Outcome::Stopped { reason, predicates: Box::new(predicates) },
        }
    }
    let reason = format!("{number} turns were not enough");
    Outcome::GaveUp { reason, interleaving: Vec::new(), predicates: Box::new(predicates) }
}

/// One turn.
fn turn(
    (original, prepared): (&Program, &Merged),
    predicates: &mut Predicates,
    pool: &mut Pool,
    number: usize,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Result<Turn, StopReason> {
    let program = &prepared.program;
    let mut iteration = Iteration { number, predicates: counts(predicates, program), ..Iteration::default() };
    let others = options.threads.map_or(Others::Any, |n| Others::AtMost(n.max(1) as usize));
    tell(Event::Phase(Phase::Abstract));
    let (found, made) = {
        let context = Context::new(program, predicates, &pool.cache);
        let (max_models, max_cube_length) = (options.max_models, options.max_cube_length);
        let limits = Limits { max_models, max_cube_length, budget };
        let made = abstract_program(&context, others, limits)?;
        iteration.size = made.size;
        iteration.is_dual_reference = made.is_dual_reference;
        iteration.is_monotone = made.is_monotone;
        tell(Event::AbstractProgram(crate::text::text(&context, &made)));
        tell(Event::Phase(Phase::Check));
        let (found, engine) = check(&context, &made, options, budget)?;
        iteration.engine = engine;
        (found, made)
    };
    let turn = match found {
        Found::Safe(invariant) => {
            iteration.found = Finding::Proof;
            Turn::Done(match options.threads {
                None => Outcome::Safe { invariant, iterations: number },
                Some(threads) => Outcome::SafeUpTo { threads: threads.max(1), iterations: number },
            })
        }
        Found::GaveUp(reason) => {
            iteration.found = Finding::Nothing(reason.clone());
            let predicates = Box::new(predicates.clone());
            Turn::Done(Outcome::GaveUp { reason, interleaving: Vec::new(), predicates })
        }
        Found::Interleaving(run) => {
            tell(Event::Phase(Phase::Refine));
            let steps = taken(&made, &run.steps);
            let (n_steps, threads) = (steps.len(), crate::run::n_threads(&steps));
            iteration.found = Finding::Interleaving { steps: n_steps, threads, refined: 0 };
            let small = in_small_steps(prepared, &steps);
            if !crate::run::is_known(original, &small) {
                let reason = "an interleaving reads an array that is too long to be followed".to_owned();
                let predicates = Box::new(predicates.clone());
                Turn::Done(Outcome::GaveUp { reason, interleaving: Vec::new(), predicates })
            } else if let Some((trace, property)) = feasible(original, &small, budget)? {
                Turn::Done(Outcome::Unsafe { trace, property })
            } else {
                // Steps first: they cost little, and only what exact steps allow says which predicates are missing.
                let context = Context::new(program, predicates, &pool.cache);
                let n = exclude_steps(&context, &made, &run, others, budget)?;
                if n > 0 {
                    iteration.found = Finding::Interleaving { steps: n_steps, threads, refined: n };
                    Turn::Refined
                } else {
                    add_predicates(program, predicates, pool, &steps, &mut iteration, budget)?
                }
            }
        }
    };
    tell(Event::Iteration(Box::new(iteration)));
    Ok(turn)
}

/// Adds predicates that exclude an interleaving that the program does not have.
fn add_predicates(
    program: &Program,
    predicates: &mut Predicates,
    pool: &mut Pool,
    steps: &[Taken],
    iteration: &mut Iteration,
    budget: &Budget,
) -> Result<Turn, StopReason> {
    for candidate in equalities::along(program, &mut predicates.expressions, steps, &pool.growing) {
        let predicate = pool.normal.of(&mut predicates.expressions, candidate.predicate);
        let candidate = Candidate { predicate, ..candidate };
        if !pool.equalities.iter().any(|it| it.predicate == candidate.predicate) {
            pool.equalities.push(candidate);
        }
    }
    let mut candidates = pool.equalities.clone();
    candidates.extend(pool.candidates.iter().cloned());
    candidates.extend(along(program, &mut predicates.expressions, steps, &pool.tiers));
    let candidates = once_each(candidates, &mut pool.normal, &mut predicates.expressions);
    let mut reason = "no candidate excludes an interleaving that is none of the program";
    let small_first = |linked| [(Words::Small, linked), (Words::Whole, linked)];
    for manner in small_first(Linked::All).into_iter().chain(small_first(Linked::Plain)) {
        match refute(program, predicates, &candidates, steps, manner, budget)? {
            None => {}
            Some(added) if added.is_empty() => {
                reason = "the predicates exclude an interleaving that the abstraction has";
            }
            Some(added) => {
                for predicate in &added {
                    predicates.insert(predicate.clone());
                }
                iteration.added = Predicates { expressions: predicates.expressions.clone(), list: added };
                return Ok(Turn::Added);
            }
        }
    }
    let line = |taken: &Taken| {
        format!("thread {}: {}", taken.thread + 1, program.edge_line(program.edge(taken.edge)))
    };
    Ok(Turn::Done(Outcome::GaveUp {
        reason: reason.to_owned(),
        interleaving: steps.iter().map(line).collect(),
        predicates: Box::new(predicates.clone()),
    }))
}

/// The same candidates, of those that say the same only the first one, in the lowest tier of them.
fn once_each(all: Vec<Candidate>, normal: &mut Normal, expressions: &mut Expressions) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut places: FxHashMap<Predicate, usize> = FxHashMap::default();
    for Candidate { predicate, tier } in all {
        let predicate = normal.of(expressions, predicate);
        match places.get(&predicate) {
            Some(&place) => found[place].tier = found[place].tier.min(tier),
            None => {
                places.insert(predicate.clone(), found.len());
                found.push(Candidate { predicate, tier });
            }
        }
    }
    found
}

/// Checks an abstract program; also says which engine answered.
fn check(
    context: &Context<'_>,
    made: &AbstractProgram,
    options: &Options,
    budget: &Budget,
) -> Result<(Found, Option<&'static str>), StopReason> {
    let system = ProgramSystem::in_every_step(&made.program, made.question.clone());
    let Ok(system) = system else {
        return Ok((Found::GaveUp("a step depends on too many predicates".to_owned()), None));
    };
    let mut choices = throng_engine::Options { jobs: options.jobs, seed: options.seed, ..Default::default() };
    let mut engine = EngineKind::Auto;
    loop {
        // With all values from the start: few predicates are there that do not matter.
        let outcome = engine.run(&system, &choices, budget, &Silent);
        let answered = outcome.contest.iter().find(|it| it.fate == Fate::Answered);
        let name = answered.map_or(engine.name(), |it| it.name);
        let found = match outcome.answer {
            Answer::Safe(Safety::Proof(proof)) => {
                let patterns = system.patterns(&proof);
                let elements = patterns.iter().filter_map(|it| made.element(context, it)).collect();
                let invariant =
                    Invariant { counts: Vec::new(), predicates: context.predicates.clone(), elements };
                Found::Safe(simplify(context.program, invariant, budget))
            }
            // What can be covered is no invariant of the program yet: a backward search gives one.
            Answer::Safe(Safety::CoverSet(_)) if engine == EngineKind::Auto => {
                engine = EngineKind::Ic3;
                choices.oracle = OracleKind::None;
                continue;
            }
            Answer::Safe(Safety::CoverSet(_)) => Found::GaveUp("no proof was found".to_owned()),
            Answer::Unsafe(trace) => match system.schedule(&trace) {
                Some((steps, values)) => Found::Interleaving(AbstractRun { steps, values }),
                None => Found::GaveUp("an interleaving is too long".to_owned()),
            },
            Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(reason),
            Answer::Unknown(reason) => return Ok((Found::GaveUp(reason.to_string()), None)),
        };
        return Ok((found, Some(name)));
    }
}

/// The steps of the program in an interleaving of the abstract program.
fn taken(made: &AbstractProgram, steps: &[Scheduled]) -> Vec<Taken> {
    let mut all: Vec<Taken> = Vec::new();
    for step in steps {
        match made.origins[step.edge] {
            Origin::Begin { .. } => {}
            Origin::Edge(edge) | Origin::Before(edge) => {
                let (thread, child, present) = (step.thread, step.child, step.present.clone());
                all.push(Taken { thread, edge, child, present });
            }
            Origin::Start => {
                // The program starts the thread in the first part already, and it is there from then on.
                if let Some(first) = all.iter().rposition(|it| it.thread == step.thread) {
                    all[first].child = step.child;
                    all[first + 1..].iter_mut().for_each(|it| it.present.extend(step.child));
                }
            }
        }
    }
    all
}

/// The steps of the original that larger steps are made of.
pub(crate) fn in_small_steps(prepared: &Merged, steps: &[Taken]) -> Vec<Taken> {
    let mut all = Vec::new();
    for taken in steps {
        let path = &prepared.paths[taken.edge.index()];
        for (number, &edge) in path.iter().enumerate() {
            // What starts a thread is the last part.
            let child = taken.child.filter(|_| number + 1 == path.len());
            all.push(Taken { thread: taken.thread, edge, child, present: taken.present.clone() });
        }
    }
    all
}
