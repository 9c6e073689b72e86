//! Printer of PNML, with the targets as an MCC property beside it.

use crate::net_view::{Alphabet, NetView, plain_net};
use crate::{Format, Printed, mcc};
use quick_xml::escape::escape;
use std::fmt::Write;
use throng_base::Diagnostic;
use throng_model::System;

/// XML has no control characters.
const ALPHABET: Alphabet = Alphabet {
    first: |_| true,
    rest: |c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'),
    reserved: &[],
    one_name_space: false,
};

/// Writes a net, with its targets as a companion `.xml`.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let (net, notes) = plain_net(system, Format::Pnml, &ALPHABET)?;
    let ids = Identifiers::of(&net);
    let companions = match net.targets.is_empty() {
        true => Vec::new(),
        false => vec![("xml", mcc::print(&net, |place| ids.place(place)))],
    };
    Ok(Printed { text: print_net(&net, &ids), companions, notes })
}

/// Identifiers `p0`, `t0` …, with a prefix such that no node is called like another one's identifier: readers
/// would have to choose what a formula means.
struct Identifiers {
    place_prefix: String,
    transition_prefix: String,
}

impl Identifiers {
    fn of(net: &NetView) -> Self {
        let free_prefix = |letter: &str| {
            let mut prefix = letter.to_owned();
            let names = || net.places.iter().chain(net.transitions.iter().map(|transition| &transition.name));
            let is_numbered = |name: &str, prefix: &str| {
                name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
            };
            while names().any(|name| is_numbered(name, &prefix)) {
                prefix.push('_');
            }
            prefix
        };
        Self { place_prefix: free_prefix("p"), transition_prefix: free_prefix("t") }
    }

    fn place(&self, place: usize) -> String {
        format!("{}{place}", self.place_prefix)
    }

    fn transition(&self, transition: usize) -> String {
        format!("{}{transition}", self.transition_prefix)
    }
}

fn print_net(net: &NetView, ids: &Identifiers) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n<page id=\"page\">\n",
    );
    for (place, (name, &count)) in net.places.iter().zip(&net.initial).enumerate() {
        let _ = write!(
            text,
            "<place id=\"{}\"><name><text>{}</text></name>",
            ids.place(place),
            escape(&name[..])
        );
        if count > 0 {
            let _ = write!(text, "<initialMarking><text>{count}</text></initialMarking>");
        }
        text += "</place>\n";
    }
    for (index, transition) in net.transitions.iter().enumerate() {
        let id = ids.transition(index);
        let name = escape(&transition.name[..]);
        let _ = writeln!(text, "<transition id=\"{id}\"><name><text>{name}</text></name></transition>");
    }
    let mut n_arcs = 0;
    for (index, transition) in net.transitions.iter().enumerate() {
        let id = ids.transition(index);
        let inputs = transition.pre.iter().map(|&(place, weight)| (ids.place(place), id.clone(), weight));
        let outputs = transition.post.iter().map(|&(place, weight)| (id.clone(), ids.place(place), weight));
        for (source, target, weight) in inputs.chain(outputs) {
            let _ = write!(text, "<arc id=\"a{n_arcs}\" source=\"{source}\" target=\"{target}\">");
            if weight != 1 {
                let _ = write!(text, "<inscription><text>{weight}</text></inscription>");
            }
            text += "</arc>\n";
            n_arcs += 1;
        }
    }
    text += "</page>\n</net>\n</pnml>\n";
    text
}
