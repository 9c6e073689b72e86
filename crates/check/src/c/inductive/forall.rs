//! "For all" as bits with witnesses, and whom a signal wakes.
//!
//! The truth of a predicate about all (other) threads in a scope is a bit b with two constraints: if b, the expression
//! holds for every thread of the scene that exists and is in the scope; if not b, it is violated by a thread at hand in
//! the scope or by a witness in the scope that is made for this bit. Every state gives such values: b is the truth, and if
//! that is false, who violates the expression is at hand, or is none of those at hand and the witness stands for it. Otherwise the witness
//! does not exist, and nothing is said about it.
//!
//! A constraint is asserted only if it is needed: the first one if b is wanted to be true somewhere, the second one if b is wanted to
//! be false. Asserting less is sound.

use super::scene::{ACTOR, Place, Scene, Slot, Time, View};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{Effect, LocationId, TemplateId};
use throng_cfa::invariant::{Literal, Of, PredicateId, PredicateKind};
use throng_solver::{Model, TermId};

/// The truth of a predicate about all threads.
#[derive(Clone, Copy, Debug)]
struct Bit {
    predicate: PredicateId,
    active: Option<Slot>,
    time: Time,
    term: TermId,
    /// Whether it is constrained where it is true.
    if_true: bool,
    /// Whether it is constrained where it is false.
    if_false: bool,
}

/// The bits of a scene.
pub(super) struct Stage<'a> {
    pub scene: Scene<'a>,
    bits: Vec<Bit>,
    /// Which of the bits it is.
    index: FxHashMap<(PredicateId, Option<Slot>, Time), usize>,
    /// By template whose threads a signal may wake: whether it wakes a thread that is not at hand.
    outsiders: Vec<(TemplateId, TermId)>,
    /// Whether a signal wakes anybody.
    somebody: Option<TermId>,
    /// Where witnesses may stand, with a bit for each location, as far as somebody has asked.
    located: FxHashMap<Slot, Vec<(LocationId, TermId)>>,
    /// Witnesses for bits of witnesses. Elements are not looked at for them: that would need witnesses without end.
    secondary: Vec<Slot>,
}

impl<'a> Stage<'a> {
    /// A scene, with what a signal does.
    pub(super) fn new(scene: Scene<'a>) -> Self {
        let is_signal = matches!(scene.edge.and_then(|edge| edge.effect.as_ref()), Some(Effect::Signal(_)));
        let (bits, index) = (Vec::new(), FxHashMap::default());
        let mut stage = Self {
            scene,
            bits,
            index,
            outsiders: Vec::new(),
            somebody: None,
            located: FxHashMap::default(),
            secondary: Vec::new(),
        };
        if is_signal {
            stage.signal();
        }
        stage
    }

    /// The truth of the predicate of a literal, whose threads are these, for where it is wanted to have this value.
    pub(super) fn truth(&mut self, literal: &Literal, threads: &[Slot], time: Time, wanted: bool) -> TermId {
        match self.known(literal, threads, time, wanted) {
            Some(term) => term,
            None => self.make_bit(literal.predicate, active(literal, threads), time, wanted),
        }
    }

    /// The same, unless a bit would have to be constrained for it.
    pub(super) fn known(
        &mut self,
        literal: &Literal,
        threads: &[Slot],
        time: Time,
        wanted: bool,
    ) -> Option<TermId> {
        let predicate = self.scene.facts.predicates.get(literal.predicate);
        let active = active(literal, threads);
        let passive = match (literal.of, predicate.kind()) {
            (Of::Pair(_, passive), _) => Some(threads[passive]),
            (_, PredicateKind::Universal | PredicateKind::InterThread) => {
                let bit = self.bits[*self.index.get(&(literal.predicate, active, time))?];
                return (if wanted { bit.if_true } else { bit.if_false }).then_some(bit.term);
            }
            _ => None,
        };
        Some(self.scene.translate(predicate.expression, View { active, passive, time }))
    }

    fn make_bit(&mut self, predicate: PredicateId, active: Option<Slot>, time: Time, wanted: bool) -> TermId {
        let index = match self.index.get(&(predicate, active, time)) {
            Some(&index) => index,
            None => {
                let term = self.scene.terms.fresh("?all", 1);
                let index = self.bits.len();
                self.bits.push(Bit { predicate, active, time, term, if_true: false, if_false: false });
                self.index.insert((predicate, active, time), index);
                index
            }
        };
        if wanted {
            self.bits[index].if_true = true;
            let bit = self.bits[index];
            (0..self.scene.threads.len()).for_each(|slot| self.constrain(bit, slot));
        } else {
            self.bits[index].if_false = true;
            self.make_witness(self.bits[index]);
        }
        self.bits[index].term
    }

