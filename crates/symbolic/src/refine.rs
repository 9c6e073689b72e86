//! Which values to look at so that an interleaving that is none of the program is not found again.
//!
//! Made concrete from its end (`concrete`), such an interleaving comes to a step that cannot lead to what has to hold after
//! it. A few values are enough for that. From there on to the end of the interleaving it is followed where they come from: a
//! value that a step reads has to be kept before that step, and then matters what the step assigned.

use crate::concrete::layout::{Layout, Micro};
use crate::concrete::plan::{Plan, candidates, plan};
use crate::precision::{Kept, Precision};
use crate::relation::Owner;
use crate::system::ProgramSystem;
use rustc_hash::FxHashSet;
use throng_boolprog::Cube;
use throng_boolprog::flow::Effect;
use throng_cert::Trace;

impl ProgramSystem<'_> {
    /// Lets backward searches forget values that nobody has asked for. What they find afterwards may be wrong
    /// ([`Self::refine`]).
    pub fn forget_values(&self) {
        self.rules.set_precision(Precision::Only(FxHashSet::default()));
    }

    /// Undoes [`Self::forget_values`].
    pub fn look_at_all_values(&self) {
        self.rules.set_precision(Precision::Full);
    }

    /// Looks at more values if an interleaving is none of the program. Returns false if it is one, or if everything is
    /// looked at already.
    pub fn refine(&self, trace: &Trace) -> bool {
        let Precision::Only(_) = self.rules.precision() else { return false };
        let layout = if self.is_long(trace) { None } else { Layout::new(self, trace) };
        let Some(layout) = layout else {
            self.rules.set_precision(Precision::Full);
            return true;
        };
        let Err(failures) = plan(self, &layout, &self.question().targets) else { return false };
        let mut precision = self.rules.precision();
        let blame = |few: bool| {
            let blames = failures.iter().map(|plans| Blame::new(self, &layout, plans, few));
            blames.flat_map(|blame| blame.kept()).collect::<Vec<Kept>>()
        };
        let is_new = precision.extend(blame(true)) || precision.extend(blame(false));
        self.rules.set_precision(if is_new { precision } else { Precision::Full });
        true
    }
}

/// An interleaving that ends with these plans, the last one first, and cannot begin.
struct Blame<'a, 'p> {
    system: &'a ProgramSystem<'p>,
    /// The steps for which there are plans, and the one before.
    micros: &'a [Micro],
    plans: &'a [Plan],
    /// Whether as few values as possible are blamed.
    few: bool,
}

impl<'a, 'p> Blame<'a, 'p> {
    fn new(system: &'a ProgramSystem<'p>, layout: &'a Layout, plans: &'a [Plan], few: bool) -> Self {
        let micros = &layout.micros[layout.micros.len().saturating_sub(plans.len())..];
        Self { system, micros, plans, few }
    }

    /// The values to keep.
    fn kept(&self) -> Vec<Kept> {
        let Some((failing, later)) = self.micros.split_first() else { return Vec::new() };
        let mut kept = Vec::new();
        let mut plans = self.plans.iter().rev();
        let Some(mut before) = plans.next() else { return kept };
        let mut needed = self.needed(failing, before);
        for (micro, after) in later.iter().zip(plans) {
            let all = if self.few { &needed } else { before };
            needed = self.follow(micro, all, after, &mut kept);
            before = after;
        }
        kept
    }

    /// A few of the values for which a step is impossible that has to lead to them.
    fn needed(&self, failing: &Micro, after: &Plan) -> Plan {
        let mut needed = after.clone();
        if !self.few {
            return needed;
        }
        let fails = |plan: &Plan| candidates(self.system, failing, plan).is_empty();
        for thread in 0..needed.threads.len() {
            let cube = std::mem::replace(&mut needed.threads[thread], Cube::any());
            if fails(&needed) {
                continue;
            }
            needed.threads[thread] = cube;
            for (variable, value) in needed.threads[thread].clone().iter() {
                needed.threads[thread].clear(variable);
                if !fails(&needed) {
                    needed.threads[thread].set(variable, value);
                }
            }
        }
        for (variable, value) in needed.shared.clone().iter() {
            needed.shared.clear(variable);
            if !fails(&needed) {
                needed.shared.set(variable, value);
            }
        }
        needed
    }

    /// What matters after a step for these values before it. Values that the step reads are to be kept.
    fn follow(&self, micro: &Micro, before: &Plan, after: &Plan, kept: &mut Vec<Kept>) -> Plan {
        let (edge, actor) = (micro.edge, micro.actor);
        let rules = &self.system.rules;
        let is_assigned = |owner, variable: u32| {
            rules.images[edge as usize].relation.assigned(owner).any(|it| it == variable)
        };
        let mut needed =
            Plan { context: before.context.clone(), shared: Cube::any(), threads: before.threads.clone() };
        needed.threads[actor] = Cube::any();
        let mut reads = false;
        let own = (Owner::Own, &before.threads[actor], &after.threads[actor]);
        for (owner, before, after) in [(Owner::Shared, &before.shared, &after.shared), own] {
            let into = if owner == Owner::Shared { &mut needed.shared } else { &mut needed.threads[actor] };
            for (variable, value) in before.iter() {
                let stays = !is_assigned(owner, variable) && after.get(variable).is_some();
                if stays {
                    into.set(variable, value);
                }
                reads |= !stays;
                if micro.known.is_some() && (!stays || rules.touched.contains(edge, owner, variable)) {
                    kept.push(rules.touched.alike.kept(edge, owner, variable));
                }
            }
        }
        if reads {
            let assigned = |owner, cube: &Cube| cube.restricted(|variable| is_assigned(owner, variable));
            let shared = assigned(Owner::Shared, &after.shared);
            needed.shared = needed.shared.and(&shared).unwrap_or(shared);
            let starts = matches!(self.system.program().edges()[edge as usize].effect, Effect::Start { .. });
            let own = if starts {
                after.threads[actor].clone()
            } else {
                assigned(Owner::Own, &after.threads[actor])
            };
            needed.threads[actor] = needed.threads[actor].and(&own).unwrap_or(own);
            micro.child.into_iter().for_each(|child| needed.threads[child].clone_from(&after.threads[child]));
        }
        if rules.images[edge as usize].relation.passive.is_some() {
            for (thread, cube) in needed.threads.iter_mut().enumerate().filter(|&(it, _)| it != actor) {
                cube.clone_from(&after.threads[thread]);
            }
        }
        needed
    }
}
