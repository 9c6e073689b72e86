//! Writing evidence documents: streamed, one element, step or cut per line, so that large ones need no memory
//! of their own and differences between two are readable. The same evidence gives the same bytes.

use crate::document::{Body, EvidenceDocument, FORMAT, Item, MAX_REPEAT_DEPTH, VERSION, Verdict};
use crate::named::{Header, Namer, verdict};
use crate::{Evidence, TraceItem};
use serde::Serialize;
use std::io::{self, Write};
use throng_model::TransitionSystem;

/// Writes evidence in the names of `system`. The writer should be buffered.
///
/// Fails when the writer does, or when a trace nests repetitions deeper than [`MAX_REPEAT_DEPTH`].
pub fn write(
    evidence: &Evidence,
    system: &dyn TransitionSystem,
    header: Header<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = Namer::new(system);
    let mut writer = Writer { out, indent: 0 };
    match evidence {
        Evidence::Trace(trace) => {
            writer.open(verdict(evidence), "trace", header)?;
            writer.field("initial", &names.config(&trace.initial))?;
            writer.items(&trace.items, &|item| match item {
                TraceItem::Step(step) => Part::Step(names.step(step)),
                TraceItem::Repeat { times, items } => Part::Repeat(*times, items),
            })?;
        }
        Evidence::Proof(proof) => {
            writer.open(verdict(evidence), "proof", header)?;
            writer.proof(
                proof.cuts.iter().map(|cut| names.cut(cut)),
                proof.traps.iter().map(|trap| names.trap(trap)),
                proof.elements.iter().map(|element| names.config(element)),
            )?;
        }
        Evidence::CoverSet(set) => {
            writer.open(verdict(evidence), "cover-set", header)?;
            writer.list("elements", set.elements.iter().map(|element| names.config(element)))?;
        }
    }
    writer.close()
}

/// Writes a document, see [`write()`].
pub fn write_document(document: &EvidenceDocument, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer { out, indent: 0 };
    let header = Header { engine: document.engine.as_deref(), input: document.input.as_deref() };
    writer.open(document.verdict, document.body.kind(), header)?;
    match &document.body {
        Body::Trace(trace) => {
            writer.field("initial", &trace.initial)?;
            writer.items(&trace.items, &|item| match item {
                Item::Step(step) => Part::Step(step),
                Item::Repeat { times, items } => Part::Repeat(*times, items),
            })?;
        }
        Body::Proof(proof) => {
            writer.proof(&proof.cuts, &proof.traps, &proof.elements)?;
            writer.through(&proof.through)?;
        }
        Body::CoverSet(set) => {
            writer.list("elements", &set.elements)?;
            writer.through(&set.through)?;
        }
        Body::Interleaving(interleaving) => {
            writer.field("options", &interleaving.options)?;
            writer.field("start", &interleaving.start)?;
            writer.list("steps", &interleaving.steps)?;
        }
        Body::Invariant(invariant) => {
            writer.field("options", &invariant.options)?;
            if !invariant.counts.is_empty() {
                writer.list("counts", &invariant.counts)?;
                writeln!(writer.out, ",")?;
            }
            writer.list("predicates", &invariant.predicates)?;
            writeln!(writer.out, ",")?;
            writer.list("elements", &invariant.elements)?;
        }
        Body::Explored(explored) => {
            writer.field("options", &explored.options)?;
            if let Some(most) = explored.threads_at_most {
                writer.field("threads-at-most", &most)?;
            }
            writer.field("states", &explored.states)?;
            writer.last_field("threads", &explored.threads)?;
        }
    }
    writer.close()
}

/// What an item of a trace is, for either form of items: a step `S` or a repetition of items `T`.
enum Part<'a, S, T> {
    Step(S),
    Repeat(u64, &'a [T]),
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    indent: usize,
}

impl Writer<'_> {
    /// The document up to the opening brace of the evidence.
    fn open(&mut self, verdict: Verdict, kind: &str, header: Header<'_>) -> io::Result<()> {
        writeln!(self.out, "{{")?;
        self.indent = 1;
        self.field("format", FORMAT)?;
        self.field("version", &VERSION)?;
        self.field("verdict", &verdict)?;
        self.field("kind", kind)?;
        if let Some(engine) = header.engine {
            self.field("engine", engine)?;
        }
        if let Some(input) = header.input {
            self.field("input", input)?;
        }
        writeln!(self.out, "  \"{kind}\": {{")?;
        self.indent = 2;
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        writeln!(self.out, "\n  }}\n}}")?;
        self.out.flush()
    }

    fn margin(&mut self) -> io::Result<()> {
        write!(self.out, "{:width$}", "", width = 2 * self.indent)
    }

    fn json(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }

    /// A field that is not the last of its object.
    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.last_field(name, value)?;
        writeln!(self.out, ",")
    }

    /// A field without what follows it.
    fn last_field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.margin()?;
        write!(self.out, "\"{name}\": ")?;
        self.json(value)
    }

    /// The fields of a proof, without the end of the last line.
    fn proof(
        &mut self,
        cuts: impl IntoIterator<Item = impl Serialize>,
        traps: impl IntoIterator<Item = impl Serialize>,
        elements: impl IntoIterator<Item = impl Serialize>,
    ) -> io::Result<()> {
        self.list("cuts", cuts)?;
        writeln!(self.out, ",")?;
        self.list("traps", traps)?;
        writeln!(self.out, ",")?;
        self.list("elements", elements)
    }

    /// The locations that threads only pass through, after another list.
    fn through(&mut self, locations: &[String]) -> io::Result<()> {
        if locations.is_empty() {
            return Ok(());
        }
        writeln!(self.out, ",")?;
        self.list("through", locations)
    }

    /// A list with one item per line, without what follows it.
    fn list(&mut self, name: &str, items: impl IntoIterator<Item = impl Serialize>) -> io::Result<()> {
        self.margin()?;
        write!(self.out, "\"{name}\": [")?;
        self.indent += 1;
        for (i, item) in items.into_iter().enumerate() {
            writeln!(self.out, "{}", if i > 0 { "," } else { "" })?;
            self.margin()?;
            self.json(&item)?;
        }
        self.indent -= 1;
        write!(self.out, "]")
    }

    /// The field `items` of a trace, without the end of its last line.
    fn items<'a, T, S: Serialize>(
        &mut self,
        items: &'a [T],
        part: &dyn Fn(&'a T) -> Part<'a, S, T>,
    ) -> io::Result<()> {
        self.margin()?;
        write!(self.out, "\"items\": ")?;
        self.item_list(items, part, 0)
    }

    fn item_list<'a, T, S: Serialize>(
        &mut self,
        items: &'a [T],
        part: &dyn Fn(&'a T) -> Part<'a, S, T>,
        depth: usize,
    ) -> io::Result<()> {
        write!(self.out, "[")?;
        self.indent += 1;
        for (i, item) in items.iter().enumerate() {
            writeln!(self.out, "{}", if i > 0 { "," } else { "" })?;
            self.margin()?;
            match part(item) {
                Part::Step(step) => self.json(&step)?,
                Part::Repeat(..) if depth >= MAX_REPEAT_DEPTH => {
                    let message = format!("repetitions are nested more than {MAX_REPEAT_DEPTH} deep");
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                Part::Repeat(times, items) => {
                    write!(self.out, "{{\"repeat\": {times}, \"items\": ")?;
                    self.item_list(items, part, depth + 1)?;
                    write!(self.out, "}}")?;
                }
            }
        }
        self.indent -= 1;
        write!(self.out, "]")
    }
}
