//! Reachable thread states of a program, and cutoffs, as text and JSON.
//!
//! A thread state is a valuation of the shared variables together with the location and the local variables of one
//! thread. There are too many to list, so they come as cubes. The last line of the text is `reach: …` or `cutoff: …`, as
//! for systems; the JSON documents are described by the same schemas.

use super::json::{
    CubeDocument, PlaceDocument, TraceDocument, cube_document, place_document, trace_document,
};
use super::text::start_lines;
use super::words::{ProgramWords, Thread};
use super::{ProgramCase, trace};
use crate::json;
use crate::survey::{Completeness, Head, Survey, Tail};
use crate::text::TextOptions;
use crate::thread_states::{
    LayerDocument, layer_documents, layers_text, needed, not_enough_text, reachability_text, trust, verb, why,
};
use crate::words::counted;
use serde::Serialize;
use throng_boolprog::Cube;
use throng_boolprog::flow::LocationId;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_engine::thread_states::Layer;

/// Locations that are listed unless everything is asked for.
const PLACES: usize = 40;
/// Cubes that are listed for a location unless everything is asked for.
const CUBES: usize = 4;

/// Which thread states of a program can be reached.
#[derive(Clone, Copy, Debug)]
pub struct ReachView<'a> {
    /// What it is about; it is complete if no other can be reached.
    pub survey: Survey<'a, ProgramCase<'a>>,
    /// By location: disjoint cubes over shared and over local variables.
    pub places: &'a [(LocationId, Vec<(Cube, Cube)>)],
    /// How many thread states these are.
    pub count: u128,
    /// How many local states (a location with a valuation of the local variables) occur in them.
    pub occupied: u128,
    /// How many local states there are, reachable or not.
    pub all: u128,
}

/// The reachable thread states as text, every line ended.
pub fn render_reach(result: &ReachView<'_>, verbose: bool) -> String {
    let words = ProgramWords::new(result.survey.subject);
    let (places, cubes) = if verbose { (usize::MAX, usize::MAX) } else { (PLACES, CUBES) };
    let mut text = start_lines(result.survey.file, &words);
    let noun = if result.count == 1 { "thread state" } else { "thread states" };
    text.push_str(&format!(
        "\n{} {noun} can be reached; {} of {} local states occur.\n\
         By location, shared variables | own variables, * for any values:\n",
        result.count, result.occupied, result.all
    ));
    let mut by_line: Vec<_> = result.places.iter().collect();
    // Failed assertions come last.
    by_line.sort_by_key(|(location, _)| (words.line(*location).unwrap_or(u32::MAX), *location));
    for (location, found) in by_line.into_iter().take(places) {
        text.push_str(&place_text(&words, *location, found, cubes));
    }
    if result.places.len() > places {
        text.push_str(&format!("  … ({} more locations; -v shows all)\n", result.places.len() - places));
    }
    text.push_str(&format!("\n{}", trust(result.survey.completeness)));
    text.push_str(&format!("\nreach: {}\n", result.survey.ending("complete")));
    text
}

/// ``line 7 `x := 1`: s=1 | b=0; * | b=1``: shared variables, then the thread's own.
fn place_text(
    words: &ProgramWords<'_>,
    location: LocationId,
    found: &[(Cube, Cube)],
    limit: usize,
) -> String {
    let or_any = |values: String| if values.is_empty() { "*".to_owned() } else { values };
    let spell = |(shared, locals): &(Cube, Cube)| {
        let (shared, locals) = (or_any(words.shared_values(shared)), or_any(words.local_values(locals)));
        format!("{shared} | {locals}")
    };
    let shown: Vec<String> = found.iter().take(limit).map(spell).collect();
    let more = found.len().saturating_sub(limit);
    let more = if more > 0 { format!("; … ({more} more; -v shows all)") } else { String::new() };
    format!("  {}: {}{more}\n", words.place(location), shown.join("; "))
}

#[derive(Serialize)]
struct ReachDocument<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    n_reachable: u128,
    n_occupied_local_states: u128,
    n_local_states: u128,
    places: Vec<PlaceDocument>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The reachable thread states as JSON, with a line end.
pub fn render_reach_json(result: &ReachView<'_>) -> String {
    let words = ProgramWords::new(result.survey.subject);
    let places = result.places.iter().map(|(location, cubes)| place_document(&words, *location, cubes));
    json::pretty(&ReachDocument {
        head: result.survey.head("throng-reach"),
        n_reachable: result.count,
        n_occupied_local_states: result.occupied,
        n_local_states: result.all,
        places: places.collect(),
        tail: result.survey.tail(),
    })
}

/// The cutoffs of what a program can reach, or as far as they are known.
#[derive(Clone, Copy, Debug)]
pub struct CutoffView<'a> {
    /// What can be reached; its completeness says how the search for cutoffs ended too.
    pub reach: ReachView<'a>,
    /// The cutoffs, if they are known.
    pub cutoffs: Option<KnownCutoffs<'a>>,
    /// So many threads do not reach everything; 0 if that is not known of any number.
    pub not_enough: u64,
    /// What so many threads reach, as far as that was looked at.
    pub layers: &'a [Layer],
}

