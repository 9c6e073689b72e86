//! Formulas are written in LoLA's notation here: it has everything.

use crate::lola::parse_formula;
use crate::net_draft::NetDraft;
use crate::{Draft, formula};
use throng_base::Source;
use throng_model::{LocalId, bag};

fn draft() -> Draft {
    let mut net = NetDraft::default();
    for place in ["x", "y", "z"] {
        net.place(place);
    }
    Draft::new(net.finish().unwrap())
}

/// The minimal elements as vectors of counts of x, y and z, sorted; or the errors as lines.
fn targets(text: &str) -> Result<Vec<[u32; 3]>, Vec<String>> {
    let found = parse_formula(&Source::from_text("f", text), &draft())
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let counts = |i, bag: &[throng_model::Entry]| bag::count(bag, LocalId::new(i));
    let mut vectors: Vec<_> = found.iter().map(|c| [0, 1, 2].map(|i| counts(i, &c.bag))).collect();
    vectors.sort();
    Ok(vectors)
}

fn refused(text: &str) -> String {
    targets(text).unwrap_err().join("\n")
}

#[test]
fn sums_are_finite_disjunctions() {
    assert_eq!(targets("EF x + y >= 2"), Ok(vec![[0, 2, 0], [1, 1, 0], [2, 0, 0]]));
    assert_eq!(targets("EF 3 * x + 2 * y >= 5"), Ok(vec![[0, 3, 0], [1, 1, 0], [2, 0, 0]]));
    assert_eq!(targets("EF x + x + y >= 3"), Ok(vec![[0, 3, 0], [1, 1, 0], [2, 0, 0]]));
    assert_eq!(targets("EF 2 * (x + y) - y > 1 + 1"), Ok(vec![[0, 3, 0], [1, 1, 0], [2, 0, 0]]));
}

#[test]
fn one_sided_comparisons_of_every_spelling_are_lower_bounds() {
    for text in [
        "x >= 3",
        "x > 2",
        "3 <= x",
        "2 < x",
        "NOT x < 3",
        "NOT (x <= 2)",
        "NOT NOT x >= 3",
        "2 * x >= 5",
        "-x <= -3",
    ] {
        assert_eq!(targets(&format!("EF {text}")), Ok(vec![[3, 0, 0]]), "{text}");
    }
}

#[test]
fn not_zero_is_at_least_one() {
    for text in ["x != 0", "x <> 0", "x # 0", "NOT x = 0", "NOT x <= 0", "0 != x"] {
        assert_eq!(targets(&format!("EF {text}")), Ok(vec![[1, 0, 0]]), "{text}");
    }
}

#[test]
fn trivial_atoms_are_constants() {
    for text in ["x >= 0", "TRUE", "0 = 0", "x >= x", "x + 1 > 0", "2 * x != 3", "x - x = 0", "NOT x < 0"] {
        assert_eq!(targets(&format!("EF {text}")), Ok(vec![[0, 0, 0]]), "{text}");
    }
    for text in ["x < 0", "FALSE", "1 = 2", "x > x", "2 * x = 3", "x + 1 = 0", "NOT x + y >= 0"] {
        assert_eq!(targets(&format!("EF {text}")), Ok(vec![]), "{text}");
    }
}

#[test]
fn conjunction_is_maximum_and_disjunction_union() {
    assert_eq!(targets("EF x >= 1 AND x >= 2 AND y >= 1"), Ok(vec![[2, 1, 0]]));
    assert_eq!(targets("EF x >= 1 OR x >= 2 OR y >= 1 AND x >= 1"), Ok(vec![[1, 0, 0]]));
    assert_eq!(
        targets("EF (x >= 1 OR y >= 1) AND (y >= 1 OR z >= 2)"),
        Ok(vec![[0, 1, 0], [1, 0, 2]]),
        "the maximum of x and y is above y"
    );
    assert_eq!(targets("EF x >= 1 AND FALSE OR z >= 1"), Ok(vec![[0, 0, 1]]));
}

#[test]
fn de_morgan_reaches_the_atoms() {
    assert_eq!(targets("EF NOT (x < 1 OR y < 2)"), Ok(vec![[1, 2, 0]]));
    assert_eq!(targets("EF NOT (x < 1 AND y < 2)"), Ok(vec![[0, 2, 0], [1, 0, 0]]));
    assert_eq!(targets("EF x = 0 -> y >= 1"), Ok(vec![[0, 1, 0], [1, 0, 0]]));
    assert_eq!(targets("AG (x = 0 OR y < 2)"), Ok(vec![[1, 2, 0]]));
}

