//! What the control-flow graphs of threads consist of. What they mean stands at the head of the parent module.

use super::{ExpressionId, Expressions, Origins};
use crate::text::Position;
use throng_base::define_id;

define_id! {
    /// A variable, by its number in [`Program::variables`].
    VariableId
}
define_id! {
    /// The code of threads, by its number in [`Program::templates`].
    TemplateId
}
define_id! {
    /// A location, by its number in [`Program::locations`].
    LocationId
}
define_id! {
    /// An edge, by its number in [`Program::edges`].
    EdgeId
}
define_id! {
    /// An arbitrary value, by its number in [`Program::nondets`].
    NondetId
}
define_id! {
    /// A place in the source, by its number in [`Program::sites`].
    SiteId
}
define_id! {
    /// Something that may not happen, by its number in [`Program::properties`].
    PropertyId
}

/// The control-flow graphs of all threads of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The variables, shared and local.
    pub variables: Vec<Variable>,
    /// The code of threads: that of `main`, and that of each function that is started in a thread.
    pub templates: Vec<Template>,
    /// The template of the thread that is there at the start.
    pub main: TemplateId,
    /// The locations of all templates.
    pub locations: Vec<Location>,
    /// The edges of all templates, those from one location together.
    pub edges: Vec<Edge>,
    /// The expressions.
    pub expressions: Expressions,
    /// The arbitrary values.
    pub nondets: Vec<Nondet>,
    /// What may not happen.
    pub properties: Vec<Property>,
    /// Places in the source.
    pub sites: Vec<Site>,
    /// Predicates that the user gave.
    pub predicates: Vec<Predicate>,
    /// What was assumed about the program, each a line at the end of every report.
    pub ledger: Vec<LedgerEntry>,
    /// Where objects are in memory.
    pub layout: Layout,
    /// What the front end found out by itself about what may not happen.
    pub settled: Settled,
    /// Where edges come from, as the front end made them.
    pub origins: Origins,
    /// How many threads a run may have in all, the first one included: longer runs are left out. `None` if nobody said so.
    pub most_threads: Option<u64>,
}

/// What values of a variable are, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// `_Bool`, or a flag of a model.
    Bool,
    /// A number.
    Integer {
        /// Whether the highest bit is a sign.
        is_signed: bool,
    },
    /// A constant of an enumeration, by name and value.
    Enumeration(Vec<(String, u128)>),
    /// An address.
    Pointer,
    /// The number of a thread.
    Thread,
}

/// Who has a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// It is there once, for all threads.
    Shared,
    /// Each thread of this template has one.
    Local(TemplateId),
}

/// A scalar, or a row of scalars.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, as one would write it in C: `count`, `queue.head`, `ring[].next`. Different variables that C tells apart by
    /// scope may have the same name.
    pub name: String,
    /// The function that it belongs to, if any.
    pub function: Option<String>,
    /// Who has it.
    pub scope: Scope,
    /// The width in bits.
    pub bits: u32,
    /// What its values are.
    pub ty: ValueType,
    /// How many scalars it is; 1 for one that is used without an index.
    pub length: u32,
    /// What it holds at the start (of the program, or of its thread): one value for each scalar, or `None` for
    /// arbitrary values. If there are more scalars than [`LONGEST_FULL`], zeros at the end may be left out.
    pub initial: Option<Vec<u128>>,
    /// Its address and the distance from one of its scalars to the next, in bytes, if it has an address.
    pub address: Option<(u64, u64)>,
    /// Whether the front end made it up: a mutex's owner, a temporary, a waiting thread. Its name says what it is.
    pub is_ghost: bool,
}

/// The code of threads.
#[derive(Clone, Debug)]
pub struct Template {
    /// The function that the threads run.
    pub name: String,
    /// Where they begin.
    pub entry: LocationId,
    /// Their variables.
    pub locals: Vec<VariableId>,
    /// What the function returned, once a thread has ended.
    pub result: Option<VariableId>,
}

/// Where a thread can stand.
#[derive(Clone, Debug)]
pub struct Location {
    /// Whose code it belongs to.
    pub template: TemplateId,
    /// What it is.
    pub kind: LocationKind,
    /// Whether no other thread takes steps while one stands here.
    pub is_atomic: bool,
    /// The statement that is next.
    pub site: SiteId,
    /// The edges from here: `edges[first..first + count]`.
    pub edges: (EdgeId, u32),
}

/// What a location is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationKind {
    /// A thread goes on from here.
    Inner,
    /// The thread has ended.
    End,
    /// This must not happen.
    Error(PropertyId),
}

/// What a thread can do.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From where.
    pub from: LocationId,
    /// To where.
    pub to: LocationId,
    /// When: one bit.
    pub guard: ExpressionId,
    /// What is assigned, all at once; no two to the same scalar.
    pub assignments: Vec<Assignment>,
    /// What else happens.
    pub effect: Option<Effect>,
    /// The part of the program that this is.
    pub site: SiteId,
}

