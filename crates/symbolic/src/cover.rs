//! A decision diagram as few cubes: an irredundant cover by prime implicants.
//!
//! After Minato, "Fast generation of irredundant sum-of-products forms from binary decision diagrams" (SASIMI 1992). Cubes that
//! cannot be larger keep the states of a search few: what does not matter is not mentioned. Cubes may overlap.

use biodivine_lib_bdd::{Bdd, BddVariable};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values that a cube demands.
pub(crate) type Literals = Vec<(BddVariable, bool)>;

/// Cubes whose union is the diagram. Each is as large as possible, and none is superfluous.
pub(crate) fn cover(diagram: &Bdd) -> Vec<Literals> {
    if diagram.is_clause() {
        // The usual case, which may be deep.
        return diagram.first_clause().map(|clause| clause.to_values()).into_iter().collect();
    }
    cover_between(diagram, diagram)
}

/// Cubes whose union contains `lower` and is contained in `upper`.
pub(crate) fn cover_between(lower: &Bdd, upper: &Bdd) -> Vec<Literals> {
    between(lower, upper, &mut Known::default()).0.clone()
}

/// Cubes, and the diagram of their union.
type Covered = Rc<(Vec<Literals>, Bdd)>;

/// What was found before. Diagrams of many independent parts ask the same again and again.
type Known = FxHashMap<(Bdd, Bdd), Covered>;

/// Smaller diagrams are covered in less time than it takes to look them up.
const WORTH_KNOWING: usize = 6;

/// Cubes whose union contains `lower` and is contained in `upper`, and the diagram of the union.
fn between(lower: &Bdd, upper: &Bdd, known: &mut Known) -> Covered {
    if lower.is_false() {
        return Rc::new((Vec::new(), lower.clone()));
    }
    if upper.is_true() {
        return Rc::new((vec![Vec::new()], upper.clone()));
    }
    if lower.size() < WORTH_KNOWING {
        return split(lower, upper, known);
    }
    let key = (lower.clone(), upper.clone());
    if let Some(covered) = known.get(&key) {
        return Rc::clone(covered);
    }
    let covered = split(lower, upper, known);
    known.insert(key, Rc::clone(&covered));
    covered
}

/// The same for diagrams that are not constant.
fn split(lower: &Bdd, upper: &Bdd, known: &mut Known) -> Covered {
    let top = |diagram: &Bdd| diagram.var_of(diagram.root_pointer());
    // Constants have a variable beyond all others.
    let variable = top(lower).min(top(upper));
    let half = |diagram: &Bdd, value: bool| diagram.var_restrict(variable, value);
    let (lower0, lower1) = (half(lower, false), half(lower, true));
    let (upper0, upper1) = (half(upper, false), half(upper, true));
    // What only one of the halves can have needs the variable; the rest does not.
    let covered0 = between(&lower0.and_not(&upper1), &upper0, known);
    let covered1 = between(&lower1.and_not(&upper0), &upper1, known);
    let rest = lower0.and_not(&covered0.1).or(&lower1.and_not(&covered1.1));
    let both = between(&rest, &upper0.and(&upper1), known);
    let with = |covered: &Covered, value: bool| -> Vec<Literals> {
        let longer = |cube: &Literals| cube.iter().copied().chain([(variable, value)]).collect();
        covered.0.iter().map(longer).collect()
    };
    let cubes = [with(&covered0, false), with(&covered1, true), both.0.clone()].concat();
    let union = with_literal(&covered0.1, variable, false).or(&with_literal(&covered1.1, variable, true));
    Rc::new((cubes, union.or(&both.1)))
}

fn with_literal(diagram: &Bdd, variable: BddVariable, value: bool) -> Bdd {
    diagram.var_select(variable, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use biodivine_lib_bdd::BddVariableSet;

    #[test]
    fn covers_are_exact_and_prime() {
        let set = BddVariableSet::new_anonymous(4);
        let variables = set.variables();
        // All functions of four variables that a small linear sequence gives.
        let mut table = 1_u16;
        for _ in 0..500 {
            table = table.wrapping_mul(25_173).wrapping_add(13_849);
            let minterms = (0..16_usize).filter(|row| table >> row & 1 == 1);
            let diagram = minterms.fold(set.mk_false(), |all, row| {
                let literals = variables.iter().enumerate().map(|(i, &v)| (v, row >> i & 1 == 1));
                let literals: Vec<_> = literals.collect();
                all.or(&set.mk_true().select(&literals))
            });
            let cubes = cover(&diagram);
            let union = cubes.iter().fold(set.mk_false(), |all, cube| all.or(&set.mk_true().select(cube)));
            assert_eq!(union, diagram);
            for cube in &cubes {
                for left_out in 0..cube.len() {
                    let mut larger = cube.clone();
                    larger.remove(left_out);
                    let larger = set.mk_true().select(&larger);
                    assert!(!larger.and_not(&diagram).is_false(), "not prime");
                }
            }
        }
    }
}
