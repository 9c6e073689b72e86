//! Facts about all threads, from candidates: the strongest invariant that says, for all states, for each location and for each pair
//! of locations where two threads stand, which candidates hold, or that nobody ever stands there.
//!
//! This is a thread-modular analysis with views of two threads: a step is looked at with the acting thread and up to two others, and
//! what is known about all of them, alone and in twos, is assumed before it (`tasks`, `scene`). Facts are found from below
//! (`fixpoint`), first with few kinds of candidates, then with more (`lists`). If no error is reachable, only
//! facts that matter for that are kept (`justify`), and all become elements of an [`Invariant`] (`emit`).
//!
//! Shared numbers that say how many threads stand where are looked for after the first round (`crate::counting`).
//!
//! What it cannot say: other conditions on three threads or more, and disjunctions that are not candidates.

mod closure;
mod emit;
mod fixpoint;
mod justify;
mod lists;
mod order;
mod scene;
mod slots;
mod tasks;

pub(crate) use scene::{Phase, Scene, Whom};

use crate::counting::{self, Counting, Known};
use crate::pool::{Limits, Pool};
use fixpoint::Fixpoint;
use lists::{Lists, Power};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{ExpressionId, Expressions, LocationId, Program, TemplateId};
use throng_cfa::invariant::Invariant;

/// What was found.
#[derive(Debug)]
pub struct Filtered {
    /// Facts that hold in all reachable states; those that matter if it is a proof, otherwise all.
    pub invariant: Invariant,
    /// Whether no error is reachable.
    pub proves: bool,
    /// How many candidates there were.
    pub n_candidates: usize,
    /// How often the solver was asked.
    pub n_questions: u64,
    /// How many kinds of candidates were tried, from 1.
    pub round: usize,
    /// What is counted.
    pub(crate) counting: Counting,
}

/// What is tried, in this order.
const POWERS: [Power; 4] = [
    Power { pairs: false, conditional: false, heavy: false },
    Power { pairs: false, conditional: true, heavy: false },
    Power { pairs: true, conditional: true, heavy: false },
    Power { pairs: true, conditional: true, heavy: true },
];

/// How many questions may be asked for facts that others begin with.
const SEEDING: u64 = 6_000;

/// Filters candidates from the program's text: what [`crate::verify`] does first. `None`: it would take more questions than
/// allowed.
pub fn filter(
    program: &Program,
    most_questions: u64,
    budget: &Budget,
) -> Result<Option<Filtered>, StopReason> {
    prove(program, &Pool::new(program, Limits::default()), most_questions, budget)
}

/// Filters the candidates of a pool.
pub(crate) fn prove(
    program: &Program,
    pool: &Pool,
    most_questions: u64,
    budget: &Budget,
) -> Result<Option<Filtered>, StopReason> {
    prove_with(program, pool, &POWERS, most_questions, budget)
}

/// The same with these kinds of candidates, one after the other.
fn prove_with(
    program: &Program,
    pool: &Pool,
    powers: &[Power],
    most_questions: u64,
    budget: &Budget,
) -> Result<Option<Filtered>, StopReason> {
    let mut n_questions = 0;
    let mut number = 0;
    let mut counted = None;
    let mut counting = Counting::default();
    loop {
        let power = powers[number];
        let is_last = number + 1 == powers.len();
        let (of, pool) = counted.as_ref().map_or((program, pool), |(program, pool)| (program, pool));
        let lists = lists(of, pool, power, &counting);
        let mut fixpoint = Fixpoint::new(of, &lists, &counting, power.pairs);
        fixpoint.most_questions = most_questions.saturating_sub(n_questions);
        let is_done = fixpoint.run(!is_last, budget)?;
        let proves = is_done && !fixpoint.is_error_reachable();
        let found = if number == 0 && !proves && counting::is_promising(program) {
            fixpoint.run(false, budget)?;
            let mut alone = Fixpoint::new(of, &lists, &counting, false);
            alone.is_alone = true;
            alone.run(false, budget)?;
            let (always, alone) = (Everywhere { fixpoint: &fixpoint }, Everywhere { fixpoint: &alone });
            Some(counting::find(program, &always, &alone, budget)?)
        } else {
            None
        };
        n_questions += fixpoint.n_questions;
        if n_questions > most_questions {
            return Ok(None);
        }
        if proves || is_last {
            fixpoint.all_pairs();
            let facts =
                if proves { justify::needed(&mut fixpoint, budget)? } else { justify::all(&fixpoint) };
            let invariant = emit::invariant(of, &lists, &fixpoint.slots, &facts, &counting.counts);
            return Ok(Some(Filtered {
                invariant,
                proves,
                n_candidates: lists.len(),
                n_questions,
                round: number + 1,
                counting,
            }));
        }
        if let Some(found) = found.filter(|found| !found.counts.is_empty()) {
            let of = found.program(program);
            let pool = Pool::after(program, of.expressions.clone(), Limits::default());
            counted = Some((of, pool));
            counting = found;
        }
        number += 1;
    }
}

/// Facts that another prover can begin with: those of all kinds of candidates but the last, or, if that takes too many questions or nobody wants to
/// wait, of the first kind with counts.
pub(crate) fn seeds(program: &Program, is_quick: bool, budget: &Budget) -> Result<Filtered, StopReason> {
    let pool = Pool::new(program, Limits::default());
    let slow = if is_quick { None } else { prove_with(program, &pool, &POWERS[..3], SEEDING, budget)? };
    let found = match slow {
        None => prove_with(program, &pool, &[POWERS[0], POWERS[0]], u64::MAX, budget)?,
        found => found,
    };
    found.ok_or(StopReason::Cancelled)
}

/// The candidates of a pool, and those that counts give.
fn lists(program: &Program, pool: &Pool, power: Power, counting: &Counting) -> Lists {
    let mut lists = Lists::new(program, pool, power);
    let conditions = counting.conditions(&mut lists.expressions, program);
    lists.global.extend(conditions);
    for (index, list) in lists.single.iter_mut().enumerate() {
        list.extend(counting.tickets(&mut lists.expressions, program, TemplateId::new(index)));
    }
    for template in (0..program.templates.len()).map(TemplateId::new) {
        if let Some(list) = lists.pair.get_mut(&(template, template)) {
            list.extend(counting.different_tickets(&mut lists.expressions, program, template));
        }
    }
    lists
}

/// What a fixpoint knows at locations.
struct Everywhere<'f, 'a> {
    fixpoint: &'f Fixpoint<'a>,
}

impl Known for Everywhere<'_, '_> {
    fn expressions(&self) -> &Expressions {
        &self.fixpoint.lists.expressions
    }

    fn at(&self, location: LocationId) -> Option<Vec<ExpressionId>> {
        let (slots, lists) = (&self.fixpoint.slots, self.fixpoint.lists);
        let (global, here) = (slots.get(slots.global()), slots.get(slots.at(location)));
        let template = self.fixpoint.program.location(location).template;
        let single = lists.single[template.index()].iter().zip(&here.holds);
        let all = lists.global.iter().zip(&global.holds).chain(single);
        here.is_reachable.then(|| all.filter(|&(_, &holds)| holds).map(|(&it, _)| it).collect())
    }
}
