//! Functions as lists of instructions: names are replaced by what they refer to, and nesting by jumps.
//!
//! All errors about names and numbers of arguments are found here, also in functions that are never called. An
//! instruction that contains an error is left out; the result is thrown away then.

mod arity;

use super::body::{Arena, Body, Enforced, Instruction, Operation};
use super::graph::{Assignment, AssignmentId, Expression, ExpressionId, FunctionId, Reference, Target};
use crate::expression::{Node, Operator};
use crate::messages::Messages;
use crate::resolve::{Lookup, Order, Place, Scopes};
use crate::syntax::{self, Name, Program, Statement, StatementKind};
use throng_base::{Diagnostic, Span};

/// The bodies of all functions, by their ids. In the arena remains what belongs to functions that are used.
pub(super) fn lower<'s>(
    tree: &Program,
    order: &Order,
    scopes: &Scopes,
    arena: &mut Arena,
    errors: &mut Messages<'s>,
    warnings: &mut Messages<'s>,
) -> Vec<Body> {
    let mut bodies: Vec<Body> = tree.functions.iter().map(|_| Body::default()).collect();
    let mut part = |functions: &[FunctionId], arena: &mut Arena| {
        // What functions enforce comes first, since calls from anywhere establish it.
        for &id in functions {
            let mut lookup = Lookup::new(tree, scopes, id, errors);
            let mut conditions = Vec::new();
            collect_enforced(&tree.functions[id.index()].body, &mut lookup, &mut conditions);
            bodies[id.index()].enforced = conjoin(conditions, arena);
        }
        for &id in functions {
            let function = &tree.functions[id.index()];
            let lookup = Lookup::new(tree, scopes, id, errors);
            let body = Body { enforced: bodies[id.index()].enforced, ..Body::default() };
            let n_results = function.n_results;
            let mut lowering = Lowering { lookup, scopes, n_results, others: &bodies, arena, warnings, body };
            lowering.block(&function.body);
            lowering.emit(function.end, Operation::Return(None));
            bodies[id.index()] = lowering.body;
        }
    };
    part(order.used(), arena);
    let end = arena.end();
    part(order.unused(), arena);
    arena.truncate(end);
    bodies
}

/// The conditions after `enforce`, also in nested statements.
fn collect_enforced(statements: &[Statement], lookup: &mut Lookup<'_, '_>, conditions: &mut Vec<Expression>) {
    for statement in statements {
        if let StatementKind::Enforce(condition) = &statement.kind {
            conditions.extend(lookup.expression(condition, Place::Own));
        }
        statement.kind.blocks().for_each(|block| collect_enforced(block, lookup, conditions));
    }
}

fn conjoin(conditions: Vec<Expression>, arena: &mut Arena) -> Option<Enforced> {
    let before = conditions.into_iter().reduce(|all, next| all.binary(Operator::And, next))?;
    let after = before.map(|reference| Reference { is_next: true, ..*reference });
    Some(Enforced { before: arena.expression(before), after: arena.expression(after) })
}

/// Lowers one function.
struct Lowering<'a, 's> {
    lookup: Lookup<'a, 's>,
    scopes: &'a Scopes,
    n_results: u32,
    /// All functions: what they enforce is known.
    others: &'a [Body],
    arena: &'a mut Arena,
    warnings: &'a mut Messages<'s>,
    body: Body,
}

