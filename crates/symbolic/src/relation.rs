//! What an edge of a program relates: the values before a step and those after it, as a decision diagram.
//!
//! Every edge has variables of its own, so its diagrams are as large as its statement, however many variables the program
//! has. A variable that is not assigned has one diagram variable for both times. `*` needs none: an expression over
//! values is a pair of diagrams, where it can be true and where it can be false, and choices in different operands are
//! made independently, so the pairs are computed operator by operator, exactly.
//!
//! A *passive* relation is about one other thread, given all values of the acting thread and of shared variables before and
//! after. That the step is possible for the acting thread demands that it has a solution (see `throng_boolprog::flow`).

use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_boolprog::expression::{Node, Operator};
use throng_boolprog::flow::{
    Assignment, AssignmentId, ChildLocals, Edge, Effect, ExpressionId, Program, Reference, VariableId,
};

/// More variables than this in one statement are refused: diagrams number their variables with 16 bits, and some
/// operations follow them recursively.
const MAX_VARIABLES: usize = 2_000;

/// Whose variable a diagram variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Owner {
    /// All threads.
    Shared,
    /// The acting thread; after a step that starts a thread, the new one.
    Own,
    /// Another thread.
    Passive,
}

/// What a diagram variable of an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot {
    pub(crate) owner: Owner,
    pub(crate) variable: u32,
    /// The value after the step, of a variable that is assigned.
    pub(crate) is_new: bool,
}

/// The diagram variables of an edge.
#[derive(Debug)]
pub(crate) struct Slots {
    /// By the diagram variable's number; values before and after a step stand side by side.
    pub(crate) all: Vec<Slot>,
    index: FxHashMap<Slot, BddVariable>,
    set: BddVariableSet,
}

impl Slots {
    /// These slots, in this order. There must be fewer than 2^16.
    pub(crate) fn new(all: Vec<Slot>) -> Self {
        let numbered = all.iter().enumerate();
        let index = numbered.map(|(index, &slot)| (slot, BddVariable::from_index(index))).collect();
        let set = BddVariableSet::new_anonymous(all.len() as u16);
        Self { all, index, set }
    }

    /// The diagram that is always true.
    pub(crate) fn always(&self) -> Bdd {
        self.set.mk_true()
    }

    /// The diagram variable of a slot.
    pub(crate) fn get(&self, slot: Slot) -> Option<BddVariable> {
        self.index.get(&slot).copied()
    }

    /// The diagram variables with their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BddVariable, Slot)> + '_ {
        self.all.iter().enumerate().map(|(index, &slot)| (BddVariable::from_index(index), slot))
    }
}

/// What happens to another thread.
#[derive(Debug)]
pub(crate) struct Passive {
    /// Over all slots.
    pub(crate) relation: Bdd,
    /// The variables of the acting thread and the shared ones that the relation mentions, before and after.
    pub(crate) context: Vec<BddVariable>,
}

/// What an edge relates.
#[derive(Debug)]
pub(crate) struct Relation {
    pub(crate) slots: Slots,
    /// Over the slots of shared and own variables.
    pub(crate) active: Bdd,
    /// If others change.
    pub(crate) passive: Option<Passive>,
    /// For an edge that starts a thread with variables of its own: the values before the step and those of the new thread.
    pub(crate) child: Option<Bdd>,
}

/// A statement has too many variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyVariables;

/// The diagrams of a relation, over slots that are given.
#[derive(Debug)]
pub(crate) struct Parts {
    /// See [`Relation::active`].
    pub(crate) active: Bdd,
    /// See [`Passive::relation`].
    pub(crate) passive: Option<Bdd>,
    /// See [`Relation::child`].
    pub(crate) child: Option<Bdd>,
}