/// `target := value`, or `target[index] := value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// A shared variable or one of the thread's own.
    pub target: VariableId,
    /// Which of its scalars, if it has several.
    pub index: Option<ExpressionId>,
    /// The new value, of the variable's width.
    pub value: ExpressionId,
}

/// What a step does to threads.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A new thread begins.
    Spawn {
        /// Its code.
        template: TemplateId,
        /// Values of its variables, evaluated by the thread that starts it; the others have their initial values.
        arguments: Vec<(VariableId, ExpressionId)>,
    },
    /// In every other thread for which one of the updates is possible, it happens: a broadcast.
    Broadcast(Vec<PassiveUpdate>),
    /// One other thread for which an update is possible, any of them, is updated; if there is none, nothing happens.
    Signal(Vec<PassiveUpdate>),
}

/// What happens to a passive thread. Expressions may use shared variables and those of the thread that takes the step, as
/// they were before the step, and the passive thread's own ([`super::Expression::Passive`]).
#[derive(Clone, Debug)]
pub struct PassiveUpdate {
    /// Which threads: those of this template.
    pub template: TemplateId,
    /// When: one bit.
    pub guard: ExpressionId,
    /// New values of the passive thread's variables (of length 1), all at once.
    pub assignments: Vec<(VariableId, ExpressionId)>,
}

/// An arbitrary value.
#[derive(Clone, Debug)]
pub struct Nondet {
    /// Its width.
    pub bits: u32,
    /// What it is in the program: `nondet_int()`, or an uninitialised variable's name.
    pub name: String,
    /// What its values are.
    pub ty: ValueType,
}

/// The longest arrays whose initial values are all written out: buffers of megabytes are usually empty.
pub const LONGEST_FULL: u64 = 4096;

/// Something that may not happen.
#[derive(Clone, Debug)]
pub struct Property {
    /// What kind of thing.
    pub kind: PropertyKind,
    /// Where.
    pub site: SiteId,
    /// In words: `assertion x == 1 fails`.
    pub text: String,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// An assertion fails.
    Assertion,
    /// An error function is called, or an error label is reached.
    Reach,
    /// An array is accessed beyond its bounds.
    Bounds,
    /// A pointer is used that points to no object of its type, or to one that does not live any more.
    Pointers,
    /// A division by zero, or of the least integer by -1.
    Division,
    /// A shift by the width of what is shifted, or more.
    Shift,
    /// A thread comes to `__builtin_unreachable()`.
    Unreachable,
    /// A signed integer overflows.
    Overflow,
    /// A mutex is used against its rules.
    Mutex,
}

impl PropertyKind {
    /// The kinds that are *obligations*: what C leaves undefined, and what the graph therefore says nothing about beyond that
    /// point. Each can be assumed not to happen, by its word.
    pub const OBLIGATIONS: [PropertyKind; 5] = [
        PropertyKind::Pointers,
        PropertyKind::Bounds,
        PropertyKind::Division,
        PropertyKind::Shift,
        PropertyKind::Unreachable,
    ];

    /// Whether it is an obligation.
    pub fn is_obligation(self) -> bool {
        Self::OBLIGATIONS.contains(&self)
    }

    /// One word, as options and results have it.
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::Reach => "reach",
            PropertyKind::Bounds => "bounds",
            PropertyKind::Pointers => "pointers",
            PropertyKind::Division => "division",
            PropertyKind::Shift => "shift",
            PropertyKind::Unreachable => "unreachable",
            PropertyKind::Overflow => "overflow",
            PropertyKind::Mutex => "mutex",
        }
    }
}

/// What the front end settled by constants, types and the shape of the graph.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// How many obligations hold whatever variables hold.
    pub obligations: usize,
    /// Assertions of the text that hold whatever variables hold.
    pub assertions: Vec<Position>,
    /// Assertions of the text that no thread comes to, whatever variables hold.
    pub dead: Vec<Position>,
}

/// A place in the source, as reports show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it begins.
    pub position: Position,
    /// What is written there, on one line and not too long.
    pub text: String,
    /// The function that it is in.
    pub function: String,
    /// The calls that led there, the outermost first: each the function that was called and from where.
    pub calls: Vec<(String, Position)>,
}

/// A predicate from the program's text (`__CPROVER_predicate(e)`), for the abstraction.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// In which code it stands.
    pub template: TemplateId,
    /// One bit, over shared variables and those of the template.
    pub expression: ExpressionId,
    /// Where.
    pub site: SiteId,
}

/// Something that the verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// A stable word: `weak-memory`, `overflow-wraps`, `assumes-in-bounds`, …
    pub kind: String,
    /// In a sentence.
    pub text: String,
    /// Where, if it is about places; the first few.
    pub positions: Vec<Position>,
}

impl LedgerEntry {
    /// Whether runs are left out because somebody said so: `--assume`, a property file, `--integers mathematical`; or since nobody
    /// knows what functions without a body do.
    pub fn is_assumption(&self) -> bool {
        self.kind.starts_with("assumes-") || self.kind == "mathematical-integers"
    }
}

