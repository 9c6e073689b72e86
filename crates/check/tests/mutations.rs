//! The checker agrees with brute force: on right evidence, on everything that one small change makes of it,
//! and on random evidence about random systems. "No longer right" is decided by [`common::naive`].

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use common::naive::{self, Dense};
use common::{
    MUTEX_CUT, MUTEX_ELEMENTS, TRAPPED_PROOF, bag, config, document, initial, l, mutex, names, s, signals,
    trapped,
};
use throng_cert::document::{Body, Configuration, CoverSet, Item, Moved, Proof, Step, Trace};
use throng_cert::mutate::{Alphabet, mutations};
use throng_cert::{Count, EvidenceDocument, State, Verdict};
use throng_check::{Condition, Limits, check, check_within};
use throng_model::{Config, Initial, Move, Names, Rule, System, SystemBuilder};

/// Accepted exactly if right.
#[track_caller]
fn agree(system: &System, document: &EvidenceDocument, label: &str) -> bool {
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
fn agree_on_mutations(system: &System, document: &EvidenceDocument) -> (usize, usize) {
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

/// Right evidence, and nearly every small change breaks it.
#[track_caller]
fn breaks_easily(system: &System, kind: &str, body: &str) {
    let document = document(kind, body);
    assert!(agree(system, &document, "the original"), "{body}");
    let (all, right) = agree_on_mutations(system, &document);
    assert!(all > 5 && 2 * right < all, "{right} of {all} mutations are still right");
}

#[test]
fn mutated_proofs_are_rejected() {
    breaks_easily(&mutex(), "proof", &format!(r#"{{"elements":{MUTEX_ELEMENTS}}}"#));
    breaks_easily(&mutex(), "proof", &format!(r#"{{"cuts":[{MUTEX_CUT}],"elements":[]}}"#));
    breaks_easily(&trapped(), "proof", TRAPPED_PROOF);
}

#[test]
fn mutated_cover_sets_are_rejected() {
    let mutex_cover = r#"{"elements":[{"shared":"free","threads":[["out","omega"]]},
        {"shared":"held","threads":[["out","omega"],["in",1]]}]}"#;
    breaks_easily(&mutex(), "cover-set", mutex_cover);
    let broadcast = common::system(
        names(&["x", "y"]),
        names(&["p", "q", "r"]),
        &[
            common::rule((0, 1), &[], &[], &[(0, &[1, 2]), (1, &[0])]),
            common::rule((1, 0), &[(1, 1)], &[(0, 1)], &[(2, &[])]),
        ],
        [initial(0, &[(0, 2)], &[])],
        [config(0, &[(2, 1)]), config(1, &[(0, 1)])],
    );
    let cover = r#"{"elements":[{"shared":"x","threads":[["p",2]]},{"shared":"x","threads":[["p",1],["q",1]]},
        {"shared":"y","threads":[["q",2],["r",1]]},{"shared":"y","threads":[["q",1],["r",2]]}]}"#;
    let document = document("cover-set", cover);
    agree(&broadcast, &document, "the original");
    agree_on_mutations(&broadcast, &document);
}

#[test]
fn mutated_traces_are_rejected() {
    let system = signals(&[config(1, &[(3, 1)])]);
    let steps = r#"{"initial":{"shared":"on","threads":[["idle",1]]},"items":[
        {"repeat":2,"items":[{"rule":"r4"}]},{"repeat":3,"items":[{"rule":"r1"}]},
        {"rule":"r2","moved":[{"from":"wait","to":"go","count":2},{"from":"wait","to":"idle","count":1}]},
        {"rule":"r5"}]}"#;
    breaks_easily(&system, "trace", steps);
}

/// A small system with rules of all kinds.
fn random_system(u: &mut Unstructured<'_>) -> Result<System> {
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
    for _ in 0..u.int_in_range(0..=4)? {
        let mut moves = Vec::new();
        if u.ratio(1, 2)? {
            for source in subset(u)? {
                moves.push(Move { source, destinations: subset(u)? });
            }
        }
        let (from, to) = (shared(u)?, shared(u)?);
        builder.rule(&Rule { from, to, take: counts(u, 1)?, put: counts(u, 1)?, moves }, 0);
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

fn named(dense: &Dense) -> Configuration {
    let threads = dense.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let threads = threads.map(|(l, &count)| (State::Name(l.to_string()), Count::Finite(count))).collect();
    Configuration { shared: Some(State::Name(dense.shared.to_string())), threads }
}

/// The naive backward search: a right proof if the system is safe and small.
fn saturate(system: &System) -> Option<Vec<Dense>> {
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

fn safe(body: Body) -> EvidenceDocument {
    EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body }
}

#[test]
fn random_proofs_and_their_mutations() {
    let (mut proofs, mut broken) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        if let Some(elements) = saturate(&system) {
            let elements: Vec<Configuration> = elements.iter().map(named).collect();
            let document = safe(Body::Proof(Proof { elements, ..Proof::default() }));
            assert!(agree(&system, &document, "the original"));
            let (all, right) = agree_on_mutations(&system, &document);
            proofs += 1;
            broken += all - right;
        }
        Ok(())
    })
    .budget_ms(5000);
    assert!(proofs > 20 && broken > 100, "{proofs} proofs, {broken} broken ones");
}

