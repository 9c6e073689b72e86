//! What a caller may choose about a search. Engines ignore what does not concern them.

/// Choices of a search; the default is what a user gets who chooses nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether the widening engines guess candidates at all.
    pub widen: bool,
    /// The most threads of a candidate.
    pub candidate_threads: CandidateThreads,
    /// Whether a proof has to be minimal (Definition 24 of Kaiser's thesis).
    pub minimal: bool,
    /// Who tells the widening engines what is coverable.
    pub oracle: OracleKind,
    /// Which configuration a forward search takes next.
    pub order: Order,
    /// With which ancestors a Karp–Miller search compares a new node.
    pub ancestors: Ancestors,
    /// Whether cuts are used, where the rules are known as a whole.
    pub cuts: bool,
    /// Which of the elements with the fewest threads a backward search takes next.
    pub queue: QueueOrder,
    /// The work that one engine does by itself before more is tried, in predecessors: the widening engine before a race, a
    /// plain backward search before what the concolic engine cannot summarise.
    pub head_start: u64,
    /// How many threads a search may use. With one, it does the same each time.
    pub jobs: usize,
    /// The seed of random choices.
    pub seed: u64,
    /// What is kept about the search besides its answer.
    pub record: Record,
    /// Engines from outside that take part in a race ([`crate::EngineKind::Auto`]).
    pub guests: &'static [crate::Guest],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            widen: true,
            candidate_threads: CandidateThreads::Usual,
            minimal: false,
            oracle: OracleKind::KarpMiller,
            order: Order::Small,
            ancestors: Ancestors::Minimal,
            cuts: true,
            queue: QueueOrder::Fifo,
            head_start: 1 << 13,
            jobs: 1,
            seed: 0,
            record: Record::default(),
            guests: &[],
        }
    }
}

/// What is kept about a search besides its answer. It costs memory, so it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of vertices after each iteration.
    pub vertices: bool,
    /// The graph of the backward search and the tree of the forward search.
    pub graphs: bool,
}

/// How large the candidates of the widening engines may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CandidateThreads {
    /// One thread beside the shared state. Where there is only one shared state it says nothing, and what would
    /// have been the shared state is a place like others: then two.
    #[default]
    Usual,
    /// At most so many threads.
    AtMost(u32),
    /// Any number of threads.
    Any,
}

/// The searches that can tell what is coverable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OracleKind {
    /// The generalised Karp–Miller search.
    KarpMiller,
    /// Configurations with exact counts, fewest threads first.
    Explicit,
    /// Random walks.
    Random,
    /// Nobody.
    None,
}

impl OracleKind {
    /// All of them.
    pub const ALL: [OracleKind; 4] =
        [OracleKind::KarpMiller, OracleKind::Explicit, OracleKind::Random, OracleKind::None];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OracleKind::KarpMiller => "karp-miller",
            OracleKind::Explicit => "explicit",
            OracleKind::Random => "random",
            OracleKind::None => "none",
        }
    }

    /// The oracle with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|oracle| oracle.name() == name)
    }
}

/// Orders among the elements with equally many threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// The oldest first.
    #[default]
    Fifo,
    /// The newest first.
    Lifo,
}

impl QueueOrder {
    /// All of them.
    pub const ALL: [QueueOrder; 2] = [QueueOrder::Fifo, QueueOrder::Lifo];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            QueueOrder::Fifo => "fifo",
            QueueOrder::Lifo => "lifo",
        }
    }

    /// The order with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// Orders of a forward search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Fewest threads first.
    Small,
    /// Most threads first.
    Large,
    /// The newest first.
    Depth,
    /// The same, but of the successors of one configuration those first that keep its shared state: they have the best
    /// prospects of covering others (Zhao's thesis on STAR, §3.3.2).
    DepthStay,
    /// The oldest first.
    Breadth,
    /// Any.
    Random,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 6] =
        [Order::Small, Order::Large, Order::Depth, Order::DepthStay, Order::Breadth, Order::Random];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Order::Small => "small",
            Order::Large => "large",
            Order::Depth => "depth",
            Order::DepthStay => "depth-stay",
            Order::Breadth => "breadth",
            Order::Random => "random",
        }
    }

    /// The order with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// With which ancestors a Karp–Miller search compares a new node, to see what becomes ω. Both give the same nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ancestors {
    /// All of them.
    All,
    /// Those that cover no other (Zhao's thesis on STAR, §3.3.3).
    #[default]
    Minimal,
}

impl Ancestors {
    /// Both.
    pub const ALL: [Ancestors; 2] = [Ancestors::All, Ancestors::Minimal];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Ancestors::All => "all",
            Ancestors::Minimal => "minimal",
        }
    }

    /// The choice with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ancestors| ancestors.name() == name)
    }
}
