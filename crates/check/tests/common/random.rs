//! Random small systems and their proofs, and the comparison of the checker with brute force.

use super::naive::{self, Dense};
use super::{bag, l, s};
use arbtest::arbitrary::{Result, Unstructured};
use throng_cert::document::{Body, Configuration};
use throng_cert::mutate::{Alphabet, mutations};
use throng_cert::{Count, EvidenceDocument, State, Verdict};
use throng_check::check;
use throng_model::{Config, Initial, Move, Names, Rule, System, SystemBuilder};

/// Accepted exactly if right.
#[track_caller]
pub(crate) fn agree(system: &System, document: &EvidenceDocument, label: &str) -> bool {
    let answer = check(system, document);
    let right = naive::is_right(system, document);
    assert_eq!(answer.is_ok(), right, "{label}: {answer:?}\n{document:?}\n{}", describe(system));
    right
}

fn describe(system: &System) -> String {
    let rules: Vec<_> = system.rules().iter().map(|(_, rule)| rule.to_rule()).collect();
    format!("{rules:?}\n{:?}\n{:?}", system.initial(), system.targets())
}

/// Checks all mutations; how many there are and how many are still right.
#[track_caller]
pub(crate) fn agree_on_mutations(system: &System, document: &EvidenceDocument) -> (usize, usize) {
    let list = |names: &Names| (0..names.len()).map(|i| names.get(i).into_owned()).collect::<Vec<_>>();
    let (shared, locals) = (list(system.shared_names()), list(system.local_names()));
    let rules: Vec<String> = system.rules().iter().map(|(id, _)| system.rule_name(id).into_owned()).collect();
    fn refs(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }
    let (shared, locals, rules) = (refs(&shared), refs(&locals), refs(&rules));
    let all = mutations(document, Alphabet { shared: &shared, locals: &locals, rules: &rules });
    let right = all.iter().filter(|m| agree(system, &m.document, &m.label)).count();
    (all.len(), right)
}

/// A small system with rules of all kinds.
pub(crate) fn random_system(u: &mut Unstructured<'_>) -> Result<System> {
    let (n_shared, n_locals) = (u.int_in_range(1..=2)?, u.int_in_range(1..=3)?);
    let counts = |u: &mut Unstructured<'_>, most: u32| {
        let mut counts = Vec::new();
        for local in 0..n_locals {
            counts.push((local, u.int_in_range(0..=most)?));
        }
        Ok(bag(&counts))
    };
    let shared = |u: &mut Unstructured<'_>| Ok(s(u.choose_index(n_shared)?));
    let subset = |u: &mut Unstructured<'_>| {
        let mut locals = Vec::new();
        for local in 0..n_locals {
            if u.arbitrary()? {
                locals.push(l(local));
            }
        }
        Ok(locals)
    };
    let mut builder = SystemBuilder::new(Names::Numbered(n_shared), Names::Numbered(n_locals));
    let weight = if u.ratio(1, 4)? { 2 } else { 1 };
    for _ in 0..u.int_in_range(0..=4)? {
        let mut moves = Vec::new();
        if u.ratio(1, 2)? {
            for source in subset(u)? {
                moves.push(Move { source, destinations: subset(u)? });
            }
        }
        let (from, to) = (shared(u)?, shared(u)?);
        builder.rule(&Rule { from, to, take: counts(u, weight)?, put: counts(u, weight)?, moves }, 0);
    }
    for _ in 0..u.int_in_range(1..=2)? {
        let unbounded = if u.ratio(1, 3)? { subset(u)? } else { Vec::new() };
        builder.initial(Initial { shared: shared(u)?, exact: counts(u, 1)?, unbounded });
    }
    for _ in 0..u.int_in_range(1..=2)? {
        builder.target(Config::new(shared(u)?, counts(u, 2)?));
    }
    Ok(builder.finish().unwrap())
}

pub(crate) fn named(dense: &Dense) -> Configuration {
    let threads = dense.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let threads = threads.map(|(l, &count)| (State::Name(l.to_string()), Count::Finite(count))).collect();
    Configuration { shared: Some(State::Name(dense.shared.to_string())), threads }
}

/// The naive backward search: a right proof if the system is safe and small.
pub(crate) fn saturate(system: &System) -> Option<Vec<Dense>> {
    let mut elements: Vec<Dense> = Vec::new();
    let mut work: Vec<Dense> = system
        .targets()
        .iter()
        .map(|target| {
            let mut counts = vec![0; system.n_locals()];
            target.bag.iter().for_each(|e| counts[e.local.index()] += u64::from(e.count));
            Dense { shared: target.shared.index(), counts }
        })
        .collect();
    while let Some(config) = work.pop() {
        if elements.iter().any(|element| element.le(&config)) {
            continue;
        }
        if naive::is_initial(system, &config) || elements.len() > 8 || config.counts.iter().sum::<u64>() > 4 {
            return None;
        }
        for (_, rule) in system.rules().iter() {
            work.extend(naive::minimal_predecessors(system, rule, &config));
        }
        elements.retain(|element| !config.le(element));
        elements.push(config);
    }
    Some(elements)
}

pub(crate) fn safe(body: Body) -> EvidenceDocument {
    EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body }
}