impl Lowering<'_, '_> {
    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            let position = self.position();
            for (index, label) in statement.labels.iter().enumerate() {
                if !statement.labels[..index].iter().any(|earlier| earlier.symbol == label.symbol) {
                    self.body.labels.push((label.symbol, position));
                }
            }
            self.statement(statement);
        }
    }

    /// Emits a statement, or nothing if it contains an error.
    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::If { arms, otherwise } => self.conditional(span, arms, otherwise.as_deref()),
            StatementKind::While { condition, body } => self.repetition(span, condition, body),
            kind => {
                let is_async = self.is_async(statement);
                if let Some(operation) = self.operation(kind, span, is_async) {
                    self.emit(span, operation);
                }
            }
        }
    }

    /// The instruction for a simple statement.
    fn operation(&mut self, kind: &StatementKind, span: Span, is_async: bool) -> Option<Operation> {
        Some(match kind {
            // What is enforced is part of other instructions.
            StatementKind::Skip | StatementKind::Enforce(_) => Operation::Skip,
            StatementKind::EndThread => Operation::EndThread,
            StatementKind::AtomicBegin => Operation::AtomicBegin,
            StatementKind::AtomicEnd => Operation::AtomicEnd,
            StatementKind::StartAt(label) => Operation::StartAt(self.lookup.label(*label)?),
            StatementKind::Goto(labels) => {
                let found: Vec<Option<u32>> = labels.iter().map(|&label| self.lookup.label(label)).collect();
                Operation::Jump(found.into_iter().collect::<Option<Vec<u32>>>()?)
            }
            StatementKind::Assume(condition) => Operation::Assume(self.value(condition, Place::Own)?),
            StatementKind::AbortIf(condition) => Operation::Assume(self.both(condition)?.1),
            StatementKind::Assert(condition) => {
                let (holds, fails) = self.both(condition)?;
                Operation::Assert { holds, fails }
            }
            StatementKind::Return(values) => self.return_(values, span)?,
            StatementKind::Dead(variables) => Operation::Assign(self.dead(variables)?),
            StatementKind::Assign { targets, values, constrain } => {
                Operation::Assign(self.assign(targets, values, constrain.as_ref(), span)?)
            }
            StatementKind::Call { targets, function, arguments } if is_async => {
                self.refuse_results(targets);
                self.start(*function, arguments)?
            }
            StatementKind::StartFunction { function, arguments } => self.start(*function, arguments)?,
            StatementKind::Call { targets, function, arguments } => {
                self.call(targets, *function, arguments)?
            }
            StatementKind::Sync(label) => {
                self.refuse_sync(*label, span);
                return None;
            }
            // INVARIANT: compound statements are not simple.
            StatementKind::If { .. } | StatementKind::While { .. } => return None,
        })
    }

    fn conditional(
        &mut self,
        head: Span,
        arms: &[(syntax::Expression, Vec<Statement>)],
        otherwise: Option<&[Statement]>,
    ) {
        let mut ends = Vec::new();
        for (number, (condition, body)) in arms.iter().enumerate() {
            let span = if number == 0 { head } else { condition.span };
            let branch = self.branch(span, condition);
            self.block(body);
            if number + 1 < arms.len() || otherwise.is_some() {
                ends.push(self.emit(condition.span, Operation::Forward(0)));
            }
            self.patch(branch);
        }
        self.block(otherwise.unwrap_or_default());
        ends.into_iter().for_each(|end| self.patch(end));
    }

    fn repetition(&mut self, head: Span, condition: &syntax::Expression, body: &[Statement]) {
        let branch = self.branch(head, condition);
        self.block(body);
        self.emit(head, Operation::Forward(branch));
        self.patch(branch);
    }

    /// Emits a branch that is to be patched; its position is returned.
    fn branch(&mut self, span: Span, condition: &syntax::Expression) -> u32 {
        let (holds, fails) = self.both(condition).unwrap_or((Arena::CHOICE, Arena::CHOICE));
        self.emit(span, Operation::Branch { holds, fails, otherwise: 0 })
    }

    /// Lets the instruction at `position` lead to what is emitted next.
    fn patch(&mut self, position: u32) {
        let here = self.position();
        match &mut self.body.code[position as usize].operation {
            Operation::Branch { otherwise, .. } => *otherwise = here,
            Operation::Forward(target) => *target = here,
            _ => {}
        }
    }

    fn emit(&mut self, span: Span, operation: Operation) -> u32 {
        self.body.code.push(Instruction { span, operation });
        self.position() - 1
    }

    /// The position of what is emitted next. A statement takes bytes of a source below 4 GiB, so positions suffice.
    fn position(&self) -> u32 {
        self.body.code.len() as u32
    }

    fn value(&mut self, expression: &syntax::Expression, place: Place) -> Option<ExpressionId> {
        let expression = self.lookup.expression(expression, place)?;
        Some(self.arena.expression(expression))
    }

    /// Several values; all their errors are found.
    fn values(&mut self, expressions: &[syntax::Expression], place: Place) -> Option<Vec<ExpressionId>> {
        let values: Vec<Option<ExpressionId>> = expressions.iter().map(|it| self.value(it, place)).collect();
        values.into_iter().collect()
    }

    /// A condition and its negation.
    fn both(&mut self, condition: &syntax::Expression) -> Option<(ExpressionId, ExpressionId)> {
        let holds = self.lookup.expression(condition, Place::Own)?;
        let fails = holds.clone().negated();
        Some((self.arena.expression(holds), self.arena.expression(fails)))
    }

    fn return_(&mut self, values: &[syntax::Expression], span: Span) -> Option<Operation> {
        let lowered = self.values(values, Place::Own);
        self.check_results(values.len(), span)?;
        Some(Operation::Return(Some(lowered?)))
    }

    fn dead(&mut self, variables: &[Name]) -> Option<AssignmentId> {
        let targets: Vec<syntax::Target> =
            variables.iter().map(|&name| syntax::Target { name, is_passive: false }).collect();
        let targets: Vec<Target> = self.targets(&targets)?.into_iter().flatten().collect();
        let values = vec![Arena::CHOICE; targets.len()];
        let constraints = self.own_enforced();
        Some(self.arena.assignment(Assignment { targets, values, constraints }))
    }

    fn assign(
        &mut self,
        targets: &[syntax::Target],
        values: &[syntax::Expression],
        constrain: Option<&syntax::Expression>,
        span: Span,
    ) -> Option<AssignmentId> {
        let lowered_targets = self.targets(targets);
        let lowered: Vec<Option<ExpressionId>> =
            values.iter().map(|value| self.value(value, Place::Passive)).collect();
        // Own variables that get what others have: those are numbered among the targets.
        let pairs = || targets.iter().zip(values).enumerate();
        let readers = pairs().filter(|(_, (target, value))| !target.is_passive && reads_others(value));
        let readers: Vec<usize> = readers.map(|(at, _)| at).collect();
        let is_broadcast = targets.iter().any(|target| target.is_passive) || !readers.is_empty();
        let place = if is_broadcast { Place::PassiveConstrain } else { Place::Constrain };
        let constrain = constrain.map(|it| self.value(it, place));
        self.check_values(targets.len(), values.len(), span)?;
        let mut constraints = self.own_enforced();
        if let Some(constrain) = constrain {
            constraints.insert(0, constrain?);
        }
        let mut all = lowered_targets?;
        let mut lowered = lowered.into_iter().collect::<Option<Vec<_>>>()?;
        for at in readers {
            self.read_others(&mut all, &mut lowered, &mut constraints, (at, &values[at]))?;
        }
        let kept = all.into_iter().zip(lowered).filter_map(|(target, value)| Some((target?, value)));
        let (targets, values) = kept.unzip();
        Some(self.arena.assignment(Assignment { targets, values, constraints }))
    }

    /// Turns an own variable's value that mentions other threads into a constraint, which has a monotone closure.
    fn read_others(
        &mut self,
        targets: &mut Vec<Option<Target>>,
        values: &mut Vec<ExpressionId>,
        constraints: &mut Vec<ExpressionId>,
        (at, written): (usize, &syntax::Expression),
    ) -> Option<()> {
        let value = self.lookup.expression(written, Place::Passive)?;
        let span = written.span;
        if value.nodes().iter().any(|it| matches!(it, Node::Choice | Node::Schoose)) {
            self.lookup.errors.push(span, |source| {
                let message = "a value that mentions other threads cannot be chosen";
                Diagnostic::error("E0509", message)
                    .at(source, span, "expected no `*` beside `$`")
                    .note("all threads take part in such a value, and it would not be clear who chooses")
            });
            return None;
        }
        self.warnings.push(span, |source| {
            Diagnostic::warning("W0504", "other threads that this value is not true of are gone")
                .at(source, span, "depends on all other threads")
                .note("the value is one that some thread could lead to; this is the monotone closure")
        });
        let Some(Target { variable, .. }) = targets[at] else { return Some(()) };
        let read = value.references().find(|it| it.is_passive).copied();
        if !targets.iter().flatten().any(|it| it.is_passive)
            && let Some(read) = read
        {
            // A constraint on others belongs to an assignment of theirs, which changes nothing here.
            targets.push(Some(Target { variable: read.variable, is_passive: true }));
            let kept = Expression::from_postorder(vec![Node::Read(read)]);
            values.push(self.arena.expression(kept.expect("INVARIANT: a leaf is an expression")));
        }
        let next = Node::Read(Reference { variable, is_next: true, is_passive: false });
        let nodes = std::iter::once(next).chain(value.nodes().iter().cloned());
        let equal = nodes.chain([Node::Binary(Operator::Equal)]).collect();
        let equal = Expression::from_postorder(equal).expect("INVARIANT: two operands stand before it");
        values[at] = Arena::CHOICE;
        constraints.push(self.arena.expression(equal));
        Some(())
    }

    /// What holds after assignments in this function.
    fn own_enforced(&self) -> Vec<ExpressionId> {
        self.body.enforced.iter().map(|enforced| enforced.after).collect()
    }

    /// What is assigned to, without repetition; `None` where the value is thrown away.
    fn targets(&mut self, targets: &[syntax::Target]) -> Option<Vec<Option<Target>>> {
        let mut found = Vec::with_capacity(targets.len());
        for &target in targets {
            found.push(if self.lookup.is_thrown_away(target) {
                Some(None)
            } else {
                self.lookup.target(target).map(Some)
            });
        }
        let found = found.into_iter().collect::<Option<Vec<Option<Target>>>>()?;
        self.check_distinct(targets, &found)?;
        Some(found)
    }

    fn call(
        &mut self,
        targets: &[syntax::Target],
        name: Name,
        arguments: &[syntax::Expression],
    ) -> Option<Operation> {
        let (targets_found, values) = (self.targets(targets), self.values(arguments, Place::Own));
        let function = self.lookup.function(name)?;
        self.check_call(name, function, arguments.len(), targets.len())?;
        let (targets, mut values) = (targets_found?, values?);
        let scope = self.scopes.of(function);
        let own = scope.parameters.iter().chain(&scope.variables);
        let entered: Vec<Target> = own.map(|&variable| Target { variable, is_passive: false }).collect();
        values.resize(entered.len(), Arena::CHOICE);
        let constraints =
            self.others[function.index()].enforced.iter().map(|enforced| enforced.after).collect();
        let enter = (!entered.is_empty())
            .then(|| self.arena.assignment(Assignment { targets: entered, values, constraints }));
        Some(Operation::Call { function, enter, targets })
    }

    fn start(&mut self, name: Name, arguments: &[syntax::Expression]) -> Option<Operation> {
        let values = self.values(arguments, Place::Own);
        let function = self.lookup.function(name)?;
        self.check_call(name, function, arguments.len(), 0)?;
        let values = values?;
        let parameters = &self.scopes.of(function).parameters;
        let targets = parameters.iter().map(|&variable| Target { variable, is_passive: false }).collect();
        let arguments = (!values.is_empty())
            .then(|| self.arena.assignment(Assignment { targets, values, constraints: Vec::new() }));
        Some(Operation::Start { function, arguments })
    }

    /// Whether a statement is labelled `ASYNC_<n>` and is a call.
    fn is_async(&mut self, statement: &Statement) -> bool {
        let tree = self.lookup.tree;
        let Some(&label) = statement.labels.iter().find(|label| is_async_label(tree.text(label.symbol)))
        else {
            return false;
        };
        let is_call = matches!(statement.kind, StatementKind::Call { .. });
        if !is_call {
            self.warnings.push(label.span, |source| {
                let text = tree.text(label.symbol);
                Diagnostic::warning("W0502", format!("`{text}` labels a statement that is not a call"))
                    .at(source, label.span, "starts no thread")
                    .note("a label `ASYNC_<n>` before a call starts the function in a new thread")
            });
        }
        is_call
    }

    fn refuse_sync(&mut self, label: Name, span: Span) {
        let text = self.lookup.tree.text(label.symbol);
        self.lookup.errors.push(span, |source| {
            Diagnostic::error(
                "E0514",
                format!("`sync {text}` has no defined meaning for any number of threads"),
            )
            .at(source, span, "not supported")
            .hint("write a barrier with shared variables and `assume`")
        });
    }
}

/// Whether a call with this label starts a thread.
pub(crate) fn is_async_label(label: &str) -> bool {
    let digits = label.strip_prefix("ASYNC_").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a value mentions variables of other threads.
fn reads_others(value: &syntax::Expression) -> bool {
    value.tree.references().any(|it| it.is_passive)
}
