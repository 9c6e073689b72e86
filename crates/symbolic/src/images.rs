//! Predecessors and successors of cubes along one edge, exactly, as few cubes.
//!
//! A cube over what is after a step has as predecessors all values from which the step can lead into the cube; they are a
//! union of pairs of cubes, one over shared and one over own variables. Successors likewise. What an edge does not mention
//! stays as it is, so results are kept by the part of the question that the edge looks at.
//!
//! What a step does to other threads depends on its *context*: values of shared variables and of the acting thread, before and
//! after. All threads see the same context, so it is fixed before they are asked. Going back, it is known which threads
//! there are after the step, and only what matters for them is fixed ([`Images::before`]): of 2ⁿ contexts few remain.

use crate::cover::{Literals, cover};
use crate::relation::{Owner, Relation, Slot};
use crate::states::Memo;
use biodivine_lib_bdd::{Bdd, BddVariable};
use throng_boolprog::Cube;

/// Shared and own variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pair {
    pub(crate) shared: Cube,
    pub(crate) own: Cube,
}

impl Pair {
    pub(crate) fn new(shared: Cube, own: Cube) -> Self {
        Self { shared, own }
    }

    fn get(&self, slot: Slot) -> Option<bool> {
        match slot.owner {
            Owner::Shared => self.shared.get(slot.variable),
            Owner::Own => self.own.get(slot.variable),
            Owner::Passive => None,
        }
    }

    fn set(&mut self, slot: Slot, value: bool) {
        match slot.owner {
            Owner::Shared => self.shared.set(slot.variable, value),
            Owner::Own => self.own.set(slot.variable, value),
            Owner::Passive => {}
        }
    }

    fn clear(&mut self, slot: Slot) {
        match slot.owner {
            Owner::Shared => self.shared.clear(slot.variable),
            Owner::Own => self.own.clear(slot.variable),
            Owner::Passive => {}
        }
    }
}

/// Where time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    /// From what is after a step to what is before it.
    Backward,
    /// From what is before a step to what is after it.
    Forward,
}

/// Values of shared variables and of the acting thread, before and after, that decide what happens to others.
pub(crate) type Context = Literals;

/// A result: the context, if others change, and the cubes that come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) context: Context,
    pub(crate) pair: Pair,
}

/// What part of its context an image fixes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Beside {
    /// All of it: nothing is known about other threads.
    Anybody,
    /// What matters for threads that have one of these values after the step, as far as the edge mentions them. Sorted.
    These(Vec<Cube>),
}

/// The images along one edge.
#[derive(Debug)]
pub(crate) struct Images {
    pub(crate) relation: Relation,
    /// By the direction and the part of the question that the edge mentions. Results hold what the edge adds to the rest.
    known: Memo<(Direction, Pair, Beside), Image>,
}

impl Images {
    pub(crate) fn new(relation: Relation) -> Self {
        Self { relation, known: Memo::default() }
    }

