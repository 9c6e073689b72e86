//! Evidence as users get it: the bytes of a file, and what they say.

pub mod c;

use std::borrow::Cow;
use std::io::{self, Write};
use throng_cert::{EvidenceDocument, ReadError, Verdict};

/// Evidence for a verdict: an execution, a proof, an invariant. It convinces nobody by itself: [`crate::check`] looks whether it
/// holds.
#[derive(Clone, Debug)]
pub struct Evidence {
    text: Vec<u8>,
    content: Content,
}

/// Evidence in the terms that it is shown in.
#[derive(Clone, Debug)]
pub enum Content {
    /// About a system, over its ids.
    System(throng_cert::Evidence),
    /// About a Boolean program, in its own terms.
    Program(EvidenceDocument),
    /// About a C program.
    C(EvidenceDocument),
    /// About something: it was read.
    Read(EvidenceDocument),
}

impl Evidence {
    /// Evidence and the JSON that says the same.
    pub(crate) fn new(content: Content, text: Vec<u8>) -> Self {
        Self { text, content }
    }

    /// Reads evidence from JSON, as [`Evidence::write`] writes it.
    pub fn read(text: impl Into<Vec<u8>>) -> Result<Self, ReadError> {
        let text = text.into();
        Ok(Self { content: Content::Read(throng_cert::read(&text)?), text })
    }

    /// Writes it as JSON: the very bytes that the checker has accepted.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(&self.text)
    }

    /// The JSON.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What it says, in the names of the input.
    pub fn document(&self) -> Cow<'_, EvidenceDocument> {
        match &self.content {
            Content::Program(document) | Content::C(document) | Content::Read(document) => {
                Cow::Borrowed(document)
            }
            Content::System(_) => {
                Cow::Owned(throng_cert::read(&self.text).expect("INVARIANT: what was written can be read"))
            }
        }
    }

    /// What it is evidence for.
    pub fn verdict(&self) -> Verdict {
        match &self.content {
            Content::System(throng_cert::Evidence::Trace(_)) => Verdict::Unsafe,
            Content::System(throng_cert::Evidence::Proof(_) | throng_cert::Evidence::CoverSet(_)) => {
                Verdict::Safe
            }
            Content::Program(document) | Content::C(document) | Content::Read(document) => document.verdict,
        }
    }

    /// What it says in the terms of the input.
    pub fn content(&self) -> &Content {
        &self.content
    }
}
