//! The cone of influence: shared states, locals and rules on which the targets depend.
//!
//! S* and L* are the least sets of shared states and of locals that are not unbounded ([`crate::unbounded`]), and the
//! *relevant* rules the least set of candidates, such that
//!
//! * the shared state and the locals of each target are in S* and, unless they are unbounded, in L*;
//! * a rule with `to` ∈ S* is relevant if it changes the shared state, or puts more threads than it takes into
//!   some local of L*, or moves passive threads from elsewhere into some local of L*;
//! * for a relevant rule `from` is in S*, the locals of `take` are in L* unless they are unbounded, and so is each
//!   source of its moves that has a destination in L*.
//!
//! Two facts about what is *not* relevant carry all liftings. **(C1)** A candidate that is not relevant and
//! leads into S* keeps the shared state and cannot raise the number of threads in any local of L*. **(C2)** A
//! relevant rule moves threads from outside L* only to locals outside L*, and takes none of them but in unbounded
//! locals, which it moves nothing out of.
//!
//! Candidates are the fireable rules at first, and those of them that were kept when the cone is made again. The new
//! cone is part of the old one, so that (C1) goes on to hold for rules that were not relevant earlier.
//!
//! The *projection* of a relevant rule forgets the locals outside L*. A source in L* keeps its destinations in
//! L*; if it has none, its threads vanish. (Threads that may choose between L* and elsewhere lose the second
//! choice: to be somewhere covers more than to be away.)

use crate::bits::BitSet;
use crate::groups::Groups;
use crate::sweep::{MOST_SWEEPS, State};
use throng_base::{Budget, StopReason};
use throng_model::{
    Bag, Config, Entry, Initial, LocalId, Move, Rule, RuleId, RuleRef, SharedId, System, bag,
};

/// What the targets depend on.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    /// S*.
    pub(crate) shared: BitSet,
    /// L*.
    pub(crate) locals: BitSet,
    /// The relevant rules.
    pub(crate) rules: BitSet,
    /// The unbounded locals, none of which is in L*.
    pub(crate) unbounded: BitSet,
}

impl Cone {
    /// The cone of these targets under these candidates, none of which moves threads out of an unbounded local.
    pub(crate) fn new<'a>(
        system: &System,
        candidates: &BitSet,
        unbounded: BitSet,
        targets: impl Iterator<Item = &'a Config>,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let mut search = Search::new(system, unbounded);
        for target in targets {
            search.need_shared(target.shared);
            target.bag.iter().for_each(|entry| search.need_local(entry.local));
        }
        let left = search.sweep(candidates, budget)?;
        let index = Index::new(system, &left);
        while let Some(state) = search.work.pop() {
            budget.check()?;
            search.expand(&index, state);
        }
        Ok(search.cone)
    }

    /// Whether a local is in L*.
    #[inline]
    pub(crate) fn has_local(&self, local: LocalId) -> bool {
        self.locals.contains(local.index())
    }

    /// Whether a configuration is about S* and L* only.
    pub(crate) fn contains(&self, config: &Config) -> bool {
        self.shared.contains(config.shared.index())
            && config.bag.iter().all(|entry| self.has_local(entry.local))
    }

    /// Without what is outside L*.
    fn project_bag(&self, bag: &[Entry]) -> Bag {
        let kept = bag.iter().filter(|entry| self.has_local(entry.local));
        Bag::from_counts(kept.map(|entry| (entry.local, entry.count))).unwrap_or_default()
    }

    /// A target without the threads outside L*.
    pub(crate) fn project_target(&self, target: &Config) -> Config {
        Config::new(target.shared, self.project_bag(&target.bag))
    }

    /// The initial configurations without the threads outside L*.
    pub(crate) fn project_initial(&self, initial: &Initial) -> Initial {
        let unbounded = initial.unbounded.iter().copied().filter(|&local| self.has_local(local));
        Initial {
            shared: initial.shared,
            exact: self.project_bag(&initial.exact),
            unbounded: unbounded.collect(),
        }
    }

    /// Where the passive threads in a source of L* go in the projection.
    pub(crate) fn project_destinations<'a>(
        &'a self,
        destinations: &'a [LocalId],
    ) -> impl Iterator<Item = LocalId> + Clone + 'a {
        destinations.iter().copied().filter(|&to| self.has_local(to))
    }

    /// The projection of a relevant rule.
    pub(crate) fn project_rule(&self, rule: RuleRef<'_>) -> Rule {
        let moves =
            rule.moves().filter(|&(source, _)| self.has_local(source)).map(|(source, destinations)| Move {
                source,
                destinations: self.project_destinations(destinations).collect(),
            });
        Rule {
            from: rule.from,
            to: rule.to,
            take: self.project_bag(rule.take),
            put: self.project_bag(rule.put),
            moves: moves.collect(),
        }
    }

    /// Whether projecting changes one of these rules, an initial configuration or a target.
    pub(crate) fn changes(&self, system: &System, rules: &[RuleId]) -> bool {
        let outside = |local: LocalId| !self.has_local(local);
        let in_initial = |initial: &Initial| {
            initial.exact.iter().any(|entry| outside(entry.local))
                || initial.unbounded.iter().any(|&l| outside(l))
        };
        let in_rule = |rule: RuleRef<'_>| {
            rule.take.iter().chain(rule.put).any(|entry| outside(entry.local))
                || rule
                    .moves()
                    .any(|(p, destinations)| outside(p) || destinations.iter().any(|&q| outside(q)))
        };
        let in_target = |target: &Config| target.bag.iter().any(|entry| outside(entry.local));
        system.initial().iter().any(in_initial)
            || system.targets().iter().any(in_target)
            || rules.iter().any(|&id| in_rule(system.rule(id)))
    }
}

