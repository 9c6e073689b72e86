//! Nets whose places, transitions and arcs come in any order, as in Tina, Petrinizer and PNML files.
//!
//! [`NetDraft`] knows which node is which and adds up arcs; [`GraphDraft`] is for formats where an arc joins two
//! names that may be declared later. Also here are the errors about names that all net formats share.

use rustc_hash::FxHashMap;
use throng_base::{Diagnostic, Source, Span};
use throng_model::names::NameTable;
use throng_model::{Bag, Initial, LocalId, Move, Names, Rule, SharedId, SystemBuilder, bag};

/// What an arc does to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ArcKind {
    /// Consumes tokens.
    Take,
    /// Produces tokens.
    Put,
    /// Removes all tokens.
    Empty,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    transition: u32,
    kind: ArcKind,
    place: LocalId,
    weight: u32,
}

/// A net under construction; places and transitions are known by their index.
#[derive(Debug, Default)]
pub(crate) struct NetDraft {
    pub(crate) places: NameTable,
    pub(crate) transitions: NameTable,
    lines: Vec<u32>,
    arcs: Vec<Arc>,
    marking: Vec<(LocalId, u32)>,
}

impl NetDraft {
    /// The place with this name, and whether it is new.
    pub(crate) fn place(&mut self, name: &str) -> (LocalId, bool) {
        let (index, is_new) = self.places.insert(name);
        (LocalId::new(index), is_new)
    }

    /// The transition with this name, and whether it is new; then it stands on `line`.
    pub(crate) fn transition(&mut self, name: &str, line: impl FnOnce() -> u32) -> (u32, bool) {
        let (index, is_new) = self.transitions.insert(name);
        if is_new {
            self.lines.push(line());
        }
        // The names of a source below 4 GiB are fewer than 2^32.
        (index as u32, is_new)
    }

    /// Adds an arc; arcs of the same kind between the same nodes add up.
    pub(crate) fn arc(&mut self, transition: u32, kind: ArcKind, place: LocalId, weight: u32) {
        self.arcs.push(Arc { transition, kind, place, weight });
    }

    /// Adds initial tokens.
    pub(crate) fn mark(&mut self, place: LocalId, tokens: u32) {
        self.marking.push((place, tokens));
    }

    /// The net with its nodes called as here.
    pub(crate) fn finish(self) -> Result<SystemBuilder, Diagnostic> {
        let (places, transitions) = (self.places.clone(), self.transitions.clone());
        self.finish_as(places, &transitions)
    }

    /// The net with these names of its nodes, in their order.
    pub(crate) fn finish_as(
        mut self,
        places: NameTable,
        transitions: &NameTable,
    ) -> Result<SystemBuilder, Diagnostic> {
        let too_large = |what: &str| {
            let message = format!("{what} adds up to a number that is too large");
            Diagnostic::error("E0102", message).note(format!("at most {}", bag::MAX_COUNT))
        };
        let mut builder = SystemBuilder::net(Names::Listed(places));
        let exact = Bag::from_counts(self.marking).map_err(|_| too_large("the initial marking"))?;
        builder.initial(Initial { shared: SharedId::new(0), exact, unbounded: Vec::new() });
        self.arcs.sort_unstable_by_key(|arc| (arc.transition, arc.kind, arc.place));
        let mut arcs = &self.arcs[..];
        for (index, &line) in self.lines.iter().enumerate() {
            let n_own = arcs.iter().take_while(|arc| arc.transition as usize == index).count();
            let (own, rest) = arcs.split_at(n_own);
            arcs = rest;
            let name = transitions.get(index);
            let rule = rule(own).map_err(|_| too_large(&format!("a weight of transition `{name}`")))?;
            builder.named_rule(name, &rule, line).map_err(|_| {
                Diagnostic::error("E0402", format!("there are two transitions called `{name}`"))
            })?;
        }
        Ok(builder)
    }
}

/// The rule with these arcs, sorted by kind.
fn rule(arcs: &[Arc]) -> Result<Rule, bag::CountOverflow> {
    let of_kind = |kind| arcs.iter().filter(move |arc| arc.kind == kind);
    let counts = |kind| Bag::from_counts(of_kind(kind).map(|arc| (arc.place, arc.weight)));
    let mut emptied: Vec<LocalId> = of_kind(ArcKind::Empty).map(|arc| arc.place).collect();
    emptied.dedup();
    let shared = SharedId::new(0);
    Ok(Rule {
        from: shared,
        to: shared,
        take: counts(ArcKind::Take)?,
        put: counts(ArcKind::Put)?,
        moves: emptied.into_iter().map(|source| Move { source, destinations: Vec::new() }).collect(),
    })
}

/// A node of a [`GraphDraft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Place(LocalId),
    Transition(u32),
}

/// How an arc is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArcStyle {
    /// From place to transition or back: consumes or produces.
    Plain,
    /// Needs tokens and leaves them.
    Read,
    /// Removes all tokens of the place.
    Reset,
}

#[derive(Clone, Copy, Debug)]
struct GraphArc {
    from: u32,
    to: u32,
    weight: u32,
    style: ArcStyle,
    span: Span,
}

/// A net whose arcs join names, declared before or after.
#[derive(Debug, Default)]
pub(crate) struct GraphDraft {
    pub(crate) net: NetDraft,
    nodes: NameTable,
    roles: Vec<Option<Role>>,
    /// Nodes that stand for another one, which may be declared later, and where they are declared.
    references: FxHashMap<u32, (u32, Span)>,
    arcs: Vec<GraphArc>,
    marks: Vec<(u32, u32, Span)>,
}

