//! A system as a graph. A net: places and transitions. Otherwise: one node for each pair of a shared and a local
//! state that a thread can be in by some rule, grouped by shared state, and edges for what rules do to a thread.

use super::{Graph, INITIAL_COLOUR, MAX_EDGES, TARGET_COLOUR};
use crate::words::Words;
use std::collections::{BTreeMap, BTreeSet};
use throng_model::{Bag, LocalId, RuleId, RuleRef, SharedId, System, bag};

/// The graph of a system.
pub fn system(system: &System) -> String {
    let words = Words { system };
    if system.is_net() { net(words) } else { thread_states(words) }
}

fn net(words: Words<'_>) -> String {
    let moves = words.system.rules().iter().any(|(_, rule)| rule.moves().next().is_some());
    let dashed = if moves { "    dashed: all tokens of the place" } else { "" };
    let caption = format!("green: tokens at the start    red: what a target asks for{dashed}");
    let mut graph = Graph::new("net", "LR", &[&caption]);
    let place = |local: LocalId| format!("p {}", words.local(local));
    for local in LocalId::all(words.system.n_locals()) {
        let is_bad = words.system.targets().iter().any(|target| bag::count(&target.bag, local) > 0);
        let tokens = tokens(words.system, local);
        let label = format!("{}{tokens}", words.local(local));
        let fill = match (tokens.is_empty(), is_bad) {
            (false, _) => INITIAL_COLOUR,
            (true, true) => TARGET_COLOUR,
            (true, false) => "white",
        };
        let border = if is_bad { "red" } else { "black" };
        let attributes = [("shape", "ellipse"), ("fillcolor", fill), ("color", border)];
        if !graph.node(&place(local), &label, &attributes) {
            break;
        }
    }
    for (id, rule) in words.system.rules().iter() {
        let transition = format!("t {}", words.system.rule_name(id));
        if !graph.node(&transition, &words.rule(id), &[]) {
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

/// The tokens of a place at the start, on a line of their own: the smallest number, and whether there may be
/// more.
fn tokens(system: &System, local: LocalId) -> String {
    let counts = system.initial().iter().map(|initial| bag::count(&initial.exact, local));
    let unbounded = system.initial().iter().any(|initial| initial.unbounded.binary_search(&local).is_ok());
    match (counts.min().unwrap_or(0), unbounded) {
        (0, false) => String::new(),
        (count, false) => format!("\n{count}"),
        (0, true) => "\nany number".to_owned(),
        (count, true) => format!("\n{count} or more"),
    }
}

type ThreadState = (SharedId, LocalId);

/// What a rule does to one thread.
#[derive(Clone, Copy)]
enum Effect {
    Acts,
    Spawns,
    Moves,
}

/// An edge; without a second end the thread ends.
struct Edge {
    from: ThreadState,
    to: Option<ThreadState>,
    effect: Effect,
    rule: RuleId,
}

fn thread_states(words: Words<'_>) -> String {
    let (edges, n_hidden_rules) = some_edges(words.system);
    let special = special_states(words.system);
    let mut states: BTreeSet<ThreadState> = special.keys().copied().collect();
    states.extend(edges.iter().flat_map(|edge| [Some(edge.from), edge.to]).flatten());

    let mut graph = Graph::new("system", "LR", &[&caption(&edges)]);
    graph.leave_out(n_hidden_rules);
    let name = |(shared, local): ThreadState| format!("{}|{}", words.shared(shared), words.local(local));
    let mut drawn = BTreeSet::new();
    for &state in &states {
        let (colour, start) = special.get(&state).cloned().unwrap_or(("white", String::new()));
        let label = format!("{}{start}", name(state));
        let group = words.shared(state.0);
        if graph.node(&name(state), &label, &[("fillcolor", colour), ("group", &group)]) {
            drawn.insert(state);
        }
    }
    if edges.iter().any(|edge| edge.to.is_none()) {
        graph.node("ends", "ends", &[("shape", "plaintext")]);
    }
    for edge in &edges {
        if !drawn.contains(&edge.from) || edge.to.is_some_and(|to| !drawn.contains(&to)) {
            graph.leave_out(1);
            continue;
        }
        let attributes: &[(&str, &str)] = match edge.effect {
            Effect::Acts => &[],
            Effect::Spawns => &[("style", "dashed"), ("arrowhead", "empty")],
            Effect::Moves => &[("style", "dotted")],
        };
        let to = edge.to.map_or_else(|| "ends".to_owned(), name);
        graph.edge(&name(edge.from), &to, &words.rule(edge.rule), attributes);
    }
    graph.finish()
}

/// What the first rules do, as much as can be drawn, and how many rules are left.
fn some_edges(system: &System) -> (Vec<Edge>, usize) {
    let mut edges = Vec::new();
    for (id, rule) in system.rules().iter() {
        if edges.len() >= MAX_EDGES {
            return (edges, system.rules().len() - id.index());
        }
        edges.extend(edges_of(id, rule));
    }
    (edges, 0)
}

/// Explains the signs that occur.
fn caption(edges: &[Edge]) -> String {
    let occurs = |wanted: fn(Effect) -> bool| edges.iter().any(|edge| wanted(edge.effect));
    let signs = [
        (true, "green: threads start here    red: what a target asks for"),
        (occurs(|effect| matches!(effect, Effect::Spawns)), "dashed: creates a thread there"),
        (occurs(|effect| matches!(effect, Effect::Moves)), "dotted: is moved along by another thread"),
    ];
    let signs: Vec<&str> = signs.into_iter().filter(|(used, _)| *used).map(|(_, sign)| sign).collect();
    signs.join("    ")
}

/// What a rule does to the threads: the one that acts, those it creates, those it moves along.
fn edges_of(id: RuleId, rule: RuleRef<'_>) -> Vec<Edge> {
    let (mut gone, mut come) = (Bag::new(), Bag::new());
    bag::difference_into(rule.take, rule.put, &mut gone);
    bag::difference_into(rule.put, rule.take, &mut come);
    let mut edges = Vec::new();
    let mut add = |from: LocalId, to: Option<LocalId>, effect| {
        let to = to.map(|to| (rule.to, to));
        edges.push(Edge { from: (rule.from, from), to, effect, rule: id });
    };
    if gone.is_empty() {
        // Nobody leaves: the threads taken stay where they are, and what is put besides is new.
        for actor in rule.take {
            if rule.from != rule.to || come.is_empty() {
                add(actor.local, Some(actor.local), Effect::Acts);
            }
            come.iter().for_each(|entry| add(actor.local, Some(entry.local), Effect::Spawns));
        }
    }
    for actor in gone.iter() {
        come.iter().for_each(|entry| add(actor.local, Some(entry.local), Effect::Acts));
        if come.is_empty() {
            add(actor.local, None, Effect::Acts);
        }
    }
    for (source, destinations) in rule.moves() {
        destinations.iter().for_each(|&destination| add(source, Some(destination), Effect::Moves));
        if destinations.is_empty() {
            add(source, None, Effect::Moves);
        }
    }
    edges
}

/// The thread states of initial configurations and targets, with their colours and how many threads start there;
/// the colour of a target wins.
fn special_states(system: &System) -> BTreeMap<ThreadState, (&'static str, String)> {
    let mut special = BTreeMap::new();
    for initial in system.initial() {
        let exact = initial.exact.iter().map(|entry| entry.local);
        for local in exact.chain(initial.unbounded.iter().copied()) {
            let start = match (bag::count(&initial.exact, local), initial.unbounded.contains(&local)) {
                (0, _) => "\nany number".to_owned(),
                (count, true) => format!("\n{count} or more"),
                (count, false) => format!("\n{count}"),
            };
            // Of several initial configurations the picture shows only where, not how many.
            let start = if system.initial().len() == 1 { start } else { String::new() };
            special.insert((initial.shared, local), (INITIAL_COLOUR, start));
        }
    }
    for target in system.targets() {
        for entry in target.bag.iter() {
            special.entry((target.shared, entry.local)).or_insert((TARGET_COLOUR, String::new())).0 =
                TARGET_COLOUR;
        }
    }
    special
}
