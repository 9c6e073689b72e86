//! The tree of a forward search: what was reached from where, and where counts became ω.

use super::{Graph, INITIAL_COLOUR, MAX_NODES, TARGET_COLOUR, config_label};
use crate::words::Words;
use throng_engine::record::{ForwardNode, ForwardTree};
use throng_model::System;

/// The fill colour of nodes where counts became ω.
const ACCELERATED_COLOUR: &str = "#ffe9b8";

const CAPTION: [&str; 2] = [
    "green: the start    yellow: counts became ω on the way here    red: covers a target",
    "thick: no other node contains it    dashed: another one does    ω: any number",
];

/// Draws the tree of a forward search.
pub fn forward_tree(system: &System, tree: &ForwardTree) -> String {
    let words = Words { system };
    let mut graph = Graph::new("forward search", "TB", &CAPTION);
    let n_shown = tree.nodes.len().min(MAX_NODES);
    graph.leave_out(tree.nodes.len() - n_shown);
    for (index, reached) in tree.nodes[..n_shown].iter().enumerate() {
        let (border, width) = if reached.maximal { ("filled", "2.5") } else { ("filled,dashed", "1") };
        let attributes = [("fillcolor", fill(system, reached)), ("style", border), ("penwidth", width)];
        graph.node(&node(index), &config_label(words, reached.config.view()), &attributes);
        if let Some((parent, rule)) = reached.parent {
            let label =
                if reached.accelerated { format!("{}, ω", words.rule(rule)) } else { words.rule(rule) };
            graph.edge(&node(parent), &node(index), &label, &[]);
        }
    }
    graph.finish()
}

fn fill(system: &System, node: &ForwardNode) -> &'static str {
    let covers_target = system.targets().iter().any(|target| target.view().le(node.config.view()));
    match node {
        _ if covers_target => TARGET_COLOUR,
        _ if node.parent.is_none() => INITIAL_COLOUR,
        _ if node.accelerated => ACCELERATED_COLOUR,
        _ => "white",
    }
}

fn node(index: usize) -> String {
    format!("n{}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::system;
    use super::*;
    use throng_model::{Bag, Config, LocalId, OMEGA, RuleId, SharedId};

    fn config(shared: usize, counts: &[(usize, u32)]) -> Config {
        let bag = Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count)));
        Config::new(SharedId::new(shared), bag.unwrap())
    }

    #[test]
    fn starts_accelerations_and_maximal_nodes_look_different() {
        let root =
            ForwardNode { config: config(0, &[(0, OMEGA)]), parent: None, accelerated: false, maximal: true };
        let child = ForwardNode {
            config: config(1, &[(0, OMEGA), (1, 1)]),
            parent: Some((0, RuleId::new(0))),
            accelerated: true,
            maximal: false,
        };
        let text = forward_tree(&system(), &ForwardTree { nodes: vec![root, child] });
        assert!(text.contains(&format!("\"n1\" [label=\"0|0*ω\", fillcolor=\"{INITIAL_COLOUR}\"")), "{text}");
        assert!(text.contains("style=\"filled\", penwidth=\"2.5\""), "{text}");
        assert!(
            text.contains(&format!("\"n2\" [label=\"1|0*ω,1\", fillcolor=\"{ACCELERATED_COLOUR}\"")),
            "{text}"
        );
        assert!(text.contains("\"n1\" -> \"n2\" [label=\"line 2, ω\"]"), "{text}");
    }

    #[test]
    fn what_covers_a_target_is_red() {
        let bad =
            ForwardNode { config: config(1, &[(1, OMEGA)]), parent: None, accelerated: false, maximal: true };
        let text = forward_tree(&system(), &ForwardTree { nodes: vec![bad] });
        assert!(text.contains(TARGET_COLOUR), "{text}");
    }
}
