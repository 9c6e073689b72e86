//! One line for each engine.

use super::{Benchmark, Run, Verdict, seconds};
use crate::grid::{Align, Grid};

pub(super) fn grid(benchmark: &Benchmark) -> Grid {
    let titles = ["engine", "safe", "unsafe", "unknown", "refused", "failed", "sum s", "max s", "max MiB"];
    let align = [&[Align::Left][..], &[Align::Right; 8]].concat();
    let mut grid = Grid::aligned(titles.map(String::from).to_vec(), align);
    for (index, engine) in benchmark.engines.iter().enumerate() {
        let runs = || benchmark.runs_of(index);
        let count = |wanted: fn(&Verdict) -> bool| runs().filter(|run| wanted(&run.verdict)).count();
        let most = |of: fn(&Run) -> f64| runs().map(of).fold(0.0, f64::max);
        let numbers = [
            count(|verdict| matches!(verdict, Verdict::Safe)),
            count(|verdict| matches!(verdict, Verdict::Unsafe)),
            count(|verdict| matches!(verdict, Verdict::Unknown(_))),
            count(|verdict| matches!(verdict, Verdict::Refused)),
            count(|verdict| matches!(verdict, Verdict::Failed(_))),
        ];
        let mut row = vec![engine.label.clone()];
        row.extend(numbers.map(|number| number.to_string()));
        row.push(seconds(runs().map(|run| run.cpu).sum()));
        row.push(seconds(most(|run| run.cpu)));
        row.push(format!("{:.0}", most(|run| super::mebibytes(run.memory))));
        grid.push(row);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::super::TableStyle;
    use super::super::tests::{benchmark, run};
    use super::*;

    #[test]
    fn verdicts_are_counted_and_costs_added_up() {
        let timeout = Verdict::Unknown("timeout".to_owned());
        let benchmark = benchmark(&[
            ("a", None, vec![run(Verdict::Safe, 1.5, &[]), run(Verdict::Safe, 0.1, &[])]),
            ("b", None, vec![run(timeout, 60.0, &[]), run(Verdict::Unsafe, 0.2, &[])]),
        ]);
        let lines = [
            "  engine    safe  unsafe  unknown  refused  failed  sum s  max s  max MiB",
            "  backward     1       0        1        0       0   61.5   60.0        5",
            "  widen        1       1        0        0       0   0.30   0.20        5",
        ];
        assert_eq!(benchmark.summary(TableStyle::Text), lines.join("\n") + "\n");
    }
}
