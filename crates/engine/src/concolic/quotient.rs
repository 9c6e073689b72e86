//! The quotient of the expanded thread transition diagram, and what its components are.
//!
//! Definition 1 of Liu and Wahl expands the diagram: besides the real edges (s, l) → (s', l'), an expansion edge
//! leads from (s, l) to (s, m) if some edge ends in the former and some edge starts in the latter. So a path of the
//! expanded diagram may go on with *any* edge that starts in the shared state where the last one ended: its paths are
//! exactly the sequences of rules in which each starts in the shared state where the one before ended. These are the walks
//! of the graph G whose vertices are the shared states and whose edges are the rules, so the expanded diagram,
//! quadratic in the number of locals, is never built. Its strongly connected components that contain an edge are those of G:
//! from a thread state with an edge to (s', l'), if s' leads back to s in G, so do the edges with expansions between
//! them. A *simple loop* is a component in which one rule starts in each shared state. Each simple loop of the expanded
//! diagram is one; some others are too, which have expansion edges between which no rule fires. Its edges are all *real*
//! if each rule takes the one thread that the rule before it put. `expanded` compares this with the definition.
//!
//! Horizontal edges, which leave the shared state as it is, are loops of G like all others: Appendix B of the paper drops
//! them from a proof, but a search needs them. Where a horizontal edge has the ends of an expansion edge, both count: two
//! horizontal edges forth and back between thread states are no simple loop, since several threads may take either.
//!
//! Because rules are general here, a rule may take and put any number of threads: thread creation takes one and puts two,
//! a transition of a net with shared states has weights. Only rules that move passive threads are left out.
//!
//! Kept is what lies on a walk from an initial shared state to that of a target. If there is none, no target is
//! coverable (Lemma 2).
//!
//! Components are numbered such that rules lead from smaller to larger numbers.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use throng_model::{Config, RuleId, SharedId, System};

/// What a component looks like, in the order in which paths are tried (§6 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// One shared state, and no rule that starts and ends there.
    Trivial,
    /// A simple loop of real edges.
    RealLoop,
    /// A simple loop with expansion edges.
    Loop,
    /// Anything else.
    Spaghetti,
}

impl Shape {
    /// From the easiest to the hardest.
    pub(super) const ALL: [Shape; 4] = [Shape::Trivial, Shape::RealLoop, Shape::Loop, Shape::Spaghetti];
}

/// A strongly connected component.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) shape: Shape,
    /// Of a loop, the rules in the order in which they fire.
    pub(super) cycle: Vec<RuleId>,
}

/// A vertex of G that lies on a path: its number among them.
pub(super) type Vertex = u32;

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Quotient {
    vertices: FxHashMap<SharedId, Vertex>,
    /// The shared state of each vertex.
    shared: Vec<SharedId>,
    /// The component of each vertex.
    component_of: Vec<u32>,
    pub(super) components: Vec<Component>,
    /// The rules on paths by the vertex where they end, those inside of components first.
    incoming: Vec<Vec<RuleId>>,
    /// How many of them are inside of the component.
    n_inner: Vec<usize>,
    /// The components that each rule from one to another joins, sorted.
    pub(super) crossings: Vec<(usize, usize)>,
    pub(super) n_rules: usize,
}

impl Quotient {
    /// The quotient for these targets. All rules are without moves.
    pub(super) fn new(system: &System, targets: &[Config]) -> Self {
        let graph = Graph::of(system, targets);
        let (component_of, n_components) = graph.components();
        let mut quotient = Self {
            component_of,
            components: vec![Component { shape: Shape::Trivial, cycle: Vec::new() }; n_components],
            incoming: vec![Vec::new(); graph.vertices.len()],
            n_inner: Vec::new(),
            crossings: Vec::new(),
            n_rules: graph.edges.len(),
            vertices: graph.vertices,
            shared: graph.shared,
        };
        for &(from, to, rule) in &graph.edges {
            quotient.incoming[to as usize].push(rule);
            let components = (quotient.component_of(from), quotient.component_of(to));
            quotient.crossings.extend((components.0 != components.1).then_some(components));
        }
        quotient.crossings.sort_unstable();
        for vertex in 0..quotient.incoming.len() {
            let mut rules = std::mem::take(&mut quotient.incoming[vertex]);
            rules.sort_by_key(|&rule| !quotient.is_inner(system, rule));
            quotient.n_inner.push(rules.iter().filter(|&&rule| quotient.is_inner(system, rule)).count());
            quotient.incoming[vertex] = rules;
        }
        quotient.find_loops(system);
        quotient
    }

