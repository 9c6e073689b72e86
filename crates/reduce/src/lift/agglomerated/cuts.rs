//! Cuts and traps: a replaced local weighs what it stands for.
//!
//! A trap T becomes T′ = T and the replaced locals p such that σ(p) has a thread in T. A bag has a thread in T′ iff its σ has
//! one in T, so that rules keep T′ as they keep T (A4).
//!
//! Let w = y + Σ mᵢ·(1 on Tᵢ) be the weights of a cut that no rule raises. With w(p) = w·σ(p) for replaced p a bag weighs what its σ
//! weighs, and no rule raises that either. It remains to split w into a part for the traps and the rest:
//! y(p) = w(p) − Σ {mᵢ | p ∈ Tᵢ′}. Since σ(p) has a thread in each Tᵢ with p ∈ Tᵢ′, this is at least y·σ(p). So c breaks the cut if
//! σ(c) does. Initial configurations have no threads in replaced locals: the bound stays.

use crate::lift::LiftError;
use crate::substitution::Substitution;
use throng_cert::{Cut, Trap};
use throng_model::{LocalId, System};

/// Lifts cuts and their traps, see the module's documentation.
pub(super) fn lift(
    substitution: &Substitution,
    original: &System,
    mut cuts: Vec<Cut>,
    mut traps: Vec<Trap>,
) -> Result<(Vec<Cut>, Vec<Trap>), LiftError> {
    for trap in &mut traps {
        trap.locals.retain(|&local| !substitution.replaces(local));
        let is_member = |local: LocalId| trap.locals.binary_search(&local).is_ok();
        let images = substitution.images().iter();
        let new = images.filter(|replaced| replaced.image.iter().any(|entry| is_member(entry.local)));
        let new: Vec<LocalId> = new.map(|replaced| replaced.local).collect();
        trap.locals.extend(new);
        trap.locals.sort_unstable();
    }
    let mut weights = vec![0_u128; original.n_locals()];
    for cut in &mut cuts {
        cut.locals.retain(|&(local, _)| !substitution.replaces(local));
        lift_cut(substitution, cut, &traps, &mut weights)?;
    }
    Ok((cuts, traps))
}

/// Gives the replaced locals their weights in a cut. `weights` is scratch space, zero before and after.
fn lift_cut(
    substitution: &Substitution,
    cut: &mut Cut,
    traps: &[Trap],
    weights: &mut [u128],
) -> Result<(), LiftError> {
    let add = |weights: &mut [u128], local: LocalId, weight: u64| {
        weights.get_mut(local.index()).map(|sum| *sum += u128::from(weight)).ok_or(LiftError::Foreign)
    };
    cut.locals.iter().try_for_each(|&(local, weight)| add(weights, local, weight))?;
    // On a replaced local these are the multipliers of the traps that it is in.
    for &(trap, multiplier) in &cut.traps {
        let trap = traps.get(trap).ok_or(LiftError::Foreign)?;
        trap.locals.iter().try_for_each(|&local| add(weights, local, multiplier))?;
    }
    for replaced in substitution.images() {
        let parts =
            replaced.image.iter().map(|entry| (weights[entry.local.index()], u128::from(entry.count)));
        let weight = parts
            .into_iter()
            .try_fold(0_u128, |sum, (weight, count)| sum.checked_add(weight.checked_mul(count)?));
        let rest = weight.and_then(|weight| weight.checked_sub(weights[replaced.local.index()]));
        let rest = rest.and_then(|rest| u64::try_from(rest).ok()).ok_or(LiftError::Cuts)?;
        if rest > 0 {
            cut.locals.push((replaced.local, rest));
        }
    }
    cut.locals.sort_unstable();
    weights.fill(0);
    Ok(())
}
