//! What the prover of C programs tells while it works, written down: for progress lines, for results, and for files that are
//! written at the end, however the run ends.

use crate::units;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::ProverEvent;
use throng_cfa::flow::Program;
use throng_cfa::invariant::Predicates;
use throng_cfa::merge::Merged;
use throng_prove::{Counts, Event, Finding, Iteration, Phase};
use throng_report::c::{
    GaveUp, PhaseTimes, PredicateCounts, Proving, Turn, event_line, found_words, shown_predicates,
};

/// How progress and the iterations of the prover are told on stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ProgressStyle {
    /// Not at all.
    #[default]
    Silent,
    /// How far the run is, for people.
    Text,
    /// The same, and what the prover did in each iteration.
    Full,
    /// A line of JSON.
    Json,
}

impl ProgressStyle {
    /// For people, unless they want quiet.
    pub(crate) fn unless(quiet: bool) -> Self {
        if quiet { ProgressStyle::Silent } else { ProgressStyle::Text }
    }
}

/// All that was told.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// What is proved.
    prepared: Arc<Merged>,
    started: Instant,
    /// What is being done, and since when.
    now: Option<(Phase, Instant)>,
    times: PhaseTimes,
    turns: Vec<Turn>,
    /// The last predicates.
    pub(crate) predicates: Option<Predicates>,
    /// The last abstract program.
    pub(crate) abstract_program: Option<String>,
    /// Why the prover gave up.
    gave_up: Option<GaveUp>,
}

impl Record {
    /// The record of a prover that starts now.
    pub(crate) fn new(prepared: Arc<Merged>) -> Self {
        Self {
            prepared,
            started: Instant::now(),
            now: None,
            times: PhaseTimes::default(),
            turns: Vec::new(),
            predicates: None,
            abstract_program: None,
            gave_up: None,
        }
    }

    /// For how long it has been going on.
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Writes down what the prover tells. If there is something to say about it, that is returned.
    pub(crate) fn add(&mut self, event: ProverEvent, telling: ProgressStyle) -> Option<String> {
        match event {
            ProverEvent::Begins(_) => None,
            ProverEvent::Event(event) => self.add_event(*event, telling),
            ProverEvent::Predicates(predicates) => {
                self.predicates = Some(*predicates);
                None
            }
            ProverEvent::GaveUp(gave_up) => {
                self.gave_up = Some(gave_up);
                None
            }
            ProverEvent::Ends => {
                self.end();
                None
            }
        }
    }

    fn add_event(&mut self, event: Event, telling: ProgressStyle) -> Option<String> {
        match event {
            Event::Phase(phase) => self.enter(Some(phase)),
            Event::Predicates(predicates) => self.predicates = Some(*predicates),
            Event::AbstractProgram(text) => self.abstract_program = Some(text),
            Event::Iteration(iteration) => {
                let turn = turn(*iteration, &self.prepared.program);
                let line = match telling {
                    ProgressStyle::Silent | ProgressStyle::Text => None,
                    ProgressStyle::Full => {
                        Some(format!("{}  {}", units::show_duration(self.elapsed()), turn.line()))
                    }
                    ProgressStyle::Json => Some(event_line(&turn, self.elapsed())),
                };
                self.turns.push(turn);
                return line;
            }
        }
        None
    }

    /// The prover has come to an end.
    fn end(&mut self) {
        self.enter(None);
    }

    fn enter(&mut self, phase: Option<Phase>) {
        let now = Instant::now();
        if let Some((phase, since)) = self.now.take() {
            let time = match phase {
                Phase::Filter => &mut self.times.filter,
                Phase::Abstract => &mut self.times.abstracting,
                Phase::Check => &mut self.times.checking,
                Phase::Refine => &mut self.times.refining,
            };
            *time += now - since;
        }
        self.now = phase.map(|phase| (phase, now));
    }

    /// What is going on, in words: `abstracting (iteration 3)`.
    pub(crate) fn words(&self) -> Option<String> {
        let word = match self.now?.0 {
            Phase::Filter => return Some("looking for facts that always hold".to_owned()),
            Phase::Abstract => "abstracting",
            Phase::Check => "checking the abstraction",
            Phase::Refine => "refining it",
        };
        Some(format!("{word} (iteration {})", self.turns.len() + 1))
    }

