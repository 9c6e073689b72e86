//! The walk over all paths that can be summarised.
//!
//! Algorithm 3 of Liu and Wahl for paths whose components are trivial or simple loops. A path is walked backwards from a
//! target, and the demand that it leaves (`summary`) has to be met by an initial configuration. That works for targets
//! of any shape, since a demand may begin with any counts, not only with one thread. It also works for any initial
//! configurations: where the walk passes an initial shared state, each set of initial configurations with this
//! shared state is tried, with exact counts as bounds and none for locals that hold any number of threads. (So the box
//! construction of Appendix A needs no artificial states: its edges (6) are the choice among initial shared states, its
//! edges (7) the unbounded locals. Sets that are no box are tried one by one.)
//!
//! *Loops.* The walk comes to a loop at its exit and leaves it at an entry: in between it goes around κ ≥ 0 times and
//! then back from the exit to the entry. κ = 0 and κ ≥ 1 are two paths. A loop that lowers no demand is not worth a
//! round: κ rounds then demand at least what none demands.
//!
//! *Order* (§6 of the paper). Paths without loops come first, then those with loops of real edges, then those with other
//! loops, in three passes (`pass`). A pass is a depth-first walk, so no more than one path is in memory; its
//! constraints are in the solver, level by level (`path`).
//!
//! *Pruning.* A local state into which no rule further up puts threads keeps its demand, so its bound is asserted at
//! once; if that is infeasible, so are all paths that end like this. A demand without κ that was followed in vain is
//! kept for the rest of the pass: what demands more in the same shared state is not followed. So without loops
//! this is the classical backward search. What breaks a cut is not followed either.

use super::Witness;
use super::bounds::Bounds;
use super::pass::Pass;
use super::path::Path;
use super::quotient::{Quotient, Shape, Vertex};
use crate::settled::Settled;
use throng_base::{Budget, StopReason};
use throng_model::{ClosedSet, Config, RuleId, System, UpwardClosedSet};
use throng_solver::Feasibility;

/// What is left to do at a point of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// The walk has come to a loop: how often around it?
    AtExit,
    /// Initial configurations, rules from other components, and so many rules back along a loop.
    Inside(usize),
}

/// A point of the walk, for which a level of the path is open.
#[derive(Debug)]
struct Point {
    vertex: Vertex,
    stand: Stand,
    /// The number of the next choice.
    next: usize,
    /// Whether the path has passed a component of the pass's shape.
    has_passed: bool,
    /// What is demanded, if that depends on no κ.
    concrete: Option<Config>,
    /// Whether some path from here was left undecided.
    is_undecided: bool,
}

/// What a piece of work came to.
pub(super) enum Walked {
    /// There is more.
    OnTheWay,
    /// A target is reached.
    Found(Witness),
    /// All paths that can be summarised have been.
    Done {
        /// Whether none of them was left undecided.
        decided: bool,
    },
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Points of the walk.
    pub(super) points: u64,
    /// Summaries of whole paths that were decided.
    pub(super) summaries: u64,
    /// Points from which no path is feasible, seen at once.
    pub(super) pruned: u64,
}

/// See the module's documentation.
pub(super) struct Walk<'s> {
    system: &'s System,
    targets: Vec<Config>,
    quotient: Quotient,
    bounds: Bounds,
    pass: Pass,
    /// The number of the pass's shape.
    pass_number: usize,
    /// Demands that were followed in vain in this pass, before and after a component of its shape.
    refuted: [UpwardClosedSet; 2],
    /// The target that is next in this pass.
    next_target: usize,
    points: Vec<Point>,
    path: Path<'s>,
    is_decided: bool,
    pub(super) counts: Counts,
}

/// What a search is told, and what tells it to stop.
pub(super) struct Aid<'a, 'b, 's> {
    pub(super) settled: &'a mut Settled<'b, 's>,
    pub(super) budget: &'a Budget,
}

