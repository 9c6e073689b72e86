//! Applies the question to what was read: initial configurations, targets, and the files beside the input.
//!
//! * `--init` replaces the initial configurations of the file, `--target` and `--property` its targets; given
//!   several times they mean all of them.
//! * An argument that is a configuration ([`config_text`](crate::config_text)) is never looked up as a file,
//!   so the answer does not depend on what lies in the current directory.
//! * `--threads` leaves the initial configurations with so many threads ([`threads`]).
//! * Without options, targets come from the file beside the input that its tools use: `.prop` beside `.tts`
//!   (which wins over a target inside), `.formula` beside `.lola`, `.xml` beside `.pnml`.
//!
//! A property that no configuration satisfies is a question, too: its list of targets is empty, with a warning.

use crate::config_text::{StateNames, parse_initial_at, parse_target_at};
use crate::{Draft, Format, Input, Question, lola, mcc, threads};
use std::path::{Path, PathBuf};
use throng_base::{Diagnostic, Source, Span};
use throng_model::{Config, Initial};

/// Turns a draft into an input, see the module's documentation. `path` is where the draft was read.
pub(crate) fn apply(
    mut draft: Draft,
    format: Format,
    path: Option<&Path>,
    question: &Question,
) -> Result<Input, Vec<Diagnostic>> {
    if question.mist_semantics && format != Format::Spec {
        draft.warnings.push(unused_semantics(format));
    }
    let answer = apply_initial(&mut draft, format, path, question)
        .and_then(|()| apply_threads(&mut draft, question))
        .and_then(|()| apply_targets(&mut draft, format, path, question));
    if let Err(errors) = answer {
        draft.warnings.extend(errors);
        return Err(draft.warnings);
    }
    let Draft { builder, warnings, invariant_hints, .. } = draft;
    match builder.finish() {
        Ok(system) => Ok(Input { system, format, warnings, invariant_hints }),
        Err(error) => {
            Err(warnings.into_iter().chain([Diagnostic::error("E0120", error.to_string())]).collect())
        }
    }
}

fn apply_initial(
    draft: &mut Draft,
    format: Format,
    path: Option<&Path>,
    question: &Question,
) -> Result<(), Vec<Diagnostic>> {
    if question.init.is_empty() {
        let beside = path.map(|path| path.with_extension("init"));
        if let (Format::Tts, Some(init)) = (format, beside.filter(|init| init.is_file())) {
            draft.warnings.push(unused_init(&init));
        }
        return Ok(());
    }
    let mut initial = Vec::new();
    for argument in &question.init {
        initial.push(initial_of(draft, argument)?);
    }
    draft.builder.clear_initial();
    for initial in initial {
        draft.builder.initial(initial);
    }
    Ok(())
}

fn apply_threads(draft: &mut Draft, question: &Question) -> Result<(), Vec<Diagnostic>> {
    match question.threads {
        Some(number) => threads::fix(draft, number).map_err(|error| vec![error]),
        None => Ok(()),
    }
}

fn unused_semantics(format: Format) -> Diagnostic {
    let message = format!("`--mist-semantics` has no effect on a `.{}` file", format.extension());
    Diagnostic::warning("W0127", message).note("it is about the assignments of `.spec` rules")
}

/// The name of the property to ask for, and whether anything was chosen by it.
struct Choice<'q> {
    name: Option<&'q str>,
    used: bool,
}

impl Choice<'_> {
    fn warn_if_unused(&self, draft: &mut Draft) {
        if let Some(name) = self.name.filter(|_| !self.used) {
            let message = format!("`--property-name {}` has no effect", name.escape_debug());
            draft.warnings.push(
                Diagnostic::warning("W0128", message)
                    .note("only MCC queries (`.xml`) and the properties inside a `.pnet` file have names"),
            );
        }
    }
}

