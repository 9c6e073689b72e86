//! Accelerations as ω-transitions: what firing a cycle of rules for ever needs, and where it leaves any number.
//!
//! An ω-transition t has a need Pre(t) ∈ (ℕ ∪ {ω})^L and an effect C(t) ∈ (ℤ ∪ {ω})^L, where C is ω wherever Pre is.
//! A rule without moves is one, and so is a sequence: Pre(tσ) = max(Pre(t), Pre(σ) − C(t)) and C(tσ) = C(t) + C(σ). The
//! acceleration of a sequence σ that leads back to the shared state where it started is what σσσ… comes to: where C(σ) is
//! negative it needs ω, where C(σ) is positive it leaves ω, and elsewhere it is like σ. (Finkel, Haddad and Khmelnitsky,
//! FoSSaCS 2020, §3.) Rules with moves have no such effect and are never part of one.

use rustc_hash::FxHashMap;
use throng_base::define_id;
use throng_model::interface::Effect;
use throng_model::{Bag, Config, LocalId, OMEGA, SharedId, bag};

define_id! {
    /// An acceleration of [`Accelerations`].
    AccelerationId
}

/// An acceleration at one shared state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acceleration {
    /// What has to be there, ω included.
    need: Bag,
    /// Where it leaves ω, sorted, without the locals where it needs ω.
    raised: Vec<LocalId>,
}

impl Acceleration {
    /// Whether whatever this one does, the other does as well.
    fn is_dominated_by(&self, other: &Acceleration) -> bool {
        bag::le(&other.need, &self.need)
            && self.raised.iter().all(|local| other.raised.binary_search(local).is_ok())
    }

    /// Fires it if it changes something; whether it did.
    fn fire(&self, bag: &mut Bag) -> bool {
        let changes = self.raised.iter().any(|&local| bag::count(bag, local) != OMEGA);
        if !changes || !bag::le(&self.need, bag) {
            return false;
        }
        for &local in &self.raised {
            // Adding to ω cannot fail.
            let added = bag.add(local, OMEGA);
            debug_assert_eq!(added, Ok(()));
        }
        true
    }
}

/// All accelerations that were found, by shared state.
#[derive(Debug, Default)]
pub(super) struct Accelerations {
    /// Also those that others dominate: paths lead over them.
    all: Vec<Acceleration>,
    /// Those that no other dominates.
    best: FxHashMap<SharedId, Vec<AccelerationId>>,
}

impl Accelerations {
    /// How many there are that no other dominates.
    pub(super) fn len(&self) -> usize {
        self.best.values().map(Vec::len).sum()
    }

    /// Keeps an acceleration, unless another one does the same or more.
    pub(super) fn add(&mut self, shared: SharedId, acceleration: Acceleration) {
        let (all, best) = (&mut self.all, self.best.entry(shared).or_default());
        if best.iter().any(|id| acceleration.is_dominated_by(&all[id.index()])) {
            return;
        }
        best.retain(|id| !all[id.index()].is_dominated_by(&acceleration));
        best.push(AccelerationId::new(all.len()));
        all.push(acceleration);
    }

    /// Fires accelerations until nothing changes, and appends which, in order. Ends, since each leaves more ω.
    pub(super) fn saturate(&self, config: &mut Config, fired: &mut Vec<AccelerationId>) {
        let Some(best) = self.best.get(&config.shared) else { return };
        loop {
            let n_fired = fired.len();
            for &id in best {
                if self.all[id.index()].fire(&mut config.bag) {
                    fired.push(id);
                }
            }
            if fired.len() == n_fired {
                return;
            }
        }
    }
}

/// Need and effect of a sequence at one local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    /// `None` for ω.
    need: Option<i64>,
    gain: Option<i64>,
}

impl Share {
    const NOTHING: Share = Share { need: Some(0), gain: Some(0) };

    /// This one with another one before.
    fn after(self, first: Share) -> Share {
        let left = match (self.need, first.gain) {
            (_, None) => Some(0),
            (None, Some(_)) => None,
            (Some(need), Some(gain)) => Some(need.saturating_sub(gain)),
        };
        let need = match (first.need, left) {
            (Some(first), Some(left)) => Some(first.max(left)),
            _ => None,
        };
        let gain = match (self.gain, first.gain) {
            (Some(gain), Some(first)) => Some(gain.saturating_add(first)),
            _ => None,
        };
        Share { need, gain }
    }
}

/// A sequence of rules and accelerations, built from its end to its start.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    shares: FxHashMap<LocalId, Share>,
}

impl Sequence {
    fn prepend(&mut self, local: LocalId, first: Share) {
        let share = self.shares.entry(local).or_insert(Share::NOTHING);
        *share = share.after(first);
    }

    /// Fires a rule first.
    pub(super) fn prepend_rule(&mut self, effect: Effect<'_>) {
        for entry in effect.take {
            let (take, put) = (i64::from(entry.count), i64::from(bag::count(effect.put, entry.local)));
            self.prepend(entry.local, Share { need: Some(take), gain: Some(put - take) });
        }
        for entry in effect.put.iter().filter(|entry| bag::count(effect.take, entry.local) == 0) {
            self.prepend(entry.local, Share { need: Some(0), gain: Some(i64::from(entry.count)) });
        }
    }

