//! Minimal predecessors, from the definition.
//!
//! When a rule leads from c to c′ ≥ (to, B), the threads of B that `put` does not supply, the leftover B ⊖
//! put, were passive threads of c: each stood in a source whose destinations include its local, or in its own
//! local if that is not a source. So c contains `take` and, apart from it, one thread at such a place for
//! each leftover thread. Conversely, from (from, take + those places) the rule leads to a configuration above
//! (to, B). Hence the minimal predecessors are among the bags take + (a choice of places), and every
//! predecessor is above one of them.

use crate::bag::{Bag, Config, count_in, counts, subtract};
use crate::choices::{self, Split};
use crate::verdict::Trouble;
use throng_model::{LocalId, RuleRef};

/// A minimal predecessor of `goal` under `rule` that is not `excluded`, if there is one. `sources` gives the
/// sources from which the rule moves threads to a local. `excluded` must be upward closed: then a choice that
/// is excluded when only some leftover threads have chosen needs no completion.
pub(crate) fn find_not_excluded<S: Iterator<Item = LocalId>>(
    rule: RuleRef<'_>,
    goal: &Config,
    sources: impl Fn(LocalId) -> S,
    limit: u64,
    excluded: &dyn Fn(&Config) -> bool,
) -> Result<Option<Config>, Trouble> {
    if rule.to != goal.shared {
        return Ok(None);
    }
    let mut fixed: Vec<(LocalId, u64)> = counts(rule.take).collect();
    let mut splits = Vec::new();
    for &(local, count) in goal.bag.entries() {
        let leftover = subtract(count, count_in(rule.put, local));
        if leftover == 0 {
            continue;
        }
        // A passive thread that is in `local` now was in a source, or stayed there if that is no source.
        let stayed = rule.destinations_of(local).is_none().then_some(local);
        let places: Vec<LocalId> = sources(local).chain(stayed).collect();
        match places[..] {
            [] => return Ok(None),
            [place] => fixed.push((place, leftover)),
            _ => splits.push(Split::new(leftover, places)),
        }
    }
    let mut before = Config { shared: rule.from, bag: Bag::default() };
    let found = choices::find(&mut splits, limit, &mut |chosen, _| {
        before.bag.clear();
        before.bag.extend(fixed.iter().copied().chain(chosen.iter().flat_map(Split::chosen)))?;
        Ok(excluded(&before))
    })?;
    Ok(found.then_some(before))
}
