//! Traces with repeated segments: the checker decides them by arithmetic, the naive judge unrolls them.

mod common;

use common::Tally;
use std::ops::ControlFlow;
use throng_cert::{Evidence, EvidenceDocument, Header, Trace, TraceItem};
use throng_lab::choices::{Choices, SplitMix64};
use throng_lab::random::from_seed;
use throng_model::{Config, Step, System, step};

/// A random walk that repeats some of its own segments, and where it ends.
fn walk(system: &System, random: &mut SplitMix64) -> (Trace, Config) {
    let initial = random.pick(&(0..system.initial().len()).collect::<Vec<_>>());
    let initial = &system.initial()[initial];
    let mut start = Config::new(initial.shared, initial.exact.clone());
    for &local in &initial.unbounded {
        start.bag.add(local, random.below(4) as u32).expect("few threads");
    }
    let (mut config, mut items) = (start.clone(), Vec::new());
    for _ in 0..8 {
        if random.chance(50) && !items.is_empty() {
            let segment = items[random.below(items.len())..].to_vec();
            let repeat = TraceItem::Repeat { times: 1 + random.below(4) as u64, items: segment };
            if let Some(after) = replay(system, &config, std::slice::from_ref(&repeat)) {
                config = after;
                items.push(repeat);
                continue;
            }
        }
        let Some((step, after)) = random_step(system, &config, random) else { break };
        config = after;
        items.push(TraceItem::Step(step));
    }
    (Trace { initial: start, items }, config)
}

fn random_step(system: &System, config: &Config, random: &mut SplitMix64) -> Option<(Step, Config)> {
    let mut steps = Vec::new();
    let mut buffers = step::Buffers::default();
    for (rule, parts) in system.rules().iter() {
        let enumeration =
            step::for_each_successor(parts, config.view(), &mut buffers, &mut |moved, after| {
                steps.push((Step { rule, moved: moved.to_vec() }, after.to_config()));
                ControlFlow::Continue(())
            });
        assert!(enumeration.is_ok());
    }
    let chosen = random.below(steps.len());
    steps.into_iter().nth(chosen)
}

fn replay(system: &System, start: &Config, items: &[TraceItem]) -> Option<Config> {
    items.iter().try_fold(start.clone(), |config, item| match item {
        TraceItem::Step(step) => step::fire(system.rule(step.rule), config.view(), &step.moved),
        TraceItem::Repeat { times, items } => {
            (0..*times).try_fold(config, |config, _| replay(system, &config, items))
        }
    })
}

#[test]
fn repeated_segments_mean_their_unrolling() {
    let (mut tally, mut n_repeats) = (Tally::default(), 0);
    for seed in 0..1500 {
        let mut sketch = from_seed(seed).sketch;
        let (trace, end) = walk(&sketch.build(), &mut SplitMix64::new(seed));
        if end.view().size() > 60 || trace.n_steps() > 200 {
            continue;
        }
        n_repeats += trace.items.iter().filter(|item| matches!(item, TraceItem::Repeat { .. })).count();
        // Where the walk ends is the target, so that the trace is right and few mutations of it are.
        sketch.targets = vec![end];
        let system = sketch.build();
        let document = EvidenceDocument::new(&Evidence::Trace(trace), &system, Header::default());
        tally.compare_mutations(&system, &document);
    }
    assert!(n_repeats > 300, "{n_repeats} repeated segments");
    tally.finish(1000);
}
