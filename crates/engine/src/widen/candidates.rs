//! Which smaller element is tried instead of a new one.
//!
//! The candidates for p are the minimal elements of C(p) = {v | v < p, v ∉ D}, restricted to few threads if there
//! is a bound. One of them is enough: if it turns out to be coverable, p is offered again and another is chosen.

use crate::covered::Covered;
use crate::options::{CandidateThreads, Options};
use throng_model::{Bag, ConfigRef, Entry, TransitionSystem};

/// How candidates are chosen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Candidates {
    /// There are none.
    Never,
    /// The smallest with at most so many threads.
    AtMost(u32),
    /// Minimal ones of any size.
    All,
}

impl Candidates {
    /// What a user asked for.
    pub(super) fn new(system: &dyn TransitionSystem, options: &Options) -> Self {
        let has_shared_states = || system.explicit().is_none_or(|system| system.n_shared() > 1);
        match options.candidate_threads {
            _ if !options.widen => Candidates::Never,
            CandidateThreads::Usual if has_shared_states() => Candidates::AtMost(1),
            CandidateThreads::Usual => Candidates::AtMost(2),
            CandidateThreads::AtMost(bound) => Candidates::AtMost(bound),
            CandidateThreads::Any => Candidates::All,
        }
    }

    /// Whether there is a candidate for `config`, which is not in D; it is left in `chosen`.
    pub(super) fn choose(self, config: ConfigRef<'_>, covered: &mut Covered<'_>, chosen: &mut Bag) -> bool {
        let size = config.size();
        if size == 0 || matches!(self, Candidates::Never) {
            return false;
        }
        chosen.clear();
        if !covered.contains_thread_state(config.shared, None) {
            return true;
        }
        match self {
            Candidates::Never => false,
            Candidates::AtMost(bound) => {
                (1..size.min(u64::from(bound) + 1)).any(|n| choose_of_size(config, n, covered, chosen))
            }
            Candidates::All => {
                chosen.assign(config.bag);
                descend(config, covered, chosen)
            }
        }
    }
}

/// Chooses a part with exactly `n` threads, of which all smaller parts are in D.
fn choose_of_size(config: ConfigRef<'_>, n: u64, covered: &mut Covered<'_>, chosen: &mut Bag) -> bool {
    if n == 1 {
        let new =
            config.bag.iter().find(|entry| !covered.contains_thread_state(config.shared, Some(entry.local)));
        if let Some(&Entry { local, .. }) = new {
            chosen.assign(&[Entry { local, count: 1 }]);
        }
        return new.is_some();
    }
    chosen.clear();
    choose_rest(config, config.bag, n, covered, chosen)
}

/// Adds `n` threads from `rest` to what was chosen, in every way until the choice is not in D.
fn choose_rest(
    config: ConfigRef<'_>,
    rest: &[Entry],
    n: u64,
    covered: &mut Covered<'_>,
    chosen: &mut Bag,
) -> bool {
    if n == 0 {
        return !covered.contains(ConfigRef::new(config.shared, chosen));
    }
    let Some((first, others)) = rest.split_first() else { return false };
    let before = chosen.clone();
    for count in (0..=u64::from(first.count).min(n)).rev() {
        chosen.assign(&before);
        if count > 0 && chosen.add(first.local, count as u32).is_err() {
            return false;
        }
        if choose_rest(config, others, n - count, covered, chosen) {
            return true;
        }
    }
    false
}

/// Removes threads from what was chosen as long as the rest is not in D; whether one was removed. Since D is
/// downward closed, all that is smaller than the rest is then in D, and the least number of threads in a local
/// state can be found by bisection: counts may be millions.
fn descend(config: ConfigRef<'_>, covered: &Covered<'_>, chosen: &mut Bag) -> bool {
    let mut smaller = chosen.clone();
    let mut removed = false;
    for position in (0..chosen.len()).rev() {
        let Entry { local, count } = chosen[position];
        let (mut least, mut enough) = (0, count);
        while least < enough {
            let middle = least + (enough - least) / 2;
            smaller.assign(chosen);
            smaller.remove(local, count - middle);
            if covered.contains(ConfigRef::new(config.shared, &smaller)) {
                least = middle + 1;
            } else {
                enough = middle;
            }
        }
        chosen.remove(local, count - enough);
        removed |= enough < count;
    }
    removed
}
