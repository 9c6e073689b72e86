//! Larger steps: each edge is a path of edges of the program before, and no path is missing that matters.
//!
//! *Kept* are the entries, the locations that are not inner ones, and all where edges of the larger program begin or end. From
//! each kept location that threads of the larger program come to, all paths of the program before are followed until they come
//! to a kept one. The conditions on the way, and why they are enough, stand in the parent module; `compare` looks at what a
//! path does. A condition is not asked for where the path so far is impossible.

use super::compare;
use super::movers::{Movers, Needs};
use super::symbolic::{Deed, Workshop};
use super::{stopped, too_large, wrong};
use crate::Rejection;
use throng_base::Budget;
use throng_cfa::flow::{Edge, EdgeId, LocationId, LocationKind, Program};
use throng_cfa::merge::Merged;

/// So many parts of paths from one location are followed.
const MOST_SEGMENTS: usize = 200_000;

/// What others may notice of a thread that is on its way.
enum Phase {
    /// Nothing: the steps so far are moving.
    Moving(Needs),
    /// Something, but they cannot act.
    Atomic,
    /// Something, and they can act; nothing will be noticed until a kept location.
    Settling,
}

/// A path from a kept location.
struct Segment {
    at: LocationId,
    parts: Vec<EdgeId>,
    deed: Deed,
    phase: Phase,
}

