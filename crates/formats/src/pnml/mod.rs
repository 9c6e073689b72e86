//! Place/transition nets in PNML (ISO/IEC 15909-2), `.pnml`.
//!
//! Pages are read through, references stand for the node they name. Places and transitions are shown by their
//! names where these are unique and not empty, otherwise by their identifiers; formulas may use both.
//! Beyond the standard, arcs may have a type, as several tools write it: `read` or `test` arcs leave their tokens,
//! `reset` arcs empty their place, `inhibitor` arcs are refused. High-level nets and time are refused too. An
//! element that is not understood is mentioned in a warning.

mod print;

pub(crate) use print::print;

use crate::formula::too_large_number;
use crate::net_draft::{ArcStyle, GraphDraft, declared_twice};
use crate::xml::{Element, Item, Xml};
use crate::{Draft, Ids};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Source, Span};
use throng_model::bag;
use throng_model::names::NameTable;

/// Reads a net.
pub(crate) fn parse(source: &Source) -> Result<Draft, Vec<Diagnostic>> {
    let mut reader = Reader {
        xml: Xml::new(source),
        lines: LineCounter::new(source),
        graph: GraphDraft::default(),
        place_names: Vec::new(),
        transition_names: Vec::new(),
        priority: None,
        unread: FxHashSet::default(),
        warnings: Vec::new(),
    };
    let read = reader.document().and_then(|()| reader.finish());
    read.map_err(|error| vec![error])
}

struct Reader<'s> {
    xml: Xml<'s>,
    lines: LineCounter<'s>,
    graph: GraphDraft,
    /// Names as written, by place and by transition; empty where there is none.
    place_names: Vec<String>,
    transition_names: Vec<String>,
    /// The priority of the first transition that states one.
    priority: Option<String>,
    /// Elements that have been warned about.
    unread: FxHashSet<String>,
    warnings: Vec<Diagnostic>,
}

/// What an element of a node or an arc is about.
enum Part {
    Name,
    Number,
    Kind,
    Priority,
    Drawing,
    HighLevel,
    Time,
    Unknown,
}

fn part(name: &str) -> Part {
    match name {
        "name" => Part::Name,
        "initialMarking" | "inscription" | "capacity" => Part::Number,
        "type" | "arctype" => Part::Kind,
        "priority" => Part::Priority,
        "graphics" | "toolspecific" | "text" | "arcpath" | "tagged" | "orientation" => Part::Drawing,
        "hlinitialMarking" | "hlinscription" | "condition" | "declaration" => Part::HighLevel,
        "delay" | "interval" | "timed" | "invariant" => Part::Time,
        _ => Part::Unknown,
    }
}

impl<'s> Reader<'s> {
    fn document(&mut self) -> Result<(), Diagnostic> {
        let mut n_nets = 0;
        loop {
            match self.xml.next()? {
                Item::Open(element) if element.name() == "pnml" => {}
                Item::Open(element) if element.name() == "net" => {
                    n_nets += 1;
                    if n_nets > 1 {
                        return Err(Diagnostic::error("E0425", "the file holds several nets").at(
                            self.xml.source,
                            element.span,
                            "second net",
                        ));
                    }
                    self.net(&element)?;
                }
                Item::Open(element) if n_nets == 0 => {
                    let message = format!("expected `<pnml>` or `<net>`, found `<{}>`", element.name());
                    return Err(Diagnostic::error("E0425", message).at(
                        self.xml.source,
                        element.span,
                        "expected `<net>`",
                    ));
                }
                Item::Open(_) => self.xml.skip()?,
                Item::Close | Item::Text(..) => {}
                Item::End if n_nets == 0 => {
                    let message = format!("there is no `<net>` in `{}`", self.xml.source.name());
                    let error = Diagnostic::error("E0425", message);
                    return Err(error.hint("a PNML file holds `<pnml><net …>…</net></pnml>`"));
                }
                Item::End => return Ok(()),
            }
        }
    }

