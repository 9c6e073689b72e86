//! The loop: abstract, check, and add predicates that exclude what the program does not do (Figure 26 of the thesis).

use crate::candidates::candidates;
use crate::program::{AbstractProgram, Origin, abstract_program};
use crate::refute::{Candidate, refute};
use crate::relate::{Cache, Context, Limits};
use crate::run::{Taken, feasible};
use crate::scene::Others;
use crate::tiers::Tiers;
use crate::weakest::along;
use crate::{Event, Iteration, Options, Outcome, Phase, counts};
use std::cell::RefCell;
use throng_base::{Budget, StopReason};
use throng_cprog::flow::Program;
use throng_cprog::invariant::{Invariant, Predicates};
use throng_cprog::merge::Merged;
use throng_engine::{Answer, EngineKind, OracleKind, Safety, Silent, UnknownReason};
use throng_symbolic::{ProgramSystem, Scheduled};

/// Where predicates come from.
struct Pool {
    candidates: Vec<Candidate>,
    tiers: Tiers,
}

/// What a check of an abstract program found.
enum Found {
    Safe(Invariant),
    Interleaving(Vec<Taken>),
    GaveUp(String),
}

/// See the module's documentation.
pub(crate) fn run(
    original: &Program,
    prepared: &Merged,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Outcome {
    let program = &prepared.program;
    let mut predicates = options.predicates.clone();
    let tiers = Tiers::new(program);
    let pool = Pool { candidates: candidates(program, &tiers, &mut predicates.expressions), tiers };
    let cache = RefCell::new(Cache::default());
    for number in 1..=options.max_iterations {
        let turn = turn((original, prepared), &mut predicates, &pool, &cache, number, options, budget, tell);
        match turn {
            Ok(None) => tell(Event::Predicates(Box::new(predicates.clone()))),
            Ok(Some(outcome)) => return outcome,
            Err(reason) => return Outcome::Stopped { reason, predicates: Box::new(predicates) },
        }
    }
    let reason = format!("{} turns were not enough", options.max_iterations);
    Outcome::GaveUp { reason, interleaving: Vec::new(), predicates: Box::new(predicates) }
}

/// One turn; `None` if predicates were added.
fn turn(
    (original, prepared): (&Program, &Merged),
    predicates: &mut Predicates,
    pool: &Pool,
    cache: &RefCell<Cache>,
    number: usize,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Result<Option<Outcome>, StopReason> {
    let program = &prepared.program;
    let mut iteration = Iteration { number, predicates: counts(predicates, program), ..Iteration::default() };
    tell(Event::Phase(Phase::Abstract));
    let found = {
        let context = Context::new(program, predicates, cache);
        let (max_models, max_cube_length) = (options.max_models, options.max_cube_length);
        let limits = Limits { max_models, max_cube_length, budget };
        let made = abstract_program(&context, Others::Any, limits)?;
        iteration.size = made.size;
        iteration.is_dual_reference = made.is_dual_reference;
        iteration.is_monotone = made.is_monotone;
        tell(Event::Phase(Phase::Check));
        check(&context, &made, options, budget)?
    };
    let outcome = match found {
        Found::Safe(invariant) => {
            iteration.found = "safe".to_owned();
            Some(Outcome::Safe { invariant, iterations: number })
        }
        Found::GaveUp(reason) => {
            iteration.found.clone_from(&reason);
            let predicates = Box::new(predicates.clone());
            Some(Outcome::GaveUp { reason, interleaving: Vec::new(), predicates })
        }
        Found::Interleaving(steps) => {
            tell(Event::Phase(Phase::Refine));
            let threads = crate::run::n_threads(&steps);
            iteration.found = format!("{} steps of {threads} threads", steps.len());
            refine((original, prepared), predicates, pool, &steps, &mut iteration, budget)?
        }
    };
    tell(Event::Iteration(Box::new(iteration)));
    Ok(outcome)
}

fn refine(
    (original, prepared): (&Program, &Merged),
    predicates: &mut Predicates,
    pool: &Pool,
    steps: &[Taken],
    iteration: &mut Iteration,
    budget: &Budget,
) -> Result<Option<Outcome>, StopReason> {
    let program = &prepared.program;
    if let Some((trace, property)) = feasible(original, &in_small_steps(prepared, steps), budget)? {
        return Ok(Some(Outcome::Unsafe { trace, property }));
    }
    let line = |taken: &Taken| {
        format!("thread {}: {}", taken.thread + 1, program.edge_line(program.edge(taken.edge)))
    };
    let give_up = |reason: &str, predicates: &Predicates| Outcome::GaveUp {
        reason: reason.to_owned(),
        interleaving: steps.iter().map(line).collect(),
        predicates: Box::new(predicates.clone()),
    };
    let mut candidates = pool.candidates.clone();
    candidates.extend(along(program, &mut predicates.expressions, steps, &pool.tiers));
    match refute(program, predicates, &candidates, steps, budget)? {
        None => {
            Ok(Some(give_up("no candidate excludes an interleaving that is none of the program", predicates)))
        }
        Some(added) if added.is_empty() => {
            Ok(Some(give_up("the predicates exclude an interleaving that the abstraction has", predicates)))
        }
        Some(added) => {
            let mut shown = program.clone();
            shown.expressions = predicates.expressions.clone();
            for predicate in added {
                let kind = predicate.kind();
                iteration.added.push(format!("{kind:?} {}", shown.expression_text(predicate.expression)));
                predicates.insert(predicate);
            }
            Ok(None)
        }
    }
}

/// Checks an abstract program.
fn check(
    context: &Context<'_>,
    made: &AbstractProgram,
    options: &Options,
    budget: &Budget,
) -> Result<Found, StopReason> {
    let system = ProgramSystem::in_every_step(&made.program, made.question.clone());
    let Ok(system) = system else {
        return Ok(Found::GaveUp("a step depends on too many predicates".to_owned()));
    };
    let mut choices = throng_engine::Options { jobs: options.jobs, seed: options.seed, ..Default::default() };
    let mut engine = EngineKind::Auto;
    loop {
        let outcome = system.decide(engine, &choices, budget, &Silent);
        return match outcome.answer {
            Answer::Safe(Safety::Proof(proof)) => {
                let patterns = system.patterns(&proof);
                let elements = patterns.iter().filter_map(|it| made.element(context, it)).collect();
                Ok(Found::Safe(Invariant { predicates: context.predicates.clone(), elements }))
            }
            // What can be covered is no invariant of the program yet: a backward search gives one.
            Answer::Safe(Safety::CoverSet(_)) if engine == EngineKind::Auto => {
                engine = EngineKind::Ic3;
                choices.oracle = OracleKind::None;
                continue;
            }
            Answer::Safe(Safety::CoverSet(_)) => Ok(Found::GaveUp("no proof was found".to_owned())),
            Answer::Unsafe(trace) => Ok(match system.schedule(&trace) {
                Some(steps) => Found::Interleaving(taken(made, &steps)),
                None => Found::GaveUp("an interleaving is too long".to_owned()),
            }),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(reason),
            Answer::Unknown(reason) => Ok(Found::GaveUp(reason.to_string())),
        };
    }
}

/// The steps of the program in an interleaving of the abstract program.
fn taken(made: &AbstractProgram, steps: &[Scheduled]) -> Vec<Taken> {
    let mut all: Vec<Taken> = Vec::new();
    for step in steps {
        match made.origins[step.edge] {
            Origin::Begin => {}
            Origin::Edge(edge) | Origin::Before(edge) => {
                let (thread, child, present) = (step.thread, step.child, step.present.clone());
                all.push(Taken { thread, edge, child, present });
            }
            Origin::Start => {
                let first = all.iter_mut().rev().find(|it| it.thread == step.thread);
                if let Some(first) = first {
                    first.child = step.child;
                }
            }
        }
    }
    all
}

/// The steps of the original that larger steps are made of.
fn in_small_steps(prepared: &Merged, steps: &[Taken]) -> Vec<Taken> {
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
