//! `throng replay --export` and `--run`: an interleaving as a C program, compiled and run.

use super::Opened;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::files;
use crate::flags::ReplayFlags;
use std::time::Duration;
use throng_base::Diagnostic;
use throng_cert::document::Body;
use throng_check::c::steps_of;
use throng_export::{Exported, Ran};

/// Writes the program that forces an interleaving, and runs it if that is asked for.
pub(super) fn force(flags: &ReplayFlags, opened: Result<Opened, Vec<Diagnostic>>, colour: Colour) -> Exit {
    let exported = match opened.and_then(|opened| exported(&opened)) {
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
