//! Evidence that an engine found over cubes, told in terms of the program.
//!
//! Elements of proofs and cover sets are patterns: locations and the values of the variables that they mention. Traces are
//! made concrete first (`concrete`).

use crate::concrete::{self, Run, Thread};
use crate::states::States;
use crate::system::ProgramSystem;
use std::collections::BTreeMap;
use throng_boolprog::flow::{LocationId, VariableId};
use throng_boolprog::{Cube, Pattern, ThreadPattern};
use throng_cert::document::{Act, Body, Configuration, CoverSet, Item, Proof, Step, Trace};
use throng_cert::{Count, Evidence, EvidenceDocument, Header, State, TraceItem, Verdict};
use throng_model::{Config, OMEGA};

/// How the atomic bit is called. No variable of a program can have this name.
const ATOMIC: &str = "(atomic)";

/// A trace of more steps is too long to be made concrete.
const LONG: u64 = 1 << 16;

/// And so is one of so many steps, times the threads that there are.
const WIDE: u64 = 1 << 21;

/// Why evidence that an engine found is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// It is a trace that is too long to be made concrete.
    TooLong,
    /// It is none of the program: a bug of ours.
    Wrong,
}

impl ProgramSystem<'_> {
    /// Evidence that an engine found, in terms of the program.
    pub fn document(&self, evidence: &Evidence, header: Header<'_>) -> Result<EvidenceDocument, Untold> {
        let (verdict, body) = match evidence {
            Evidence::Trace(trace) if self.is_long(trace) => return Err(Untold::TooLong),
            Evidence::Trace(trace) => {
                let run = concrete::run(self, trace, &self.question().targets).ok_or(Untold::Wrong)?;
                (Verdict::Unsafe, Body::Trace(self.trace(&run)))
            }
            Evidence::Proof(proof) => {
                let (mut elements, through) = (self.elements(&proof.elements), self.through());
                elements.extend(self.rules.fixed.opposites().map(|it| self.pattern_configuration(&it)));
                (Verdict::Safe, Body::Proof(Proof { elements, through, ..Proof::default() }))
            }
            Evidence::CoverSet(set) => {
                let (elements, through) = (self.elements(&set.elements), self.through());
                (Verdict::Safe, Body::CoverSet(CoverSet { elements, through }))
            }
        };
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Ok(EvidenceDocument { verdict, engine: owned(header.engine), input: owned(header.input), body })
    }

    /// A trace to a target that need not be the question's.
    pub(crate) fn document_of_trace(
        &self,
        trace: &throng_cert::Trace,
        target: &Pattern,
        header: Header<'_>,
    ) -> Option<EvidenceDocument> {
        let body = Body::Trace(self.trace(&concrete::run(self, trace, std::slice::from_ref(target))?));
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (engine, input) = (owned(header.engine), owned(header.input));
        Some(EvidenceDocument { verdict: Verdict::Unsafe, engine, input, body })
    }

    /// A run as evidence that a target is reached.
    pub(crate) fn document_of_run(&self, run: &Run, header: Header<'_>) -> EvidenceDocument {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (engine, input) = (owned(header.engine), owned(header.input));
        EvidenceDocument { verdict: Verdict::Unsafe, engine, input, body: Body::Trace(self.trace(run)) }
    }

    /// The run of a trace with all of its steps.
    pub(crate) fn run_of(&self, evidence: &Evidence) -> Option<Run> {
        let Evidence::Trace(trace) = evidence else { return None };
        concrete::run_as_found(self, trace, &self.question().targets)
    }

    /// A pattern in a document.
    pub(crate) fn pattern_configuration(&self, pattern: &Pattern) -> Configuration {
        let state = |thread: &ThreadPattern| self.local_state(thread.location, &thread.locals);
        let threads = pattern.threads.iter().map(|thread| (state(thread), Count::Finite(1)));
        Configuration { shared: Some(self.shared_state(&pattern.shared)), threads: threads.collect() }
    }

    /// Whether a trace is too long to be made concrete.
    pub(crate) fn is_long(&self, trace: &throng_cert::Trace) -> bool {
        let (steps, started) = self.count(&trace.items);
        let threads = trace.initial.view().size().saturating_add(started);
        steps > LONG || steps.saturating_mul(threads) > WIDE
    }

    /// How many steps there are, and how many of them may start a thread.
    fn count(&self, items: &[TraceItem]) -> (u64, u64) {
        items.iter().fold((0, 0), |(steps, started), item| {
            let (more, times) = match item {
                TraceItem::Step(step) => {
                    let [_, child] = self.rules.get(step.rule).ends;
                    ((1, child.is_some().into()), 1)
                }
                TraceItem::Repeat { times, items } => (self.count(items), *times),
            };
            let sum = |sum: u64, more: u64| sum.saturating_add(more.saturating_mul(times));
            (sum(steps, more.0), sum(started, more.1))
        })
    }

    fn through(&self) -> Vec<String> {
        self.rules.through.locations().map(|location| self.program().location_text(location)).collect()
    }

    /// The elements without the state that stands for a target: it is not one of the program.
    fn elements(&self, elements: &[Config]) -> Vec<Configuration> {
        let real = elements.iter().filter(|element| element.shared != States::REACHED);
        real.filter_map(|element| self.configuration(element)).collect()
    }

    fn configuration(&self, config: &Config) -> Option<Configuration> {
        let threads = config.bag.iter().map(|entry| {
            let ThreadPattern { location, locals } = self.rules.states.local(entry.local);
            let count = if entry.count == OMEGA { Count::Omega } else { Count::Finite(entry.count.into()) };
            (self.local_state(*location, locals), count)
        });
        let shared = self.shared_state(self.rules.states.shared(config.shared)?);
        Some(Configuration { shared: Some(shared), threads: threads.collect() })
    }

    fn shared_state(&self, cube: &Cube) -> State {
        let name = |variable: u32| {
            if variable == self.program().atomic_bit() {
                return ATOMIC.to_owned();
            }
            self.program().variable_text(VariableId::Shared(variable))
        };
        State::Where { valuation: cube.iter().map(|(variable, value)| (name(variable), value)).collect() }
    }

    fn local_state(&self, location: LocationId, cube: &Cube) -> State {
        let name = |variable| self.program().variable_text(VariableId::Local(variable));
        let valuation: BTreeMap<String, bool> =
            cube.iter().map(|(variable, value)| (name(variable), value)).collect();
        State::At { location: self.program().location_text(location), valuation }
    }

    fn trace(&self, run: &Run) -> Trace {
        let state = |thread: &Thread| self.local_state(thread.location, &thread.locals);
        let changed = |before: &Thread, after: &Thread| {
            let changes = differences(&before.locals, &after.locals);
            self.local_state(after.location, &changes)
        };
        let threads = run.initial.threads.iter().map(|thread| (state(thread), Count::Finite(1)));
        let initial = Configuration {
            shared: Some(self.shared_state(&run.initial.shared)),
            threads: threads.collect(),
        };
        let items = run.steps.iter().map(|step| {
            let shared = differences(&step.shared_before, &step.shared_after);
            let act = Act {
                thread: state(&step.before),
                to: step.after.as_ref().map(|after| changed(&step.before, after)),
                shared: (!shared.is_any()).then(|| self.shared_state(&shared)),
                starts: step.child.as_ref().map(state),
                passive: step
                    .passive
                    .iter()
                    .map(|(before, after)| {
                        (state(before), after.as_ref().map(|after| changed(before, after)), 1)
                    })
                    .collect(),
            };
            let edge = self.program().edges()[step.edge as usize];
            let to = edge.to.map_or_else(|| "gone".to_owned(), |to| self.program().location_text(to));
            let rule = format!("{} -> {to}", self.program().location_text(edge.from));
            Item::Step(Step { rule, moved: Vec::new(), act: Some(Box::new(act)) })
        });
        Trace { initial, items: items.collect() }
    }
}

/// The values that are not the same before.
fn differences(before: &Cube, after: &Cube) -> Cube {
    after.iter().filter(|&(variable, value)| before.get(variable) != Some(value)).collect()
}
