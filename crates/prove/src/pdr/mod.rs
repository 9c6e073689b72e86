//! Property-directed reachability over thread elements: an invariant is a list of cubes that no reachable state is like, and it is searched for
//! from the errors backwards.
//!
//! After Bradley's IC3 and, for any number of threads, the thread-modular view of Hoenicke, Majumdar and Podelski (POPL 2017): a cube has one thread, or a
//! few (`cube`), and a step to it is looked at with the threads of the cube and the acting one (`tasks`, `stage`), which is what
//! the checker does. If a step leads to a cube from a state that is not excluded yet (`frames`), as much of that state as the step needs is
//! the next obligation (`stage::lift`), in conditions from the program's text where they are enough and in values where they are not
//! (`vocabulary`). If no step does, the cube is excluded, after leaving out whatever is not needed for that (`generalise`).
//!
//! It begins with the facts that `houdini` finds quickly, counts of threads included. When a level has no lemma of its own, what is excluded above it
//! is an invariant, of which only what matters is kept (`needed`).
//!
//! What it does not do: it finds no errors. An obligation that the start meets ends the search: there is an error, or the proof needs
//! more threads at a time.

mod cube;
mod frames;
mod generalise;
mod needed;
mod seeds;
mod stage;
mod tasks;
mod vocabulary;

use crate::counting::Counting;
use crate::houdini::{self, Filtered, Whom};
use crate::pool::{Limits as PoolLimits, Pool};
use cube::{Cube, Lit};
use frames::{ALWAYS, Frames};
use rustc_hash::FxHashMap;
use stage::{Answer, Question, Stage};
use std::collections::BTreeSet;
use tasks::{Steps, Task};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{
    EdgeId, ExpressionId, Expressions, LocationId, LocationKind, Program, TemplateId, VariableId,
};
use throng_cfa::invariant::Invariant;
use throng_solver::Model;
use vocabulary::Vocabulary;

/// Most threads of an obligation.
const MOST_THREADS: usize = 4;
/// Most levels.
const MOST_LEVELS: usize = 200;
/// Variables with fewer bits than this have few values.
const NARROW: u32 = 9;

/// What was found.
#[derive(Debug)]
pub struct Searched {
    /// Why no error is reachable, if that was found.
    pub invariant: Option<Invariant>,
    /// How often the solver was asked.
    pub n_questions: u64,
    /// How many lemmas there were.
    pub n_lemmas: usize,
    /// How many levels.
    pub n_levels: usize,
}

/// What a search begins with.
#[derive(Clone, Copy, Debug)]
pub enum Beginning<'a> {
    /// Facts that somebody has found already.
    Facts(&'a Filtered),
    /// Those that are found quickly.
    Quick,
    /// Those that are found with some patience.
    Patient,
}

/// Searches for a proof of a prepared program.
pub fn search(
    program: &Program,
    beginning: Beginning<'_>,
    most_questions: u64,
    budget: &Budget,
) -> Result<Searched, StopReason> {
    let found;
    let facts = match beginning {
        Beginning::Facts(facts) => facts,
        Beginning::Quick | Beginning::Patient => {
            let is_quick = matches!(beginning, Beginning::Quick);
            found = houdini::seeds(program, is_quick, budget)?;
            &found
        }
    };
    if facts.proves {
        let invariant = Some(facts.invariant.clone());
        return Ok(Searched { invariant, n_questions: 0, n_lemmas: 0, n_levels: 0 });
    }
    let counted = facts.counting.program(program);
    let pool = Pool::after(program, facts.invariant.predicates.expressions.clone(), PoolLimits::default());
    let mut pdr = Pdr::new(&counted, facts, &pool);
    pdr.most_questions = most_questions;
    let is_proved = pdr.run(budget)?;
    let invariant = if is_proved { Some(needed::invariant(&mut pdr, budget)?) } else { None };
    let Pdr { n_questions, top, frames, .. } = pdr;
    Ok(Searched { invariant, n_questions, n_lemmas: frames.lemmas.len(), n_levels: top })
}

struct Pdr<'a> {
    program: &'a Program,
    counting: &'a Counting,
    /// Begins with the program's expressions.
    table: Expressions,
    vocabulary: Vocabulary,
    steps: Steps<'a>,
    frames: Frames,
    stages: FxHashMap<(EdgeId, Vec<TemplateId>), Stage>,
    /// What variables hold at the start, of `main` alone.
    initial: Vec<Lit>,
    /// Weaker literals, by literal.
    weaker: FxHashMap<Lit, Vec<Lit>>,
    /// How often a step along each edge led to a cube: such steps are tried first.
    often: Vec<u32>,
    top: usize,
    n_questions: u64,
    most_questions: u64,
}

/// Whether a step leads to a cube.
enum Reached {
    /// None does; these literals are enough for that.
    No(BTreeSet<usize>),
    /// This one does.
    By(Task, Model),
}

