//! Time and memory of each engine on each question, in the layout of Tables 1 and 2 of Kloos, Majumdar, Niksic and
//! Piskac, "Incremental, Inductive Coverability": uncoverable questions first, then coverable ones, then those that
//! nobody decided. The best time and the least memory of a question are marked.

use super::{Benchmark, Engine, Question, Run, TableStyle, Verdict, seconds};
use crate::grid::{Align, Grid};

pub(super) fn grid(benchmark: &Benchmark, style: TableStyle) -> Grid {
    let mut titles = vec!["question".to_owned()];
    titles.extend(benchmark.engines.iter().flat_map(titles_of));
    let align = [vec![Align::Left], vec![Align::Right; titles.len() - 1]].concat();
    let mut grid = Grid::aligned(titles, align);
    let sections =
        [("uncoverable (safe)", Some("safe")), ("coverable (unsafe)", Some("unsafe")), ("not decided", None)];
    for (title, verdict) in sections {
        let questions: Vec<_> =
            benchmark.questions.iter().filter(|question| agreed(question) == verdict).collect();
        if questions.is_empty() {
            continue;
        }
        let mut row = vec![title.to_owned()];
        row.resize(1 + 2 * benchmark.engines.len(), String::new());
        grid.push(row);
        for question in questions {
            let mut row = vec![question.name.clone()];
            row.extend(cells(question, style));
            grid.push(row);
        }
    }
    grid
}

/// The columns of an engine.
pub(super) fn titles_of(engine: &Engine) -> [String; 2] {
    [format!("{}: s", engine.label), "MiB".to_owned()]
}

/// What the first engine that decided says.
fn agreed(question: &Question) -> Option<&'static str> {
    question.runs.iter().flatten().find_map(|run| run.verdict.decided())
}

/// Time and memory of each engine.
pub(super) fn cells(question: &Question, style: TableStyle) -> Vec<String> {
    let decided = || question.runs.iter().flatten().filter(|run| run.verdict.decided().is_some());
    let fastest = decided().map(|run| seconds(run.cpu)).min_by(|a, b| compare(a, b));
    let smallest = decided().map(mebibytes).min_by(|a, b| compare(a, b));
    let mut row = Vec::new();
    for run in &question.runs {
        let Some(run) = run else {
            row.extend([String::new(), String::new()]);
            continue;
        };
        let (time, memory) = match &run.verdict {
            Verdict::Safe | Verdict::Unsafe => (
                marked(seconds(run.cpu), fastest.as_ref(), style),
                marked(mebibytes(run), smallest.as_ref(), style),
            ),
            Verdict::Unknown(reason) => (reason.clone(), mebibytes(run)),
            Verdict::Refused => ("refused".to_owned(), String::new()),
            Verdict::Failed(_) => ("failed".to_owned(), String::new()),
        };
        row.extend([time, memory]);
    }
    row
}

/// Compares numbers as they are shown, so that what looks the same is the same.
fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    let value = |text: &str| text.parse::<f64>().unwrap_or(f64::INFINITY);
    value(a).total_cmp(&value(b))
}

fn mebibytes(run: &Run) -> String {
    format!("{:.1}", super::mebibytes(run.memory))
}

/// A number, marked if it is the best.
fn marked(number: String, best: Option<&String>, style: TableStyle) -> String {
    match style {
        _ if best != Some(&number) => number,
        TableStyle::Markdown => format!("**{number}**"),
        TableStyle::Text => format!("*{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{benchmark, run};
    use super::*;

    #[test]
    fn time_and_memory_stand_side_by_side_by_verdict_and_the_best_is_marked() {
        let timeout = || Verdict::Unknown("timeout".to_owned());
        let benchmark = benchmark(&[
            ("a", None, vec![run(Verdict::Unsafe, 2.0, &[]), run(Verdict::Unsafe, 0.5, &[])]),
            ("b", None, vec![run(timeout(), 60.0, &[]), run(Verdict::Safe, 1.0, &[])]),
            ("c", None, vec![run(timeout(), 60.0, &[]), None]),
        ]);
        let lines = [
            "| question | backward: s | MiB | widen: s | MiB |",
            "|---|---:|---:|---:|---:|",
            "| uncoverable (safe) |  |  |  |  |",
            "| b | timeout | 5.0 | **1.00** | **5.0** |",
            "| coverable (unsafe) |  |  |  |  |",
            "| a | 2.00 | **5.0** | **0.50** | **5.0** |",
            "| not decided |  |  |  |  |",
            "| c | timeout | 5.0 |  |  |",
        ];
        assert_eq!(benchmark.costs(TableStyle::Markdown), lines.join("\n") + "\n");
    }
}
