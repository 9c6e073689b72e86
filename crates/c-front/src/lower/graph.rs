//! The graph while it grows: locations and edges, and the place where code is added.
//!
//! Going on at another location without doing anything is no edge: the location where code would have been added, which
//! has no edges yet, becomes that other location ([`Lower::goto`]).

use super::Lower;
use throng_base::Span;
use throng_cfa::flow::{
    self, Assignment, Effect, ExpressionId, LocationId, LocationKind, Property, PropertyId, PropertyKind,
    SiteId, TemplateId, VariableId,
};

/// A location.
pub(super) struct Node {
    pub(super) template: TemplateId,
    pub(super) kind: LocationKind,
    pub(super) is_atomic: bool,
    pub(super) site: Option<SiteId>,
    /// Whether something leads here.
    is_entered: bool,
    /// Whether something leads away.
    is_left: bool,
    /// Whether code was added here, be it none: a location that is entered and never begun would end runs in silence.
    is_begun: bool,
    /// The location that it became.
    alias: Option<LocationId>,
}

/// An edge.
pub(super) struct Arc {
    pub(super) from: LocationId,
    pub(super) to: LocationId,
    pub(super) guard: ExpressionId,
    pub(super) assignments: Vec<Assignment>,
    pub(super) effect: Option<Effect>,
    pub(super) site: SiteId,
    pub(super) span: Span,
    /// An atomic section begins or ends.
    pub(super) section: Option<bool>,
    /// Whether it only makes an uninitialised object arbitrary.
    pub(super) is_havoc: bool,
    /// The statement that it is part of, if statements are one step; otherwise 0.
    pub(super) statement: usize,
}

/// What has to hold for an edge to mean what it says.
#[derive(Clone)]
pub(super) struct Obligation {
    /// One bit.
    pub(super) condition: ExpressionId,
    /// The error if it does not hold; otherwise runs in which it does not hold are not looked at.
    pub(super) property: Option<(PropertyKind, String)>,
    pub(super) span: Span,
}

/// The graph and where it grows.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) arcs: Vec<Arc>,
    /// Where code is added; `None` where no thread comes.
    pub(super) here: Option<LocationId>,
}

impl Graph {
    /// Something leads to a location.
    pub(super) fn enter(&mut self, location: LocationId) {
        let location = self.find(location);
        self.nodes[location.index()].is_entered = true;
    }

    /// Code is added at a location from now on; nowhere, if no thread comes.
    pub(super) fn stand(&mut self, location: Option<LocationId>) {
        if let Some(location) = location {
            self.begin(location);
        }
        self.here = location;
    }

    /// All that is to be said about a location was said, be it nothing.
    pub(super) fn begin(&mut self, location: LocationId) {
        self.nodes[location.index()].is_begun = true;
    }

    /// Whether code was forgotten: runs come to this location, and nothing was said about how they go on.
    pub(super) fn is_forgotten(&self, location: LocationId) -> bool {
        let node = &self.nodes[location.index()];
        node.kind == LocationKind::Inner && !node.is_left && !node.is_begun
    }

    /// The location that a location became.
    pub(super) fn find(&self, mut location: LocationId) -> LocationId {
        while let Some(alias) = self.nodes[location.index()].alias {
            location = alias;
        }
        location
    }
}

