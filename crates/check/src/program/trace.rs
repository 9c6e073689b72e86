//! Traces of programs: each step is verified on the control-flow graph, the counting is left to [`crate::trace`].
//!
//! The shared valuations (with the atomic bit) and the threads that a trace mentions become shared and local states of a
//! small explicit system, and each step becomes a rule of it, once it is verified that some edge allows exactly this
//! change. Then the trace is an execution of the program iff it is one of the system, repetitions included:
//!
//! * A rule needs its shared state and takes the thread that acts. The atomic bit in the shared state lets a thread act
//!   only where it may.
//! * If the edge assigns to passive threads, each other thread must get new values that are possible for it. Threads that
//!   may keep their values and are not listed do; those listed are taken and put back changed. All threads with values
//!   that they cannot keep must be listed: they are moved by the rule, and the checker of systems sees to it that none
//!   is left.
//!
//! Where several edges allow a step, the first one is meant. That matters only for assignments to passive threads, and a
//! location with such a statement has one edge.

mod states;

use super::matching;
use super::names::{Bit, Names};
use super::scene::{Budget, Scene};
use super::solutions::Direction;
use super::step::Action;
use crate::names::place;
use crate::trace::{End, no_target, replay};
use crate::verdict::{Accepted, Condition, Limits, Rejection, Trouble};
use states::{Act, PassiveMove, Reader, States};
use throng_boolprog::flow::{Edge, Effect};
use throng_boolprog::{Cube, Pattern, ProgramQuestion, ThreadPattern};
use throng_cert::document::{self, Configuration, Item, Moved, Trace};
use throng_cert::{Count, State};
use throng_model::{Bag, Initial, LocalId, Move, Rule, SharedId, System, SystemBuilder};

/// Accepts a trace or says which condition it violates first.
pub(super) fn check(
    names: &Names<'_>,
    question: &ProgramQuestion,
    trace: &Trace,
    limits: Limits,
) -> Result<Accepted, Rejection> {
    let mut reader = Reader::new(names);
    let (shared, threads) = reader.initial(question, &trace.initial)?;
    let items = reader.items(&trace.items, shared)?;
    let states = reader.states;
    let mut budget = Budget::new(limits.choices);
    let mut builder = SystemBuilder::new(states.shared_names(names), states.local_names(names));
    let mut moves = Vec::new();
    for (number, act) in states.acts.iter().enumerate() {
        let step = place("step", act.number);
        let found = Verifier { names, states: &states, act, step: &step }.rule(&mut budget)?;
        let actor = names.program.location_text(states.local(act.actor).location);
        builder.named_rule(&rule_name(&actor, number), &found.rule, 0).ok();
        moves.push((rule_name(&actor, number), found.moved));
    }
    let unbounded = threads.iter().map(|&(local, _)| LocalId::new(local)).collect();
    builder.initial(Initial { shared: SharedId::new(shared), exact: Bag::new(), unbounded });
    let system = builder.finish().map_err(|error| {
        Rejection::new(Condition::Form, "the trace", format!("cannot be made a system: {error}"))
    })?;
    let state = |name: std::borrow::Cow<'_, str>| State::Name(name.into_owned());
    let initial = Configuration {
        shared: Some(state(system.shared_names().get(shared))),
        threads: threads
            .iter()
            .map(|&(local, count)| (state(system.local_names().get(local)), Count::Finite(count)))
            .collect(),
    };
    let items = items.into_iter().map(|item| item.with_rules(&system, &moves)).collect();
    let end = replay(&system, &Trace { initial, items })?;
    if !question.targets.iter().any(|target| fits(names, &states, &end, target)) {
        return Err(no_target());
    }
    Ok(Accepted::Trace { threads: end.threads, steps: end.steps })
}

fn rule_name(actor: &str, number: usize) -> String {
    format!("#{} at {actor}", number.saturating_add(1))
}

