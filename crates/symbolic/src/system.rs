//! A program behind the engines' interface.
//!
//! States are cubes, rules connect them (`rules`); both appear as engines ask. Reaching a target is a rule of its own, to a
//! shared state where nothing happens any more, so that engines need not know that cubes overlap. Two configurations
//! are compared by the numbers of their states only: an engine may keep more than one whose valuations are the same,
//! never one that is wrong.

use crate::fixed::{self, Fixed};
use crate::images::{Direction, Images};
use crate::liveness::Liveness;
use crate::order;
use crate::relation::{Relation, TooManyVariables};
use crate::rules::{Action, Rules};
use crate::states::States;
use crate::through::Through;
use std::borrow::Cow;
use std::ops::ControlFlow;
use throng_boolprog::flow::Program;
use throng_boolprog::{Cube, InitThreads, ProgramQuestion, ThreadPattern};
use throng_model::bag;
use throng_model::interface::{Effect, Enumeration, Report, TransitionSystem};
use throng_model::{Bag, Config, ConfigRef, Entry, LocalId, Moved, OMEGA, RuleId, SharedId, Step, pre, step};

/// A statement of a program has more variables than can be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementTooLarge {
    /// Where it is.
    pub location: throng_boolprog::flow::LocationId,
}

/// A program with a question, as the engines see it.
#[derive(Debug)]
pub struct ProgramSystem<'p> {
    pub(crate) rules: Rules<'p>,
}

impl<'p> ProgramSystem<'p> {
    /// The system of a program. Of one whose statements relate other threads' variables, as abstractions of programs do, the
    /// search knows the values that locations fix; its proofs say so ([`Self::document`]).
    pub fn new(program: &'p Program, question: ProgramQuestion) -> Result<Self, StatementTooLarge> {
        if fixed::relates_others(program) {
            let liveness = Liveness::new(program, &question);
            let through = Through::none(program);
            return Self::with(program, question, through, liveness, Fixed::new(program), true);
        }
        let (through, liveness) = (Through::new(program, &question), Liveness::new(program, &question));
        Self::with(program, question, through, liveness, Fixed::nothing(program), true)
    }

    /// The same, with nothing left out between steps: proofs are about every location, and every atomic section. They are also
    /// about threads only that have the values that their locations fix (`fixed`).
    pub fn in_every_step(program: &'p Program, question: ProgramQuestion) -> Result<Self, StatementTooLarge> {
        let liveness = Liveness::new(program, &question);
        Self::with(program, question, Through::none(program), liveness, Fixed::new(program), false)
    }

    /// The same, with every step of the program as a step of its own.
    pub fn step_by_step(program: &'p Program, question: ProgramQuestion) -> Result<Self, StatementTooLarge> {
        let liveness = Liveness::new(program, &question);
        let through = Through::none(program);
        Self::with(program, question, through, liveness, Fixed::nothing(program), true)
    }

    /// The same, with every variable that a thread can read as well.
    pub(crate) fn in_full(
        program: &'p Program,
        question: ProgramQuestion,
    ) -> Result<Self, StatementTooLarge> {
        let liveness = Liveness::in_full(program, &question);
        let through = Through::none(program);
        Self::with(program, question, through, liveness, Fixed::nothing(program), true)
    }

    /// What a shared and a local state stand for.
    pub(crate) fn thread_state(&self, shared: SharedId, local: LocalId) -> Option<(&Cube, &ThreadPattern)> {
        Some((self.rules.states.shared(shared)?, self.rules.states.local(local)))
    }

    fn with(
        program: &'p Program,
        question: ProgramQuestion,
        through: Through,
        liveness: Liveness,
        fixed: Fixed,
        skip_sections: bool,
    ) -> Result<Self, StatementTooLarge> {
        let images = program.edges().iter().map(|&edge| {
            let relation = Relation::new(program, edge);
            relation.map(Images::new).map_err(|TooManyVariables| StatementTooLarge { location: edge.from })
        });
        let images = images.collect::<Result<Vec<Images>, _>>()?;
        Ok(Self { rules: Rules::new(program, question, images, through, liveness, fixed, skip_sections) })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.rules.program
    }