impl<'a> Pdr<'a> {
    fn new(program: &'a Program, facts: &'a Filtered, pool: &Pool) -> Self {
        let mut table = pool.expressions.clone();
        let vocabulary = Vocabulary::new(program, pool, &facts.counting, &mut table);
        let frames = seeds::frames(&table, &facts.invariant);
        let mut pdr = Self {
            program,
            counting: &facts.counting,
            table,
            vocabulary,
            steps: Steps::new(program),
            frames,
            stages: FxHashMap::default(),
            initial: Vec::new(),
            weaker: FxHashMap::default(),
            often: vec![0; program.edges.len()],
            top: 0,
            n_questions: 0,
            most_questions: u64::MAX,
        };
        pdr.initial = pdr.at_start();
        pdr
    }

    /// What holds at the start.
    fn at_start(&mut self) -> Vec<Lit> {
        let mut lits = Vec::new();
        for (index, variable) in self.program.variables.iter().enumerate() {
            let whom = match variable.scope {
                throng_cfa::flow::Scope::Shared => Whom::Nobody,
                throng_cfa::flow::Scope::Local(it) if it == self.program.main => Whom::Thread(0),
                throng_cfa::flow::Scope::Local(_) => continue,
            };
            let Some(values) = &variable.initial else { continue };
            if variable.length > crate::translate::LONGEST_ROW {
                continue;
            }
            for number in 0..variable.length as usize {
                let value = values.get(number).copied().unwrap_or(0);
                let expression = self.is_value(VariableId::new(index), number, value);
                lits.push(Lit { expression, whom, value: true });
            }
        }
        lits
    }

    /// That a scalar has a value.
    fn is_value(&mut self, variable: VariableId, number: usize, value: u128) -> ExpressionId {
        let known = self.program.variable(variable);
        let place = if known.length == 1 {
            self.table.variable(variable, known.bits)
        } else {
            let index = self.table.constant(number as u128, 32);
            self.table.element(variable, index, known.bits)
        };
        let value = self.table.constant(value, known.bits);
        self.table.equal(place, value)
    }

    fn errors(&self) -> Vec<Cube> {
        let locations = (0..self.program.locations.len()).map(LocationId::new);
        let errors = locations.filter(|&it| matches!(self.program.location(it).kind, LocationKind::Error(_)));
        errors.map(|it| Cube { threads: vec![it], lits: Vec::new() }).collect()
    }

