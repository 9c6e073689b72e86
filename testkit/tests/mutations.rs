//! Mutated evidence: the checker's answer is compared with the naive judge's, which knows only the definitions.
//!
//! What the judge calls wrong must be rejected. What it calls right must be accepted, so that the first claim is
//! not fulfilled by rejecting everything.

use std::collections::BTreeMap;
use throng_cert::document::{Configuration, CoverSet};
use throng_cert::mutate::{Alphabet, Mutation, mutations};
use throng_cert::{Body, Count, EvidenceDocument, Header, State, Verdict};
use throng_check::check;
use throng_engine::EngineKind;
use throng_model::System;
use throng_testkit::dense::{DenseSystem, MAX_LOCALS};
use throng_testkit::differential::evidence;
use throng_testkit::naive::{Judgement, OmegaDense, find_cuts, judge, successors};
use throng_testkit::random::from_seed;

/// How the checker's answers compare with the judge's.
#[derive(Default)]
struct Tally {
    n_wrong: usize,
    n_right: usize,
}

impl Tally {
    fn compare(&mut self, system: &System, document: &EvidenceDocument, label: &str) {
        let answer = check(system, document);
        let sketch = || throng_testkit::Sketch::of(system);
        match judge(system, document) {
            Judgement::Wrong => {
                self.n_wrong += 1;
                assert!(answer.is_err(), "{label}: wrong but accepted\n{}{document:#?}", sketch());
            }
            Judgement::Right => {
                self.n_right += 1;
                let refused = answer.err().filter(|_| !has_odd_form(document));
                assert_eq!(refused, None, "{label}: right but rejected\n{}{document:#?}", sketch());
            }
            Judgement::Unjudged => {}
        }
    }

    /// Compares on a document and on everything that one small change makes of it.
    fn compare_mutations(&mut self, system: &System, document: &EvidenceDocument) {
        assert_eq!(judge(system, document), Judgement::Right, "{document:#?}");
        assert_eq!(check(system, document).err(), None, "{document:#?}");
        let names = |names: &throng_model::Names| -> Vec<String> {
            (0..names.len()).map(|i| names.get(i).into_owned()).collect()
        };
        let (shared, locals) = (names(system.shared_names()), names(system.local_names()));
        let rules: Vec<String> = system.rules().iter().map(|(id, _)| system.rule_name(id).into()).collect();
        let [shared, locals, rules] =
            [&shared, &locals, &rules].map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
        let alphabet = Alphabet { shared: &shared, locals: &locals, rules: &rules };
        for Mutation { label, document } in mutations(document, alphabet) {
            self.compare(system, &document, &label);
        }
    }

    fn finish(self, least: usize) {
        let Self { n_wrong, n_right } = self;
        assert!(n_wrong > least && n_right > least, "{n_wrong} wrong and {n_right} right mutations");
    }
}

/// Whether a document says nothing in places, with a count, weight or multiplier of zero or an empty repetition.
/// A checker may refuse that although it does no harm.
fn has_odd_form(document: &EvidenceDocument) -> bool {
    let zero_threads = |configs: &[Configuration]| {
        configs.iter().any(|c| c.threads.iter().any(|(_, count)| *count == Count::Finite(0)))
    };
    match &document.body {
        Body::Proof(proof) => {
            let zero = |weights: &[(String, u64)]| weights.iter().any(|(_, weight)| *weight == 0);
            let odd_cut = |cut: &throng_cert::document::Cut| {
                zero(&cut.shared) || zero(&cut.locals) || cut.traps.iter().any(|(_, m)| *m == 0)
            };
            zero_threads(&proof.elements) || proof.cuts.iter().any(odd_cut)
        }
        Body::CoverSet(set) => zero_threads(&set.elements),
        Body::Trace(trace) => {
            let zero_moves = trace.items.iter().any(|item| match item {
                throng_cert::document::Item::Step(step) => step.moved.iter().any(|moved| moved.count == 0),
                throng_cert::document::Item::Repeat { .. } => false,
            });
            zero_moves || zero_threads(std::slice::from_ref(&trace.initial))
        }
    }
}

fn document(body: Body, verdict: Verdict) -> EvidenceDocument {
    EvidenceDocument { verdict, engine: None, input: None, body }
}

#[test]
fn mutated_evidence_of_engines_is_judged_by_the_definitions() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for seed in 0..400 {
        let system = from_seed(seed).sketch.build();
        let Some(evidence) = evidence(&system, EngineKind::Backward) else { continue };
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
    for seed in 0..600 {
        let system = from_seed(seed).sketch.build();
        let Some(throng_cert::Evidence::Proof(proof)) = evidence(&system, EngineKind::Backward) else {
            continue;
        };
        let elements =
            EvidenceDocument::new(&throng_cert::Evidence::Proof(proof), &system, Header::default());
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
    Some(CoverSet { elements: elements.iter().map(configuration).collect() })
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
