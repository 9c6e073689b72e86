//! What has no model, and whether it matters.
//!
//! An arbitrary value that stands for something without a model matters if it is in the cone of influence of the guards:
//! guards decide where threads go, and so whether an error is reached. A variable is in the cone if a guard, or an
//! expression that is assigned to a variable in the cone, or an index of such an assignment mentions it. All guards count but
//! those of branches that decide nothing (`detours`): a value outside of the cone cannot change which of the other edges can be
//! taken.
//!
//! Members of a union that share memory without being the same scalar: if one of them is in the cone and another one is
//! written to, what the first holds is not known. For variables of one thread it is enough that each member is written
//! again before it is read after another one was written.

use super::Lower;
use super::detours::Detours;
use super::fuse::variables_of;
use crate::hir::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use throng_base::{Diagnostic, Severity};
use throng_cfa::flow::{
    Assignment, Edge, Effect, Expression, ExpressionId, LocationId, NondetId, Program, Scope, SiteId,
    VariableId,
};

/// Two variables that have memory in common, and what is said if both are used.
pub(super) struct Overlap {
    pub(super) first: VariableId,
    pub(super) second: VariableId,
    pub(super) diagnostic: Diagnostic,
}

/// Variables of the same object that have memory in common: library objects in unions.
pub(super) fn overlapping(lower: &mut Lower<'_>) -> Vec<Overlap> {
    let mut by_object: FxHashMap<ObjectId, Vec<(VariableId, usize)>> = FxHashMap::default();
    let mut origins: Vec<(VariableId, (ObjectId, usize))> =
        lower.memory.origins.iter().map(|(&v, &o)| (v, o)).collect();
    origins.sort();
    for (variable, (object, cell)) in origins {
        by_object.entry(object).or_default().push((variable, cell));
    }
    let mut objects: Vec<_> = by_object.into_iter().collect();
    objects.sort();
    let mut out = Vec::new();
    for (object, variables) in objects {
        let shape = lower.shape_of(object);
        for &(first, a) in &variables {
            for &(second, b) in &variables {
                let same_scope =
                    lower.variables[first.index()].scope == lower.variables[second.index()].scope;
                if a != b && same_scope && shape.cells[a].overlaps(&shape.cells[b]) {
                    let (one, other) = (&lower.variables[first.index()], &lower.variables[second.index()]);
                    let message = format!(
                        "`{}` and `{}` share memory and are both used: reading a union through another member is not modelled",
                        one.name, other.name
                    );
                    let span = lower.program.objects.get(object.index()).map(|object| object.span);
                    let diagnostic = lower.program.text.error("E0718", message, span.unwrap_or_default());
                    let diagnostic = diagnostic.hint("use a struct, or one member only");
                    out.push(Overlap { first, second, diagnostic });
                }
            }
        }
    }
    out
}

/// What is said about what has no model.
#[derive(Default)]
pub(super) struct Refusals {
    /// Why the program is refused.
    pub(super) errors: Vec<Diagnostic>,
    /// If all is listed: what cannot matter.
    pub(super) harmless: Vec<Diagnostic>,
}

/// Why the program is refused for what has no model.
pub(super) fn refusals(
    program: &Program,
    unmodelled: &FxHashMap<NondetId, Diagnostic>,
    overlaps: &[Overlap],
    is_listing: bool,
) -> Refusals {
    let mut out = Refusals::default();
    if unmodelled.is_empty() && overlaps.is_empty() {
        return out;
    }
    let mut cone = Cone::new(program, |_| true);
    let overlapping =
        |cone: &Cone| overlaps.iter().any(|overlap| cone.variables.contains_key(&overlap.first));
    if unmodelled.keys().any(|number| cone.nondets.contains_key(number)) || overlapping(&cone) {
        cone = Cone::without_detours(program);
    }
    let mut numbers: Vec<&NondetId> = unmodelled.keys().collect();
    numbers.sort();
    // One error for each cause, however many values it has: with the first way in which it matters.
    let mut told: Vec<&Diagnostic> = Vec::new();
    for &number in numbers.iter().filter(|number| cone.nondets.contains_key(number)) {
        let diagnostic = &unmodelled[number];
        if !told.contains(&diagnostic) {
            told.push(diagnostic);
            let mut error = diagnostic.clone();
            error.notes.extend(cone.chain(program, *number));
            out.errors.push(error);
        }
    }
    for overlap in overlaps {
        let matters = cone.variables.contains_key(&overlap.first) && is_stale_read(program, overlap);
        if matters && !out.errors.contains(&overlap.diagnostic) {
            out.errors.push(overlap.diagnostic.clone());
        } else if !matters && is_listing {
            out.harmless.push(harmless(&overlap.diagnostic));
        }
    }
    for &number in numbers.iter().filter(|_| is_listing) {
        let diagnostic = &unmodelled[number];
        if !told.contains(&diagnostic) {
            told.push(diagnostic);
            out.harmless.push(harmless(diagnostic));
        }
    }
    out
}