    /// Searches. Whether it ended with an invariant.
    fn run(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        // An error without any step: nothing leads to it, and no lemma may exclude it.
        for error in self.errors() {
            if self.is_at_start(&error, budget)? {
                return Ok(false);
            }
        }
        for top in 1..=MOST_LEVELS {
            self.top = top;
            let obligations = self.errors();
            if !self.exclude_all(obligations, budget)? {
                return Ok(false);
            }
            for level in 1..top {
                for lemma in self.frames.at(level) {
                    let cube = self.frames.lemmas[lemma].0.clone();
                    if let Reached::No(_) = self.reached(&cube, level + 1, budget)? {
                        self.frames.raise(lemma, level + 1);
                    }
                }
                if self.frames.at(level).is_empty() {
                    self.finish(level);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What is excluded above a level is an invariant: the rest goes.
    fn finish(&mut self, level: usize) {
        let lemmas = std::mem::take(&mut self.frames.lemmas);
        self.frames = Frames::default();
        for (cube, known) in lemmas {
            if known > level {
                self.frames.add(cube, ALWAYS);
            }
        }
        self.stages.clear();
    }

    /// Excludes all these at the highest level. Whether that was possible.
    fn exclude_all(&mut self, obligations: Vec<Cube>, budget: &Budget) -> Result<bool, StopReason> {
        let mut cubes = obligations;
        let mut queue: BTreeSet<(usize, usize)> = (0..cubes.len()).map(|it| (self.top, it)).collect();
        while let Some((level, number)) = queue.pop_first() {
            budget.check()?;
            if self.n_questions > self.most_questions {
                return Ok(false);
            }
            let cube = cubes[number].clone();
            let next = if self.frames.excludes(&cube, level) {
                level + 1
            } else {
                match self.reached(&cube, level, budget)? {
                    Reached::By(..) if level == 1 => return Ok(false),
                    Reached::By(task, model) => {
                        let before = self.before(&cube, &task, level, &model, budget)?;
                        if self.is_at_start(&before, budget)? {
                            return Ok(false);
                        }
                        queue.extend([(level, number), (level - 1, cubes.len())]);
                        cubes.push(before);
                        continue;
                    }
                    Reached::No(core) => self.lemma(&cube, &core, level, budget)? + 1,
                }
            };
            if next <= self.top {
                queue.insert((next, number));
            }
        }
        Ok(true)
    }

    /// Whether the start is like a cube.
    fn is_at_start(&mut self, cube: &Cube, budget: &Budget) -> Result<bool, StopReason> {
        let entry = self.program.templates[self.program.main.index()].entry;
        if !(cube.threads.is_empty() || cube.threads == [entry]) {
            return Ok(false);
        }
        // A scene of any step of `main` has the variables.
        let Some((edge, _)) = self.program.edges_from(entry).next() else { return Ok(true) };
        let (table, initial) = (&self.table, &self.initial);
        let stage =
            self.stages.entry((edge, Vec::new())).or_insert_with(|| Stage::new(self.program, edge, &[]));
        self.n_questions += 1;
        stage.is_possible(table, initial.iter().chain(&cube.lits).copied(), budget)
    }

    /// Whether something leads to a cube in the step to a level.
    fn reached(&mut self, cube: &Cube, level: usize, budget: &Budget) -> Result<Reached, StopReason> {
        let mut tasks = self.steps.to(&self.table, cube);
        tasks.sort_by_key(|task| (std::cmp::Reverse(self.often[task.edge.index()]), task.stand.len()));
        let mut needed = BTreeSet::new();
        for task in tasks {
            budget.check()?;
            match self.ask(cube, &task, level, budget)? {
                None => {}
                Some(Answer::No(core)) => needed.extend(core),
                Some(Answer::Yes(model)) => {
                    self.often[task.edge.index()] += 1;
                    return Ok(Reached::By(task, model));
                }
            }
        }
        Ok(Reached::No(needed))
    }

    /// Whether a step leads to a cube; `None` if it is impossible whatever the cube says.
    fn ask(
        &mut self,
        cube: &Cube,
        task: &Task,
        level: usize,
        budget: &Budget,
    ) -> Result<Option<Answer>, StopReason> {
        let entry = self.program.templates[self.program.main.index()].entry;
        let is_start = level == 1;
        if (is_start && task.stand != [entry]) || self.frames.is_empty_there(&task.stand, level - 1) {
            return Ok(None);
        }
        self.n_questions += 1;
        let mut stage = self.take(task);
        let question = self.question(cube, task, level);
        let answer = stage.ask(&question, budget);
        self.stages.insert(key(self.program, task), stage);
        answer.map(Some)
    }

    fn question<'q>(&'q self, cube: &'q Cube, task: &'q Task, level: usize) -> Question<'q> {
        Question {
            table: &self.table,
            frames: &self.frames,
            counting: self.counting,
            cube,
            stand: &task.stand,
            roles: &task.roles,
            level: level - 1,
            top: self.top,
            initial: if level == 1 { &self.initial } else { &[] },
        }
    }

    fn take(&mut self, task: &Task) -> Stage {
        let key = key(self.program, task);
        self.stages.remove(&key).unwrap_or_else(|| Stage::new(self.program, key.0, &key.1))
    }

    /// As much as is needed of the state that a step leads from.
    fn before(
        &mut self,
        cube: &Cube,
        task: &Task,
        level: usize,
        model: &Model,
        budget: &Budget,
    ) -> Result<Cube, StopReason> {
        let mut stage = self.take(task);
        let conditions = self.vocabulary.about(self.program, &task.stand);
        let said = stage.evaluate(&self.table, model, &conditions);
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        for (whom, variable, number, value) in stage.values(model) {
            // A thread that is started was not there.
            if matches!(whom, Whom::Thread(it) if it >= task.stand.len()) {
                continue;
            }
            let expression = self.is_value(variable, number, value);
            let is_narrow = self.program.variable(variable).bits < NARROW;
            let lit = Lit { expression, whom, value: true };
            if is_narrow { narrow.push(lit) } else { wide.push(lit) }
        }
        let question = self.question(cube, task, level);
        let lits = stage.lift(&question, model, &[said, narrow, wide], budget)?;
        self.stages.insert(key(self.program, task), stage);
        let mut before = Cube { threads: task.stand.clone(), lits };
        while before.threads.len() > MOST_THREADS {
            before = self.without_one(&before, level - 1, budget)?;
        }
        Ok(before)
    }

    /// A cube without one of its threads: if possible one that nothing leads to.
    fn without_one(&mut self, cube: &Cube, level: usize, budget: &Budget) -> Result<Cube, StopReason> {
        let mut threads: Vec<usize> = (0..cube.threads.len()).collect();
        threads.sort_by_key(|&it| cube.n_about(it));
        for &thread in &threads {
            let fewer = cube.without_thread(thread);
            if level > 0 && matches!(self.reached(&fewer, level, budget)?, Reached::No(_)) {
                return Ok(fewer);
            }
        }
        let least = threads.into_iter().find(|&it| it > 0).unwrap_or(0);
        Ok(cube.without_thread(least))
    }
}

/// Which stage a task is asked on.
fn key(program: &Program, task: &Task) -> (EdgeId, Vec<TemplateId>) {
    (task.edge, task.stand[1..].iter().map(|&it| program.location(it).template).collect())
}
