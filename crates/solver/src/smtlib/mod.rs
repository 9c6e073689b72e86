//! Formulas as SMT-LIB 2 scripts (logic QF_BV), and solvers of other people that read them.
//!
//! Nothing depends on such a solver: it is there to compare with, and for questions that are too hard for
//! ours. What it answers is not trusted more than what ours does; models are checked.
//!
//! Every term of the arena becomes a definition, parts first, so scripts are as long as the formulas have
//! different parts, and no deeper than one operation. Truth values are vectors of one bit.

mod process;

pub use process::{SmtError, SmtProcess};

use crate::terms::{Node, Op, TermId, Terms, VarId};
use std::fmt::Write;

/// Declarations of the variables, definitions of the terms and assertions of the formulas: everything but
/// `(set-logic QF_BV)` and `(check-sat)`. The variable with number i is called `v`i.
pub fn script(terms: &Terms, formulas: &[TermId]) -> String {
    let mut text = String::new();
    for term in terms.subterms(formulas) {
        let width = terms.width(term);
        // Writing to a string does not fail.
        let _ = match terms.node(term) {
            Node::Constant(_) => Ok(()),
            Node::Variable(variable) => {
                writeln!(text, "(declare-const {} (_ BitVec {width}))", variable_symbol(variable))
            }
            node => {
                let definition = definition(terms, node, width);
                writeln!(text, "(define-fun t{} () (_ BitVec {width}) {definition})", term.raw())
            }
        };
    }
    for &formula in formulas {
        let _ = writeln!(text, "(assert (= {} #b1))", symbol(terms, formula));
    }
    text
}

/// How a variable is called in a script.
fn variable_symbol(variable: VarId) -> String {
    format!("v{}", variable.raw())
}

/// How a term is called where it is used.
fn symbol(terms: &Terms, term: TermId) -> String {
    match terms.node(term) {
        Node::Constant(value) => format!("(_ bv{value} {})", terms.width(term)),
        Node::Variable(variable) => variable_symbol(variable),
        _ => format!("t{}", term.raw()),
    }
}

/// What a term that is neither a constant nor a variable is equal to.
fn definition(terms: &Terms, node: Node, width: u32) -> String {
    let symbol = |term| symbol(terms, term);
    match node {
        Node::Constant(_) | Node::Variable(_) => String::new(),
        Node::Not(a) => format!("(bvnot {})", symbol(a)),
        Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", symbol(c), symbol(a), symbol(b)),
        Node::ZeroExtend(a) => format!("((_ zero_extend {}) {})", width - terms.width(a), symbol(a)),
        Node::SignExtend(a) => format!("((_ sign_extend {}) {})", width - terms.width(a), symbol(a)),
        Node::Extract(a, low) => format!("((_ extract {} {low}) {})", low + width - 1, symbol(a)),
        Node::Binary(op @ (Op::Eq | Op::Ult | Op::Slt), a, b) => {
            format!("(ite ({} {} {}) #b1 #b0)", name(op), symbol(a), symbol(b))
        }
        Node::Binary(op, a, b) => format!("({} {} {})", name(op), symbol(a), symbol(b)),
    }
}

/// What SMT-LIB calls an operation.
fn name(op: Op) -> &'static str {
    match op {
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::URem => "bvurem",
        Op::SDiv => "bvsdiv",
        Op::SRem => "bvsrem",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Eq => "=",
        Op::Ult => "bvult",
        Op::Slt => "bvslt",
        Op::Concat => "concat",
    }
}