/// The same, of what cannot matter.
fn harmless(diagnostic: &Diagnostic) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    diagnostic.severity = Severity::Warning;
    diagnostic.notes = vec!["it does not matter: it cannot influence whether an error is reached".to_owned()];
    diagnostic.hints.clear();
    diagnostic
}

/// Whether the first variable may be read after the second was written and before it was written itself. For shared
/// variables, whether it is read and the other one is written at all.
fn is_stale_read(program: &Program, overlap: &Overlap) -> bool {
    let writes = |edge: &Edge, variable: VariableId| {
        let is_nonzero = |a: &&Assignment| program.expressions.as_constant(a.value) != Some(0);
        edge.assignments.iter().filter(is_nonzero).any(|a| a.target == variable)
    };
    let clears =
        |edge: &Edge| edge.assignments.iter().any(|a| a.target == overlap.first && a.index.is_none());
    // There is one thread of main's template: what only it uses is its own.
    let is_elsewhere = |edge: &Edge| {
        program.location(edge.from).template != program.main
            && [overlap.first, overlap.second].iter().any(|&v| writes(edge, v) || reads(program, edge, v))
    };
    let is_shared = program.variable(overlap.first).scope == Scope::Shared;
    if is_shared && program.edges.iter().any(is_elsewhere) {
        return program.edges.iter().any(|edge| writes(edge, overlap.second));
    }
    let mut is_stale = vec![false; program.locations.len()];
    let mut queue: Vec<usize> = Vec::new();
    let mark = |location: LocationId, is_stale: &mut Vec<bool>, queue: &mut Vec<usize>| {
        if !std::mem::replace(&mut is_stale[location.index()], true) {
            queue.push(location.index());
        }
    };
    for edge in program.edges.iter().filter(|edge| writes(edge, overlap.second)) {
        mark(edge.to, &mut is_stale, &mut queue);
    }
    while let Some(location) = queue.pop() {
        for (_, edge) in program.edges_from(LocationId::new(location)) {
            if reads(program, edge, overlap.first) {
                return true;
            }
            if !clears(edge) {
                mark(edge.to, &mut is_stale, &mut queue);
            }
        }
    }
    false
}

/// Whether an edge reads a variable.
fn reads(program: &Program, edge: &Edge, variable: VariableId) -> bool {
    let mut all = Vec::new();
    let e = &program.expressions;
    variables_of(e, edge.guard, &mut all);
    for assignment in &edge.assignments {
        variables_of(e, assignment.value, &mut all);
        assignment.index.iter().for_each(|&index| variables_of(e, index, &mut all));
    }
    for expression in edge.effect.iter().flat_map(Effect::expressions) {
        variables_of(e, expression, &mut all);
    }
    all.contains(&variable)
}

/// How something can influence a guard: by the variable that it is stored in, if there is one, and where.
#[derive(Clone, Copy)]
struct Link {
    into: Option<VariableId>,
    site: SiteId,
}

/// What can influence the guards.
struct Cone {
    variables: FxHashMap<VariableId, Link>,
    nondets: FxHashMap<NondetId, Link>,
}

/// How many steps of a chain are told.
const MAX_CHAIN: usize = 6;

impl Cone {
    /// What can influence the branches that decide something. What matters makes more branches matter, and so on.
    fn without_detours(program: &Program) -> Self {
        let detours = Detours::new(program);
        let mut relevant: FxHashSet<VariableId> = FxHashSet::default();
        loop {
            let cone = Self::new(program, |edge| !detours.is_detour(edge.from, &relevant));
            let n_relevant = relevant.len();
            relevant.extend(cone.variables.keys());
            if relevant.len() == n_relevant {
                return cone;
            }
        }
    }

