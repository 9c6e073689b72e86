//! Boolean programs in three ways that have to agree: by brute force, translated, and on the fly.
//!
//! [`compare`] runs a program with one, two and three threads ([`super::interpret`]), decides its explicit translation with
//! an engine, and lets an engine decide the program itself. Evidence goes through its JSON form and the checker. What a few
//! threads reach must be `unsafe`; an interleaving of a few threads must be one that brute force finds; and the two verdicts
//! must be the same. A difference is a [`Disagreement`] that [`super::shrink`] can make small.

use super::interpret::reaches_target;
use crate::choices::{Choices, SplitMix64};
use crate::differential::{self, Method};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern};
use throng_cert::{Evidence, EvidenceDocument, Header, Verdict};
use throng_model::{System, bag};
use throng_symbolic::explicit::translate;
use throng_symbolic::{ProgramSystem, Untold};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Comparing {
    /// How the translation is decided; not at all if there are none.
    pub translated: Vec<Method>,
    /// How the program itself is decided; not at all if there are none.
    pub on_the_fly: Vec<Method>,
    /// How many states brute force may look at with each number of threads.
    pub most_states: usize,
    /// How many rules a translation may have.
    pub most_rules: usize,
}

impl Default for Comparing {
    fn default() -> Self {
        Self { translated: Vec::new(), on_the_fly: Vec::new(), most_states: 20_000, most_rules: 50_000 }
    }
}

/// How many threads brute force tries.
const MOST_THREADS: u32 = 3;

/// What is known about a program that nothing disagrees about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The verdict, unless all gave up.
    pub verdict: Option<Verdict>,
    /// The fewest threads with which brute force reaches a target.
    pub threads: Option<u32>,
    /// Whether brute force finished with all numbers of threads.
    pub is_explored: bool,
    /// How often evidence was accepted by the checker.
    pub n_checked: u32,
    /// How often an engine or the translation gave up.
    pub n_given_up: u32,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Who is wrong: the translation or the program itself, and the method.
    pub who: String,
    /// What.
    pub kind: Kind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `safe` although so many threads reach a target.
    Missed(u32),
    /// An interleaving of so many threads, which brute force does not find.
    Invented(u32),
    /// This verdict where another one was found before.
    Verdict(Verdict),
    /// Evidence that cannot be told in terms of the program.
    Document(Verdict),
    /// Evidence that does not survive its JSON form.
    Json(String),
    /// Evidence that the checker rejects.
    Rejected(Verdict, String),
    /// A statement that the system of a program cannot handle.
    Refused,
    /// A panic.
    Panic,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.who)?;
        match &self.kind {
            Kind::Missed(n) => write!(f, "safe, but {n} threads reach a target"),
            Kind::Invented(n) => write!(f, "unsafe with {n} threads, which do not reach a target"),
            Kind::Verdict(verdict) => write!(f, "{}, and another verdict elsewhere", verdict.word()),
            Kind::Document(verdict) => {
                write!(f, "{} with evidence that is not one of the program", verdict.word())
            }
            Kind::Json(error) => write!(f, "evidence does not survive its JSON form: {error}"),
            Kind::Rejected(verdict, reason) => {
                write!(f, "{} with evidence that is rejected: {reason}", verdict.word())
            }
            Kind::Refused => f.write_str("a statement is too large"),
            Kind::Panic => f.write_str("a panic"),
        }
    }
}

