//! Decides what the file of the first argument asks, and writes the evidence to that of the second, if there is one:
//!
//!     cargo run --release -p throng --example decide -- examples/mutex.tts proof.json

#![allow(clippy::print_stdout, reason = "this is what the example is for")]

use std::fs::File;
use std::time::Duration;
use throng::{Budget, Limits, Options, Question, Subject, decide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(Duration::from_secs(60)), memory: None }, || None);
    let decision = decide(&Subject::file(&file), &Question::default(), &Options::default(), &budget)?;
    match (&decision.evidence, arguments.next()) {
        (Ok(evidence), output) => {
            println!("{file}: {} ({})", evidence.verdict().word(), evidence.document().body.kind());
            output.map(|path| evidence.write(File::create(path)?)).transpose()?;
        }
        (Err(reason), _) => println!("{file}: unknown ({reason})"),
    }
    decision.assumptions().for_each(|entry| println!("  assumed: {}", entry.text));
    Ok(())
}