    fn net(&mut self, element: &Element<'_>) -> Result<(), Diagnostic> {
        let kind = element.attribute("type", self.xml.source)?.unwrap_or_default().to_ascii_lowercase();
        if ["symmetricnet", "highlevel", "hlpng", "colored", "coloured"]
            .iter()
            .any(|word| kind.contains(word))
        {
            return Err(self.high_level(element.span));
        }
        if !["ptnet", "p/t", "pt-net", "core"].iter().any(|word| kind.contains(word)) {
            let message = format!("unknown type of net `{kind}`: read as a place/transition net");
            self.warnings.push(Diagnostic::warning("W0425", message).at(self.xml.source, element.span, ""));
        }
        let mut depth = 0;
        loop {
            match self.xml.next()? {
                Item::Open(element) => match element.name() {
                    "page" => depth += 1,
                    "place" => self.place(&element)?,
                    "transition" => self.transition(&element)?,
                    "arc" => self.arc(&element)?,
                    "referencePlace" | "referenceTransition" => self.reference(&element)?,
                    other => self.other(part(other), &element)?,
                },
                Item::Close if depth == 0 => return Ok(()),
                Item::Close => depth -= 1,
                Item::Text(..) => {}
                Item::End => return Ok(()),
            }
        }
    }

    fn place(&mut self, element: &Element<'_>) -> Result<(), Diagnostic> {
        let id = element.required("id", self.xml.source)?;
        if !self.graph.declare_place(&id) {
            return Err(declared_twice(self.xml.source, element.span, "node", &id));
        }
        let node = self.graph.node(&id);
        let mut name = String::new();
        while let Some(child) = self.child()? {
            match part(child.name()) {
                Part::Name => name = self.label()?.0,
                Part::Number => {
                    let is_capacity = child.name() == "capacity";
                    let (tokens, span) = self.number()?;
                    if is_capacity && tokens > 0 {
                        return Err(Diagnostic::error("E0426", "bounded places are not supported")
                            .at(self.xml.source, span, "a capacity")
                            .note("a capacity disables transitions when there are many tokens: the net is not monotone"));
                    }
                    if !is_capacity {
                        self.graph.mark(node, tokens, span);
                    }
                }
                Part::Kind => return Err(self.high_level(child.span)),
                other => self.other(other, &child)?,
            }
        }
        self.place_names.push(name);
        Ok(())
    }

    fn transition(&mut self, element: &Element<'_>) -> Result<(), Diagnostic> {
        let id = element.required("id", self.xml.source)?;
        if !self.graph.declare_transition(&id, self.lines.line_at(element.span.start)) {
            return Err(declared_twice(self.xml.source, element.span, "node", &id));
        }
        let mut name = String::new();
        while let Some(child) = self.child()? {
            match part(child.name()) {
                Part::Name => name = self.label()?.0,
                Part::Priority => {
                    let (priority, span) = self.label()?;
                    if *self.priority.get_or_insert_with(|| priority.clone()) != priority {
                        return Err(Diagnostic::error("E0422", "priorities are not supported")
                            .at(self.xml.source, span, "differs from another transition's")
                            .note("with priorities, more tokens can disable a transition: the net is not monotone"));
                    }
                }
                other => self.other(other, &child)?,
            }
        }
        self.transition_names.push(name);
        Ok(())
    }

    fn arc(&mut self, element: &Element<'_>) -> Result<(), Diagnostic> {
        let source = self.xml.source;
        let from = self.graph.node(&element.required("source", source)?);
        let to = self.graph.node(&element.required("target", source)?);
        let mut kind = element.attribute("type", source)?.unwrap_or_default().into_owned();
        let mut weight = 1;
        while let Some(child) = self.child()? {
            match part(child.name()) {
                Part::Number => weight = self.number()?.0,
                Part::Kind => {
                    let value = child.attribute("value", source)?.map(|value| value.into_owned());
                    let label = self.label()?.0;
                    kind = value.unwrap_or(label);
                }
                Part::Name => self.xml.skip()?,
                other => self.other(other, &child)?,
            }
        }
        let style = self.arc_style(&kind, element.span)?;
        self.graph.arc(from, to, weight, style, element.span);
        Ok(())
    }

    fn arc_style(&self, kind: &str, span: Span) -> Result<ArcStyle, Diagnostic> {
        match &kind.trim().to_ascii_lowercase()[..] {
            "" | "normal" | "arc" => Ok(ArcStyle::Plain),
            "read" | "test" => Ok(ArcStyle::Read),
            "reset" => Ok(ArcStyle::Reset),
            "inhibitor" | "inhibitory" | "tapninhibitor" => {
                Err(Diagnostic::error("E0420", "inhibitor arcs are not supported")
                    .at(self.xml.source, span, "tests for few tokens")
                    .note("an inhibitor arc lets a transition fire only while a place holds few tokens: coverability of such nets is undecidable"))
            }
            other => Err(Diagnostic::error("E0426", format!("arcs of type `{}` are not supported", other.escape_debug()))
                .at(self.xml.source, span, "expected `normal`, `read` or `reset`")),
        }
    }

