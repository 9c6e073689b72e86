//! How much smaller proofs become: the paper's §5 compares the elements of a proof, its longest path and its threads
//! with those of the classical backward search, on average over the questions that both prove safe.

use super::{Benchmark, Role, Run, Verdict};
use crate::grid::{Align, Grid};

/// What is compared: the title, and the counter.
const MEASURES: [(&str, &str); 3] =
    [("elements", "proof_elements"), ("longest path", "longest_path"), ("threads", "threads_in_proof")];

pub(super) fn grid(benchmark: &Benchmark) -> Option<Grid> {
    let classical = benchmark.engine_as(Role::Classical)?;
    let mut titles = vec![format!("compared with {}", benchmark.engines[classical].label)];
    titles.push("proofs".to_owned());
    titles.extend(MEASURES.map(|(title, _)| title.to_owned()));
    let align = [&[Align::Left][..], &[Align::Right; 4]].concat();
    let mut grid = Grid::aligned(titles, align);
    let others = benchmark.engines.iter().enumerate().filter(|&(index, _)| index != classical);
    let mut any = false;
    for (index, engine) in others {
        let pairs = pairs(benchmark, classical, index);
        if pairs.is_empty() {
            continue;
        }
        any = true;
        let mut row = vec![engine.label.clone(), pairs.len().to_string()];
        row.extend(MEASURES.map(|(_, counter)| compared(&pairs, counter)));
        grid.push(row);
    }
    any.then_some(grid)
}

/// The runs on questions for which both engines have a proof.
fn pairs(benchmark: &Benchmark, classical: usize, other: usize) -> Vec<(&Run, &Run)> {
    let proof = |run: &Option<Run>| {
        run.as_ref()
            .is_some_and(|run| run.verdict == Verdict::Safe && run.counters.contains_key(MEASURES[0].1))
    };
    let runs = benchmark.questions.iter().map(|question| &question.runs);
    let both = runs.filter_map(|runs| Some((runs.get(classical)?, runs.get(other)?)));
    both.filter(|(one, other)| proof(one) && proof(other))
        .filter_map(|(one, other)| Some((one.as_ref()?, other.as_ref()?)))
        .collect()
}

/// `22518 -> 1222 (−95 %)`: two averages over the pairs where both are known, and the change.
fn compared(pairs: &[(&Run, &Run)], counter: &str) -> String {
    let known: Vec<(u64, u64)> = pairs
        .iter()
        .filter_map(|(one, other)| Some((one.counter(&[counter])?, other.counter(&[counter])?)))
        .collect();
    if known.is_empty() {
        return String::new();
    }
    let average = |choose: fn(&(u64, u64)) -> u64| {
        known.iter().map(|pair| choose(pair) as f64).sum::<f64>() / known.len() as f64
    };
    let (before, after) = (average(|pair| pair.0), average(|pair| pair.1));
    let change = if before > 0.0 { format!(" ({})", percent(after / before - 1.0)) } else { String::new() };
    format!("{} -> {}{change}", show(before), show(after))
}

fn show(average: f64) -> String {
    if average < 100.0 { format!("{average:.1}") } else { format!("{average:.0}") }
}

fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    match rounded {
        _ if rounded < 0.0 => format!("−{:.0} %", -rounded),
        _ if rounded > 0.0 => format!("+{rounded:.0} %"),
        _ => "same".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::TableStyle;
    use super::super::tests::{benchmark, run};
    use super::*;

    #[test]
    fn averages_are_over_questions_that_both_prove() {
        let safe = |elements, threads| {
            run(Verdict::Safe, 1.0, &[("proof_elements", elements), ("threads_in_proof", threads)])
        };
        let benchmark = benchmark(&[
            ("a", None, vec![safe(30_000, 6), safe(1_000, 2)]),
            ("b", None, vec![safe(10_000, 4), safe(1_000, 2)]),
            ("only one", None, vec![safe(7, 7), run(Verdict::Unsafe, 1.0, &[])]),
            ("no proof", None, vec![safe(7, 7), run(Verdict::Safe, 1.0, &[])]),
        ]);
        let lines = [
            "| compared with backward | proofs | elements | longest path | threads |",
            "|---|---:|---:|---:|---:|",
            "| widen | 2 | 20000 -> 1000 (−95 %) |  | 5.0 -> 2.0 (−60 %) |",
        ];
        assert_eq!(benchmark.proofs(TableStyle::Markdown), Some(lines.join("\n") + "\n"));
    }

    #[test]
    fn there_is_no_comparison_without_proofs() {
        let runs = vec![run(Verdict::Unsafe, 1.0, &[]), run(Verdict::Unsafe, 1.0, &[])];
        assert_eq!(benchmark(&[("a", None, runs)]).proofs(TableStyle::Text), None);
    }
}
