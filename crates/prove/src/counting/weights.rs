//! Weights of locations that add up to what edges change a number by: a system of linear equations, solved exactly.
//!
//! Within the code of a template, a weight is that of the entry plus what the edges on a path add, so the only unknowns are the weights of
//! entries. The entry of `main` has weight 0: its first thread is part of the constant. Every edge to a location that has a weight
//! already, and every edge that starts a thread, is an equation between the unknowns.

use super::changes::Changes;
use num_rational::Ratio;
use num_traits::Zero;
use throng_cfa::flow::{Effect, LocationId, Program, TemplateId};

type Number = Ratio<i128>;

/// A sum of unknowns with factors, by template, and a constant at the end.
type Form = Vec<Number>;

/// The weights of all locations, zero where nobody comes; `None` if there are none that are whole numbers.
pub(super) fn solve(program: &Program, changes: &Changes) -> Option<Vec<i128>> {
    let n = program.templates.len();
    let unknown = |template: TemplateId| -> Form {
        let mut form = vec![Number::zero(); n + 1];
        form[template.index()] = Number::from_integer(1);
        form
    };
    let mut forms: Vec<Option<Form>> = vec![None; program.locations.len()];
    let mut equations: Vec<Form> = Vec::new();
    // That of `main` is nothing.
    equations.push(unknown(program.main));
    let mut started = vec![program.main];
    let mut waiting: Vec<LocationId> = Vec::new();
    let mut next = 0;
    while let Some(&template) = started.get(next) {
        next += 1;
        let entry = program.templates[template.index()].entry;
        forms[entry.index()] = Some(unknown(template));
        waiting.push(entry);
        while let Some(location) = waiting.pop() {
            let Some(here) = forms[location.index()].clone() else { continue };
            for (id, edge) in program.edges_from(location) {
                let Some(change) = changes[id.index()] else { continue };
                let mut there = here.clone();
                there[n] += Number::from_integer(change);
                if let Some(Effect::Spawn { template, .. }) = edge.effect {
                    there[template.index()] -= Number::from_integer(1);
                    if !started.contains(&template) {
                        started.push(template);
                    }
                }
                match &forms[edge.to.index()] {
                    None => {
                        forms[edge.to.index()] = Some(there);
                        waiting.push(edge.to);
                    }
                    Some(known) => equations.push(difference(known, &there)),
                }
            }
        }
    }
    let values = eliminate(equations, n)?;
    let weights = forms.iter().map(|form| match form {
        None => Some(0),
        Some(form) => {
            let sum = (0..n).map(|it| form[it] * values[it]).fold(form[n], |a, b| a + b);
            sum.is_integer().then(|| sum.to_integer())
        }
    });
    weights.collect()
}

fn difference(a: &Form, b: &Form) -> Form {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Values of the unknowns, zero for those that are free; `None` if the equations contradict each other.
fn eliminate(mut equations: Vec<Form>, n: usize) -> Option<Vec<Number>> {
    let mut pivots: Vec<(usize, Form)> = Vec::new();
    while let Some(mut form) = equations.pop() {
        for (column, pivot) in &pivots {
            let factor = form[*column];
            if !factor.is_zero() {
                form.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
            }
        }
        match (0..n).find(|&column| !form[column].is_zero()) {
            None if !form[n].is_zero() => return None,
            None => {}
            Some(column) => {
                let factor = form[column];
                form.iter_mut().for_each(|a| *a /= factor);
                for (_, pivot) in &mut pivots {
                    let factor = pivot[column];
                    if !factor.is_zero() {
                        pivot.iter_mut().zip(&form).for_each(|(a, b)| *a -= factor * b);
                    }
                }
                pivots.push((column, form));
            }
        }
    }
    let mut values = vec![Number::zero(); n];
    for (column, pivot) in &pivots {
        values[*column] = -pivot[n];
    }
    Some(values)
}
