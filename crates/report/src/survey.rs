//! What results without a verdict have in common: coverability sets, reachable thread states and cutoffs.

use crate::Phase;
use crate::json;
use crate::result::{Cost, Subject};
use serde::Serialize;
use throng_base::Diagnostic;
use throng_engine::UnknownReason;
use throng_model::System;

/// What was looked at, and whether to the end.
#[derive(Clone, Copy, Debug)]
pub struct Survey<'a, S = &'a System> {
    /// The input as the user named it.
    pub file: &'a str,
    /// The name of the input's format.
    pub format: &'a str,
    /// With how many threads it starts, if exactly so many were asked for.
    pub threads: Option<u32>,
    /// What it is about.
    pub subject: S,
    /// Whether everything was found, or why there may be more.
    pub completeness: Completeness<'a>,
    /// What the reader of the input remarked.
    pub warnings: &'a [Diagnostic],
    /// What the run cost, if that should be shown: it differs from run to run.
    pub cost: Option<Cost>,
}

/// How much was found.
#[derive(Clone, Copy, Debug)]
pub enum Completeness<'a> {
    /// Everything.
    Complete {
        /// Whether the independent checker accepted that.
        checked: bool,
        /// Of how much that is listed nothing was shown to the checker: it accepted that there is nothing else.
        unshown: usize,
    },
    /// Perhaps not everything.
    Unknown {
        /// Why.
        reason: &'a UnknownReason,
        /// What was going on.
        phase: Phase,
    },
}

/// How every JSON document begins.
#[derive(Serialize)]
pub(crate) struct Head<'a> {
    format: &'static str,
    version: u64,
    throng: &'static str,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'static str>,
    input: json::Input<'a>,
}

/// How every JSON document ends.
#[derive(Serialize)]
pub(crate) struct Tail<'a> {
    warnings: Vec<json::Warning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<json::CostDocument>,
}

impl<'a, S: Copy + Into<Subject<'a>>> Survey<'a, S> {
    /// The words in the last line of a text, `complete` if it is.
    pub(crate) fn ending(&self, complete: &str) -> String {
        match self.completeness {
            Completeness::Complete { checked: true, .. } => complete.to_owned(),
            Completeness::Complete { checked: false, .. } => format!("{complete} (unchecked)"),
            Completeness::Unknown { reason, .. } => format!("unknown({reason})"),
        }
    }

    /// The beginning of a JSON document of this kind.
    pub(crate) fn head(&self, format: &'static str) -> Head<'a> {
        let (complete, checked, reason, phase) = match self.completeness {
            Completeness::Complete { checked, unshown } => (true, Some(checked && unshown == 0), None, None),
            Completeness::Unknown { reason, phase } => {
                (false, None, Some(reason.to_string()), Some(phase.word()))
            }
        };
        let input = json::Input::new(self.file, Some(self.format), self.threads, Some(self.subject.into()));
        Head {
            format,
            version: 1,
            throng: env!("CARGO_PKG_VERSION"),
            complete,
            checked,
            reason,
            phase,
            input,
        }
    }

    /// The end of a JSON document.
    pub(crate) fn tail(&self) -> Tail<'a> {
        Tail { warnings: self.warnings.iter().map(json::warning).collect(), cost: self.cost.map(json::cost) }
    }
}
