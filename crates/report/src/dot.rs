//! Systems, proofs, traces and searches as graphs in the DOT language of Graphviz.
//!
//! Large inputs are cut off, and the graph says so: a picture with more than a few thousand nodes helps nobody.

mod backward;
mod forward;
mod proof;
mod system;
mod trace;

pub use backward::backward_graph;
pub use forward::forward_tree;
pub use proof::{cover_set, coverability_set, proof};
pub use system::system;
pub use trace::trace;

use crate::words::Words;
use throng_model::ConfigRef;

/// Nodes drawn at most.
const MAX_NODES: usize = 2_000;
/// Edges drawn at most.
const MAX_EDGES: usize = 6_000;
/// Kinds of threads spelled out in the label of a configuration.
const LABEL_LIMIT: usize = 12;

/// Fill colours: where everything starts, and what must not happen.
const INITIAL_COLOUR: &str = "#cfe8cf";
const TARGET_COLOUR: &str = "#f4c7c3";

/// A graph under construction.
struct Graph {
    text: String,
    n_nodes: usize,
    n_edges: usize,
    left_out: usize,
}

impl Graph {
    /// An empty graph; `caption` stands below the picture and explains its signs.
    fn new(name: &str, rankdir: &str, caption: &[&str]) -> Self {
        const STYLE: &str = "fontname=\"sans-serif\"";
        let caption = quoted(&caption.join("\n"));
        let text = format!(
            "digraph {} {{\n  \
             graph [rankdir={rankdir}, {STYLE}, fontsize=10, label={caption}];\n  \
             node [shape=box, style=filled, fillcolor=white, {STYLE}];\n  \
             edge [{STYLE}, fontsize=11];\n",
            quoted(name)
        );
        Self { text, n_nodes: 0, n_edges: 0, left_out: 0 }
    }

    /// Adds a node; `false` if the graph is full.
    fn node(&mut self, id: &str, label: &str, attributes: &[(&str, &str)]) -> bool {
        if self.n_nodes == MAX_NODES {
            self.left_out += 1;
            return false;
        }
        self.n_nodes += 1;
        self.line(&quoted(id), label, attributes);
        true
    }

    /// Adds an edge; `false` if the graph is full.
    fn edge(&mut self, from: &str, to: &str, label: &str, attributes: &[(&str, &str)]) -> bool {
        if self.n_edges == MAX_EDGES {
            self.left_out += 1;
            return false;
        }
        self.n_edges += 1;
        self.line(&format!("{} -> {}", quoted(from), quoted(to)), label, attributes);
        true
    }

    /// The nodes that follow, up to [`Graph::end_cluster`], stand in a box.
    fn begin_cluster(&mut self, number: usize, fill: &str) {
        let name = quoted(&format!("cluster {number}"));
        self.text.push_str(&format!(
            "  subgraph {name} {{\n  graph [label=\"\", style=\"filled,rounded\", color=\"#c8c8c8\", fillcolor={}];\n",
            quoted(fill)
        ));
    }

    fn end_cluster(&mut self) {
        self.text.push_str("  }\n");
    }

    /// Says that something is not drawn.
    fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    fn line(&mut self, subject: &str, label: &str, attributes: &[(&str, &str)]) {
        self.text.push_str(&format!("  {subject}"));
        let label = Some(("label", label)).filter(|(_, label)| !label.is_empty());
        let list: Vec<String> =
            label.iter().chain(attributes).map(|(name, value)| format!("{name}={}", quoted(value))).collect();
        if !list.is_empty() {
            self.text.push_str(&format!(" [{}]", list.join(", ")));
        }
        self.text.push_str(";\n");
    }

    fn finish(mut self) -> String {
        if self.left_out > 0 {
            let things = if self.left_out == 1 { "node or edge is" } else { "nodes or edges are" };
            let note = format!("too large to draw: {} {things} left out", self.left_out);
            self.line("\"left out\"", &note, &[("shape", "note"), ("color", "red")]);
        }
        self.text.push_str("}\n");
        self.text
    }
}

/// The label of a configuration: on one line if that is short, otherwise one line for each kind of threads.
fn config_label(words: Words<'_>, config: ConfigRef<'_>) -> String {
    const WIDTH: usize = 40;
    let label = words.config(config, LABEL_LIMIT);
    if label.is_empty() {
        return "no tokens".to_owned();
    }
    if label.chars().count() <= WIDTH {
        return label;
    }
    let kinds = config.bag.iter().take(LABEL_LIMIT);
    let shared = (!words.system.is_net()).then(|| format!("{}|", words.shared(config.shared)));
    let kinds = kinds.map(|entry| words.kind(*entry));
    let more = config.bag.len().saturating_sub(LABEL_LIMIT);
    let more = (more > 0).then(|| format!("… ({more} more)"));
    shared.into_iter().chain(kinds).chain(more).collect::<Vec<_>>().join("\n")
}

/// A quoted string of the DOT language. Backslashes are doubled, because labels know escapes of their own.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;
    use throng_formats::{Format, Question, read_source};
    use throng_model::System;

    /// A lock with the target of two threads inside.
    pub(super) fn system() -> System {
        let source = Source::from_text("lock.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n");
        let question = Question { target: vec!["1|1,1".to_owned()], ..Question::default() };
        read_source(Format::Tts, &source, &question).unwrap().system
    }

    #[test]
    fn quotes_and_backslashes_in_names_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
    }

    #[test]
    fn a_graph_that_is_too_large_says_so() {
        let mut graph = Graph::new("g", "TB", &[]);
        assert!((0..MAX_NODES).all(|node| graph.node(&node.to_string(), "", &[])));
        assert!(!graph.node("one more", "", &[]));
        let text = graph.finish();
        assert!(text.contains("1 node or edge is left out") && !text.contains("one more"));
    }
}
