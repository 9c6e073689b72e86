//! Whether runs come to the assertions of a program that is safe: an assertion that no run comes to says nothing.
//!
//! What is looked for is a run to where it is *decided* whether an assertion fails: where a branch leads to the error, or for
//! errors without a condition, the last branch before. A short search looks for one, always the same; if it finds none, a short
//! proof may tell that there is none.

use crate::evidence::c::invariant_document;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use throng_base::{Budget, Limits, StopReason};
use throng_cert::Header;
use throng_cfa::flow::{EdgeId, LocationId, LocationKind, Program, PropertyId, PropertyKind};
use throng_check::c::check_c;
use throng_explore::{BoundedOptions, Outcome};
use throng_prove::n_threads;

/// Whether some run comes to an assertion.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Assertion {
    /// What it says.
    pub text: String,
    /// The file that it is in.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// What is known.
    pub status: Reached,
    /// With how many threads it was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
}

/// Whether something is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// A run comes there.
    Reached,
    /// That no run comes there is proved.
    Never,
    /// A short search found no run that comes there.
    NotFound,
}

/// The search: threads, steps, and edges that are taken for one assertion.
const THREADS: u32 = 4;
const STEPS: u32 = 40;
const EDGES: u64 = 200_000;
/// How long all of this may take. That is for slow machines: usually, the bounds above end it.
const TIME: Duration = Duration::from_secs(6);
/// How long a proof that an assertion is never reached may take.
const PROOF_TIME: Duration = Duration::from_secs(2);

/// All assertions with whether they are reached.
pub(super) fn assertions(program: &Program, max_threads: Option<u32>, budget: &Budget) -> Vec<Assertion> {
    let mut places: BTreeMap<(String, u32, String), Vec<PropertyId>> = BTreeMap::new();
    for (number, property) in program.properties.iter().enumerate() {
        if matches!(property.kind, PropertyKind::Assertion | PropertyKind::Reach) {
            let at = &program.site(property.site).position;
            let key = (at.file.clone(), at.line, property.text.clone());
            places.entry(key).or_default().push(PropertyId::new(number));
        }
    }
    let share = budget.part();
    let _watchdog = share.watch(Limits { time: Some(TIME), memory: None }, || None);
    let mut found: Vec<Assertion> = places
        .into_iter()
        .map(|((file, line, text), properties)| {
            let (status, threads) = look(program, &properties, max_threads, &share);
            Assertion { text: in_general(&text), file, line, status, threads }
        })
        .collect();
    found.extend(program.settled.dead.iter().map(|at| Assertion {
        text: "the assertion".to_owned(),
        file: at.file.clone(),
        line: at.line,
        status: Reached::Never,
        threads: None,
    }));
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found.dedup();
    found
}

/// What an error says, as what is asserted: `assertion x == 1 fails` is `assertion x == 1`.
fn in_general(text: &str) -> String {
    match text.split_once(" fails") {
        Some((assertion, _)) => assertion.to_owned(),
        None => text.to_owned(),
    }
}

fn look(
    program: &Program,
    properties: &[PropertyId],
    max_threads: Option<u32>,
    budget: &Budget,
) -> (Reached, Option<u32>) {
    let Some(target) = target(program, properties) else { return (Reached::Never, None) };
    let options = BoundedOptions {
        max_threads: Some(max_threads.map_or(THREADS, |most| most.min(THREADS))),
        max_steps: Some(STEPS),
        ..BoundedOptions::default()
    };
    let part = budget.part();
    let mut watch = |progress: throng_explore::Progress| {
        if progress.statistics.edges > EDGES {
            part.stop(StopReason::Cancelled);
        }
    };
    match throng_explore::search(&target, &options, &part, &mut watch) {
        Outcome::Unsafe { trace, .. } => {
            let threads = u32::try_from(n_threads(&target, &trace)).unwrap_or(u32::MAX);
            (Reached::Reached, Some(threads))
        }
        Outcome::NoBug { is_exhausted: true, .. } => (Reached::Never, None),
        _ if is_never(&target, budget) => (Reached::Never, None),
        _ => (Reached::NotFound, None),
    }
}

/// Whether it can be proved, and checked, that nothing leads to the target.
fn is_never(target: &Program, budget: &Budget) -> bool {
    let part = budget.part();
    let _watchdog = part.watch(Limits { time: Some(PROOF_TIME), memory: None }, || None);
    let prepared = throng_prove::prepare(target);
    let options = throng_prove::Options::new(&prepared.program);
    match throng_prove::verify(target, &prepared, &options, &part, &mut |_| {}) {
        throng_prove::Outcome::Safe { invariant, .. } => {
            let document = invariant_document(&prepared.program, &invariant, Vec::new(), Header::default());
            document.is_ok_and(|document| check_c(target, &document, &part).is_ok())
        }
        _ => false,
    }
}

/// The program in which the only errors are that threads come to where it is decided whether one of the properties fails. `None`
/// if nothing leads there.
fn target(program: &Program, properties: &[PropertyId]) -> Option<Program> {
    let mut into: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
    for (number, edge) in program.edges.iter().enumerate() {
        into.entry(edge.to).or_default().push(EdgeId::new(number));
    }
    let mut target = program.asking(|_| false);
    let always = target.expressions.truth(true);
    let mut is_there = false;
    for (number, location) in program.locations.iter().enumerate() {
        let LocationKind::Error(property) = location.kind else { continue };
        if !properties.contains(&property) {
            continue;
        }
        let error = LocationId::new(number);
        target.locations[number].kind = location.kind;
        for edge in decisions(program, &into, error) {
            is_there = true;
            let edge = &mut target.edges[edge.index()];
            (edge.guard, edge.to, edge.effect) = (always, error, None);
            edge.assignments.clear();
        }
    }
    is_there.then_some(target)
}

/// The edges on the way to an error with which the last decision is made.
fn decisions(
    program: &Program,
    into: &BTreeMap<LocationId, Vec<EdgeId>>,
    error: LocationId,
) -> BTreeSet<EdgeId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::from([error]);
    let mut open = vec![error];
    while let Some(location) = open.pop() {
        for &id in into.get(&location).into_iter().flatten() {
            let edge = program.edge(id);
            let is_start = program.templates.iter().any(|template| template.entry == edge.from);
            let is_only = program.location(edge.from).edges.1 == 1;
            // What only waits or assumes is no decision, but nobody may be past it.
            let is_free =
                program.expressions.as_constant(edge.guard) == Some(1) || !edge.assignments.is_empty();
            if is_only && is_free && !is_start {
                if seen.insert(edge.from) {
                    open.push(edge.from);
                }
            } else {
                found.insert(id);
            }
        }
    }
    found
}
