//! Mutated evidence: the checker's answer is compared with the naive judge's, which knows only the definitions.
//!
//! What the judge calls wrong must be rejected. What it calls right must be accepted, so that the first claim is
//! not fulfilled by rejecting everything.

mod common;

use common::Tally;
use std::collections::BTreeMap;
use throng_cert::document::{Configuration, CoverSet};
use throng_cert::{Body, Count, Evidence, EvidenceDocument, Header, State, Verdict};
use throng_engine::EngineKind;
use throng_lab::dense::{DenseSystem, MAX_LOCALS};
use throng_lab::differential::evidence;
use throng_lab::naive::{Judgement, OmegaDense, find_cuts, judge, successors};
use throng_lab::random::from_seed;
use throng_model::System;

/// Proofs with more elements are left out: judging them naively takes too long.
const MOST_ELEMENTS: usize = 8;

fn document(body: Body, verdict: Verdict) -> EvidenceDocument {
    EvidenceDocument { verdict, engine: None, input: None, body }
}

#[test]
fn mutated_evidence_of_engines_is_judged_by_the_definitions() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for seed in 0..400 {
        let system = from_seed(seed).sketch.build();
        let Some(evidence) = evidence(&system, &EngineKind::Backward.into()) else { continue };
        if matches!(&evidence, Evidence::Proof(proof) if proof.elements.len() > MOST_ELEMENTS) {
            continue;
        }
        let document = EvidenceDocument::new(&evidence, &system, Header::default());
        if judge(&system, &document) == Judgement::Right {
            tallies.entry(document.body.kind()).or_default().compare_mutations(&system, &document);
        }
    }
    assert_eq!(tallies.len(), 2, "both verdicts occur");
    tallies.into_values().for_each(|tally| tally.finish(300));
}

#[test]
fn mutated_cuts_and_traps_are_judged_by_the_definitions() {
    let mut tally = Tally::default();
    let (mut n_cuts, mut n_traps) = (0, 0);
    for seed in 0..150 {
        let system = from_seed(seed).sketch.build();
        let Some(Evidence::Proof(proof)) = evidence(&system, &EngineKind::Backward.into()) else {
            continue;
        };
        let elements = EvidenceDocument::new(&Evidence::Proof(proof), &system, Header::default());
        let Body::Proof(elements) = elements.body else { unreachable!("a proof stays a proof") };
        for mut cut in find_cuts(&system, 6) {
            (n_cuts, n_traps) = (n_cuts + 1, n_traps + cut.traps.len());
            cut.elements = elements.elements.clone();
            drop_superfluous_elements(&system, &mut cut);
            let document = document(Body::Proof(cut), Verdict::Safe);
            if judge(&system, &document) == Judgement::Right {
                tally.compare_mutations(&system, &document);
            }
        }
    }
    assert!(n_cuts > 100 && n_traps > 10, "{n_cuts} cuts, {n_traps} traps");
    tally.finish(300);
}

/// Leaves out elements while the proof stays right, so that it really needs its cut.
fn drop_superfluous_elements(system: &System, proof: &mut throng_cert::document::Proof) {
    let mut i = 0;
    while i < proof.elements.len() {
        let mut smaller = proof.clone();
        smaller.elements.remove(i);
        match judge(system, &document(Body::Proof(smaller.clone()), Verdict::Safe)) {
            Judgement::Right => *proof = smaller,
            _ => i += 1,
        }
    }
}

/// The cover set of a system whose forward closure from the initial ω-configurations is small and finite.
fn cover_set(system: &System) -> Option<CoverSet> {
    let dense = DenseSystem::of(system)?;
    let mut elements: Vec<OmegaDense> = Vec::new();
    let mut waiting = OmegaDense::initial(&dense);
    while let Some(config) = waiting.pop() {
        if elements.iter().any(|element| element.covers(&config)) {
            continue;
        }
        if elements.len() > 20 || config.finite.size() > 12 {
            return None;
        }
        elements.retain(|element| !config.covers(element));
        elements.push(config);
        waiting.extend(dense.rules.iter().flat_map(|rule| successors(rule, &config)));
    }
    let configuration = |element: &OmegaDense| {
        let threads = (0..MAX_LOCALS).filter_map(|local| {
            let count = match (element.omega[local], element.finite.counts[local]) {
                (true, _) => Count::Omega,
                (false, 0) => return None,
                (false, count) => Count::Finite(count.into()),
            };
            Some((State::Name(local.to_string()), count))
        });
        let shared = State::Name(element.finite.shared.to_string());
        Configuration { shared: (!system.is_net()).then_some(shared), threads: threads.collect() }
    };
    Some(CoverSet { elements: elements.iter().map(configuration).collect(), through: Vec::new() })
}

#[test]
fn mutated_cover_sets_are_judged_by_the_definitions() {
    let (mut tally, mut n_with_omega) = (Tally::default(), 0);
    for seed in 0..600 {
        let system = from_seed(seed).sketch.build();
        let Some(set) = cover_set(&system) else { continue };
        let has_omega = |c: &Configuration| c.threads.iter().any(|(_, count)| *count == Count::Omega);
        n_with_omega += usize::from(set.elements.iter().any(has_omega));
        let document = document(Body::CoverSet(set), Verdict::Safe);
        match judge(&system, &document) {
            Judgement::Right => tally.compare_mutations(&system, &document),
            // The target is reachable: this is a wrong cover set as it is.
            _ => tally.compare(&system, &document, "as computed"),
        }
    }
    assert!(n_with_omega > 30, "{n_with_omega} cover sets with ω");
    tally.finish(300);
}
