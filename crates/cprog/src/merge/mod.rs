//! Larger steps: a program in which errors are reachable exactly if they are in the original, with the same number of
//! threads, but threads stand at fewer locations.
//!
//! Some locations are *kept*. A path between kept locations, without kept ones on the way, becomes one edge (`compose`
//! says how); locations that are not kept have no edges any more. All other numbers stay what they are. Kept are at least
//!
//! 1. the entries of templates, and the locations that are not inner ones: ends and errors;
//! 2. the targets of edges with an effect;
//! 3. the targets of edges that are not *own* (`own` says which are), if these targets are not atomic;
//! 4. one location of every cycle.
//!
//! More are kept where composing is not possible or would be too much. Paths are left out if their guard is false, if they
//! do nothing, and if they consist of own edges and lead to the end of the thread. At ends and errors no steps are taken.
//!
//! # Why this is right
//!
//! *What the merged program can do, the original can do.* Let the thread take the edges of the path one after the other
//! while no other thread does anything. When the first one is taken no other thread is at an atomic location, and that
//! stays so: by 2 only the last edge of a path may start a thread.
//!
//! *What the original can do, the merged program can do.* Consider a run of the original to its first state with an error.
//! Cut the steps of each thread where it comes to kept locations into *segments*; the last one may be incomplete. A segment
//! consists of own edges o₁ … oᵢ and then edges v₁ … vⱼ that are not own, with the thread at atomic locations
//! between the latter (i or j may be 0): by 3, an edge that is not own leads to a kept location, where the segment
//! ends, or to an atomic one, from where the next edge is not own either.
//!
//! * Nobody else takes a step between v₁ and vⱼ, since the thread is at an atomic location.
//! * Move o₁ … oᵢ to directly before v₁ (if j is 0, to directly before oᵢ). There they can be taken, since the thread took a
//!   step there and own edges neither lead to atomic locations nor from them. The steps of others that they are moved
//!   beyond can still be taken, since the thread is at locations that are not atomic. All these steps do what they did: what
//!   an own edge reads is not written by others, and what it writes is neither read nor written by others; it starts no
//!   thread, so that numbers stay; and it ends no thread if anybody asks. Now each complete segment is taken without
//!   interruption, and is an edge of the merged program.
//! * Incomplete segments are left out. If j is 0, nothing else in the run depends on them. Otherwise the thread is at
//!   an atomic location that is not kept, so that no other thread has taken a step since: the last step of the run is
//!   its own. But the last step leads to an error, which is kept, or starts a thread at an error, and leads to
//!   a kept location by 2. So this does not happen.
//! * Segments of own edges that lead to an end are left out too: their thread takes no more steps, and nobody asks for its
//!   end. So are those that change nothing.
//!
//! What remains is a run of the merged program to an error. In both directions the same threads are started. There are
//! finitely many paths, by 4.
//!
//! The same argument shows more, which tests rely on: what others may notice of the states in which no thread is at an
//! atomic location is the same in both programs.

mod compose;
mod own;
mod slice;

pub use slice::slice;

use crate::flow::{Edge, EdgeId, LocationId, LocationKind, NondetId, Program};
use compose::{Composed, Composer, Then};
use own::own_edges;
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

/// Makes larger steps.
pub fn merge(program: &Program) -> Merged {
    let is_own = own_edges(program);
    let mut is_kept = kept(program, &is_own);
    loop {
        let mut walk = Walk {
            program,
            is_own: &is_own,
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
fn kept(program: &Program, is_own: &[bool]) -> Vec<bool> {
    let inner = |location: &crate::flow::Location| location.kind == LocationKind::Inner;
    let mut is_kept: Vec<bool> = program.locations.iter().map(|location| !inner(location)).collect();
    for template in &program.templates {
        is_kept[template.entry.index()] = true;
    }
    for (edge, is_own) in program.edges.iter().zip(is_own) {
        let is_visible = !is_own && !program.location(edge.to).is_atomic;
        is_kept[edge.to.index()] |= is_visible || edge.effect.is_some();
    }
    is_kept
}

/// Finds the paths between kept locations. Where it finds that another location must be kept it says so, and goes on only
/// to find more of these.
struct Walk<'a> {
    program: &'a Program,
    is_own: &'a [bool],
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
            && composed.parts.iter().all(|part| self.is_own[part.index()]);
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
