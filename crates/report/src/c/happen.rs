//! What one step of a C program does, as its author would say it: what is read, which way a condition goes, which lock is
//! taken, who wakes whom and why somebody goes on.

use super::follow::Row;
use super::{naming, values};
use std::collections::{BTreeMap, BTreeSet};
use throng_c_front::lower::STOPPED;
use throng_cfa::flow::{
    Edge, EdgeId, Effect, Expression, ExpressionId, LocationKind, Program, Scope, VariableId,
};
use throng_cfa::trace::TraceStep;
use throng_check::c::Machine;

/// The ghost that says on which condition variable a thread waits.
const WAITS_FOR: &str = "waits for";
/// What `pthread_cond_timedwait` returns when time is over.
const TIMED_OUT: u128 = 110;
/// Values read that are told of one step.
const MOST_READS: usize = 6;

/// Something that happens in a step, besides assignments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A shared variable is read: its name and its value.
    Reads(String, String),
    /// A condition is true or false.
    Decides(bool),
    /// An assertion holds.
    Holds,
    /// This is the error.
    Fails,
    /// A lock is taken, for something.
    Takes(String, &'static str),
    /// A lock is released.
    Releases(String),
    /// A lock cannot be taken.
    IsTaken(String),
    /// A compare-and-swap succeeds or not.
    Swaps(bool),
    /// The thread waits on a condition variable.
    Waits(String),
    /// The thread goes on after waiting.
    GoesOn(Why),
    /// A signal or broadcast wakes threads.
    Wakes(Vec<u32>),
    /// A thread is started: its number and its function.
    Starts(u32, String),
    /// A thread is waited for, and has ended.
    Joins(u128),
    /// An arbitrary value is chosen: for what, and which.
    Chooses(String, String),
    /// The thread stays where it is, for ever.
    Stays,
    /// The thread ends.
    Ends,
}

/// Why a thread goes on after waiting on a condition variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Another thread woke it, if it is known which.
    Woken(Option<u32>),
    /// Nobody woke it: POSIX allows that.
    Spurious,
    /// Time was over.
    TimedOut,
}

/// Who was woken by whom last.
#[derive(Debug, Default)]
pub(super) struct Waking(BTreeMap<u32, u32>);

/// A step with the states before and after it.
pub(super) struct Moment<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) before: &'a Machine<'p>,
    pub(super) after: &'a Machine<'p>,
    pub(super) step: &'a TraceStep,
}

/// Writes down what a step does.
pub(super) fn record(row: &mut Row, moment: &Moment<'_, '_>, waking: &mut Waking) {
    let (program, step) = (moment.program, moment.step);
    let edge = program.edge(step.edge);
    let call = library_call(&program.site(edge.site).text);
    moment.assigned(row, edge);
    let is_lock_call = moment.lock_call(row, edge, call) || moment.waiting(row, edge, waking);
    if !is_lock_call {
        moment.reads(row, edge);
    }
    if matches!(edge.effect, Some(Effect::Spawn { .. })) {
        let number = moment.after.threads().len() as u128;
        // That the handle names the new thread goes without saying.
        row.own.retain(|_, value| *value != number);
        row.shared.retain(|_, value| *value != number);
    }
    for &(nondet, value) in &step.choices {
        let nondet = &program.nondets[nondet.index()];
        if nondet.name.ends_with(')') {
            let value = values::value(program, &nondet.ty, nondet.bits, value);
            row.notes.push(Note::Chooses(nondet.name.clone(), value));
        }
    }
    moment.effect(row, edge, waking);
    row.notes.extend(moment.joined(edge).into_iter().map(Note::Joins));
    let stops = |variable: VariableId| program.variable(variable).name.starts_with(STOPPED);
    if edge.assignments.iter().any(|it| program.variable(it.target).is_ghost && stops(it.target)) {
        row.notes.push(Note::Stays);
    }
    match program.location(edge.to).kind {
        LocationKind::Error(_) => row.notes.push(Note::Fails),
        kind => {
            if !is_lock_call && !matches!(call, Some((_, _))) {
                row.notes.extend(outcome(program, step.edge));
            }
            if kind == LocationKind::End {
                row.notes.push(Note::Ends);
            }
        }
    }
}

/// The name of a function of a library in a call, and the name of the function without its family: `pthread_mutex`, `lock`.
fn library_call(text: &str) -> Option<(&str, &str)> {
    let (name, _) = text.split_once('(')?;
    let families = ["pthread_mutex_", "pthread_spin_", "pthread_rwlock_", "pthread_cond_", "mtx_", "cnd_"];
    families.into_iter().find_map(|family| Some((family, name.trim().strip_prefix(family)?)))
}

