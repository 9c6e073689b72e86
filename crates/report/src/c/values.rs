//! Values as C would write them.

use super::naming;
use throng_cfa::flow::{Program, ValueType, VariableId};

/// A value of a type and width.
pub(super) fn value(program: &Program, ty: &ValueType, bits: u32, value: u128) -> String {
    match ty {
        ValueType::Bool | ValueType::Integer { is_signed: false } | ValueType::Thread => value.to_string(),
        ValueType::Integer { is_signed: true } => signed(value, bits).to_string(),
        ValueType::Enumeration(constants) => {
            let name =
                constants.iter().find(|&&(_, constant)| constant == value).map(|(name, _)| name.clone());
            name.unwrap_or_else(|| signed(value, bits).to_string())
        }
        ValueType::Pointer => program.address_name(value),
    }
}

fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// `name=value` for one scalar of a variable.
pub(super) fn assignment(program: &Program, id: VariableId, element: usize, now: u128) -> String {
    let variable = program.variable(id);
    let shown = value(program, &variable.ty, variable.bits, now);
    format!("{}={shown}", naming::scalar(program, id, element))
}
