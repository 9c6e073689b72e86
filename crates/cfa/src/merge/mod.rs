//! Larger steps: a program in which errors are reachable exactly if they are in the original, with the same number of
//! threads, but threads stand at fewer locations.
//!
//! Some locations are *kept*. A path between kept locations, without kept ones on the way, becomes one edge (`compose`
//! says how); locations that are not kept have no edges any more. All other numbers stay what they are. Kept are at least
//!
//! 1. the entries of templates, and the locations that are not inner ones: ends and errors;
//! 2. the targets of edges with an effect;
//! 3. if the target of an edge that is no *mover* (`movers` says which are) is not atomic: where a thread comes from there along
//!    *silent* edges, as far as these go (that is the target, if no silent edge leads from it);
//! 4. one location of every cycle.
//!
//! More are kept where composing is not possible or would be too much. Paths are left out if their guard is false, if they
//! do nothing, and if they consist of movers and lead to the end of the thread. At ends and errors no steps are taken.
//!
//! Movers are steps that have nothing to do with other threads, or that access what a lock protects which the thread holds, or
//! that take such a lock (right movers, after Lipton). So `lock(); x = …; y = …; unlock();` is one step if all accesses
//! to x and y are made under the lock.
//!
//! All this is done twice: a lock that is made of several steps, such as an atomic section that waits and sets, is a lock only when it has
//! become one step. Then what only copies of values were for is left out ([`prepare`]).
//!
//! # Why this is right
//!
//! Proofs do not rest on this: the checker has conditions of its own (`throng_check::c::check_stages`). But what it does not accept is no verdict.
//!
//! *What the merged program can do, the original can do.* Let the thread take the edges of the path one after the other
//! while no other thread does anything. When the first one is taken no other thread is at an atomic location, and that
//! stays so: by 2 only the last edge of a path may start a thread.
//!
//! *What the original can do, the merged program can do.* Consider a run of the original to its first state with an error.
//! Cut the steps of each thread where it comes to kept locations into *segments*; the last one may be incomplete. A segment
//! consists of movers m₁ … mᵢ, then edges v₁ … vⱼ that are none, with the thread at atomic locations between the latter, then
//! silent edges a₁ … aₖ (i, j or k may be 0, and k is 0 if j is): by 3, an edge that is no mover leads to an atomic location, from
//! where the next edge is no mover either, or to one from where only silent edges are taken until the segment ends.
//!
//! * Nobody else takes a step between v₁ and vⱼ, since the thread is at an atomic location.
//! * Move m₁ … mᵢ to directly before v₁ (if j is 0, to directly before mᵢ), by swapping neighbours m and s, where s is a step of another
//!   thread. There they can be taken, since the thread took a step there and movers neither lead to atomic locations nor from
//!   them. The steps of others that they are moved beyond can still be taken, since the thread is at locations that are not
//!   atomic. All these steps do what they did: s writes nothing that m reads, and neither reads nor writes what m
//!   writes, as `movers` shows of every run, and so of those on the way, too; m starts no thread, so that numbers stay; and it
//!   ends no thread if anybody asks.
//! * Move a₁ … aₖ to directly after vⱼ. They are possible there, since the thread is not at an atomic location and they always are, and
//!   they have nothing to do with the steps of others that they are moved before. Now each complete segment is taken without interruption, and is an edge of the merged
//!   program.
//! * Incomplete segments are left out. If j is 0, all steps of others that come after its movers may as well come before, so nothing
//!   in the run depends on them: not on a lock that was taken, either. Otherwise, if vⱼ leads to a location that is not atomic, the
//!   segment is completed instead: what is missing are silent edges, which are added after it, there being only one way (that
//!   they come to an end is 4). Otherwise the thread is at an atomic location that is not kept, so that no other thread has taken a
//!   step since: the last step of the run is its own. But the last step leads to an error, which is kept, or starts a thread at an
//!   error, and leads to a kept location by 2. So this does not happen.
//! * Segments of movers that lead to an end are left out too: their thread takes no more steps, and nobody asks for its
//!   end. As above, nothing depends on them. So are segments that change nothing.
//!
//! What remains is a run of the merged program to an error. In both directions the same threads are started. There are
//! finitely many paths, by 4.
//!
//! The same argument shows more, which tests rely on: the reachable states in which all threads are at kept locations that are neither
//! atomic nor ends are the same in both programs, with the values of all variables. (What is seen while a thread is between two kept
//! locations is not: there, a variable may have a value that others cannot see, since a lock protects it.)

mod alone;
mod compose;
mod locks;
mod movers;
mod rounds;
mod slice;

pub use slice::slice;

