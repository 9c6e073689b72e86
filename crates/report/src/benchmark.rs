//! What a benchmark shows: how many questions each engine decides and at what cost, question by question on request,
//! against the times of other tools, how much smaller one engine's proofs are than another's, and what paths a
//! concolic search has to do with.
//!
//! The layouts follow Table 1 and §5 of Kaiser, Kroening and Wahl, "Efficient Coverability Analysis by Proof
//! Minimization". Times are CPU seconds of a whole run: reading, searching and having the evidence checked. Questions
//! keep their order; nothing here runs anything.

mod against;
mod costs;
pub mod cutoffs;
mod details;
mod paths;
mod proofs;
mod provers;
mod summary;

pub use against::Reference;

use crate::chart::Chart;
use crate::chart::cactus::{Decided, cactus};
use crate::chart::comparison::{Answer, Compared, Comparison, Spent};
use crate::grid::Grid;
use std::collections::BTreeMap;

/// The runs of some engines on some questions.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// The engines.
    pub engines: Vec<Engine>,
    /// The questions, and what came out for each engine, in the engines' order.
    pub questions: Vec<Question>,
    /// The time limit of each run in seconds.
    pub limit: f64,
}

/// An engine with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// What it is called in tables.
    pub label: String,
    /// What tables look for in it.
    pub role: Role,
}

/// What tables look for in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the classical backward search, which proofs are compared with.
    Classical,
    /// It is the concolic search, which counts paths.
    Concolic,
    /// It proves C programs by predicates.
    Prover,
    /// Nothing in particular.
    Other,
}

/// A question with its runs.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it is called in tables: its file and, if that is asked several questions, which.
    pub name: String,
    /// Its file, as references name it.
    pub file: String,
    /// The verdict that it should have, if that is known: `safe` or `unsafe`.
    pub expected: Option<String>,
    /// What came out, in the order of [`Benchmark::engines`]; `None` where a run is missing.
    pub runs: Vec<Option<Run>>,
}

/// How one run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The verdict.
    pub verdict: Verdict,
    /// CPU seconds, of all threads.
    pub cpu: f64,
    /// Resident memory at most, in bytes.
    pub memory: u64,
    /// What was counted, by name.
    pub counters: BTreeMap<String, u64>,
}

/// How a run ended, in the words of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No target is coverable.
    Safe,
    /// A target is coverable.
    Unsafe,
    /// No answer, for this reason: `timeout`, `memory`, …
    Unknown(String),
    /// The input was refused.
    Refused,
    /// There was no result: what happened instead.
    Failed(String),
}

impl Verdict {
    /// `safe` and `unsafe`.
    pub fn decided(&self) -> Option<&'static str> {
        match self {
            Verdict::Safe => Some("safe"),
            Verdict::Unsafe => Some("unsafe"),
            Verdict::Unknown(_) | Verdict::Refused | Verdict::Failed(_) => None,
        }
    }
}

impl Verdict {
    /// Whether the run reached the time or the memory limit.
    fn is_out_of_resources(&self) -> bool {
        matches!(self, Verdict::Unknown(reason) if reason == "timeout" || reason == "memory")
    }
}

impl Run {
    /// The first of these counters that the run has.
    fn counter(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| self.counters.get(*name)).copied()
    }
}

/// How tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableStyle {
    /// Aligned with blanks.
    Text,
    /// For Markdown documents.
    Markdown,
}

impl Benchmark {
    /// One line for each engine: what it decided, time and memory.
    pub fn summary(&self, style: TableStyle) -> String {
        styled(&summary::grid(self), style)
    }

    /// One line for each question: verdict, and iterations and time for each engine.
    pub fn details(&self, style: TableStyle) -> String {
        styled(&details::grid(self), style)
    }

    /// For each prover of C programs, a title and a table with a line for each program: sizes, predicates, turns, times of
    /// phases; and one of all provers, time and verdict, if there are several.
    pub fn provers(&self, style: TableStyle) -> Vec<(String, String)> {
        provers::grids(self).into_iter().map(|(title, grid)| (title, styled(&grid, style))).collect()
    }

    /// One line for each question: time and memory of each engine.
    pub fn costs(&self, style: TableStyle) -> String {
        styled(&costs::grid(self, style), style)
    }

    /// How the proofs of other engines compare with those of the classical backward search; `None` if there is no
    /// question for which both have one.
    pub fn proofs(&self, style: TableStyle) -> Option<String> {
        proofs::grid(self).map(|grid| styled(&grid, style))
    }

