//! 1-safe components: sets of locals of which at most one holds a thread, and that one holds no more than one.

use crate::CutPool;
use throng_model::LocalId;

/// A set of locals of which at most one holds a thread, and no more than one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The locals, sorted.
    pub locals: Vec<LocalId>,
}

impl CutPool<'_> {
    /// Components that the cuts show, of at least two locals each, disjoint, the largest first. In a cut, two threads
    /// that each weigh more than half of the bound are too many.
    pub fn components(&self) -> Vec<Component> {
        let mut free = vec![true; self.system().n_locals()];
        let mut candidates: Vec<Vec<LocalId>> = self
            .cuts_from(0)
            .iter()
            .map(|cut| {
                let heavy = cut.locals.iter().filter(|&&(_, weight)| weight > cut.bound / 2);
                heavy.map(|&(local, _)| local).collect()
            })
            .collect();
        let mut components = Vec::new();
        loop {
            for locals in &mut candidates {
                locals.retain(|local| free[local.index()]);
            }
            candidates.retain(|locals| locals.len() >= 2);
            // The first of the largest, so that the order of the cuts decides.
            let Some(largest) = candidates.iter().rev().max_by_key(|locals| locals.len()).cloned() else {
                return components;
            };
            largest.iter().for_each(|local| free[local.index()] = false);
            components.push(Component { locals: largest });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{net, rule};
    use throng_base::Budget;

    #[test]
    fn processes_are_components() {
        // Two processes that go round in circles and meet, and a counter.
        let rules = [
            rule(0, 0, &[0], &[1]),
            rule(0, 0, &[1, 4], &[2, 5, 6]),
            rule(0, 0, &[2], &[0]),
            rule(0, 0, &[5], &[4]),
        ];
        let system = net(7, &rules, &[0, 4], &[2, 5, 6]);
        let pool = CutPool::new(&system);
        pool.seed(&Budget::unlimited()).unwrap();
        let locals = |list: &[usize]| Component { locals: list.iter().copied().map(LocalId::new).collect() };
        assert_eq!(pool.components(), [locals(&[0, 1, 2]), locals(&[4, 5])]);
    }
}
