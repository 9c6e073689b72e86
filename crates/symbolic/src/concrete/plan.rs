//! What has to hold between the steps of a run, from its last step to its first.

use super::MOST_STEPS;
use super::layout::{Known, Layout, Micro};
use crate::images::{Context, Direction, Image, Pair};
use crate::system::ProgramSystem;
use std::ops::ControlFlow;
use throng_boolprog::flow::{ChildLocals, Effect, LocationId};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_model::LocalId;

/// So many threads are copied at most, in all plans together.
const MOST_COPIED: usize = 1 << 24;
/// So many failures are told.
const MOST_FAILURES: usize = 64;

/// What has to hold between two steps for the rest of the run to be possible.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What the step that follows does to others depends on this.
    pub(crate) context: Context,
    pub(crate) shared: Cube,
    pub(crate) threads: Vec<Cube>,
}

/// What has to hold before each step, and at the end, for the first target of which a plan can be made. If there is none, all
/// that was tried, each from the end as far as it led.
pub(crate) fn plan(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    targets: &[Pattern],
) -> Result<Vec<Plan>, Vec<Vec<Plan>>> {
    let attempts = layout.micros.len().saturating_mul(16).saturating_add(MOST_STEPS);
    // Each attempt copies what is known of all threads.
    let attempts = attempts.min(MOST_COPIED / layout.n_threads.max(1));
    plan_within(system, layout, targets, attempts)
}

