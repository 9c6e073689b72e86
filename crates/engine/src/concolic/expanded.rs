//! The expanded diagram built as Definition 1 says, to compare the quotient with. For tests only.

use super::quotient::{Quotient, Shape};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use throng_model::{Bag, Config, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

/// A thread state.
type ThreadState = (usize, usize);

/// Real edges of a diagram, and the final thread state.
struct Diagram {
    n_shared: usize,
    n_locals: usize,
    edges: Vec<(ThreadState, ThreadState)>,
    last: ThreadState,
}

impl Diagram {
    /// A random one; the initial thread state is (0, 0).
    fn random(mut seed: u64) -> Self {
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (seed >> 33) as usize % n
        };
        let (n_shared, n_locals) = (1 + below(6), 1 + below(4));
        let mut edges: Vec<_> = (0..below(9))
            .map(|_| ((below(n_shared), below(n_locals)), (below(n_shared), below(n_locals))))
            .collect();
        // An edge from a thread state to itself changes nothing and is left out by the quotient.
        edges.retain(|(from, to)| from != to);
        edges.sort_unstable();
        edges.dedup();
        Self { n_shared, n_locals, edges, last: (below(n_shared), below(n_locals)) }
    }

    fn node(&self, (shared, local): ThreadState) -> NodeIndex {
        NodeIndex::new(shared * self.n_locals + local)
    }

    /// Real edges and expansion edges. An expansion edge beside a real one counts: the thread that arrived need not be the one
    /// that goes on, even where it could be.
    fn expanded(&self) -> DiGraph<(), ()> {
        let mut graph = DiGraph::new();
        for _ in 0..self.n_shared * self.n_locals {
            graph.add_node(());
        }
        for &(from, to) in &self.edges {
            graph.add_edge(self.node(from), self.node(to), ());
        }
        for shared in 0..self.n_shared {
            for (l, m) in (0..self.n_locals).flat_map(|l| (0..self.n_locals).map(move |m| (l, m))) {
                let (from, to) = ((shared, l), (shared, m));
                let is_entered = self.edges.iter().any(|edge| edge.1 == from);
                let is_left = self.edges.iter().any(|edge| edge.0 == to) || to == self.last;
                if l != m && is_entered && is_left {
                    graph.add_edge(self.node(from), self.node(to), ());
                }
            }
        }
        graph
    }

    fn system(&self) -> System {
        let names = (Names::Numbered(self.n_shared), Names::Numbered(self.n_locals));
        let mut builder = SystemBuilder::new(names.0, names.1);
        let one = |local| Bag::from_locals([LocalId::new(local)]).expect("one thread");
        for &((s, l), (t, m)) in &self.edges {
            let (from, to) = (SharedId::new(s), SharedId::new(t));
            builder.rule(&Rule { from, to, take: one(l), put: one(m), moves: Vec::new() }, 0);
        }
        let unbounded = vec![LocalId::new(0)];
        builder.initial(Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded });
        builder.target(Config::new(SharedId::new(self.last.0), one(self.last.1)));
        builder.finish().expect("the parts fit together")
    }
}

/// What the expanded diagram says about the component of a node: how many nodes it has, and how many edges.
fn component_of(graph: &DiGraph<(), ()>, components: &[Vec<NodeIndex>], node: NodeIndex) -> (usize, usize) {
    let component =
        components.iter().find(|component| component.contains(&node)).expect("every node has one");
    let inside = |node: &NodeIndex| component.contains(node);
    let n_edges = component.iter().map(|&from| graph.neighbors(from).filter(inside).count()).sum();
    (component.len(), n_edges)
}

#[test]
fn components_are_those_of_the_expanded_diagram() {
    let (mut n_loops, mut n_spaghetti) = (0, 0);
    for seed in 0..3000 {
        let diagram = Diagram::random(seed);
        let (graph, system) = (diagram.expanded(), diagram.system());
        let components = kosaraju_scc(&graph);
        let quotient = Quotient::new(&system, system.targets());
        for id in quotient.rules() {
            let rule = system.rule(id);
            let from = diagram.node((rule.from.index(), rule.take[0].local.index()));
            let to = diagram.node((rule.to.index(), rule.put[0].local.index()));
            let together =
                components.iter().any(|component| component.contains(&from) && component.contains(&to));
            let component = |shared| quotient.component_of(quotient.vertex(shared).expect("on a path"));
            assert_eq!(together, component(rule.from) == component(rule.to), "seed {seed}, rule {id:?}");
            // The paper assumes that the final thread state is a component of its own.
            if !together || component(rule.from) == component(SharedId::new(diagram.last.0)) {
                continue;
            }
            let (n_nodes, n_edges) = component_of(&graph, &components, from);
            let is_loop = quotient.components[component(rule.from)].shape != Shape::Spaghetti;
            assert!(n_nodes != n_edges || is_loop, "seed {seed}, rule {id:?}");
            n_loops += usize::from(n_nodes == n_edges);
            n_spaghetti += usize::from(!is_loop);
        }
    }
    assert!(n_loops > 50 && n_spaghetti > 50, "both occur: {n_loops}, {n_spaghetti}");
}

#[test]
fn a_path_of_the_expanded_diagram_is_a_path_of_the_quotient() {
    for seed in 0..3000 {
        let diagram = Diagram::random(seed);
        let (graph, system) = (diagram.expanded(), diagram.system());
        let (first, last) = (diagram.node((0, 0)), diagram.node(diagram.last));
        let is_path = petgraph::algo::has_path_connecting(&graph, first, last, None);
        let quotient = Quotient::new(&system, system.targets());
        // The converse fails only where the first rule is for another thread than the initial ones.
        assert!(!is_path || !quotient.is_empty(), "seed {seed}");
        let n_paths: u64 = quotient.n_paths(&system, system.targets()).iter().sum();
        assert_eq!(n_paths == 0, quotient.is_empty(), "seed {seed}");
    }
}