/// The locals into which a rule puts more threads than it takes.
pub(crate) fn raised<'a>(rule: RuleRef<'a>) -> impl Iterator<Item = LocalId> + Clone + 'a {
    let put = rule.put.iter().filter(move |entry| entry.count > bag::count(rule.take, entry.local));
    put.map(|entry| entry.local)
}

/// Where passive threads can come from elsewhere: source and destination.
fn arrivals<'a>(rule: RuleRef<'a>) -> impl Iterator<Item = (LocalId, LocalId)> + Clone + 'a {
    rule.moves().flat_map(|(source, destinations)| {
        destinations.iter().filter(move |&&to| to != source).map(move |&to| (source, to))
    })
}

/// Rules that may still become relevant, or need another source, by what makes them so.
struct Index {
    /// Under the shared state they lead to.
    into: Groups<RuleId>,
    /// Under each local that they fill; with the source, if threads are moved.
    filling: Groups<(RuleId, Option<LocalId>)>,
}

impl Index {
    fn new(system: &System, rules: &[RuleId]) -> Self {
        let rules = rules.iter().map(|&id| (id, system.rule(id)));
        let into = Groups::new(system.n_shared(), rules.clone().map(|(id, rule)| (rule.to.index(), id)));
        let filling = rules.flat_map(|(id, rule)| {
            let raised = raised(rule).map(move |q| (q.index(), (id, None)));
            raised.chain(arrivals(rule).map(move |(p, q)| (q.index(), (id, Some(p)))))
        });
        Self { into, filling: Groups::new(system.n_locals(), filling) }
    }
}

struct Search<'a> {
    system: &'a System,
    cone: Cone,
    /// States that were found relevant and whose rules have not been looked at in an index.
    work: Vec<State>,
}

impl<'a> Search<'a> {
    fn new(system: &'a System, unbounded: BitSet) -> Self {
        let cone = Cone {
            unbounded,
            shared: BitSet::new(system.n_shared()),
            locals: BitSet::new(system.n_locals()),
            rules: BitSet::new(system.rules().len()),
        };
        Self { system, cone, work: Vec::new() }
    }

    /// Goes through the rules some times; the rules that have to be looked at again.
    fn sweep(&mut self, candidates: &BitSet, budget: &Budget) -> Result<Vec<RuleId>, StopReason> {
        let mut left: Vec<RuleId> = candidates.iter().map(RuleId::new).collect();
        for _ in 0..MOST_SWEEPS {
            budget.check()?;
            let before = left.len();
            left.retain(|&id| !self.need_if_relevant(id) || self.system.rule(id).has_moves());
            if left.len() == before {
                break;
            }
        }
        Ok(left)
    }

    fn need_shared(&mut self, shared: SharedId) {
        if self.cone.shared.insert(shared.index()) {
            self.work.push(State::Shared(shared));
        }
    }

    fn need_local(&mut self, local: LocalId) {
        if !self.cone.unbounded.contains(local.index()) && self.cone.locals.insert(local.index()) {
            self.work.push(State::Local(local));
        }
    }

    fn expand(&mut self, index: &Index, state: State) {
        match state {
            State::Shared(shared) => {
                for &id in index.into.of(shared.index()) {
                    self.need_if_relevant(id);
                }
            }
            State::Local(local) => {
                for &(id, source) in index.filling.of(local.index()) {
                    // A rule into a shared state that is found later is looked at then.
                    if self.cone.shared.contains(self.system.rule(id).to.index()) {
                        self.need_rule(id);
                        source.into_iter().for_each(|source| self.need_local(source));
                    }
                }
            }
        }
    }

    /// Whether a rule is relevant, as far as is known.
    fn need_if_relevant(&mut self, id: RuleId) -> bool {
        let (rule, cone) = (self.system.rule(id), &self.cone);
        let is_relevant = cone.shared.contains(rule.to.index())
            && (rule.from != rule.to
                || raised(rule).any(|q| cone.has_local(q))
                || arrivals(rule).any(|(_, q)| cone.has_local(q)));
        if is_relevant {
            self.need_rule(id);
        }
        is_relevant
    }

    fn need_rule(&mut self, id: RuleId) {
        if !self.cone.rules.insert(id.index()) {
            return;
        }
        let rule = self.system.rule(id);
        self.need_shared(rule.from);
        rule.take.iter().for_each(|entry| self.need_local(entry.local));
        // Sources of locals that are found later are added then.
        for (source, to) in arrivals(rule) {
            if self.cone.has_local(to) {
                self.need_local(source);
            }
        }
    }
}
