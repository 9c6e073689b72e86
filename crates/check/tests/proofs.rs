//! Which proofs and cover sets are accepted.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use common::{
    MUTEX_CUT, MUTEX_ELEMENTS, TRAPPED_PROOF, accepted, config, document, initial, mutex, names, rejected,
    rule, signals, system, trapped,
};
use throng_check::{Accepted, Condition, Limits, check_within};
use throng_model::{Names, Rule, System};

fn elements(elements: &str) -> String {
    format!(r#"{{"elements":{elements}}}"#)
}

fn cuts(cuts: &str, elements: &str) -> String {
    format!(r#"{{"cuts":[{cuts}],"elements":{elements}}}"#)
}

#[test]
fn a_closed_set_without_initial_configurations_is_accepted() {
    let answer = accepted(&mutex(), "proof", &elements(MUTEX_ELEMENTS));
    assert_eq!(answer, Accepted::Proof { elements: 2, cuts: 0 });
    assert_eq!(answer.to_string(), "safe (proof: 2 elements, 0 cuts)");
}

#[test]
fn each_target_must_be_excluded() {
    let only_free = r#"[{"shared":"free","threads":[["in",3]]},{"shared":"held","threads":[["in",4]]}]"#;
    let words = ["target 1", "`free|in*2`"];
    rejected(&mutex(), "proof", &elements(only_free), Condition::ProofTarget, &words);
    rejected(&mutex(), "proof", &elements("[]"), Condition::ProofTarget, &words);
}

#[test]
fn no_element_may_be_initial() {
    let with_initial = MUTEX_ELEMENTS.replacen('[', r#"[{"shared":"free","threads":[["out",7]]},"#, 1);
    rejected(
        &mutex(),
        "proof",
        &elements(&with_initial),
        Condition::ProofInitial,
        &["element 1", "`free|out*7`"],
    );
    let empty = MUTEX_ELEMENTS.replacen('[', r#"[{"shared":"free","threads":[]},"#, 1);
    rejected(&mutex(), "proof", &elements(&empty), Condition::ProofInitial, &["element 1"]);
}

#[test]
fn each_predecessor_must_be_excluded() {
    let gap = r#"[{"shared":"free","threads":[["in",2]]},{"shared":"held","threads":[["in",2]]}]"#;
    let words = ["element 2", "`held|in*2`", "`free|out,in`", "rule `r1`"];
    rejected(&mutex(), "proof", &elements(gap), Condition::ProofPredecessor, &words);
}

#[test]
fn a_cut_replaces_elements() {
    let answer = accepted(&mutex(), "proof", &cuts(MUTEX_CUT, "[]"));
    assert_eq!(answer.to_string(), "safe (proof: 0 elements, 1 cut)");
    // Predecessors may break cuts instead of being above elements.
    accepted(&mutex(), "proof", &cuts(MUTEX_CUT, r#"[{"shared":"held","threads":[["in",2]]}]"#));
}

#[test]
fn no_rule_may_raise_a_cut() {
    let shared = MUTEX_CUT.replace(r#""shared":[["free",1]],"#, "");
    let words = ["cut 1", "rule `r1`", "from 0 to 1"];
    rejected(&mutex(), "proof", &cuts(&shared, MUTEX_ELEMENTS), Condition::CutRule, &words);
    let heavy = MUTEX_CUT.replace(r#"["free",1]"#, r#"["free",2]"#).replace(r#""bound":1"#, r#""bound":2"#);
    rejected(&mutex(), "proof", &cuts(&heavy, MUTEX_ELEMENTS), Condition::CutRule, &["rule `r2`"]);
}

/// [`mutex`] and a rule that lets two threads in.
fn mutex_with(extra: Rule) -> System {
    let mutex = mutex();
    let rules = mutex.rules().iter().map(|(_, rule)| rule.to_rule());
    system(
        mutex.shared_names().clone(),
        names(&["out", "in", "ghost"]),
        &rules.chain([extra]).collect::<Vec<_>>(),
        mutex.initial().to_vec(),
        mutex.targets().to_vec(),
    )
}

#[test]
fn a_rule_may_raise_a_cut_if_an_element_excludes_what_it_needs() {
    let ghost = mutex_with(rule((0, 1), &[(2, 1)], &[(1, 2)], &[]));
    rejected(&ghost, "proof", &cuts(MUTEX_CUT, "[]"), Condition::CutRule, &["`r3`", "from 1 to 2"]);
    let no_ghost = r#"[{"shared":"free","threads":[["ghost",1]]}]"#;
    // The predecessor of that element under r2 is not excluded.
    rejected(&ghost, "proof", &cuts(MUTEX_CUT, no_ghost), Condition::ProofPredecessor, &["`r2`"]);
    let nowhere = r#"[{"shared":{"any":true},"threads":[["ghost",1]]}]"#;
    accepted(&ghost, "proof", &cuts(MUTEX_CUT, nowhere));
    // It must exclude all that the rule needs, and not more than that.
    let two = nowhere.replace(r#"["ghost",1]"#, r#"["ghost",2]"#);
    rejected(&ghost, "proof", &cuts(MUTEX_CUT, &two), Condition::CutRule, &["`r3`"]);
}

#[test]
fn a_rule_may_raise_a_cut_if_what_it_needs_breaks_a_cut() {
    // It needs a thread inside while the lock is free.
    let late = mutex_with(rule((0, 1), &[(1, 1)], &[(1, 3)], &[]));
    accepted(&late, "proof", &cuts(MUTEX_CUT, "[]"));
    // A bound that what the rule needs does not break exempts nothing.
    let loose = MUTEX_CUT.replace(r#""bound":1"#, r#""bound":2"#);
    rejected(&late, "proof", &cuts(&loose, "[]"), Condition::CutRule, &["`r3`"]);
    // The exemption by one cut is one from all.
    let both = format!(r#"{loose},{MUTEX_CUT}"#);
    accepted(&late, "proof", &cuts(&both, "[]"));
}

#[test]
fn a_rule_may_raise_a_cut_if_it_leads_to_where_no_target_can_be_reached() {
    let with_way_back = |back: &[Rule]| {
        let leaving = rule((0, 2), &[(0, 1)], &[(1, 9)], &[]);
        let growing = rule((2, 2), &[], &[(1, 1)], &[]);
        let rules = [rule((0, 1), &[(0, 1)], &[(1, 1)], &[]), leaving, growing];
        let start = initial(0, &[(0, 1)], &[]);
        let rules: Vec<Rule> = rules.into_iter().chain(back.iter().cloned()).collect();
        system(Names::Numbered(3), names(&["p", "q"]), &rules, [start], [config(1, &[(1, 2)])])
    };
    let cut = cuts(r#"{"locals":[["p",1],["q",1]],"bound":1}"#, "[]");
    accepted(&with_way_back(&[]), "proof", &cut);
    // With a way back it matters, whatever threads it would need.
    let back = rule((2, 0), &[(0, 7)], &[], &[]);
    rejected(&with_way_back(&[back]), "proof", &cut, Condition::CutRule, &["`r2`", "from 1 to 9"]);
}

#[test]
fn a_rule_may_empty_a_trap_if_the_proof_excludes_what_it_needs() {
    let emptying = || rule((0, 0), &[(2, 1)], &[], &[(0, &[]), (1, &[])]);
    let trap = |elements: &str| format!(r#"{{"traps":[["p","q"]],"elements":{elements}}}"#);
    let system = with_rule(emptying(), &[(0, 1)], &[]);
    accepted(&system, "proof", &trap(r#"[{"threads":[["bad",1]]},{"threads":[["r",1]]}]"#));
    let words = ["`r1`", "vanish"];
    rejected(&system, "proof", &trap(r#"[{"threads":[["bad",1]]}]"#), Condition::TrapRule, &words);
}

#[test]
fn moves_may_not_raise_a_cut() {
    let net = |moves: &[(usize, &[usize])]| {
        system(
            Names::single_anonymous(),
            names(&["p", "q", "r"]),
            &[rule((0, 0), &[], &[], moves)],
            [initial(0, &[(0, 2)], &[])],
            [config(0, &[(0, 3)])],
        )
    };
    let cut = cuts(r#"{"locals":[["p",1],["q",1]],"bound":2}"#, "[]");
    accepted(&net(&[(0, &[0, 1]), (1, &[0, 2])]), "proof", &cut);
    accepted(&net(&[(0, &[])]), "proof", &cut);
    rejected(
        &net(&[(2, &[0, 2])]),
        "proof",
        &cut,
        Condition::CutRule,
        &["from `r` (weight 0) to `p` (weight 1)"],
    );
    rejected(&net(&[(0, &[0, 1]), (2, &[1])]), "proof", &cut, Condition::CutRule, &["`r`", "`q`"]);
}

#[test]
fn the_bound_of_a_cut_must_hold_initially() {
    let zero = MUTEX_CUT.replace(r#""bound":1"#, r#""bound":0"#);
    rejected(&mutex(), "proof", &cuts(&zero, "[]"), Condition::CutBound, &["cut 1", "is 0", "reaches 1"]);
    // A larger bound is right, but too weak to exclude the targets.
    let two = MUTEX_CUT.replace(r#""bound":1"#, r#""bound":3"#);
    rejected(&mutex(), "proof", &cuts(&two, "[]"), Condition::ProofTarget, &[]);
    accepted(&mutex(), "proof", &cuts(&two, MUTEX_ELEMENTS));
}

#[test]
fn every_initial_configuration_counts() {
    let two = |second| {
        system(
            Names::single_anonymous(),
            names(&["p", "q"]),
            &[],
            [initial(0, &[(0, 1)], &[1]), second],
            [config(0, &[(0, 2)])],
        )
    };
    let cut = cuts(r#"{"locals":[["p",1]],"bound":1}"#, "[]");
    accepted(&two(initial(0, &[(0, 1), (1, 9)], &[])), "proof", &cut);
    rejected(&two(initial(0, &[(0, 2)], &[])), "proof", &cut, Condition::CutBound, &[]);
    rejected(&two(initial(0, &[], &[0])), "proof", &cut, Condition::CutUnbounded, &["`p`"]);
}

#[test]
fn cuts_must_make_sense() {
    let unbounded = r#"{"shared":[["free",1]],"locals":[["in",1],["out",1]],"bound":1}"#;
    rejected(&mutex(), "proof", &cuts(unbounded, "[]"), Condition::CutUnbounded, &["`out`"]);
    let constant = r#"{"locals":[["in",1],["out",1]],"bound":1}"#;
    rejected(&mutex(), "proof", &cuts(constant, "[]"), Condition::CutUnbounded, &["`out`"]);
    let twice = r#"{"locals":[["in",1],["in",1]],"bound":1}"#;
    rejected(&mutex(), "proof", &cuts(twice, "[]"), Condition::Form, &["`in` has two weights"]);
    for unknown in [r#"{"locals":[["x",1]],"bound":1}"#, r#"{"shared":[["in",1]],"bound":1}"#] {
        rejected(&mutex(), "proof", &cuts(unknown, "[]"), Condition::Names, &["cut 1"]);
    }
    let no_trap = r#"{"locals":[],"bound":1,"traps":[[0,1]]}"#;
    rejected(&mutex(), "proof", &cuts(no_trap, "[]"), Condition::Names, &["trap 0"]);
}

#[test]
fn numbers_do_not_wrap() {
    let max = u64::MAX;
    let heavy = format!(r#"{{"shared":[["free",{max}]],"locals":[["in",{max}]],"bound":{max}}}"#);
    // 2·(2⁶⁴−1) is above the bound: computed in 64 bits it would not be.
    accepted(&mutex(), "proof", &cuts(&heavy, "[]"));
    let many = format!(r#"[{{"shared":"free","threads":[["in",{}],["in",2]]}}]"#, max - 1);
    rejected(&mutex(), "proof", &elements(&many), Condition::Size, &["element 1"]);
    let largest = format!(r#"[{{"shared":"free","threads":[["in",{max}]]}}]"#);
    rejected(&mutex(), "proof", &elements(&largest), Condition::Size, &["element 1"]);
}

#[test]
fn a_trap_strengthens_a_cut() {
    accepted(&trapped(), "proof", TRAPPED_PROOF);
    let without = TRAPPED_PROOF.replace(r#","traps":[[0,1]]"#, "");
    rejected(&trapped(), "proof", &without, Condition::CutRule, &[]);
    let stronger = TRAPPED_PROOF.replace("[[0,1]]", "[[0,2]]").replace(r#""bound":1"#, r#""bound":2"#);
    rejected(&trapped(), "proof", &stronger, Condition::CutRule, &["`r2`"]);
    let tighter = TRAPPED_PROOF.replace(r#""bound":1"#, r#""bound":0"#);
    rejected(&trapped(), "proof", &tighter, Condition::CutBound, &["reaches 1"]);
    let half = TRAPPED_PROOF.replace(r#"["a","b"]"#, r#"["a"]"#);
    rejected(&trapped(), "proof", &half, Condition::TrapRule, &["trap 1", "`r3`", "puts none in"]);
    let unmarked = TRAPPED_PROOF.replace(r#"["a","b"]"#, r#"["b","c"]"#);
    rejected(&trapped(), "proof", &unmarked, Condition::TrapInitial, &["trap 1"]);
    let empty = TRAPPED_PROOF.replace(r#"["a","b"]"#, "[]");
    rejected(&trapped(), "proof", &empty, Condition::TrapInitial, &["trap 1"]);
    let unknown = TRAPPED_PROOF.replace(r#"["a","b"]"#, r#"["a","z"]"#);
    rejected(&trapped(), "proof", &unknown, Condition::Names, &["`z`"]);
}

/// The trap {p, q} under one more rule over p, q, r. No thread is ever in `bad`.
fn with_rule(extra: Rule, exact: common::Counts<'_>, unbounded: &[usize]) -> System {
    let start = initial(0, exact, unbounded);
    let bad = config(0, &[(3, 1)]);
    system(Names::single_anonymous(), names(&["p", "q", "r", "bad"]), &[extra], [start], [bad])
}

#[test]
fn a_trap_keeps_a_thread_inside_under_every_rule() {
    let trap = r#"{"traps":[["p","q"]],"elements":[{"threads":[["bad",1]]}]}"#;
    let kept: [Rule; 7] = [
        rule((0, 0), &[(0, 1)], &[(1, 1)], &[]),
        rule((0, 0), &[(0, 2), (1, 1)], &[(2, 5), (1, 1)], &[]),
        rule((0, 0), &[(2, 1)], &[], &[]),
        rule((0, 0), &[], &[], &[(0, &[0, 1]), (1, &[0])]),
        rule((0, 0), &[], &[], &[(2, &[])]),
        // Threads leave the trap or vanish, but `put` marks it again.
        rule((0, 0), &[], &[(0, 1)], &[(0, &[2]), (1, &[])]),
        rule((0, 0), &[(0, 1)], &[(0, 1)], &[(0, &[2])]),
    ];
    for rule in kept {
        accepted(&with_rule(rule, &[(0, 1)], &[2]), "proof", trap);
    }
    let broken: [(Rule, &str); 5] = [
        (rule((0, 0), &[(0, 1)], &[(2, 1)], &[]), "puts none in"),
        (rule((0, 0), &[(0, 1), (2, 1)], &[], &[]), "puts none in"),
        (rule((0, 0), &[], &[], &[(0, &[1, 2])]), "from `p` to `r`"),
        (rule((0, 0), &[(2, 1)], &[(2, 1)], &[(1, &[])]), "vanish"),
        // q alone would be emptied, whatever happens to p.
        (rule((0, 0), &[], &[], &[(0, &[0, 1]), (1, &[2])]), "from `q` to `r`"),
    ];
    for (rule, word) in broken {
        rejected(&with_rule(rule, &[(0, 1)], &[2]), "proof", trap, Condition::TrapRule, &["`r1`", word]);
    }
    // Threads that may be there are not guaranteed.
    let harmless = || rule((0, 0), &[(2, 1)], &[], &[]);
    rejected(&with_rule(harmless(), &[], &[0]), "proof", trap, Condition::TrapInitial, &[]);
}

#[test]
fn predecessors_through_moves_are_found() {
    // r1 moves a and b to c, or leaves b: c can come from a or b, not from c.
    let net = |targets: &[throng_model::Config]| {
        system(
            Names::single_anonymous(),
            names(&["a", "b", "c"]),
            &[rule((0, 0), &[], &[], &[(0, &[2]), (1, &[1, 2]), (2, &[0])])],
            [initial(0, &[(0, 1)], &[])],
            targets.iter().cloned(),
        )
    };
    let two_c = [config(0, &[(2, 2)])];
    let closed = r#"[{"threads":[["c",2]]},{"threads":[["a",2]]},{"threads":[["b",1]]}]"#;
    accepted(&net(&two_c), "proof", &elements(closed));
    let no_b = r#"[{"threads":[["c",2]]},{"threads":[["a",2]]}]"#;
    let words = ["element 1", "b"];
    rejected(&net(&two_c), "proof", &elements(no_b), Condition::ProofPredecessor, &words);
    let no_a = r#"[{"threads":[["c",2]]},{"threads":[["b",1]]}]"#;
    rejected(&net(&two_c), "proof", &elements(no_a), Condition::ProofPredecessor, &["`|a*2`"]);
}

#[test]
fn patterns_stand_for_all_states_that_match() {
    let pattern = r#"[{"shared":"free","threads":[["in",1]]},{"shared":{"any":true},"threads":[["in",2]]}]"#;
    accepted(&mutex(), "proof", &elements(pattern));
    // Each thread matches independently: out,out is initial.
    let wide = r#"[{"shared":"free","threads":[["in",1]]},{"shared":{"any":["held","free","held"]},"threads":[[{"any":["in","out"]},2]]}]"#;
    rejected(&mutex(), "proof", &elements(wide), Condition::ProofInitial, &["element 2", "`free|out*2`"]);
    let at = r#"[{"shared":"free","threads":[[{"at":"main:1","where":{"x":true}},1]]}]"#;
    rejected(&mutex(), "proof", &elements(at), Condition::Form, &["element 1", "location"]);
    let unknown = r#"[{"shared":"free","threads":[[{"any":["in","x"]},1]]}]"#;
    rejected(&mutex(), "proof", &elements(unknown), Condition::Names, &["`x`"]);
    let large = r#"[{"shared":"free","threads":[[{"any":true},100000000]]}]"#;
    rejected(&mutex(), "proof", &elements(large), Condition::Size, &["patterns"]);
}

#[test]
fn patterns_written_out_are_limited_whatever_their_counts_are() {
    let n = 100;
    let all: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let net = system(Names::single_anonymous(), names(&all), &[], [initial(0, &[], &[0])], []);
    let check = |element: &str, n_elements: usize| {
        let body = elements(&format!("[{}]", vec![element; n_elements].join(",")));
        let limits = Limits { expanded: 1000, ..Limits::default() };
        let answer = check_within(&net, &document("cover-set", &body), limits);
        answer.map_err(|rejection| (rejection.condition, rejection.place))
    };
    // Each stands for one configuration, of a hundred entries.
    let everywhere = r#"{"threads":[[{"any":true},"omega"]]}"#;
    assert!(check(everywhere, 10).is_ok());
    assert_eq!(check(everywhere, 11), Err((Condition::Size, "element 11".to_owned())));
    // A hundred configurations, of six entries each.
    let wide = r#"{"threads":[[{"any":true},1],["p1",1],["p2",1],["p3",1],["p4",1],["p0","omega"]]}"#;
    let plain = r#"{"threads":[["p0","omega"]]}"#;
    assert!(check(&format!("{wide},{plain}"), 1).is_ok());
    assert_eq!(check(wide, 2), Err((Condition::Size, "element 2".to_owned())));
    // Without patterns the document's own size is the limit.
    assert!(check(plain, 5000).is_ok());
}

#[test]
fn omega_has_no_place_in_a_proof() {
    let omega = MUTEX_ELEMENTS.replace(r#"["in",2]"#, r#"["in","omega"]"#);
    rejected(&mutex(), "proof", &elements(&omega), Condition::Form, &["element 2", "ω"]);
}

#[test]
fn without_targets_everything_is_safe() {
    accepted(&signals(&[]), "proof", &elements("[]"));
}

#[test]
fn exponentially_many_predecessors_are_not_enumerated_when_a_part_decides() {
    // Every local can come from each of twenty; one element excludes all of them by its first thread.
    let n = 20;
    let all: Vec<usize> = (0..n).collect();
    let moves: Vec<(usize, &[usize])> = all.iter().map(|&source| (source, &all[..])).collect();
    let list: Vec<String> = all.iter().map(|i| format!("p{i}")).collect();
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let counts: Vec<(usize, u32)> = all.iter().map(|&local| (local, 1)).collect();
    let system = system(
        Names::Numbered(2),
        names(&list),
        &[rule((0, 1), &[], &[], &moves)],
        [initial(1, &[(0, 1)], &[])],
        [config(1, &counts)],
    );
    let threads: Vec<String> = list.iter().map(|name| format!(r#"["{name}",1]"#)).collect();
    let goal = format!(r#"{{"shared":"1","threads":[{}]}}"#, threads.join(","));
    let body = elements(&format!(r#"[{goal},{{"shared":"0","threads":[[{{"any":true}},1]]}}]"#));
    accepted(&system, "proof", &body);
}

const MUTEX_COVER: &str = r#"{"elements":[{"shared":"free","threads":[["out","omega"]]},
    {"shared":"held","threads":[["out","omega"],["in",1]]}]}"#;

#[test]
fn a_cover_set_is_accepted() {
    let answer = accepted(&mutex(), "cover-set", MUTEX_COVER);
    assert_eq!(answer.to_string(), "safe (cover set: 2 elements)");
    let larger = MUTEX_COVER.replace(r#"["in",1]"#, r#"["in",2]"#);
    rejected(&mutex(), "cover-set", &larger, Condition::CoverTarget, &["element 2"]);
}

#[test]
fn initial_configurations_and_successors_must_be_below_elements() {
    let finite = MUTEX_COVER.replacen("\"omega\"", "5", 1);
    let words = ["initial configuration 1", "`free|out*ω`"];
    rejected(&mutex(), "cover-set", &finite, Condition::CoverInitial, &words);
    let finite = MUTEX_COVER.replace(r#"["out","omega"],["in",1]"#, r#"["out",5],["in",1]"#);
    let words = ["element 1", "`held|out*ω,in`", "`r1`"];
    rejected(&mutex(), "cover-set", &finite, Condition::CoverSuccessor, &words);
    let only = r#"{"elements":[{"shared":"free","threads":[["out","omega"]]}]}"#;
    rejected(&mutex(), "cover-set", only, Condition::CoverSuccessor, &["element 1"]);
    rejected(&mutex(), "cover-set", r#"{"elements":[]}"#, Condition::CoverInitial, &[]);
}

/// Three threads move from p to q or r; s is full of threads that move to q and r.
fn split(unbounded: &[usize]) -> System {
    system(
        Names::Numbered(2),
        names(&["p", "q", "r", "s"]),
        &[rule((0, 1), &[], &[], &[(0, &[1, 2]), (3, &[1, 2])])],
        [initial(0, &[(0, 3)], unbounded)],
        [],
    )
}

#[test]
fn a_moved_finite_count_takes_every_split() {
    let all = r#"{"elements":[{"shared":"0","threads":[["p",3]]},{"shared":"1","threads":[["q",3]]},
        {"shared":"1","threads":[["q",2],["r",1]]},{"shared":"1","threads":[["q",1],["r",2]]},{"shared":"1","threads":[["r",3]]}]}"#;
    accepted(&split(&[]), "cover-set", all);
    for missing in [r#"[["q",3]]"#, r#"[["q",2],["r",1]]"#, r#"[["q",1],["r",2]]"#, r#"[["r",3]]"#] {
        let fewer = all.replace(missing, "[]");
        rejected(&split(&[]), "cover-set", &fewer, Condition::CoverSuccessor, &["element 1"]);
    }
    let bound =
        r#"{"elements":[{"shared":"0","threads":[["p",3]]},{"shared":"1","threads":[["q",3],["r",3]]}]}"#;
    accepted(&split(&[]), "cover-set", bound);
}

#[test]
fn a_moved_omega_gives_omega_at_all_destinations() {
    let body = |after: &str| {
        format!(
            r#"{{"elements":[{{"shared":"0","threads":[["p",3],["s","omega"]]}},{{"shared":"1","threads":{after}}}]}}"#
        )
    };
    accepted(&split(&[3]), "cover-set", &body(r#"[["q","omega"],["r","omega"]]"#));
    accepted(&split(&[3]), "cover-set", &body(r#"[[{"any":["q","r"]},"omega"]]"#));
    for less in [r#"[["q","omega"],["r",1000]]"#, r#"[["r","omega"]]"#] {
        rejected(&split(&[3]), "cover-set", &body(less), Condition::CoverSuccessor, &["`1|q*ω,r*ω`"]);
    }
}

#[test]
fn an_enabled_rule_leaves_omega_threads() {
    let body = r#"{"elements":[{"shared":"free","threads":[["out","omega"],["in",1]]},
        {"shared":"held","threads":[["out","omega"],["in",1]]}]}"#;
    rejected(&mutex(), "cover-set", body, Condition::CoverSuccessor, &["`held|out*ω,in*2`"]);
}
