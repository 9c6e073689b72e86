//! `throng cover`: everything that can be covered.
//!
//! That a complete set contains everything reachable is checked like any cover set, by the independent checker, about
//! the input without its targets. That all of the set can be covered rests on the engine.

use crate::asked::Asked;
use crate::console::Colour;
use crate::exit::Exit;
use crate::flags::{CoverFlags, CoverFormat};
use crate::memory;
use crate::reading::{self, Printed};
use crate::supervise::Board;
use std::time::Instant;
use throng::{Covered, Error};
use throng_base::Budget;
use throng_formats::Input;
use throng_input::flags::{ProgramFlags, QuestionFlags};
use throng_report::cover::{self, CoverResult};
use throng_report::survey::{Completeness, Survey};
use throng_report::{Cost, dot};

/// What the worker does besides reading.
struct Task {
    file: String,
    threads: Option<u32>,
    format: CoverFormat,
    check: bool,
    verbose: bool,
    started: Instant,
}

/// Runs the command.
pub(crate) fn run(flags: &CoverFlags, colour: Colour) -> Exit {
    let task = Task {
        file: flags.input.display().to_string(),
        threads: flags.start.threads,
        format: flags.format,
        check: !flags.no_check,
        verbose: flags.verbose,
        started: Instant::now(),
    };
    let asked = Asked {
        file: flags.input.clone(),
        question: QuestionFlags { start: flags.start.clone(), ..QuestionFlags::default() },
        program: ProgramFlags {
            init_threads: flags.init_threads,
            init_values: flags.init_values,
            ..ProgramFlags::default()
        },
        without_targets: true,
        takes_c: true,
        ..Asked::default()
    };
    let printed = reading::with_input(asked, &flags.limits, colour, move |input, budget, board| {
        task.work(input, budget, board)
    });
    reading::show(printed, flags.verbose)
}

impl Task {
    fn work(&self, input: &Input, budget: &Budget, board: &Board) -> Result<Printed, Error> {
        let Covered { elements, ending, statistics } =
            throng::cover_system(&input.system, self.check, budget, board)?;
        let cost = Cost { elapsed: self.started.elapsed(), memory: memory::used() };
        let (completeness, exit) = match &ending {
            Ok(()) => (Completeness::Complete { checked: self.check, unshown: 0 }, Exit::Success),
            Err(reason) => (Completeness::Unknown { reason, phase: board.phase() }, Exit::Unknown),
        };
        let survey = Survey {
            file: &self.file,
            format: input.format.extension(),
            threads: self.threads,
            subject: &input.system,
            completeness,
            warnings: &input.warnings,
            cost: self.verbose.then_some(cost),
        };
        let result = CoverResult { survey, elements: &elements, statistics: &statistics };
        let text = match self.format {
            CoverFormat::Text => cover::render(&result, self.verbose),
            CoverFormat::Json => cover::render_json(&result),
            CoverFormat::Dot => dot::coverability_set(&input.system, &elements, ending.is_ok()),
        };
        Ok(Printed { text, cost, exit })
    }
}
