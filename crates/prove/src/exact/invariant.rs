//! Proofs about the system as invariants of the program.
//!
//! The known thread states say where threads stand with which values: at each location, nothing else holds. The elements of the proof exclude
//! threads together. Since all states with other thread states are excluded already, an element may say less than its values: as little
//! as keeps out what is allowed (`cubes`).

use super::cubes::{Cube, blocks, cover, expand, join};
use super::known::Known;
use super::layout::Scalar;
use super::states::States;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use throng_cert::Proof;
use throng_cfa::flow::{
    BinaryOperator, ExpressionId, LocationId, LocationKind, Program, TemplateId, ValueType, signed,
};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, Predicate, Predicates};

/// If more combinations of threads are allowed, elements are not made smaller.
const MOST_COMBINATIONS: usize = 50_000;
/// Larger invariants are not made.
const MOST_ELEMENTS: usize = 20_000;
/// The width of an index that is written as a number.
const INDEX_BITS: u32 = 64;

/// Threads that are excluded together: the shared state, and their local states.
type Excluded = (u32, Vec<u32>);

struct Maker<'s, 'a> {
    states: &'s States<'a>,
    known: Known,
    has_atomic: bool,
    predicates: Predicates,
    elements: BTreeSet<Element>,
}

/// The invariant that a proof is; `None` if it is too large.
pub(super) fn invariant(states: &States<'_>, known: &Known, proof: &Proof) -> Option<Invariant> {
    let mut known = known.clone();
    let n_shared = states.shared.rows.len();
    let mut together: BTreeSet<Excluded> = BTreeSet::new();
    for element in proof.elements.iter().filter(|element| element.shared.index() < n_shared) {
        let shared = element.shared.index() as u32;
        let locals = element
            .bag
            .iter()
            .flat_map(|entry| std::iter::repeat_n(entry.local.index() as u32, entry.count as usize));
        match &locals.collect::<Vec<u32>>()[..] {
            [] => known.with(shared).to_vec().into_iter().for_each(|local| known.remove(shared, local)),
            &[local] => known.remove(shared, local),
            several => {
                together.insert((shared, several.to_vec()));
            }
        }
    }
    let has_atomic = states.shared.rows.iter().any(|row| row.is_atomic);
    let mut maker = Maker {
        states,
        known,
        has_atomic,
        predicates: Predicates::new(states.program.expressions.clone()),
        elements: BTreeSet::new(),
    };
    maker.alone();
    maker.together(&together);
    let Maker { predicates, elements, .. } = maker;
    if elements.len() > MOST_ELEMENTS {
        return None;
    }
    Some(Invariant { counts: Vec::new(), predicates, elements: elements.into_iter().collect() })
}

/// Where threads may stand: entries and targets of edges.
fn places(program: &Program) -> BTreeSet<LocationId> {
    let entries = program.templates.iter().map(|template| template.entry);
    let all = entries.chain(program.edges.iter().map(|edge| edge.to));
    all.filter(|&location| program.location(location).kind == LocationKind::Inner).collect()
}

impl Maker<'_, '_> {
    /// The scalars that count for a thread at a location, with their places in its row.
    fn own_scalars(&self, location: LocationId) -> Vec<(usize, Scalar)> {
        let template = self.states.program.location(location).template;
        let all = self.states.layout.own[template.index()].iter().copied().enumerate();
        all.filter(|&(place, _)| self.states.layout.live(location)[place]).collect()
    }

    /// What holds at each location.
    fn alone(&mut self) {
        let mut by_place: BTreeMap<(LocationId, bool), Vec<Vec<u128>>> = BTreeMap::new();
        let places = places(self.states.program);
        for &location in &places {
            for bit in self.bits(location) {
                by_place.insert((location, bit), Vec::new());
            }
        }
        for shared in self.known.shared() {
            let row = self.states.shared.get(shared);
            for &own in self.known.with(shared) {
                let mine = self.states.own.get(own);
                let mut tuple = row.values.clone();
                let scalars = self.own_scalars(mine.location);
                tuple.extend(scalars.iter().map(|&(place, _)| mine.values[place]));
                by_place.entry((mine.location, row.is_atomic)).or_default().push(tuple);
            }
        }
        for ((location, bit), tuples) in by_place {
            self.at(location, bit, &tuples);
        }
    }

    /// The atomic bits that there may be while a thread is at a location.
    fn bits(&self, location: LocationId) -> Vec<bool> {
        match (self.has_atomic, self.states.program.location(location).is_atomic) {
            (_, true) => vec![true],
            (true, false) => vec![false, true],
            (false, false) => vec![false],
        }
    }

