//! The command `throng`: can a bad state be reached when any number of threads run this program?
//!
//! This crate reads the command line ([`flags`]), runs one command and turns its end into an exit code
//! ([`exit`]). It is the only crate that writes to the terminal ([`console`]) or ends the process.

mod asked;
mod bench;
mod c;
mod check;
mod console;
mod convert;
mod cover;
mod doctor;
mod exit;
mod files;
mod flags;
mod generate;
mod graph;
mod lsp;
mod new;
mod pages;
mod progress;
mod publish;
mod reading;
mod search;
mod supervise;
mod svcomp;
mod thread_states;
mod watch;

use clap::Parser;
use exit::Exit;
use flags::{Command, Throng};
use std::io::Write;
use std::process::ExitCode;
use throng_input::{memory, units};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match Throng::try_parse() {
        Ok(throng) => console::outcome(run(throng)).into(),
        Err(error) => {
            // Help and version are answers, not errors; clap's own exit code for errors is another than ours.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            printed.err().into_iter().for_each(console::lose);
            console::outcome(exit).into()
        }
    }
}

fn run(throng: Throng) -> Exit {
    let colour = throng.color;
    let command = move || match throng.command {
        Command::Check(flags) => check::run(*flags, colour),
        Command::Cover(flags) => cover::run(&flags, colour),
        Command::Reach(flags) => thread_states::reach(&flags, colour),
        Command::Cutoff(flags) => thread_states::cutoff(&flags, colour),
        Command::Convert(flags) => convert::run(&flags, colour),
        Command::Graph(flags) => graph::run(&flags, colour),
        Command::Replay(flags) => c::replay(&flags, colour),
        Command::Explain(flags) => c::explain(&flags, colour),
        Command::Report(flags) => publish::report(*flags, colour),
        Command::Harness(flags) => c::harness(&flags, colour),
        Command::New(flags) => new::run(&flags),
        Command::Lsp(flags) => lsp::run(flags.timeout),
        Command::Bench(flags) => bench::run(&flags),
        Command::Doctor => doctor::run(),
        Command::Completions(flags) => generate::completions(&flags),
        Command::Man(flags) => generate::man(&flags),
    };
    // A panic has told where it happened; what is left is the right exit code.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let failure = throng::Error::internal("a panic, see above");
        check::fail(&failure, false, colour)
    })
}
