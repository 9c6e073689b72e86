//! Why the end of an interleaving is bad: which target it is, and who makes it so.

use super::follow::Followed;
use super::words::{ProgramWords, Thread};
use crate::listing::numbers;
use std::collections::BTreeMap;
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, Pattern};

/// Patterns of a target that are matched by trying all ways.
const TRIED: usize = 8;

/// The one location at which a target asks for any thread.
pub(super) fn asked_location(target: &Pattern) -> Option<LocationId> {
    match &target.threads[..] {
        [thread] if target.shared.is_any() && thread.locals.is_any() => Some(thread.location),
        _ => None,
    }
}

/// The label that all targets ask for, if it is one.
pub(super) fn asked_label(words: &ProgramWords<'_>) -> Option<String> {
    let program = words.program();
    let labels = |target| asked_location(target).map(|location| program.labels(location));
    let (first, others) = words.case.question.targets.split_first()?;
    let mut candidates: Vec<&str> = labels(first)?.collect();
    for target in others {
        let found: Vec<&str> = labels(target)?.collect();
        candidates.retain(|label| found.contains(label));
    }
    candidates.first().map(|label| (*label).to_owned())
}

/// Whether it is asked whether an assertion can fail.
pub(super) fn asks_for_assertions(words: &ProgramWords<'_>) -> bool {
    let error = words.program().error();
    words.case.question.targets.iter().all(|target| asked_location(target) == Some(error))
        && !words.case.question.targets.is_empty()
}

/// What is reached, in two or three words.
pub(super) fn bad_thing(words: &ProgramWords<'_>) -> String {
    match asked_label(words) {
        _ if asks_for_assertions(words) => "a failing assertion".to_owned(),
        Some(label) => format!("label {label}"),
        None => "a bad configuration".to_owned(),
    }
}

/// Which target the end fits, and who does it.
pub(super) fn why(words: &ProgramWords<'_>, followed: &Followed) -> String {
    let matched = words.case.question.targets.iter().find_map(|target| {
        let threads = matching(words.program(), target, &followed.shared, &followed.finally)?;
        Some((target, threads))
    });
    let Some((target, threads)) = matched else {
        return "The last configuration fits no target.\n".to_owned();
    };
    if let Some(failure) = failed_assertion(words, followed, &threads) {
        return failure;
    }
    let mut groups: BTreeMap<&Thread, Vec<usize>> = BTreeMap::new();
    for (pattern, &thread) in target.threads.iter().zip(&threads) {
        groups.entry(pattern).or_default().push(thread);
    }
    let fact = |(pattern, who): (&Thread, Vec<usize>)| {
        let label = words.program().labels(pattern.location).next();
        let label = label.map(|label| format!("label {label}, ")).unwrap_or_default();
        let verb = if who.len() == 1 { "is" } else { "are" };
        format!("{} {verb} at {label}{}", numbers("thread", &who), words.thread(pattern))
    };
    let facts: Vec<String> = groups.into_iter().map(fact).collect();
    let facts = if facts.is_empty() { "every configuration is".to_owned() } else { facts.join(" and ") };
    format!("Why this is bad: {facts}{}.\n", words.circumstances(&target.shared))
}

/// The sentence about an assertion that failed, if that is what a target asks for.
fn failed_assertion(words: &ProgramWords<'_>, followed: &Followed, threads: &[usize]) -> Option<String> {
    let error = words.program().error();
    let &[thread] = threads else { return None };
    followed.finally[thread].as_ref().filter(|place| place.location == error)?;
    let failed = |moment: &&super::follow::Moment| moment.actor == thread && moment.to == Some(error);
    let place = followed.moments.iter().rev().find(failed)?.from;
    let (number, line) = (thread + 1, words.line(place)?);
    Some(format!(
        "Why this is bad: thread {number} fails the assertion on line {line}: {}\n",
        words.statement(place)
    ))
}

/// Different threads that fit the patterns of a target, in their order.
fn matching(
    program: &Program,
    target: &Pattern,
    shared: &Cube,
    threads: &[Option<Thread>],
) -> Option<Vec<usize>> {
    // Whether a thread is in a section can be seen from where the threads are.
    let bit = program.atomic_bit();
    let is_atomic = threads.iter().flatten().any(|thread| program.location(thread.location).is_atomic);
    if !target.shared.includes(&shared.clone().with(bit, is_atomic)) {
        return None;
    }
    let fits = |pattern: &Thread, thread: usize| {
        let is =
            |place: &Thread| place.location == pattern.location && pattern.locals.includes(&place.locals);
        threads[thread].as_ref().is_some_and(is)
    };
    let mut chosen = Vec::new();
    choose(&target.threads, threads.len(), &fits, &mut chosen).then_some(chosen)
}

/// Extends a choice of threads to all patterns.
fn choose(
    patterns: &[Thread],
    count: usize,
    fits: &dyn Fn(&Thread, usize) -> bool,
    chosen: &mut Vec<usize>,
) -> bool {
    let Some(pattern) = patterns.get(chosen.len()) else { return true };
    for thread in 0..count {
        if chosen.contains(&thread) || !fits(pattern, thread) {
            continue;
        }
        chosen.push(thread);
        if choose(patterns, count, fits, chosen) {
            return true;
        }
        // What is tried in vain grows quickly, and this only looks for words.
        if patterns.len() > TRIED {
            return false;
        }
        chosen.pop();
    }
    false
}