fn unused_init(init: &Path) -> Diagnostic {
    Diagnostic::warning("W0121", format!("`{}` is not used", init.display()))
        .note("without `--init` a `.tts` file starts with shared state 0 and any number of threads in local state 0")
        .hint(format!("to start from it, say `--init {}`", init.display()))
}

/// The initial configuration that an argument of `--init` means.
fn initial_of(draft: &mut Draft, argument: &str) -> Result<Initial, Vec<Diagnostic>> {
    let source = Source::from_text("--init", argument);
    let parsed = parse_initial_at(&source, whole(&source), names(draft));
    match parsed {
        Ok(initial) => Ok(initial),
        Err(error) => {
            let source = file_instead(argument, error)?;
            let span = configuration_span(&source)?;
            parse_initial_at(&source, span, names(draft)).map_err(|error| vec![error])
        }
    }
}

fn apply_targets(
    draft: &mut Draft,
    format: Format,
    path: Option<&Path>,
    question: &Question,
) -> Result<(), Vec<Diagnostic>> {
    if question.without_targets {
        draft.builder.clear_targets();
        return Ok(());
    }
    let mut targets = Vec::new();
    let mut asked = false;
    let by_hand = !question.target.is_empty() || question.property.is_some();
    let mut choice =
        Choice { name: question.property_name.as_deref(), used: format == Format::Pnet && !by_hand };
    for argument in &question.target {
        targets.extend(targets_of(draft, argument, &mut choice)?);
        asked = true;
    }
    let beside = || path.and_then(|path| property_beside(format, path));
    let property = question.property.clone().or_else(|| if asked { None } else { beside() });
    if let Some(property) = property {
        let source = Source::read(&property).map_err(|error| vec![error])?;
        targets.extend(property_targets(draft, &source, &property, &mut choice)?);
        asked = true;
    }
    choice.warn_if_unused(draft);
    if asked {
        if draft.states_target && !by_hand {
            warn_if_different(draft, &targets);
        }
        draft.builder.clear_targets();
        for target in targets {
            draft.builder.target(target);
        }
    }
    asked |= draft.states_target || !draft.builder.targets().is_empty();
    match (asked, draft.builder.targets().is_empty()) {
        (true, true) => draft.warnings.push(unsatisfiable()),
        (false, _) if !question.target_optional => return Err(vec![no_target(format)]),
        _ => {}
    }
    Ok(())
}

fn unsatisfiable() -> Diagnostic {
    Diagnostic::warning("W0123", "no configuration satisfies the property, so nothing counts as bad")
        .note("every system is safe with respect to such a property")
}

fn warn_if_different(draft: &mut Draft, targets: &[Config]) {
    if draft.builder.targets() != targets {
        draft.warnings.push(
            Diagnostic::warning("W0124", "the file beside the input replaces the target inside it")
                .hint("name the target with `--target` to be sure which is meant"),
        );
    }
}

fn no_target(format: Format) -> Diagnostic {
    let error = Diagnostic::error("E0122", "there is no target to ask about");
    let error = match format {
        Format::Tts => error
            .note("a `.prop` file beside the input would be used")
            .hint("give a target, as in `--target '4|23'`: shared state 4 and a thread in local state 23"),
        Format::Lola => error.note("a `.formula` file beside the input would be used"),
        Format::Pnml => error.note("an `.xml` file of the same name beside the input would be used"),
        _ => error,
    };
    match format {
        Format::Tts => error,
        _ => error.hint("give a target, as in `--target 'p,q*2'`: one token in `p` and two in `q`"),
    }
    .hint("or name a file with `--property FILE` (`.formula`, `.xml` or `.prop`)")
}

/// The property file that belongs to an input by convention, if it exists.
fn property_beside(format: Format, path: &Path) -> Option<PathBuf> {
    let extension = match format {
        Format::Tts => "prop",
        Format::Lola => "formula",
        Format::Pnml => "xml",
        Format::Spec | Format::Tina | Format::Pnet | Format::Pl => return None,
    };
    Some(path.with_extension(extension)).filter(|property| property.is_file())
}

