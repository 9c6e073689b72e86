//! The search proper: reduce, let an engine search the reduced system, lift what it finds to the original.
//!
//! If evidence cannot be lifted, a system that is reduced less is searched, and the original at last, so that a reduction
//! never costs an answer.

use throng_base::Budget;
use throng_cert::Evidence;
use throng_engine::{
    Contestant, EngineKind, Observer, Options, Outcome, Recording, Statistics, UnknownReason,
};
use throng_model::{RuleId, System};
use throng_reduce::{LiftError, Reduction, Strength};

/// What was found out about a system.
#[derive(Debug)]
pub struct Found {
    /// Evidence about this very system, or why there is none.
    pub evidence: Result<Evidence, UnknownReason>,
    /// What was counted.
    pub statistics: Statistics,
    /// What was recorded, if that was asked for.
    pub recording: Recording,
    /// How the race went, if there was one.
    pub contest: Vec<Contestant>,
}

impl From<Outcome> for Found {
    fn from(outcome: Outcome) -> Self {
        let Outcome { answer, statistics, recording, contest } = outcome;
        Self { evidence: answer.into_evidence(), statistics, recording, contest }
    }
}

impl Found {
    /// Nothing, for this reason.
    pub fn nothing(reason: UnknownReason) -> Self {
        let (statistics, recording) = (Statistics::default(), Recording::default());
        Self { evidence: Err(reason), statistics, recording, contest: Vec::new() }
    }
}

/// Searches a system, after these reductions if any.
pub fn search(
    system: &System,
    strength: Option<Strength>,
    (engine, options): (EngineKind, &Options),
    budget: &Budget,
    observer: &dyn Observer,
) -> Found {
    let run = |system: &System, options: &Options| Found::from(engine.run(system, options, budget, observer));
    // Evidence that is too large when it is lifted may be smaller without agglomeration.
    let weaker = strength.filter(|&strength| strength == Strength::Full).map(|_| Strength::Pruning);
    for strength in strength.into_iter().chain(weaker) {
        let reduction = match throng_reduce::reduce(system, strength, budget) {
            Ok(None) => break,
            Ok(Some(reduction)) => reduction,
            Err(reason) => return Found::nothing(reason.into()),
        };
        match search_reduced(system, &reduction, options, &run, budget) {
            Ok(found) => return found,
            Err(_) if reduction.counters().agglomerated_locals > 0 => {}
            Err(_) => break,
        }
    }
    run(system, options)
}

/// Searches a reduced system and lifts what is found. Fails if it cannot be lifted.
fn search_reduced(
    system: &System,
    reduction: &Reduction,
    options: &Options,
    run: &dyn Fn(&System, &Options) -> Found,
    budget: &Budget,
) -> Result<Found, LiftError> {
    let mut found = run(reduction.system(), options);
    let mut lifted = found.evidence.map(|evidence| reduction.lift(system, evidence, budget));
    if let Ok(Err(LiftError::Cuts)) = lifted {
        // The reduced system may still be far smaller.
        found = run(reduction.system(), &Options { cuts: false, ..options.clone() });
        lifted = found.evidence.map(|evidence| reduction.lift(system, evidence, budget));
    }
    found.evidence = match lifted {
        Ok(Ok(lifted)) => Ok(lifted),
        Ok(Err(LiftError::Stopped(reason))) => Err(reason.into()),
        Ok(Err(error)) => return Err(error),
        Err(reason) => Err(reason),
    };
    reduction.counters().named().into_iter().for_each(|(name, value)| found.statistics.push(name, value));
    rename_rules(&mut found.recording, reduction);
    Ok(found)
}

/// Gives the rules in a recording the numbers they have in the original.
fn rename_rules(recording: &mut Recording, reduction: &Reduction) {
    let rename = |rule: &mut RuleId| *rule = reduction.original_rule(*rule);
    let backward = recording.backward.iter_mut().flat_map(|graph| &mut graph.edges);
    backward.for_each(|edge| rename(&mut edge.rule));
    let forward = recording.forward.iter_mut().flat_map(|tree| &mut tree.nodes);
    forward.filter_map(|node| node.parent.as_mut()).for_each(|(_, rule)| rename(rule));
}
