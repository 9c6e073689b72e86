//! The abstract program as a text, in the syntax of Boolean programs with passive variables.
//!
//! A location is a label, at which one of its edges is chosen; what an edge does follows. Comments say which predicate a variable
//! stands for and what an edge is in the C program.
//!
//! All code stands in one function: threads begin at labels of it, with a copy of the variables of the thread that starts them. A new thread
//! counts nowhere until it begins, as in the program that the loop checks: so the thread that starts it counts nowhere either
//! for that moment, in an atomic section. The other variables get values when the thread begins, and nobody looks at
//! them before.

use crate::program::{AbstractProgram, Origin, scope_name};
use crate::relate::Context;
use std::fmt::Write;
use throng_boolprog::flow::{self as boolean, AssignmentId, Effect};
use throng_cfa::flow::{LocationKind, Program, TemplateId};
use throng_cfa::invariant::expression_text;

/// The text.
pub(crate) fn text(context: &Context<'_>, made: &AbstractProgram) -> String {
    let mut out = String::new();
    declare(context, made, &mut out);
    let program = context.program;
    out.push_str("\nvoid main()\nbegin\n");
    let mut labels = Vec::new();
    // The first thread's code comes first; threads with the same code that others start begin elsewhere.
    code(context, made, program.main, program.templates.len(), &mut labels, &mut out);
    for template in TemplateId::all(program.templates.len()) {
        if template != program.main || !context.main_is_single {
            code(context, made, template, template.index(), &mut labels, &mut out);
        }
    }
    out.push_str("end\n");
    out
}

fn declare(context: &Context<'_>, made: &AbstractProgram, out: &mut String) {
    let program = context.program;
    for (index, predicate) in context.predicates.list.iter().enumerate() {
        let shown = expression_text(program, &context.predicates.expressions, predicate.expression);
        let shown = shown.unwrap_or_else(|_| "…".to_owned());
        let whose = match predicate.active {
            Some(template) => format!(" in {}", program.templates[template.index()].name),
            None => String::new(),
        };
        let _ =
            writeln!(out, "// b{index}: {} {}{whose}", predicate.kind().words(), shown.replace('\n', " "));
    }
    let all = |variables: &[boolean::Variable]| -> Vec<String> {
        variables.iter().map(|it| made.program.text(it.name).to_owned()).collect()
    };
    let (shared, own) = (all(made.program.shared()), all(made.program.locals()));
    for (word, names) in [("decl", shared), ("thread_local decl", own)] {
        if !names.is_empty() {
            let _ = writeln!(out, "{word} {};", names.join(", "));
        }
    }
}

/// The code of threads of a template that begin at this place, where it is not there yet.
fn code(
    context: &Context<'_>,
    made: &AbstractProgram,
    template: TemplateId,
    beginning: usize,
    labels: &mut Vec<String>,
    out: &mut String,
) {
    let program = context.program;
    let _ = writeln!(out, "// {}", program.templates[template.index()].name);
    let begin = format!("B{beginning}");
    let mut next = labels.len();
    labels.push(begin.clone());
    // In the order in which a walk from the beginning meets them.
    while let Some(label) = labels.get(next).cloned() {
        next += 1;
        let at = made.program.locations_with_label(&label).and_then(|it| it.first().copied());
        let Some(at) = at else { continue };
        let first = made.program.first_edge(at) as usize;
        let edges = made.program.outgoing(at);
        let kind = made.location(at).map(|it| program.location(it).kind);
        if matches!(kind, Some(LocationKind::Error(_))) {
            let _ = writeln!(out, "{label}: assert(0);");
            continue;
        }
        // One edge needs no choice.
        let choices: Vec<String> = match edges.len() {
            1 => vec![label.clone()],
            n => (0..n).map(|it| format!("{label}_{it}")).collect(),
        };
        match choices.len() {
            0 => drop(writeln!(out, "{label}: end_thread;")),
            1 => {}
            _ => drop(writeln!(out, "{label}: goto {};", choices.join(", "))),
        }
        for (number, edge) in edges.iter().enumerate() {
            let Some(to) = edge.to else { continue };
            let to = made.program.labels(to).next().unwrap_or(&begin).to_owned();
            comment(program, made.origins[first + number], out);
            let _ = write!(out, "{}: ", choices[number]);
            statement(context, made, *edge, out);
            let _ = writeln!(out, " goto {to};");
            if !labels.contains(&to) {
                labels.push(to);
            }
        }
    }
}

fn comment(program: &Program, origin: Origin, out: &mut String) {
    if let Origin::Edge(edge) | Origin::Before(edge) = origin {
        let site = program.site(program.edge(edge).site);
        let _ = writeln!(out, "// line {}: {}", site.position.line, site.text.replace('\n', " "));
    }
}

fn statement(context: &Context<'_>, made: &AbstractProgram, edge: boolean::Edge, out: &mut String) {
    let is_atomic = |at: boolean::LocationId| made.program.location(at).is_atomic;
    let (before, after) = (is_atomic(edge.from), edge.to.is_some_and(is_atomic));
    // What a thread does about its scopes while it starts another is nobody else's business.
    let starts = matches!(edge.effect, Effect::Start { .. });
    if !before && (after || starts) {
        out.push_str("atomic_begin; ");
    }
    match edge.effect {
        Effect::None => out.push_str("skip;"),
        Effect::Assign(id) => assignment(made, id, out),
        Effect::Start { at, .. } => start(context, made, edge, at, out),
    }
    if (before || starts) && !after {
        out.push_str(" atomic_end;");
    }
}

/// Starts a thread that counts nowhere.
fn start(
    context: &Context<'_>,
    made: &AbstractProgram,
    edge: boolean::Edge,
    at: boolean::LocationId,
    out: &mut String,
) {
    let to = edge.to.and_then(|to| made.location(to));
    let scopes = (0..context.scopes.len()).filter(|&it| to.is_some_and(|to| context.scopes.contains(it, to)));
    let scopes: Vec<String> = scopes.map(scope_name).collect();
    let set = |value: &str| {
        let values = vec![value; scopes.len()];
        format!("{} := {};", scopes.join(", "), values.join(", "))
    };
    let label = made.program.labels(at).next().unwrap_or_default();
    let _ = write!(out, "{} start_thread goto {label}; {}", set("0"), set("1"));
}

fn assignment(made: &AbstractProgram, id: AssignmentId, out: &mut String) {
    let assignment = made.program.assignment(id);
    let constraints: Vec<String> =
        assignment.constraints.iter().map(|&it| format!("({})", made.program.expression_text(it))).collect();
    if assignment.targets.is_empty() {
        let _ = write!(out, "assume({});", constraints.join(" & "));
        return;
    }
    let targets = assignment
        .targets
        .iter()
        .map(|target| made.program.variable_text(target.variable) + if target.is_passive { "$" } else { "" });
    let targets: Vec<String> = targets.collect();
    let values: Vec<String> =
        assignment.values.iter().map(|&value| made.program.expression_text(value)).collect();
    let _ = write!(out, "{} := {}", targets.join(", "), values.join(", "));
    if !constraints.is_empty() {
        let _ = write!(out, " constrain {}", constraints.join(" & "));
    }
    out.push(';');
}
