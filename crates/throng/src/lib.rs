//! Can a bad state be reached when any number of threads run this program?
//!
//! throng answers `safe` with a proof or `unsafe` with an execution, and has both accepted by an independent checker before it says
//! so. This crate is the whole verifier as a library: what the command `throng` does besides reading flags and printing.
//!
//! # Load a model and decide
//!
//! A [`Subject`] is a file or a text; its name says what it is: a thread transition system (`.tts`), a net (`.spec`, `.pnml`,
//! `.lola`, …), a Boolean program (`.bp`) or a C program (`.c`). A [`Question`] says what is asked about it.
//!
//! ```
//! use throng::{Budget, Options, Question, Subject, Verdict, decide};
//!
//! // A lock: shared state 0 is free and 1 is held; threads are outside (0) or inside (1).
//! let lock = Subject::text("lock.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n");
//! // Can two threads be inside at the same time? Any number of threads start in local state 0.
//! let question = Question::default().target("1|1,1");
//! let decision = decide(&lock, &question, &Options::default(), &Budget::unlimited())?;
//! assert_eq!(decision.verdict(), Some(Verdict::Safe));
//! assert!(decision.is_checked);
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! Errors are only about inputs that cannot be read, and bugs of ours. That the budget ended or nobody knows the answer is a
//! [`Decision`] without a verdict, which says why:
//!
//! ```
//! use throng::{Budget, Options, Question, StopReason, Subject, decide};
//!
//! let net = Subject::text("endless.spec", "vars x y\nrules\nx >= 1 -> x' = x + 1, y' = 0;\n\
//!     x >= 1 -> y' = y + 1;\ninit x = 1, y = 0\ntarget x >= 4000000000, y >= 1\n");
//! let budget = Budget::unlimited();
//! budget.stop(StopReason::Timeout); // `Budget::watch` does this after a while
//! let decision = decide(&net, &Question::default(), &Options::default(), &budget)?;
//! assert_eq!(decision.reason().unwrap().to_string(), "timeout");
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Read the trace
//!
//! [`Decision::evidence`] holds what the verdict rests on. Here the test of the lock and taking it are two steps:
//!
//! ```
//! use throng::evidence::Content;
//! use throng::{Budget, Input, Options, Question, Subject, decide, replay};
//!
//! let lock = Subject::text("broken.tts", "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n");
//! let question = Question::default().target("1|2,2");
//! let decision = decide(&lock, &question, &Options::default(), &Budget::unlimited())?;
//! let evidence = decision.evidence.as_ref().unwrap();
//! let (Content::System(throng_cert::Evidence::Trace(trace)), Some(Input::System(input))) =
//!     (evidence.content(), decision.input.as_deref()) else { panic!("it is unsafe") };
//! assert_eq!(trace.n_steps(), 4);
//! // The configurations on the way; in the last one, two threads are in local state 2.
//! let last = replay::configurations(&input.system, trace).unwrap().pop().unwrap();
//! assert_eq!(last.bag[0].count, 2);
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Check the evidence
//!
//! Evidence can be written, kept and checked again, by [`check`] or by the command `throng-check`, which contains no search:
//!
//! ```
//! use throng::{Budget, Evidence, Options, Question, Subject, check, decide};
//!
//! let program = Subject::text("flag.c", "
//!     typedef unsigned long pthread_t;
//!     int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
//!     void reach_error(void);
//!     unsigned char turn;
//!     void *worker(void *p) { if (turn == 1) reach_error(); turn = 2; return p; }
//!     int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }");
//! let (question, budget) = (Question::default(), Budget::unlimited());
//! let decision = decide(&program, &question, &Options::default(), &budget)?;
//! let mut file = Vec::new();
//! decision.evidence.unwrap().write(&mut file).unwrap();
//!
//! let evidence = Evidence::read(file).unwrap();
//! let accepted = check(&program, &question, &evidence, &budget)?.unwrap();
//! assert!(accepted.to_string().starts_with("safe (invariant:"));
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Ask for more
//!
//! [`reach`] lists what single threads can see, [`cutoff`] how many threads that takes, and [`cover`] everything that can be covered.
//!
//! ```
//! use throng::{Budget, Options, Question, Reach, Subject, cutoff};
//!
//! let lock = Subject::text("lock.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n");
//! let Reach::System { found, .. } =
//!     cutoff(&lock, &Question::default(), &Options::default(), &Budget::unlimited())?
//!     else { panic!("it is a system") };
//! // (0, 0), (1, 1) and, beside a thread that holds the lock, (1, 0): that takes two threads.
//! assert_eq!((found.reachable.len(), found.reachability), (3, Some(2)));
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Write an engine
//!
//! An engine is a [`Contender`](engine::Contender): it is given a piece of work at a time. It takes part in the race as a guest of the
//! options, and is trusted with nothing: what it answers is checked like all other answers. Here is one that walks at random:
//!
//! ```
//! use std::ops::ControlFlow;
//! use throng::engine::{Answer, Contender, Guest, Options as Search, Progress, Statistics};
//! use throng::model::{Bag, Config, OMEGA, TransitionSystem};
//! use throng::{Budget, Options, Question, Subject, Verdict, decide};
//! use throng_cert::{Trace, TraceItem};
//!
//! struct Walk<'s> { system: &'s dyn TransitionSystem, trace: Trace, now: Config, dice: u64 }
//!
//! /// Walks from the first initial configuration, with three threads where there may be any number.
//! fn walk<'s>(system: &'s dyn TransitionSystem, options: &Search) -> Box<dyn Contender + 's> {
//!     let mut initial = None;
//!     let _ = system.for_each_initial(&mut |config| {
//!         let counts = config.bag.iter().map(|e| (e.local, if e.count == OMEGA { 3 } else { e.count }));
//!         initial = Some(Config::new(config.shared, Bag::from_counts(counts).unwrap()));
//!         ControlFlow::Break(())
//!     });
//!     let now = initial.expect("there is an initial configuration");
//!     Box::new(Walk { system, trace: Trace { initial: now.clone(), items: Vec::new() }, now, dice: options.seed })
//! }
//!
//! impl Walk<'_> {
//!     fn is_bad(&self) -> bool {
//!         self.system.for_each_target(&mut |target| match target.le(self.now.view()) {
//!             true => ControlFlow::Break(()),
//!             false => ControlFlow::Continue(()),
//!         }).is_break()
//!     }
//! }
//!
//! impl Contender for Walk<'_> {
//!     fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer> {
//!         for _ in 0..quantum {
//!             if self.is_bad() { return Some(Answer::Unsafe(self.trace.clone())) }
//!             if let Err(reason) = budget.check() { return Some(Answer::Unknown(reason.into())) }
//!             let mut next = Vec::new();
//!             let _ = self.system.for_each_successor(self.now.view(), &mut |rule, config| {
//!                 next.push((rule, config.to_config()));
//!                 ControlFlow::Continue(())
//!             });
//!             self.dice = self.dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
//!             if next.is_empty() || self.trace.items.len() > 50 {
//!                 self.trace.items.clear();
//!                 self.now = self.trace.initial.clone();
//!                 continue;
//!             }
//!             let (rule, goal) = &next[(self.dice >> 33) as usize % next.len()];
//!             let (step, after) = self.system.step_covering(self.now.view(), *rule, goal.view())?;
//!             self.trace.items.push(TraceItem::Step(step));
//!             self.now = after;
//!         }
//!         None
//!     }
//!     fn progress(&self) -> Progress { Progress::default() }
//!     fn statistics(&self) -> Statistics { Statistics::default() }
//! }
//!
//! let mut options = Options::default();
//! options.search.guests = &[Guest { name: "walk", share: 1, make: walk }];
//! options.search.head_start = 0; // otherwise others answer before the race begins
//! let lock = Subject::text("broken.tts", "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n");
//! let question = Question::default().target("1|2,2");
//! let decision = decide(&lock, &question, &options, &Budget::unlimited())?;
//! assert_eq!(decision.verdict(), Some(Verdict::Unsafe));
//! assert!(decision.contest.iter().any(|contestant| contestant.name == "walk"));
//! # Ok::<(), throng::Error>(())
//! ```

#![warn(missing_docs)]

mod as_system;
pub mod c;
mod cover;
mod decide;
mod error;
pub mod evidence;
mod observe;
mod options;
mod reach;
pub mod reduced;
pub mod replay;
pub mod terms;
pub mod thread_states;

pub use as_system::{as_system, not_for_c};
pub use c::CEngine;
pub use cover::{Covered, cover, cover_system};
pub use decide::{Decision, check, decide, decide_observed};
pub use error::Error;
pub use evidence::Evidence;
pub use observe::{GaveUp, Observer, Phase, ProverEvent, Silent};
pub use options::{Options, ProverOptions};
pub use reach::{Reach, cutoff, reach};

pub use throng_base::{Budget, Diagnostic, Limits, StopReason};
pub use throng_cert::Verdict;
pub use throng_engine::{self as engine, EngineKind, UnknownReason};
pub use throng_input::{Input, Origin, Question, Subject};
pub use throng_model as model;
