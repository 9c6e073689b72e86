//! Which variables can matter: local ones by location, shared ones everywhere.
//!
//! A local variable is *live* at a location if some thread that is there may read its value before it is assigned. A value
//! is read where it decides something: by conditions and constraints, and by assignments to variables that matter
//! themselves. Variables of a passive thread that broadcasts read are live everywhere. A shared variable *matters* if
//! some statement reads it so. Forward searches forget the values of all other variables; backward searches never meet them.

use throng_boolprog::expression::Node;
use throng_boolprog::flow::{
    ChildLocals, Edge, Effect, ExpressionId, LocationId, Program, Reference, VariableId,
};
use throng_boolprog::{Cube, ProgramQuestion};

/// A set of numbers, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set {
    words: Vec<u64>,
}

impl Set {
    pub(crate) fn contains(&self, item: u32) -> bool {
        self.words.get(item as usize / 64).is_some_and(|word| word >> (item % 64) & 1 == 1)
    }

    fn insert(&mut self, item: u32) {
        let word = item as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (item % 64);
    }

    fn remove(&mut self, item: u32) {
        if let Some(word) = self.words.get_mut(item as usize / 64) {
            *word &= !(1 << (item % 64));
        }
    }

    /// Adds all of another set; whether that made a difference.
    fn add(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            grown |= more & !*word != 0;
            *word |= more;
        }
        grown
    }

    /// The items of both sets.
    pub(crate) fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a & b);
        (0_u32..).zip(words).flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct Liveness {
    shared: Set,
    /// By location.
    locals: Vec<Set>,
}

impl Liveness {
    pub(crate) fn new(program: &Program, question: &ProgramQuestion) -> Self {
        let matters = Matters::new(program, question);
        let mut locals = vec![matters.everywhere.clone(); program.locations().len()];
        for thread in question.targets.iter().flat_map(|target| &target.threads) {
            let live = &mut locals[thread.location.index()];
            thread.locals.iter().for_each(|(variable, _)| live.insert(variable));
        }
        let mut incoming: Vec<Vec<LocationId>> = vec![Vec::new(); program.locations().len()];
        for edge in program.edges() {
            let child = match edge.effect {
                Effect::Start { at, .. } => Some(at),
                Effect::None | Effect::Assign(_) => None,
            };
            edge.to.into_iter().chain(child).for_each(|to| incoming[to.index()].push(edge.from));
        }
        let mut waiting: Vec<LocationId> = LocationId::all(program.locations().len()).collect();
        while let Some(at) = waiting.pop() {
            let mut live = Set::default();
            for &edge in program.outgoing(at) {
                live.add(&before(program, &matters, edge, &locals));
            }
            if locals[at.index()].add(&live) {
                waiting.extend(&incoming[at.index()]);
            }
        }
        Self { shared: matters.shared, locals }
    }

    /// As if everything mattered that a thread can read from where it is, and all shared variables.
    pub(crate) fn in_full(program: &Program, question: &ProgramQuestion) -> Self {
        let matters = Matters::new(program, question);
        let mut shared = Set::default();
        (0..program.atomic_bit()).for_each(|variable| shared.insert(variable));
        let locals = LocationId::all(program.locations().len()).map(|location| {
            let functions: Vec<_> = program.functions_at(location).collect();
            let mut live = matters.everywhere.clone();
            for (index, variable) in (0_u32..).zip(program.locals()) {
                if variable.function.is_none_or(|function| functions.contains(&function)) {
                    live.insert(index);
                }
            }
            live
        });
        Self { shared, locals: locals.collect() }
    }

    /// The local variables that matter at a location.
    pub(crate) fn at(&self, location: LocationId) -> &Set {
        &self.locals[location.index()]
    }

    /// What a thread's variables say about those that matter.
    pub(crate) fn local(&self, location: LocationId, cube: &Cube) -> Cube {
        let live = self.at(location);
        cube.restricted(|variable| live.contains(variable))
    }

    /// What shared variables say about those that matter; the atomic bit always does.
    pub(crate) fn shared(&self, atomic_bit: u32, cube: &Cube) -> Cube {
        cube.restricted(|variable| variable == atomic_bit || self.shared.contains(variable))
    }
}

