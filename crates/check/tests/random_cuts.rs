//! Random cuts, traps, cuts with traps, and patterns about random systems.
//!
//! Each document is judged twice. [`agree`] demands that the checker accepts exactly what fulfils the
//! definitions. [`holds_where_it_should`] does not know these definitions: what is accepted must be true of every
//! configuration that an explicit search reaches.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use common::config;
use common::naive::{self, DenseCut};
use common::random::{agree, agree_on_mutations, named, random_system, safe, saturate};
use throng_cert::document::{Body, Configuration, CoverSet, Cut, Proof};
use throng_cert::{Count, EvidenceDocument, State};
use throng_model::{Names, System, SystemBuilder};

/// The same system with one local more, where no thread ever is, and which is asked for with every shared state.
fn asking_for_nothing(system: &System) -> System {
    let never = system.n_locals();
    let mut builder = SystemBuilder::new(system.shared_names().clone(), Names::Numbered(never + 1));
    for (_, rule) in system.rules().iter() {
        builder.rule(&rule.to_rule(), 0);
    }
    for initial in system.initial() {
        builder.initial(initial.clone());
    }
    for shared in 0..system.n_shared() {
        builder.target(config(shared, &[(never, 1)]));
    }
    builder.finish().unwrap()
}

/// The proof of a system that asks for nothing: right iff its cuts and traps are.
fn with_nothing(system: &System, proof: &Proof) -> EvidenceDocument {
    let nobody = (State::Name((system.n_locals() - 1).to_string()), Count::Finite(1));
    let element = Configuration { shared: Some(State::Any), threads: vec![nobody] };
    safe(Body::Proof(Proof { elements: vec![element], ..proof.clone() }))
}

/// Up to two traps and up to two cuts that use them.
fn random_cuts(u: &mut Unstructured<'_>, system: &System) -> Result<Proof> {
    let mut traps = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        let mut trap = Vec::new();
        for local in 0..system.n_locals() {
            if u.ratio(2, 3)? {
                trap.push(local.to_string());
            }
        }
        traps.push(trap);
    }
    let mut cuts = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        cuts.push(random_cut(u, system, &traps)?);
    }
    Ok(Proof { cuts, traps, ..Proof::default() })
}

/// A cut whose bound is the least one, or next to it.
fn random_cut(u: &mut Unstructured<'_>, system: &System, traps: &[Vec<String>]) -> Result<Cut> {
    let weights = |u: &mut Unstructured<'_>, n: usize| -> Result<Vec<(String, u64)>> {
        let mut weights = Vec::new();
        for state in 0..n {
            let weight = *u.choose(&[0, 0, 1, 1, 2])?;
            if weight > 0 || u.ratio(1, 8)? {
                weights.push((state.to_string(), weight));
            }
        }
        Ok(weights)
    };
    let mut cut = Cut {
        shared: weights(u, system.n_shared())?,
        locals: weights(u, system.n_locals())?,
        ..Cut::default()
    };
    for trap in 0..traps.len() as u64 {
        if u.arbitrary()? {
            cut.traps.push((trap, u.int_in_range(0..=2)?));
        }
    }
    let dense = DenseCut::new(system, &cut, &naive::dense_traps(system, traps).unwrap()).unwrap();
    cut.bound = match u.int_in_range(0..=5)? {
        0 => dense.least_bound(system).saturating_sub(1),
        1 => dense.least_bound(system) + 1,
        _ => dense.least_bound(system),
    };
    Ok(cut)
}

/// An accepted proof: its traps are marked, its cuts are kept and no target is covered wherever a search with up
/// to two more threads in each unbounded local gets, as long as rules still lead to the shared state of a target.
#[track_caller]
fn holds_where_it_should(system: &System, proof: &Proof) {
    let traps = naive::dense_traps(system, &proof.traps).unwrap();
    let cuts: Vec<DenseCut> =
        proof.cuts.iter().map(|cut| DenseCut::new(system, cut, &traps).unwrap()).collect();
    let matters = naive::matters(system);
    for config in naive::reachable(system, 2, 4) {
        if !matters.contains(&config.shared) {
            continue;
        }
        assert!(!naive::is_bad(system, &config), "{config:?} is reachable and bad: {proof:?}");
        for trap in &traps {
            assert!(trap.iter().any(|&member| config.counts[member] > 0), "{config:?} empties {trap:?}");
        }
        for (cut, written) in cuts.iter().zip(&proof.cuts) {
            assert!(cut.weight(&config) <= written.bound, "{config:?} breaks {written:?}");
        }
    }
}

