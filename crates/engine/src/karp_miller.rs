//! The generalised Karp–Miller search as an engine of its own.
//!
//! It answers `unsafe` when a node covers a target and `safe` when nothing waits: then the maximal nodes contain
//! the initial configurations and all their own successors, so they are a cover set. That happens on every system
//! without moves. With moves the search may go on for ever; it then ends with the budget, as `unknown`.
//!
//! The strategies of STAR (Zhao's thesis, Oxford 2009, §3.3) are options: `Order` has depth first, depth first with the
//! successors that keep the shared state first, and breadth first; `Ancestors` says what accelerations look at. Nodes that
//! others cover are never followed, whatever the options are; in STAR that was the optimisation that counted most.

use crate::forward::{ForwardSearch, State};
use crate::plan::{Plan, PlanError};
use crate::record::ForwardTree;
use crate::thread_states::ThreadState;
use crate::{
    Answer, Observer, Options, OracleKind, Outcome, Progress, Recording, Safety, Statistics, UnknownReason,
};
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_cert::{CoverSet, Trace};
use throng_model::closed::ElementId;
use throng_model::{Bag, Config, LocalId, TransitionSystem};

/// Decides whether a target is coverable, if it ends.
pub fn search(
    system: &dyn TransitionSystem,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    search_within(system, options, usize::MAX, budget, observer)
}

/// As [`search`], and gives up when the tree has so many nodes.
pub fn search_within(
    system: &dyn TransitionSystem,
    options: &Options,
    most_nodes: usize,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    let search = ForwardSearch::new(system, OracleKind::KarpMiller, options, most_nodes);
    let mut search = search.expect("INVARIANT: a Karp–Miller search is a search");
    let answer = loop {
        let state = search.advance(256, budget);
        match answer(&search, system, &state) {
            Some(answer) => break answer,
            None => observer.progress(&progress(&search)),
        }
    };
    let mut statistics = Statistics::default();
    push_statistics(&search, &mut statistics);
    let forward = options.record.graphs.then(|| draw(&search));
    Outcome {
        answer,
        statistics,
        recording: Recording { forward, ..Recording::default() },
        contest: Vec::new(),
    }
}

/// A trace that shows a thread state has no more actions than this.
const MOST_SHOWN: usize = 1 << 12;

/// Traces to thread states that the tree covers, until there is one for each that is `left`: `found` takes away all that a
/// trace shows. Ends as well when the tree is complete, or has so many nodes. What takes a long trace is left.
pub fn traces(
    system: &dyn TransitionSystem,
    left: &mut BTreeSet<ThreadState>,
    most_nodes: usize,
    budget: &Budget,
    observer: &dyn Observer,
    mut found: impl FnMut(&Trace, &mut BTreeSet<ThreadState>),
) {
    let search = ForwardSearch::new(system, OracleKind::KarpMiller, &Options::default(), most_nodes);
    let mut search = search.expect("INVARIANT: a Karp–Miller search is a search");
    let mut tried: BTreeSet<ThreadState> = BTreeSet::new();
    while !left.is_empty() {
        let state = search.advance(256, budget);
        for wanted in left.difference(&tried).copied().collect::<Vec<_>>() {
            if !left.contains(&wanted) || budget.check().is_err() {
                continue;
            }
            let Some(node) = search.tree.covering(wanted.to_config().view()) else { continue };
            // Everything that the node shows is shown by one trace.
            let here = search.tree.get(node).bag.iter().map(|entry| entry.local);
            let here = here.filter(|&local| left.contains(&ThreadState { shared: wanted.shared, local }));
            let here: Vec<(LocalId, u32)> = here.map(|local| (local, 1)).collect();
            let Ok(all) = Bag::from_counts(here) else { continue };
            let mut plan = Plan::new(Config::new(wanted.shared, all).view());
            let unwound = search.tree.unwind(system, node, &mut plan);
            tried.insert(wanted);
            if unwound.is_ok()
                && plan.len() <= MOST_SHOWN
                && let Ok(trace) = plan.perform(system)
            {
                found(&trace, left);
            }
        }
        if !matches!(state, State::Running) {
            return;
        }
        observer.progress(&progress(&search));
    }
}

/// What a search that ended in this state found out; `None` if it may go on.
pub(crate) fn answer(
    search: &ForwardSearch<'_>,
    system: &dyn TransitionSystem,
    state: &State,
) -> Option<Answer> {
    Some(match state {
        State::Running => return None,
        State::Full => Answer::Unknown(UnknownReason::Stopped(throng_base::StopReason::Memory)),
        State::GaveUp(reason) => Answer::Unknown(reason.clone()),
        State::Complete => {
            let elements = search.tree.maximal().map(|(_, config)| config.to_config()).collect();
            Answer::Safe(Safety::CoverSet(CoverSet { elements }))
        }
        State::Covered(node) => match trace(search, system, *node) {
            Ok(trace) => Answer::Unsafe(trace),
            Err(error) => Answer::Unknown(error.into()),
        },
    })
}

impl From<PlanError> for UnknownReason {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::TooLong => UnknownReason::EvidenceTooLarge,
            PlanError::Overflow => UnknownReason::CountOverflow,
        }
    }
}

/// The trace to the smallest target that a node covers.
fn trace(
    search: &ForwardSearch<'_>,
    system: &dyn TransitionSystem,
    node: ElementId,
) -> Result<Trace, PlanError> {
    let target = search.target_below(search.tree.get(node));
    let mut plan = Plan::new(target.view());
    search.tree.unwind(system, node, &mut plan)?;
    plan.perform(system)
}

fn progress(search: &ForwardSearch<'_>) -> Progress {
    Progress {
        elements: search.tree.n_maximal() as u64,
        frontier: search.n_waiting() as u64,
        expanded: search.expanded,
        steps: search.successors,
        threads: 0,
    }
}

/// What a forward search counted.
pub(crate) fn push_statistics(search: &ForwardSearch<'_>, statistics: &mut Statistics) {
    statistics.push("nodes", search.tree.len() as u64);
    statistics.push("maximal", search.tree.n_maximal() as u64);
    statistics.push("accelerations", search.tree.n_accelerated() as u64);
    statistics.push("nodes_expanded", search.expanded);
    statistics.push("successors", search.successors);
    statistics.push("nodes_discarded", search.discarded);
    statistics.push("ancestors_compared", search.tree.n_compared());
    statistics.push("nodes_waiting", search.n_waiting() as u64);
}

/// The tree for people to look at.
pub(crate) fn draw(search: &ForwardSearch<'_>) -> ForwardTree {
    search.tree.draw()
}