use crate::flow::{Edge, EdgeId, Expression, LocationId, LocationKind, NondetId, Program, Scope, VariableId};
use compose::{Composed, Composer, Then};
use movers::{Movers, movers};
use rustc_hash::FxHashMap;

/// So many paths from one location are fine, if some of them meet on the way.
const MAX_PATHS: usize = 32;
/// A good number of paths to meet where a location is kept because there are too many.
const GOOD_MEETING: usize = 6;

/// A program with larger steps.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The program. Locations, variables, templates, properties and sites have the same numbers as in the original, and so
    /// have its expressions and arbitrary values; new ones come after them.
    pub program: Program,
    /// By edge: the edges of the original that it is made of, in order.
    pub paths: Vec<Vec<EdgeId>>,
    /// By edge: what its arbitrary values are in the original.
    pub choices: Vec<Vec<Choice>>,
}

/// An arbitrary value of a part of a composed edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The place of the part in the path.
    pub part: usize,
    /// The number in the original.
    pub original: NondetId,
    /// The number in the composed edge.
    pub nondet: NondetId,
}

/// What is made of a program on the way to the one that proofs are about, one after the other. None of this is trusted: the checker has
/// the conditions under which each stage is as good as the one before (`throng_check::c::check_stages`).
#[derive(Clone, Debug)]
pub struct Stages {
    /// Without what cannot matter.
    pub sliced: Program,
    /// That in larger steps.
    pub first: Merged,
    /// That in larger steps again; the paths are of edges of `first`.
    pub second: Merged,
    /// That without what does not matter any more, such as variables that only carried a value from one small step to the next.
    pub last: Program,
}

/// Makes all stages.
pub fn stages(program: &Program) -> Stages {
    let sliced = slice(program);
    let first = merge_once(&sliced);
    let second = merge_once(&first.program);
    let last = slice(&second.program);
    Stages { sliced, first, second, last }
}

/// The program that proofs are about: the last of the [`Stages`]. The checker makes the same one by itself, and checks it.
pub fn prepare(program: &Program) -> Merged {
    let Stages { first, second, last, .. } = stages(program);
    Merged { program: last, ..rounds::together(&first, second) }
}

/// Makes larger steps.
pub fn merge(program: &Program) -> Merged {
    let first = merge_once(program);
    let second = merge_once(&first.program);
    rounds::together(&first, second)
}

/// Makes larger steps, one round of it.
pub fn merge_once(program: &Program) -> Merged {
    merge_movers(program, &movers(program))
}

/// The program without what cannot matter, in larger steps that leave every access to a shared variable a step of its own: what
/// threads see of each other is what its author wrote, also where locks protect it.
pub fn prepare_visible(program: &Program) -> Merged {
    let sliced = slice(program);
    let mut movers = movers(&sliced);
    for (is_mover, edge) in movers.is_mover.iter_mut().zip(&sliced.edges) {
        *is_mover &= !touches_shared(&sliced, edge);
    }
    merge_movers(&sliced, &movers)
}

fn touches_shared(program: &Program, edge: &Edge) -> bool {
    let is_shared = |variable: VariableId| program.variable(variable).scope == Scope::Shared;
    let reads = |id| match program.expressions.get(id) {
        Expression::Variable(variable) | Expression::Element(variable, _) => is_shared(variable),
        _ => false,
    };
    edge.assignments.iter().any(|assignment| is_shared(assignment.target))
        || program.expressions.subexpressions(edge.expressions()).into_iter().any(reads)
}

fn merge_movers(program: &Program, movers: &Movers) -> Merged {
    let mut is_kept = kept(program, movers);
    loop {
        let mut walk = Walk {
            program,
            is_mover: &movers.is_mover,
            is_kept: &mut is_kept,
            is_complete: true,
            composer: Composer::new(program),
            arrivals: FxHashMap::default(),
            found: Vec::new(),
        };
        let all = walk.all();
        if walk.is_complete {
            return assemble(program, walk.composer, all);
        }
    }
}

/// By location: whether it is kept by 1 to 3.
fn kept(program: &Program, movers: &Movers) -> Vec<bool> {
    let inner = |location: &crate::flow::Location| location.kind == LocationKind::Inner;
    let mut is_kept: Vec<bool> = program.locations.iter().map(|location| !inner(location)).collect();
    for template in &program.templates {
        is_kept[template.entry.index()] = true;
    }
    for (edge, is_mover) in program.edges.iter().zip(&movers.is_mover) {
        is_kept[edge.to.index()] |= edge.effect.is_some();
        if !is_mover && !program.location(edge.to).is_atomic {
            is_kept[after_silent(program, movers, edge.to).index()] = true;
        }
    }
    is_kept
}

