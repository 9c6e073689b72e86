//! Weights of locations that add up to what edges change a number by: a system of linear equations, solved exactly.
//!
//! Within the code of a template, a weight is that of the entry plus what the edges on a path add, so the only unknowns are the weights of
//! entries. Every edge to a location that has a weight
//! already, and every edge that starts a thread, is an equation between the unknowns.

use super::changes::Changes;
use num_rational::Ratio;
use num_traits::Zero;
use throng_cfa::flow::{Effect, LocationId, Program, TemplateId};

type Number = Ratio<i128>;

/// A sum of unknowns with factors, by template, and a constant at the end.
type Form = Vec<Number>;

/// The weights of all locations, zero where nobody comes; `None` if there are none that are whole numbers.
///
/// At best a number is nothing but a count, and what it is at the start is the weight of `main`'s entry. Otherwise that has weight 0.
pub(super) fn solve(program: &Program, changes: &Changes, initial: i128) -> Option<Vec<i128>> {
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
    // INVARIANT: the first equation is about `main`, whose first thread is all there is at the start.
    let whole = std::mem::replace(&mut equations[0][n], Number::from_integer(-initial));
    let counted = solution(&forms, equations.clone(), n).filter(|them| them.iter().all(|&it| it >= 0));
    counted.or_else(|| {
        equations[0][n] = whole;
        solution(&forms, equations, n)
    })
}

/// The weights that solve these equations. Where there is a choice, none that is negative, if possible.
fn solution(forms: &[Option<Form>], equations: Vec<Form>, n: usize) -> Option<Vec<i128>> {
    let pivots = eliminate(equations, n)?;
    let reduced: Vec<Option<Form>> = forms
        .iter()
        .map(|form| {
            let mut form = form.clone()?;
            for (column, pivot) in &pivots {
                let factor = form[*column];
                form.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
            }
            Some(form)
        })
        .collect();
    let mut values = vec![Number::zero(); n];
    let value =
        |form: &Form, values: &[Number]| (0..n).map(|it| form[it] * values[it]).fold(form[n], |a, b| a + b);
    for free in (0..n).filter(|it| pivots.iter().all(|(column, _)| column != it)) {
        // The smallest one that makes all weights positive that grow with it, if the others stay so.
        let used = || reduced.iter().flatten().filter(|form| !form[free].is_zero());
        let needed = used().filter(|form| form[free] > Number::zero());
        let needed = needed.map(|form| (-value(form, &values) / form[free]).ceil()).max();
        let mut tried = values.clone();
        tried[free] = needed.unwrap_or_else(Number::zero).max(Number::zero());
        if used().all(|form| value(form, &tried) >= Number::zero()) {
            values = tried;
        }
    }
    let weights = reduced.iter().map(|form| match form {
        None => Some(0),
        Some(form) => {
            let sum = value(form, &values);
            sum.is_integer().then(|| sum.to_integer())
        }
    });
    weights.collect()
}

fn difference(a: &Form, b: &Form) -> Form {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The equations solved for some unknowns each, so that only free ones remain; `None` if they contradict each other.
fn eliminate(mut equations: Vec<Form>, n: usize) -> Option<Vec<(usize, Form)>> {
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
    Some(pivots)
}
