//! Irredundant proofs: Definition 24 (v) of Kaiser's thesis.
//!
//! The elements of a proof by widening without a bound on candidates satisfy (iv): all that is smaller is coverable.
//! Then every proof inside it consists of some of its elements, and it is least exactly if for each element u the
//! greatest subset of the others that is closed under predecessors does not cover all targets any more. So each
//! element is taken out in turn, with everything that falls for lack of it; if a target falls, all of it comes back.

use crate::UnknownReason;
use crate::wider;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::{Antichain, ClosedSet, Config, TransitionSystem, UpwardClosedSet};

/// Something that has to stay above an element: a predecessor of an element, or a target.
#[derive(Debug, Default)]
struct Obligation {
    /// The element that falls with it; `None` for a target, which may not fall.
    owner: Option<usize>,
    /// How many of the elements that are left are below it.
    n_below: usize,
}

/// Which elements hold up which.
#[derive(Debug, Default)]
struct Support {
    obligations: Vec<Obligation>,
    /// For each element, the obligations that it is below.
    holds: Vec<Vec<u32>>,
    left: Vec<bool>,
}

/// The elements of a proof without superfluous ones, the largest being tried first.
pub(super) fn irredundant(
    system: &dyn TransitionSystem,
    elements: Vec<Config>,
    budget: &Budget,
) -> Result<Vec<Config>, UnknownReason> {
    let mut support = Support::new(system, &elements, budget)?;
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|&element| std::cmp::Reverse((elements[element].view().size(), element)));
    for element in order {
        budget.check()?;
        if support.left[element] {
            support.try_without(element);
        }
    }
    Ok(elements.into_iter().zip(support.left).filter_map(|(element, left)| left.then_some(element)).collect())
}

impl Support {
    fn new(
        system: &dyn TransitionSystem,
        elements: &[Config],
        budget: &Budget,
    ) -> Result<Self, UnknownReason> {
        let mut index = UpwardClosedSet::default();
        for element in elements {
            index.insert(element.view());
        }
        debug_assert_eq!(index.generators().len(), elements.len(), "INVARIANT: proofs are antichains");
        let mut support = Support::default();
        support.holds.resize_with(elements.len(), Vec::new);
        support.left.resize(elements.len(), true);
        let _ = system.for_each_target(&mut |target| {
            support.oblige(system, None, index.generators(), target);
            ControlFlow::Continue(())
        });
        for (number, element) in elements.iter().enumerate() {
            budget.check()?;
            let _ = system.for_each_predecessor(element.view(), &mut |_, before| {
                support.oblige(system, Some(number), index.generators(), before);
                ControlFlow::Continue(())
            })?;
        }
        Ok(support)
    }

    /// Adds an obligation. Elements are numbered as in the index, where they were inserted in order.
    fn oblige(
        &mut self,
        system: &dyn TransitionSystem,
        owner: Option<usize>,
        index: &Antichain,
        config: throng_model::ConfigRef<'_>,
    ) {
        let number = self.obligations.len() as u32;
        let mut n_below = 0;
        wider::for_each_witness(index, system, config, &mut |element| {
            n_below += 1;
            self.holds[element.index()].push(number);
            ControlFlow::Continue(())
        });
        self.obligations.push(Obligation { owner, n_below });
    }

    /// Takes an element out with all that falls for lack of it, unless a target falls.
    fn try_without(&mut self, element: usize) {
        let mut fallen = vec![element];
        self.left[element] = false;
        let mut next = 0;
        let mut target_falls = false;
        while next < fallen.len() && !target_falls {
            for &number in &self.holds[fallen[next]] {
                let obligation = &mut self.obligations[number as usize];
                obligation.n_below -= 1;
                if obligation.n_below > 0 {
                    continue;
                }
                match obligation.owner {
                    None => target_falls = true,
                    Some(owner) if self.left[owner] => {
                        self.left[owner] = false;
                        fallen.push(owner);
                    }
                    Some(_) => {}
                }
            }
            next += 1;
        }
        if target_falls {
            for &element in &fallen {
                self.left[element] = true;
            }
            for &element in &fallen[..next] {
                for &number in &self.holds[element] {
                    self.obligations[number as usize].n_below += 1;
                }
            }
        }
    }
}
