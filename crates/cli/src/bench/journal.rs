//! What was found out is kept in a CSV file, a line after each run, so that a benchmark can go on after an interruption.
//!
//! A line counts when its line end is there: what a kill has left of one is cut off. A run is known by its question, its
//! engine with all options, and its limits ([`Key`]); with other limits it is another run. Lines are never changed,
//! and a file that this module has not begun is not touched.

use super::contestant::Contestant;
use super::process::Launcher;
use super::questions::Question;
use super::records::{Record, Records};
use super::{Refusal, name_of};
use crate::exit::Exit;
use crate::files;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use throng_report::benchmark::{Run, Verdict};
use throng_report::statistics;

/// The columns that say which run it was, and how it ended.
const COLUMNS: [&str; 14] = [
    "file",
    "init",
    "target",
    "property",
    "expected",
    "engine",
    "options",
    "timeout_s",
    "memory_bytes",
    "verdict",
    "reason",
    "cpu_s",
    "wall_s",
    "rss_bytes",
];

/// What is counted besides what engines count: about the input, and about the evidence.
const INPUT: [&str; 3] = ["shared_states", "local_states", "rules"];
const EVIDENCE: [&str; 3] = ["cover_elements", "trace_steps", "trace_threads"];

/// About C programs and their prover.
const PROVER: [&str; 16] = [
    "lines_of_code",
    "shared_variables",
    "local_variables",
    "predicates_shared",
    "predicates_universal",
    "predicates_single_thread",
    "predicates_local",
    "predicates_inter_thread",
    "turns",
    "is_dual_reference",
    "is_monotone",
    "filter_ms",
    "abstract_ms",
    "check_ms",
    "refine_ms",
    "elapsed_ms",
];

/// The columns of what was counted; a cell is empty where an engine does not count it.
fn counters() -> impl Iterator<Item = &'static str> {
    INPUT.into_iter().chain(statistics::names()).chain(EVIDENCE).chain(PROVER)
}

/// Which run it is: question, engine with options, limits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The fields of file, init, target, property, engine, options, time limit and memory limit.
    fields: [String; 8],
}

/// A run that was done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) run: Run,
    /// Wall-clock seconds.
    pub(super) wall: f64,
}

/// Where runs are written down, if anywhere.
#[derive(Debug)]
pub(super) struct Journal {
    out: Option<(PathBuf, File)>,
}

impl Key {
    /// The key of a run.
    pub(super) fn new(question: &Question, contestant: &Contestant, launcher: &Launcher) -> Self {
        let optional = |field: &Option<String>| field.clone().unwrap_or_default();
        let (timeout, memory) = launcher.limits();
        let (label, options) = (contestant.label.clone(), contestant.arguments.join(" "));
        let [init, target, property] = [&question.init, &question.target, &question.property].map(optional);
        Self { fields: [question.file.clone(), init, target, property, label, options, timeout, memory] }
    }

    fn of(record: Record<'_>) -> Self {
        let columns =
            ["file", "init", "target", "property", "engine", "options", "timeout_s", "memory_bytes"];
        Self { fields: columns.map(|column| record.get(column).unwrap_or_default().to_owned()) }
    }
}

impl Journal {
    /// The journal in a file, and what stands in it; without a file, nothing is kept.
    pub(super) fn open(path: Option<&Path>) -> Result<(Self, Vec<Entry>), Refusal> {
        let Some(path) = path else { return Ok((Self { out: None }, Vec::new())) };
        let unwritable = |error: io::Error| (Exit::Usage, files::complain(path, &error));
        // What is read and written in turn has to be a file: a device may have no end.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err((Exit::Usage, format!("`{}` is no file that can be gone on with", name_of(path))));
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(unwritable)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unwritable)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // A beginning that is not ours must not be cut off or written after.
        let header = line(&header());
        let ours = if complete == 0 { header.starts_with(&bytes) } else { bytes.starts_with(&header) };
        if !ours {
            return Err((Exit::Usage, disown(path, &bytes)));
        }
        let entries = entries(&bytes[..complete])
            .map_err(|message| (Exit::Usage, format!("`{}`: {message}", name_of(path))))?;
        file.set_len(complete as u64).map_err(unwritable)?;
        file.seek(io::SeekFrom::End(0)).map_err(unwritable)?;
        if complete == 0 {
            file.write_all(&header).map_err(unwritable)?;
        }
        Ok((Self { out: Some((path.to_owned(), file)) }, entries))
    }

    /// Writes a run down.
    pub(super) fn append(&mut self, entry: &Entry, expected: Option<&str>) -> Result<(), Refusal> {
        let Some((path, file)) = &mut self.out else { return Ok(()) };
        // In one piece, so that a kill leaves at most one line incomplete.
        file.write_all(&line(&fields(entry, expected)))
            .map_err(|error| (Exit::Usage, files::complain(path, &error)))
    }
}

fn header() -> Vec<String> {
    COLUMNS.into_iter().chain(counters()).map(String::from).collect()
}

