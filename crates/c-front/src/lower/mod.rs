//! From typed C programs to the control-flow graphs of their threads: what every statement means.
//!
//! * *Memory* (`memory`, `cells`, `place`, `access`, `transfer`): objects get addresses and are cut into cells, of which the scalars that
//!   C sees are parts; a points-to analysis (`points`) says which of them an access through a pointer may be about,
//!   conditions on the address say which it is.
//! * *Steps* (`expression`, `statement`): with [`Atomicity::Access`], each edge reads or writes at most one shared
//!   scalar; reads that cannot be part of the edge that uses them go into temporaries. With [`Atomicity::Statement`],
//!   locations within a statement are atomic, and `fuse` makes one edge of it where it can.
//! * *Functions* are inlined, recursion is refused; one copy of a function's variables serves all calls in a thread, since
//!   a thread is in a function at most once.
//! * *Threads, mutexes and the rest of the library* (`library` and what it calls) are guarded assignments.
//! * *What has no model* gives an arbitrary value with a note (`cone`): refused if it can influence whether an error is
//!   reached, and harmless otherwise.
//!
//! The graph has all runs of the program under sequential consistency. Where C leaves undefined what happens (`oblige`), that is
//! an error, unless it is assumed not to happen; or it has the meaning that the ledger says.

mod access;
mod arbitrary;
mod arguments;
mod arithmetic;
mod atomics;
mod bytes;
mod call;
mod cells;
mod codes;
mod combine;
mod condition;
mod cone;
mod dangling;
mod detours;
mod ending;
mod errno;
mod expression;
mod finish;
mod footprint;
mod fuse;
mod graph;
mod interval;
mod library;
mod listing;
mod locks;
mod memory;
mod oblige;
mod options;
mod order;
mod outside;
mod parts;
mod place;
mod points;
mod puns;
mod read;
mod recursion;
mod scope;
mod statement;
mod syscalls;
mod threads;
mod together;
mod transfer;
mod types;
mod variable_length;
pub mod walk;
mod wide;

#[cfg(test)]
mod tests;

pub use codes::CODES;
pub use options::{Atomicity, Checks, Integers, Options, Properties, Volatile, property_file};

pub use read::{Outcome, Whole, read, read_text, read_whole, read_whole_text};
pub use together::{STOPPED, Together};

use crate::hir::{self, FunctionId, ObjectId};
use crate::syntax::BinaryOperator;
use graph::Graph;
use memory::Memory;
use points::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::Diagnostic;
use throng_cfa::flow::{self, Expressions, NondetId, SiteId, TemplateId, VariableId};

/// The graphs of a program with warnings, or why it is refused.
pub fn lower(
    program: &hir::Program,
    options: &Options,
) -> Result<(flow::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let unrolled = recursion::unrolled(program);
    let program = unrolled.as_ref().unwrap_or(program);
    let listed = listing::options(program, options);
    Lower::start(program, listed.as_ref().unwrap_or(options))?.run()
}

/// Whether an operator compares.
fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Less
            | BinaryOperator::Greater
            | BinaryOperator::LessOrEqual
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
    )
}

/// The state of the translation.
struct Lower<'p> {
    program: &'p hir::Program,
    options: &'p Options,
    points: PointsTo,
    memory: Memory,
    /// The expressions of the result.
    e: Expressions,
    variables: Vec<flow::Variable>,
    nondets: Vec<flow::Nondet>,
    properties: Vec<flow::Property>,
    sites: Vec<flow::Site>,
    site_numbers: FxHashMap<(u32, u32, usize, usize), SiteId>,
    predicates: Vec<flow::Predicate>,
    ledger: BTreeMap<&'static str, (String, Vec<throng_cfa::text::Position>)>,
    graph: Graph,
    templates: Vec<threads::TemplateInfo>,
    template_numbers: FxHashMap<FunctionId, TemplateId>,
    /// Whose code is made.
    template: TemplateId,
    frames: Vec<call::Frame>,
    /// How many frames there have been, to tell instances of calls apart.
    instances: usize,
    /// Temporaries, by template, place, width and number.
    temporaries: FxHashMap<condition::TemporaryKey, VariableId>,
    temporary_count: u32,
    /// Conditions that the next edges from here rely on.
    obligations: Vec<graph::Obligation>,
    /// What is known about obligations and assertions.
    duties: oblige::Duties,
    /// Accesses to what others see: where code is being added, and what is accessed.
    touched: Vec<(flow::LocationId, throng_base::Span)>,
    /// By edge: accesses that only this one of several makes, and operands in the order in which they are evaluated after it.
    touched_by: FxHashMap<usize, Vec<throng_base::Span>>,
    ordered_by: FxHashMap<usize, Vec<throng_base::Span>>,
    /// By arbitrary value: what it comes from; and what the next one comes from.
    nondet_spans: Vec<throng_base::Span>,
    nondet_span: throng_base::Span,
    /// Whether edges that are made now are inside a statement that has begun.
    is_inside: bool,
    /// Whether what is evaluated becomes no edge: a predicate.
    is_joint_forced: bool,
    /// The object whose first value is written, if one is.
    newborn: Option<ObjectId>,
    /// Why arbitrary values that are notes on what is not modelled are refused, if they matter.
    unmodelled: FxHashMap<NondetId, Diagnostic>,
    /// Addresses in memory without a model: where it comes from, for messages. And that of what is being read.
    origins: FxHashMap<flow::ExpressionId, (points::Origin, throng_base::Span)>,
    read_from: Option<(points::Origin, throng_base::Span)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Whether an expression reads shared variables, and whether it is arbitrary in part.
    fragile: FxHashMap<flow::ExpressionId, (bool, bool)>,
    /// Ghosts: whether a thread waits on a condition variable, by template.
    waiting: BTreeMap<TemplateId, VariableId>,
    /// Signals and broadcasts: the edges' updates are filled in when all templates are known.
    wakeups: Vec<threads::Wakeup>,
    /// The kinds of mutexes that are not normal ones.
    mutex_kinds: locks::MutexKinds,
    /// Objects without a name.
    pseudo_objects: FxHashMap<memory::PseudoObject, ObjectId>,
    /// Numbers statements, to tell which edges belong together.
    statement_number: usize,
    /// What evaluating functions may do.
    footprints: footprint::Footprints,
    /// Places that were read beforehand, by where they are in memory, with their values.
    preloaded: FxHashMap<usize, flow::ExpressionId>,
    /// How many operands of open order the code being made is in.
    order_depth: u32,
    /// What pointers to something else are converted to pointers to.
    puns: puns::Puns,
    /// Widths of integers that addresses are converted to.
    address_widths: FxHashSet<u32>,
    /// Objects that pointers may be just behind.
    stepped: FxHashSet<ObjectId>,
    /// Objects of `main`, and of functions that only `main` calls, that other threads see.
    shared_locals: BTreeSet<ObjectId>,
    /// Those of them that may end while other threads run, with the ghost that says whether they have.
    mortal: BTreeMap<ObjectId, Option<VariableId>>,
    /// Ghosts: whether unknown functions may have kept the address of an object.
    given_away: BTreeMap<ObjectId, VariableId>,
    /// By the number of an argument of `main`: the function that makes a number of its text, and the ghost with that number.
    argument_numbers: BTreeMap<u128, (FunctionId, VariableId)>,
    /// By question about several labels and label: how many threads have stopped there.
    stopped: BTreeMap<(usize, String), VariableId>,
}
