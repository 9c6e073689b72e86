//! What is asked about a program: how many threads start, and what none of them may reach.
//!
//! A configuration of a program is a valuation of its shared variables and a bag of threads, each at a location with a
//! valuation of its local variables. Whether a thread is in an atomic section is treated as one more shared variable, the
//! *atomic bit* ([`Program::atomic_bit`]): a configuration in which the bit is 0 has no thread at an atomic location, one
//! in which it is 1 has exactly one. With it, more threads never disable a step, so bad sets are upward closed.

use crate::cube::Cube;
use crate::flow::{LocationId, Program};

/// How many threads run `main` at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitThreads {
    /// So many.
    Exactly(u32),
    /// Any number.
    Any,
}

/// Threads at a location whose local variables agree with a cube.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadPattern {
    /// Where the thread is.
    pub location: LocationId,
    /// Its local variables.
    pub locals: Cube,
}

/// Configurations whose shared variables agree with a cube and that have different threads for all patterns, and perhaps
/// more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    /// The shared variables and, as [`Program::atomic_bit`], the atomic bit.
    pub shared: Cube,
    /// The threads.
    pub threads: Vec<ThreadPattern>,
}

/// A question about a program: can a configuration be reached that fits one of the targets?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramQuestion {
    /// How many threads start.
    pub threads: InitThreads,
    /// What should not be reached.
    pub targets: Vec<Pattern>,
}

impl ProgramQuestion {
    /// Whether an assertion can fail.
    pub fn assertions(program: &Program, threads: InitThreads) -> Self {
        Self::locations(threads, &[program.error()])
    }

    /// Whether a thread can come to one of these locations.
    pub fn locations(threads: InitThreads, locations: &[LocationId]) -> Self {
        let target = |&location: &LocationId| Pattern {
            shared: Cube::any(),
            threads: vec![ThreadPattern { location, locals: Cube::any() }],
        };
        Self { threads, targets: locations.iter().map(target).collect() }
    }
}

impl Program {
    /// The number of the atomic bit in cubes over shared variables: the one after all of them.
    pub fn atomic_bit(&self) -> u32 {
        // Sources are below 4 GiB, and a variable takes more than a byte.
        self.shared().len() as u32
    }

    /// Whether the program sets its variables to 0 at the start, see [`crate::read_from_zero`].
    pub fn starts_at_zero(&self) -> bool {
        let first = self.functions_at(self.entry()).next();
        first.is_some_and(|id| self.text(self.functions()[id.index()].name) == crate::zero::START)
    }

    /// How many threads start unless something else is asked for: one if the program starts others by itself, as
    /// SATABS has it, and any number otherwise, as SLAM has it.
    pub fn default_threads(&self) -> InitThreads {
        if self.starts_threads() { InitThreads::Exactly(1) } else { InitThreads::Any }
    }
}
