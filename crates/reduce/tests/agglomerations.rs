//! Which locals are agglomerated, and that evidence without them becomes evidence with them.
//!
//! In each system that must not be agglomerated, replacing local 1 would change the verdict.

mod common;

use common::{Draft, bag, config, cover_set, cut_proof, lifted, proof, reduced, step, trace};
use throng_base::Budget;
use throng_cert::{CoverSet, Evidence, Proof, Trace, TraceItem, Trap};
use throng_model::{Bag, Config, LocalId, OMEGA, RuleId, SharedId, Step, System};
use throng_reduce::{LiftError, Reduction, Strength, reduce};

/// How many locals are agglomerated.
fn n_agglomerated(system: &System) -> u64 {
    let reduction = reduce(system, Strength::Full, &Budget::unlimited()).expect("nobody stops it");
    reduction.map_or(0, |reduction| reduction.counters().agglomerated_locals)
}

/// Lifts the same trace in which the rules of the reduced system fire in this order, from these threads.
fn lift_steps(system: &System, reduction: &Reduction, threads: &[usize], items: Vec<TraceItem>) -> Trace {
    let evidence = Evidence::Trace(Trace { initial: config(0, threads), items });
    trace(lifted(system, reduction, evidence))
}

/// Two threads change the shared state on their way from 0 to 1, and go on to two of 2 in whatever shared state.
fn post() -> System {
    Draft::new(2, 3)
        .initial(0, &[0, 0], &[])
        .rule((0, 1), &[0], &[1])
        .rule((1, 0), &[0], &[1, 1])
        .rule((0, 0), &[1], &[2, 2])
        .rule((1, 1), &[1], &[2, 2])
        .target(0, &[2; 6])
}

#[test]
fn threads_go_on_at_once_where_they_can_only_go_one_way() {
    let (system, reduction) = (post(), reduced(&post()));
    let counters = reduction.counters();
    assert_eq!((counters.agglomerated_locals, counters.agglomerated_rules), (1, 2));
    assert_eq!(reduction.system().rules().len(), 2);
    let trace = lift_steps(&system, &reduction, &[0, 0], vec![step(0), step(1)]);
    assert_eq!(trace.items, [0, 3, 1, 2, 2].map(step));
}

#[test]
fn threads_wait_until_they_are_needed() {
    let system = Draft::new(2, 5)
        .initial(0, &[0, 0, 0, 4], &[])
        .rule((0, 0), &[0], &[1])
        .rule((0, 1), &[1, 1, 4], &[2])
        .rule((0, 1), &[1, 4], &[3])
        .target(1, &[2, 0]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 1);
    assert_eq!(reduction.system().rule(RuleId::new(0)).take, &*bag(&[0, 0, 4]));
    let trace = lift_steps(&system, &reduction, &[0, 0, 0, 4], vec![step(0)]);
    assert_eq!(trace.items, [0, 0, 1].map(step));
}

#[test]
fn chains_and_weights_are_agglomerated_at_once() {
    // Five of 1, each of which becomes five of 2, and so on; then all 625 of 4 at once.
    let system = Draft::new(2, 6)
        .initial(0, &[0], &[])
        .rule((0, 1), &[0], &[1; 5])
        .rule((1, 1), &[1], &[2; 5])
        .rule((1, 1), &[2], &[3; 5])
        .rule((1, 1), &[3], &[4; 5])
        .rule((1, 0), &[4; 625], &[5])
        .target(0, &[5]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 3);
    assert_eq!(reduction.system().rules().len(), 2);
    let trace = lift_steps(&system, &reduction, &[0], vec![step(0), step(1)]);
    let again = |times, rule| TraceItem::Repeat { times, items: vec![step(rule)] };
    let detours = [&[1; 5].map(step)[..], &[again(25, 2), again(125, 3)]].concat();
    assert_eq!(trace.items, [&[step(0)][..], &detours, &[step(4)]].concat());
}

#[test]
fn repetitions_stay_repetitions() {
    let system = Draft::new(1, 4)
        .initial(0, &[0], &[])
        .rule((0, 0), &[0], &[0, 1])
        .rule((0, 0), &[1], &[2])
        .rule((0, 0), &[2; 40], &[3])
        .target(0, &[3, 3]);
    let reduction = reduced(&system);
    assert!(reduction.counters().agglomerated_locals > 0);
    let round = vec![TraceItem::Repeat { times: 40, items: vec![step(0)] }, step(1)];
    let items = vec![TraceItem::Repeat { times: 2, items: round }];
    let trace = lift_steps(&system, &reduction, &[0], items);
    assert_eq!((trace.items.len(), trace.n_steps()), (1, 162));
}

