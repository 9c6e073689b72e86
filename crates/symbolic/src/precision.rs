//! Which values a backward search looks at.
//!
//! The predecessors of a cube mention the variables that the statement reads: its guard, and what it assigns to what the cube
//! mentions. Most of these values do not matter to whether the target is reached, and all of them make different states.
//! So at first a search forgets them: of what is before a step it keeps the values that are also mentioned after it and
//! that the step does not assign, and otherwise only those that somebody asked for. Then it finds too many predecessors,
//! never too few. What it proves safe is safe, and the proof is an ordinary one. An interleaving may be none of the
//! program; `refine` finds out which values to look at so that it is not found again. What one statement has to look at,
//! others that relate the same values in the same way will have to look at as well, so they are told together.

use crate::images::Images;
use crate::relation::{Owner, Relation};
use crate::through::Through;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_boolprog::Cube;
use throng_boolprog::flow::Program;

/// A variable before a step along an edge or one that is alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kept {
    /// The first of the edges that are alike, see [`Alike`].
    first: u32,
    owner: Owner,
    variable: u32,
}

/// What is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Precision {
    /// Everything: predecessors are exact.
    Full,
    /// Values that stay the same, and these.
    Only(FxHashSet<Kept>),
}

impl Precision {
    fn contains(&self, kept: Kept) -> bool {
        match self {
            Precision::Full => true,
            Precision::Only(all) => all.contains(&kept),
        }
    }

    /// Looks at more; returns whether it is more.
    pub(crate) fn extend(&mut self, more: impl IntoIterator<Item = Kept>) -> bool {
        match self {
            Precision::Full => false,
            Precision::Only(all) => {
                let before = all.len();
                all.extend(more);
                all.len() > before
            }
        }
    }
}

/// Edges whose statements do the same.
#[derive(Debug)]
pub(crate) struct Alike {
    /// By edge: the first one that is like it.
    first: Vec<u32>,
}

impl Alike {
    pub(crate) fn new(images: &[Images]) -> Self {
        let mut first = FxHashMap::default();
        let first = (0_u32..).zip(images).map(|(edge, images)| {
            let Relation { slots, active, passive, child } = &images.relation;
            let passive = passive.as_ref().map(|passive| &passive.relation);
            *first.entry((&slots.all, active, passive, child)).or_insert(edge)
        });
        Self { first: first.collect() }
    }

    /// A variable before a step along an edge, and along all that are like it.
    pub(crate) fn kept(&self, edge: u32, owner: Owner, variable: u32) -> Kept {
        Kept { first: self.first[edge as usize], owner, variable }
    }
}

/// The variables that a step assigns, by edge: of the acting thread also along the silent steps that follow.
#[derive(Debug)]
pub(crate) struct Touched {
    all: Vec<(Vec<u32>, Vec<u32>)>,
    pub(crate) alike: Alike,
}

impl Touched {
    pub(crate) fn new(program: &Program, images: &[Images], through: &Through) -> Self {
        let assigned = |number: usize, owner| images[number].relation.assigned(owner);
        let all = program.edges().iter().enumerate().map(|(number, edge)| {
            let path = edge.to.map(|to| through.path(program, to).0).unwrap_or_default();
            let later = path.into_iter().flat_map(|number| assigned(number as usize, Owner::Own));
            (assigned(number, Owner::Shared).collect(), assigned(number, Owner::Own).chain(later).collect())
        });
        Self { all: all.collect(), alike: Alike::new(images) }
    }

    /// Whether a step gives a variable a new value.
    pub(crate) fn contains(&self, edge: u32, owner: Owner, variable: u32) -> bool {
        let (shared, own) = &self.all[edge as usize];
        match owner {
            Owner::Shared => shared.contains(&variable),
            Owner::Own | Owner::Passive => own.contains(&variable),
        }
    }

    /// What is left of a cube before a step if nobody asks for more; `after` is what is mentioned afterwards.
    pub(crate) fn restrict(
        &self,
        precision: &Precision,
        (edge, owner): (u32, Owner),
        before: &Cube,
        after: Option<&Cube>,
    ) -> Cube {
        before.restricted(|variable| {
            let stays =
                after.is_some_and(|it| it.get(variable).is_some()) && !self.contains(edge, owner, variable);
            stays || precision.contains(self.alike.kept(edge, owner, variable))
        })
    }
}
