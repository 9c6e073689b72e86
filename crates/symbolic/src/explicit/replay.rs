//! Runs of a translation as runs of the program.
//!
//! States of a translation leave out what cannot matter, and threads choose values late. A run of the program has all values
//! from the start: what a thread chooses later it has had all the time, since it has done nothing before; what the
//! translation does not mention keeps its value.

use super::{Meaning, Stage};
use crate::concrete::{ConcreteStep, Run, Start, Thread};
use crate::document::Untold;
use crate::system::ProgramSystem;
use throng_boolprog::Cube;
use throng_boolprog::flow::{Effect, LocationId, Program};
use throng_cert::{EvidenceDocument, Header, Trace, TraceItem};
use throng_model::{LocalId, Step, System};

/// Runs are not made longer than this.
const MOST_STEPS: usize = 1 << 16;

impl ProgramSystem<'_> {
    /// A trace of the program's translation, in terms of the program.
    pub fn document_of_translated(
        &self,
        (system, meaning): (&System, &Meaning),
        trace: &Trace,
        header: Header<'_>,
    ) -> Result<EvidenceDocument, Untold> {
        let mut steps = Vec::new();
        unroll(&trace.items, &mut steps).ok_or(Untold::TooLong)?;
        let mut replay = Replay::new(self.program(), meaning, trace).ok_or(Untold::Wrong)?;
        for step in steps {
            replay.step(system, step).ok_or(Untold::Wrong)?;
        }
        Ok(self.document_of_run(&replay.run, header))
    }
}

/// All steps, repetitions written out; `None` if there are too many.
fn unroll<'t>(items: &'t [TraceItem], steps: &mut Vec<&'t Step>) -> Option<()> {
    for item in items {
        match item {
            TraceItem::Step(step) => steps.push(step),
            TraceItem::Repeat { times, items } => {
                for _ in 0..*times {
                    unroll(items, steps)?;
                }
            }
        }
        if steps.len() > MOST_STEPS {
            return None;
        }
    }
    Some(())
}

/// Where a thread comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Initial(usize),
    Step(usize),
}

/// A thread that is there: its state in the translation, with all values, and whence it comes.
#[derive(Clone, Debug)]
struct Present {
    local: LocalId,
    thread: Thread,
    origin: Origin,
}

struct Replay<'a> {
    program: &'a Program,
    meaning: &'a Meaning,
    run: Run,
    shared: Cube,
    threads: Vec<Present>,
    /// The thread that is to come.
    coming: Option<Present>,
}

impl<'a> Replay<'a> {
    fn new(program: &'a Program, meaning: &'a Meaning, trace: &Trace) -> Option<Self> {
        let zero = |count: usize| -> Cube { (0..count as u32).map(|it| (it, false)).collect() };
        let mut threads = Vec::new();
        for entry in trace.initial.bag.iter() {
            let location = meaning.local(entry.local)?.location;
            for _ in 0..entry.count {
                let origin = Origin::Initial(threads.len());
                let thread = Thread { location, locals: zero(program.locals().len()) };
                threads.push(Present { local: entry.local, thread, origin });
                if threads.len() > MOST_STEPS {
                    return None;
                }
            }
        }
        let shared = zero(program.shared().len());
        let initial =
            Start { shared: shared.clone(), threads: threads.iter().map(|it| it.thread.clone()).collect() };
        let run = Run { initial, steps: Vec::new() };
        Some(Self { program, meaning, run, shared, threads, coming: None })
    }