/// The same with so many attempts at single steps.
pub(super) fn plan_within(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    targets: &[Pattern],
    mut attempts: usize,
) -> Result<Vec<Plan>, Vec<Vec<Plan>>> {
    let (mut shared, mut threads) = (Cube::any(), vec![Cube::any(); layout.n_threads]);
    let mut failures = Vec::new();
    if restrict(system, &layout.last, &mut shared, &mut threads).is_none() {
        return Err(failures);
    }
    let mut found = None;
    let _ = for_each_aim(
        system,
        layout,
        targets,
        Plan { context: Context::new(), shared, threads },
        &mut |aim| {
            found = plan_to(system, layout, aim, &mut attempts, &mut failures);
            if found.is_some() || attempts == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    found.ok_or(failures)
}

/// What has to hold before each step to reach this end.
///
/// A step may have several cubes before it, of which some are wrong: another rule of the search led to them. Those that
/// contain what the search says come first, and the others are tried when the rest fails.
fn plan_to(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    aim: Plan,
    attempts: &mut usize,
    failures: &mut Vec<Vec<Plan>>,
) -> Option<Vec<Plan>> {
    let mut plans = vec![aim];
    // For each plan but the first, what else could have been before.
    let mut others: Vec<Vec<Plan>> = Vec::new();
    while plans.len() <= layout.micros.len() {
        *attempts = attempts.checked_sub(1)?;
        let micro = &layout.micros[layout.micros.len() - plans.len()];
        let mut before = candidates(system, micro, &plans[plans.len() - 1]);
        if before.is_empty() && failures.len() < MOST_FAILURES {
            failures.push(plans.clone());
        }
        while before.is_empty() {
            plans.pop();
            before = others.pop()?;
        }
        plans.extend(before.pop());
        others.push(before);
    }
    plans.reverse();
    Some(plans)
}

/// What can have been before a step, the best guess last.
pub(crate) fn candidates(system: &ProgramSystem<'_>, micro: &Micro, after: &Plan) -> Vec<Plan> {
    let mut found = Vec::new();
    let (options, moves_others) = options(system, micro, after);
    for (context, pair) in options {
        let mut threads = after.threads.clone();
        threads[micro.actor] = pair.own;
        let mut shared = pair.shared;
        let mut contains = true;
        if let Some(known) = &micro.known {
            if moves_others && passive_before(system, micro, &context, known, &mut threads).is_none() {
                continue;
            }
            let (wide, wide_threads) = (shared.clone(), threads.clone());
            if restrict(system, known, &mut shared, &mut threads).is_none() {
                continue;
            }
            contains = known.threads[micro.actor].is_some_and(|local| {
                wide_threads[micro.actor].includes(&system.rules.states.local(local).locals)
            }) && system.rules.states.shared(known.shared).is_some_and(|it| wide.includes(it));
        }
        found.push((contains, Plan { context, shared, threads }));
    }
    // The first ones that contain it end up last.
    found.reverse();
    found.sort_by_key(|&(contains, _)| contains);
    found.into_iter().map(|(_, plan)| plan).collect()
}

/// What can have been before a step for the acting thread, and whether it matters for others which of it that was. Where it
/// does not, nothing is said about the values that decide what happens to them.
fn options(system: &ProgramSystem<'_>, micro: &Micro, after: &Plan) -> (Vec<(Context, Pair)>, bool) {
    let images = &system.rules.images[micro.edge as usize];
    let options = before(system, micro, &after.shared, &after.threads);
    let Some(known) = micro.known.as_ref().filter(|_| images.relation.passive.is_some()) else {
        return (options, false);
    };
    let leaves_others = |context: &Context| {
        let mut threads = after.threads.clone();
        passive_before(system, micro, context, known, &mut threads).is_some() && threads == after.threads
    };
    if options.len() < 2 || !options.iter().all(|(context, _)| leaves_others(context)) {
        return (options, true);
    }
    let pairs = images.before_in_any_context(&acting(system, micro, &after.shared, &after.threads));
    (pairs.into_iter().map(|pair| (Context::new(), pair)).collect(), false)
}

/// What is after a step for the acting thread.
fn acting(system: &ProgramSystem<'_>, micro: &Micro, shared: &Cube, threads: &[Cube]) -> Pair {
    let edge = system.program().edges()[micro.edge as usize];
    Pair::new(shared.clone(), if edge.to.is_some() { threads[micro.actor].clone() } else { Cube::any() })
}

/// Adds what a search says; `None` if it contradicts.
fn restrict(
    system: &ProgramSystem<'_>,
    known: &Known,
    shared: &mut Cube,
    threads: &mut [Cube],
) -> Option<()> {
    let states = &system.rules.states;
    let mut cube = states.shared(known.shared)?.clone();
    cube.clear(system.program().atomic_bit());
    *shared = shared.and(&cube)?;
    for (thread, local) in threads.iter_mut().zip(&known.threads) {
        if let Some(local) = local {
            *thread = thread.and(&states.local(*local).locals)?;
        }
    }
    Some(())
}

/// What targets demand of the threads that reach them; of any threads, if the search does not say which.
fn for_each_aim(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    targets: &[Pattern],
    last: Plan,
    report: &mut dyn FnMut(Plan) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let located =
        |thread: usize| Some((thread, system.rules.states.local(layout.last.threads[thread]?).location));
    let locations: Vec<(usize, LocationId)> = if layout.reached.is_empty() {
        (0..layout.n_threads).filter_map(located).collect()
    } else {
        layout.reached.iter().copied().filter_map(located).collect()
    };
    let atomic_bit = system.program().atomic_bit();
    let open = system.rules.states.shared(layout.last.shared).and_then(|cube| cube.get(atomic_bit));
    for target in targets {
        let mut wanted = target.shared.clone();
        if wanted.get(atomic_bit).is_some_and(|wanted| Some(wanted) != open) {
            continue;
        }
        wanted.clear(atomic_bit);
        if let Some(shared) = last.shared.and(&wanted) {
            assign(&target.threads, &locations, Plan { shared, ..last.clone() }, report)?;
        }
    }
    ControlFlow::Continue(())
}

/// Finds different threads for all patterns in all ways and adds what these demand.
fn assign(
    wanted: &[ThreadPattern],
    threads: &[(usize, LocationId)],
    plan: Plan,
    report: &mut dyn FnMut(Plan) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((first, others)) = wanted.split_first() else { return report(plan) };
    for (index, &(thread, location)) in threads.iter().enumerate() {
        let met = plan.threads[thread].and(&first.locals).filter(|_| location == first.location);
        let Some(met) = met else { continue };
        let mut plan = plan.clone();
        plan.threads[thread] = met;
        let mut rest = threads.to_vec();
        rest.remove(index);
        assign(others, &rest, plan, report)?;
    }
    ControlFlow::Continue(())
}

/// What can have been before a step, for the acting thread.
fn before(
    system: &ProgramSystem<'_>,
    micro: &Micro,
    shared: &Cube,
    threads: &[Cube],
) -> Vec<(Context, Pair)> {
    let images = &system.rules.images[micro.edge as usize];
    let edge = system.program().edges()[micro.edge as usize];
    let after = acting(system, micro, shared, threads);
    let others = micro.known.as_ref().filter(|_| images.relation.passive.is_some()).map(|known| {
        let are_there = threads.iter().enumerate().filter(|&(it, _)| must_come(micro, known, it).is_some());
        are_there.map(|(_, cube)| cube).collect::<Vec<&Cube>>()
    });
    let plain = |after: &Pair| -> Vec<(Context, Pair)> {
        let images: Vec<Image> = match &others {
            Some(others) => images.before(after, others).collect(),
            None => images.of(Direction::Backward, after).collect(),
        };
        images.into_iter().map(|it| (it.context, it.pair)).collect()
    };
    match (edge.effect, micro.child) {
        (Effect::Start { locals: ChildLocals::Fresh(_), .. }, Some(child)) => {
            let pairs = images.parents(&threads[child], &after);
            pairs.into_iter().map(|pair| (Context::new(), pair)).collect()
        }
        (Effect::Start { locals: ChildLocals::Copied, .. }, Some(child)) => {
            let own = after.own.and(&threads[child]);
            own.map(|own| plain(&Pair::new(after.shared, own))).unwrap_or_default()
        }
        _ => plain(&after),
    }
}

/// What other threads can have been before a step that changes them; `None` if one cannot have been anything.
fn passive_before(
    system: &ProgramSystem<'_>,
    micro: &Micro,
    context: &Context,
    known: &Known,
    threads: &mut [Cube],
) -> Option<()> {
    let images = &system.rules.images[micro.edge as usize];
    for (thread, cube) in threads.iter_mut().enumerate() {
        let Some(local) = must_come(micro, known, thread) else { continue };
        let wanted = &system.rules.states.local(local).locals;
        let before = images.of_passive(Direction::Backward, context, cube);
        // The search came from one that contains what it says; others may demand more than that.
        let containing = before.iter().find(|it| it.includes(wanted));
        *cube = containing.or_else(|| before.iter().find(|it| it.meets(wanted)))?.clone();
    }
    Some(())
}

/// The state before a step of a thread that does not act and has to come from somewhere: one that the search mentions.
fn must_come(micro: &Micro, known: &Known, thread: usize) -> Option<LocalId> {
    let local = known.threads.get(thread).copied().flatten()?;
    (thread != micro.actor && !micro.gone.contains(&thread)).then_some(local)
}