    fn at(&mut self, location: LocationId, bit: bool, tuples: &[Vec<u128>]) {
        let is_atomic = self.states.program.location(location).is_atomic;
        let atomic = (self.has_atomic && !is_atomic).then_some(bit);
        let Some(first) = tuples.first() else {
            self.elements.insert(Element { atomic, threads: vec![location], literals: Vec::new() });
            return;
        };
        let template = self.states.program.location(location).template;
        let own: Vec<Scalar> = self.own_scalars(location).into_iter().map(|(_, scalar)| scalar).collect();
        let n_shared = self.states.layout.shared.len();
        for block in blocks(tuples, first.len()) {
            let scalars: Vec<Scalar> = block
                .iter()
                .map(|&d| if d < n_shared { self.states.layout.shared[d] } else { own[d - n_shared] })
                .collect();
            let about = block.iter().any(|&d| d >= n_shared).then_some(template);
            let cubes = cover(tuples, &block);
            let expression = self.any(&scalars, &cubes);
            if self.predicates.expressions.as_constant(expression) == Some(1) {
                continue;
            }
            let literal = self.literal(expression, about, 0, false);
            self.elements.insert(Element { atomic, threads: vec![location], literals: vec![literal] });
        }
    }

    fn literal(
        &mut self,
        expression: ExpressionId,
        active: Option<TemplateId>,
        thread: usize,
        value: bool,
    ) -> Literal {
        let predicate = self.predicates.insert(Predicate { expression, active, passive: None });
        let of = if active.is_some() { Of::Thread(thread) } else { Of::State };
        Literal { predicate, of, value }
    }

    /// Which threads exclude each other.
    fn together(&mut self, excluded: &BTreeSet<Excluded>) {
        let mut groups: BTreeMap<(Vec<LocationId>, bool), Vec<Excluded>> = BTreeMap::new();
        for (shared, locals) in excluded {
            if !locals.iter().all(|&local| self.known.contains(*shared, local)) {
                continue;
            }
            let mut locals = locals.clone();
            locals.sort_unstable_by_key(|&local| (self.states.own.get(local).location, local));
            let at = locals.iter().map(|&local| self.states.own.get(local).location).collect();
            let bit = self.states.shared.get(*shared).is_atomic;
            groups.entry((at, bit)).or_default().push((*shared, locals));
        }
        for ((at, bit), members) in groups {
            self.group(&at, bit, &members, excluded);
        }
    }

    fn group(&mut self, at: &[LocationId], bit: bool, members: &[Excluded], excluded: &BTreeSet<Excluded>) {
        let wanted: Vec<Vec<u128>> =
            members.iter().map(|(shared, locals)| self.tuple(*shared, at, locals)).collect();
        let cubes = match self.allowed(at, bit, excluded) {
            Some(allowed) => expand(&wanted, &allowed),
            None => {
                let cube = |tuple: &Vec<u128>| -> Cube {
                    tuple.iter().map(|&value| Some(BTreeSet::from([value]))).collect()
                };
                join(wanted.iter().map(cube).collect())
            }
        };
        let is_any_atomic = at.iter().any(|&location| self.states.program.location(location).is_atomic);
        let atomic = (self.has_atomic && !is_any_atomic).then_some(bit);
        for cube in cubes {
            let element = self.element(at, atomic, &cube);
            self.elements.insert(element);
        }
    }

    /// The values of shared variables and of threads, one after the other.
    fn tuple(&self, shared: u32, at: &[LocationId], locals: &[u32]) -> Vec<u128> {
        let mut tuple = self.states.shared.get(shared).values.clone();
        for (&location, &local) in at.iter().zip(locals) {
            let row = self.states.own.get(local);
            tuple.extend(self.own_scalars(location).iter().map(|&(place, _)| row.values[place]));
        }
        tuple
    }

    /// All that is not excluded of threads at these locations; `None` if that is too much.
    fn allowed(&self, at: &[LocationId], bit: bool, excluded: &BTreeSet<Excluded>) -> Option<Vec<Vec<u128>>> {
        let mut all = Vec::new();
        for shared in self.known.shared().filter(|&it| self.states.shared.get(it).is_atomic == bit) {
            let mut by_location: FxHashMap<LocationId, Vec<u32>> = FxHashMap::default();
            for &local in self.known.with(shared) {
                by_location.entry(self.states.own.get(local).location).or_default().push(local);
            }
            let mut combinations: Vec<Vec<u32>> = vec![Vec::new()];
            for location in at {
                let here = by_location.get(location).map_or(&[][..], Vec::as_slice);
                if combinations.len().saturating_mul(here.len()) > MOST_COMBINATIONS {
                    return None;
                }
                let longer = combinations.iter().flat_map(|some| {
                    here.iter().map(move |&local| some.iter().copied().chain([local]).collect::<Vec<u32>>())
                });
                combinations = longer.collect();
            }
            combinations.retain(|locals| !is_excluded(shared, locals, excluded));
            all.extend(combinations.iter().map(|locals| self.tuple(shared, at, locals)));
            if all.len() > MOST_COMBINATIONS {
                return None;
            }
        }
        let distinct: FxHashSet<Vec<u128>> = all.into_iter().collect();
        Some(distinct.into_iter().collect())
    }

