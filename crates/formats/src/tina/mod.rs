//! Tina nets, `.net`.
//!
//! ```text
//! file   := line*                                 -- one description per line; a backslash at its end continues it
//! line   := 'net' name
//!         | 'tr' name [':' label] [interval] [input* '->' output*]      input := place [arc]   output := place ['*' n]
//!         | 'pl' name [':' label] ['(' n ')'] [source* '->' user*]      source := transition ['*' n]   user := transition [arc]
//!         | 'lb' name label | 'nt' name ('0' | '1') text | 'pr' name+ ('<' | '>') name+
//! arc    := '*' n | '?' n | '?-' n | '!' n | '!-' n                     -- normal, read, inhibitor, stopwatch, stopwatch-inhibitor
//! ```
//!
//! A name is a run of letters, digits, `_`, `'` and `.`, or anything in braces, where a backslash escapes. Numbers may
//! end in `K`, `M`, `G` …, powers of 1000. `#` starts a comment. Nodes need no declaration; several lines about one
//! node add up. Labels and notes are read over.
//!
//! Inhibitor arcs, stopwatches, priorities and intervals other than `[0,w[` restrict which transitions may fire in
//! ways that more tokens can undo or that depend on time: they are refused. Tina files hold no property.

mod line;

use crate::net_draft::NetDraft;
use crate::net_view::{Alphabet, NetView, Weighted, plain_net};
use crate::tokens::{Describe, Tokens};
use crate::{Draft, Format, Printed, config_text};
use logos::Logos;
use std::borrow::Cow;
use std::fmt::Write;
use throng_base::{Diagnostic, Source};
use throng_model::System;

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\f]+")]
#[logos(skip r"\\\r?\n")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
enum Token {
    #[token("\n")]
    LineEnd,
    #[token("->")]
    Arrow,
    #[token(":")]
    Colon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token("*")]
    Star,
    #[token("?")]
    Read,
    #[token("?-")]
    Inhibitor,
    #[token("!")]
    Stopwatch,
    #[token("!-")]
    StopwatchInhibitor,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[regex(r"[\p{L}\p{N}_'.]+")]
    Word,
    #[regex(r"\{([^{}\\]|\\(.|\n))*\}")]
    Quoted,
}

impl Describe for Token {
    fn describe(&self) -> String {
        match self {
            Token::LineEnd => "the end of the line",
            Token::Arrow => "`->`",
            Token::Colon => "`:`",
            Token::Open => "`(`",
            Token::Close => "`)`",
            Token::OpenBracket => "`[`",
            Token::CloseBracket => "`]`",
            Token::Comma => "`,`",
            Token::Star => "`*`",
            Token::Read => "`?`",
            Token::Inhibitor => "`?-`",
            Token::Stopwatch => "`!`",
            Token::StopwatchInhibitor => "`!-`",
            Token::Less => "`<`",
            Token::Greater => "`>`",
            Token::Word => "a name",
            Token::Quoted => "a name in braces",
        }
        .to_owned()
    }
}

/// Reads a net.
pub(crate) fn parse(source: &Source) -> Result<Draft, Vec<Diagnostic>> {
    let mut reader = line::Reader::new(Tokens::new(source), NetDraft::default());
    reader.lines().and_then(|()| reader.net.finish()).map(Draft::new).map_err(|error| vec![error])
}

/// Names that are not words are written in braces.
const ALPHABET: Alphabet =
    Alphabet { first: |_| true, rest: |c| !c.is_control(), reserved: &[], one_name_space: true };

/// Writes a net. Its targets have no place in a Tina file.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let (net, mut notes) = plain_net(system, Format::Tina, &ALPHABET)?;
    if !net.targets.is_empty() {
        notes.push(format!("`.net` files hold no targets: ask with {}", target_options(&net)));
    }
    Ok(Printed { text: print_net(&net), companions: Vec::new(), notes })
}

/// How to ask for the targets of a net in its own names, the first few of many.
fn target_options(net: &NetView) -> String {
    const SHOWN: usize = 10;
    let option = |target: &Weighted| {
        let items = target.iter().map(|&(place, count)| {
            let name = &net.places[place];
            let clash = count > 1 && net.places.contains(&format!("{name}*{count}"));
            config_text::format_item(name, count, clash)
        });
        // Without any item, a configuration still has its bar.
        let items = items.collect::<Vec<_>>().join(",");
        format!("`--target={}`", if items.is_empty() { "|" } else { &items })
    };
    let options: Vec<String> = net.targets.iter().take(SHOWN).map(option).collect();
    let more = net.targets.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", options.join(" "))
}

fn print_net(net: &NetView) -> String {
    let mut text = String::new();
    // Every place has a line, in order: so they are numbered alike when the file is read again.
    for (place, &count) in net.places.iter().zip(&net.initial) {
        let _ = write!(text, "pl {}", quote(place));
        let _ = if count > 0 { writeln!(text, " ({count})") } else { writeln!(text) };
    }
    for transition in &net.transitions {
        let _ = write!(text, "tr {}", quote(&transition.name));
        print_list(&mut text, net, &transition.pre);
        text += " ->";
        print_list(&mut text, net, &transition.post);
        text.push('\n');
    }
    text
}

fn print_list(text: &mut String, net: &NetView, list: &Weighted) {
    for &(place, weight) in list {
        let name = quote(&net.places[place]);
        let _ = if weight == 1 { write!(text, " {name}") } else { write!(text, " {name}*{weight}") };
    }
}

fn quote(name: &str) -> Cow<'_, str> {
    if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'') {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::from("{");
    for character in name.chars() {
        if matches!(character, '{' | '}' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('}');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests;
