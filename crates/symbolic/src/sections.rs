//! Atomic sections that a backward search need not walk through.
//!
//! Whatever holds may hold because somebody has just left an atomic section, so every configuration outside of sections has
//! predecessors inside: one more thread, at the section's end. While a section is open nobody else acts. So if nothing in
//! the section can change what the configuration says about shared variables, and nothing starts or changes threads,
//! then going back through it leads to the configuration with one more thread before the section, which is above it.
//! A search leaves such sections out. So do proofs: the checker knows that the configuration with the section open and one
//! more thread anywhere in it is excluded as well, and why.

use crate::images::Images;
use crate::relation::Owner;
use crate::rules::bits;
use throng_boolprog::Cube;
use throng_boolprog::flow::{Effect, Program};

/// The ways out of atomic sections, with what lies before them.
#[derive(Debug)]
pub(crate) struct Sections {
    /// By edge, if it leaves a section.
    exits: Vec<Option<Exit>>,
}

/// A way out of a section.
#[derive(Debug)]
struct Exit {
    /// The shared variables that are assigned on the way; `None` if threads may be started or changed.
    assigned: Option<Vec<u32>>,
}

impl Sections {
    pub(crate) fn new(program: &Program, images: &[Images]) -> Self {
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); program.locations().len()];
        for (number, edge) in (0_u32..).zip(program.edges()) {
            if let Some(to) = edge.to {
                incoming[to.index()].push(number);
            }
        }
        let exit = |(number, &edge): (u32, &throng_boolprog::flow::Edge)| {
            (bits(program, edge) == (true, false)).then(|| {
                let mut exit = Exit { assigned: Some(Vec::new()) };
                exit.follow(program, images, number);
                // From where, inside of the section, threads may come to this exit.
                let (mut inside, mut next) = (vec![edge.from], 0);
                while let Some(&location) = inside.get(next) {
                    next += 1;
                    for &number in &incoming[location.index()] {
                        exit.follow(program, images, number);
                        let from = program.edges()[number as usize].from;
                        if program.location(from).is_atomic && !inside.contains(&from) {
                            inside.push(from);
                        }
                    }
                }
                exit
            })
        };
        Self { exits: (0_u32..).zip(program.edges()).map(exit).collect() }
    }

    /// No section is left out.
    pub(crate) fn none(program: &Program) -> Self {
        Self { exits: program.edges().iter().map(|_| None).collect() }
    }

    /// Whether nothing before an exit can matter to what is said about shared variables.
    pub(crate) fn is_idle(&self, edge: u32, shared: &Cube) -> bool {
        self.exits[edge as usize].as_ref().is_some_and(|exit| exit.is_idle(shared))
    }
}

impl Exit {
    /// Takes note of an edge on the way.
    fn follow(&mut self, program: &Program, images: &[Images], number: u32) {
        let relation = &images[number as usize].relation;
        let starts = matches!(program.edges()[number as usize].effect, Effect::Start { .. });
        if starts || relation.passive.is_some() {
            self.assigned = None;
        }
        if let Some(assigned) = &mut self.assigned {
            assigned.extend(relation.assigned(Owner::Shared));
        }
    }

    fn is_idle(&self, shared: &Cube) -> bool {
        self.assigned.as_ref().is_some_and(|it| it.iter().all(|&variable| shared.get(variable).is_none()))
    }
}
