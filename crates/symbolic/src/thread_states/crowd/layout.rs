//! The diagram variables of a few threads: first those of the shared variables, then those of one place after the other.
//!
//! Each variable has one for its value and one beside it for its value after a step.

use super::super::rename::renamed;
use super::super::sets::Space;
use super::Places;
use crate::relation::{Owner, Slot, Slots};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use throng_boolprog::flow::LocationId;

pub(super) struct Layout<'a, 'p> {
    pub(super) space: &'a Space<'p>,
    n_shared: usize,
    n_locals: usize,
    n_places: usize,
    set: BddVariableSet,
    /// Local variables that other threads may read: they matter wherever the thread is.
    pub(super) always_kept: Vec<u32>,
}

impl<'a, 'p> Layout<'a, 'p> {
    /// The variables of so many places; `None` if they are too many.
    pub(super) fn new(space: &'a Space<'p>, n_places: usize) -> Option<Self> {
        let program = space.program;
        let (n_shared, n_locals) = (program.shared().len(), program.locals().len());
        let count = u16::try_from(2 * (n_shared + n_places * n_locals)).ok().filter(|&it| it < u16::MAX)?;
        let references = program.expressions().iter().flat_map(|expression| expression.references());
        let passive = references.filter(|it| it.is_passive).filter_map(|it| match it.variable {
            throng_boolprog::flow::VariableId::Local(index) => Some(index),
            throng_boolprog::flow::VariableId::Shared(_) => None,
        });
        let mut always_kept: Vec<u32> = passive.collect();
        always_kept.sort_unstable();
        always_kept.dedup();
        let set = BddVariableSet::new_anonymous(count);
        Some(Self { space, n_shared, n_locals, n_places, set, always_kept })
    }

    pub(super) fn always(&self) -> Bdd {
        self.set.mk_true()
    }

    /// The place that nobody stays in.
    pub(super) fn spare(&self) -> usize {
        self.n_places - 1
    }

    pub(super) fn n_variables(&self) -> usize {
        2 * (self.n_shared + self.n_places * self.n_locals)
    }

    pub(super) fn shared(&self, variable: u32, is_new: bool) -> BddVariable {
        BddVariable::from_index(2 * variable as usize + usize::from(is_new))
    }

    pub(super) fn local(&self, place: usize, variable: u32, is_new: bool) -> BddVariable {
        let index = self.n_shared + place * self.n_locals + variable as usize;
        BddVariable::from_index(2 * index + usize::from(is_new))
    }

    /// The place of a variable, if it is a local one, and its number.
    pub(super) fn meaning(&self, variable: BddVariable) -> (Option<usize>, u32) {
        let index = variable.to_index() / 2;
        match index.checked_sub(self.n_shared) {
            None => (None, index as u32),
            Some(local) => (Some(local / self.n_locals), (local % self.n_locals) as u32),
        }
    }

    /// The values of all variables of a thread.
    pub(super) fn all_of(&self, place: usize) -> Vec<BddVariable> {
        (0..self.n_locals as u32).map(|variable| self.local(place, variable, false)).collect()
    }

    /// Whether a variable of a thread at a location matters.
    pub(super) fn is_kept(&self, at: LocationId, variable: u32) -> bool {
        let scope = self.space.scope(at);
        scope.binary_search(&variable).is_ok() || self.always_kept.binary_search(&variable).is_ok()
    }

    /// The values of variables of a thread that do not matter at a location.
    pub(super) fn forgotten(&self, place: usize, at: Option<LocationId>) -> Vec<BddVariable> {
        let all = 0..self.n_locals as u32;
        let lost = all.filter(|&variable| at.is_none_or(|at| !self.is_kept(at, variable)));
        lost.map(|variable| self.local(place, variable, false)).collect()
    }

    /// What the diagram variables are for a step: of a thread in one place, and another one. If the other one is started by
    /// the first, its values are new values of own variables.
    pub(super) fn slots(&self, own: usize, other: usize, is_child: bool) -> Slots {
        let both = |owner, variable| [false, true].map(|is_new| Slot { owner, variable, is_new });
        let shared = (0..self.n_shared as u32).flat_map(|variable| both(Owner::Shared, variable));
        let places = (0..self.n_places).flat_map(|place| {
            (0..self.n_locals as u32).flat_map(move |variable| {
                // Slots that nobody asks for have numbers that no variable has.
                let unused = (place as u32 + 1) * self.n_locals as u32 + variable;
                let unused = both(Owner::Passive, unused);
                if place == own {
                    let [old, new] = both(Owner::Own, variable);
                    [old, if is_child { unused[1] } else { new }]
                } else if place == other && is_child {
                    [Slot { owner: Owner::Own, variable, is_new: true }, unused[1]]
                } else if place == other {
                    both(Owner::Passive, variable)
                } else {
                    unused
                }
            })
        });
        Slots::new(shared.chain(places).collect())
    }

    /// What is about the shared variables and a thread in one place, for another place.
    pub(super) fn relocated(&self, relation: &Bdd, from: usize, to: usize) -> Bdd {
        renamed(relation, self.n_variables(), |variable| match self.meaning(variable) {
            (Some(place), index) if place == from => self.local(to, index, variable.to_index() % 2 == 1),
            _ => variable,
        })
    }

    /// The thread in one place is in another one, which was empty.
    pub(super) fn moved(&self, states: &Bdd, from: usize, to: usize) -> Bdd {
        self.handed_over(states, from, |variable| self.local(to, variable, false))
    }

    /// In each place the thread from the place that the order tells, if there is one.
    pub(super) fn permuted(&self, states: &Bdd, order: &[usize], places: &Places) -> Bdd {
        let moves = order.iter().enumerate().filter(|&(to, &from)| to != from && places[from].is_some());
        let moves: Vec<(usize, usize)> = moves.map(|(to, &from)| (from, to)).collect();
        // The diagram variables for values after a step are free between steps.
        let aside = moves.iter().fold(states.clone(), |states, &(from, to)| {
            self.handed_over(&states, from, |variable| self.local(to, variable, true))
        });
        renamed(&aside, self.n_variables(), |variable| BddVariable::from_index(variable.to_index() & !1))
    }

    /// The values of a thread's variables as those of other diagram variables, which are free.
    fn handed_over(&self, states: &Bdd, from: usize, to: impl Fn(u32) -> BddVariable) -> Bdd {
        let support = states.support_set();
        let variables = (0..self.n_locals as u32).map(|it| (it, self.local(from, it, false)));
        let mentioned = variables.filter(|(_, old)| support.contains(old));
        mentioned.fold(states.clone(), |all, (variable, old)| {
            let new = to(variable);
            let (no, yes) = (all.var_restrict(old, false), all.var_restrict(old, true));
            yes.var_select(new, true).or(&no.var_select(new, false))
        })
    }
}