/// Which way a condition goes. The front end writes the edge where it is true first, and then the other.
fn outcome(program: &Program, id: EdgeId) -> Option<Note> {
    let edge = program.edge(id);
    let twins: Vec<EdgeId> =
        program.edges_from(edge.from).filter(|(_, twin)| twin.site == edge.site).map(|(id, _)| id).collect();
    let is_error =
        |id: &EdgeId| matches!(program.location(program.edge(*id).to).kind, LocationKind::Error(_));
    let text = &program.site(edge.site).text;
    if text.contains("compare_and_swap") || text.contains("compare_exchange") {
        let writes = edge.assignments.iter().any(|it| program.variable(it.target).scope == Scope::Shared);
        return (twins.len() > 1).then_some(Note::Swaps(writes));
    }
    let ways: Vec<&EdgeId> = twins.iter().filter(|twin| !is_error(twin)).collect();
    match (&ways[..], twins.len()) {
        (&[_], 2..) if super::text::is_assertion(program, edge.site) => Some(Note::Holds),
        (&[&yes, &no], _) if yes == id || no == id => Some(Note::Decides(yes == id)),
        _ => None,
    }
}

impl Moment<'_, '_> {
    fn value(&self, id: ExpressionId) -> Option<u128> {
        self.before.value_before(self.step, id)
    }

    fn local(&self, machine: &Machine<'_>, thread: u32, id: VariableId) -> Option<u128> {
        machine.local(thread, id)?.first().copied()
    }

