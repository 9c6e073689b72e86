//! The diagram variables of a crew, and what the statements of a program mean in them.
//!
//! First the bits of the root's location, then the shared variables, then block by block the local variables of the root and
//! of the threads in their places. Each variable has a second one, just behind it, for its value after a step.

use super::diagram::{EMPTY, FULL, Set, Table};
use crate::verdict::Trouble;
use rustc_hash::FxHashMap;
use throng_boolprog::expression::{Node, Operator};
use throng_boolprog::flow::{
    Assignment, Edge, Effect, ExpressionId, LocationId, Program, Reference, VariableId,
};

/// The root's block. The thread in place p has the block p + 1.
pub(super) const ROOT: u32 = 0;

/// Whose local variables are those of the thread that acts, of another one, and of a thread that is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Blocks {
    pub(super) own: u32,
    pub(super) other: u32,
}

#[derive(Debug)]
pub(super) struct Variables<'p> {
    pub(super) program: &'p Program,
    n_bits: u32,
    n_shared: u32,
    n_locals: u32,
    /// By location, the local variables whose values matter: those that are looked at there, and those that are read before
    /// they get new values.
    matters: Vec<Vec<bool>>,
    /// By edge and blocks.
    active: FxHashMap<(u32, Blocks), Set>,
    passive: FxHashMap<(u32, Blocks), Set>,
}

type Result<T> = std::result::Result<T, Trouble>;

/// Where an expression can be true, and where it can be false.
#[derive(Clone, Copy)]
struct Values {
    yes: Set,
    no: Set,
}

impl<'p> Variables<'p> {
    /// Nothing if there are too many variables for so many places.
    pub(super) fn new(program: &'p Program, n_places: usize) -> Result<Self> {
        let small = |it: usize| u32::try_from(it).map_err(|_| Trouble::Overflow);
        let n_bits = usize::BITS.saturating_sub(program.locations().len().leading_zeros());
        let (n_shared, n_locals) = (small(program.shared().len())?, small(program.locals().len())?);
        let blocks = small(n_places)?.checked_add(3).and_then(|it| it.checked_mul(n_locals));
        let shared = n_shared.checked_add(n_bits);
        let all = blocks.zip(shared).and_then(|(a, b)| a.checked_add(b)).and_then(|it| it.checked_mul(2));
        all.ok_or(Trouble::Overflow)?;
        let (active, passive) = (FxHashMap::default(), FxHashMap::default());
        Ok(Self { program, n_bits, n_shared, n_locals, matters: matters(program), active, passive })
    }

    /// Relations have to be made again after a clean-up of the table.
    pub(super) fn forget(&mut self) {
        self.active.clear();
        self.passive.clear();
    }

    pub(super) fn shared(&self, variable: u32) -> u32 {
        2 * (self.n_bits + variable)
    }

    pub(super) fn local(&self, block: u32, variable: u32) -> u32 {
        2 * (self.n_bits + self.n_shared + block * self.n_locals + variable)
    }

    /// The block and the number of a local variable, before or after a step.
    pub(super) fn owner(&self, variable: u32) -> Option<(u32, u32)> {
        let index = (variable / 2).checked_sub(self.n_bits + self.n_shared)?;
        Some((index / self.n_locals, index % self.n_locals))
    }

    pub(super) fn is_of(&self, block: u32, variable: u32) -> bool {
        self.owner(variable).is_some_and(|(owner, _)| owner == block)
    }

    /// Whether the value of a local variable matters at a location.
    pub(super) fn is_kept(&self, at: LocationId, variable: u32) -> bool {
        self.matters[at.index()][variable as usize]
    }

    pub(super) fn is_root_bit(&self, variable: u32) -> bool {
        variable < 2 * self.n_bits
    }

    /// The root is at a location; at the number behind all locations it has ended.
    pub(super) fn root_at(&self, table: &mut Table, at: Option<LocationId>) -> Result<Set> {
        let code = at.map_or(self.program.locations().len(), LocationId::index);
        let mut all = FULL;
        for bit in (0..self.n_bits).rev() {
            let literal = table.literal(2 * bit, code >> bit & 1 == 1)?;
            all = table.and(literal, all)?;
        }
        Ok(all)
    }

