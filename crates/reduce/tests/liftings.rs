//! Evidence about reduced systems, lifted: every result passes the checker.

mod common;

use common::{Draft, bag, config, lifted, reduced};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::{CoverSet, Cut, Evidence, Proof, Trace, TraceItem};
use throng_model::{
    ClosedSet, Config, DownwardClosedSet, LocalId, Moved, OMEGA, RuleId, SharedId, Step, System,
    TransitionSystem,
};
use throng_reduce::LiftError;

fn step(rule: usize) -> TraceItem {
    TraceItem::Step(Step { rule: RuleId::new(rule), moved: vec![] })
}

fn trace(evidence: Evidence) -> Trace {
    let Evidence::Trace(trace) = evidence else { panic!("{evidence:?} is no trace") };
    trace
}

fn moved(from: usize, to: usize, count: u32) -> Moved {
    Moved { from: LocalId::new(from), to: Some(LocalId::new(to)), count }
}

/// The ω-configurations that steps lead to, for systems where these are finitely many.
fn cover_set(system: &System) -> Evidence {
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

#[test]
fn exact_threads_outside_the_cone_come_back_and_are_moved() {
    let system = Draft::new(2, 5)
        .initial(0, &[3, 3], &[0])
        .rule((0, 0), &[0], &[1, 4])
        .moving((0, 1), &[1], &[2], &[(1, &[1, 4]), (3, &[4])])
        .target(1, &[1, 2]);
    let reduction = reduced(&system);
    let reduced_trace = Trace { initial: config(0, &[0, 0]), items: vec![step(0), step(0), step(1)] };
    let lifted = trace(lifted(&system, &reduction, Evidence::Trace(reduced_trace)));
    assert_eq!(lifted.initial, config(0, &[0, 0, 3, 3]));
    // In the reduced system the threads in 1 stay; here they have to say so.
    let last = Step { rule: RuleId::new(1), moved: vec![moved(1, 1, 1), moved(3, 4, 2)] };
    assert_eq!(lifted.items[2], TraceItem::Step(last));
}

#[test]
fn a_repetition_stays_one_if_its_rounds_are_the_same() {
    // Each round puts a thread into 3, outside the cone, and moves it to 4.
    let system =
        Draft::new(1, 5).initial(0, &[], &[0]).moving((0, 0), &[0], &[1, 3], &[(3, &[4])]).target(0, &[1; 9]);
    let reduction = reduced(&system);
    let items = vec![TraceItem::Repeat { times: 9, items: vec![step(0)] }];
    let lifted =
        trace(lifted(&system, &reduction, Evidence::Trace(Trace { initial: config(0, &[0; 9]), items })));
    // The first round moves nothing, the others one thread each.
    let [TraceItem::Step(first), TraceItem::Repeat { times: 8, items }] = &lifted.items[..] else {
        panic!("{lifted:?}");
    };
    assert!(first.moved.is_empty());
    assert_eq!(items[..], [TraceItem::Step(Step { rule: RuleId::new(0), moved: vec![moved(3, 4, 1)] })]);
}

#[test]
fn a_repetition_whose_rounds_differ_is_written_out_or_refused() {
    // Threads pile up in 3 and 4, which swap them.
    let swapping = |n: usize| {
        Draft::new(1, 5)
            .initial(0, &[], &[0])
            .moving((0, 0), &[0], &[1, 3], &[(3, &[4]), (4, &[3])])
            .target(0, &vec![1; n])
    };
    let repeated = |times: usize| {
        let items = vec![TraceItem::Repeat { times: times as u64, items: vec![step(0)] }];
        Evidence::Trace(Trace { initial: config(0, &vec![0; times]), items })
    };
    let system = swapping(9);
    assert_eq!(trace(lifted(&system, &reduced(&system), repeated(9))).n_steps(), 9);
    let system = swapping(2_000_000);
    let refused = reduced(&system).lift(&system, repeated(2_000_000), &Budget::unlimited());
    assert_eq!(refused, Err(LiftError::TooLarge));
}

#[test]
fn witnesses_of_rules_that_never_fire_are_added_and_closed() {
    let system = Draft::new(4, 3)
        .initial(0, &[0], &[])
        .rule((0, 1), &[0], &[1])
        // These would cover the target, but 2 is needed, which comes from shared state 3 alone.
        .rule((1, 1), &[2], &[1, 1])
        .rule((3, 1), &[], &[2])
        .rule((3, 3), &[], &[0])
        .target(1, &[1, 1]);
    let reduction = reduced(&system);
    let proof = Proof {
        elements: vec![config(1, &[1, 1]), config(0, &[0, 0]), config(0, &[0, 1])],
        ..Proof::default()
    };
    let Evidence::Proof(proof) = lifted(&system, &reduction, Evidence::Proof(proof)) else { panic!() };
    for witness in [config(1, &[2]), config(3, &[])] {
        assert!(proof.elements.contains(&witness), "{proof:?}");
    }
}

#[test]
fn elements_outside_the_cone_are_left_out_of_a_lifted_proof() {
    let system = Draft::new(1, 4)
        .initial(0, &[0, 2], &[])
        .rule((0, 0), &[0], &[1])
        .rule((0, 0), &[2], &[3])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    // Nothing leads to 3 in the reduced system, so that the second element does no harm there.
    let elements = vec![config(0, &[1, 1]), config(0, &[3]), config(0, &[0, 1]), config(0, &[0, 0])];
    let proof = Proof { elements, ..Proof::default() };
    let Evidence::Proof(proof) = lifted(&system, &reduction, Evidence::Proof(proof)) else { panic!() };
    assert_eq!(proof.elements.len(), 3);
}

#[test]
fn a_dropped_target_is_excluded_by_its_thread_state() {
    let system = Draft::new(2, 3)
        .initial(0, &[], &[0])
        .moving((0, 1), &[0], &[1], &[(0, &[1])])
        .rule((1, 1), &[1], &[1])
        .target(1, &[0, 1]);
    let reduction = reduced(&system);
    let Evidence::Proof(proof) = lifted(&system, &reduction, Evidence::Proof(Proof::default())) else {
        panic!()
    };
    assert_eq!(proof.elements, [config(1, &[0])]);
}

#[test]
fn cuts_are_not_lifted() {
    let system = Draft::new(1, 3)
        .initial(0, &[0], &[])
        .rule((0, 0), &[0], &[1])
        .rule((0, 0), &[0], &[2])
        .target(0, &[1, 1]);
    let proof = Proof { cuts: vec![Cut { bound: 1, ..Cut::default() }], ..Proof::default() };
    let lifted = reduced(&system).lift(&system, Evidence::Proof(proof), &Budget::unlimited());
    assert_eq!(lifted, Err(LiftError::Cuts));
}

#[test]
fn locals_and_shared_states_outside_the_cone_come_back_in_cover_sets() {
    let system = Draft::new(3, 4)
        .initial(0, &[0], &[])
        .rule((0, 0), &[0], &[1, 3])
        // Out of the cone, where threads are made.
        .rule((0, 2), &[1], &[1, 1])
        .rule((2, 2), &[1], &[3, 1])
        // Never fires.
        .rule((2, 0), &[2], &[1, 1, 1])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    let Evidence::CoverSet(set) = lifted(&system, &reduction, cover_set(reduction.system())) else {
        panic!()
    };
    let mut after = config(0, &[1]);
    after.bag.add(LocalId::new(3), OMEGA).unwrap_or_default();
    assert!(set.elements.contains(&after), "{set:?}");
    assert!(set.elements.iter().any(|element| element.shared == SharedId::new(2)));
    assert!(
        !set.elements.iter().any(|element| element.bag.iter().any(|entry| entry.local == LocalId::new(2)))
    );
}

#[test]
fn cover_sets_of_broadcasts_with_a_choice_are_lifted() {
    let system = Draft::new(2, 4)
        .initial(0, &[0, 0], &[3])
        .moving((0, 1), &[], &[], &[(0, &[1, 3]), (3, &[2])])
        .moving((1, 0), &[1], &[0], &[(2, &[]), (1, &[3])])
        .target(1, &[1, 1, 1]);
    let reduction = reduced(&system);
    lifted(&system, &reduction, cover_set(reduction.system()));
}

#[test]
fn a_trace_that_is_not_of_the_reduced_system_is_refused() {
    let system = Draft::new(1, 3).initial(0, &[0], &[]).rule((0, 0), &[0], &[1, 2]).target(0, &[1]);
    let foreign = Trace { initial: Config::new(SharedId::new(0), bag(&[1])), items: vec![] };
    let lifted = reduced(&system).lift(&system, Evidence::Trace(foreign), &Budget::unlimited());
    assert_eq!(lifted, Err(LiftError::Foreign));
}
