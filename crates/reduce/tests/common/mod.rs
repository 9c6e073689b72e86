//! Systems in a few lines, and evidence that has to pass the checker.

#![allow(dead_code, reason = "each test file uses its part")]

use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{CoverSet, Cut, Evidence, EvidenceDocument, Header, Proof, Trace, TraceItem};
use throng_model::{
    Bag, ClosedSet, Config, DownwardClosedSet, Initial, LocalId, Move, Names, Rule, RuleId, SharedId, Step,
    System, SystemBuilder, TransitionSystem,
};
use throng_reduce::{Reduction, Strength, reduce};

/// The bag with one thread for each of these locals.
pub(crate) fn bag(threads: &[usize]) -> Bag {
    Bag::from_locals(threads.iter().copied().map(LocalId::new)).expect("a handful of threads")
}

/// The configuration with one thread for each of these locals.
pub(crate) fn config(shared: usize, threads: &[usize]) -> Config {
    Config::new(SharedId::new(shared), bag(threads))
}

/// A system that is being written down.
pub(crate) struct Draft(SystemBuilder);

impl Draft {
    pub(crate) fn new(n_shared: usize, n_locals: usize) -> Self {
        Draft(SystemBuilder::new(Names::Numbered(n_shared), Names::Numbered(n_locals)))
    }

    pub(crate) fn initial(mut self, shared: usize, exact: &[usize], unbounded: &[usize]) -> Self {
        let unbounded = unbounded.iter().copied().map(LocalId::new).collect();
        self.0.initial(Initial { shared: SharedId::new(shared), exact: bag(exact), unbounded });
        self
    }

    pub(crate) fn rule(self, shared: (usize, usize), take: &[usize], put: &[usize]) -> Self {
        self.moving(shared, take, put, &[])
    }

    pub(crate) fn moving(
        mut self,
        (from, to): (usize, usize),
        take: &[usize],
        put: &[usize],
        moves: &[(usize, &[usize])],
    ) -> Self {
        let moves = moves.iter().map(|&(source, to)| Move {
            source: LocalId::new(source),
            destinations: to.iter().copied().map(LocalId::new).collect(),
        });
        let (from, to) = (SharedId::new(from), SharedId::new(to));
        self.0.rule(&Rule { from, to, take: bag(take), put: bag(put), moves: moves.collect() }, 0);
        self
    }

    pub(crate) fn target(mut self, shared: usize, threads: &[usize]) -> System {
        self.0.target(config(shared, threads));
        self.0.finish().expect("the parts fit together")
    }
}

/// The reduction of a system that can be reduced.
pub(crate) fn reduced(system: &System) -> Reduction {
    let reduction = reduce(system, Strength::Full, &Budget::unlimited());
    reduction.expect("nobody stops it").expect("there is something to reduce")
}

/// Lifts evidence that the checker accepts for the reduced system; it has to accept the result for the original.
pub(crate) fn lifted(system: &System, reduction: &Reduction, evidence: Evidence) -> Evidence {
    accept(reduction.system(), &evidence);
    let lifted = reduction.lift(system, evidence, &Budget::unlimited()).expect("it can be lifted");
    accept(system, &lifted);
    lifted
}

fn accept(system: &System, evidence: &Evidence) {
    let document = EvidenceDocument::new(evidence, system, Header::default());
    if let Err(rejection) = throng_check::check(system, &document) {
        panic!("{rejection}\n{evidence:?}");
    }
}

/// The ω-configurations that steps lead to, for systems where these are finitely many.
pub(crate) fn cover_set(system: &System) -> Evidence {
    let mut set = DownwardClosedSet::default();
    let mut work: Vec<Config> = Vec::new();
    let _ = system.for_each_initial(&mut |config| {
        work.push(config.to_config());
        ControlFlow::Continue(())
    });
    while let Some(config) = work.pop() {
        if set.contains(config.view()) {
            continue;
        }
        set.insert(config.view());
        let enumeration = system.for_each_successor(config.view(), &mut |_, after| {
            work.push(after.to_config());
            ControlFlow::Continue(())
        });
        assert!(enumeration.is_ok());
    }
    set.minimise();
    let elements = set.generators().iter().map(|(_, element)| element.to_config()).collect();
    Evidence::CoverSet(CoverSet { elements })
}

/// A step of a rule that moves nobody.
pub(crate) fn step(rule: usize) -> TraceItem {
    TraceItem::Step(Step { rule: RuleId::new(rule), moved: vec![] })
}

/// The trace that this evidence is.
pub(crate) fn trace(evidence: Evidence) -> Trace {
    let Evidence::Trace(trace) = evidence else { panic!("{evidence:?} is no trace") };
    trace
}

/// The proof with one cut, which has weight 1 on these locals.
pub(crate) fn cut_proof(locals: &[usize], bound: u64) -> Proof {
    let locals = locals.iter().map(|&local| (LocalId::new(local), 1)).collect();
    Proof { cuts: vec![Cut { locals, bound, ..Cut::default() }], ..Proof::default() }
}

/// The proof that this evidence is.
pub(crate) fn proof(evidence: Evidence) -> Proof {
    let Evidence::Proof(proof) = evidence else { panic!("{evidence:?} is no proof") };
    proof
}
