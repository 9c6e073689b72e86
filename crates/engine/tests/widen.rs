//! The widening engines on systems from the literature and on corner cases; all evidence is checked.

mod common;

use common::{RUNNING_EXAMPLE, proof, run, system};
use throng_engine::options::Record;
use throng_engine::{Answer, CandidateThreads, EngineKind, Options, OracleKind, Outcome};
use throng_formats::config_text::{Repetitions, StateNames, format_config};
use throng_model::{Config, System};

const ENGINES: [EngineKind; 2] = [EngineKind::Widen, EngineKind::WidenPessimistic];

/// Without cuts, which would settle most of these systems at once.
fn plain() -> Options {
    Options { cuts: false, ..Options::default() }
}

fn alone() -> Options {
    Options { oracle: OracleKind::None, ..plain() }
}

fn show(system: &System, elements: &[Config]) -> Vec<String> {
    let names = StateNames::of(system);
    elements.iter().map(|element| format_config(element.view(), names, Repetitions::Listed)).collect()
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    outcome.statistics.iter().find(|&(counter, _)| counter == name).expect("a counter").1
}

/// Figure 1, right, of the paper and Figure 20 of the thesis: seven elements, at most two threads, paths of length 6.
#[test]
fn the_example_of_the_paper_has_a_proof_of_seven_elements() {
    let system = system(RUNNING_EXAMPLE, "0/0", "3|");
    for engine in ENGINES {
        for oracle in OracleKind::ALL {
            for candidate_threads in [CandidateThreads::AtMost(1), CandidateThreads::Any] {
                let options = Options { oracle, candidate_threads, ..plain() };
                let outcome = run(engine, &system, &options);
                assert_eq!(counter(&outcome, "longest_path"), 6);
                assert_eq!(counter(&outcome, "threads_in_proof"), 2);
                let elements = show(&system, &proof(outcome));
                assert_eq!(elements, ["0|1", "0|2", "1|1,2", "1|1,1", "1|2,2", "2|", "3|"]);
            }
        }
    }
}

#[test]
fn without_widening_it_is_the_classical_search() {
    let system = system(RUNNING_EXAMPLE, "0/0", "3|");
    for engine in ENGINES {
        let outcome = run(engine, &system, &Options { widen: false, ..alone() });
        assert_eq!(counter(&outcome, "candidates"), 0);
        assert_eq!(proof(outcome).len(), 9);
    }
}

/// Thesis, Example 27: (3|) and (3|2), here (1|) and (1|2), are tried and turn out to be coverable.
#[test]
fn wrong_guesses_are_counted() {
    for engine in ENGINES {
        let outcome = run(engine, &system(RUNNING_EXAMPLE, "0/0", "3|"), &alone());
        assert_eq!(counter(&outcome, "candidates_bad"), 2, "{}", engine.name());
        // (2|) and (0|1); the pessimistic search also makes one of (0|2), which it already had.
        assert!(counter(&outcome, "candidates_good") >= 2, "{}", engine.name());
        assert_eq!(counter(&outcome, "coverable_by_oracle"), 0);
    }
}

/// Initial threads may be bounded, so D starts as ↓I and not as all states with initial parts.
#[test]
fn bounded_initial_threads_are_respected() {
    let rules = "2 4\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 3\n";
    for engine in ENGINES {
        let safe = system(rules, "0|0", "1|3");
        assert!(matches!(run(engine, &safe, &alone()).answer, Answer::Safe(_)));
        let Answer::Unsafe(trace) = run(engine, &system(rules, "0|0,0", "1|3"), &alone()).answer else {
            panic!("not unsafe")
        };
        assert_eq!(trace.initial.view().size(), 2);
    }
}

