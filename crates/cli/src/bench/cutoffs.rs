//! `throng bench --cutoffs`: the reachability cutoffs of a folder of models, and what it takes to find everything that
//! threads reach in two ways. Each model is a process of its own, `throng cutoff --compare`, one after the other.

use super::process::{Launcher, Remains};
use super::{Refusal, prepare_questions, report_tables};
use crate::console;
use crate::exit::Exit;
use crate::flags::BenchFlags;
use crate::{files, supervise};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use throng_base::{Budget, StopReason};
use throng_report::benchmark::cutoffs::{Bounded, Costs, CutoffBenchmark, Finding, KarpMiller, Model};

/// What is wanted of the document of `throng cutoff --compare`.
#[derive(Debug, Deserialize)]
struct Document {
    reason: Option<String>,
    n_reachable: u64,
    reachability: Option<u64>,
    bounded: Option<BoundedDocument>,
    karp_miller: Option<KarpMillerDocument>,
}

#[derive(Debug, Deserialize)]
struct BoundedDocument {
    configurations: u64,
    #[serde(default)]
    occupied: f64,
    seconds: f64,
}

#[derive(Debug, Deserialize)]
struct KarpMillerDocument {
    nodes: u64,
    maximal: u64,
    seconds: f64,
}

/// Runs the command.
pub(super) fn run(flags: &BenchFlags) -> Result<Exit, Refusal> {
    let launcher = Launcher::new(&flags.folder, flags.timeout, flags.memory)
        .map_err(|error| (Exit::Internal, format!("cannot find this program: {error}")))?;
    let mut questions = prepare_questions(flags)?;
    // Targets play no role.
    let mut seen = BTreeSet::new();
    questions.retain(|question| seen.insert((question.file.clone(), question.init.clone())));
    let stop = Budget::unlimited();
    supervise::stop_on_interrupt(&stop);
    let (mut benchmark, n_all) = (CutoffBenchmark::default(), questions.len());
    for question in questions {
        let name = match &question.init {
            Some(init) => format!("{} from {init}", question.file),
            None => question.file.clone(),
        };
        let question = super::Question { target: None, property: None, ..question };
        let arguments = [vec!["--compare".to_owned()], question.arguments()].concat();
        let finding = launcher.execute("cutoff", &arguments, &stop);
        let finding = finding.map_or_else(
            |error| Finding::Failed(format!("cannot be run: {error}")),
            |remains| finding_of(&remains),
        );
        let interrupted = Finding::Unknown(StopReason::Interrupted.to_string());
        if stop.check().is_err() || finding == interrupted {
            break;
        }
        if !flags.quiet {
            console::remark(&format!(
                "[{}/{n_all}] {name}  {}",
                benchmark.models.len() + 1,
                describe(&finding)
            ));
        }
        benchmark.models.push(Model { name, finding });
    }
    console::print(&report(&benchmark, flags));
    for (path, text) in outputs(&benchmark, flags) {
        files::write(path, &text).map_err(|error| (Exit::Usage, files::complain(path, &error)))?;
    }
    let problems = benchmark.problems();
    problems.iter().for_each(|problem| console::error(problem));
    let missing = n_all - benchmark.models.len();
    if missing > 0 {
        console::error(&format!("interrupted; models that are missing: {missing}"));
    }
    Ok(match (problems.is_empty(), missing) {
        (false, _) => Exit::Internal,
        (true, 1..) => Exit::Unknown,
        (true, 0) => Exit::Success,
    })
}

