//! Configurations with more threads than the search looks at yet.

use crate::forward::Origin;
use std::collections::BTreeMap;
use throng_model::store::ConfigId;
use throng_model::{Config, ConfigRef, ConfigStore};

/// Configurations by number of threads, each once, with where they came from first.
#[derive(Debug, Default)]
pub(super) struct Later {
    store: ConfigStore,
    origins: Vec<Option<Origin>>,
    by_threads: BTreeMap<u64, Vec<ConfigId>>,
}

impl Later {
    /// The smallest number of threads of a configuration that is put off.
    pub(super) fn fewest_threads(&self) -> Option<u64> {
        self.by_threads.keys().next().copied()
    }

    /// Puts a configuration off.
    pub(super) fn put_off(&mut self, config: ConfigRef<'_>, origin: Option<Origin>) {
        let (id, is_new) = self.store.intern(config);
        if is_new {
            self.origins.push(origin);
            self.by_threads.entry(config.size()).or_default().push(id);
        }
    }

    /// Takes the configurations with at most so many threads.
    pub(super) fn take(&mut self, most_threads: u64) -> Vec<(Config, Option<Origin>)> {
        let mut taken = Vec::new();
        while let Some(entry) = self.by_threads.first_entry().filter(|entry| *entry.key() <= most_threads) {
            let configs = entry.remove().into_iter();
            taken.extend(configs.map(|id| (self.store.get(id).to_config(), self.origins[id.index()])));
        }
        if self.by_threads.is_empty() {
            *self = Self::default();
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, LocalId, SharedId};

    #[test]
    fn small_configurations_come_back_first_and_once() {
        let config =
            |count| Config::new(SharedId::new(0), Bag::from_counts([(LocalId::new(1), count)]).unwrap());
        let mut later = Later::default();
        for count in [7, 3, 5, 3] {
            later.put_off(config(count).view(), None);
        }
        assert_eq!(later.fewest_threads(), Some(3));
        let taken: Vec<Config> = later.take(5).into_iter().map(|(config, _)| config).collect();
        assert_eq!(taken, [config(3), config(5)]);
        // What was taken is not put off again while others wait.
        later.put_off(config(3).view(), None);
        assert_eq!((later.fewest_threads(), later.take(7).len(), later.fewest_threads()), (Some(7), 1, None));
    }
}
