//! Input is data, never a command: names of files, texts that have a compiler read for ever, numbers that promise more than a
//! machine holds, and evidence that names what it should not.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An error that one thread reaches.
const WRONG: &str =
    "#include <assert.h>\n#include \"x.h\"\nint main(void) { x = 1; assert(x == 0); return 0; }\n";

fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("x.h", "int x;\n");
    files.iter().for_each(|(name, text)| place.write(name, text));
    place
}

#[test]
fn names_of_files_are_never_options() {
    // To a compiler that expands `@file`, the program would be these options.
    let options = "-o stolen\n";
    let place = place(&[("evil.c", options), ("evil", options)]);
    std::fs::create_dir(place.path("deep")).unwrap();
    // What is next to a file is found next to it.
    place.write("deep/x.h", "int x;\n");
    for file in ["@evil.c", "-o.c", "deep/@evil.c", "deep/-o.c", "deep/=a b;$(c).c"] {
        place.write(file, WRONG);
        let run = place.run(&["check", "--", file]);
        assert_eq!((run.code, run.last_line()), (Some(10), "verdict: unsafe"), "{file}: {run:?}");
        assert!(run.stdout.starts_with(&format!("{file}: ")), "{file}: {run:?}");
        // Places of errors are in the file as it is called.
        place.write(file, &WRONG.replace("x = 1;", "x = y;"));
        let run = place.run(&["check", "--", file]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(&format!("--> {file}:3:")), "{run:?}");
    }
    place.write("@evil.c", WRONG);
    for option in ["-I@evil", "-I-", "-I=x"] {
        let run = place.run(&["check", option, "--", "@evil.c"]);
        assert_eq!(run.code, Some(10), "{option}: {run:?}");
    }
    assert!(!place.path("stolen").exists() && !place.path(".c").exists());
}

#[test]
fn macros_cannot_take_the_next_word() {
    let place = place(&[("a.c", WRONG)]);
    for option in ["-D=1", "-D-o", "-D@x", "-U@x", "-DA=1\n#include \"x\""] {
        for own in [&[][..], &["--own-preprocessor"]] {
            let run = place.run(&[&["check", "a.c", option][..], own].concat());
            assert_eq!(run.code, Some(2), "{option}: {run:?}");
            assert!(run.stderr.contains("E0812"), "{option}: {run:?}");
        }
    }
    let run = place.run(&["check", "a.c", "-D", ""]);
    assert!(run.code == Some(2) && run.stderr.contains("E0812"), "{run:?}");
    assert_eq!(place.run(&["check", "a.c", "-Df(x)=x", "-DA=-o b"]).code, Some(10));
}

