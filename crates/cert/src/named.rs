//! From evidence over ids to evidence in names.

use crate::document::{self, Body, Configuration, EvidenceDocument, Verdict};
use crate::state::{Count, State};
use crate::{Cut, Evidence, TraceItem, Trap};
use throng_model::{Config, LocalId, OMEGA, Step, TransitionSystem};

/// What a document says about itself besides the evidence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header<'a> {
    /// The engine that found the evidence.
    pub engine: Option<&'a str>,
    /// The input as the user named it.
    pub input: Option<&'a str>,
}

impl EvidenceDocument {
    /// The document that [`crate::write()`] writes.
    pub fn new(evidence: &Evidence, system: &dyn TransitionSystem, header: Header<'_>) -> Self {
        let names = Namer::new(system);
        let configs = |elements: &[Config]| elements.iter().map(|e| names.config(e)).collect();
        let body = match evidence {
            Evidence::Trace(trace) => Body::Trace(document::Trace {
                initial: names.config(&trace.initial),
                items: trace.items.iter().map(|item| names.item(item)).collect(),
            }),
            Evidence::Proof(proof) => Body::Proof(document::Proof {
                cuts: proof.cuts.iter().map(|cut| names.cut(cut)).collect(),
                traps: proof.traps.iter().map(|trap| names.trap(trap)).collect(),
                elements: configs(&proof.elements),
                through: Vec::new(),
            }),
            Evidence::CoverSet(set) => {
                Body::CoverSet(document::CoverSet { elements: configs(&set.elements), through: Vec::new() })
            }
        };
        Self {
            verdict: verdict(evidence),
            engine: header.engine.map(str::to_owned),
            input: header.input.map(str::to_owned),
            body,
        }
    }
}

/// The verdict that evidence of this kind is for.
pub(crate) fn verdict(evidence: &Evidence) -> Verdict {
    match evidence {
        Evidence::Trace(_) => Verdict::Unsafe,
        Evidence::Proof(_) | Evidence::CoverSet(_) => Verdict::Safe,
    }
}

/// Names parts of evidence.
#[derive(Clone, Copy)]
pub(crate) struct Namer<'a> {
    system: &'a dyn TransitionSystem,
    anonymous_shared: bool,
}

impl<'a> Namer<'a> {
    pub(crate) fn new(system: &'a dyn TransitionSystem) -> Self {
        Self { system, anonymous_shared: system.explicit().is_some_and(|system| system.is_net()) }
    }

    fn local(self, local: LocalId) -> String {
        self.system.local_name(local).into_owned()
    }

    pub(crate) fn config(self, config: &Config) -> Configuration {
        let shared = || State::Name(self.system.shared_name(config.shared).into_owned());
        let count = |count: u32| if count == OMEGA { Count::Omega } else { Count::Finite(count.into()) };
        let threads =
            config.bag.iter().map(|entry| (State::Name(self.local(entry.local)), count(entry.count)));
        Configuration { shared: (!self.anonymous_shared).then(shared), threads: threads.collect() }
    }

    pub(crate) fn step(self, step: &Step) -> document::Step {
        let moved = step.moved.iter().map(|moved| document::Moved {
            from: self.local(moved.from),
            to: moved.to.map(|to| self.local(to)),
            count: moved.count.into(),
        });
        let rule = self.system.rule_name(step.rule).into_owned();
        document::Step { rule, moved: moved.collect(), act: None }
    }

    pub(crate) fn item(self, item: &TraceItem) -> document::Item {
        match item {
            TraceItem::Step(step) => document::Item::Step(self.step(step)),
            TraceItem::Repeat { times, items } => document::Item::Repeat {
                times: *times,
                items: items.iter().map(|item| self.item(item)).collect(),
            },
        }
    }

    pub(crate) fn cut(self, cut: &Cut) -> document::Cut {
        let shared = cut.shared.iter().map(|&(s, weight)| (self.system.shared_name(s).into_owned(), weight));
        document::Cut {
            shared: shared.collect(),
            locals: cut.locals.iter().map(|&(local, weight)| (self.local(local), weight)).collect(),
            bound: cut.bound,
            traps: cut.traps.iter().map(|&(trap, multiplier)| (trap as u64, multiplier)).collect(),
        }
    }

    pub(crate) fn trap(self, trap: &Trap) -> Vec<String> {
        trap.locals.iter().map(|&local| self.local(local)).collect()
    }
}
