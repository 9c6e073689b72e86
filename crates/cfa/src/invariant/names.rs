//! What names in predicates stand for: shared variables and those of the threads that a predicate is about.

use super::parse::{Context, TextError, TextErrorKind};
use super::print::variable_text;
use crate::flow::{Program, Scope, ValueType, VariableId};
use std::ops::Range;

/// A name as it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// The names that it may mean, the first that exists.
    pub(super) names: Vec<String>,
    /// The number after `#`.
    pub(super) number: Option<usize>,
    /// Whether it ends in `$`.
    pub(super) is_passive: bool,
    /// Where it stands.
    pub(super) range: Range<usize>,
}

/// The variable that a name means, and whether it is the passive thread's.
pub(super) fn resolve(
    program: &Program,
    context: Context,
    name: &Written,
) -> Result<(VariableId, bool), TextError> {
    let all = |name: &str| -> Vec<VariableId> {
        let ids = (0..program.variables.len()).map(VariableId::new);
        ids.filter(|&id| program.variable(id).name == name).collect()
    };
    let mut known = name.names.iter().map(|name| all(name)).find(|ids| !ids.is_empty()).unwrap_or_default();
    let shown = name.names.iter().min_by_key(|name| name.len()).map_or("", String::as_str);
    if known.is_empty() {
        return Err(unknown(program, context, name, shown));
    }
    if let Some(number) = name.number {
        known.retain(|id| id.index() == number);
        if known.is_empty() {
            let message = format!("variable {number} is not called `{shown}`");
            return Err(error(name, message, ""));
        }
    }
    let meant: Vec<(VariableId, bool)> = known
        .iter()
        .filter_map(|&id| Some((id, is_passive(program, context, id, name.is_passive)?)))
        .collect();
    match meant[..] {
        [one] => Ok(one),
        [] => Err(out_of_scope(program, name, shown, &known)),
        _ => {
            let words = meant.iter().map(|&(id, _)| described(program, id));
            let words = words.collect::<Vec<_>>().join(", ");
            Err(error(name, format!("several variables are called `{shown}`"), format!("one of {words}")))
        }
    }
}

/// Whether a variable is the passive thread's, if this predicate is about it at all.
fn is_passive(program: &Program, context: Context, id: VariableId, is_marked: bool) -> Option<bool> {
    match program.variable(id).scope {
        Scope::Shared => (!is_marked).then_some(false),
        Scope::Local(template) if is_marked || context.is_all => {
            (context.passive == Some(template)).then_some(true)
        }
        Scope::Local(template) => (context.active == Some(template)).then_some(false),
    }
}

fn out_of_scope(program: &Program, name: &Written, shown: &str, known: &[VariableId]) -> TextError {
    let owners = known.iter().map(|&id| described(program, id)).collect::<Vec<_>>().join(", ");
    if name.is_passive && known.iter().all(|&id| program.variable(id).scope == Scope::Shared) {
        return error(name, format!("`{shown}` is shared, so no other thread has one of its own"), "no `$`");
    }
    let whose = if name.is_passive { "the passive thread" } else { "the thread that this is about" };
    error(name, format!("{whose} has no variable `{shown}`"), format!("there is {owners}"))
}

fn unknown(program: &Program, context: Context, name: &Written, shown: &str) -> TextError {
    let is_near = |other: &str| other.eq_ignore_ascii_case(shown) || other.ends_with(&format!(".{shown}"));
    let ids = (0..program.variables.len()).map(VariableId::new);
    let near = ids.filter(|&id| {
        is_near(&program.variable(id).name) && is_passive(program, context, id, name.is_passive).is_some()
    });
    let near: Vec<String> = near.take(3).map(|id| format!("`{}`", variable_text(program, id))).collect();
    let expected = if near.is_empty() { String::new() } else { format!("perhaps {}", near.join(" or ")) };
    error(name, format!("no variable is called `{shown}`"), expected)
}

/// `x#3 (local to worker, of function f)`.
fn described(program: &Program, id: VariableId) -> String {
    let variable = program.variable(id);
    let owner = match variable.scope {
        Scope::Shared => "shared".to_owned(),
        Scope::Local(template) => format!("local to {}", super::template_text(program, template)),
    };
    let function = variable.function.as_deref().map(|name| format!(", of {name}")).unwrap_or_default();
    format!("`{}` ({owner}{function})", variable_text(program, id))
}

/// The value of an enumeration's constant, or of `NULL`.
pub(super) fn constant_named(program: &Program, name: &str) -> Option<u128> {
    if name == "NULL" {
        return Some(0);
    }
    program.variables.iter().find_map(|variable| match &variable.ty {
        ValueType::Enumeration(names) => {
            names.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
        }
        _ => None,
    })
}

fn error(name: &Written, message: String, expected: impl Into<String>) -> TextError {
    TextError { kind: TextErrorKind::Name, range: name.range.clone(), message, expected: expected.into() }
}
