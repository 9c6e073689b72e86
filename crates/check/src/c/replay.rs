//! Interleavings: from a document to a trace that is replayed.

use super::machine::{Impossible, Machine};
use crate::verdict::check_kind;
use crate::{Accepted, Condition, Rejection};
use throng_cert::EvidenceDocument;
use throng_cert::document::{ArbitraryScalar, Body, Interleaving};
use throng_cfa::flow::{EdgeId, NondetId, Program, VariableId};
use throng_cfa::text::Position;
use throng_cfa::trace::{Trace, TraceStep};

/// Checks evidence about a C program. `Ok` means that the verdict of the document holds.
pub fn check_interleaving(program: &Program, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
    check_kind(document)?;
    let Body::Interleaving(interleaving) = &document.body else {
        let reason = format!("a {} says nothing about C programs", document.body.kind());
        return Err(Rejection::new(Condition::Form, "the document", reason));
    };
    let trace = steps_of(program, interleaving)?;
    let mut machine = Machine::new(program, &trace)
        .map_err(|Impossible(why)| Rejection::new(Condition::TraceInitial, "the start", why))?;
    for (index, step) in trace.steps.iter().enumerate() {
        machine
            .step(step)
            .map_err(|Impossible(why)| Rejection::new(Condition::TraceEnabled, place(index), why))?;
    }
    let n_threads = machine.threads().len() as u64;
    if let Some(most) = program.most_threads.filter(|&most| n_threads > most) {
        let reason = format!("it has {n_threads} threads, and runs have at most {most}");
        return Err(Rejection::new(Condition::TraceTarget, "the end", reason));
    }
    if !(1..=machine.threads().len()).any(|thread| machine.failed(u32::try_from(thread).unwrap_or(0))) {
        let reason = "no thread is at an error";
        return Err(Rejection::new(Condition::TraceTarget, "the end", reason));
    }
    Ok(Accepted::Trace { threads: machine.threads().len() as u128, steps: trace.steps.len() as u128 })
}

/// How a step is called.
fn place(index: usize) -> String {
    format!("step {}", index.saturating_add(1))
}

/// The trace that a document tells, with places compared.
pub fn steps_of(program: &Program, interleaving: &Interleaving) -> Result<Trace, Rejection> {
    let start = scalars(&interleaving.start, "the start")?;
    let steps = interleaving.steps.iter().enumerate().map(|(index, step)| {
        let here = place(index);
        let edge = EdgeId::new(step.edge as usize);
        let Some(known) = program.edges.get(edge.index()) else {
            return Err(Rejection::new(Condition::Names, here, format!("there is no edge {}", step.edge)));
        };
        let at = show(&program.site(known.site).position);
        if at != step.at {
            let reason = format!("edge {} is at {at}, not at {}", step.edge, step.at);
            return Err(Rejection::new(Condition::Names, here, reason));
        }
        let choices = step
            .choices
            .iter()
            .map(|choice| Ok((NondetId::new(choice.nondet as usize), number(&choice.value, &here)?)));
        Ok(TraceStep {
            thread: step.thread,
            edge,
            choices: choices.collect::<Result<_, _>>()?,
            signalled: step.signalled,
            started: scalars(&step.started, &here)?,
        })
    });
    Ok(Trace { start, steps: steps.collect::<Result<_, _>>()? })
}

fn scalars(list: &[ArbitraryScalar], here: &str) -> Result<Vec<(VariableId, u32, u128)>, Rejection> {
    let scalars = list.iter().map(|scalar| {
        let variable = VariableId::new(scalar.variable as usize);
        Ok((variable, scalar.element, number(&scalar.value, here)?))
    });
    scalars.collect()
}

fn number(text: &str, here: &str) -> Result<u128, Rejection> {
    text.parse().map_err(|_| Rejection::new(Condition::Form, here, format!("`{text}` is not a number")))
}

/// A position as it stands in documents.
fn show(position: &Position) -> String {
    format!("{}:{}:{}", position.file, position.line, position.column)
}
