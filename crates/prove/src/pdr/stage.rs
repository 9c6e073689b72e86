//! A step with threads of some codes, and a solver that knows what is excluded before it.
//!
//! One solver serves all locations where the threads may stand: that thread i is at location l is a bit, which what is excluded there
//! depends on; so is each level of lemmas.

use super::cube::{Cube, Lit, arrange, moved};
use super::frames::{ALWAYS, Frames};
use crate::counting::Counting;
use crate::houdini::{Phase, Scene, Whom};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{EdgeId, ExpressionId, Expressions, LocationId, Program, TemplateId, VariableId};
use throng_solver::terms::TermId;
use throng_solver::{BitSolver, Model, Outcome};

/// After so many questions a stage gets a new solver: old gates slow it down.
const QUESTIONS: usize = 400;

/// What a question came to.
pub(super) enum Answer {
    /// No step leads there; these literals of the cube are enough for that.
    No(Vec<usize>),
    /// A step does.
    Yes(Model),
}

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Stage {
    scene: Scene,
    solver: BitSolver,
    n_questions: usize,
    /// By level.
    levels: Vec<TermId>,
    at: FxHashMap<(usize, LocationId), TermId>,
    /// By where threads stand: how much of the log is asserted.
    known: FxHashMap<Vec<LocationId>, usize>,
    bounds: FxHashMap<Vec<LocationId>, Vec<TermId>>,
    seen: FxHashSet<(usize, Vec<usize>)>,
    clauses: Vec<TermId>,
    memo: FxHashMap<(ExpressionId, Whom, Phase), TermId>,
}

impl Stage {
    pub(super) fn new(program: &Program, edge: EdgeId, others: &[TemplateId]) -> Self {
        let scene = Scene::step(program, program.edge(edge), others);
        let mut stage = Self {
            scene,
            solver: BitSolver::default(),
            n_questions: 0,
            levels: Vec::new(),
            at: FxHashMap::default(),
            known: FxHashMap::default(),
            bounds: FxHashMap::default(),
            seen: FxHashSet::default(),
            clauses: Vec::new(),
            memo: FxHashMap::default(),
        };
        stage.renew();
        stage
    }

    fn renew(&mut self) {
        self.solver = BitSolver::default();
        for &condition in self.scene.always.iter().chain(&self.clauses) {
            self.solver.assert(&self.scene.terms, condition);
        }
        self.n_questions = 0;
    }

    /// A literal about threads of the scene, as a term.
    pub(super) fn term(&mut self, table: &Expressions, lit: Lit, phase: Phase) -> TermId {
        let key = (lit.expression, lit.whom, phase);
        let term = match self.memo.get(&key) {
            Some(&term) => term,
            None => {
                let term = self.scene.term(table, lit.whom, phase, lit.expression);
                self.memo.insert(key, term);
                term
            }
        };
        if lit.value { term } else { self.scene.terms.not(term) }
    }

    /// A cube's literals as terms, its threads being these of the scene.
    fn lits(&mut self, table: &Expressions, cube: &Cube, roles: &[usize], phase: Phase) -> Vec<TermId> {
        let lit = |lit: &Lit| {
            let whom = moved(lit.whom, |it| roles.get(it).copied()).unwrap_or(lit.whom);
            Lit { whom, ..*lit }
        };
        cube.lits.iter().map(|it| self.term(table, lit(it), phase)).collect()
    }

    /// That the state before is not like a cube, with these threads for the cube's.
    fn excluded(&mut self, table: &Expressions, cube: &Cube, places: &[usize]) -> TermId {
        let lits = self.lits(table, cube, places, Phase::Before);
        let negations: Vec<TermId> = lits.into_iter().map(|it| self.scene.terms.not(it)).collect();
        self.scene.terms.or_all(negations)
    }

    fn level(&mut self, level: usize) -> TermId {
        while self.levels.len() <= level {
            let bit = self.scene.terms.fresh("level", 1);
            self.levels.push(bit);
        }
        self.levels[level]
    }

    fn at(&mut self, thread: usize, location: LocationId) -> TermId {
        let terms = &mut self.scene.terms;
        *self.at.entry((thread, location)).or_insert_with(|| terms.fresh("at", 1))
    }

    /// Asserts what is excluded with threads that stand so and was not known yet.
    fn learn(&mut self, table: &Expressions, frames: &Frames, stand: &[LocationId]) {
        let from = self.known.insert(stand.to_vec(), frames.len()).unwrap_or(0);
        for entry in frames.about(stand, from) {
            let (lemma, level) = frames.entry(entry);
            let cube = &frames.lemmas[lemma].0;
            let mut ways = Vec::new();
            arrange(&cube.threads, stand, &mut Vec::new(), &mut |places| ways.push(places.to_vec()));
            for places in ways {
                if !self.seen.insert((entry, places.clone())) {
                    continue;
                }
                let mut clause = vec![self.excluded(table, cube, &places)];
                if level != ALWAYS {
                    clause.push(self.level(level));
                }
                clause.extend(places.iter().map(|&it| self.at(it, stand[it])));
                let terms = &mut self.scene.terms;
                let rest: Vec<TermId> = clause[1..].iter().map(|&it| terms.not(it)).collect();
                let clause = terms.or_all(std::iter::once(clause[0]).chain(rest));
                if !terms.is_true(clause) {
                    self.clauses.push(clause);
                    self.solver.assert(&self.scene.terms, clause);
                }
            }
        }
    }

