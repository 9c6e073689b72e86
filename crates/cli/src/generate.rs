//! `throng completions` and `throng man`: made from the table of flags.

use crate::console;
use crate::exit::Exit;
use crate::files;
use crate::flags::{CompletionsFlags, ManFlags, Throng};
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

fn render(command: Command) -> io::Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
