//! The solutions of a step's demands, found one after the other by splitting.

use super::scene::{Budget, Place, Scene};
use super::step::Action;
use super::values::bounds;
use crate::verdict::Trouble;
use std::borrow::Cow;
use throng_boolprog::flow::{ExpressionId, Reference};

/// The value that an expression must be able to have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    True,
    /// That of an assigned variable.
    ValueOf(Place),
    /// Any, but all shared and own variables that are read must have values.
    Known,
}

/// What a step demands of the values before and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) expression: ExpressionId,
    pub(super) wanted: Wanted,
    /// The passive thread that `x$` refers to.
    pub(super) passive: Option<usize>,
}

/// Whether a demand is fulfilled, or a variable that decides about it.
enum Judgement {
    Holds,
    Fails,
    Open(Place),
    /// No open variable decides. That cannot be: without open variables everything is known.
    Stuck,
}

/// In which direction a step is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

/// All ways to fulfil demands in a scene. See [`super::step`].
pub(super) struct Solutions<'a> {
    action: &'a Action<'a>,
    demands: Cow<'a, [Demand]>,
    direction: Direction,
    /// Parts of the scene that are to be looked at.
    pending: Vec<Scene>,
}

impl<'a> Solutions<'a> {
    pub(super) fn new(
        action: &'a Action<'a>,
        demands: Cow<'a, [Demand]>,
        scene: Scene,
        direction: Direction,
    ) -> Self {
        Self { action, demands, direction, pending: vec![scene] }
    }

    /// The next one, if there is one.
    pub(super) fn next(&mut self, budget: &mut Budget) -> Result<Option<Scene>, Trouble> {
        while let Some(scene) = self.pending.pop() {
            budget.spend()?;
            match self.decide(&scene) {
                Judgement::Holds => return Ok(Some(scene)),
                Judgement::Fails => {}
                Judgement::Open(place) => {
                    self.pending.extend([true, false].map(|value| scene.with(place, value)));
                }
                Judgement::Stuck => return Err(Trouble::TooManyCases),
            }
        }
        Ok(None)
    }

    /// Whether all demands are fulfilled.
    fn decide(&self, scene: &Scene) -> Judgement {
        let mut all = Judgement::Holds;
        for &demand in &*self.demands {
            match (self.judge(demand, scene), &all) {
                (Judgement::Fails, _) => return Judgement::Fails,
                (found, Judgement::Holds) => all = found,
                _ => {}
            }
        }
        all
    }

    fn judge(&self, demand: Demand, scene: &Scene) -> Judgement {
        let expression = self.action.program.expression(demand.expression);
        let place = |reference: &Reference| self.action.place(reference, demand.passive);
        let wanted = match demand.wanted {
            Wanted::True => Some(true),
            Wanted::ValueOf(place) => scene.get(place),
            Wanted::Known => {
                let mut read = expression.references().filter(|reference| !reference.is_passive).map(place);
                let open = read.find(|&place| scene.get(place).is_none());
                return open.map_or(Judgement::Holds, Judgement::Open);
            }
        };
        if wanted.is_none() && self.direction == Direction::Backwards {
            // Whatever the expression can be, it can be something.
            return Judgement::Holds;
        }
        let found = bounds(expression, |reference| scene.get(place(reference)));
        let mut open = expression.references().map(place).filter(|&place| scene.get(place).is_none());
        match (wanted, demand.wanted) {
            (Some(value), _) if found.sure.contains(value) => Judgement::Holds,
            (Some(value), _) if !found.perhaps.contains(value) => Judgement::Fails,
            (None, _) if found.sure.contains(false) && found.sure.contains(true) => Judgement::Holds,
            (None, Wanted::ValueOf(target))
                if found.perhaps.contains(false) != found.perhaps.contains(true) =>
            {
                Judgement::Open(target)
            }
            _ => open.next().map_or(Judgement::Stuck, Judgement::Open),
        }
    }
}
