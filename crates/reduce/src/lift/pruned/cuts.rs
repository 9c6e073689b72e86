//! Cuts and traps: those of the reduced system, without what is outside the cone.
//!
//! *Weights* outside S* and L* become 0, traps lose their members outside L*. Initial configurations then weigh what
//! their projections weigh, or less, and mark the same traps.
//!
//! *Kept rules.* A rule and its projection weigh the same, since `take` and `put` differ by locals of weight 0; a
//! source in L* has the same destinations in L*, and one outside only destinations outside (C2). *Dominated rules*
//! raise no weights that the dominating rule does not raise: what they put more was taken and is left. *Irrelevant
//! rules* into S* raise nothing in L* and keep the shared state (C1). *Rules that are not fireable* may do anything;
//! if they raise a cut, a witness is added to the elements that excludes what they need.
//!
//! *Rules to shared states that lead to no target's* may do anything, too: the checker does not ask. What is left are
//! rules that are not kept and empty a trap, and rules out of S* to where only rules that are not fireable lead back:
//! every rule is looked at, and if one that is fireable breaks a cut or a trap, lifting fails.

use crate::bits::BitSet;
use crate::groups::Groups;
use crate::lift::LiftError;
use crate::lift::cut_index::CutIndex;
use crate::pruning::Pruning;
use throng_base::Budget;
use throng_cert::{Cut, Trap};
use throng_model::{ConfigRef, Entry, LocalId, RuleId, RuleRef, SharedId, System};

/// Cuts and traps of the original, if its rules keep them.
pub(super) struct Cuts {
    cuts: Vec<Cut>,
    traps: Vec<Trap>,
    index: CutIndex,
}

impl Cuts {
    /// The cuts and traps of a reduced system, restricted to the cone.
    pub(super) fn new(
        pruning: &Pruning,
        original: &System,
        mut cuts: Vec<Cut>,
        mut traps: Vec<Trap>,
    ) -> Result<Self, LiftError> {
        let cone = &pruning.cone;
        for cut in &mut cuts {
            cut.shared.retain(|&(shared, weight)| cone.shared.contains(shared.index()) && weight > 0);
            cut.locals.retain(|&(local, weight)| cone.has_local(local) && weight > 0);
            cut.traps.retain(|&(_, multiplier)| multiplier > 0);
        }
        traps.iter_mut().for_each(|trap| trap.locals.retain(|&local| cone.has_local(local)));
        let traps = keep_used(&mut cuts, traps)?;
        let index = CutIndex::new(original, &cuts);
        Ok(Self { cuts, traps, index })
    }

    /// Whether a configuration breaks a cut.
    pub(super) fn are_broken_by(&self, config: ConfigRef<'_>) -> bool {
        self.index.is_broken_by(config)
    }

    /// The rules that raise a cut or empty a trap, each once, in order.
    pub(super) fn broken_rules<'a>(
        &self,
        original: &'a System,
        budget: &Budget,
    ) -> Result<Vec<RuleRef<'a>>, LiftError> {
        if self.cuts.is_empty() {
            return Ok(Vec::new());
        }
        let matters = lead_to_targets(original);
        let mut is_broken = vec![false; original.rules().len()];
        let mut mark = |breaks: &dyn Fn(RuleRef<'_>) -> bool| {
            for ((_, rule), is_broken) in original.rules().iter().zip(&mut is_broken) {
                *is_broken |= matters.contains(rule.to.index()) && breaks(rule);
            }
            budget.check()
        };
        for trap in &self.traps {
            mark(&|rule| empties(rule, trap))?;
        }
        for cut in &self.cuts {
            let weights = Weights::new(original, cut, &self.traps);
            mark(&|rule| !weights.are_kept_by(rule))?;
        }
        let rules = original.rules().iter().zip(is_broken);
        Ok(rules.filter(|&(_, is_broken)| is_broken).map(|((_, rule), _)| rule).collect())
    }

    /// The cuts and traps.
    pub(super) fn into_parts(self) -> (Vec<Cut>, Vec<Trap>) {
        (self.cuts, self.traps)
    }
}

/// The shared states from which rules lead, step by step, to those of targets.
fn lead_to_targets(system: &System) -> BitSet {
    let rules = (0..system.rules().len()).map(|id| system.rule(RuleId::new(id)));
    let before = Groups::new(system.n_shared(), rules.map(|rule| (rule.to.index(), rule.from)));
    let mut found = BitSet::new(system.n_shared());
    let mut work: Vec<SharedId> = system.targets().iter().map(|target| target.shared).collect();
    while let Some(shared) = work.pop() {
        if found.insert(shared.index()) {
            work.extend(before.of(shared.index()));
        }
    }
    found
}

/// Leaves out traps that no cut uses: nobody needs them to be traps of the original.
fn keep_used(cuts: &mut [Cut], traps: Vec<Trap>) -> Result<Vec<Trap>, LiftError> {
    let mut used: Vec<usize> = cuts.iter().flat_map(|cut| cut.traps.iter().map(|&(trap, _)| trap)).collect();
    used.sort_unstable();
    used.dedup();
    for (trap, _) in cuts.iter_mut().flat_map(|cut| &mut cut.traps) {
        *trap = used.binary_search(trap).map_err(|_| LiftError::Foreign)?;
    }
    let used = used.into_iter().map(|trap| traps.get(trap).cloned());
    used.collect::<Option<Vec<_>>>().ok_or(LiftError::Foreign)
}

/// The weights of a cut and of its traps, by state.
struct Weights {
    shared: Vec<u128>,
    locals: Vec<u128>,
}

impl Weights {
    fn new(system: &System, cut: &Cut, traps: &[Trap]) -> Self {
        let mut weights = Self { shared: vec![0; system.n_shared()], locals: vec![0; system.n_locals()] };
        for &(shared, weight) in &cut.shared {
            weights.shared[shared.index()] += u128::from(weight);
        }
        let members = cut.traps.iter().flat_map(|&(trap, multiplier)| {
            traps[trap].locals.iter().map(move |&member| (member, multiplier))
        });
        for (local, weight) in cut.locals.iter().copied().chain(members) {
            weights.locals[local.index()] += u128::from(weight);
        }
        weights
    }

    /// `None` for a sum that is too large.
    fn total(&self, shared: SharedId, bag: &[Entry]) -> Option<u128> {
        bag.iter().try_fold(self.shared[shared.index()], |sum, entry| {
            sum.checked_add(self.locals[entry.local.index()].checked_mul(entry.count.into())?)
        })
    }

    fn are_kept_by(&self, rule: RuleRef<'_>) -> bool {
        let local = |local: LocalId| self.locals[local.index()];
        let mut arcs = rule.moves().flat_map(|(p, destinations)| destinations.iter().map(move |&q| (p, q)));
        match (self.total(rule.from, rule.take), self.total(rule.to, rule.put)) {
            (Some(before), Some(after)) => after <= before && arcs.all(|(p, q)| local(q) <= local(p)),
            _ => false,
        }
    }
}

/// Whether a rule can take the last thread out of a trap.
fn empties(rule: RuleRef<'_>, trap: &Trap) -> bool {
    let is_member = |local: LocalId| trap.locals.binary_search(&local).is_ok();
    let marks = |bag: &[Entry]| bag.iter().any(|entry| is_member(entry.local));
    let mut moved = rule.moves().filter(|&(source, _)| is_member(source));
    let leaves = |destinations: &[LocalId]| {
        destinations.is_empty() || destinations.iter().any(|&destination| !is_member(destination))
    };
    !marks(rule.put) && (marks(rule.take) || moved.any(|(_, destinations)| leaves(destinations)))
}
