//! What has no meaning is refused, and nothing panics.

use super::*;
use throng_check::Condition;

/// Refused for its form, not because a proof fails.
fn refused(claim: &Claim, change: impl Fn(&mut Invariant)) {
    let mut invariant = claim.invariant.clone();
    change(&mut invariant);
    let rejection =
        check_invariant(&claim.program, &invariant, &Budget::unlimited()).expect_err("no meaning");
    assert_eq!(rejection.condition, Condition::Form, "{rejection}");
}

#[test]
fn predicates_and_elements_have_to_fit() {
    let mut w = workers();
    let (s, x) = (w.b.shared(2), w.b.local(w.worker, 1));
    let (main, worker, start, entry) = (w.main, w.worker, w.start, w.entry);
    let mut claim = Claim::about(w.b);
    let shared = claim.is(s, 3);
    let shared = claim.shared(shared);
    let (mine, theirs) = (claim.is(x, 1), claim.theirs_is(x, 1));
    let both = claim.e().and(mine, theirs);
    let pair = claim.predicate(both, Some(worker), Some((worker, &[entry])));
    let own = claim.predicate(mine, Some(worker), None);
    claim.never(&[start, entry, entry], &[(shared, Of::State, true), (pair, Of::Pair(1, 2), true)]);
    claim.is_true();
    let of = |of: Of| move |invariant: &mut Invariant| invariant.elements[0].literals[1].of = of;
    for wrong in [
        Of::State,
        Of::Thread(0),
        Of::Thread(3),
        Of::Pair(1, 1),
        Of::Pair(0, 1),
        Of::Pair(1, 0),
        Of::Pair(1, 3),
        Of::Pair(3, 1),
    ] {
        refused(&claim, of(wrong));
    }
    refused(&claim, |i| i.elements[0].literals[0].of = Of::Thread(0));
    refused(&claim, |i| i.elements[0].literals[0].predicate = PredicateId::new(99));
    refused(&claim, |i| i.elements[0].threads[0] = LocationId::new(99));
    let at =
        |i: &mut Invariant, change: &dyn Fn(&mut Predicate)| change(&mut i.predicates.list[pair.index()]);
    refused(&claim, |i| at(i, &|it| it.active = None));
    refused(&claim, |i| at(i, &|it| it.active = Some(main)));
    refused(&claim, |i| at(i, &|it| it.active = Some(TemplateId::new(9))));
    refused(&claim, |i| at(i, &|it| it.passive = None));
    for scope in [vec![start], vec![entry, LocationId::new(99)]] {
        let party = Some(Party { template: worker, scope });
        refused(&claim, |i| at(i, &|it| it.passive = party.clone()));
    }
    let party = |template| Some(Party { template, scope: Vec::new() });
    refused(&claim, |i| at(i, &|it| it.passive = party(main)));
    refused(&claim, |i| at(i, &|it| it.passive = party(TemplateId::new(9))));
    refused(&claim, |i| at(i, &|it| it.expression = ExpressionId::new(999)));
    refused(&claim, |i| i.predicates.list[own.index()].active = Some(main));
}

#[test]
fn expressions_have_to_fit() {
    let mut w = workers();
    let (s, t) = (w.b.shared(2), w.b.shared(3));
    w.b.is(s, 1);
    let claim = Claim::about(w.b);
    let made = |i: &mut Invariant, expression: Expression, bits: u32| {
        let id = i.predicates.expressions.insert(expression, bits);
        i.predicates.list.push(Predicate { expression: id, active: None, passive: None });
    };
    let variables = |i: &mut Invariant| {
        let e = &mut i.predicates.expressions;
        (e.insert(Expression::Variable(s), 2), e.insert(Expression::Variable(t), 3))
    };
    refused(&claim, |i| {
        let (s, t) = variables(i);
        made(i, Expression::Binary(BinaryOperator::Equal, s, t), 1);
    });
    refused(&claim, |i| {
        let (s, _) = variables(i);
        made(i, Expression::Binary(BinaryOperator::Add, s, s), 1);
    });
    refused(&claim, |i| {
        let (s, _) = variables(i);
        made(i, Expression::Extract { operand: s, low: u32::MAX }, 1);
    });
    refused(&claim, |i| made(i, Expression::Variable(s), 1));
    refused(&claim, |i| made(i, Expression::Variable(VariableId::new(99)), 1));
    refused(&claim, |i| made(i, Expression::Constant(2), 1));
    refused(&claim, |i| made(i, Expression::Nondet(NondetId::new(0)), 1));
    refused(&claim, |i| made(i, Expression::NewThread, 1));
    refused(&claim, |i| made(i, Expression::ThisThread, 1));
    refused(&claim, |i| made(i, Expression::Constant(1), 2));
    // A table that is not the program's, or in which operands come later.
    refused(&claim, |i| i.predicates.expressions = Expressions::default());
    refused(&claim, |i| {
        let mut other = Expressions::default();
        for index in 0..claim.program.expressions.len() {
            other.insert(Expression::Constant(index as u128), 8);
        }
        i.predicates.expressions = other;
    });
    refused(&claim, |i| {
        let later = ExpressionId::new(i.predicates.expressions.len() + 1);
        made(i, Expression::Unary(UnaryOperator::Not, later), 1);
        i.predicates.expressions.insert(Expression::Constant(0), 1);
    });
}
