//! Proofs: the elements stay, and exclude thread states outside R where removed rules could come from.
//!
//! Let U′ be the elements of a proof of the reduced system. Only those inside the cone are kept: predecessors of these
//! under reduced rules are inside the cone, and so is everything below them. To these, *witnesses* are added:
//! elements (s|) with s ∉ R or (s|l) with (s, l) ∉ R. Cuts are those of the reduced proof inside the cone, see
//! [`super::cuts`]; configurations inside the cone break the same ones. The result excludes what it has to:
//!
//! *Targets.* One that was dropped has a thread state outside R; it is added as a witness. Others are above their
//! projections.
//!
//! *Initial.* An element inside the cone is covered by an initial configuration iff it is by its projection. A
//! witness is not, since R contains what initial configurations show.
//!
//! *Predecessors of an element inside the cone.* Under a kept rule they are those under its projection, perhaps with
//! more threads in unbounded locals. Under a rule that another dominates they are above ones under a kept rule (D). Under a fireable rule that is not
//! relevant they cover the element (C1). A rule that is not fireable has a thread state outside R in `from` and
//! `take`; unless the predecessor is excluded already, that is added as a witness.
//!
//! *Predecessors of a witness* (s|l) or (s|). Under a rule that is not fireable: as before. Under a fireable rule,
//! s ∈ R, l is not in `put`, and each source p of l has (`from`, p) ∉ R, all by (R); so the predecessor is above
//! (`from`|p), which is added. This goes on until nothing is new; there are finitely many witnesses.

use super::cuts::Cuts;
use crate::bits::BitSet;
use crate::groups::Groups;
use crate::lift::LiftError;
use crate::pruning::Pruning;
use crate::thread_states::{ThreadState, ThreadStates};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_cert::Proof;
use throng_model::pre::{self, Buffers};
use throng_model::{Bag, ClosedSet, Config, ConfigRef, RuleId, RuleRef, SharedId, System, UpwardClosedSet};

/// How many predecessors of elements are compared with the proof to see whether a witness is needed. After that
/// witnesses are added without asking.
const MOST_COMPARISONS: u64 = 1 << 18;

/// How often the search for witnesses may look at a rule.
const MOST_WORK: usize = 1 << 26;

/// Lifts a proof, see the module's documentation.
pub(super) fn lift(
    pruning: &Pruning,
    original: &System,
    proof: Proof,
    budget: &Budget,
) -> Result<Proof, LiftError> {
    let elements: Vec<Config> =
        proof.elements.into_iter().filter(|element| pruning.cone.contains(element)).collect();
    let cuts = Cuts::new(pruning, original, proof.cuts, proof.traps)?;
    let broken_rules = cuts.broken_rules(original, budget)?;
    let counters = &pruning.counters;
    let is_complete = counters.unfireable_rules == 0 && counters.unreachable_targets == 0;
    if is_complete && broken_rules.is_empty() {
        let (cuts, traps) = cuts.into_parts();
        return Ok(Proof { cuts, traps, elements });
    }
    let mut closure = Closure::new(original, &pruning.reached, &cuts, &elements);
    for target in original.targets() {
        closure.exclude(target.view());
    }
    for rule in broken_rules {
        let needed = ConfigRef::new(rule.from, rule.take);
        closure.exclude(needed);
        if !closure.is_excluded(needed) {
            return Err(LiftError::Cuts);
        }
    }
    closure.exclude_predecessors(&elements, budget)?;
    closure.close(budget)?;
    let mut excluded = closure.excluded;
    excluded.minimise();
    let elements = excluded.generators().iter().map(|(_, element)| element.to_config()).collect();
    let (cuts, traps) = cuts.into_parts();
    Ok(Proof { cuts, traps, elements })
}

/// A proof that is being completed by witnesses.
struct Closure<'a> {
    original: &'a System,
    reached: &'a ThreadStates,
    cuts: &'a Cuts,
    /// The elements of the reduced proof and the witnesses so far.
    excluded: UpwardClosedSet,
    /// Witnesses whose predecessors are still to be looked at.
    work: Vec<ThreadState>,
    /// The rules by the shared state they lead to.
    into: Into,
    /// Shared states with a witness, whose rules in [`Into::unfireable`] have been looked at.
    is_met: BitSet,
}

/// Rules by the shared state they lead to. Thousands of witnesses may have the same one, so what all of them have
/// in common is kept apart.
struct Into {
    /// Rules without moves that are not fireable.
    unfireable: Groups<RuleId>,
    /// Shared states from which a fireable rule without moves leads here, each once.
    plain: Groups<SharedId>,
    /// Rules with moves.
    moving: Groups<RuleId>,
}

