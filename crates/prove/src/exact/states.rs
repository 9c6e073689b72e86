//! Numbers for what shared variables hold and for where threads stand, given when they are first met, and what threads do there.
//!
//! A *shared state* is the values of tracked shared variables and whether somebody is in an atomic section. A *local state* is a location
//! with the values of the thread's live variables. Threads that have ended, or are at an error, have none: they do nothing any more.

use super::Trouble;
use super::choices::{Choices, outcomes};
use super::evaluate::{Evaluator, Situation};
use super::layout::Layout;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;
use throng_base::Budget;
use throng_cfa::flow::{
    EdgeId, Effect, ExpressionId, LocationId, LocationKind, NondetId, Program, PropertyId, Scope, TemplateId,
    VariableId,
};

/// Values of shared variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SharedRow {
    pub(super) values: Vec<u128>,
    pub(super) is_atomic: bool,
}

/// Where a thread stands, and the values of its variables; those that are not live are 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct OwnRow {
    pub(super) location: LocationId,
    pub(super) values: Vec<u128>,
}

/// Rows with numbers.
pub(super) struct Table<R> {
    pub(super) rows: Vec<Rc<R>>,
    numbers: FxHashMap<Rc<R>, u32>,
}

impl<R> Default for Table<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<R: Hash + Eq> Table<R> {
    fn insert(&mut self, row: R) -> u32 {
        if let Some(&number) = self.numbers.get(&row) {
            return number;
        }
        let (number, row) = (self.rows.len() as u32, Rc::new(row));
        self.rows.push(Rc::clone(&row));
        self.numbers.insert(row, number);
        number
    }

    pub(super) fn get(&self, number: u32) -> &Rc<R> {
        &self.rows[number as usize]
    }
}

/// What a thread can do, but for what happens to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fired {
    pub(super) edge: EdgeId,
    /// The shared state after it.
    pub(super) shared: u32,
    /// The thread's state after it, unless it has ended or is at an error.
    pub(super) own: Option<u32>,
    /// The state of the thread that it starts.
    pub(super) child: Option<u32>,
    pub(super) error: Option<PropertyId>,
}

/// What happens to a passive thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Never,
    Sure(u32),
    Perhaps(u32),
}

/// An edge, ready to be evaluated.
pub(super) struct Code {
    /// What the thread itself evaluates, operands first.
    pub(super) order: Vec<ExpressionId>,
    /// What is evaluated for a passive thread.
    passive: Vec<ExpressionId>,
    pub(super) nondets: Vec<(NondetId, u32)>,
}

/// The states of a program so far.
pub(super) struct States<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: Layout,
    pub(super) budget: &'a Budget,
    pub(super) shared: Table<SharedRow>,
    pub(super) own: Table<OwnRow>,
    pub(super) code: Vec<Code>,
    pub(super) evaluator: Evaluator,
    pub(super) choices: Choices,
    /// Whether threads at errors have states like others.
    pub(super) keeps_errors: bool,
    fired: FxHashMap<(u32, u32), Rc<Vec<Fired>>>,
    changes: FxHashMap<(u32, u32, EdgeId, u32), Change>,
}

/// The values of variables after a step, before they are rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct After {
    pub(super) shared: Vec<u128>,
    pub(super) own: Vec<u128>,
    pub(super) arguments: Vec<u128>,
}

impl<'a> States<'a> {
    pub(super) fn new(program: &'a Program, is_untracked: &[bool], budget: &'a Budget) -> Self {
        let layout = Layout::new(program, is_untracked);
        let code = (0..program.edges.len()).map(|edge| code(program, EdgeId::new(edge))).collect();
        Self {
            program,
            layout,
            budget,
            shared: Table::default(),
            own: Table::default(),
            code,
            evaluator: Evaluator::default(),
            choices: Choices::default(),
            keeps_errors: false,
            fired: FxHashMap::default(),
            changes: FxHashMap::default(),
        }
    }