/// Where silent edges lead from a location, as far as they go; on a cycle of them, some location of it.
fn after_silent(program: &Program, movers: &Movers, from: LocationId) -> LocationId {
    let mut at = from;
    for _ in 0..program.locations.len() {
        match program.edges_from(at).find(|(id, _)| movers.is_silent[id.index()]) {
            Some((_, edge)) => at = edge.to,
            None => return at,
        }
    }
    at
}

/// Finds the paths between kept locations. Where it finds that another location must be kept it says so, and goes on only
/// to find more of these.
struct Walk<'a> {
    program: &'a Program,
    is_mover: &'a [bool],
    is_kept: &'a mut [bool],
    is_complete: bool,
    composer: Composer<'a>,
    /// How often paths from the present location come to others that are not kept.
    arrivals: FxHashMap<LocationId, usize>,
    /// The paths from the present location.
    found: Vec<Composed>,
}

impl Walk<'_> {
    /// The paths from each kept location that threads come to.
    fn all(&mut self) -> Vec<Vec<Composed>> {
        let mut all = vec![Vec::new(); self.program.locations.len()];
        let mut is_seen = vec![false; self.program.locations.len()];
        let mut open: Vec<LocationId> =
            self.program.templates.iter().map(|template| template.entry).collect();
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut is_seen[location.index()], true)
                || self.program.location(location).kind != LocationKind::Inner
            {
                continue;
            }
            self.arrivals.clear();
            let nothing = self.composer.nothing();
            self.extend(&nothing, location);
            let found = std::mem::take(&mut self.found);
            open.extend(found.iter().map(|composed| self.target(composed)));
            all[location.index()] = found;
        }
        all
    }

    /// Where a path leads.
    fn target(&self, composed: &Composed) -> LocationId {
        let last = composed.parts.last().expect("a path has edges");
        self.program.edge(*last).to
    }

    /// Goes on with a path that has come to a location; whether there are not too many.
    fn extend(&mut self, before: &Composed, at: LocationId) -> bool {
        let program = self.program;
        for (id, edge) in program.edges_from(at) {
            let after = match self.composer.then(before, id) {
                Then::Together(after) => after,
                Then::Never => continue,
                Then::Apart => {
                    self.keep(at);
                    return true;
                }
            };
            if !self.is_kept[edge.to.index()] {
                if after.parts.iter().any(|&part| program.edge(part).from == edge.to) {
                    self.keep(edge.to);
                } else {
                    *self.arrivals.entry(edge.to).or_default() += 1;
                    if !self.extend(&after, edge.to) {
                        return false;
                    }
                    continue;
                }
            }
            if !self.finish(after) {
                return false;
            }
        }
        true
    }

    fn keep(&mut self, location: LocationId) {
        self.is_kept[location.index()] = true;
        self.is_complete = false;
    }

    /// Adds a path; whether there are not too many.
    fn finish(&mut self, composed: Composed) -> bool {
        let from = self.program.edge(composed.parts[0]).from;
        let to = self.target(&composed);
        let does_nothing = from == to && composed.assignments.is_empty() && composed.effect.is_none();
        let just_ends = self.program.location(to).kind == LocationKind::End
            && composed.parts.iter().all(|part| self.is_mover[part.index()]);
        if !does_nothing && !just_ends {
            self.found.push(composed);
        }
        if self.found.len() <= MAX_PATHS {
            return true;
        }
        let meetings = self.arrivals.iter().filter(|&(_, &n)| n > 1);
        match meetings.min_by_key(|&(&location, &n)| (n.abs_diff(GOOD_MEETING), location)) {
            Some((&location, _)) => {
                self.keep(location);
                false
            }
            None => true,
        }
    }
}

/// The program with composed edges.
fn assemble(program: &Program, composer: Composer, all: Vec<Vec<Composed>>) -> Merged {
    let mut merged = Merged {
        program: Program {
            edges: Vec::new(),
            expressions: composer.expressions,
            nondets: composer.nondets,
            ..program.clone()
        },
        paths: Vec::new(),
        choices: Vec::new(),
    };
    for (index, found) in all.into_iter().enumerate() {
        let first = EdgeId::new(merged.program.edges.len());
        let count = u32::try_from(found.len()).expect("fewer than 2^32 edges");
        merged.program.locations[index].edges = (first, count);
        for composed in found {
            let last = program.edge(*composed.parts.last().expect("a path has edges"));
            merged.program.edges.push(Edge {
                from: LocationId::new(index),
                to: last.to,
                guard: composed.guard,
                assignments: composed.assignments,
                effect: composed.effect,
                site: last.site,
            });
            merged.paths.push(composed.parts);
            merged.choices.push(composed.choices);
        }
    }
    merged
}