    /// One line for each question: the paths that a concolic search has to do with, and time and memory of each engine;
    /// `None` if no engine is concolic.
    pub fn paths(&self, style: TableStyle) -> Option<String> {
        paths::grid(self, style).map(|grid| styled(&grid, style))
    }

    /// How many questions have which kinds of paths; `None` if no engine is concolic.
    pub fn kinds_of_paths(&self, style: TableStyle) -> Option<String> {
        paths::kinds(self).map(|grid| styled(&grid, style))
    }

    /// Whether the concolic search is ahead of the others in sum; `None` if no engine is concolic.
    pub fn concolic_in_sum(&self, style: TableStyle) -> Option<String> {
        paths::sums(self).map(|grid| styled(&grid, style))
    }

    /// How the engines compare with other tools.
    pub fn against(&self, reference: &Reference, style: TableStyle) -> String {
        styled(&against::grid(self, reference), style)
    }

    /// What cannot be right: verdicts that contradict each other or what is expected, and runs without a result. One line
    /// each.
    pub fn problems(&self) -> Vec<String> {
        self.questions.iter().flat_map(|question| self.problems_of(question)).collect()
    }

    fn problems_of(&self, question: &Question) -> Vec<String> {
        let runs = || self.engines.iter().zip(&question.runs);
        let decided: Vec<(&str, &str)> = runs()
            .filter_map(|(engine, run)| Some((&*engine.label, run.as_ref()?.verdict.decided()?)))
            .collect();
        let mut problems = Vec::new();
        for (label, verdict) in &decided {
            if let Some(expected) = question.expected.as_deref().filter(|expected| expected != verdict) {
                problems.push(format!("{}: {label} says {verdict}, expected is {expected}", question.name));
            }
        }
        if let Some((first, rest)) = decided.split_first()
            && let Some(other) = rest.iter().find(|(_, verdict)| *verdict != first.1)
        {
            let ((label, verdict), (other_label, other)) = (first, other);
            problems.push(format!("{}: {label} says {verdict}, {other_label} says {other}", question.name));
        }
        for (engine, run) in runs() {
            if let Some(Run { verdict: Verdict::Failed(what), .. }) = run {
                problems.push(format!("{}: {}: {what}", question.name, engine.label));
            }
        }
        problems
    }

    /// The cactus plot.
    pub fn cactus(&self) -> Chart {
        let decided = self.engines.iter().enumerate().map(|(index, engine)| {
            let runs = self.runs_of(index).filter(|run| run.verdict.decided().is_some());
            Decided { label: engine.label.clone(), seconds: runs.map(|run| run.cpu).collect() }
        });
        cactus(&decided.collect::<Vec<_>>(), self.questions.len())
    }

    /// The first two engines against each other, on questions that both decided or were out of resources for; `None` if
    /// there are no two engines.
    pub fn comparison(&self) -> Option<Comparison> {
        let [first, second, ..] = &*self.engines else { return None };
        let questions: Vec<Compared> = self.questions.iter().filter_map(compared).collect();
        Some(Comparison {
            engines: [first, second].map(|engine| engine.label.clone()),
            n_left_out: self.questions.len() - questions.len(),
            questions,
        })
    }

    /// What a run counts in sums: its time or, without an answer, the limit. No time counts as more.
    fn charged(&self, run: &Run) -> f64 {
        if run.verdict.decided().is_some() { run.cpu.min(self.limit) } else { self.limit }
    }

    /// The first engine with a role.
    fn engine_as(&self, role: Role) -> Option<usize> {
        self.engines.iter().position(|engine| engine.role == role)
    }

    /// The runs of an engine.
    fn runs_of(&self, engine: usize) -> impl Iterator<Item = &Run> {
        self.questions.iter().filter_map(move |question| question.runs.get(engine)?.as_ref())
    }
}

/// What the first two engines spent on a question.
fn compared(question: &Question) -> Option<Compared> {
    let [Some(first), Some(second), ..] = &*question.runs else { return None };
    let runs = [first, second];
    let is_run = |run: &Run| run.verdict.decided().is_some() || run.verdict.is_out_of_resources();
    if !runs.into_iter().all(is_run) {
        return None;
    }
    let answer = match runs.into_iter().find_map(|run| run.verdict.decided()) {
        Some("safe") => Answer::Safe,
        Some(_) => Answer::Unsafe,
        None => Answer::Undecided,
    };
    let spent = |run: &Run| Spent { seconds: run.verdict.decided().map(|_| run.cpu), bytes: run.memory };
    Some(Compared { name: question.name.clone(), answer, spent: runs.map(spent) })
}

