//! Witnesses: what others can check of a verdict about a C program. They are written as JSON, which is YAML, too.
//!
//! *Violation* (2.2): the threads that are started, the arbitrary values that are chosen, conditions that stand alone in an `if` or
//! `while` of one line with which way they go, and the place of the error; each with its thread, in the order of the
//! interleaving. *Correctness* (2.0): what the invariant says of one thread at a line, as far as it is C. Both say less than
//! evidence does: that is complete, and `throng-check` checks it.
//!
//! What is written is read back, and compared with the file and the interleaving, before anybody gets it.

use super::sha256;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use throng_cert::Verdict;
use throng_report::c::facts_by_line;
use throng_report::story::{Place, Step, Story, story};
use throng_report::{Case, Finding, RunResult};

/// The witness of a result about the program in a file; says why there is none.
pub(crate) fn write(
    result: &RunResult<'_>,
    file: &Path,
    is_ilp32: bool,
    specification: &str,
) -> Result<String, String> {
    let Finding::Decided { case: case @ Case::C { program, document }, .. } = result.finding else {
        return Err("there are witnesses of verdicts about C programs only".to_owned());
    };
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let name = file.display().to_string();
    let (kind, version, content, told) = match case.verdict() {
        Verdict::Unsafe => {
            let story = story(result.file, case).ok_or("the interleaving cannot be followed")?;
            ("violation_sequence", "2.2", violation(&story, &name, &text), Some(story))
        }
        Verdict::Safe => {
            ("invariant_set", "2.0", correctness(&facts_by_line(program, document), &name), None)
        }
    };
    let witness = json!([{
        "entry_type": kind,
        "metadata": metadata(&name, &bytes, version, is_ilp32, specification),
        "content": content,
    }]);
    let written = format!("{witness:#}\n");
    validate(&written, &name, &bytes, told.as_ref())?;
    Ok(written)
}

fn metadata(name: &str, bytes: &[u8], version: &str, is_ilp32: bool, specification: &str) -> Value {
    let hash = sha256::hex(bytes);
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let random = sha256::hex(format!("{hash}{seconds}{}", std::process::id()).as_bytes());
    let uuid = format!(
        "{}-{}-4{}-a{}-{}",
        &random[..8],
        &random[8..12],
        &random[13..16],
        &random[17..20],
        &random[20..32]
    );
    json!({
        "format_version": version,
        "uuid": uuid,
        "creation_time": date(seconds),
        "producer": { "name": "throng", "version": env!("CARGO_PKG_VERSION") },
        "task": {
            "input_files": [name],
            "input_file_hashes": { name: hash },
            "specification": specification,
            "data_model": if is_ilp32 { "ILP32" } else { "LP64" },
            "language": "C",
        },
    })
}