/// Follows all paths.
pub(super) struct Walk<'a> {
    before: &'a Program,
    merged: &'a Merged,
    movers: Movers<'a>,
    is_kept: Vec<bool>,
    /// By edge of the larger program: whether its path was found.
    is_found: Vec<bool>,
    budget: &'a Budget,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        before: &'a Program,
        merged: &'a Merged,
        budget: &'a Budget,
    ) -> Result<Self, Rejection> {
        let after = &merged.program;
        let n_edges = after.edges.len();
        if merged.paths.len() != n_edges || merged.choices.len() != n_edges {
            return Err(wrong("the merged program", "it is not known what its edges are made of"));
        }
        let mut is_kept: Vec<bool> =
            before.locations.iter().map(|location| location.kind != LocationKind::Inner).collect();
        let entries = before.templates.iter().map(|template| template.entry);
        let ends = after.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        entries.chain(ends).for_each(|at| is_kept[at.index()] = true);
        let movers = Movers::new(before);
        Ok(Self { before, merged, movers, is_kept, is_found: vec![false; n_edges], budget })
    }

    /// Follows the paths from all kept locations that threads come to.
    pub(super) fn check(mut self) -> Result<(), Rejection> {
        let goes_on = |edge: &Edge| self.before.location(edge.from).kind == LocationKind::End;
        if self.before.edges.iter().any(goes_on) {
            return Err(wrong("the program", "a thread goes on after its end"));
        }
        let mut is_seen = vec![false; self.before.locations.len()];
        let mut open: Vec<LocationId> = self.before.templates.iter().map(|it| it.entry).collect();
        while let Some(at) = open.pop() {
            let is_known = std::mem::replace(&mut is_seen[at.index()], true);
            if is_known || self.before.location(at).kind != LocationKind::Inner {
                continue;
            }
            self.budget.check().map_err(stopped)?;
            self.from(at)?;
            open.extend(self.merged.program.edges_from(at).map(|(_, edge)| edge.to));
        }
        // What begins where nobody comes to does no harm.
        let is_extra = |(edge, is_found): (&Edge, &bool)| is_seen[edge.from.index()] && !is_found;
        match self.merged.program.edges.iter().zip(&self.is_found).position(is_extra) {
            Some(index) => Err(wrong(self.merged_edge(index), "no path of the program is like this")),
            None => Ok(()),
        }
    }

    /// Follows the paths from a kept location.
    fn from(&mut self, start: LocationId) -> Result<(), Rejection> {
        let mut workshop = Workshop::default();
        let mut n_segments = 0_usize;
        let phase = Phase::Moving(Needs::new());
        let mut open = vec![Segment { at: start, parts: Vec::new(), deed: Deed::default(), phase }];
        while let Some(segment) = open.pop() {
            n_segments = n_segments.saturating_add(1);
            if n_segments > MOST_SEGMENTS {
                return Err(too_large(self.place(start), "there are too many paths from here"));
            }
            if matches!(segment.phase, Phase::Settling) && !self.is_settled(segment.at) {
                let reason = "others may act here and see what the thread has done, so it may not be passed";
                self.unless_impossible(&mut workshop, &segment, reason)?;
                continue;
            }
            for (id, _) in self.before.edges_from(segment.at) {
                if let Some(next) = self.extended(&mut workshop, &segment, id)? {
                    open.push(next);
                }
            }
        }
        Ok(())
    }

    /// Whether there is one way on from a location, which nobody notices.
    fn is_settled(&self, at: LocationId) -> bool {
        self.before.edges_from(at).next().is_some_and(|(id, _)| self.movers.is_silent(id))
    }

    /// A path with one more edge, if it is not at its end then.
    fn extended(
        &mut self,
        workshop: &mut Workshop,
        segment: &Segment,
        id: EdgeId,
    ) -> Result<Option<Segment>, Rejection> {
        let edge = self.before.edge(id);
        let place = segment.parts.len();
        let deed = workshop.then(self.before, &segment.deed, edge, &|terms, nondet, bits| {
            compare::arbitrary(terms, place, nondet, bits)
        });
        let Some(deed) = deed else {
            let reason = "it looks at results after the thread has assigned its own";
            return self.unless_impossible(workshop, segment, reason).map(|()| None);
        };
        let mut parts = segment.parts.clone();
        parts.push(id);
        let next = Segment { at: edge.to, parts, deed, phase: self.phase(&segment.phase, id) };
        let guard = workshop.guard(&next.deed);
        if workshop.terms.is_false(guard) {
            return self.leave(workshop, &next.parts).map(|()| None);
        }
        if self.is_kept[edge.to.index()] {
            return self.complete(workshop, &next).map(|()| None);
        }
        let reason = if edge.effect.is_some() {
            "a step with an effect on other threads is followed by others"
        } else if next.parts.iter().any(|&part| self.before.edge(part).from == edge.to) {
            "a cycle is without a location that is kept"
        } else {
            return Ok(Some(next));
        };
        self.unless_impossible(workshop, &next, reason).map(|()| None)
    }

    fn phase(&self, before: &Phase, id: EdgeId) -> Phase {
        let moving = match before {
            Phase::Moving(needs) => self.movers.moving(needs, id),
            // Only a silent edge is taken there.
            Phase::Settling => return Phase::Settling,
            Phase::Atomic => None,
        };
        match moving {
            Some(needs) => Phase::Moving(needs),
            None if self.before.location(self.before.edge(id).to).is_atomic => Phase::Atomic,
            None => Phase::Settling,
        }
    }

    /// A path between kept locations is an edge, or it need not be one.
    fn complete(&mut self, workshop: &mut Workshop, segment: &Segment) -> Result<(), Rejection> {
        let start = self.before.edge(segment.parts[0]).from;
        let mut edges = self.merged.program.edges_from(start).map(|(id, _)| id);
        let found = edges.find(|id| self.merged.paths[id.index()] == segment.parts);
        let program = self.before;
        if let Some(id) = found {
            self.is_found[id.index()] = true;
            let differs = compare::differ(program, self.merged, id, &segment.deed, workshop)
                .map_err(|reason| wrong(self.merged_edge(id.index()), reason))?;
            let is_same = workshop.is_impossible(differs, self.budget).map_err(stopped)?;
            let reason = "it does not do what its path does";
            return if is_same { Ok(()) } else { Err(wrong(self.merged_edge(id.index()), reason)) };
        }
        let is_end = program.location(segment.at).kind == LocationKind::End;
        if is_end && matches!(segment.phase, Phase::Moving(_)) {
            return Ok(());
        }
        let has_effect = segment.parts.iter().any(|&part| program.edge(part).effect.is_some());
        if start == segment.at && !has_effect {
            let changes = compare::changes(program, &segment.deed, workshop);
            if workshop.is_impossible(changes, self.budget).map_err(stopped)? {
                return Ok(());
            }
        }
        self.unless_impossible(workshop, segment, "a path from here is left out")
    }

    /// A rejection, unless the path so far is impossible.
    fn unless_impossible(
        &mut self,
        workshop: &mut Workshop,
        segment: &Segment,
        reason: &str,
    ) -> Result<(), Rejection> {
        let guard = workshop.guard(&segment.deed);
        if workshop.is_impossible(guard, self.budget).map_err(stopped)? {
            return self.leave(workshop, &segment.parts);
        }
        let start = segment.parts.first().map_or(segment.at, |&part| self.before.edge(part).from);
        let path: Vec<String> = segment.parts.iter().map(|part| part.index().to_string()).collect();
        let reason = format!("{reason} (location {}, after edges {})", segment.at.index(), path.join(", "));
        Err(wrong(self.place(start), reason))
    }

    /// A path that is impossible is not followed any more. Edges that are said to be made of it must be impossible, too.
    fn leave(&mut self, workshop: &mut Workshop, parts: &[EdgeId]) -> Result<(), Rejection> {
        let after = &self.merged.program;
        let Some(&first) = parts.first() else { return Ok(()) };
        for (id, edge) in after.edges_from(self.before.edge(first).from) {
            if !self.merged.paths[id.index()].starts_with(parts) {
                continue;
            }
            let done =
                workshop.then(after, &Deed::default(), edge, &|terms, _, bits| terms.fresh("any", bits));
            let guard = done.map(|done| workshop.guard(&done));
            let is_impossible = match guard {
                Some(guard) => workshop.is_impossible(guard, self.budget).map_err(stopped)?,
                None => false,
            };
            if !is_impossible {
                return Err(wrong(self.merged_edge(id.index()), "it is possible, but its path is not"));
            }
            self.is_found[id.index()] = true;
        }
        Ok(())
    }

    fn place(&self, at: LocationId) -> String {
        let position = &self.before.site(self.before.location(at).site).position;
        format!("location {} at {}:{}", at.index(), position.file, position.line)
    }

    fn merged_edge(&self, index: usize) -> String {
        format!(
            "edge {index} of the merged program, from {}",
            self.place(self.merged.program.edges[index].from)
        )
    }
}
