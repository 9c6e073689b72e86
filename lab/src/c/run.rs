//! What the checker's machine computes: a program of one thread without arbitrary values, run to its end.

use super::random::Generated;
use std::collections::BTreeMap;
use std::path::Path;
use throng_cfa::flow::{LocationId, LocationKind, Nondet, NondetId, Program, VariableId};
use throng_cfa::trace::{Trace, TraceStep};
use throng_check::c::Machine;
use throng_input::flags::CFlags;

/// Steps after which a program of our own is said not to end, and one of another generator.
const MOST_STEPS: (usize, usize) = (200_000, 2_000_000);

/// What is said then.
pub const ENDLESS: &str = "it does not end soon";

/// Reads the text of a program; `Err` is what is said about it.
pub fn read(text: &str, directory: &Path, flags: &CFlags) -> Result<Program, String> {
    let file = directory.join("read.c");
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let read = flags.read(&[file], &[], None, false);
    read.map(|(program, _)| program)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// Runs a program and returns what the observed variables hold in the end; `Err` is what went wrong. Where the order of evaluation is
/// open, the first or the last is taken.
pub fn values(generated: &Generated, program: &Program, is_last: bool) -> Result<Vec<u64>, String> {
    let machine = run(program, is_last, MOST_STEPS.0)?;
    let mut found = BTreeMap::new();
    for id in (0..program.variables.len()).map(VariableId::new) {
        if let Some(value) = machine.shared(id).and_then(|scalars| scalars.first()) {
            found.insert(program.variable(id).name.as_str(), *value);
        }
    }
    let observe = |name: &String| {
        // What is never written is a constant, and no variable in the graph.
        let value = found.get(name.as_str()).copied().unwrap_or(0);
        u64::try_from(value).map_err(|_| format!("`{name}` holds {value}"))
    };
    generated.observed.iter().map(observe).collect()
}

/// Runs a program in two orders of evaluation and returns what a shared variable of this name holds in the end.
pub fn final_value(program: &Program, name: &str) -> Result<u128, String> {
    let mut found = Vec::new();
    for is_last in [false, true] {
        let machine = run(program, is_last, MOST_STEPS.1)?;
        let value = (0..program.variables.len()).map(VariableId::new).find_map(|id| {
            let is_meant = program.variable(id).name == name;
            machine.shared(id).filter(|_| is_meant).and_then(|scalars| scalars.first().copied())
        });
        found.push(value.ok_or_else(|| format!("there is no variable `{name}`"))?);
    }
    if found[0] == found[1] {
        Ok(found[0])
    } else {
        Err("two orders of evaluation give different values".to_owned())
    }
}

/// Runs the only thread to its end. Where the order of evaluation is open, several edges are possible, and the first or the last
/// is taken.
fn run(program: &Program, is_last: bool, most_steps: usize) -> Result<Machine<'_>, String> {
    let mut machine = Machine::new(program, &Trace::default()).map_err(|why| why.0)?;
    let mut step = TraceStep {
        thread: 1,
        edge: throng_cfa::flow::EdgeId::new(0),
        choices: Vec::new(),
        signalled: None,
        started: Vec::new(),
    };
    let all = |value: u128| {
        let masked = |(number, nondet): (usize, &Nondet)| {
            (NondetId::new(number), if nondet.bits < 128 { value & ((1 << nondet.bits) - 1) } else { value })
        };
        program.nondets.iter().enumerate().map(masked).collect::<Vec<_>>()
    };
    let choices = [Vec::new(), all(1), all(u128::MAX)];
    for _ in 0..most_steps {
        let location = machine.threads()[0].location;
        let place = program.location(location);
        // Where main returns, the run ends: an atomic location without edges.
        if place.kind == LocationKind::End || place.is_atomic && place.edges.1 == 0 {
            return Ok(machine);
        }
        if let LocationKind::Error(_) = place.kind {
            return Err(format!("something undefined happens at line {}", line(program, location)));
        }
        let mut edges: Vec<_> = program.edges_from(location).map(|(edge, _)| edge).collect();
        if is_last {
            edges.reverse();
        }
        // A step that is not possible changes nothing. The result of `memcmp` is arbitrary but for its sign.
        let mut why = String::new();
        let taken = choices.iter().any(|choices| {
            step.choices.clone_from(choices);
            edges.iter().any(|&edge| {
                step.edge = edge;
                machine.step(&step).map_err(|impossible| why = impossible.0).is_ok()
            })
        });
        if !taken {
            return Err(format!("no edge is possible at line {}: {why}", line(program, location)));
        }
    }
    Err(ENDLESS.to_owned())
}

fn line(program: &Program, location: LocationId) -> u32 {
    program.site(program.location(location).site).position.line
}
