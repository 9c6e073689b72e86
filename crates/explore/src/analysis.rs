//! What can be said about locations before the search: which steps others can notice, what a thread may still do from a
//! location on, and which of its variables it may still read.
//!
//! All of it exists twice: for states where threads may still be started, and for those where the bound on their number
//! is reached, so that edges that start one are never taken again ([`Reach`]).

use crate::access::Access;
use crate::layout::{self, Layout};
use throng_cfa::flow::{
    Edge, Effect, Expression, LocationId, LocationKind, Program, Scope, UnaryOperator, VariableId,
};

/// The tokens of a program: see [`crate::access`].
struct Alphabet {
    /// By variable: its token, and for observed local ones the next one too.
    variable: Vec<usize>,
    starts: usize,
    ends: usize,
}

impl Alphabet {
    fn new(program: &Program, layout: &Layout) -> Self {
        let mut next = 2;
        let mut variable = Vec::with_capacity(program.variables.len());
        for (index, data) in program.variables.iter().enumerate() {
            variable.push(next);
            next += match data.scope {
                _ if !layout.is_relevant[index] => 0,
                Scope::Shared => 1,
                Scope::Local(_) if layout.is_observed[index] => 2,
                Scope::Local(_) => 0,
            };
        }
        Self { variable, starts: 0, ends: 1 }
    }

    /// A thread's access to a shared variable or its own.
    fn own(&self, program: &Program, layout: &Layout, access: &mut Access, id: VariableId, is_write: bool) {
        let token = self.variable[id.index()];
        match program.variable(id).scope {
            Scope::Shared => {
                access.senses.insert(token);
                if is_write {
                    access.emits.insert(token);
                }
            }
            Scope::Local(_) if layout.is_observed[id.index()] => {
                access.senses.insert(token + 1);
                if is_write {
                    access.emits.insert(token);
                }
            }
            Scope::Local(_) => {}
        }
    }

    /// An access to a variable of another thread.
    fn passive(&self, access: &mut Access, id: VariableId, is_write: bool) {
        let token = self.variable[id.index()];
        access.senses.insert(token);
        access.senses.insert(token + 1);
        if is_write {
            access.emits.insert(token + 1);
        }
    }

    /// What an edge alone has to do with others.
    fn edge(&self, program: &Program, layout: &Layout, edge: &Edge) -> Access {
        let mut access = Access::default();
        let mentions = layout::mentions(program, layout::edge_roots(edge, &layout.is_relevant));
        for variable in mentions.variables {
            self.own(program, layout, &mut access, variable, false);
        }
        for variable in mentions.passive {
            self.passive(&mut access, variable, false);
        }
        // A thread may begin with a result, or even be at its end when it is started.
        if mentions.has_ended {
            access.senses.insert(self.ends);
            access.senses.insert(self.starts);
        }
        if mentions.result_of {
            access.senses.insert(self.starts);
            for result in program.templates.iter().filter_map(|template| template.result) {
                self.passive(&mut access, result, false);
            }
        }
        for assignment in edge.assignments.iter().filter(|assignment| layout.keeps(assignment.target)) {
            self.own(program, layout, &mut access, assignment.target, true);
        }
        match &edge.effect {
            Some(Effect::Spawn { .. }) => {
                access.emits.insert(self.starts);
                access.senses.insert(self.starts);
            }
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
                let targets = updates.iter().flat_map(|update| &update.assignments);
                for &(target, _) in targets.filter(|(target, _)| layout.keeps(*target)) {
                    self.passive(&mut access, target, true);
                    // New threads are affected too.
                    access.senses.insert(self.starts);
                }
            }
            None => {}
        }
        if layout.asks_for_ends && program.location(edge.to).kind == LocationKind::End {
            access.emits.insert(self.ends);
        }
        access
    }
}

