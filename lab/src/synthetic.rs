//! Thread transition systems with as many rules as asked for, to measure what a rule costs where the search costs
//! nothing.
//!
//! A lock with two or three thread states is the question: is there ever more than one thread inside? Any thread can
//! also leave the lock for good through one door, into as many other rules as asked for: random ones between
//! other shared and local states, a few of them spawns. No rule leads back, so a backward search never meets them, but
//! threads do get there: no reachability analysis can drop them. Reading, indexing and reducing see them all.
//!
//! The same arguments give the same bytes on every machine.

use crate::choices::{Choices, SplitMix64};
use std::io::{self, Write};

/// Shared states, of which the lock has the first two.
const N_SHARED: usize = 64;
const LOCK_SHARED: usize = 2;
/// The local states of the lock: outside, inside, about to enter.
const LOCK_LOCALS: usize = 3;
/// Of a hundred rules behind the door, how many spawn.
const SPAWNS: usize = 2;

/// The rules of a lock, and of one that is looked at and taken in two steps.
const LOCK: [&str; 2] = ["0 0 -> 1 1", "1 1 -> 0 0"];
const BROKEN_LOCK: [&str; 4] = ["0 0 -> 0 2", "0 2 -> 1 1", "1 2 -> 1 1", "1 1 -> 0 0"];

/// The fewest rules that a system can have.
pub const MIN_RULES: usize = 8;

/// The target to ask for: two threads inside.
pub const TARGET: &str = "1|1,1";

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Synthetic {
    /// How many rules, at least [`MIN_RULES`].
    pub n_rules: usize,
    /// Whether it is unsafe: looking at the lock and taking it are two steps.
    pub broken: bool,
    /// Seed of the random rules.
    pub seed: u64,
}

impl Synthetic {
    /// Writes the system as `.tts`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let lock: &[&str] = if self.broken { &BROKEN_LOCK } else { &LOCK };
        // The door is a rule, too.
        let n_others = self.n_rules.max(MIN_RULES) - lock.len() - 1;
        let n_places = n_others.div_ceil(N_SHARED - LOCK_SHARED);
        writeln!(out, "{N_SHARED} {}", LOCK_LOCALS + n_places)?;
        for rule in lock {
            writeln!(out, "{rule}")?;
        }
        writeln!(out, "0 0 -> {LOCK_SHARED} {LOCK_LOCALS}")?;
        let mut choices = SplitMix64::new(self.seed);
        // Every rule starts elsewhere, so that no two are the same.
        let starts =
            (0..n_places).flat_map(|local| (LOCK_SHARED..N_SHARED).map(move |shared| (shared, local)));
        for (shared, local) in starts.take(n_others) {
            let arrow = if choices.chance(SPAWNS) { "+>" } else { "->" };
            // Never where it started: such a rule would change nothing.
            let turn = 1 + choices.below(N_SHARED - LOCK_SHARED - 1);
            let to = LOCK_SHARED + (shared - LOCK_SHARED + turn) % (N_SHARED - LOCK_SHARED);
            let next = LOCK_LOCALS + choices.below(n_places);
            writeln!(out, "{shared} {} {arrow} {to} {next}", LOCK_LOCALS + local)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::{Budget, Source};
    use throng_engine::{Answer, EngineKind, Options, Silent};
    use throng_formats::{Format, Question};

    fn answer(n_rules: usize, broken: bool) -> (usize, Answer) {
        let mut text = Vec::new();
        Synthetic { n_rules, broken, seed: 7 }.write(&mut text).unwrap();
        let source = Source::from_bytes("x.tts", text).unwrap();
        let question = Question { target: vec![TARGET.to_owned()], ..Question::default() };
        let input = throng_formats::read_source(Format::Tts, &source, &question).unwrap();
        assert!(input.warnings.is_empty(), "{:?}", input.warnings);
        let outcome =
            EngineKind::Backward.run(&input.system, &Options::default(), &Budget::unlimited(), &Silent);
        (input.system.rules().len(), outcome.answer)
    }

    #[test]
    fn there_are_as_many_rules_as_asked_for() {
        for rules in [MIN_RULES, 100, 1000] {
            assert_eq!(answer(rules, false).0, rules);
            assert_eq!(answer(rules, true).0, rules);
        }
    }

    #[test]
    fn it_is_safe_unless_asked_otherwise() {
        assert!(matches!(answer(1000, false).1, Answer::Safe(_)));
        assert!(matches!(answer(1000, true).1, Answer::Unsafe(_)));
    }
}
