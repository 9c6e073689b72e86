//! The graph of Cat: vertices U, edges E, and the partition ζ of each vertex.
//!
//! It decides what belongs together: Λ(u), the vertices of u's partition that lead to u, and whether a configuration
//! is new to a partition (Definition 30 of Kaiser's thesis). Every vertex has a path of edges within its partition to
//! the root. When what is coverable is dropped is not decided here ([`super::backtrack`]).
//!
//! A vertex also knows who *relies* on it: who did not get a predecessor, or did not get expanded, because this vertex
//! was there. They have to be looked at again when it goes.

use crate::record::{BackwardEdge, BackwardGraph, BackwardVertex};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use throng_model::closed::ElementId;
use throng_model::{Antichain, ConfigRef, RuleId};

/// An edge r → s of E: r is a predecessor of s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// s.
    pub(super) to: ElementId,
    /// The rule that leads there.
    pub(super) rule: RuleId,
}

/// A vertex of U.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// ζ: the root of its partition.
    pub(super) root: ElementId,
    /// Whether it is in W.
    pub(super) waiting: bool,
    /// Whether it is a target of the question.
    pub(super) target: bool,
    /// Steps to the target, counted along the first path that led here.
    pub(super) depth: u32,
    /// E, in both directions; what was removed may still be listed.
    successors: Vec<Edge>,
    predecessors: Vec<ElementId>,
    relying: Vec<ElementId>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Partitions {
    /// U. It holds vertices that are above others, too.
    index: Antichain,
    /// All vertices that there ever were.
    vertices: Vec<Vertex>,
}

