//! The control-flow graphs of the threads of a C program, over which its meaning is defined.
//!
//! A *state* is a value for every shared variable and a list of threads in the order of their creation. A thread has a
//! number (the first one is 1, its place in the list), runs the code of a [`Template`], stands at a [`Location`] of it and
//! has values for the template's local variables. At the start there is one thread, of template [`Program::main`] at its
//! entry; variables have their [`Variable::initial`] values.
//!
//! A thread takes a step along an [`Edge`] from its location if the edge's guard is true. All expressions are evaluated in
//! the state before the step, reading shared variables and the thread's own; then all assignments happen at once, then
//! the [`Effect`]. Threads interleave in any order, one edge at a time, sequentially consistently, and no step is ever
//! forced. While a thread is at a location with [`Location::is_atomic`], no other thread takes steps: if it cannot step
//! there either, that run ends. A thread at a location of kind [`LocationKind::End`] has ended.
//!
//! The program is *unsafe* if a thread can come to a location of kind [`LocationKind::Error`].
//!
//! # Values
//!
//! Values are bit-vectors of 1 to 128 bits, kept as `u128` with zeros above the width; truth values have 1 bit. Operators
//! are those of machines: addition, subtraction and multiplication wrap around; what C leaves undefined is decided by
//! whoever makes the graph (an error, or a guard). A shift by the width or more gives zeros (or copies of the sign);
//! dividing by zero gives all ones and the remainder is the dividend, as in SMT-LIB. Reading an array beyond its end gives
//! zero and writing there changes nothing: guards see to it that neither happens.
//!
//! [`Expression::Nondet`] is an arbitrary value, chosen when the edge is taken: two of the same number in one edge are
//! equal, and each time an edge is taken they are chosen anew.
//!
//! # Memory
//!
//! C objects are cut into scalars: `struct { int a; char b[4]; } s[3]` is two variables, `s[].a` of length 3 and
//! `s[].b[]` of length 12. Neighbouring bit-fields of one unit are one variable, and so is each word of a union whose members
//! overlap; a place that is a part of such a variable, or bytes of several, is read by extracting and joining bits. Pointers are addresses in a layout of all objects ([`Variable::address`]), so comparing,
//! subtracting and casting them means what it means on a machine; `NULL` is 0. An access through a pointer names all
//! variables that it may be about, with conditions on the address.
//!
//! # Edges are small
//!
//! As the front end makes them, an edge accesses at most one shared object (`--atomicity access`) or is at most one
//! statement (`--atomicity statement`), read-modify-write operations and atomic sections apart. Nothing is merged or
//! sliced away here.

mod build;
mod expression;
mod origin;
mod program;
mod text;

pub use build::{Replacement, apply, mask, signed};
pub use expression::{BinaryOperator, Expression, ExpressionId, Expressions, UnaryOperator};
pub use origin::Origins;
pub use program::{
    Assignment, Edge, EdgeId, Effect, LONGEST_FULL, Layout, LedgerEntry, Location, LocationId, LocationKind,
    Nondet, NondetId, PassiveUpdate, Predicate, Program, Property, PropertyId, PropertyKind, Scope, Settled,
    Site, SiteId, Template, TemplateId, ValueType, Variable, VariableId,
};
