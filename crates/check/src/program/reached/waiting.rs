//! Threads that the root may have started before.
//!
//! On the *circle* of an edge that starts a thread, the root can take edges that are always possible and change nothing until
//! it starts the thread, which is always possible as well and gives it nothing of the root's, and then such edges until it is
//! where it was. All that happens outside of atomic sections. When the root came to a location of the circle, it was its own step
//! that brought it there (or the start), so nobody was in an atomic section. Then it could have gone round as often as one
//! likes, and nothing would have changed but that there are more threads that have done nothing yet.
//!
//! So if the root is where it cannot have come without having been on the circle, any number of such threads may be there.

use super::diagram::{FULL, Set};
use super::variables::{Blocks, ROOT};
use super::{Performer, Result, Wrong};
use std::collections::BTreeSet;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};

impl Performer<'_> {
    /// Where the root is when it may have started any number of threads along an edge.
    pub(super) fn where_threads_wait(&mut self, number: u32, edge: Edge) -> Result<Set> {
        if let Some(&known) = self.waiting.get(&number) {
            return Ok(known);
        }
        let refused = Wrong::NotEnabled("the root cannot start threads there without doing anything else");
        if !self.gives_nothing(edge)? || !self.is_always_possible(number, edge)? {
            return Err(refused);
        }
        let Some(circle) = self.circle(edge)? else { return Err(refused) };
        let program = self.program;
        let (mut before, mut pending) = (BTreeSet::new(), vec![program.entry()]);
        let mut may_end = false;
        while let Some(at) = pending.pop() {
            if !circle.contains(&at) && before.insert(at) {
                may_end |= program.outgoing(at).iter().any(|edge| edge.to.is_none());
                pending.extend(program.outgoing(at).iter().filter_map(|edge| edge.to));
            }
        }
        let after = LocationId::all(program.locations().len()).filter(|at| !before.contains(at)).map(Some);
        let there = self.root_within(after.chain((!may_end).then_some(None)))?;
        self.waiting.insert(number, there);
        Ok(there)
    }

    /// The locations on the circle, if there is one.
    fn circle(&mut self, edge: Edge) -> Result<Option<BTreeSet<LocationId>>> {
        let Some(first) = edge.to else { return Ok(None) };
        let mut idle = Vec::new();
        for (number, &edge) in (0..).zip(self.program.edges()) {
            if edge.effect == Effect::None && self.is_always_possible(number, edge)? {
                idle.extend(edge.to.map(|to| (edge.from, to)));
            }
        }
        let closed = |start: LocationId, pairs: &[(LocationId, LocationId)]| {
            let (mut all, mut pending) = (BTreeSet::new(), vec![start]);
            while let Some(at) = pending.pop() {
                if all.insert(at) {
                    pending.extend(pairs.iter().filter(|&&(from, _)| from == at).map(|&(_, to)| to));
                }
            }
            all
        };
        let back: Vec<(LocationId, LocationId)> = idle.iter().map(|&(from, to)| (to, from)).collect();
        let (forth, back) = (closed(first, &idle), closed(edge.from, &back));
        let circle: BTreeSet<LocationId> = forth.intersection(&back).copied().collect();
        Ok((!circle.is_empty()).then_some(circle))
    }

    /// Whether a thread outside of atomic sections can always take an edge, which does not lead into one and assigns nothing.
    fn is_always_possible(&mut self, number: u32, edge: Edge) -> Result<bool> {
        let is_outside = |at: Option<LocationId>| at.is_some_and(|at| !self.is_atomic(at));
        if !is_outside(Some(edge.from)) || !is_outside(edge.to) || matches!(edge.effect, Effect::Assign(_)) {
            return Ok(false);
        }
        let blocks = Blocks { own: ROOT, other: ROOT };
        Ok(self.variables.active(&mut self.table, number, blocks)? == FULL)
    }

    /// Whether a thread that is started along an edge gets nothing that depends on whoever starts it.
    fn gives_nothing(&mut self, edge: Edge) -> Result<bool> {
        let blocks = Blocks { own: ROOT, other: ROOT + 1 };
        match edge.effect {
            Effect::Start { locals: ChildLocals::Fresh(None), .. } => Ok(true),
            Effect::Start { locals: ChildLocals::Fresh(Some(id)), .. } => {
                let arguments = self.program.assignment(id);
                let relation = self.variables.arguments(&mut self.table, arguments, blocks)?;
                let support = self.table.support(relation);
                Ok(support.into_iter().all(|it| self.variables.is_of(blocks.other, it)))
            }
            Effect::Start { at, locals: ChildLocals::Copied } => {
                Ok((0..self.program.locals().len() as u32).all(|it| !self.variables.is_kept(at, it)))
            }
            Effect::None | Effect::Assign(_) => Ok(false),
        }
    }
}
