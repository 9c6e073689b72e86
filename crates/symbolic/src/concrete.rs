//! Traces over cubes made concrete: every thread has a name, every variable a value, every step of the program is there.
//!
//! First the steps are laid out edge by edge, with the silent ones that a search leaves out (`through`) put as late as
//! possible: just before their thread acts again. Then, from the last step to the first, cubes are computed from
//! *every* valuation of which the rest of the run is possible. That does not depend on how the search found its rules. Then
//! the run is performed forwards, with values chosen inside of these cubes.

use crate::images::{Context, Direction, Pair};
use crate::rules::Action;
use crate::system::ProgramSystem;
use throng_boolprog::flow::{ChildLocals, Effect, LocationId};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::{Trace, TraceItem};
use throng_model::{LocalId, SharedId, Step};

/// Runs are not made longer than this.
const MOST_STEPS: usize = 1 << 18;

/// A thread with all of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) location: LocationId,
    pub(crate) locals: Cube,
}

/// Where a run starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) shared: Cube,
    pub(crate) threads: Vec<Thread>,
}

/// One step along an edge.
#[derive(Clone, Debug)]
pub(crate) struct ConcreteStep {
    pub(crate) edge: u32,
    pub(crate) before: Thread,
    pub(crate) after: Option<Thread>,
    pub(crate) child: Option<Thread>,
    pub(crate) shared_before: Cube,
    pub(crate) shared_after: Cube,
    /// Other threads that changed or are gone.
    pub(crate) passive: Vec<(Thread, Option<Thread>)>,
}

/// A run of the program.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) initial: Start,
    pub(crate) steps: Vec<ConcreteStep>,
}

impl Run {
    /// Shared variables together with each thread, before and after every step.
    pub(crate) fn thread_states(&self) -> Vec<(Cube, Thread)> {
        let mut threads = self.initial.threads.clone();
        let mut seen: Vec<(Cube, Thread)> =
            threads.iter().map(|thread| (self.initial.shared.clone(), thread.clone())).collect();
        let replace = |threads: &mut Vec<Thread>, before: &Thread, after: Option<&Thread>| {
            if let Some(at) = threads.iter().position(|thread| thread == before) {
                match after {
                    Some(after) => threads[at] = after.clone(),
                    None => drop(threads.swap_remove(at)),
                }
            }
        };
        for step in &self.steps {
            replace(&mut threads, &step.before, step.after.as_ref());
            for (before, after) in &step.passive {
                replace(&mut threads, before, after.as_ref());
            }
            threads.extend(step.child.clone());
            seen.extend(threads.iter().map(|thread| (step.shared_after.clone(), thread.clone())));
        }
        seen
    }
}

/// The run of a trace to one of these targets; `None` if it is too long, or is none.
pub(crate) fn run(system: &ProgramSystem<'_>, trace: &Trace, targets: &[Pattern]) -> Option<Run> {
    let layout = Layout::new(system, trace)?;
    let plans = plan(system, &layout, targets)?;
    perform(system, &layout, &plans)
}

/// One step of a layout.
#[derive(Debug)]
struct Micro {
    edge: u32,
    actor: usize,
    /// The number of the thread that is started.
    child: Option<usize>,
    /// What is known before the step, if a step of the search begins here.
    known: Option<Known>,
}

/// What a search says about a configuration: the shared state, and local states of some threads by their numbers.
#[derive(Clone, Debug)]
struct Known {
    shared: SharedId,
    threads: Vec<Option<LocalId>>,
}

/// The steps of a run, edge by edge.
#[derive(Debug)]
struct Layout {
    /// How many threads there are at the start; those that are started later follow in the order in which they are.
    n_initial: usize,
    n_threads: usize,
    micros: Vec<Micro>,
    /// What is known at the end.
    last: Known,
    /// The threads that reach a target.
    reached: Vec<usize>,
}

