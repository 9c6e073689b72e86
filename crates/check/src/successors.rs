//! Successors of ω-configurations, from the definition.
//!
//! A moved finite count is split over its destinations in every way. A moved ω gives ω at all of them: any
//! number of its threads may go to each, so the downward closure of all results is that of this one.
//!
//! A step without moves that keeps the shared state and adds threads only where there are ω leads to
//! something below where it started. Most steps from elements of Karp–Miller sets are such.

use crate::bag::{Bag, Config, OMEGA, count_in, counts, subtract};
use crate::choices::{self, Split};
use crate::verdict::Trouble;
use throng_model::RuleRef;

/// A successor of `config` under `rule` that is not `inside`, if there is one. `inside` must contain `config`
/// and be downward closed: then a choice that is inside when every open thread stands at all its destinations
/// at once needs no completion.
pub(crate) fn find_not_inside(
    rule: RuleRef<'_>,
    config: &Config,
    limit: u64,
    inside: &dyn Fn(&Config) -> bool,
) -> Result<Option<Config>, Trouble> {
    let enabled = counts(rule.take).all(|(local, count)| config.bag.count(local) >= count);
    if rule.from != config.shared || !enabled || leads_below(rule, config) {
        return Ok(None);
    }
    let (mut fixed, mut splits) = (Vec::new(), Vec::new());
    for &(local, count) in config.bag.entries() {
        let passive = subtract(count, count_in(rule.take, local));
        match rule.destinations_of(local) {
            _ if passive == 0 => {}
            None => fixed.push((local, passive)),
            Some([]) => {}
            Some(&[destination]) => fixed.push((destination, passive)),
            Some(destinations) if passive == OMEGA => fixed.extend(destinations.iter().map(|&d| (d, OMEGA))),
            Some(destinations) => splits.push(Split::new(passive, destinations.to_vec())),
        }
    }
    fixed.extend(counts(rule.put));
    let mut after = Config { shared: rule.to, bag: Bag::default() };
    let found = choices::find(&mut splits, limit, &mut |chosen, open| {
        let threads = fixed.iter().copied().chain(chosen.iter().flat_map(Split::chosen));
        after.bag.clear();
        match after.bag.extend(threads.chain(open.iter().flat_map(Split::everywhere))) {
            Ok(()) => Ok(inside(&after)),
            // The bound is too large to write down: decide more before asking again.
            Err(_) if !open.is_empty() => Ok(false),
            Err(trouble) => Err(trouble),
        }
    })?;
    Ok(found.then_some(after))
}

/// Whether the only successor of `config` under `rule` is below `config`; perhaps not every time that it is.
fn leads_below(rule: RuleRef<'_>, config: &Config) -> bool {
    let fits = |(local, count)| count <= count_in(rule.take, local) || config.bag.count(local) == OMEGA;
    rule.from == rule.to && !rule.has_moves() && counts(rule.put).all(fits)
}
