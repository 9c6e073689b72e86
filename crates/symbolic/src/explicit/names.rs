//! Names of the states of an explicit system.

use super::fixpoint::Reached;
use super::{Bits, Local, Outline, Shared};
use throng_boolprog::flow::VariableId;
use throng_model::names::NameTable;

/// The names of shared and of local states, in their order.
pub(super) fn names(outline: &Outline<'_>, reached: &Reached) -> (NameTable, NameTable) {
    let mut shared = NameTable::default();
    for &state in &reached.shared.all {
        shared.insert(&shared_name(outline, reached, state));
    }
    let mut locals = NameTable::default();
    for &state in &reached.locals.all {
        locals.insert(&local_name(outline, state));
    }
    (shared, locals)
}

/// `s=1 t=0`, with `(atomic)` behind it, and who is to come.
fn shared_name(outline: &Outline<'_>, reached: &Reached, state: Shared) -> String {
    match state {
        Shared::Start => "start".to_owned(),
        Shared::Bad => "bad".to_owned(),
        Shared::Found { target, count } => format!("target {} found {count}", target + 1),
        Shared::At { bits, is_atomic } => {
            let count = outline.program.shared().len() as u32;
            let values = (0..count).map(|index| value(outline, VariableId::Shared(index), bits, Bits::MAX));
            let mut values: Vec<String> = values.collect();
            values.extend(is_atomic.then(|| "(atomic)".to_owned()));
            if values.is_empty() { "run".to_owned() } else { values.join(" ") }
        }
        Shared::Starting { bits, is_atomic, child } => {
            let now = shared_name(outline, reached, Shared::At { bits, is_atomic });
            format!("{now} starting {}", local_name(outline, reached.locals.get(child)))
        }
    }
}

/// `main:3 x=1 y=*`, where `*` is not chosen yet.
fn local_name(outline: &Outline<'_>, state: Local) -> String {
    let Local::At { location, bits, known } = state else { return "gone".to_owned() };
    let kept = outline.kept[location.index()];
    let variables = (0..outline.program.locals().len() as u32).filter(|index| kept >> index & 1 == 1);
    let values = variables.map(|index| value(outline, VariableId::Local(index), bits, known));
    let place = outline.program.location_text(location);
    std::iter::once(place).chain(values).collect::<Vec<String>>().join(" ")
}

fn value(outline: &Outline<'_>, id: VariableId, bits: Bits, known: Bits) -> String {
    let (VariableId::Shared(index) | VariableId::Local(index)) = id;
    let value = match (known >> index & 1, bits >> index & 1) {
        (0, _) => "*",
        (_, 0) => "0",
        _ => "1",
    };
    format!("{}={value}", outline.program.variable_text(id))
}
