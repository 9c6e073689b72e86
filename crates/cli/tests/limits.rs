//! Limits and interrupts: whatever ends a run early, it says so and what it had found.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_time_limit_ends_as_unknown_with_statistics() {
    let place = Place::new();
    for (engine, counter) in [
        ("auto", "No engine has an answer"),
        ("backward", "elements"),
        ("forward", "nodes"),
        ("ic3", "frames"),
        ("karp-miller", "nodes"),
        ("widen", "vertices"),
        ("widen-pessimistic", "vertices"),
    ] {
        let started = Instant::now();
        let arguments = ["check", "endless.spec", "--engine", engine, "--timeout", "500ms"];
        let run = place.run(&[&arguments[..], &["--evidence", "e.json"]].concat());
        assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(timeout)"), "{run:?}");
        assert!(run.stdout.contains(counter), "{engine}: {}", run.stdout);
        assert!(started.elapsed() < Duration::from_secs(20));
        assert!(!place.path("e.json").exists());
    }
}

#[test]
fn a_memory_limit_ends_as_unknown() {
    let run = Place::new().run(&["check", "endless.spec", "--memory", "1MiB", "--timeout", "60s"]);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(memory)"), "{run:?}");
}

#[test]
fn a_search_that_grows_ends_at_the_memory_limit() {
    for arguments in [&["--engine", "widen", "--jobs", "1"][..], &["--jobs", "2"]] {
        let limits = ["check", "growing.spec", "--memory", "60MiB", "--timeout", "300s"];
        let run = Place::new().run(&[&limits[..], arguments].concat());
        assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(memory)"), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_as_unknown_with_statistics() {
    let place = Place::new();
    let mut command = place.command(&["check", "endless.spec", "--timeout", "60s"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(interrupted)"), "{run:?}");
    assert!(run.stdout.contains("vertices"), "{}", run.stdout);
}

/// A pipe that nobody writes to: whoever reads it waits for ever.
#[cfg(unix)]
fn endless_input(place: &Place) {
    assert!(Command::new("mkfifo").arg(place.path("pipe.pnml")).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_time_limit_holds_while_the_input_is_read() {
    let place = Place::new();
    endless_input(&place);
    for arguments in [
        &["check", "pipe.pnml", "--target", "p"][..],
        &["convert", "pipe.pnml", "out.spec"],
        &["graph", "pipe.pnml", "-o", "out.dot"],
        &["graph", "pipe.pnml", "--what", "proof", "-o", "out.dot"],
        &["graph", "pipe.pnml", "--what", "proof", "--evidence", "e.json", "-o", "out.dot"],
    ] {
        let started = Instant::now();
        let run = place.run(&[arguments, &["--timeout", "200ms"]].concat());
        assert_eq!(run.code, Some(5), "{arguments:?}: {run:?}");
        assert!(started.elapsed() < Duration::from_secs(10), "{arguments:?}");
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(text.contains("the time limit was reached while the input was read"), "{text}");
        assert!(!place.path("out.spec").exists() && !place.path("out.dot").exists());
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_command_that_reads() {
    let place = Place::new();
    endless_input(&place);
    for arguments in [&["check", "pipe.pnml"][..], &["convert", "pipe.pnml", "out.spec"]] {
        let mut command = place.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let run = Run::from(child.wait_with_output().unwrap());
        let text = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(5), "{text}");
        assert!(text.contains("the run was interrupted while the input was read"), "{text}");
    }
}
