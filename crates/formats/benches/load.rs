//! What a rule costs before a search begins: time and memory per rule of reading a `.tts` file and of making both
//! indexes, at ten thousand, a hundred thousand and a million rules. Both should hardly depend on the size.
//!
//! Not a criterion benchmark, because memory matters as much as time: the peak of the process is read from the
//! system (Linux; elsewhere memory is not shown) and only ever grows, so each size is loaded once or a few times
//! after the smaller ones. The peak includes the text.

#![allow(clippy::print_stdout, reason = "a benchmark shows its figures")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use throng_base::Source;
use throng_formats::{Format, Input, Question};
use throng_lab::synthetic::{Synthetic, TARGET};
use throng_model::TransitionSystem;

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// The fastest of so many loads counts.
const LOADS: usize = 5;

fn main() {
    println!("{:>9}  {:>12}  {:>14}  {:>12}", "rules", "read ns/rule", "index ns/rule", "peak B/rule");
    for n_rules in SIZES {
        let before = memory("VmRSS:");
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..LOADS {
            let times = load(n_rules);
            fastest = [fastest[0].min(times[0]), fastest[1].min(times[1])];
        }
        let peak = memory("VmHWM:").zip(before).map(|(peak, before)| peak.saturating_sub(before));
        let [read, index] = fastest.map(|time| time.as_nanos() / n_rules as u128);
        let bytes = peak.map_or_else(|| "unknown".to_owned(), |peak| (peak / n_rules as u64).to_string());
        println!("{n_rules:>9}  {read:>12}  {index:>14}  {bytes:>12}");
    }
}

/// The times of reading a system and of making its indexes.
fn load(n_rules: usize) -> [Duration; 2] {
    let mut text = Vec::new();
    Synthetic { n_rules, broken: false, seed: 1 }.write(&mut text).expect("memory can be written");
    let started = Instant::now();
    let source = Source::from_bytes("synthetic.tts", text).expect("the text is small and plain");
    let question = Question { target: vec![TARGET.to_owned()], ..Question::default() };
    let input = throng_formats::read_source(Format::Tts, &source, &question).expect("the text is right");
    drop(source);
    let read = started.elapsed();
    let started = Instant::now();
    make_indexes(&input);
    [read, started.elapsed()]
}

/// Asks one question in each direction, since indexes are made when they are first needed.
fn make_indexes(input: &Input) {
    let target = &input.system.targets()[0];
    let first = |_, config: throng_model::ConfigRef<'_>| {
        black_box(config);
        ControlFlow::Break(())
    };
    let backwards = input.system.for_each_predecessor(target.view(), &mut { first });
    let forwards = input.system.for_each_successor(target.view(), &mut { first });
    assert!(backwards.is_ok() && forwards.is_ok(), "counts are small");
}

/// A line of what the system says about this process, in bytes.
fn memory(line: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|found| found.strip_prefix(line))?;
    kibibytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
