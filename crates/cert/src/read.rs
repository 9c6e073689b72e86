//! Reading evidence documents.

use crate::document::{
    Body, CoverSet, EvidenceDocument, Explored, FORMAT, Interleaving, Invariant, Item, MAX_REPEAT_DEPTH,
    Proof, Trace, VERSION, Verdict,
};
use serde::Deserialize;

/// Why a text is not an evidence document. The message ends with line and column.
#[derive(Debug, thiserror::Error)]
#[error("not an evidence document: {0}")]
pub struct ReadError(#[from] serde_json::Error);

/// Reads a document. Names are not resolved: the checker does that against the input.
pub fn read(text: &[u8]) -> Result<EvidenceDocument, ReadError> {
    Ok(serde_json::from_slice(text)?)
}

impl<'de> Deserialize<'de> for EvidenceDocument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RawDocument::deserialize(deserializer)?.validate().map_err(serde::de::Error::custom)
    }
}

/// A document as it stands in JSON, before its parts are known to fit together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDocument {
    format: String,
    version: u64,
    verdict: Verdict,
    kind: String,
    engine: Option<String>,
    input: Option<String>,
    trace: Option<Trace>,
    proof: Option<Proof>,
    #[serde(rename = "cover-set")]
    cover_set: Option<CoverSet>,
    interleaving: Option<Interleaving>,
    invariant: Option<Invariant>,
    explored: Option<Explored>,
}

impl RawDocument {
    fn validate(self) -> Result<EvidenceDocument, String> {
        if self.format != FORMAT {
            return Err(format!("`format` is `{}`, expected `{FORMAT}`", self.format));
        }
        if self.version != VERSION {
            return Err(format!("`version` is {}, but only version {VERSION} is known", self.version));
        }
        let bodies = [
            self.trace.map(Body::Trace),
            self.proof.map(Body::Proof),
            self.cover_set.map(Body::CoverSet),
            self.interleaving.map(Body::Interleaving),
            self.invariant.map(Body::Invariant),
            self.explored.map(Body::Explored),
        ];
        let mut bodies = bodies.into_iter().flatten();
        let (Some(body), None) = (bodies.next(), bodies.next()) else {
            let fields = "`trace`, `proof`, `cover-set`, `interleaving`, `invariant`, `explored`";
            return Err(format!("expected exactly one of the fields {fields}"));
        };
        if self.kind != body.kind() {
            return Err(format!("`kind` is `{}`, but the field `{}` is there", self.kind, body.kind()));
        }
        if let Body::Trace(trace) = &body {
            check_items(&trace.items, 0)?;
        }
        Ok(EvidenceDocument { verdict: self.verdict, engine: self.engine, input: self.input, body })
    }
}

fn check_items(items: &[Item], depth: usize) -> Result<(), String> {
    items.iter().try_for_each(|item| match item {
        Item::Step(_) => Ok(()),
        Item::Repeat { times: 0, .. } => Err("`repeat` must be at least 1".into()),
        Item::Repeat { .. } if depth >= MAX_REPEAT_DEPTH => {
            Err(format!("`repeat` is nested more than {MAX_REPEAT_DEPTH} deep"))
        }
        Item::Repeat { items, .. } => check_items(items, depth + 1),
    })
}
