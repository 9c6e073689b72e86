//! `throng reach` and `throng cutoff`: which thread states can be reached, and with how many threads.
//!
//! What may be reached thread by thread is a superset, and what a few threads reach a subset. Of what lies between, nothing is
//! reached that the coverability set does not contain, if that is found soon. For the rest an engine is asked, for all of it at
//! once: either nothing of it is coverable, or the trace to one of them shows what is reached, and the rest is asked for
//! again. The checker looks at the superset and at the coverability set, as cover sets, at each answer, and at the runs
//! that reach what is reached, as a forest.

mod compare;
mod program;

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CutoffFlags, OutputFormat, ReachFlags, ThreadStateFlags};
use crate::input::{Asked, Input};
use crate::reading::{self, Printed};
use crate::supervise::{Board, Failure};
use crate::{check, memory, reduced};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;
use throng_base::{Budget, Diagnostic, StopReason};
use throng_cert::{CoverSet, Evidence, EvidenceDocument, Forest, Header, Trace};
use throng_check::flags::{ProgramFlags, QuestionFlags};
use throng_check::{Condition, Rejection};
use throng_engine::mincov::coverability_set;
use throng_engine::thread_states::{self, Cutoffs, Layer, Pace, ThreadState};
use throng_engine::{EngineKind, Observer, Options, Progress, UnknownReason, karp_miller};
use throng_model::{Config, System};
use throng_reduce::Strength;
use throng_report::survey::{Completeness, Survey};
use throng_report::text::TextOptions;
use throng_report::thread_states as show;
use throng_report::{Cost, Phase};
use throng_symbolic::thread_states::{Needy, Window};

/// With so many threads what is reached is explored before an engine is asked about the rest.
const FEW_THREADS: u64 = 3;
/// And no more configurations than this.
const FEW_CONFIGS: usize = 1 << 16;
/// So many successors may be computed for the coverability set, which need not be finite where rules move passive threads.
const MOST_SUCCESSORS: u64 = 1 << 22;

/// And so many for runs to what it shows.
const FEW_SUCCESSORS: u64 = 1 << 16;
/// Those have so many steps together.
const MOST_BRANCHES: usize = 1 << 17;

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