    /// The start: the shared state, and the state of the first thread.
    pub(super) fn start(&mut self) -> Result<(u32, Option<u32>), Trouble> {
        let main = self.program.main;
        let entry = self.program.templates[main.index()].entry;
        let values = self.initial(Scope::Shared, None)?;
        let is_atomic = self.program.location(entry).is_atomic;
        let shared = self.shared.insert(SharedRow { values, is_atomic });
        let own = self.initial(Scope::Local(main), Some(entry))?;
        Ok((shared, self.place(entry, own)))
    }

    /// Initial values of a row; of a thread's only those are needed that are live at its entry.
    fn initial(&self, scope: Scope, entry: Option<LocationId>) -> Result<Vec<u128>, Trouble> {
        let scalars = match scope {
            Scope::Shared => &self.layout.shared,
            Scope::Local(template) => &self.layout.own[template.index()],
        };
        let value = |place: usize| {
            let scalar = scalars[place];
            let is_needed = entry.is_none_or(|entry| self.layout.live(entry)[place]);
            match &self.program.variable(scalar.variable).initial {
                Some(values) => Ok(values.get(scalar.index as usize).copied().unwrap_or(0)),
                None if is_needed => Err(Trouble::Untrack(scalar.variable)),
                None => Ok(0),
            }
        };
        (0..scalars.len()).map(value).collect()
    }

    /// The state of a thread with these values, without those that are not live.
    fn place(&mut self, location: LocationId, mut values: Vec<u128>) -> Option<u32> {
        match self.program.location(location).kind {
            LocationKind::Inner => {}
            LocationKind::Error(_) if self.keeps_errors => {}
            LocationKind::End | LocationKind::Error(_) => return None,
        }
        let live = self.layout.live(location);
        values.iter_mut().zip(live).filter(|(_, is_live)| !**is_live).for_each(|(value, _)| *value = 0);
        Some(self.own.insert(OwnRow { location, values }))
    }

    /// Whether a thread in this state may act in this shared state.
    fn may_act(&self, shared: u32, own: u32) -> bool {
        self.shared.get(shared).is_atomic == self.program.location(self.own.get(own).location).is_atomic
    }

    /// What a thread can do.
    pub(super) fn fired(&mut self, shared: u32, own: u32) -> Result<Rc<Vec<Fired>>, Trouble> {
        if let Some(known) = self.fired.get(&(shared, own)) {
            return Ok(Rc::clone(known));
        }
        let mut all = Vec::new();
        if self.may_act(shared, own) {
            self.budget.check()?;
            let (before, mine) = (Rc::clone(self.shared.get(shared)), Rc::clone(self.own.get(own)));
            let (first, count) = self.program.location(mine.location).edges;
            for edge in (first.index()..first.index() + count as usize).map(EdgeId::new) {
                for after in outcomes(self, edge, &before.values, &mine.values)? {
                    let fired = self.land(edge, after)?;
                    if !all.contains(&fired) {
                        all.push(fired);
                    }
                }
            }
        }
        let all = Rc::new(all);
        self.fired.insert((shared, own), Rc::clone(&all));
        Ok(all)
    }

    /// Makes rows of what is there after a step.
    fn land(&mut self, id: EdgeId, after: After) -> Result<Fired, Trouble> {
        let program = self.program;
        let edge = program.edge(id);
        let to = program.location(edge.to);
        let error = match to.kind {
            LocationKind::Error(property) if !self.keeps_errors => Some(property),
            _ => None,
        };
        let mut is_atomic = to.is_atomic;
        let mut child = None;
        if let Some(Effect::Spawn { template, arguments }) = &edge.effect {
            let entry = program.templates[template.index()].entry;
            is_atomic |= program.location(entry).is_atomic;
            let values = self.newborn(*template, entry, arguments, &after.arguments)?;
            child = self.place(entry, values);
        }
        let shared = self.shared.insert(SharedRow { values: after.shared, is_atomic });
        let own = self.place(edge.to, after.own);
        Ok(Fired { edge: id, shared, own, child, error })
    }

