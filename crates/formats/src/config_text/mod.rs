//! Configurations as strings, as users write them on the command line and in `.prop` and `.init` files.
//!
//! ```text
//! config := [shared] '|' [list] ['/' [list]]     exactly these threads; after '/' any number in each
//!         | [shared] '/' [list]                  any number of threads in each
//!         | list                                 for nets, which have no shared part: exactly these tokens
//! list   := item (',' item)*
//! item   := name ['*' N]                         N times; '*' belongs to the name if a local is called so
//! name   := '"' (character | '\"' | '\\')* '"'  |  characters other than , | / and an opening "
//! ```
//!
//! Repetitions count. Blanks around names are ignored; names that begin or end with one, or contain `,`, `|`
//! or `/`, are quoted. A target has no `/` part. Printers write what the parsers here read back.

use crate::suggest::present_names;
use throng_base::{Diagnostic, Source, Span};
use throng_model::{Bag, Config, ConfigRef, Entry, Initial, LocalId, Names, OMEGA, SharedId, bag};

/// The names a configuration may use.
#[derive(Clone, Copy, Debug)]
pub struct StateNames<'a> {
    /// Shared states; one state with an empty name is that of a net.
    pub shared: &'a Names,
    /// Local states.
    pub locals: &'a Names,
}

impl<'a> StateNames<'a> {
    /// The names of a system.
    pub fn of(system: &'a throng_model::System) -> Self {
        Self { shared: system.shared_names(), locals: system.local_names() }
    }

    fn is_net(self) -> bool {
        self.shared.len() == 1 && self.shared.get(0).is_empty()
    }
}

/// Reads a source that holds one initial configuration and nothing else.
pub fn parse_initial(source: &Source, names: StateNames<'_>) -> Result<Initial, Diagnostic> {
    parse_initial_at(source, whole(source), names)
}

/// Reads a source that holds one target and nothing else.
pub fn parse_target(source: &Source, names: StateNames<'_>) -> Result<Config, Diagnostic> {
    parse_target_at(source, whole(source), names)
}

/// As [`parse_initial`], for a part of a source.
pub(crate) fn parse_initial_at(
    source: &Source,
    span: Span,
    names: StateNames<'_>,
) -> Result<Initial, Diagnostic> {
    let parts = Parser { source, names, at: span.start as usize, end: span.end as usize }.config()?;
    let mut unbounded: Vec<LocalId> = parts.unbounded.iter().map(|&(local, _)| local).collect();
    unbounded.sort_unstable();
    unbounded.dedup();
    Ok(Initial { shared: parts.shared, exact: to_bag(source, span, parts.exact)?, unbounded })
}

/// As [`parse_target`], for a part of a source.
pub(crate) fn parse_target_at(
    source: &Source,
    span: Span,
    names: StateNames<'_>,
) -> Result<Config, Diagnostic> {
    let parts = Parser { source, names, at: span.start as usize, end: span.end as usize }.config()?;
    if let Some(slash) = parts.slash {
        return Err(Diagnostic::error("E0113", "a target counts its threads, it has no `/` part")
            .at(source, slash, "not in a target")
            .note("a target asks for at least these threads; more of any kind are always allowed")
            .hint("list the threads after `|`, each as often as it must occur"));
    }
    Ok(Config::new(parts.shared, to_bag(source, span, parts.exact)?))
}

fn whole(source: &Source) -> Span {
    Span::new(0, source.text().len())
}

fn to_bag(source: &Source, span: Span, counts: Vec<(LocalId, u32)>) -> Result<Bag, Diagnostic> {
    Bag::from_counts(counts).map_err(|overflow| {
        Diagnostic::error("E0112", overflow.to_string()).at(source, span, "too many threads")
    })
}

/// A configuration as it is written.
struct Parts {
    shared: SharedId,
    exact: Vec<(LocalId, u32)>,
    unbounded: Vec<(LocalId, u32)>,
    /// Where the `/` stands.
    slash: Option<Span>,
}

/// A name as it is written, without quotes and escapes.
struct Name {
    text: String,
    span: Span,
    quoted: bool,
}

struct Parser<'s> {
    source: &'s Source,
    names: StateNames<'s>,
    at: usize,
    end: usize,
}

