//! The checker agrees with brute force: on right evidence, on everything that one small change makes of it,
//! and on random evidence about random systems. "No longer right" is decided by [`common::naive`].

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use common::naive::Dense;
use common::random::{agree, agree_on_mutations, named, random_system, safe, saturate};
use common::{
    MUTEX_CUT, MUTEX_ELEMENTS, TRAPPED_PROOF, config, document, initial, mutex, names, signals, trapped,
};
use throng_cert::document::{Body, Configuration, CoverSet, Item, Moved, Proof, Step, Trace};
use throng_cert::{Count, EvidenceDocument, State, Verdict};
use throng_check::{Condition, Limits, check_within};
use throng_model::System;

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
        match agree(&system, &safe(Body::CoverSet(CoverSet { elements, ..CoverSet::default() })), "random") {
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
            items.push(Item::Step(Step { rule: system.rule_name(id).into_owned(), moved, act: None }));
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
