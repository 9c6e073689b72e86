//! Reachable thread states of Boolean programs against those of their translations, and against brute force.
//!
//! [`compare_reach`] surveys a program, has every piece of evidence checked, and computes the coverability set of the program's
//! translation into a system ([`throng_symbolic::explicit`]), which shows exactly what is reached if it is complete. Brute force with
//! few threads shows that nothing is missing where it is not. What takes too long is passed over; work is counted in steps.

use super::cutoffs::{Brake, Disagreement, Effort, Trouble, accepted, explicit, valuations, variables_at};
use super::interpret::{ThreadState, explore};
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_boolprog::flow::Program;
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_engine::mincov::coverability_set;
use throng_symbolic::explicit::{Stage, translate_with_meaning};
use throng_symbolic::thread_states::{Shown, Survey};

/// Translations may have so many rules.
const MOST_RULES: usize = 50_000;

/// Brute force runs this many threads and fewer.
const MOST_THREADS: u32 = 3;

/// What was compared, and nothing was wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// How many thread states are reachable.
    pub n_states: usize,
    /// Whether they are those of the translation.
    pub is_translation_compared: bool,
    /// With how many threads brute force has looked.
    pub n_threads: u32,
}

/// Compares on a program that so many threads start; `None` if that takes too long.
pub fn compare_reach(
    program: &Program,
    threads: InitThreads,
    effort: Effort,
) -> Result<Option<Agreement>, Disagreement> {
    match attempt(program, threads, effort) {
        Ok(agreement) => Ok(Some(agreement)),
        Err(Trouble::TooLong) => Ok(None),
        Err(Trouble::Wrong(disagreement)) => Err(disagreement),
    }
}

fn attempt(program: &Program, threads: InitThreads, effort: Effort) -> Result<Agreement, Trouble> {
    let mut accept = |question: &ProgramQuestion, shown: Shown<'_>| -> Result<(), Trouble> {
        accepted(program, question, shown)
    };
    let mut survey = Survey::new(program, threads).map_err(|_| Disagreement::Refused)?;
    let budget = Budget::unlimited();
    survey.run(&budget, &Brake { budget: &budget, most_steps: effort.most_steps }, &mut accept)?;
    let reachable = explicit(program, &survey.states(), effort)?;
    let translated = of_translation(program, threads, effort);
    if let Some(translated) = &translated {
        if let Some(state) = reachable.difference(translated).next() {
            return Err(Disagreement::Invented(0, state.clone()).into());
        }
        if let Some(state) = translated.difference(&reachable).next() {
            return Err(Disagreement::Missed(0, state.clone()).into());
        }
    }
    let question = ProgramQuestion { threads, targets: Vec::new() };
    let mut n_threads = 0;
    for n in 1..=MOST_THREADS {
        let Some(explored) = explore(program, &question, n, effort.most_states) else { break };
        if let Some(state) = explored.depths.keys().find(|state| !reachable.contains(state)) {
            return Err(Disagreement::Missed(n, state.clone()).into());
        }
        n_threads = n;
    }
    let is_translation_compared = translated.is_some();
    Ok(Agreement { n_states: reachable.len(), is_translation_compared, n_threads })
}

/// What the translation of a program reaches; `None` if that takes too long.
fn of_translation(program: &Program, threads: InitThreads, effort: Effort) -> Option<BTreeSet<ThreadState>> {
    let question = ProgramQuestion { threads, targets: Vec::new() };
    let (system, meaning) = translate_with_meaning(program, &question, MOST_RULES).ok()?;
    let budget = Budget::unlimited();
    let brake = Brake { budget: &budget, most_steps: 20 * effort.most_steps };
    let covered = coverability_set(&system, &budget, &brake);
    covered.ending.ok()?;
    let mut all = BTreeSet::new();
    for element in &covered.elements {
        let Some(Stage::At { values: shared, .. }) = meaning.stage(element.shared) else { continue };
        for entry in element.bag.iter() {
            let Some(thread) = meaning.local(entry.local) else { continue };
            let scope = variables_at(program, thread.location);
            let locals = thread.locals.restricted(|it| scope.contains(&it));
            all.extend(valuations(&locals, &scope).into_iter().map(|locals| ThreadState {
                shared: shared.clone(),
                location: thread.location,
                locals,
            }));
        }
    }
    Some(all)
}
