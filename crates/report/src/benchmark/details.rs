//! One line for each question, in the layout of the paper's Table 1: iterations and time for each engine.

use super::{Benchmark, Question, Run, Verdict, seconds};
use crate::grid::{Align, Grid};

/// What counts as an iteration: expansions of the backward searches, nodes of the forward ones.
const ITERATIONS: [&str; 3] = ["iterations", "expanded", "nodes"];

pub(super) fn grid(benchmark: &Benchmark) -> Grid {
    let mut titles = ["question", "rules", "verdict"].map(String::from).to_vec();
    let mut align = vec![Align::Left, Align::Right, Align::Left];
    for engine in &benchmark.engines {
        titles.extend([format!("{}: iterations", engine.label), "s".to_owned()]);
        align.extend([Align::Right; 2]);
    }
    let mut grid = Grid::aligned(titles, align);
    for question in &benchmark.questions {
        let runs = || question.runs.iter().flatten();
        let rules = runs().find_map(|run| run.counter(&["rules"]));
        let mut row = vec![question.name.clone(), number(rules), verdict(question)];
        row.extend(question.runs.iter().flat_map(|run| cells(run.as_ref())));
        grid.push(row);
    }
    grid
}

/// What the engines that decided say; more than one verdict is a contradiction and is shown as one.
fn verdict(question: &Question) -> String {
    let mut verdicts: Vec<&str> =
        question.runs.iter().flatten().filter_map(|run| run.verdict.decided()).collect();
    verdicts.sort_unstable();
    verdicts.dedup();
    if verdicts.is_empty() { "unknown".to_owned() } else { verdicts.join(" AND ") }
}

/// Iterations, and the time or why there is no verdict.
fn cells(run: Option<&Run>) -> [String; 2] {
    let Some(run) = run else { return ["", ""].map(String::from) };
    let time = match &run.verdict {
        Verdict::Safe | Verdict::Unsafe => seconds(run.cpu),
        Verdict::Unknown(reason) => reason.clone(),
        Verdict::Refused => "refused".to_owned(),
        Verdict::Failed(_) => "failed".to_owned(),
    };
    [number(run.counter(&ITERATIONS)), time]
}

fn number(value: Option<u64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::TableStyle;
    use super::super::tests::{benchmark, run};
    use super::*;

    #[test]
    fn each_question_has_iterations_and_time_or_the_reason() {
        let timeout = Verdict::Unknown("timeout".to_owned());
        let benchmark = benchmark(&[
            (
                "a",
                None,
                vec![
                    run(timeout, 60.0, &[("expanded", 900)]),
                    run(Verdict::Safe, 0.1, &[("iterations", 12)]),
                ],
            ),
            ("b", None, vec![run(Verdict::Safe, 1.0, &[("rules", 7)]), None]),
            ("c", None, vec![run(Verdict::Safe, 1.0, &[]), run(Verdict::Unsafe, 1.0, &[])]),
        ]);
        let lines = [
            "| question | rules | verdict | backward: iterations | s | widen: iterations | s |",
            "|---|---:|---|---:|---:|---:|---:|",
            "| a |  | safe | 900 | timeout | 12 | 0.10 |",
            "| b | 7 | safe |  | 1.00 |  |  |",
            "| c |  | safe AND unsafe |  | 1.00 |  | 1.00 |",
        ];
        assert_eq!(benchmark.details(TableStyle::Markdown), lines.join("\n") + "\n");
    }
}