    fn element(&mut self, at: &[LocationId], atomic: Option<bool>, cube: &Cube) -> Element {
        let n_shared = self.states.layout.shared.len();
        let mut literals = Vec::new();
        let shared = self.states.layout.shared.clone();
        let expression = self.all(&shared, &cube[..n_shared]);
        if self.predicates.expressions.as_constant(expression) != Some(1) {
            literals.push(self.literal(expression, None, 0, true));
        }
        let mut first = n_shared;
        for (thread, &location) in at.iter().enumerate() {
            let scalars: Vec<Scalar> =
                self.own_scalars(location).into_iter().map(|(_, scalar)| scalar).collect();
            let expression = self.all(&scalars, &cube[first..first + scalars.len()]);
            first += scalars.len();
            if self.predicates.expressions.as_constant(expression) != Some(1) {
                let template = self.states.program.location(location).template;
                literals.push(self.literal(expression, Some(template), thread, true));
            }
        }
        literals.sort_unstable();
        Element { atomic, threads: at.to_vec(), literals }
    }

    /// That values are in one of the cubes.
    fn any(&mut self, scalars: &[Scalar], cubes: &[Cube]) -> ExpressionId {
        let mut any = self.predicates.expressions.truth(false);
        for cube in cubes {
            let all = self.all(scalars, cube);
            any = self.predicates.expressions.or(any, all);
        }
        any
    }

    /// That values are in a cube.
    fn all(&mut self, scalars: &[Scalar], cube: &[Option<BTreeSet<u128>>]) -> ExpressionId {
        let mut all = self.predicates.expressions.truth(true);
        for (scalar, values) in scalars.iter().zip(cube) {
            if let Some(values) = values {
                let one = self.one_of(*scalar, values);
                all = self.predicates.expressions.and(all, one);
            }
        }
        all
    }

    /// That a value is one of these, by ranges.
    fn one_of(&mut self, scalar: Scalar, values: &BTreeSet<u128>) -> ExpressionId {
        let variable = self.states.program.variable(scalar.variable);
        let (bits, is_signed) =
            (variable.bits, matches!(variable.ty, ValueType::Integer { is_signed: true }));
        let e = &mut self.predicates.expressions;
        let value = match variable.length {
            1 => e.variable(scalar.variable, bits),
            _ => {
                let index = e.constant(u128::from(scalar.index), INDEX_BITS);
                e.element(scalar.variable, index, bits)
            }
        };
        if bits < 16 && values.len() == 1 << bits {
            return e.truth(true);
        }
        let order =
            if is_signed { BinaryOperator::SignedLessOrEqual } else { BinaryOperator::UnsignedLessOrEqual };
        let mut any = e.truth(false);
        for (low, high) in ranges(values, bits, is_signed) {
            let (least, most) = (e.constant(low, bits), e.constant(high, bits));
            let is_it = if low == high {
                e.equal(value, least)
            } else {
                let (above, below) = (e.binary(order, least, value), e.binary(order, value, most));
                e.and(above, below)
            };
            any = e.or(any, is_it);
        }
        any
    }
}

/// Values as ranges of neighbours.
fn ranges(values: &BTreeSet<u128>, bits: u32, is_signed: bool) -> Vec<(u128, u128)> {
    let mut sorted: Vec<u128> = values.iter().copied().collect();
    if is_signed {
        sorted.sort_unstable_by_key(|&value| signed(value, bits));
    }
    let mut ranges: Vec<(u128, u128)> = Vec::new();
    for value in sorted {
        match ranges.last_mut() {
            Some((_, high)) if high.wrapping_add(1) & throng_cfa::flow::mask(bits) == value => *high = value,
            _ => ranges.push((value, value)),
        }
    }
    ranges
}

/// Whether some of these threads exclude each other.
fn is_excluded(shared: u32, locals: &[u32], excluded: &BTreeSet<Excluded>) -> bool {
    // Elements are small: all parts of two threads and more are looked up.
    let n = locals.len().min(16);
    (0_u32..1 << n).filter(|part| part.count_ones() >= 2).any(|part| {
        let mut some: Vec<u32> = (0..n).filter(|&at| part >> at & 1 == 1).map(|at| locals[at]).collect();
        some.sort_unstable();
        excluded.contains(&(shared, some))
    })
}
