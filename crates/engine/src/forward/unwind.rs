//! How a node of the tree is really reached: ω replaced by numbers of repetitions.
//!
//! A plan whose demand is below a node is carried up the tree to a root. Where the node was accelerated by an
//! ancestor a, the demand may ask for more than stood there before the acceleration; then the path from a is
//! walked (backwards) as often as it takes. Each walk lowers the demand at the accelerated locals by what the
//! path gains there, because the path leaves them finite: accelerations inside it gain nothing at a local that
//! they leave finite. So this ends. Walks of a path without accelerations inside are done at once.

use super::tree::{Tree, raise_to_omega};
use crate::plan::{Plan, PlanError};
use throng_model::closed::ElementId;
use throng_model::{Bag, Entry, OMEGA, RuleId, TransitionSystem, bag};

impl Tree {
    /// Carries a plan whose demand `node` covers over to one whose demand a root covers.
    pub(crate) fn unwind(
        &self,
        system: &dyn TransitionSystem,
        node: ElementId,
        plan: &mut Plan,
    ) -> Result<(), PlanError> {
        let mut node = node;
        while let Some(origin) = self.origin(node) {
            self.unwind_node(system, node, self.accelerations(node).len(), plan)?;
            node = origin.parent;
        }
        Ok(())
    }

    /// Carries a plan over the rule that leads to a node and the first accelerations there.
    fn unwind_node(
        &self,
        system: &dyn TransitionSystem,
        node: ElementId,
        n_accelerations: usize,
        plan: &mut Plan,
    ) -> Result<(), PlanError> {
        let origin = self.origin(node).expect("INVARIANT: roots are not unwound");
        let ancestors = &self.accelerations(node)[..n_accelerations];
        let stages = self.stages(system, node, ancestors)?;
        for (number, (&ancestor, stage)) in ancestors.iter().zip(&stages).enumerate().rev() {
            self.unwind_acceleration(system, node, number, ancestor, stage, plan)?;
        }
        let before = (!origin.plain).then(|| self.get(origin.parent));
        plan.prepend(system, origin.rule, before)
    }

    /// What stood at a node before each of its accelerations.
    fn stages(
        &self,
        system: &dyn TransitionSystem,
        node: ElementId,
        ancestors: &[ElementId],
    ) -> Result<Vec<Bag>, PlanError> {
        if ancestors.is_empty() {
            return Ok(Vec::new());
        }
        let origin = self.origin(node).expect("INVARIANT: roots are not accelerated");
        let effect = system.plain_effect(origin.rule).expect("INVARIANT: accelerated rules have no moves");
        let (mut rest, mut stage) = (Bag::new(), Bag::new());
        bag::difference_into(self.get(origin.parent).bag, effect.take, &mut rest);
        bag::sum_into(&rest, effect.put, &mut stage)?;
        let mut stages = Vec::with_capacity(ancestors.len());
        for &ancestor in ancestors {
            stages.push(stage.clone());
            raise_to_omega(self.get(ancestor).bag, &mut stage);
        }
        Ok(stages)
    }

    /// Carries a plan over one acceleration, with what stood there before.
    fn unwind_acceleration(
        &self,
        system: &dyn TransitionSystem,
        node: ElementId,
        number: usize,
        ancestor: ElementId,
        stage: &Bag,
        plan: &mut Plan,
    ) -> Result<(), PlanError> {
        let below = self.get(ancestor).bag;
        let repeatable = if number == 0 { self.rules_between(ancestor, node) } else { None };
        loop {
            let walks = walks(plan.demand().bag, below, stage);
            match &repeatable {
                _ if walks == 0 => return Ok(()),
                Some(rules) => plan.prepend_repeated(system, rules.clone(), walks)?,
                None => {
                    self.unwind_node(system, node, number, plan)?;
                    let mut at = self.parent(node);
                    while at != ancestor {
                        self.unwind_node(system, at, self.accelerations(at).len(), plan)?;
                        at = self.parent(at);
                    }
                }
            }
        }
    }

    fn parent(&self, node: ElementId) -> ElementId {
        self.origin(node).expect("INVARIANT: an ancestor is met before the root").parent
    }

    /// The rules on the path from an ancestor to a node, unless a node between them is accelerated.
    fn rules_between(&self, ancestor: ElementId, node: ElementId) -> Option<Vec<RuleId>> {
        let mut rules = Vec::new();
        let mut at = node;
        while at != ancestor {
            if at != node && !self.accelerations(at).is_empty() {
                return None;
            }
            let origin = self.origin(at)?;
            rules.push(origin.rule);
            at = origin.parent;
        }
        rules.reverse();
        Some(rules)
    }
}

/// How many walks a demand needs at the locals that grew from `below` to `stage`.
fn walks(demand: &[Entry], below: &[Entry], stage: &[Entry]) -> u32 {
    let walks = stage.iter().filter(|entry| entry.count != OMEGA).map(|entry| {
        let gain = entry.count - bag::count(below, entry.local);
        let excess = bag::count(demand, entry.local).saturating_sub(entry.count);
        if gain == 0 { 0 } else { excess.div_ceil(gain) }
    });
    walks.max().unwrap_or(0)
}
