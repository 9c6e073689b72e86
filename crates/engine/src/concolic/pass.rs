//! One pass over the paths: those whose hardest component has a given shape.

use super::quotient::{Quotient, Shape};
use throng_model::System;

/// Which components a pass may enter.
#[derive(Debug)]
pub(super) struct Pass {
    shape: Shape,
    /// Whether a path over components of at most this shape leads from an initial shared state to each component.
    leads: Vec<bool>,
    /// Whether one with a component of exactly this shape does.
    leads_over_shape: Vec<bool>,
}

impl Pass {
    pub(super) fn new(system: &System, quotient: &Quotient, shape: Shape) -> Self {
        let is_allowed = |component: usize| quotient.components[component].shape <= shape;
        let mut leads = vec![false; quotient.components.len()];
        for initial in system.initial() {
            if let Some(vertex) = quotient.vertex(initial.shared) {
                let component = quotient.component_of(vertex);
                leads[component] = is_allowed(component);
            }
        }
        // Crossings are sorted by source, so what a source says is final when it is used.
        for &(from, to) in &quotient.crossings {
            leads[to] |= leads[from] && is_allowed(to);
        }
        let is_shape =
            |(component, &leads): (usize, &bool)| leads && quotient.components[component].shape == shape;
        let mut leads_over_shape: Vec<bool> = leads.iter().enumerate().map(is_shape).collect();
        for &(from, to) in &quotient.crossings {
            leads_over_shape[to] |= leads_over_shape[from] && is_allowed(to);
        }
        Self { shape, leads, leads_over_shape }
    }

    /// Whether a path that may have passed a component of the shape can go on to a component; and whether it has passed
    /// one then.
    pub(super) fn enter(&self, quotient: &Quotient, component: usize, has_passed: bool) -> Option<bool> {
        let passes = has_passed || quotient.components[component].shape == self.shape;
        let leads = if passes { &self.leads } else { &self.leads_over_shape };
        leads[component].then_some(passes)
    }
}
