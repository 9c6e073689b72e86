//! One run: `throng check` (or another command) in a process of its own, what it answered and what it cost.
//!
//! The process is given the limits and is expected to keep them; one that does not is killed after some grace. Its CPU
//! time and its largest resident size are what the operating system accounted for it when it ended. To Linux, a new process is
//! at first as large as the one that starts it; so ours stays small: of a result, which may hold a long trace, only
//! what is wanted is kept while it comes in.

use super::contestant::Contestant;
use super::questions::Question;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use throng_base::Budget;
use throng_report::benchmark::{Run, Verdict};
use wait4::{ResUse, Wait4};

/// What a process may take beyond its time limit to say that it was reached: more than `throng check` allows itself.
const GRACE: Duration = Duration::from_secs(15);
/// How often we look whether the user wants to stop.
const TICK: Duration = Duration::from_millis(50);

/// Starts runs.
#[derive(Clone, Debug)]
pub(super) struct Launcher {
    program: PathBuf,
    folder: PathBuf,
    timeout: Duration,
    memory: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ended {
    pub(super) run: Run,
    /// Wall-clock seconds.
    pub(super) wall: f64,
}

/// What a process left behind: besides other things, what is wanted of the document that it wrote.
pub(super) struct Remains<D> {
    pub(super) status: ExitStatus,
    pub(super) cpu: f64,
    pub(super) memory: u64,
    pub(super) killed: bool,
    pub(super) document: Option<D>,
    stderr: Vec<u8>,
}

impl<D> Remains<D> {
    /// What happened instead of a result.
    pub(super) fn failure(&self) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        let said: String = line.trim().chars().take(200).collect();
        match self.status.code() {
            _ if self.killed => "killed: it did not stop at its time limit".to_owned(),
            Some(code) => format!("exit code {code}: {said}"),
            None => format!("{}: {said}", self.status),
        }
    }
}

/// What is wanted of a result document; the rest is skipped.
#[derive(Debug, Deserialize)]
struct Document {
    verdict: String,
    reason: Option<String>,
    #[serde(default)]
    input: Map<String, Value>,
    #[serde(default)]
    statistics: Map<String, Value>,
    evidence: Option<Value>,
    prover: Option<Prover>,
    #[serde(default)]
    cost: Map<String, Value>,
}

/// What the prover of C programs did.
#[derive(Debug, Deserialize)]
struct Prover {
    iterations: Vec<Value>,
    predicates: Map<String, Value>,
    is_dual_reference: bool,
    is_monotone: bool,
}

impl Launcher {
    /// Runs of this very program on the models of a folder.
    pub(super) fn new(folder: &Path, timeout: Duration, memory: u64) -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, folder: folder.to_owned(), timeout, memory })
    }

    /// The time limit in seconds and the memory limit in bytes, as they are written down.
    pub(super) fn limits(&self) -> (String, String) {
        (self.timeout.as_secs_f64().to_string(), self.memory.to_string())
    }

    /// Runs an engine on a question. When `stop` ends, so does the run.
    pub(super) fn run(&self, question: &Question, contestant: &Contestant, stop: &Budget) -> Ended {
        let started = Instant::now();
        let mut arguments = contestant.arguments.clone();
        if let (Some(atomicity), None) = (&question.atomicity, contestant.atomicity()) {
            arguments.push(format!("--atomicity={atomicity}"));
        }
        arguments.extend(question.arguments());
        let remains = self.execute("check", &arguments, stop);
        let wall = started.elapsed().as_secs_f64();
        let run = match remains {
            Ok(remains) => {
                let mut run = judged(&remains);
                let lines =
                    question.is_c().then(|| lines_of_code(&self.folder.join(&question.file))).flatten();
                run.counters.extend(lines.map(|lines| ("lines_of_code".to_owned(), lines)));
                run
            }
            Err(error) => Run {
                verdict: Verdict::Failed(format!("cannot be run: {error}")),
                cpu: 0.0,
                memory: 0,
                counters: BTreeMap::new(),
            },
        };
        Ended { run, wall }
    }

    /// Has a command of this program write a document. When `stop` ends, so does the process.
    pub(super) fn execute<D: DeserializeOwned + Send>(
        &self,
        command: &str,
        arguments: &[String],
        stop: &Budget,
    ) -> io::Result<Remains<D>> {
        let milliseconds = self.timeout.as_millis().max(1);
        let started = Instant::now();
        let child = Command::new(&self.program)
            .args([command, "--format=json", "--quiet", "--color=never"])
            .arg(format!("--timeout={milliseconds}ms"))
            .arg(format!("--memory={}", self.memory))
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        self.attend(child, started, stop)
    }

    /// Waits for a process, or kills it.
    fn attend<D: DeserializeOwned + Send>(
        &self,
        mut child: Child,
        started: Instant,
        stop: &Budget,
    ) -> io::Result<Remains<D>> {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (finished, finish) = mpsc::channel();
        std::thread::scope(|scope| {
            let errors = scope.spawn(|| drained(stderr));
            let output = scope.spawn(move || {
                let output = stdout.and_then(document);
                // Its stdout is closed, so the process has ended or is about to.
                drop(finished);
                output
            });
            let mut killed = false;
            while finish.recv_timeout(TICK) == Err::<(), _>(RecvTimeoutError::Timeout) {
                if !killed && (stop.check().is_err() || started.elapsed() > self.timeout + GRACE) {
                    killed = true;
                    // Error means that it has ended by itself.
                    let _ = child.kill();
                }
            }
            let ResUse { status, rusage } = child.wait4()?;
            let cpu = (rusage.utime + rusage.stime).as_secs_f64();
            let (document, stderr) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
            Ok(Remains { status, cpu, memory: rusage.maxrss, killed, document, stderr })
        })
    }
}

