//! The file of predicates that `--save-predicates` writes and `--resume` reads: in the language of `--predicates`.

use throng_cfa::flow::Program;
use throng_cfa::invariant::{Predicate, Predicates, expression_text, template_text};

/// The text of the file. Predicates that the language cannot express are left out, which a comment says.
pub(super) fn file(program: &Program, predicates: &Predicates) -> String {
    let mut text =
        String::from("// Predicates of a proof, written by throng: `throng check --resume` reads them.\n");
    for predicate in &predicates.list {
        match expression_text(program, &predicates.expressions, predicate.expression) {
            Ok(condition) => text.push_str(&format!("{}{condition}\n", prefix(program, predicate))),
            Err(why) => text.push_str(&format!("// left out: {why}\n")),
        }
    }
    text
}

/// Whom a predicate is about, before its condition.
fn prefix(program: &Program, predicate: &Predicate) -> String {
    let name = |template| template_text(program, template);
    match (predicate.active, &predicate.passive) {
        (None, None) => String::new(),
        (Some(active), None) => format!("{}: ", name(active)),
        (None, Some(party)) => format!("all {}: ", name(party.template)),
        (Some(active), Some(party)) => format!("{}, {}: ", name(active), name(party.template)),
    }
}