    /// What is known of counts with threads that stand so.
    fn bounds(&mut self, counting: &Counting, stand: &[LocationId]) -> Vec<TermId> {
        if let Some(known) = self.bounds.get(stand) {
            return known.clone();
        }
        let bounds = self.scene.bounds(counting, stand);
        self.bounds.insert(stand.to_vec(), bounds.clone());
        bounds
    }

    /// Whether a step leads from a state that is excluded neither at this level nor by the cube to one that is like the cube.
    pub(super) fn ask(&mut self, question: &Question<'_>, budget: &Budget) -> Result<Answer, StopReason> {
        let Question { table, frames, counting, cube, stand, roles, level, top, initial } = *question;
        self.n_questions += 1;
        if self.n_questions > QUESTIONS {
            self.renew();
        }
        self.learn(table, frames, stand);
        let mut assumptions = self.lits(table, cube, roles, Phase::After);
        let n_lits = assumptions.len();
        assumptions.extend(self.bounds(counting, stand));
        for (thread, &at) in stand.iter().enumerate() {
            assumptions.push(self.at(thread, at));
        }
        for level in level..=top {
            assumptions.push(self.level(level));
        }
        assumptions.extend(initial.iter().map(|&lit| self.term(table, lit, Phase::Before)));
        let mut ways = Vec::new();
        arrange(&cube.threads, stand, &mut Vec::new(), &mut |places| ways.push(places.to_vec()));
        for places in ways {
            assumptions.push(self.excluded(table, cube, &places));
        }
        match self.solver.check(&self.scene.terms, &assumptions, budget) {
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(model) => Ok(Answer::Yes(model)),
            Outcome::Unsat(core) => {
                let is_needed = |it: &usize| core.contains(&assumptions[*it]);
                Ok(Answer::No((0..n_lits).filter(is_needed).collect()))
            }
        }
    }

    /// Whether literals can hold before a step; the step itself does not matter.
    pub(super) fn is_possible(
        &mut self,
        table: &Expressions,
        lits: impl Iterator<Item = Lit>,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut solver = BitSolver::default();
        for lit in lits {
            let term = self.term(table, lit, Phase::Before);
            solver.assert(&self.scene.terms, term);
        }
        solver.is_satisfiable(&self.scene.terms, &[], budget)
    }

    /// Lemmas that are enough for no step to lead to a cube; of all that are always excluded, those that are needed anyway if they are enough.
    pub(super) fn reasons(
        &mut self,
        question: &Question<'_>,
        is_needed: &[bool],
        budget: &Budget,
    ) -> Result<Vec<usize>, StopReason> {
        let Question { table, frames, counting, cube, stand, roles, .. } = *question;
        let mut solver = BitSolver::default();
        let mut fixed = self.scene.always.clone();
        fixed.extend(self.lits(table, cube, roles, Phase::After));
        fixed.extend(self.bounds(counting, stand));
        let mut ways = Vec::new();
        arrange(&cube.threads, stand, &mut Vec::new(), &mut |places| ways.push((None, places.to_vec())));
        for entry in frames.about(stand, 0) {
            let lemma = frames.entry(entry).0;
            let threads = &frames.lemmas[lemma].0.threads;
            arrange(threads, stand, &mut Vec::new(), &mut |places| ways.push((Some(lemma), places.to_vec())));
        }
        let mut known: Vec<(TermId, usize)> = Vec::new();
        for (lemma, places) in ways {
            let excluded = lemma.map_or(cube, |lemma| &frames.lemmas[lemma].0);
            let term = self.excluded(table, excluded, &places);
            match lemma {
                None => fixed.push(term),
                Some(lemma) if !self.scene.terms.is_true(term) => known.push((term, lemma)),
                Some(_) => {}
            }
        }
        for condition in fixed {
            solver.assert(&self.scene.terms, condition);
        }
        let cheap: Vec<TermId> =
            known.iter().filter(|&&(_, it)| is_needed[it]).map(|&(term, _)| term).collect();
        if solver.check(&self.scene.terms, &cheap, budget).is_unsat() {
            return Ok(Vec::new());
        }
        let all: Vec<TermId> = known.iter().map(|&(term, _)| term).collect();
        match solver.check(&self.scene.terms, &all, budget) {
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(_) => Ok(Vec::new()),
            Outcome::Unsat(core) => {
                let core = smaller(&mut solver, &self.scene, core, budget)?;
                let found = core.iter().filter_map(|term| known.iter().find(|(it, _)| it == term));
                Ok(found.map(|&(_, lemma)| lemma).collect())
            }
        }
    }