    /// The values of a new thread.
    fn newborn(
        &self,
        template: TemplateId,
        entry: LocationId,
        arguments: &[(VariableId, ExpressionId)],
        given: &[u128],
    ) -> Result<Vec<u128>, Trouble> {
        let live = self.layout.live(entry);
        let scalars = &self.layout.own[template.index()];
        let value = |place: usize| {
            let scalar = scalars[place];
            let argument = arguments.iter().position(|&(variable, _)| variable == scalar.variable);
            match (argument, &self.program.variable(scalar.variable).initial) {
                (Some(number), _) if scalar.index == 0 => Ok(given[number]),
                (_, Some(values)) => Ok(values.get(scalar.index as usize).copied().unwrap_or(0)),
                (_, None) if live[place] => Err(Trouble::Untrack(scalar.variable)),
                (_, None) => Ok(0),
            }
        };
        (0..scalars.len()).map(value).collect()
    }

    /// What a broadcast or signal of a thread does to another.
    pub(super) fn change(
        &mut self,
        shared: u32,
        own: u32,
        edge: EdgeId,
        passive: u32,
    ) -> Result<Change, Trouble> {
        let key = (shared, own, edge, passive);
        if let Some(&known) = self.changes.get(&key) {
            return Ok(known);
        }
        let change = self.find_change(shared, own, edge, passive)?;
        self.changes.insert(key, change);
        Ok(change)
    }

    fn find_change(&mut self, shared: u32, own: u32, id: EdgeId, passive: u32) -> Result<Change, Trouble> {
        let (before, mine, theirs) = (
            Rc::clone(self.shared.get(shared)),
            Rc::clone(self.own.get(own)),
            Rc::clone(self.own.get(passive)),
        );
        let Self { program, layout, code, evaluator, .. } = self;
        let template = program.location(theirs.location).template;
        let situation =
            Situation { shared: &before.values, own: &mine.values, passive: &theirs.values, chosen: &[] };
        let mut is_evaluated = false;
        for update in program.edge(id).updates().iter().filter(|update| update.template == template) {
            if !is_evaluated {
                evaluator.run(program, layout, &code[id.index()].passive, situation);
                is_evaluated = true;
            }
            let guard = evaluator.get(update.guard);
            if guard == Some(0) {
                continue;
            }
            let live = layout.live(theirs.location);
            let mut values = theirs.values.clone();
            for &(variable, value) in &update.assignments {
                let Some(start) = layout.start(variable).filter(|&start| live[start]) else { continue };
                values[start] = evaluator.get(value).ok_or(Trouble::Untrack(variable))?;
            }
            // Of several updates that are possible the first happens: what follows one that is not certain is not looked at.
            let is_sure = guard == Some(1);
            let changed = self.place(theirs.location, values).unwrap_or(passive);
            return Ok(if is_sure { Change::Sure(changed) } else { Change::Perhaps(changed) });
        }
        Ok(Change::Never)
    }
}

fn code(program: &Program, id: EdgeId) -> Code {
    let edge = program.edge(id);
    let mut roots = vec![edge.guard];
    for assignment in &edge.assignments {
        roots.extend(assignment.index);
        roots.push(assignment.value);
    }
    if let Some(Effect::Spawn { arguments, .. }) = &edge.effect {
        roots.extend(arguments.iter().map(|&(_, value)| value));
    }
    let order = program.expressions.subexpressions(roots);
    let nondet = |&id: &ExpressionId| match program.expressions.get(id) {
        throng_cfa::flow::Expression::Nondet(nondet) => Some((nondet, program.expressions.bits(id))),
        _ => None,
    };
    let nondets = order.iter().filter_map(nondet).collect();
    let passive = edge.updates().iter().flat_map(|update| {
        std::iter::once(update.guard).chain(update.assignments.iter().map(|&(_, value)| value))
    });
    let passive = program.expressions.subexpressions(passive.collect::<Vec<_>>());
    Code { order, passive, nondets }
}
