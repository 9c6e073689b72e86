//! Makes abstract programs: locations, the beginnings of threads, and for each edge what it demands and assigns.

use super::formulas::{clause, constant, read, tree};
use super::{AbstractProgram, Origin, Own, scope_name};
use crate::monotone::{Sides, is_blocked};
use crate::relate::{Context, Limits, Literals, Relation, Values, is_first};
use crate::scene::{Act, Bit, Others, Time, Who};
use crate::scopes::Scopes;
use throng_base::StopReason;
use throng_boolprog::expression::{Node, Operator};
use throng_boolprog::flow::{
    self as boolean, Assignment, ChildLocals, Expression, Maker, Reference, Target, VariableId,
};
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_cfa::flow::{EdgeId, Effect, LocationId, LocationKind, Program, TemplateId};
use throng_cfa::invariant::PredicateId;

/// Computes the abstract program.
pub(crate) fn abstract_program(
    context: &Context<'_>,
    others: Others,
    limits: Limits<'_>,
) -> Result<AbstractProgram, StopReason> {
    let mut maker = Abstraction::new(context, others, limits);
    maker.locations();
    maker.beginnings()?;
    for index in 0..context.program.edges.len() {
        maker.edge(EdgeId::new(index))?;
    }
    Ok(maker.finish())
}

struct Abstraction<'a, 'p> {
    context: &'a Context<'p>,
    others: Others,
    limits: Limits<'a>,
    maker: Maker,
    variables: Vec<VariableId>,
    scopes: Vec<VariableId>,
    shared: Vec<PredicateId>,
    /// How many threads were started, in binary; nothing if any number may be.
    started: Vec<VariableId>,
    own: Vec<Own>,
    locations: Vec<Option<LocationId>>,
    origins: Vec<Origin>,
    /// Where threads of a template are before they begin; then where the first one is.
    beginnings: Vec<boolean::LocationId>,
    size: usize,
    is_dual_reference: bool,
    is_monotone: bool,
}

impl<'a, 'p> Abstraction<'a, 'p> {
    fn new(context: &'a Context<'p>, others: Others, limits: Limits<'a>) -> Self {
        let mut maker = Maker::default();
        let (mut variables, mut shared, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for id in context.ids() {
            let name = format!("b{}", id.index());
            variables.push(match context.owner(id) {
                Who::State => {
                    shared.push(id);
                    maker.shared(&name)
                }
                _ => {
                    own.push(Own::Predicate(id));
                    maker.local(&name)
                }
            });
        }
        let most = if let Others::AtMost(most) = others { most } else { 0 };
        let n_bits = usize::BITS - most.leading_zeros();
        let started = (0..n_bits).map(|it| maker.shared(&format!("n{it}"))).collect();
        let mut scopes = Vec::new();
        for scope in 0..context.scopes.len() {
            own.push(Own::Scope(scope));
            scopes.push(maker.local(&scope_name(scope)));
        }
        Self {
            context,
            others,
            limits,
            maker,
            variables,
            scopes,
            shared,
            started,
            own,
            locations: Vec::new(),
            origins: Vec::new(),
            beginnings: Vec::new(),
            size: 0,
            is_dual_reference: false,
            is_monotone: true,
        }
    }

    fn program(&self) -> &'p Program {
        self.context.program
    }

    /// The locations of the program, with the same numbers, and the places where threads begin.
    fn locations(&mut self) {
        for (index, location) in self.program().locations.iter().enumerate() {
            self.maker.location(&format!("L{index}"), location.is_atomic);
            self.locations.push(Some(LocationId::new(index)));
        }
        for index in 0..=self.program().templates.len() {
            let at = self.maker.location(&format!("B{index}"), false);
            self.beginnings.push(at);
            self.locations.push(None);
        }
    }

    fn beginnings(&mut self) -> Result<(), StopReason> {
        let main = self.program().main;
        let started = TemplateId::all(self.program().templates.len())
            .filter(|&it| it != main || !self.context.main_is_single)
            .map(|it| (it, false, it.index()));
        let first = (main, true, self.program().templates.len());
        for (template, first, at) in started.chain([first]) {
            let act = Act::Begin { template, first };
            let entry = self.program().templates[template.index()].entry;
            let effect = self.effect(act, entry)?.unwrap_or(boolean::Effect::None);
            let (from, to) = (self.beginnings[at], boolean::LocationId::new(entry.index()));
            self.maker.edge(from, to, effect);
            self.origins.push(Origin::Begin { template, first });
        }
        Ok(())
    }