fn styled(grid: &Grid, style: TableStyle) -> String {
    match style {
        TableStyle::Text => grid.render(),
        TableStyle::Markdown => grid.render_markdown(),
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

/// Seconds with three digits that matter.
fn seconds(value: f64) -> String {
    match value {
        _ if value < 10.0 => format!("{value:.2}"),
        _ if value < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run that took a second.
    pub(crate) fn run(verdict: Verdict, cpu: f64, counters: &[(&str, u64)]) -> Option<Run> {
        let counters = counters.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        Some(Run { verdict, cpu, memory: 5 << 20, counters })
    }

    /// File, expected verdict, and the runs of both engines.
    pub(crate) type Row<'a> = (&'a str, Option<&'a str>, Vec<Option<Run>>);

    pub(crate) fn benchmark(questions: &[Row<'_>]) -> Benchmark {
        let engines = [("backward", Role::Classical), ("widen", Role::Other)];
        Benchmark {
            engines: engines.map(|(label, role)| Engine { label: label.to_owned(), role }).to_vec(),
            questions: questions
                .iter()
                .map(|(file, expected, runs)| Question {
                    name: (*file).to_owned(),
                    file: (*file).to_owned(),
                    expected: expected.map(str::to_owned),
                    runs: runs.clone(),
                })
                .collect(),
            limit: 60.0,
        }
    }

    fn timeout() -> Verdict {
        Verdict::Unknown("timeout".to_owned())
    }

    #[test]
    fn contradictions_and_failures_are_problems_and_unknowns_are_not() {
        let decided = |verdict| run(verdict, 1.0, &[]);
        let benchmark = benchmark(&[
            ("fine", Some("safe"), vec![decided(Verdict::Safe), decided(timeout())]),
            ("wrong", Some("safe"), vec![decided(Verdict::Unsafe), None]),
            ("split", None, vec![decided(Verdict::Safe), decided(Verdict::Unsafe)]),
            (
                "broken",
                None,
                vec![decided(Verdict::Failed("exit code 6".to_owned())), decided(Verdict::Refused)],
            ),
        ]);
        assert_eq!(
            benchmark.problems(),
            [
                "wrong: backward says unsafe, expected is safe",
                "split: backward says safe, widen says unsafe",
                "broken: backward: exit code 6",
            ]
        );
    }

    #[test]
    fn the_cactus_plot_has_decided_questions_only() {
        let runs = vec![run(Verdict::Safe, 2.0, &[]), run(timeout(), 60.0, &[])];
        let chart = benchmark(&[("a", None, runs)]).cactus();
        assert_eq!(chart.series[0].points, [(1.0, 2.0)]);
        assert!(chart.series[1].points.is_empty());
    }

    #[test]
    fn only_runs_that_ended_by_themselves_or_at_a_limit_are_compared() {
        let decided = || run(Verdict::Unsafe, 2.0, &[]);
        let benchmark = benchmark(&[
            ("a", None, vec![decided(), run(timeout(), 60.0, &[])]),
            ("unsupported", None, vec![decided(), run(Verdict::Unknown("unsupported".to_owned()), 0.0, &[])]),
            ("refused", None, vec![decided(), run(Verdict::Refused, 0.0, &[])]),
            ("missing", None, vec![decided(), None]),
        ]);
        let comparison = benchmark.comparison().unwrap();
        let spent = [Some(2.0), None].map(|seconds| Spent { seconds, bytes: 5 << 20 });
        assert_eq!(comparison.questions, [Compared { name: "a".to_owned(), answer: Answer::Unsafe, spent }]);
        assert_eq!((comparison.n_left_out, &*comparison.engines[1]), (3, "widen"));
        let alone = Benchmark { engines: benchmark.engines[..1].to_vec(), ..Benchmark::default() };
        assert_eq!(alone.comparison(), None);
    }

    #[test]
    fn seconds_have_three_digits_that_matter() {
        assert_eq!([0.0, 1.234, 12.34, 123.4].map(seconds), ["0.00", "1.23", "12.3", "123"]);
    }
}
