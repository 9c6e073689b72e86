//! The engines against the times of other tools. A question that one side does not decide counts as the time limit
//! on that side, and no time counts as more.

use super::{Benchmark, seconds};
use crate::grid::{Align, Grid};
use std::collections::BTreeMap;

/// Times below this are noise: what an engine may be slower by on a question, besides being half as fast.
const TOLERANCE: f64 = 0.1;

/// The times of other tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// The names of the tools.
    pub tools: Vec<String>,
    /// For each file the CPU seconds of each tool, where it was run.
    pub seconds: BTreeMap<String, Vec<Option<f64>>>,
}

/// Our time and theirs for one question.
struct Pair<'a> {
    name: &'a str,
    ours: f64,
    theirs: f64,
}

pub(super) fn grid(benchmark: &Benchmark, reference: &Reference) -> Grid {
    let titles =
        ["engine", "against", "questions", "ours s", "theirs s", "ratio", "over 2x", "furthest behind"];
    let align = [&[Align::Left; 2][..], &[Align::Right; 5], &[Align::Left]].concat();
    let mut grid = Grid::aligned(titles.map(String::from).to_vec(), align);
    for (index, engine) in benchmark.engines.iter().enumerate() {
        for (tool_index, tool) in reference.tools.iter().enumerate() {
            let pairs = pairs(benchmark, index, reference, tool_index);
            if !pairs.is_empty() {
                let mut row = vec![engine.label.clone(), tool.clone()];
                row.extend(compared(&pairs));
                grid.push(row);
            }
        }
    }
    grid
}

fn pairs<'a>(benchmark: &'a Benchmark, engine: usize, reference: &Reference, tool: usize) -> Vec<Pair<'a>> {
    let pair = |question: &'a super::Question| {
        let run = question.runs.get(engine)?.as_ref()?;
        let theirs = (*reference.seconds.get(&question.file)?.get(tool)?)?;
        Some(Pair { name: &question.name, ours: benchmark.charged(run), theirs: theirs.min(benchmark.limit) })
    };
    benchmark.questions.iter().filter_map(pair).collect()
}

/// Number of questions, both sums, their ratio, how many we are more than twice as slow on, and the worst of them.
fn compared(pairs: &[Pair<'_>]) -> [String; 6] {
    let sum = |of: fn(&Pair<'_>) -> f64| pairs.iter().map(of).sum::<f64>();
    let (ours, theirs) = (sum(|pair| pair.ours), sum(|pair| pair.theirs));
    let behind = |pair: &Pair<'_>| pair.ours - 2.0 * pair.theirs;
    let n_behind = pairs.iter().filter(|pair| behind(pair) > TOLERANCE).count();
    let worst = pairs.iter().max_by(|one, other| behind(one).total_cmp(&behind(other)));
    let worst = worst.map(|pair| format!("{} {} vs {}", pair.name, seconds(pair.ours), seconds(pair.theirs)));
    [
        pairs.len().to_string(),
        seconds(ours),
        seconds(theirs),
        format!("{:.3}", ours / theirs.max(1e-9)),
        n_behind.to_string(),
        worst.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{benchmark, run};
    use super::super::{TableStyle, Verdict};
    use super::*;

    #[test]
    fn what_is_not_decided_counts_as_the_limit() {
        let timeout = Verdict::Unknown("timeout".to_owned());
        let benchmark = benchmark(&[
            ("a.tts", None, vec![run(Verdict::Safe, 1.0, &[]), None]),
            ("b.tts", None, vec![run(timeout, 61.0, &[]), None]),
            ("unknown to them.tts", None, vec![run(Verdict::Safe, 9.0, &[]), None]),
        ]);
        let seconds = [("a.tts", 4.0), ("b.tts", 100.0)];
        let seconds = seconds.map(|(file, time)| (file.to_owned(), vec![Some(time)]));
        let reference = Reference { tools: vec!["bfc".to_owned()], seconds: seconds.into() };
        let lines = [
            "| engine | against | questions | ours s | theirs s | ratio | over 2x | furthest behind |",
            "|---|---|---:|---:|---:|---:|---:|---|",
            "| backward | bfc | 2 | 61.0 | 64.0 | 0.953 | 0 | a.tts 1.00 vs 4.00 |",
        ];
        assert_eq!(benchmark.against(&reference, TableStyle::Markdown), lines.join("\n") + "\n");
    }

    #[test]
    fn a_question_we_are_more_than_twice_as_slow_on_is_counted() {
        let benchmark = benchmark(&[("a.tts", None, vec![run(Verdict::Safe, 1.0, &[]), None])]);
        let reference = |time| Reference {
            tools: vec!["bfc".to_owned()],
            seconds: [("a.tts".to_owned(), vec![Some(time)])].into(),
        };
        let table = |time| benchmark.against(&reference(time), TableStyle::Markdown);
        assert!(table(0.3).contains("| 1 | a.tts 1.00 vs 0.30 |"), "{}", table(0.3));
        assert!(table(0.46).contains("| 0 | a.tts 1.00 vs 0.46 |"), "{}", table(0.46));
    }
}
