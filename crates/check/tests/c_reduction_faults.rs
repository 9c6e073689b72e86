//! Faults in what is made of a program, one each: in edges, paths, arbitrary values, ends, slices and frames. The check has
//! to name them.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
#[path = "reduction/faults.rs"]
mod faults;
mod reduction;

use common::Builder;
use faults::{Code, NOTICED, check, rejects, rejects_passing, setting};
use reduction::{put_together, taken_apart, unmerged};
use throng_base::Budget;
use throng_cfa::flow::*;
use throng_cfa::merge::{merge_once, slice, stages};
use throng_check::c::{check_sliced, check_stages};

/// A fault in an edge of a merged program.
#[track_caller]
fn rejects_fault(program: &Program, place: usize, fault: impl FnOnce(&mut Program, &mut Edge), reason: &str) {
    let mut wrong = merge_once(program);
    assert_eq!(check(program, &wrong), Ok(()));
    let mut edge = wrong.program.edges[place].clone();
    fault(&mut wrong.program, &mut edge);
    wrong.program.edges[place] = edge;
    rejects(program, &wrong, reason);
}

/// `t = nondet(); x = t + 1; if (t) error` in one atomic section, after which a thread is started.
fn mixed() -> (Program, usize) {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, _) = b.template();
    let (x, t, given) = (b.shared(2), b.local(main, 2), b.local(worker, 2));
    let any = b.nondet(2);
    let (first, second) =
        (b.location(main, LocationKind::Inner, true), b.location(main, LocationKind::Inner, true));
    let last = b.inner(main);
    let (more, held, one) = (b.plus(t, 1), b.get(t), b.constant(1, 2));
    let is_small = b.binary(BinaryOperator::UnsignedLess, held, one);
    b.edge(start, first, None, &[(t, None, any)], None);
    b.edge(first, second, Some(is_small), &[(x, None, more)], None);
    let effect = Effect::Spawn { template: worker, arguments: vec![(given, held)] };
    b.edge(second, last, None, &[], Some(effect));
    let mut code = Code { b: &mut b, template: main, at: last };
    code.fails_if(x, 1);
    let program = b.finish();
    let merged = merge_once(&program);
    let place = merged.paths.iter().position(|path| path.len() == 3).expect("a section is one step");
    (program, place)
}

const OTHERWISE: &str = "it does not do what its path does";

#[test]
fn faults_in_edges() {
    let (program, place) = mixed();
    let reject = |fault: &dyn Fn(&mut Program, &mut Edge), reason| {
        rejects_fault(&program, place, |program, edge| fault(program, edge), reason);
    };
    reject(&|program, edge| edge.guard = program.expressions.truth(true), OTHERWISE);
    reject(&|program, edge| edge.guard = program.expressions.truth(false), OTHERWISE);
    reject(&|program, edge| edge.guard = program.expressions.not(edge.guard), OTHERWISE);
    reject(&|_, edge| edge.assignments.truncate(1), OTHERWISE);
    reject(&|program, edge| edge.assignments[0].value = program.expressions.constant(3, 2), OTHERWISE);
    reject(&|_, edge| edge.effect = None, "it does not end as its path does");
    let other = |program: &mut Program, edge: &mut Edge| {
        if let Some(Effect::Spawn { arguments, .. }) = &mut edge.effect {
            arguments[0].1 = program.expressions.constant(2, 2);
        }
    };
    reject(&other, OTHERWISE);
    reject(&|_, edge| edge.to = edge.from, "");
    // An assignment too many.
    let more = |program: &mut Program, edge: &mut Edge| {
        let value = program.expressions.constant(1, 2);
        let target = VariableId::new(0);
        edge.assignments.retain(|it| it.target != target);
        edge.assignments.push(Assignment { target, index: None, value });
        edge.assignments.push(Assignment { target: VariableId::new(1), index: None, value });
    };
    reject(&more, OTHERWISE);
}

#[test]
fn faults_in_paths() {
    let (program, place) = mixed();
    let honest = merge_once(&program);
    // An edge is missing.
    let mut edges = taken_apart(&honest);
    edges.remove(place);
    rejects(&program, &put_together(&honest, edges), "");
    // A path that is another one; one edge twice.
    let mut wrong = honest.clone();
    wrong.paths[place].swap(0, 1);
    rejects(&program, &wrong, "a path from here is left out");
    let mut edges = taken_apart(&honest);
    edges.push(edges[place].clone());
    rejects(&program, &put_together(&honest, edges), "no path of the program is like this");
    // Something after an effect.
    let mut wrong = honest;
    let last = wrong.program.edges[place].to;
    let mut edges = taken_apart(&wrong);
    let next = edges.iter().position(|made| made.0.from == last).expect("an edge to the error");
    let (target, path) = (edges[next].0.to, edges[next].1.clone());
    edges.remove(next);
    let place = edges.iter().position(|made| made.0.effect.is_some()).expect("the section");
    edges[place].0.to = target;
    edges[place].1.extend(path);
    wrong = put_together(&wrong, edges);
    rejects(&program, &wrong, "a step with an effect on other threads is followed by others");
}

