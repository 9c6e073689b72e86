//! Sets of tuples of values in few words: products of sets of values.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// By dimension: the values that are meant; `None` for all.
pub(super) type Cube = Vec<Option<BTreeSet<u128>>>;

/// Dimensions that do not depend on each other: the set of tuples is the product of its projections to these blocks. In the worst
/// case that is one block.
pub(super) fn blocks(tuples: &[Vec<u128>], n_dimensions: usize) -> Vec<Vec<usize>> {
    let n_values = |dimensions: &[usize]| {
        let project = |tuple: &Vec<u128>| dimensions.iter().map(|&d| tuple[d]).collect::<Vec<u128>>();
        tuples.iter().map(project).collect::<FxHashSet<_>>().len()
    };
    let single: Vec<usize> = (0..n_dimensions).map(|d| n_values(&[d])).collect();
    let mut block: Vec<usize> = (0..n_dimensions).collect();
    for a in 0..n_dimensions {
        for b in a + 1..n_dimensions {
            let is_plain = single[a] == 1 || single[b] == 1 || block[a] == block[b];
            if !is_plain && n_values(&[a, b]) < single[a] * single[b] {
                let (from, to) = (block[b], block[a]);
                block.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
            }
        }
    }
    let mut all: Vec<Vec<usize>> = Vec::new();
    for number in block.iter().copied().collect::<BTreeSet<usize>>() {
        all.push((0..n_dimensions).filter(|&d| block[d] == number).collect());
    }
    let product = all.iter().try_fold(1_usize, |product, block| product.checked_mul(n_values(block)));
    if product == Some(n_values(&(0..n_dimensions).collect::<Vec<_>>())) {
        return all;
    }
    let (constant, rest): (Vec<usize>, Vec<usize>) = (0..n_dimensions).partition(|&d| single[d] == 1);
    constant.into_iter().map(|d| vec![d]).chain([rest]).filter(|block| !block.is_empty()).collect()
}

/// The tuples, projected to these dimensions, as few cubes.
pub(super) fn cover(tuples: &[Vec<u128>], dimensions: &[usize]) -> Vec<Cube> {
    let project =
        |tuple: &Vec<u128>| dimensions.iter().map(|&d| Some(BTreeSet::from([tuple[d]]))).collect::<Cube>();
    join(tuples.iter().map(project).collect())
}

/// Joins cubes that differ in one dimension only.
pub(super) fn join(mut cubes: Vec<Cube>) -> Vec<Cube> {
    cubes.sort_unstable();
    cubes.dedup();
    let n_dimensions = cubes.first().map_or(0, Vec::len);
    loop {
        let before = cubes.len();
        for dimension in (0..n_dimensions).rev() {
            let mut groups: FxHashMap<Cube, Option<BTreeSet<u128>>> = FxHashMap::default();
            for mut cube in cubes.drain(..) {
                let values = cube.remove(dimension);
                groups
                    .entry(cube)
                    .and_modify(|known| match (known, &values) {
                        (Some(known), Some(values)) => known.extend(values),
                        (known, _) => *known = None,
                    })
                    .or_insert(values);
            }
            cubes = groups
                .into_iter()
                .map(|(mut cube, values)| {
                    cube.insert(dimension, values);
                    cube
                })
                .collect();
            cubes.sort_unstable();
        }
        if cubes.len() == before {
            return cubes;
        }
    }
}

/// Covers tuples by cubes without any of the others: each tuple is said with as few dimensions as the others allow.
pub(super) fn expand(wanted: &[Vec<u128>], others: &[Vec<u128>]) -> Vec<Cube> {
    let mut cubes: Vec<Cube> = Vec::new();
    for tuple in wanted {
        if cubes.iter().any(|cube| is_in(cube, tuple)) {
            continue;
        }
        let mut cube: Cube = tuple.iter().map(|&value| Some(BTreeSet::from([value]))).collect();
        // The others that differ in so few dimensions that the next one may let them in.
        let mut near: Vec<&Vec<u128>> = others.iter().collect();
        for dimension in 0..tuple.len() {
            // Those that agree with all that is left to be dropped are kept out by what was not dropped.
            let kept = cube[dimension].take();
            if near.iter().any(|other| is_in(&cube, other)) {
                near.retain(|other| other[dimension] == tuple[dimension]);
                cube[dimension] = kept;
            }
        }
        cubes.push(cube);
    }
    join(cubes)
}

fn is_in(cube: &Cube, tuple: &[u128]) -> bool {
    cube.iter().zip(tuple).all(|(values, value)| values.as_ref().is_none_or(|values| values.contains(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[u128]) -> Option<BTreeSet<u128>> {
        Some(values.iter().copied().collect())
    }

    #[test]
    fn products_are_said_by_blocks() {
        let tuples: Vec<Vec<u128>> =
            [0, 1, 2].iter().flat_map(|&x| [(0, 0), (1, 1)].map(|(y, z)| vec![x, y, z])).collect();
        assert_eq!(blocks(&tuples, 3), [vec![0], vec![1, 2]]);
        assert_eq!(cover(&tuples, &[0]), [vec![set(&[0, 1, 2])]]);
        assert_eq!(cover(&tuples, &[1, 2]).len(), 2);
    }

    #[test]
    fn what_depends_only_on_three_together_is_one_block() {
        let odd: Vec<Vec<u128>> = (0..8_u32)
            .filter(|bits| bits.count_ones() % 2 == 1)
            .map(|bits| (0..3).map(|d| u128::from(bits >> d & 1)).collect())
            .collect();
        assert_eq!(blocks(&odd, 3), [vec![0, 1, 2]]);
    }

    #[test]
    fn cubes_are_as_large_as_others_allow() {
        let wanted = [vec![1, 0], vec![1, 1]];
        assert_eq!(expand(&wanted, &[vec![0, 0]]), [vec![set(&[1]), None]]);
        assert_eq!(expand(&wanted, &[]), [vec![None, None]]);
    }
}
