//! Which values each row of an interleaving shows: those that change and, since initial values are only told where they
//! matter, those that a statement assigns for the first time.

use super::follow::{Change, Followed, Happening, Moment, Row};
use super::matters::{Matters, candidates};
use super::words::Thread;
use std::collections::{BTreeMap, BTreeSet};
use throng_boolprog::Cube;
use throng_boolprog::flow::{Effect, Program, VariableId};

/// What a row shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Shows {
    /// Of shared variables.
    pub(super) shared: Cube,
    /// Of the variables of threads, by thread.
    pub(super) locals: BTreeMap<usize, Cube>,
}

/// What each row of an interleaving shows; all values that there are, if everything is wanted.
pub(super) fn values(program: &Program, followed: &Followed, everything: bool) -> Vec<Shows> {
    let matters = (!everything).then(|| Matters::of(program, followed));
    let n_threads = followed.finally.len();
    let mut teller = Teller {
        program,
        moments: &followed.moments,
        matters: matters.as_ref(),
        shared: Cube::any(),
        places: vec![None; n_threads],
        told_shared: BTreeSet::new(),
        told_locals: vec![BTreeSet::new(); n_threads],
    };
    followed.rows.iter().map(|row| teller.row(row)).collect()
}

/// Tells one row after the other.
struct Teller<'a> {
    program: &'a Program,
    moments: &'a [Moment],
    /// What is worth telling; `None` for everything.
    matters: Option<&'a Matters>,
    shared: Cube,
    places: Vec<Option<Thread>>,
    /// Variables whose values were told.
    told_shared: BTreeSet<u32>,
    told_locals: Vec<BTreeSet<u32>>,
}

impl Teller<'_> {
    fn row(&mut self, row: &Row) -> Shows {
        row.shared.iter().for_each(|(variable, value)| self.shared.set(variable, value));
        let (moment, assigned) = match row.happening {
            Happening::Step(moment) => (Some(moment), self.assigned(self.moments[moment])),
            Happening::Start | Happening::Repeated { .. } => (None, BTreeSet::new()),
        };
        let shared = match (row.happening, self.matters) {
            (Happening::Start, Some(matters)) => matters.initial_shared(&row.shared),
            _ => {
                let is_new = |it: u32| row.shared.get(it).is_some() || !self.told_shared.contains(&it);
                let is_told =
                    |it: u32| row.shared.get(it).is_some() || assigned.contains(&VariableId::Shared(it));
                let worth = |it: u32| self.is_worth_showing(moment, VariableId::Shared(it));
                self.shared.restricted(|it| is_told(it) && is_new(it) && worth(it))
            }
        };
        self.told_shared.extend(shared.iter().map(|(variable, _)| variable));
        let mut locals = BTreeMap::new();
        for (&thread, change) in &row.changes {
            let values = self.thread(thread, change, moment, &assigned);
            self.told_locals[thread].extend(values.iter().map(|(variable, _)| variable));
            locals.insert(thread, values);
            self.places[thread] = change.place().cloned();
        }
        Shows { shared, locals }
    }

    /// The values of a thread that changes.
    fn thread(
        &self,
        thread: usize,
        change: &Change,
        moment: Option<usize>,
        assigned: &BTreeSet<VariableId>,
    ) -> Cube {
        let Some(place) = change.place() else { return Cube::any() };
        if let (Change::Starts(_) | Change::Created(_), Some(matters)) = (change, self.matters) {
            return matters.first_values(thread, &place.locals);
        }
        let before = self.places[thread].as_ref();
        let differs = |it: u32| before.and_then(|before| before.locals.get(it)) != place.locals.get(it);
        if !matches!(change, Change::Acts(_)) {
            return place.locals.restricted(differs);
        }
        let is_first =
            |it: u32| assigned.contains(&VariableId::Local(it)) && !self.told_locals[thread].contains(&it);
        place.locals.restricted(|it| {
            (differs(it) || is_first(it)) && self.is_worth_showing(moment, VariableId::Local(it))
        })
    }

    fn is_worth_showing(&self, moment: Option<usize>, variable: VariableId) -> bool {
        match (self.matters, moment) {
            (Some(matters), Some(moment)) => matters.is_worth_showing(moment, variable),
            _ => true,
        }
    }

    /// What a step assigns to, of shared variables and of the acting thread's.
    fn assigned(&self, moment: Moment) -> BTreeSet<VariableId> {
        let assignments = candidates(self.program, moment).filter_map(|edge| match edge.effect {
            Effect::Assign(assignment) => Some(self.program.assignment(assignment)),
            Effect::None | Effect::Start { .. } => None,
        });
        let targets = assignments.flat_map(|assignment| &assignment.targets);
        targets.filter(|target| !target.is_passive).map(|target| target.variable).collect()
    }
}
