//! What is known about a program and an invariant before any question is asked: what predicates read, what edges write,
//! which scopes there are, and elements by where their threads stand.

use super::counts::{self, Counted};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use throng_cfa::flow::{
    Edge, Effect, Expression, ExpressionId, Expressions, LocationId, LocationKind, PassiveUpdate, Program,
    Scope, TemplateId, VariableId,
};
use throng_cfa::invariant::{Element, Invariant, PredicateId, Predicates};

/// The parts of an expression, itself included, in the order of their numbers.
pub(super) fn parts(table: &Expressions, id: ExpressionId) -> BTreeSet<ExpressionId> {
    let mut all = BTreeSet::from([id]);
    let mut waiting = vec![id];
    while let Some(next) = waiting.pop() {
        waiting.extend(table.operands(next).filter(|&operand| all.insert(operand)));
    }
    all
}

/// What the truth of a predicate depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// Shared variables.
    pub shared: BTreeSet<VariableId>,
    /// Variables of the active thread.
    pub active: BTreeSet<VariableId>,
    /// Variables of passive threads.
    pub passive: BTreeSet<VariableId>,
    /// Whether it asks about threads by their numbers.
    pub by_number: bool,
}

/// What a step along an edge may change.
#[derive(Clone, Debug, Default)]
pub(super) struct Writes {
    /// Shared variables.
    pub shared: BTreeSet<VariableId>,
    /// Variables of the thread that takes the step.
    pub own: BTreeSet<VariableId>,
    /// Variables of other threads.
    pub others: BTreeSet<VariableId>,
}

/// The sets of locations that predicates of one template's passive threads speak about.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    /// The different scopes.
    pub list: Vec<Vec<LocationId>>,
    /// In which of them a location is: the possibilities, over all locations where a thread can be while another
    /// takes a step.
    pub signatures: BTreeSet<Vec<bool>>,
}

/// See the module's documentation.
pub(super) struct Facts<'a> {
    pub program: &'a Program,
    pub predicates: &'a Predicates,
    /// The elements of the invariant, and after them one for each error location.
    pub elements: Vec<Element>,
    /// How many of them the invariant has.
    pub n_given: usize,
    /// Whether the code of `main` is run by one thread only.
    pub main_is_single: bool,
    /// The width of the numbers of threads.
    pub number_bits: u32,
    /// How many threads stand where.
    pub counts: Vec<Counted>,
    /// By predicate.
    pub reads: Vec<Reads>,
    /// By template.
    pub scopes: Vec<Scopes>,
    /// By predicate: which scope of its template it has.
    pub scope_of: Vec<Option<usize>>,
    /// Elements by the locations of their threads, sorted.
    by_threads: FxHashMap<Vec<LocationId>, Vec<usize>>,
}

impl<'a> Facts<'a> {
    /// `n_variables` are the program's own; after these come those of counts.
    pub(super) fn new(program: &'a Program, invariant: &'a Invariant, n_variables: usize) -> Self {
        let predicates = &invariant.predicates;
        let errors = LocationId::all(program.locations.len())
            .filter(|&at| matches!(program.location(at).kind, LocationKind::Error(_)))
            .map(|at| Element { threads: vec![at], ..Element::default() });
        let elements: Vec<Element> = invariant.elements.iter().cloned().chain(errors).collect();
        let mut by_threads: FxHashMap<Vec<LocationId>, Vec<usize>> = FxHashMap::default();
        for (index, element) in elements.iter().enumerate() {
            let mut threads = element.threads.clone();
            threads.sort_unstable();
            by_threads.entry(threads).or_default().push(index);
        }
        let starts_main = |edge: &Edge| match edge.effect {
            Some(Effect::Spawn { template, .. }) => template == program.main,
            _ => false,
        };
        let (scopes, scope_of) = scopes(program, predicates);
        let number_bits = number_bits(&program.expressions);
        Self {
            program,
            predicates,
            elements,
            n_given: invariant.elements.len(),
            main_is_single: !program.edges.iter().any(starts_main),
            number_bits,
            counts: counts::bounds(program, n_variables, &invariant.counts, number_bits),
            reads: predicates
                .list
                .iter()
                .map(|predicate| reads(program, &predicates.expressions, predicate.expression))
                .collect(),
            scopes,
            scope_of,
            by_threads,
        }
    }

