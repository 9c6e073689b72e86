//! Which configurations break one of many cuts.

use crate::groups::Groups;
use throng_cert::Cut;
use throng_model::{ConfigRef, System};

/// Cuts by the states that they give a weight to.
pub(super) struct CutIndex {
    /// Cut and weight by shared state.
    by_shared: Groups<(usize, u64)>,
    /// Cut and weight by local.
    by_local: Groups<(usize, u64)>,
    bounds: Vec<u64>,
}

impl CutIndex {
    /// An index over cuts of a system.
    pub(super) fn new(system: &System, cuts: &[Cut]) -> Self {
        let cuts_by_number = || cuts.iter().enumerate();
        let shared = cuts_by_number()
            .flat_map(|(i, cut)| cut.shared.iter().map(move |&(state, weight)| (state.index(), (i, weight))));
        let locals = cuts_by_number()
            .flat_map(|(i, cut)| cut.locals.iter().map(move |&(state, weight)| (state.index(), (i, weight))));
        Self {
            by_shared: Groups::new(system.n_shared(), shared),
            by_local: Groups::new(system.n_locals(), locals),
            bounds: cuts.iter().map(|cut| cut.bound).collect(),
        }
    }

    /// Whether a configuration breaks a cut.
    pub(super) fn is_broken_by(&self, config: ConfigRef<'_>) -> bool {
        let shared = self.by_shared.of(config.shared.index()).iter();
        let mut weights: Vec<(usize, u128)> = shared.map(|&(cut, weight)| (cut, weight.into())).collect();
        for entry in config.bag {
            let of_local = self.by_local.of(entry.local.index()).iter();
            weights
                .extend(of_local.map(|&(cut, weight)| (cut, u128::from(weight) * u128::from(entry.count))));
        }
        weights.sort_unstable_by_key(|&(cut, _)| cut);
        weights.chunk_by(|a, b| a.0 == b.0).any(|of_cut| {
            let sum = of_cut.iter().fold(0_u128, |sum, &(_, weight)| sum.saturating_add(weight));
            sum > u128::from(self.bounds[of_cut[0].0])
        })
    }
}
