//! What is left out of the graph before it is given away: arbitrary values that nobody reads, steps that do nothing, and,
//! with statements as steps, the locations within a statement.
//!
//! A location within a statement is atomic: no other thread sees it. If one edge leads there, each edge that leads away
//! can be put together with it: the second's expressions are those after the first's assignments. A run that ends
//! at the location, since nothing leads away, is lost; others that reach as much remain, since the thread could have
//! stayed where it was.

use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{
    Assignment, Effect, Expression, ExpressionId, Expressions, LocationKind, Scope, SiteId, TemplateId,
    Variable, VariableId,
};

/// A location.
pub(super) struct DraftLocation {
    pub(super) template: TemplateId,
    pub(super) kind: LocationKind,
    pub(super) is_atomic: bool,
    pub(super) site: Option<SiteId>,
}

/// An edge.
#[derive(Clone)]
pub(super) struct DraftEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) guard: ExpressionId,
    pub(super) assignments: Vec<Assignment>,
    pub(super) effect: Option<Effect>,
    pub(super) site: SiteId,
    pub(super) is_havoc: bool,
    /// The statement that it is part of.
    pub(super) statement: usize,
    pub(super) is_dead: bool,
    /// See [`throng_cfa::flow::Origins`].
    pub(super) accesses: Vec<throng_base::Span>,
    pub(super) orders: Vec<Vec<throng_base::Span>>,
}

/// The graph, as far as threads come.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) locations: Vec<DraftLocation>,
    pub(super) edges: Vec<DraftEdge>,
    /// Where templates begin.
    pub(super) entries: Vec<usize>,
}