#[test]
fn agglomeration_is_left_out_where_proofs_have_to_stay_minimal() {
    let reduction = reduce(&post(), Strength::KeepMinimality, &Budget::unlimited());
    assert!(reduction.expect("nobody stops it").is_none());
}

#[test]
fn what_a_target_asks_for_stays() {
    let system = |target: &[usize]| {
        Draft::new(2, 3)
            .initial(0, &[0, 0], &[])
            .rule((0, 1), &[0], &[1])
            .rule((1, 1), &[1], &[2])
            .target(1, target)
    };
    assert_eq!(n_agglomerated(&system(&[1, 2])), 0);
    assert_eq!(n_agglomerated(&system(&[2, 2])), 1);
}

#[test]
fn what_holds_threads_initially_stays() {
    let system = |exact: &[usize]| {
        Draft::new(3, 3)
            .initial(0, exact, &[])
            .rule((0, 1), &[0], &[1])
            .rule((1, 1), &[1], &[2, 2])
            .rule((1, 2), &[2; 4], &[0])
            .target(2, &[])
    };
    assert_eq!(n_agglomerated(&system(&[0, 1])), 0);
    assert_eq!(n_agglomerated(&system(&[0, 0])), 1);
}

#[test]
fn what_a_broadcast_moves_stays() {
    // Threads are saved from the broadcast in 1 or go there by it.
    let system = |source: usize, to: &[usize]| {
        Draft::new(2, 5)
            .initial(0, &[0, 4], &[])
            .rule((0, 0), &[0], &[1])
            .moving((0, 1), &[], &[], &[(source, to)])
            .rule((0, 0), &[1], &[2])
            .rule((1, 1), &[1], &[2])
            .target(1, &[2])
    };
    // A source, and a destination.
    assert_eq!(n_agglomerated(&system(1, &[3])), 0);
    assert_eq!(n_agglomerated(&system(4, &[1])), 0);
    // Local 2, where the thread would be caught.
    assert_eq!(n_agglomerated(&system(2, &[3])), 0);
    // From there it need not go away.
    assert_eq!(n_agglomerated(&system(2, &[2, 3])), 1);
    assert_eq!(n_agglomerated(&system(4, &[2])), 1);
}

#[test]
fn threads_do_not_go_on_in_shared_states_where_they_cannot() {
    let system = |at: usize| {
        Draft::new(3, 4)
            .initial(0, &[0, 3], &[])
            .rule((0, 1), &[0], &[1])
            .rule((at, at), &[1], &[2])
            .rule((1, 2), &[3], &[3])
            .rule((1, 1), &[2, 3], &[2, 2, 3])
            .target(2, &[2])
    };
    assert_eq!(n_agglomerated(&system(2)), 0);
    assert_eq!(n_agglomerated(&system(1)), 1);
}

#[test]
fn threads_do_not_come_in_shared_states_where_they_cannot() {
    let system = |at: usize| {
        Draft::new(2, 4)
            .initial(0, &[0, 0], &[])
            .rule((0, 1), &[0], &[3])
            .rule((at, at), &[0], &[1])
            .rule((1, 1), &[1, 3], &[2])
            .target(1, &[2])
    };
    assert_eq!(n_agglomerated(&system(0)), 0);
    assert_eq!(n_agglomerated(&system(1)), 1);
}

/// Shared states before and after, threads taken and put.
type Plain<'a> = ((usize, usize), &'a [usize], &'a [usize]);

