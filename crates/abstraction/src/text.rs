//! The abstract program as a text, in the syntax of Boolean programs with passive variables.
//!
//! Every template is a function. A location is a label, at which one of its edges is chosen; what an edge does follows. Comments say
//! which predicate a variable stands for and what an edge is in the C program. New threads have arbitrary variables
//! in that language, so also those that the abstract program gives them: nothing is lost.

use crate::program::{AbstractProgram, Origin};
use crate::relate::Context;
use std::fmt::Write;
use throng_boolprog::flow::{self as boolean, AssignmentId, Effect};
use throng_cprog::flow::{LocationKind, Program, TemplateId};
use throng_cprog::invariant::expression_text;

/// The text.
pub(crate) fn text(context: &Context<'_>, made: &AbstractProgram) -> String {
    let mut out = String::new();
    declare(context, made, &mut out);
    let program = context.program;
    // The first thread's function comes first; threads with the same code that others start begin elsewhere.
    function(context, made, program.main, program.templates.len(), &mut out);
    for template in TemplateId::all(program.templates.len()) {
        if template != program.main || !context.main_is_single {
            function(context, made, template, template.index(), &mut out);
        }
    }
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

/// The name of the function of threads that begin at this place.
fn name(program: &Program, beginning: usize) -> String {
    if beginning == program.templates.len() { "main".to_owned() } else { format!("thread{beginning}") }
}

/// The function of threads of a template that begin at this place.
fn function(
    context: &Context<'_>,
    made: &AbstractProgram,
    template: TemplateId,
    beginning: usize,
    out: &mut String,
) {
    let program = context.program;
    let code = &program.templates[template.index()].name;
    let _ = writeln!(out, "\nvoid {}() // {code}\nbegin", name(program, beginning));
    let begin = format!("B{beginning}");
    let mut labels = vec![begin.clone()];
    let mut next = 0;
    // In the order in which a walk from the beginning meets them.
    while let Some(label) = labels.get(next).cloned() {
        next += 1;
        let at = made.program.locations_with_label(&label).and_then(|it| it.first().copied());
        let Some(at) = at else { continue };
        let first = made.program.first_edge(at) as usize;
        let edges = made.program.outgoing(at);
        let kind = made.location(at).map(|it| program.location(it).kind);
        let is_error = matches!(kind, Some(LocationKind::Error(_)));
        let choices: Vec<String> = (0..edges.len()).map(|it| format!("{label}_{it}")).collect();
        match (is_error, choices.is_empty()) {
            (true, _) => drop(writeln!(out, "{label}: assert(0);")),
            (false, true) => drop(writeln!(out, "{label}: end_thread;")),
            (false, false) => drop(writeln!(out, "{label}: goto {};", choices.join(", "))),
        }
        for (number, edge) in edges.iter().enumerate().filter(|_| !is_error) {
            let Some(to) = edge.to else { continue };
            let to = made.program.labels(to).next().unwrap_or(&begin).to_owned();
            comment(program, made.origins[first + number], out);
            let _ = write!(out, "{}: ", choices[number]);
            statement(program, made, *edge, out);
            let _ = writeln!(out, " goto {to};");
            if !labels.contains(&to) {
                labels.push(to);
            }
        }
    }
    let _ = writeln!(out, "end");
}

fn comment(program: &Program, origin: Origin, out: &mut String) {
    if let Origin::Edge(edge) | Origin::Before(edge) = origin {
        let site = program.site(program.edge(edge).site);
        let _ = writeln!(out, "// line {}: {}", site.position.line, site.text.replace('\n', " "));
    }
}

fn statement(program: &Program, made: &AbstractProgram, edge: boolean::Edge, out: &mut String) {
    let is_atomic = |at: boolean::LocationId| made.program.location(at).is_atomic;
    let (before, after) = (is_atomic(edge.from), edge.to.is_some_and(is_atomic));
    if !before && after {
        out.push_str("atomic_begin; ");
    }
    match edge.effect {
        Effect::None => out.push_str("skip;"),
        Effect::Assign(id) => assignment(made, id, out),
        Effect::Start { at, .. } => {
            let label = made.program.labels(at).next().unwrap_or_default();
            let number = label.trim_start_matches('B').parse().unwrap_or(0);
            let _ = write!(out, "start_thread {}();", name(program, number));
        }
    }
    if before && !after {
        out.push_str(" atomic_end;");
    }
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