/// Whether the configuration at the end of a trace fits a target.
fn fits(names: &Names<'_>, states: &States, end: &End, target: &Pattern) -> bool {
    let (valuation, bit) = states.shared(end.state.shared.index());
    let shared = valuation.clone().with(names.program.atomic_bit(), *bit);
    let threads: Vec<(usize, u64)> = end
        .state
        .counts
        .iter()
        .map(|(local, &count)| (local.index(), u64::try_from(count.max(0)).unwrap_or(u64::MAX)))
        .collect();
    let counts: Vec<u64> = threads.iter().map(|&(_, count)| count).collect();
    let matches = |demand: usize, kind: usize| {
        let (wanted, thread) = (&target.threads[demand], states.local(threads[kind].0));
        wanted.location == thread.location && wanted.locals.includes(&thread.locals)
    };
    target.shared.includes(&shared) && matching::exists(target.threads.len(), &counts, matches)
}

/// A verified step as a rule, with the moves of passive threads that cannot keep their values.
struct Verified {
    rule: Rule,
    moved: Vec<PassiveMove>,
}

/// Verifies one step.
struct Verifier<'a> {
    names: &'a Names<'a>,
    states: &'a States,
    act: &'a Act,
    step: &'a str,
}

impl Verifier<'_> {
    /// The rule of the step, if some edge allows it.
    fn rule(&self, budget: &mut Budget) -> Result<Verified, Rejection> {
        let program = self.names.program;
        let actor = self.states.local(self.act.actor);
        for &edge in program.outgoing(actor.location) {
            let action = Action::new(program, edge);
            let Some(scene) = self.scene(&action) else { continue };
            if self.is_possible(&action, &scene, budget)? {
                return self.with_passive(&action, &scene, budget);
            }
        }
        let reason = format!(
            "no edge from {} allows this change",
            self.names.show_thread(actor.location, &actor.locals)
        );
        Err(Rejection::new(Condition::TraceEnabled, self.step, reason))
    }

    /// The values before and after the step, if the edge leads there and leaves alone what it has to.
    fn scene(&self, action: &Action<'_>) -> Option<Scene> {
        let Edge { to, effect, .. } = action.edge;
        let (actor, after) =
            (self.states.local(self.act.actor), self.act.after.map(|it| self.states.local(it)));
        let [before, then] = self.act.shared.map(|it| &self.states.shared(it).0);
        let mut scene = Scene { shared: changed(before, then, &action.shared_targets)?, ..Scene::default() };
        if to != after.map(|thread| thread.location) {
            return None;
        }
        scene.own = match after {
            Some(after) => changed(&actor.locals, &after.locals, &action.own_targets)?,
            None => [actor.locals.clone(), Cube::any()],
        };
        match (effect, self.act.child.map(|child| self.states.local(child))) {
            (Effect::Start { at, .. }, Some(child)) if at == child.location => {
                if action.copies_locals() && child.locals != actor.locals {
                    return None;
                }
                scene.child = child.locals.clone();
            }
            (Effect::None | Effect::Assign(_), None) => {}
            _ => return None,
        }
        Some(scene)
    }

    /// Whether the demands of the edge are fulfilled; where there are passive targets, for some passive values.
    fn is_possible(
        &self,
        action: &Action<'_>,
        scene: &Scene,
        budget: &mut Budget,
    ) -> Result<bool, Rejection> {
        let mut scene = scene.clone();
        if action.is_broadcast() && scene.passive.is_empty() {
            scene.passive.push(Default::default());
        }
        let solution = action.solve(scene, Direction::Backwards).next(budget);
        Ok(solution.map_err(|trouble| trouble.at(self.step))?.is_some())
    }

    /// Whether a passive thread can get these values; `None`: any values at all.
    fn passive_can(
        &self,
        action: &Action<'_>,
        scene: &Scene,
        (before, after): (&ThreadPattern, Option<&ThreadPattern>),
        budget: &mut Budget,
    ) -> Result<bool, Rejection> {
        let pair = match after {
            None => Some([before.locals.clone(), Cube::any()]),
            Some(after) if after.location != before.location => None,
            Some(after) => changed(&before.locals, &after.locals, &action.passive_targets),
        };
        let Some(pair) = pair else { return Ok(false) };
        self.is_possible(action, &Scene { passive: vec![pair], ..scene.clone() }, budget)
    }

    /// The rule with what becomes of passive threads.
    fn with_passive(
        &self,
        action: &Action<'_>,
        scene: &Scene,
        budget: &mut Budget,
    ) -> Result<Verified, Rejection> {
        let act = self.act;
        let reject = |reason: String| Rejection::new(Condition::TraceMoves, self.step, reason);
        if !action.is_broadcast() && !act.passive.is_empty() {
            return Err(reject("the statement does not change other threads".to_owned()));
        }
        let (mut take, mut put) = (vec![(LocalId::new(act.actor), 1)], Vec::new());
        put.extend(act.after.into_iter().chain(act.child).map(|local| (LocalId::new(local), 1)));
        let (mut moves, mut moved) = (Vec::new(), Vec::new());
        let locals = if action.is_broadcast() { self.states.n_locals() } else { 0 };
        for source in 0..locals {
            let before = self.states.local(source);
            let stays = self.passive_can(action, scene, (before, Some(before)), budget)?;
            let mut destinations = Vec::new();
            for &(_, after, count) in act.passive.iter().filter(|&&(from, _, _)| from == source) {
                let changed = after.map(|after| self.states.local(after));
                let has_values = self.passive_can(action, scene, (before, changed), budget)?;
                if has_values != after.is_some() {
                    let thread = self.names.show_thread(before.location, &before.locals);
                    return Err(reject(format!("{thread} cannot become what it is said to become")));
                }
                if stays {
                    let count = u32::try_from(count).map_err(|_| Trouble::Overflow.at(self.step))?;
                    take.push((LocalId::new(source), count));
                    put.extend(after.map(|after| (LocalId::new(after), count)));
                } else {
                    destinations.extend(after.map(LocalId::new));
                    moved.push((source, after, count));
                }
            }
            if !stays {
                destinations.sort_unstable();
                destinations.dedup();
                moves.push(Move { source: LocalId::new(source), destinations });
            }
        }
        let bag = |counts| Bag::from_counts(counts).map_err(|_| Trouble::Overflow.at(self.step));
        let [from, to] = act.shared.map(SharedId::new);
        Ok(Verified { rule: Rule { from, to, take: bag(take)?, put: bag(put)?, moves }, moved })
    }
}

