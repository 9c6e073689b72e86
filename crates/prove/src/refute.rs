//! Which predicates exclude an interleaving that the program does not have.
//!
//! The interleaving is followed step by step, but between two steps only the values of predicates are remembered: the values of
//! variables after a step and those before the next one are different, and *linked* by the predicates that have to have the same values in
//! both. If no values satisfy all steps, the linked predicates exclude the interleaving in the abstraction as well, for as many threads as
//! it has. Each predicate's links are an assumption of their own, so the solver says which of them are needed.
//!
//! Candidates come in tiers. Those of a higher tier are looked at only if lower ones do not suffice, and are given up first when
//! the needed ones are reduced to a core: relations between variables before constants, since constants of counters only
//! exclude one interleaving after the other.
//!
//! Solvers need long for equalities and orders of long words, and predicates that exclude an interleaving with small
//! values nearly always exclude it with all. So [`Words::Small`] values are tried first; whoever asks does not rely on that.

use crate::run::{State, Taken, n_threads};
use crate::translate::{Store, View, scope_of};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Edge, Effect, ExpressionId, Program, TemplateId, signed};
use throng_cfa::invariant::{Party, Predicate, Predicates};
use throng_solver::bits::{BitSolver, Outcome};
use throng_solver::terms::{TermId, Terms};

/// A predicate that may be needed.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) predicate: Predicate,
    pub(crate) tier: u8,
}

/// Which values variables may have between steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Those that are not much larger than the program's constants.
    Small,
    /// All.
    Whole,
}

impl Words {
    /// The most bits of a value.
    fn most_bits(self, program: &Program) -> u32 {
        let e = &program.expressions;
        let length = |id: ExpressionId| {
            let value = signed(e.as_constant(id)?, e.bits(id));
            Some(128 - value.unsigned_abs().leading_zeros())
        };
        match self {
            Words::Whole => u32::MAX,
            Words::Small => {
                let longest = ExpressionId::all(e.len()).filter_map(length).max();
                longest.unwrap_or(0).max(SMALL) + SPARE
            }
        }
    }
}

/// The least number of bits of small values, and how many more they have than constants: a sign, and room to count.
const SMALL: u32 = 3;
const SPARE: u32 = 2;

/// Which predicates are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// All.
    All,
    /// Only those that are not about all others. The abstraction may know less of the others than is followed here, since the
    /// monotone closure lets threads vanish; what it knows of the state and of threads that act, it knows as well.
    Plain,
}

impl Linked {
    fn contains(self, predicate: &Predicate) -> bool {
        self == Linked::All || predicate.passive.is_none()
    }
}

