//! C programs for tests: random single-threaded ones that a compiler and the checker's machine both run.
//!
//! * [`random`] draws programs, as [`tree`]s that can be made small;
//! * [`compiled`] says what a compiler makes of them, [`run`] what the checker's machine does;
//! * [`polarity`] asks the tool's search about some of them, both ways;
//! * [`csmith`] takes programs of another generator.

pub mod compiled;
pub mod csmith;
pub mod polarity;
pub mod random;
pub mod run;
pub mod tree;

use compiled::Compiling;
use polarity::Answers;
use random::Generated;
use std::path::Path;
use std::time::Duration;
use throng_input::flags::CFlags;
use tree::Node;

/// What came of a program that does not disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both compute the same, and the search is right, if it was asked.
    Same(Option<Answers>),
    /// We do not read it, for this reason.
    Refused(String),
}

/// How programs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Every how many programs the search is asked, too; 0 for never.
    pub asked: u64,
    /// How long the search has for a question.
    pub time: Duration,
    /// Every how many programs it is made sure that nothing is undefined; 0 for never.
    pub sanitized: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { asked: 10, time: Duration::from_millis(500), sanitized: 0 }
    }
}

fn is_turn(seed: u64, every: u64) -> bool {
    every > 0 && seed.is_multiple_of(every)
}

/// Runs the programs of these seeds both ways. For each, `Err` says how they differ, or what went wrong.
pub fn compare_seeds(
    seeds: std::ops::Range<u64>,
    settings: &Settings,
) -> Vec<(u64, Result<Outcome, String>)> {
    let programs: Vec<(u64, Generated)> = seeds.map(|seed| (seed, random::generate(seed))).collect();
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => return vec![(0, Err(error.to_string()))],
    };
    let all: Vec<&Generated> = programs.iter().map(|(_, program)| program).collect();
    let expected = compiled::values(&all, directory.path(), Compiling::Plain);
    let compared = programs.iter().enumerate().map(|(place, (seed, program))| {
        // One program that the compiler refuses spoils all of them: then each is compiled alone.
        let expected = match &expected {
            Ok(values) => Ok(values[place].clone()),
            Err(_) => compiled::values(&[program], directory.path(), Compiling::Plain)
                .map(|mut values| values.pop().unwrap_or_default()),
        };
        let compared =
            expected.and_then(|values| compare(*seed, program, &values, directory.path(), settings));
        (*seed, compared)
    });
    compared.collect()
}

/// Compares what a program computes with what we make of it.
fn compare(
    seed: u64,
    generated: &Generated,
    expected: &[u64],
    directory: &Path,
    settings: &Settings,
) -> Result<Outcome, String> {
    if is_turn(seed, settings.sanitized) {
        let sanitized = compiled::values(&[generated], directory, Compiling::Sanitized);
        if sanitized.map_err(|why| format!("it is undefined: {why}"))? != [expected] {
            return Err("it is undefined: optimised, it computes something else".to_owned());
        }
    }
    // The system's preprocessor takes longer than everything else.
    let flags = CFlags { own_preprocessor: !seed.is_multiple_of(8), ..CFlags::default() };
    let program = match run::read(&generated.text(), directory, &flags) {
        Ok(program) => program,
        Err(why) => return Ok(Outcome::Refused(why)),
    };
    // All orders of evaluation give the same.
    for is_last in if is_turn(seed, 4) { vec![false, true] } else { vec![!is_turn(seed, 3)] } {
        let found = run::values(generated, &program, is_last)?;
        let differs = (0..found.len()).find(|&place| found[place] != expected[place]);
        if let Some(place) = differs {
            let (name, found, expected) = (&generated.observed[place], found[place], expected[place]);
            return Err(format!("{name} is {found:#x}, but {expected:#x} when compiled"));
        }
    }
    let asked = is_turn(seed, settings.asked).then(|| {
        let place = usize::try_from(seed / settings.asked).unwrap_or(0) % expected.len();
        let variable = (generated.observed[place].as_str(), expected[place]);
        polarity::ask(generated, variable, directory, &flags, settings.time)
    });
    asked.transpose().map(Outcome::Same)
}

/// A smaller program that still disagrees, without undefined behaviour.
pub fn shrink(seed: u64, settings: &Settings) -> Generated {
    let generated = random::generate(seed);
    let Ok(directory) = tempfile::tempdir() else { return generated };
    let settings = Settings { sanitized: 1, ..*settings };
    let fails = |tree: &Node| {
        let smaller = Generated { tree: tree.clone(), observed: observed(&tree.text()) };
        let expected = compiled::values(&[&smaller], directory.path(), Compiling::Plain);
        let Ok(expected) = expected else { return false };
        let first = expected.first().cloned().unwrap_or_default();
        let compared = compare(seed, &smaller, &first, directory.path(), &settings);
        compared.is_err_and(|why| !why.starts_with("it is undefined"))
    };
    let tree = tree::shrink(&generated.tree, 4000, fails);
    Generated { observed: observed(&tree.text()), tree }
}

/// The variables of a program that are observed: those that are declared.
fn observed(text: &str) -> Vec<String> {
    let declared = text.lines().filter_map(|line| line.strip_prefix("unsigned long long z_"));
    declared.map(|rest| format!("z_{}", rest.trim_end_matches(';'))).collect()
}