impl Kind {
    /// Whether two are of the same kind, whatever the details are. Programs shrink within a kind.
    pub fn resembles(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// What is asked about a program: mostly whether an assertion can fail, otherwise for a random pattern. The same seed asks
/// the same of the same program.
pub fn question(program: &Program, threads: InitThreads, seed: u64) -> ProgramQuestion {
    let choices = &mut SplitMix64::new(seed ^ 0x5bd1_e995);
    if choices.chance(70) {
        return ProgramQuestion::assertions(program, threads);
    }
    let n_locations = program.locations().len();
    let cube = |choices: &mut SplitMix64, count: u32| -> Cube {
        let mentioned: Vec<u32> = (0..count).filter(|_| choices.chance(35)).collect();
        mentioned.into_iter().map(|variable| (variable, choices.chance(50))).collect()
    };
    let pattern = |choices: &mut SplitMix64| {
        let shared = cube(choices, program.atomic_bit() + 1);
        let count = choices.pick(&[0, 1, 1, 2, 2, 2, 3]);
        let threads = (0..count).map(|_| ThreadPattern {
            location: LocationId::new(choices.below(n_locations)),
            locals: cube(choices, program.locals().len() as u32),
        });
        Pattern { shared, threads: threads.collect() }
    };
    let targets = (0..choices.pick(&[1, 1, 2])).map(|_| pattern(choices)).collect();
    ProgramQuestion { threads, targets }
}

/// Compares what all ways say about a program.
pub fn compare(
    program: &Program,
    question: &ProgramQuestion,
    comparing: &Comparing,
) -> Result<Agreement, Disagreement> {
    let mut comparison = Comparison { agreement: Agreement::default(), reached: [None; 3] };
    for (n, reached) in (1..=MOST_THREADS).zip(&mut comparison.reached) {
        // What fewer threads reach need not be looked for again: `n` is how many there are at most.
        *reached = match comparison.agreement.threads {
            Some(_) => Some(true),
            None => reaches_target(program, question, n, comparing.most_states),
        };
        if *reached == Some(true) && comparison.agreement.threads.is_none() {
            comparison.agreement.threads = Some(n);
        }
    }
    comparison.agreement.is_explored = !comparison.reached.contains(&None);
    if !comparing.translated.is_empty() {
        match translate(program, question, comparing.most_rules) {
            Ok(system) => comparison.translation(&system, &comparing.translated)?,
            Err(_) => comparison.agreement.n_given_up += 1,
        }
    }
    for method in &comparing.on_the_fly {
        let attempt = AssertUnwindSafe(|| comparison.on_the_fly(program, question, method));
        let who = format!("on the fly, {method}");
        catch_unwind(attempt).unwrap_or(Err(Disagreement { who, kind: Kind::Panic }))?;
    }
    Ok(comparison.agreement)
}

struct Comparison {
    agreement: Agreement,
    /// Whether one, two and three threads reach a target, where that is known.
    reached: [Option<bool>; 3],
}

impl Comparison {
    fn translation(&mut self, system: &System, methods: &[Method]) -> Result<(), Disagreement> {
        for method in methods {
            let wrong = |kind: Kind| Disagreement { who: format!("translation, {method}"), kind };
            let Some(evidence) = differential::evidence(system, method) else {
                self.agreement.n_given_up += 1;
                continue;
            };
            let document = differential::through_json(system, &evidence)
                .map_err(|error| wrong(Kind::Json(error.to_string())))?;
            throng_check::check(system, &document)
                .map_err(|rejection| wrong(Kind::Rejected(document.verdict, rejection.to_string())))?;
            self.agreement.n_checked += 1;
            // In a translation nobody vanishes, so whoever was created is there at the end.
            let created = match &evidence {
                Evidence::Trace(trace) => created(system, trace),
                _ => None,
            };
            self.meet(document.verdict, created).map_err(wrong)?;
        }
        Ok(())
    }

    fn on_the_fly(
        &mut self,
        program: &Program,
        question: &ProgramQuestion,
        method: &Method,
    ) -> Result<(), Disagreement> {
        let wrong = |kind: Kind| Disagreement { who: format!("on the fly, {method}"), kind };
        let system = ProgramSystem::new(program, question.clone()).map_err(|_| wrong(Kind::Refused))?;
        let Ok(evidence) = differential::decide(&system, method).answer.into_evidence() else {
            self.agreement.n_given_up += 1;
            return Ok(());
        };
        let verdict = match &evidence {
            Evidence::Trace(_) => Verdict::Unsafe,
            Evidence::Proof(_) | Evidence::CoverSet(_) => Verdict::Safe,
        };
        self.meet(verdict, None).map_err(wrong)?;
        let document = system.document(&evidence, Header::default());
        let document = match document {
            Ok(document) => document,
            // Karp and Miller's searches may find interleavings of very many threads where there are broadcasts.
            Err(Untold::TooLong) => {
                self.agreement.n_given_up += 1;
                return Ok(());
            }
            Err(Untold::Wrong) => return Err(wrong(Kind::Document(verdict))),
        };
        let document = through_json(&document).map_err(|error| wrong(Kind::Json(error)))?;
        throng_check::program::check_program(program, question, &document)
            .map_err(|rejection| wrong(Kind::Rejected(verdict, rejection.to_string())))?;
        self.agreement.n_checked += 1;
        Ok(())
    }

    /// Compares a verdict, and the number of threads of an interleaving, with what is known.
    fn meet(&mut self, verdict: Verdict, created: Option<u64>) -> Result<(), Kind> {
        if let (Verdict::Safe, Some(n)) = (verdict, self.agreement.threads) {
            return Err(Kind::Missed(n));
        }
        if self.agreement.verdict.is_some_and(|other| other != verdict) {
            return Err(Kind::Verdict(verdict));
        }
        // Fewer than one thread need not be asked for: one may do what none can.
        let few = created.and_then(|n| u32::try_from(n.max(1)).ok()).filter(|&n| n <= MOST_THREADS);
        if let Some(n) = few
            && self.reached[n as usize - 1] == Some(false)
        {
            return Err(Kind::Invented(n));
        }
        self.agreement.verdict = Some(verdict);
        Ok(())
    }
}

/// The threads at the end of a trace; `None` if it is too long to be followed here.
fn created(system: &System, trace: &throng_cert::Trace) -> Option<u64> {
    let mut threads = bag::size(&trace.initial.bag);
    for item in &trace.items {
        let throng_cert::TraceItem::Step(step) = item else { return None };
        let rule = system.rule(step.rule);
        threads = threads + bag::size(rule.put) - bag::size(rule.take);
    }
    Some(threads)
}

/// A document as a reader of its JSON form sees it.
pub(super) fn through_json(document: &EvidenceDocument) -> Result<EvidenceDocument, String> {
    let mut bytes = Vec::new();
    throng_cert::write_document(document, &mut bytes).map_err(|error| error.to_string())?;
    throng_cert::read(&bytes).map_err(|error| error.to_string())
}