/// All that comes out of a pipe. What cannot be read is missing, which the result will show.
fn drained(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
}

/// The document that comes out of a pipe, which is read to its end whatever it holds: who writes must not get stuck.
fn document<D: DeserializeOwned>(pipe: impl Read) -> Option<D> {
    let mut pipe = BufReader::new(pipe);
    let document = serde_json::from_reader(&mut pipe).ok();
    let _ = io::copy(&mut pipe, &mut io::sink());
    document
}

/// What a process answered.
fn judged(remains: &Remains<Document>) -> Run {
    let document = remains.document.as_ref();
    let reason = || document.and_then(|document| document.reason.as_deref()).unwrap_or("no reason");
    let verdict = match (remains.status.code(), document.map(|document| &*document.verdict)) {
        _ if remains.killed => Verdict::Failed(remains.failure()),
        (Some(0), Some("safe")) => Verdict::Safe,
        (Some(10), Some("unsafe")) => Verdict::Unsafe,
        (Some(5), Some("unknown")) => Verdict::Unknown(reason().to_owned()),
        (Some(2), _) => Verdict::Refused,
        _ => Verdict::Failed(remains.failure()),
    };
    let counters = document.map(counters).unwrap_or_default();
    Run { verdict, cpu: remains.cpu, memory: remains.memory, counters }
}

/// All numbers of a result document by name: those of the input, of the search, and of the evidence.
fn counters(document: &Document) -> BTreeMap<String, u64> {
    let fields = document.input.iter().chain(&document.statistics);
    let mut counters: BTreeMap<String, u64> =
        fields.filter_map(|(name, value)| Some((name.clone(), value.as_u64()?))).collect();
    if let Some(prover) = &document.prover {
        let predicates = prover.predicates.iter();
        counters.extend(predicates.filter_map(|(kind, n)| Some((format!("predicates_{kind}"), n.as_u64()?))));
        counters.insert("turns".to_owned(), prover.iterations.len() as u64);
        counters.insert("is_dual_reference".to_owned(), prover.is_dual_reference.into());
        counters.insert("is_monotone".to_owned(), prover.is_monotone.into());
        let times = document.cost.iter().filter(|(name, _)| name.ends_with("_ms"));
        counters.extend(times.filter_map(|(name, time)| Some((name.clone(), time.as_u64()?))));
    }
    let Some(evidence) = &document.evidence else { return counters };
    let number = |name: &str| evidence.get(name).and_then(Value::as_u64);
    let kind = evidence.get("kind").and_then(Value::as_str);
    // Engines that do not count them themselves have them in their evidence.
    let named = match kind {
        Some("proof") => {
            [("proof_elements", number("elements")), ("threads_in_proof", number("largest_element"))]
        }
        Some("invariant") => [("proof_elements", number("elements")), ("", None)],
        Some("trace" | "interleaving") => {
            [("trace_steps", number("steps")), ("trace_threads", number("threads"))]
        }
        _ => [("cover_elements", number("elements")), ("", None)],
    };
    for (name, value) in named {
        if let Some(value) = value {
            counters.entry(name.to_owned()).or_insert(value);
        }
    }
    counters
}

/// Lines of a C program that are neither empty nor comments only.
fn lines_of_code(file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut is_comment = false;
    let mut lines = 0;
    for line in text.lines() {
        let mut rest = line;
        let mut has_code = false;
        loop {
            if is_comment {
                let Some((_, after)) = rest.split_once("*/") else { break };
                (is_comment, rest) = (false, after);
            }
            let (code, comment) =
                rest.split_once("/*").map_or((rest, None), |(code, rest)| (code, Some(rest)));
            has_code |= !code.split("//").next().unwrap_or_default().trim().is_empty();
            let Some(after) = comment.filter(|_| !code.contains("//")) else { break };
            (is_comment, rest) = (true, after);
        }
        lines += u64::from(has_code);
    }
    Some(lines)
}