/// What a process found out.
fn finding_of(remains: &Remains<Document>) -> Finding {
    let document = remains.document.as_ref();
    match (remains.status.code(), document) {
        _ if remains.killed => Finding::Failed(remains.failure()),
        (Some(0 | 5), Some(Document { reachability: Some(n), bounded, .. })) => {
            let thread_states = document.map_or(0, |document| document.n_reachable);
            let search = document.and_then(|document| document.karp_miller.as_ref());
            Finding::Known(Costs {
                thread_states,
                reachability: *n,
                cpu: remains.cpu,
                memory: remains.memory,
                bounded: bounded.as_ref().map(|bounded| Bounded {
                    configurations: bounded.configurations,
                    occupied: bounded.occupied,
                    seconds: bounded.seconds,
                }),
                karp_miller: search.map(|search| KarpMiller {
                    nodes: search.nodes,
                    maximal: search.maximal,
                    seconds: search.seconds,
                }),
            })
        }
        // A search that is large takes long to look up from its work; then there is no document.
        (Some(5), document) => {
            let reason = document.and_then(|document| document.reason.clone());
            Finding::Unknown(reason.unwrap_or_else(|| "a limit".to_owned()))
        }
        (Some(2), _) => Finding::Refused,
        _ => Finding::Failed(remains.failure()),
    }
}

fn describe(finding: &Finding) -> String {
    match finding {
        Finding::Known(costs) => {
            let search = costs.karp_miller.map_or_else(
                || "Karp–Miller did not end".to_owned(),
                |search| format!("Karp–Miller {:.4} s", search.seconds),
            );
            let bounded = costs.bounded.map_or_else(
                || "too many configurations".to_owned(),
                |bounded| format!("{:.4} s", bounded.seconds),
            );
            format!("cutoff {}  {bounded}  {search}", costs.reachability)
        }
        Finding::Unknown(reason) => format!("unknown({reason})"),
        Finding::Refused => "refused".to_owned(),
        Finding::Failed(what) => format!("FAILED: {what}"),
    }
}

/// All tables.
fn report(benchmark: &CutoffBenchmark, flags: &BenchFlags) -> String {
    let style = flags.style();
    let mut sections = vec![
        (format!("Reachability cutoffs of {}", flags.folder.display()), benchmark.summary(style)),
        (
            "As many threads as the cutoff against Karp–Miller, sums over models on which both ended"
                .to_owned(),
            benchmark.sums(style),
        ),
    ];
    if flags.details {
        sections.push(("Cutoff and both searches for each model".to_owned(), benchmark.details(style)));
    }
    report_tables(sections, style)
}

/// The files that were asked for.
fn outputs<'a>(benchmark: &CutoffBenchmark, flags: &'a BenchFlags) -> Vec<(&'a PathBuf, String)> {
    let histogram = flags.svg.as_ref().map(|path| (path, benchmark.histogram().to_svg()));
    let scatter = flags.scatter.as_ref().map(|path| (path, benchmark.two_ways().to_svg()));
    let csv = flags.csv.as_ref().map(|path| (path, benchmark.csv()));
    histogram.into_iter().chain(scatter).chain(csv).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::process::tests::remains;
    use super::*;

    #[test]
    fn a_cutoff_is_known_even_if_the_other_search_did_not_end() {
        let both = r#"{"n_reachable":7,"reachability":2,"bounded":{"configurations":9,"occupied":1.5,"seconds":0.5},
            "karp_miller":{"nodes":4,"maximal":1,"seconds":0.25}}"#;
        let Finding::Known(costs) = finding_of(&remains(0, both, "")) else { unreachable!() };
        assert_eq!((costs.thread_states, costs.reachability, costs.memory), (7, 2, 7));
        assert_eq!(costs.bounded, Some(Bounded { configurations: 9, occupied: 1.5, seconds: 0.5 }));
        assert_eq!(costs.karp_miller, Some(KarpMiller { nodes: 4, maximal: 1, seconds: 0.25 }));
        let one = r#"{"n_reachable":7,"reachability":2,"reason":"timeout"}"#;
        let Finding::Known(costs) = finding_of(&remains(5, one, "")) else { unreachable!() };
        assert_eq!((costs.bounded, costs.karp_miller), (None, None));
        let none = r#"{"n_reachable":7,"reason":"timeout"}"#;
        assert_eq!(finding_of(&remains(5, none, "")), Finding::Unknown("timeout".to_owned()));
        assert_eq!(finding_of(&remains(5, "", "late")), Finding::Unknown("a limit".to_owned()));
        assert_eq!(finding_of(&remains(2, "", "")), Finding::Refused);
        assert_eq!(finding_of(&remains(6, "", "a bug")), Finding::Failed("exit code 6: a bug".to_owned()));
    }
}