/// Two threads come to 1 while the shared state changes; these rules are about them.
fn with_exits(exits: &[Plain<'_>]) -> System {
    let system = Draft::new(3, 4).initial(0, &[0, 0], &[]).rule((0, 1), &[0], &[1, 1]);
    exits
        .iter()
        .fold(system, |system, &(shared, take, put)| system.rule(shared, take, put))
        .target(1, &[2, 3])
}

#[test]
fn threads_that_can_go_two_ways_stay() {
    assert_eq!(n_agglomerated(&with_exits(&[((1, 1), &[1], &[2]), ((1, 1), &[1], &[3])])), 0);
    assert_eq!(n_agglomerated(&with_exits(&[((1, 1), &[1], &[2, 3])])), 1);
    // Two are needed at once, or the shared state changes, or another thread has to be there.
    assert_eq!(n_agglomerated(&with_exits(&[((1, 1), &[1, 1], &[2, 3])])), 0);
    assert_eq!(n_agglomerated(&with_exits(&[((1, 2), &[1], &[2]), ((2, 1), &[], &[3])])), 0);
    assert_eq!(n_agglomerated(&with_exits(&[((1, 1), &[0, 1], &[2, 3])])), 0);
    // They come back.
    assert_eq!(n_agglomerated(&with_exits(&[((1, 1), &[1], &[1, 2, 3])])), 0);
}

#[test]
fn threads_that_move_others_when_they_go_on_stay() {
    let system = |moves: &[(usize, &[usize])]| {
        Draft::new(2, 5)
            .initial(0, &[0, 3], &[])
            .rule((0, 1), &[0], &[1])
            .moving((1, 1), &[1], &[2], moves)
            .target(1, &[2, 3])
    };
    assert_eq!(n_agglomerated(&system(&[(3, &[4])])), 0);
    assert_eq!(n_agglomerated(&system(&[])), 1);
}

#[test]
fn entries_that_do_more_than_enter_stay() {
    let system = |put: &[usize]| {
        Draft::new(2, 4)
            .initial(0, &[0, 0], &[])
            .rule((0, 0), &[0], put)
            .rule((0, 1), &[1, 0], &[2])
            .rule((1, 0), &[2, 1], &[3])
            .target(1, &[2, 3])
    };
    // With the entry, another thread comes, or a second one.
    assert_eq!(n_agglomerated(&system(&[1, 2])), 0);
    assert_eq!(n_agglomerated(&system(&[1, 1])), 0);
}

#[test]
fn of_locals_that_stand_for_each_other_one_stays() {
    let system = Draft::new(3, 4)
        .initial(0, &[0, 0], &[])
        .rule((0, 1), &[0], &[1])
        .rule((1, 0), &[2], &[0])
        .rule((1, 1), &[1], &[2])
        .rule((1, 2), &[2, 2], &[3])
        .target(2, &[3]);
    // 1 leads to 2, and 2 comes from 1.
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 1);
    let steps = vec![step(0), step(1), step(0), step(1), step(0), step(2)];
    // The last step wants two threads, of which one went back.
    let evidence = Evidence::Trace(Trace { initial: config(0, &[0, 0]), items: steps });
    assert!(reduction.lift(&system, evidence, &Budget::unlimited()).is_ok());
}

#[test]
fn a_step_that_moves_threads_lifts_its_moves() {
    let system = Draft::new(2, 5)
        .initial(0, &[0, 3, 3], &[])
        .moving((0, 1), &[0], &[1], &[(3, &[4])])
        .rule((1, 1), &[1], &[2])
        .target(1, &[2, 4, 4]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 1);
    let moved = vec![throng_model::Moved { from: LocalId::new(3), to: Some(LocalId::new(4)), count: 2 }];
    let broadcast = TraceItem::Step(Step { rule: RuleId::new(0), moved });
    let trace = lift_steps(&system, &reduction, &[0, 3, 3], vec![broadcast.clone()]);
    assert_eq!(trace.items, [broadcast, step(1)]);
}

/// One thread goes from 0 by 1 to 2 and back by 3.
fn ring() -> System {
    Draft::new(1, 5)
        .initial(0, &[0, 4, 4], &[])
        .rule((0, 0), &[0, 4], &[1, 4])
        .rule((0, 0), &[1], &[2])
        .rule((0, 0), &[2, 4], &[3, 4])
        .rule((0, 0), &[3], &[0])
        .target(0, &[2, 2])
}

#[test]
fn elements_with_agglomerated_locals_come_back() {
    let (system, reduction) = (ring(), reduced(&ring()));
    assert_eq!(reduction.counters().agglomerated_locals, 2);
    let elements = [[2, 2], [0, 2], [0, 0]].map(|threads| config(0, &threads)).to_vec();
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(Proof { elements, ..Proof::default() })));
    // Every pair of two among 0 to 3.
    assert_eq!(lifted.elements.len(), 10);
}

#[test]
fn cuts_weigh_agglomerated_locals_like_what_they_stand_for() {
    let (system, reduction) = (ring(), reduced(&ring()));
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(cut_proof(&[0, 2], 1))));
    assert_eq!(lifted, cut_proof(&[0, 1, 2, 3], 1));
    let heavy = Draft::new(2, 3)
        .initial(0, &[0], &[])
        .rule((0, 1), &[0], &[1])
        .rule((1, 1), &[1], &[2, 2])
        .target(1, &[2, 2, 2]);
    let mut cut = cut_proof(&[0, 2], 2);
    cut.cuts[0].locals[0].1 = 2;
    let lifted = proof(common::lifted(&heavy, &reduced(&heavy), Evidence::Proof(cut)));
    assert_eq!(
        lifted.cuts[0].locals,
        [0, 1, 2].map(LocalId::new).map(|l| (l, if l == LocalId::new(2) { 1 } else { 2 }))
    );
}

