//! What a look found, as editors want it.

use super::rpc::uri_of;
use super::run::Seen;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Steps of an interleaving that are listed at an error.
const MOST_STEPS: usize = 200;

/// A line for the log.
pub(super) fn sentence(seen: &Seen) -> String {
    let verdict = seen.sarif["runs"][0]["properties"]["verdict"].as_str();
    let verdict = verdict.map_or_else(|| "not checked, see its messages".to_owned(), str::to_owned);
    format!("{}: {verdict}", seen.file.display())
}

/// What a proof says at lines.
pub(super) fn facts(seen: &Seen) -> BTreeMap<u32, Vec<String>> {
    let facts = seen.sarif["runs"][0]["properties"]["invariant"].as_array();
    let name = seen.file.display().to_string();
    let mut lines: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for fact in facts.into_iter().flatten().filter(|fact| fact["file"].as_str() == Some(&name)) {
        let line = fact["line"].as_u64().unwrap_or(0) as u32;
        let claims = fact["facts"].as_array().into_iter().flatten().filter_map(Value::as_str);
        lines.entry(line).or_default().extend(claims.map(str::to_owned));
    }
    lines
}

/// The text shown at a line.
pub(super) fn hover(facts: &[String]) -> Value {
    let list: String = facts.iter().map(|fact| format!("- `{fact}`\n")).collect();
    json!({ "contents": { "kind": "markdown", "value": format!("Proved whenever a thread is here:\n\n{list}") } })
}

/// The errors of a file.
pub(super) fn diagnostics(seen: &Seen) -> Vec<Value> {
    match seen.code {
        Some(2) => refusals(seen),
        _ => {
            let results = seen.sarif["runs"][0]["results"].as_array();
            results
                .into_iter()
                .flatten()
                .filter(|it| it["level"] == "error")
                .map(|it| violation(seen, it))
                .collect()
        }
    }
}

/// An error that can be reached, with how.
fn violation(seen: &Seen, result: &Value) -> Value {
    let flows = result["codeFlows"][0]["threadFlows"].as_array();
    let mut steps: Vec<(u64, &str, &Value)> = Vec::new();
    for flow in flows.into_iter().flatten() {
        let thread = flow["id"].as_str().unwrap_or_default();
        let locations = flow["locations"].as_array().into_iter().flatten();
        steps.extend(
            locations.map(|it| (it["executionOrder"].as_u64().unwrap_or(0), thread, &it["location"])),
        );
    }
    steps.sort_by_key(|&(order, ..)| order);
    let skipped = steps.len().saturating_sub(MOST_STEPS);
    let related: Vec<Value> = steps
        .iter()
        .skip(skipped)
        .map(|(order, thread, location)| {
            let what = location["message"]["text"].as_str().unwrap_or_default();
            json!({ "location": place(seen, location), "message": format!("{order}. {thread}: {what}") })
        })
        .collect();
    json!({
        "range": place(seen, &result["locations"][0])["range"],
        "severity": 1,
        "source": "throng",
        "code": result["ruleId"],
        "message": result["message"]["text"],
        "relatedInformation": related,
    })
}

/// A place of SARIF as one of the protocol.
fn place(seen: &Seen, location: &Value) -> Value {
    let physical = &location["physicalLocation"];
    let name = physical["artifactLocation"]["uri"].as_str().unwrap_or_default();
    let own = uri_of(&seen.file.display().to_string());
    let uri = match name {
        _ if name.starts_with("file://") => name.to_owned(),
        "" => own,
        _ => {
            let folder = own.rsplit_once('/').map_or("file://", |(folder, _)| folder);
            format!("{folder}/{name}")
        }
    };
    let region = &physical["region"];
    let line = region["startLine"].as_u64().unwrap_or(1).saturating_sub(1);
    let column = region["startColumn"].as_u64().unwrap_or(1).saturating_sub(1);
    json!({ "uri": uri, "range": range(line, column) })
}

/// From a column to the end of its line; editors cut what is too long.
fn range(line: u64, column: u64) -> Value {
    json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": 1000 } })
}

/// Why the input was refused: messages with a code, and the place below each.
fn refusals(seen: &Seen) -> Vec<Value> {
    let mut found: Vec<(String, String, u64, u64)> = Vec::new();
    for line in seen.messages.lines() {
        if let Some((code, message)) = line.strip_prefix("error[").and_then(|rest| rest.split_once("]: ")) {
            found.push((code.to_owned(), message.to_owned(), 0, 0));
        } else if let (Some((_, at)), Some(last)) = (line.split_once("--> "), found.last_mut()) {
            let mut numbers =
                at.rsplitn(3, ':').map(|part| part.trim().parse::<u64>().unwrap_or(1).saturating_sub(1));
            let column = numbers.next().unwrap_or(0);
            (last.2, last.3) = (numbers.next().unwrap_or(0), column);
        }
    }
    let each = found.into_iter().map(|(code, message, line, column)| {
        json!({ "range": range(line, column), "severity": 1, "source": "throng", "code": code, "message": message })
    });
    each.collect()
}
