//! Results about Boolean programs against the files in `tests/golden`, and against their schemas. Documents are written by
//! hand: what is shown does not depend on how it was found.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{golden, validator};
use serde_json::{Value, json};
use throng_base::{Source, StopReason};
use throng_boolprog::flow::Program;
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern};
use throng_cert::EvidenceDocument;
use throng_engine::thread_states::Layer;
use throng_engine::{Statistics, UnknownReason};
use throng_report::program::{CutoffView, KnownCutoffs, ProgramCase, ReachView};
use throng_report::survey::{Completeness, Survey};
use throng_report::text::TextOptions;
use throng_report::{Case, Finding, Phase, RunResult, json as result_json, program, text};

/// Looking at the lock and taking it are two steps.
const RACE: &str = "\
decl lock, busy;

void main() begin
  decl free;
  skip;
  free := !lock;
  goto L;
L: if (free) then
    lock := 1;
    assert(!busy);
    busy := 1;
  fi;
end
";

/// A thread that starts others, changes them all, and ends.
const POOL: &str = "\
decl go;
void main() begin
  decl ready, id;
  ready, id := 0, *;
  start_thread goto WORKER;
  ready$ := 1;
  end_thread;
WORKER: assume(ready);
  ERROR: skip;
end
";

struct Example {
    source: Source,
    program: Program,
    question: ProgramQuestion,
}

impl Example {
    fn new(text: &str, question: impl Fn(&Program) -> ProgramQuestion) -> Self {
        let source = Source::from_text("models/example.bp", text);
        let program = throng_boolprog::read(&source).unwrap().program;
        let question = question(&program);
        Self { source, program, question }
    }

    fn race() -> Self {
        Self::new(RACE, |program| ProgramQuestion::assertions(program, InitThreads::Any))
    }

    fn pool() -> Self {
        Self::new(POOL, |program| {
            let locations = program.locations_with_label("ERROR").unwrap();
            ProgramQuestion::locations(InitThreads::Exactly(1), &locations)
        })
    }

    fn case(&self) -> ProgramCase<'_> {
        ProgramCase { source: &self.source, program: &self.program, question: &self.question }
    }

    fn result<'a>(&'a self, document: &'a EvidenceDocument, statistics: &'a Statistics) -> RunResult<'a> {
        RunResult {
            file: "models/example.bp",
            arguments: "models/example.bp",
            format: Some("bp"),
            threads: None,
            engine: "backward",
            contest: &[],
            finding: Finding::Decided {
                case: Case::Program { program: self.case(), document },
                checked: true,
            },
            statistics,
            proving: None,
            assertions: &[],
            proved: &[],
            warnings: &[],
            evidence_file: None,
            cost: None,
        }
    }

    fn text(&self, document: &EvidenceDocument, options: TextOptions) -> String {
        text::render(&self.result(document, &Statistics::default()), options)
    }

    fn json(&self, document: &EvidenceDocument) -> String {
        let text = result_json::render(&self.result(document, &Statistics::default()));
        validator("result-v1.schema.json").check(&text);
        text
    }
}

const PLAIN: TextOptions = TextOptions { width: 100, verbose: false };
const VERBOSE: TextOptions = TextOptions { width: 100, verbose: true };
const NARROW: TextOptions = TextOptions { width: 40, verbose: false };

fn document(kind: &str, body: Value) -> EvidenceDocument {
    let verdict = if kind == "trace" { "unsafe" } else { "safe" };
    let document =
        json!({ "format": "throng-evidence", "version": 1, "verdict": verdict, "kind": kind, kind: body });
    throng_cert::read(document.to_string().as_bytes()).unwrap()
}

/// A thread of `RACE` after `skip`, …
fn at(position: u32, free: bool) -> Value {
    json!({ "at": format!("main:{position}"), "where": { "free": free } })
}

/// … and a step of it that changes no variable, or those of `shared`.
fn step(from: u32, to: u32, free: bool, shared: &Value) -> Value {
    let to = json!({ "at": format!("main:{to}"), "where": {} });
    let mut act = json!({ "thread": at(from, free), "to": to });
    if !shared.is_null() {
        act["shared"] = json!({ "where": shared });
    }
    json!({ "rule": "x", "act": act })
}

