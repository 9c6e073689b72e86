//! Evidence as a C program, compiled and run: `throng replay --export` forces an interleaving, `throng explain --monitor` tests
//! an invariant.

use super::Opened;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::files;
use crate::flags::{ExplainFlags, ReplayFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;
use throng_base::Diagnostic;
use throng_cert::document::Body;
use throng_cfa::merge::prepare;
use throng_check::c::{invariant_of, steps_of};
use throng_export::{Exported, Monitored, Ran, Watched};

/// Writes the program that forces an interleaving, and runs it if that is asked for.
pub(super) fn force(flags: &ReplayFlags, opened: Result<Opened, Exit>, colour: Colour) -> Exit {
    let opened = match opened {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let exported = match exported(&opened) {
        Ok(exported) => exported,
        Err(errors) => {
            console::diagnose(&errors, colour);
            return Exit::Refused;
        }
    };
    let mut told = String::new();
    if let Some(path) = &flags.export {
        if let Err(error) = files::write(path, &exported.text) {
            console::error(&files::complain(path, &error));
            return Exit::Usage;
        }
        let flags: String = exported.flags.iter().map(|flag| format!(" {flag}")).collect();
        let name = path.display();
        told.push_str(&format!(
            "{name}: forces {} steps of the interleaving\n  cc -pthread{flags} {name}\n",
            exported.steps
        ));
    }
    for note in &exported.notes {
        told.push_str(&format!("  not as in the interleaving: {note}\n"));
    }
    console::print(&told);
    if !flags.run {
        return Exit::Unsafe;
    }
    match throng_export::run(&exported, Duration::from_secs(flags.run_timeout)) {
        Ok(Ran::Happened(said)) => {
            console::print(&format!("run: the bug happened\n  {said}\n"));
            Exit::Unsafe
        }
        Ok(Ran::NotReproduced(why)) => {
            console::print(&format!("run: not reproduced\n  {why}\n"));
            Exit::Unknown
        }
        Err(why) => {
            console::print(&format!("run: not reproduced\n  {}\n", why.replace('\n', "\n  ")));
            Exit::Unknown
        }
    }
}

fn exported(opened: &Opened) -> Result<Exported, Vec<Diagnostic>> {
    let Body::Interleaving(interleaving) = &opened.document.body else {
        return Err(vec![Diagnostic::error("E0911", "this is no interleaving")]);
    };
    let trace = steps_of(&opened.whole.program, interleaving)
        .map_err(|rejection| vec![Diagnostic::error("E0914", format!("this is not so: {rejection}"))])?;
    throng_export::export(&opened.whole, &trace, &opened.options).map_err(|error| vec![error])
}

/// Writes the program that tests an invariant, and runs it if that is asked for.
pub(super) fn watch(flags: &ExplainFlags, opened: Result<Opened, Exit>, colour: Colour) -> Exit {
    let opened = match opened {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let monitored = match monitored(&opened) {
        Ok(monitored) => monitored,
        Err(errors) => {
            console::diagnose(&errors, colour);
            return Exit::Refused;
        }
    };
    let left_out: usize = monitored.left_out.values().sum();
    let mut told =
        format!("{} of {} elements are monitored\n", monitored.monitored, monitored.monitored + left_out);
    for (why, count) in &monitored.left_out {
        told.push_str(&format!("  {count} not: {why}\n"));
    }
    if let Some(folder) = &flags.monitor {
        if let Err((path, error)) = write_folder(folder, &monitored.text) {
            console::error(&files::complain(&path, &error));
            return Exit::Usage;
        }
        told.push_str(&format!("{}: monitor.c, and run.sh, which compiles and runs it\n", folder.display()));
    }
    console::print(&told);
    if flags.run { run_watched(flags, &monitored) } else { Exit::Success }
}

fn write_folder(folder: &Path, text: &str) -> Result<(), (PathBuf, std::io::Error)> {
    std::fs::create_dir_all(folder).map_err(|error| (folder.to_path_buf(), error))?;
    for (name, text) in [("monitor.c", text), ("run.sh", RUN)] {
        let path = folder.join(name);
        if let Err(error) = files::write(&path, text) {
            return Err((path, error));
        }
    }
    Ok(())
}

const RUN: &str = "\
#!/bin/sh
# Compiles monitor.c and runs it with the seeds 1 to N (default 100). Stops at the first that breaks the invariant.
cd \"$(dirname \"$0\")\" || exit 1
${CC:-cc} -w -O1 -pthread -o monitor monitor.c || exit 1
seed=1
while [ \"$seed\" -le \"${1:-100}\" ]; do
    ./monitor \"$seed\" 2>said
    if grep -e 'invariant is broken' -e 'not as reported' said; then
        echo \"seed $seed\"
        exit 43
    fi
    seed=$((seed + 1))
done
echo \"nothing was broken\"
";

fn run_watched(flags: &ExplainFlags, monitored: &Monitored) -> Exit {
    let time = Duration::from_secs(flags.run_timeout);
    match throng_export::watch(monitored, 1..=flags.seeds, time) {
        Ok(Watched::Held { schedules, states }) => {
            console::print(&format!(
                "run: nothing was broken in {schedules} schedules with {states} states to test\n"
            ));
            if schedules == 0 { Exit::Unknown } else { Exit::Success }
        }
        Ok(Watched::Broken { seed, said }) => {
            console::print(&format!("run: broken with seed {seed}\n  {said}\n"));
            Exit::Internal
        }
        Err(why) => {
            console::print(&format!("run: not tested\n  {}\n", why.replace('\n', "\n  ")));
            Exit::Unknown
        }
    }
}

fn monitored(opened: &Opened) -> Result<Monitored, Vec<Diagnostic>> {
    let Body::Invariant(invariant) = &opened.document.body else {
        let error = Diagnostic::error("E0911", "there is no invariant in this evidence");
        return Err(vec![error.hint("`throng replay --export` puts an interleaving into a program")]);
    };
    let prepared = prepare(&opened.whole.program);
    let invariant = invariant_of(&prepared.program, invariant)
        .map_err(|rejection| vec![Diagnostic::error("E0914", format!("this is not so: {rejection}"))])?;
    throng_export::monitor(&opened.whole, &prepared.program, &invariant, &opened.options)
        .map_err(|error| vec![error])
}