    /// What is on the other side of the step, whoever else is there.
    pub(crate) fn of(&self, direction: Direction, given: &Pair) -> impl Iterator<Item = Image> + use<'_> {
        self.beside(direction, given, Beside::Anybody)
    }

    /// What is before the step if after it there are other threads with these values: nothing where one of them can have come from
    /// nowhere. The contexts say of such threads, and of no others, where they come from.
    pub(crate) fn before(&self, given: &Pair, others: &[&Cube]) -> impl Iterator<Item = Image> + use<'_> {
        let mentioned = |variable: u32| {
            let slot = Slot { owner: Owner::Passive, variable, is_new: false };
            self.relation.slots.get(slot).is_some()
        };
        let mut these: Vec<Cube> = match self.relation.passive {
            Some(_) => others.iter().map(|cube| cube.restricted(mentioned)).collect(),
            None => Vec::new(),
        };
        these.sort_unstable();
        these.dedup();
        self.beside(Direction::Backward, given, Beside::These(these))
    }

    fn beside(
        &self,
        direction: Direction,
        given: &Pair,
        beside: Beside,
    ) -> impl Iterator<Item = Image> + use<'_> {
        // A variable that is assigned has two slots: given is the one on this side.
        let given_slots = self.relation.slots.iter().filter(|&(_, slot)| self.is_given(direction, slot));
        let (mut part, mut rest) = (Pair::default(), given.clone());
        for (_, slot) in given_slots {
            if let Some(value) = given.get(slot) {
                part.set(slot, value);
                if self.is_assigned(slot) {
                    rest.clear(slot);
                }
            }
        }
        let found = self.known.get((direction, part, beside), |(direction, part, beside)| {
            self.compute(*direction, part, beside)
        });
        (0..found.len()).map(move |index| {
            let Image { context, pair } = &found[index];
            let merge = |rest: &Cube, part: &Cube| {
                rest.and(part).expect("INVARIANT: an image does not mention what was given and stays")
            };
            let pair = Pair::new(merge(&rest.shared, &pair.shared), merge(&rest.own, &pair.own));
            Image { context: context.clone(), pair }
        })
    }

    /// Whether the acting thread, or for passive variables the step, gives it a new value. What a new thread gets does not
    /// change those who are there.
    fn is_assigned(&self, slot: Slot) -> bool {
        self.relation.child.is_none() && self.relation.slots.get(Slot { is_new: true, ..slot }).is_some()
    }

    /// Whether a slot is on the side where the question is.
    fn is_given(&self, direction: Direction, slot: Slot) -> bool {
        match direction {
            Direction::Backward => slot.is_new || !self.is_assigned(slot),
            Direction::Forward => !slot.is_new,
        }
    }

    fn compute(&self, direction: Direction, given: &Pair, beside: &Beside) -> Vec<Image> {
        let context = self.relation.passive.as_ref().map_or(&[][..], |passive| &passive.context);
        let Beside::These(others) = beside else { return self.compute_in(context, direction, given) };
        let literals = self.literals(direction, given);
        let possible = self.relation.active.restrict(&literals);
        let origin = |other: &Cube| self.side_of_passive(direction, &literals, other);
        let origins = others.iter().filter_map(origin).collect();
        let mut fixed = literals.iter().copied().filter(|(variable, _)| context.contains(variable)).collect();
        let mut images = Vec::new();
        self.split_for(direction, &possible, origins, &mut fixed, &mut images);
        images
    }

    /// Fixes the values of the context on which depends where some threads come from, and then takes the image.
    fn split_for(
        &self,
        direction: Direction,
        possible: &Bdd,
        origins: Vec<Bdd>,
        fixed: &mut Literals,
        images: &mut Vec<Image>,
    ) {
        if possible.is_false() || origins.iter().any(Bdd::is_false) {
            return;
        }
        let context = self.relation.passive.as_ref().map_or(&[][..], |passive| &passive.context);
        let needed = origins.iter().filter_map(|it| first_of(context, it)).min();
        let Some(variable) = needed else {
            self.finish(direction, possible, fixed, images);
            return;
        };
        for value in [false, true] {
            let origins = origins.iter().map(|it| it.var_restrict(variable, value)).collect();
            fixed.push((variable, value));
            self.split_for(direction, &possible.var_restrict(variable, value), origins, fixed, images);
            fixed.pop();
        }
    }

    /// What is given on one side of the step.
    fn literals(&self, direction: Direction, given: &Pair) -> Literals {
        let sides = self.relation.slots.iter().filter(|&(_, slot)| self.is_given(direction, slot));
        sides.filter_map(|(variable, slot)| Some((variable, given.get(slot)?))).collect()
    }

    /// What is before the step, whatever it does to other threads.
    pub(crate) fn before_in_any_context(&self, after: &Pair) -> Vec<Pair> {
        let assigned = |slot| self.is_assigned(slot) && self.is_given(Direction::Backward, slot);
        let mut rest = after.clone();
        let slots = self.relation.slots.iter().map(|(_, slot)| slot);
        slots.filter(|&slot| assigned(slot)).for_each(|slot| rest.clear(slot));
        let images = self.compute_in(&[], Direction::Backward, after).into_iter();
        let merge = |rest: &Cube, part: &Cube| {
            rest.and(part).expect("INVARIANT: an image does not contradict what was given and stays")
        };
        let pair = |Image { pair, .. }: Image| {
            Pair::new(merge(&rest.shared, &pair.shared), merge(&rest.own, &pair.own))
        };
        images.map(pair).collect()
    }

    /// Images for all values of some variables that decide what happens to others.
    fn compute_in(&self, context: &[BddVariable], direction: Direction, given: &Pair) -> Vec<Image> {
        let possible = self.relation.active.restrict(&self.literals(direction, given));
        let mut images = Vec::new();
        self.split(direction, given, &possible, context, &mut Vec::new(), &mut images);
        images
    }

    /// Fixes all values of the context, one after the other, and then takes the image.
    fn split(
        &self,
        direction: Direction,
        given: &Pair,
        possible: &Bdd,
        context: &[BddVariable],
        fixed: &mut Literals,
        images: &mut Vec<Image>,
    ) {
        if possible.is_false() {
            return;
        }
        let Some((&variable, others)) = context.split_first() else {
            self.finish(direction, possible, fixed, images);
            return;
        };
        let slot = self.relation.slots.all[variable.to_index()];
        let known = given.get(slot).filter(|_| self.is_given(direction, slot));
        for value in [false, true].into_iter().filter(|&value| known.is_none_or(|known| known == value)) {
            fixed.push((variable, value));
            self.split(direction, given, &possible.var_restrict(variable, value), others, fixed, images);
            fixed.pop();
        }
    }

    fn finish(&self, direction: Direction, possible: &Bdd, fixed: &Literals, images: &mut Vec<Image>) {
        let slots = &self.relation.slots;
        // What is assigned and was not given on the other side is not asked for.
        let lost = slots.iter().filter(|&(_, slot)| self.is_assigned(slot) && self.is_given(direction, slot));
        let lost: Vec<BddVariable> = lost.map(|(variable, _)| variable).collect();
        for cube in cover(&possible.exists(&lost)) {
            let mut pair = Pair::default();
            for &(variable, value) in cube.iter().chain(fixed) {
                let slot = slots.all[variable.to_index()];
                if !(self.is_assigned(slot) && self.is_given(direction, slot)) {
                    pair.set(slot, value);
                }
            }
            images.push(Image { context: fixed.clone(), pair });
        }
    }

    /// What another thread with these variables has before or after the step, given its context. Nothing: it has no such
    /// predecessor, or is gone.
    pub(crate) fn of_passive(&self, direction: Direction, context: &Context, given: &Cube) -> Vec<Cube> {
        let Some(possible) = self.side_of_passive(direction, context, given) else {
            return vec![given.clone()];
        };
        let slots = &self.relation.slots;
        // What a context does not say should not matter; if it does, a thread comes from where it comes from in all cases,
        // and may go wherever it goes in some.
        let open: Vec<BddVariable> = match &self.relation.passive {
            Some(passive) if passive.context.len() != context.len() => {
                let support = possible.support_set();
                passive.context.iter().copied().filter(|it| support.contains(it)).collect()
            }
            _ => Vec::new(),
        };
        let possible = match direction {
            _ if open.is_empty() => possible,
            Direction::Backward => possible.for_all(&open),
            Direction::Forward => possible.exists(&open),
        };
        let kept = given.restricted(|variable| {
            !self.is_assigned(Slot { owner: Owner::Passive, variable, is_new: false })
        });
        let add = |cube: Literals| {
            let literals =
                cube.iter().map(|&(variable, value)| (slots.all[variable.to_index()].variable, value));
            kept.iter().chain(literals).collect()
        };
        cover(&possible).into_iter().map(add).collect()
    }

    /// Whether a context says where a thread with these variables comes from or goes to.
    pub(crate) fn is_settled(&self, direction: Direction, context: &Context, given: &Cube) -> bool {
        let Some(passive) = &self.relation.passive else { return true };
        let side = self.side_of_passive(direction, context, given);
        passive.context.len() == context.len()
            || side.is_none_or(|side| first_of(&passive.context, &side).is_none())
    }

    /// The values of the context and of another thread on the other side of the step; `None` if others stay as they are.
    fn side_of_passive(&self, direction: Direction, context: &Context, given: &Cube) -> Option<Bdd> {
        let passive = self.relation.passive.as_ref()?;
        let others = || self.relation.slots.iter().filter(|(_, slot)| slot.owner == Owner::Passive);
        let sides = others().filter(|&(_, slot)| self.is_given(direction, slot));
        let literals: Literals =
            sides.filter_map(|(variable, slot)| Some((variable, given.get(slot.variable)?))).collect();
        let lost = others().filter(|&(_, slot)| self.is_assigned(slot) && self.is_given(direction, slot));
        let lost: Vec<BddVariable> = lost.map(|(variable, _)| variable).collect();
        Some(passive.relation.restrict(context).restrict(&literals).exists(&lost))
    }

    /// The threads that can be started, if they do not copy their parent's variables: the parent, with what the choice
    /// of the child says about it, and the child.
    pub(crate) fn children(&self, before: &Pair) -> Vec<(Pair, Cube)> {
        let Some(child) = &self.relation.child else { return Vec::new() };
        let slots = &self.relation.slots;
        let old = slots.iter().filter(|(_, slot)| !slot.is_new);
        let literals: Literals =
            old.filter_map(|(variable, slot)| Some((variable, before.get(slot)?))).collect();
        let possible = child.and(&self.relation.active).restrict(&literals);
        let both = |literals: Literals| {
            let (mut parent, mut child) = (before.clone(), Cube::any());
            for &(variable, value) in &literals {
                match slots.all[variable.to_index()] {
                    Slot { is_new: true, variable, .. } => child.set(variable, value),
                    old => parent.set(old, value),
                }
            }
            (parent, child)
        };
        cover(&possible).into_iter().map(both).collect()
    }

    /// The values before the step with which a thread can be started that has these variables; what is given of them holds.
    pub(crate) fn parents(&self, child: &Cube, given: &Pair) -> Vec<Pair> {
        let Some(relation) = &self.relation.child else { return Vec::new() };
        let slots = &self.relation.slots;
        let literals: Literals = slots
            .iter()
            .filter_map(|(variable, slot)| {
                let value = if slot.is_new { child.get(slot.variable) } else { given.get(slot) };
                Some((variable, value?))
            })
            .collect();
        let new: Vec<BddVariable> = slots.iter().filter(|(_, slot)| slot.is_new).map(|(v, _)| v).collect();
        let possible = relation.and(&self.relation.active).restrict(&literals).exists(&new);
        let pair = |cube: Literals| {
            let mut pair = given.clone();
            cube.iter().for_each(|&(variable, value)| pair.set(slots.all[variable.to_index()], value));
            pair
        };
        cover(&possible).into_iter().map(pair).collect()
    }

    /// Values after a step from these ones, all given, inside of a cube and a context; `None` if there are none.
    pub(crate) fn choose(&self, now: &Pair, wanted: &Pair, context: &Context) -> Option<Pair> {
        let slots = &self.relation.slots;
        let literals = slots.iter().filter_map(|(variable, slot)| {
            let value = if slot.is_new && self.is_assigned(slot) { wanted.get(slot) } else { now.get(slot) };
            Some((variable, value?))
        });
        let literals: Literals = literals.chain(context.iter().copied()).collect();
        let chosen = self.relation.active.select(&literals).first_valuation()?;
        let mut after = now.clone();
        let new = slots.iter().filter(|&(_, slot)| slot.is_new && self.is_assigned(slot));
        new.for_each(|(variable, slot)| after.set(slot, chosen.value(variable)));
        Some(after)
    }

    /// Values of the arguments of a new thread, inside of a cube.
    pub(crate) fn choose_child(&self, now: &Pair, wanted: &Cube) -> Option<Cube> {
        let slots = &self.relation.slots;
        let literals = slots.iter().filter_map(|(variable, slot)| {
            let value = if slot.is_new { wanted.get(slot.variable) } else { now.get(slot) };
            Some((variable, value?))
        });
        let literals: Literals = literals.collect();
        let chosen = self.relation.child.as_ref()?.select(&literals).first_valuation()?;
        let new = slots.iter().filter(|(_, slot)| slot.is_new);
        Some(new.map(|(variable, slot)| (slot.variable, chosen.value(variable))).collect())
    }

    /// Values of another thread after a step, inside of a cube if that is possible; `None` if it is gone.
    pub(crate) fn choose_passive(
        &self,
        now: &Pair,
        after: &Pair,
        passive: &Cube,
        wanted: &Cube,
    ) -> Option<Cube> {
        let slots = &self.relation.slots;
        let fixed = slots.iter().filter_map(|(variable, slot)| {
            let value = match (slot.owner, slot.is_new) {
                (Owner::Passive, true) => None,
                (Owner::Passive, false) => passive.get(slot.variable),
                (_, true) => after.get(slot),
                (_, false) => now.get(slot),
            };
            Some((variable, value?))
        });
        let fixed: Literals = fixed.collect();
        let possible = self.relation.passive.as_ref()?.relation.select(&fixed);
        let new = || slots.iter().filter(|(_, slot)| slot.owner == Owner::Passive && slot.is_new);
        let wishes: Literals =
            new().filter_map(|(variable, slot)| Some((variable, wanted.get(slot.variable)?))).collect();
        let chosen = possible.select(&wishes).first_valuation().or_else(|| possible.first_valuation())?;
        let mut changed = passive.clone();
        new().for_each(|(variable, slot)| changed.set(slot.variable, chosen.value(variable)));
        Some(changed)
    }
}

