//! What steps of different threads can have to do with each other.
//!
//! An access to something is described by *tokens*: what it tells others ([`Access::emits`]) and what it listens to
//! ([`Access::senses`]). Two steps of different threads are independent if neither emits what the other senses: then
//! their order does not matter and neither can enable or disable the other.
//!
//! * A shared variable has one token: a write emits it, and reads and writes sense it.
//! * An observed local variable has two: its thread's writes emit the first, writes of others the second. Its thread
//!   senses the second (its own steps are ordered anyway), others sense both.
//! * Starting threads has one token, which starts emit and sense: they compete for numbers and places.
//! * Ending has one, which the step to an end emits and asking for it senses.

use smallvec::SmallVec;

/// A set of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens(SmallVec<[u64; 2]>);

impl Tokens {
    /// Adds one.
    pub(crate) fn insert(&mut self, token: usize) {
        let word = token / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (token % 64);
    }

    /// Adds all of another set; tells whether some are new.
    pub(crate) fn extend(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut is_changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            is_changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        is_changed
    }

    /// Whether there is one that both have.
    #[inline]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

/// What a step, or all steps of a thread from now on, have to do with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access {
    /// What others may notice.
    pub(crate) emits: Tokens,
    /// What others may do about it.
    pub(crate) senses: Tokens,
}

impl Access {
    /// Adds another one; tells whether something is new.
    pub(crate) fn extend(&mut self, other: &Self) -> bool {
        let emits = self.emits.extend(&other.emits);
        self.senses.extend(&other.senses) || emits
    }

    /// Whether the order of this and another thread's can matter.
    #[inline]
    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        self.emits.meets(&other.senses) || other.emits.meets(&self.senses)
    }

    /// Whether nobody else can have to do with it.
    pub(crate) fn is_local(&self) -> bool {
        self.emits.is_empty() && self.senses.is_empty()
    }
}
