//! Programs as explicit systems: every valuation is a state of its own.
//!
//! [`translate`] is for what needs a list of rules, such as other formats, and for comparing the symbolic steps with. It
//! makes as many states as there are valuations and is refused beyond a limit.
//!
//! A shared state is a valuation of the shared variables with the atomic bit, a local state is a location with a valuation
//! of the variables that can matter there: those of the functions that the thread is in, those that other threads may read
//! (`x$`), and those that the targets mention. Rules are the edges for all pairs of such states that a thread-modular
//! fixpoint (`fixpoint`) finds to occur together.
//!
//! Systems are made so that `.tts` can express them: one initial configuration, one target, threads that only move.
//!
//! * Threads start in a local state without values. While the shared state is `start`, a thread chooses the shared
//!   variables; then each thread chooses its own. A thread that is moved by a broadcast before that
//!   chooses at once: it goes wherever some values would go. So does a thread that is started with arbitrary values.
//! * Threads that end, or that a broadcast leaves no values for, are `gone`, and stay there.
//! * Starting a thread takes two rules: in between the shared state says who is to come, and nobody else acts.
//! * The threads of a target are taken one after the other, which leads to the shared state `bad`.

mod build;
mod fixpoint;
mod names;
mod replay;
mod steps;

use rustc_hash::FxHashMap;
use std::fmt;
use throng_boolprog::flow::{FunctionId, LocationId, Program, VariableId};
use throng_boolprog::{Cube, ProgramQuestion, ThreadPattern};
use throng_model::{LocalId, SharedId, System};

/// A valuation: bit i is the variable with index i.
type Bits = u64;

/// A program has too many valuations for an explicit system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Shared variables of the program.
    pub shared: usize,
    /// Local variables of the program.
    pub locals: usize,
    /// How many rules, and how many pairs of a shared and a local state, there may be.
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shared, locals, limit } = self;
        write!(
            f,
            "with {shared} shared and {locals} local variables, more than {limit} rules or pairs of states are needed"
        )
    }
}

impl std::error::Error for TooLarge {}

/// A state of the shared part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    /// Nothing is chosen yet.
    Start,
    /// Shared variables, and whether a thread is in an atomic section.
    At { bits: Bits, is_atomic: bool },
    /// The same, and a thread in this local state is to come.
    Starting { bits: Bits, is_atomic: bool, child: u32 },
    /// So many threads of a target have been found.
    Found { target: u32, count: u32 },
    /// A target was reached.
    Bad,
}

/// A state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Local {
    /// The thread has ended.
    Gone,
    /// Where it is, with the values of variables; those that are not known are not chosen yet.
    At { location: LocationId, bits: Bits, known: Bits },
}

