//! Readers and printers of every input format: text ⇄ model.
//!
//! [`read`] turns a file and the question asked about it into a [`System`]; [`print()`] turns a system back into
//! the text of a format that can express it. What is not a coverability question is refused with the reason
//! and, where there is one, a way to ask it.
//!
//! One module per format, each with its grammar in the header, a reader and a printer. Shared between them:
//! tokens (`tokens`), configurations as strings ([`config_text`]), and Boolean combinations of linear
//! constraints (`formula`).

pub mod config_text;
mod formula;
mod lola;
mod mcc;
mod net_draft;
mod net_view;
mod pl;
mod pnet;
mod pnml;
mod question;
mod spec;
mod suggest;
mod threads;
mod tina;
mod tokens;
mod tts;
mod warnings;
mod xml;

use std::path::{Path, PathBuf};
use throng_base::{Diagnostic, Source};
use throng_model::names::NameTable;
use throng_model::{LocalId, RuleId, System, SystemBuilder};

/// An input format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Thread transition systems of bfc, `.tts`.
    Tts,
    /// mist, `.spec`.
    Spec,
    /// Place/transition nets in PNML, `.pnml`.
    Pnml,
    /// LoLA, `.lola`.
    Lola,
    /// Tina, `.net`.
    Tina,
    /// Petrinizer, `.pnet`.
    Pnet,
    /// Prolog facts of the QCover suite, `.pl`.
    Pl,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] =
        [Format::Tts, Format::Spec, Format::Pnml, Format::Lola, Format::Tina, Format::Pnet, Format::Pl];

    /// The file name extension, which is also the format's name on the command line.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Tts => "tts",
            Format::Spec => "spec",
            Format::Pnml => "pnml",
            Format::Lola => "lola",
            Format::Tina => "net",
            Format::Pnet => "pnet",
            Format::Pl => "pl",
        }
    }

    /// The format with this extension.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// The format of a file by its name.
    pub fn of_path(path: &Path) -> Result<Self, Diagnostic> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        Self::from_extension(extension).ok_or_else(|| {
            let known = Self::ALL.map(|format| format!(".{}", format.extension())).join(", ");
            Diagnostic::error("E0010", format!("cannot tell the format of `{}`", path.display()))
                .note(format!("known extensions: {known}"))
                .hint("name the format with `--input-format`")
        })
    }
}

/// What is asked about a file. Empty fields mean what the file itself says, or the format's default.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Read the file in this format whatever its name is.
    pub format: Option<Format>,
    /// Initial configurations, see [`config_text`].
    pub init: Vec<String>,
    /// Targets: configurations, or names of files with one (`.prop`).
    pub target: Vec<String>,
    /// A file with a property: LoLA `.formula`, MCC `.xml`, bfc `.prop`.
    pub property: Option<PathBuf>,
    /// Which property, where a file holds several.
    pub property_name: Option<String>,
    /// Read the assignments of `.spec` rules as mist does.
    pub mist_semantics: bool,
    /// Ask about exactly so many threads at the start.
    pub threads: Option<u32>,
    /// Accept an input without any target, for commands that only look at the system.
    pub target_optional: bool,
    /// Forget all targets, for commands that ask about everything that is coverable.
    pub without_targets: bool,
}

/// A file that has been read.
#[derive(Debug)]
pub struct Input {
    /// What it means.
    pub system: System,
    /// How it was written.
    pub format: Format,
    /// What its author may not have meant.
    pub warnings: Vec<Diagnostic>,
    /// Place invariants that the file states as hints: weights whose sum is said to be constant. Unproved.
    pub invariant_hints: Vec<Vec<(LocalId, u32)>>,
}

/// What the reader of one format makes of a file before the question is applied. Initial configurations and
/// targets that the file itself states are in the builder.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) builder: SystemBuilder,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) invariant_hints: Vec<Vec<(LocalId, u32)>>,
    /// Whether the file states a target. If it does and the builder has none, the target is unsatisfiable.
    pub(crate) states_target: bool,
    /// What formulas may call places and transitions besides their names.
    pub(crate) ids: Option<Ids>,
}

/// Identifiers of the local states and rules of a [`Draft`], in their order.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    pub(crate) places: NameTable,
    pub(crate) transitions: NameTable,
}

impl Draft {
    pub(crate) fn new(builder: SystemBuilder) -> Self {
        Self { builder, warnings: Vec::new(), invariant_hints: Vec::new(), states_target: false, ids: None }
    }

    /// The place with this name or, failing that, this identifier.
    pub(crate) fn find_place(&self, name: &str) -> Option<LocalId> {
        let by_id = || self.ids.as_ref().and_then(|ids| ids.places.find(name));
        self.builder.local_names().find(name).or_else(by_id).map(LocalId::new)
    }

    /// The rule with this name or, failing that, this identifier.
    pub(crate) fn find_transition(&self, name: &str) -> Option<RuleId> {
        let by_id = || self.ids.as_ref().and_then(|ids| ids.transitions.find(name)).map(RuleId::new);
        self.builder.find_rule(name).or_else(by_id)
    }
}

/// Reads a file and the question asked about it. `Err` holds at least one error, and warnings found before it.
pub fn read(path: &Path, question: &Question) -> Result<Input, Vec<Diagnostic>> {
    let format = question.format.map_or_else(|| Format::of_path(path), Ok).map_err(|error| vec![error])?;
    let source = Source::read(path).map_err(|error| vec![error])?;
    let draft = parse(format, &source, question)?;
    drop(source);
    question::apply(draft, format, Some(path), question)
}

/// As [`read`], but from a text: nothing is looked for beside it.
pub fn read_source(format: Format, source: &Source, question: &Question) -> Result<Input, Vec<Diagnostic>> {
    let draft = parse(format, source, question)?;
    question::apply(draft, format, None, question)
}

fn parse(format: Format, source: &Source, question: &Question) -> Result<Draft, Vec<Diagnostic>> {
    match format {
        Format::Tts => tts::parse(source),
        Format::Spec => spec::parse(source, question.mist_semantics),
        Format::Pnml => pnml::parse(source),
        Format::Lola => lola::parse(source),
        Format::Tina => tina::parse(source),
        Format::Pnet => pnet::parse(source, question.property_name.as_deref()),
        Format::Pl => pl::parse(source),
    }
}

/// The texts that express a system in one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The main file.
    pub text: String,
    /// Files to write beside it: extension (`prop`, `init`, `formula`, `xml`) and text.
    pub companions: Vec<(&'static str, String)>,
    /// What the reader of the new files should know, such as states that were renamed.
    pub notes: Vec<String>,
}

/// Writes a system in a format, or says why that format cannot express it.
pub fn print(format: Format, system: &System) -> Result<Printed, Diagnostic> {
    match format {
        Format::Tts => tts::print(system),
        Format::Spec => spec::print(system),
        Format::Pnml => pnml::print(system),
        Format::Lola => lola::print(system),
        Format::Tina => tina::print(system),
        Format::Pnet => pnet::print(system),
        Format::Pl => pl::print(system),
    }
}
