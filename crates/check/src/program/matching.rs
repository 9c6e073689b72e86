//! Can different threads be found for all demands? Bipartite matching by augmenting paths.
//!
//! There are few demands (threads of a pattern) and they are fulfilled by kinds of threads, of each of which there are
//! some. The depth of the search is bounded by the number of demands: a kind is tried once in a search, and only if
//! demands have been given to it. So callers limit the number of demands.

/// Whether each of the demands `0..n_demands` can be given to a kind of thread that `fits` it, such that no kind gets more
/// than its `capacities` say.
pub(super) fn exists(n_demands: usize, capacities: &[u64], fits: impl Fn(usize, usize) -> bool) -> bool {
    find(n_demands, capacities, fits).is_some()
}

/// Which demands each kind of thread can be given, see [`exists`].
pub(super) fn find(
    n_demands: usize,
    capacities: &[u64],
    fits: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Vec<usize>>> {
    let mut given: Vec<Vec<usize>> = vec![Vec::new(); capacities.len()];
    let mut tried = vec![false; capacities.len()];
    for demand in 0..n_demands {
        tried.fill(false);
        if !augment(demand, capacities, &fits, &mut given, &mut tried) {
            return None;
        }
    }
    Some(given)
}

/// Gives `demand` to some kind, moving others where that is necessary. No kind is tried twice.
fn augment(
    demand: usize,
    capacities: &[u64],
    fits: &impl Fn(usize, usize) -> bool,
    given: &mut [Vec<usize>],
    tried: &mut [bool],
) -> bool {
    let has_room = |kind: usize, given: &[Vec<usize>]| {
        u64::try_from(given[kind].len()).is_ok_and(|used| used < capacities[kind])
    };
    // Nobody is moved without need.
    if let Some(free) = (0..capacities.len()).find(|&kind| has_room(kind, given) && fits(demand, kind)) {
        given[free].push(demand);
        return true;
    }
    for kind in 0..capacities.len() {
        if !fits(demand, kind) || std::mem::replace(&mut tried[kind], true) {
            continue;
        }
        for at in 0..given[kind].len() {
            if augment(given[kind][at], capacities, fits, given, tried) {
                given[kind][at] = demand;
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::exists;

    #[test]
    fn others_make_room_if_they_can() {
        let fits = |pairs: &'static [(usize, usize)]| move |a, b| pairs.contains(&(a, b));
        assert!(exists(2, &[1, 1], fits(&[(0, 0), (0, 1), (1, 0)])));
        assert!(!exists(2, &[1, 1], fits(&[(0, 0), (1, 0)])));
        assert!(exists(2, &[2], fits(&[(0, 0), (1, 0)])));
        assert!(!exists(1, &[0], fits(&[(0, 0)])));
        assert!(exists(3, &[1, 1, 1], fits(&[(0, 0), (0, 1), (1, 0), (1, 2), (2, 0)])));
        assert!(exists(0, &[], |_, _| false));
    }

    #[test]
    fn it_agrees_with_trying_everything() {
        // All relations between three demands and three kinds, the first with room for two.
        for relation in 0_u32..1 << 9 {
            let fits = |demand: usize, kind: usize| relation >> (3 * demand + kind) & 1 == 1;
            let tried = (0..27).any(|code| {
                let chosen = [code % 3, code / 3 % 3, code / 9];
                let room = [2, 1, 1];
                (0..3).all(|demand| fits(demand, chosen[demand]))
                    && (0..3).all(|kind| chosen.iter().filter(|&&it| it == kind).count() <= room[kind])
            });
            assert_eq!(exists(3, &[2, 1, 1], fits), tried, "{relation:b}");
        }
    }
}