impl Lower<'_> {
    /// A new location; within a statement that is one step, it is atomic.
    pub(super) fn fresh(&mut self) -> LocationId {
        let is_joint = self.options.atomicity == super::Atomicity::Statement;
        let is_atomic = self.is_in_atomic_function() || (is_joint && self.is_inside);
        self.fresh_with(is_atomic)
    }

    /// A new location between statements.
    pub(super) fn fresh_boundary(&mut self) -> LocationId {
        let is_atomic = self.is_in_atomic_function();
        self.fresh_with(is_atomic)
    }

    pub(super) fn fresh_with(&mut self, is_atomic: bool) -> LocationId {
        self.graph.nodes.push(Node {
            template: self.template,
            kind: LocationKind::Inner,
            is_atomic,
            site: None,
            is_entered: false,
            is_left: false,
            is_begun: false,
            alias: None,
        });
        LocationId::new(self.graph.nodes.len() - 1)
    }

    /// The place where code is added is between statements.
    pub(super) fn boundary(&mut self) {
        let is_atomic = self.is_in_atomic_function();
        if let Some(here) = self.graph.here {
            self.graph.nodes[here.index()].is_atomic = is_atomic;
        }
    }

    /// Whether a thread can come to the place where code is added.
    pub(super) fn is_reachable(&self) -> bool {
        self.graph.here.is_some()
    }

    /// From here, the thread goes on at another location.
    pub(super) fn goto(&mut self, to: LocationId) {
        if !self.obligations.is_empty() {
            let truth = self.e.truth(true);
            self.emit(truth, Vec::new(), Span::default());
        }
        if let Some(here) = self.graph.here.take() {
            let (here, to) = (self.graph.find(here), self.graph.find(to));
            self.graph.nodes[to.index()].is_entered = true;
            if here != to {
                self.graph.nodes[here.index()].alias = Some(to);
            }
        }
    }

    /// Goes on at this location, where code is added from now on if anything leads there.
    pub(super) fn continue_at(&mut self, location: LocationId) {
        self.goto(location);
        self.resume(location);
    }

    /// Code is added at this location from now on, if anything leads there.
    pub(super) fn resume(&mut self, location: LocationId) {
        let location = self.graph.find(location);
        let is_entered = self.graph.nodes[location.index()].is_entered;
        self.graph.stand(is_entered.then_some(location));
    }

    /// Goes on at this location, where code is added from now on: something will lead there.
    pub(super) fn begin_at(&mut self, location: LocationId) {
        self.goto(location);
        self.graph.stand(Some(self.graph.find(location)));
    }

    /// Makes edges to error locations for what has to hold here, and gives the condition that it does.
    pub(super) fn discharge(&mut self) -> ExpressionId {
        let mut holds = self.e.truth(true);
        for obligation in std::mem::take(&mut self.obligations) {
            if let Some((kind, text)) = obligation.property {
                let fails = self.e.not(obligation.condition);
                let guard = self.e.and(holds, fails);
                if self.e.as_constant(guard) != Some(0) {
                    let error = self.obligation_location(kind, text, obligation.span);
                    self.arc(error, guard, Vec::new(), None, obligation.span);
                }
            }
            holds = self.e.and(holds, obligation.condition);
        }
        holds
    }

    /// An edge from here to there.
    pub(super) fn arc(
        &mut self,
        to: LocationId,
        guard: ExpressionId,
        assignments: Vec<Assignment>,
        effect: Option<Effect>,
        span: Span,
    ) {
        let Some(from) = self.graph.here else { return };
        if self.e.as_constant(guard) == Some(0) {
            return;
        }
        let to = self.graph.find(to);
        self.graph.nodes[to.index()].is_entered = true;
        let site = self.site(span);
        let from_node = &mut self.graph.nodes[from.index()];
        from_node.site.get_or_insert(site);
        let is_joint = self.options.atomicity == super::Atomicity::Statement;
        let statement = if is_joint && self.is_inside { self.statement_number } else { 0 };
        let (section, is_havoc) = (None, false);
        let arc = Arc { from, to, guard, assignments, effect, site, span, section, is_havoc, statement };
        self.graph.arcs.push(arc);
    }

    /// An edge from here to a new location, where code is added from now on.
    pub(super) fn emit(&mut self, guard: ExpressionId, assignments: Vec<Assignment>, span: Span) {
        self.emit_with(guard, assignments, None, span);
    }

    /// The same, with an effect.
    pub(super) fn emit_with(
        &mut self,
        guard: ExpressionId,
        assignments: Vec<Assignment>,
        effect: Option<Effect>,
        span: Span,
    ) {
        if !self.is_reachable() {
            self.obligations.clear();
            return;
        }
        let holds = self.discharge();
        let guard = self.e.and(holds, guard);
        let to = self.fresh();
        self.arc(to, guard, assignments, effect, span);
        let is_possible = self.e.as_constant(guard) != Some(0);
        self.graph.stand(is_possible.then_some(to));
    }

    /// Edges from here to given locations, by their guards.
    pub(super) fn split(&mut self, ways: Vec<(ExpressionId, Vec<Assignment>, LocationId)>, span: Span) {
        if self.is_reachable() {
            let holds = self.discharge();
            for (guard, assignments, to) in ways {
                let guard = self.e.and(holds, guard);
                self.arc(to, guard, assignments, None, span);
            }
        }
        self.obligations.clear();
        self.graph.here = None;
    }

    /// An edge without anything on it, for a location of its own to begin at.
    pub(super) fn skip(&mut self, to: LocationId, section: Option<bool>, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let holds = self.discharge();
        self.arc(to, holds, Vec::new(), None, span);
        if let Some(arc) = self.graph.arcs.last_mut() {
            arc.section = section;
        }
        self.graph.stand(Some(to));
    }

    /// Nothing but an assignment of a value to a variable without an index.
    pub(super) fn set(&mut self, target: VariableId, value: ExpressionId, span: Span) {
        let truth = self.e.truth(true);
        self.emit(truth, vec![Assignment { target, index: None, value }], span);
    }

    /// Something that must not happen here.
    pub(super) fn property(&mut self, kind: PropertyKind, text: String, span: Span) -> PropertyId {
        let site = self.site(span);
        let same = self.properties.iter().position(|p| p.kind == kind && p.site == site && p.text == text);
        PropertyId::new(same.unwrap_or_else(|| {
            self.properties.push(Property { kind, site, text });
            self.properties.len() - 1
        }))
    }

    /// A location that must not be reached.
    pub(super) fn error_location(&mut self, kind: PropertyKind, text: String, span: Span) -> LocationId {
        let site = self.site(span);
        let property = self.property(kind, text, span);
        let location = self.fresh_with(false);
        let node = &mut self.graph.nodes[location.index()];
        node.kind = LocationKind::Error(property);
        node.site = Some(site);
        location
    }

    /// What is evaluated here accesses what other threads see.
    pub(super) fn touch(&mut self, span: Span) {
        if let (Some(here), false) = (self.graph.here, self.is_joint_forced) {
            self.touched.push((here, span));
        }
    }

    /// A place in the source, in the call that is being made.
    pub(super) fn site(&mut self, span: Span) -> SiteId {
        let instance = self.frames.last().map_or(0, |frame| frame.instance);
        let key = (span.start, span.end, instance, self.template.index());
        if let Some(&site) = self.site_numbers.get(&key) {
            return site;
        }
        let text = &self.program.text;
        let site = flow::Site {
            position: text.position(span.start),
            text: one_line(text.slice(span)),
            function: self.frames.last().map_or_else(String::new, |frame| frame.name.clone()),
            calls: self.frames.iter().filter_map(|frame| frame.called.clone()).collect(),
        };
        let number = SiteId::new(self.sites.len());
        self.sites.push(site);
        self.site_numbers.insert(key, number);
        number
    }
}

/// A piece of source on one line of at most 80 characters, without the blanks that macros leave.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ").replace("((void *)0)", "NULL");
    let line = line.replace("( ", "(").replace(" )", ")").replace(" ,", ",").replace(" ;", ";");
    if line.chars().count() <= 80 {
        return line;
    }
    let cut: String = line.chars().take(77).collect();
    format!("{cut}...")
}
