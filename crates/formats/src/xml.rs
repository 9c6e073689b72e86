//! What the readers of XML formats need of `quick-xml`: elements, text and errors with places.
//!
//! Names are local names: prefixes of name spaces are dropped. Comments, processing instructions and document
//! types are skipped; predefined entities and character references are replaced; other entities are refused.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;
use throng_base::{Diagnostic, Source, Span};

/// A start tag.
pub(crate) struct Element<'s> {
    tag: BytesStart<'s>,
    pub(crate) span: Span,
}

impl Element<'_> {
    /// The name of the element.
    pub(crate) fn name(&self) -> &str {
        self.tag.local_name().into_inner()
    }

    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str, source: &Source) -> Result<Option<Cow<'_, str>>, Diagnostic> {
        let error = |error: &dyn std::fmt::Display| malformed(source, self.span, error);
        for attribute in self.tag.attributes() {
            let attribute = attribute.map_err(|e| error(&e))?;
            if attribute.key.local_name().into_inner() == name {
                return attribute.normalized_value(XmlVersion::Implicit1_0).map(Some).map_err(|e| error(&e));
            }
        }
        Ok(None)
    }

    /// The value of an attribute that must be there.
    pub(crate) fn required(&self, name: &str, source: &Source) -> Result<Cow<'_, str>, Diagnostic> {
        self.attribute(name, source)?.ok_or_else(|| {
            let message = format!("`<{}>` has no attribute `{name}`", self.name());
            Diagnostic::error("E0425", message).at(source, self.span, format!("expected `{name}=\"…\"`"))
        })
    }
}

/// A piece of a document.
pub(crate) enum Item<'s> {
    /// A start tag; an empty element is followed by its end.
    Open(Element<'s>),
    /// The end tag of the innermost open element.
    Close,
    /// Text, in pieces, with where it stands.
    Text(Cow<'s, str>, Span),
    /// The end of the document; all elements are closed.
    End,
}

/// A document, piece by piece.
pub(crate) struct Xml<'s> {
    pub(crate) source: &'s Source,
    reader: Reader<&'s [u8]>,
    /// Start tags of the open elements.
    open: Vec<Span>,
}

impl<'s> Xml<'s> {
    /// The document of a source.
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut reader = Reader::from_str(source.text());
        reader.config_mut().expand_empty_elements = true;
        Self { source, reader, open: Vec::new() }
    }

    /// The next piece.
    pub(crate) fn next(&mut self) -> Result<Item<'s>, Diagnostic> {
        loop {
            let start = self.reader.buffer_position() as usize;
            let event = self.reader.read_event().map_err(|error| {
                let at = self.reader.error_position() as usize;
                malformed(self.source, Span::new(at, at + 1), &error)
            })?;
            let span = Span::new(start, self.reader.buffer_position() as usize);
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    self.open.push(span);
                    return Ok(Item::Open(Element { tag, span }));
                }
                Event::End(_) => {
                    self.open.pop();
                    return Ok(Item::Close);
                }
                Event::Text(text) => return Ok(Item::Text(text.xml10_content(), span)),
                Event::CData(text) => return Ok(Item::Text(text.xml10_content(), span)),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                    let named =
                        || quick_xml::escape::resolve_predefined_entity(&reference).map(str::to_owned);
                    let text = character.or_else(named).ok_or_else(|| {
                        malformed(self.source, span, &format!("unknown entity `&{};`", &*reference))
                    })?;
                    return Ok(Item::Text(Cow::Owned(text), span));
                }
                Event::Eof => {
                    return match self.open.last() {
                        Some(&tag) => Err(malformed(self.source, tag, &"this element is never closed")),
                        None => Ok(Item::End),
                    };
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    /// Reads over the rest of the innermost open element, its end tag included.
    pub(crate) fn skip(&mut self) -> Result<(), Diagnostic> {
        let depth = self.open.len();
        while self.open.len() >= depth && depth > 0 {
            self.next()?;
        }
        Ok(())
    }

    /// The text of the innermost open element without that of elements in it and without blanks around it; its
    /// end tag is consumed.
    pub(crate) fn text(&mut self) -> Result<(String, Span), Diagnostic> {
        let mut text = String::new();
        let mut place: Option<Span> = None;
        let tag = self.open.last().copied().unwrap_or_default();
        loop {
            match self.next()? {
                Item::Open(_) => self.skip()?,
                Item::Close | Item::End => break,
                Item::Text(piece, span) => {
                    if !piece.trim().is_empty() {
                        place = Some(place.map_or(trimmed(self.source, span), |place| place.to(span)));
                    }
                    text.push_str(&piece);
                }
            }
        }
        Ok((text.trim().to_owned(), place.unwrap_or(tag)))
    }
}

/// A span without the blanks at its ends.
fn trimmed(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let start = span.start as usize + text.len() - text.trim_start().len();
    Span::new(start, start + text.trim().len())
}

fn malformed(source: &Source, span: Span, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error("E0424", format!("malformed XML: {error}")).at(source, span, "")
}
