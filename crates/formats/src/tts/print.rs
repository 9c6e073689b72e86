//! The printer of `.tts`.
//!
//! Expressible are rules that take one thread and put one (with any passive moves that have destinations),
//! spawns, and rules that take and put nothing and move the threads of at most one local to one local. States
//! are numbered; where they have names, a table in comments says which number is which.

use crate::Printed;
use crate::config_text::{Repetitions, StateNames, format_config, format_initial};
use std::fmt::Write as _;
use throng_base::Diagnostic;
use throng_model::{Entry, Names, RuleId, RuleRef, System, bag};

/// Threads above which a companion file writes `l*N`, which bfc does not read, instead of a list.
const LISTED_THREADS: u64 = 10_000;

/// Writes a system as a `.tts` file with its `.prop` and `.init`.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let mut text = String::new();
    let mut notes = Vec::new();
    let (n_shared, n_locals) = (system.n_shared(), system.n_locals().max(1));
    if !system.is_net() {
        name_table(&mut text, &mut notes, "shared", "shared states", system.shared_names());
    }
    let kind = if system.is_net() { ("place", "places") } else { ("local", "local states") };
    name_table(&mut text, &mut notes, kind.0, kind.1, system.local_names());
    push_line(&mut text, format_args!("{n_shared} {n_locals}"));
    for (id, rule) in system.rules().iter() {
        print_rule(&mut text, rule).map_err(|reason| inexpressible(system, id, reason))?;
        if system.has_rule_names() {
            push(&mut text, format_args!(" # {}", system.rule_name(id).escape_debug()));
        }
        text.push('\n');
    }
    let numbers = (Names::Numbered(n_shared), Names::Numbered(n_locals));
    let companions = companions(system, StateNames { shared: &numbers.0, locals: &numbers.1 }, &mut notes)?;
    Ok(Printed { text, companions, notes })
}

/// Comments that say which number stands for which name.
fn name_table(text: &mut String, notes: &mut Vec<String>, word: &str, kind: &str, names: &Names) {
    let is_numbered = match names {
        Names::Numbered(_) => true,
        Names::Listed(table) => (0..table.len()).all(|index| table.get(index) == index.to_string()),
    };
    if is_numbered {
        return;
    }
    for index in 0..names.len() {
        push_line(text, format_args!("# {word} {index} = {}", names.get(index).escape_debug()));
    }
    notes.push(format!("{kind} are numbered; comments at the top of the file give their names"));
}

/// Prints a rule without the line end, or says why it cannot be expressed.
fn print_rule(text: &mut String, rule: RuleRef<'_>) -> Result<(), &'static str> {
    let (from, to) = (rule.from.index(), rule.to.index());
    match (rule.take, rule.put) {
        (&[take], &[put]) if take.count == 1 && put.count == 1 => {
            if rule.moves().any(|(_, destinations)| destinations.is_empty()) {
                return Err("it makes passive threads vanish (a reset), and `.tts` can only move them");
            }
            push(text, format_args!("{from} {} -> {to} {}", take.local.index(), put.local.index()));
            for (source, destinations) in rule.moves() {
                for destination in destinations {
                    push(text, format_args!(" {} ~> {}", source.index(), destination.index()));
                }
            }
            Ok(())
        }
        (&[take], put) if take.count == 1 && bag::size(put) == 2 && bag::count(put, take.local) > 0 => {
            if rule.has_moves() {
                return Err("it starts a thread and moves others in one step");
            }
            let child = put.iter().find(|entry| entry.local != take.local).map_or(take.local, |e| e.local);
            push(text, format_args!("{from} {} +> {to} {}", take.local.index(), child.index()));
            Ok(())
        }
        ([], []) => print_move_all(text, rule),
        (take, put) => Err(reason(take, put)),
    }
}

/// Prints a rule that takes and puts nothing.
fn print_move_all(text: &mut String, rule: RuleRef<'_>) -> Result<(), &'static str> {
    let (from, to) = (rule.from.index(), rule.to.index());
    let mut moves = rule.moves();
    // A change of the shared state alone moves the threads of some local to where they are.
    let (source, destination) = match (moves.next(), moves.next()) {
        (None, _) => (0, 0),
        (Some((source, &[destination])), None) => (source.index(), destination.index()),
        (Some((_, [])), _) => return Err("it makes threads vanish (a reset), and `.tts` can only move them"),
        _ => return Err("it needs no thread and moves those of several locals, or to several locals"),
    };
    push(text, format_args!("{from} {source} ~> {to} {destination}"));
    Ok(())
}

fn reason(take: &[Entry], put: &[Entry]) -> &'static str {
    match (bag::size(take), bag::size(put)) {
        (0, _) => "it creates threads out of nothing; a rule of `.tts` needs a thread for that",
        (1, 0) => "its thread vanishes, and in `.tts` threads only move",
        (1, _) => "it replaces one thread by several others; `.tts` keeps the parent where it is",
        _ => "it takes several threads at once; a rule of `.tts` takes one",
    }
}

fn inexpressible(system: &System, id: RuleId, reason: &str) -> Diagnostic {
    let name = system.rule_name(id);
    let line = system.rule_line(id).map_or(String::new(), |line| format!(" (line {line} of the input)"));
    Diagnostic::error("E0210", format!("`.tts` cannot express rule `{name}`{line}"))
        .note(format!("the reason: {reason}"))
        .hint("`.spec` can express weights, transfers and resets")
}

/// The `.prop` and `.init` files, in the numbers of the main file.
fn companions(
    system: &System,
    names: StateNames<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<(&'static str, String)>, Diagnostic> {
    let mut companions = Vec::new();
    match system.targets() {
        [] => notes.push("there is no target, so there is no `.prop` file".to_owned()),
        [target] => {
            let repetitions = repetitions(bag::size(&target.bag), notes);
            companions.push(("prop", format!("{}\n", format_config(target.view(), names, repetitions))));
        }
        several => {
            return Err(Diagnostic::error("E0211", "a `.prop` file holds one target, and there are several")
                .note(format!("there are {} targets", several.len()))
                .hint("ask for one of them with `--target`, or write `.spec`, which holds several"));
        }
    }
    let [initial] = system.initial() else {
        return Err(Diagnostic::error(
            "E0212",
            "an `.init` file holds one initial configuration, and there are several",
        )
        .note(format!("there are {} initial configurations", system.initial().len()))
        .hint("choose one of them with `--init`"));
    };
    let repetitions = repetitions(bag::size(&initial.exact), notes);
    let text = format_initial(initial, names, repetitions);
    if text != "0/0" {
        notes.push(format!("the initial configuration is not the default: check with `--init '{text}'`"));
        companions.push(("init", format!("{text}\n")));
    }
    Ok(companions)
}

fn repetitions(n_threads: u64, notes: &mut Vec<String>) -> Repetitions {
    if n_threads <= LISTED_THREADS {
        return Repetitions::Listed;
    }
    notes.push("numbers of threads are written `l*N`, which bfc does not read".to_owned());
    Repetitions::Counted
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string succeeds");
}

fn push_line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    push(text, arguments);
    text.push('\n');
}
