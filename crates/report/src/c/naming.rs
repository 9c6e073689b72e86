//! Variables by names that tell them apart.
//!
//! C's scopes allow several variables of one name, and inlining puts those of several functions side by side. A name that only
//! one variable of a thread, or of all, has is shown as it stands. Otherwise it gets as much of this as is needed to be the only
//! one: the function (with the thread's function before it, where that is another), `thr1/release:c`; the line of the
//! declaration, `thr1/release:c@12`; and, for what macros declare twice on a line, its number. What a thread has read and not
//! used yet, which C has no name for, is `read(head)`, or `atomic_exchange(…)` for what a call returned.

use throng_cfa::flow::{Program, Scope, ValueType, Variable, VariableId};

/// The name of one scalar of a variable.
pub(super) fn scalar(program: &Program, id: VariableId, element: usize) -> String {
    let variable = program.variable(id);
    let is_single = variable.length == 1;
    match variable.name.split_once("[]") {
        Some((_, after)) if !after.contains("[]") => self::element(program, id, Some(&element.to_string())),
        _ if is_single => self::element(program, id, None),
        _ => format!("{}[{element}]", self::element(program, id, None)),
    }
}

/// The name of a variable, or of its scalar with this index.
pub(super) fn element(program: &Program, id: VariableId, index: Option<&str>) -> String {
    let variable = program.variable(id);
    let name = match (index, variable.name.split_once("[]")) {
        (Some(index), Some((before, after))) => format!("{before}[{index}]{after}"),
        (Some(index), None) => format!("{}[{index}]", variable.name),
        (None, _) => variable.name.clone(),
    };
    if is_reading(variable) {
        // Of a call, its function says enough.
        let called = name.split_once('(').map(|(function, _)| function.trim_start_matches('_'));
        return match called.map(|function| function.strip_suffix("_n").unwrap_or(function)) {
            Some(function) if !function.is_empty() && function.chars().all(is_word) => {
                format!("{function}(…)")
            }
            _ => format!("read({name})"),
        };
    }
    let (before, after) = marks(program, id);
    format!("{before}{name}{after}")
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// Whether the front end made a variable for what a thread reads in an expression: its name is the expression's text.
pub(super) fn is_reading(variable: &Variable) -> bool {
    variable.is_ghost
        && matches!(variable.scope, Scope::Local(_))
        && variable.ty == ValueType::Integer { is_signed: true }
}

/// What has to stand before and after the name of a variable.
fn marks(program: &Program, id: VariableId) -> (String, String) {
    let rivals = rivals(program, id);
    if rivals.is_empty() {
        return (String::new(), String::new());
    }
    let before = path(program, id).map_or_else(String::new, |path| format!("{path}:"));
    let same_path = |other: &VariableId| path(program, *other) == path(program, id);
    let rivals: Vec<VariableId> = rivals.into_iter().filter(same_path).collect();
    if rivals.is_empty() {
        return (before, String::new());
    }
    let line = line(program, id);
    let after = line.map_or_else(String::new, |line| format!("@{line}"));
    let is_only = !rivals.iter().any(|&other| self::line(program, other) == line);
    let number = if is_only { String::new() } else { format!("#{}", id.index()) };
    (before, format!("{after}{number}"))
}

/// Other variables of the same name that the same thread has, or all have. What the threads of one function share is told from
/// what each of them has by whoever writes their names.
fn rivals(program: &Program, id: VariableId) -> Vec<VariableId> {
    let variable = program.variable(id);
    let is_seen_with = |scope: Scope| match variable.scope {
        Scope::Shared => true,
        Scope::Local(_) => scope == variable.scope || scope == Scope::Shared,
    };
    let all = (0..program.variables.len()).map(VariableId::new);
    let same = all.filter(|&other| {
        let it = program.variable(other);
        let is_named = variable.is_ghost || !it.is_ghost;
        other != id && it.name == variable.name && is_seen_with(it.scope) && is_named
    });
    same.collect()
}

/// The functions that lead to a variable: those of the thread and of the variable.
fn path(program: &Program, id: VariableId) -> Option<String> {
    let variable = program.variable(id);
    let function = variable.function.as_ref();
    match variable.scope {
        Scope::Shared => function.cloned(),
        Scope::Local(template) => {
            let thread = &program.templates[template.index()].name;
            let inner = function.filter(|&function| function != thread);
            Some(inner.map_or_else(|| thread.clone(), |function| format!("{thread}/{function}")))
        }
    }
}

/// Where a variable is declared; for one that the front end made up, where it gets its first value.
fn line(program: &Program, id: VariableId) -> Option<u32> {
    let assigned = || {
        let sets = |edge: &&throng_cfa::flow::Edge| edge.assignments.iter().any(|it| it.target == id);
        let edge = program.edges.iter().find(sets)?;
        Some(program.site(edge.site).position.line)
    };
    program.origins.line_of(id).or_else(assigned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use throng_c_front::lower::{Options, read_text};
    use throng_c_front::preprocess::Preprocessing;

    const TEXT: &str = "\
int x, only;
int nondet(void);
static int release(int c)
{
    static int kept;
    { int c = x; if (c) x = 1; }
    kept = c;
    return x + c + kept;
}
static int other(void) { static int kept; int c = nondet(); kept = c; return kept; }
void thr1(void)
{
    int only_here = nondet();
    int x2 = release(only_here);
    x = x2 + other();
    if (x) only = x2;
    if (only) { ERROR: ; }
}
int main(void)
{
    while (1) { __CPROVER_ASYNC_1: thr1(); }
}
";

    #[test]
    fn variables_of_one_name_are_told_apart() {
        let read = read_text(
            "test.c",
            TEXT,
            &Preprocessing::default(),
            &Options { havoc_calls: true, ..Options::default() },
        );
        let (program, _) = read.unwrap();
        let all = || (0..program.variables.len()).map(VariableId::new);
        let user: Vec<VariableId> = all().filter(|&id| !program.variable(id).is_ghost).collect();
        let names: BTreeSet<String> = user.iter().map(|&id| scalar(&program, id, 0)).collect();
        for name in [
            "thr1/release:c@3",
            "thr1/release:c@6",
            "thr1/other:c",
            "kept@5",
            "kept@10",
            "x",
            "only",
            "only_here",
        ] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        assert_eq!(names.len(), user.len(), "{names:?}");
    }
}
