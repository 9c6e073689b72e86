//! C programs for tests: random single-threaded ones that a compiler and the checker's machine both run.

pub mod compiled;
pub mod csmith;
pub mod random;
pub mod run;

use crate::choices::SplitMix64;
use random::Generated;
use throng_check::flags::CFlags;

/// The program of a seed.
pub fn from_seed(seed: u64) -> Generated {
    random::generate(&mut SplitMix64::new(seed))
}

/// Runs the program of a seed both ways; `Err` says how they differ, or what went wrong.
pub fn compare_seed(seed: u64, flags: &CFlags) -> Result<(), String> {
    let generated = from_seed(seed);
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let expected = compiled::values(&generated, directory.path())?;
    let found = run::values(&generated, directory.path(), flags)?;
    for ((expected, (value, bits)), (expression, _, _)) in
        expected.iter().zip(&found).zip(&generated.observed)
    {
        let mask = if *bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
        let expected = (*expected as u128) & mask;
        if expected != *value {
            return Err(format!("{expression} is {value}, but {expected} when compiled ({bits} bits)"));
        }
    }
    Ok(())
}