    /// If a bit is false, somebody violates its expression.
    fn make_witness(&mut self, bit: Bit) {
        let mut violations = vec![bit.term];
        for slot in 0..self.scene.n_at_hand {
            violations.extend(self.violation(bit, slot));
        }
        let facts = self.scene.facts;
        let party = facts.predicates.get(bit.predicate).passive.as_ref();
        if let Some((party, scope)) = party.zip(facts.scope_of[bit.predicate.index()])
            && let Some(witness) = self.witness(party.template, Some(scope))
        {
            violations.extend(self.violation(bit, witness));
            if bit.active.is_some_and(|active| active >= self.scene.n_at_hand) {
                self.secondary.push(witness);
            }
        }
        let some = self.scene.terms.or_all(violations);
        self.scene.assert(some);
    }

    /// That a thread violates the expression of a bit; `None` if that is no matter of this thread.
    fn violation(&mut self, bit: Bit, slot: Slot) -> Option<TermId> {
        let scene = &mut self.scene;
        let facts = scene.facts;
        let predicate = facts.predicates.get(bit.predicate);
        let (party, scope) = predicate.passive.as_ref().zip(facts.scope_of[bit.predicate.index()])?;
        let is_other = Some(slot) != bit.active && scene.is_there(slot, bit.time);
        if !is_other || scene.threads[slot].template != party.template {
            return None;
        }
        let exists = scene.exists(slot);
        let in_scope = scene.in_scope(slot, scope, bit.time);
        let counts = scene.terms.and(exists, in_scope);
        if scene.terms.is_false(counts) {
            return None;
        }
        let view = View { active: bit.active, passive: Some(slot), time: bit.time };
        let holds = scene.translate(predicate.expression, view);
        let fails = scene.terms.not(holds);
        Some(scene.terms.and(counts, fails))
    }

    /// What a bit says about a thread, if it is true. Of two witnesses nothing is said: they may be the same thread.
    fn constrain(&mut self, bit: Bit, slot: Slot) {
        let n_at_hand = self.scene.n_at_hand;
        if slot >= n_at_hand && bit.active.is_some_and(|active| active >= n_at_hand) {
            return;
        }
        let Some(violation) = self.violation(bit, slot) else { return };
        let terms = &mut self.scene.terms;
        let (is_false, is_fine) = (terms.not(bit.term), terms.not(violation));
        let either = terms.or(is_false, is_fine);
        self.scene.assert(either);
    }

    /// A thread that is none of those at hand and was there before the step, perhaps in a scope; `None` if there can be none.
    fn witness(&mut self, template: TemplateId, scope: Option<usize>) -> Option<Slot> {
        let scene = &mut self.scene;
        let facts = scene.facts;
        let is_main = |slot: Slot| scene.threads[slot].template == facts.program.main;
        if facts.main_is_single && template == facts.program.main && (0..scene.n_at_hand).any(is_main) {
            return None;
        }
        let scopes = &facts.scopes[template.index()];
        let fits = |signature: &&Vec<bool>| scope.is_none_or(|scope| signature[scope]);
        let signatures: Vec<&Vec<bool>> = scopes.signatures.iter().filter(fits).collect();
        if signatures.is_empty() {
            return None;
        }
        let exists = scene.terms.fresh("?exists", 1);
        let in_scope: Vec<TermId> = scopes.list.iter().map(|_| scene.terms.fresh("?in", 1)).collect();
        let possibilities: Vec<TermId> = signatures
            .iter()
            .map(|signature| {
                let bits = in_scope.iter().zip(signature.iter());
                let bits: Vec<TermId> =
                    bits.map(|(&bit, &is_in)| if is_in { bit } else { scene.terms.not(bit) }).collect();
                scene.terms.and_all(bits)
            })
            .collect();
        let one = scene.terms.or_all(possibilities);
        scene.assert_implies(exists, one);
        let name =
            format!("another{}", scene.threads.len().saturating_sub(scene.n_at_hand).saturating_add(1));
        let slot = scene.add_thread(&name, template, Place::Somewhere { exists, in_scope });
        if self.somebody.is_some() {
            self.wake_witness(slot);
        }
        for index in 0..self.bits.len() {
            if self.bits[index].if_true {
                self.constrain(self.bits[index], slot);
            }
        }
        Some(slot)
    }