impl Parser<'_> {
    fn config(mut self) -> Result<Parts, Diagnostic> {
        let start = self.at;
        let name = self.name()?;
        let shared = if matches!(self.peek(), Some('|' | '/')) {
            self.shared(name)?
        } else if self.names.is_net() {
            self.at = start;
            SharedId::new(0)
        } else {
            return Err(self.expected("`|` or `/`").hint(self.syntax_hint()));
        };
        let mut parts = Parts { shared, exact: Vec::new(), unbounded: Vec::new(), slash: None };
        self.eat('|');
        if self.peek() != Some('/') {
            parts.exact = self.list()?;
        }
        let slash = Span::new(self.at, (self.at + 1).min(self.end));
        if self.eat('/') {
            parts.slash = Some(slash);
            parts.unbounded = self.list()?;
        }
        match self.peek() {
            None => Ok(parts),
            Some(_) => Err(self.expected("`,` or the end of the configuration").hint(self.syntax_hint())),
        }
    }

    fn shared(&self, name: Name) -> Result<SharedId, Diagnostic> {
        if let Some(index) = self.names.shared.find(&name.text) {
            return Ok(SharedId::new(index));
        }
        if name.text.is_empty() {
            let point = Span::new(self.at, self.at);
            return Err(Diagnostic::error("E0111", "a configuration begins with its shared state")
                .at(self.source, point, "expected a shared state")
                .hint(self.syntax_hint()));
        }
        let error = Diagnostic::error("E0110", format!("there is no shared state `{}`", name.text));
        Err(if self.names.is_net() {
            error
                .at(self.source, name.span, "nets have no shared states")
                .hint("begin with `|` or `/`, as in `|p,q` or `/p`")
        } else {
            error.at(self.source, name.span, present_names(self.names.shared, &name.text, "shared states"))
        })
    }

    /// A list of locals up to `/`, `|` or the end; it may be empty.
    fn list(&mut self) -> Result<Vec<(LocalId, u32)>, Diagnostic> {
        let mut items = Vec::new();
        self.skip_blanks();
        if matches!(self.peek(), None | Some('/' | '|')) {
            return Ok(items);
        }
        loop {
            let name = self.name()?;
            items.push(self.item(name)?);
            if !self.eat(',') {
                return Ok(items);
            }
        }
    }

    fn item(&mut self, name: Name) -> Result<(LocalId, u32), Diagnostic> {
        if name.quoted {
            let local = self.local(&name.text, name.span)?;
            let count = if self.eat('*') { self.repetitions()? } else { 1 };
            return Ok((local, count));
        }
        if name.text.is_empty() {
            return Err(Diagnostic::error("E0111", "a local state is missing")
                .at(self.source, name.span, "expected a local state")
                .hint(self.syntax_hint()));
        }
        if let Some(index) = self.names.locals.find(&name.text) {
            return Ok((LocalId::new(index), 1));
        }
        if let Some((base, digits)) = name.text.rsplit_once('*')
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let end = name.span.end as usize;
            let digits = Span::new(end - digits.len(), end);
            let span = Span::new(name.span.start as usize, name.span.start as usize + base.trim_end().len());
            return Ok((
                self.local(base.trim_end(), span)?,
                crate::tokens::parse_count(self.source, digits)?,
            ));
        }
        Err(self.unknown_local(&name.text, name.span))
    }

    fn local(&self, name: &str, span: Span) -> Result<LocalId, Diagnostic> {
        let found = self.names.locals.find(name);
        found.map(LocalId::new).ok_or_else(|| self.unknown_local(name, span))
    }

    fn unknown_local(&self, name: &str, span: Span) -> Diagnostic {
        let kind = if self.names.is_net() { ("place", "places") } else { ("local state", "local states") };
        Diagnostic::error("E0110", format!("there is no {} `{name}`", kind.0)).at(
            self.source,
            span,
            present_names(self.names.locals, name, kind.1),
        )
    }

    /// The number after `*`.
    fn repetitions(&mut self) -> Result<u32, Diagnostic> {
        self.skip_blanks();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.expected("a number of repetitions"));
        }
        let span = Span::new(self.at, self.at + digits);
        self.at += digits;
        self.skip_blanks();
        crate::tokens::parse_count(self.source, span)
    }

    /// A name with the blanks around it; empty if there is none.
    fn name(&mut self) -> Result<Name, Diagnostic> {
        self.skip_blanks();
        if self.peek() == Some('"') {
            return self.quoted_name();
        }
        let rest = self.rest();
        let text = rest[..rest.find([',', '|', '/']).unwrap_or(rest.len())].trim_end();
        let span = Span::new(self.at, self.at + text.len());
        let text = text.to_owned();
        self.at += text.len();
        self.skip_blanks();
        Ok(Name { text, span, quoted: false })
    }

    fn quoted_name(&mut self) -> Result<Name, Diagnostic> {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = start + offset + 1;
                    let span = Span::new(start, self.at);
                    self.skip_blanks();
                    return Ok(Name { text, span, quoted: true });
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                _ => text.push(c),
            }
        }
        Err(Diagnostic::error("E0111", "a quoted name does not end").at(
            self.source,
            Span::new(start, self.end),
            "expected `\"` after the name",
        ))
    }

    fn rest(&self) -> &str {
        &self.source.text()[self.at..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = self.peek().map_or("the end".to_owned(), |c| format!("`{}`", c.escape_debug()));
        let width = self.peek().map_or(0, char::len_utf8);
        Diagnostic::error("E0111", format!("expected {what}, found {found}")).at(
            self.source,
            Span::new(self.at, self.at + width),
            format!("expected {what}"),
        )
    }

    fn syntax_hint(&self) -> &'static str {
        if self.names.is_net() {
            "write `p,q` for one token in each place, `/p` for any number of tokens in `p`"
        } else {
            "write `s|l1,l2` for exactly these threads, `s/l` for any number of threads in `l`"
        }
    }
}

