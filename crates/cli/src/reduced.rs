//! The search proper: reduce, let an engine search the reduced system, lift what it finds to the original.
//!
//! If evidence cannot be lifted the original is searched after all, so that a reduction never costs an answer.

use throng_base::Budget;
use throng_cert::Evidence;
use throng_engine::{
    Contestant, EngineKind, Observer, Options, Outcome, Recording, Statistics, UnknownReason,
};
use throng_model::{RuleId, System};
use throng_reduce::{LiftError, Reduction, Strength};

/// What was found out about a system.
#[derive(Debug)]
pub(crate) struct Found {
    /// Evidence about this very system, or why there is none.
    pub(crate) evidence: Result<Evidence, UnknownReason>,
    /// What was counted.
    pub(crate) statistics: Statistics,
    /// What was recorded, if that was asked for.
    pub(crate) recording: Recording,
    /// How the race went, if there was one.
    pub(crate) contest: Vec<Contestant>,
}

impl From<Outcome> for Found {
    fn from(outcome: Outcome) -> Self {
        let Outcome { answer, statistics, recording, contest } = outcome;
        Self { evidence: answer.into_evidence(), statistics, recording, contest }
    }
}

impl Found {
    fn nothing(reason: UnknownReason) -> Self {
        let (statistics, recording) = (Statistics::default(), Recording::default());
        Self { evidence: Err(reason), statistics, recording, contest: Vec::new() }
    }
}

/// Searches a system, after these reductions if any.
pub(crate) fn search(
    system: &System,
    strength: Option<Strength>,
    (engine, options): (EngineKind, &Options),
    budget: &Budget,
    observer: &dyn Observer,
) -> Found {
    let run = |system: &System| Found::from(engine.run(system, options, budget, observer));
    let run_without_cuts = |system: &System| {
        let options = Options { cuts: false, ..options.clone() };
        Found::from(engine.run(system, &options, budget, observer))
    };
    let reduction = match strength.map(|strength| throng_reduce::reduce(system, strength, budget)) {
        None | Some(Ok(None)) => return run(system),
        Some(Ok(Some(reduction))) => reduction,
        Some(Err(reason)) => return Found::nothing(reason.into()),
    };
    let mut found = run(reduction.system());
    let mut lifted = found.evidence.map(|evidence| reduction.lift(system, evidence, budget));
    if let Ok(Err(LiftError::Cuts)) = lifted {
        // The reduced system may still be far smaller.
        found = run_without_cuts(reduction.system());
        lifted = found.evidence.map(|evidence| reduction.lift(system, evidence, budget));
    }
    match lifted {
        Ok(Ok(lifted)) => found.evidence = Ok(lifted),
        Ok(Err(LiftError::Stopped(reason))) => found.evidence = Err(reason.into()),
        Ok(Err(_)) => return run(system),
        Err(reason) => found.evidence = Err(reason),
    }
    reduction.counters().named().into_iter().for_each(|(name, value)| found.statistics.push(name, value));
    rename_rules(&mut found.recording, &reduction);
    found
}

/// Gives the rules in a recording the numbers they have in the original.
fn rename_rules(recording: &mut Recording, reduction: &Reduction) {
    let rename = |rule: &mut RuleId| *rule = reduction.original_rule(*rule);
    let backward = recording.backward.iter_mut().flat_map(|graph| &mut graph.edges);
    backward.for_each(|edge| rename(&mut edge.rule));
    let forward = recording.forward.iter_mut().flat_map(|tree| &mut tree.nodes);
    forward.filter_map(|node| node.parent.as_mut()).for_each(|(_, rule)| rename(rule));
}