/// The first of some variables that a diagram depends on.
fn first_of(variables: &[BddVariable], diagram: &Bdd) -> Option<BddVariable> {
    let support = diagram.support_set();
    variables.iter().copied().find(|it| support.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use throng_base::Source;

    /// Steps that relate what others have to shared variables and to the acting thread's, before and after.
    const PROGRAM: &str = "
        decl s, t;
        thread_local decl a, b;
        void main() begin
            s, a, b$ := *, *, * constrain ('s | !a | 'b$) & (!b$ | t | 'a) & (s | a$ | !'b$);
            t, a$ := b, t & a$;
            s, b$ := t, b$ constrain (!'s | b$ | a$);
        end";

    /// All cubes over two variables.
    fn cubes() -> impl Iterator<Item = Cube> {
        (0..9).map(|number| {
            let digits = [(0, number % 3), (1, number / 3)];
            digits.into_iter().filter(|&(_, digit)| digit < 2).map(|(at, digit)| (at, digit == 1)).collect()
        })
    }

    /// All values of two variables in a cube.
    fn values(cube: &Cube) -> Vec<(bool, bool)> {
        let all = [(false, false), (false, true), (true, false), (true, true)];
        let agrees = |at: u32, value: bool| cube.get(at).is_none_or(|it| it == value);
        all.into_iter().filter(|&(x, y)| agrees(0, x) && agrees(1, y)).collect()
    }

    type Values = (bool, bool);

    /// What shared variables, the acting thread and two others can have been.
    fn before(
        images: &Images,
        found: impl Iterator<Item = Image>,
        others: [&Cube; 2],
    ) -> BTreeSet<(Values, Values, Values, Values)> {
        let mut all = BTreeSet::new();
        for Image { context, pair } in found {
            let from = others.map(|it| images.of_passive(Direction::Backward, &context, it));
            let from = from.map(|cubes| cubes.iter().flat_map(values).collect::<Vec<Values>>());
            for shared in values(&pair.shared) {
                for own in values(&pair.own) {
                    for &first in &from[0] {
                        all.extend(from[1].iter().map(|&second| (shared, own, first, second)));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn what_matters_for_the_threads_that_are_there_is_enough() {
        let source = Source::from_text("test.bp", PROGRAM);
        let program = throng_boolprog::read(&source).expect("the program is read").program;
        let (mut n_few, mut n_all, mut n_edges) = (0, 0, 0);
        for &edge in program.edges() {
            let images = Images::new(Relation::new(&program, edge).expect("it is small"));
            if images.relation.passive.is_none() {
                continue;
            }
            n_edges += 1;
            for shared in cubes() {
                for own in cubes() {
                    for first in cubes() {
                        for second in cubes() {
                            let (given, others) = (Pair::new(shared.clone(), own.clone()), [&first, &second]);
                            let few: Vec<Image> = images.before(&given, &others).collect();
                            let all: Vec<Image> = images.of(Direction::Backward, &given).collect();
                            n_few += few.len();
                            n_all += all.len();
                            let settled = |it: &Image| {
                                let is_settled =
                                    |cube| images.is_settled(Direction::Backward, &it.context, cube);
                                others.iter().all(|cube| is_settled(cube))
                            };
                            assert!(few.iter().all(settled));
                            let few = before(&images, few.into_iter(), others);
                            assert_eq!(few, before(&images, all.into_iter(), others), "{given:?} {others:?}");
                        }
                    }
                }
            }
        }
        assert_eq!(n_edges, 3);
        assert!(2 * n_few < n_all, "{n_few} of {n_all}");
    }
}