    /// For a witness: bits that say where it stands, one by location, of which one is true if it exists. `false` if there were
    /// such bits already, or if it stays unknown.
    pub(super) fn locate(&mut self, slot: Slot) -> bool {
        if self.located.contains_key(&slot) || self.secondary.contains(&slot) {
            return false;
        }
        let scene = &mut self.scene;
        let facts = scene.facts;
        let Place::Somewhere { exists, in_scope } = scene.threads[slot].place.clone() else { return false };
        let template = scene.threads[slot].template;
        let scopes = &facts.scopes[template.index()].list;
        let mut places = Vec::new();
        let mut some = vec![scene.terms.not(exists)];
        for at in LocationId::all(facts.program.locations.len()) {
            if facts.template(at) != template || !facts.is_possible_for_others(at) {
                continue;
            }
            let is_here = scene.terms.fresh("?at", 1);
            for (scope, &bit) in scopes.iter().zip(&in_scope) {
                let is_in = scene.terms.truth(scope.binary_search(&at).is_ok());
                let fits = scene.terms.eq(bit, is_in);
                scene.assert_implies(is_here, fits);
            }
            places.push((at, is_here));
            some.push(is_here);
        }
        let one = scene.terms.or_all(some);
        scene.assert(one);
        self.located.insert(slot, places);
        true
    }

    /// Where a witness stands in a model, if it exists there, with the bits that say so.
    pub(super) fn place_in(&self, slot: Slot, model: &Model) -> Option<(LocationId, [TermId; 2])> {
        let Place::Somewhere { exists, .. } = self.scene.threads[slot].place else { return None };
        let terms = &self.scene.terms;
        let mut places = self.located.get(&slot)?.iter();
        let &(at, is_here) = places.find(|&&(_, is_here)| model.holds(terms, is_here))?;
        model.holds(terms, exists).then_some((at, [exists, is_here]))
    }

    /// Whether a thread waits for the signal.
    fn is_enabled(&mut self, slot: Slot) -> TermId {
        let view = View { active: Some(ACTOR), passive: Some(slot), time: Time::Before };
        let updates = self.scene.updates_of(slot);
        let guards: Vec<TermId> =
            updates.iter().map(|update| self.scene.translate(update.guard, view)).collect();
        self.scene.terms.or_all(guards)
    }

    /// At most one thread is woken: one at hand, or an outsider. Somebody is, if anybody waits. If it is an outsider, then a
    /// witness of its template waits.
    fn signal(&mut self) {
        let mut woken = Vec::new();
        let mut enabled = Vec::new();
        for slot in 0..self.scene.n_at_hand {
            if slot == ACTOR || !self.scene.is_there(slot, Time::Before) {
                continue;
            }
            let is_enabled = self.is_enabled(slot);
            let is_woken = self.scene.terms.fresh("?woken", 1);
            self.scene.assert_implies(is_woken, is_enabled);
            self.scene.threads[slot].woken = Some(is_woken);
            woken.push(is_woken);
            enabled.push(is_enabled);
        }
        let updates = self.scene.edge.map_or(&[][..], super::facts::updates);
        let mut templates: Vec<TemplateId> = updates.iter().map(|update| update.template).collect();
        templates.sort_unstable();
        templates.dedup();
        for template in templates {
            if let Some(slot) = self.witness(template, None) {
                let exists = self.scene.exists(slot);
                let is_enabled = self.is_enabled(slot);
                // This witness is there for being woken.
                self.scene.assert_implies(exists, is_enabled);
                self.scene.threads[slot].woken = Some(exists);
                self.outsiders.push((template, exists));
                woken.push(exists);
            }
        }
        for (index, &a) in woken.iter().enumerate() {
            for &b in woken.iter().skip(index.saturating_add(1)) {
                let both = self.scene.terms.and(a, b);
                let not_both = self.scene.terms.not(both);
                self.scene.assert(not_both);
            }
        }
        let somebody = self.scene.terms.or_all(woken);
        for is_enabled in enabled {
            self.scene.assert_implies(is_enabled, somebody);
        }
        self.somebody = Some(somebody);
    }

    /// A further witness: if it waits then somebody is woken, and if it is woken, then it is the outsider.
    fn wake_witness(&mut self, slot: Slot) {
        let Some(somebody) = self.somebody else { return };
        let template = self.scene.threads[slot].template;
        let exists = self.scene.exists(slot);
        let is_enabled = self.is_enabled(slot);
        let waits = self.scene.terms.and(exists, is_enabled);
        self.scene.assert_implies(waits, somebody);
        let is_woken = self.scene.terms.fresh("?woken", 1);
        self.scene.assert_implies(is_woken, is_enabled);
        let outsider = self.outsiders.iter().find(|&&(known, _)| known == template);
        let outsider = match outsider {
            Some(&(_, outsider)) => outsider,
            None => self.scene.terms.truth(false),
        };
        self.scene.assert_implies(is_woken, outsider);
        self.scene.threads[slot].woken = Some(is_woken);
    }
}

/// The thread that a literal is about.
fn active(literal: &Literal, threads: &[Slot]) -> Option<Slot> {
    match literal.of {
        Of::State => None,
        Of::Thread(active) | Of::Pair(active, _) => Some(threads[active]),
    }
}