/// What a thread that takes an edge may read, of its own variables.
fn before(program: &Program, matters: &Matters, edge: Edge, locals: &[Set]) -> Set {
    let mut live = edge.to.map_or_else(Set::default, |to| locals[to.index()].clone());
    match edge.effect {
        Effect::None => {}
        Effect::Assign(id) => {
            let assignment = program.assignment(id);
            let own = assignment.targets.iter().filter(|target| !target.is_passive);
            let after = live.clone();
            own.for_each(|target| {
                if let VariableId::Local(index) = target.variable {
                    live.remove(index);
                }
            });
            for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
                let wanted = match target.variable {
                    VariableId::Shared(index) => matters.shared.contains(index),
                    // Which values of passive threads matter depends on where they are.
                    VariableId::Local(index) if target.is_passive => matters.locals.contains(index),
                    VariableId::Local(index) => after.contains(index),
                };
                // With constraints, a choice that is not wanted itself may decide whether the step is possible.
                if wanted || !assignment.constraints.is_empty() {
                    read(program, value, |own| live.insert(own));
                }
            }
            let targets = &assignment.targets;
            for &constraint in &assignment.constraints {
                references(program, constraint, |reference| {
                    let is_target = |it: &throng_boolprog::flow::Target| {
                        it.variable == reference.variable && it.is_passive == reference.is_passive
                    };
                    let is_old = !(reference.is_next && targets.iter().any(is_target));
                    if let (VariableId::Local(index), false, true) =
                        (reference.variable, reference.is_passive, is_old)
                    {
                        live.insert(index);
                    }
                });
            }
        }
        Effect::Start { at, locals: ChildLocals::Copied } => {
            live.add(&locals[at.index()]);
        }
        Effect::Start { at, locals: ChildLocals::Fresh(arguments) } => {
            if let Some(assignment) = arguments.map(|id| program.assignment(id)) {
                for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
                    if matches!(target.variable, VariableId::Local(it) if locals[at.index()].contains(it)) {
                        read(program, value, |own| live.insert(own));
                    }
                }
            }
        }
    }
    for condition in edge.guard.into_iter().chain(edge.enforced) {
        read(program, condition, |own| live.insert(own));
    }
    live
}

/// Reports the own local variables of an expression.
fn read(program: &Program, id: ExpressionId, mut report: impl FnMut(u32)) {
    references(program, id, |reference| {
        if let (VariableId::Local(index), false) = (reference.variable, reference.is_passive) {
            report(index);
        }
    });
}

fn references(program: &Program, id: ExpressionId, mut report: impl FnMut(Reference)) {
    for node in program.expression(id).nodes() {
        if let Node::Read(reference) = node {
            report(*reference);
        }
    }
}

/// What matters wherever a thread is.
struct Matters {
    shared: Set,
    /// Local variables that matter at some location.
    locals: Set,
    /// Local variables that broadcasts read in passive threads.
    everywhere: Set,
}

impl Matters {
    /// The least set that contains what the question, conditions and constraints read, and what assignments to
    /// members read.
    fn new(program: &Program, question: &ProgramQuestion) -> Self {
        let mut matters = Self { shared: Set::default(), locals: Set::default(), everywhere: Set::default() };
        for target in &question.targets {
            let variables = target.shared.iter().filter(|&(variable, _)| variable != program.atomic_bit());
            variables.for_each(|(variable, _)| matters.shared.insert(variable));
            let locals = target.threads.iter().flat_map(|thread| thread.locals.iter());
            locals.for_each(|(variable, _)| matters.locals.insert(variable));
        }
        // What is read, and for which variable's sake.
        let mut pending: Vec<(Option<VariableId>, ExpressionId)> = Vec::new();
        for edge in program.edges() {
            pending.extend(edge.guard.into_iter().chain(edge.enforced).map(|it| (None, it)));
            let id = match edge.effect {
                Effect::Assign(id) | Effect::Start { locals: ChildLocals::Fresh(Some(id)), .. } => id,
                _ => continue,
            };
            let assignment = program.assignment(id);
            pending.extend(assignment.constraints.iter().map(|&it| (None, it)));
            // With constraints, a choice that is not wanted itself may decide whether the step is possible.
            let is_free = assignment.constraints.is_empty();
            let pairs = assignment.targets.iter().zip(&assignment.values);
            pending.extend(pairs.map(|(target, &value)| (is_free.then_some(target.variable), value)));
        }
        loop {
            let before = pending.len();
            pending.retain(|&(target, expression)| {
                let waits = target.is_some_and(|target| !matters.contains(target));
                if !waits {
                    references(program, expression, |reference| matters.insert(reference));
                }
                waits
            });
            if pending.len() == before {
                return matters;
            }
        }
    }

    fn contains(&self, variable: VariableId) -> bool {
        match variable {
            VariableId::Shared(index) => self.shared.contains(index),
            VariableId::Local(index) => self.locals.contains(index),
        }
    }

    fn insert(&mut self, reference: Reference) {
        match reference.variable {
            VariableId::Shared(index) => self.shared.insert(index),
            VariableId::Local(index) => {
                self.locals.insert(index);
                if reference.is_passive {
                    self.everywhere.insert(index);
                }
            }
        }
    }
}