/// The targets that an argument of `--target` means.
fn targets_of(
    draft: &mut Draft,
    argument: &str,
    choice: &mut Choice<'_>,
) -> Result<Vec<Config>, Vec<Diagnostic>> {
    let source = Source::from_text("--target", argument);
    let parsed = parse_target_at(&source, whole(&source), names(draft));
    match parsed {
        Ok(target) => Ok(vec![target]),
        Err(error) => {
            let source = file_instead(argument, error)?;
            property_targets(draft, &source, Path::new(argument), choice)
        }
    }
}

/// The file that an argument names which is not a configuration because of `error`.
fn file_instead(argument: &str, error: Diagnostic) -> Result<Source, Vec<Diagnostic>> {
    let path = Path::new(argument);
    if path.is_file() {
        return Source::read(path).map_err(|error| vec![error]);
    }
    Err(vec![error.note(format!("there is no file `{argument}` either"))])
}

/// The kinds of property files.
enum PropertyKind {
    Configuration,
    Formula,
    Query,
}

fn property_kind(path: &Path, source: &Source) -> PropertyKind {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "prop" | "init" => return PropertyKind::Configuration,
        "formula" => return PropertyKind::Formula,
        "xml" => return PropertyKind::Query,
        _ => {}
    }
    // Of an unknown name the content decides: a configuration holds no comparison.
    let text = source.text().trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        PropertyKind::Query
    } else if text.contains(['<', '>', '=']) {
        PropertyKind::Formula
    } else {
        PropertyKind::Configuration
    }
}

fn property_targets(
    draft: &mut Draft,
    source: &Source,
    path: &Path,
    choice: &mut Choice<'_>,
) -> Result<Vec<Config>, Vec<Diagnostic>> {
    match property_kind(path, source) {
        PropertyKind::Configuration => {
            let span = configuration_span(source)?;
            Ok(vec![parse_target_at(source, span, names(draft)).map_err(|error| vec![error])?])
        }
        PropertyKind::Formula => lola::parse_formula(source, draft),
        PropertyKind::Query => {
            choice.used = true;
            mcc::parse(source, draft, choice.name)
        }
    }
}

/// Where the configuration of a `.prop` or `.init` file stands: its first word, as in bfc; a quoted name may
/// contain blanks. Lines with comments before it are skipped. bfc ignores what comes after it, which is hardly what its author
/// meant: a second configuration is refused.
fn configuration_span(source: &Source) -> Result<Span, Vec<Diagnostic>> {
    let mut words = Words { text: source.text(), at: 0 };
    let Some(first) = words.next() else {
        let end = Span::new(source.text().len(), source.text().len());
        let error = Diagnostic::error("E0125", "the file holds no configuration");
        return Err(vec![error.at(source, end, "expected a configuration such as `4|23`")]);
    };
    if let Some(more) = words.next() {
        let error = Diagnostic::error("E0126", "the file holds more than one configuration");
        return Err(vec![error.at(source, more, "other tools ignore this").hint(
            "give each configuration as an option of its own: several `--target` are several targets",
        )]);
    }
    Ok(first)
}

/// Words separated by blanks outside quotes, without comments.
struct Words<'s> {
    text: &'s str,
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return None;
            }
            if !rest.starts_with('#') {
                let start = self.at;
                self.at += word_length(rest);
                return Some(Span::new(start, self.at));
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }
}

/// The length of the word at the beginning of a text.
fn word_length(text: &str) -> usize {
    let mut quoted = false;
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, c)| {
        let ends = !quoted && (c.is_whitespace() || c == '#');
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at)
}

fn whole(source: &Source) -> Span {
    Span::new(0, source.text().len())
}

fn names(draft: &Draft) -> StateNames<'_> {
    StateNames { shared: draft.builder.shared_names(), locals: draft.builder.local_names() }
}
