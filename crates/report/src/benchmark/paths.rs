//! What a concolic search has to do with, and whether it pays: for each question the components of its shared states
//! and its paths by kind, as §7 of Liu and Wahl, "Concolic Unbounded-Thread Reachability via Loop Summaries", tells
//! programs from nets, beside time and memory of each engine; how many questions have which kinds of paths; and sums
//! against the other engines.
//!
//! The numbers are those of the first concolic engine. Where sums are compared, a question without an answer counts as
//! the time limit.

use super::{Benchmark, Role, Run, TableStyle, Verdict, costs, mebibytes, seconds};
use crate::grid::{Align, Grid};

/// The columns about components and what was done, with the counters; the kinds of paths stand between them.
const COMPONENTS: [(&str, &str); 3] =
    [("components", "components"), ("loops", "simple_loops"), ("spaghetti", "spaghetti")];
const WORK: [(&str, &str); 2] = [("summaries", "path_summaries"), ("slices", "slices")];

/// The kinds of paths, with the counters.
const KINDS: [(&str, &str); 4] = [
    ("no loops", "paths_without_loops"),
    ("real loops", "paths_with_real_loops"),
    ("other loops", "paths_with_loops"),
    ("spaghetti", "paths_with_spaghetti"),
];

/// One line for each question.
pub(super) fn grid(benchmark: &Benchmark, style: TableStyle) -> Option<Grid> {
    let concolic = benchmark.engine_as(Role::Concolic)?;
    let mut titles = vec!["question".to_owned()];
    titles.extend(COMPONENTS.map(|(title, _)| title.to_owned()));
    titles.extend(KINDS.map(|(kind, _)| format!("paths: {kind}")));
    titles.extend(WORK.map(|(title, _)| title.to_owned()));
    titles.extend(benchmark.engines.iter().flat_map(costs::titles_of));
    let align = [vec![Align::Left], vec![Align::Right; titles.len() - 1]].concat();
    let mut grid = Grid::aligned(titles, align);
    let counters = || COMPONENTS.iter().chain(&KINDS).chain(&WORK).map(|(_, counter)| *counter);
    for question in &benchmark.questions {
        let run = question.runs.get(concolic).and_then(Option::as_ref);
        let mut row = vec![question.name.clone()];
        row.extend(counters().map(|counter| number(run.and_then(|run| run.counter(&[counter])))));
        row.extend(costs::cells(question, style));
        grid.push(row);
    }
    Some(grid)
}

/// A count; numbers of paths stop at the largest that there is.
fn number(count: Option<u64>) -> String {
    match count {
        None => String::new(),
        Some(u64::MAX) => "over 10^19".to_owned(),
        Some(count) => count.to_string(),
    }
}

/// How many questions have paths of each kind, and how many of no other kind.
pub(super) fn kinds(benchmark: &Benchmark) -> Option<Grid> {
    let concolic = benchmark.engine_as(Role::Concolic)?;
    let titles = ["paths", "questions with some", "with no others"].map(String::from).to_vec();
    let mut grid = Grid::aligned(titles, vec![Align::Left, Align::Right, Align::Right]);
    let paths = |run: &Run| -> Option<Vec<bool>> {
        KINDS.iter().map(|(_, counter)| Some(run.counter(&[counter])? > 0)).collect()
    };
    let questions: Vec<Vec<bool>> = benchmark.runs_of(concolic).filter_map(paths).collect();
    let n_kinds = |has: &&Vec<bool>| has.iter().filter(|has| **has).count();
    for (index, (kind, _)) in KINDS.iter().enumerate() {
        let some = || questions.iter().filter(|has| has[index]);
        let only = some().filter(|has| n_kinds(has) == 1).count();
        grid.push(vec![(*kind).to_owned(), some().count().to_string(), only.to_string()]);
    }
    let none = questions.iter().filter(|has| n_kinds(has) == 0).count();
    grid.push(vec!["none at all".to_owned(), none.to_string(), String::new()]);
    Some(grid)
}

/// A line for each other engine: sums of time and memory over the questions that both took.
pub(super) fn sums(benchmark: &Benchmark) -> Option<Grid> {
    let concolic = benchmark.engine_as(Role::Concolic)?;
    let label = &benchmark.engines.get(concolic)?.label;
    let titles = [
        &format!("{label} against"),
        "questions",
        "decided",
        "CPU s",
        "ratio",
        "MiB",
        "ratio",
        &format!("{label} in sum"),
    ];
    let align = [&[Align::Left][..], &[Align::Right; 6], &[Align::Left]].concat();
    let mut grid = Grid::aligned(titles.map(String::from).to_vec(), align);
    for (index, engine) in benchmark.engines.iter().enumerate().filter(|&(index, _)| index != concolic) {
        let mut row = vec![engine.label.clone()];
        row.extend(compared(benchmark, &pairs(benchmark, concolic, index)));
        grid.push(row);
    }
    Some(grid)
}

/// The runs on questions that both engines took.
fn pairs(benchmark: &Benchmark, one: usize, other: usize) -> Vec<[&Run; 2]> {
    // An engine that is not made for a question did not take it, and is not charged the time limit for it.
    let taken = |run: &&Run| match &run.verdict {
        Verdict::Refused | Verdict::Failed(_) => false,
        Verdict::Unknown(reason) => reason != "unsupported",
        _ => true,
    };
    let questions = benchmark.questions.iter().filter_map(|question| {
        let run = |engine: usize| question.runs.get(engine)?.as_ref().filter(taken);
        Some([run(one)?, run(other)?])
    });
    questions.collect()
}