    /// The number of a shared state; `None` if it is on no path.
    pub(super) fn vertex(&self, shared: SharedId) -> Option<Vertex> {
        self.vertices.get(&shared).copied()
    }

    /// The shared state of a vertex.
    pub(super) fn shared(&self, vertex: Vertex) -> SharedId {
        self.shared[vertex as usize]
    }

    pub(super) fn component_of(&self, vertex: Vertex) -> usize {
        self.component_of[vertex as usize] as usize
    }

    /// The vertex where a rule on a path starts.
    pub(super) fn source(&self, system: &System, rule: RuleId) -> Vertex {
        self.vertex(system.rule(rule).from).expect("INVARIANT: a rule on a path starts on it")
    }

    /// The rules on paths that end here, those from inside of the component.
    pub(super) fn rules_inside(&self, vertex: Vertex) -> &[RuleId] {
        &self.incoming[vertex as usize][..self.n_inner[vertex as usize]]
    }

    /// The rules on paths that end here, those from other components.
    pub(super) fn rules_into(&self, vertex: Vertex) -> &[RuleId] {
        &self.incoming[vertex as usize][self.n_inner[vertex as usize]..]
    }

    /// The rules of a loop in the order in which they fire, from a vertex of it back to the same vertex.
    pub(super) fn cycle_to(&self, system: &System, vertex: Vertex) -> Vec<RuleId> {
        let mut cycle = self.components[self.component_of(vertex)].cycle.clone();
        let last = cycle.iter().position(|&rule| system.rule(rule).to == self.shared(vertex));
        cycle.rotate_left(last.map_or(0, |last| last + 1));
        cycle
    }

    /// All rules on paths.
    pub(super) fn rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.incoming.iter().flatten().copied()
    }

    /// Whether there is no path at all (Lemma 2).
    pub(super) fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    fn is_inner(&self, system: &System, rule: RuleId) -> bool {
        let rule = system.rule(rule);
        let component = |shared| self.vertex(shared).map(|vertex| self.component_of(vertex));
        component(rule.from) == component(rule.to)
    }

    /// Finds the shapes of the components.
    fn find_loops(&mut self, system: &System) {
        let mut members: Vec<Vec<Vertex>> = vec![Vec::new(); self.components.len()];
        for (vertex, &component) in self.component_of.iter().enumerate() {
            members[component as usize].push(vertex as Vertex);
        }
        for (component, members) in members.iter().enumerate() {
            let n_inner = members.iter().map(|&vertex| self.n_inner[vertex as usize]).sum::<usize>();
            self.components[component] = match n_inner {
                0 => Component { shape: Shape::Trivial, cycle: Vec::new() },
                n if n == members.len() => self.loop_through(system, members[0]),
                _ => Component { shape: Shape::Spaghetti, cycle: Vec::new() },
            };
        }
    }

    /// The loop through a vertex, into which one rule leads from inside of its component.
    fn loop_through(&self, system: &System, start: Vertex) -> Component {
        let (mut cycle, mut at) = (Vec::new(), start);
        loop {
            let rule = self.rules_inside(at)[0];
            cycle.push(rule);
            at = self.source(system, rule);
            if at == start {
                break;
            }
        }
        cycle.reverse();
        let next = cycle.iter().cycle().skip(1);
        let is_real = cycle.iter().zip(next).all(|(&rule, &next)| {
            let (put, take) = (system.rule(rule).put, system.rule(next).take);
            put == take && matches!(put, [entry] if entry.count == 1)
        });
        Component { shape: if is_real { Shape::RealLoop } else { Shape::Loop }, cycle }
    }

    /// How many paths lead from an initial shared state to a target, by their hardest component; two paths differ if
    /// they pass from one component to the next by different rules. Counts stop at the largest number.
    pub(super) fn n_paths(&self, system: &System, targets: &[Config]) -> [u64; 4] {
        let mut below = 0;
        Shape::ALL.map(|shape| {
            let n_paths = self.n_paths_up_to(shape, system, targets);
            let exactly = n_paths - below;
            below = n_paths;
            exactly
        })
    }

    fn n_paths_up_to(&self, shape: Shape, system: &System, targets: &[Config]) -> u64 {
        let mut into = vec![0_u64; self.components.len()];
        for initial in system.initial() {
            if let Some(vertex) = self.vertex(initial.shared) {
                into[self.component_of(vertex)] += 1;
            }
        }
        // By increasing source, so that a component's count is complete when it is used.
        for &(from, to) in &self.crossings {
            if self.components[from].shape <= shape {
                into[to] = into[to].saturating_add(into[from]);
            }
        }
        let ends = targets.iter().filter_map(|target| self.vertex(target.shared));
        let ends = ends.map(|vertex| self.component_of(vertex));
        let ends = ends.filter(|&end| self.components[end].shape <= shape);
        ends.map(|end| into[end]).fold(0, u64::saturating_add)
    }
}

