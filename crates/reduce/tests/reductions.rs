//! What each reduction removes, by examples.

mod common;

use common::{Draft, reduced};
use throng_base::{Budget, StopReason};
use throng_model::RuleId;
use throng_reduce::{Counters, Reduction, Strength, reduce};

/// The kept rules by their numbers in the original.
fn kept(reduction: &Reduction) -> Vec<usize> {
    let rules = RuleId::all(reduction.system().rules().len());
    rules.map(|id| reduction.original_rule(id).index()).collect()
}

#[test]
fn a_rule_whose_thread_state_no_run_shows_is_removed() {
    let system = Draft::new(3, 3)
        .initial(0, &[], &[0])
        .rule((0, 1), &[0], &[1])
        // Local 2 occurs nowhere, shared state 2 only by the rule that needs it.
        .rule((0, 2), &[2], &[1])
        .rule((2, 0), &[1], &[1])
        .target(1, &[1, 1]);
    let reduction = reduced(&system);
    assert_eq!(kept(&reduction), [0]);
    assert_eq!(reduction.counters().unfireable_rules, 2);
    // (0,1), (0,2), (1,2) and all three with shared state 2.
    assert_eq!(reduction.counters().unreachable_thread_states, 6);
}

#[test]
fn a_broadcast_empties_its_sources_in_the_fixpoint() {
    let system = Draft::new(3, 3)
        .initial(0, &[], &[0])
        .moving((0, 1), &[0], &[1], &[(0, &[1])])
        // After the broadcast nobody is in 0.
        .rule((1, 2), &[0], &[2])
        .rule((1, 2), &[1], &[2])
        .target(2, &[2, 2]);
    assert_eq!(kept(&reduced(&system)), [0, 2]);
}

#[test]
fn a_target_with_an_unreachable_thread_state_is_dropped() {
    let system = Draft::new(2, 2).initial(0, &[], &[0]).rule((0, 0), &[0], &[0, 0]).target(1, &[0]);
    let reduction = reduced(&system);
    assert!(reduction.system().targets().is_empty());
    assert!(reduction.system().rules().is_empty());
    assert_eq!(reduction.counters().unreachable_targets, 1);
}

#[test]
fn rules_and_locals_that_no_target_depends_on_are_removed() {
    let system = Draft::new(2, 4)
        .initial(0, &[0, 0, 2], &[])
        .rule((0, 0), &[0], &[1, 3])
        // Where the thread in 2 goes does not matter, nor what happens in shared state 1.
        .rule((0, 0), &[2], &[3])
        .rule((0, 1), &[1], &[0])
        // It only loses threads.
        .rule((0, 0), &[1, 1], &[1, 2])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    assert_eq!(kept(&reduction), [0]);
    let counters = Counters { irrelevant_rules: 3, irrelevant_locals: 2, ..*reduction.counters() };
    assert_eq!(reduction.counters(), &counters);
    let rule = reduction.system().rule(RuleId::new(0));
    assert_eq!(rule.put, &*common::bag(&[1]));
    assert_eq!(reduction.system().initial()[0].exact, common::bag(&[0, 0]));
}

#[test]
fn sources_of_a_relevant_destination_are_relevant() {
    let system = Draft::new(2, 5)
        .initial(0, &[], &[0])
        .rule((0, 0), &[0], &[1])
        // Threads of 1 come to 2; those of 3 go from nowhere relevant to nowhere relevant.
        .moving((0, 1), &[], &[], &[(1, &[2, 4]), (3, &[4])])
        .rule((0, 0), &[0], &[3])
        .target(1, &[2, 2]);
    let reduction = reduced(&system);
    assert_eq!(kept(&reduction), [0, 1]);
    let moves: Vec<_> = reduction.system().rule(RuleId::new(1)).moves().collect();
    let (source, destination) = (throng_model::LocalId::new(1), throng_model::LocalId::new(2));
    assert_eq!(moves, [(source, &[destination][..])]);
}

