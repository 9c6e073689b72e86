//! Elements that stand for more: for systems whose states are sets of states, of which one may contain another.

use std::ops::ControlFlow;
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, ConfigRef, TransitionSystem, UpwardClosedSet};

/// Some element below a configuration, or below all that it stands for.
#[inline]
pub(crate) fn witness(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
) -> Option<ElementId> {
    set.witness(config).or_else(|| another(set, system, config, None))
}

/// Some element that stands for more than this one.
pub(crate) fn wider_than(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    element: ElementId,
) -> Option<ElementId> {
    another(set, system, set.generators().get(element), Some(element))
}

fn another(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
    except: Option<ElementId>,
) -> Option<ElementId> {
    let mut found = None;
    system.for_each_wider(config, &mut |wider| {
        set.generators().for_each_below(wider, |element| {
            if Some(element) != except && system.is_wider(set.generators().get(element), config) {
                found = Some(element);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    });
    found
}