impl<'s> Walk<'s> {
    /// Nothing is walked yet.
    pub(super) fn new(system: &'s System, quotient: Quotient, targets: Vec<Config>) -> Self {
        Self {
            system,
            targets,
            bounds: Bounds::new(system, &quotient),
            pass: Pass::new(system, &quotient, Shape::ALL[0]),
            quotient,
            pass_number: 0,
            refuted: Default::default(),
            next_target: 0,
            points: Vec::new(),
            path: Path::new(system),
            is_decided: true,
            counts: Counts::default(),
        }
    }

    /// Where the walk leads.
    pub(super) fn quotient(&self) -> &Quotient {
        &self.quotient
    }

    /// Goes on for about this much work.
    pub(super) fn advance(&mut self, work: u64, aid: &mut Aid<'_, '_, '_>) -> Result<Walked, StopReason> {
        let spent = |walk: &Self| walk.counts.points + walk.counts.summaries + walk.path.work();
        let end = spent(self) + work;
        while spent(self) < end {
            aid.budget.check()?;
            let Some(point) = self.points.last_mut() else {
                if self.begin(aid)? {
                    continue;
                }
                return Ok(Walked::Done { decided: self.is_decided });
            };
            let choice = point.next;
            point.next += 1;
            let (vertex, has_passed) = (point.vertex, point.has_passed);
            match point.stand {
                Stand::AtExit => self.go_around(vertex, has_passed, choice, aid)?,
                Stand::Inside(left) => {
                    if let Some(witness) = self.go_back(vertex, has_passed, left, choice, aid)? {
                        return Ok(Walked::Found(witness));
                    }
                }
            }
        }
        Ok(Walked::OnTheWay)
    }

    /// Begins with the next target, or the next pass; `false` if there is none.
    fn begin(&mut self, aid: &mut Aid<'_, '_, '_>) -> Result<bool, StopReason> {
        let Some(target) = self.targets.get(self.next_target) else {
            self.pass_number += 1;
            let shape = Shape::ALL[self.pass_number];
            if shape == Shape::Spaghetti {
                return Ok(false);
            }
            self.pass = Pass::new(self.system, &self.quotient, shape);
            self.refuted = Default::default();
            self.next_target = 0;
            return Ok(true);
        };
        self.next_target += 1;
        if let Some(vertex) = self.quotient.vertex(target.shared) {
            self.path.begin(target);
            self.path.open();
            self.arrive(vertex, false, aid)?;
        }
        Ok(true)
    }

    /// Comes to a vertex from another component. A level is open for it.
    fn arrive(
        &mut self,
        vertex: Vertex,
        has_passed: bool,
        aid: &mut Aid<'_, '_, '_>,
    ) -> Result<(), StopReason> {
        let component = self.quotient.component_of(vertex);
        let Some(has_passed) = self.pass.enter(&self.quotient, component, has_passed) else {
            self.path.close();
            return Ok(());
        };
        let is_loop = self.quotient.components[component].shape != Shape::Trivial;
        self.stand(vertex, if is_loop { Stand::AtExit } else { Stand::Inside(0) }, has_passed, aid)
    }

    /// Makes a point of the walk, unless nothing can come of it. A level is open for it.
    fn stand(
        &mut self,
        vertex: Vertex,
        stand: Stand,
        has_passed: bool,
        aid: &mut Aid<'_, '_, '_>,
    ) -> Result<(), StopReason> {
        self.counts.points += 1;
        let concrete = self.path.concrete(self.quotient.shared(vertex));
        let is_known = concrete.as_ref().is_some_and(|config| {
            self.refuted[usize::from(has_passed)].contains(config.view())
                || aid.settled.excludes_already(config.view())
        });
        let component = self.quotient.component_of(vertex);
        if is_known || !self.path.is_feasible(&self.bounds, component, aid.budget)? {
            self.counts.pruned += 1;
            self.path.close();
            return Ok(());
        }
        self.points.push(Point { vertex, stand, next: 0, has_passed, concrete, is_undecided: false });
        Ok(())
    }

