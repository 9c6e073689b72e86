//! The checker and the naive judge side by side.

use throng_cert::document::{Configuration, Cut, Item};
use throng_cert::mutate::{Alphabet, Mutation, mutations};
use throng_cert::{Body, Count, EvidenceDocument};
use throng_check::check;
use throng_lab::naive::{Judgement, judge};
use throng_model::System;

/// Mutations of one document that are tried.
const MOST_MUTATIONS: usize = 150;

/// How the checker's answers compare with the judge's.
#[derive(Default)]
pub(crate) struct Tally {
    n_wrong: usize,
    n_right: usize,
}

impl Tally {
    /// Compares on one document; `label` says what was done to it.
    pub(crate) fn compare(&mut self, system: &System, document: &EvidenceDocument, label: &str) {
        let answer = check(system, document);
        let sketch = || throng_lab::Sketch::of(system);
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

    /// Compares on a right document and on everything that one small change makes of it.
    pub(crate) fn compare_mutations(&mut self, system: &System, document: &EvidenceDocument) {
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
        let all = mutations(document, alphabet);
        // Large documents have thousands; an even sample of those keeps the tests short.
        let stride = all.len().div_ceil(MOST_MUTATIONS).max(1);
        for Mutation { label, document } in all.into_iter().step_by(stride) {
            self.compare(system, &document, &label);
        }
    }

    /// Fails if fewer than `least` mutations were wrong, or right: then nothing was tested.
    pub(crate) fn finish(self, least: usize) {
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
            let odd_cut =
                |cut: &Cut| zero(&cut.shared) || zero(&cut.locals) || cut.traps.iter().any(|(_, m)| *m == 0);
            zero_threads(&proof.elements) || proof.cuts.iter().any(odd_cut)
        }
        Body::CoverSet(set) => zero_threads(&set.elements),
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => false,
        Body::Trace(trace) => {
            trace.items.iter().any(moves_nobody) || zero_threads(std::slice::from_ref(&trace.initial))
        }
    }
}

fn moves_nobody(item: &Item) -> bool {
    match item {
        Item::Step(step) => step.moved.iter().any(|moved| moved.count == 0),
        Item::Repeat { items, .. } => items.is_empty() || items.iter().any(moves_nobody),
    }
}