/// `s = nondet(); t = nondet(); if (s != t) error` with one number for both.
#[test]
fn arbitrary_values_that_are_taken_for_one() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (s, t) = (b.local(main, 1), b.local(main, 1));
    let (middle, last, error) = (b.inner(main), b.inner(main), b.error(main));
    let any = b.nondet(1);
    b.edge(start, middle, None, &[(s, None, any)], None);
    b.edge(middle, last, None, &[(t, None, any)], None);
    let (x, y) = (b.get(s), b.get(t));
    let is_equal = b.binary(BinaryOperator::Equal, x, y);
    let differ = b.not(is_equal);
    b.edge(last, error, Some(differ), &[], None);
    let program = b.finish();
    let honest = merge_once(&program);
    assert_eq!(check(&program, &honest), Ok(()));
    let mut wrong = honest.clone();
    wrong.choices[0][1].nondet = wrong.choices[0][0].nondet;
    rejects(&program, &wrong, "an arbitrary value stands for several ones");
    let mut wrong = honest;
    let e = &mut wrong.program.expressions;
    let one = e.insert(Expression::Nondet(NondetId::new(0)), 1);
    let both = e.not(one);
    wrong.program.edges[0].guard = e.and(one, both);
    rejects(&program, &wrong, OTHERWISE);
}

