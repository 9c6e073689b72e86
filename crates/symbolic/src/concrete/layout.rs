//! The steps of a trace, edge by edge, each with the number of the thread that takes it.

use super::MOST_STEPS;
use crate::rules::Action;
use crate::system::ProgramSystem;
use throng_boolprog::flow::Effect;
use throng_cert::{Trace, TraceItem};
use throng_model::{LocalId, SharedId, Step};

/// One step of a layout.
#[derive(Debug)]
pub(crate) struct Micro {
    pub(crate) edge: u32,
    pub(crate) actor: usize,
    /// The number of the thread that is started.
    pub(crate) child: Option<usize>,
    /// What is known before the step, if a step of the search begins here.
    pub(crate) known: Option<Known>,
    /// The other threads that are gone after it.
    pub(crate) gone: Vec<usize>,
}

/// What a search says about a configuration: the shared state, and local states of some threads by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) shared: SharedId,
    pub(crate) threads: Vec<Option<LocalId>>,
}

/// The steps of a run, edge by edge.
#[derive(Debug)]
pub(crate) struct Layout {
    /// How many threads there are at the start; those that are started later follow in the order in which they are.
    pub(crate) n_initial: usize,
    pub(crate) n_threads: usize,
    pub(crate) micros: Vec<Micro>,
    /// What is known at the end.
    pub(crate) last: Known,
    /// The threads that reach a target.
    pub(crate) reached: Vec<usize>,
}

impl Layout {
    pub(crate) fn new(system: &ProgramSystem<'_>, trace: &Trace) -> Option<Self> {
        let mut steps = Vec::new();
        unroll(&trace.items, &mut steps)?;
        let threads = trace.initial.bag.iter().flat_map(|entry| {
            std::iter::repeat_n(Some(entry.local), usize::try_from(entry.count).unwrap_or(usize::MAX))
        });
        let threads: Vec<Option<LocalId>> = threads.take(MOST_STEPS).collect();
        let n_initial = threads.len();
        let known = Known { shared: trace.initial.shared, threads };
        let (pending, micros, reached) = (vec![Vec::new(); n_initial], Vec::new(), Vec::new());
        let mut maker = Maker { system, known, pending, micros, reached };
        for step in steps {
            maker.step(step)?;
        }
        let last = maker.settled();
        let Maker { micros, reached, .. } = maker;
        Some(Self { n_initial, n_threads: last.threads.len(), micros, last, reached })
    }
}

/// All steps, repetitions written out.
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

/// Lays out the steps of a trace.
struct Maker<'a, 'p> {
    system: &'a ProgramSystem<'p>,
    known: Known,
    /// Silent steps that threads have not taken yet, the last one first.
    pending: Vec<Vec<u32>>,
    micros: Vec<Micro>,
    /// The threads that reach a target.
    reached: Vec<usize>,
}

impl Maker<'_, '_> {
    /// What is known of threads that are where the search has them: those with silent steps to take are not there yet.
    fn settled(&self) -> Known {
        let threads = self.known.threads.iter().zip(&self.pending);
        let threads = threads.map(|(local, pending)| local.filter(|_| pending.is_empty())).collect();
        Known { shared: self.known.shared, threads }
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        let rules = &self.system.rules;
        let rule = rules.get(step.rule);
        let Action::Edge(number) = rule.action else {
            let mut threads = self.known.threads.clone();
            for entry in rule.take.iter() {
                for _ in 0..entry.count {
                    let thread = threads.iter().position(|&local| local == Some(entry.local))?;
                    threads[thread] = None;
                    self.reached.push(thread);
                }
            }
            return Some(());
        };
        let taken = rule.take.first()?.local;
        let actor = self.known.threads.iter().position(|&local| local == Some(taken))?;
        while let Some(edge) = self.pending[actor].pop() {
            self.micros.push(Micro { edge, actor, child: None, known: None, gone: Vec::new() });
        }
        let known = Some(self.settled());
        self.known.threads[actor] = None;
        let mut moves = Vec::new();
        for moved in &step.moved {
            for _ in 0..moved.count {
                let thread = self.known.threads.iter().position(|&local| local == Some(moved.from))?;
                // Nobody moves twice.
                self.known.threads[thread] = None;
                moves.push((thread, moved.to));
            }
        }
        let gone = moves.iter().filter(|(_, to)| to.is_none()).map(|&(thread, _)| thread).collect();
        moves.into_iter().for_each(|(thread, to)| self.known.threads[thread] = to);
        let [parent, started] = rule.ends;
        self.known.threads[actor] = parent;
        self.known.shared = rule.to;
        let program = self.system.program();
        let edge = program.edges()[number as usize];
        let path = |at| rules.through.path(program, at).0.into_iter().rev().collect::<Vec<u32>>();
        self.pending[actor] = edge.to.map(path).unwrap_or_default();
        let child = if let Effect::Start { at, .. } = edge.effect {
            self.known.threads.push(started);
            self.pending.push(path(at));
            Some(self.known.threads.len() - 1)
        } else {
            None
        };
        self.micros.push(Micro { edge: number, actor, child, known, gone });
        Some(())
    }
}
