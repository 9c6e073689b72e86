//! Steps of an abstract run that no step of the program is like: transition refinement (the inner loop of Figure 26 of the thesis).
//!
//! An approximated relation allows more than the predicates say. Along a run of the abstract program all predicates have values.
//! For each step, the values of the state and of the acting thread are tried in the scene of that step; only if they are possible
//! there, those of each passive thread together with them. Where they are not, a core of the values is a cube that is excluded
//! from then on, for the rest of the loop.

use crate::program::{AbstractProgram, Origin};
use crate::relate::{Context, Literals, is_first};
use crate::scene::{Act, Bit, Others, Scene, Time, Who};
use crate::scopes::Scopes;
use rustc_hash::FxHashMap;
use throng_base::{Budget, StopReason};
use throng_boolprog::Cube;
use throng_cfa::flow::TemplateId;
use throng_cfa::invariant::PredicateId;
use throng_solver::bits::{BitSolver, Outcome};
use throng_solver::terms::TermId;
use throng_symbolic::{Scheduled, Snapshot};

/// A run of an abstract program: its steps, and the values before the first and after each.
pub(crate) struct AbstractRun {
    pub(crate) steps: Vec<Scheduled>,
    pub(crate) values: Vec<Snapshot>,
}

/// Excludes steps of a run; how many of them.
pub(crate) fn exclude_steps(
    context: &Context<'_>,
    made: &AbstractProgram,
    run: &AbstractRun,
    others: Others,
    budget: &Budget,
) -> Result<usize, StopReason> {
    let mut excluded = 0;
    for (position, (step, values)) in run.steps.iter().zip(run.values.windows(2)).enumerate() {
        budget.check()?;
        let act = match made.origins[step.edge] {
            Origin::Begin { template, first } => Act::Begin { template, first },
            Origin::Edge(edge) | Origin::Before(edge) => Act::Edge(context.program.edge(edge)),
            Origin::Start => continue,
        };
        // Whoever does nothing any more could be gone instead: that a step is none for them excludes no run.
        let later = &run.steps[position + 1..];
        let passive = step.present.iter().copied().filter(|&it| later.iter().any(|step| step.thread == it));
        let passive = passive.filter(|&it| it != step.thread).collect();
        let seen = Seen { context, made, step, passive, values: [&values[0], &values[1]], act, others };
        excluded += usize::from(seen.exclude(budget)?);
    }
    Ok(excluded)
}

/// A step with all values.
struct Seen<'a, 'p> {
    context: &'a Context<'p>,
    made: &'a AbstractProgram,
    step: &'a Scheduled,
    /// The other threads that matter.
    passive: Vec<usize>,
    values: [&'a Snapshot; 2],
    act: Act<'p>,
    others: Others,
}

impl Seen<'_, '_> {
    /// Whether the step is impossible and was not known to be.
    fn exclude(&self, budget: &Budget) -> Result<bool, StopReason> {
        let mine = self.context.bits_of_acting(self.act);
        if let Some(core) = self.impossible(None, &mine, budget)? {
            return Ok(self.context.learn(self.act, None, core));
        }
        if is_first(self.act) {
            return Ok(false);
        }
        for &thread in &self.passive {
            let Some(passive) = self.template(thread) else { continue };
            if self.context.is_alone(self.act, passive) {
                continue;
            }
            let mut bits = mine.clone();
            bits.extend(self.context.bits_of_passive(self.act, passive));
            if let Some(core) = self.impossible(Some((thread, passive)), &bits, budget)? {
                return Ok(self.context.learn(self.act, Some(passive), core));
            }
        }
        Ok(false)
    }

    /// The code of a thread, if it has begun.
    fn template(&self, thread: usize) -> Option<TemplateId> {
        let locals = self.locals(thread, Time::Before)?;
        let counts = |template: &TemplateId| self.made.counts(locals, Scopes::whole(*template)) == Some(true);
        TemplateId::all(self.context.program.templates.len()).find(counts)
    }

    fn locals(&self, thread: usize, time: Time) -> Option<&Cube> {
        self.values[time as usize].threads.get(thread)?.as_ref()
    }

    /// Values that exclude each other, if these bits cannot have the values that they have in the run.
    fn impossible(
        &self,
        passive: Option<(usize, TemplateId)>,
        bits: &[Bit],
        budget: &Budget,
    ) -> Result<Option<Literals>, StopReason> {
        let values = bits.iter().map(|&bit| Some((bit, self.value(passive.map(|it| it.0), bit)?)));
        // A passive thread that is gone after the step has no values.
        let Some(values) = values.collect::<Option<Literals>>() else { return Ok(None) };
        let context = self.context;
        let mut scene =
            Scene::new(context.program, context.predicates, &context.scopes, self.act, self.others);
        if let Some((_, template)) = passive {
            scene.add_passive(template);
        }
        let mut assumptions: Vec<TermId> = Vec::new();
        let mut meaning: FxHashMap<TermId, (Bit, bool)> = FxHashMap::default();
        for (bit, value) in values {
            let term = scene.term(bit);
            let literal = if value { term } else { scene.terms.not(term) };
            meaning.entry(literal).or_insert((bit, value));
            assumptions.push(literal);
        }
        scene.close();
        let mut solver = BitSolver::default();
        scene.holds.iter().for_each(|&it| solver.assert(&scene.terms, it));
        match solver.check(&scene.terms, &assumptions, budget) {
            Outcome::Sat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Unsat(core) => {
                let (core, done) = solver.minimise_core(&scene.terms, core, budget);
                done?;
                Ok(Some(core.iter().filter_map(|it| meaning.get(it).copied()).collect()))
            }
        }
    }

    /// The value of a bit in the run.
    fn value(&self, passive: Option<usize>, bit: Bit) -> Option<bool> {
        let own = |thread: usize, time: Time, id: PredicateId| {
            self.made.value_of_thread(self.locals(thread, time)?, id)
        };
        match bit {
            Bit::Counts(scope) => self.made.counts(self.locals(passive?, Time::Before)?, scope),
            Bit::Value { predicate, who: Who::State, time } => {
                self.made.value_of_state(&self.values[time as usize].shared, predicate)
            }
            Bit::Value { predicate, who: Who::Active, time } => own(self.step.thread, time, predicate),
            Bit::Value { predicate, who: Who::Passive, time } => own(passive?, time, predicate),
        }
    }
}