/// Thread 2 fails because thread 1 is at work.
fn race_trace(n_bystanders: u64) -> EvidenceDocument {
    let look = |free: bool| {
        let mut step = step(1, 2, free, &Value::Null);
        step["act"]["to"]["where"] = if free { json!({}) } else { json!({ "free": true }) };
        step
    };
    let none = Value::Null;
    let fails =
        json!({ "rule": "x", "act": { "thread": at(5, true), "to": { "at": "error", "where": {} } } });
    let items = [
        step(0, 1, false, &none),
        look(false),
        step(0, 1, true, &none),
        look(true),
        step(2, 3, true, &none),
        step(3, 4, true, &none),
        step(4, 5, true, &json!({ "lock": true })),
        step(5, 6, true, &none),
        step(6, 7, true, &json!({ "busy": true })),
        step(2, 3, true, &none),
        step(3, 4, true, &none),
        step(4, 5, true, &none),
        fails,
    ];
    let mut threads = vec![json!([at(0, false), 1 + n_bystanders]), json!([at(0, true), 1])];
    if n_bystanders == 0 {
        threads.swap(0, 1);
    }
    let shared = json!({ "where": { "lock": false, "busy": false } });
    document("trace", json!({ "initial": { "shared": shared, "threads": threads }, "items": items }))
}

#[test]
fn an_interleaving_shows_lines_statements_and_what_changes() {
    let (race, trace) = (Example::race(), race_trace(0));
    golden("race-unsafe.txt", &race.text(&trace, PLAIN));
    golden("race-unsafe-narrow.txt", &race.text(&trace, NARROW));
    golden("race-unsafe-verbose.txt", &race.text(&trace, VERBOSE));
    golden("race-unsafe.json", &race.json(&trace));
}

#[test]
fn threads_that_never_act_are_summed_up() {
    let text = Example::race().text(&race_trace(40), PLAIN);
    assert!(text.contains("\n  40 more threads do nothing\n"), "{text}");
    assert!(text.starts_with("models/example.bp: ") && text.contains("unsafe: 42 threads reach"), "{text}");
}

fn worker(position: u32, ready: bool) -> Value {
    json!({ "at": format!("main:{position}"), "where": { "ready": ready, "id": true } })
}

fn moved(position: u32, values: Value) -> Value {
    json!({ "at": format!("main:{position}"), "where": values })
}

/// Three rounds in which a thread starts another and changes all; then one of them comes to the label.
fn pool_trace(rounds: u64) -> EvidenceDocument {
    let act = |act: Value| json!({ "rule": "x", "act": act });
    let first = json!({ "at": "main:0", "where": { "ready": true, "id": false } });
    let last = worker(4, true);
    let start =
        act(json!({ "thread": worker(1, false), "to": moved(2, json!({})), "starts": worker(4, false) }));
    let items = json!([
        act(json!({ "thread": first, "to": moved(1, json!({ "ready": false, "id": true })) })),
        { "repeat": rounds, "items": [start] },
        act(json!({
            "thread": worker(2, false), "to": moved(3, json!({})),
            "passive": [[worker(4, false), moved(4, json!({ "ready": true })), rounds]]
        })),
        act(json!({ "thread": worker(3, false) })),
        act(json!({ "thread": last, "to": moved(5, json!({})) })),
    ]);
    let initial = json!({ "shared": { "where": { "go": false } }, "threads": [[first, 1]] });
    document("trace", json!({ "initial": initial, "items": items }))
}

#[test]
fn started_changed_and_ended_threads_are_shown() {
    let (pool, trace) = (Example::pool(), pool_trace(1));
    golden("pool-program.txt", &pool.text(&trace, PLAIN));
    golden("pool-program-narrow.txt", &pool.text(&trace, NARROW));
    golden("pool-program.json", &pool.json(&trace));
}

/// A thread that starts others again and again.
const SPAWNER: &str = "\
void main() begin
A: start_thread goto B;
  goto A;
B: skip;
end
";