    fn edge(&mut self, id: EdgeId) -> Result<(), StopReason> {
        let edge = self.program().edge(id);
        let effect = self.effect(Act::Edge(edge), edge.to)?;
        let (from, to) =
            (boolean::LocationId::new(edge.from.index()), boolean::LocationId::new(edge.to.index()));
        let Some(Effect::Spawn { template, .. }) = edge.effect else {
            self.maker.edge(from, to, effect.unwrap_or(boolean::Effect::None));
            self.origins.push(Origin::Edge(id));
            return Ok(());
        };
        let start = boolean::Effect::Start {
            at: self.beginnings[template.index()],
            locals: ChildLocals::Fresh(Some(self.nowhere())),
        };
        match effect {
            None => {
                self.maker.edge(from, to, start);
                self.origins.push(Origin::Edge(id));
            }
            Some(effect) => {
                let is_atomic = self.program().location(edge.from).is_atomic;
                let between = self.maker.location(&format!("S{}", id.index()), is_atomic);
                self.locations.push(None);
                self.maker.edge(from, between, effect);
                self.origins.push(Origin::Before(id));
                self.maker.edge(between, to, start);
                self.origins.push(Origin::Start);
            }
        }
        Ok(())
    }

    /// A thread that does not know anything yet counts nowhere.
    fn nowhere(&mut self) -> boolean::AssignmentId {
        let mut assignment = Assignment { targets: Vec::new(), values: Vec::new(), constraints: Vec::new() };
        for scope in 0..self.scopes.len() {
            let value = self.maker.expression(constant(false));
            self.assign(&mut assignment, self.scopes[scope], false, Some(value));
        }
        self.maker.assignment(assignment)
    }

    /// What a step does; `None` if it changes and demands nothing.
    fn effect(&mut self, act: Act<'_>, to: LocationId) -> Result<Option<boolean::Effect>, StopReason> {
        let context = self.context;
        let active = context.active(act, self.others, self.limits)?;
        let affected = context.affected(act);
        let mut assignment = Assignment { targets: Vec::new(), values: Vec::new(), constraints: Vec::new() };
        for &id in &affected {
            self.assign(&mut assignment, self.variables[id.index()], false, None);
        }
        self.move_scopes(act, to, &mut assignment);
        self.count_started(act, &mut assignment);
        self.constrain(&mut assignment, &active, None);
        self.exclude(&mut assignment, &context.learned(act, None), None);
        for passive in TemplateId::all(self.program().templates.len()) {
            if is_first(act) || context.is_alone(act, passive) {
                continue;
            }
            let relation = context.passive(act, passive, self.others, self.limits)?;
            let learned = context.learned(act, Some(passive));
            self.is_monotone &= !learned.iter().any(|it| is_blocked(it));
            if relation.is_none() && learned.is_empty() {
                continue;
            }
            for &id in &context.affected_passive(act, passive) {
                self.assign(&mut assignment, self.variables[id.index()], true, None);
            }
            let is_theirs = self.scopes[Scopes::whole(passive)];
            if let Some(relation) = &relation {
                self.note(relation);
                self.constrain(&mut assignment, relation, Some(is_theirs));
            }
            self.exclude(&mut assignment, &learned, Some(is_theirs));
            if !assignment.targets.iter().any(|target| target.is_passive) {
                // A constraint on passive threads needs something of theirs to be assigned.
                let value = self.maker.expression(read(is_theirs, false, true));
                self.assign(&mut assignment, is_theirs, true, Some(value));
            }
        }
        if assignment.targets.is_empty() && assignment.constraints.is_empty() {
            return Ok(None);
        }
        Ok(Some(boolean::Effect::Assign(self.maker.assignment(assignment))))
    }

    fn assign(
        &mut self,
        assignment: &mut Assignment,
        variable: VariableId,
        is_passive: bool,
        value: Option<boolean::ExpressionId>,
    ) {
        assignment.targets.push(Target { variable, is_passive });
        assignment.values.push(value.unwrap_or(Maker::CHOICE));
    }

    /// A thread knows in which scopes it counts.
    fn move_scopes(&mut self, act: Act<'_>, to: LocationId, assignment: &mut Assignment) {
        for scope in 0..self.scopes.len() {
            let after = self.context.scopes.contains(scope, to);
            let before = match act {
                Act::Edge(edge) => Some(self.context.scopes.contains(scope, edge.from)),
                Act::Begin { .. } => None,
            };
            if before != Some(after) {
                let value = self.maker.expression(constant(after));
                self.assign(assignment, self.scopes[scope], false, Some(value));
            }
        }
    }

