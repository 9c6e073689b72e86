//! Proofs: cuts by the inequalities that define them, traps by firing, elements by trying all predecessors.
//!
//! Rules whose smallest enabling configuration the proof excludes cannot fire where the proof holds, and after rules to
//! shared states that lead to no target's nothing matters. Cuts and traps are judged in the system without these rules.

use super::{Judge, Judged, Stop, require};
use crate::dense::{Dense, DenseSystem, MAX_LOCALS, size};
use crate::oracle::{MAX_ELEMENT_SIZE, candidates};
use throng_cert::document::{Cut, Proof};
use throng_model::System;

/// A cut over dense ids.
struct Weights {
    shared: Vec<i128>,
    locals: [i128; MAX_LOCALS],
    bound: i128,
}

impl Weights {
    fn of(&self, config: &Dense) -> i128 {
        let threads = config.counts.iter().zip(&self.locals).map(|(&n, w)| i128::from(n) * w);
        self.shared[usize::from(config.shared)] + threads.sum::<i128>()
    }

    fn is_broken_by(&self, config: &Dense) -> bool {
        self.of(config) > self.bound
    }

    /// Whether no rule raises the weights, and the initial configurations keep the bound.
    fn hold_always(&self, system: &DenseSystem) -> bool {
        let holds_initially = system.initial.iter().all(|initial| {
            let unbounded = (0..MAX_LOCALS).filter(|&local| initial.unbounded[local]);
            self.of(&initial.least) <= self.bound && unbounded.into_iter().all(|l| self.locals[l] == 0)
        });
        let holds_on = system.rules.iter().all(|rule| {
            let before = self.of(&Dense { shared: rule.from, counts: rule.take });
            let after = self.of(&Dense { shared: rule.to, counts: rule.put });
            let moves = rule.moves.iter().enumerate().filter_map(|(p, d)| Some((p, d.as_ref()?)));
            let mut arcs = moves.flat_map(|(p, d)| d.iter().map(move |&q| (p, usize::from(q))));
            after <= before && arcs.all(|(p, q)| self.locals[q] <= self.locals[p])
        });
        holds_initially && holds_on
    }
}

impl Judge<'_> {
    pub(super) fn proof(&self, proof: &Proof) -> Judged<()> {
        let cuts = proof.cuts.iter().map(|cut| self.weights(cut)).collect::<Judged<Vec<_>>>()?;
        let mut elements = Vec::new();
        for element in &proof.elements {
            elements.extend(self.expand_finite(element)?);
        }
        let excluded = |config: &Dense| {
            elements.iter().any(|e| config.covers(e)) || cuts.iter().any(|cut| cut.is_broken_by(config))
        };
        let mut possible = self.dense.clone();
        let matters = matters(&self.dense);
        possible.rules.retain(|rule| {
            matters[usize::from(rule.to)] && !excluded(&Dense { shared: rule.from, counts: rule.take })
        });
        for (cut, weights) in proof.cuts.iter().zip(&cuts) {
            self.cut_holds(&possible, weights, cut, proof)?;
        }
        require(self.dense.targets.iter().all(excluded))?;
        for element in &elements {
            require(!self.dense.initial.iter().any(|initial| initial.covers(element)))?;
            for rule in self.dense.rules.iter().filter(|rule| rule.to == element.shared) {
                if size(&rule.take).max(element.size()) > MAX_ELEMENT_SIZE {
                    return Err(Stop::Unjudged);
                }
                for candidate in candidates(rule, element, self.dense.n_locals) {
                    let leads_there = || rule.any_successor(&candidate, &mut |after| after.covers(element));
                    require(excluded(&candidate) || !leads_there())?;
                }
            }
        }
        Ok(())
    }

    /// The weights of a cut as written.
    fn weights(&self, cut: &Cut) -> Judged<Weights> {
        let mut weights = Weights {
            shared: vec![0; self.dense.n_shared],
            locals: [0; MAX_LOCALS],
            bound: cut.bound.into(),
        };
        for (name, weight) in &cut.shared {
            let shared = self.system.shared_names().find(name).ok_or(Stop::Wrong)?;
            weights.shared[shared] += i128::from(*weight);
        }
        for (name, weight) in &cut.locals {
            let local = self.system.local_names().find(name).ok_or(Stop::Wrong)?;
            weights.locals[local] += i128::from(*weight);
        }
        Ok(weights)
    }

    /// Whether a cut with these weights holds in every configuration that `system` reaches.
    fn cut_holds(&self, system: &DenseSystem, weights: &Weights, cut: &Cut, proof: &Proof) -> Judged<()> {
        // With traps, it is the weights together with the traps' that no rule may raise.
        let mut combined =
            Weights { shared: weights.shared.clone(), locals: weights.locals, bound: weights.bound };
        for &(index, multiplier) in &cut.traps {
            let names = usize::try_from(index).ok().and_then(|i| proof.traps.get(i)).ok_or(Stop::Wrong)?;
            let mut trap = [false; MAX_LOCALS];
            for name in names {
                trap[self.system.local_names().find(name).ok_or(Stop::Wrong)?] = true;
            }
            require(multiplier == 0 || is_trap(system, &trap))?;
            let marked = (0..MAX_LOCALS).filter(|&local| trap[local]);
            marked.for_each(|local| combined.locals[local] += i128::from(multiplier));
            combined.bound += i128::from(multiplier);
        }
        require(combined.hold_always(system))
    }
}