/// G, without what is on no path.
struct Graph {
    vertices: FxHashMap<SharedId, Vertex>,
    shared: Vec<SharedId>,
    edges: Vec<(Vertex, Vertex, RuleId)>,
}

impl Graph {
    fn of(system: &System, targets: &[Config]) -> Self {
        let rules = || system.rules().iter();
        let forward = reached(
            rules().map(|(_, rule)| (rule.from, rule.to)).collect(),
            system.initial().iter().map(|initial| initial.shared),
        );
        let backward = leading_to(system, targets);
        let shared: Vec<SharedId> =
            forward.into_iter().filter(|shared| backward.binary_search(shared).is_ok()).collect();
        let vertices: FxHashMap<SharedId, Vertex> = shared.iter().copied().zip(0..).collect();
        let edges = rules()
            .filter(|(_, rule)| !rule.is_identity())
            .filter_map(|(id, rule)| Some((*vertices.get(&rule.from)?, *vertices.get(&rule.to)?, id)));
        let edges = edges.collect();
        Self { vertices, shared, edges }
    }

    /// The component of each vertex and how many there are, numbered along the edges.
    fn components(&self) -> (Vec<u32>, usize) {
        let mut pairs: Vec<(Vertex, Vertex)> = self.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.vertices.len(), pairs.len());
        self.vertices.iter().for_each(|_| {
            graph.add_node(());
        });
        for (from, to) in pairs {
            graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), ());
        }
        // The last component has no edges into it.
        let components = kosaraju_scc(&graph);
        let mut component_of = vec![0; self.vertices.len()];
        for (number, component) in components.iter().rev().enumerate() {
            component.iter().for_each(|vertex| component_of[vertex.index()] = number as u32);
        }
        (component_of, components.len())
    }
}

/// The shared states from which rules lead to that of a target, sorted.
pub(super) fn leading_to(system: &System, targets: &[Config]) -> Vec<SharedId> {
    let edges = system.rules().iter().map(|(_, rule)| (rule.to, rule.from)).collect();
    reached(edges, targets.iter().map(|target| target.shared))
}

/// What can be reached over edges from these, sorted.
fn reached(mut edges: Vec<(SharedId, SharedId)>, start: impl Iterator<Item = SharedId>) -> Vec<SharedId> {
    edges.sort_unstable();
    edges.dedup();
    let mut seen: rustc_hash::FxHashSet<SharedId> = start.collect();
    let mut waiting: Vec<SharedId> = Vec::new();
    waiting.extend(sorted(&seen));
    while let Some(from) = waiting.pop() {
        let first = edges.partition_point(|edge| edge.0 < from);
        for &(_, to) in edges[first..].iter().take_while(|edge| edge.0 == from) {
            if seen.insert(to) {
                waiting.push(to);
            }
        }
    }
    sorted(&seen)
}

fn sorted(set: &rustc_hash::FxHashSet<SharedId>) -> Vec<SharedId> {
    let mut all: Vec<SharedId> = set.iter().copied().collect();
    all.sort_unstable();
    all
}
