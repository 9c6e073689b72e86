//! What is coverable: a minimal coverability set as text and JSON.
//!
//! The last line of the text is `cover: complete` or `cover: unknown(REASON)`. The JSON document is described by
//! `docs/schemas/cover-v1.schema.json`. A search that ended early has found out that what it lists is coverable, and
//! nothing about the rest: so it says what is unbounded, but no bounds.

use crate::survey::{Completeness, Head, Survey, Tail};
use crate::text::{start_lines, why_unknown};
use crate::words::{Words, counted};
use crate::{json, statistics};
use serde::Serialize;
use std::collections::BTreeMap;
use throng_cert::document::{Body, Configuration};
use throng_cert::{CoverSet, Evidence, EvidenceDocument, Header};
use throng_engine::Statistics;
use throng_model::{Config, LocalId, OMEGA};

/// Elements of a set, and local states, that are listed unless everything is asked for.
const LIMIT: usize = 50;
/// Kinds of threads spelled out in one element, unless everything is asked for.
const KINDS: usize = 40;

/// A coverability set and how it came about.
#[derive(Clone, Copy, Debug)]
pub struct CoverResult<'a> {
    /// What it is about; it is complete if these are all.
    pub survey: Survey<'a>,
    /// The maximal configurations that were found.
    pub elements: &'a [Config],
    /// What was counted.
    pub statistics: &'a Statistics,
}

/// The local states with the most threads that an element has there: [`OMEGA`] for any number, 0 where no thread ever is.
fn bounds(result: &CoverResult<'_>) -> Vec<(LocalId, u32)> {
    let mut bounds = vec![0; result.survey.subject.n_locals()];
    for entry in result.elements.iter().flat_map(|element| element.bag.iter()) {
        let bound = &mut bounds[entry.local.index()];
        *bound = entry.count.max(*bound);
    }
    LocalId::all(bounds.len()).zip(bounds).collect()
}

/// The whole text, every line ended.
pub fn render(result: &CoverResult<'_>, verbose: bool) -> String {
    let words = Words { system: result.survey.subject };
    let mut text = start_lines(result.survey.file, result.survey.threads, result.survey.subject);
    text.push('\n');
    text.push_str(&head(result, words));
    text.push_str(&elements_text(result, words, verbose));
    text.push('\n');
    text.push_str(&bounds_text(result, words, verbose));
    if let Completeness::Complete { checked, .. } = result.survey.completeness {
        text.push_str(if checked {
            "\nThe independent checker accepted that nothing else can be reached.\n"
        } else {
            "\nNobody checked that nothing else can be reached (--no-check).\n"
        });
    }
    if verbose || matches!(result.survey.completeness, Completeness::Unknown { .. }) {
        text.push_str(&format!(
            "\n{}",
            statistics::render(result.statistics, result.survey.subject.is_net())
        ));
    }
    text.push_str(&format!("\ncover: {}\n", result.survey.ending("complete")));
    text
}

fn head(result: &CoverResult<'_>, words: Words<'_>) -> String {
    let found = counted(result.elements.len() as u64, &format!("maximal {}", words.configuration()));
    match result.survey.completeness {
        Completeness::Complete { .. } => format!(
            "{found}, where ω stands for any number. Exactly what is contained in one of them can be covered.\n"
        ),
        Completeness::Unknown { reason, phase } => {
            let moves = result.survey.subject.rules().iter().any(|(_, rule)| rule.has_moves());
            let (rule, thread) = (words.rule_noun(), words.thread());
            let why = if moves {
                format!(
                    "Since a {rule} moves {thread}s that do not take part, the search need not end at all.\n"
                )
            } else {
                "More time (--timeout) or memory (--memory) would give all of them.\n".to_owned()
            };
            format!(
                "Unfinished: {}.\n{why}What is contained in one of these can be covered, and perhaps more:\n\
                 {found} so far, where ω stands for any number.\n",
                why_unknown(reason, phase)
            )
        }
    }
}

fn elements_text(result: &CoverResult<'_>, words: Words<'_>, verbose: bool) -> String {
    let (limit, kinds) = if verbose { (usize::MAX, usize::MAX) } else { (LIMIT, KINDS) };
    let mut text = String::new();
    for element in result.elements.iter().take(limit) {
        let element = words.config(element.view(), kinds);
        // In a net, this is how the marking without any token is spelled.
        text.push_str(&format!("  {}\n", if element.is_empty() { "no tokens" } else { &element }));
    }
    if result.elements.len() > limit {
        text.push_str(&format!("  … ({} more; -v shows all)\n", result.elements.len() - limit));
    }
    text
}

fn bounds_text(result: &CoverResult<'_>, words: Words<'_>, verbose: bool) -> String {
    let bounds = bounds(result);
    let place = if result.survey.subject.is_net() { "place" } else { "local state" };
    let line = |title: &str, chosen: Vec<String>| {
        let limit = if verbose { usize::MAX } else { LIMIT };
        let more = chosen.len().saturating_sub(limit);
        let more = if more > 0 { format!(", … ({more} more; -v shows all)") } else { String::new() };
        match chosen.len() {
            0 => format!("{title}: none\n"),
            count => {
                let names: Vec<String> = chosen.into_iter().take(limit).collect();
                format!("{title} ({}): {}{more}\n", counted(count as u64, place), names.join(", "))
            }
        }
    };
    let named = |wanted: &dyn Fn(u32) -> bool, spell: &dyn Fn(String, u32) -> String| -> Vec<String> {
        let chosen = bounds.iter().filter(|(_, bound)| wanted(*bound));
        chosen.map(|&(local, bound)| spell(words.local(local), bound)).collect()
    };
    let name_only = |name: String, _: u32| name;
    let mut text = line("unbounded", named(&|bound| bound == OMEGA, &name_only));
    if matches!(result.survey.completeness, Completeness::Complete { .. }) {
        let bounded = named(&|bound| bound > 0 && bound < OMEGA, &|name, bound| format!("{name} ≤ {bound}"));
        text.push_str(&line("bounded", bounded));
        text.push_str(&line("never used", named(&|bound| bound == 0, &name_only)));
    }
    text
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    elements: Vec<Configuration>,
    unbounded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Vec<(String, u32)>>,
    statistics: BTreeMap<&'static str, u64>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The elements in the names of the input, as in an evidence document.
fn named(result: &CoverResult<'_>) -> Vec<Configuration> {
    let evidence = Evidence::CoverSet(CoverSet { elements: result.elements.to_vec() });
    match EvidenceDocument::new(&evidence, result.survey.subject, Header::default()).body {
        Body::CoverSet(set) => set.elements,
        Body::Trace(_) | Body::Proof(_) | Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => {
            Vec::new()
        }
    }
}

/// The JSON document, with a line end.
pub fn render_json(result: &CoverResult<'_>) -> String {
    let words = Words { system: result.survey.subject };
    let bounds = bounds(result);
    let complete = matches!(result.survey.completeness, Completeness::Complete { .. });
    let unbounded = bounds.iter().filter(|(_, bound)| *bound == OMEGA).map(|&(local, _)| words.local(local));
    let finite = bounds.iter().filter(|(_, bound)| *bound != OMEGA);
    let finite = finite.map(|&(local, bound)| (words.local(local), bound));
    json::pretty(&Document {
        head: result.survey.head("throng-cover"),
        elements: named(result),
        unbounded: unbounded.collect(),
        bounds: complete.then(|| finite.collect()),
        statistics: result.statistics.iter().collect(),
        tail: result.survey.tail(),
    })
}
