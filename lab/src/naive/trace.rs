//! Traces, by replaying every step.

use super::{Judge, Judged, Stop, require};
use crate::dense::{Dense, DenseRule, MAX_LOCALS};
use throng_cert::document::{Item, Moved, Step, Trace};

/// How many steps are replayed at most.
const MOST_STEPS: usize = 10_000;

impl Judge<'_> {
    pub(super) fn trace(&self, trace: &Trace) -> Judged<()> {
        let mut configs = self.expand_finite(&trace.initial)?;
        // An execution starts in one configuration, not in a pattern.
        require(configs.len() == 1)?;
        let mut config = configs.remove(0);
        let genuine =
            |initial: &crate::dense::DenseInitial| config.covers(&initial.least) && initial.covers(&config);
        require(self.dense.initial.iter().any(genuine))?;
        let mut n_steps = 0;
        self.replay(&trace.items, &mut config, &mut n_steps)?;
        require(self.dense.is_bad(&config))
    }

    fn replay(&self, items: &[Item], config: &mut Dense, n_steps: &mut usize) -> Judged<()> {
        for item in items {
            match item {
                Item::Step(step) => {
                    *n_steps += 1;
                    if *n_steps > MOST_STEPS {
                        return Err(Stop::Unjudged);
                    }
                    *config = self.fire(step, config)?;
                }
                Item::Repeat { times: 0, .. } => return Err(Stop::Unjudged),
                Item::Repeat { times, items } => {
                    for _ in 0..*times {
                        let before = *n_steps;
                        self.replay(items, config, n_steps)?;
                        if *n_steps == before {
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn fire(&self, step: &Step, config: &Dense) -> Judged<Dense> {
        let id = self.system.find_rule(&step.rule).ok_or(Stop::Wrong)?;
        let rule: &DenseRule = &self.dense.rules[id.index()];
        require(config.shared == rule.from)?;
        let mut after = rule.put;
        let moved = step.moved.iter().map(|moved| self.resolve(moved)).collect::<Judged<Vec<_>>>()?;
        for local in 0..MAX_LOCALS {
            let passive = config.counts[local].checked_sub(rule.take[local]).ok_or(Stop::Wrong)?;
            let leaving = moved.iter().filter(|(from, _, _)| *from == local);
            let n_leaving: u64 = leaving.clone().fold(0, |sum, (_, _, count)| sum.saturating_add(*count));
            let Some(destinations) = &rule.moves[local] else {
                require(n_leaving == 0)?;
                arrive(&mut after, local, passive)?;
                continue;
            };
            require(n_leaving == u64::from(passive))?;
            for &(_, to, count) in leaving {
                match to {
                    Some(to) => {
                        require(destinations.contains(&(to as u8)))?;
                        arrive(&mut after, to, count as u8)?;
                    }
                    None => require(destinations.is_empty())?,
                }
            }
        }
        Ok(Dense { shared: rule.to, counts: after })
    }

    fn resolve(&self, moved: &Moved) -> Judged<(usize, Option<usize>, u64)> {
        let find = |name: &str| self.system.local_names().find(name).ok_or(Stop::Wrong);
        let to = moved.to.as_deref().map(find).transpose()?;
        Ok((find(&moved.from)?, to, moved.count))
    }
}

fn arrive(after: &mut [u8; MAX_LOCALS], local: usize, count: u8) -> Judged<()> {
    after[local] = after[local].checked_add(count).ok_or(Stop::Unjudged)?;
    Ok(())
}
