//! One path, walked backwards from a target, with its summary in a solver.
//!
//! The demand that the path leaves is symbolic in the number of rounds κ ≥ 1 of each loop on it. Everything is taken
//! back level by level, so that paths with a common end share the work for it.

use super::bounds::{self, Bounds};
use super::summary::{self, Demand, Effect, Form};
use super::{Item, Overflow};
use throng_base::{Budget, StopReason};
use throng_model::{Bag, Config, Initial, LocalId, RuleId, SharedId, System};
use throng_solver::{Feasibility, LinearSolver};

/// Loops on one path.
const MOST_LOOPS: usize = 48;

/// Where a level begins.
#[derive(Clone, Copy, Debug)]
struct Mark {
    n_items: usize,
    n_loops: usize,
}

/// See the module's documentation.
pub(super) struct Path<'s> {
    system: &'s System,
    /// The last rule comes first; the rounds of loops are not known yet.
    items: Vec<Item>,
    n_loops: usize,
    demand: Demand,
    solver: LinearSolver,
    marks: Vec<Mark>,
}

impl<'s> Path<'s> {
    /// The empty path, which demands nothing.
    pub(super) fn new(system: &'s System) -> Self {
        let solver = LinearSolver::new(MOST_LOOPS);
        Self { system, items: Vec::new(), n_loops: 0, demand: Demand::default(), solver, marks: Vec::new() }
    }

    /// Begins anew at a target. No level is open.
    pub(super) fn begin(&mut self, target: &Config) {
        let counts = target.bag.iter().filter(|entry| bounds::is_counted(self.system, entry.local));
        self.demand = Demand::new(counts.map(|entry| (entry.local, entry.count)));
    }

    /// Begins a level.
    pub(super) fn open(&mut self) {
        self.demand.push();
        self.solver.push();
        self.marks.push(Mark { n_items: self.items.len(), n_loops: self.n_loops });
    }

    /// Takes back what was done since the newest level began.
    pub(super) fn close(&mut self) {
        self.demand.pop();
        self.solver.pop();
        if let Some(mark) = self.marks.pop() {
            self.items.truncate(mark.n_items);
            self.n_loops = mark.n_loops;
        }
    }

    /// Goes back over a rule.
    pub(super) fn step(&mut self, rule: RuleId) {
        for (local, effect) in summary::effects_of(self.system, rule) {
            if bounds::is_counted(self.system, local) {
                self.demand.apply(local, effect);
            }
        }
        self.items.push(Item::Step(rule));
    }

    /// Goes κ ≥ 1 times around a loop. `false`, and nothing is done, if it has too many rounds or rules to be counted.
    pub(super) fn go_around(&mut self, cycle: Vec<RuleId>, effects: &[(LocalId, Effect)]) -> bool {
        if self.n_loops == MOST_LOOPS {
            return false;
        }
        for &(local, effect) in effects {
            self.demand.apply_repeatedly(local, effect, self.n_loops);
        }
        self.solver.at_least(&[(self.solver.variable(self.n_loops), 1)], 1);
        self.n_loops += 1;
        self.items.push(Item::Loop(cycle, 0));
        true
    }

    /// The effects of a loop on what has to be counted.
    pub(super) fn effects_around(&self, cycle: &[RuleId]) -> Result<Vec<(LocalId, Effect)>, Overflow> {
        let mut effects = summary::effects_along(self.system, cycle.iter())?;
        effects.retain(|&(local, _)| bounds::is_counted(self.system, local));
        Ok(effects)
    }

    /// The demand at a shared state, if it depends on no κ.
    pub(super) fn concrete(&self, shared: SharedId) -> Option<Config> {
        Some(Config::new(shared, Bag::from_counts(self.demand.concrete()?).ok()?))
    }

    /// Whether the demand in local states that nothing further up fills can be met.
    pub(super) fn is_feasible(
        &mut self,
        bounds: &Bounds,
        component: usize,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut is_bounded = false;
        for (local, forms) in self.demand.iter() {
            if bounds.is_final(local, component)
                && let Some(bound) = bounds::largest_bound(self.system, local)
            {
                assert_at_most(&mut self.solver, forms, bound);
                is_bounded = true;
            }
        }
        Ok(!is_bounded || self.solver.check(budget)? != Feasibility::Infeasible)
    }

    /// Whether a set of initial configurations meets the demand.
    pub(super) fn check(&mut self, initial: &Initial, budget: &Budget) -> Result<Feasibility, StopReason> {
        for (local, forms) in self.demand.iter() {
            if let Some(bound) = bounds::bound(initial, local) {
                assert_at_most(&mut self.solver, forms, bound);
            }
        }
        self.solver.check(budget)
    }

    /// The path with few rounds of its loops, beginning with rounds that are known to be feasible. `None` if a loop has too
    /// many rounds to be counted.
    pub(super) fn instance(
        &mut self,
        mut rounds: Vec<i128>,
        budget: &Budget,
    ) -> Result<Option<Vec<Item>>, StopReason> {
        for number in 0..self.n_loops {
            let form = [(self.solver.variable(number), 1)];
            let (mut low, mut high) = (1, rounds[number]);
            while low < high {
                let middle = low + (high - low) / 2;
                self.solver.push();
                self.solver.at_most(&form, middle);
                let found = self.solver.check(budget);
                self.solver.pop();
                match found? {
                    Feasibility::Feasible(fewer) => (high, rounds) = (fewer[number], fewer),
                    Feasibility::Infeasible | Feasibility::Undecided => low = middle + 1,
                }
            }
            self.solver.at_most(&form, high);
        }
        let mut rounds = rounds.into_iter();
        let items = self.items.iter().map(|item| match item {
            Item::Step(rule) => Some(Item::Step(*rule)),
            Item::Loop(cycle, _) => Some(Item::Loop(cycle.clone(), u32::try_from(rounds.next()?).ok()?)),
        });
        Ok(items.collect())
    }

    /// What the solver has done so far.
    pub(super) fn work(&self) -> u64 {
        self.solver.work()
    }
}

fn assert_at_most(solver: &mut LinearSolver, forms: &[Form], bound: u32) {
    for form in forms {
        let terms: Vec<_> = form.coefficients.iter().map(|&(k, c)| (solver.variable(k), c)).collect();
        solver.at_most(&terms, i128::from(bound) - form.constant);
    }
}
