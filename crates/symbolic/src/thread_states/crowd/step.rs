//! The steps of one of a few threads.

use super::Places;
use super::layout::Layout;
use crate::relation::{Owner, Parts, assigned, written};
use crate::thread_states::rename::renamed;
use crate::thread_states::sets::Space;
use biodivine_lib_bdd::{Bdd, BddVariable, op_function};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::{Budget, StopReason};
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};

pub(super) struct Steps<'a, 'p> {
    space: &'a Space<'p>,
    layout: &'a Layout<'a, 'p>,
    /// By edge, what it relates for a thread in the first place.
    active: Vec<Bdd>,
    /// By edge and place, the same for other places.
    relocated: FxHashMap<(u32, usize), Bdd>,
    /// By edge, place and other place, what happens to another thread or what a new thread gets.
    others: FxHashMap<(u32, usize, usize), Bdd>,
}

/// Copying so many variables from one thread to another takes a diagram that is not too large.
const MOST_COPIED: usize = 12;

impl<'a, 'p> Steps<'a, 'p> {
    pub(super) fn new(space: &'a Space<'p>, layout: &'a Layout<'a, 'p>) -> Self {
        let slots = layout.slots(0, layout.spare(), false);
        let edges = space.program.edges().iter();
        let active = edges.map(|&edge| Parts::new(space.program, edge, &slots).active).collect();
        Self { space, layout, active, relocated: FxHashMap::default(), others: FxHashMap::default() }
    }

    /// Where a step of the thread in one place leads to, and along which edge. A thread that is started is in the spare place.
    pub(super) fn after(
        &mut self,
        places: &Places,
        place: usize,
        states: &Bdd,
        budget: &Budget,
    ) -> Result<Vec<(u32, Places, Bdd)>, StopReason> {
        let Some(from) = places[place] else { return Ok(Vec::new()) };
        let program = self.space.program;
        let mut all = Vec::new();
        for (number, &edge) in (program.first_edge(from)..).zip(program.outgoing(from)) {
            budget.check()?;
            let mut places = places.clone();
            places[place] = edge.to;
            match edge.effect {
                Effect::Start { at, locals } => {
                    let possible = states.and(self.active(number, place));
                    if !possible.is_false() {
                        let child = self.start(number, place, (at, locals), &possible);
                        if let Some(child) = child {
                            places[self.layout.spare()] = Some(at);
                            all.push((number, places, self.leave(edge, place, &child)));
                        } else {
                            all.push((number, places, self.leave(edge, place, &possible)));
                        }
                    }
                }
                Effect::Assign(_) | Effect::None => {
                    self.assign(number, edge, (places, place), states, &mut all, budget)?;
                }
            }
        }
        Ok(all)
    }

    fn active(&mut self, number: u32, place: usize) -> &Bdd {
        let first = &self.active[number as usize];
        if place == 0 {
            return first;
        }
        self.relocated.entry((number, place)).or_insert_with(|| self.layout.relocated(first, 0, place))
    }

    /// Forgets what does not matter where the thread goes.
    fn leave(&self, edge: Edge, place: usize, states: &Bdd) -> Bdd {
        states.exists(&self.layout.forgotten(place, edge.to))
    }

    fn assign(
        &mut self,
        number: u32,
        edge: Edge,
        (places, place): (Places, usize),
        states: &Bdd,
        all: &mut Vec<(u32, Places, Bdd)>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let assigned = written(self.space.program, edge).map(assigned).unwrap_or_default();
        let is_broadcast = assigned.iter().any(|&(owner, _)| owner == Owner::Passive);
        let mut cases = vec![(places, Vec::new(), states.and(self.active(number, place)))];
        if is_broadcast {
            for other in (0..self.layout.spare()).filter(|&other| other != place) {
                budget.check()?;
                cases = self.broadcast(number, (place, other), cases);
            }
        }
        for (places, others, possible) in cases {
            if possible.is_false() {
                continue;
            }
            let changed: Vec<BddVariable> = assigned
                .iter()
                .flat_map(|&(owner, variable)| match owner {
                    Owner::Shared => vec![self.layout.shared(variable, false)],
                    Owner::Own => vec![self.layout.local(place, variable, false)],
                    Owner::Passive => {
                        others.iter().map(|&it| self.layout.local(it, variable, false)).collect()
                    }
                })
                .collect();
            let after = self.advanced(&possible, &changed);
            let mut after = self.leave(edge, place, &after);
            for &other in &others {
                after = after.exists(&self.layout.forgotten(other, places[other]));
            }
            all.push((number, places, after));
        }
        Ok(())
    }