    /// The elements whose threads stand at these locations, which are sorted.
    pub(super) fn at(&self, threads: &[LocationId]) -> &[usize] {
        self.by_threads.get(threads).map_or(&[], Vec::as_slice)
    }

    /// What a predicate reads.
    pub(super) fn reads_of(&self, predicate: PredicateId) -> &Reads {
        &self.reads[predicate.index()]
    }

    /// The code that a thread at a location runs.
    pub(super) fn template(&self, location: LocationId) -> TemplateId {
        self.program.location(location).template
    }

    /// Whether a thread can stand there while another one takes a step: nobody moves while another thread is in an atomic
    /// section, and a state with a thread at an error is described.
    pub(super) fn is_possible_for_others(&self, location: LocationId) -> bool {
        is_possible_for_others(self.program, location)
    }

    /// Whether no other thread takes steps while one stands there.
    pub(super) fn is_atomic(&self, location: LocationId) -> bool {
        self.program.location(location).is_atomic
    }
}

fn is_possible_for_others(program: &Program, location: LocationId) -> bool {
    let location = program.location(location);
    !location.is_atomic && !matches!(location.kind, LocationKind::Error(_))
}

/// The width in which the program computes with numbers of threads.
fn number_bits(table: &Expressions) -> u32 {
    let numbers = (0..table.len()).map(ExpressionId::new).filter_map(|id| match table.get(id) {
        Expression::ThisThread | Expression::NewThread => Some(table.bits(id)),
        _ => None,
    });
    numbers.min().unwrap_or(32).clamp(8, 64)
}

fn reads(program: &Program, table: &Expressions, id: ExpressionId) -> Reads {
    let mut reads = Reads::default();
    for part in parts(table, id) {
        match table.get(part) {
            Expression::Variable(id) | Expression::Element(id, _) => {
                let is_shared = program.variable(id).scope == Scope::Shared;
                if is_shared { &mut reads.shared } else { &mut reads.active }.insert(id);
            }
            Expression::Passive(id) => {
                reads.passive.insert(id);
            }
            Expression::HasEnded(_) | Expression::ResultOf(_) => reads.by_number = true,
            _ => {}
        }
    }
    reads
}

/// What a step along an edge may change.
pub(super) fn writes(program: &Program, edge: &Edge) -> Writes {
    let mut writes = Writes::default();
    for assignment in &edge.assignments {
        let is_shared = program.variable(assignment.target).scope == Scope::Shared;
        if is_shared { &mut writes.shared } else { &mut writes.own }.insert(assignment.target);
    }
    let targets = updates(edge).iter().flat_map(|update| &update.assignments);
    writes.others.extend(targets.map(|&(target, _)| target));
    writes
}

/// The updates of passive threads by a signal or broadcast.
pub(super) fn updates(edge: &Edge) -> &[PassiveUpdate] {
    match &edge.effect {
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates,
        _ => &[],
    }
}

/// By template the scopes, and by predicate which it has.
fn scopes(program: &Program, predicates: &Predicates) -> (Vec<Scopes>, Vec<Option<usize>>) {
    let mut all = vec![Scopes::default(); program.templates.len()];
    let mut known: BTreeMap<(TemplateId, Vec<LocationId>), usize> = BTreeMap::new();
    let mut of = Vec::new();
    for predicate in &predicates.list {
        let scope = predicate.passive.as_ref().map(|party| {
            let mut locations = party.scope.clone();
            locations.sort_unstable();
            locations.dedup();
            let list = &mut all[party.template.index()].list;
            *known.entry((party.template, locations.clone())).or_insert_with(|| {
                list.push(locations);
                list.len().saturating_sub(1)
            })
        });
        of.push(scope);
    }
    for at in LocationId::all(program.locations.len()) {
        if !is_possible_for_others(program, at) {
            continue;
        }
        let scopes = &mut all[program.location(at).template.index()];
        let signature = scopes.list.iter().map(|scope| scope.binary_search(&at).is_ok()).collect();
        scopes.signatures.insert(signature);
    }
    (all, of)
}