/// Things with numbers, in the order in which they were met.
#[derive(Debug)]
struct Numbered<T> {
    all: Vec<T>,
    index: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { all: Vec::new(), index: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbered<T> {
    fn number(&mut self, item: T) -> u32 {
        *self.index.entry(item).or_insert_with(|| {
            self.all.push(item);
            // The limit keeps numbers far below.
            (self.all.len() - 1) as u32
        })
    }

    fn get(&self, number: u32) -> T {
        self.all[number as usize]
    }
}

/// What of a program matters where.
struct Outline<'p> {
    program: &'p Program,
    question: &'p ProgramQuestion,
    /// For each location, the variables that are kept there.
    kept: Vec<Bits>,
    /// Variables that other threads may read.
    passive: Bits,
}

impl<'p> Outline<'p> {
    fn new(program: &'p Program, question: &'p ProgramQuestion) -> Self {
        let references = program.expressions().iter().flat_map(|expression| expression.references());
        let passive = references.filter(|it| it.is_passive).fold(0, |bits, it| bits | bit(it.variable));
        let threads = question.targets.iter().flat_map(|target| &target.threads);
        let mentioned =
            threads.flat_map(|thread| thread.locals.iter()).fold(0, |bits, (index, _)| bits | 1 << index);
        let readable = |at: LocationId| {
            let functions: Vec<FunctionId> = program.functions_at(at).collect();
            let locals = program.locals().iter().enumerate();
            let read =
                locals.filter(|(_, variable)| variable.function.is_none_or(|it| functions.contains(&it)));
            read.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        let kept = LocationId::all(program.locations().len());
        let kept = kept.map(|at| readable(at) | passive | mentioned).collect();
        Self { program, question, kept, passive }
    }

    fn is_atomic(&self, local: Local) -> bool {
        match local {
            Local::Gone => false,
            Local::At { location, .. } => self.program.location(location).is_atomic,
        }
    }

    /// Whether all values of a thread that matter are chosen.
    fn is_chosen(&self, local: Local) -> bool {
        match local {
            Local::Gone => true,
            Local::At { location, known, .. } => known == self.kept[location.index()],
        }
    }

    /// A thread at a location with these values, of which some may be unknown.
    fn local(&self, location: LocationId, bits: Bits, known: Bits) -> Local {
        let kept = self.kept[location.index()];
        Local::At { location, bits: bits & kept & known, known: known & kept }
    }
}

/// The bit of a local variable.
fn bit(variable: VariableId) -> Bits {
    match variable {
        VariableId::Local(index) => 1 << index,
        VariableId::Shared(_) => 0,
    }
}

/// All valuations of the variables of a mask; other bits are 0.
fn bits_within(mask: Bits) -> impl Iterator<Item = Bits> {
    let next = move |&bits: &Bits| Some(bits.wrapping_sub(mask) & mask).filter(|&next| next != 0);
    std::iter::successors(Some(0), next)
}

/// What a shared state of a translation stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The values of shared variables are not chosen yet.
    Start,
    /// A state of the program.
    At {
        /// The shared variables.
        values: Cube,
        /// Whether a thread is in an atomic section.
        is_atomic: bool,
    },
    /// A thread is being started.
    Starting {
        /// The shared variables.
        values: Cube,
        /// The thread.
        child: LocalId,
    },
    /// Threads of a target have been found.
    Target,
}

/// What the states of a translation stand for.
#[derive(Clone, Debug)]
pub struct Meaning {
    shared: Vec<Stage>,
    locals: Vec<Option<ThreadPattern>>,
    chosen: Vec<bool>,
}

impl Meaning {
    fn new(outline: &Outline<'_>, reached: &fixpoint::Reached) -> Self {
        let cube = |bits: Bits, known: Bits| -> Cube {
            let variables = (0..Bits::BITS).filter(|index| known >> index & 1 == 1);
            variables.map(|index| (index, bits >> index & 1 == 1)).collect()
        };
        let all_shared = (1 << outline.program.shared().len()) - 1;
        let stage = |state: &Shared| match *state {
            Shared::Start => Stage::Start,
            Shared::At { bits, is_atomic } => Stage::At { values: cube(bits, all_shared), is_atomic },
            Shared::Starting { bits, child, .. } => {
                Stage::Starting { values: cube(bits, all_shared), child: LocalId::new(child as usize) }
            }
            Shared::Found { .. } | Shared::Bad => Stage::Target,
        };
        let local = |state: &Local| match *state {
            Local::At { location, bits, known } => {
                Some(ThreadPattern { location, locals: cube(bits, known) })
            }
            Local::Gone => None,
        };
        Self {
            shared: reached.shared.all.iter().map(stage).collect(),
            locals: reached.locals.all.iter().map(local).collect(),
            chosen: reached.locals.all.iter().map(|&it| outline.is_chosen(it)).collect(),
        }
    }

    /// Whether all values of a thread that can matter are chosen.
    pub fn is_chosen(&self, id: LocalId) -> bool {
        self.chosen.get(id.index()).copied().unwrap_or(false)
    }

    /// What a shared state stands for.
    pub fn stage(&self, id: SharedId) -> Option<&Stage> {
        self.shared.get(id.index())
    }

    /// Where a thread is, with the values of the variables that can matter there, as far as they are chosen; `None` if it
    /// has ended.
    pub fn local(&self, id: LocalId) -> Option<&ThreadPattern> {
        self.locals.get(id.index())?.as_ref()
    }
}

/// The system of a program and a question, unless it needs more than `limit` rules, or pairs of a shared and a local
/// state that occur together.
pub fn translate(program: &Program, question: &ProgramQuestion, limit: usize) -> Result<System, TooLarge> {
    translate_with_meaning(program, question, limit).map(|(system, _)| system)
}

/// As [`translate`], with what the states stand for.
pub fn translate_with_meaning(
    program: &Program,
    question: &ProgramQuestion,
    limit: usize,
) -> Result<(System, Meaning), TooLarge> {
    let too_large = || TooLarge { shared: program.shared().len(), locals: program.locals().len(), limit };
    // More variables do not fit into the words that valuations are kept in; nor would their valuations into any memory.
    let n_variables = program.shared().len().max(program.locals().len());
    if n_variables >= Bits::BITS as usize {
        return Err(too_large());
    }
    let outline = Outline::new(program, question);
    // All shared variables are arbitrary at the start, and all variables of a function where it begins.
    let widest = outline.kept.iter().map(|kept| kept.count_ones()).max().unwrap_or(0);
    if limit >> widest.max(program.shared().len() as u32) == 0 {
        return Err(too_large());
    }
    let reached = fixpoint::Fixpoint::new(&outline, limit).run().ok_or_else(too_large)?;
    Ok((build::build(&outline, &reached), Meaning::new(&outline, &reached)))
}