impl Layout {
    fn new(system: &ProgramSystem<'_>, trace: &Trace) -> Option<Self> {
        let mut steps = Vec::new();
        unroll(&trace.items, &mut steps)?;
        let threads = trace.initial.bag.iter().flat_map(|entry| {
            std::iter::repeat_n(Some(entry.local), usize::try_from(entry.count).unwrap_or(usize::MAX))
        });
        let threads: Vec<Option<LocalId>> = threads.take(MOST_STEPS).collect();
        let n_initial = threads.len();
        let known = Known { shared: trace.initial.shared, threads };
        let (pending, micros, reached) = (vec![Vec::new(); n_initial], Vec::new(), Vec::new());
        let mut maker = Maker { system, known, pending, micros, reached };
        for step in steps {
            maker.step(step)?;
        }
        let last = maker.settled();
        let Maker { micros, reached, .. } = maker;
        Some(Self { n_initial, n_threads: last.threads.len(), micros, last, reached })
    }
}

/// All steps, repetitions written out.
fn unroll<'t>(items: &'t [TraceItem], steps: &mut Vec<&'t Step>) -> Option<()> {
    for item in items {
        match item {
            TraceItem::Step(step) => steps.push(step),
            TraceItem::Repeat { times, items } => {
                for _ in 0..*times {
                    unroll(items, steps)?;
                }
            }
        }
        if steps.len() > MOST_STEPS {
            return None;
        }
    }
    Some(())
}

/// Lays out the steps of a trace.
struct Maker<'a, 'p> {
    system: &'a ProgramSystem<'p>,
    known: Known,
    /// Silent steps that threads have not taken yet, the last one first.
    pending: Vec<Vec<u32>>,
    micros: Vec<Micro>,
    /// The threads that reach a target.
    reached: Vec<usize>,
}

impl Maker<'_, '_> {
    /// What is known of threads that are where the search has them: those with silent steps to take are not there yet.
    fn settled(&self) -> Known {
        let threads = self.known.threads.iter().zip(&self.pending);
        let threads = threads.map(|(local, pending)| local.filter(|_| pending.is_empty())).collect();
        Known { shared: self.known.shared, threads }
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        let rules = &self.system.rules;
        let rule = rules.get(step.rule);
        let Action::Edge(number) = rule.action else {
            let mut threads = self.known.threads.clone();
            for entry in rule.take.iter() {
                for _ in 0..entry.count {
                    let thread = threads.iter().position(|&local| local == Some(entry.local))?;
                    threads[thread] = None;
                    self.reached.push(thread);
                }
            }
            return Some(());
        };
        let taken = rule.take.first()?.local;
        let actor = self.known.threads.iter().position(|&local| local == Some(taken))?;
        while let Some(edge) = self.pending[actor].pop() {
            self.micros.push(Micro { edge, actor, child: None, known: None });
        }
        let known = Some(self.settled());
        self.known.threads[actor] = None;
        let mut moves = Vec::new();
        for moved in &step.moved {
            for _ in 0..moved.count {
                let thread = self.known.threads.iter().position(|&local| local == Some(moved.from))?;
                // Nobody moves twice.
                self.known.threads[thread] = None;
                moves.push((thread, moved.to));
            }
        }
        moves.into_iter().for_each(|(thread, to)| self.known.threads[thread] = to);
        let [parent, started] = rule.ends;
        self.known.threads[actor] = parent;
        self.known.shared = rule.to;
        let program = self.system.program();
        let edge = program.edges()[number as usize];
        let path = |at| rules.through.path(program, at).0.into_iter().rev().collect::<Vec<u32>>();
        self.pending[actor] = edge.to.map(path).unwrap_or_default();
        let child = if let Effect::Start { at, .. } = edge.effect {
            self.known.threads.push(started);
            self.pending.push(path(at));
            Some(self.known.threads.len() - 1)
        } else {
            None
        };
        self.micros.push(Micro { edge: number, actor, child, known });
        Some(())
    }
}

/// What has to hold between two steps for the rest of the run to be possible.
#[derive(Clone, Debug)]
struct Plan {
    /// What the step that follows does to others depends on this.
    context: Context,
    shared: Cube,
    threads: Vec<Cube>,
}

