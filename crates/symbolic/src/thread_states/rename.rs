//! Decision diagrams with other variables in the same order: the nodes stay as they are.

use biodivine_lib_bdd::{Bdd, BddVariable};

/// A diagram over `n_variables` variables with `name(v)` instead of v. Names of the variables that the diagram mentions must be
/// in the same order as these.
pub(crate) fn renamed(diagram: &Bdd, n_variables: usize, name: impl Fn(BddVariable) -> BddVariable) -> Bdd {
    let mut nodes = diagram.clone().to_nodes();
    for (index, node) in nodes.iter_mut().enumerate() {
        // The first two are the constants, which have a variable beyond all others.
        node.var = if index < 2 { BddVariable::from_index(n_variables) } else { name(node.var) };
    }
    Bdd::from_nodes(&nodes).expect("INVARIANT: names are in the order of variables")
}

/// What is new, or everything: whichever has the smaller diagram. What is new by itself is often odd.
pub(crate) fn simpler(new: Bdd, all: &Bdd) -> Bdd {
    if new.size() <= all.size() { new } else { all.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biodivine_lib_bdd::BddVariableSet;

    #[test]
    fn names_in_the_same_order_keep_the_function() {
        let (small, large) = (BddVariableSet::new_anonymous(3), BddVariableSet::new_anonymous(8));
        let (a, b) = (small.variables(), large.variables());
        let of = |set: &BddVariableSet, x, y, z| {
            set.mk_var(x).and(&set.mk_var(y)).or(&set.mk_not_var(z).and(&set.mk_var(x)))
        };
        let diagram = of(&small, a[0], a[1], a[2]);
        let other = renamed(&diagram, 8, |variable| BddVariable::from_index(2 * variable.to_index() + 1));
        assert_eq!(other, of(&large, b[1], b[3], b[5]));
        assert!(renamed(&small.mk_true(), 8, |variable| variable).is_true());
        assert!(renamed(&small.mk_false(), 8, |variable| variable).is_false());
    }
}
