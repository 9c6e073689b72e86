//! What users see: verdicts as text and JSON, evidence and systems as DOT, charts as SVG, diagnostics with carets.
//!
//! One module per output: [`text`], [`json`], [`html`], [`sarif`], [`ci`], [`dot`], [`chart`], [`benchmark`], [`diagnostics`]. They share the data of
//! a run ([`result`]). Everything here returns text; printing is the command's business. The same data gives the same
//! bytes.

pub mod benchmark;
pub mod c;
pub mod chart;
pub mod ci;
mod contest;
pub mod cover;
mod crowd;
pub mod cutoff_costs;
pub mod diagnostics;
pub mod document;
pub mod dot;
mod grid;
pub mod html;
mod interleaving;
pub mod json;
mod listing;
pub mod program;
pub use throng::replay;
pub mod result;
pub mod sarif;
pub mod statistics;
pub mod story;
pub mod survey;
mod table;
pub mod text;
pub mod thread_states;
mod words;
mod wrap;

pub use result::{Case, Cost, Finding, Phase, RunResult, Subject};
