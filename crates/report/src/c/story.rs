//! An interleaving of a C program as a story, and a proof by lines: for pages and for other tools.

use super::follow::{Row, follow};
use super::happen::Note;
use super::outline::outline;
use super::text::{statement, why};
use super::{CCase, facts, invariant_of, naming, values};
use crate::story::{Place, Step, Story};
use std::collections::BTreeMap;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_cfa::flow::{Program, SiteId, VariableId};

/// What happens in the interleaving of a document, if it has one.
pub(crate) fn story(case: CCase<'_>, document: &EvidenceDocument) -> Option<Story> {
    let Body::Interleaving(interleaving) = &document.body else { return None };
    let program = case.program;
    let followed = follow(program, interleaving)?;
    let outline = outline(program, &followed, false);
    let steps = outline.rows.iter().enumerate().map(|(index, row)| step(program, index, row)).collect();
    let name = |(place, function): (usize, &String)| format!("{} {function}", place + 1);
    let threads = followed.threads.iter().enumerate().map(name).collect();
    let kind = followed.failure.map(|(_, property)| program.properties[property.index()].kind.word());
    let kind = kind.unwrap_or_default().to_owned();
    let at = followed.failure.map(|(_, property)| place(program, program.properties[property.index()].site));
    Some(Story { threads, steps, why: why(program, &followed), at, kind })
}

fn step(program: &Program, index: usize, row: &Row) -> Step {
    let (reads, notes) = row.spoken();
    let what = std::iter::once(reads).chain(notes).filter(|part| !part.is_empty());
    Step {
        number: index as u64 + 1,
        actor: (row.thread as usize).checked_sub(1),
        place: row.site.map(|site| place(program, site)),
        title: row.site.map(|site| statement(program, site)).unwrap_or_default(),
        what: what.collect::<Vec<_>>().join("; "),
        shared: named(program, &row.shared),
        own: named(program, &row.own),
        others: BTreeMap::new(),
        reaches: row
            .notes
            .iter()
            .flat_map(Note::reaches)
            .map(|(thread, starts)| (thread as usize - 1, starts))
            .collect(),
        fails: row.notes.contains(&Note::Fails),
    }
}

fn place(program: &Program, site: SiteId) -> Place {
    let site = program.site(site);
    Place {
        file: site.position.file.clone(),
        line: site.position.line,
        column: site.position.column,
        function: site.function.clone(),
    }
}

/// Values by the names of variables; those that the front end made up are left out.
fn named(program: &Program, values: &BTreeMap<(VariableId, usize), u128>) -> BTreeMap<String, String> {
    let told = values.iter().filter(|((id, _), _)| !program.variable(*id).is_ghost);
    let shown = told.map(|(&(id, element), &value)| {
        let variable = program.variable(id);
        let value = values::value(program, &variable.ty, variable.bits, value);
        (naming::scalar(program, id, element), value)
    });
    shown.collect()
}

/// What an invariant says at lines of the source: by file and line, what holds when a thread is there.
pub fn facts_by_line(case: CCase<'_>, document: &EvidenceDocument) -> BTreeMap<(String, u32), Vec<String>> {
    invariant_of(case.program, document)
        .map(|(prepared, invariant)| facts::by_line(&prepared, &invariant))
        .unwrap_or_default()
}

/// All sentences of an invariant; empty if the evidence is of another kind.
pub fn facts_in_words(case: CCase<'_>, document: &EvidenceDocument) -> Vec<String> {
    invariant_of(case.program, document)
        .map(|(prepared, invariant)| facts::sentences(&prepared, &invariant))
        .unwrap_or_default()
}
