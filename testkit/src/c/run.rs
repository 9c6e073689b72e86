//! What the checker's machine computes: a program of one thread without arbitrary values, run to its end.

use super::random::Generated;
use std::path::Path;
use throng_check::c::Machine;
use throng_check::flags::CFlags;
use throng_cprog::flow::{LocationKind, Program, VariableId};
use throng_cprog::trace::{Trace, TraceStep};

/// Steps after which a program is said not to end.
const MOST_STEPS: usize = 200_000;

/// What is said then.
pub const ENDLESS: &str = "it does not end soon";

/// Reads a program, runs it, and returns the bits of what is observed with their number; `Err` is what went wrong.
pub fn values(generated: &Generated, directory: &Path, flags: &CFlags) -> Result<Vec<(u128, u32)>, String> {
    let file = directory.join("read.c");
    std::fs::write(&file, &generated.text).map_err(|error| error.to_string())?;
    let (program, _) = flags
        .read(&[file], &[], None, false)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let machine = run(&program, false)?;
    let observe = |(_, name, element): &(String, String, usize)| {
        let found = (0..program.variables.len()).map(VariableId::new).find(|&id| {
            let variable = program.variable(id);
            variable.name == *name && machine.shared(id).is_some() && variable.function.is_none()
        });
        let id = found.ok_or_else(|| format!("there is no variable `{name}`"))?;
        let value = machine.shared(id).and_then(|scalars| scalars.get(*element)).copied();
        let value = value.ok_or_else(|| format!("`{name}` has no scalar {element}"))?;
        Ok((value, program.variable(id).bits))
    };
    generated.observed.iter().map(observe).collect()
}

/// Runs a program in two orders of evaluation and returns what a shared variable of this name holds in the end.
pub fn final_value(program: &Program, name: &str) -> Result<u128, String> {
    let mut found = Vec::new();
    for is_last in [false, true] {
        let machine = run(program, is_last)?;
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
fn run(program: &Program, is_last: bool) -> Result<Machine<'_>, String> {
    let mut machine = Machine::new(program, &Trace::default()).map_err(|why| why.0)?;
    for _ in 0..MOST_STEPS {
        let location = machine.threads()[0].location;
        let place = program.location(location);
        // Where main returns, the run ends: an atomic location without edges.
        if place.kind == LocationKind::End || place.is_atomic && place.edges.1 == 0 {
            return Ok(machine);
        }
        let step_along =
            |edge| TraceStep { thread: 1, edge, choices: Vec::new(), signalled: None, started: Vec::new() };
        if let (first, 1) = place.edges {
            let failed = |why: throng_check::c::Impossible| {
                format!("no edge is possible at line {}: {}", line(program, location), why.0)
            };
            machine.step(&step_along(first)).map_err(failed)?;
            continue;
        }
        let mut next = None;
        for (edge, _) in program.edges_from(location) {
            let step = step_along(edge);
            let mut after = machine.clone();
            if after.step(&step).is_ok() {
                if next.is_some() && !is_last {
                    continue;
                }
                next = Some(after);
            }
        }
        machine = next.ok_or_else(|| format!("no edge is possible at line {}", line(program, location)))?;
    }
    Err(ENDLESS.to_owned())
}

fn line(program: &Program, location: throng_cprog::flow::LocationId) -> u32 {
    program.site(program.location(location).site).position.line
}