impl GraphDraft {
    /// The node with this name.
    pub(crate) fn node(&mut self, name: &str) -> u32 {
        let (index, is_new) = self.nodes.insert(name);
        if is_new {
            self.roles.push(None);
        }
        index as u32
    }

    /// Declares a place; `false` if there is a node of that name already.
    #[must_use]
    pub(crate) fn declare_place(&mut self, name: &str) -> bool {
        let node = self.node(name) as usize;
        let is_free = self.roles[node].is_none() && !self.references.contains_key(&(node as u32));
        if is_free {
            self.roles[node] = Some(Role::Place(self.net.place(name).0));
        }
        is_free
    }

    /// Declares a transition; `false` if there is a node of that name already.
    #[must_use]
    pub(crate) fn declare_transition(&mut self, name: &str, line: u32) -> bool {
        let node = self.node(name) as usize;
        let is_free = self.roles[node].is_none() && !self.references.contains_key(&(node as u32));
        if is_free {
            self.roles[node] = Some(Role::Transition(self.net.transition(name, || line).0));
        }
        is_free
    }

    /// Declares another name of a node; `false` if there is a node of that name already.
    #[must_use]
    pub(crate) fn declare_reference(&mut self, name: &str, to: &str, span: Span) -> bool {
        let (node, to) = (self.node(name), self.node(to));
        self.roles[node as usize].is_none() && self.references.insert(node, (to, span)).is_none()
    }

    /// Adds an arc.
    pub(crate) fn arc(&mut self, from: u32, to: u32, weight: u32, style: ArcStyle, span: Span) {
        self.arcs.push(GraphArc { from, to, weight, style, span });
    }

    /// Adds initial tokens.
    pub(crate) fn mark(&mut self, place: u32, tokens: u32, span: Span) {
        self.marks.push((place, tokens, span));
    }

    /// The net, when everything has been declared.
    pub(crate) fn resolve(mut self, source: &Source) -> Result<NetDraft, Diagnostic> {
        self.resolve_references(source)?;
        for (node, tokens, span) in std::mem::take(&mut self.marks) {
            match self.role(node, span, source)? {
                Role::Place(place) => self.net.mark(place, tokens),
                Role::Transition(_) => {
                    let name = self.nodes.get(node as usize);
                    let message = format!("`{name}` is a transition and holds no tokens");
                    return Err(Diagnostic::error("E0404", message).at(source, span, "expected a place"));
                }
            }
        }
        for arc in std::mem::take(&mut self.arcs) {
            let ends = (self.role(arc.from, arc.span, source)?, self.role(arc.to, arc.span, source)?);
            self.connect(ends, arc, source)?;
        }
        Ok(self.net)
    }

    fn connect(&mut self, ends: (Role, Role), arc: GraphArc, source: &Source) -> Result<(), Diagnostic> {
        let (transition, place, kind) = match ends {
            (Role::Place(place), Role::Transition(transition)) => (transition, place, ArcKind::Take),
            (Role::Transition(transition), Role::Place(place)) => (transition, place, ArcKind::Put),
            _ => {
                let both = if matches!(ends.0, Role::Place(_)) { "places" } else { "transitions" };
                let (from, to) = (self.nodes.get(arc.from as usize), self.nodes.get(arc.to as usize));
                let message = format!("an arc joins the {both} `{from}` and `{to}`");
                return Err(Diagnostic::error("E0404", message).at(
                    source,
                    arc.span,
                    "expected an arc between a place and a transition",
                ));
            }
        };
        match arc.style {
            ArcStyle::Plain => self.net.arc(transition, kind, place, arc.weight),
            ArcStyle::Reset => self.net.arc(transition, ArcKind::Empty, place, 0),
            ArcStyle::Read => {
                self.net.arc(transition, ArcKind::Take, place, arc.weight);
                self.net.arc(transition, ArcKind::Put, place, arc.weight);
            }
        }
        Ok(())
    }

    fn role(&self, node: u32, span: Span, source: &Source) -> Result<Role, Diagnostic> {
        self.roles[node as usize]
            .ok_or_else(|| undeclared(source, span, "place or transition", self.nodes.get(node as usize)))
    }

    /// Gives every reference the role of what it stands for. Following one stops at a node whose role is known,
    /// so chains take linear time together.
    fn resolve_references(&mut self, source: &Source) -> Result<(), Diagnostic> {
        for start in 0..self.roles.len() as u32 {
            let mut chain = Vec::new();
            let mut node = start;
            while self.roles[node as usize].is_none() {
                let Some(&(to, span)) = self.references.get(&node) else { break };
                if chain.len() > self.references.len() {
                    let name = self.nodes.get(node as usize);
                    return Err(Diagnostic::error("E0405", format!("`{name}` refers to itself")).at(
                        source,
                        span,
                        "part of a cycle of references",
                    ));
                }
                chain.push(node);
                if self.roles[to as usize].is_none() && !self.references.contains_key(&to) {
                    let name = self.nodes.get(to as usize);
                    return Err(undeclared(source, span, "place or transition", name));
                }
                node = to;
            }
            let role = self.roles[node as usize];
            chain.into_iter().for_each(|reference| self.roles[reference as usize] = role);
        }
        Ok(())
    }
}

/// The error for a name that is used but not declared.
pub(crate) fn undeclared(source: &Source, span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::error("E0401", format!("there is no {what} called `{}`", name.escape_debug())).at(
        source,
        span,
        "not declared",
    )
}

/// The error for a name that is declared again.
pub(crate) fn declared_twice(source: &Source, span: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::error("E0402", format!("{what} `{}` is declared twice", name.escape_debug())).at(
        source,
        span,
        "second declaration",
    )
}
