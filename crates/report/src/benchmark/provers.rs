//! What provers of C programs do on each program, in the columns of Tables 7 and 8 of Kaiser's thesis, "Monotonicity in Shared-Memory
//! Program Verification": shared and local variables, lines of code; shared, single-thread, local and inter-thread predicates (ours
//! also universal ones); turns of the loop, whether abstractions are dual-reference, and if so whether they are monotone;
//! seconds by the clock for filtering, abstraction, refinement and model checking, and of the whole run.
//!
//! Local predicates are single-thread ones, too. No turns means that filtered facts were enough, or that a search found an
//! error first.

use super::{Benchmark, Role, Run, Verdict};
use crate::grid::{Align, Grid};

/// Counters before those of turns, with titles.
const SIZES: [(&str, &str); 8] = [
    ("S", "shared_variables"),
    ("L", "local_variables"),
    ("LOC", "lines_of_code"),
    ("SP", "predicates_shared"),
    ("U", "predicates_universal"),
    ("ST", "predicates_single_thread"),
    ("of them L", "predicates_local"),
    ("IT", "predicates_inter_thread"),
];
/// Times.
const TIMES: [(&str, &str); 5] = [
    ("Filter", "filter_ms"),
    ("Abs", "abstract_ms"),
    ("Ref", "refine_ms"),
    ("Chk", "check_ms"),
    ("Total", "elapsed_ms"),
];

/// A table for each prover, and one of all.
pub(super) fn grids(benchmark: &Benchmark) -> Vec<(String, Grid)> {
    let provers = || benchmark.engines.iter().enumerate().filter(|(_, engine)| engine.role == Role::Prover);
    let mut grids: Vec<(String, Grid)> = provers()
        .map(|(index, engine)| (format!("Proofs by {}", engine.label), one(benchmark, index)))
        .collect();
    if provers().count() > 1 {
        let columns: Vec<usize> = provers().map(|(index, _)| index).collect();
        grids.push(("Verdicts and seconds of all provers".to_owned(), all(benchmark, &columns)));
    }
    grids
}

/// A line for each program.
fn one(benchmark: &Benchmark, engine: usize) -> Grid {
    let mut titles = vec!["program".to_owned()];
    titles.extend(SIZES.map(|(title, _)| title.to_owned()));
    titles.extend(["Its", "DR?", "Mon?"].map(str::to_owned));
    titles.extend(TIMES.map(|(title, _)| title.to_owned()));
    titles.push("verdict".to_owned());
    let align = [vec![Align::Left], vec![Align::Right; titles.len() - 2], vec![Align::Left]].concat();
    let mut grid = Grid::aligned(titles, align);
    for question in &benchmark.questions {
        let Some(run) = question.runs.get(engine).and_then(Option::as_ref) else { continue };
        let number = |name: &str| run.counter(&[name]).map(|n| n.to_string()).unwrap_or_default();
        let mut row = vec![question.name.clone()];
        row.extend(SIZES.iter().map(|(_, name)| number(name)));
        row.push(number("turns"));
        row.extend(kinds(run).map(str::to_owned));
        row.extend(TIMES.iter().map(|(_, name)| time(run, name)));
        row.push(verdict(run));
        grid.push(row);
    }
    grid
}

/// Whether abstractions are dual-reference, and if so, monotone; nothing is said where there was none.
fn kinds(run: &Run) -> [&'static str; 2] {
    let is = |name: &str| run.counter(&[name]) == Some(1);
    match (run.counter(&["turns"]).unwrap_or(0), is("is_dual_reference")) {
        (0, _) => ["", ""],
        (_, false) => ["no", ""],
        (_, true) => ["yes", if is("is_monotone") { "yes" } else { "no" }],
    }
}

fn time(run: &Run, name: &str) -> String {
    run.counter(&[name]).map(|ms| format!("{:.2}", ms as f64 / 1000.0)).unwrap_or_default()
}

