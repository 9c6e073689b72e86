//! A trace with the configuration after every item.
//!
//! Repeated segments are not unrolled: every step states how many passive threads it moves, so it changes each
//! count by the same number whenever it fires, and the effect of k repetitions is k times that of one.

use std::collections::BTreeMap;
use throng_cert::{Trace, TraceItem};
use throng_model::{Bag, Config, LocalId, Step, System, step};

/// Something that happens in a trace.
pub enum Event<'a> {
    /// A step.
    Step(&'a Step),
    /// The events since index `first` happened once; now they have happened `times` times.
    Repeated {
        /// The first of them.
        first: usize,
        /// How often.
        times: u64,
    },
}

/// An event and what it leads to.
pub struct Moment<'a> {
    /// What happens.
    pub event: Event<'a>,
    /// The configuration after it.
    pub after: Config,
    /// Steps up to and including this event, repetitions counted; saturates.
    pub n_steps: u64,
}

/// The moments of a trace in order; `None` if it is not an execution of the system.
pub fn replay<'a>(system: &System, trace: &'a Trace) -> Option<Vec<Moment<'a>>> {
    let mut moments = Vec::new();
    let mut state = (trace.initial.clone(), 0);
    replay_items(system, &trace.items, &mut state, &mut moments)?;
    Some(moments)
}

/// The configurations after every item of a trace; `None` if it is not an execution of the system.
pub fn configurations(system: &System, trace: &Trace) -> Option<Vec<Config>> {
    Some(replay(system, trace)?.into_iter().map(|moment| moment.after).collect())
}

fn replay_items<'a>(
    system: &System,
    items: &'a [TraceItem],
    state: &mut (Config, u64),
    moments: &mut Vec<Moment<'a>>,
) -> Option<()> {
    for item in items {
        let event = match item {
            TraceItem::Step(step) => {
                if step.rule.index() >= system.rules().len() {
                    return None;
                }
                state.0 = step::fire(system.rule(step.rule), state.0.view(), &step.moved)?;
                state.1 = state.1.saturating_add(1);
                Event::Step(step)
            }
            TraceItem::Repeat { times, items } => {
                let (first, before, steps_before) = (moments.len(), state.0.clone(), state.1);
                replay_items(system, items, state, moments)?;
                if *times <= 1 {
                    continue;
                }
                state.0 = repeated(&before, &state.0, *times)?;
                let n_steps = (state.1 - steps_before).saturating_mul(*times);
                state.1 = steps_before.saturating_add(n_steps);
                Event::Repeated { first, times: *times }
            }
        };
        moments.push(Moment { event, after: state.0.clone(), n_steps: state.1 });
    }
    Some(())
}

/// Where `times` repetitions lead, if one leads from `before` to `once`.
fn repeated(before: &Config, once: &Config, times: u64) -> Option<Config> {
    if before.shared != once.shared {
        return None;
    }
    let mut counts: BTreeMap<LocalId, (i128, i128)> = BTreeMap::new();
    for entry in before.bag.iter() {
        counts.entry(entry.local).or_default().0 = entry.count.into();
    }
    for entry in once.bag.iter() {
        counts.entry(entry.local).or_default().1 = entry.count.into();
    }
    let after = counts.into_iter().map(|(local, (was, is))| {
        // Counts are below 2^32 and `times` below 2^64: the product fits.
        let count = was + (is - was) * i128::from(times);
        Some((local, u32::try_from(count).ok()?))
    });
    let after: Vec<_> = after.collect::<Option<_>>()?;
    Some(Config::new(once.shared, Bag::from_counts(after).ok()?))
}