/// Cutoffs.
#[derive(Clone, Copy, Debug)]
pub struct KnownCutoffs<'a> {
    /// The smallest number of threads that reach every reachable thread state.
    pub reachability: u64,
    /// The smallest number that do so in as few steps as any number, if it is known; that takes longer.
    pub uniform: Option<u64>,
    /// What needs so many, with an interleaving that leads there.
    pub needy: Option<(&'a Cube, &'a Thread, &'a EvidenceDocument)>,
}

/// The cutoffs as text, every line ended.
pub fn render_cutoff(result: &CutoffView<'_>, options: TextOptions) -> String {
    let reach = &result.reach;
    let words = ProgramWords::new(reach.survey.subject);
    let mut text = start_lines(reach.survey.file, &words);
    let noun = if reach.count == 1 { "thread state" } else { "thread states" };
    text.push_str(&format!("\n{} {noun} can be reached.\n\n", reach.count));
    if !result.layers.is_empty() {
        text.push_str(&format!("{}\n", layers_text(result.layers)));
    }
    let completeness = reach.survey.completeness;
    let ending = match &result.cutoffs {
        Some(cutoffs) => {
            text.push_str(&cutoffs_text(&words, cutoffs, completeness, options));
            let n = cutoffs.reachability;
            match cutoffs.uniform {
                Some(uniform) => reach.survey.ending(&format!("{n} (uniform: {uniform})")),
                None => format!("{n} (uniform: {})", reach.survey.ending("")),
            }
        }
        None => {
            text.push_str(&not_enough_text(result.not_enough));
            reach.survey.ending("")
        }
    };
    // If only the uniform cutoff is missing, that has been said.
    if result.cutoffs.is_none_or(|cutoffs| cutoffs.uniform.is_some()) {
        text.push_str(&trust(completeness));
    }
    text.push_str(&format!("\ncutoff: {ending}\n"));
    text
}

fn cutoffs_text(
    words: &ProgramWords<'_>,
    cutoffs: &KnownCutoffs<'_>,
    completeness: Completeness<'_>,
    options: TextOptions,
) -> String {
    let steps = match cutoffs.uniform {
        Some(uniform) => format!(
            "{} {} it in as few steps as any number of threads, and fewer do not.\n",
            counted(uniform, "thread"),
            verb(uniform, "reach")
        ),
        None => format!("In how few steps is not known: {}.\n", why(completeness)),
    };
    let mut text = format!("{}{steps}\n", reachability_text(cutoffs.reachability));
    if let Some((shared, thread, document)) = cutoffs.needy
        && let Body::Trace(steps) = &document.body
    {
        let circumstances = words.circumstances(shared);
        let count = counted(super::follow::n_steps(&steps.items), "step");
        text.push_str(&format!(
            "{} in {count}:\n\n",
            needed(cutoffs.reachability, &format!("{}{circumstances}", words.thread(thread)))
        ));
        text.push_str(&format!("{}\n", trace::steps(words, steps, options)));
    }
    text
}

#[derive(Serialize)]
struct NeedyDocument<'a> {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(flatten)]
    values: CubeDocument,
    n_steps: u64,
    trace: TraceDocument<'a>,
}

#[derive(Serialize)]
struct CutoffDocument<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    n_reachable: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachability: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_enough: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uniform: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_most: Option<NeedyDocument<'a>>,
    layers: Vec<LayerDocument>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The cutoffs as JSON, with a line end.
pub fn render_cutoff_json(result: &CutoffView<'_>) -> String {
    let reach = &result.reach;
    let words = ProgramWords::new(reach.survey.subject);
    json::pretty(&CutoffDocument {
        head: reach.survey.head("throng-cutoff"),
        n_reachable: reach.count,
        reachability: result.cutoffs.map(|cutoffs| cutoffs.reachability),
        not_enough: (result.not_enough > 0 && result.cutoffs.is_none()).then_some(result.not_enough),
        uniform: result.cutoffs.and_then(|cutoffs| cutoffs.uniform),
        needs_most: result.cutoffs.and_then(|cutoffs| needy(&words, &cutoffs)),
        layers: layer_documents(result.layers),
        tail: reach.survey.tail(),
    })
}

fn needy<'a>(words: &ProgramWords<'_>, cutoffs: &KnownCutoffs<'a>) -> Option<NeedyDocument<'a>> {
    let (shared, thread, document) = cutoffs.needy?;
    let Body::Trace(steps) = &document.body else { return None };
    Some(NeedyDocument {
        at: words.program().location_text(thread.location),
        line: words.line(thread.location),
        values: cube_document(words, shared, &thread.locals),
        n_steps: super::follow::n_steps(&steps.items),
        trace: trace_document(words, steps),
    })
}