    /// Fires an acceleration first.
    pub(super) fn prepend_acceleration(&mut self, accelerations: &Accelerations, id: AccelerationId) {
        let Acceleration { need, raised } = &accelerations.all[id.index()];
        for entry in need.iter().filter(|entry| raised.binary_search(&entry.local).is_err()) {
            let share = match entry.count {
                OMEGA => Share { need: None, gain: None },
                count => Share { need: Some(i64::from(count)), gain: Some(0) },
            };
            self.prepend(entry.local, share);
        }
        for &local in raised {
            self.prepend(local, Share { need: Some(i64::from(bag::count(need, local))), gain: None });
        }
    }

    /// Its acceleration. A need that is too large for a count becomes ω: what the sequence was fired from has ω there
    /// anyway, and needing more is safe. (The paper caps needs as well, for its bound on space.)
    pub(super) fn accelerated(self) -> Acceleration {
        let (mut need, mut raised) = (Vec::new(), Vec::new());
        #[expect(clippy::iter_over_hash_type, reason = "both lists are sorted below")]
        for (local, share) in self.shares {
            let is_kept = share.gain.is_none_or(|gain| gain >= 0);
            let count = share.need.filter(|_| is_kept).and_then(|need| u32::try_from(need).ok());
            need.push((local, count.unwrap_or(OMEGA)));
            if count.is_some_and(|count| count != OMEGA) && share.gain != Some(0) {
                raised.push(local);
            }
        }
        raised.sort_unstable();
        let need = Bag::from_counts(need).expect("INVARIANT: every local occurs once");
        Acceleration { need, raised }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Counts<'a> = &'a [(usize, u32)];

    fn bag(counts: Counts<'_>) -> Bag {
        Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count))).unwrap()
    }

    /// The acceleration of rules, given by what they take and put.
    fn accelerated(rules: &[(Counts<'_>, Counts<'_>)]) -> Acceleration {
        let mut sequence = Sequence::default();
        for (take, put) in rules.iter().rev() {
            sequence.prepend_rule(Effect { take: &bag(take), put: &bag(put) });
        }
        sequence.accelerated()
    }

    fn acceleration(need: Counts<'_>, raised: &[usize]) -> Acceleration {
        Acceleration { need: bag(need), raised: raised.iter().copied().map(LocalId::new).collect() }
    }

    #[test]
    fn a_sequence_needs_what_its_parts_need_and_do_not_put_themselves() {
        // 0 becomes 1 and a 2; 1 becomes 0.
        let found = accelerated(&[(&[(0, 1)], &[(1, 1), (2, 1)]), (&[(1, 1)], &[(0, 1)])]);
        assert_eq!(found, acceleration(&[(0, 1)], &[2]));
        // What is used up has to be there in any number.
        let found = accelerated(&[(&[(0, 3), (1, 1)], &[(1, 1), (2, 2)])]);
        assert_eq!(found, acceleration(&[(0, OMEGA), (1, 1)], &[2]));
    }

    #[test]
    fn a_need_beyond_all_counts_is_omega() {
        let much = OMEGA - 1;
        let found = accelerated(&[
            (&[(0, much)], &[(1, 1)]),
            (&[(0, much)], &[(0, much)]),
            (&[(1, 1)], &[(0, much)]),
        ]);
        assert_eq!(found, acceleration(&[(0, OMEGA)], &[]));
    }

    #[test]
    fn accelerations_are_parts_of_sequences() {
        let mut all = Accelerations::default();
        let shared = SharedId::new(0);
        all.add(shared, acceleration(&[(0, 1)], &[2]));
        // Any number of 2, of which the rule uses five for a 3.
        let mut sequence = Sequence::default();
        sequence.prepend_rule(Effect { take: &bag(&[(2, 5)]), put: &bag(&[(3, 1)]) });
        sequence.prepend_acceleration(&all, AccelerationId::new(0));
        assert_eq!(sequence.accelerated(), acceleration(&[(0, 1)], &[2, 3]));
    }

    #[test]
    fn dominated_accelerations_are_dropped_and_saturation_fires_the_others() {
        let mut all = Accelerations::default();
        let shared = SharedId::new(1);
        all.add(shared, acceleration(&[(0, 2)], &[2]));
        all.add(shared, acceleration(&[(0, 2), (1, 1)], &[2]));
        assert_eq!(all.len(), 1);
        all.add(shared, acceleration(&[(0, 1)], &[2]));
        assert_eq!(all.len(), 1);
        all.add(shared, acceleration(&[(2, OMEGA)], &[3]));
        all.add(SharedId::new(0), acceleration(&[], &[4]));
        assert_eq!(all.len(), 3);
        let (mut config, mut fired) = (Config::new(shared, bag(&[(0, 1)])), Vec::new());
        all.saturate(&mut config, &mut fired);
        assert_eq!((config.bag, fired.len()), (bag(&[(0, 1), (2, OMEGA), (3, OMEGA)]), 2));
    }
}
