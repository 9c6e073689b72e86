//! The claims of the model crate, tested on random systems against the oracle's definitions: what fires, what the
//! minimal predecessors are, and which configurations are initial.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use throng_lab::choices::{Choices, SplitMix64};
use throng_lab::dense::{Dense, DenseRule, DenseSystem, size};
use throng_lab::oracle::multisets;
use throng_lab::random::from_seed;
use throng_model::{Config, ConfigRef, RuleId, SharedId, System, TransitionSystem, pre, step};

/// Systems with a few random configurations of each.
fn for_each_case(n_systems: u64, mut test: impl FnMut(&System, &DenseSystem, Dense)) {
    for seed in 0..n_systems {
        let system = from_seed(seed).sketch.build();
        let dense = DenseSystem::of(&system).expect("a small system");
        let mut random = SplitMix64::new(!seed);
        for _ in 0..6 {
            let mut config = Dense { shared: random.below(dense.n_shared) as u8, counts: [0; 7] };
            for _ in 0..random.below(5) {
                config.counts[random.below(dense.n_locals)] += 1;
            }
            test(&system, &dense, config);
        }
    }
}

fn collect(enumerate: impl FnOnce(&mut dyn FnMut(RuleId, ConfigRef<'_>))) -> BTreeSet<(RuleId, Config)> {
    let mut found = BTreeSet::new();
    enumerate(&mut |rule, config| {
        found.insert((rule, config.to_config()));
    });
    found
}

#[test]
fn successors_are_those_of_the_definition() {
    for_each_case(3000, |system, dense, config| {
        let found = collect(|add| {
            let enumeration = system.for_each_successor(config.to_config().view(), &mut |rule, after| {
                add(rule, after);
                ControlFlow::Continue(())
            });
            assert_eq!(enumeration, Ok(ControlFlow::Continue(())));
        });
        let mut expected = BTreeSet::new();
        for (i, rule) in dense.rules.iter().enumerate() {
            rule.any_successor(&config, &mut |after| {
                expected.insert((RuleId::new(i), after.to_config()));
                false
            });
        }
        assert_eq!(found, expected, "{config:?}");
    });
}

#[test]
fn firing_with_the_reported_moves_gives_the_reported_successor() {
    for_each_case(1500, |system, _, config| {
        let config = config.to_config();
        let mut buffers = step::Buffers::default();
        for (id, rule) in system.rules().iter() {
            let enumeration =
                step::for_each_successor(rule, config.view(), &mut buffers, &mut |moved, after| {
                    assert_eq!(step::fire(rule, config.view(), moved), Some(after.to_config()), "{id:?}");
                    ControlFlow::Continue(())
                });
            assert!(enumeration.is_ok());
        }
    });
}

/// The minimal configurations from which `rule` covers `goal`, by trying all candidates, smallest first.
fn minimal_predecessors(dense: &DenseSystem, rule: &DenseRule, goal: &Dense) -> BTreeSet<Config> {
    let mut minimal: Vec<Dense> = Vec::new();
    let largest = size(&rule.take) + goal.size();
    for counts in multisets(dense.n_locals).iter().take_while(|counts| size(counts) <= largest) {
        let candidate = Dense { shared: rule.from, counts: *counts };
        let covered = minimal.iter().any(|smaller| candidate.covers(smaller));
        if !covered && rule.any_successor(&candidate, &mut |after| after.covers(goal)) {
            minimal.push(candidate);
        }
    }
    minimal.into_iter().map(Dense::to_config).collect()
}

#[test]
fn minimal_predecessors_of_each_rule_are_those_found_by_trying() {
    for_each_case(2000, |system, dense, goal| {
        for (id, rule) in system.rules().iter() {
            let mut found = Vec::new();
            let enumeration = pre::for_each_predecessor(
                rule,
                goal.to_config().view(),
                &mut pre::Buffers::default(),
                &mut |_, before| {
                    found.push(before.to_config());
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(enumeration, Ok(ControlFlow::Continue(())));
            let distinct: BTreeSet<Config> = found.iter().cloned().collect();
            assert_eq!(distinct.len(), found.len(), "a predecessor is reported twice");
            assert_eq!(distinct, minimal_predecessors(dense, &dense.rules[id.index()], &goal), "{goal:?}");
        }
    });
}

#[test]
fn only_predecessors_that_cover_the_goal_are_left_out_by_the_index() {
    for_each_case(1500, |system, dense, goal| {
        let found = collect(|add| {
            let enumeration = system.for_each_predecessor(goal.to_config().view(), &mut |rule, before| {
                add(rule, before);
                ControlFlow::Continue(())
            });
            assert!(enumeration.is_ok());
        });
        for (i, rule) in dense.rules.iter().enumerate() {
            for before in minimal_predecessors(dense, rule, &goal) {
                let needless = goal.to_config().view().le(before.view());
                assert!(needless || found.contains(&(RuleId::new(i), before)), "rule {i}, {goal:?}");
            }
        }
    });
}

#[test]
fn a_step_from_a_predecessor_covers_its_goal() {
    for_each_case(1500, |system, dense, goal| {
        let goal = goal.to_config();
        let mut random = SplitMix64::new(5);
        let enumeration = system.for_each_predecessor(goal.view(), &mut |rule, before| {
            // More threads than needed must find their place too.
            let mut larger = before.to_config();
            larger.bag.add(throng_model::LocalId::new(random.below(dense.n_locals)), 1).unwrap();
            let (step, after) = system.step_covering(larger.view(), rule, goal.view()).expect("a step");
            assert_eq!(step::fire(system.rule(rule), larger.view(), &step.moved).as_ref(), Some(&after));
            assert!(goal.view().le(after.view()));
            ControlFlow::Continue(())
        });
        assert!(enumeration.is_ok());
    });
}

#[test]
fn a_configuration_is_initial_if_some_number_of_threads_covers_it() {
    for_each_case(3000, |system, dense, config| {
        let expected = dense.initial.iter().any(|initial| initial.with_more(10).covers(&config));
        assert_eq!(system.is_initial(config.to_config().view()), expected, "{config:?}");
        let instance = system.initial_instance(config.to_config().view());
        assert_eq!(instance.is_some(), expected);
        if let Some(instance) = instance {
            let instance = Dense::of(instance.view()).unwrap();
            assert!(instance.covers(&config));
            let genuine =
                |i: &throng_lab::dense::DenseInitial| instance.covers(&i.least) && i.covers(&instance);
            assert!(dense.initial.iter().any(genuine), "{instance:?} is not initial");
        }
    });
}

#[test]
fn successors_of_an_omega_configuration_bound_those_of_its_instances() {
    for_each_case(1500, |system, dense, config| {
        // Every second local of the configuration that holds a thread holds arbitrarily many.
        let mut bag = config.to_config().bag.to_vec();
        bag.iter_mut().step_by(2).for_each(|entry| entry.count = throng_model::OMEGA);
        let omega = ConfigRef::new(SharedId::new(usize::from(config.shared)), &bag);
        let after = collect(|add| {
            let enumeration = system.for_each_successor(omega, &mut |rule, after| {
                add(rule, after);
                ControlFlow::Continue(())
            });
            assert!(enumeration.is_ok());
        });
        let mut instance = config;
        for entry in bag.iter().filter(|entry| entry.count == throng_model::OMEGA) {
            instance.counts[entry.local.index()] = 4;
        }
        for (i, rule) in dense.rules.iter().enumerate() {
            rule.any_successor(&instance, &mut |successor| {
                let successor = successor.to_config();
                let mut of_rule = after.iter().filter(|(rule, _)| rule.index() == i);
                assert!(of_rule.any(|(_, bound)| successor.view().le(bound.view())), "{successor:?}");
                false
            });
        }
    });
}
