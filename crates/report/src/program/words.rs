//! How places, variables and patterns of a program are spelled, the same in all outputs for people; and how the names
//! of evidence documents are read.

use super::ProgramCase;
use crate::words::counted;
use std::collections::{BTreeMap, HashMap};
use throng_base::source::LineCounter;
use throng_boolprog::flow::{Effect, InstanceId, LocationFinder, LocationId, Program, VariableId};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::document::Configuration;
use throng_cert::{Count, State};

/// The name of the atomic bit in evidence documents.
const ATOMIC: &str = "(atomic)";
/// Characters of a statement that are shown.
pub(super) const STATEMENT_WIDTH: usize = 44;

/// A thread: its location and its variables.
pub(crate) type Thread = ThreadPattern;

/// The words of one program.
pub(crate) struct ProgramWords<'a> {
    pub(crate) case: ProgramCase<'a>,
    /// The line of each location's statement.
    lines: Vec<u32>,
    /// How many locations have the statement that a location has.
    twins: Vec<u32>,
    /// The lines of calls, by caller and position.
    calls: HashMap<(InstanceId, u32), u32>,
    /// Names are different in programs that were read; otherwise none is found.
    locations: Option<LocationFinder>,
    shared: HashMap<String, u32>,
    locals: HashMap<String, u32>,
    /// Whether the program has atomic sections.
    has_sections: bool,
}

impl<'a> ProgramWords<'a> {
    pub(crate) fn new(case: ProgramCase<'a>) -> Self {
        let program = case.program;
        let named = |count: usize, variable: fn(u32) -> VariableId| {
            let indices = 0..u32::try_from(count).unwrap_or(u32::MAX);
            indices.map(move |index| (program.variable_text(variable(index)), index))
        };
        let mut shared: HashMap<String, u32> = named(program.shared().len(), VariableId::Shared).collect();
        shared.insert(ATOMIC.to_owned(), program.atomic_bit());
        let (lines, twins) = places(case);
        let calls = calls(program, &lines);
        Self {
            case,
            lines,
            twins,
            calls,
            locations: LocationFinder::new(program),
            shared,
            has_sections: program.locations().iter().any(|location| location.is_atomic),
            locals: named(program.locals().len(), VariableId::Local).collect(),
        }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.case.program
    }

    /// The line of a location's statement; `None` for where threads are whose assertion failed.
    pub(crate) fn line(&self, location: LocationId) -> Option<u32> {
        (location != self.program().error()).then(|| self.lines[location.index()])
    }

    /// The statement of a location, on one line.
    pub(crate) fn statement(&self, location: LocationId) -> String {
        if location == self.program().error() {
            return "assertion failed".to_owned();
        }
        let text = self.case.source.slice(self.program().location(location).span);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ").trim_end_matches([';', ' ']).to_owned();
        if self.is_condition(location) && !["if", "while", "assert"].iter().any(|it| text.starts_with(it)) {
            return format!("elsif {text}");
        }
        text
    }

    /// The same, cut off where it is long.
    pub(crate) fn short_statement(&self, location: LocationId) -> String {
        self.statement_within(location, STATEMENT_WIDTH)
    }

    /// The same, with at most so many characters.
    pub(crate) fn statement_within(&self, location: LocationId, width: usize) -> String {
        let text = self.statement(location);
        if text.chars().count() <= width {
            return text;
        }
        let short: String = text.chars().take(width.saturating_sub(1)).collect();
        format!("{}…", short.trim_end())
    }

    /// Whether steps from here are the sides of a condition.
    fn is_condition(&self, location: LocationId) -> bool {
        let edges = self.program().outgoing(location);
        edges.len() > 1 && edges.iter().all(|edge| edge.guard.is_some() && edge.effect == Effect::None)
    }

    /// ``line 12 `x := 1` ``, with the calls that led there and whether it is atomic where the line does not tell.
    pub(crate) fn place(&self, location: LocationId) -> String {
        let Some(line) = self.line(location) else { return "a failed assertion".to_owned() };
        let mut text = format!("line {line} `{}`", self.short_statement(location));
        if self.twins[location.index()] > 1 {
            let calls = self.calls(location);
            if !calls.is_empty() {
                text.push_str(&format!(" called from {calls}"));
            }
            if self.program().location(location).is_atomic {
                text.push_str(" (atomic)");
            }
        }
        text
    }

    /// The lines of the calls that led to a location, the last one first: `line 7, line 3`.
    fn calls(&self, location: LocationId) -> String {
        let program = self.program();
        let caller = |instance: InstanceId| program.instances()[instance.index()].caller;
        let first = program.location(location).instance.and_then(caller);
        let calls = std::iter::successors(first, |&(instance, _)| caller(instance));
        let lines: Vec<String> =
            calls.filter_map(|call| Some(format!("line {}", self.calls.get(&call)?))).collect();
        lines.join(", ")
    }

    /// The name of a shared variable in evidence documents.
    pub(crate) fn shared_name(&self, index: u32) -> String {
        if index == self.program().atomic_bit() {
            return ATOMIC.to_owned();
        }
        self.program().variable_text(VariableId::Shared(index))
    }

    pub(crate) fn local_name(&self, index: u32) -> String {
        self.program().variable_text(VariableId::Local(index))
    }

