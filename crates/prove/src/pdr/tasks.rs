//! Which steps can make a state like a cube: an edge, and which thread of the cube acts, begins, or looks on.

use super::cube::Cube;
use crate::houdini::Whom;
use crate::translate;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{
    Edge, EdgeId, Effect, Expressions, LocationId, Program, Scope, TemplateId, VariableId,
};

/// A step that may lead to a cube.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub(super) edge: EdgeId,
    /// Where the threads stand before: the acting one, then those that look on.
    pub(super) stand: Vec<LocationId>,
    /// By thread of the cube: its number in the scene.
    pub(super) roles: Vec<usize>,
}

/// What is known about a program for finding tasks.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    program: &'a Program,
    main_is_single: bool,
}

impl<'a> Steps<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let starts_main = |edge: &Edge| started(edge) == Some(program.main);
        Self { program, main_is_single: !program.edges.iter().any(starts_main) }
    }

    /// Whether threads can stand so while the first of them takes a step.
    fn is_possible(&self, stand: &[LocationId]) -> bool {
        let is_main = |&&at: &&LocationId| self.program.location(at).template == self.program.main;
        let is_blocked = stand[1..].iter().any(|&at| self.program.location(at).is_atomic);
        !is_blocked && (!self.main_is_single || stand.iter().filter(is_main).count() <= 1)
    }

    /// The steps after which a state may be like a cube and before which it was not.
    pub(super) fn to(&self, table: &Expressions, cube: &Cube) -> Vec<Task> {
        let program = self.program;
        let reads = reads(program, table, cube);
        let mut tasks = Vec::new();
        for (index, edge) in program.edges.iter().enumerate() {
            let entry = started(edge).map(|it| program.templates[it.index()].entry);
            let at = |wanted: LocationId| (0..cube.threads.len()).filter(move |&i| cube.threads[i] == wanted);
            let actors: Vec<Option<usize>> = std::iter::once(None).chain(at(edge.to).map(Some)).collect();
            let new: Vec<Option<usize>> =
                std::iter::once(None).chain(entry.into_iter().flat_map(at).map(Some)).collect();
            for &actor in &actors {
                for &new in new.iter().filter(|&&new| new.is_none() || new != actor) {
                    let is_bystander = actor.is_none() && new.is_none();
                    if is_bystander && !is_noticed(program, edge, cube, &reads) {
                        continue;
                    }
                    tasks.extend(self.task(EdgeId::new(index), edge, cube, actor, new));
                }
            }
        }
        tasks
    }

    fn task(
        &self,
        id: EdgeId,
        edge: &Edge,
        cube: &Cube,
        actor: Option<usize>,
        new: Option<usize>,
    ) -> Option<Task> {
        let is_passive = |it: &usize| Some(*it) != actor && Some(*it) != new;
        let mut passive: Vec<usize> = (0..cube.threads.len()).filter(is_passive).collect();
        // By code, so that few scenes are needed.
        passive.sort_by_key(|&it| rank(self.program, cube.threads[it]));
        let mut stand = vec![edge.from];
        stand.extend(passive.iter().map(|&it| cube.threads[it]));
        if !self.is_possible(&stand) {
            return None;
        }
        let mut roles = vec![0; cube.threads.len()];
        for (place, &thread) in passive.iter().enumerate() {
            roles[thread] = place + 1;
        }
        if let Some(new) = new {
            roles[new] = passive.len() + 1;
        }
        Some(Task { edge: id, stand, roles })
    }
}

fn rank(program: &Program, at: LocationId) -> (usize, usize) {
    (program.location(at).template.index(), at.index())
}

/// The code that an edge starts a thread of.
pub(super) fn started(edge: &Edge) -> Option<TemplateId> {
    match edge.effect {
        Some(Effect::Spawn { template, .. }) => Some(template),
        _ => None,
    }
}

/// The shared variables that a cube depends on.
fn reads(program: &Program, table: &Expressions, cube: &Cube) -> FxHashSet<VariableId> {
    let own = cube.lits.iter().flat_map(|lit| translate::variables(table, lit.expression).own);
    own.filter(|&it| program.variable(it).scope == Scope::Shared).collect()
}

/// Whether a step of another thread can change what a cube says.
fn is_noticed(program: &Program, edge: &Edge, cube: &Cube, reads: &FxHashSet<VariableId>) -> bool {
    let is_about_thread = || cube.lits.iter().any(|lit| lit.whom != Whom::Nobody);
    let updates = match &edge.effect {
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates.as_slice(),
        _ => &[],
    };
    let is_updated = |at: &LocationId| updates.iter().any(|it| it.template == program.location(*at).template);
    edge.assignments.iter().any(|it| reads.contains(&it.target))
        || (is_about_thread() && cube.threads.iter().any(is_updated))
}