fn spawner(rounds: u64, times: u64) -> (Example, EvidenceDocument) {
    let example = Example::new(SPAWNER, |program| {
        let location = program.locations_with_label("B").unwrap()[0];
        let threads = vec![ThreadPattern { location, locals: Cube::any() }; 3];
        let targets = vec![Pattern { shared: Cube::any(), threads }];
        ProgramQuestion { threads: InitThreads::Exactly(1), targets }
    });
    let place = |position: u32| json!({ "at": format!("main:{position}"), "where": {} });
    let start = json!({ "rule": "x", "act": { "thread": place(0), "to": place(1), "starts": place(2) } });
    let again = json!({ "rule": "x", "act": { "thread": place(1), "to": place(0) } });
    let round = json!({ "repeat": rounds, "items": [start, again] });
    let items = if times == 1 { json!([round]) } else { json!([{ "repeat": times, "items": [round] }]) };
    let initial = json!({ "shared": { "where": {} }, "threads": [[place(0), 1]] });
    (example, document("trace", json!({ "initial": initial, "items": items })))
}

#[test]
fn repetitions_are_shown_once() {
    let (example, trace) = spawner(3, 1);
    golden("spawner-unsafe.txt", &example.text(&trace, PLAIN));
    example.json(&trace);
    // More threads than anybody can follow.
    let (example, trace) = spawner(100_000, 1_000_000_000);
    let text = example.text(&trace, PLAIN);
    assert!(text.contains("\n  200000000000000        steps 1–200000 × 1000000000\n"), "{text}");
}

#[test]
fn a_trace_that_is_no_execution_is_not_shown_as_one() {
    let (race, none) = (Example::race(), Value::Null);
    let initial = json!({ "shared": { "where": { "lock": false } }, "threads": [[at(0, false), 1]] });
    for item in [
        step(3, 4, false, &none),
        step(0, 77, false, &none),
        step(0, 1, false, &json!({ "lcok": true })),
        json!({ "rule": "x" }),
        json!({ "rule": "x", "act": { "thread": "main:0" } }),
    ] {
        let trace = document("trace", json!({ "initial": initial, "items": [item] }));
        let text = race.text(&trace, PLAIN);
        assert!(text.contains("not an execution of the program"), "{item}: {text}");
    }
}

fn race_proof(n_elements: usize) -> EvidenceDocument {
    let element = |position: u32, shared: Value| {
        let threads = json!([
            [{ "at": format!("main:{position}"), "where": {} }, 1],
            [{ "at": "main:6", "where": { "free": true } }, 2]
        ]);
        json!({ "shared": { "where": shared }, "threads": threads })
    };
    let mut elements = vec![
        json!({ "shared": { "where": {} }, "threads": [[{ "at": "error", "where": {} }, 1]] }),
        json!({ "shared": { "where": { "lock": true } }, "threads": [] }),
    ];
    elements.extend((2..n_elements).map(|_| element(5, json!({ "busy": false, "(atomic)": false }))));
    document("proof", json!({ "elements": elements, "through": ["main:0", "main:2"] }))
}

#[test]
fn a_proof_lists_what_is_never_seen() {
    let race = Example::race();
    golden("race-safe.txt", &race.text(&race_proof(3), PLAIN));
    golden("race-safe.json", &race.json(&race_proof(3)));
    let many = race_proof(300);
    let (short, long) = (race.text(&many, PLAIN), race.text(&many, VERBOSE));
    assert!(short.lines().count() < 40 && short.contains("more; -v shows all"), "{short}");
    assert!(long.lines().count() > 300, "{long}");
    let listed: Value = serde_json::from_str(&race.json(&many)).unwrap();
    assert_eq!(listed["evidence"]["elements"], 300);
    assert_eq!(listed["proof"]["elements"].as_array().unwrap().len(), 100);
}

#[test]
fn a_cover_set_tells_how_many_threads_can_be_where() {
    let place = |position: u32, values: Value| json!({ "at": format!("main:{position}"), "where": values });
    let elements = json!([{
        "shared": { "where": { "lock": false } },
        "threads": [
            [place(3, json!({ "free": true })), "omega"], [place(3, json!({ "free": false })), 2],
            [place(1, json!({})), 1]
        ]
    }]);
    let race = Example::race();
    let cover = document("cover-set", json!({ "elements": elements }));
    golden("race-cover.txt", &race.text(&cover, PLAIN));
    race.json(&cover);
}