    /// What can influence the guards of edges that count.
    fn new(program: &Program, counts: impl Fn(&Edge) -> bool) -> Self {
        let sources = sources(program);
        let mut this = Self { variables: FxHashMap::default(), nondets: FxHashMap::default() };
        let mut seen = FxHashSet::default();
        let mut queue: VecDeque<(ExpressionId, Link)> = VecDeque::new();
        for edge in program.edges.iter().filter(|edge| counts(edge)) {
            let link = Link { into: None, site: edge.site };
            queue.push_back((edge.guard, link));
            if let Some(Effect::Broadcast(updates) | Effect::Signal(updates)) = &edge.effect {
                queue.extend(updates.iter().map(|update| (update.guard, link)));
            }
        }
        while let Some((id, link)) = queue.pop_front() {
            if !seen.insert(id) {
                continue;
            }
            let mut variables = Vec::new();
            variables_of(&program.expressions, id, &mut variables);
            this.mark(program, id, link, &mut variables);
            for variable in variables {
                if let Entry::Vacant(entry) = this.variables.entry(variable) {
                    entry.insert(link);
                    let found = sources.get(&variable).into_iter().flatten();
                    let next = |&(id, site)| (id, Link { into: Some(variable), site });
                    queue.extend(found.map(next));
                }
            }
        }
        this
    }

    /// Arbitrary values of an expression, and the results of threads if it looks at them.
    fn mark(&mut self, program: &Program, id: ExpressionId, link: Link, variables: &mut Vec<VariableId>) {
        let mut queue = vec![id];
        let mut seen = FxHashSet::default();
        while let Some(id) = queue.pop() {
            if !seen.insert(id) {
                continue;
            }
            match program.expressions.get(id) {
                Expression::Nondet(nondet) => {
                    self.nondets.entry(nondet).or_insert(link);
                }
                Expression::ResultOf(_) => {
                    variables.extend(program.templates.iter().filter_map(|template| template.result));
                }
                _ => {}
            }
            queue.extend(program.expressions.operands(id));
        }
    }

    /// Through which statements an arbitrary value comes to a guard, in words.
    fn chain(&self, program: &Program, nondet: NondetId) -> Option<String> {
        let mut link = *self.nondets.get(&nondet)?;
        let place = |site: SiteId| {
            let position = &program.site(site).position;
            format!("{}:{}", position.file, position.line)
        };
        let mut steps: Vec<String> = Vec::new();
        while let Some(variable) = link.into {
            let known = program.variable(variable);
            if !known.is_ghost && steps.len() < MAX_CHAIN {
                steps.push(format!("`{}` ({})", known.name, place(link.site)));
            }
            link = *self.variables.get(&variable)?;
        }
        let through = match &steps[..] {
            [] => String::new(),
            steps => format!(" through {}", steps.join(", then ")),
        };
        Some(format!("it decides what happens at {}{through}", place(link.site)))
    }
}

/// For each variable, the expressions that decide its value, and where.
fn sources(program: &Program) -> FxHashMap<VariableId, Vec<(ExpressionId, SiteId)>> {
    let mut out: FxHashMap<VariableId, Vec<(ExpressionId, SiteId)>> = FxHashMap::default();
    for edge in &program.edges {
        for assignment in &edge.assignments {
            let list = out.entry(assignment.target).or_default();
            list.push((assignment.value, edge.site));
            list.extend(assignment.index.map(|index| (index, edge.site)));
        }
        match &edge.effect {
            Some(Effect::Spawn { arguments, .. }) => {
                for &(variable, value) in arguments {
                    out.entry(variable).or_default().push((value, edge.site));
                }
            }
            Some(effect @ (Effect::Broadcast(updates) | Effect::Signal(updates))) => {
                for update in updates {
                    for &(variable, _) in &update.assignments {
                        let all = effect.expressions().into_iter().map(|id| (id, edge.site));
                        out.entry(variable).or_default().extend(all);
                    }
                }
            }
            None => {}
        }
    }
    out
}
