//! Evidence about reduced systems, lifted: every result passes the checker.

mod common;

use common::{Draft, bag, config, cover_set, cut_proof, lifted, proof, reduced, step, trace};
use throng_base::Budget;
use throng_cert::{Evidence, Proof, Trace, TraceItem, Trap};
use throng_model::{Config, LocalId, Moved, OMEGA, RuleId, SharedId, Step, System};
use throng_reduce::LiftError;

fn moved(from: usize, to: usize, count: u32) -> Moved {
    Moved { from: LocalId::new(from), to: Some(LocalId::new(to)), count }
}

#[test]
fn exact_threads_outside_the_cone_come_back_and_are_moved() {
    let system = Draft::new(2, 5)
        .initial(0, &[0, 0, 3, 3], &[])
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
    let system = Draft::new(1, 5)
        .initial(0, &[0; 9], &[])
        .moving((0, 0), &[0], &[1, 3], &[(3, &[4])])
        .target(0, &[1; 9]);
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
            .initial(0, &vec![0; n], &[])
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
fn a_cut_survives_irrelevant_and_dominated_rules() {
    let system = Draft::new(1, 4)
        .initial(0, &[0], &[])
        .rule((0, 0), &[0], &[1])
        .rule((0, 0), &[0], &[2, 2, 2])
        // Dominated by the first, and the same outside the cone.
        .rule((0, 0), &[0, 0], &[1, 0])
        .rule((0, 0), &[0], &[1, 3])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    // Weights outside of the cone mean nothing in the reduced system, and would be raised in the original.
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(cut_proof(&[0, 1, 2], 1))));
    assert_eq!(lifted, cut_proof(&[0, 1], 1));
}

#[test]
fn a_cut_that_unfireable_rules_raise_comes_with_witnesses() {
    let system = Draft::new(2, 4)
        .initial(0, &[0], &[])
        .rule((0, 0), &[0], &[1])
        // Never fires, and neither does what would lead there.
        .rule((0, 0), &[2], &[1, 1])
        .rule((1, 0), &[3], &[2])
        .target(0, &[1, 1]);
    let reduction = reduced(&system);
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(cut_proof(&[0, 1], 1))));
    assert_eq!(lifted.cuts, cut_proof(&[0, 1], 1).cuts);
    assert_eq!(lifted.elements, [config(0, &[2]), config(1, &[])]);
}

#[test]
fn elements_rely_on_lifted_cuts() {
    let system = Draft::new(2, 4)
        .initial(0, &[0], &[])
        .rule((0, 1), &[0], &[1])
        .rule((1, 0), &[1], &[0])
        .rule((0, 0), &[2], &[1, 1])
        .target(1, &[1, 1]);
    let reduction = reduced(&system);
    // The predecessor 0|0,1 of the element breaks the cut.
    let with_element = Proof { elements: vec![config(1, &[1, 1])], ..cut_proof(&[0, 1], 1) };
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(with_element)));
    assert!(lifted.elements.contains(&config(1, &[1, 1])) && lifted.elements.contains(&config(0, &[2])));
}

#[test]
fn a_cut_may_be_raised_out_of_the_cone_unless_rules_lead_back() {
    let system = |back: bool| {
        let system =
            Draft::new(2, 3).initial(0, &[0], &[]).rule((0, 0), &[0], &[1]).rule((0, 1), &[0], &[1, 1]);
        let system = if back { system.rule((1, 0), &[2], &[]) } else { system };
        system.target(0, &[1, 1])
    };
    let cut = || Evidence::Proof(cut_proof(&[0, 1], 1));
    lifted(&system(false), &reduced(&system(false)), cut());
    // The rule that leads back never fires, but nobody tells the checker that the shared state does not matter.
    let refused = reduced(&system(true)).lift(&system(true), cut(), &Budget::unlimited());
    assert_eq!(refused, Err(LiftError::Cuts));
}

/// Two threads in 0, 1 and 2, at least one in 0 or 1: so never two in 2. Local 3 does not matter.
fn trapped(extra: &[usize]) -> System {
    let system = Draft::new(1, 4)
        .initial(0, &[0, 0], &[])
        .rule((0, 0), &[0, 0], &[0, 2])
        .rule((0, 0), &[2], &[1])
        .rule((0, 0), &[0], &[1, 3])
        .rule((0, 0), &[1], &[0]);
    let system = if extra.is_empty() { system } else { system.rule((0, 0), extra, &[3]) };
    system.target(0, &[2, 2])
}

