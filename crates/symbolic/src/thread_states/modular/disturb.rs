//! What the steps of others mean to threads that wait.

use super::{Influence, Kind, Search};
use crate::relation::Owner;
use crate::thread_states::rename::simpler;
use biodivine_lib_bdd::{Bdd, BddVariable, op_function};
use std::collections::BTreeMap;
use throng_base::StopReason;
use throng_boolprog::flow::LocationId;

/// So many local variables have few valuations.
const FEW_LOCALS: usize = 6;

impl Search<'_, '_> {
    /// Lets everybody feel what others do, except for what was felt before; whether that made a difference.
    pub(super) fn disturb(&mut self) -> Result<bool, StopReason> {
        let program = self.space.program;
        let mut influences = std::mem::take(&mut self.influences);
        // Threads in an atomic section are alone.
        let ids = LocationId::all(self.at.len()).filter(|&id| !program.location(id).is_atomic);
        let ids: Vec<LocationId> = ids.filter(|id| self.is_open[id.index()]).collect();
        for location in ids {
            if self.can_split(location) {
                self.to_disturb[location.index()] = self.at[location.index()].clone();
                self.disturb_all(location, &influences)?;
                continue;
            }
            for (kind, influence) in influences.iter().filter(|(_, it)| !it.new.is_false()) {
                self.budget.check()?;
                let after = self.disturbed(kind, &self.at[location.index()], &influence.new);
                self.join(location, &after, true);
            }
            self.disturb_all(location, &influences)?;
        }
        let nothing = self.space.slots.always().not();
        influences.values_mut().for_each(|influence| influence.new = nothing.clone());
        self.influences = influences;
        Ok(!self.waiting.is_empty())
    }

    /// Lets those at a location feel what is known.
    pub(super) fn disturb_fresh(&mut self, location: LocationId) -> Result<(), StopReason> {
        if self.space.program.location(location).is_atomic {
            return Ok(());
        }
        let influences = std::mem::take(&mut self.influences);
        let result = self.disturb_all(location, &influences);
        self.influences = influences;
        result
    }

    /// Lets those at a location feel everything who have not felt it, and whoever they become.
    fn disturb_all(
        &mut self,
        location: LocationId,
        influences: &BTreeMap<Kind, Influence>,
    ) -> Result<(), StopReason> {
        let (index, nothing) = (location.index(), self.space.slots.always().not());
        if self.can_split(location) {
            let fresh = std::mem::replace(&mut self.to_disturb[index], nothing);
            let closed = self.closed(location, &fresh, influences)?;
            self.join(location, &closed, false);
            return Ok(());
        }
        loop {
            let mut fresh = std::mem::replace(&mut self.to_disturb[index], nothing.clone());
            if fresh.is_false() {
                return Ok(());
            }
            for (kind, influence) in influences {
                self.budget.check()?;
                let after = self.disturbed(kind, &fresh, &influence.known);
                self.join(location, &after, true);
                if !self.to_disturb[index].is_false() {
                    fresh = simpler(fresh.or(&self.to_disturb[index]), &self.at[index]);
                }
            }
        }
    }

    /// Whether valuations of local variables at a location are few, and others do not change them.
    fn can_split(&self, location: LocationId) -> bool {
        !self.has_broadcasts && self.space.scope(location).len() <= FEW_LOCALS
    }

    /// What those at a location become by all that others do: for each valuation of local variables by itself, since many
    /// have the same shared ones.
    fn closed(
        &mut self,
        location: LocationId,
        states: &Bdd,
        influences: &BTreeMap<Kind, Influence>,
    ) -> Result<Bdd, StopReason> {
        let scope = self.space.scope(location);
        let variables: Vec<BddVariable> =
            scope.iter().map(|&it| self.space.variable(Owner::Own, it, false)).collect();
        let mut all = states.clone();
        for number in 0..1_usize << variables.len() {
            let values = variables.iter().enumerate().map(|(index, &it)| (it, number >> index & 1 == 1));
            let values: Vec<(BddVariable, bool)> = values.collect();
            let shared = states.restrict(&values);
            if shared.is_false() {
                continue;
            }
            let closed = match self.closures.get(&shared) {
                Some(closed) => closed,
                None => {
                    let closed = self.closure(&shared, influences)?;
                    self.closures.entry(shared).or_insert(closed)
                }
            };
            all = all.or(&closed.select(&values));
        }
        Ok(all)
    }

    /// What valuations of shared variables become.
    fn closure(&self, shared: &Bdd, influences: &BTreeMap<Kind, Influence>) -> Result<Bdd, StopReason> {
        let mut all = shared.clone();
        loop {
            let before = all.clone();
            for (kind, influence) in influences {
                self.budget.check()?;
                all = all.or(&self.disturbed(kind, &all, &influence.known));
            }
            if all == before {
                return Ok(all);
            }
        }
    }

    fn disturbed(&self, kind: &Kind, states: &Bdd, relation: &Bdd) -> Bdd {
        if states.is_false() || relation.is_false() {
            return self.space.slots.always().not();
        }
        let mut assigned: Vec<(Owner, u32)> = match kind {
            Kind::Shared(shared, _) => shared.iter().map(|&it| (Owner::Shared, it)).collect(),
            Kind::Broadcast(number) => {
                let edge = self.space.program.edges()[*number as usize];
                let mut all = self.assigned(edge, &[Owner::Shared]);
                let passive = self.assigned(edge, &[Owner::Passive]).into_iter();
                all.extend(passive.map(|(_, it)| (Owner::Own, it)));
                all
            }
        };
        assigned.push((Owner::Shared, self.space.program.atomic_bit()));
        let lost = self.variables(&assigned, false);
        let kept = Bdd::binary_op_with_exists(states, relation, op_function::and, &lost);
        self.renewed(&kept, &assigned)
    }
}
