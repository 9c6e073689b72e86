//! A system as a graph. A net: places and transitions. Otherwise: one node for each pair of a shared and a local
//! state that a thread can be in by some rule, grouped by shared state, and edges for what rules do to a thread.

use super::{Graph, INITIAL_COLOUR, TARGET_COLOUR};
use crate::words::Words;
use std::collections::{BTreeMap, BTreeSet};
use throng_model::{LocalId, RuleId, RuleRef, SharedId, System, bag};

/// The graph of a system.
pub fn system(system: &System) -> String {
    let words = Words { system };
    if system.is_net() { net(words) } else { thread_states(words) }
}

fn net(words: Words<'_>) -> String {
    let mut graph = Graph::new("net", "rankdir=LR; node [fontname=\"sans-serif\"];");
    let place = |local: LocalId| format!("p {}", words.local(local));
    for local in LocalId::all(words.system.n_locals()) {
        let colour = colour(words.system, |shared_targets| bag::count(shared_targets, local) > 0);
        let tokens = tokens(words.system, local);
        let label =
            if tokens.is_empty() { words.local(local) } else { format!("{}\n{tokens}", words.local(local)) };
        let fill = if !tokens.is_empty() { INITIAL_COLOUR } else { colour };
        let border = if colour == TARGET_COLOUR { "red" } else { "black" };
        let attributes = [("shape", "circle"), ("style", "filled"), ("fillcolor", fill), ("color", border)];
        if !graph.node(&place(local), &label, &attributes) {
            break;
        }
    }
    for (id, rule) in words.system.rules().iter() {
        let transition = format!("t {}", words.system.rule_name(id));
        if !graph.node(&transition, &words.rule(id), &[("shape", "box")]) {
            graph.leave_out(words.system.rules().len() - id.index() - 1);
            break;
        }
        for entry in rule.take {
            graph.edge(&place(entry.local), &transition, &weight(entry.count), &[]);
        }
        for entry in rule.put {
            graph.edge(&transition, &place(entry.local), &weight(entry.count), &[]);
        }
        for (source, destinations) in rule.moves() {
            graph.edge(&place(source), &transition, "all", &[("style", "dashed")]);
            for &destination in destinations {
                let label = format!("from {}", words.local(source));
                graph.edge(&transition, &place(destination), &label, &[("style", "dashed")]);
            }
        }
    }
    graph.finish()
}

fn weight(count: u32) -> String {
    if count == 1 { String::new() } else { count.to_string() }
}

/// The colour of what a target mentions.
fn colour(system: &System, mentions: impl Fn(&[throng_model::Entry]) -> bool) -> &'static str {
    if system.targets().iter().any(|target| mentions(&target.bag)) { TARGET_COLOUR } else { "white" }
}

/// The tokens of a place at the start: the smallest number, and whether there may be more.
fn tokens(system: &System, local: LocalId) -> String {
    let counts = system.initial().iter().map(|initial| bag::count(&initial.exact, local));
    let unbounded = system.initial().iter().any(|initial| initial.unbounded.binary_search(&local).is_ok());
    match (counts.min().unwrap_or(0), unbounded) {
        (0, false) => String::new(),
        (count, false) => count.to_string(),
        (count, true) => format!("≥ {count}"),
    }
}

type ThreadState = (SharedId, LocalId);

/// What a rule does to one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    Acts,
    Spawns,
    Moves,
}

fn thread_states(words: Words<'_>) -> String {
    let mut edges: Vec<(ThreadState, ThreadState, Effect, RuleId)> = Vec::new();
    for (id, rule) in words.system.rules().iter() {
        effects(rule, &mut |from, to, effect| edges.push((from, to, effect, id)));
    }
    let mut states: BTreeMap<SharedId, BTreeSet<LocalId>> = BTreeMap::new();
    let mut add = |(shared, local): ThreadState| {
        states.entry(shared).or_default().insert(local);
    };
    edges.iter().for_each(|&(from, to, ..)| {
        add(from);
        add(to);
    });
    let special = special_states(words.system);
    special.iter().for_each(|(&state, _)| add(state));

    let mut graph =
        Graph::new("system", "rankdir=LR; node [shape=box, style=filled, fontname=\"sans-serif\"];");
    let name = |(shared, local): ThreadState| format!("{}|{}", words.shared(shared), words.local(local));
    let all = states.iter().flat_map(|(&shared, locals)| locals.iter().map(move |&local| (shared, local)));
    let mut drawn = BTreeSet::new();
    for state in all {
        let colour = special.get(&state).copied().unwrap_or("white");
        let group = words.shared(state.0);
        if graph.node(&name(state), &name(state), &[("fillcolor", colour), ("group", &group)]) {
            drawn.insert(state);
        }
    }
    for (from, to, effect, rule) in edges {
        if !(drawn.contains(&from) && drawn.contains(&to)) {
            graph.leave_out(1);
            continue;
        }
        let attributes: &[(&str, &str)] = match effect {
            Effect::Acts => &[],
            Effect::Spawns => &[("style", "dashed"), ("arrowhead", "empty")],
            Effect::Moves => &[("style", "dotted")],
        };
        graph.edge(&name(from), &name(to), &words.rule(rule), attributes);
    }
    graph.finish()
}

/// What a rule does to the threads: the one that acts, those it creates, those it moves along.
fn effects(rule: RuleRef<'_>, report: &mut dyn FnMut(ThreadState, ThreadState, Effect)) {
    let (mut gone, mut come) = (bag::Bag::new(), bag::Bag::new());
    bag::difference_into(rule.take, rule.put, &mut gone);
    bag::difference_into(rule.put, rule.take, &mut come);
    let actors = if gone.is_empty() { rule.take } else { &gone };
    for actor in actors {
        let from = (rule.from, actor.local);
        let effect = if gone.is_empty() && !come.is_empty() { Effect::Spawns } else { Effect::Acts };
        if come.is_empty() {
            report(from, (rule.to, actor.local), Effect::Acts);
        }
        for entry in come.iter() {
            report(from, (rule.to, entry.local), effect);
        }
    }
    for (source, destinations) in rule.moves() {
        for &destination in destinations {
            report((rule.from, source), (rule.to, destination), Effect::Moves);
        }
    }
}

/// The thread states of initial configurations and targets, with their colours; a target wins.
fn special_states(system: &System) -> BTreeMap<ThreadState, &'static str> {
    let mut special = BTreeMap::new();
    for initial in system.initial() {
        let exact = initial.exact.iter().map(|entry| entry.local);
        for local in exact.chain(initial.unbounded.iter().copied()) {
            special.insert((initial.shared, local), INITIAL_COLOUR);
        }
    }
    for target in system.targets() {
        for entry in target.bag.iter() {
            special.insert((target.shared, entry.local), TARGET_COLOUR);
        }
    }
    special
}