/// A pair of total valuations, that after the step only for the variables that are assigned to; `None` if another one
/// changes.
fn changed(before: &Cube, after: &Cube, targets: &Cube) -> Option<[Cube; 2]> {
    let is_target = |index: u32| targets.get(index).is_some();
    let same = before.iter().all(|(index, value)| is_target(index) || after.get(index) == Some(value));
    same.then(|| [before.clone(), after.restricted(is_target)])
}

impl states::Written {
    /// The item with the rules that its steps have become.
    fn with_rules(self, system: &System, moves: &[(String, Vec<PassiveMove>)]) -> Item {
        match self {
            states::Written::Repeat(times, items) => {
                let items = items.into_iter().map(|item| item.with_rules(system, moves)).collect();
                Item::Repeat { times, items }
            }
            states::Written::Step(number) => {
                let (rule, moved) = &moves[number];
                let name = |local: usize| system.local_names().get(local).into_owned();
                let moved = moved.iter().map(|&(from, to, count)| Moved {
                    from: name(from),
                    to: to.map(name),
                    count,
                });
                Item::Step(document::Step { rule: rule.clone(), moved: moved.collect(), act: None })
            }
        }
    }
}

/// A valuation that must be total, and what is missing otherwise.
fn total(names: &Names<'_>, place: &str, cube: &Cube, is_shared: bool) -> Result<(), Rejection> {
    let program = names.program;
    let variables = if is_shared { program.shared() } else { program.locals() };
    if cube.len() == variables.len() {
        return Ok(());
    }
    let missing = (0_u32..).zip(variables).find(|&(index, _)| cube.get(index).is_none());
    let name = missing.map_or("?", |(_, variable)| program.text(variable.name));
    let reason = format!("variable `{name}` has no value, but a trace gives values to all variables");
    Err(Rejection::new(Condition::Form, place, reason))
}

/// A trace does not speak about the atomic bit.
const BIT: Bit = Bit::Unknown;
