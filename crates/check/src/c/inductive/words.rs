//! Rejections in words, with the values that show why.

use super::facts::Facts;
use super::scene::{Place, Scene, Time};
use crate::{Condition, Rejection};
use throng_base::StopReason;
use throng_cfa::flow::EdgeId;
use throng_solver::Model;

/// So many values are shown.
const MOST_VALUES: usize = 24;

/// How an element is called.
pub(super) fn element(facts: &Facts<'_>, index: usize) -> String {
    if index < facts.n_given {
        return format!("element {index}");
    }
    let at = facts.elements[index].threads.iter().map(|&at| {
        let location = facts.program.location(at);
        let site = facts.program.site(location.site);
        format!("the error at {}:{}", site.position.file, site.position.line)
    });
    at.collect::<Vec<String>>().join(", ")
}

/// The budget ended.
pub(super) fn stopped(reason: StopReason) -> Rejection {
    Rejection::new(Condition::Size, "the invariant", format!("the check ended before it was done: {reason}"))
}

/// An element describes a state at the start.
pub(super) fn initial(facts: &Facts<'_>, index: usize, scene: &Scene<'_>, model: &Model) -> Rejection {
    let values = values(scene, model);
    let reason = match values.as_str() {
        "" => "it describes the state at the start".to_owned(),
        _ => format!("it describes a state at the start: {values}"),
    };
    Rejection::new(Condition::ProofInitial, element(facts, index), reason)
}

/// A step leads to a state that an element describes, from one that none does.
pub(super) fn step(
    facts: &Facts<'_>,
    index: usize,
    edge: EdgeId,
    scene: &Scene<'_>,
    model: &Model,
) -> Rejection {
    let known = facts.program.edge(edge);
    let site = facts.program.site(known.site);
    let threads: Vec<String> = (0..scene.n_at_hand)
        .map(|slot| {
            let name = &scene.threads[slot].name;
            match (scene.location(slot, Time::Before), scene.location(slot, Time::After)) {
                (Some(before), Some(after)) if before != after => {
                    format!("`{name}` goes from location {} to {}", before.index(), after.index())
                }
                (Some(at), _) => format!("`{name}` is at location {}", at.index()),
                (None, Some(at)) => format!("`{name}` begins at location {}", at.index()),
                (None, None) => format!("`{name}` is somewhere"),
            }
        })
        .collect();
    let reason = format!(
        "no element describes the state before the step along edge {} ({}:{}: {}), and this one describes the state after it; {}; before: {}",
        edge.index(),
        site.position.file,
        site.position.line,
        site.text,
        threads.join(", "),
        values(scene, model),
    );
    Rejection::new(Condition::ProofPredecessor, element(facts, index), reason)
}

/// The values of variables that matter.
fn values(scene: &Scene<'_>, model: &Model) -> String {
    let is_there = |name: &str| {
        let of = scene.threads.iter().find(|thread| name.starts_with(&format!("{}.", thread.name)));
        !matches!(of.map(|thread| &thread.place), Some(Place::Somewhere { exists, .. }) if !model.holds(&scene.terms, *exists))
    };
    let mut shown: Vec<String> = Vec::new();
    for (variable, value) in model.iter() {
        let name = scene.terms.variable_name(variable);
        let name = name.rsplit_once('!').map_or(name, |(name, _)| name);
        if !name.starts_with('?') && is_there(name) {
            shown.push(format!("{name} = {value}"));
        }
    }
    if shown.len() > MOST_VALUES {
        shown.truncate(MOST_VALUES);
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