/// What has to hold before each step, and at the end.
///
/// A step may have several cubes before it, of which some are wrong: another rule of the search led to them. Those that
/// contain what the search says come first, and the others are tried when the rest fails.
fn plan(system: &ProgramSystem<'_>, layout: &Layout, targets: &[Pattern]) -> Option<Vec<Plan>> {
    let (mut shared, mut threads) = (Cube::any(), vec![Cube::any(); layout.n_threads]);
    restrict(system, &layout.last, &mut shared, &mut threads)?;
    aim(system, layout, targets, &mut shared, &mut threads)?;
    let mut plans = vec![Plan { context: Context::new(), shared, threads }];
    // For each plan but the first, what else could have been before.
    let mut others: Vec<Vec<Plan>> = Vec::new();
    let mut attempts = layout.micros.len().saturating_mul(16).saturating_add(MOST_STEPS);
    while plans.len() <= layout.micros.len() {
        attempts = attempts.checked_sub(1)?;
        let micro = &layout.micros[layout.micros.len() - plans.len()];
        let mut before = candidates(system, micro, &plans[plans.len() - 1]);
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
fn candidates(system: &ProgramSystem<'_>, micro: &Micro, after: &Plan) -> Vec<Plan> {
    let mut found = Vec::new();
    for (context, pair) in before(system, micro, &after.shared, &after.threads) {
        let mut threads = after.threads.clone();
        threads[micro.actor] = pair.own;
        let mut shared = pair.shared;
        let mut contains = true;
        if let Some(known) = &micro.known {
            if system.rules.images[micro.edge as usize].relation.passive.is_some()
                && passive_before(system, micro, &context, known, &mut threads).is_none()
            {
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

/// Adds what a target demands of the threads that reach it; of any threads, if the search does not say which.
fn aim(
    system: &ProgramSystem<'_>,
    layout: &Layout,
    targets: &[Pattern],
    shared: &mut Cube,
    threads: &mut [Cube],
) -> Option<()> {
    let located =
        |thread: usize| Some((thread, system.rules.states.local(layout.last.threads[thread]?).location));
    let locations: Vec<(usize, LocationId)> = if layout.reached.is_empty() {
        (0..layout.n_threads).filter_map(located).collect()
    } else {
        layout.reached.iter().copied().filter_map(located).collect()
    };
    let open = system.rules.states.shared(layout.last.shared)?.get(system.program().atomic_bit());
    for target in targets {
        let mut wanted = target.shared.clone();
        if wanted.get(system.program().atomic_bit()).is_some_and(|wanted| Some(wanted) != open) {
            continue;
        }
        wanted.clear(system.program().atomic_bit());
        let Some(met) = shared.and(&wanted) else { continue };
        if assign(&target.threads, &locations, threads) {
            *shared = met;
            return Some(());
        }
    }
    None
}

/// Finds different threads for all patterns and adds what these demand.
fn assign(wanted: &[ThreadPattern], threads: &[(usize, LocationId)], cubes: &mut [Cube]) -> bool {
    let Some((first, others)) = wanted.split_first() else { return true };
    for (index, &(thread, location)) in threads.iter().enumerate() {
        let met = cubes[thread].and(&first.locals).filter(|_| location == first.location);
        let Some(met) = met else { continue };
        let before = std::mem::replace(&mut cubes[thread], met);
        let mut rest = threads.to_vec();
        rest.remove(index);
        if assign(others, &rest, cubes) {
            return true;
        }
        cubes[thread] = before;
    }
    false
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
    let after =
        Pair::new(shared.clone(), if edge.to.is_some() { threads[micro.actor].clone() } else { Cube::any() });
    let plain =
        |after: &Pair| images.of(Direction::Backward, after).map(|it| (it.context, it.pair)).collect();
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
        // Only those that the search mentions have to come from somewhere.
        let Some(local) = known.threads.get(thread).copied().flatten() else { continue };
        if thread == micro.actor {
            continue;
        }
        let wanted = &system.rules.states.local(local).locals;
        let before = images.of_passive(Direction::Backward, context, cube);
        *cube = before.into_iter().find(|it| it.meets(wanted))?;
    }
    Some(())
}

/// Performs a run forwards, inside of what was planned.
fn perform(system: &ProgramSystem<'_>, layout: &Layout, plans: &[Plan]) -> Option<Run> {
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
    for (micro, plans) in layout.micros.iter().zip(plans.windows(2)) {
        let step = fire(system, micro, &plans[0].context, &plans[1], &shared, &mut threads)?;
        shared = step.shared_after.clone();
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
