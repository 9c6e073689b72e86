//! Runs performed forwards.

use super::layout::{Layout, Micro};
use super::plan::Plan;
use super::{ConcreteStep, Run, Start, Thread};
use crate::images::{Context, Pair};
use crate::system::ProgramSystem;
use throng_boolprog::Cube;
use throng_boolprog::flow::{ChildLocals, Effect};

/// Performs a run forwards, inside of what was planned.
pub(super) fn perform(system: &ProgramSystem<'_>, layout: &Layout, plans: &[Plan]) -> Option<Run> {
    perform_seen(system, layout, plans, &mut |_, _| {})
}

/// The same; what there is before the first step and after every step is shown.
pub(super) fn perform_seen(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    plans: &[Plan],
    see: &mut dyn FnMut(&Cube, &[Option<Thread>]),
) -> Option<Run> {
    let program = system.program();
    let total = |cube: &Cube, n: usize| -> Cube {
        (0..n as u32).map(|variable| (variable, cube.get(variable).unwrap_or(false))).collect()
    };
    let (n_shared, n_locals) = (program.shared().len(), program.locals().len());
    let first = plans.first()?;
    let mut shared = total(&first.shared, n_shared);
    let start = |cube: &Cube| Thread { location: program.entry(), locals: total(cube, n_locals) };
    let initial: Vec<Thread> = first.threads[..layout.n_initial].iter().map(start).collect();
    let mut threads: Vec<Option<Thread>> = initial.iter().cloned().map(Some).collect();
    threads.resize(layout.n_threads, None);
    let initial = Start { shared: shared.clone(), threads: initial };
    let mut steps = Vec::with_capacity(layout.micros.len());
    see(&shared, &threads);
    for (micro, plans) in layout.micros.iter().zip(plans.windows(2)) {
        let step = fire(system, micro, &plans[0].context, &plans[1], &shared, &mut threads)?;
        shared = step.shared_after.clone();
        see(&shared, &threads);
        steps.push(step);
    }
    Some(Run { initial, steps })
}

/// One step forwards.
fn fire(
    system: &ProgramSystem<'_>,
    micro: &Micro,
    context: &Context,
    plan: &Plan,
    shared: &Cube,
    threads: &mut [Option<Thread>],
) -> Option<ConcreteStep> {
    let program = system.program();
    let images = &system.rules.images[micro.edge as usize];
    let edge = program.edges()[micro.edge as usize];
    let before = threads[micro.actor].clone().filter(|thread| thread.location == edge.from)?;
    let now = Pair::new(shared.clone(), before.locals.clone());
    let wanted = Pair::new(plan.shared.clone(), plan.threads[micro.actor].clone());
    let own_wanted = if edge.to.is_some() { wanted.own } else { Cube::any() };
    let after = images.choose(&now, &Pair::new(wanted.shared, own_wanted), context)?;
    let child = match (edge.effect, micro.child) {
        (Effect::Start { at, locals }, Some(child)) => {
            let locals = match locals {
                ChildLocals::Copied => before.locals.clone(),
                ChildLocals::Fresh(_) => {
                    let chosen = images.choose_child(&now, &plan.threads[child])?;
                    (0..program.locals().len() as u32)
                        .map(|it| {
                            (it, chosen.get(it).or_else(|| plan.threads[child].get(it)).unwrap_or(false))
                        })
                        .collect()
                }
            };
            Some((child, Thread { location: at, locals }))
        }
        _ => None,
    };
    let mut passive = Vec::new();
    if images.relation.passive.is_some() {
        for (number, slot) in threads.iter_mut().enumerate().filter(|&(number, _)| number != micro.actor) {
            let Some(thread) = slot.clone() else { continue };
            let locals = images.choose_passive(&now, &after, &thread.locals, &plan.threads[number]);
            let moved = locals.map(|locals| Thread { location: thread.location, locals });
            if moved.as_ref() != Some(&thread) {
                passive.push((thread, moved.clone()));
            }
            *slot = moved;
        }
    }
    let moved = edge.to.map(|location| Thread { location, locals: after.own.clone() });
    threads[micro.actor].clone_from(&moved);
    if let Some((number, child)) = &child {
        threads[*number] = Some(child.clone());
    }
    let child = child.map(|(_, child)| child);
    let (shared_before, shared_after) = (shared.clone(), after.shared);
    Some(ConcreteStep { edge: micro.edge, before, after: moved, child, shared_before, shared_after, passive })
}