/// Candidates that exclude an interleaving together with the predicates that are there; `None` if all of them do not.
/// Nothing: the predicates that are there exclude it.
pub(crate) fn refute(
    program: &Program,
    predicates: &Predicates,
    candidates: &[Candidate],
    steps: &[Taken],
    (words, linked): (Words, Linked),
    budget: &Budget,
) -> Result<Option<Vec<Predicate>>, StopReason> {
    let most_bits = words.most_bits(program);
    let is_fresh = |it: &&Candidate| !predicates.list.contains(&it.predicate);
    let candidates = candidates.iter().filter(|it| linked.contains(&it.predicate));
    let fresh: Vec<&Candidate> = candidates.filter(is_fresh).collect();
    let present: Vec<&Predicate> = predicates.list.iter().filter(|it| linked.contains(it)).collect();
    let tiers = fresh.iter().map(|it| it.tier).max().map_or(0, |most| most + 1);
    let mut n_before = None;
    for tier in 0..=tiers {
        // Those of higher tiers stand first: they are the first to be given up.
        let mut some: Vec<&Candidate> = fresh.iter().copied().filter(|it| it.tier < tier).collect();
        some.reverse();
        some.sort_by_key(|it| std::cmp::Reverse(it.tier));
        if n_before.replace(some.len()) != Some(some.len())
            && let Some(found) = attempt(program, (predicates, &present), &some, steps, most_bits, budget)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The same with all of some candidates.
fn attempt(
    program: &Program,
    (predicates, present): (&Predicates, &[&Predicate]),
    candidates: &[&Candidate],
    steps: &[Taken],
    most_bits: u32,
    budget: &Budget,
) -> Result<Option<Vec<Predicate>>, StopReason> {
    let mut terms = Terms::new();
    let all: Vec<&Predicate> =
        candidates.iter().map(|it| &it.predicate).chain(present.iter().copied()).collect();
    let enabled: Vec<TermId> = all.iter().map(|_| terms.fresh("linked", 1)).collect();
    let mut solver = BitSolver::default();
    let mut after = State::initial(program, &mut terms, n_threads(steps));
    // At first there is nobody else.
    let mut unknown = Bystanders::default();
    for (position, taken) in steps.iter().enumerate() {
        budget.check()?;
        // Whom the search did not know about may be gone, and so may those that do nothing any more, since in the monotone
        // closure a step that they cannot follow ends them. Nothing that they know excludes the step.
        for (index, thread) in after.threads.iter_mut().enumerate() {
            let acts_later = steps[position..].iter().any(|it| it.thread == index);
            if !acts_later || !taken.present.contains(&index) {
                *thread = None;
            }
        }
        let mut before = after.forget(program, &mut terms, most_bits);
        let bystanders = Bystanders::new(program, &all, &mut terms, most_bits);
        for (predicate, &enabled) in all.iter().zip(&enabled) {
            let old = values(predicates, &mut terms, predicate, &after, &unknown);
            let new = values(predicates, &mut terms, predicate, &before, &bystanders);
            for (old, new) in old.into_iter().zip(new) {
                let same = terms.eq(old, new);
                let linked = terms.implies(enabled, same);
                solver.assert(&terms, linked);
            }
        }
        let mut holds = Vec::new();
        if before.step(program, &predicates.expressions, &mut terms, taken, &mut holds).is_none() {
            return Ok(None);
        }
        holds.iter().for_each(|&it| solver.assert(&terms, it));
        after = before;
        unknown = bystanders.after(program, &mut terms, program.edge(taken.edge));
    }
    match solver.check(&terms, &enabled, budget) {
        Outcome::Sat(_) => Ok(None),
        Outcome::Unknown(reason) => Err(reason),
        Outcome::Unsat(_) if candidates.is_empty() => Ok(Some(Vec::new())),
        Outcome::Unsat(core) => {
            let (core, done) = solver.minimise_core(&terms, core, budget);
            done?;
            let needed = candidates.iter().zip(&enabled).filter(|(_, it)| core.contains(it));
            Ok(Some(needed.map(|(candidate, _)| candidate.predicate.clone()).collect()))
        }
    }
}

/// The values of a predicate in a state: one, or one for each thread.
fn values(
    predicates: &Predicates,
    terms: &mut Terms,
    predicate: &Predicate,
    state: &State,
    unknown: &Bystanders,
) -> Vec<TermId> {
    let Some(template) = predicate.active else {
        return vec![value(predicates, terms, predicate, state, None, unknown)];
    };
    let threads = state.threads.iter().enumerate();
    let theirs = threads.filter(|(_, it)| it.as_ref().is_some_and(|it| it.template == template));
    let theirs: Vec<usize> = theirs.map(|(index, _)| index).collect();
    theirs.into_iter().map(|index| value(predicates, terms, predicate, state, Some(index), unknown)).collect()
}

fn value(
    predicates: &Predicates,
    terms: &mut Terms,
    predicate: &Predicate,
    state: &State,
    active: Option<usize>,
    unknown: &Bystanders,
) -> TermId {
    let nobody = Store::default();
    let own = active.and_then(|it| state.threads[it].as_ref()).map_or(&nobody, |it| &it.own);
    let Some(party) = &predicate.passive else {
        return View::new(&predicates.expressions, &state.shared, own).term(terms, predicate.expression);
    };
    let others = state.threads.iter().enumerate().filter(|&(index, _)| Some(index) != active);
    let counted = others
        .filter_map(|(_, it)| it.as_ref())
        .filter(|it| it.template == party.template && party.scope.binary_search(&it.location).is_ok());
    let mut all = terms.truth(true);
    for other in counted {
        let mut view = View::new(&predicates.expressions, &state.shared, own).with_passive(&other.own);
        let holds = view.term(terms, predicate.expression);
        all = terms.and(all, holds);
    }
    for (counts, other) in unknown.of(party) {
        let mut view = View::new(&predicates.expressions, &state.shared, own).with_passive(other);
        let holds = view.term(terms, predicate.expression);
        let obeys = terms.implies(counts, holds);
        all = terms.and(all, obeys);
    }
    all
}

/// How many threads of each code there may be that an interleaving does not mention.
const MOST_UNKNOWN: usize = 2;

/// Threads that an interleaving does not mention: predicates about all others are about them too.
#[derive(Clone, Debug, Default)]
struct Bystanders {
    parties: Vec<Party>,
    /// With whether it is there and counts, by party.
    threads: Vec<(TemplateId, Store, Vec<TermId>)>,
}

impl Bystanders {
    fn new(program: &Program, predicates: &[&Predicate], terms: &mut Terms, most_bits: u32) -> Self {
        let mut parties: Vec<Party> = Vec::new();
        for party in predicates.iter().filter_map(|it| it.passive.as_ref()) {
            if !parties.contains(party) {
                parties.push(party.clone());
            }
        }
        let mut templates: Vec<TemplateId> = parties.iter().map(|it| it.template).collect();
        templates.sort_unstable();
        templates.dedup();
        let threads = templates.iter().flat_map(|&it| [it; MOST_UNKNOWN]).map(|template| {
            let counts = parties.iter().map(|_| terms.fresh("counts", 1)).collect();
            (template, Store::small(program, scope_of(template), terms, "unknown ", most_bits), counts)
        });
        let threads = threads.collect();
        Self { parties, threads }
    }

    /// Those who count for a party.
    fn of<'a>(&'a self, party: &Party) -> impl Iterator<Item = (TermId, &'a Store)> + use<'a> {
        let (index, template) = (self.parties.iter().position(|it| it == party), party.template);
        let theirs = self.threads.iter().filter(move |(of, _, _)| *of == template);
        theirs.filter_map(move |(_, store, counts)| Some((counts[index?], store)))
    }

    /// The same after a step of somebody else. What a step does to others is forgotten.
    fn after(mut self, program: &Program, terms: &mut Terms, edge: &Edge) -> Self {
        if let Some(Effect::Broadcast(_) | Effect::Signal(_)) = edge.effect {
            for (template, store, _) in &mut self.threads {
                *store = Store::fresh(program, scope_of(*template), terms, "unknown ");
            }
        }
        self
    }
}
