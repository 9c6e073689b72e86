//! Small systems and documents for the tests of the checker.

#![allow(dead_code, reason = "every test binary uses a part of this")]

pub(crate) mod naive;
pub(crate) mod random;

use throng_cert::EvidenceDocument;
use throng_check::{Accepted, Condition, check};
use throng_model::names::NameTable;
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

pub(crate) type Counts<'a> = &'a [(usize, u32)];

pub(crate) fn s(index: usize) -> SharedId {
    SharedId::new(index)
}

pub(crate) fn l(index: usize) -> LocalId {
    LocalId::new(index)
}

pub(crate) fn bag(counts: Counts<'_>) -> Bag {
    Bag::from_counts(counts.iter().map(|&(local, count)| (l(local), count))).unwrap()
}

pub(crate) fn config(shared: usize, counts: Counts<'_>) -> Config {
    Config::new(s(shared), bag(counts))
}

pub(crate) fn names(list: &[&str]) -> Names {
    let mut table = NameTable::default();
    for name in list {
        table.insert(name);
    }
    Names::Listed(table)
}

/// A rule from shared state to shared state, with moves as (source, destinations).
pub(crate) fn rule(
    (from, to): (usize, usize),
    take: Counts<'_>,
    put: Counts<'_>,
    moves: &[(usize, &[usize])],
) -> Rule {
    let moves = moves.iter().map(|&(source, destinations)| Move {
        source: l(source),
        destinations: destinations.iter().copied().map(l).collect(),
    });
    Rule { from: s(from), to: s(to), take: bag(take), put: bag(put), moves: moves.collect() }
}

pub(crate) fn initial(shared: usize, exact: Counts<'_>, unbounded: &[usize]) -> Initial {
    Initial { shared: s(shared), exact: bag(exact), unbounded: unbounded.iter().copied().map(l).collect() }
}

/// A system with these rules, named `r1`, `r2`, ….
pub(crate) fn system(
    shared: Names,
    locals: Names,
    rules: &[Rule],
    initial: impl IntoIterator<Item = Initial>,
    targets: impl IntoIterator<Item = Config>,
) -> System {
    let mut builder = SystemBuilder::new(shared, locals);
    for (i, rule) in rules.iter().enumerate() {
        builder.named_rule(&format!("r{}", i + 1), rule, 0).unwrap();
    }
    for initial in initial {
        builder.initial(initial);
    }
    for target in targets {
        builder.target(target);
    }
    builder.finish().unwrap()
}

/// A lock: `free` or `held`; any number of threads are `out`, one can get `in`. Two are never `in`.
pub(crate) fn mutex() -> System {
    system(
        names(&["free", "held"]),
        names(&["out", "in"]),
        &[rule((0, 1), &[(0, 1)], &[(1, 1)], &[]), rule((1, 0), &[(1, 1)], &[(0, 1)], &[])],
        [initial(0, &[], &[0])],
        [config(0, &[(1, 2)]), config(1, &[(1, 2)])],
    )
}

/// The uncoverable configurations of [`mutex`].
pub(crate) const MUTEX_ELEMENTS: &str =
    r#"[{"shared":"free","threads":[["in",1]]},{"shared":"held","threads":[["in",2]]}]"#;

/// The cut that proves [`mutex`] safe without any element.
pub(crate) const MUTEX_CUT: &str = r#"{"shared":[["free",1]],"locals":[["in",1]],"bound":1}"#;

/// A net where a, b and c together hold two tokens, and a or b always holds one: so c never holds two.
///
/// r1: 2a → a + c, r2: c → b, r3: a → b, r4: b → a.
pub(crate) fn trapped() -> System {
    system(
        Names::single_anonymous(),
        names(&["a", "b", "c"]),
        &[
            rule((0, 0), &[(0, 2)], &[(0, 1), (2, 1)], &[]),
            rule((0, 0), &[(2, 1)], &[(1, 1)], &[]),
            rule((0, 0), &[(0, 1)], &[(1, 1)], &[]),
            rule((0, 0), &[(1, 1)], &[(0, 1)], &[]),
        ],
        [initial(0, &[(0, 2)], &[])],
        [config(0, &[(2, 2)])],
    )
}

/// The proof of [`trapped`].
pub(crate) const TRAPPED_PROOF: &str =
    r#"{"cuts":[{"locals":[["c",1]],"bound":1,"traps":[[0,1]]}],"traps":[["a","b"]],"elements":[]}"#;

/// All rule kinds: threads wait (r1), a signal (r2) lets every waiting thread go to `go` or back to `idle`, a
/// reset (r3) removes all that `go`, r4 spawns, r5 needs two `go`.
pub(crate) fn signals(targets: &[Config]) -> System {
    system(
        names(&["on", "off"]),
        names(&["idle", "wait", "go", "done"]),
        &[
            rule((0, 0), &[(0, 1)], &[(1, 1)], &[]),
            rule((0, 1), &[], &[], &[(1, &[0, 2])]),
            rule((1, 0), &[], &[], &[(2, &[])]),
            rule((0, 0), &[(0, 1)], &[(0, 1), (0, 1)], &[]),
            rule((1, 1), &[(2, 2)], &[(3, 1)], &[]),
        ],
        [initial(0, &[(0, 1)], &[])],
        targets.iter().cloned(),
    )
}

/// A document with this evidence.
pub(crate) fn document(kind: &str, body: &str) -> EvidenceDocument {
    let verdict = if kind == "trace" { "unsafe" } else { "safe" };
    let text = format!(
        r#"{{"format":"throng-evidence","version":1,"verdict":"{verdict}","kind":"{kind}","{kind}":{body}}}"#
    );
    throng_cert::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The evidence is accepted.
#[track_caller]
pub(crate) fn accepted(system: &System, kind: &str, body: &str) -> Accepted {
    check(system, &document(kind, body)).unwrap_or_else(|rejection| panic!("{rejection}\n{body}"))
}

/// The evidence is rejected because of this condition, and the message contains each of these words.
#[track_caller]
pub(crate) fn rejected(system: &System, kind: &str, body: &str, condition: Condition, words: &[&str]) {
    match check(system, &document(kind, body)) {
        Ok(accepted) => panic!("accepted: {accepted}\n{body}"),
        Err(rejection) => {
            assert_eq!(rejection.condition, condition, "{rejection}\n{body}");
            let message = rejection.to_string();
            for word in words {
                assert!(message.contains(word), "`{word}` is not in `{message}`");
            }
        }
    }
}