    /// What gets a value, whether that is new or not. Rows of scalars and values that nobody chose count only if they change.
    fn assigned(&self, row: &mut Row, edge: &Edge) {
        for assignment in &edge.assignments {
            let variable = self.program.variable(assignment.target);
            let element = assignment.index.map_or(Some(0), |index| self.value(index));
            let Some(element) = element.and_then(|element| usize::try_from(element).ok()) else { continue };
            let read = |machine: &Machine<'_>| {
                let scalars = match variable.scope {
                    Scope::Shared => machine.shared(assignment.target),
                    Scope::Local(_) => machine.local(self.step.thread, assignment.target),
                };
                scalars.and_then(|scalars| scalars.get(element)).copied()
            };
            let (Some(old), Some(new)) = (read(self.before), read(self.after)) else { continue };
            let is_chosen = matches!(self.program.expressions.get(assignment.value), Expression::Nondet(_));
            let is_quiet = is_chosen || variable.is_ghost || edge.assignments.len() > MOST_READS;
            if old == new && is_quiet {
                continue;
            }
            let map = if variable.scope == Scope::Shared { &mut row.shared } else { &mut row.own };
            map.insert((assignment.target, element), new);
        }
    }

    /// The shared variables that an edge looks at, with their values.
    fn seen(&self, roots: impl Iterator<Item = ExpressionId>) -> Vec<(String, String)> {
        let expressions = &self.program.expressions;
        let mut waiting: Vec<ExpressionId> = roots.collect();
        let mut known: BTreeSet<ExpressionId> = waiting.iter().copied().collect();
        let mut seen = Vec::new();
        while let Some(id) = waiting.pop() {
            let place = match expressions.get(id) {
                Expression::Variable(variable) => Some((variable, 0)),
                Expression::Element(variable, index) => self.value(index).map(|index| (variable, index)),
                _ => None,
            };
            if let Some((variable, element)) = place {
                seen.extend(self.seen_at(variable, element));
            }
            // Only what decides the value was looked at: of a choice, one side.
            let operands: Vec<ExpressionId> = match expressions.get(id) {
                Expression::IfThenElse(condition, yes, no) => {
                    let side = if self.value(condition) == Some(1) { yes } else { no };
                    vec![side]
                }
                _ => expressions.operands(id).collect(),
            };
            waiting.extend(operands.into_iter().filter(|&operand| known.insert(operand)));
        }
        seen.sort();
        seen.dedup();
        seen
    }

    fn seen_at(&self, id: VariableId, element: u128) -> Option<(String, String)> {
        let variable = self.program.variable(id);
        let is_told = variable.scope == Scope::Shared && !variable.is_ghost;
        let element = usize::try_from(element).ok().filter(|_| is_told)?;
        let value = *self.before.shared(id)?.get(element)?;
        let value = values::value(self.program, &variable.ty, variable.bits, value);
        Some((naming::scalar(self.program, id, element), value))
    }

    fn reads(&self, row: &mut Row, edge: &Edge) {
        let values = edge.assignments.iter().flat_map(|it| [Some(it.value), it.index]).flatten();
        let seen = self.seen(std::iter::once(edge.guard).chain(values));
        if seen.len() <= MOST_READS {
            row.notes.extend(seen.into_iter().map(|(name, value)| Note::Reads(name, value)));
        }
    }

    /// A call that takes or releases a lock; whether it is one.
    fn lock_call(&self, row: &mut Row, edge: &Edge, call: Option<(&str, &str)>) -> bool {
        let Some((family, verb)) =
            call.filter(|(family, _)| !family.contains("cond") && !family.contains("cnd"))
        else {
            return false;
        };
        let sets: Vec<(VariableId, usize)> =
            row.shared.keys().copied().filter(|&(id, _)| !self.program.variable(id).is_ghost).collect();
        let names = |places: &[(VariableId, usize)]| {
            let names = places.iter().map(|&(id, element)| naming::scalar(self.program, id, element));
            names.collect::<Vec<_>>().join(", ")
        };
        let note = if verb.contains("unlock") && !sets.is_empty() {
            Note::Releases(names(&sets))
        } else if verb.ends_with("lock") && !sets.is_empty() {
            let how = match (family, verb.contains("rd")) {
                ("pthread_rwlock_", true) => " for reading",
                ("pthread_rwlock_", false) => " for writing",
                _ => "",
            };
            Note::Takes(names(&sets), how)
        } else if verb.ends_with("lock") && !verb.contains("unlock") {
            let seen = self.seen(std::iter::once(edge.guard));
            let Some((name, _)) = seen.into_iter().next() else { return false };
            Note::IsTaken(name)
        } else {
            return false;
        };
        row.shared.retain(|place, _| !sets.contains(place));
        row.notes.push(note);
        true
    }

    /// Waiting on a condition variable, or going on after it; whether it is that.
    fn waiting(&self, row: &mut Row, edge: &Edge, waking: &mut Waking) -> bool {
        let (program, thread) = (self.program, self.step.thread);
        let text = &program.site(edge.site).text;
        let is_wait = ["pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_"]
            .iter()
            .any(|name| text.starts_with(name));
        let template = self.before.threads().get(thread as usize - 1).map(|it| it.template);
        let locals = template.map_or(&[][..], |it| &program.templates[it.index()].locals);
        let ghost = locals.iter().copied().find(|&id| {
            let variable = program.variable(id);
            variable.is_ghost && variable.name == WAITS_FOR
        });
        let Some(ghost) = ghost.filter(|_| is_wait) else { return false };
        let (Some(old), Some(new)) =
            (self.local(self.before, thread, ghost), self.local(self.after, thread, ghost))
        else {
            return false;
        };
        let locks: Vec<(VariableId, usize)> = row.shared.keys().copied().collect();
        let names = locks.iter().map(|&(id, element)| naming::scalar(program, id, element));
        let names = names.collect::<Vec<_>>().join(", ");
        if new != 0 && old != new {
            let name = program.address_name(new);
            row.notes.push(Note::Releases(names));
            row.notes.push(Note::Waits(name.strip_prefix('&').unwrap_or(&name).to_owned()));
            waking.0.remove(&thread);
        } else if !locks.is_empty() {
            let why = if old == 0 {
                Why::Woken(waking.0.remove(&thread))
            } else if self.times_out(edge) {
                Why::TimedOut
            } else {
                Why::Spurious
            };
            row.notes.push(Note::GoesOn(why));
            row.notes.push(Note::Takes(names, ""));
        } else {
            return false;
        }
        row.shared.retain(|place, _| !locks.contains(place));
        true
    }

    /// Whether waiting ends since time is over. Of the ways to go on without a signal, the front end writes that one first.
    fn times_out(&self, edge: &Edge) -> bool {
        let program = self.program;
        if !program.site(edge.site).text.contains("timed") {
            return false;
        }
        let constant = |id: ExpressionId| match program.expressions.get(id) {
            Expression::Constant(value) => Some(value),
            _ => None,
        };
        let says_so = edge
            .assignments
            .iter()
            .any(|it| program.variable(it.target).is_ghost && constant(it.value) == Some(TIMED_OUT));
        let ways: Vec<EdgeId> = program.edges_from(edge.from).map(|(id, _)| id).collect();
        says_so || (ways.len() == 3 && ways[1] == self.step.edge)
    }

    fn effect(&self, row: &mut Row, edge: &Edge, waking: &mut Waking) {
        match &edge.effect {
            Some(Effect::Spawn { template, .. }) => {
                let number = self.after.threads().len() as u32;
                row.notes.push(Note::Starts(number, self.program.templates[template.index()].name.clone()));
            }
            Some(Effect::Signal(_)) => {
                let woken: Vec<u32> = self.step.signalled.into_iter().collect();
                waking.0.extend(woken.iter().map(|&thread| (thread, self.step.thread)));
                row.notes.push(Note::Wakes(woken));
            }
            Some(Effect::Broadcast(_)) => {
                let woken = self.moved();
                waking.0.extend(woken.iter().map(|&thread| (thread, self.step.thread)));
                row.notes.push(Note::Wakes(woken));
            }
            None => {}
        }
    }

    /// The other threads whose variables changed.
    fn moved(&self) -> Vec<u32> {
        let differs = |&number: &u32| {
            let mut variables = (0..self.program.variables.len()).map(VariableId::new);
            number != self.step.thread
                && variables.any(|id| self.before.local(number, id) != self.after.local(number, id))
        };
        (1..=self.before.threads().len() as u32).filter(differs).collect()
    }

    /// The threads that an edge waits for.
    fn joined(&self, edge: &Edge) -> Vec<u128> {
        let expressions = &self.program.expressions;
        let mut waiting = vec![edge.guard];
        let mut found = BTreeSet::new();
        let mut known = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if let Expression::HasEnded(thread) = expressions.get(id) {
                found.extend(self.value(thread));
            }
            waiting.extend(expressions.operands(id).filter(|&operand| known.insert(operand)));
        }
        found.into_iter().collect()
    }
}

