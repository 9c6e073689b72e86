//! From the names of a document to locations and variables of a program, and back for messages.

use crate::names::place;
use crate::verdict::{Condition, Rejection};
use std::collections::{BTreeMap, HashMap};
use throng_boolprog::flow::{LocationFinder, LocationId, Program, VariableId};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::document::Configuration;
use throng_cert::{Count, State};

/// The name of the atomic bit.
const ATOMIC: &str = "(atomic)";

/// Whether a valuation may speak about the atomic bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    Allowed,
    Unknown,
}

/// The names of a program.
#[derive(Debug)]
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    locations: LocationFinder,
    shared: HashMap<String, u32>,
    locals: HashMap<String, u32>,
}

impl<'p> Names<'p> {
    pub(super) fn new(program: &'p Program) -> Result<Self, Rejection> {
        let locations = LocationFinder::new(program).ok_or_else(ambiguous)?;
        let mut names = Self { program, locations, shared: HashMap::new(), locals: HashMap::new() };
        for (index, _) in (0_u32..).zip(program.shared()) {
            let text = program.variable_text(VariableId::Shared(index));
            unique(names.shared.insert(text, index).is_none())?;
        }
        for (index, _) in (0_u32..).zip(program.locals()) {
            let text = program.variable_text(VariableId::Local(index));
            unique(names.locals.insert(text, index).is_none())?;
        }
        Ok(names)
    }

    /// The location with this text.
    pub(super) fn location(&self, place: &str, text: &str) -> Result<LocationId, Rejection> {
        self.locations.find(self.program, text).ok_or_else(|| unknown(place, "location", text))
    }

    /// A valuation of shared variables.
    pub(super) fn shared(&self, place: &str, state: Option<&State>, bit: Bit) -> Result<Cube, Rejection> {
        let valuation = match state {
            None | Some(State::Any) => return Ok(Cube::any()),
            Some(State::Where { valuation }) => valuation,
            Some(_) => {
                let reason = "the shared state of a program is a pattern of variables, `where`";
                return Err(Rejection::new(Condition::Form, place, reason));
            }
        };
        let find = |name: &str| match self.shared.get(name) {
            None if name == ATOMIC && bit == Bit::Allowed => Some(self.program.atomic_bit()),
            found => found.copied(),
        };
        cube(place, "shared variable", valuation, find)
    }

    /// A thread.
    pub(super) fn thread(&self, place: &str, state: &State) -> Result<ThreadPattern, Rejection> {
        let State::At { location, valuation } = state else {
            let reason = "a thread of a program is a pattern with a location, `at`";
            return Err(Rejection::new(Condition::Form, place, reason));
        };
        let location = self.location(place, location)?;
        let locals = cube(place, "local variable", valuation, |name| self.locals.get(name).copied())?;
        Ok(ThreadPattern { location, locals })
    }

    /// A configuration with numbers of threads; 0 of them are left out.
    pub(super) fn configuration(
        &self,
        place: &str,
        written: &Configuration,
        bit: Bit,
    ) -> Result<(Cube, Vec<(ThreadPattern, Count)>), Rejection> {
        let shared = self.shared(place, written.shared.as_ref(), bit)?;
        let threads = written.threads.iter().map(|(state, count)| Ok((self.thread(place, state)?, *count)));
        let mut threads = threads.collect::<Result<Vec<_>, Rejection>>()?;
        threads.retain(|(_, count)| *count != Count::Finite(0));
        Ok((shared, threads))
    }

    /// The locations that threads only pass through, as they are listed.
    pub(super) fn through(&self, listed: &[String]) -> Result<Vec<LocationId>, Rejection> {
        let locations = listed.iter().enumerate();
        locations
            .map(|(index, text)| self.location(&place("location passed through,", index), text))
            .collect()
    }

    /// A valuation of shared variables, for messages: `{x, !y}`.
    pub(super) fn show_shared(&self, shared: &Cube) -> String {
        let name = |index: u32| {
            if index == self.program.atomic_bit() {
                ATOMIC.to_owned()
            } else {
                self.program.variable_text(VariableId::Shared(index))
            }
        };
        show(shared, name)
    }

    /// A thread, for messages: `main:3{x}`.
    pub(super) fn show_thread(&self, location: LocationId, locals: &Cube) -> String {
        let values = show(locals, |index| self.program.variable_text(VariableId::Local(index)));
        format!("{}{values}", self.program.location_text(location))
    }

    /// A pattern, for messages.
    pub(super) fn show_pattern(&self, pattern: &Pattern) -> String {
        let threads = pattern.threads.iter().map(|thread| self.show_thread(thread.location, &thread.locals));
        let threads: Vec<String> = threads.collect();
        format!("`{}|{}`", self.show_shared(&pattern.shared), threads.join(","))
    }
}

/// The reader promises that names are different; evidence could mean anything if they were not.
fn unique(is_new: bool) -> Result<(), Rejection> {
    if is_new { Ok(()) } else { Err(ambiguous()) }
}

fn ambiguous() -> Rejection {
    let reason = "two variables or locations of the program have the same name";
    Rejection::new(Condition::Names, "the input", reason)
}

fn unknown(place: &str, kind: &str, name: &str) -> Rejection {
    Rejection::new(Condition::Names, place, format!("the program has no {kind} called `{name}`"))
}

fn cube(
    place: &str,
    kind: &str,
    valuation: &BTreeMap<String, bool>,
    find: impl Fn(&str) -> Option<u32>,
) -> Result<Cube, Rejection> {
    let values = valuation.iter().map(|(name, &value)| {
        let index = find(name).ok_or_else(|| unknown(place, kind, name))?;
        Ok((index, value))
    });
    values.collect()
}

fn show(cube: &Cube, name: impl Fn(u32) -> String) -> String {
    let values = cube.iter().map(|(index, value)| format!("{}{}", if value { "" } else { "!" }, name(index)));
    let values: Vec<String> = values.collect();
    format!("{{{}}}", values.join(", "))
}
