//! What it takes to find everything that threads can reach, in two ways, as text and JSON.
//!
//! One is exploring as many threads as the reachability cutoff, one configuration after the other; the other is a
//! Karp–Miller search for any number of threads. Figure 4.2 of Zhao's thesis on STAR (Oxford 2009) compares them. The JSON
//! document is described by `docs/schemas/cutoff-costs-v1.schema.json`. Seconds differ from run to run; that is what is asked
//! for here.

use crate::grid::{Align, Grid};
use crate::json;
use crate::result::Subject;
use crate::survey::{Completeness, Head, Survey, Tail};
use crate::text::why_unknown;
use crate::words::counted;
use serde::Serialize;
use std::time::Duration;

/// What exploring as many threads as the reachability cutoff took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// How many configurations there are.
    pub configurations: u64,
    /// How many local states occur in each of them, all added up.
    pub occupied: u64,
    /// How long it took, at least.
    pub time: Duration,
}

impl Bounded {
    /// How many local states occur in a configuration, on average.
    fn average(&self) -> f64 {
        self.occupied as f64 / self.configurations.max(1) as f64
    }
}

/// What a Karp–Miller search took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KarpMiller {
    /// How many nodes its tree has.
    pub nodes: u64,
    /// How many of them no other covers.
    pub maximal: u64,
    /// How long it took, at least.
    pub time: Duration,
}

/// The comparison, as far as it got.
#[derive(Clone, Copy, Debug)]
pub struct CutoffCosts<'a, S> {
    /// What it is about; it is complete if both ways came to an end.
    pub survey: Survey<'a, S>,
    /// How many thread states can be reached, or are known to be.
    pub n_reachable: u128,
    /// The reachability cutoff.
    pub reachability: Option<u64>,
    /// One way; there may be too many configurations for it.
    pub bounded: Option<Bounded>,
    /// The other.
    pub karp_miller: Option<KarpMiller>,
}

/// The comparison as text, every line ended.
pub fn render<'a, S: Copy + Into<Subject<'a>>>(result: &CutoffCosts<'a, S>) -> String {
    let survey = &result.survey;
    let noun = if result.n_reachable == 1 { "thread state" } else { "thread states" };
    let mut text = format!("{}: {} {noun} can be reached.\n\n", survey.file, result.n_reachable);
    if result.bounded.is_some() || result.karp_miller.is_some() {
        text.push_str(&format!("{}\n", table(result).render()));
    }
    match survey.completeness {
        Completeness::Complete { .. } => {}
        Completeness::Unknown { reason, phase } => {
            text.push_str(&format!("Unfinished: {}.\n\n", why_unknown(reason, phase)));
        }
    }
    let n = result.reachability.map(|threads| threads.to_string());
    let ending = match (n, survey.completeness) {
        (Some(n), Completeness::Unknown { reason, .. }) => format!("{n} (Karp–Miller: unknown({reason}))"),
        (n, _) => survey.ending(&n.unwrap_or_default()),
    };
    text.push_str(&format!("cutoff: {ending}\n"));
    text
}

fn table<S>(result: &CutoffCosts<'_, S>) -> Grid {
    let head = ["what was searched", "", "seconds"].map(str::to_owned).to_vec();
    let mut grid = Grid::aligned(head, vec![Align::Left, Align::Left, Align::Right]);
    let seconds = |time: Duration| format!("{:.4}", time.as_secs_f64());
    if let Some((threads, bounded)) = result.reachability.zip(result.bounded) {
        let configurations = counted(bounded.configurations, "configuration");
        let what = format!("{configurations}, {:.1} local states in each on average", bounded.average());
        grid.push(vec![counted(threads, "thread"), what, seconds(bounded.time)]);
    }
    if let Some(search) = result.karp_miller {
        let nodes = format!("{}, {} of them maximal", counted(search.nodes, "node"), search.maximal);
        grid.push(vec!["any number of threads (Karp–Miller)".to_owned(), nodes, seconds(search.time)]);
    }
    grid
}

#[derive(Serialize)]
struct BoundedDocument {
    configurations: u64,
    occupied: f64,
    seconds: f64,
}

#[derive(Serialize)]
struct KarpMillerDocument {
    nodes: u64,
    maximal: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    n_reachable: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    reachability: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounded: Option<BoundedDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    karp_miller: Option<KarpMillerDocument>,
    #[serde(flatten)]
    tail: Tail<'a>,
}

/// The comparison as JSON, with a line end.
pub fn render_json<'a, S: Copy + Into<Subject<'a>>>(result: &CutoffCosts<'a, S>) -> String {
    json::pretty(&Document {
        head: result.survey.head("throng-cutoff-costs"),
        n_reachable: result.n_reachable,
        reachability: result.reachability,
        bounded: result.bounded.map(|bounded| BoundedDocument {
            configurations: bounded.configurations,
            occupied: (bounded.average() * 1000.0).round() / 1000.0,
            seconds: bounded.time.as_secs_f64(),
        }),
        karp_miller: result.karp_miller.map(|search| KarpMillerDocument {
            nodes: search.nodes,
            maximal: search.maximal,
            seconds: search.time.as_secs_f64(),
        }),
        tail: result.survey.tail(),
    })
}
