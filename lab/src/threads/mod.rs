//! Random multi-threaded C programs with small data, what trying everything says about them, and a comparison with what
//! provers and searches say.
//!
//! * `idioms`, `protocols`, `memory` and `library` draw programs that keep to an idiom, `maker` puts them together, [`mutate`] breaks some.
//! * [`syntax`] has them as trees and as text.
//! * [`explore`] tries everything with few threads; [`described`] does so to judge invariants.
//! * [`compare`] compares with a prover, and makes programs small about which they disagree; [`provers`] has the tool's.
//!
//! The binary `random-threads` does that for many programs:
//!
//! ```text
//! cargo run --release -p throng-lab -- random-threads --count 2000
//! ```

pub mod compare;
pub mod described;
mod evaluate;
pub mod explore;
pub mod fixed;
mod idioms;
mod library;
mod maker;
mod memory;
pub mod mutate;
mod protocols;
pub mod provers;
pub mod real;
mod relevant;
pub mod syntax;

use crate::choices::Choices;
use maker::{Maker, Role};
use syntax::ThreadProgram;
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;

/// The program of a seed: one idiom or two, in most cases with a mistake or two.
pub fn from_seed(seed: u64) -> ThreadProgram {
    let mut maker = Maker::new(seed);
    let mut roles = maker.idiom();
    if maker.random.chance(15) && !maker.is_once {
        let more = maker.idiom();
        // A label may be only once in a function.
        if !(has_labels(&roles) && has_labels(&more)) {
            roles.extend(more.into_iter().take(1));
        }
    }
    let (mut program, mut random) = maker.program(roles);
    let wanted = match random.below(100) {
        0..25 => 0,
        25..60 => 1,
        60..85 => 2,
        _ => 3,
    };
    let mut n_mutations = 0;
    for _ in 0..20 {
        if n_mutations == wanted {
            break;
        }
        n_mutations += usize::from(mutate::mutate(&mut program, &mut random));
    }
    program
}

fn has_labels(roles: &[Role]) -> bool {
    roles.iter().flat_map(|role| &role.body).any(mutate::has_label)
}

/// The control-flow graphs of a program; `Err` is why it is refused.
pub fn read(program: &ThreadProgram, options: &Options) -> Result<Program, String> {
    let read = read_text("random.i", &program.text(), &Preprocessing::default(), options);
    read.map(|(program, _)| program)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