impl Parts {
    /// The diagrams of an edge. All that the edge mentions must have slots.
    pub(crate) fn new(program: &Program, edge: Edge, slots: &Slots) -> Self {
        let assigned = written(program, edge).map(assigned).unwrap_or_default();
        let maker = Maker { program, slots, assigned };
        let guard = maker.all_hold(edge.guard.into_iter().chain(edge.enforced));
        let (mut active, mut passive, mut child) = (guard, None, None);
        match edge.effect {
            Effect::Assign(id) => {
                let assignment = program.assignment(id);
                let constraint = maker.all_hold(assignment.constraints.iter().copied());
                active = active.and(&maker.assigns(assignment, false));
                if assignment.targets.iter().any(|target| target.is_passive) {
                    let relation = constraint.and(&maker.assigns(assignment, true));
                    let others = slots.iter().filter(|(_, slot)| slot.owner == Owner::Passive);
                    let others: Vec<BddVariable> = others.map(|(variable, _)| variable).collect();
                    active = active.and(&relation.exists(&others));
                    passive = Some(relation);
                } else {
                    active = active.and(&constraint);
                }
            }
            Effect::Start { locals: ChildLocals::Fresh(arguments), .. } => {
                let arguments = arguments.map(|id| maker.assigns(program.assignment(id), false));
                child = Some(arguments.unwrap_or_else(|| slots.set.mk_true()));
            }
            Effect::None | Effect::Start { locals: ChildLocals::Copied, .. } => {}
        }
        Self { active, passive, child }
    }
}

impl Relation {
    /// The relation of an edge.
    pub(crate) fn new(program: &Program, edge: Edge) -> Result<Self, TooManyVariables> {
        let slots = slots(program, edge, written(program, edge))?;
        let Parts { active, passive, child } = Parts::new(program, edge, &slots);
        let passive = passive.map(|relation| {
            let support = relation.support_set();
            let context = slots.iter().filter(|(_, slot)| slot.owner != Owner::Passive);
            let context = context.map(|(variable, _)| variable).filter(|it| support.contains(it));
            Passive { context: context.collect(), relation }
        });
        Ok(Self { slots, active, passive, child })
    }

    /// The slots that an assignment of the acting thread gives new values.
    pub(crate) fn assigned(&self, owner: Owner) -> impl Iterator<Item = u32> + '_ {
        let new = self.slots.all.iter().filter(move |slot| slot.is_new && slot.owner == owner);
        new.map(|slot| slot.variable)
    }
}

/// The assignment of an edge: to the acting thread's and others' variables, or to those of a new thread.
pub(crate) fn written(program: &Program, edge: Edge) -> Option<&Assignment> {
    let id: Option<AssignmentId> = match edge.effect {
        Effect::None | Effect::Start { locals: ChildLocals::Copied, .. } => None,
        Effect::Assign(id) => Some(id),
        Effect::Start { locals: ChildLocals::Fresh(arguments), .. } => arguments,
    };
    id.map(|id| program.assignment(id))
}

fn owner_of(variable: VariableId, is_passive: bool) -> (Owner, u32) {
    match variable {
        VariableId::Shared(index) => (Owner::Shared, index),
        VariableId::Local(index) if is_passive => (Owner::Passive, index),
        VariableId::Local(index) => (Owner::Own, index),
    }
}

/// All slots that an edge mentions, in the order in which it does.
fn slots(program: &Program, edge: Edge, written: Option<&Assignment>) -> Result<Slots, TooManyVariables> {
    let mut all: Vec<(Owner, u32)> = Vec::new();
    let expressions = edge.guard.into_iter().chain(edge.enforced);
    let parts = written.into_iter().flat_map(|it| it.values.iter().chain(&it.constraints).copied());
    for id in expressions.chain(parts) {
        let references = program.expression(id).references();
        all.extend(references.map(|reference| owner_of(reference.variable, reference.is_passive)));
    }
    let targets = || written.into_iter().flat_map(|it| &it.targets);
    all.extend(targets().map(|target| owner_of(target.variable, target.is_passive)));
    let mut seen = FxHashMap::default();
    all.retain(|&it| seen.insert(it, ()).is_none());
    let assigned = written.map(assigned).unwrap_or_default();
    let all: Vec<Slot> = all
        .into_iter()
        .flat_map(|(owner, variable)| {
            let is_assigned = assigned.contains(&(owner, variable));
            let old = Slot { owner, variable, is_new: false };
            std::iter::once(old).chain(is_assigned.then_some(Slot { is_new: true, ..old }))
        })
        .collect();
    if all.len() > MAX_VARIABLES {
        return Err(TooManyVariables);
    }
    Ok(Slots::new(all))
}

/// What an assignment gives new values.
pub(crate) fn assigned(assignment: &Assignment) -> FxHashSet<(Owner, u32)> {
    assignment.targets.iter().map(|target| owner_of(target.variable, target.is_passive)).collect()
}

