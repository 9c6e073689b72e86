//! Which values of a program are numbered: those that somebody may still read.
//!
//! A variable is *tracked* if some expression reads it, it is not too long a row, and its values have not been found to be too many.
//! What is not tracked is read as an unknown value. A thread's variable is *live* at a location if the thread may read it before it
//! is assigned, or if an update by another thread reads it and changes something that is live: what is not live does not count.

use throng_cfa::flow::{
    Edge, EdgeId, Effect, Expression, ExpressionId, LocationId, LocationKind, PassiveUpdate, Program, Scope,
    VariableId,
};

/// Longer rows are not tracked.
const LONGEST_ROW: u32 = 64;

/// One value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) variable: VariableId,
    pub(super) index: u32,
}

/// Where values stand in rows.
pub(super) struct Layout {
    pub(super) shared: Vec<Scalar>,
    /// By template.
    pub(super) own: Vec<Vec<Scalar>>,
    /// By variable: where its first scalar is in its row, if it is tracked.
    start: Vec<Option<usize>>,
    /// By location: whether a scalar of the thread is live there.
    live: Vec<Vec<bool>>,
}

impl Layout {
    /// The layout of a program, but for variables that are not to be tracked.
    pub(super) fn new(program: &Program, is_untracked: &[bool]) -> Self {
        let is_read = read_variables(program);
        let mut layout = Self {
            shared: Vec::new(),
            own: vec![Vec::new(); program.templates.len()],
            start: vec![None; program.variables.len()],
            live: Vec::new(),
        };
        for (number, variable) in program.variables.iter().enumerate() {
            if !is_read[number] || is_untracked[number] || variable.length > LONGEST_ROW {
                continue;
            }
            let row = match variable.scope {
                Scope::Shared => &mut layout.shared,
                Scope::Local(template) => &mut layout.own[template.index()],
            };
            layout.start[number] = Some(row.len());
            let id = VariableId::new(number);
            row.extend((0..variable.length).map(|index| Scalar { variable: id, index }));
        }
        let by_variable = Liveness::new(program, &layout.start).run();
        layout.live = (0..program.locations.len())
            .map(|location| {
                let template = program.locations[location].template;
                let scalars = layout.own[template.index()].iter();
                scalars.map(|scalar| by_variable[location][scalar.variable.index()]).collect()
            })
            .collect();
        layout
    }

    /// Where the scalars of a variable begin in its row; `None` if it is not tracked.
    pub(super) fn start(&self, variable: VariableId) -> Option<usize> {
        self.start[variable.index()]
    }

    /// Whether the scalars of a thread are live at a location.
    pub(super) fn live(&self, location: LocationId) -> &[bool] {
        &self.live[location.index()]
    }
}

/// By variable: whether an expression reads it.
fn read_variables(program: &Program) -> Vec<bool> {
    let mut is_read = vec![false; program.variables.len()];
    let roots = program.edges.iter().flat_map(Edge::expressions);
    for id in program.expressions.subexpressions(roots) {
        match program.expressions.get(id) {
            Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => {
                is_read[v.index()] = true;
            }
            _ => {}
        }
    }
    is_read
}

/// What an update by another thread reads of a thread and what it assigns.
struct Touched {
    template: usize,
    reads: Vec<usize>,
    assigns: Vec<usize>,
}

struct Liveness<'a> {
    program: &'a Program,
    start: &'a [Option<usize>],
    touched: Vec<Touched>,
    /// By location and variable.
    live: Vec<Vec<bool>>,
}

impl<'a> Liveness<'a> {
    fn new(program: &'a Program, start: &'a [Option<usize>]) -> Self {
        let updates = program.edges.iter().flat_map(Edge::updates);
        let touched = updates.map(|update| touched(program, update)).collect();
        let live = vec![vec![false; program.variables.len()]; program.locations.len()];
        Self { program, start, touched, live }
    }

    fn run(mut self) -> Vec<Vec<bool>> {
        loop {
            let mut is_changed = false;
            for edge in (0..self.program.edges.len()).rev() {
                is_changed |= self.edge(EdgeId::new(edge));
            }
            for location in 0..self.program.locations.len() {
                is_changed |= self.updates(location);
            }
            if !is_changed {
                return self.live;
            }
        }
    }

    fn is_tracked(&self, variable: VariableId) -> bool {
        self.start[variable.index()].is_some()
    }

    /// Makes what the thread reads along an edge live before it.
    fn edge(&mut self, id: EdgeId) -> bool {
        let program = self.program;
        let edge = program.edge(id);
        let after = &self.live[edge.to.index()];
        let matters = |target: VariableId| {
            self.is_tracked(target)
                && (program.variable(target).scope == Scope::Shared || after[target.index()])
        };
        let mut roots = vec![edge.guard];
        let mut killed = Vec::new();
        for assignment in &edge.assignments {
            if matters(assignment.target) {
                roots.extend(assignment.index);
                roots.push(assignment.value);
            }
            if assignment.index.is_none() && program.variable(assignment.target).length == 1 {
                killed.push(assignment.target.index());
            }
        }
        roots.extend(edge.effect.iter().flat_map(Effect::expressions));
        let mut new: Vec<usize> = reads(program, &roots, false);
        new.extend((0..after.len()).filter(|&v| after[v] && !killed.contains(&v)));
        self.add(edge.from.index(), &new)
    }

    fn updates(&mut self, location: usize) -> bool {
        let known = &self.program.locations[location];
        if known.kind != LocationKind::Inner {
            return false;
        }
        let live = &self.live[location];
        let is_meant = |it: &&Touched| {
            it.template == known.template.index() && it.assigns.iter().any(|&variable| live[variable])
        };
        let new: Vec<usize> =
            self.touched.iter().filter(is_meant).flat_map(|it| it.reads.iter().copied()).collect();
        self.add(location, &new)
    }

    fn add(&mut self, location: usize, variables: &[usize]) -> bool {
        let mut is_changed = false;
        for &variable in variables {
            let is_own = self.program.variables[variable].scope != Scope::Shared;
            if is_own && self.start[variable].is_some() {
                is_changed |= !std::mem::replace(&mut self.live[location][variable], true);
            }
        }
        is_changed
    }
}

fn touched(program: &Program, update: &PassiveUpdate) -> Touched {
    let roots: Vec<ExpressionId> =
        std::iter::once(update.guard).chain(update.assignments.iter().map(|&(_, value)| value)).collect();
    Touched {
        template: update.template.index(),
        reads: reads(program, &roots, true),
        assigns: update.assignments.iter().map(|&(variable, _)| variable.index()).collect(),
    }
}

/// The variables that expressions read: the acting thread's and shared ones, or the passive thread's.
fn reads(program: &Program, roots: &[ExpressionId], of_passive: bool) -> Vec<usize> {
    let all = program.expressions.subexpressions(roots.iter().copied());
    let variable = |id| match program.expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) if !of_passive => Some(v.index()),
        Expression::Passive(v) if of_passive => Some(v.index()),
        _ => None,
    };
    all.into_iter().filter_map(variable).collect()
}
