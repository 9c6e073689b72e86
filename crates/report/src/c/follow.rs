//! What an interleaving does, step by step, as the checker's machine replays it.

use super::values;
use std::collections::BTreeMap;
use throng_cert::document::Interleaving;
use throng_check::c::{Machine, steps_of};
use throng_cprog::flow::{Effect, LocationKind, Program, PropertyId, SiteId, VariableId};
use throng_cprog::lower::STOPPED;
use throng_cprog::trace::{Trace, TraceStep};

/// What one thread does at one place in the source, in one or several steps without anybody between.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The number of its last step.
    pub(super) n_steps: usize,
    /// Who acts; 0 at the start.
    pub(super) thread: u32,
    /// What is executed.
    pub(super) site: Option<SiteId>,
    /// What changes, in words, own variables first.
    pub(super) own: BTreeMap<(VariableId, usize), u128>,
    /// Shared variables that change.
    pub(super) shared: BTreeMap<(VariableId, usize), u128>,
    /// What else happens.
    pub(super) remarks: Vec<String>,
}

/// An interleaving with everything that is needed to show it.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) rows: Vec<Row>,
    /// Threads ever created.
    pub(super) n_threads: usize,
    pub(super) n_steps: usize,
    /// What goes wrong in the end, and whose fault it is.
    pub(super) failure: Option<(u32, PropertyId)>,
}

/// Replays an interleaving; `None` if it is no execution.
pub(super) fn follow(program: &Program, interleaving: &Interleaving) -> Option<Followed> {
    let trace: Trace = steps_of(program, interleaving).ok()?;
    let mut machine = Machine::new(program, &trace).ok()?;
    let mut rows = Vec::<Row>::new();
    let mut failure = None;
    for (index, step) in trace.steps.iter().enumerate() {
        let before = machine.clone();
        machine.step(step).ok()?;
        let site = program.edge(step.edge).site;
        let continues = rows.last().is_some_and(|row| row.thread == step.thread && row.site == Some(site));
        if !continues {
            rows.push(Row { thread: step.thread, site: Some(site), ..Row::default() });
        }
        let row = rows.last_mut()?;
        row.n_steps = index + 1;
        record(program, row, (&before, &machine), step);
    }
    for (place, thread) in machine.threads().iter().enumerate() {
        if let LocationKind::Error(property) = program.location(thread.location).kind {
            failure = Some((place as u32 + 1, property));
        }
    }
    Some(Followed { rows, n_threads: machine.threads().len(), n_steps: trace.steps.len(), failure })
}

/// Adds what a step changes to a row.
fn record(program: &Program, row: &mut Row, (before, after): (&Machine<'_>, &Machine<'_>), step: &TraceStep) {
    for index in 0..program.variables.len() {
        let id = VariableId::new(index);
        if let (Some(old), Some(new)) = (before.shared(id), after.shared(id)) {
            row.shared.extend(changes(id, old, new));
        }
        if let (Some(old), Some(new)) = (before.local(step.thread, id), after.local(step.thread, id)) {
            row.own.extend(changes(id, old, new));
        }
    }
    for assignment in &program.edge(step.edge).assignments {
        let variable = program.variable(assignment.target);
        if variable.is_ghost && variable.name.starts_with(STOPPED) {
            row.remarks.push("stays there".to_owned());
        }
        let is_read = variable.is_ghost && variable.name == program.site(program.edge(step.edge).site).text;
        let now = after.local(step.thread, assignment.target).and_then(|scalars| scalars.first());
        if let (true, Some(&now)) = (is_read, now) {
            row.remarks.push(format!("reads {}", values::value(program, &variable.ty, variable.bits, now)));
        }
    }
    for &(nondet, value) in &step.choices {
        let nondet = &program.nondets[nondet.index()];
        if nondet.name.ends_with(')') {
            let value = values::value(program, &nondet.ty, nondet.bits, value);
            row.remarks.push(format!("{} is {value}", nondet.name));
        }
    }
    let edge = program.edge(step.edge);
    match &edge.effect {
        Some(Effect::Spawn { template, .. }) => {
            let number = before.threads().len() + 1;
            row.remarks.push(format!("new thread {number} in {}", program.templates[template.index()].name));
        }
        Some(Effect::Signal(_)) => row.remarks.push(match step.signalled {
            Some(thread) => format!("wakes thread {thread}"),
            None => "nobody waits".to_owned(),
        }),
        Some(Effect::Broadcast(_)) => {
            let moved = woken(program, before, after, step.thread);
            row.remarks.push(match &moved[..] {
                [] => "nobody waits".to_owned(),
                threads => format!("changes {}", crate::listing::numbers("thread", threads)),
            });
        }
        None => {}
    }
    match program.location(edge.to).kind {
        LocationKind::End => row.remarks.push("ends".to_owned()),
        LocationKind::Error(_) => row.remarks.push("fails".to_owned()),
        LocationKind::Inner => {}
    }
}

/// The scalars of a variable that changed.
fn changes(id: VariableId, old: &[u128], new: &[u128]) -> impl Iterator<Item = ((VariableId, usize), u128)> {
    let pairs = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
    pairs.map(|(element, (_, &new))| ((id, element), new)).collect::<Vec<_>>().into_iter()
}

/// The other threads (by place) whose variables changed.
fn woken(program: &Program, before: &Machine<'_>, after: &Machine<'_>, actor: u32) -> Vec<usize> {
    let differs = |place: &usize| {
        let number = *place as u32 + 1;
        let variables = (0..program.variables.len()).map(VariableId::new);
        number != actor && variables.into_iter().any(|id| before.local(number, id) != after.local(number, id))
    };
    (0..before.threads().len()).filter(differs).collect()
}

impl Row {
    /// What changes, in words. Variables that the front end made up are left out, unless everything is asked for.
    pub(super) fn what_happens(&self, program: &Program, everything: bool) -> String {
        let show = |changed: &BTreeMap<(VariableId, usize), u128>| {
            let shown = changed.iter().filter_map(|(&(id, element), &value)| {
                let variable = program.variable(id);
                let is_shown = everything || !variable.is_ghost;
                is_shown.then(|| values::assignment(program, id, element, value))
            });
            shown.collect::<Vec<_>>().join(", ")
        };
        let shared = show(&self.shared);
        let shared = if shared.is_empty() { shared } else { format!("shared {shared}") };
        let parts = [show(&self.own), shared].into_iter().filter(|part| !part.is_empty());
        parts.chain(self.remarks.iter().cloned()).collect::<Vec<_>>().join("; ")
    }
}