fn verdict(run: &Run) -> String {
    match &run.verdict {
        Verdict::Unknown(reason) => reason.clone(),
        Verdict::Refused => "refused".to_owned(),
        Verdict::Failed(_) => "FAILED".to_owned(),
        Verdict::Safe => "safe".to_owned(),
        Verdict::Unsafe => "unsafe".to_owned(),
    }
}

/// Seconds of each prover for each program, with the verdict.
fn all(benchmark: &Benchmark, columns: &[usize]) -> Grid {
    let mut titles = vec!["program".to_owned()];
    titles.extend(columns.iter().filter_map(|&index| Some(benchmark.engines.get(index)?.label.clone())));
    let align = [vec![Align::Left], vec![Align::Right; titles.len() - 1]].concat();
    let mut grid = Grid::aligned(titles, align);
    for question in &benchmark.questions {
        let mut row = vec![question.name.clone()];
        row.extend(columns.iter().map(|&index| match question.runs.get(index).and_then(Option::as_ref) {
            Some(run) => format!("{} {}", verdict(run), time(run, "elapsed_ms")).trim_end().to_owned(),
            None => String::new(),
        }));
        grid.push(row);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, Question, TableStyle};
    use super::*;

    fn run(verdict: Verdict, counters: &[(&str, u64)]) -> Run {
        let counters = counters.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        Run { verdict, cpu: 1.0, memory: 1, counters }
    }

    #[test]
    fn a_program_has_the_columns_of_the_thesis() {
        let counters = [
            ("shared_variables", 3),
            ("local_variables", 7),
            ("lines_of_code", 40),
            ("predicates_shared", 1),
            ("predicates_universal", 1),
            ("predicates_single_thread", 2),
            ("predicates_local", 0),
            ("predicates_inter_thread", 1),
            ("turns", 5),
            ("is_dual_reference", 1),
            ("is_monotone", 0),
            ("filter_ms", 10),
            ("abstract_ms", 1500),
            ("refine_ms", 250),
            ("check_ms", 20),
            ("elapsed_ms", 1800),
        ];
        let engine = |label: &str| Engine { label: label.to_owned(), role: Role::Prover };
        let question = |name: &str, runs| Question {
            name: name.to_owned(),
            file: name.to_owned(),
            expected: None,
            runs,
        };
        let benchmark = Benchmark {
            engines: vec![engine("cegar"), engine("two")],
            questions: vec![
                question("ticket.c", vec![Some(run(Verdict::Safe, &counters)), None]),
                question(
                    "boop.c",
                    vec![
                        Some(run(Verdict::Unsafe, &[("turns", 0), ("elapsed_ms", 30)])),
                        Some(run(Verdict::Unknown("timeout".to_owned()), &[])),
                    ],
                ),
            ],
            limit: 60.0,
        };
        let grids = benchmark.provers(TableStyle::Markdown);
        let titles: Vec<&str> = grids.iter().map(|(title, _)| &**title).collect();
        assert_eq!(titles, ["Proofs by cegar", "Proofs by two", "Verdicts and seconds of all provers"]);
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let first: Vec<_> = grids[0].1.lines().map(cells).collect();
        assert_eq!(
            first[2][1..19],
            [
                "ticket.c", "3", "7", "40", "1", "1", "2", "0", "1", "5", "yes", "no", "0.01", "1.50",
                "0.25", "0.02", "1.80", "safe"
            ]
        );
        assert_eq!(first[3][9..13], ["", "0", "", ""]);
        assert_eq!(first[3][17..19], ["0.03", "unsafe"]);
        let last: Vec<_> = grids[2].1.lines().map(cells).collect();
        assert_eq!(last[2][1..4], ["ticket.c", "safe 1.80", ""]);
        assert_eq!(last[3][1..4], ["boop.c", "unsafe 0.03", "timeout"]);
    }
}