/// How several threads in one local state are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetitions {
    /// `l*3`
    Counted,
    /// `l,l,l`, the only form that bfc reads.
    Listed,
}

/// Prints a configuration. The ω-entries of an ω-configuration stand after `/`.
pub fn format_config(config: ConfigRef<'_>, names: StateNames<'_>, repetitions: Repetitions) -> String {
    let unbounded = config.bag.iter().filter(|entry| entry.count == OMEGA).map(|entry| entry.local);
    let exact = config.bag.iter().filter(|entry| entry.count != OMEGA);
    format_parts(config.shared, exact, unbounded, names, repetitions)
}

/// Prints a set of initial configurations.
pub fn format_initial(initial: &Initial, names: StateNames<'_>, repetitions: Repetitions) -> String {
    debug_assert!(bag::is_normal(&initial.exact));
    let unbounded = initial.unbounded.iter().copied();
    format_parts(initial.shared, initial.exact.iter(), unbounded, names, repetitions)
}

fn format_parts<'a>(
    shared: SharedId,
    exact: impl Iterator<Item = &'a Entry>,
    unbounded: impl Iterator<Item = LocalId>,
    names: StateNames<'_>,
    repetitions: Repetitions,
) -> String {
    let mut items: Vec<String> = Vec::new();
    for entry in exact {
        let name = names.locals.get(entry.local.index());
        match repetitions {
            Repetitions::Counted if entry.count > 1 => {
                // A bare `l*3` would be read as the local of that name if there is one.
                let clash = names.locals.find(&format!("{name}*{}", entry.count)).is_some();
                items.push(format_item(&name, entry.count, clash));
            }
            _ => {
                let name = quote_if(&name, needs_quotes(&name));
                items.extend(std::iter::repeat_n(name, entry.count as usize));
            }
        }
    }
    let exact = items.join(",");
    let unbounded: Vec<String> = unbounded
        .map(|local| names.locals.get(local.index()))
        .map(|name| quote_if(&name, needs_quotes(&name)))
        .collect();
    let shared = names.shared.get(shared.index());
    let shared = if names.is_net() { String::new() } else { quote_if(&shared, needs_quotes(&shared)) };
    match (exact.is_empty(), unbounded.is_empty()) {
        (false, true) if names.is_net() => exact,
        (_, true) => format!("{shared}|{exact}"),
        (true, false) => format!("{shared}/{}", unbounded.join(",")),
        (false, false) => format!("{shared}|{exact}/{}", unbounded.join(",")),
    }
}

/// Prints `count` threads in one local; `clash` if another local is called as this would look without quotes.
pub(crate) fn format_item(name: &str, count: u32, clash: bool) -> String {
    let name = quote_if(name, clash || needs_quotes(name));
    if count == 1 { name } else { format!("{name}*{count}") }
}

/// Whether a name would be read differently without quotes. A `#` may begin a comment in a file.
fn needs_quotes(name: &str) -> bool {
    name.is_empty() || name.contains([',', '|', '/', '"', '*', '#']) || name.contains(char::is_whitespace)
}

fn quote_if(name: &str, quote: bool) -> String {
    if !quote {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests;
