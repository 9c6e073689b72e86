//! `throng convert`: the same question in another format.
//!
//! Systems are written in formats of systems. Boolean programs are written as programs, with their labels (`.bp`) or with
//! numbers for them (`.nbp`), or translated to systems with a state for every valuation. A system is not turned into a
//! program.

use crate::asked::Asked;
use crate::check;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::ConvertFlags;
use crate::{files, reading};
use std::path::{Path, PathBuf};
use throng::Error;
use throng_base::Diagnostic;
use throng_formats::{Format, Printed};
use throng_input::flags::InitValues;
use throng_input::{Input, ProgramInput};
use throng_symbolic::explicit;

/// Rules, and pairs of states, that a translated program may have.
const MOST_RULES: usize = 1 << 22;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// A system.
    System(Format),
    /// A Boolean program, with numbers for labels or without.
    Program { is_numbered: bool },
}

impl Output {
    /// The output with this name, which is also an extension.
    fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "bp" => Some(Output::Program { is_numbered: false }),
            "nbp" => Some(Output::Program { is_numbered: true }),
            name => Format::from_extension(name).map(Output::System),
        }
    }
}

/// Runs the command.
pub(crate) fn run(flags: &ConvertFlags, colour: Colour) -> Exit {
    let to_stdout = flags.output.as_os_str() == "-";
    let extension = flags.output.extension().and_then(|extension| extension.to_str());
    let Some(output) = flags.to.as_deref().or(extension).and_then(Output::from_name) else {
        let path = flags.output.display();
        console::error(&if to_stdout {
            "which format? Name it with `--to` when writing to stdout".to_owned()
        } else {
            format!("which format is `{path}`? Name it with `--to`")
        });
        return Exit::Usage;
    };
    if flags.question.start.is_c(&flags.input) {
        let error = Diagnostic::error("E0902", "C programs cannot be written in another format");
        return check::fail(&Error::Refused(vec![error]), false, colour);
    }
    let is_program = flags.question.start.is_program(&flags.input);
    let converted = if is_program { program(flags, output, colour) } else { system(flags, output, colour) };
    match converted {
        Err(exit) => exit,
        Ok(printed) if to_stdout => to_console(&printed),
        Ok(printed) => to_files(flags, &printed),
    }
}

/// Writes a system.
fn system(flags: &ConvertFlags, output: Output, colour: Colour) -> Result<Printed, Exit> {
    let refuse = |errors| Err(check::fail(&Error::Refused(errors), false, colour));
    if let Err(errors) = flags.program.for_system() {
        return refuse(errors);
    }
    let Output::System(format) = output else {
        let error = Diagnostic::error("E0540", "a system cannot be written as a Boolean program")
            .note("only Boolean programs (.bp, .nbp) can");
        return refuse(vec![error]);
    };
    let (file, question) = (flags.input.clone(), flags.question.clone());
    let asked = Asked { file, question, target_optional: true, ..Asked::default() };
    reading::with_input(asked, &flags.limits, colour, move |input, _, _| {
        throng_formats::print(format, &input.system).map_err(|error| Error::Refused(vec![error]))
    })
}

/// Writes a Boolean program.
fn program(flags: &ConvertFlags, output: Output, colour: Colour) -> Result<Printed, Exit> {
    let asked = Asked {
        file: flags.input.clone(),
        question: flags.question.clone(),
        program: flags.program.clone(),
        ..Asked::default()
    };
    if matches!(output, Output::Program { .. }) && flags.program.init_values != InitValues::Any {
        let error =
            Diagnostic::error("E0540", "a program cannot say in its text that its variables start at 0")
                .hint("give `--init-values zero` where the program is read");
        return Err(check::fail(&Error::Refused(vec![error]), false, colour));
    }
    reading::with_any_input(asked, &flags.limits, colour, move |input, _, _| match (input, output) {
        (Input::Program(input), Output::System(format)) => translated(input, format),
        (Input::Program(input), Output::Program { is_numbered }) => reprinted(input, is_numbered),
        (Input::System(_) | Input::C(_), _) => Err(Error::internal("a system where a program was read")),
    })
}

/// A program as a system.
fn translated(input: &ProgramInput, format: Format) -> Result<Printed, Error> {
    let refused = |error: Diagnostic| Error::Refused(vec![error]);
    let system = explicit::translate(&input.program, &input.question, MOST_RULES).map_err(|error| {
        refused(
            Diagnostic::error("E0541", "the program has too many valuations to be written as a system")
                .note(error.to_string())
                .hint("`throng check` decides the program itself, without a state for every valuation"),
        )
    })?;
    throng_formats::print(format, &system).map_err(refused)
}

/// A program as a program.
fn reprinted(input: &ProgramInput, is_numbered: bool) -> Result<Printed, Error> {
    let mut tree = throng_boolprog::parse(input.source()).map_err(Error::Refused)?;
    if is_numbered {
        throng_boolprog::number_labels(&mut tree);
    }
    let notes = vec!["comments are not kept".to_owned()];
    Ok(Printed { text: throng_boolprog::print(&tree), companions: Vec::new(), notes })
}

fn to_console(printed: &Printed) -> Exit {
    console::print(&printed.text);
    remark_notes(printed);
    for (extension, text) in &printed.companions {
        console::remark(&format!(
            "note: this belongs into a file `.{extension}` beside it:\n{}",
            text.trim_end()
        ));
    }
    Exit::Success
}

fn to_files(flags: &ConvertFlags, printed: &Printed) -> Exit {
    let main = (flags.output.clone(), &printed.text);
    let companions =
        printed.companions.iter().map(|(extension, text)| (flags.output.with_extension(extension), text));
    let outputs: Vec<(PathBuf, &String)> = std::iter::once(main).chain(companions).collect();
    let exists = |path: &Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    if let Some((path, _)) = outputs.iter().find(|(path, _)| !flags.force && exists(path)) {
        console::error(&format!("`{}` exists; overwrite it with `--force`", path.display()));
        return Exit::Usage;
    }
    for (path, text) in &outputs {
        if let Err(error) = files::write(path, text) {
            console::error(&files::complain(path, &error));
            return Exit::Usage;
        }
    }
    remark_notes(printed);
    let names: Vec<String> = outputs.iter().map(|(path, _)| path.display().to_string()).collect();
    console::remark(&format!("wrote {}", names.join(", ")));
    Exit::Success
}

fn remark_notes(printed: &Printed) {
    for note in &printed.notes {
        console::remark(&format!("note: {note}"));
    }
}
