//! Which variables matter, and where their scalars are in the rows that states are made of.
//!
//! A variable is *relevant* if it can influence a guard: it occurs in one, or in a value or an index that is assigned to a
//! relevant variable (the cone of influence). Others are not kept in states at all, and assigning to them is nothing. That
//! no more runs are possible without them is clear, since guards never read them; the values that they really have are
//! found again when a trace is made concrete.
//!
//! A local variable is *observed* if others may look at it or change it: in passive updates, or as the result of a thread.

use throng_cfa::flow::{Edge, Effect, Expression, ExpressionId, Program, Scope, TemplateId, VariableId};

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Layout {
    /// By variable.
    pub(crate) is_relevant: Vec<bool>,
    /// By variable: the place of its first scalar in the shared row or in the rows of its threads.
    pub(crate) offset: Vec<u32>,
    /// By template: how many words the rows of its threads have; the first one is the location.
    pub(crate) local_words: Vec<usize>,
    /// By variable: whether it is a local variable that others access.
    pub(crate) is_observed: Vec<bool>,
    /// Whether somebody asks whether threads have ended.
    pub(crate) asks_for_ends: bool,
}

/// What an expression mentions.
#[derive(Default)]
pub(crate) struct Mentions {
    pub(crate) variables: Vec<VariableId>,
    pub(crate) passive: Vec<VariableId>,
    pub(crate) has_ended: bool,
    pub(crate) result_of: bool,
}

/// All that the expressions under some roots mention.
pub(crate) fn mentions(program: &Program, roots: impl IntoIterator<Item = ExpressionId>) -> Mentions {
    let mut found = Mentions::default();
    for id in subexpressions(program, roots) {
        match program.expressions.get(id) {
            Expression::Variable(variable) | Expression::Element(variable, _) => {
                found.variables.push(variable);
            }
            Expression::Passive(variable) => found.passive.push(variable),
            Expression::HasEnded(_) => found.has_ended = true,
            Expression::ResultOf(_) => found.result_of = true,
            _ => {}
        }
    }
    found
}

/// All subexpressions of some roots, operands first.
pub(crate) fn subexpressions(
    program: &Program,
    roots: impl IntoIterator<Item = ExpressionId>,
) -> Vec<ExpressionId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open: Vec<ExpressionId> = roots.into_iter().collect();
    let mut all = Vec::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            all.push(id);
            open.extend(program.expressions.operands(id));
        }
    }
    all.sort_unstable();
    all
}

impl Layout {
    /// Looks at a whole program.
    pub(crate) fn new(program: &Program) -> Self {
        let is_relevant = relevant(program);
        let roots: Vec<ExpressionId> =
            program.edges.iter().flat_map(|edge| edge_roots(edge, &is_relevant)).collect();
        let all = mentions(program, roots);
        let mut is_observed = vec![false; program.variables.len()];
        for &variable in &all.passive {
            is_observed[variable.index()] = true;
        }
        let updates = program.edges.iter().flat_map(|edge| match &edge.effect {
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates.as_slice(),
            _ => &[],
        });
        for (variable, _) in updates.flat_map(|update| &update.assignments) {
            is_observed[variable.index()] |= is_relevant[variable.index()];
        }
        if all.result_of {
            for result in program.templates.iter().filter_map(|template| template.result) {
                is_observed[result.index()] = true;
            }
        }
        let mut shared_words = 0;
        let mut local_words = vec![1; program.templates.len()];
        let mut offset = Vec::with_capacity(program.variables.len());
        for (variable, &is_relevant) in program.variables.iter().zip(&is_relevant) {
            let words = match variable.scope {
                Scope::Shared => &mut shared_words,
                Scope::Local(template) => &mut local_words[template.index()],
            };
            offset.push(u32::try_from(*words).expect("fewer than 2^32 scalars"));
            *words += if is_relevant { variable.length as usize } else { 0 };
        }
        Self { is_relevant, offset, local_words, is_observed, asks_for_ends: all.has_ended }
    }

    /// Whether a variable is kept.
    pub(crate) fn keeps(&self, variable: VariableId) -> bool {
        self.is_relevant[variable.index()]
    }

    /// The places of a variable's scalars in its row.
    pub(crate) fn words(&self, program: &Program, variable: VariableId) -> std::ops::Range<usize> {
        let first = self.offset[variable.index()] as usize;
        first..first + program.variable(variable).length as usize
    }
}

/// How many words the rows of a state with one thread of each kind have, at least.
pub(crate) fn n_words(program: &Program) -> u64 {
    let is_relevant = relevant(program);
    let kept = program.variables.iter().zip(is_relevant).filter(|(_, is_relevant)| *is_relevant);
    kept.map(|(variable, _)| u64::from(variable.length)).sum()
}

/// The expressions of an edge that matter: its guards, and what goes into relevant variables.
pub(crate) fn edge_roots(edge: &Edge, is_relevant: &[bool]) -> Vec<ExpressionId> {
    let matters = |variable: VariableId| is_relevant[variable.index()];
    let mut roots = vec![edge.guard];
    for assignment in edge.assignments.iter().filter(|assignment| matters(assignment.target)) {
        roots.push(assignment.value);
        roots.extend(assignment.index);
    }
    roots.extend(effect_roots(edge.effect.as_ref(), is_relevant));
    roots
}

/// The expressions of an effect that matter.
pub(crate) fn effect_roots(effect: Option<&Effect>, is_relevant: &[bool]) -> Vec<ExpressionId> {
    let matters = |variable: VariableId| is_relevant[variable.index()];
    let values = |list: &[(VariableId, ExpressionId)]| {
        list.iter().filter(|(target, _)| matters(*target)).map(|&(_, value)| value).collect::<Vec<_>>()
    };
    match effect {
        None => Vec::new(),
        Some(Effect::Spawn { arguments, .. }) => values(arguments),
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
            let mut roots: Vec<_> = updates.iter().flat_map(|update| values(&update.assignments)).collect();
            if !roots.is_empty() {
                roots.extend(updates.iter().map(|update| update.guard));
            }
            roots
        }
    }
}

/// The relevant variables: the least fixed point of the definition above.
fn relevant(program: &Program) -> Vec<bool> {
    let mut is_relevant = vec![false; program.variables.len()];
    loop {
        let roots: Vec<ExpressionId> =
            program.edges.iter().flat_map(|edge| edge_roots(edge, &is_relevant)).collect();
        let found = mentions(program, roots);
        let results = program.templates.iter().filter_map(|template| template.result);
        let results = results.filter(|_| found.result_of);
        let mut is_changed = false;
        for variable in found.variables.into_iter().chain(found.passive).chain(results) {
            is_changed |= !std::mem::replace(&mut is_relevant[variable.index()], true);
        }
        if !is_changed {
            return is_relevant;
        }
    }
}

/// The template of a local variable.
pub(crate) fn owner(program: &Program, variable: VariableId) -> Option<TemplateId> {
    match program.variable(variable).scope {
        Scope::Shared => None,
        Scope::Local(template) => Some(template),
    }
}