/// Which shared states have a path of rules to the shared state of a target.
fn matters(system: &DenseSystem) -> Vec<bool> {
    let mut matters = vec![false; system.n_shared];
    system.targets.iter().for_each(|target| matters[usize::from(target.shared)] = true);
    for _ in 0..system.n_shared {
        for rule in &system.rules {
            matters[usize::from(rule.from)] |= matters[usize::from(rule.to)];
        }
    }
    matters
}

/// Whether the locals are a trap that is marked from the beginning: every initial configuration has a thread
/// there for certain, and firing never takes the last one away. The latter is tried with one thread more than a
/// rule takes; with further threads there is only more left inside.
pub fn is_trap(system: &DenseSystem, trap: &[bool; MAX_LOCALS]) -> bool {
    let inside = |config: &Dense| (0..MAX_LOCALS).any(|local| trap[local] && config.counts[local] > 0);
    let marked = system.initial.iter().all(|initial| inside(&initial.least));
    let kept = system.rules.iter().all(|rule| {
        let smallest = Dense { shared: rule.from, counts: rule.take };
        let with_one_more = (0..system.n_locals).map(|local| {
            let mut config = smallest;
            config.counts[local] += 1;
            config
        });
        let mut tried = with_one_more.chain([smallest]).filter(inside);
        tried.all(|config| !rule.any_successor(&config, &mut |after| !inside(&after)))
    });
    marked && kept
}

/// Up to `most` cuts of a system with weights 0 and 1, found by trying all; some use a trap. Each comes as a
/// proof without elements. For tests of evidence that engines do not produce.
pub fn find_cuts(system: &System, most: usize) -> Vec<Proof> {
    let Some(dense) = DenseSystem::of(system) else { return Vec::new() };
    let judge = Judge { system, dense };
    let n_locals = judge.dense.n_locals;
    let trap_of = |bits: usize| std::array::from_fn(|local| local < n_locals && bits >> local & 1 == 1);
    let traps: Vec<[bool; MAX_LOCALS]> =
        (1..1 << n_locals).map(trap_of).filter(|trap| is_trap(&judge.dense, trap)).take(2).collect();
    let mut found = Vec::new();
    for bits in 1usize..1 << (n_locals + judge.dense.n_shared) {
        for trap in [None].into_iter().chain(traps.iter().map(Some)) {
            let proof = judge.proof_of_cut(bits, trap);
            let cut = &proof.cuts[0];
            let holds = || {
                let weights = judge.weights(cut)?;
                judge.cut_holds(&judge.dense, &weights, cut, &proof)
            };
            if found.len() < most && holds().is_ok() {
                found.push(proof);
            }
        }
    }
    found
}

impl Judge<'_> {
    /// A proof without elements and with one cut: weight 1 where `bits` says, and the least bound.
    fn proof_of_cut(&self, bits: usize, trap: Option<&[bool; MAX_LOCALS]>) -> Proof {
        let (locals, shared) = (self.system.local_names(), self.system.shared_names());
        let n_locals = self.dense.n_locals;
        let in_trap = |local: usize| trap.is_some_and(|trap| trap[local]);
        let weighs = |i: usize| bits >> i & 1 == 1;
        let bound = self.dense.initial.iter().map(|initial| {
            let threads = (0..n_locals).map(|local| {
                u64::from(initial.least.counts[local])
                    * (u64::from(weighs(local)) + u64::from(in_trap(local)))
            });
            threads.sum::<u64>() + u64::from(weighs(n_locals + usize::from(initial.least.shared)))
        });
        let cut = Cut {
            shared: (0..shared.len())
                .filter(|s| weighs(n_locals + s))
                .map(|s| (shared.get(s).into(), 1))
                .collect(),
            locals: (0..n_locals).filter(|&l| weighs(l)).map(|l| (locals.get(l).into(), 1)).collect(),
            bound: bound.max().unwrap_or(0).saturating_sub(u64::from(trap.is_some())),
            traps: if trap.is_some() { vec![(0, 1)] } else { vec![] },
        };
        let traps =
            trap.map(|trap| (0..n_locals).filter(|&l| trap[l]).map(|l| locals.get(l).into()).collect());
        Proof { cuts: vec![cut], traps: traps.into_iter().collect(), ..Proof::default() }
    }
}
