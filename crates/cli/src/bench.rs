//! `throng bench`: every question of a folder through several engines, each run in a process of its own.
//!
//! What is asked stands in [`questions`], who is asked in [`contestant`], one run in [`process`], what is kept between
//! calls in [`journal`]; [`cutoffs`] asks something else. What the tables mean is the business of [`throng_report::benchmark`].
//!
//! Verdicts that contradict each other, or what the index expects, are the one thing a benchmark must not be quiet
//! about: they are listed last and decide the exit code.

mod contestant;
mod cutoffs;
mod journal;
mod process;
mod questions;
mod records;
mod reference;

pub(crate) use contestant::Contestant;

use crate::console;
use crate::exit::Exit;
use crate::flags::BenchFlags;
use crate::{files, supervise, units};
use journal::{Entry, Journal, Key};
use process::{Ended, Launcher};
use questions::Question;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use throng_base::{Budget, StopReason};
use throng_report::benchmark::{self, Benchmark, Reference, Run, TableStyle, Verdict};

/// Why a benchmark cannot be run: what to say, and the exit code.
type Refusal = (Exit, String);

/// Runs the command.
pub(crate) fn run(flags: &BenchFlags) -> Exit {
    let ended =
        if flags.cutoffs { cutoffs::run(flags) } else { prepare(flags).and_then(|plan| plan.run(flags)) };
    match ended {
        Ok(exit) => exit,
        Err((exit, message)) => {
            console::error(&message);
            exit
        }
    }
}

/// All there is to do, and what was done before.
struct Plan {
    questions: Vec<Question>,
    contestants: Vec<Contestant>,
    reference: Option<Reference>,
    launcher: Launcher,
    journal: Journal,
    runs: BTreeMap<Key, Run>,
}

fn prepare(flags: &BenchFlags) -> Result<Plan, Refusal> {
    let refuse = |message| (Exit::Refused, message);
    let contestants = flags.contestants();
    contestant::distinct(&contestants).map_err(|message| (Exit::Usage, message))?;
    contestant::fit(&contestants, flags).map_err(|message| (Exit::Usage, message))?;
    let mut questions = prepare_questions(flags)?;
    let is_of_c = contestants.iter().any(Contestant::is_of_c)
        || contestants.iter().all(Contestant::fits_c) && questions.iter().all(Question::is_c);
    let n_all = questions.len();
    questions.retain(|question| question.is_c() == is_of_c);
    if questions.len() < n_all && !flags.quiet {
        let which = if is_of_c {
            "no C programs"
        } else {
            "C programs (`--engines cegar`, `houdini`, `pdr`, `exact` or `explore`)"
        };
        console::remark(&format!(
            "note: questions left out because they are {which}: {}",
            n_all - questions.len()
        ));
    }
    // What is known about a program may hold for one kind of steps only.
    let is_fit = |question: &Question, contestant: &Contestant| {
        question.atomicity.as_deref().zip(contestant.atomicity()).is_none_or(|(known, used)| known == used)
    };
    questions.retain(|question| contestants.iter().all(|contestant| is_fit(question, contestant)));
    if questions.is_empty() {
        return Err((
            Exit::Refused,
            format!("there is nothing for these engines in `{}`", flags.folder.display()),
        ));
    }
    let reference = flags.against.as_deref().map(reference::read).transpose().map_err(refuse)?;
    let launcher = Launcher::new(&flags.folder, flags.timeout, flags.memory)
        .map_err(|error| (Exit::Internal, format!("cannot find this program: {error}")))?;
    let (journal, entries) = Journal::open(flags.csv.as_deref())?;
    let runs = entries.into_iter().map(|entry| (entry.key, entry.run)).collect();
    Ok(Plan { questions, contestants, reference, launcher, journal, runs })
}

