//! `throng reach` and `throng cutoff`: which thread states can be reached, and with how many threads.
//!
//! The library does the work (`throng::thread_states`); here it is shown.

mod compare;
mod program;

use crate::asked::Asked;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CutoffFlags, OutputFormat, ReachFlags, ThreadStateFlags};
use crate::reading::{self, Printed};
use crate::supervise::Board;
use crate::{check, memory};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;
use throng::Error;
use throng::thread_states::{Found, Search, Trouble};
use throng_base::{Budget, StopReason};
use throng_input::Input;
use throng_input::flags::{ProgramFlags, QuestionFlags};
use throng_report::survey::{Completeness, Survey};
use throng_report::text::TextOptions;
use throng_report::thread_states as show;
use throng_report::{Cost, Phase};
use throng_symbolic::thread_states::{Needy, Window};

/// Runs `throng reach`.
pub(crate) fn reach(flags: &ReachFlags, colour: Colour) -> Exit {
    run(&flags.common, Wanted::Reach, colour)
}

/// Runs `throng cutoff`.
pub(crate) fn cutoff(flags: &CutoffFlags, colour: Colour) -> Exit {
    run(&flags.common, if flags.compare { Wanted::Comparison } else { Wanted::Cutoffs }, colour)
}

/// What is to be found out besides what is reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Reach,
    Cutoffs,
    Comparison,
}

/// What the worker does besides reading.
struct Task {
    file: String,
    threads: Option<u32>,
    wanted: Wanted,
    check: bool,
    format: OutputFormat,
    options: TextOptions,
    started: Instant,
    /// What is known about a program while the work goes on.
    window: OnceLock<Window>,
    /// So many threads are known not to reach everything.
    not_enough: AtomicU64,
    /// The reachability cutoff of a program, which is known before the other one, and what needs so many threads.
    reachability: OnceLock<(u64, Option<Needy>)>,
    /// What a comparison has measured so far.
    measured: Mutex<compare::Found>,
}

impl Task {
    fn not_enough(&self) -> u64 {
        self.not_enough.load(Ordering::Relaxed)
    }

    /// So many threads do not reach everything.
    fn note(&self, threads: u64) {
        self.not_enough.fetch_max(threads, Ordering::Relaxed);
    }
}

fn run(flags: &ThreadStateFlags, wanted: Wanted, colour: Colour) -> Exit {
    let task = Task {
        file: flags.input.display().to_string(),
        threads: flags.start.threads,
        wanted,
        check: !flags.no_check,
        format: flags.format,
        options: TextOptions { width: console::width(), verbose: flags.verbose },
        started: Instant::now(),
        window: OnceLock::new(),
        not_enough: AtomicU64::new(0),
        reachability: OnceLock::new(),
        measured: Mutex::default(),
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
        ..Asked::default()
    };
    if asked.question.start.is_c(&asked.file)
        && let Err(error) = asked.any_number()
    {
        return check::fail(&error, false, colour);
    }
    let task = Arc::new(task);
    let work = {
        let task = Arc::clone(&task);
        move |input: &Input, budget: &Budget, board: &Board| match input {
            Input::System(input) if wanted == Wanted::Comparison => {
                compare::system(&task, input, budget, board)
            }
            Input::Program(input) if wanted == Wanted::Comparison => {
                compare::program(&task, input, budget, board)
            }
            Input::System(input) => task.work(input, budget, board),
            Input::Program(input) => program::work(&task, input, budget, board),
            Input::C(input) => {
                let input = throng::c::system_of_c(input, task.check, budget)?;
                match wanted {
                    Wanted::Comparison => compare::system(&task, &input, budget, board),
                    Wanted::Reach | Wanted::Cutoffs => task.work(&input, budget, board),
                }
            }
        }
    };
    let rescue = |input: &Input, reason: StopReason, phase: Phase| match input {
        Input::Program(input) if wanted != Wanted::Comparison => program::rescue(&task, input, reason, phase),
        Input::Program(_) | Input::System(_) if wanted == Wanted::Comparison => {
            compare::rescue(&task, input, reason, phase)
        }
        Input::Program(_) | Input::System(_) | Input::C(_) => None,
    };
    let printed = reading::with_any_input_or(asked, &flags.limits, colour, work, rescue);
    reading::show(printed, flags.verbose)
}

impl Task {
    fn work(&self, input: &throng_formats::Input, budget: &Budget, board: &Board) -> Result<Printed, Error> {
        let mut search = Search::new(&input.system, self.check, budget, board)?;
        let surveyed = search.survey().and_then(|()| match self.wanted {
            Wanted::Cutoffs => search.find_cutoffs(&mut |threads| self.note(threads)),
            Wanted::Reach | Wanted::Comparison => Ok(()),
        });
        let ending = match surveyed {
            Ok(()) => Ok(()),
            Err(Trouble::Unknown(reason)) => Err(reason),
            Err(Trouble::Error(failure)) => return Err(failure),
        };
        let cost = Cost { elapsed: self.started.elapsed(), memory: memory::used() };
        let (completeness, exit) = match &ending {
            Ok(()) => {
                let unshown = search.found.unshown.len();
                (Completeness::Complete { checked: self.check, unshown }, Exit::Success)
            }
            Err(reason) => (Completeness::Unknown { reason, phase: board.phase() }, Exit::Unknown),
        };
        let text = self.render(input, &search.found, completeness, cost);
        Ok(Printed { text, cost, exit })
    }

    fn render(
        &self,
        input: &throng_formats::Input,
        found: &Found,
        completeness: Completeness<'_>,
        cost: Cost,
    ) -> String {
        let survey = Survey {
            file: &self.file,
            format: input.format.extension(),
            threads: self.threads,
            subject: &input.system,
            completeness,
            warnings: &input.warnings,
            cost: self.options.verbose.then_some(cost),
        };
        let reach = show::ReachResult { survey, reachable: &found.reachable };
        let (cutoffs, layers) = (found.cutoffs.as_ref(), &*found.layers);
        let (reachability, not_enough) = (found.reachability, self.not_enough());
        let cutoff = show::CutoffResult { reach, reachability, not_enough, cutoffs, layers };
        match (self.wanted, self.format) {
            (Wanted::Reach, OutputFormat::Text) => show::render_reach(&reach, self.options.verbose),
            (Wanted::Reach, OutputFormat::Json) => show::render_reach_json(&reach),
            (_, OutputFormat::Text) => show::render_cutoff(&cutoff, self.options),
            (_, OutputFormat::Json) => show::render_cutoff_json(&cutoff),
        }
    }
}