#[test]
fn random_cover_sets() {
    let (mut right, mut wrong) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        let mut elements = Vec::new();
        for shared in 0..system.n_shared() {
            for _ in 0..u.int_in_range(0..=2)? {
                let mut threads = Vec::new();
                for local in 0..system.n_locals() {
                    let count =
                        if u.arbitrary()? { Count::Omega } else { Count::Finite(u.int_in_range(0..=2)?) };
                    threads.push((State::Name(local.to_string()), count));
                }
                elements.push(Configuration { shared: Some(State::Name(shared.to_string())), threads });
            }
        }
        match agree(&system, &safe(Body::CoverSet(CoverSet { elements })), "random") {
            true => right += 1,
            false => wrong += 1,
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(right > 5 && wrong > 100, "{right} right, {wrong} wrong");
}

/// A few items that follow the rules' own moves, so that many can be executed.
fn random_items(u: &mut Unstructured<'_>, system: &System, depth: usize) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        if depth < 3 && u.ratio(1, 3)? {
            let items_inside = random_items(u, system, depth + 1)?;
            items.push(Item::Repeat { times: u.int_in_range(1..=4)?, items: items_inside });
        } else if !system.rules().is_empty() {
            let (id, rule) = system.rules().iter().nth(u.choose_index(system.rules().len())?).unwrap();
            let mut moved = Vec::new();
            for (source, destinations) in rule.moves() {
                let count = u.int_in_range(0..=2)?;
                let to = if destinations.is_empty() { None } else { Some(*u.choose(destinations)?) };
                let to = to.map(|to| to.index().to_string());
                if count > 0 {
                    moved.push(Moved { from: source.index().to_string(), to, count });
                }
            }
            items.push(Item::Step(Step { rule: system.rule_name(id).into_owned(), moved }));
        }
    }
    Ok(items)
}

#[test]
fn random_traces_with_repetitions() {
    let (mut right, mut wrong) = (0, 0);
    arbtest::arbtest(|u| {
        let system = random_system(u)?;
        let initial = u.choose(system.initial())?;
        let mut counts = vec![0; system.n_locals()];
        initial.exact.iter().for_each(|entry| counts[entry.local.index()] += u64::from(entry.count));
        for local in &initial.unbounded {
            counts[local.index()] += u.int_in_range(0..=6)?;
        }
        let start = Dense { shared: initial.shared.index(), counts };
        let trace = Trace { initial: named(&start), items: random_items(u, &system, 0)? };
        let document = EvidenceDocument {
            verdict: Verdict::Unsafe,
            engine: None,
            input: None,
            body: Body::Trace(trace),
        };
        match agree(&system, &document, "random") {
            true => {
                right += 1;
                agree_on_mutations(&system, &document);
            }
            false => wrong += 1,
        }
        Ok(())
    })
    .budget_ms(3000);
    assert!(right > 20 && wrong > 100, "{right} right, {wrong} wrong");
}

#[test]
fn arbitrary_evidence_never_panics_or_hangs() {
    let limits = Limits { expanded: 1000, choices: 1000 };
    let system = signals(&[config(1, &[(3, 1)])]);
    let names =
        ["on", "off", "idle", "wait", "go", "done", "r1", "r2", "r3", "r5", "#1", "omega", "any", "at"];
    arbtest::arbtest(|u| {
        let mut text = String::from(*u.choose(&[
            r#"{"format":"throng-evidence","version":1,"verdict":"safe","kind":"proof","proof":{"cuts":[{"shared":[["N",9]],"locals":[["N",9]],"bound":9,"traps":[[0,9]]}],"traps":[["N","N"]],"elements":[{"shared":"N","threads":[["N",9],[{"any":["N","N"]},9]]},{"shared":{"any":true},"threads":[["N",9]]}]}}"#,
            r#"{"format":"throng-evidence","version":1,"verdict":"safe","kind":"cover-set","cover-set":{"elements":[{"shared":"on","threads":[["N","N"],["N",9]]},{"shared":"N","threads":[["N","omega"],["N",9]]}]}}"#,
            r#"{"format":"throng-evidence","version":1,"verdict":"unsafe","kind":"trace","trace":{"initial":{"shared":"on","threads":[["idle",1]]},"items":[{"repeat":9,"items":[{"rule":"N","moved":[{"from":"N","to":"N","count":9}]},{"repeat":9,"items":[{"rule":"N"}]}]}]}}"#,
        ])?);
        while let Some(at) = text.find("\"N\"") {
            text.replace_range(at..at + 3, &format!("\"{}\"", u.choose(&names)?));
        }
        while let Some(at) = text.find('9') {
            let number = *u.choose(&["0", "1", "2", "3", "18446744073708551615", "4000000000", "70000"])?;
            text.replace_range(at..=at, number);
        }
        if let Ok(document) = throng_cert::read(text.as_bytes())
            && let Err(rejection) = check_within(&system, &document, limits)
        {
            assert!(!rejection.to_string().is_empty() && rejection.condition != Condition::Verdict);
        }
        Ok(())
    })
    .budget_ms(2000);
}