    fn step(&mut self, system: &System, step: &Step) -> Option<()> {
        let rule = system.rule(step.rule);
        let (from, to) = (self.meaning.stage(rule.from)?, self.meaning.stage(rule.to)?);
        match (from, to) {
            (Stage::Start, Stage::At { values, .. }) => {
                self.shared = values.clone();
                self.run.initial.shared = values.clone();
                Some(())
            }
            (Stage::Starting { .. }, Stage::At { .. }) => {
                self.threads.extend(self.coming.take());
                Some(())
            }
            (Stage::At { .. }, Stage::At { values, .. }) => {
                let before = rule.take.first()?.local;
                let after = rule.put.first()?.local;
                if self.is_choice(before, after) { self.choose(before, after) } else { self.act(before, after, values, None) }
            }
            (Stage::At { .. }, Stage::Starting { values, child, .. }) => {
                self.act(rule.take.first()?.local, rule.put.first()?.local, values, Some(*child))
            }
            (_, Stage::Target) => Some(()),
            _ => None,
        }
    }

    /// Whether a thread only chooses values.
    fn is_choice(&self, before: LocalId, after: LocalId) -> bool {
        match (self.meaning.local(before), self.meaning.local(after)) {
            (Some(before), Some(after)) => {
                before.location == after.location && before.locals.len() < after.locals.len()
            }
            _ => false,
        }
    }

    fn find(&self, local: LocalId) -> Option<usize> {
        self.threads.iter().position(|it| it.local == local)
    }

    fn choose(&mut self, before: LocalId, after: LocalId) -> Option<()> {
        let thread = self.find(before)?;
        let values = &self.meaning.local(after)?.locals;
        let present = &mut self.threads[thread];
        present.local = after;
        present.thread.locals = overlay(&present.thread.locals, values);
        let chosen = present.thread.clone();
        match present.origin {
            Origin::Initial(number) => self.run.initial.threads[number] = chosen,
            Origin::Step(number) => self.run.steps[number].child = Some(chosen),
        }
        Some(())
    }

    fn act(&mut self, before: LocalId, after: LocalId, shared: &Cube, child: Option<LocalId>) -> Option<()> {
        let number = self.find(before)?;
        let parent = self.threads[number].thread.clone();
        let next = self.meaning.local(after);
        let at_child = child.map(|child| self.meaning.local(child)).map_or(Some(None), |it| Some(Some(it?)))?;
        let edge = self.edge(parent.location, next.map(|it| it.location), at_child.map(|it| it.location))?;
        let copies = matches!(
            self.program.edges()[edge as usize].effect,
            Effect::Start { locals: throng_boolprog::flow::ChildLocals::Copied, .. }
        );
        let moved = next.map(|next| Thread {
            location: next.location,
            locals: overlay(&parent.locals, &next.locals),
        });
        let started = at_child.map(|it| {
            let nothing: Cube = parent.locals.iter().map(|(variable, _)| (variable, false)).collect();
            let base = if copies { &parent.locals } else { &nothing };
            Thread { location: it.location, locals: overlay(base, &it.locals) }
        });
        let origin = Origin::Step(self.run.steps.len());
        self.coming =
            child.zip(started.clone()).map(|(local, thread)| Present { local, thread, origin });
        let shared_before = std::mem::replace(&mut self.shared, shared.clone());
        self.run.steps.push(ConcreteStep {
            edge,
            before: parent,
            after: moved.clone(),
            child: started,
            shared_before,
            shared_after: shared.clone(),
            passive: Vec::new(),
        });
        match moved {
            Some(thread) => {
                self.threads[number].thread = thread;
                self.threads[number].local = after;
            }
            None => drop(self.threads.remove(number)),
        }
        Some(())
    }

    /// An edge between locations; if there are several, which one it is does not show.
    fn edge(&self, from: LocationId, to: Option<LocationId>, child: Option<LocationId>) -> Option<u32> {
        let edges = (self.program.first_edge(from)..).zip(self.program.outgoing(from));
        let mut fits = edges.filter(|(_, edge)| {
            let started = match edge.effect {
                Effect::Start { at, .. } => Some(at),
                Effect::None | Effect::Assign(_) => None,
            };
            edge.to == to && started == child
        });
        fits.next().map(|(number, _)| number)
    }
}

/// The first valuation with the values of the second.
fn overlay(cube: &Cube, changes: &Cube) -> Cube {
    cube.iter().chain(changes.iter()).collect()
}
