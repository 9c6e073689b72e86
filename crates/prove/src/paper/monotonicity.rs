//! Table 5: instructions that read or write passive variables, whether they are monotone, and why not.
//!
//! They are no programs of ours, but relations: what is tested is the criterion. Naturals are the numbers below 4 before the step and those
//! below 8 after it, so that no sum is too large.
//!
//! The second row, `m, m_P := m + 1, m_P - 1`, is monotone in the table. It is if `m_P - 1` has a value for every `m_P`: as an
//! integer, as a word of a machine, or cut off at 0. If 0 has no predecessor, a passive thread with 0 blocks the step, and the
//! non-monotone fragment is just that.

use crate::monotone::Sides;

/// How many numbers there are before the step.
const N: u64 = 4;

/// A model: m in bits 0 and 1, m_P in 2 and 3, m′ in 4 to 6, m′_P in 7 to 9.
fn model(m: u64, m_p: u64, m_after: u64, m_p_after: u64) -> u64 {
    assert!(m < N && m_p < N && m_after < 8 && m_p_after < 8);
    m | m_p << 2 | m_after << 4 | m_p_after << 7
}

const SIDES: Sides = Sides { active: 0b111_0011, passive: 0b1100 };

/// The relation of an instruction: what m and m_P become for numbers below `n`, if anything.
fn relation(n: u64, step: impl Fn(u64, u64) -> Option<(u64, u64)>) -> Vec<u64> {
    let pairs = (0..n).flat_map(|m| (0..n).map(move |m_p| (m, m_p)));
    pairs.filter_map(|(m, m_p)| step(m, m_p).map(|(a, p)| model(m, m_p, a, p))).collect()
}

/// The non-monotone fragment: m, m_P, m′. Also compares the two ways to decide eq. 42.
fn fragment(n: u64, models: &[u64]) -> Vec<(u64, u64, u64)> {
    let all: Vec<u64> = (0..n).map(|m_p| m_p << 2).collect();
    let found = SIDES.fragment(models, &all);
    assert_eq!(SIDES.is_monotone(models, all.len()), found.is_empty());
    found.into_iter().map(|it| (it & 3, it >> 2 & 3, it >> 4 & 7)).collect()
}

#[test]
fn a_swap_is_not_monotone() {
    let models = relation(2, |m, m_p| Some((m_p, m)));
    let found = fragment(2, &models);
    // The fragment is m′ ≠ m_P.
    assert_eq!(found, [(0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)]);
    // The table's assignment: m = F, m′ = T can be continued by m_P = T, not by F.
    assert!(models.contains(&model(0, 1, 1, 0)) && found.contains(&(0, 0, 1)));
}

#[test]
fn to_count_up_and_others_down_is_monotone() {
    let cut_off = |m: u64, m_p: u64| Some((m + 1, m_p.saturating_sub(1)));
    let word = |m: u64, m_p: u64| Some((m + 1, m_p.wrapping_sub(1) & 7));
    assert_eq!(fragment(N, &relation(N, cut_off)), []);
    assert_eq!(fragment(N, &relation(N, word)), []);
    let partial = |m: u64, m_p: u64| Some((m + 1, m_p.checked_sub(1)?));
    let blocked: Vec<_> = (0..N).map(|m| (m, 0, m + 1)).collect();
    assert_eq!(fragment(N, &relation(N, partial)), blocked);
}

#[test]
fn to_add_to_others_is_monotone() {
    assert_eq!(fragment(N, &relation(N, |m, m_p| Some((m, m_p + m)))), []);
}

#[test]
fn to_add_what_others_have_is_not_monotone() {
    let models = relation(N, |m, m_p| Some((m + m_p, m_p)));
    let found = fragment(N, &models);
    // The fragment is m′ ≥ m ∧ m′ ≠ m + m_P; no more than N - 1 was added, whatever m_P would be.
    let mut expected = Vec::new();
    for m_after in 0..8 {
        for m_p in 0..N {
            let can = (0..N).filter(|&m| m_after >= m && m_after - m < N && m_after != m + m_p);
            expected.extend(can.map(|m| (m, m_p, m_after)));
        }
    }
    assert_eq!(found, expected);
    // The table's assignment: m = m′ = 1 can be continued by m_P = 0 only.
    assert!(models.contains(&model(1, 0, 1, 0)));
    assert!((1..N).all(|m_p| found.contains(&(1, m_p, 1))));
}

#[test]
fn to_set_others_is_monotone() {
    for c in 0..N {
        assert_eq!(fragment(N, &relation(N, |m, _| Some((m, c)))), []);
    }
}
