//! Where words are taken apart: the bits at which fields of packed words begin, as masks, shifts and large constants of the program show.
//!
//! Nothing is decided here: a word that is no packed one has fields that nobody needs.

use std::collections::BTreeSet;
use throng_cfa::flow::{BinaryOperator, Expression, ExpressionId, Program, Scope};

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    /// Its lowest bit.
    pub(crate) low: u32,
    /// How many bits it has.
    pub(crate) bits: u32,
}

/// Words with more fields than this are not packed ones.
const MOST_FIELDS: usize = 4;
/// Smaller constants are numbers that are counted with.
const LARGE: u128 = 1 << 8;

/// The fields of words of this width, in the order of their bits; none if words are not taken apart.
pub(crate) fn fields(program: &Program, width: u32) -> Vec<Field> {
    let table = &program.expressions;
    let mut cuts: BTreeSet<u32> = BTreeSet::new();
    for index in 0..table.len() {
        let id = ExpressionId::new(index);
        let Expression::Binary(operator, a, b) = table.get(id) else { continue };
        if table.bits(a) != width {
            continue;
        }
        for (constant, other) in [(b, a), (a, b)] {
            let (Some(value), None) = (table.as_constant(constant), table.as_constant(other)) else {
                continue;
            };
            match operator {
                BinaryOperator::And => cuts.extend(runs(value, width)),
                BinaryOperator::ShiftRightLogical | BinaryOperator::ShiftRightArithmetic
                    if constant == b && value < u128::from(width) =>
                {
                    cuts.insert(value as u32);
                }
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Or
                    if value >= LARGE && value.count_ones() <= 2 =>
                {
                    cuts.insert(127 - value.leading_zeros());
                }
                _ => {}
            }
        }
    }
    cuts.retain(|&cut| cut > 0 && cut < width);
    if cuts.is_empty() || cuts.len() >= MOST_FIELDS {
        return Vec::new();
    }
    let ends = cuts.iter().copied().chain([width]);
    let begins = std::iter::once(0).chain(cuts.iter().copied());
    begins.zip(ends).map(|(low, end)| Field { low, bits: end - low }).collect()
}

/// Where runs of ones begin and end.
fn runs(value: u128, width: u32) -> Vec<u32> {
    let bit = |at: u32| value >> at & 1;
    (1..width.min(128)).filter(|&at| bit(at) != bit(at - 1)).collect()
}

/// Whether a variable is a shared word of its own.
pub(crate) fn is_shared_word(program: &Program, index: usize) -> bool {
    let variable = &program.variables[index];
    variable.scope == Scope::Shared && variable.length == 1
}