impl Note {
    /// The note in words.
    pub(super) fn words(&self) -> String {
        match self {
            Note::Reads(name, value) => format!("reads {name}={value}"),
            Note::Decides(value) => value.to_string(),
            Note::Holds => "holds".to_owned(),
            Note::Fails => "fails".to_owned(),
            Note::Takes(lock, how) => format!("takes {lock}{how}"),
            Note::Releases(lock) => format!("releases {lock}"),
            Note::IsTaken(lock) => format!("does not get {lock}: it is taken"),
            Note::Swaps(true) => "succeeds".to_owned(),
            Note::Swaps(false) => "does not succeed".to_owned(),
            Note::Waits(condition) => format!("waits for {condition}"),
            Note::GoesOn(Why::Woken(Some(thread))) => format!("goes on, woken by thread {thread}"),
            Note::GoesOn(Why::Woken(None)) => "goes on".to_owned(),
            Note::GoesOn(Why::Spurious) => "wakes up without a signal (spurious wake-up)".to_owned(),
            Note::GoesOn(Why::TimedOut) => "its time is over (ETIMEDOUT)".to_owned(),
            Note::Wakes(threads) => match &threads[..] {
                [] => "nobody waits".to_owned(),
                threads => {
                    let places: Vec<usize> = threads.iter().map(|&thread| thread as usize - 1).collect();
                    format!("wakes {}", crate::listing::numbers("thread", &places))
                }
            },
            Note::Starts(number, function) => format!("new thread {number} in {function}"),
            Note::Joins(thread) => format!("thread {thread} has ended"),
            Note::Chooses(name, value) => format!("{name} is {value}"),
            Note::Stays => "stays there".to_owned(),
            Note::Ends => "ends".to_owned(),
        }
    }

    /// The thread that this is about, with whether it is started (and not woken): for arrows between threads.
    pub(super) fn reaches(&self) -> Vec<(u32, bool)> {
        match self {
            Note::Starts(thread, _) => vec![(*thread, true)],
            Note::Wakes(threads) => threads.iter().map(|&thread| (thread, false)).collect(),
            _ => Vec::new(),
        }
    }
}

impl Row {
    /// What happens, in words. Variables that the front end made up are left out, unless everything is asked for.
    pub(super) fn what_happens(&self, program: &Program, everything: bool) -> String {
        let show = |changed: &BTreeMap<(VariableId, usize), u128>| {
            let shown = changed.iter().filter_map(|(&(id, element), &value)| {
                let is_shown = everything || !program.variable(id).is_ghost;
                is_shown.then(|| values::assignment(program, id, element, value))
            });
            shown.collect::<Vec<_>>().join(", ")
        };
        let shared = show(&self.shared);
        let shared = if shared.is_empty() { shared } else { format!("shared {shared}") };
        let (reads, others) = self.spoken();
        let own = show(&self.own);
        let parts = [reads, own, shared].into_iter().filter(|part| !part.is_empty());
        parts.chain(others).collect::<Vec<_>>().join("; ")
    }

    /// The notes in words: what is read together, and the others.
    pub(super) fn spoken(&self) -> (String, Vec<String>) {
        let reads: Vec<String> = self
            .notes
            .iter()
            .filter_map(|note| match note {
                Note::Reads(name, value) => Some(format!("{name}={value}")),
                _ => None,
            })
            .collect();
        let reads = if reads.is_empty() { String::new() } else { format!("reads {}", reads.join(", ")) };
        let others = self.notes.iter().filter(|note| !matches!(note, Note::Reads(..))).map(Note::words);
        (reads, others.collect())
    }
}