/// A verdict in words.
pub(super) fn describe(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe => "safe".to_owned(),
        Verdict::Unsafe => "unsafe".to_owned(),
        Verdict::Unknown(reason) => format!("unknown({reason})"),
        Verdict::Refused => "refused".to_owned(),
        Verdict::Failed(what) => format!("FAILED: {what}"),
    }
}

#[cfg(all(test, unix))]
pub(super) mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn comments_and_empty_lines_are_no_code() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        let text = "/* a\n * b */ int x;\n\n// c\nint y; // d\n/* e */ /* f */\n  /* g\n*/\n";
        std::fs::write(&file, text).unwrap();
        assert_eq!(lines_of_code(&file), Some(2));
        assert_eq!(lines_of_code(&folder.path().join("missing.c")), None);
    }

    #[test]
    fn a_prover_is_counted() {
        let text = r#"{"verdict":"safe","prover":{"iterations":[{},{}],"is_dual_reference":true,"is_monotone":false,
            "predicates":{"shared":1,"inter_thread":2}},"cost":{"elapsed_ms":9,"check_ms":4},
            "evidence":{"kind":"invariant","elements":7,"predicates":3}}"#;
        let run = judged(&remains(0, text, ""));
        let counters: Vec<(&str, u64)> = run.counters.iter().map(|(name, &n)| (&**name, n)).collect();
        assert_eq!(
            counters,
            [
                ("check_ms", 4),
                ("elapsed_ms", 9),
                ("is_dual_reference", 1),
                ("is_monotone", 0),
                ("predicates_inter_thread", 2),
                ("predicates_shared", 1),
                ("proof_elements", 7),
                ("turns", 2),
            ]
        );
    }

    pub(in super::super) fn remains<D: DeserializeOwned>(
        code: i32,
        stdout: &str,
        stderr: &str,
    ) -> Remains<D> {
        let status = ExitStatus::from_raw(code << 8);
        let (document, stderr) = (document(stdout.as_bytes()), stderr.as_bytes().to_vec());
        Remains { status, cpu: 0.5, memory: 7, killed: false, document, stderr }
    }

    #[test]
    fn a_verdict_needs_the_word_and_the_exit_code() {
        let verdict = |code, stdout| judged(&remains(code, stdout, "\nerror: broken\n")).verdict;
        assert_eq!(verdict(0, r#"{"verdict":"safe"}"#), Verdict::Safe);
        assert_eq!(verdict(10, r#"{"verdict":"unsafe"}"#), Verdict::Unsafe);
        assert_eq!(
            verdict(5, r#"{"verdict":"unknown","reason":"timeout"}"#),
            Verdict::Unknown("timeout".to_owned())
        );
        assert_eq!(verdict(2, ""), Verdict::Refused);
        let failed = |code| Verdict::Failed(format!("exit code {code}: error: broken"));
        assert_eq!(verdict(6, ""), failed(6));
        assert_eq!(verdict(0, r#"{"verdict":"unsafe"}"#), failed(0));
        assert_eq!(verdict(0, "{"), failed(0));
    }

    #[test]
    fn a_process_that_had_to_be_killed_has_no_verdict() {
        let late = Remains { killed: true, ..remains(0, r#"{"verdict":"safe"}"#, "") };
        assert!(matches!(judged(&late).verdict, Verdict::Failed(_)));
    }

    #[test]
    fn output_is_read_to_its_end_whatever_it_holds() {
        for text in [r#"{"verdict":"safe","trace":[1,2,3]} "#, "{ broken", "[]\n more"] {
            let text = text.to_owned() + &" ".repeat(1 << 20);
            let mut rest = text.as_bytes();
            assert_eq!(document::<Document>(&mut rest).is_some(), text.starts_with("{\"verdict"));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn numbers_of_input_search_and_evidence_are_kept() {
        let document = r#"{"verdict":"safe","input":{"file":"x","rules":3},"statistics":{"expanded":9,"proof_elements":4},
            "evidence":{"kind":"proof","elements":5,"largest_element":2}}"#;
        let counters = judged(&remains(0, document, "")).counters;
        let counters: Vec<(&str, u64)> = counters.iter().map(|(name, &count)| (&**name, count)).collect();
        assert_eq!(counters, [("expanded", 9), ("proof_elements", 4), ("rules", 3), ("threads_in_proof", 2)]);
    }
}
