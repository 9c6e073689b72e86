//! The printer of `.spec`.
//!
//! Expressible are nets, and systems with shared states as nets ([`net_view`](crate::net_view)), whose rules
//! move the tokens of a place to one place or to none. All places are mentioned in `init`, because those that
//! are not would be unbounded. Every target stands on a line of its own, as other tools than mist require.

use super::KEYWORDS;
use crate::Printed;
use crate::net_view::{Alphabet, NetTransition, NetView, net_view};
use std::fmt::Write as _;
use throng_base::Diagnostic;
use throng_model::System;

/// Writes a system as a `.spec` file.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let mut net = net_view(system)?;
    if net.places.is_empty() {
        return Err(Diagnostic::error("E0331", "`.spec` cannot express a system without places"));
    }
    let mut notes = crate::net_view::identifiers(net.places.iter_mut(), &Alphabet::words(KEYWORDS));
    let mut text = format!("vars\n  {}\n\nrules\n", net.places.join(" "));
    let mut printer = Printer { net: &net, text: &mut text, receives: vec![Vec::new(); net.places.len()] };
    for transition in &net.transitions {
        printer.transition(transition)?;
    }
    if net.transitions.iter().any(is_unknown_to_mist) {
        notes.push("some rules empty a place or assign a number, which mist reads differently".to_owned());
    }
    push(&mut text, format_args!("\ninit\n  {}\n", join(init(&net))));
    if net.targets.is_empty() {
        notes.push("there is no target, so the file has no section `target`, which mist requires".to_owned());
    } else {
        text.push_str("\ntarget\n");
    }
    for target in &net.targets {
        let constraints = target.iter().map(|&(place, count)| at_least(&net, place, count));
        let line = if target.is_empty() { at_least(&net, 0, 0) } else { join(constraints) };
        push(&mut text, format_args!("  {line}\n"));
    }
    Ok(Printed { text, companions: Vec::new(), notes })
}

fn init(net: &NetView) -> impl Iterator<Item = String> {
    let mut unbounded = vec![false; net.places.len()];
    for &place in &net.unbounded {
        unbounded[place] = true;
    }
    unbounded.into_iter().enumerate().map(|(place, unbounded)| {
        let operator = if unbounded { ">=" } else { "=" };
        format!("{} {operator} {}", net.places[place], net.initial[place])
    })
}

/// Whether a transition moves tokens in a way that mist has no words for.
fn is_unknown_to_mist(transition: &NetTransition) -> bool {
    transition.moves.iter().any(|(source, destinations)| {
        destinations.is_empty() || transition.post.iter().any(|&(place, _)| place == *source)
    })
}

fn at_least(net: &NetView, place: usize, count: u32) -> String {
    format!("{} >= {count}", net.places[place])
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

struct Printer<'a> {
    net: &'a NetView,
    text: &'a mut String,
    /// The places whose tokens go to each place; empty between transitions.
    receives: Vec<Vec<usize>>,
}

impl Printer<'_> {
    fn transition(&mut self, transition: &NetTransition) -> Result<(), Diagnostic> {
        let net = self.net;
        if let Some((source, _)) = transition.moves.iter().find(|(_, destinations)| destinations.len() > 1) {
            return Err(Diagnostic::error(
                "E0330",
                format!("`.spec` cannot express rule `{}`", transition.name),
            )
            .note(format!("each token of `{}` chooses between several places", net.places[*source]))
            .hint("`.tts` can express such a broadcast"));
        }
        let guards = join(transition.pre.iter().map(|&(place, count)| at_least(net, place, count)));
        let guards = if guards.is_empty() { "true".to_owned() } else { guards };
        let assignments = join(self.assignments(transition).into_iter());
        push(self.text, format_args!("  {guards} -> {assignments};\n"));
        Ok(())
    }

    fn assignments(&mut self, transition: &NetTransition) -> Vec<String> {
        let mut places: Vec<usize> =
            transition.pre.iter().chain(&transition.post).map(|&(place, _)| place).collect();
        places.extend(transition.moves.iter().flat_map(|(s, d)| d.iter().chain([s])));
        places.sort_unstable();
        places.dedup();
        for &place in &places {
            let step = transition.moves.iter().find(|(source, _)| *source == place);
            match step {
                None => self.receives[place].push(place),
                Some((_, destinations)) => {
                    destinations.iter().for_each(|&destination| self.receives[destination].push(place));
                }
            }
        }
        places.iter().filter_map(|&place| self.assignment(transition, place)).collect()
    }

    /// The assignment to a place, if it changes.
    fn assignment(&mut self, transition: &NetTransition, place: usize) -> Option<String> {
        let mut sources = std::mem::take(&mut self.receives[place]);
        // The usual order: the own variable first.
        sources.sort_by_key(|&source| source != place);
        let supplied: i64 = sources.iter().map(|&source| count(&transition.pre, source)).sum();
        let constant = count(&transition.post, place) - supplied;
        let name = &self.net.places[place];
        let sum: Vec<&str> = sources.iter().map(|&source| self.net.places[source].as_str()).collect();
        match (sum.is_empty(), constant) {
            (true, _) => Some(format!("{name}' = {constant}")),
            (false, 0) if sources == [place] => None,
            (false, 0) => Some(format!("{name}' = {}", sum.join(" + "))),
            (false, _) => {
                let operator = if constant < 0 { '-' } else { '+' };
                Some(format!("{name}' = {} {operator} {}", sum.join(" + "), constant.unsigned_abs()))
            }
        }
    }
}

fn count(tokens: &[(usize, u32)], place: usize) -> i64 {
    tokens.iter().find(|&&(other, _)| other == place).map_or(0, |&(_, count)| i64::from(count))
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string succeeds");
}
