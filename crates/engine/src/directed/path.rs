//! The trace to a node of the search, without detours.
//!
//! A demand, at first the target, is carried backwards along the path to the node. Where an earlier node of the path
//! covers the demand already, all steps in between were for nothing and are left out. A greedy search makes many
//! such steps: it follows each guess to its end.

use crate::forward::Tree;
use crate::plan::{Plan, PlanError};
use throng_cert::Trace;
use throng_model::closed::ElementId;
use throng_model::{ConfigRef, TransitionSystem};

/// A trace to something that covers `target`, which `node` covers.
pub(super) fn trace(
    tree: &Tree,
    system: &dyn TransitionSystem,
    node: ElementId,
    target: ConfigRef<'_>,
) -> Result<Trace, PlanError> {
    let mut path = vec![node];
    let mut at = node;
    while let Some(origin) = tree.origin(at) {
        at = origin.parent;
        path.push(at);
    }
    path.reverse();
    let mut plan = Plan::new(target);
    loop {
        // The demand may be one that an early node covers: everything after that is a detour.
        let early = path.iter().position(|&node| plan.demand().le(tree.get(node)));
        let early = early.expect("INVARIANT: the last node of the path covers the demand");
        path.truncate(early + 1);
        let Some(origin) = path.pop().and_then(|node| tree.origin(node)) else { break };
        let before = (!origin.plain).then(|| tree.get(origin.parent));
        plan.prepend(system, origin.rule, before)?;
    }
    plan.perform(system)
}