/// What is asked, after a look at whether the pictures can be written.
fn prepare_questions(flags: &BenchFlags) -> Result<Vec<Question>, Refusal> {
    let refuse = |message| (Exit::Refused, message);
    for path in flags.svg.iter().chain(&flags.scatter) {
        files::probe(path).map_err(|error| (Exit::Usage, files::complain(path, &error)))?;
    }
    let found = questions::read(&flags.folder).map_err(refuse)?;
    if !flags.quiet {
        found.remarks.iter().for_each(|remark| console::remark(&format!("note: {remark}")));
    }
    let questions: Vec<Question> =
        found.questions.into_iter().filter(|question| flags.wants(&question.file)).collect();
    if questions.is_empty() {
        let parts: Vec<String> = flags.only.iter().map(|part| format!("`{part}`")).collect();
        let only = match &*parts {
            [] => String::new(),
            parts => format!(" with {} in their names", parts.join(" and ")),
        };
        return Err(refuse(format!("there are no models{only} in `{}`", flags.folder.display())));
    }
    Ok(questions)
}

/// A run that is still to be done.
struct Errand<'a> {
    question: &'a Question,
    contestant: &'a Contestant,
    key: Key,
}

impl Plan {
    fn run(mut self, flags: &BenchFlags) -> Result<Exit, Refusal> {
        let stop = Budget::unlimited();
        supervise::stop_on_interrupt(&stop);
        let missing = self.perform(flags, &stop)?;
        let benchmark = self.benchmark(flags);
        console::print(&report(&benchmark, self.reference.as_ref(), flags));
        let cactus = flags.svg.iter().map(|path| (path, benchmark.cactus().to_svg()));
        let scatter = flags.scatter.iter().filter_map(|path| Some((path, benchmark.comparison()?.to_svg())));
        for (path, picture) in cactus.chain(scatter) {
            files::write(path, &picture).map_err(|error| (Exit::Usage, files::complain(path, &error)))?;
        }
        let problems = benchmark.problems();
        problems.iter().for_each(|problem| console::error(problem));
        if missing > 0 {
            let resume = if flags.csv.is_some() { "; the same command goes on from here" } else { "" };
            console::error(&format!("interrupted; runs that are missing: {missing}{resume}"));
        }
        Ok(match (problems.is_empty(), missing) {
            (false, _) => Exit::Internal,
            (true, 1..) => Exit::Unknown,
            (true, 0) => Exit::Success,
        })
    }

    /// Does what was not done before, keeps it, and returns how many runs are missing in the end.
    fn perform(&mut self, flags: &BenchFlags, stop: &Budget) -> Result<usize, Refusal> {
        let Self { questions, contestants, launcher, journal, runs, .. } = self;
        let errands = errands(questions, contestants, launcher, runs);
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut done = 0;
        std::thread::scope(|scope| {
            for _ in 0..flags.jobs {
                let (sender, launcher, errands, next) = (sender.clone(), &*launcher, &errands, &next);
                scope.spawn(move || work(launcher, errands, next, stop, &sender));
            }
            drop(sender);
            for (errand, ended) in &receiver {
                done += 1;
                if !flags.quiet {
                    console::remark(&progress(errand, &ended, done, errands.len()));
                }
                let entry = Entry { key: errand.key.clone(), wall: ended.wall, run: ended.run };
                let written = journal.append(&entry, errand.question.expected.as_deref());
                runs.insert(entry.key, entry.run);
                if let Err(refusal) = written {
                    // Results that cannot be kept are not worth the time.
                    stop.stop(StopReason::Cancelled);
                    return Err(refusal);
                }
            }
            Ok(errands.len() - done)
        })
    }

    fn benchmark(&self, flags: &BenchFlags) -> Benchmark {
        let run = |question: &Question, contestant: &Contestant| {
            self.runs.get(&Key::new(question, contestant, &self.launcher)).cloned()
        };
        let questions = self.questions.iter().map(|question| benchmark::Question {
            name: question.name.clone(),
            file: question.file.clone(),
            expected: question.expected.clone(),
            runs: self.contestants.iter().map(|contestant| run(question, contestant)).collect(),
        });
        Benchmark {
            engines: self.contestants.iter().map(Contestant::column).collect(),
            questions: questions.collect(),
            limit: flags.timeout.as_secs_f64(),
        }
    }
}

