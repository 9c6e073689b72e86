//! Conditions on variables of abstract programs, in postorder.

use throng_boolprog::expression::{Node, Operator};
use throng_boolprog::flow::{Expression, Reference, VariableId};

pub(super) fn constant(value: bool) -> Expression {
    Expression::from_postorder(vec![Node::Constant(value)]).expect("INVARIANT: a leaf is an expression")
}

pub(super) fn read(variable: VariableId, is_next: bool, is_passive: bool) -> Expression {
    let node = Node::Read(Reference { variable, is_next, is_passive });
    Expression::from_postorder(vec![node]).expect("INVARIANT: a leaf is an expression")
}

/// The condition that not all of these bits have these values.
pub(super) fn clause(cube: impl Iterator<Item = (Reference, bool)>) -> Vec<Node<Reference>> {
    let mut nodes = Vec::new();
    for (bit, value) in cube {
        let is_first = nodes.is_empty();
        nodes.push(Node::Read(bit));
        if value {
            nodes.push(Node::Not);
        }
        if !is_first {
            nodes.push(Node::Binary(Operator::Or));
        }
    }
    if nodes.is_empty() {
        nodes.push(Node::Constant(false));
    }
    nodes
}

/// The condition that the bits are one of the models, as a tree of decisions.
pub(super) fn tree(models: &[u64], bits: &[Reference], first: usize, nodes: &mut Vec<Node<Reference>>) {
    let left = bits.len() - first;
    if models.is_empty() || left < 64 && models.len() == 1 << left {
        nodes.push(Node::Constant(!models.is_empty()));
        return;
    }
    let (yes, no): (Vec<u64>, Vec<u64>) = models.iter().partition(|&&it| it >> first & 1 == 1);
    let strip = |it: &u64| it & !(1 << first);
    if yes.len() == no.len() && yes.iter().map(strip).eq(no.iter().copied()) {
        tree(&no, bits, first + 1, nodes);
        return;
    }
    let side = |models: &[u64], is_set: bool, nodes: &mut Vec<Node<Reference>>| {
        nodes.push(Node::Read(bits[first]));
        if !is_set {
            nodes.push(Node::Not);
        }
        tree(models, bits, first + 1, nodes);
        nodes.push(Node::Binary(Operator::And));
    };
    match (yes.is_empty(), no.is_empty()) {
        (false, true) => side(&yes, true, nodes),
        (true, _) => side(&no, false, nodes),
        (false, false) => {
            side(&yes, true, nodes);
            side(&no, false, nodes);
            nodes.push(Node::Binary(Operator::Or));
        }
    }
}