#[test]
fn traps_contain_agglomerated_locals_that_stand_for_members() {
    // Two threads in 0, 2 and 3, on the way to 2 in 1; at least one of them in 0 or 2 or on the way: never two in 3.
    let system = Draft::new(1, 5)
        .initial(0, &[0, 0, 4], &[])
        .rule((0, 0), &[0, 0], &[0, 3])
        .rule((0, 0), &[3, 4], &[2, 4])
        .rule((0, 0), &[0, 4], &[1, 4])
        .rule((0, 0), &[1], &[2])
        .rule((0, 0), &[2, 4], &[0, 4])
        .target(0, &[3, 3]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 1);
    let mut with_trap = cut_proof(&[3], 1);
    with_trap.cuts[0].traps = vec![(0, 1)];
    with_trap.traps = vec![Trap { locals: [0, 2].map(LocalId::new).to_vec() }];
    let lifted = proof(lifted(&system, &reduction, Evidence::Proof(with_trap)));
    assert_eq!(lifted.traps, [Trap { locals: [0, 1, 2].map(LocalId::new).to_vec() }]);
    assert_eq!(lifted.cuts, [throng_cert::Cut { traps: vec![(0, 1)], ..cut_proof(&[3], 1).cuts[0].clone() }]);
}

#[test]
fn cover_sets_split_threads_between_a_local_and_what_it_stands_for() {
    let (system, reduction) = (ring_of(3), reduced(&ring_of(3)));
    let evidence = lifted(&system, &reduction, cover_set(reduction.system()));
    let Evidence::CoverSet(set) = evidence else { panic!("{evidence:?}") };
    // All ways to have three threads in 0 to 3; the others stay in 4.
    assert_eq!(set.elements.len(), 20);
}

/// As [`ring`], with several threads in it, and one too many in the target.
fn ring_of(n_threads: usize) -> System {
    Draft::new(1, 5)
        .initial(0, &[vec![0; n_threads], vec![4; 2]].concat(), &[])
        .rule((0, 0), &[0, 4], &[1, 4])
        .rule((0, 0), &[1], &[2])
        .rule((0, 0), &[2, 4], &[3, 4])
        .rule((0, 0), &[3], &[0])
        .target(0, &vec![2; n_threads + 1])
}

#[test]
fn a_local_that_stands_for_unboundedly_many_threads_is_unbounded_in_cover_sets() {
    // Threads come to 0 in shared state 1 only, so that it is not unbounded from the beginning.
    let system = Draft::new(3, 4)
        .initial(0, &[3], &[])
        .rule((0, 1), &[3], &[3])
        .rule((1, 1), &[], &[0])
        .rule((1, 2), &[0, 3], &[1, 3])
        .rule((2, 2), &[1], &[2])
        .rule((2, 1), &[2], &[0])
        .target(2, &[2, 2]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 1);
    let element = |shared, threads: &[(usize, u32)]| {
        let counts = threads.iter().map(|&(local, count)| (LocalId::new(local), count));
        Config::new(SharedId::new(shared), Bag::from_counts(counts).expect("they fit"))
    };
    let elements = vec![
        element(0, &[(3, 1)]),
        element(1, &[(0, OMEGA), (3, 1)]),
        element(2, &[(0, OMEGA), (2, 1), (3, 1)]),
    ];
    let evidence = lifted(&system, &reduction, Evidence::CoverSet(CoverSet { elements }));
    let Evidence::CoverSet(set) = evidence else { panic!("{evidence:?}") };
    assert!(set.elements.contains(&element(2, &[(0, OMEGA), (1, 1), (3, 1)])), "{set:?}");
    assert_eq!(set.elements.len(), 4);
}

#[test]
fn preimages_that_are_too_large_are_refused() {
    // Each of twelve locals leads to the last one, of which there are never ten.
    let mut system = Draft::new(2, 14).initial(0, &[13; 9], &[]);
    for local in 0..12 {
        system = system.rule((0, 1), &[13], &[local]).rule((1, 1), &[local], &[12]);
    }
    let system = system.rule((1, 0), &[], &[]).target(1, &[12; 10]);
    let reduction = reduced(&system);
    assert_eq!(reduction.counters().agglomerated_locals, 12);
    let pairs = (0..=10).flat_map(|n| [0, 1].map(|s| config(s, &[vec![12; n], vec![13; 10 - n]].concat())));
    let evidence = Evidence::Proof(Proof { elements: pairs.collect(), ..Proof::default() });
    assert_eq!(reduction.lift(&system, evidence, &Budget::unlimited()), Err(LiftError::TooLarge));
}