    /// Counts a thread that is started, if that may be.
    fn count_started(&mut self, act: Act<'_>, assignment: &mut Assignment) {
        let Others::AtMost(most) = self.others else { return };
        let bits = self.started.clone();
        let now =
            |variable: VariableId| Node::Read(Reference { variable, is_next: false, is_passive: false });
        if is_first(act) {
            for &bit in &bits {
                let value = self.maker.expression(constant(false));
                self.assign(assignment, bit, false, Some(value));
            }
        }
        if !matches!(act, Act::Edge(edge) if matches!(edge.effect, Some(Effect::Spawn { .. }))) {
            return;
        }
        // The first thread is started by nobody.
        let last = most.saturating_sub(1);
        let full = bits.iter().enumerate().map(|(at, &variable)| {
            (Reference { variable, is_next: false, is_passive: false }, last >> at & 1 == 1)
        });
        let nodes = clause(full);
        self.demand(assignment, nodes, None);
        for (at, &bit) in bits.iter().enumerate() {
            let mut nodes = vec![now(bit), Node::Constant(true)];
            for &lower in &bits[..at] {
                nodes.extend([now(lower), Node::Binary(Operator::And)]);
            }
            nodes.push(Node::Binary(Operator::Xor));
            let value = Expression::from_postorder(nodes).expect("INVARIANT: a sum is an expression");
            let value = self.maker.expression(value);
            self.assign(assignment, bit, false, Some(value));
        }
    }

    fn constrain(&mut self, assignment: &mut Assignment, relation: &Relation, only_if: Option<VariableId>) {
        let references: Vec<Reference> = relation.bits.iter().map(|&bit| self.reference(bit)).collect();
        match &relation.values {
            Values::Models(models) => {
                let all = 1_u128 << references.len();
                if models.len() as u128 != all {
                    let mut nodes = Vec::new();
                    tree(models, &references, 0, &mut nodes);
                    self.demand(assignment, nodes, only_if);
                }
            }
            Values::Except(cubes) => {
                for &cube in cubes {
                    let literals = cube.literals().map(|(at, value)| (references[at], value));
                    self.demand(assignment, clause(literals), only_if);
                }
            }
        }
    }

    /// Excludes values that were found to be impossible.
    fn exclude(&mut self, assignment: &mut Assignment, cubes: &[Literals], only_if: Option<VariableId>) {
        for cube in cubes {
            let nodes = clause(cube.iter().map(|&(bit, value)| (self.reference(bit), value)));
            self.demand(assignment, nodes, only_if);
        }
    }

    /// Adds a constraint; with a condition, for passive threads that satisfy it.
    fn demand(
        &mut self,
        assignment: &mut Assignment,
        mut nodes: Vec<Node<Reference>>,
        only_if: Option<VariableId>,
    ) {
        if let Some(condition) = only_if {
            nodes.push(Node::Read(Reference { variable: condition, is_next: false, is_passive: true }));
            nodes.push(Node::Not);
            nodes.push(Node::Binary(Operator::Or));
        }
        self.size += nodes.iter().filter(|node| matches!(node, Node::Read(_))).count();
        let expression = Expression::from_postorder(nodes).expect("INVARIANT: trees are expressions");
        assignment.constraints.push(self.maker.expression(expression));
    }

    fn reference(&self, bit: Bit) -> Reference {
        match bit {
            Bit::Counts(scope) => {
                Reference { variable: self.scopes[scope], is_next: false, is_passive: true }
            }
            Bit::Value { predicate, who, time } => Reference {
                variable: self.variables[predicate.index()],
                is_next: time == Time::After,
                is_passive: who == Who::Passive,
            },
        }
    }

    /// Whether the abstract program is dual-reference and monotone (eq. 42, for those values of passive threads that occur).
    fn note(&mut self, relation: &Relation) {
        self.is_dual_reference = true;
        let sides = Sides::of(&relation.bits);
        self.is_monotone &= match &relation.values {
            Values::Models(models) => sides.is_monotone(models, sides.occurring(models)),
            // As far as single clauses say.
            Values::Except(cubes) => !cubes.iter().any(|it| sides.is_blocked_by(it.mask)),
        };
    }

    fn finish(self) -> AbstractProgram {
        let program = self.program();
        let errors = LocationId::all(program.locations.len())
            .filter(|&it| matches!(program.location(it).kind, LocationKind::Error(_)));
        let errors: Vec<boolean::LocationId> =
            errors.map(|it| boolean::LocationId::new(it.index())).collect();
        let entry = self.beginnings[program.templates.len()];
        let question = ProgramQuestion::locations(InitThreads::Exactly(1), &errors);
        let (made, order) = self.maker.finish(entry, errors.first().copied().unwrap_or(entry));
        AbstractProgram {
            program: made,
            question,
            origins: order.into_iter().map(|index| self.origins[index]).collect(),
            locations: self.locations,
            shared: self.shared,
            n_counters: self.started.len(),
            own: self.own,
            size: self.size,
            is_dual_reference: self.is_dual_reference,
            is_monotone: self.is_monotone,
        }
    }
}
