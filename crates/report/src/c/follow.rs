//! What an interleaving does, step by step, as the checker's machine replays it.
//!
//! A row is what one thread does at one place in the source without anybody between: the steps of one statement, and what it
//! read for it just before. What a step does is told by `happen`.

use super::happen::{self, Moment, Note, Waking};
use std::collections::BTreeMap;
use throng_cert::document::Interleaving;
use throng_cfa::flow::{LocationKind, Program, PropertyId, SiteId, VariableId};
use throng_cfa::trace::Trace;
use throng_check::c::{Machine, steps_of};

/// What one thread does at one place in the source, in one or several steps without anybody between.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The number of its last step in the evidence.
    pub(super) n_steps: usize,
    /// Who acts.
    pub(super) thread: u32,
    /// What is executed.
    pub(super) site: Option<SiteId>,
    /// Own variables that get values.
    pub(super) own: BTreeMap<(VariableId, usize), u128>,
    /// Shared variables that get values.
    pub(super) shared: BTreeMap<(VariableId, usize), u128>,
    /// What else happens, in order.
    pub(super) notes: Vec<Note>,
}

/// An interleaving with everything that is needed to show it.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) rows: Vec<Row>,
    /// The function that each thread ever created runs.
    pub(super) threads: Vec<String>,
    pub(super) n_steps: usize,
    /// What goes wrong in the end, and whose fault it is.
    pub(super) failure: Option<(u32, PropertyId)>,
}

/// Replays an interleaving; `None` if it is no execution.
pub(super) fn follow(program: &Program, interleaving: &Interleaving) -> Option<Followed> {
    let trace: Trace = steps_of(program, interleaving).ok()?;
    let mut machine = Machine::new(program, &trace).ok()?;
    let mut rows = Vec::<Row>::new();
    let mut waking = Waking::default();
    for (index, step) in trace.steps.iter().enumerate() {
        let before = machine.clone();
        machine.step(step).ok()?;
        let site = program.edge(step.edge).site;
        let mut row = Row { thread: step.thread, site: Some(site), n_steps: index + 1, ..Row::default() };
        happen::record(&mut row, &Moment { program, before: &before, after: &machine, step }, &mut waking);
        match rows.last_mut() {
            Some(last) if last.is_continued_by(program, &row) => last.continue_with(row),
            _ => rows.push(row),
        }
    }
    let threads = machine.threads();
    let failure =
        threads.iter().enumerate().find_map(|(place, thread)| match program.location(thread.location).kind {
            LocationKind::Error(property) => Some((place as u32 + 1, property)),
            LocationKind::Inner | LocationKind::End => None,
        });
    let name = |thread: &throng_check::c::Thread| program.templates[thread.template.index()].name.clone();
    let threads: Vec<String> = threads.iter().map(name).collect();
    rows.iter_mut().for_each(|row| row.forget_what_is_overwritten(program));
    Some(Followed { rows, threads, n_steps: trace.steps.len(), failure })
}

impl Row {
    /// Whether the same thread goes on in the same statement: at the same place, or after nothing but reading for it.
    fn is_continued_by(&self, program: &Program, next: &Row) -> bool {
        let (Some(here), Some(there)) = (self.site, next.site) else { return false };
        if self.thread != next.thread {
            return false;
        }
        let (one, other) = (program.site(here), program.site(there));
        let only_reads = self.own.keys().all(|&(id, _)| program.variable(id).is_ghost)
            && self.shared.is_empty()
            && self.notes.iter().all(|note| matches!(note, Note::Reads(..)));
        let is_same_line = one.position.line == other.position.line
            && one.position.file == other.position.file
            && one.calls == other.calls;
        here == there || (only_reads && !self.notes.is_empty() && is_same_line)
    }

    fn continue_with(&mut self, next: Row) {
        let Row { n_steps, thread: _, site, own, shared, notes } = next;
        self.n_steps = n_steps;
        self.site = site;
        self.own.extend(own);
        self.shared.extend(shared);
        for note in notes {
            if !matches!(note, Note::Reads(..)) || !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// What is read and then written in one row is told by the new value.
    fn forget_what_is_overwritten(&mut self, program: &Program) {
        let written: Vec<String> =
            self.shared.keys().map(|&(id, element)| super::naming::scalar(program, id, element)).collect();
        self.notes.retain(|note| !matches!(note, Note::Reads(name, _) if written.contains(name)));
    }

    /// Whether there is anything to tell about it.
    pub(super) fn says_something(&self, program: &Program) -> bool {
        let is_shown = |map: &BTreeMap<(VariableId, usize), u128>| {
            map.keys().any(|&(id, _)| !program.variable(id).is_ghost)
        };
        !self.notes.is_empty() || is_shown(&self.own) || is_shown(&self.shared)
    }

    /// Whether a thread is started, woken, stopped, or takes or releases a lock: what nobody wants to miss.
    pub(super) fn is_about_others(&self) -> bool {
        !self.shared.is_empty()
            || self.notes.iter().any(|note| !matches!(note, Note::Reads(..) | Note::Decides(_)))
    }
}