#[test]
fn accepted_cuts_and_traps_hold_in_every_reachable_configuration() {
    let (mut traps, mut cuts, mut strengthened, mut wrong) = (0, 0, 0, 0);
    arbtest::arbtest(|u| {
        let system = asking_for_nothing(&random_system(u)?);
        let proof = random_cuts(u, &system)?;
        if agree(&system, &with_nothing(&system, &proof), "random") {
            holds_where_it_should(&system, &proof);
            let weighs = |cut: &Cut| cut.locals.iter().chain(&cut.shared).any(|&(_, weight)| weight > 0);
            let uses_trap = |cut: &Cut| cut.traps.iter().any(|&(_, multiplier)| multiplier > 0);
            traps += proof.traps.len();
            cuts += proof.cuts.iter().filter(|cut| weighs(cut)).count();
            strengthened += proof.cuts.iter().filter(|cut| weighs(cut) && uses_trap(cut)).count();
        } else {
            wrong += 1;
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(
        traps > 50 && cuts > 50 && strengthened > 10 && wrong > 100,
        "{traps} traps, {cuts} cuts, {strengthened} with traps, {wrong} wrong documents"
    );
}

/// Cuts and traps for a system that are right, out of some random ones.
fn right_cuts(u: &mut Unstructured<'_>, system: &System) -> Result<Proof> {
    let nothing_asked = asking_for_nothing(system);
    for _ in 0..6 {
        let proof = random_cuts(u, system)?;
        if !proof.cuts.is_empty() && naive::is_right(&nothing_asked, &with_nothing(&nothing_asked, &proof)) {
            return Ok(proof);
        }
    }
    Ok(Proof::default())
}

#[test]
fn systems_with_an_accepted_proof_are_safe() {
    let (mut needed, mut broken) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        let mut proof = right_cuts(u, &system)?;
        let Some(elements) = saturate(&system) else { return Ok(()) };
        let n_all = elements.len();
        for element in elements {
            // Those that break a cut should not be needed.
            let traps = naive::dense_traps(&system, &proof.traps).unwrap();
            let breaks = |cut: &Cut| {
                DenseCut::new(&system, cut, &traps).is_some_and(|dense| dense.weight(&element) > cut.bound)
            };
            if !proof.cuts.iter().any(breaks) {
                proof.elements.push(named(&element));
            }
        }
        let document = safe(Body::Proof(proof.clone()));
        assert!(agree(&system, &document, "the original"));
        holds_where_it_should(&system, &proof);
        if proof.elements.len() < n_all {
            needed += 1;
            let (all, right) = agree_on_mutations(&system, &document);
            broken += all - right;
        }
        Ok(())
    })
    .budget_ms(4000);
    assert!(needed > 10 && broken > 100, "{needed} proofs that need their cuts, {broken} broken ones");
}

#[test]
fn cuts_and_traps_may_be_broken_by_rules_that_the_proof_excludes_and_no_others() {
    let (mut joint, mut with_traps, mut broken) = (0, 0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        let Some(elements) = saturate(&system) else { return Ok(()) };
        let nothing_asked = asking_for_nothing(&system);
        for _ in 0..4 {
            let mut proof = random_cuts(u, &system)?;
            let alone = with_nothing(&nothing_asked, &proof);
            proof.elements = elements.iter().map(named).collect();
            let document = safe(Body::Proof(proof.clone()));
            if !agree(&system, &document, "random") || naive::is_right(&nothing_asked, &alone) {
                continue;
            }
            // Right together with the elements, and wrong without them.
            holds_where_it_should(&system, &proof);
            joint += 1;
            with_traps += usize::from(proof.cuts.iter().any(|cut| !cut.traps.is_empty()));
            let (all, right) = agree_on_mutations(&system, &document);
            broken += all - right;
        }
        Ok(())
    })
    .budget_ms(4000);
    assert!(
        joint > 20 && with_traps > 5 && broken > 100,
        "{joint} joint proofs, {with_traps} with traps, {broken} broken ones"
    );
}

/// The same state, or a pattern that it matches.
fn loosened(u: &mut Unstructured<'_>, state: &State, n_states: usize) -> Result<State> {
    let State::Name(name) = state else { return Ok(state.clone()) };
    Ok(match u.int_in_range(0..=5)? {
        0 => State::AnyOf(vec![name.clone()]),
        1 => State::AnyOf(vec![u.choose_index(n_states)?.to_string(), name.clone()]),
        2 => State::Any,
        _ => state.clone(),
    })
}

fn with_patterns(u: &mut Unstructured<'_>, system: &System, elements: &mut [Configuration]) -> Result<bool> {
    let mut changed = false;
    for element in elements {
        if let Some(shared) = &element.shared {
            let loose = loosened(u, shared, system.n_shared())?;
            changed |= loose != *shared;
            element.shared = Some(loose);
        }
        for (state, _) in &mut element.threads {
            let loose = loosened(u, state, system.n_locals())?;
            changed |= loose != *state;
            *state = loose;
        }
    }
    Ok(changed)
}

#[test]
fn patterns_in_proofs_stand_for_everything_that_matches() {
    let (mut right, mut wrong) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        let Some(elements) = saturate(&system) else { return Ok(()) };
        let mut elements: Vec<Configuration> = elements.iter().map(named).collect();
        if with_patterns(u, &system, &mut elements)? {
            let proof = Proof { elements, ..Proof::default() };
            if agree(&system, &safe(Body::Proof(proof.clone())), "patterns") {
                holds_where_it_should(&system, &proof);
                right += 1;
            } else {
                wrong += 1;
            }
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(right > 20 && wrong > 20, "{right} right, {wrong} wrong");
}

#[test]
fn patterns_in_cover_sets_stand_for_everything_that_matches() {
    let (mut right, mut wrong) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        // Everything that is reachable with few threads, and perhaps arbitrarily many where that is initial.
        let mut elements = Vec::new();
        for config in naive::reachable(&system, 0, 3).into_iter().take(12) {
            elements.push(named(&config));
        }
        for initial in system.initial() {
            for local in &initial.unbounded {
                let threads = elements.iter_mut().map(|element: &mut Configuration| &mut element.threads);
                let omega = (State::Name(local.index().to_string()), Count::Omega);
                threads.for_each(|threads| threads.push(omega.clone()));
            }
        }
        if with_patterns(u, &system, &mut elements)? {
            match agree(
                &system,
                &safe(Body::CoverSet(CoverSet { elements, ..CoverSet::default() })),
                "patterns",
            ) {
                true => {
                    let bad = |config: &naive::Dense| naive::is_bad(&system, config);
                    assert!(!naive::reachable(&system, 2, 4).iter().any(bad));
                    right += 1;
                }
                false => wrong += 1,
            }
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(right > 10 && wrong > 50, "{right} right, {wrong} wrong");
}