    /// Goes back to the point before; nothing is left to do at this one.
    fn leave(&mut self) {
        let Some(point) = self.points.pop() else { return };
        self.path.close();
        if point.is_undecided {
            match self.points.last_mut() {
                Some(before) => before.is_undecided = true,
                None => self.is_decided = false,
            }
            return;
        }
        // Inside of a loop there are fewer ways to go on than where the walk came to it.
        let is_trivial =
            || self.quotient.components[self.quotient.component_of(point.vertex)].shape == Shape::Trivial;
        if (point.stand == Stand::AtExit || is_trivial())
            && let Some(config) = &point.concrete
        {
            self.refuted[usize::from(point.has_passed)].insert(config.view());
        }
    }

    /// At the exit of a loop: not around it at all, then any number of times.
    fn go_around(
        &mut self,
        vertex: Vertex,
        has_passed: bool,
        choice: usize,
        aid: &mut Aid<'_, '_, '_>,
    ) -> Result<(), StopReason> {
        if choice > 1 {
            self.leave();
            return Ok(());
        }
        let cycle = self.quotient.cycle_to(self.system, vertex);
        let inside = Stand::Inside(cycle.len() - 1);
        self.path.open();
        if choice == 1 {
            let effects = self.path.effects_around(&cycle);
            let is_useless =
                effects.as_ref().is_ok_and(|all| all.iter().all(|(_, effect)| effect.shift >= 0));
            if is_useless || !effects.is_ok_and(|effects| self.path.go_around(cycle, &effects)) {
                self.path.close();
                if let Some(point) = self.points.last_mut() {
                    point.is_undecided |= !is_useless;
                }
                return Ok(());
            }
        }
        self.stand(vertex, inside, has_passed, aid)
    }

    /// Initial configurations, then rules from other components, then the rule along the loop.
    fn go_back(
        &mut self,
        vertex: Vertex,
        has_passed: bool,
        left: usize,
        choice: usize,
        aid: &mut Aid<'_, '_, '_>,
    ) -> Result<Option<Witness>, StopReason> {
        if choice == 0 {
            return if has_passed { self.try_initial(vertex, aid) } else { Ok(None) };
        }
        let outside = self.quotient.rules_into(vertex);
        if let Some(&rule) = outside.get(choice - 1) {
            let source = self.cross(rule);
            self.arrive(source, has_passed, aid)?;
        } else if choice == outside.len() + 1 && left > 0 {
            let rule = self.quotient.rules_inside(vertex)[0];
            let source = self.cross(rule);
            self.stand(source, Stand::Inside(left - 1), has_passed, aid)?;
        } else {
            self.leave();
        }
        Ok(None)
    }

    /// Opens a level and goes back over a rule to where it starts.
    fn cross(&mut self, rule: RuleId) -> Vertex {
        self.path.open();
        self.path.step(rule);
        self.quotient.source(self.system, rule)
    }

    /// Whether initial configurations with this shared state meet the demand.
    fn try_initial(
        &mut self,
        vertex: Vertex,
        aid: &mut Aid<'_, '_, '_>,
    ) -> Result<Option<Witness>, StopReason> {
        let shared = self.quotient.shared(vertex);
        let system = self.system;
        for initial in system.initial().iter().filter(|initial| initial.shared == shared) {
            self.counts.summaries += 1;
            self.path.open();
            let feasibility = self.path.check(initial, aid.budget)?;
            let is_infeasible = feasibility == Feasibility::Infeasible;
            let items = match feasibility {
                Feasibility::Feasible(rounds) => self.path.instance(rounds, aid.budget)?,
                Feasibility::Infeasible | Feasibility::Undecided => None,
            };
            self.path.close();
            if let Some(items) = items {
                return Ok(Some(Witness { target: self.targets[self.next_target - 1].clone(), items }));
            }
            if let Some(point) = self.points.last_mut() {
                point.is_undecided |= !is_infeasible;
            }
        }
        Ok(None)
    }
}