#[test]
fn traps_are_lifted_where_they_stay_traps() {
    let locals = |members: &[usize]| members.iter().copied().map(LocalId::new).collect();
    let mut with_trap = cut_proof(&[2], 1);
    with_trap.cuts[0].traps = vec![(1, 1)];
    // The first trap is used by no cut, and is none in the original.
    with_trap.traps = vec![Trap { locals: locals(&[0, 1, 2]) }, Trap { locals: locals(&[0, 1, 3]) }];
    let lift = |system: &System| {
        let reduction = reduced(system);
        reduction.lift(system, Evidence::Proof(with_trap.clone()), &Budget::unlimited())
    };
    let kept = trapped(&[2]);
    let lifted = proof(lifted(&kept, &reduced(&kept), Evidence::Proof(with_trap.clone())));
    assert_eq!(lifted.traps, [Trap { locals: locals(&[0, 1]) }]);
    assert_eq!(lift(&trapped(&[0])), Err(LiftError::Cuts));
}

#[test]
fn initially_unbounded_locals_are_supplied_as_needed() {
    // Two threads of 0 for each one in 1; the target asks for some of 0, too.
    let system = Draft::new(2, 2)
        .initial(0, &[0], &[0])
        .rule((0, 1), &[0, 0], &[1])
        .rule((1, 0), &[], &[0])
        .target(1, &[1, 1, 0]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().unbounded_locals, 1);
    let items = vec![step(0), step(1), step(0)];
    let trace = trace(lifted(&system, &reduction, Evidence::Trace(Trace { initial: config(0, &[]), items })));
    // 2 − 1 + 2 + 1 for the target.
    assert_eq!(trace.initial, config(0, &[0, 0, 0, 0]));
}

#[test]
fn produced_threads_are_produced_first_and_in_order() {
    // 3 takes two of 2, each of which takes a 0 and a 1, which takes a 0. The other thread of 1 is a source.
    let system = Draft::new(2, 5)
        .initial(0, &[2], &[0])
        .rule((0, 0), &[2, 2], &[3])
        .rule((0, 0), &[0, 1], &[2, 2, 2])
        .rule((0, 0), &[0], &[1])
        .moving((0, 1), &[3; 4], &[4], &[(1, &[4])])
        .target(1, &[4; 7]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().unbounded_locals, 3);
    let (rule, moved) = (RuleId::new(3), vec![moved(1, 4, 6)]);
    let last = |rule| TraceItem::Step(Step { rule: RuleId::new(rule), moved: moved.clone() });
    assert_eq!(reduction.original_rule(RuleId::new(1)), rule);
    let items = vec![TraceItem::Repeat { times: 6, items: vec![step(0)] }, last(1)];
    let trace = trace(lifted(&system, &reduction, Evidence::Trace(Trace { initial: config(0, &[]), items })));
    // Four of 3 ask for eight of 2; one is there, seven more take three firings and with them three of 1.
    let again = TraceItem::Repeat { times: 6, items: vec![step(2)] };
    let supply = [2, 2, 2, 1, 1, 1, 0, 0, 0, 0].map(step);
    assert_eq!(trace.items, [&supply[..], &[again, last(3)]].concat());
    assert_eq!(trace.initial, config(0, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]));
}

#[test]
fn an_unbounded_local_is_filled_by_the_cheapest_rule() {
    let system = Draft::new(1, 3)
        .initial(0, &[], &[0])
        .rule((0, 0), &[0; 5], &[1])
        .rule((0, 0), &[0, 0], &[1, 1, 1])
        // Takes nothing for one more, but only if there is one.
        .rule((0, 0), &[1], &[1, 1])
        .target(0, &[1; 30]);
    let empty = Evidence::Trace(Trace { initial: config(0, &[]), items: vec![] });
    let trace = trace(lifted(&system, &reduced(&system), empty));
    assert_eq!(trace.initial, config(0, &[0; 20]));
    assert_eq!(trace.items, [TraceItem::Repeat { times: 10, items: vec![step(1)] }]);
}

#[test]
fn a_supply_that_no_count_can_hold_is_refused() {
    let mut system = Draft::new(1, 41).initial(0, &[], &[0]);
    for local in 0..40 {
        system = system.rule((0, 0), &[local, local], &[local + 1]);
    }
    let system = system.target(0, &[40]);
    let reduction = reduced(&system);
    assert!(reduction.system().rules().is_empty());
    let empty = Evidence::Trace(Trace { initial: config(0, &[]), items: vec![] });
    assert_eq!(reduction.lift(&system, empty, &Budget::unlimited()), Err(LiftError::CountOverflow));
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