/// Where objects are in memory: for showing addresses by name.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Objects with their addresses and sizes in bytes, in order of addresses.
    pub objects: Vec<(String, u64, u64)>,
    /// Functions with their addresses, in order.
    pub functions: Vec<(String, u64)>,
}

impl Effect {
    /// The expressions that it evaluates.
    pub fn expressions(&self) -> Vec<ExpressionId> {
        match self {
            Effect::Spawn { arguments, .. } => arguments.iter().map(|&(_, value)| value).collect(),
            Effect::Broadcast(updates) | Effect::Signal(updates) => {
                let each = updates.iter().flat_map(|update| {
                    std::iter::once(update.guard).chain(update.assignments.iter().map(|&(_, value)| value))
                });
                each.collect()
            }
        }
    }

    /// What it may do to passive threads.
    pub fn updates(&self) -> &[PassiveUpdate] {
        match self {
            Effect::Spawn { .. } => &[],
            Effect::Broadcast(updates) | Effect::Signal(updates) => updates,
        }
    }
}

impl Edge {
    /// All expressions that it evaluates: guard, indices, values, and those of its effect.
    pub fn expressions(&self) -> Vec<ExpressionId> {
        let mut all = vec![self.guard];
        for assignment in &self.assignments {
            all.extend(assignment.index);
            all.push(assignment.value);
        }
        all.extend(self.effect.iter().flat_map(Effect::expressions));
        all
    }

    /// What it may do to passive threads.
    pub fn updates(&self) -> &[PassiveUpdate] {
        self.effect.as_ref().map_or(&[], Effect::updates)
    }
}

impl Program {
    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges from a location.
    pub fn edges_from(&self, location: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let (first, count) = self.location(location).edges;
        let range = first.index()..first.index() + count as usize;
        range.map(|index| (EdgeId::new(index), &self.edges[index]))
    }

    /// A site.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    /// The same program where what is not `asked` about is assumed not to happen: nothing leads to those errors any more.
    /// Locations, edges and properties keep their numbers.
    pub fn asking(&self, asked: impl Fn(PropertyId) -> bool) -> Program {
        let mut program = self.clone();
        let never = program.expressions.truth(false);
        let is_off = |kind: LocationKind| match kind {
            LocationKind::Error(property) => !asked(property),
            LocationKind::Inner | LocationKind::End => false,
        };
        for edge in &mut program.edges {
            if is_off(self.location(edge.to).kind) {
                edge.guard = never;
            }
        }
        for location in program.locations.iter_mut().filter(|location| is_off(location.kind)) {
            location.kind = LocationKind::Inner;
        }
        program
    }

    /// An address in words: `&queue.head`, `&ring[2]`, `NULL`, the name of a function, or a number.
    pub fn address_name(&self, address: u128) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        if let Some((name, _)) = self.layout.functions.iter().find(|&&(_, at)| u128::from(at) == address) {
            return name.clone();
        }
        let variables = self.variables.iter().filter_map(|variable| {
            let (base, stride) = variable.address?;
            let index = address.checked_sub(u128::from(base))?.checked_div(u128::from(stride.max(1)))?;
            let is_here = index < u128::from(variable.length)
                && u128::from(base) + index * u128::from(stride) == address;
            is_here.then(|| element_name(self.whole(&variable.name, base), variable.length, index))
        });
        let scalar = variables.map(|name| format!("&{name}")).next();
        scalar.or_else(|| self.inside(address)).unwrap_or_else(|| format!("{address:#x}"))
    }

    /// The name of the outermost thing that begins where a scalar does: `node[]` for `node[].key`, its first member.
    fn whole<'n>(&self, name: &'n str, base: u64) -> &'n str {
        let mut whole = name;
        while let Some((outer, _)) = whole.rsplit_once('.') {
            let is_member = |variable: &&Variable| {
                variable.name.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
            };
            let mut members = self.variables.iter().filter(is_member).filter_map(|it| it.address);
            if members.any(|(other, _)| other < base) {
                break;
            }
            whole = outer;
        }
        whole
    }

    /// An address in an object, or just behind it: `&buffer + 3 bytes`.
    fn inside(&self, address: u128) -> Option<String> {
        self.layout.objects.iter().find_map(|(name, base, size)| {
            let offset =
                address.checked_sub(u128::from(*base)).filter(|&offset| offset <= u128::from(*size))?;
            let bytes = if offset == 1 { "byte" } else { "bytes" };
            Some(if offset == 0 { format!("&{name}") } else { format!("&{name} + {offset} {bytes}") })
        })
    }
}

/// The name of one scalar of a variable: `ring[].next` at 2 is `ring[2].next`.
pub(crate) fn element_name(name: &str, length: u32, index: u128) -> String {
    match name.split_once("[]") {
        Some((before, after)) if !after.contains("[]") => format!("{before}[{index}]{after}"),
        _ if length == 1 => name.to_owned(),
        _ => format!("{name}[{index}]"),
    }
}