    /// The question.
    pub fn question(&self) -> &ProgramQuestion {
        &self.rules.question
    }

    /// How many shared states, local states and rules were met so far.
    pub fn n_met(&self) -> (usize, usize, usize) {
        let (shared, locals) = self.rules.states.len();
        (shared, locals, self.rules.len())
    }

    /// Where a thread is that has done nothing yet.
    fn start(&self) -> LocalId {
        let location = self.rules.program.entry();
        self.rules.states.local_id(&ThreadPattern { location, locals: Cube::any() })
    }

    fn is_start(&self, local: LocalId) -> bool {
        self.rules.states.local(local).location == self.rules.program.entry()
    }

    /// Whether a configuration contradicts the atomic bit: then it has no valuations.
    fn is_impossible(&self, config: ConfigRef<'_>) -> bool {
        let Some(shared) = self.rules.states.shared(config.shared) else { return false };
        let is_open = shared.get(self.rules.program.atomic_bit()) == Some(true);
        let atomic = config.bag.iter().filter(|entry| self.rules.is_atomic(entry.local));
        atomic.map(|entry| u64::from(entry.count)).sum::<u64>() > u64::from(is_open)
    }

    /// Predecessors under one rule, without those that cannot exist.
    fn predecessors(
        &self,
        id: RuleId,
        config: ConfigRef<'_>,
        buffers: &mut (Bag, Bag),
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration {
        let rule = self.rules.get(id);
        if rule.to != config.shared {
            return Ok(ControlFlow::Continue(()));
        }
        let mut possible = |before: ConfigRef<'_>| {
            if self.is_impossible(before) { ControlFlow::Continue(()) } else { report(before) }
        };
        let (leftover, before) = buffers;
        bag::difference_into(config.bag, &rule.put, leftover);
        if rule.context.is_none() {
            bag::sum_into(leftover, &rule.take, before)?;
            return Ok(possible(ConfigRef::new(rule.from, before)));
        }
        let (table, id) = self.as_table(id, Direction::Backward, leftover);
        let mut report = |_: pre::PassiveMoves<'_>, before: ConfigRef<'_>| possible(before);
        pre::for_each_predecessor(table.get(id), config, &mut pre::Buffers::default(), &mut report)
    }

