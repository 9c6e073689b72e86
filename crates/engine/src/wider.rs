//! Elements that stand for more: for systems whose states are sets of states, of which one may contain another.

use std::ops::ControlFlow;
use throng_model::closed::ElementId;
use throng_model::{Antichain, ClosedSet, ConfigRef, TransitionSystem, UpwardClosedSet};

/// Some element below a configuration, or below all that it stands for.
#[inline]
pub(crate) fn witness(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
) -> Option<ElementId> {
    set.witness(config).or_else(|| first_wider(set, system, config))
}

/// Some element that stands for more than this one.
#[inline]
pub(crate) fn wider_than(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    element: ElementId,
) -> Option<ElementId> {
    first_wider(set, system, set.generators().get(element))
}

/// Removes the elements that others stand for.
pub(crate) fn minimise(set: &mut UpwardClosedSet, system: &dyn TransitionSystem) {
    set.minimise();
    for element in ElementId::all(set.generators().n_ever()) {
        if set.generators().is_present(element) && wider_than(set, system, element).is_some() {
            set.remove(element);
        }
    }
}

fn first_wider(
    set: &UpwardClosedSet,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
) -> Option<ElementId> {
    let mut found = None;
    for_each_wider(set.generators(), system, config, &mut |element| {
        found = Some(element);
        ControlFlow::Break(())
    });
    found
}

/// Reports every element below a configuration, or below all that it stands for.
pub(crate) fn for_each_witness(
    elements: &Antichain,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
    report: &mut dyn FnMut(ElementId) -> ControlFlow<()>,
) {
    if elements.for_each_below(config, &mut *report).is_continue() {
        for_each_wider(elements, system, config, report);
    }
}

/// Reports the elements that stand for more without being below.
fn for_each_wider(
    elements: &Antichain,
    system: &dyn TransitionSystem,
    config: ConfigRef<'_>,
    report: &mut dyn FnMut(ElementId) -> ControlFlow<()>,
) {
    system.for_each_wider(config, &mut |wider| {
        elements.for_each_below(wider, |id| {
            let element = elements.get(id);
            if !element.le(config) && system.is_wider(element, config) {
                return report(id);
            }
            ControlFlow::Continue(())
        })
    });
}
