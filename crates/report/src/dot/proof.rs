//! A proof as a graph: its elements, and for each way into an element the element it comes from.

use super::{Graph, LABEL_LIMIT, MAX_EDGES, MAX_NODES, TARGET_COLOUR, config_label};
use crate::words::Words;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use throng_cert::{CoverSet, Proof};
use throng_model::{Config, ConfigRef, SharedId, System, TransitionSystem};

/// Predecessors looked at for one element.
const MAX_PREDECESSORS: usize = 10_000;

const STEPS_CAPTION: &str =
    "An arrow from c to d: a step from what c contains leads to what d contains. ω: any number.";

/// The graph of a proof: an edge `v -> u` labelled with a rule means that a minimal predecessor of `u` under the
/// rule is in the upward closure of `v`. Cuts are a node without edges each.
pub fn proof(system: &System, proof: &Proof) -> String {
    let words = Words { system };
    let mut graph = Graph::new("proof", "TB", &proof_caption(!proof.cuts.is_empty()));
    let shown = &proof.elements[..proof.elements.len().min(MAX_NODES)];
    graph.leave_out(proof.elements.len() - shown.len());
    for (index, element) in shown.iter().enumerate() {
        let above = system.targets().iter().any(|target| element.view().le(target.view()));
        let colour = if above { TARGET_COLOUR } else { "white" };
        graph.node(&node(index), &config_label(words, element.view()), &[("fillcolor", colour)]);
    }
    for (index, cut) in proof.cuts.iter().enumerate() {
        graph.node(
            &format!("cut {index}"),
            &words.cut(cut, LABEL_LIMIT),
            &[("shape", "note"), ("fillcolor", "#eeeeee")],
        );
    }
    let lookup = Lookup::new(shown);
    for (index, element) in shown.iter().enumerate() {
        if !draw_ways_in(words, &lookup, index, element, &mut graph) {
            break;
        }
    }
    graph.finish()
}

fn proof_caption(has_cuts: bool) -> [&'static str; 3] {
    [
        if has_cuts {
            "No start contains any of these; every target contains one (red) or breaks a cut (grey)."
        } else {
            "No start contains any of these; every target contains one (red)."
        },
        "An arrow from v to u: a step into what contains u can start from what contains v,",
        if has_cuts {
            "and never from what contains none of these, unless that breaks a cut."
        } else {
            "and never from what contains none of these."
        },
    ]
}

/// Draws the edges into one element; `false` if the graph is full.
fn draw_ways_in(
    words: Words<'_>,
    lookup: &Lookup<'_>,
    index: usize,
    element: &Config,
    graph: &mut Graph,
) -> bool {
    let mut edges = BTreeSet::new();
    let mut looked_at = 0;
    let enumeration = words.system.for_each_predecessor(element.view(), &mut |rule, before| {
        looked_at += 1;
        if let Some(below) = lookup.below(before).filter(|&below| below != index) {
            edges.insert((below, rule));
        }
        if looked_at < MAX_PREDECESSORS && edges.len() < MAX_EDGES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if !matches!(enumeration, Ok(ControlFlow::Continue(()))) {
        graph.leave_out(1);
    }
    edges.into_iter().all(|(below, rule)| graph.edge(&node(below), &node(index), &words.rule(rule), &[]))
}

fn node(index: usize) -> String {
    format!("u{}", index + 1)
}

/// Elements by shared state.
struct Lookup<'a> {
    by_shared: BTreeMap<SharedId, Vec<(usize, &'a Config)>>,
}

impl<'a> Lookup<'a> {
    fn new(elements: &'a [Config]) -> Self {
        let mut by_shared: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (index, element) in elements.iter().enumerate() {
            by_shared.entry(element.shared).or_default().push((index, element));
        }
        Self { by_shared }
    }

    /// The first element below a configuration.
    fn below(&self, config: ConfigRef<'_>) -> Option<usize> {
        let candidates = self.by_shared.get(&config.shared)?;
        candidates.iter().find(|(_, element)| element.view().le(config)).map(|&(index, _)| index)
    }
}

/// The graph of a cover set that proves that no target is coverable.
pub fn cover_set(system: &System, cover: &CoverSet) -> String {
    let all = "All that can be reached is contained in one of these, and none contains a target.";
    maximal(system, &cover.elements, all)
}

/// The graph of a coverability set, or of a part of one.
pub fn coverability_set(system: &System, elements: &[Config], is_complete: bool) -> String {
    let all = if is_complete {
        "All that can be covered is contained in one of these."
    } else {
        "What is contained in one of these can be covered, and perhaps more: the search was not finished."
    };
    maximal(system, elements, all)
}

/// Maximal elements, and an edge `c -> d` labelled with a rule if a successor of `c` under the rule is below `d`.
fn maximal(system: &System, elements: &[Config], meaning: &str) -> String {
    let words = Words { system };
    let mut graph = Graph::new("cover set", "TB", &[meaning, STEPS_CAPTION]);
    let shown = &elements[..elements.len().min(MAX_NODES)];
    graph.leave_out(elements.len() - shown.len());
    for (index, element) in shown.iter().enumerate() {
        graph.node(&node(index), &config_label(words, element.view()), &[]);
    }
    for (index, element) in shown.iter().enumerate() {
        let mut edges = BTreeSet::new();
        let mut looked_at = 0;
        let enumeration = system.for_each_successor(element.view(), &mut |rule, after| {
            looked_at += 1;
            let above = shown.iter().position(|other| after.le(other.view()));
            edges.extend(above.filter(|&above| above != index).map(|above| (above, rule)));
            if looked_at < MAX_PREDECESSORS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if !matches!(enumeration, Ok(ControlFlow::Continue(()))) {
            graph.leave_out(1);
        }
        if !edges
            .into_iter()
            .all(|(above, rule)| graph.edge(&node(index), &node(above), &words.rule(rule), &[]))
        {
            break;
        }
    }
    graph.finish()
}
