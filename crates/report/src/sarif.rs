//! SARIF 2.1.0, which editors and code hosts read: one result for what goes wrong, with the interleaving as one code flow and
//! a thread flow for each thread, whose steps are ordered by `executionOrder`.

use crate::result::{Case, Finding, RunResult};
use crate::story::{Place, Step, Story, story};
use serde_json::{Value, json};
use throng_cert::Verdict;

/// Where the schema is.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The kinds of errors, by the word that results name them with, and what they are.
const RULES: [(&str, &str); 10] = [
    ("assertion", "An assertion fails"),
    ("reach", "An error is reached"),
    ("bounds", "An array is accessed beyond its bounds"),
    ("pointers", "A pointer to no living object is used"),
    ("division", "A division is undefined"),
    ("shift", "A shift is undefined"),
    ("unreachable", "An unreachable place is reached"),
    ("overflow", "A signed integer overflows"),
    ("mutex", "A mutex is used against its rules"),
    ("target", "A bad configuration is reached"),
];

/// The document of a result, on several lines.
pub fn render(result: &RunResult<'_>) -> String {
    let results: Vec<Value> = match result.finding {
        Finding::Decided { case, .. } if case.verdict() == Verdict::Unsafe => {
            let story = story(result.file, case).unwrap_or_default();
            vec![violation(result, &story)]
        }
        Finding::Decided { .. } => Vec::new(),
        Finding::Unknown { .. } => vec![json!({
            "ruleId": "target",
            "kind": "open",
            "level": "none",
            "message": { "text": format!("There is no answer: {}.", result.finding.verdict()) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(result.file) } } }],
        })],
    };
    let rules: Vec<Value> =
        RULES.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "throng", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "invocations": [{ "executionSuccessful": true }],
            "properties": { "verdict": result.finding.verdict(), "invariant": invariant(result) },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// What a proof about a C program says at lines: what editors show there.
fn invariant(result: &RunResult<'_>) -> Vec<Value> {
    let Finding::Decided { case: Case::C { program, document }, .. } = result.finding else {
        return Vec::new();
    };
    let facts = crate::c::facts_by_line(program, document);
    facts.iter().map(|((file, line), facts)| json!({ "file": file, "line": line, "facts": facts })).collect()
}

fn violation(result: &RunResult<'_>, story: &Story) -> Value {
    let fallback = Place { file: result.file.to_owned(), line: 1, ..Place::default() };
    let place = story.place().unwrap_or(&fallback);
    let flows: Vec<Value> =
        (0..story.threads.len()).filter_map(|thread| flow(story, thread, &fallback)).collect();
    let mut value = json!({
        "ruleId": if story.kind.is_empty() { "target" } else { &story.kind },
        "level": "error",
        "message": { "text": story.why.trim() },
        "locations": [location(place, None)],
    });
    if !flows.is_empty() {
        value["codeFlows"] = json!([{ "message": { "text": "How it comes to this" }, "threadFlows": flows }]);
    }
    value
}

/// What one thread does; `None` if it does nothing.
fn flow(story: &Story, thread: usize, fallback: &Place) -> Option<Value> {
    let steps = story.steps.iter().enumerate().filter(|(_, step)| step.actor == Some(thread));
    let locations: Vec<Value> = steps
        .map(|(index, step)| {
            let mut value = json!({
                "location": location(step.place.as_ref().unwrap_or(fallback), Some(&told(step))),
                "executionOrder": index + 1,
            });
            if step.fails {
                value["importance"] = json!("essential");
            }
            let values = step.shared.iter().chain(&step.own);
            let state: serde_json::Map<String, Value> =
                values.map(|(name, value)| (name.clone(), json!({ "text": value }))).collect();
            if !state.is_empty() {
                value["state"] = Value::Object(state);
            }
            value
        })
        .collect();
    (!locations.is_empty())
        .then(|| json!({ "id": format!("thread {}", story.threads[thread].trim_start_matches("thread ")), "locations": locations }))
}

fn told(step: &Step) -> String {
    let values = step.own.iter().chain(&step.shared).map(|(name, value)| format!("{name} = {value}"));
    let values = values.collect::<Vec<_>>().join(", ");
    let parts = [step.title.clone(), values, step.what.clone()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut region = json!({ "startLine": place.line.max(1) });
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    let mut value = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region },
    });
    if !place.function.is_empty() {
        value["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
    }
    if let Some(message) = message {
        value["message"] = json!({ "text": message });
    }
    value
}

/// A file as part of an address: relative names stay so.
fn uri(file: &str) -> String {
    let mut out = String::new();
    for byte in file.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    if out.starts_with('/') { format!("file://{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn files_are_parts_of_addresses() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/x.c"), "file:///tmp/x.c");
    }
}
