//! What of a program can matter to where its threads come: variables that no guard depends on are left out of states, and
//! values that nobody looks at are not tried out.
//!
//! A variable is *relevant* if a guard reads it, or an assignment to a relevant variable does. By induction on the steps,
//! two states that agree on relevant variables have the same steps, and agree on them afterwards.

use rustc_hash::FxHashSet;
use throng_cfa::flow::{Edge, Effect, Expression, ExpressionId, NondetId, Program, Scope, VariableId};

/// What matters.
pub(super) struct Relevant {
    /// By variable.
    pub(super) variables: Vec<bool>,
    /// By edge, the arbitrary values in expressions that matter.
    pub(super) nondets: Vec<Vec<NondetId>>,
    /// Whether the number of a thread matters.
    pub(super) numbers: bool,
}

/// What matters in a program, if these expressions do too.
pub(super) fn relevant(program: &Program, more: &[ExpressionId]) -> Relevant {
    let mut variables = vec![false; program.variables.len()];
    let mut seen: FxHashSet<ExpressionId> = FxHashSet::default();
    let mut numbers = false;
    loop {
        let before = seen.len();
        let of_edges = program.edges.iter().flat_map(|edge| roots(edge, &variables));
        let all: Vec<ExpressionId> = of_edges.chain(more.iter().copied()).collect();
        for id in all.into_iter().flat_map(|root| subterms(program, root)) {
            if seen.insert(id) {
                numbers |= visit(program, id, &mut variables);
            }
        }
        if seen.len() == before {
            break;
        }
    }
    let nondets = program.edges.iter().map(|edge| {
        let mut list: Vec<NondetId> = Vec::new();
        for id in roots(edge, &variables).into_iter().flat_map(|root| subterms(program, root)) {
            if let Expression::Nondet(nondet) = program.expressions.get(id)
                && !list.contains(&nondet)
            {
                list.push(nondet);
            }
        }
        list
    });
    let nondets = nondets.collect();
    Relevant { variables, nondets, numbers }
}

/// Marks the variables that an expression reads by itself; tells whether it is about numbers of threads.
fn visit(program: &Program, id: ExpressionId, variables: &mut [bool]) -> bool {
    match program.expressions.get(id) {
        Expression::Variable(variable) | Expression::Element(variable, _) | Expression::Passive(variable) => {
            variables[variable.index()] = true;
            false
        }
        Expression::ResultOf(_) => {
            let results = program.templates.iter().filter_map(|template| template.result);
            results.for_each(|variable: VariableId| variables[variable.index()] = true);
            true
        }
        Expression::ThisThread | Expression::NewThread | Expression::HasEnded(_) => true,
        _ => false,
    }
}

/// The expressions of an edge that matter if these variables do.
fn roots(edge: &Edge, variables: &[bool]) -> Vec<ExpressionId> {
    let mut roots = vec![edge.guard];
    for assignment in edge.assignments.iter().filter(|a| variables[a.target.index()]) {
        roots.extend(assignment.index);
        roots.push(assignment.value);
    }
    let mut assigned = |list: &[(VariableId, ExpressionId)]| {
        roots.extend(list.iter().filter(|(target, _)| variables[target.index()]).map(|(_, value)| *value));
    };
    match &edge.effect {
        None => {}
        Some(Effect::Spawn { arguments, .. }) => assigned(arguments),
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
            updates.iter().for_each(|update| assigned(&update.assignments));
            roots.extend(updates.iter().map(|update| update.guard));
        }
    }
    roots
}

/// An expression with all below it, each once.
fn subterms(program: &Program, root: ExpressionId) -> Vec<ExpressionId> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(&id) = all.get(next) {
        next += 1;
        for operand in program.expressions.operands(id) {
            if !all.contains(&operand) {
                all.push(operand);
            }
        }
    }
    all
}

/// The places of relevant variables among those of their scope, and how many scalars each scope has: the shared ones,
/// then each template's.
pub(super) fn places(program: &Program, relevant: &[bool]) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut sizes = vec![0; 1 + program.templates.len()];
    let places = program.variables.iter().zip(relevant).map(|(variable, &is_relevant)| {
        let scope = match variable.scope {
            Scope::Shared => 0,
            Scope::Local(template) => 1 + template.index(),
        };
        let place = sizes[scope];
        is_relevant.then(|| {
            sizes[scope] += variable.length as usize;
            place
        })
    });
    let places = places.collect();
    (places, sizes)
}
