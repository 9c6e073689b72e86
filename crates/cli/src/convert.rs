//! `throng convert`: the same question in another format.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::ConvertFlags;
use crate::supervise::Failure;
use crate::{files, reading};
use std::path::{Path, PathBuf};
use throng_formats::{Format, Printed};

/// Runs the command.
pub(crate) fn run(flags: &ConvertFlags, colour: Colour) -> Exit {
    let to_stdout = flags.output.as_os_str() == "-";
    let format = match flags.to() {
        Some(format) => format,
        None if to_stdout => {
            console::error("which format? Name it with `--to` when writing to stdout");
            return Exit::Usage;
        }
        None => match Format::of_path(&flags.output) {
            Ok(format) => format,
            Err(_) => {
                let path = flags.output.display();
                console::error(&format!("which format is `{path}`? Name it with `--to`"));
                return Exit::Usage;
            }
        },
    };
    match convert(flags, format, colour) {
        Err(exit) => exit,
        Ok(printed) if to_stdout => to_console(&printed),
        Ok(printed) => to_files(flags, &printed),
    }
}

fn convert(flags: &ConvertFlags, format: Format, colour: Colour) -> Result<Printed, Exit> {
    let mut question = flags.question.question();
    question.target_optional = true;
    reading::with_input(&flags.input, question, &flags.limits, colour, move |input, _, _| {
        throng_formats::print(format, &input.system).map_err(|error| Failure::Refused(vec![error]))
    })
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
