//! `throng completions` and `throng man`: made from the table of flags.

use crate::console;
use crate::exit::Exit;
use crate::files;
use crate::flags::{CompletionsFlags, ManFlags, Throng};
use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use std::io;

/// Runs `throng completions`.
pub(crate) fn completions(flags: &CompletionsFlags) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Throng::command(), "throng", &mut script);
    console::print(&String::from_utf8_lossy(&script));
    Exit::Success
}

/// Runs `throng man`.
pub(crate) fn man(flags: &ManFlags) -> Exit {
    let pages = pages();
    if let Some(directory) = &flags.dir {
        for (name, command) in pages {
            let path = directory.join(format!("{name}.1"));
            if let Err(error) = render(command).and_then(|page| files::write(&path, &page)) {
                console::error(&files::complain(&path, &error));
                return Exit::Usage;
            }
        }
        return Exit::Success;
    }
    let wanted = flags.command.as_ref().map_or("throng".to_owned(), |command| format!("throng-{command}"));
    match pages.into_iter().find(|(name, _)| *name == wanted).map(|(_, command)| render(command)) {
        Some(Ok(page)) => {
            console::print(&page);
            Exit::Success
        }
        Some(Err(error)) => {
            console::error(&error.to_string());
            Exit::Internal
        }
        None => {
            console::error(&format!(
                "there is no command `{}`",
                flags.command.as_deref().unwrap_or_default()
            ));
            Exit::Usage
        }
    }
}

/// The page of `throng` and those of its commands, by name.
fn pages() -> Vec<(String, Command)> {
    let mut throng = Throng::command();
    throng.build();
    let commands = throng.get_subcommands().filter(|command| command.get_name() != "help");
    // Building the table has given every command its full name, which the page is titled with.
    let commands = commands.map(|command| (format!("throng-{}", command.get_name()), command.clone()));
    let mut pages: Vec<(String, Command)> = commands.collect();
    pages.insert(0, ("throng".to_owned(), throng));
    pages
}

/// The page of a command. What stands after the help text gets sections of its own.
fn render(command: Command) -> io::Result<String> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.after_help(Resettable::Reset)).render(&mut page)?;
    Ok(format!("{}{}", String::from_utf8_lossy(&page), sections(&after)))
}

/// A text with headings in capitals as sections of a man page, its lines as they are.
fn sections(text: &str) -> String {
    let is_heading = |line: &str| {
        !line.is_empty() && line.chars().all(|letter| letter.is_ascii_uppercase() || letter == ' ')
    };
    let mut sections = String::new();
    for line in text.lines() {
        if is_heading(line) {
            sections.push_str(&format!(".SH \"{line}\"\n.nf\n"));
        } else {
            sections.push_str(&format!("{}\n", escaped(line)));
        }
    }
    sections
}

/// A line of text in the language of man pages. `\&` keeps a dot or a quote at the beginning from being a command.
fn escaped(line: &str) -> String {
    let mut escaped = String::from(if line.starts_with(['.', '\'']) { "\\&" } else { "" });
    for letter in line.chars() {
        match letter {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_sections_and_other_lines_stay_as_they_are() {
        let text = "EXAMPLES\n  x --to 'a|b'\n.dot";
        assert_eq!(sections(text), ".SH \"EXAMPLES\"\n.nf\n  x \\-\\-to \\(aqa|b\\(aq\n\\&.dot\n");
    }
}