    /// New values take the place of old ones.
    fn advanced(&self, possible: &Bdd, changed: &[BddVariable]) -> Bdd {
        if changed.is_empty() {
            return possible.clone();
        }
        let set: FxHashSet<BddVariable> = changed.iter().copied().collect();
        let kept = possible.exists(changed);
        renamed(&kept, self.layout.n_variables(), |variable| {
            let old = BddVariable::from_index(variable.to_index() & !1);
            if variable != old && set.contains(&old) { old } else { variable }
        })
    }

    /// What happens to another thread: it gets new values, or is gone if there are none for it.
    fn broadcast(
        &mut self,
        number: u32,
        (place, other): (usize, usize),
        cases: Vec<(Places, Vec<usize>, Bdd)>,
    ) -> Vec<(Places, Vec<usize>, Bdd)> {
        let layout = self.layout;
        let edge = self.space.program.edges()[number as usize];
        let relation = self.others.entry((number, place, other)).or_insert_with(|| {
            let parts = Parts::new(self.space.program, edge, &layout.slots(place, other, false));
            parts.passive.unwrap_or_else(|| layout.always())
        });
        let new: Vec<BddVariable> =
            (0..self.space.program.locals().len() as u32).map(|it| layout.local(other, it, true)).collect();
        let can_go_on = relation.exists(&new);
        let mut after = Vec::new();
        for (places, others, states) in cases {
            if places[other].is_none() {
                after.push((places, others, states));
                continue;
            }
            let mut without = places.clone();
            without[other] = None;
            let gone = states.and_not(&can_go_on).exists(&layout.all_of(other));
            after.push((without, others.clone(), gone));
            let stays = states.and(relation);
            after.push((places, [others, vec![other]].concat(), stays));
        }
        after.retain(|(_, _, states)| !states.is_false());
        after
    }

    /// A new thread in the spare place; `None` if it has too many variables to be followed.
    fn start(
        &mut self,
        number: u32,
        place: usize,
        (at, locals): (LocationId, ChildLocals),
        possible: &Bdd,
    ) -> Option<Bdd> {
        let (layout, spare) = (self.layout, self.layout.spare());
        let edge = self.space.program.edges()[number as usize];
        let relation = match locals {
            ChildLocals::Fresh(_) => self.others.entry((number, place, spare)).or_insert_with(|| {
                let parts = Parts::new(self.space.program, edge, &layout.slots(place, spare, true));
                parts.child.unwrap_or_else(|| layout.always())
            }),
            ChildLocals::Copied => {
                let all = 0..self.space.program.locals().len() as u32;
                let kept: Vec<u32> = all.filter(|&it| layout.is_kept(at, it)).collect();
                if kept.len() > MOST_COPIED {
                    return None;
                }
                self.others.entry((number, place, spare)).or_insert_with(|| {
                    kept.into_iter().fold(layout.always(), |all, it| {
                        let of = |place: usize, value: bool| {
                            layout.always().var_select(layout.local(place, it, false), value)
                        };
                        let yes = of(place, true).and(&of(spare, true));
                        all.and(&yes.or(&of(place, false).and(&of(spare, false))))
                    })
                })
            }
        };
        let child = Bdd::binary_op(possible, relation, op_function::and);
        Some(child.exists(&layout.forgotten(spare, Some(at))))
    }
}