#[test]
fn an_unknown_says_what_was_asked() {
    let (race, statistics) = (Example::race(), Statistics::default());
    let (proof, reason) = (race_proof(1), UnknownReason::Stopped(StopReason::Timeout));
    let mut result = race.result(&proof, &statistics);
    result.finding =
        Finding::Unknown { subject: Some(race.case().into()), reason: &reason, phase: Phase::Searching };
    let text = text::render(&result, PLAIN);
    assert!(text.contains("  bad:   an assertion fails (line 10)\n"), "{text}");
    assert!(text.ends_with("\nverdict: unknown(timeout)\n"), "{text}");
    validator("result-v1.schema.json").check(&result_json::render(&result));
}

/// For how many threads a verdict holds is told without claiming more.
#[test]
fn the_scope_of_a_verdict_is_told() {
    for (text, threads, claim) in [
        (RACE, InitThreads::Any, "safe: no assertion can fail, however many threads run.\n"),
        (RACE, InitThreads::Exactly(3), "can fail if 3 threads start; other numbers were not looked at.\n"),
        (POOL, InitThreads::Exactly(1), "can fail, however many threads the program starts.\n"),
    ] {
        let example = Example::new(text, |program| ProgramQuestion::assertions(program, threads));
        let proof = document("proof", json!({ "elements": [] }));
        let shown = example.text(&proof, PLAIN);
        assert!(shown.contains(claim), "{shown}");
    }
}

#[test]
fn thread_states_are_listed_by_location() {
    let mut race = Example::race();
    race.question.targets.clear();
    let location = |position: u32| {
        let text = format!("main:{position}");
        let ids = throng_boolprog::flow::LocationId::all(race.program.locations().len());
        ids.into_iter().find(|&id| race.program.location_text(id) == text).unwrap()
    };
    let cube = |values: &[(u32, bool)]| values.iter().copied().collect::<Cube>();
    let places = [
        (location(0), vec![(Cube::any(), Cube::any())]),
        (
            location(5),
            vec![(cube(&[(0, true)]), cube(&[(0, true)])), (cube(&[(0, false), (1, true)]), Cube::any())],
        ),
    ];
    let reason = UnknownReason::Stopped(StopReason::Memory);
    let survey = |completeness| Survey {
        file: "models/example.bp",
        format: "bp",
        threads: None,
        subject: race.case(),
        completeness,
        warnings: &[],
        cost: None,
    };
    let complete = survey(Completeness::Complete { checked: true, unshown: 0 });
    let reach = ReachView { survey: complete, places: &places, count: 12, occupied: 4, all: 20 };
    golden("race-reach.txt", &program::render_reach(&reach, false));
    let json = program::render_reach_json(&reach);
    validator("reach-v1.schema.json").check(&json);
    golden("race-reach.json", &json);
    let (shared, thread) = (cube(&[(1, true)]), ThreadPattern { location: location(5), locals: Cube::any() });
    let trace = race_trace(0);
    let needy = Some((&shared, &thread, &trace));
    let cutoffs = Some(KnownCutoffs { reachability: 2, uniform: Some(3), needy });
    let layers = [Layer { threads: 1, reached: 9, at_first_depth: 9, configs: 10 }];
    let cutoff = CutoffView { reach, cutoffs, not_enough: 0, layers: &layers };
    golden("race-cutoff.txt", &program::render_cutoff(&cutoff, PLAIN));
    validator("cutoff-v1.schema.json").check(&program::render_cutoff_json(&cutoff));
    let unfinished = survey(Completeness::Unknown { reason: &reason, phase: Phase::Searching });
    let reach = ReachView { survey: unfinished, ..reach };
    let cutoffs = Some(KnownCutoffs { reachability: 2, uniform: None, needy });
    let cutoff = CutoffView { reach, cutoffs, not_enough: 0, layers: &[] };
    let text = program::render_cutoff(&cutoff, PLAIN);
    assert!(text.contains("In how few steps is not known: "), "{text}");
    assert!(text.ends_with("\ncutoff: 2 (uniform: unknown(memory))\n"), "{text}");
    validator("cutoff-v1.schema.json").check(&program::render_cutoff_json(&cutoff));
    let cutoff = CutoffView { reach, cutoffs: None, not_enough: 0, layers: &[] };
    let text = program::render_cutoff(&cutoff, PLAIN);
    assert!(text.ends_with("\ncutoff: unknown(memory)\n"), "{text}");
    validator("cutoff-v1.schema.json").check(&program::render_cutoff_json(&cutoff));
    validator("reach-v1.schema.json").check(&program::render_reach_json(&cutoff.reach));
}
