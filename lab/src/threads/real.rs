//! Random programs for real: each interleaving is put into the program's text, compiled and run; each invariant is tested in
//! random schedules of the compiled program. What does not happen there, or is not true there, is a mistake of the front end
//! or of the export.

use super::syntax::ThreadProgram;
use std::time::Duration;
use throng_c_front::lower::{Options, Whole, read_whole_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::invariant::Invariant;
use throng_cfa::trace::Trace;
use throng_export::{Ran, Watched};

fn whole(program: &ThreadProgram, options: &Options) -> Result<Whole, String> {
    let read = read_whole_text("random.i", &program.text(), &Preprocessing::default(), options);
    read.map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// Whether a program is C as compilers know it: others cannot be run. Barriers are those of our model of the library.
pub fn is_runnable(program: &ThreadProgram) -> bool {
    let text = program.text();
    !["__CPROVER_passive_broadcast", "pthread_barrier_t"].iter().any(|name| text.contains(name))
}

/// Forces an interleaving; `Err` says why the bug did not happen. False if it did not, and the exported program says before that it is
/// not quite the interleaving.
pub fn force(
    program: &ThreadProgram,
    trace: &Trace,
    options: &Options,
    time: Duration,
) -> Result<bool, String> {
    let exported = throng_export::export(&whole(program, options)?, trace, options)
        .map_err(|error| error.to_string())?;
    match throng_export::run(&exported, time)? {
        Ran::Happened(_) => Ok(true),
        Ran::NotReproduced(_) if !exported.notes.is_empty() => Ok(false),
        Ran::NotReproduced(why) => Err(format!("{why}\n{}", exported.notes.join("\n"))),
    }
}

/// Tests an invariant with some seeds; in how many states. `Err` says what is broken.
pub fn watch(
    program: &ThreadProgram,
    invariant: &Invariant,
    options: &Options,
    seeds: u64,
    time: Duration,
) -> Result<u64, String> {
    let whole = whole(program, options)?;
    let prepared = throng_prove::prepare(&whole.program).program;
    let monitored =
        throng_export::monitor(&whole, &prepared, invariant, options).map_err(|error| error.to_string())?;
    match throng_export::watch(&monitored, 1..=seeds, time)? {
        Watched::Held { states, .. } => Ok(states),
        Watched::Broken { seed, said } => Err(format!("schedule {seed}: {said}")),
    }
}
