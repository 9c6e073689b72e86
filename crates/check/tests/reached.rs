//! Forests: runs that share their beginnings show what is reached, and nothing else.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use common::mutex;
use std::collections::BTreeSet;
use throng_cert::forest::{Branch, Forest, Root};
use throng_check::{Condition, check_reached};
use throng_model::{Bag, Config, LocalId, SharedId, Step, System};

fn state(shared: usize, local: usize) -> (SharedId, LocalId) {
    (SharedId::new(shared), LocalId::new(local))
}

fn forest(system: &System) -> Forest {
    let initial = &system.initial()[0];
    let bag = Bag::from_counts(initial.unbounded.iter().map(|&local| (local, 2))).unwrap();
    let mut forest = Forest::default();
    let root = forest.plant(system, &Config::new(initial.shared, bag));
    let step = throng_cert::TraceItem::Step(Step { rule: throng_model::RuleId::new(0), moved: Vec::new() });
    forest.grow(system, root, &step);
    forest
}

#[test]
fn a_forest_shows_the_ends_of_its_branches() {
    let system = mutex();
    let forest = forest(&system);
    let initial = system.initial()[0].unbounded[0];
    let rule = system.rule(throng_model::RuleId::new(0));
    let (to, put) = (rule.to, rule.put[0].local);
    let right = BTreeSet::from([(system.initial()[0].shared, initial), (to, put), (to, initial)]);
    check_reached(&system, &forest, &right).unwrap();
    let mut wrong = right;
    wrong.insert((rule.from, put));
    assert_eq!(check_reached(&system, &forest, &wrong).unwrap_err().condition, Condition::TraceTarget);
    let far = BTreeSet::from([state(99, 99)]);
    assert_eq!(check_reached(&system, &forest, &far).unwrap_err().condition, Condition::TraceTarget);
}

#[test]
fn branches_are_runs_from_where_others_end() {
    let system = mutex();
    let good = forest(&system);
    let second = good.branches[1].clone();
    // The rule again, where it is not enabled any more.
    let mut twice = good.clone();
    twice.branches.push(Branch { root: Root::Branch(1), ..second.clone() });
    assert_eq!(
        check_reached(&system, &twice, &BTreeSet::new()).unwrap_err().condition,
        Condition::TraceEnabled
    );
    let mut loose = good.clone();
    loose.branches.insert(0, Branch { root: Root::Branch(0), ..second });
    assert_eq!(check_reached(&system, &loose, &BTreeSet::new()).unwrap_err().condition, Condition::Form);
    let mut elsewhere = good;
    let Root::Initial(initial) = &mut elsewhere.branches[0].root else { panic!("a root") };
    let rule = system.rule(throng_model::RuleId::new(0));
    let name = system.local_names().get(rule.put[0].local.index()).into_owned();
    initial.threads = vec![(throng_cert::State::Name(name), throng_cert::Count::Finite(1))];
    assert_eq!(
        check_reached(&system, &elsewhere, &BTreeSet::new()).unwrap_err().condition,
        Condition::TraceInitial
    );
}
