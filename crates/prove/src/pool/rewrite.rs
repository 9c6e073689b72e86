//! Expressions with other leaves.

use rustc_hash::FxHashMap;
use throng_cfa::flow::{Expression, ExpressionId, Expressions, UnaryOperator};

/// An expression in which leaves are replaced; `leaf` says by what. Parts of elements are replaced first, then the
/// element itself is asked about. What changes is simplified.
pub(crate) fn rewrite(
    e: &mut Expressions,
    id: ExpressionId,
    leaf: &mut dyn FnMut(&mut Expressions, Expression, u32) -> Option<ExpressionId>,
) -> ExpressionId {
    let mut done: FxHashMap<ExpressionId, ExpressionId> = FxHashMap::default();
    let mut stack = vec![id];
    while let Some(&top) = stack.last() {
        let open: Vec<_> = e.operands(top).filter(|it| !done.contains_key(it)).collect();
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        stack.pop();
        if !done.contains_key(&top) {
            let new = rebuilt(e, top, &done, leaf);
            done.insert(top, new);
        }
    }
    done[&id]
}

/// An expression whose operands are done.
fn rebuilt(
    e: &mut Expressions,
    id: ExpressionId,
    done: &FxHashMap<ExpressionId, ExpressionId>,
    leaf: &mut dyn FnMut(&mut Expressions, Expression, u32) -> Option<ExpressionId>,
) -> ExpressionId {
    let bits = e.bits(id);
    match e.get(id) {
        Expression::Element(variable, index) => {
            let element = Expression::Element(variable, done[&index]);
            leaf(e, element, bits).unwrap_or_else(|| e.insert(element, bits))
        }
        Expression::HasEnded(a) => e.insert(Expression::HasEnded(done[&a]), bits),
        Expression::ResultOf(a) => e.insert(Expression::ResultOf(done[&a]), bits),
        Expression::Unary(UnaryOperator::Not, a) => e.not(done[&a]),
        Expression::Unary(UnaryOperator::Negate, a) => e.negate(done[&a]),
        Expression::Binary(operator, a, b) => e.binary(operator, done[&a], done[&b]),
        Expression::IfThenElse(a, b, c) => e.if_then_else(done[&a], done[&b], done[&c]),
        Expression::Extend { operand, is_signed } => e.resize(done[&operand], bits, is_signed),
        Expression::Extract { operand, low } => e.extract(done[&operand], low, bits),
        it => leaf(e, it, bits).unwrap_or(id),
    }
}