impl Draft {
    /// The locations that are left, each template's together, in the order of a search from its entry.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for edge in self.edges.iter().filter(|edge| !edge.is_dead) {
            outgoing[edge.from].push(edge.to);
        }
        let mut seen = vec![false; self.locations.len()];
        let mut order = Vec::new();
        for &entry in &self.entries {
            let mut queue = std::collections::VecDeque::from([entry]);
            seen[entry] = true;
            while let Some(location) = queue.pop_front() {
                order.push(location);
                for &to in &outgoing[location] {
                    if !std::mem::replace(&mut seen[to], true) {
                        queue.push_back(to);
                    }
                }
            }
        }
        order
    }

    /// Objects that are assigned before they are read need not become arbitrary first.
    pub(super) fn drop_dead_havoc(
        &mut self,
        e: &Expressions,
        variables: &[Variable],
        results: &[VariableId],
    ) {
        if !self.edges.iter().any(|edge| edge.is_havoc) {
            return;
        }
        let live = self.liveness(e, variables, results);
        let mut neighbours = self.neighbours();
        for index in 0..self.edges.len() {
            if !self.edges[index].is_havoc {
                continue;
            }
            let to = self.edges[index].to;
            let is_dead = |a: &Assignment| {
                variables[a.target.index()].scope != Scope::Shared && !live[to].contains(&a.target)
            };
            self.edges[index].assignments.retain(|a| !is_dead(a));
            self.contract(index, e, &mut neighbours);
        }
    }

    /// The edges into each location, and how many lead away.
    fn neighbours(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let mut incoming = vec![Vec::new(); self.locations.len()];
        let mut outgoing = vec![0; self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate().filter(|(_, edge)| !edge.is_dead) {
            incoming[edge.to].push(index);
            outgoing[edge.from] += 1;
        }
        (incoming, outgoing)
    }

    /// Removes an edge that does nothing if it is the only one from its location and both ends are alike.
    fn contract(
        &mut self,
        index: usize,
        e: &Expressions,
        (incoming, outgoing): &mut (Vec<Vec<usize>>, Vec<usize>),
    ) {
        let edge = &self.edges[index];
        let (from, to) = (edge.from, edge.to);
        let is_alone = outgoing[from] == 1;
        let is_alike = self.locations[from].is_atomic == self.locations[to].is_atomic
            || (self.locations[from].is_atomic && self.locations[from].kind == LocationKind::Inner);
        if !is_trivial(edge, e) || !is_alone || !is_alike || from == to || edge.is_dead {
            return;
        }
        if self.entries.contains(&from) && self.locations[to].is_atomic {
            return;
        }
        self.edges[index].is_dead = true;
        outgoing[from] = 0;
        let moved = std::mem::take(&mut incoming[from]);
        for &edge in &moved {
            self.edges[edge].to = to;
        }
        incoming[to].retain(|&edge| edge != index);
        incoming[to].extend(moved);
        for entry in &mut self.entries {
            if *entry == from {
                *entry = to;
            }
        }
    }

    /// For each location, the locals that may be read from there on before they are assigned.
    fn liveness(
        &self,
        e: &Expressions,
        variables: &[Variable],
        results: &[VariableId],
    ) -> Vec<FxHashSet<VariableId>> {
        let mut live: Vec<FxHashSet<VariableId>> = vec![FxHashSet::default(); self.locations.len()];
        for (index, location) in self.locations.iter().enumerate() {
            if location.kind == LocationKind::End {
                live[index].extend(results);
            }
        }
        let facts: Vec<(Vec<VariableId>, Vec<VariableId>)> =
            self.edges.iter().map(|edge| (uses(e, edge), kills(edge, variables))).collect();
        let always: Vec<VariableId> = self.edges.iter().flat_map(|edge| passive_variables(e, edge)).collect();
        let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            incoming[edge.to].push(index);
        }
        let mut queue: Vec<usize> = (0..self.locations.len()).collect();
        for set in &mut live {
            set.extend(&always);
        }
        let mut first = vec![true; self.edges.len()];
        while let Some(location) = queue.pop() {
            for &index in &incoming[location] {
                let (used, killed) = &facts[index];
                let from = self.edges[index].from;
                let mut new: Vec<VariableId> =
                    live[location].iter().copied().filter(|v| !killed.contains(v)).collect();
                new.extend(used);
                let before = live[from].len();
                live[from].extend(new);
                if live[from].len() > before || std::mem::take(&mut first[index]) {
                    queue.push(from);
                }
            }
        }
        live
    }

    /// Puts edges together at atomic locations: within statements, and where one of two edges does nothing.
    pub(super) fn fuse(&mut self, e: &mut Expressions) {
        let mut neighbours = self.neighbours();
        for index in 0..self.edges.len() {
            // The end of an atomic section.
            self.contract(index, e, &mut neighbours);
        }
        let mut incoming: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate().filter(|(_, edge)| !edge.is_dead) {
            incoming[edge.to].push(index);
            outgoing[edge.from].push(index);
        }
        for location in 0..self.locations.len() {
            let is_fusable = self.locations[location].is_atomic
                && self.locations[location].kind == LocationKind::Inner
                && !self.entries.contains(&location);
            incoming[location].retain(|&index| !self.edges[index].is_dead);
            outgoing[location].retain(|&index| !self.edges[index].is_dead);
            let ([first], false) = (&incoming[location][..], outgoing[location].is_empty()) else { continue };
            let first = *first;
            if !is_fusable || self.edges[first].from == location {
                continue;
            }
            let Some(new) = self.composed(first, &outgoing[location], e) else { continue };
            self.edges[first].is_dead = true;
            for &second in &outgoing[location] {
                self.edges[second].is_dead = true;
            }
            for edge in new {
                let number = self.edges.len();
                outgoing[edge.from].push(number);
                incoming[edge.to].push(number);
                self.edges.push(edge);
            }
        }
    }

    fn composed(&self, first: usize, seconds: &[usize], e: &mut Expressions) -> Option<Vec<DraftEdge>> {
        let one = &self.edges[first];
        let is_trivial_first = is_trivial(one, e);
        let mut out = Vec::new();
        for &second in seconds {
            let two = &self.edges[second];
            let is_same = one.statement == two.statement && one.statement != 0;
            if !is_trivial_first && !is_same {
                return None;
            }
            out.push(compose(one, two, e)?);
        }
        Some(out)
    }
}

/// Whether an edge does nothing.
fn is_trivial(edge: &DraftEdge, e: &Expressions) -> bool {
    edge.assignments.is_empty() && edge.effect.is_none() && e.as_constant(edge.guard) == Some(1)
}

