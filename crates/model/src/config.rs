//! Configurations: a shared state and a bag of threads.

use crate::SharedId;
use crate::bag::{self, Bag, Entry};

/// An owned configuration, or ω-configuration where counts are [`crate::OMEGA`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Config {
    /// The shared state.
    pub shared: SharedId,
    /// The threads.
    pub bag: Bag,
}

impl Config {
    /// A configuration from its parts.
    pub fn new(shared: SharedId, bag: Bag) -> Self {
        Self { shared, bag }
    }

    /// A view of it.
    #[inline]
    pub fn view(&self) -> ConfigRef<'_> {
        ConfigRef { shared: self.shared, bag: &self.bag }
    }
}

/// A configuration that lives elsewhere: in an arena, or in a buffer of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConfigRef<'a> {
    /// The shared state.
    pub shared: SharedId,
    /// The threads, sorted by local state.
    pub bag: &'a [Entry],
}

impl<'a> ConfigRef<'a> {
    /// A view from its parts.
    #[inline]
    pub fn new(shared: SharedId, bag: &'a [Entry]) -> Self {
        Self { shared, bag }
    }

    /// An owned copy.
    pub fn to_config(self) -> Config {
        Config { shared: self.shared, bag: Bag::from(self.bag) }
    }

    /// Whether `self ≤ other`: equal shared states and bag inclusion.
    #[inline]
    pub fn le(self, other: ConfigRef<'_>) -> bool {
        self.shared == other.shared && bag::le(self.bag, other.bag)
    }

    /// The number of threads, without those of ω-entries.
    #[inline]
    pub fn size(self) -> u64 {
        bag::size(self.bag)
    }
}