    /// `x=1, y=0` for these values of shared variables, without the atomic bit.
    pub(crate) fn shared_values(&self, cube: &Cube) -> String {
        let bit = self.program().atomic_bit();
        let values = cube.iter().filter(|&(index, _)| index != bit);
        assignments(values.map(|(index, value)| (self.shared_name(index), value)))
    }

    /// `x=1, y=0` for these values of local variables.
    pub(crate) fn local_values(&self, cube: &Cube) -> String {
        assignments(cube.iter().map(|(index, value)| (self.local_name(index), value)))
    }

    /// What a pattern says about shared variables, to stand after threads: ` while s=1 (inside an atomic section)`. Empty
    /// if nothing. Sections are mentioned where there are some.
    pub(crate) fn circumstances(&self, shared: &Cube) -> String {
        let values = self.shared_values(shared);
        let values = if values.is_empty() { values } else { format!(" while {values}") };
        let atomic = match shared.get(self.program().atomic_bit()) {
            Some(true) => " (inside an atomic section)",
            Some(false) if self.has_sections => " (outside atomic sections)",
            Some(false) | None => "",
        };
        format!("{values}{atomic}")
    }

    /// Where a thread is and with which values: ``line 12 `x := 1` with b=0``.
    pub(crate) fn thread(&self, thread: &Thread) -> String {
        let values = self.local_values(&thread.locals);
        let with = if values.is_empty() { String::new() } else { format!(" with {values}") };
        format!("{}{with}", self.place(thread.location))
    }

    /// All configurations that a pattern stands for, in words.
    pub(crate) fn pattern(&self, pattern: &Pattern) -> String {
        let mut groups: BTreeMap<&Thread, u64> = BTreeMap::new();
        pattern.threads.iter().for_each(|thread| *groups.entry(thread).or_default() += 1);
        let mut first = true;
        let group = |(thread, count): (&Thread, u64)| {
            let one = if first { "a thread" } else { "another" };
            first = false;
            let who = if count == 1 { one.to_owned() } else { counted(count, "thread") };
            format!("{who} at {}", self.thread(thread))
        };
        let threads: Vec<String> = groups.into_iter().map(group).collect();
        let circumstances = self.circumstances(&pattern.shared);
        if threads.is_empty() {
            let alone = circumstances.trim_start_matches(" while ").trim_start();
            return if alone.is_empty() { "anything".to_owned() } else { alone.to_owned() };
        }
        format!("{}{circumstances}", threads.join(" and "))
    }
}

fn assignments(values: impl Iterator<Item = (String, bool)>) -> String {
    let values: Vec<String> = values.map(|(name, value)| format!("{name}={}", u8::from(value))).collect();
    values.join(", ")
}

/// The line of each location, and how many locations share its statement.
fn places(case: ProgramCase<'_>) -> (Vec<u32>, Vec<u32>) {
    let locations = case.program.locations();
    let mut order: Vec<usize> = (0..locations.len()).collect();
    let span = |index: usize| (locations[index].span.start, locations[index].span.end);
    order.sort_unstable_by_key(|&index| span(index));
    let mut counter = LineCounter::new(case.source);
    let (mut lines, mut twins) = (vec![0; locations.len()], vec![0; locations.len()]);
    for group in order.chunk_by(|&left, &right| span(left) == span(right)) {
        let size = u32::try_from(group.len()).unwrap_or(u32::MAX);
        let line = counter.line_at(span(group[0]).0);
        for &index in group {
            (lines[index], twins[index]) = (line, size);
        }
    }
    (lines, twins)
}

/// The lines of calls.
fn calls(program: &Program, lines: &[u32]) -> HashMap<(InstanceId, u32), u32> {
    let mut calls: HashMap<(InstanceId, u32), u32> =
        program.instances().iter().filter_map(|instance| Some((instance.caller?, 0))).collect();
    for (location, &line) in program.locations().iter().zip(lines) {
        let call = location.instance.map(|instance| (instance, location.position));
        if let Some(known) = call.and_then(|call| calls.get_mut(&call)) {
            *known = line;
        }
    }
    calls
}

/// Names of documents as what they name; `None` for what the program does not have.
impl ProgramWords<'_> {
    pub(crate) fn find(&self, location: &str) -> Option<LocationId> {
        self.locations.as_ref()?.find(self.program(), location)
    }

    pub(crate) fn shared_cube(&self, state: &State) -> Option<Cube> {
        let State::Where { valuation } = state else { return None };
        cube(valuation, &self.shared)
    }

    pub(crate) fn read_thread(&self, state: &State) -> Option<Thread> {
        let State::At { location, valuation } = state else { return None };
        Some(Thread { location: self.find(location)?, locals: cube(valuation, &self.locals)? })
    }

    /// The shared variables and the threads of a configuration.
    pub(crate) fn configuration(&self, config: &Configuration) -> Option<(Cube, Vec<(Thread, Count)>)> {
        let shared = config.shared.as_ref().map_or(Some(Cube::any()), |state| self.shared_cube(state))?;
        let threads = config.threads.iter().map(|(state, count)| Some((self.read_thread(state)?, *count)));
        Some((shared, threads.collect::<Option<_>>()?))
    }
}

fn cube(valuation: &BTreeMap<String, bool>, names: &HashMap<String, u32>) -> Option<Cube> {
    valuation.iter().map(|(name, &value)| Some((*names.get(name)?, value))).collect()
}