/// One edge and then another as one; `None` if that cannot be said.
fn compose(one: &DraftEdge, two: &DraftEdge, e: &mut Expressions) -> Option<DraftEdge> {
    let orders: Vec<_> = one.orders.iter().chain(&two.orders).cloned().collect();
    if is_trivial(one, e) {
        return Some(DraftEdge { from: one.from, orders, ..two.clone() });
    }
    if one.effect.is_some() || two.effect.is_some() {
        return None;
    }
    let mut known = FxHashMap::default();
    let after = two.guard;
    let guard = substitute(after, &one.assignments, e, &mut known);
    let guard = e.and(one.guard, guard);
    let mut assignments = one.assignments.clone();
    let mut later = Vec::new();
    for assignment in &two.assignments {
        let value = substitute(assignment.value, &one.assignments, e, &mut known);
        let index = assignment.index.map(|index| substitute(index, &one.assignments, e, &mut known));
        later.push(Assignment { target: assignment.target, index, value });
    }
    for new in later {
        let mut is_new = true;
        for old in &mut assignments {
            if old.target != new.target {
                continue;
            }
            if old.index == new.index {
                old.value = new.value;
                is_new = false;
                continue;
            }
            let constants =
                old.index.and_then(|i| e.as_constant(i)).zip(new.index.and_then(|i| e.as_constant(i)));
            // Two elements that may be the same cannot be assigned at once.
            constants?;
        }
        if is_new {
            assignments.push(new);
        }
    }
    let accesses = one.accesses.iter().chain(&two.accesses).copied().collect();
    Some(DraftEdge { to: two.to, guard, assignments, is_havoc: false, accesses, orders, ..one.clone() })
}

/// An expression after assignments.
fn substitute(
    id: ExpressionId,
    assignments: &[Assignment],
    e: &mut Expressions,
    known: &mut FxHashMap<ExpressionId, ExpressionId>,
) -> ExpressionId {
    e.rewrite(id, known, &mut |e, expression, bits| match expression {
        Expression::Variable(v) => {
            assignments.iter().find(|a| a.target == v && a.index.is_none()).map(|a| a.value)
        }
        Expression::Element(v, index) => {
            let mut value = e.element(v, index, bits);
            for a in assignments.iter().filter(|a| a.target == v) {
                if let Some(at) = a.index {
                    let width = e.bits(at).max(e.bits(index));
                    let (x, y) = (e.resize(at, width, false), e.resize(index, width, false));
                    let is_same = e.equal(x, y);
                    value = e.if_then_else(is_same, a.value, value);
                }
            }
            Some(value)
        }
        _ => None,
    })
}

/// All variables of an expression; those of passive threads too.
pub(super) fn variables_of(e: &Expressions, id: ExpressionId, out: &mut Vec<VariableId>) {
    let mut seen = FxHashSet::default();
    let mut queue = vec![id];
    while let Some(id) = queue.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) = e.get(id) {
            out.push(v);
        }
        queue.extend(e.operands(id));
    }
}

fn uses(e: &Expressions, edge: &DraftEdge) -> Vec<VariableId> {
    let mut out = Vec::new();
    variables_of(e, edge.guard, &mut out);
    for assignment in &edge.assignments {
        variables_of(e, assignment.value, &mut out);
        assignment.index.iter().for_each(|&index| variables_of(e, index, &mut out));
    }
    for expression in edge.effect.iter().flat_map(Effect::expressions) {
        variables_of(e, expression, &mut out);
    }
    out
}

fn kills(edge: &DraftEdge, variables: &[Variable]) -> Vec<VariableId> {
    let scalars = edge.assignments.iter().filter(|a| a.index.is_none());
    scalars.map(|a| a.target).filter(|v| variables[v.index()].length == 1).collect()
}

/// Variables that other threads look at or change.
fn passive_variables(e: &Expressions, edge: &DraftEdge) -> Vec<VariableId> {
    let mut out = Vec::new();
    if let Some(Effect::Broadcast(updates) | Effect::Signal(updates)) = &edge.effect {
        for update in updates {
            variables_of(e, update.guard, &mut out);
            out.extend(update.assignments.iter().map(|&(variable, _)| variable));
            update.assignments.iter().for_each(|&(_, value)| variables_of(e, value, &mut out));
        }
    }
    out
}

/// Whether a truth value over one variable holds for a value of it.
pub(super) fn holds_for(
    e: &mut Expressions,
    id: ExpressionId,
    variable: VariableId,
    (value, bits): (u128, u32),
) -> bool {
    let mut all = Vec::new();
    variables_of(e, id, &mut all);
    debug_assert_eq!(all, [variable], "the truth value is over this variable");
    let value = e.constant(value, bits);
    let assignment = Assignment { target: variable, index: None, value };
    let result = substitute(id, &[assignment], e, &mut FxHashMap::default());
    e.as_constant(result) == Some(1)
}