impl Partitions {
    /// How many vertices there are.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The vertices that are there.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ElementId, ConfigRef<'_>)> {
        self.index.iter()
    }

    /// Adds a vertex, to a partition or as the root of a new one. It waits.
    pub(super) fn add(
        &mut self,
        config: ConfigRef<'_>,
        root: Option<ElementId>,
        depth: u32,
        target: bool,
    ) -> ElementId {
        let id = self.index.add(config);
        debug_assert_eq!(id.index(), self.vertices.len());
        self.vertices.push(Vertex {
            root: root.unwrap_or(id),
            waiting: true,
            target,
            depth,
            successors: Vec::new(),
            predecessors: Vec::new(),
            relying: Vec::new(),
        });
        id
    }

    /// Removes a vertex; those that relied on it and are there are returned.
    pub(super) fn remove(&mut self, vertex: ElementId) -> Vec<ElementId> {
        self.index.remove(vertex);
        let mut relying = std::mem::take(&mut self.vertices[vertex.index()].relying);
        relying.retain(|&relying| self.is_present(relying));
        relying
    }

    /// The configuration of a vertex.
    pub(super) fn config(&self, vertex: ElementId) -> ConfigRef<'_> {
        self.index.get(vertex)
    }

    /// What is known about a vertex.
    pub(super) fn vertex(&self, vertex: ElementId) -> &Vertex {
        &self.vertices[vertex.index()]
    }

    /// Says whether a vertex is in W.
    pub(super) fn set_waiting(&mut self, vertex: ElementId, waiting: bool) {
        self.vertices[vertex.index()].waiting = waiting;
    }

    /// Whether a vertex was not removed.
    pub(super) fn is_present(&self, vertex: ElementId) -> bool {
        self.index.is_present(vertex)
    }

    /// The vertex with this configuration.
    pub(super) fn find(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.index.find(config)
    }

    /// ζ: the root of a vertex's partition.
    pub(super) fn root(&self, vertex: ElementId) -> ElementId {
        self.vertices[vertex.index()].root
    }

    /// Whether a vertex is the root of a partition because it was guessed.
    pub(super) fn is_candidate(&self, vertex: ElementId) -> bool {
        self.root(vertex) == vertex && !self.vertex(vertex).target
    }

    /// The edges from a vertex.
    pub(super) fn successors(&self, vertex: ElementId) -> impl Iterator<Item = Edge> + '_ {
        let edges = self.vertices[vertex.index()].successors.iter().copied();
        edges.filter(|edge| self.is_present(edge.to))
    }

    /// The vertices from which edges lead to a vertex.
    pub(super) fn predecessors(&self, vertex: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        let vertices = self.vertices[vertex.index()].predecessors.iter().copied();
        vertices.filter(|&before| self.is_present(before))
    }

    /// Adds an edge.
    pub(super) fn connect(&mut self, before: ElementId, rule: RuleId, vertex: ElementId) {
        self.vertices[before.index()].successors.push(Edge { to: vertex, rule });
        self.vertices[vertex.index()].predecessors.push(before);
    }

    /// Has to be looked at again when `vertex` goes: `relying`.
    pub(super) fn rely(&mut self, relying: ElementId, vertex: ElementId) {
        let list = &mut self.vertices[vertex.index()].relying;
        // An expansion often skips many predecessors because of the same vertex.
        if list.last() != Some(&relying) {
            list.push(relying);
        }
    }

    /// Λ(u): u and the vertices of its partition that lead to it.
    pub(super) fn subtree(&self, vertex: ElementId) -> Vec<ElementId> {
        let root = self.root(vertex);
        let mut subtree = vec![vertex];
        // After vertices were handed over a partition need not be a tree any more.
        let mut seen = FxHashSet::from_iter([vertex, root]);
        let mut next = 0;
        while let Some(&vertex) = subtree.get(next) {
            next += 1;
            let members = self.predecessors(vertex).filter(|&before| self.root(before) == root);
            subtree.extend(members.filter(|&before| seen.insert(before)));
        }
        subtree
    }

    /// Puts the vertices of Λ(u) into the partition of a root, and returns them.
    pub(super) fn hand_over(&mut self, vertex: ElementId, root: ElementId) -> Vec<ElementId> {
        let subtree = self.subtree(vertex);
        for member in &subtree {
            self.vertices[member.index()].root = root;
        }
        subtree
    }

    /// Something strictly below a vertex.
    pub(super) fn smaller(&self, vertex: ElementId) -> Option<ElementId> {
        self.find_below(self.config(vertex), |below| below != vertex)
    }

    /// A vertex because of which a configuration is not new to the partition of `root`: it is there or leads there.
    pub(super) fn known_to(&self, root: ElementId, config: ConfigRef<'_>) -> Option<ElementId> {
        self.find_below(config, |below| {
            self.root(below) == root || self.successors(below).any(|edge| self.root(edge.to) == root)
        })
    }

    fn find_below(&self, config: ConfigRef<'_>, is_wanted: impl Fn(ElementId) -> bool) -> Option<ElementId> {
        let mut found = None;
        let _ = self.index.for_each_below(config, |below| {
            if is_wanted(below) {
                found = Some(below);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Appends the vertices below a configuration that were not seen before.
    pub(super) fn collect_below(
        &self,
        config: ConfigRef<'_>,
        vertices: &mut Vec<ElementId>,
        seen: &mut FxHashSet<ElementId>,
    ) {
        let _ = self.index.for_each_below(config, |vertex| {
            if seen.insert(vertex) {
                vertices.push(vertex);
            }
            ControlFlow::Continue(())
        });
    }

    /// The graph, for people.
    pub(super) fn draw(&self) -> BackwardGraph {
        let mut numbers = vec![usize::MAX; self.vertices.len()];
        for (number, (vertex, _)) in self.index.iter().enumerate() {
            numbers[vertex.index()] = number;
        }
        let mut graph = BackwardGraph::default();
        for (id, config) in self.index.iter() {
            let vertex = self.vertex(id);
            let source = numbers[id.index()];
            graph.vertices.push(BackwardVertex {
                config: config.to_config(),
                partition: numbers[vertex.root.index()],
                target: vertex.target,
                candidate: self.is_candidate(id),
                expanded: !vertex.waiting,
            });
            graph.edges.extend(self.successors(id).map(|edge| BackwardEdge {
                source,
                destination: numbers[edge.to.index()],
                rule: edge.rule,
                exact: true,
            }));
        }
        graph
    }
}