    /// Which of these conditions hold before the step in a model.
    pub(super) fn evaluate(
        &mut self,
        table: &Expressions,
        model: &Model,
        conditions: &[(ExpressionId, Whom)],
    ) -> Vec<Lit> {
        let lit = |&(expression, whom): &(ExpressionId, Whom)| Lit { expression, whom, value: true };
        let terms: Vec<TermId> =
            conditions.iter().map(|it| self.term(table, lit(it), Phase::Before)).collect();
        let values = model.values(&self.scene.terms, &terms);
        let is_open = |term: TermId| self.scene.terms.as_constant(term).is_none();
        let held = conditions.iter().zip(terms.iter().zip(values)).filter(|(_, (term, _))| is_open(**term));
        held.map(|(it, (_, value))| Lit { value: value == 1, ..lit(it) }).collect()
    }

    /// The values of all variables before the step in a model: whose, which scalar, its value.
    pub(super) fn values(&self, model: &Model) -> Vec<(Whom, VariableId, usize, u128)> {
        let places = self.scene.places();
        let terms: Vec<TermId> = places.iter().map(|&(.., term)| term).collect();
        let values = model.values(&self.scene.terms, &terms);
        let value = |((whom, variable, index, _), value)| (whom, variable, index, value);
        places.into_iter().zip(values).map(value).collect()
    }

    /// Some of the literals, all of which hold before the step in a model, such that every state in which they hold has a step to
    /// the cube. Those that come first are preferred to go.
    pub(super) fn lift(
        &mut self,
        question: &Question<'_>,
        model: &Model,
        tiers: &[Vec<Lit>],
        budget: &Budget,
    ) -> Result<Vec<Lit>, StopReason> {
        let mut wanted = self.lits(question.table, question.cube, question.roles, Phase::After);
        wanted.extend(&self.scene.always);
        let goal = self.scene.terms.and_all(wanted);
        let state: Vec<TermId> = self.scene.places().iter().map(|&(.., term)| term).collect();
        let state: FxHashSet<_> = self.scene.terms.variables_of(&state).into_iter().collect();
        let mut solver = BitSolver::default();
        for variable in self.scene.terms.variables_of(&[goal]) {
            if !state.contains(&variable) {
                let term = self.scene.terms.variable_term(variable);
                let value = self.scene.terms.constant(model.variable(variable), self.scene.terms.width(term));
                let equal = self.scene.terms.eq(term, value);
                solver.assert(&self.scene.terms, equal);
            }
        }
        let missed = self.scene.terms.not(goal);
        solver.assert(&self.scene.terms, missed);
        let mut lits: Vec<Lit> = Vec::new();
        let mut terms: Vec<TermId> = Vec::new();
        for tier in tiers {
            // What comes later is dropped first.
            for &lit in tier {
                let term = self.term(question.table, lit, Phase::Before);
                if !terms.contains(&term) {
                    lits.push(lit);
                    terms.push(term);
                }
            }
            match solver.check(&self.scene.terms, &terms, budget) {
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(_) => {}
                Outcome::Unsat(core) => {
                    let core = smaller(&mut solver, &self.scene, core, budget)?;
                    let kept = lits.iter().zip(&terms).filter(|(_, term)| core.contains(term));
                    return Ok(kept.map(|(&lit, _)| lit).collect());
                }
            }
        }
        Ok(lits)
    }
}

/// A core of which nothing can be left out.
fn smaller(
    solver: &mut BitSolver,
    scene: &Scene,
    mut core: Vec<TermId>,
    budget: &Budget,
) -> Result<Vec<TermId>, StopReason> {
    let mut at = core.len();
    while at > 0 {
        at -= 1;
        let mut fewer = core.clone();
        fewer.remove(at);
        match solver.check(&scene.terms, &fewer, budget) {
            Outcome::Unknown(reason) => return Err(reason),
            Outcome::Sat(_) => {}
            Outcome::Unsat(found) => {
                at = at.min(found.len());
                core = found;
            }
        }
    }
    Ok(core)
}

/// What is asked about a step.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    pub(super) table: &'q Expressions,
    pub(super) frames: &'q Frames,
    pub(super) counting: &'q Counting,
    pub(super) cube: &'q Cube,
    pub(super) stand: &'q [LocationId],
    pub(super) roles: &'q [usize],
    /// What is excluded before the step: lemmas from this level on.
    pub(super) level: usize,
    /// The highest level.
    pub(super) top: usize,
    /// What holds before the step, if that is at the start.
    pub(super) initial: &'q [Lit],
}
