//! Traces: each step becomes entries, a step of its rule, and exits.
//!
//! The passive threads of the step are those of the agglomerated system, and the configurations between the lifted steps
//! are the same in both systems. So what is repeated there can be repeated here.

use crate::agglomeration::Agglomeration;
use crate::detours::Kind;
use crate::lift::{LiftError, firings};
use std::collections::BTreeMap;
use throng_cert::{Trace, TraceItem};
use throng_model::{Entry, RuleId, SharedId, Step, System};

/// Lifts a trace, see the module's documentation.
pub(super) fn lift(
    agglomeration: &Agglomeration,
    original: &System,
    trace: &Trace,
) -> Result<Trace, LiftError> {
    let lifting = Lifting { agglomeration, original };
    Ok(Trace { initial: trace.initial.clone(), items: lifting.items(&trace.items)? })
}

struct Lifting<'a> {
    agglomeration: &'a Agglomeration,
    original: &'a System,
}

impl Lifting<'_> {
    fn items(&self, items: &[TraceItem]) -> Result<Vec<TraceItem>, LiftError> {
        let mut lifted = Vec::with_capacity(items.len());
        for item in items {
            match item {
                TraceItem::Step(step) => self.step(step, &mut lifted)?,
                TraceItem::Repeat { times, items } => {
                    lifted.push(TraceItem::Repeat { times: *times, items: self.items(items)? });
                }
            }
        }
        Ok(lifted)
    }

    fn step(&self, step: &Step, lifted: &mut Vec<TraceItem>) -> Result<(), LiftError> {
        let id = *self.agglomeration.rules.get(step.rule.index()).ok_or(LiftError::Foreign)?;
        let rule = self.original.rule(id);
        let mut entries = self.detours(Kind::Entry, rule.take, rule.from)?;
        // What an entry takes has to be there.
        entries.reverse();
        let exits = self.detours(Kind::Exit, rule.put, rule.to)?;
        let items = |(rule, times)| firings::items(rule, times);
        lifted.extend(entries.into_iter().flat_map(items));
        lifted.push(TraceItem::Step(Step { rule: id, moved: step.moved.clone() }));
        lifted.extend(exits.into_iter().flat_map(items));
        Ok(())
    }

    /// The detours, and how often each fires, between a bag and its σ. Detours of a local come before those of locals
    /// in its image.
    fn detours(&self, kind: Kind, bag: &[Entry], shared: SharedId) -> Result<Vec<(RuleId, u64)>, LiftError> {
        let substitution = &self.agglomeration.substitution;
        let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
        let add = |counts: &mut BTreeMap<usize, u64>, entry: &Entry, times: u64| -> Result<(), LiftError> {
            let Some(rank) = substitution.rank(entry.local) else { return Ok(()) };
            let more = times.checked_mul(entry.count.into()).ok_or(LiftError::CountOverflow)?;
            let count = counts.entry(rank).or_insert(0);
            *count = count.checked_add(more).ok_or(LiftError::CountOverflow)?;
            Ok(())
        };
        bag.iter().try_for_each(|entry| add(&mut counts, entry, 1))?;
        let mut detours = Vec::new();
        while let Some((rank, times)) = counts.pop_last() {
            let replaced = substitution.images().get(rank).filter(|replaced| replaced.kind == kind);
            let detour = replaced.and_then(|replaced| substitution.detour(replaced.local, shared));
            let detour = detour.ok_or(LiftError::Foreign)?;
            detours.push((detour, times));
            let image = kind.image(self.original.rule(detour));
            image.iter().try_for_each(|entry| add(&mut counts, entry, times))?;
        }
        Ok(detours)
    }
}