    /// The rules into a configuration, each once.
    fn rules_into(
        &self,
        config: ConfigRef<'_>,
        mut report: impl FnMut(RuleId) -> Enumeration,
    ) -> Enumeration {
        let rules = &self.rules;
        let mut all = |list: &[RuleId]| {
            for &rule in list {
                if report(rule)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        if config.shared == States::REACHED {
            return all(&rules.leading_to_reached());
        }
        if all(&rules.leading_to_shared(config.shared))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let others = |actor: Option<LocalId>| -> Vec<LocalId> {
            let is_other = |it: &&Entry| it.count > 1 || Some(it.local) != actor;
            config.bag.iter().filter(is_other).map(|it| it.local).collect()
        };
        if all(&rules.broadcasting(config.shared, None, others(None)))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        for entry in config.bag {
            let actor = Some(entry.local);
            if all(&rules.leading_to_thread(config.shared, entry.local))?.is_break()
                || all(&rules.broadcasting(config.shared, actor, others(actor)))?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        for child in config.bag.iter().filter(|it| rules.starts_at(rules.states.local(it.local).location)) {
            for parent in config.bag.iter().filter(|it| it.local != child.local || it.count > 1) {
                if all(&rules.leading_to_both(config.shared, parent.local, child.local))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Ways to choose different threads of a configuration that fit the targets.
    fn for_each_target_met(
        &self,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(Bag) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(shared) = self.rules.states.shared(config.shared) else { return ControlFlow::Continue(()) };
        for target in self.rules.question.targets.iter().filter(|it| it.shared.meets(shared)) {
            self.choose(&target.threads, config.bag, &mut Vec::new(), report)?;
        }
        ControlFlow::Continue(())
    }

    fn choose(
        &self,
        wanted: &[ThreadPattern],
        threads: &[Entry],
        chosen: &mut Vec<LocalId>,
        report: &mut dyn FnMut(Bag) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((first, others)) = wanted.split_first() else {
            let bag = Bag::from_locals(chosen.iter().copied());
            return bag.map_or(ControlFlow::Continue(()), report);
        };
        for entry in threads {
            let taken = chosen.iter().filter(|&&it| it == entry.local).count() as u64;
            let thread = self.rules.states.local(entry.local);
            let fits = thread.location == first.location && thread.locals.meets(&first.locals);
            if fits && taken < u64::from(entry.count) {
                chosen.push(entry.local);
                self.choose(others, threads, chosen, report)?;
                chosen.pop();
            }
        }
        ControlFlow::Continue(())
    }

    /// The successors under one rule.
    fn successors(
        &self,
        id: RuleId,
        config: ConfigRef<'_>,
        (rest, next): &mut (Bag, Bag),
        report: Report<'_>,
    ) -> Enumeration {
        let rule = self.rules.get(id);
        bag::difference_into(config.bag, &rule.take, rest);
        if rule.context.is_none() {
            bag::sum_into(rest, &rule.put, next)?;
            return Ok(report(id, ConfigRef::new(rule.to, next)));
        }
        let (table, only) = self.as_table(id, Direction::Forward, rest);
        let mut report = |_: &[Moved], after: ConfigRef<'_>| report(id, after);
        step::for_each_successor(table.get(only), config, &mut step::Buffers::default(), &mut report)
    }
}

impl TransitionSystem for ProgramSystem<'_> {
    fn for_each_initial(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let shared = self.rules.states.shared_id(Cube::any().with(self.rules.program.atomic_bit(), false));
        let count = match self.rules.question.threads {
            InitThreads::Exactly(count) => count,
            InitThreads::Any => OMEGA,
        };
        let bag = Bag::from_counts([(self.start(), count)].into_iter().filter(|&(_, count)| count > 0));
        report(ConfigRef::new(shared, &bag.expect("one local state occurs once")))
    }

    fn for_each_target(&self, report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.rules.question.targets.is_empty() {
            return ControlFlow::Continue(());
        }
        report(ConfigRef::new(States::REACHED, &[]))
    }

    fn is_initial(&self, config: ConfigRef<'_>) -> bool {
        let Some(shared) = self.rules.states.shared(config.shared) else { return false };
        let few = match self.rules.question.threads {
            InitThreads::Exactly(count) => config.size() <= u64::from(count),
            InitThreads::Any => true,
        };
        few && shared.get(self.rules.program.atomic_bit()) == Some(false)
            && config.bag.iter().all(|entry| self.is_start(entry.local))
    }

    fn initial_instance(&self, config: ConfigRef<'_>) -> Option<Config> {
        if !self.is_initial(config) {
            return None;
        }
        let mut instance = config.to_config();
        if let InitThreads::Exactly(count) = self.rules.question.threads {
            let missing = u32::try_from(u64::from(count) - config.size()).ok()?;
            if missing > 0 {
                instance.bag.add(self.start(), missing).ok()?;
            }
        }
        Some(instance)
    }

    fn for_each_predecessor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut buffers = (Bag::new(), Bag::new());
        self.rules_into(config, |rule| {
            self.predecessors(rule, config, &mut buffers, &mut |before| report(rule, before))
        })
    }

    fn for_each_predecessor_by(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Enumeration {
        self.predecessors(rule, config, &mut (Bag::new(), Bag::new()), report)
    }

    fn predecessor_within(
        &self,
        rule: RuleId,
        config: ConfigRef<'_>,
        limit: ConfigRef<'_>,
    ) -> Result<Option<Config>, bag::CountOverflow> {
        let found = self.find_within(rule, config, limit)?;
        Ok(found.filter(|before| !self.is_impossible(before.view())))
    }

    fn for_each_wider(
        &self,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) {
        self.rules.order.for_each_wider(config, report);
    }

    fn is_wider(&self, wide: ConfigRef<'_>, narrow: ConfigRef<'_>) -> bool {
        order::is_wider(&self.rules.states, wide, narrow)
    }

    fn plain_effect(&self, rule: RuleId) -> Option<Effect<'_>> {
        let rule = self.rules.get(rule);
        rule.context.is_none().then_some(Effect { take: &rule.take, put: &rule.put })
    }

    fn for_each_successor(&self, config: ConfigRef<'_>, report: Report<'_>) -> Enumeration {
        let mut overflow = Ok(());
        let reached = self.for_each_target_met(config, &mut |threads| {
            let rule = self.rules.reaching(config.shared, threads);
            match self.successors(rule, config, &mut (Bag::new(), Bag::new()), report) {
                Ok(flow) => flow,
                Err(error) => {
                    overflow = Err(error);
                    ControlFlow::Break(())
                }
            }
        });
        overflow?;
        if reached.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let mut buffers = (Bag::new(), Bag::new());
        for entry in config.bag {
            for &rule in &*self.rules.steps_of(config.shared, entry.local) {
                if self.successors(rule, config, &mut buffers, report)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn step_covering(
        &self,
        config: ConfigRef<'_>,
        id: RuleId,
        goal: ConfigRef<'_>,
    ) -> Option<(Step, Config)> {
        let rule = self.rules.get(id);
        if rule.from != config.shared || rule.to != goal.shared || !bag::le(&rule.take, config.bag) {
            return None;
        }
        let mut rest = Bag::new();
        bag::difference_into(config.bag, &rule.take, &mut rest);
        let moved = match &rule.context {
            None => Vec::new(),
            Some(_) => self.passive_moves(id, config, &rest, goal)?,
        };
        let mut next = rule.put.clone();
        for &Entry { local, count } in rest.iter() {
            let gone: u32 = moved.iter().filter(|it| it.from == local).map(|it| it.count).sum();
            let stay = count.checked_sub(gone)?;
            if stay > 0 {
                next.add(local, stay).ok()?;
            }
        }
        for &Moved { to, count, .. } in &moved {
            if let Some(to) = to {
                next.add(to, count).ok()?;
            }
        }
        let after = Config::new(rule.to, next);
        goal.le(after.view()).then_some((Step { rule: id, moved }, after))
    }

    fn shared_name(&self, shared: SharedId) -> Cow<'_, str> {
        let program = self.rules.program;
        let Some(cube) = self.rules.states.shared(shared) else { return Cow::Borrowed("reached") };
        let name = |variable| program.variable_text(throng_boolprog::flow::VariableId::Shared(variable));
        let literal = |(variable, value): (u32, bool)| {
            if variable == program.atomic_bit() {
                return value.then(|| "(atomic)".to_owned());
            }
            Some(format!("{}={}", name(variable), u8::from(value)))
        };
        let literals: Vec<String> = cube.iter().filter_map(literal).collect();
        Cow::Owned(if literals.is_empty() { "any".to_owned() } else { literals.join(",") })
    }

    fn local_name(&self, local: LocalId) -> Cow<'_, str> {
        let program = self.rules.program;
        let ThreadPattern { location, locals } = self.rules.states.local(local);
        let name = |variable| program.variable_text(throng_boolprog::flow::VariableId::Local(variable));
        let literal = |(variable, value): (u32, bool)| format!(" {}={}", name(variable), u8::from(value));
        let literals: String = locals.iter().map(literal).collect();
        Cow::Owned(format!("{}{literals}", program.location_text(*location)))
    }

    fn rule_name(&self, rule: RuleId) -> Cow<'_, str> {
        let program = self.rules.program;
        match self.rules.get(rule).action {
            Action::Edge(number) => {
                let edge = program.edges()[number as usize];
                let to = edge.to.map_or_else(|| "gone".to_owned(), |to| program.location_text(to));
                Cow::Owned(format!("{} -> {to}", program.location_text(edge.from)))
            }
            Action::Target => Cow::Borrowed("reached"),
        }
    }
}