/// What is known about a location, for threads that may be started or for the time when none may be any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// What the next step has to do with others; with all of an atomic section that it begins.
    pub(crate) step: Access,
    /// What all steps from here on have to do with others, those of threads started on the way included.
    pub(crate) future: Access,
    /// Whether an error can be reached, as far as control flow tells.
    pub(crate) reaches_error: bool,
    /// Whether the next step may begin an atomic section that does not end, so that nobody else takes steps any more.
    pub(crate) may_block: bool,
    /// Whether all steps are of no interest to others, so that they need not be interleaved.
    pub(crate) is_local: bool,
    /// Whether nothing that a thread does from here matters.
    pub(crate) is_useless: bool,
    /// Whether a thread may be started from here on.
    pub(crate) may_start: bool,
}

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// By location, while threads may be started.
    pub(crate) open: Vec<Reach>,
    /// By location, when no more threads are started.
    pub(crate) closed: Vec<Reach>,
    /// By location: the words of a thread's row that are never read from here on.
    pub(crate) dead: Vec<Vec<u32>>,
}

impl Analysis {
    /// Analyses a program.
    pub(crate) fn new(program: &Program, layout: &Layout) -> Self {
        let alphabet = Alphabet::new(program, layout);
        let alone: Vec<Access> =
            program.edges.iter().map(|edge| alphabet.edge(program, layout, edge)).collect();
        Self {
            open: reach(program, &alone, true),
            closed: reach(program, &alone, false),
            dead: dead(program, layout),
        }
    }
}

/// The least fixed point of what locations reach; `starts` says whether edges that start threads are taken.
fn reach(program: &Program, alone: &[Access], starts: bool) -> Vec<Reach> {
    let mut all = vec![Reach::default(); program.locations.len()];
    for (location, reach) in program.locations.iter().zip(&mut all) {
        reach.reaches_error = matches!(location.kind, LocationKind::Error(_));
    }
    loop {
        let mut is_changed = false;
        for (index, edge) in program.edges.iter().enumerate().rev() {
            let template = match edge.effect {
                Some(Effect::Spawn { .. }) if !starts => continue,
                Some(Effect::Spawn { template, .. }) => Some(template),
                _ => None,
            };
            let mut from = std::mem::take(&mut all[edge.from.index()]);
            is_changed |= from.step.extend(&alone[index]);
            is_changed |= from.future.extend(&alone[index]);
            let entry = template.map(|template| program.templates[template.index()].entry);
            for next in [Some(edge.to), entry].into_iter().flatten().filter(|&next| next != edge.from) {
                let next = &all[next.index()];
                is_changed |= from.future.extend(&next.future);
                is_changed |= next.reaches_error && !std::mem::replace(&mut from.reaches_error, true);
                is_changed |= next.may_start && !std::mem::replace(&mut from.may_start, true);
            }
            is_changed |= template.is_some() && !std::mem::replace(&mut from.may_start, true);
            if program.location(edge.to).is_atomic && edge.to != edge.from {
                is_changed |= from.step.extend(&all[edge.to.index()].step);
            }
            all[edge.from.index()] = from;
        }
        if !is_changed {
            break;
        }
    }
    let ends = ending_sections(program);
    for edge in program.edges.iter().filter(|edge| starts || !starts_thread(edge)) {
        let blocks = program.location(edge.to).is_atomic && !ends[edge.to.index()];
        all[edge.from.index()].may_block |= blocks || starts_atomically(program, edge);
    }
    for (location, reach) in program.locations.iter().zip(&mut all) {
        let is_inner = location.kind == LocationKind::Inner && !location.is_atomic;
        reach.is_local = is_inner && reach.step.is_local() && !reach.may_block;
        reach.is_useless = is_inner && !reach.reaches_error && reach.future.emits.is_empty();
    }
    all
}

fn starts_thread(edge: &Edge) -> bool {
    matches!(edge.effect, Some(Effect::Spawn { .. }))
}

