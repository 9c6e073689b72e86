//! Systems, proofs and traces as graphs in the DOT language of Graphviz.
//!
//! Large inputs are cut off, and the graph says so: a picture with more than a few thousand nodes helps nobody.

mod proof;
mod system;
mod trace;

pub use proof::{cover_set, proof};
pub use system::system;
pub use trace::trace;

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
    fn new(name: &str, settings: &str) -> Self {
        let text = format!("digraph {} {{\n  {settings}\n", quoted(name));
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

    /// Says that something is not drawn.
    fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    fn line(&mut self, subject: &str, label: &str, attributes: &[(&str, &str)]) {
        self.text.push_str(&format!("  {subject} [label={}", quoted(label)));
        for (name, value) in attributes {
            self.text.push_str(&format!(", {name}={}", quoted(value)));
        }
        self.text.push_str("];\n");
    }

    fn finish(mut self) -> String {
        if self.left_out > 0 {
            let note = format!("too large to draw: {} nodes or edges are left out", self.left_out);
            self.line("\"left out\"", &note, &[("shape", "note"), ("color", "red")]);
        }
        self.text.push_str("}\n");
        self.text
    }
}

/// A quoted string of the DOT language. Backslashes are doubled, because labels know escapes of their own.
fn quoted(text: &str) -> String {
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

    #[test]
    fn quotes_and_backslashes_in_names_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
    }

    #[test]
    fn a_graph_that_is_too_large_says_so() {
        let mut graph = Graph::new("g", "");
        assert!((0..MAX_NODES).all(|node| graph.node(&node.to_string(), "", &[])));
        assert!(!graph.node("one more", "", &[]));
        let text = graph.finish();
        assert!(text.contains("1 nodes or edges are left out") && !text.contains("one more"));
    }
}
