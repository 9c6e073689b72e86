//! Why a program is safe: the elements of a proof or of a cover set, in words of the program.

use super::text::safe_head;
use super::words::{ProgramWords, Thread};
use crate::words::counted;
use std::collections::BTreeMap;
use throng_boolprog::Pattern;
use throng_boolprog::flow::LocationId;
use throng_cert::document::{Configuration, CoverSet, Proof};
use throng_cert::{Count, State};

/// Elements that are listed unless everything is asked for.
const LIMIT: usize = 15;
/// Lines of a cover set that are shown unless everything is asked for.
const LINES: usize = 30;

/// The most threads of an element, ω not counted.
pub(crate) fn largest(elements: &[Configuration]) -> Option<u64> {
    let finite = |(_, count): &(State, Count)| match count {
        Count::Finite(count) => *count,
        Count::Omega => 0,
    };
    elements.iter().map(|element| element.threads.iter().map(finite).fold(0, u64::saturating_add)).max()
}

/// A proof by what cannot be reached.
pub(super) fn proof_text(words: &ProgramWords<'_>, proof: &Proof, everything: bool) -> String {
    let mut size = counted(proof.elements.len() as u64, "pattern");
    if let Some(largest) = largest(&proof.elements) {
        let bound = if proof.elements.len() == 1 { "of" } else { "of at most" };
        size.push_str(&format!(" {bound} {}", counted(largest, "thread")));
    }
    for (count, noun) in [(proof.cuts.len(), "cut"), (proof.traps.len(), "trap")] {
        if count > 0 {
            size.push_str(&format!(", {}", counted(count as u64, noun)));
        }
    }
    let shown = if everything { usize::MAX } else { LIMIT };
    let mut text = format!(
        "{}\nThe proof lists {size} that no configuration fits; what a pattern does not mention is arbitrary.\n",
        safe_head(words)
    );
    for element in proof.elements.iter().take(shown) {
        text.push_str(&format!("  never: {}\n", element_text(words, element)));
    }
    text.push_str(&more(proof.elements.len(), shown));
    text.push_str(
        "* What is bad fits a listed pattern.\n\
         * Every step into what fits one starts from what fits one.\n\
         * No start fits one. So nothing bad is ever reached.\n",
    );
    text.push_str(&through_text(&proof.through));
    text
}

fn more(count: usize, shown: usize) -> String {
    if count > shown { format!("  … ({} more; -v shows all)\n", count - shown) } else { String::new() }
}

/// An element of a proof as a pattern; what cannot be read as one is shown as it stands.
fn element_text(words: &ProgramWords<'_>, element: &Configuration) -> String {
    let Some((shared, threads)) = words.configuration(element) else {
        return "(not a pattern of this program)".to_owned();
    };
    let threads = threads.into_iter().flat_map(|(thread, count)| {
        let count = if let Count::Finite(count) = count { count } else { 1 };
        std::iter::repeat_n(thread, usize::try_from(count).unwrap_or(usize::MAX).min(LIMIT))
    });
    words.pattern(&Pattern { shared, threads: threads.collect() })
}

/// What is to be said about locations that threads only pass through.
fn through_text(through: &[String]) -> String {
    match through.len() {
        0 => String::new(),
        1 => "Threads only pass through 1 location: the list speaks about them after that step.\n".to_owned(),
        count => format!(
            "Threads only pass through {count} locations: the list speaks about them after these steps.\n"
        ),
    }
}

/// A proof by everything that can be reached.
pub(super) fn cover_text(words: &ProgramWords<'_>, cover: &CoverSet, everything: bool) -> String {
    let shown = if everything { usize::MAX } else { LIMIT };
    let configurations = counted(cover.elements.len() as u64, "configuration");
    let contain = if cover.elements.len() == 1 { "contains" } else { "contain" };
    let mut text = format!(
        "{}\nThe proof lists {configurations} that {contain} everything that can be reached.\n",
        safe_head(words)
    );
    let (mut lines, mut listed) = (0, 0);
    for element in &cover.elements {
        let element = cover_element(words, element, shown);
        lines += element.lines().count();
        if listed > 0 && lines > LINES && !everything {
            break;
        }
        listed += 1;
        text.push_str(&element);
    }
    text.push_str(&more(cover.elements.len(), listed));
    text.push_str(
        "* Every start is contained in a listed one.\n\
         * Every step from what is contained in one leads to what is contained in one.\n\
         * None contains what is bad. So nothing bad is ever reached.\n",
    );
    text.push_str(&through_text(&cover.through));
    text
}

/// An element of a cover set: how many threads can be at each location, and with which values.
fn cover_element(words: &ProgramWords<'_>, element: &Configuration, shown: usize) -> String {
    let Some((shared, threads)) = words.configuration(element) else {
        return "  (not a configuration of this program)\n".to_owned();
    };
    let circumstances = words.circumstances(&shared);
    let circumstances = if circumstances.is_empty() { " at any time" } else { &circumstances };
    let mut text = format!(" {circumstances}\n");
    let mut by_location: BTreeMap<LocationId, (Count, Vec<Thread>)> = BTreeMap::new();
    for (thread, count) in threads {
        let (sum, kinds) = by_location.entry(thread.location).or_insert((Count::Finite(0), Vec::new()));
        *sum = match (*sum, count) {
            (Count::Finite(sum), Count::Finite(count)) => Count::Finite(sum.saturating_add(count)),
            _ => Count::Omega,
        };
        kinds.push(thread);
    }
    let n_locations = by_location.len();
    let mut by_location: Vec<_> = by_location.into_iter().collect();
    by_location.sort_by_key(|&(location, _)| (words.line(location), location));
    for (location, (count, kinds)) in by_location.into_iter().take(shown) {
        let who = match count {
            Count::Finite(count) => format!("at most {}", counted(count, "thread")),
            Count::Omega => "any number".to_owned(),
        };
        let values: Vec<String> = kinds.iter().map(|kind| words.local_values(&kind.locals)).collect();
        let values: Vec<&str> =
            values.iter().take(shown).map(String::as_str).filter(|values| !values.is_empty()).collect();
        let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(" or ")) };
        text.push_str(&format!("    {who} at {}{with}\n", words.place(location)));
    }
    if n_locations > shown {
        text.push_str(&format!("    … ({} more; -v shows all)\n", n_locations - shown));
    }
    text
}