/// The runs that are not known yet.
fn errands<'a>(
    questions: &'a [Question],
    contestants: &'a [Contestant],
    launcher: &Launcher,
    runs: &BTreeMap<Key, Run>,
) -> Vec<Errand<'a>> {
    let pairs = questions.iter().flat_map(|question| contestants.iter().map(move |one| (question, one)));
    let errands = pairs.map(|(question, contestant)| Errand {
        question,
        contestant,
        key: Key::new(question, contestant, launcher),
    });
    errands.filter(|errand| !runs.contains_key(&errand.key)).collect()
}

/// Takes one errand after the other until there is none or the user wants to stop. A run that was cut short by
/// that is not a result.
fn work<'a>(
    launcher: &Launcher,
    errands: &'a [Errand<'a>],
    next: &AtomicUsize,
    stop: &Budget,
    results: &mpsc::Sender<(&'a Errand<'a>, Ended)>,
) {
    while let Some(errand) = errands.get(next.fetch_add(1, Ordering::Relaxed)) {
        let ended = launcher.run(errand.question, errand.contestant, stop);
        if stop.check().is_err() {
            return;
        }
        // Ctrl-C on a terminal reaches the run itself, perhaps before us.
        let interrupted = StopReason::Interrupted.to_string();
        if ended.run.verdict == Verdict::Unknown(interrupted) {
            continue;
        }
        if results.send((errand, ended)).is_err() {
            return;
        }
    }
}

fn progress(errand: &Errand<'_>, ended: &Ended, done: usize, all: usize) -> String {
    let (name, label) = (&errand.question.name, &errand.contestant.label);
    let verdict = process::describe(&ended.run.verdict);
    format!("[{done}/{all}] {name}  {label}  {verdict}  {:.2} s", ended.run.cpu)
}

/// All tables.
fn report(benchmark: &Benchmark, reference: Option<&Reference>, flags: &BenchFlags) -> String {
    let style = flags.style();
    let limits =
        format!("{} s and {} for each run", flags.timeout.as_secs_f64(), units::show_size(flags.memory));
    let mut sections = vec![(
        format!("{} questions of {}, {limits}", benchmark.questions.len(), flags.folder.display()),
        benchmark.summary(style),
    )];
    if let Some(reference) = reference {
        sections.push(("CPU seconds against other tools".to_owned(), benchmark.against(reference, style)));
    }
    if let Some(proofs) = benchmark.proofs(style) {
        sections.push(("Proofs: averages over questions that both prove safe".to_owned(), proofs));
    }
    if flags.costs {
        sections.push(("CPU seconds and memory for each question".to_owned(), benchmark.costs(style)));
    }
    if flags.paths {
        let tables = [
            ("Paths, CPU seconds and memory for each question", benchmark.paths(style)),
            ("Questions by the kinds of their paths", benchmark.kinds_of_paths(style)),
            ("In sum, an undecided question counting as the time limit", benchmark.concolic_in_sum(style)),
        ];
        sections.extend(tables.into_iter().filter_map(|(title, table)| Some((title.to_owned(), table?))));
    }
    sections.extend(benchmark.provers(style));
    if flags.details {
        sections.push(("Iterations and CPU seconds for each question".to_owned(), benchmark.details(style)));
    }
    report_tables(sections, style)
}

/// Tables with titles.
fn report_tables(sections: Vec<(String, String)>, style: TableStyle) -> String {
    let heading = if style == TableStyle::Markdown { "## " } else { "" };
    let sections = sections.into_iter().map(|(title, table)| format!("{heading}{title}\n\n{table}"));
    sections.collect::<Vec<_>>().join("\n")
}

/// A path as users named it, for messages.
fn name_of(path: &Path) -> String {
    path.display().to_string()
}