/// A compiler sees another standard input than we do, and nothing in a pipe that we have read.
#[test]
fn what_a_compiler_cannot_read_is_not_an_empty_program() {
    let place = Place::new();
    let text = WRONG.replace("#include \"x.h\"", "int x;");
    let run = |extra: &[&str]| {
        let arguments = [&["check", "/dev/stdin", "--input-format", "c"][..], extra].concat();
        let mut command = place.command(&arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        Run::from(child.wait_with_output().unwrap())
    };
    let refused = run(&[]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--own-preprocessor"), "{refused:?}");
    assert_eq!(run(&["--own-preprocessor"]).code, Some(10));
}

/// A compiler that never ends, nor does what it starts; `ids` has both processes.
const SLOW: &str = "sleep 1000 & echo $$ $! > ids.new; mv ids.new ids; wait\n";

/// A place where `CC` is slow, and an empty directory for temporary files.
fn slow() -> Place {
    let place = place(&[("a.c", WRONG), ("slow.sh", SLOW)]);
    std::fs::create_dir(place.path("temporary")).unwrap();
    place
}

fn with_slow_compiler(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.command(arguments);
    command.env("CC", "sh slow.sh").env("TMPDIR", place.path("temporary"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs; one that only waits to be reaped does not.
fn is_alive(id: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

fn assert_nothing_is_left(place: &Place) {
    for id in place.read("ids").split_whitespace() {
        wait_until("the compiler ends", || !is_alive(id));
    }
    let is_empty = || std::fs::read_dir(place.path("temporary")).unwrap().next().is_none();
    wait_until("the temporary folder is removed", is_empty);
    std::fs::remove_file(place.path("ids")).unwrap();
}

#[test]
fn a_compiler_ends_at_the_time_limit() {
    let place = slow();
    for arguments in
        [&["check", "a.c"][..], &["check", "a.c", "--list-unsupported"], &["graph", "a.c", "-o", "a.dot"]]
    {
        let arguments = [arguments, &["--timeout", "3s"]].concat();
        let run = Run::from(with_slow_compiler(&place, &arguments).output().unwrap());
        let text = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(5), "{text}");
        assert!(text.contains("the time limit was reached while the input was read"), "{text}");
        assert_nothing_is_left(&place);
    }
}

#[test]
fn a_compiler_ends_with_us_after_any_signal() {
    let place = slow();
    for (signal, code) in [("-INT", Some(5)), ("-TERM", Some(5)), ("-KILL", None)] {
        let child = with_slow_compiler(&place, &["check", "a.c"]).spawn().unwrap();
        wait_until("the compiler starts", || place.path("ids").exists());
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, code, "{run:?}");
        assert_nothing_is_left(&place);
    }
}

const MEMORY: u64 = 256 << 20;

/// Runs within 256 MiB and a minute, and returns what happened once it is clear that the limits held.
fn limited(place: &Place, arguments: &[&str]) -> Run {
    limited_to("60s", place, arguments)
}

fn limited_to(time: &str, place: &Place, arguments: &[&str]) -> Run {
    use std::io::Read;
    use wait4::Wait4;
    let started = Instant::now();
    let limits = ["--memory", "256MiB", "--timeout", time];
    let mut command = place.command(&[arguments, &limits[..]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let ended = child.wait4().unwrap();
    let run = Run { code: ended.status.code(), stdout, stderr };
    assert!(matches!(run.code, Some(0 | 2 | 5 | 10)), "{arguments:?}: {run:?}");
    assert!(ended.rusage.maxrss < MEMORY * 3 / 2, "{arguments:?}: {} bytes", ended.rusage.maxrss);
    assert!(started.elapsed() < Duration::from_secs(100), "{arguments:?}");
    run
}

fn assert_memory(run: &Run) {
    assert_eq!(run.code, Some(5), "{run:?}");
    let text = format!("{}{}", run.stdout, run.stderr);
    assert!(text.contains("the memory limit was reached"), "{text}");
}

#[test]
fn headers_cannot_promise_more_states_than_there_is_memory() {
    for header in ["4294967294 4294967294", "2 4294967294", "4294967294 2"] {
        let place = place(&[("big.tts", &format!("{header}\n0 0 -> 1 1\n"))]);
        assert_memory(&limited(&place, &["check", "big.tts", "--target", "1|1"]));
        in_small_space(&place, &["check", "big.tts", "--target", "1|1"]);
        assert_memory(&limited(&place, &["cover", "big.tts"]));
        assert_memory(&limited(&place, &["reach", "big.tts"]));
        assert_memory(&limited(&place, &["convert", "big.tts", "big.spec", "--target", "1|1"]));
    }
}

/// Runs where the system itself refuses more than 6 GB: a single allocation must not be what ends the run.
fn in_small_space(place: &Place, arguments: &[&str]) {
    let throng = env!("CARGO_BIN_EXE_throng");
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 6000000; exec \"$@\"", "sh", throng]).args(arguments);
    shell.args(["--memory", "256MiB", "--timeout", "10s"]).current_dir(place.path(""));
    let run = Run::from(shell.output().unwrap());
    assert!(matches!(run.code, Some(0 | 5)), "{arguments:?}: {run:?}");
}

#[test]
fn large_arrays_end_as_unknown() {
    for array in ["char a[300000000]", "int a[100000000]", "char a[4000000000], b[4000000000]"] {
        let text = format!(
            "#include <assert.h>\n{array};\nint i;\nint main(void) {{ a[i] = 1; assert(a[5] != 2); return 0; }}\n"
        );
        let place = place(&[("big.c", &text)]);
        for engine in ["auto", "cegar", "bmc"] {
            let run = limited(&place, &["check", "big.c", "--engine", engine]);
            assert!(run.code != Some(10), "{run:?}");
            in_small_space(&place, &["check", "big.c", "--engine", engine]);
        }
    }
}

const LOCK: &str = "#include <assert.h>\n#include <pthread.h>\nint s, n;\npthread_mutex_t m;\n\
    void *work(void *p) { while (1) { pthread_mutex_lock(&m); s = s + 2; assert(s != 7); n = !n; \
    pthread_mutex_unlock(&m); } return 0; }\n\
    int main(void) { pthread_t t; while (1) pthread_create(&t, 0, work, 0); }\n";

#[test]
fn predicates_may_be_enormous() {
    let product = (0..2000).map(|i| format!("(s + {i})")).collect::<Vec<_>>().join(" * ") + " == 1\n";
    let place = place(&[("a.c", LOCK), ("product", &product)]);
    for file in ["/dev/zero", "product"] {
        limited_to("5s", &place, &["check", "a.c", "--predicates", file]);
    }
    assert_memory(&limited(&place, &["check", "a.c", "--predicates", "/dev/zero"]));
}

#[test]
fn chains_of_calls_may_be_long() {
    let n = 20_000;
    let call = |i: usize| if i + 1 < n { format!("f{}();", i + 1) } else { "skip;".to_owned() };
    let functions = (0..n).map(|i| format!("void f{i}() begin {} end\n", call(i))).collect::<String>();
    let text = format!("decl x;\nvoid main() begin f0(); assert(!x); end\n{functions}");
    let place = place(&[("chain.bp", &text)]);
    for command in ["check", "reach", "cutoff"] {
        limited_to("5s", &place, &[command, "chain.bp"]);
    }
}

#[test]
fn macros_may_be_bombs_and_headers_may_have_no_end() {
    let tens = |i: usize| format!("#define A{i} {}\n", vec![format!("A{}", i - 1); 10].join(" "));
    let bomb = format!(
        "#define A0 x\n{}int x;\nA11\nint main(void) {{ return 0; }}\n",
        (1..12).map(tens).collect::<String>()
    );
    let zero = "#include \"/dev/zero\"\nint main(void) { return 0; }\n";
    let place = place(&[("bomb.c", &bomb), ("zero.c", zero)]);
    for file in ["bomb.c", "zero.c"] {
        for own in [&[][..], &["--own-preprocessor"]] {
            let run = limited(&place, &[&["check", file][..], own].concat());
            assert!(matches!(run.code, Some(2 | 5)), "{run:?}");
        }
    }
}

/// Evidence about `a.c` that was changed by somebody.
fn evidence(place: &Place, change: impl Fn(&mut serde_json::Value)) {
    let run = place.run(&["check", "a.c", "--evidence", "e.json"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    let mut document: serde_json::Value = serde_json::from_str(&place.read("e.json")).unwrap();
    change(&mut document);
    place.write("e.json", &document.to_string());
}

#[test]
fn evidence_cannot_have_files_read() {
    let place = place(&[
        ("a.c", WRONG),
        ("secret.c", "#error secret\n"),
        ("secret.prp", "secret\n"),
        ("traced.sh", "touch was-run; exec cc \"$@\"\n"),
    ]);
    evidence(&place, |document| {
        document["input"] = "secret.c".into();
        let options = ["-Isecret", "-DSECRET=1", "--property=secret.prp", "secret.c"];
        document["interleaving"]["options"] =
            options.iter().map(|&word| word.into()).collect::<Vec<serde_json::Value>>().into();
    });
    for command in ["replay", "explain"] {
        let run = Run::from(place.command(&[command, "e.json"]).env("CC", "sh traced.sh").output().unwrap());
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains("E0913"), "{run:?}");
        let words = "throng replay e.json secret.c secret.c -Isecret -DSECRET=1 --property=secret.prp";
        assert!(run.stderr.contains(words), "{run:?}");
        assert!(!place.path("was-run").exists(), "{run:?}");
        // What the user names is read, and nothing else.
        let code = if command == "replay" { 10 } else { 0 };
        assert_eq!(place.run(&[command, "e.json", "a.c"]).code, Some(code));
        let run = place.run(&[command, "e.json", "a.c", "-DSECRET=1", "--property", "secret.prp"]);
        assert_eq!(run.code, Some(2), "{run:?}");
    }
}

#[test]
fn evidence_is_looked_at_within_limits() {
    let place = slow();
    evidence(&place, |_| {});
    for command in ["replay", "explain"] {
        let arguments = [command, "e.json", "a.c", "--timeout", "3s"];
        let run = Run::from(with_slow_compiler(&place, &arguments).output().unwrap());
        assert_eq!(run.code, Some(5), "{run:?}");
        assert!(run.stderr.contains("the time limit was reached"), "{run:?}");
        assert_nothing_is_left(&place);
    }
    assert_memory(&limited(&place, &["replay", "/dev/zero", "a.c"]));
}