    /// The record as results show it.
    pub(crate) fn proving(&self) -> Proving {
        let program = &self.prepared.program;
        let mut at_end = self.clone();
        at_end.end();
        let list = self.predicates.as_ref();
        Proving {
            turns: at_end.turns,
            predicates: list.map(|list| shown_predicates(program, list)).unwrap_or_default(),
            counts: list.map(|list| counts(throng_prove::counts(list, program))).unwrap_or_default(),
            times: at_end.times,
            gave_up: at_end.gave_up,
        }
    }
}

fn turn(iteration: Iteration, program: &Program) -> Turn {
    let Iteration { number, predicates, size, is_dual_reference, is_monotone, engine, found, added } =
        iteration;
    let predicates = counts(predicates);
    let found = match found {
        Finding::Proof => "a proof".to_owned(),
        Finding::Interleaving { steps, threads, refined } => found_words(steps, threads, refined),
        Finding::Nothing(reason) => reason,
    };
    let added = shown_predicates(program, &added);
    let added = added.into_iter().map(|it| format!("{} ({})", it.text, it.kind)).collect();
    Turn { number, predicates, size, is_dual_reference, is_monotone, engine, found, added }
}

fn counts(counts: Counts) -> PredicateCounts {
    let Counts { shared, universal, single_thread, local, inter_thread } = counts;
    PredicateCounts { shared, universal, single_thread, local, inter_thread }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_c_front::lower::{Options, read_text};
    use throng_c_front::preprocess::Preprocessing;
    use throng_cfa::invariant::read_predicates;
    use throng_cfa::merge::prepare;

    fn record() -> Record {
        let text = "void reach_error(void); int s; int main(void) { if (s) reach_error(); }";
        let read = read_text("a.c", text, &Preprocessing::default(), &Options::default());
        Record::new(Arc::new(prepare(&read.expect("the program is read").0)))
    }

    #[test]
    fn time_is_charged_to_the_phase_that_is_left() {
        let mut record = record();
        record.add_event(Event::Phase(Phase::Abstract), ProgressStyle::Silent);
        std::thread::sleep(Duration::from_millis(20));
        record.add_event(Event::Phase(Phase::Check), ProgressStyle::Silent);
        record.end();
        assert!(record.times.abstracting >= Duration::from_millis(20), "{:?}", record.times);
        assert!(record.times.checking < Duration::from_millis(20), "{:?}", record.times);
        assert_eq!(record.words(), None);
    }

    #[test]
    fn an_iteration_is_told_on_one_line() {
        let mut record = record();
        let mut added = Predicates::new(record.prepared.program.expressions.clone());
        read_predicates(&record.prepared.program, "p.txt", "s == 1", &mut added).expect("a predicate");
        let iteration = Iteration {
            number: 2,
            predicates: Counts { shared: 1, single_thread: 3, local: 1, ..Counts::default() },
            size: 12,
            is_dual_reference: true,
            engine: Some("widen"),
            found: Finding::Interleaving { steps: 7, threads: 2, refined: 1 },
            added,
            ..Iteration::default()
        };
        let event = || Event::Iteration(Box::new(iteration.clone()));
        // Who does not ask for the prover's own words gets none.
        assert_eq!(record.add_event(event(), ProgressStyle::Text), None);
        let line = record.add_event(event(), ProgressStyle::Full).unwrap();
        assert!(
            line.ends_with(
                "iteration 2: 4 predicates (1 shared, 2 single-thread, 1 local); 12 literals, dual-reference, not monotone \
                 (its closure is checked): widen found 7 steps of 2 threads, refined 1 step; new: s == 1 (shared)"
            ),
            "{line}"
        );
        let line = record.add_event(event(), ProgressStyle::Json).unwrap();
        let document: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&document["event"], &document["number"]), (&"iteration".into(), &2.into()));
        assert_eq!(record.turns.len(), 3);
    }
}
