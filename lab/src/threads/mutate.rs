//! Small changes of programs that are right, most of which make them wrong: what a programmer forgets or mistypes.

use super::syntax::{Statement, ThreadProgram, count, find};
use crate::choices::{Choices, SplitMix64};

/// Changes the functions of a program in one place, if the place that was drawn allows the change that was drawn. Never
/// changes `main`, never leaves a program without assertions.
pub fn mutate(program: &mut ThreadProgram, random: &mut SplitMix64) -> bool {
    let before = program.clone();
    let function = random.below(program.functions.len());
    let body = &mut program.functions[function].body;
    let is_done = match random.below(12) {
        11 if program.by_library => {
            let at = random.below(body.len() + 1);
            let leave = vec![Statement::line("pthread_exit(0);")];
            body.insert(at, Statement::block("if (__VERIFIER_nondet_bool())", leave));
            true
        }
        _ => change(body, random),
    };
    let is_fine = is_done && has_assertion(program) && is_balanced(program);
    if !is_fine {
        *program = before;
    }
    is_fine
}

/// Whether each function releases locks for readers and writers as often as it takes them: what happens to one that is released
/// without being held is not said anywhere, and differs between the model and the library.
fn is_balanced(program: &ThreadProgram) -> bool {
    program.functions.iter().all(|function| {
        let mut body = function.body.clone();
        let (mut taken, mut released) = (0, 0);
        for n in 0..count(&body) {
            let Some((list, place)) = find(&mut body, n) else { continue };
            if let Statement::Block { head, .. } = &list[place] {
                taken += usize::from(head.contains("rwlock_try"));
            }
            if let Statement::Line(text) = &list[place] {
                taken += usize::from(text.contains("rwlock_rdlock(") || text.contains("rwlock_wrlock("));
                released += usize::from(text.contains("rwlock_unlock("));
            }
        }
        taken == released
    })
}

/// One change of a list of statements.
fn change(body: &mut Vec<Statement>, random: &mut SplitMix64) -> bool {
    let guards: Vec<usize> = (0..count(body)).filter(|&n| is_guard(body, n)).collect();
    let is_about_guard = !guards.is_empty() && random.chance(60);
    let n = if is_about_guard { random.pick(&guards) } else { random.below(count(body)) };
    let Some((list, place)) = find(body, n) else { return false };
    match random.below(11) {
        _ if is_about_guard => remove_guard(list, place),
        0 | 1 => {
            list.remove(place);
            true
        }
        2 | 3 if place + 1 < list.len() => {
            list.swap(place, place + 1);
            true
        }
        4 | 5 => unwrap(list, place),
        6 if !has_label(&list[place]) => {
            let copy = list[place].clone();
            list.insert(place, copy);
            true
        }
        7 => leave_section(list, place),
        8 => change_constant(&mut list[place], random),
        9 => change_comparison(&mut list[place], random),
        _ => read_before(list, place),
    }
}

/// Whether a statement keeps others away, or waits for them.
fn is_guard(body: &mut Vec<Statement>, n: usize) -> bool {
    let Some((list, place)) = find(body, n) else { return false };
    match &list[place] {
        Statement::Atomic(_) => true,
        Statement::Line(text) => {
            ["lock(", "assume(", "sem_wait(", "pthread_join("].iter().any(|guard| text.contains(guard))
        }
        Statement::Block { head, .. } => head != "while (1)" && !head.contains("nondet"),
    }
}

/// Takes a guard away, with the waiting but not with what is guarded.
fn remove_guard(list: &mut Vec<Statement>, place: usize) -> bool {
    if !unwrap(list, place) {
        list.remove(place);
    }
    true
}

/// Whether there is a label in it, which may be there only once.
pub(super) fn has_label(statement: &Statement) -> bool {
    let is_labelled = matches!(statement, Statement::Line(text) if text.starts_with("__CPROVER_"));
    is_labelled || statement.parts().into_iter().flatten().any(has_label)
}

/// Whether an error is possible at all.
pub fn has_assertion(program: &ThreadProgram) -> bool {
    // The declaration of the function is not indented.
    program.text().contains("    assert(")
}

/// Puts what is in a statement in its place: a section that is not atomic, a loop that is done once, no test.
pub fn unwrap(list: &mut Vec<Statement>, place: usize) -> bool {
    let parts: Vec<Statement> = list[place].parts().into_iter().flatten().cloned().collect();
    if parts.is_empty() {
        return false;
    }
    list.splice(place..=place, parts);
    true
}

/// Moves the last statement of an atomic section behind it.
fn leave_section(list: &mut Vec<Statement>, place: usize) -> bool {
    let Statement::Atomic(body) = &mut list[place] else { return false };
    if body.len() < 2 {
        return false;
    }
    let Some(last) = body.pop() else { return false };
    list.insert(place + 1, last);
    true
}

/// A digit that stands for itself becomes another.
fn change_constant(statement: &mut Statement, random: &mut SplitMix64) -> bool {
    let Some(text) = statement.own_text() else { return false };
    let bytes = text.as_bytes();
    let is_alone = |at: usize| {
        let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        bytes[at].is_ascii_digit()
            && !is_word(bytes.get(at + 1))
            && !is_word(at.checked_sub(1).and_then(|before| bytes.get(before)))
    };
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| is_alone(at)).collect();
    if places.is_empty() {
        return false;
    }
    let at = random.pick(&places);
    let digit = usize::from(bytes[at] - b'0');
    let other = (digit + 1 + random.below(3)) % 4;
    text.replace_range(at..=at, &other.to_string());
    true
}

/// One comparison becomes another.
fn change_comparison(statement: &mut Statement, random: &mut SplitMix64) -> bool {
    const OPERATORS: [&str; 6] = [" == ", " != ", " < ", " <= ", " > ", " >= "];
    let Some(text) = statement.own_text() else { return false };
    let Some((at, old)) = OPERATORS.iter().find_map(|&op| text.find(op).map(|at| (at, op))) else {
        return false;
    };
    let new = random.pick(&OPERATORS);
    text.replace_range(at..at + old.len(), new);
    new != old
}

/// What a test reads is read into a variable first: `if (x)` becomes `k = !!(x); if (k)`, with a truth value, since `k` is too narrow for a pointer.
fn read_before(list: &mut Vec<Statement>, place: usize) -> bool {
    let Some(text) = list[place].own_text() else { return false };
    let inner = text.strip_prefix("if (").and_then(|rest| rest.strip_suffix(')'));
    let Some(condition) = inner.map(str::to_owned) else { return false };
    "if (k)".clone_into(text);
    list.insert(place, Statement::line(format!("k = !!({condition});")));
    true
}
