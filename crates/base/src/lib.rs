//! What every other crate of throng stands on and nothing more: typed indices ([`ids`]), texts of input
//! files ([`source`]), messages about them ([`diagnostic`]), what parsers share ([`tokens`], [`names`],
//! [`suggest`]) and resource budgets ([`budget`]).
//!
//! Nothing here knows what a thread is, and nothing here prints.

pub mod budget;
pub mod diagnostic;
pub mod ids;
pub mod names;
pub mod source;
pub mod suggest;
pub mod tokens;

pub use budget::{Budget, Limits, StopReason};
pub use diagnostic::{Diagnostic, Severity, Snippet};
pub use source::{Source, Span};
