//! The graph of a backward search: its vertices by partition, and which is a predecessor of which.
//!
//! A partition is what was found from one candidate (ζ in Algorithm 3 of Kaiser's thesis): if the candidate turns out to
//! be coverable, the partition goes with it. A graph whose vertices all belong to targets is that of a search
//! without candidates.

use super::{Graph, MAX_NODES, TARGET_COLOUR, config_label};
use crate::words::Words;
use std::collections::BTreeMap;
use throng_engine::record::{BackwardGraph, BackwardVertex};
use throng_model::System;

/// The fill colour of candidates, and of vertices that were not expanded: the search ended before, or something
/// smaller stands for them.
const CANDIDATE_COLOUR: &str = "#cfe0f4";
const UNEXPANDED_COLOUR: &str = "#f2f2f2";
/// Backgrounds of partitions, taken in turns.
const PARTITION_COLOURS: [&str; 6] = ["#f7fbff", "#fff9f0", "#f3fbf3", "#fbf5fb", "#fdf6f4", "#f5fafa"];

const CAPTION: [&str; 3] = [
    "red: below a target    blue: candidate    grey, dashed: not expanded    box: partition of a candidate or target",
    "An arrow from v to u: a step from what contains v leads to what contains u.",
    "dashed: v is smaller than the predecessor that was found, and takes its place",
];

/// Draws the graph of a backward search.
pub fn backward_graph(system: &System, search: &BackwardGraph) -> String {
    let words = Words { system };
    let mut graph = Graph::new("backward search", "BT", &CAPTION);
    let n_shown = search.vertices.len().min(MAX_NODES);
    let shown = &search.vertices[..n_shown];
    graph.leave_out(search.vertices.len() - n_shown);
    for (partition, members) in partitions(shown) {
        let fill = PARTITION_COLOURS[partition % PARTITION_COLOURS.len()];
        // A partition of one vertex needs no box around it.
        let boxed = members.len() > 1;
        if boxed {
            graph.begin_cluster(partition, fill);
        }
        for &index in &members {
            vertex(&mut graph, words, index, &shown[index]);
        }
        if boxed {
            graph.end_cluster();
        }
    }
    for edge in search.edges.iter().filter(|edge| edge.source < n_shown && edge.destination < n_shown) {
        let style = if edge.exact { "solid" } else { "dashed" };
        graph.edge(&node(edge.source), &node(edge.destination), &words.rule(edge.rule), &[("style", style)]);
    }
    graph.finish()
}

/// The vertices by partition, both in order.
fn partitions(vertices: &[BackwardVertex]) -> BTreeMap<usize, Vec<usize>> {
    let mut partitions: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, vertex) in vertices.iter().enumerate() {
        partitions.entry(vertex.partition).or_default().push(index);
    }
    partitions
}

fn vertex(graph: &mut Graph, words: Words<'_>, index: usize, vertex: &BackwardVertex) {
    let fill = match vertex {
        _ if vertex.target => TARGET_COLOUR,
        _ if vertex.candidate => CANDIDATE_COLOUR,
        _ if !vertex.expanded => UNEXPANDED_COLOUR,
        _ => "white",
    };
    let border = if vertex.expanded { "filled" } else { "filled,dashed" };
    let width = if vertex.target || vertex.candidate { "2" } else { "1" };
    let attributes = [("fillcolor", fill), ("style", border), ("penwidth", width)];
    graph.node(&node(index), &config_label(words, vertex.config.view()), &attributes);
}

fn node(index: usize) -> String {
    format!("v{}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::system;
    use super::*;
    use throng_engine::record::BackwardEdge;
    use throng_model::{Bag, Config, LocalId, RuleId, SharedId};

    fn vertex(counts: &[(usize, u32)], partition: usize) -> BackwardVertex {
        let bag = Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count)));
        let config = Config::new(SharedId::new(1), bag.unwrap());
        BackwardVertex { config, partition, target: false, candidate: false, expanded: true }
    }

    #[test]
    fn partitions_are_boxes_and_kinds_of_vertices_and_edges_look_different() {
        let vertices = vec![
            BackwardVertex { target: true, ..vertex(&[(1, 2)], 0) },
            BackwardVertex { candidate: true, ..vertex(&[(1, 1)], 1) },
            BackwardVertex { expanded: false, ..vertex(&[(0, 1), (1, 1)], 1) },
            // Alone because its candidate is gone, not because it is one.
            vertex(&[(0, 2)], 3),
        ];
        let edge = |exact| BackwardEdge { source: 2, destination: 1, rule: RuleId::new(0), exact };
        let text =
            backward_graph(&system(), &BackwardGraph { vertices, edges: vec![edge(true), edge(false)] });
        assert_eq!(text.matches("subgraph").count(), 1, "{text}");
        assert!(text.contains("subgraph \"cluster 1\""), "{text}");
        assert!(text.contains(&format!("\"v1\" [label=\"1|1,1\", fillcolor=\"{TARGET_COLOUR}\"")), "{text}");
        assert!(text.contains(&format!("\"v2\" [label=\"1|1\", fillcolor=\"{CANDIDATE_COLOUR}\"")), "{text}");
        assert!(
            text.contains("\"v3\" [label=\"1|0,1\", fillcolor=\"#f2f2f2\", style=\"filled,dashed\""),
            "{text}"
        );
        assert!(text.contains("\"v4\" [label=\"1|0,0\", fillcolor=\"white\""), "{text}");
        assert!(text.contains("\"v3\" -> \"v2\" [label=\"line 2\", style=\"solid\"]"), "{text}");
        assert!(text.contains("\"v3\" -> \"v2\" [label=\"line 2\", style=\"dashed\"]"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn a_large_graph_is_cut_off_and_says_so() {
        let vertices: Vec<_> = (0..MAX_NODES + 5).map(|_| vertex(&[(1, 1)], 0)).collect();
        let rule = RuleId::new(0);
        let edges = vec![BackwardEdge { source: MAX_NODES, destination: 0, rule, exact: true }];
        let text = backward_graph(&system(), &BackwardGraph { vertices, edges });
        assert!(text.contains("5 nodes or edges are left out"), "{text}");
        assert!(!text.contains(&format!("\"v{}\"", MAX_NODES + 1)));
    }
}
