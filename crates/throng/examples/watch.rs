//! Shows what a run does while it works: an observer that prints.
//!
//!     cargo run --release -p throng --example watch -- examples/c/ticket-lock.c

#![allow(clippy::print_stdout, reason = "this is what the example is for")]

use throng::engine::Progress;
use throng::{Budget, Observer, Options, Phase, ProverEvent, Question, Subject, decide_observed};

struct Printing;

impl throng::engine::Observer for Printing {
    fn progress(&self, _: &Progress) {}
}

impl Observer for Printing {
    fn phase(&self, phase: Phase) {
        println!("{}", phase.word());
    }

    fn prover(&self, event: ProverEvent) {
        if let ProverEvent::GaveUp(gave_up) = event {
            println!("no proof: {}", gave_up.reason);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let (question, options) = (Question::default(), Options::default());
    let decision =
        decide_observed(&Subject::file(file), &question, &options, &Budget::unlimited(), &Printing)?;
    for contestant in &decision.contest {
        println!("{}: {:?}", contestant.name, contestant.fate);
    }
    println!("{}", decision.verdict().map_or("unknown", |verdict| verdict.word()));
    Ok(())
}