#[test]
fn several_targets_are_one_question() {
    let question = throng_formats::Question {
        init: vec!["0/0".into()],
        target: vec!["3|".into(), "2|1".into()],
        ..throng_formats::Question::default()
    };
    let source = throng_base::Source::from_text("test.tts", RUNNING_EXAMPLE);
    let system =
        throng_formats::read_source(throng_formats::Format::Tts, &source, &question).expect("right").system;
    for engine in ENGINES {
        assert!(matches!(run(engine, &system, &alone()).answer, Answer::Safe(_)), "{}", engine.name());
    }
}

#[test]
fn one_thread_does_the_same_each_time() {
    let system = system(RUNNING_EXAMPLE, "0/0", "1|1,2");
    for engine in ENGINES {
        for oracle in OracleKind::ALL {
            let options = Options { oracle, seed: 7, ..plain() };
            let (first, second) = (run(engine, &system, &options), run(engine, &system, &options));
            assert_eq!((first.answer, first.statistics), (second.answer, second.statistics));
        }
    }
}

#[test]
fn parallel_and_alternating_searches_agree() {
    for (init, target) in [("0/0", "3|"), ("0/0", "1|1,2"), ("0/0", "1|2"), ("0|0,0", "0|0,0,0")] {
        let system = system(RUNNING_EXAMPLE, init, target);
        for engine in ENGINES {
            let parallel = run(engine, &system, &Options { jobs: 2, ..plain() });
            let alternating = run(engine, &system, &plain());
            let safe = |outcome: &Outcome| matches!(outcome.answer, Answer::Safe(_));
            assert_eq!(safe(&parallel), safe(&alternating));
        }
    }
}

#[test]
fn what_was_recorded_matches_the_search() {
    for engine in ENGINES {
        let record = Record { vertices: true, graphs: true };
        let outcome = run(engine, &system(RUNNING_EXAMPLE, "0/0", "3|"), &Options { record, ..plain() });
        let graph = outcome.recording.backward.as_ref().expect("a graph");
        assert!(
            graph
                .vertices
                .iter()
                .all(|vertex| graph.vertices[vertex.partition].partition == vertex.partition)
        );
        assert!(graph.vertices.iter().any(|vertex| vertex.target));
        assert!(!graph.edges.is_empty());
        let last = outcome.recording.vertices.last().expect("samples");
        assert_eq!(last.vertices, counter(&outcome, "vertices"));
        assert!(outcome.recording.forward.expect("a tree").nodes.iter().any(|node| node.maximal));
    }
}

/// Thesis, Example 28: the partitions of (2|), (1|) and (0|1), here (3|), (2|) and (0|1). With an oracle no guess is
/// wrong, so no vertex was in another partition before.
#[test]
fn the_example_of_the_paper_has_three_partitions() {
    let system = system(RUNNING_EXAMPLE, "0/0", "3|");
    for engine in ENGINES {
        let record = Record { vertices: false, graphs: true };
        let outcome = run(engine, &system, &Options { record, ..plain() });
        let graph = outcome.recording.backward.expect("a graph");
        let members = |root: usize, minimal: &[&str]| {
            let vertices = graph.vertices.iter().filter(|vertex| vertex.partition == root);
            let configs: Vec<Config> = vertices.map(|vertex| vertex.config.clone()).collect();
            let names = show(&system, &configs);
            minimal.iter().all(|name| names.iter().any(|other| other == name))
        };
        let mut roots = Vec::new();
        for (number, vertex) in graph.vertices.iter().enumerate().filter(|(number, v)| v.partition == *number)
        {
            let name = show(&system, std::slice::from_ref(&vertex.config)).remove(0);
            assert_eq!((vertex.target, vertex.candidate), (name == "3|", name != "3|"), "{name}");
            let minimal = if name == "2|" { &["0|2", "1|1,1", "1|1,2", "1|2,2"][..] } else { &[] };
            assert!(members(number, minimal), "{}: {name}", engine.name());
            roots.push(name);
        }
        roots.sort();
        assert_eq!(roots, ["0|1", "2|", "3|"], "{}", engine.name());
        assert_eq!(graph.vertices.iter().filter(|vertex| vertex.candidate).count(), 2);
    }
}