    /// What a step of the thread in `blocks.own` relates, apart from passive threads; `blocks.other` is nobody's.
    pub(super) fn active(&mut self, table: &mut Table, number: u32, blocks: Blocks) -> Result<Set> {
        if let Some(&known) = self.active.get(&(number, blocks)) {
            return Ok(known);
        }
        let edge = self.program.edges()[number as usize];
        let mut all = FULL;
        for id in edge.guard.into_iter().chain(edge.enforced) {
            let values = self.values(table, id, None, blocks)?;
            all = table.and(all, values.yes)?;
        }
        if let Some(assignment) = self.assignment(edge) {
            let plain = self.assigns(table, assignment, blocks, false)?;
            all = table.and(all, plain)?;
            let rest = if is_broadcast(assignment) {
                let relation = self.passive(table, number, blocks)?;
                table.any(relation, &|it| self.is_of(blocks.other, it))?
            } else {
                self.constrained(table, assignment, blocks)?
            };
            all = table.and(all, rest)?;
        }
        self.active.insert((number, blocks), all);
        Ok(all)
    }

    /// What a step relates for the passive thread in `blocks.other`.
    pub(super) fn passive(&mut self, table: &mut Table, number: u32, blocks: Blocks) -> Result<Set> {
        if let Some(&known) = self.passive.get(&(number, blocks)) {
            return Ok(known);
        }
        let edge = self.program.edges()[number as usize];
        let mut all = FULL;
        if let Some(assignment) = self.assignment(edge) {
            let plain = self.assigns(table, assignment, blocks, true)?;
            let constrained = self.constrained(table, assignment, blocks)?;
            all = table.and(plain, constrained)?;
        }
        self.passive.insert((number, blocks), all);
        Ok(all)
    }

    /// What a thread in `blocks.other` starts with that the thread in `blocks.own` starts with these arguments.
    pub(super) fn arguments(&self, table: &mut Table, arguments: &Assignment, blocks: Blocks) -> Result<Set> {
        let mut all = FULL;
        for (target, &value) in arguments.targets.iter().zip(&arguments.values) {
            let VariableId::Local(index) = target.variable else { continue };
            let values = self.values(table, value, None, blocks)?;
            let new = table.literal(self.local(blocks.other, index), true)?;
            let one = table.choose(new, values.yes, values.no)?;
            all = table.and(all, one)?;
        }
        Ok(all)
    }

    /// The assignment of a step.
    pub(super) fn assignment(&self, edge: Edge) -> Option<&'p Assignment> {
        match edge.effect {
            Effect::Assign(id) => Some(self.program.assignment(id)),
            Effect::None | Effect::Start { .. } => None,
        }
    }

    /// The diagram variable of a target.
    pub(super) fn target(&self, variable: VariableId, is_passive: bool, blocks: Blocks) -> u32 {
        match variable {
            VariableId::Shared(index) => self.shared(index),
            VariableId::Local(index) if is_passive => self.local(blocks.other, index),
            VariableId::Local(index) => self.local(blocks.own, index),
        }
    }

    fn assigns(
        &self,
        table: &mut Table,
        assignment: &Assignment,
        blocks: Blocks,
        is_passive: bool,
    ) -> Result<Set> {
        let mut all = FULL;
        let pairs = assignment.targets.iter().zip(&assignment.values);
        for (target, &value) in pairs.filter(|(target, _)| target.is_passive == is_passive) {
            let values = self.values(table, value, Some(assignment), blocks)?;
            let number = self.target(target.variable, target.is_passive, blocks) + 1;
            let new = table.literal(number, true)?;
            let one = table.choose(new, values.yes, values.no)?;
            all = table.and(all, one)?;
        }
        Ok(all)
    }

    fn constrained(&self, table: &mut Table, assignment: &Assignment, blocks: Blocks) -> Result<Set> {
        let mut all = FULL;
        for &id in &assignment.constraints {
            let values = self.values(table, id, Some(assignment), blocks)?;
            all = table.and(all, values.yes)?;
        }
        Ok(all)
    }

    /// The diagram variable that a reference reads: what is not assigned has one value.
    fn read(&self, reference: &Reference, assignment: Option<&Assignment>, blocks: Blocks) -> u32 {
        let number = self.target(reference.variable, reference.is_passive, blocks);
        let is_this = |it: &throng_boolprog::flow::Target| {
            it.variable == reference.variable && it.is_passive == reference.is_passive
        };
        let is_new = reference.is_next && assignment.is_some_and(|it| it.targets.iter().any(is_this));
        number + u32::from(is_new)
    }

    /// Where an expression can be true and false. Every `*` is chosen by itself, so this goes operator by operator.
    fn values(
        &self,
        table: &mut Table,
        id: ExpressionId,
        assignment: Option<&Assignment>,
        blocks: Blocks,
    ) -> Result<Values> {
        let mut stack: Vec<Values> = Vec::new();
        for node in self.program.expression(id).nodes() {
            let mut operands = [Values { yes: EMPTY, no: EMPTY }; 2];
            for operand in operands[..node.operands()].iter_mut().rev() {
                *operand = stack.pop().unwrap_or(*operand);
            }
            let [left, right] = operands;
            stack.push(match node {
                Node::Constant(true) => Values { yes: FULL, no: EMPTY },
                Node::Constant(false) => Values { yes: EMPTY, no: FULL },
                Node::Choice => Values { yes: FULL, no: FULL },
                Node::Read(reference) => {
                    let number = self.read(reference, assignment, blocks);
                    Values { yes: table.literal(number, true)?, no: table.literal(number, false)? }
                }
                Node::Not => Values { yes: left.no, no: left.yes },
                Node::Binary(operator) => combined(table, *operator, left, right)?,
                Node::Schoose => {
                    let open = table.and(left.no, right.no)?;
                    Values { yes: table.or(left.yes, open)?, no: left.no }
                }
            });
        }
        Ok(stack.pop().unwrap_or(Values { yes: EMPTY, no: EMPTY }))
    }
}

