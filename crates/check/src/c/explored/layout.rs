//! Which variables states keep, where, and where their values do not matter.
//!
//! *Kept* are the variables that some expression of some edge reads; ResultOf reads the results of all code. What nobody reads
//! decides nothing: states that differ in it only have the same runs.
//!
//! A thread's own variable is *dead* at a location if nobody but the thread reads it, and on every way through the graph from there the thread
//! assigns all of it before it reads it. What it holds there decides nothing either, so it is 0 in the states that are kept.
//! *Seen* by others are variables that occur as [`Expression::Passive`], and results if somebody looks at results.

use crate::{Condition, Rejection};
use throng_cfa::flow::{Edge, Expression, ExpressionId, Program, Scope, VariableId};

/// More words in a row are too many to keep states of.
const LONGEST: usize = 1 << 16;

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Layout {
    /// By variable: its first word, if it is kept. In the row of its thread, the word before all of them is the location.
    pub(super) first: Vec<Option<u32>>,
    /// How many words the shared variables have.
    pub(super) n_shared: usize,
    /// By template: how many words its threads have.
    pub(super) n_local: Vec<usize>,
    /// By location: the words that are dead there.
    pub(super) dead: Vec<Vec<u32>>,
}

impl Layout {
    /// The layout of states of a program.
    pub(super) fn new(program: &Program) -> Result<Self, Rejection> {
        let reads: Vec<Vec<VariableId>> =
            program.edges.iter().map(|edge| read_by(program, edge.expressions())).collect();
        let mut is_kept = vec![false; program.variables.len()];
        reads.iter().flatten().for_each(|v| is_kept[v.index()] = true);
        let mut layout = Self {
            first: vec![None; program.variables.len()],
            n_shared: 0,
            n_local: vec![1; program.templates.len()],
            dead: Vec::new(),
        };
        for (index, variable) in program.variables.iter().enumerate().filter(|&(index, _)| is_kept[index]) {
            let n_words = match variable.scope {
                Scope::Shared => &mut layout.n_shared,
                Scope::Local(template) => &mut layout.n_local[template.index()],
            };
            layout.first[index] = u32::try_from(*n_words).ok();
            *n_words = n_words.saturating_add(variable.length as usize);
            if *n_words > LONGEST {
                let reason = format!("it has too many values ({}) to keep all states", variable.length);
                return Err(Rejection::new(Condition::Size, format!("`{}`", variable.name), reason));
            }
        }
        layout.dead = layout.dead(program);
        Ok(layout)
    }

    /// The words of a variable.
    pub(super) fn words(&self, program: &Program, variable: VariableId) -> std::ops::Range<u32> {
        match self.first[variable.index()] {
            Some(first) => first..first.saturating_add(program.variable(variable).length),
            None => 0..0,
        }
    }

    /// The dead words of all locations.
    fn dead(&self, program: &Program) -> Vec<Vec<u32>> {
        let seen = seen(program);
        let n_variables = program.variables.len();
        let mut live = vec![vec![false; n_variables]; program.locations.len()];
        let own: Vec<Vec<VariableId>> = program.edges.iter().map(|edge| own_reads(program, edge)).collect();
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (edge, own) in program.edges.iter().zip(&own).rev() {
                let is_assigned = |v: VariableId| {
                    let mut whole = edge.assignments.iter().filter(|assignment| assignment.index.is_none());
                    program.variable(v).length == 1 && whole.any(|assignment| assignment.target == v)
                };
                let template = program.location(edge.from).template;
                let locals = &program.templates[template.index()].locals;
                let kept =
                    locals.iter().copied().filter(|&v| live[edge.to.index()][v.index()] && !is_assigned(v));
                let all: Vec<VariableId> = kept.chain(own.iter().copied()).collect();
                for v in all {
                    is_changed |= !std::mem::replace(&mut live[edge.from.index()][v.index()], true);
                }
            }
        }
        let dead = program.locations.iter().zip(&live).map(|(location, live)| {
            let locals = program.templates[location.template.index()].locals.iter();
            let dead = locals.filter(|v| !live[v.index()] && !seen[v.index()]);
            dead.flat_map(|&v| self.words(program, v)).collect()
        });
        dead.collect()
    }
}

/// The variables that expressions read, those of others included.
fn read_by(program: &Program, roots: Vec<ExpressionId>) -> Vec<VariableId> {
    let mut read = Vec::new();
    for id in program.expressions.subexpressions(roots) {
        match program.expressions.get(id) {
            Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => read.push(v),
            Expression::ResultOf(_) => read.extend(program.templates.iter().filter_map(|it| it.result)),
            _ => {}
        }
    }
    read
}

/// The variables of its own that a thread reads along an edge.
fn own_reads(program: &Program, edge: &Edge) -> Vec<VariableId> {
    let ids = program.expressions.subexpressions(edge.expressions()).into_iter();
    let read = ids.filter_map(|id| match program.expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) => Some(v),
        _ => None,
    });
    read.filter(|&v| program.variable(v).scope != Scope::Shared).collect()
}

/// By variable: whether others than its thread read it.
fn seen(program: &Program) -> Vec<bool> {
    let mut is_seen = vec![false; program.variables.len()];
    let roots = program.edges.iter().flat_map(Edge::expressions);
    for id in program.expressions.subexpressions(roots) {
        match program.expressions.get(id) {
            Expression::Passive(v) => is_seen[v.index()] = true,
            Expression::ResultOf(_) => {
                let results = program.templates.iter().filter_map(|template| template.result);
                results.for_each(|v| is_seen[v.index()] = true);
            }
            _ => {}
        }
    }
    is_seen
}
