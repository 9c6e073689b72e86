//! Who relies on whom: w relies on u if u is below a predecessor of w.
//!
//! A link remembers the rule of that predecessor, so that when u turns out to be coverable, only the predecessors
//! by this rule are looked at again. If u is below predecessors by several rules, the link says so and all are.

use throng_model::RuleId;
use throng_model::closed::ElementId;

const NONE: u32 = u32::MAX;

/// Somebody who relies on a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dependent {
    /// A vertex, for one of its predecessors.
    Vertex(ElementId),
    /// A target, which has to stay above some vertex.
    Target(u32),
}

/// Predecessors of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predecessors {
    /// Those by one rule.
    By(RuleId),
    /// Those by several rules.
    Several,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    /// Whom it leads to, or `NONE` once it no longer counts.
    witness: u32,
    dependent: Dependent,
    predecessors: Predecessors,
    next_of_witness: u32,
    next_of_dependent: u32,
}

#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// The first link to it.
    first_dependent: u32,
    /// The first link from it.
    first_witness: u32,
    n_dependents: u32,
    /// The last link to it, for finding repetitions within one expansion.
    newest: u32,
}

/// See the module's documentation. Links from targets are not listed from their side.
#[derive(Debug, Default)]
pub(super) struct Links {
    links: Vec<Link>,
    vertices: Vec<Vertex>,
    /// The first link of the expansion that is going on.
    expansion: u32,
    n_dead: usize,
}

impl Links {
    /// Makes room for one more vertex.
    pub(super) fn add_vertex(&mut self) {
        self.vertices.push(Vertex {
            first_dependent: NONE,
            first_witness: NONE,
            n_dependents: 0,
            newest: NONE,
        });
    }

    /// Whether somebody relies on a vertex.
    pub(super) fn has_dependents(&self, vertex: ElementId) -> bool {
        self.vertices[vertex.index()].n_dependents > 0
    }

    /// An expansion begins: links from one vertex to the same witness are merged until the next one.
    pub(super) fn begin(&mut self) {
        if self.n_dead > 1024 && self.n_dead * 2 > self.links.len() {
            self.compact();
        }
        self.expansion = self.links.len() as u32;
    }

    /// Forgets links that no longer count.
    fn compact(&mut self) {
        for vertex in &mut self.vertices {
            *vertex = Vertex { first_dependent: NONE, first_witness: NONE, newest: NONE, ..*vertex };
        }
        self.links.retain(|link| link.witness != NONE);
        self.n_dead = 0;
        for at in 0..self.links.len() {
            self.enlist(at as u32);
        }
    }

    fn enlist(&mut self, at: u32) {
        let link = &mut self.links[at as usize];
        let witness = &mut self.vertices[link.witness as usize];
        link.next_of_witness = std::mem::replace(&mut witness.first_dependent, at);
        if let Dependent::Vertex(vertex) = link.dependent {
            let vertex = &mut self.vertices[vertex.index()];
            link.next_of_dependent = std::mem::replace(&mut vertex.first_witness, at);
        }
    }

    /// `dependent` relies on `witness` for predecessors by a rule.
    #[inline]
    pub(super) fn add(&mut self, witness: ElementId, dependent: Dependent, rule: Option<RuleId>) {
        let vertex = &mut self.vertices[witness.index()];
        let predecessors = rule.map_or(Predecessors::Several, Predecessors::By);
        if vertex.newest != NONE && vertex.newest >= self.expansion {
            let link = &mut self.links[vertex.newest as usize];
            if link.witness == witness.raw() && link.dependent == dependent {
                if link.predecessors != predecessors {
                    link.predecessors = Predecessors::Several;
                }
                return;
            }
        }
        let at = u32::try_from(self.links.len()).expect("fewer than 2^32 links");
        vertex.newest = at;
        vertex.n_dependents += 1;
        let (next_of_witness, next_of_dependent) = (NONE, NONE);
        let witness = witness.raw();
        self.links.push(Link { witness, dependent, predecessors, next_of_witness, next_of_dependent });
        self.enlist(at);
    }

    /// A vertex no longer relies on others. Those that nobody else relies on are appended to `orphans`.
    pub(super) fn release(&mut self, vertex: ElementId, orphans: &mut Vec<ElementId>) {
        let mut at = std::mem::replace(&mut self.vertices[vertex.index()].first_witness, NONE);
        while at != NONE {
            let link = &mut self.links[at as usize];
            let witness = std::mem::replace(&mut link.witness, NONE);
            at = link.next_of_dependent;
            if witness != NONE {
                self.n_dead += 1;
                let counted = &mut self.vertices[witness as usize];
                counted.n_dependents -= 1;
                if counted.n_dependents == 0 {
                    orphans.push(ElementId::new(witness as usize));
                }
            }
        }
    }

    /// Those who rely on a vertex cannot do so any more; they are appended to `dependents`.
    pub(super) fn take_dependents(
        &mut self,
        vertex: ElementId,
        dependents: &mut Vec<(Dependent, Predecessors)>,
    ) {
        let list = &mut self.vertices[vertex.index()];
        list.n_dependents = 0;
        let mut at = std::mem::replace(&mut list.first_dependent, NONE);
        while at != NONE {
            let link = &mut self.links[at as usize];
            at = link.next_of_witness;
            if link.witness == vertex.raw() {
                link.witness = NONE;
                self.n_dead += 1;
                dependents.push((link.dependent, link.predecessors));
            }
        }
    }

    /// Those who rely on a vertex rely on a smaller one from now on.
    pub(super) fn transfer(&mut self, vertex: ElementId, smaller: ElementId) {
        let list = &mut self.vertices[vertex.index()];
        let n_dependents = std::mem::take(&mut list.n_dependents);
        let mut at = std::mem::replace(&mut list.first_dependent, NONE);
        self.vertices[smaller.index()].n_dependents += n_dependents;
        while at != NONE {
            let link = &mut self.links[at as usize];
            let next = link.next_of_witness;
            if link.witness == vertex.raw() {
                link.witness = smaller.raw();
                let first = &mut self.vertices[smaller.index()].first_dependent;
                link.next_of_witness = std::mem::replace(first, at);
            }
            at = next;
        }
    }

    /// The vertices that a vertex relies on, with repetitions.
    pub(super) fn witnesses(
        &self,
        vertex: ElementId,
    ) -> impl Iterator<Item = (ElementId, Predecessors)> + '_ {
        let mut at = self.vertices[vertex.index()].first_witness;
        std::iter::from_fn(move || {
            while at != NONE {
                let link = &self.links[at as usize];
                at = link.next_of_dependent;
                if link.witness != NONE {
                    return Some((ElementId::new(link.witness as usize), link.predecessors));
                }
            }
            None
        })
    }
}
