//! Results as people and other tools read them: interleavings that fit a screen, pages, SARIF, annotations, JUnit.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::Value;

/// A wait without a loop: a spurious wake-up is enough.
const WAIT: &str = "\
#include <assert.h>
#include <pthread.h>
struct node { int key; struct node *next; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct node nodes[3];
static struct node *head;
static int ready;
static void *taker(void *arg)
{
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready == 1);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    head = &nodes[2];
    pthread_create(&t, NULL, taker, NULL);
    pthread_mutex_lock(&m);
    if (head->key == 0)
        ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
";

/// A counter that is incremented many times by one thread before it is too large.
const DEEP: &str = "\
#include <assert.h>
int main(void)
{
    unsigned i, sum = 0;
    for (i = 0; i < 40; i++)
        sum += 2;
    assert(sum != 80);
}
";

#[test]
fn an_interleaving_says_what_happens_in_80_columns() {
    let place = Place::new();
    place.write("wait.c", WAIT);
    let output = place.command(&["check", "-q", "wait.c"]).env("COLUMNS", "80").output().unwrap();
    let run = Run::from(output);
    assert_eq!(run.code, Some(10), "{run:?}");
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}\n{}", run.stdout);
    }
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "head=&nodes[2]",
        "new thread 2 in taker",
        "takes m",
        "releases m; waits for c;",
        "(spurious wake-up)",
        "reads ready=0;",
        "fails",
    ] {
        assert!(words.contains(part), "{part}: {}", run.stdout);
    }
    // Steps are numbered one by one.
    let numbers: Vec<usize> = run
        .stdout
        .lines()
        .skip_while(|line| !line.contains("what happens"))
        .filter_map(|line| line.get(..6)?.trim().parse().ok())
        .collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{}", run.stdout);
}

#[test]
fn a_deep_bug_is_told_on_a_page() {
    let place = Place::new();
    place.write("deep.c", DEEP);
    let run = place.run(&["check", "-q", "deep.c", "--timeout", "60s"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    assert!(run.stdout.lines().count() < 60, "{}", run.stdout);
    assert!(run.stdout.contains("again, 39 times"), "{}", run.stdout);
    assert!(run.stdout.contains("i=40") && run.stdout.contains("sum=80"), "{}", run.stdout);
    let everything = place.run(&["check", "-q", "-v", "deep.c", "--timeout", "60s"]);
    assert!(everything.stdout.lines().count() > 100, "{}", everything.stdout.lines().count());
}

#[test]
fn results_are_written_for_others() {
    let place = Place::new();
    place.write("wait.c", WAIT);
    let outputs = ["--html", "r.html", "--sarif", "r.sarif", "--junit", "r.xml", "--evidence", "e.json"];
    let run = place.run(&[&["check", "-q", "wait.c"], &outputs[..]].concat());
    assert_eq!(run.code, Some(10), "{run:?}");
    let page = place.read("r.html");
    assert!(page.contains("<html lang=\"en\">") && page.contains("data-who=\"2 taker\""), "{page}");
    // Nothing is fetched from anywhere, and nothing of the input is markup.
    assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("<assert.h>"), "{page}");
    assert_sarif(&serde_json::from_str(&place.read("r.sarif")).unwrap());
    let junit = place.read("r.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains("<failure message="), "{junit}");
    let again = place.run(&["report", "e.json", "wait.c", "-o", "again.html"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(place.read("again.html").contains("data-who=\"2 taker\""));
    // Evidence about another program is not shown.
    place.write("other.c", DEEP);
    let wrong = place.run(&["report", "e.json", "other.c", "-o", "wrong.html"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    let run = place.run(&["check", "-q", "wait.c", "--format", "github"]);
    assert!(run.stdout.starts_with("::error file=wait.c,line=14,"), "{}", run.stdout);
    assert!(run.stdout.ends_with("\nverdict: unsafe\n") && run.stdout.lines().count() == 2, "{}", run.stdout);
}

/// One result with a flow for each thread, all steps in one order.
fn assert_sarif(document: &Value) {
    let result = &document["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"assertion".into(), &"error".into()), "{document}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 2, "{document}");
    let mut order: Vec<u64> = flows
        .iter()
        .flat_map(|flow| flow["locations"].as_array().unwrap())
        .map(|location| location["executionOrder"].as_u64().unwrap())
        .collect();
    order.sort_unstable();
    assert_eq!(order, (1..=order.len() as u64).collect::<Vec<_>>(), "{document}");
}

#[test]
fn pages_of_systems_nets_and_proofs() {
    let place = Place::new();
    place.write("lock.tts", "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n");
    let run = place.run(&[
        "check",
        "-q",
        "lock.tts",
        "--target",
        "1|2,2",
        "--html",
        "unsafe.html",
        "--evidence",
        "e.json",
    ]);
    assert_eq!(run.code, Some(10), "{run:?}");
    assert!(place.read("unsafe.html").contains("<th scope=\"col\">thread 2</th>"));
    let again = place.run(&["report", "e.json", "lock.tts", "--target", "1|2,2", "-o", "again.html"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let safe = place.run(&[
        "check",
        "-q",
        "lock.tts",
        "--target",
        "0|2",
        "--html",
        "safe.html",
        "--junit",
        "safe.xml",
    ]);
    assert_eq!(safe.code, Some(0), "{safe:?}");
    assert!(place.read("safe.html").contains("badge safe"));
    assert!(place.read("safe.xml").contains("failures=\"0\" errors=\"0\""));
    place.write("count.c", "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); }\n");
    let safe = place.run(&["check", "-q", "count.c", "--html", "c.html", "--engine", "houdini"]);
    assert_eq!(safe.code, Some(0), "{safe:?}");
    let page = place.read("c.html");
    assert!(page.contains("What was proved") && page.contains("never: assertion x == 1 fails"), "{page}");
}
