//! The Karp–Miller engine on systems from the literature and on corner cases; all evidence is checked.

mod common;

use common::{run, system};
use throng_base::{Budget, StopReason};
use throng_cert::TraceItem;
use throng_engine::options::Record;
use throng_engine::{
    Ancestors, Answer, EngineKind, Observer, Options, Order, Outcome, Progress, Safety, UnknownReason,
};
use throng_model::OMEGA;

const ENGINE: EngineKind = EngineKind::KarpMiller;

/// Kaiser's thesis, Figure 24: the broadcast moves whoever is in 2 away before another thread gets there, so two
/// threads are never there together; accelerating across the broadcast would say that they can be.
const FIGURE_24: &str = "1 3\n0 0 -> 0 1\n0 1 -> 0 2 2 ~> 0\n";

/// Stops a search after some work, deterministically.
struct Stop<'a>(&'a Budget, u64);

impl Observer for Stop<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.steps > self.1 {
            self.0.stop(StopReason::Timeout);
        }
    }
}

#[test]
fn nothing_is_accelerated_across_a_broadcast() {
    for order in Order::ALL {
        let system = system(FIGURE_24, "0/0", "0|2,2");
        let budget = Budget::unlimited();
        let options = Options { order, ..Options::default() };
        let outcome = ENGINE.run(&system, &options, &budget, &Stop(&budget, 2_000));
        assert!(!matches!(outcome.answer, Answer::Unsafe(_)), "{}: {:?}", order.name(), outcome.answer);
        let reachable = common::system(FIGURE_24, "0/0", "0|1,1,2");
        assert!(matches!(run(ENGINE, &reachable, &options).answer, Answer::Unsafe(_)));
    }
}

#[test]
fn a_plain_net_has_a_cover_set_in_every_order() {
    for order in Order::ALL {
        let options = Options { order, ..Options::default() };
        let outcome = run(ENGINE, &system(common::RUNNING_EXAMPLE, "0/0", "3|"), &options);
        let Answer::Safe(Safety::CoverSet(mut cover)) = outcome.answer else {
            panic!("{:?}", outcome.answer)
        };
        cover.elements.sort();
        // 0|0^ω, 1|0^ω,1 and 1|0^ω,2: one thread at a time is on its way.
        assert_eq!(cover.elements.len(), 3, "{}", order.name());
        assert!(cover.elements.iter().all(|element| element.bag[0].count == OMEGA));
    }
}

/// The only thread makes others, one after the other: an acceleration, which the trace repeats.
#[test]
fn an_accelerated_trace_repeats_its_loop() {
    let spawner = system("1 3\n0 0 +> 0 1\n0 1 -> 0 2\n", "0|0", &format!("0|{}", ["1"; 50].join(",")));
    let Answer::Unsafe(trace) = run(ENGINE, &spawner, &Options::default()).answer else {
        panic!("not unsafe")
    };
    assert_eq!(trace.initial.view().size(), 1);
    assert!(trace.n_steps() >= 50 && trace.items.len() < 5, "{trace:?}");
    assert!(trace.items.iter().any(|item| matches!(item, TraceItem::Repeat { .. })));
}

/// 0 makes any number of 1, and each two of 1 make a 2 and each two of 2 a 3: nested loops with weights.
#[test]
fn nested_accelerations_are_unwound() {
    let rules = "5 5\n0 0 +> 0 1\n0 1 -> 1 4\n1 1 -> 0 2\n0 2 -> 2 4\n2 2 -> 0 3\n";
    let target = format!("0|{}", ["3"; 7].join(","));
    let Answer::Unsafe(trace) = run(ENGINE, &system(rules, "0|0", &target), &Options::default()).answer
    else {
        panic!("not unsafe")
    };
    // 7 threads in 3 need 14 in 2 and 28 in 1.
    assert!(trace.n_steps() >= 28 + 28 + 14, "{}", trace.n_steps());
}

/// Each round adds a thread, but a broadcast closes it, so there is nothing to accelerate.
#[test]
fn a_search_that_cannot_end_says_unknown() {
    let rules = "3 4\n0 0 +> 1 1\n1 0 -> 0 0 1 ~> 2\n2 2 -> 2 3\n";
    let budget = Budget::unlimited();
    let outcome =
        ENGINE.run(&system(rules, "0|0", "2|"), &Options::default(), &budget, &Stop(&budget, 2_000));
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Stopped(StopReason::Timeout)));
}

fn statistic(outcome: &Outcome, name: &str) -> u64 {
    let mut counters = outcome.statistics.iter();
    counters.find_map(|(counter, value)| (counter == name).then_some(value)).expect("the counter exists")
}

/// The thread that goes round turns everything that it passes into any number: accelerated nodes follow each other, and a
/// successor is compared with the first of them only.
#[test]
fn minimal_ancestors_lead_to_the_same_tree() {
    let rules = "1 6\n0 0 +> 0 1\n0 1 -> 0 2\n0 2 -> 0 3\n0 3 -> 0 4\n0 4 -> 0 5\n";
    for order in Order::ALL {
        let [all, minimal] = Ancestors::ALL.map(|ancestors| {
            let record = Record { graphs: true, ..Record::default() };
            let options = Options { order, ancestors, record, ..Options::default() };
            run(ENGINE, &system(rules, "0|0", "0|0,0"), &options)
        });
        let name = order.name();
        assert_eq!(all.recording, minimal.recording, "{name}");
        assert_eq!(all.answer, minimal.answer, "{name}");
        let compared = |outcome| statistic(outcome, "ancestors_compared");
        assert!(compared(&minimal) < compared(&all), "{name}: {} of {}", compared(&minimal), compared(&all));
        assert!(statistic(&minimal, "accelerations") > 3, "{name}");
    }
}

/// In 0 one thread makes any number of others, and everybody can go down a long staircase. Who goes down first goes down
/// again when there are more.
#[test]
fn successors_that_stay_first_save_detours() {
    let staircase: String = (1..20).map(|i| format!("{i} 0 -> {} 0\n", i + 1)).collect();
    let rules = format!("22 2\n0 0 +> 0 1\n0 0 -> 1 0\n{staircase}");
    let expanded = |order| {
        let options = Options { order, ..Options::default() };
        let outcome = run(ENGINE, &system(&rules, "0|0", "21|"), &options);
        assert!(matches!(outcome.answer, Answer::Safe(_)));
        statistic(&outcome, "nodes_expanded")
    };
    assert_eq!((expanded(Order::Depth), expanded(Order::DepthStay)), (2 + 2 * 20, 2 + 20));
}

/// A node that waits while another one is found that covers it need not be expanded.
#[test]
fn covered_nodes_are_discarded_and_counted() {
    let options = Options { order: Order::DepthStay, ..Options::default() };
    let outcome = run(ENGINE, &system("2 2\n0 0 +> 0 1\n0 0 -> 1 0\n", "0|0", "1|1,0,0"), &options);
    // 0|0 leads to 0|0,1^ω and to 1|0, which waits until 1|0,1^ω is there.
    assert_eq!(
        ["nodes", "nodes_expanded", "nodes_discarded"].map(|name| statistic(&outcome, name)),
        [4, 3, 1]
    );
}
