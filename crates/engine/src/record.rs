//! What a search leaves behind for people who study it: how its vertices grew, and the graphs it built.

use throng_model::{Config, RuleId};

/// A point of the curve "vertices over iterations".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Iterations of the main loop so far.
    pub iteration: u64,
    /// Vertices that are kept after it.
    pub vertices: u64,
}

/// Collects samples: all of them while they are few, then every second, every fourth and so on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    enabled: bool,
    samples: Vec<Sample>,
    /// Of how many iterations one is kept, as a power of two.
    thinning: u32,
}

impl Curve {
    /// The most samples that are kept.
    const MOST: usize = 8192;

    /// A curve that is kept if `enabled`.
    pub(crate) fn new(enabled: bool) -> Self {
        Self { enabled, ..Self::default() }
    }

    /// The search has so many vertices after this iteration.
    #[inline]
    pub(crate) fn push(&mut self, iteration: u64, vertices: u64) {
        if self.enabled && iteration.is_multiple_of(1 << self.thinning) {
            self.samples.push(Sample { iteration, vertices });
            if self.samples.len() > Self::MOST {
                self.thinning += 1;
                let thinning = self.thinning;
                self.samples.retain(|sample| sample.iteration.is_multiple_of(1 << thinning));
            }
        }
    }

    /// The samples.
    pub(crate) fn into_samples(self) -> Vec<Sample> {
        self.samples
    }
}

/// What was recorded; see [`crate::options::Record`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The number of vertices over the iterations of a backward search, one sample per iteration up to some
    /// thousands and evenly spaced ones beyond.
    pub vertices: Vec<Sample>,
    /// The graph that a backward search ended with.
    pub backward: Option<BackwardGraph>,
    /// The tree that a forward search ended with.
    pub forward: Option<ForwardTree>,
}

/// The graph of a backward search: vertices, and which is a predecessor of which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackwardGraph {
    /// The vertices.
    pub vertices: Vec<BackwardVertex>,
    /// The edges.
    pub edges: Vec<BackwardEdge>,
}

/// A vertex of a backward search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackwardVertex {
    /// Its configuration.
    pub config: Config,
    /// The candidate whose partition it belongs to, an index of [`BackwardGraph::vertices`]; its own index for
    /// candidates and targets.
    pub partition: usize,
    /// Whether it is (or is below) a target of the question.
    pub target: bool,
    /// Whether it was guessed: it is smaller than what the search had found. A target itself is no candidate.
    pub candidate: bool,
    /// Whether its predecessors were computed.
    pub expanded: bool,
}

/// `source` is below a predecessor of `destination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackwardEdge {
    /// The predecessor, an index of [`BackwardGraph::vertices`].
    pub source: usize,
    /// What it leads to.
    pub destination: usize,
    /// By this rule.
    pub rule: RuleId,
    /// Whether `source` is the predecessor itself and not only below it.
    pub exact: bool,
}

/// The tree of a forward search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardTree {
    /// The nodes; parents come before their children.
    pub nodes: Vec<ForwardNode>,
}

/// A node of a forward search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardNode {
    /// Its ω-configuration.
    pub config: Config,
    /// Its parent and the rule that leads from there; `None` for initial configurations.
    pub parent: Option<(usize, RuleId)>,
    /// Whether counts were replaced by ω on the way from the parent.
    pub accelerated: bool,
    /// Whether no other node covers it.
    pub maximal: bool,
}