/// What was found out.
#[derive(Default)]
struct Found {
    reachable: BTreeSet<ThreadState>,
    /// Of that, what is reached by the word of the coverability set, and no run shows it.
    unshown: BTreeSet<ThreadState>,
    layers: Vec<Layer>,
    /// The reachability cutoff, which is known before the other one.
    reachability: Option<u64>,
    cutoffs: Option<Cutoffs>,
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
    if asked.question.start.is_c(&asked.file) {
        let error = Diagnostic::error("E0902", "thread states of C programs cannot be listed")
            .note("`throng check` and `throng graph` read C programs");
        return check::fail(&Failure::Refused(vec![error]), false, colour);
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
            Input::C(_) => Err(Failure::Internal("a C program where another input was read".to_owned())),
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

/// Why a survey is not complete.
enum Trouble {
    /// A limit, or something too large.
    Unknown(UnknownReason),
    /// A bug of ours, or an input that is not for this.
    Failure(Failure),
}

impl From<UnknownReason> for Trouble {
    fn from(reason: UnknownReason) -> Self {
        Trouble::Unknown(reason)
    }
}

impl Task {
    fn work(
        &self,
        input: &throng_formats::Input,
        budget: &Budget,
        board: &Board,
    ) -> Result<Printed, Failure> {
        let mut search = Search::new(self, input, budget, board)?;
        let ending = match search.run(self.wanted == Wanted::Cutoffs) {
            Ok(()) => Ok(()),
            Err(Trouble::Unknown(reason)) => Err(reason),
            Err(Trouble::Failure(failure)) => return Err(failure),
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

/// The survey at work.
struct Search<'a> {
    task: &'a Task,
    system: &'a System,
    budget: &'a Budget,
    board: &'a Board,
    found: Found,
    /// Runs that reach it.
    forest: Forest,
    /// What may be reachable and is not known to be.
    left: BTreeSet<ThreadState>,
}

/// Tells how far a search is, and stops it when it has gone too far.
struct Leash<'a> {
    board: &'a Board,
    budget: &'a Budget,
    most: u64,
}

impl Observer for Leash<'_> {
    fn progress(&self, progress: &Progress) {
        self.board.progress(progress);
        if progress.steps > self.most {
            self.budget.stop(StopReason::Cancelled);
        }
    }
}

impl<'a> Search<'a> {
    /// A survey of what has thread states, which has not begun.
    fn new(
        task: &'a Task,
        input: &'a throng_formats::Input,
        budget: &'a Budget,
        board: &'a Board,
    ) -> Result<Self, Failure> {
        if input.system.is_net() {
            let error = Diagnostic::error("E0901", "a net has no threads, so there are no thread states");
            return Err(Failure::Refused(vec![
                error.hint("`throng cover` tells which places are ever marked"),
            ]));
        }
        board.enter(Phase::Searching);
        let (found, forest, left) = (Found::default(), Forest::default(), BTreeSet::new());
        Ok(Self { task, system: &input.system, budget, board, found, forest, left })
    }

    fn run(&mut self, with_cutoffs: bool) -> Result<(), Trouble> {
        self.survey()?;
        if with_cutoffs { self.find_cutoffs() } else { Ok(()) }
    }

    /// Finds everything that is reachable.
    fn survey(&mut self) -> Result<(), Trouble> {
        let may = thread_states::may_reach(self.system, self.budget)?;
        self.left = may.iter().flat_map(states_of).collect();
        self.accept(self.system, &Evidence::CoverSet(CoverSet { elements: may }))?;
        self.explore()?;
        if !self.left.is_empty() {
            self.cover()?;
        }
        while !self.left.is_empty() {
            self.settle()?;
        }
        self.accept_reached()
    }

    /// Has the checker look at the runs that reach everything.
    fn accept_reached(&self) -> Result<(), Trouble> {
        let shown = self.found.reachable.difference(&self.found.unshown);
        let claims = shown.map(|state| (state.shared, state.local)).collect();
        self.checked(|| throng_check::check_reached(self.system, &self.forest, &claims))
    }

    /// What is not in the coverability set, if it is complete, is not reachable.
    fn cover(&mut self) -> Result<(), Trouble> {
        let budget = self.budget.part();
        let covered = coverability_set(
            self.system,
            &budget,
            &Leash { board: self.board, budget: &budget, most: MOST_SUCCESSORS },
        );
        self.budget.check().map_err(UnknownReason::from)?;
        if covered.ending.is_ok() {
            let states: BTreeSet<ThreadState> = covered.elements.iter().flat_map(states_of).collect();
            self.left.retain(|state| states.contains(state));
            self.accept(self.system, &Evidence::CoverSet(CoverSet { elements: covered.elements }))?;
            self.show_covered();
        }
        Ok(())
    }

    /// Runs to what is coverable, as far as a Karp–Miller tree that is not too large shows them.
    fn show_covered(&mut self) {
        let mut left = std::mem::take(&mut self.left);
        let (system, budget, board) = (self.system, self.budget, self.board);
        let part = budget.part();
        let leash = Leash { board, budget: &part, most: FEW_SUCCESSORS };
        karp_miller::traces(system, &mut left, FEW_CONFIGS, &part, &leash, |trace, left| {
            if self.forest.branches.len() > MOST_BRANCHES {
                part.stop(StopReason::Cancelled);
                return;
            }
            let Some(seen) = seen(system, trace) else { return };
            left.retain(|state| !seen.contains(state));
            self.forest.add_trace(system, trace);
            self.found.reachable.extend(seen);
        });
        // The rest is reached as well, by the word of the coverability set.
        self.found.unshown = std::mem::take(&mut left);
        self.found.reachable.extend(&self.found.unshown);
    }

    /// What a few threads reach is reachable.
    fn explore(&mut self) -> Result<(), Trouble> {
        let fewest =
            self.system.initial().iter().map(|initial| throng_model::bag::size(&initial.exact)).min();
        let fewest = fewest.unwrap_or(0).max(1);
        for threads in fewest..fewest + FEW_THREADS {
            if self.left.is_empty() {
                break;
            }
            let few = thread_states::explore(self.system, threads, FEW_CONFIGS, self.budget, self.board)?;
            let new: BTreeSet<ThreadState> = few.states().map(|(state, _)| state).collect();
            let new = new.difference(&self.found.reachable).copied().collect::<BTreeSet<_>>();
            few.grow(self.system, new.iter().copied(), &mut self.forest);
            self.add(new);
            if !few.is_complete() {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, reached: BTreeSet<ThreadState>) {
        self.left.retain(|state| !reached.contains(state));
        self.found.reachable.extend(reached);
    }

    /// Either nothing of what is left can be reached, or a trace tells what can.
    fn settle(&mut self) -> Result<(), Trouble> {
        let asked = self.system.with_targets(self.left.iter().map(|state| state.to_config()).collect());
        let engine = (EngineKind::Auto, &Options::default());
        let answer = reduced::search(&asked, Some(Strength::Full), engine, self.budget, self.board);
        let evidence = answer.evidence?;
        self.accept(&asked, &evidence)?;
        let Evidence::Trace(trace) = evidence else {
            self.left.clear();
            return Ok(());
        };
        let before = self.left.len();
        self.forest.add_trace(&asked, &trace);
        let seen = seen(&asked, &trace);
        self.add(seen.ok_or_else(|| internal("a trace is not an execution"))?);
        if self.left.len() == before {
            return Err(internal("a trace shows none of the thread states that were asked for"));
        }
        Ok(())
    }

    fn find_cutoffs(&mut self) -> Result<(), Trouble> {
        let (system, budget, board, task) = (self.system, self.budget, self.board, self.task);
        let mut note = |threads| task.note(threads);
        let reachable = &self.found.reachable;
        let known = thread_states::reachability_cutoff(
            system,
            reachable,
            Pace::default(),
            (budget, board),
            &mut note,
        )?;
        if let Some(needy) = &known.needy {
            let asked = system.with_targets(vec![needy.state.to_config()]);
            self.accept(&asked, &Evidence::Trace(needy.trace.clone()))?;
        }
        self.found.reachability = Some(known.threads);
        let Found { reachable, layers, .. } = &mut self.found;
        let report = |layer: &Layer| layers.push(*layer);
        let cutoffs = thread_states::uniform_cutoff(system, reachable, known, budget, board, report)?;
        self.found.cutoffs = Some(cutoffs);
        Ok(())
    }

    /// Has the checker look at evidence.
    fn accept(&self, system: &System, evidence: &Evidence) -> Result<(), Trouble> {
        let document = || EvidenceDocument::new(evidence, system, Header::default());
        self.checked(|| throng_check::check(system, &document()).map(drop))
    }

    fn checked(&self, check: impl FnOnce() -> Result<(), Rejection>) -> Result<(), Trouble> {
        if !self.task.check {
            return Ok(());
        }
        self.board.enter(Phase::Checking);
        let result = match check() {
            Ok(()) => Ok(()),
            Err(rejection) if rejection.condition == Condition::Size => {
                Err(Trouble::Unknown(UnknownReason::EvidenceTooLarge))
            }
            Err(rejection) => Err(internal(&format!("the checker rejects the evidence: {rejection}"))),
        };
        self.board.enter(Phase::Searching);
        result
    }
}

fn internal(message: &str) -> Trouble {
    Trouble::Failure(Failure::Internal(message.to_owned()))
}

/// The thread states that a configuration shows.
fn states_of(config: &Config) -> impl Iterator<Item = ThreadState> {
    config.bag.iter().map(|entry| ThreadState { shared: config.shared, local: entry.local })
}

/// The thread states that a trace shows; `None` if it is not an execution.
fn seen(system: &System, trace: &Trace) -> Option<BTreeSet<ThreadState>> {
    let mut seen: BTreeSet<ThreadState> = states_of(&trace.initial).collect();
    throng_report::replay::configurations(system, trace)?
        .iter()
        .for_each(|config| seen.extend(states_of(config)));
    Some(seen)
}