impl Into {
    fn new(original: &System, reached: &ThreadStates) -> Self {
        let rules = || RuleId::all(original.rules().len()).map(|id| (id, original.rule(id)));
        let moving: Vec<_> = rules().filter(|(_, rule)| rule.has_moves()).collect();
        let (mut unfireable, mut plain) = (Vec::new(), Vec::new());
        for (id, rule) in rules().filter(|(_, rule)| !rule.has_moves()) {
            if !reached.is_fireable(rule) {
                unfireable.push((rule.to.index(), id));
            } else if rule.from != rule.to {
                plain.push((rule.to.index(), rule.from));
            }
        }
        plain.sort_unstable();
        plain.dedup();
        let n_shared = original.n_shared();
        Self {
            unfireable: Groups::new(n_shared, unfireable.into_iter()),
            plain: Groups::new(n_shared, plain.into_iter()),
            moving: Groups::new(n_shared, moving.iter().map(|&(id, rule)| (rule.to.index(), id))),
        }
    }
}

impl<'a> Closure<'a> {
    fn new(original: &'a System, reached: &'a ThreadStates, cuts: &'a Cuts, elements: &[Config]) -> Self {
        let mut excluded = UpwardClosedSet::default();
        for element in elements {
            excluded.insert(element.view());
        }
        let (into, is_met) = (Into::new(original, reached), BitSet::new(original.n_shared()));
        Self { original, reached, cuts, excluded, work: Vec::new(), into, is_met }
    }

    /// Whether a configuration is above an element or breaks a cut.
    fn is_excluded(&self, config: ConfigRef<'_>) -> bool {
        self.excluded.contains(config) || self.cuts.are_broken_by(config)
    }

    /// Sees to it that a configuration is excluded, if it has a thread state outside R.
    fn exclude(&mut self, config: ConfigRef<'_>) {
        if !self.is_excluded(config)
            && let Some(witness) = self.reached.missing(config).next()
        {
            self.excluded.add_new(as_config(witness).view());
            self.work.push(witness);
        }
    }

    /// Excludes the predecessors of elements under rules that are not fireable.
    fn exclude_predecessors(&mut self, elements: &[Config], budget: &Budget) -> Result<(), LiftError> {
        let original = self.original;
        let by_shared = Groups::new(
            original.n_shared(),
            elements.iter().enumerate().map(|(i, element)| (element.shared.index(), i)),
        );
        let mut n_comparisons = 0;
        for (_, rule) in original.rules().iter().filter(|(_, rule)| !self.reached.is_fireable(*rule)) {
            budget.check()?;
            let needed = ConfigRef::new(rule.from, rule.take);
            for &element in by_shared.of(rule.to.index()) {
                if self.is_excluded(needed) {
                    break;
                }
                n_comparisons += 1;
                if n_comparisons > MOST_COMPARISONS
                    || self.has_new_predecessor(rule, elements[element].view())
                {
                    self.exclude(needed);
                }
            }
        }
        Ok(())
    }

    /// Whether some minimal predecessor of an element is not excluded.
    fn has_new_predecessor(&self, rule: RuleRef<'_>, element: ConfigRef<'_>) -> bool {
        let flow = pre::for_each_predecessor(rule, element, &mut Buffers::default(), &mut |_, before| {
            if self.is_excluded(before) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // Where predecessors are too large to count, the witness is added to be sure.
        flow != Ok(ControlFlow::Continue(()))
    }

    /// Excludes the predecessors of witnesses until nothing is new.
    fn close(&mut self, budget: &Budget) -> Result<(), LiftError> {
        let mut room = MOST_WORK;
        while let Some(witness) = self.work.pop() {
            budget.check()?;
            let shared = witness.shared.index();
            let common = if self.is_met.insert(shared) { self.into.unfireable.of(shared).len() } else { 0 };
            let n_looks = common + self.into.plain.of(shared).len() + self.into.moving.of(shared).len();
            room = room.checked_sub(n_looks).ok_or(LiftError::TooLarge)?;
            for i in 0..common {
                let rule = self.original.rule(self.into.unfireable.of(shared)[i]);
                self.exclude(ConfigRef::new(rule.from, rule.take));
            }
            // The leftover thread, if there is one, stood where it stands; (`from`|) is in R.
            for i in 0..self.into.plain.of(shared).len() {
                let from = self.into.plain.of(shared)[i];
                self.exclude(as_config(ThreadState { shared: from, ..witness }).view());
            }
            for i in 0..self.into.moving.of(shared).len() {
                let rule = self.original.rule(self.into.moving.of(shared)[i]);
                self.exclude_moving(rule, witness)?;
            }
        }
        Ok(())
    }

    /// Excludes the predecessors of a witness under a rule with moves.
    fn exclude_moving(&mut self, rule: RuleRef<'_>, witness: ThreadState) -> Result<(), LiftError> {
        let mut found: Vec<Config> = Vec::new();
        let goal = as_config(witness);
        let flow = pre::for_each_predecessor(rule, goal.view(), &mut Buffers::default(), &mut |_, before| {
            found.push(before.to_config());
            ControlFlow::Continue(())
        });
        let _ = flow?;
        found.iter().for_each(|before| self.exclude(before.view()));
        Ok(())
    }
}

/// The configuration of a thread state.
fn as_config(state: ThreadState) -> Config {
    let bag = Bag::from_locals(state.local).expect("one thread fits a count");
    Config::new(state.shared, bag)
}
