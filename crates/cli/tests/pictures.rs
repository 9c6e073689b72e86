//! `throng graph` draws searches: graphs of backward searches, trees of forward searches, vertices over iterations.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use std::process::{Command, Output};

fn graph(arguments: &[&str]) -> Output {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(["graph", "-q"]).args(arguments).current_dir(examples).output().unwrap()
}

fn drawn(arguments: &[&str]) -> String {
    let output = graph(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_graph_of_a_widening_search_has_candidates() {
    let what = ["mutex.tts", "--what", "backward-graph", "--engine"];
    let picture = drawn(&[&what[..], &["widen", "--oracle", "none"]].concat());
    assert!(picture.starts_with("digraph \"backward search\"") && picture.contains(" -> "), "{picture}");
    let (candidate, target) = ("#cfe0f4", "#f4c7c3");
    assert!(picture.contains(candidate), "{picture}");
    let classical = drawn(&[&what[..], &["backward"]].concat());
    assert!(classical.contains(" -> ") && classical.contains(target), "{classical}");
}

#[test]
fn the_tree_of_a_forward_search_starts_at_the_start() {
    let picture = drawn(&["barrier.tts", "--what", "forward-tree", "--engine", "karp-miller"]);
    assert!(picture.starts_with("digraph \"forward search\""), "{picture}");
    assert!(picture.contains("\"n1\" [label=\"0|0*ω\", fillcolor=\"#cfe8cf\""), "{picture}");
}

#[test]
fn vertices_are_a_chart_of_three_searches_and_the_same_each_time() {
    let arguments = ["peterson.pnet", "--what", "vertices", "--engine", "widen"];
    let picture = drawn(&arguments);
    for label in ["no widening: safe", "widen: safe", "widen with karp-miller: safe"] {
        assert!(picture.contains(label), "{label}: {picture}");
    }
    assert_eq!(picture, drawn(&arguments));
}

#[test]
fn what_a_search_does_not_have_is_refused() {
    let output = graph(&["mutex.tts", "--what", "backward-graph", "--engine", "karp-miller"]);
    assert_eq!(output.status.code(), Some(2));
    let output = graph(&["mutex.tts", "--what", "forward-tree", "--engine", "widen", "--oracle", "none"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("this search has no such graph"));
}
