//! What a thread shares with others, and where it is alone.
//!
//! For a thread of some code, *others* are the threads of other code and, unless the code is that of `main` and no edge starts
//! it, the other threads of the same code. Others *write* a variable if an edge of others assigns it, or a passive update does;
//! others *read* it if an edge of others does, or a passive update looks at it, or it is a result and some edge looks at
//! results. Only these can: an edge is about shared variables and its thread's own, a passive update about its thread's and
//! those of one other thread, and a look at results about the results of all threads.
//!
//! A thread at a location is *alone* if it is of `main`, no edge starts `main`, and on no way from the entry to this location
//! is there an edge that starts a thread. For the first thread that was started was started by the first thread of the run,
//! which has passed that edge since then.

use std::collections::BTreeSet;
use throng_cfa::flow::{Edge, Effect, Expression, Program, Scope, TemplateId, VariableId};

/// Who accesses a variable.
#[derive(Clone, Debug, Default)]
struct Access {
    /// The code with edges that read it, if it is shared.
    read_by: BTreeSet<TemplateId>,
    written_by: BTreeSet<TemplateId>,
    /// Somebody else reads it though it is a thread's own.
    is_looked_at: bool,
    is_updated: bool,
}

/// What is known of a program.
pub(super) struct Others {
    /// By edge: the variables at hand that its expressions read.
    pub(super) reads: Vec<Vec<VariableId>>,
    accesses: Vec<Access>,
    /// The code that one thread runs at most.
    single: Option<TemplateId>,
    /// Whether some edge asks for the ends of threads.
    pub(super) ends_are_seen: bool,
    /// By location: whether a thread there is the only one.
    pub(super) is_alone: Vec<bool>,
}

impl Others {
    pub(super) fn new(program: &Program) -> Self {
        let is_start = |edge: &Edge| matches!(edge.effect, Some(Effect::Spawn { template, .. }) if template == program.main);
        let single = (!program.edges.iter().any(is_start)).then_some(program.main);
        let mut accesses = vec![Access::default(); program.variables.len()];
        let mut ends_are_seen = false;
        for edge in &program.edges {
            ends_are_seen |= note(program, edge, &mut accesses);
        }
        let reads = program.edges.iter().map(|edge| reads(program, edge)).collect();
        let is_alone = match single {
            Some(main) => alone(program, main),
            None => vec![false; program.locations.len()],
        };
        Self { reads, accesses, single, ends_are_seen, is_alone }
    }

    /// Whether others than a thread of this code may read a variable.
    pub(super) fn read(&self, variable: VariableId, template: TemplateId) -> bool {
        let access = &self.accesses[variable.index()];
        access.is_looked_at || self.are_others(&access.read_by, template)
    }

    /// Whether others than a thread of this code may write a variable.
    pub(super) fn write(&self, variable: VariableId, template: TemplateId) -> bool {
        let access = &self.accesses[variable.index()];
        access.is_updated || self.are_others(&access.written_by, template)
    }

    fn are_others(&self, users: &BTreeSet<TemplateId>, template: TemplateId) -> bool {
        users.iter().any(|&user| user != template || self.single != Some(template))
    }
}

fn reads(program: &Program, edge: &Edge) -> Vec<VariableId> {
    let all = program.expressions.subexpressions(edge.expressions()).into_iter();
    let variable = |id| match program.expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) => Some(v),
        _ => None,
    };
    all.filter_map(variable).collect()
}

/// Notes what an edge accesses; tells whether it asks for ends.
fn note(program: &Program, edge: &Edge, accesses: &mut [Access]) -> bool {
    let template = program.location(edge.from).template;
    let is_shared = |v: VariableId| program.variable(v).scope == Scope::Shared;
    let mut asks = false;
    for id in program.expressions.subexpressions(edge.expressions()) {
        match program.expressions.get(id) {
            Expression::Variable(v) | Expression::Element(v, _) if is_shared(v) => {
                accesses[v.index()].read_by.insert(template);
            }
            Expression::Passive(v) => accesses[v.index()].is_looked_at = true,
            Expression::HasEnded(_) => asks = true,
            Expression::ResultOf(_) => {
                let results = program.templates.iter().filter_map(|it| it.result);
                results.for_each(|result| accesses[result.index()].is_looked_at = true);
            }
            _ => {}
        }
    }
    for assignment in edge.assignments.iter().filter(|assignment| is_shared(assignment.target)) {
        accesses[assignment.target.index()].written_by.insert(template);
    }
    for &(target, _) in edge.updates().iter().flat_map(|update| &update.assignments) {
        accesses[target.index()].is_updated = true;
    }
    asks
}

/// By location: whether it is of `main` and cannot be reached from its entry by a way on which a thread is started.
fn alone(program: &Program, main: TemplateId) -> Vec<bool> {
    let mut is_alone: Vec<bool> =
        program.locations.iter().map(|location| location.template == main).collect();
    let mut is_seen = vec![[false; 2]; program.locations.len()];
    let mut open = vec![(program.templates[main.index()].entry, false)];
    while let Some((at, is_late)) = open.pop() {
        if std::mem::replace(&mut is_seen[at.index()][usize::from(is_late)], true) {
            continue;
        }
        is_alone[at.index()] &= !is_late;
        for (_, edge) in program.edges_from(at) {
            open.push((edge.to, is_late || matches!(edge.effect, Some(Effect::Spawn { .. }))));
        }
    }
    is_alone
}