#[test]
fn exact_counts_are_refused_with_the_one_sided_question() {
    let error = &parse_formula(&Source::from_text("f", "EF y >= 1 AND x + y = 3"), &draft()).unwrap_err()[0];
    assert_eq!(
        error.to_string(),
        "f:1:15: error[E0410]: `=` asks for an exact count: that is a reachability question, not a coverability \
         question (an exact count)"
    );
    assert_eq!(error.hints, ["ask for at least so many: `x + y >= 3`"]);
    assert!(refused("EF NOT x != 2").contains("exact count"));
    assert!(refused("EF x = 0").contains("exact count"));
}

#[test]
fn upper_bounds_and_differences_are_refused() {
    assert!(refused("EF x <= 3").starts_with("f:1:4: error[E0410]: an upper bound on tokens"));
    assert!(refused("AG x >= 3").contains("an upper bound"));
    assert!(refused("EF x >= y").contains("comparing places with each other"));
    assert!(refused("EF x != 2").contains("`!=` holds below the count too"));
    assert!(refused("EF x != y").contains("`!=` holds below"));
}

#[test]
fn all_refused_atoms_are_reported_in_order() {
    let errors = targets("EF x < 3 AND (y = 1 OR NOT z >= 2)").unwrap_err();
    let places: Vec<&str> = errors.iter().map(|error| error.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["f:1:4", "f:1:15", "f:1:28"]);
}

#[test]
fn deep_nesting_needs_no_stack() {
    let open = "(".repeat(90_000);
    let close = ")".repeat(90_000);
    assert_eq!(targets(&format!("EF {open}x >= 1{close}")), Ok(vec![[1, 0, 0]]));
    assert_eq!(targets(&format!("EF {}x >= 1", "NOT ".repeat(90_000))), Ok(vec![[1, 0, 0]]));
    let right_nested = format!("EF {}x >= 1{}", "x >= 1 AND (".repeat(40_000), ")".repeat(40_000));
    assert_eq!(targets(&right_nested), Ok(vec![[1, 0, 0]]));
    let alternating = format!("EF {}x >= 1{}", "x >= 1 AND NOT (".repeat(25_000), ")".repeat(25_000));
    assert!(refused(&alternating).contains("upper bound"));
    assert!(refused(&format!("EF {}", "(".repeat(200_000))).contains("E0413"));
}

#[test]
fn long_chains_take_no_quadratic_time() {
    let conjunction = vec!["x >= 1"; 200_000].join(" AND ");
    assert_eq!(targets(&format!("EF {conjunction}")), Ok(vec![[1, 0, 0]]));
    let sum = vec!["y"; 200_000].join(" + ");
    assert_eq!(targets(&format!("EF {sum} >= 200001")), Ok(vec![[0, 2, 0]]));
}

#[test]
fn explosion_is_an_error() {
    assert!(refused("EF x + y + z >= 1000000").contains("E0412"));
    assert!(refused("EF x >= 4294967295").contains("E0102"));
    let power = |n: usize| format!("EF {}", vec!["4294967294 *"; n].join(" "));
    assert!(refused(&format!("{} x >= 1", power(5))).contains("E0102"));
    assert_eq!(targets(&format!("{} x >= 1", power(3))), Ok(vec![[1, 0, 0]]));
}

#[test]
fn syntax_errors_point_at_the_spot() {
    for (text, expected) in [
        ("EF", "f:1:3: error[E0101]: expected a place, a number or a condition, found the end of the file"),
        ("EF x >= ", "f:1:9: error[E0101]: expected a place, a number or a condition"),
        ("EF (x >= 1", "f:1:11: error[E0101]: expected `)`, found the end of the file"),
        ("EF x >= 1)", "f:1:10: error[E0101]: expected an operator or the end of the formula, found `)`"),
        ("EF x", "f:1:4: error[E0101]: expected a condition, found a sum"),
        ("EF x AND y >= 1", "f:1:4: error[E0101]: expected a condition, found a sum"),
        ("EF 1 <= x <= 3", "f:1:4: error[E0101]: expected a sum, found a condition"),
        ("EF x y", "f:1:6: error[E0101]: expected an operator or the end of the formula, found `y`"),
        ("EF x * y >= 1", "f:1:4: error[E0411]: a product of places is not linear"),
        ("EF w >= 1", "f:1:4: error[E0401]: there is no place called `w`"),
    ] {
        let error = refused(text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn a_formula_over_several_shared_states_asks_in_each() {
    use throng_model::{Names, SystemBuilder};
    let draft = Draft::new(SystemBuilder::new(Names::Numbered(2), Names::Numbered(2)));
    let mut formula = formula::Formula::default();
    let source = Source::from_text("f", "");
    let (left, right) = (formula::Linear::place(LocalId::new(1)), formula::Linear::constant(1));
    let root = formula
        .compare(left, formula::Comparison::GreaterEqual, right, &source, throng_base::Span::new(0, 0))
        .unwrap();
    let targets = formula.targets(root, true, &source, &draft).unwrap();
    assert_eq!(targets.iter().map(|config| config.shared.index()).collect::<Vec<_>>(), [0, 1]);
}
