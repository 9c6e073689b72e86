//! Proofs of C programs through `throng`: evidence, predicates given, saved and read again, abstract programs, and what is
//! told meanwhile.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use throng_base::Budget;
use throng_input::flags::CFlags;

/// A lock that is held while a flag is set; any number of threads.
const LOCK: &str = "\
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;
int inside;

void *worker(void *argument)
{
    pthread_mutex_lock(&lock);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
";

fn lock() -> Place {
    let place = Place::new();
    place.write("lock.c", LOCK);
    place
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(name);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn assert_valid(name: &str, document: &Value) {
    let validator = schema(name);
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
}

fn assert_safe(run: &Run) {
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
}

#[test]
fn a_safe_program_is_proved_with_evidence_that_is_accepted() {
    let place = lock();
    let run = place.run(&["check", "lock.c", "--evidence", "proof.json"]);
    assert_safe(&run);
    assert!(run.stdout.contains("safe: no error can be reached, however many threads there are."), "{run:?}");
    assert!(
        run.stdout.contains("The independent checker accepted this proof. It is in proof.json."),
        "{run:?}"
    );
    // Reading the file again, and the program.
    let text = std::fs::read(place.path("proof.json")).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    assert_valid("evidence-v1.schema.json", &document);
    let evidence = throng_cert::read(&text).unwrap();
    let read = |name: &str| {
        let files: [PathBuf; 1] = [place.path(name)];
        CFlags::default().read(&files, &[], None, false).unwrap().0
    };
    throng_check::c::check_c(&read("lock.c"), &evidence, &Budget::unlimited()).unwrap();
    // Without the lock, the same is no proof.
    place.write("open.c", &LOCK.replace("pthread_mutex_lock(&lock)", "(void)lock"));
    let open = place.run(&["check", "open.c"]);
    assert_eq!(open.code, Some(10), "{open:?}");
    assert!(throng_check::c::check_c(&read("open.c"), &evidence, &Budget::unlimited()).is_err());
    let explained = place.run(&["explain", "proof.json", "open.c"]);
    assert_eq!(explained.code, Some(2), "{explained:?}");
}

#[test]
fn a_proof_is_explained_again_in_the_same_words() {
    let place = lock();
    let run = place.run(&["check", "lock.c", "--evidence", "proof.json"]);
    assert_safe(&run);
    let explained = place.run(&["explain", "proof.json", "lock.c"]);
    assert_eq!(explained.code, Some(0), "{explained:?}");
    let facts = |text: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with("The proof is an invariant"));
        let lines = lines.skip_while(|line| !line.starts_with("  "));
        lines.take_while(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(!facts(&explained.stdout).is_empty(), "{explained:?}");
    assert_eq!(facts(&explained.stdout), facts(&run.stdout));
    // It is no interleaving.
    let replayed = place.run(&["replay", "proof.json", "lock.c"]);
    assert_eq!(replayed.code, Some(2), "{replayed:?}");
    assert!(replayed.stderr.contains("throng explain"), "{replayed:?}");
    // And not about a system, nor a picture.
    for arguments in [
        &["graph", "mutex.tts", "--what", "proof", "--evidence", "proof.json"][..],
        &["explain", "mutex.tts"],
    ] {
        let other = place.run(arguments);
        assert!(matches!(other.code, Some(1 | 2)), "{other:?}");
    }
}

#[test]
fn results_and_events_follow_their_schemas() {
    let place = lock();
    let run = place.run(&["check", "lock.c", "--format", "json", "-v"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_valid("result-v1.schema.json", &document);
    assert_eq!((&document["verdict"], &document["engine"]), (&"safe".into(), &"auto".into()));
    assert_eq!(document["evidence"]["kind"], "invariant");
    assert!(!document["proof"]["facts"].as_array().unwrap().is_empty(), "{document:#}");
    for field in ["filter_ms", "abstract_ms", "check_ms", "refine_ms", "elapsed_ms"] {
        assert!(document["cost"][field].is_u64(), "{field} in {document:#}");
    }
    let events: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(events.len(), document["prover"]["iterations"].as_array().unwrap().len(), "{run:?}");
    for event in events {
        assert_valid("event-v1.schema.json", &serde_json::from_str(event).unwrap());
    }
    // Runs that take longer show signs of life in the same way.
    let sign = throng_report::c::SignOfLife {
        phase: "searching",
        prover: Some("iteration 4, refining".to_owned()),
        elements: 3,
        ..Default::default()
    };
    let event = throng_report::c::progress_line(&sign, std::time::Duration::from_secs(10));
    assert_valid("event-v1.schema.json", &serde_json::from_str(&event).unwrap());
    // Quietly, nothing is told.
    let quiet = place.run(&["check", "lock.c", "--format", "json", "-q"]);
    assert_eq!((quiet.code, &*quiet.stderr), (Some(0), ""), "{quiet:?}");
}

#[test]
fn with_one_job_a_run_is_the_same_each_time() {
    let place = lock();
    let run = || place.run(&["check", "lock.c", "--jobs", "1", "-q", "--format", "json"]);
    let first = run();
    assert_eq!(first.code, Some(0), "{first:?}");
    assert_eq!(first.stdout, run().stdout);
}

#[test]
fn mistakes_in_predicates_have_a_code_and_a_place() {
    let place = lock();
    place.write("bad.txt", "inside == 0\ninside = = 1\nouside == 0\n");
    let run = place.run(&["check", "lock.c", "--predicates", "bad.txt"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("error[E0840]") && run.stderr.contains("bad.txt:2:"), "{run:?}");
    assert!(run.stderr.contains("error[E0841]") && run.stderr.contains("bad.txt:3:1"), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    let missing = place.run(&["check", "lock.c", "--resume", "missing.txt"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(missing.stderr.contains("missing.txt"), "{missing:?}");
}

#[test]
fn predicates_are_saved_and_gone_on_with() {
    let place = lock();
    place.write("mine.txt", "inside == 0\n");
    let run = place.run(&["check", "lock.c", "--predicates", "mine.txt", "--save-predicates", "saved.txt"]);
    assert_safe(&run);
    let saved = place.read("saved.txt");
    let again = place.run(&["check", "lock.c", "--resume", "saved.txt", "--save-predicates", "again.txt"]);
    assert_safe(&again);
    assert!(saved.lines().all(|line| place.read("again.txt").contains(line)), "{saved}");
}

#[test]
fn predicates_are_saved_at_the_time_limit() {
    let place = Place::new();
    // No proof: after 2^32 tickets two threads have the same one. But nobody finds that.
    place.write(
        "ticket.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         atomic_uint s, t; int inside;\n\
         void *worker(void *p) { unsigned m = atomic_fetch_add(&t, 1); while (atomic_load(&s) != m); \
         assert(inside == 0); inside = 1; inside = 0; atomic_fetch_add(&s, 1); return p; }\n\
         int main(void) { pthread_t i; while (1) pthread_create(&i, 0, worker, 0); }\n",
    );
    place.write("mine.txt", "inside == 0\n");
    let run = place.run(&[
        "check",
        "ticket.c",
        "--predicates",
        "mine.txt",
        "--save-predicates",
        "saved.txt",
        "--timeout",
        "2s",
        "-q",
    ]);
    assert_eq!(run.code, Some(5), "{run:?}");
    assert!(place.read("saved.txt").lines().any(|line| line == "inside == 0"), "{run:?}");
    assert!(run.stdout.contains("inside == 0"), "{run:?}");
}

#[test]
fn an_abstract_program_is_a_boolean_program() {
    let place = lock();
    let run = place.run(&["check", "lock.c", "--engine", "cegar", "--save-bp", "abstract.bp"]);
    assert_safe(&run);
    // The last abstract program is the one that the proof is from.
    let again = place.run(&["check", "abstract.bp", "-q"]);
    assert_eq!(again.code, Some(0), "{again:?}");
}

/// What the loop knows about threads that are just started, and where threads count, is in the saved program as well.
#[test]
fn saved_abstractions_of_locks_are_decided() {
    let place = lock();
    for name in ["tas-lock.c", "cv-var.c", "rw-lock.c", "bsd-rdma.c"] {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(name);
        let program = program.to_str().unwrap();
        let run = place.run(&[
            "check",
            program,
            "--atomicity",
            "statement",
            "--no-filter",
            "--engine",
            "cegar",
            "--save-bp",
            "abstract.bp",
        ]);
        assert_safe(&run);
        let again = place.run(&["check", "abstract.bp", "-q"]);
        assert_eq!(again.code, Some(0), "{name}: {again:?}");
    }
}

/// Tickets that wrap around are unsafe with very many threads. Without overflow they are safe, and the report says what that rests on.
#[test]
fn integers_are_unbounded_only_on_request() {
    let place = lock();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/ticket-wrap.c");
    let program = program.to_str().unwrap();
    let run = place.run(&["check", program, "--integers", "mathematical", "--evidence", "proof.json"]);
    assert_safe(&run);
    assert!(run.stdout.starts_with("assuming: integers are taken to be unbounded"), "{run:?}");
    let evidence = throng_cert::read(&std::fs::read(place.path("proof.json")).unwrap()).unwrap();
    let files: [PathBuf; 1] = [program.into()];
    let machine = CFlags::default().read(&files, &[], None, false).unwrap().0;
    assert!(throng_check::c::check_c(&machine, &evidence, &Budget::unlimited()).is_err());
}

#[test]
fn flags_of_the_prover_are_refused_where_nothing_is_proved() {
    let place = lock();
    place.write("p.txt", "");
    let bmc = place.run(&["check", "lock.c", "--engine", "bmc", "--predicates", "p.txt"]);
    assert_eq!(bmc.code, Some(1), "{bmc:?}");
    assert!(
        bmc.stderr.contains("`--predicates` has a meaning for `--engine auto` and `--engine cegar` only"),
        "{bmc:?}"
    );
    let system = place.run(&["check", "mutex.tts", "--save-bp", "x.bp"]);
    assert_eq!(system.code, Some(1), "{system:?}");
    let cegar = place.run(&["check", "mutex.tts", "--engine", "cegar"]);
    assert_eq!(cegar.code, Some(1), "{cegar:?}");
    let nowhere = place.run(&["check", "lock.c", "--save-predicates", "missing/x.txt"]);
    assert_eq!(nowhere.code, Some(1), "{nowhere:?}");
}

#[test]
fn proofs_are_benchmarked() {
    let place = lock();
    std::fs::create_dir(place.path("c")).unwrap();
    place.write("c/lock.c", LOCK);
    place.write("c/index.csv", "file,expected,atomicity,options,table7\nlock.c,safe,any,,4/LOCK\n");
    let run =
        place.run(&["bench", "c", "--engines", "cegar,two=cegar:threads=2", "-q", "--format", "markdown"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("Proofs by cegar") && run.stdout.contains("lock.c (4/LOCK)"), "{run:?}");
    let mixed = place.run(&["bench", "c", "--engines", "cegar,widen"]);
    assert_eq!(mixed.code, Some(1), "{mixed:?}");
    let others = place.run(&["bench", "c", "--engines", "widen"]);
    assert_eq!(others.code, Some(2), "{others:?}");
}