/// Whether an edge starts a thread inside of an atomic section.
fn starts_atomically(program: &Program, edge: &Edge) -> bool {
    match edge.effect {
        Some(Effect::Spawn { template, .. }) => {
            program.location(program.templates[template.index()].entry).is_atomic
        }
        _ => false,
    }
}

/// The atomic locations from which a thread certainly leaves the section, whatever the variables hold: the least fixed point,
/// so that there are no loops.
fn ending_sections(program: &Program) -> Vec<bool> {
    let mut ends = vec![false; program.locations.len()];
    loop {
        let mut is_changed = false;
        for (index, location) in program.locations.iter().enumerate().rev() {
            if ends[index] || !location.is_atomic || location.kind != LocationKind::Inner {
                continue;
            }
            let edges: Vec<&Edge> =
                program.edges_from(LocationId::new(index)).map(|(_, edge)| edge).collect();
            let goes_on = |edge: &&Edge| {
                (!program.location(edge.to).is_atomic || ends[edge.to.index()]) && !starts_thread(edge)
            };
            if edges.iter().all(goes_on) && is_total(program, &edges) {
                ends[index] = true;
                is_changed = true;
            }
        }
        if !is_changed {
            return ends;
        }
    }
}

/// Whether one of the guards is true, as far as that shows: one is constant, or two are the negations of each other.
fn is_total(program: &Program, edges: &[&Edge]) -> bool {
    let is_negation = |a: &Edge, b: &Edge| {
        program.expressions.get(b.guard) == Expression::Unary(UnaryOperator::Not, a.guard)
    };
    edges.iter().any(|a| {
        program.expressions.get(a.guard) == Expression::Constant(1) || edges.iter().any(|b| is_negation(a, b))
    })
}

/// The local words that are dead, by location: not read before they are written, and not observed by others.
fn dead(program: &Program, layout: &Layout) -> Vec<Vec<u32>> {
    let n_variables = program.variables.len();
    let mut live = vec![vec![false; n_variables]; program.locations.len()];
    for (index, &is_observed) in layout.is_observed.iter().enumerate() {
        live.iter_mut().for_each(|live| live[index] = is_observed);
    }
    loop {
        let mut is_changed = false;
        for edge in program.edges.iter().rev() {
            for variable in live_before(program, layout, edge, &live[edge.to.index()]) {
                is_changed |= !std::mem::replace(&mut live[edge.from.index()][variable.index()], true);
            }
        }
        if !is_changed {
            break;
        }
    }
    let words = |index: usize| {
        let locals = &program.templates[program.locations[index].template.index()].locals;
        let is_dead = |variable: &&VariableId| layout.keeps(**variable) && !live[index][variable.index()];
        let words = locals.iter().filter(is_dead).flat_map(|&variable| layout.words(program, variable));
        words.map(|word| word as u32).collect()
    };
    (0..program.locations.len()).map(words).collect()
}

/// The local variables that are live before an edge, given those that are live after it.
fn live_before(program: &Program, layout: &Layout, edge: &Edge, after: &[bool]) -> Vec<VariableId> {
    let is_local = |variable: VariableId| matches!(program.variable(variable).scope, Scope::Local(_));
    let mut roots = vec![edge.guard];
    roots.extend(layout::effect_roots(edge.effect.as_ref(), &layout.is_relevant));
    for assignment in edge.assignments.iter().filter(|assignment| layout.keeps(assignment.target)) {
        if !is_local(assignment.target) || after[assignment.target.index()] {
            roots.push(assignment.value);
            roots.extend(assignment.index);
        }
    }
    let read = layout::mentions(program, roots).variables;
    let is_written = |variable: VariableId| {
        edge.assignments.iter().any(|assignment| assignment.target == variable && assignment.index.is_none())
    };
    let kept = program.templates[program.location(edge.from).template.index()].locals.iter().copied();
    let kept = kept.filter(|&variable| after[variable.index()] && !is_written(variable));
    read.into_iter().filter(|&variable| is_local(variable)).chain(kept).collect()
}