/// Where an expression can be true, and where it can be false.
struct Values {
    can_be_true: Bdd,
    can_be_false: Bdd,
}

struct Maker<'a> {
    program: &'a Program,
    slots: &'a Slots,
    assigned: FxHashSet<(Owner, u32)>,
}

impl Maker<'_> {
    /// Where all of these can be true.
    fn all_hold(&self, expressions: impl Iterator<Item = ExpressionId>) -> Bdd {
        expressions.fold(self.slots.set.mk_true(), |all, id| all.and(&self.values(id).can_be_true))
    }

    /// The values that targets of the acting thread, or of passive threads, can get.
    fn assigns(&self, assignment: &Assignment, is_passive: bool) -> Bdd {
        let pairs = assignment.targets.iter().zip(&assignment.values);
        let pairs = pairs.filter(|(target, _)| target.is_passive == is_passive);
        pairs.fold(self.slots.set.mk_true(), |all, (target, &value)| {
            let (owner, variable) = owner_of(target.variable, target.is_passive);
            let new = self.literal(Slot { owner, variable, is_new: true });
            let values = self.values(value);
            let one = new.and(&values.can_be_true).or(&values.can_be_false.and_not(&new));
            all.and(&one)
        })
    }

    fn literal(&self, slot: Slot) -> Bdd {
        let variable = self.slots.get(slot).expect("INVARIANT: all that an edge mentions has a slot");
        self.slots.set.mk_var(variable)
    }

    fn read(&self, reference: &Reference) -> Bdd {
        let (owner, variable) = owner_of(reference.variable, reference.is_passive);
        // What is not assigned keeps its value.
        let is_new = reference.is_next && self.assigned.contains(&(owner, variable));
        self.literal(Slot { owner, variable, is_new })
    }

    fn values(&self, id: ExpressionId) -> Values {
        let mut stack: Vec<Values> = Vec::new();
        let always = || self.slots.set.mk_true();
        for node in self.program.expression(id).nodes() {
            let mut pop = || stack.pop().expect("INVARIANT: operands stand before their operator");
            let values = match node {
                Node::Constant(value) => {
                    let (yes, no) = (always(), self.slots.set.mk_false());
                    let (can_be_true, can_be_false) = if *value { (yes, no) } else { (no, yes) };
                    Values { can_be_true, can_be_false }
                }
                Node::Choice => Values { can_be_true: always(), can_be_false: always() },
                Node::Read(reference) => {
                    let read = self.read(reference);
                    Values { can_be_false: read.not(), can_be_true: read }
                }
                Node::Not => {
                    let operand = pop();
                    Values { can_be_true: operand.can_be_false, can_be_false: operand.can_be_true }
                }
                Node::Binary(operator) => {
                    let right = pop();
                    combine(*operator, &pop(), &right)
                }
                Node::Schoose => {
                    let (second, first) = (pop(), pop());
                    let neither = first.can_be_false.and(&second.can_be_false);
                    Values { can_be_true: first.can_be_true.or(&neither), can_be_false: first.can_be_false }
                }
            };
            stack.push(values);
        }
        stack.pop().expect("INVARIANT: an expression leaves one value")
    }
}

/// An operator on values that are chosen independently of each other.
fn combine(operator: Operator, left: &Values, right: &Values) -> Values {
    let same = || {
        let both = left.can_be_true.and(&right.can_be_true);
        both.or(&left.can_be_false.and(&right.can_be_false))
    };
    let different = || {
        let first = left.can_be_true.and(&right.can_be_false);
        first.or(&left.can_be_false.and(&right.can_be_true))
    };
    let (can_be_true, can_be_false) = match operator {
        Operator::And => {
            (left.can_be_true.and(&right.can_be_true), left.can_be_false.or(&right.can_be_false))
        }
        Operator::Or => (left.can_be_true.or(&right.can_be_true), left.can_be_false.and(&right.can_be_false)),
        Operator::Implies => {
            (left.can_be_false.or(&right.can_be_true), left.can_be_true.and(&right.can_be_false))
        }
        Operator::Xor | Operator::NotEqual => (different(), same()),
        Operator::Equal => (same(), different()),
    };
    Values { can_be_true, can_be_false }
}