/// An operator on operands that have their values independently: each pair of values that they can have counts.
fn combined(table: &mut Table, operator: Operator, left: Values, right: Values) -> Result<Values> {
    let mut result = Values { yes: EMPTY, no: EMPTY };
    for (one, a) in [(left.no, false), (left.yes, true)] {
        for (other, b) in [(right.no, false), (right.yes, true)] {
            let both = table.and(one, other)?;
            let side = if operator.apply(a, b) { &mut result.yes } else { &mut result.no };
            *side = table.or(*side, both)?;
        }
    }
    Ok(result)
}

pub(super) fn is_broadcast(assignment: &Assignment) -> bool {
    assignment.targets.iter().any(|target| target.is_passive)
}

/// See [`Variables::matters`]: what threads are looked at for, what steps read, what others read, and whatever becomes
/// one of these later without getting a new value before.
fn matters(program: &Program) -> Vec<Vec<bool>> {
    let n_locals = program.locals().len();
    let mut all: Vec<Vec<bool>> =
        LocationId::all(program.locations().len()).map(|at| in_scope(program, at)).collect();
    let mut by_others = vec![false; n_locals];
    let note = |id: ExpressionId, wanted: &mut [bool], is_passive: bool| {
        for reference in program.expression(id).references().filter(|it| it.is_passive == is_passive) {
            if let VariableId::Local(index) = reference.variable {
                wanted[index as usize] = true;
            }
        }
    };
    (0..program.expressions().len()).for_each(|it| note(ExpressionId::new(it), &mut by_others, true));
    for edge in program.edges() {
        let here = &mut all[edge.from.index()];
        let assignment = match edge.effect {
            Effect::Assign(id) => Some(program.assignment(id)),
            Effect::Start { locals: throng_boolprog::flow::ChildLocals::Fresh(id), .. } => {
                id.map(|id| program.assignment(id))
            }
            Effect::None | Effect::Start { .. } => None,
        };
        let ids = assignment.into_iter().flat_map(|it| it.values.iter().chain(&it.constraints).copied());
        ids.chain(edge.guard).chain(edge.enforced).for_each(|id| note(id, here, false));
    }
    for here in &mut all {
        here.iter_mut().zip(&by_others).for_each(|(it, others)| *it |= others);
    }
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for edge in program.edges().iter().rev() {
            let (next, lost) = match edge.effect {
                Effect::Start { at, locals: throng_boolprog::flow::ChildLocals::Copied } => {
                    (vec![Some(at), edge.to], Vec::new())
                }
                Effect::Assign(id) => {
                    let targets = program.assignment(id).targets.iter().filter(|it| !it.is_passive);
                    (vec![edge.to], targets.map(|it| it.variable).collect())
                }
                Effect::None | Effect::Start { .. } => (vec![edge.to], Vec::new()),
            };
            for to in next.into_iter().flatten().filter(|&to| to != edge.from) {
                let wanted = all[to.index()].clone();
                for (index, it) in all[edge.from.index()].iter_mut().enumerate() {
                    let is_lost = lost.contains(&VariableId::Local(index as u32));
                    if wanted[index] && !is_lost && !*it {
                        *it = true;
                        is_changing = true;
                    }
                }
            }
        }
    }
    all
}

/// By local variable, whether a thread state at a location has a value for it.
pub(super) fn in_scope(program: &Program, at: LocationId) -> Vec<bool> {
    let functions: Vec<_> = program.functions_at(at).collect();
    program.locals().iter().map(|it| it.function.is_none_or(|it| functions.contains(&it))).collect()
}