/// Seconds since 1970 as `2026-11-18T12:00:00Z`, by Hinnant's algorithm.
fn date(seconds: u64) -> String {
    let days = seconds / 86_400;
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let time = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

/// The segments of a violation.
fn violation(story: &Story, file: &str, text: &str) -> Value {
    let lines: Vec<&str> = text.lines().collect();
    let mut segments = Vec::new();
    for step in &story.steps {
        let Some(place) = step.place.as_ref().filter(|place| place.file == file) else { continue };
        let thread = step.actor.unwrap_or(0);
        let waypoint = |kind: &str, place: &Place, constraint: Option<Value>| {
            let location = json!({ "file_name": file, "line": place.line, "function": place.function });
            let mut waypoint =
                json!({ "type": kind, "action": "follow", "location": location, "thread_id": thread });
            if let Some(constraint) = constraint {
                waypoint["constraint"] = constraint;
            }
            json!({ "segment": [{ "waypoint": waypoint }] })
        };
        let line = lines.get((place.line as usize).wrapping_sub(1)).copied().unwrap_or_default();
        for (reached, starts) in &step.reaches {
            // The number of a thread is that of its creation in the order of waypoints.
            if *starts && *reached > 0 {
                segments.push(waypoint("function_enter", place, None));
            }
        }
        let decides = step.what.split("; ").find_map(|part| part.parse::<bool>().ok());
        if let Some(way) = decides.filter(|_| is_whole_condition(line, &step.title)) {
            segments.push(waypoint("branching", place, Some(json!({ "value": way.to_string() }))));
        }
        if step.fails {
            segments.push(waypoint("target", story.place().unwrap_or(place), None));
        }
    }
    Value::Array(segments)
}

/// Whether a condition is all that an `if` or `while` of this line asks.
fn is_whole_condition(line: &str, condition: &str) -> bool {
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (line, condition) = (squeeze(line), squeeze(condition));
    ["if", "while"].iter().any(|keyword| {
        let asked = format!("{keyword}({condition})");
        line.matches(&asked).count() == 1 && line.matches(&format!("{keyword}(")).count() == 1
    })
}

/// The invariants of a proof.
fn correctness(facts: &std::collections::BTreeMap<(String, u32), Vec<String>>, file: &str) -> Value {
    let mut list = Vec::new();
    for ((name, line), claims) in facts.iter().filter(|((name, _), _)| name == file) {
        for claim in claims.iter().filter(|claim| is_c(claim)) {
            list.push(json!({ "invariant": {
                "type": "location_invariant",
                "location": { "file_name": name, "line": line },
                "value": claim,
                "format": "c_expression",
            }}));
        }
    }
    Value::Array(list)
}

/// Whether a claim is an expression of C over the program's own names.
fn is_c(claim: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() && !"#@:'`$".contains(c);
    claim.chars().all(is_plain)
        && [" or ", "read(", "this thread", "ended(", "result(", "anything", "for every", "for some"]
            .iter()
            .all(|words| !claim.contains(words))
}

/// Reads a witness back and says what is wrong with it: its parts, its file, and whether the interleaving passes its waypoints in
/// their order, by threads that have been started.
fn validate(text: &str, file: &str, bytes: &[u8], story: Option<&Story>) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("internal error: the witness is wrong: {what}"));
    let Ok(document) = serde_json::from_str::<Value>(text) else { return wrong("it cannot be read") };
    let entry = &document[0];
    if entry["metadata"]["task"]["input_file_hashes"][file] != sha256::hex(bytes).as_str() {
        return wrong("the hash of the file");
    }
    let Some(content) = entry["content"].as_array() else { return wrong("it has no content") };
    let Some(story) = story else {
        let is_invariant =
            |it: &Value| it["invariant"]["value"].is_string() && it["invariant"]["location"]["line"].is_u64();
        return if content.iter().all(is_invariant) { Ok(()) } else { wrong("an invariant is incomplete") };
    };
    let mut steps = story.steps.iter().peekable();
    let mut started = 0;
    for (index, segment) in content.iter().enumerate() {
        let waypoint = &segment["segment"][0]["waypoint"];
        let (line, thread) = (waypoint["location"]["line"].as_u64(), waypoint["thread_id"].as_u64());
        if thread.is_none_or(|thread| thread > started) {
            return wrong("a thread acts before it is started");
        }
        let is_target = waypoint["type"] == "target";
        let is_here = |step: &Step| {
            let step_line = step.place.as_ref().map(|place| u64::from(place.line));
            let is_place = if is_target { step.fails } else { step_line == line };
            is_place && step.actor.map(|it| it as u64) == thread
        };
        // Several waypoints may be about one step.
        while steps.peek().is_some_and(|step| !is_here(step)) {
            steps.next();
        }
        if steps.peek().is_none() {
            return wrong("the interleaving does not pass it");
        }
        started += u64::from(waypoint["type"] == "function_enter");
        if is_target != (index + 1 == content.len()) {
            return wrong("the target is its last waypoint");
        }
    }
    if content.is_empty() { wrong("it has no target") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_795_003_385), "2026-11-18T12:03:05Z");
    }

    #[test]
    fn a_condition_is_whole_or_not() {
        assert!(is_whole_condition("    if (x == 0) {", "x == 0"));
        assert!(!is_whole_condition("    if (x == 0 && y) {", "x == 0"));
        assert!(!is_whole_condition("    if (x == 0) { if (y) ", "y"));
        assert!(is_c("s < t || inside == 0") && !is_c("r == #r") && !is_c("read(s) == 0"));
    }
}