fn compared(benchmark: &Benchmark, pairs: &[[&Run; 2]]) -> [String; 7] {
    let sums = |of: &dyn Fn(&Run) -> f64| [0, 1].map(|side| pairs.iter().map(|pair| of(pair[side])).sum());
    let decided = sums(&|run| f64::from(u8::from(run.verdict.decided().is_some())));
    let time: [f64; 2] = sums(&|run| benchmark.charged(run));
    let memory: [f64; 2] = sums(&|run| mebibytes(run.memory));
    let against = |values: [String; 2]| values.join(" : ");
    let ratio = |[ours, theirs]: [f64; 2]| format!("{:.2}", ours / theirs.max(1e-9));
    let verdict = match (time[0] < time[1], memory[0] < memory[1]) {
        (true, true) => "ahead in time and memory",
        (true, false) => "ahead in time",
        (false, true) => "ahead in memory",
        (false, false) => "not ahead",
    };
    [
        pairs.len().to_string(),
        against(decided.map(|count: f64| format!("{count:.0}"))),
        against(time.map(seconds)),
        ratio(time),
        against(memory.map(|memory| format!("{memory:.0}"))),
        ratio(memory),
        verdict.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::super::tests::{Row, benchmark, run};
    use super::*;

    /// Counters of components and paths.
    fn counted(components: [u64; 3], paths: [u64; 4], work: [u64; 2]) -> Vec<(&'static str, u64)> {
        let names = COMPONENTS.iter().chain(&KINDS).chain(&WORK).map(|(_, counter)| *counter);
        names.zip([&components[..], &paths, &work].concat()).collect()
    }

    fn concolic(questions: &[Row<'_>]) -> Benchmark {
        let engines = [("concolic", Role::Concolic), ("backward", Role::Classical)];
        let engines = engines.map(|(label, role)| Engine { label: label.to_owned(), role });
        Benchmark { engines: engines.to_vec(), ..benchmark(questions) }
    }

    fn example() -> Benchmark {
        let timeout = || run(Verdict::Unknown("timeout".to_owned()), 31.0, &[]);
        let (real, spaghetti) =
            (counted([5, 2, 0], [0, 3, 0, 0], [1, 0]), counted([9, 1, 1], [1, 0, 0, u64::MAX], [1, 2]));
        concolic(&[
            ("loop", None, vec![run(Verdict::Unsafe, 0.5, &real), timeout()]),
            ("net", None, vec![run(Verdict::Safe, 1.5, &spaghetti), run(Verdict::Safe, 1.0, &[])]),
            ("refused", None, vec![run(Verdict::Refused, 0.0, &[]), run(Verdict::Refused, 0.0, &[])]),
        ])
    }

    #[test]
    fn each_question_has_its_paths_and_the_costs_of_each_engine() {
        let lines = [
            "| question | components | loops | spaghetti | paths: no loops | paths: real loops | paths: other loops | \
             paths: spaghetti | summaries | slices | concolic: s | MiB | backward: s | MiB |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            "| loop | 5 | 2 | 0 | 0 | 3 | 0 | 0 | 1 | 0 | **0.50** | **5.0** | timeout | 5.0 |",
            "| net | 9 | 1 | 1 | 1 | 0 | 0 | over 10^19 | 1 | 2 | 1.50 | **5.0** | **1.00** | **5.0** |",
            "| refused |  |  |  |  |  |  |  |  |  | refused |  | refused |  |",
        ];
        assert_eq!(example().paths(TableStyle::Markdown), Some(lines.join("\n") + "\n"));
    }

    #[test]
    fn questions_are_counted_by_the_kinds_of_their_paths() {
        let lines = [
            "  paths        questions with some  with no others",
            "  no loops                       1               0",
            "  real loops                     1               1",
            "  other loops                    0               0",
            "  spaghetti                      1               0",
            "  none at all                    0",
        ];
        assert_eq!(example().kinds_of_paths(TableStyle::Text), Some(lines.join("\n") + "\n"));
    }

    #[test]
    fn sums_count_the_limit_for_what_is_not_decided() {
        let lines = [
            "| concolic against | questions | decided | CPU s | ratio | MiB | ratio | concolic in sum |",
            "|---|---:|---:|---:|---:|---:|---:|---|",
            "| backward | 2 | 2 : 1 | 2.00 : 61.0 | 0.03 | 10 : 10 | 1.00 | ahead in time |",
        ];
        assert_eq!(example().concolic_in_sum(TableStyle::Markdown), Some(lines.join("\n") + "\n"));
    }

    #[test]
    fn a_run_without_the_counters_has_empty_cells() {
        let old = concolic(&[("old", None, vec![run(Verdict::Safe, 1.0, &[]), None])]);
        let table = old.paths(TableStyle::Markdown).unwrap();
        assert!(table.contains("| old |  |  |  |  |  |  |  |  |  | **1.00** | **5.0** |  |  |"), "{table}");
        assert!(old.kinds_of_paths(TableStyle::Markdown).unwrap().contains("| none at all | 0 |"));
    }

    #[test]
    fn without_a_concolic_engine_there_is_nothing_to_show() {
        let benchmark = benchmark(&[]);
        assert_eq!(benchmark.paths(TableStyle::Text), None);
        assert_eq!(benchmark.kinds_of_paths(TableStyle::Text), None);
        assert_eq!(benchmark.concolic_in_sum(TableStyle::Text), None);
    }
}
