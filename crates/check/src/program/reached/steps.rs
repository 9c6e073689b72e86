//! What steps do to sets of states.

use super::diagram::{EMPTY, Set};
use super::variables::{Blocks, ROOT, is_broadcast};
use super::{Performer, Result, Wrong, threads_of};
use crate::verdict::Trouble;
use rustc_hash::FxHashMap;
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, VariableId};
use throng_boolprog::schedule::{Actor, Crew, Keep, Origin};

/// The threads of a crew with their blocks.
type Threads = Vec<(LocationId, u32)>;

impl Performer<'_> {
    fn edge(&self, number: u32) -> Result<Edge> {
        self.program.edges().get(number as usize).copied().ok_or(Wrong::Form("there is no such edge"))
    }

    /// A block that nobody is in.
    fn spare(crew: &Crew) -> u32 {
        crew.places.len() as u32 + 1
    }

    /// Takes a step with all states of a crew.
    pub(super) fn step(&mut self, crew: &Crew, actor: Actor, number: u32, keep: Keep) -> Result<()> {
        let edge = self.edge(number)?;
        let (states, own) = self.about_to_act(crew, actor, edge)?;
        let threads = threads_of(crew);
        if let Effect::Start { at, locals } = edge.effect {
            return self.start_thread(crew, (number, edge), own, (at, locals, keep), states);
        }
        let cases = match self.variables.assignment(edge).filter(|it| is_broadcast(it)) {
            Some(_) => self.broadcast(number, own, threads, states)?,
            None => vec![(threads, self.act(number, edge, own, states)?)],
        };
        for (threads, states) in cases {
            let (threads, states) = self.moved(edge, own, threads, states)?;
            self.meet(crew.has_root, threads, states)?;
        }
        Ok(())
    }

    /// The states in which a thread can act, and its block.
    fn about_to_act(&mut self, crew: &Crew, actor: Actor, edge: Edge) -> Result<(Set, u32)> {
        let states = self.states(crew);
        let is_inside = self.is_atomic(edge.from);
        let others = crew.places.iter().enumerate();
        let mut others = others.filter(|&(place, _)| actor != Actor::Place(place));
        if !is_inside && others.any(|(_, &at)| self.is_atomic(at)) {
            return Err(Wrong::NotEnabled("another thread is in an atomic section"));
        }
        match actor {
            Actor::Root if crew.has_root => {
                let here = self.variables.root_at(&mut self.table, Some(edge.from))?;
                Ok((self.table.and(states, here)?, ROOT))
            }
            Actor::Place(place) if crew.places.get(place) == Some(&edge.from) => {
                let states = if crew.has_root && !is_inside { self.root_outside(states)? } else { states };
                Ok((states, place as u32 + 1))
            }
            Actor::Root | Actor::Place(_) => Err(Wrong::NotEnabled("nobody is where the edge begins")),
        }
    }

    /// Where the root is not in an atomic section.
    fn root_outside(&mut self, states: Set) -> Result<Set, Trouble> {
        let outside = match self.outside {
            Some(outside) => outside,
            None => {
                let locations = LocationId::all(self.program.locations().len());
                let free: Vec<LocationId> = locations.filter(|&at| !self.is_atomic(at)).collect();
                let outside = self.root_within(free.into_iter().map(Some).chain([None]))?;
                *self.outside.insert(outside)
            }
        };
        self.table.and(states, outside)
    }

    /// The root is at one of these locations, or has ended.
    pub(super) fn root_within(
        &mut self,
        all: impl Iterator<Item = Option<LocationId>>,
    ) -> Result<Set, Trouble> {
        let mut within = EMPTY;
        for at in all {
            let here = self.variables.root_at(&mut self.table, at)?;
            within = self.table.or(within, here)?;
        }
        Ok(within)
    }

    /// The values after a step that assigns to no passive threads.
    fn act(&mut self, number: u32, edge: Edge, own: u32, states: Set) -> Result<Set, Trouble> {
        // Where nobody else changes, no other block is looked at.
        let blocks = Blocks { own, other: own };
        let relation = self.variables.active(&mut self.table, number, blocks)?;
        let assigned = self.assigned(edge, own, &[]);
        let kept = self.table.and_any(states, relation, &|it| assigned.contains(&it))?;
        self.renewed(kept, &assigned)
    }

    /// The diagram variables that a step assigns to; those of passive threads in these blocks.
    fn assigned(&self, edge: Edge, own: u32, others: &[u32]) -> Vec<u32> {
        let targets = self.variables.assignment(edge).map_or(&[][..], |it| &it.targets);
        let number = |variable: VariableId, is_passive: bool, other: u32| {
            self.variables.target(variable, is_passive, Blocks { own, other })
        };
        let plain = targets.iter().filter(|it| !it.is_passive).map(|it| number(it.variable, false, own));
        let passive = targets.iter().filter(|it| it.is_passive);
        let passive =
            passive.flat_map(|it| others.iter().map(move |&other| number(it.variable, true, other)));
        plain.chain(passive).collect()
    }

    /// Values after a step as those of now.
    fn renewed(&mut self, states: Set, assigned: &[u32]) -> Result<Set, Trouble> {
        if assigned.is_empty() {
            return Ok(states);
        }
        self.table
            .renamed(states, &|it| if it % 2 == 1 && assigned.contains(&(it - 1)) { it - 1 } else { it })
    }

    /// A step that assigns to passive threads: each gets new values, or is gone if there are none for it.
    fn broadcast(
        &mut self,
        number: u32,
        own: u32,
        threads: Threads,
        states: Set,
    ) -> Result<Vec<(Threads, Set)>, Trouble> {
        let edge = self.program.edges()[number as usize];
        let spare = threads.len() as u32 + 1;
        let relation = self.variables.active(&mut self.table, number, Blocks { own, other: spare })?;
        let mut cases = vec![(threads.clone(), self.table.and(states, relation)?)];
        for &(_, other) in threads.iter().filter(|&&(_, block)| block != own) {
            let relation = self.variables.passive(&mut self.table, number, Blocks { own, other })?;
            let variables = &self.variables;
            let possible = self.table.any(relation, &|it| it % 2 == 1 && variables.is_of(other, it))?;
            let mut next = Vec::new();
            for (threads, states) in cases {
                let stuck = self.table.without(states, possible)?;
                let gone = self.without_block(stuck, other)?;
                let fewer = threads.iter().copied().filter(|&(_, block)| block != other).collect();
                next.push((fewer, gone));
                next.push((threads, self.table.and(states, relation)?));
            }
            next.retain(|&(_, states)| states != EMPTY);
            cases = next;
        }
        let mut all = Vec::new();
        for (threads, states) in cases {
            let others: Vec<u32> = threads.iter().map(|&(_, block)| block).filter(|&it| it != own).collect();
            let assigned = self.assigned(edge, own, &others);
            let kept = self.table.any(states, &|it| assigned.contains(&it))?;
            let mut after = self.renewed(kept, &assigned)?;
            for &(at, block) in threads.iter().filter(|&&(_, block)| block != own) {
                after = self.only_what_matters(after, block, at)?;
            }
            all.push((threads, after));
        }
        Ok(all)
    }

    /// The thread in a block goes where an edge leads, and what does not matter there is forgotten.
    fn moved(&mut self, edge: Edge, own: u32, mut threads: Threads, states: Set) -> Result<(Threads, Set)> {
        let Some(to) = edge.to else {
            threads.retain(|&(_, block)| block != own);
            let mut states = self.without_block(states, own)?;
            if own == ROOT {
                states = self.root_goes(states, None)?;
            }
            return Ok((threads, states));
        };
        let mut states = self.only_what_matters(states, own, to)?;
        if own == ROOT {
            states = self.root_goes(states, Some(to))?;
        }
        threads.iter_mut().filter(|(_, block)| *block == own).for_each(|(at, _)| *at = to);
        Ok((threads, states))
    }

    fn only_what_matters(&mut self, states: Set, block: u32, at: LocationId) -> Result<Set, Trouble> {
        let variables = &self.variables;
        self.table.any(states, &|it| {
            variables.owner(it).is_some_and(|(owner, index)| owner == block && !variables.is_kept(at, index))
        })
    }

    fn root_goes(&mut self, states: Set, to: Option<LocationId>) -> Result<Set, Trouble> {
        let variables = &self.variables;
        let somewhere = self.table.any(states, &|it| variables.is_root_bit(it))?;
        let there = self.variables.root_at(&mut self.table, to)?;
        self.table.and(somewhere, there)
    }

    /// The states with a new thread in the spare block, before its parent goes on.
    fn with_child(
        &mut self,
        blocks: Blocks,
        (at, locals): (LocationId, ChildLocals),
        states: Set,
    ) -> Result<Set, Trouble> {
        let relation = match locals {
            ChildLocals::Fresh(None) => return Ok(states),
            ChildLocals::Fresh(Some(id)) => {
                let arguments = self.program.assignment(id);
                self.variables.arguments(&mut self.table, arguments, blocks)?
            }
            ChildLocals::Copied => {
                let mut same = super::FULL;
                let all = 0..self.program.locals().len() as u32;
                let kept: Vec<u32> = all.filter(|&it| self.variables.is_kept(at, it)).collect();
                for variable in kept {
                    let pair = [blocks.own, blocks.other].map(|it| self.variables.local(it, variable));
                    let [one, yes] = [self.table.literal(pair[0], true)?, self.table.literal(pair[1], true)?];
                    let no = self.table.not(yes)?;
                    let equal = self.table.choose(one, yes, no)?;
                    same = self.table.and(same, equal)?;
                }
                same
            }
        };
        let states = self.table.and(states, relation)?;
        self.only_what_matters(states, blocks.other, at)
    }

    fn start_thread(
        &mut self,
        crew: &Crew,
        (number, edge): (u32, Edge),
        own: u32,
        (at, locals, keep): (LocationId, ChildLocals, Keep),
        states: Set,
    ) -> Result<()> {
        let child = Self::spare(crew);
        let mut states = self.act(number, edge, own, states)?;
        if keep != Keep::Parent {
            states = self.with_child(Blocks { own, other: child }, (at, locals), states)?;
        }
        let (mut threads, mut states) = self.moved(edge, own, threads_of(crew), states)?;
        if keep == Keep::Child && own != ROOT {
            if edge.to.is_some_and(|to| self.is_atomic(to)) {
                return Err(Wrong::NotEnabled("a thread is left alone in an atomic section"));
            }
            threads.retain(|&(_, block)| block != own);
            states = self.without_block(states, own)?;
        }
        if keep != Keep::Parent {
            threads.push((at, child));
        }
        self.meet(crew.has_root, threads, states)
    }

    /// The states with another thread in the spare block, and where it is.
    pub(super) fn newcomer(&mut self, crew: &Crew, origin: Origin) -> Result<(Set, LocationId)> {
        let mut assignments = self.program.edges().iter().filter_map(|&edge| self.variables.assignment(edge));
        if assignments.any(is_broadcast) {
            return Err(Wrong::NotEnabled("the program assigns to passive threads, whoever they are"));
        }
        let spare = Self::spare(crew);
        let states = self.states(crew);
        match origin {
            Origin::Entry if self.threads == InitThreads::Any => Ok((states, self.program.entry())),
            Origin::Entry => Err(Wrong::NotEnabled("there is no endless number of threads at the start")),
            Origin::Started(number) => {
                let edge = self.edge(number)?;
                let Effect::Start { at, locals } = edge.effect else {
                    return Err(Wrong::Form("the edge starts nobody"));
                };
                let (states, own) = self.about_to_act(crew, Actor::Root, edge)?;
                let states = self.act(number, edge, own, states)?;
                let states = self.with_child(Blocks { own, other: spare }, (at, locals), states)?;
                let (_, states) = self.moved(edge, own, Vec::new(), states)?;
                Ok((states, at))
            }
            Origin::Waiting(number) => {
                let edge = self.edge(number)?;
                let Effect::Start { at, locals } = edge.effect else {
                    return Err(Wrong::Form("the edge starts nobody"));
                };
                if !crew.has_root {
                    return Err(Wrong::Form("the crew has no root"));
                }
                let there = self.where_threads_wait(number, edge)?;
                let states = self.table.and(states, there)?;
                // The new thread gets nothing from the root, see `waiting`.
                let states = self.with_child(Blocks { own: ROOT, other: spare }, (at, locals), states)?;
                Ok((states, at))
            }
        }
    }

    /// Another thread takes edges as long as it likes, and is left alone.
    pub(super) fn errand(&mut self, crew: &Crew, origin: Origin, route: &[u32]) -> Result<()> {
        if crew.places.iter().any(|&at| self.is_atomic(at)) {
            return Err(Wrong::NotEnabled("another thread is in an atomic section"));
        }
        let (mut states, at) = self.newcomer(crew, origin)?;
        if crew.has_root {
            states = self.root_outside(states)?;
        }
        let own = Self::spare(crew);
        let mut met: FxHashMap<LocationId, Set> = FxHashMap::from_iter([(at, states)]);
        let mut ended = EMPTY;
        for &number in route {
            let edge = self.edge(number)?;
            let Some(&states) = met.get(&edge.from) else { continue };
            let states = self.act(number, edge, own, states)?;
            let (_, states) = self.moved(edge, own, Vec::new(), states)?;
            let known = edge.to.map_or(&mut ended, |to| met.entry(to).or_insert(EMPTY));
            *known = self.table.or(*known, states)?;
        }
        let mut met: Vec<(LocationId, Set)> = met.into_iter().collect();
        met.sort_unstable();
        let mut left = ended;
        for (at, states) in met {
            if self.is_atomic(at) {
                let mut threads = threads_of(crew);
                threads.push((at, own));
                self.meet(crew.has_root, threads, states)?;
            } else {
                let without = self.without_block(states, own)?;
                left = self.table.or(left, without)?;
            }
        }
        self.meet(crew.has_root, threads_of(crew), left)
    }
}
