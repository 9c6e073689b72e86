//! Faults in slices and in the frame of what is made of a program, one each.

#[path = "../../explore/tests/common/mod.rs"]
mod common;
#[path = "reduction/faults.rs"]
mod faults;
mod reduction;

use common::Builder;
use faults::{Code, atomic, check};
use reduction::unmerged;
use throng_cfa::flow::*;
use throng_check::c::check_sliced;

#[test]
fn slices_that_are_wrong() {
    // y = 1; x = y; if (x) error; z = x
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (x, y, z) = (b.shared(1), b.shared(1), b.shared(1));
    let mut code = Code { b: &mut b, template: main, at: start };
    code.set(y, 1);
    code.copy(x, y);
    code.fails_if(x, 1);
    code.copy(z, x);
    let program = b.finish();
    let without = |gone: VariableId| {
        let mut sliced = program.clone();
        sliced.edges.iter_mut().for_each(|edge| edge.assignments.retain(|it| it.target != gone));
        check_sliced(&program, &sliced).map_err(|rejection| rejection.to_string())
    };
    assert_eq!(without(z), Ok(()));
    for gone in [x, y] {
        assert!(without(gone).is_err_and(|why| why.contains("it was sliced away, but it is read")));
    }
    let faults: [&dyn Fn(&mut Program); 5] = [
        &|sliced| sliced.edges[0].guard = sliced.expressions.truth(false),
        &|sliced| sliced.edges[1].to = sliced.edges[0].to,
        &|sliced| sliced.edges[0].assignments[0].value = sliced.expressions.truth(false),
        &|sliced| {
            let more = sliced.edges[1].assignments[0].clone();
            sliced.edges[0].assignments.push(more);
        },
        &|sliced| drop(sliced.edges.pop()),
    ];
    for fault in faults {
        let mut sliced = program.clone();
        fault(&mut sliced);
        assert!(check_sliced(&program, &sliced).is_err());
    }
}

#[test]
fn frames_that_are_wrong() {
    let (program, _) = atomic();
    let error = program.locations.iter().position(|it| it.kind != LocationKind::Inner).expect("an error");
    let faults: [&dyn Fn(&mut Program); 6] = [
        &|wrong| wrong.locations[error].kind = LocationKind::End,
        &|wrong| wrong.variables[0].initial = Some(vec![1]),
        &|wrong| wrong.variables[1].bits = 2,
        &|wrong| wrong.templates[1].entry = LocationId::new(error),
        &|wrong| wrong.main = TemplateId::new(1),
        &|wrong| wrong.locations[0].edges.1 = 0,
    ];
    for fault in faults {
        let mut wrong = unmerged(&program);
        fault(&mut wrong.program);
        assert!(check(&program, &wrong).is_err());
        let mut sliced = program.clone();
        fault(&mut sliced);
        assert!(check_sliced(&program, &sliced).is_err());
    }
}

/// Slices with another code started, another thread woken, or without a result that is asked for.
#[test]
fn slices_with_other_effects() {
    let mut b = Builder::new();
    let (main, start) = b.template();
    let (worker, entry) = b.template();
    let (result, woken) = (b.local(worker, 1), b.local(worker, 1));
    b.program.templates[worker.index()].result = Some(result);
    let (started, last, error, end) = (b.inner(main), b.inner(main), b.error(main), b.end(worker));
    let (one, number) = (b.constant(1, 1), b.constant(2, 8));
    b.edge(start, started, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    let update = PassiveUpdate { template: worker, guard: one, assignments: vec![(woken, one)] };
    b.edge(started, last, None, &[], Some(Effect::Broadcast(vec![update])));
    let look = b.program.expressions.insert(Expression::ResultOf(number), 1);
    b.edge(last, error, Some(look), &[], None);
    let is_woken = b.get(woken);
    b.edge(entry, end, None, &[(result, None, is_woken)], None);
    let program = b.finish();
    assert!(check_sliced(&program, &program).is_ok());
    type Fault<'a> = &'a dyn Fn(&mut Edge, ExpressionId);
    let faults: [Fault<'_>; 3] = [
        &|edge, _| edge.assignments.clear(),
        &|edge, never| {
            if let Some(Effect::Broadcast(updates)) = &mut edge.effect {
                updates[0].guard = never;
            }
        },
        &|edge, _| {
            if let Some(Effect::Spawn { template, .. }) = &mut edge.effect {
                *template = main;
            }
        },
    ];
    for fault in faults {
        let mut wrong = program.clone();
        let never = wrong.expressions.truth(false);
        wrong.edges.iter_mut().for_each(|edge| fault(edge, never));
        assert!(check_sliced(&program, &wrong).is_err());
    }
}