#[test]
fn of_equal_rules_the_first_is_kept_and_dominated_rules_go() {
    let system = Draft::new(2, 3)
        .initial(0, &[0, 0, 0], &[])
        .rule((0, 1), &[0, 0], &[1, 0])
        .rule((0, 1), &[0], &[1])
        .rule((0, 1), &[0], &[1])
        .rule((0, 1), &[0], &[1, 1])
        .rule((0, 1), &[0, 0, 0], &[1, 1, 2])
        .target(1, &[0, 1, 1, 2]);
    let reduction = reduced(&system);
    // The last takes more but puts something else.
    assert_eq!(kept(&reduction), [3, 4]);
    assert_eq!(reduction.counters().dominated_rules, 3);
}

#[test]
fn threads_that_a_broadcast_moves_do_not_make_up_for_what_is_put() {
    let system = Draft::new(2, 2)
        .initial(0, &[], &[0])
        .moving((0, 1), &[0, 0], &[0], &[(0, &[1])])
        .moving((0, 1), &[0], &[], &[(0, &[1])])
        .target(1, &[0, 1]);
    assert!(reduce(&system, Strength::Full, &Budget::unlimited()).unwrap_or_default().is_none());
}

#[test]
fn a_system_without_anything_superfluous_is_not_copied() {
    let system = Draft::new(2, 2).initial(0, &[0, 0], &[]).rule((0, 1), &[0], &[1]).target(1, &[0, 1]);
    assert!(matches!(reduce(&system, Strength::Full, &Budget::unlimited()), Ok(None)));
}

#[test]
fn a_stopped_budget_stops_a_reduction() {
    let system = Draft::new(2, 2).initial(0, &[], &[0]).rule((0, 1), &[0], &[1]).target(1, &[0, 1]);
    let budget = Budget::unlimited();
    budget.stop(StopReason::Interrupted);
    assert!(matches!(reduce(&system, Strength::Full, &budget), Err(StopReason::Interrupted)));
}

#[test]
fn locals_that_can_be_filled_from_the_beginning_are_forgotten() {
    let system = Draft::new(2, 5)
        .initial(0, &[3], &[0])
        .rule((0, 0), &[0, 0], &[1])
        .rule((0, 1), &[1, 0, 3], &[2])
        // After a change of the shared state, nothing fills a local.
        .rule((1, 1), &[0], &[4])
        .target(1, &[1, 2, 4]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().unbounded_locals, 2);
    let rule = |id| reduction.system().rule(RuleId::new(id));
    assert_eq!(kept(&reduction), [1, 2]);
    assert_eq!((rule(0).take, rule(1).take), (&*common::bag(&[3]), &*common::bag(&[])));
    assert_eq!(reduction.system().targets(), [common::config(1, &[2, 4])]);
    assert!(reduction.system().initial()[0].unbounded.is_empty());
}

#[test]
fn a_local_that_a_relevant_broadcast_empties_is_bounded() {
    let system = |to_target: usize| {
        Draft::new(2, 3)
            .initial(0, &[], &[0])
            .moving((0, to_target), &[], &[], &[(0, &[])])
            .rule((0, 1), &[0], &[1])
            .target(1, &[0, 1])
    };
    assert_eq!(reduced(&system(0)).counters().unbounded_locals, 1);
    // This one leads to the target's shared state.
    assert!(reduce(&system(1), Strength::Full, &Budget::unlimited()).unwrap_or_default().is_none());
}

#[test]
fn every_initial_configuration_has_to_fill_an_unbounded_local() {
    let system = |second: &[usize]| {
        Draft::new(2, 3)
            .initial(0, &[], &[0])
            .initial(1, &[2], second)
            .rule((0, 0), &[0], &[1])
            .rule((1, 0), &[1, 2], &[2, 2])
            .target(0, &[2, 2])
    };
    assert_eq!(reduced(&system(&[1])).counters().unbounded_locals, 1);
    assert_eq!(reduced(&system(&[0])).counters().unbounded_locals, 1);
    assert_eq!(reduced(&system(&[])).counters().unbounded_locals, 0);
}

#[test]
fn reductions_are_repeated_while_they_make_others_possible() {
    // Without the dominated rule nobody needs 2, and without what fills 2 nobody needs 3.
    let system = Draft::new(1, 4)
        .initial(0, &[0, 3], &[])
        .rule((0, 0), &[0], &[1])
        .rule((0, 0), &[0, 2], &[1])
        .rule((0, 0), &[3], &[2])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    assert_eq!(kept(&reduction), [0]);
    assert_eq!(reduction.counters().irrelevant_locals, 2);
}
