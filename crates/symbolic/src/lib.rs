//! Boolean programs as transition systems whose states are cubes, made when they are first met.
//!
//! The translation of a program into a thread transition system blows up: with v variables there are 2ᵛ states at each
//! location, most of which no search ever meets (Zhao's thesis on STAR, Oxford 2009, §3). Here a state is a *cube*: values
//! of the variables that matter so far. [`ProgramSystem`] gives the engines predecessors and successors of such states,
//! computed from the statements with decision diagrams, and turns what engines find into evidence about the program.
//!
//! * `relation`: what a statement relates, as a decision diagram; `cover`: a diagram as few cubes.
//! * `images`: predecessors and successors of cubes along one edge.
//! * `rules`: rules between states; `backward`, `forward`: where they come from; `system`: the engines' interface.
//! * `fixed`: values that locations fix; `through`: locations that threads only pass through; `sections`: atomic sections that do not matter; `liveness`: variables that can matter.
//! * [`thread_states`]: everything that a thread can see, and how many threads that takes.
//! * `schedule`: who does what in a trace.
//! * `document`: evidence in terms of the program; `concrete`: traces with values.
//! * [`explicit`]: the translation with all states, for small programs.

mod backward;
mod broadcasts;
mod concrete;
mod cover;
mod decide;
mod document;
pub mod explicit;
mod fixed;
mod forward;
mod images;
mod liveness;
mod order;
mod precision;
mod refine;
mod relation;
mod rules;
mod schedule;
mod sections;
mod states;
mod system;
pub mod thread_states;
mod through;

pub use document::Untold;
pub use schedule::{Scheduled, Snapshot};
pub use system::{ProgramSystem, StatementTooLarge};