/// A thread that ends after writing: left out though somebody waits for it; and an end that nobody asks for.
#[test]
fn ends_that_are_seen() {
    for is_seen in [false, true] {
        let mut b = Builder::new();
        let (main, start) = b.template();
        let (worker, entry) = b.template();
        let (waiting, error, end) = (b.inner(main), b.error(main), b.end(worker));
        let number = b.constant(2, 8);
        b.edge(start, waiting, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
        b.edge(entry, end, None, &[], None);
        let has_ended = b.program.expressions.insert(Expression::HasEnded(number), 1);
        let guard = if is_seen { has_ended } else { b.constant(1, 1) };
        b.edge(waiting, error, Some(guard), &[], None);
        let program = b.finish();
        let honest = unmerged(&program);
        let edges = taken_apart(&honest).into_iter().filter(|made| made.0.to != end).collect();
        let without = put_together(&honest, edges);
        if is_seen {
            rejects(&program, &without, "a path from here is left out");
        } else {
            assert_eq!(check(&program, &without), Ok(()));
        }
    }
}

/// A broadcast looks at a flag that is set and cleared, and sets one that is read twice.
#[test]
fn what_passive_updates_see_and_do() {
    let (mut b, template, entry, [_, _, t]) = setting();
    let (flag, woken, one) = (b.local(template, 1), b.local(template, 1), b.constant(1, 1));
    let guard = b.program.expressions.insert(Expression::Passive(flag), 1);
    let update = PassiveUpdate { template, guard, assignments: vec![(woken, one)] };
    b.edge(entry, entry, None, &[], Some(Effect::Broadcast(vec![update])));
    let mut code = Code { b: &mut b, template, at: entry };
    let at = code.set(flag, 1);
    let zero = code.b.constant(0, 1);
    code.step(None, &[(flag, None, zero), (t, None, one)]);
    code.fails_if(woken, 1);
    let program = b.finish();
    rejects_passing(&program, at, NOTICED);
    // Sliced away: the flag, what is woken, and the broadcast.
    for gone in [flag, woken] {
        let mut wrong = program.clone();
        for edge in &mut wrong.edges {
            edge.assignments.retain(|it| it.target != gone);
            if let Some(Effect::Broadcast(updates)) = &mut edge.effect {
                updates[0].assignments.retain(|&(target, _)| target != gone);
            }
        }
        assert!(check_sliced(&program, &wrong).is_err());
    }
    let mut wrong = program.clone();
    wrong.edges.iter_mut().filter(|edge| !edge.updates().is_empty()).for_each(|edge| edge.effect = None);
    assert!(check_sliced(&program, &wrong).is_err());
    assert!(check_sliced(&program, &slice(&program)).is_ok());
}

/// A fault in any stage is noticed.
#[test]
fn all_stages_are_checked() {
    let (program, _) = mixed();
    let honest = stages(&program);
    let budget = Budget::unlimited();
    assert!(check_stages(&program, &honest, &budget).is_ok());
    for stage in 0..4 {
        let mut wrong = honest.clone();
        let place = match stage {
            0 => &mut wrong.sliced,
            1 => &mut wrong.first.program,
            2 => &mut wrong.second.program,
            _ => &mut wrong.last,
        };
        let never = place.expressions.truth(false);
        place.edges.iter_mut().for_each(|edge| edge.guard = never);
        assert!(check_stages(&program, &wrong, &budget).is_err(), "stage {stage}");
    }
}

/// A step that leads to where it began is missing: it changes nothing, or x, or starts a thread.
#[test]
fn steps_that_lead_back() {
    for (case, reason) in
        [(0, None), (1, Some("a path from here is left out")), (2, Some("a path from here is left out"))]
    {
        let (mut b, template, entry, [_, x, _]) = setting();
        let (is_set, one) = (b.is(x, 1), b.constant(1, 1));
        let effect = Effect::Spawn { template, arguments: Vec::new() };
        match case {
            0 => b.edge(entry, entry, Some(is_set), &[(x, None, one)], None),
            1 => b.edge(entry, entry, None, &[(x, None, one)], None),
            _ => b.edge(entry, entry, None, &[], Some(effect)),
        }
        Code { b: &mut b, template, at: entry }.fails_if(x, 1);
        let program = b.finish();
        let honest = unmerged(&program);
        let is_back = |edge: &Edge| edge.from == entry && edge.to == entry;
        let edges = taken_apart(&honest).into_iter().filter(|made| !is_back(&made.0)).collect();
        let without = put_together(&honest, edges);
        match reason {
            Some(reason) => rejects(&program, &without, reason),
            None => assert_eq!(check(&program, &without), Ok(())),
        }
    }
}

/// What a thread does after its end would be lost.
#[test]
fn ends_are_ends() {
    let (mut b, template, entry, [_, x, _]) = setting();
    let (end, last, one) = (b.end(template), b.inner(template), b.constant(1, 1));
    b.edge(entry, end, None, &[], None);
    b.edge(end, last, None, &[(x, None, one)], None);
    let program = b.finish();
    rejects(&program, &unmerged(&program), "a thread goes on after its end");
}

/// `atomic { result = 1; assert(result of this thread != 1); }`: as one step it would look at the result too early, so it may
/// not be one, nor none.
#[test]
fn own_results_that_are_looked_at() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let result = b.local(main, 1);
    b.program.templates[main.index()].result = Some(result);
    let (middle, error) = (b.location(main, LocationKind::Inner, true), b.error(main));
    let one = b.constant(1, 1);
    let this = b.program.expressions.insert(Expression::ThisThread, 8);
    let value = b.program.expressions.insert(Expression::ResultOf(this), 1);
    b.edge(start, middle, None, &[(result, None, one)], None);
    b.edge(middle, error, Some(value), &[], None);
    let program = b.finish();
    let early = reduction::passing(&unmerged(&program), middle).expect("it can be passed over");
    let none = put_together(&early, Vec::new());
    for wrong in [early, none] {
        rejects(&program, &wrong, "it looks at results after the thread has assigned its own");
    }
}

/// An edge that is possible, made of a path that is not.
#[test]
fn paths_that_are_impossible() {
    let (mut b, template, entry, _) = setting();
    let (error, never) = (b.error(template), b.constant(0, 1));
    b.edge(entry, error, Some(never), &[], None);
    let program = b.finish();
    let mut merged = unmerged(&program);
    assert_eq!(check(&program, &merged), Ok(()));
    let always = merged.program.expressions.truth(true);
    let edge = merged.program.edges.iter_mut().find(|edge| edge.to == error).expect("the edge");
    edge.guard = always;
    rejects(&program, &merged, "it is possible, but its path is not");
}

/// `x[1] = 1; assert(x != 1);` for an x that is one scalar: nothing is written, and the larger step says so.
#[test]
fn writes_beyond_the_end_change_nothing() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let x = b.shared(1);
    let one = b.constant(1, 1);
    let mut code = Code { b: &mut b, template: main, at: start };
    code.step(None, &[(x, Some(one), one)]);
    code.fails_if(x, 1);
    let program = b.finish();
    let merged = merge_once(&program);
    assert_eq!(merged.paths, [[EdgeId::new(0), EdgeId::new(1)]]);
    assert_eq!(check(&program, &merged), Ok(()));
    let mut wrong = merged;
    let e = &mut wrong.program.expressions;
    wrong.program.edges[0].guard = e.truth(true);
    rejects(&program, &wrong, OTHERWISE);
}