    fn reference(&mut self, element: &Element<'_>) -> Result<(), Diagnostic> {
        let (id, to) = (element.required("id", self.xml.source)?, element.required("ref", self.xml.source)?);
        if !self.graph.declare_reference(&id, &to, element.span) {
            return Err(declared_twice(self.xml.source, element.span, "node", &id));
        }
        self.xml.skip()
    }

    /// The next element in the innermost open one; `None` when that is closed.
    fn child(&mut self) -> Result<Option<Element<'s>>, Diagnostic> {
        loop {
            match self.xml.next()? {
                Item::Open(element) => return Ok(Some(element)),
                Item::Close | Item::End => return Ok(None),
                Item::Text(..) => {}
            }
        }
    }

    /// The text of a label, which has just been opened.
    fn label(&mut self) -> Result<(String, Span), Diagnostic> {
        let mut label = (String::new(), Span::default());
        while let Some(child) = self.child()? {
            match child.name() {
                "text" | "value" => label = self.xml.text()?,
                _ => self.xml.skip()?,
            }
        }
        Ok(label)
    }

    /// The number of a label, which has just been opened. PIPE writes the colour of plain tokens before it.
    fn number(&mut self) -> Result<(u32, Span), Diagnostic> {
        let (text, span) = self.label()?;
        let digits = text.strip_prefix("Default,").unwrap_or(&text).trim();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("expected a number, found `{}`", text.escape_debug());
            return Err(Diagnostic::error("E0101", message).at(self.xml.source, span, "expected a number"));
        }
        let number = digits.parse::<u32>().ok().filter(|&number| number <= bag::MAX_COUNT);
        number.map(|number| (number, span)).ok_or_else(|| too_large_number(self.xml.source, span))
    }

    /// An element that has no meaning of its own where it stands.
    fn other(&mut self, part: Part, element: &Element<'_>) -> Result<(), Diagnostic> {
        match part {
            Part::HighLevel => return Err(self.high_level(element.span)),
            Part::Time => {
                let (value, span) = self.label()?;
                if element.name() == "timed" && value != "true" {
                    return Ok(());
                }
                let span = if value.is_empty() { element.span } else { span };
                return Err(Diagnostic::error("E0421", "time is not supported")
                    .at(self.xml.source, span, "depends on time")
                    .hint(
                        "without it more runs are possible; a `safe` verdict then holds for this net too",
                    ));
            }
            Part::Unknown => {
                if self.unread.insert(element.name().to_owned()) {
                    let message = format!("elements `<{}>` are not understood and read over", element.name());
                    self.warnings.push(Diagnostic::warning("W0426", message).at(
                        self.xml.source,
                        element.span,
                        "first of them",
                    ));
                }
            }
            Part::Name | Part::Number | Part::Kind | Part::Priority | Part::Drawing => {}
        }
        self.xml.skip()
    }

    fn high_level(&self, span: Span) -> Diagnostic {
        Diagnostic::error("E0423", "high-level nets are not supported")
            .at(self.xml.source, span, "expected a place/transition net")
            .hint("unfold the net into a place/transition net first")
    }

    fn finish(self) -> Result<Draft, Diagnostic> {
        let mut net = self.graph.resolve(self.xml.source)?;
        let ids = Ids {
            places: std::mem::take(&mut net.places),
            transitions: std::mem::take(&mut net.transitions),
        };
        let places = shown_names(&ids.places, &self.place_names);
        let transitions = shown_names(&ids.transitions, &self.transition_names);
        let mut draft = Draft::new(net.finish_as(places, &transitions)?);
        draft.ids = Some(ids);
        draft.warnings = self.warnings;
        Ok(draft)
    }
}

/// The name of each node where no other has that name or identifier, its identifier elsewhere.
fn shown_names(ids: &NameTable, names: &[String]) -> NameTable {
    let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
    for name in names {
        *uses.entry(name).or_default() += 1;
    }
    let mut shown = NameTable::default();
    for (index, name) in names.iter().enumerate() {
        let is_unique = uses.get(&name[..]) == Some(&1) && ids.find(name).is_none_or(|other| other == index);
        let (_, is_new) = shown.insert(if is_unique && !name.is_empty() { name } else { ids.get(index) });
        debug_assert!(is_new, "INVARIANT: shown names are distinct");
    }
    shown
}

#[cfg(test)]
mod tests;