/// Why a file cannot be gone on with. Runs of two versions in one file would be compared as if they were of one.
fn disown(path: &Path, bytes: &[u8]) -> String {
    let name = name_of(path);
    let columns = COLUMNS.join(",");
    if bytes.starts_with(columns.as_bytes()) {
        return format!(
            "`{name}` was begun by another version of `throng bench`, which counted other things; name another"
        );
    }
    format!("`{name}` is not a file of `throng bench`; name another")
}

fn fields(entry: &Entry, expected: Option<&str>) -> Vec<String> {
    let [file, init, target, property, engine, options, timeout, memory] = entry.key.fields.clone();
    let (verdict, reason) = match &entry.run.verdict {
        Verdict::Safe => ("safe", ""),
        Verdict::Unsafe => ("unsafe", ""),
        Verdict::Unknown(reason) => ("unknown", &**reason),
        Verdict::Refused => ("refused", ""),
        Verdict::Failed(what) => ("failed", &**what),
    };
    let mut fields = vec![file, init, target, property, expected.unwrap_or_default().to_owned()];
    fields.extend([engine, options, timeout, memory, verdict.to_owned(), reason.to_owned()]);
    fields.push(format!("{:.4}", entry.run.cpu));
    fields.push(format!("{:.4}", entry.wall));
    fields.push(entry.run.memory.to_string());
    let counter = |name| entry.run.counters.get(name).map(u64::to_string).unwrap_or_default();
    fields.extend(counters().map(counter));
    fields
}

/// A line of the file. Line ends inside of fields would make half a line look whole.
fn line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fields = fields.iter().map(|field| field.replace(['\n', '\r'], " "));
    // Writing to memory does not fail, and one record has one length.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

fn entries(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    Records::parse(bytes, &COLUMNS)?.iter().map(entry).collect()
}

fn entry(record: Record<'_>) -> Result<Entry, String> {
    let reason = || record.get("reason").unwrap_or_default().to_owned();
    let verdict = match record.get("verdict").unwrap_or_default() {
        "safe" => Verdict::Safe,
        "unsafe" => Verdict::Unsafe,
        "unknown" => Verdict::Unknown(reason()),
        "refused" => Verdict::Refused,
        "failed" => Verdict::Failed(reason()),
        other => return Err(record.complain("verdict", other, "a verdict")),
    };
    let mut counted = BTreeMap::new();
    for name in counters() {
        counted.extend(record.number(name)?.map(|count| (name.to_owned(), count)));
    }
    let run = Run {
        verdict,
        cpu: record.number("cpu_s")?.unwrap_or(0.0),
        memory: record.number("rss_bytes")?.unwrap_or(0),
        counters: counted,
    };
    Ok(Entry { key: Key::of(record), run, wall: record.number("wall_s")?.unwrap_or(0.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(file: &str, verdict: Verdict) -> Entry {
        let fields = [file, "0|0,0", "", "", "a, b", "--engine backward", "60", "4294967296"];
        let counters = [("iterations".to_owned(), 12), ("paths_with_loops".to_owned(), u64::MAX)].into();
        let run = Run { verdict, cpu: 1.5, memory: 1 << 20, counters };
        Entry { key: Key { fields: fields.map(String::from) }, run, wall: 2.25 }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs.csv");
        let written = [
            entry("a.tts", Verdict::Safe),
            entry("b \"quoted\",.tts", Verdict::Unknown("timeout".to_owned())),
            entry("c.tts", Verdict::Failed("exit code 6".to_owned())),
        ];
        let (mut journal, before) = Journal::open(Some(&path)).unwrap();
        assert!(before.is_empty());
        written.iter().for_each(|entry| journal.append(entry, Some("safe")).unwrap());
        assert_eq!(Journal::open(Some(&path)).unwrap().1, written);
    }

    #[test]
    fn half_a_line_is_cut_off_wherever_it_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs.csv");
        let (mut journal, _) = Journal::open(Some(&path)).unwrap();
        for file in ["a.tts", "b.tts"] {
            journal.append(&entry(file, Verdict::Safe), None).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, entries) = Journal::open(Some(&path)).unwrap();
            let n_lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(entries.len(), n_lines.saturating_sub(1), "{length}");
            for file in ["a.tts", "b.tts"].into_iter().skip(entries.len()) {
                journal.append(&entry(file, Verdict::Safe), None).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn a_file_of_another_version_is_named_as_such_and_not_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs.csv");
        let old = format!("{},rules,expanded\n", COLUMNS.join(","));
        std::fs::write(&path, &old).unwrap();
        let (exit, message) = Journal::open(Some(&path)).unwrap_err();
        assert_eq!(exit, Exit::Usage);
        assert!(message.contains("another version of `throng bench`"), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
    }

    #[test]
    fn a_file_of_somebody_else_is_not_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("letter.csv");
        for text in ["Dear reader", "name,age\nx,3\n", "file,init"] {
            std::fs::write(&path, text).unwrap();
            let opened = Journal::open(Some(&path));
            if text == "file,init" {
                // The beginning of our own header: a kill may have left that.
                assert!(opened.is_ok());
                continue;
            }
            assert!(opened.unwrap_err().1.contains("is not a file of `throng bench`"));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
