//! Predicates from users: files with one on each line, and `__CPROVER_predicate` in programs.
//!
//! ```text
//! # comments begin with # after a blank, or with //
//! limit <= 10                       shared variables
//! worker: i < limit                 a variable of threads that run `worker`
//! i < limit                         the same, if nobody else has an `i`
//! worker: ticket != ticket$         a thread of `worker` and all others of it
//! worker, main: i <= n$             a thread of `worker` and all others that run `main`
//! all worker: ticket <= next        all threads of `worker`
//! ```
//!
//! A passive thread counts where all of its variables in the predicate have certainly been assigned. A predicate is simplified,
//! so that the same condition written differently is not a new predicate too often.

use super::parse::{Context, TextError, TextErrorKind, parse_predicate};
use super::valid::{check_predicate, parts};
use super::{Party, Predicate, Predicates, definitely_assigned, template_named, template_text};
use crate::flow::{
    Expression, ExpressionId, Expressions, LocationId, Program, Scope, TemplateId, UnaryOperator, VariableId,
};
use std::ops::Range;
use throng_base::{Diagnostic, Source, Span};

/// Adds the predicates of a file; errors are about all of its lines, and good lines are added nonetheless.
pub fn read_predicates(
    program: &Program,
    file: &str,
    text: &str,
    into: &mut Predicates,
) -> Result<(), Vec<Diagnostic>> {
    let source = Source::from_text(file, text);
    let mut errors = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let wanted = &line[..end_of_content(line)];
        if !wanted.trim().is_empty() {
            match read_line(program, wanted, into) {
                Ok(predicate) => drop(into.insert(predicate)),
                Err(error) => errors.push(diagnostic(&source, start, error)),
            }
        }
        start += line.len();
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn diagnostic(source: &Source, start: usize, error: TextError) -> Diagnostic {
    let code = match error.kind {
        TextErrorKind::Syntax => "E0840",
        TextErrorKind::Name => "E0841",
        TextErrorKind::Width => "E0842",
    };
    let span = Span::new(start + error.range.start, start + error.range.end);
    Diagnostic::error(code, error.message).at(source, span, error.expected)
}

/// Where the comment or the end of a line begins.
fn end_of_content(line: &str) -> usize {
    let (mut is_quoted, mut is_escaped, mut before) = (false, false, ' ');
    for (offset, c) in line.char_indices() {
        let is_comment = (c == '#' && before.is_whitespace()) || line[offset..].starts_with("//");
        if !is_quoted && is_comment {
            return offset;
        }
        if c == '\'' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && c == '\\' && !is_escaped;
        before = c;
    }
    line.trim_end().len()
}

/// What stands before the colon.
#[derive(Default)]
struct Prefix {
    is_all: bool,
    active: Option<TemplateId>,
    passive: Option<TemplateId>,
    /// Where the expression begins.
    length: usize,
}

fn prefix(program: &Program, line: &str) -> Result<Prefix, TextError> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#';
    let Some(colon) = line.find(|c: char| !(is_word(c) || c == ',' || c.is_whitespace())) else {
        return Ok(Prefix::default());
    };
    if !line[colon..].starts_with(':') {
        return Ok(Prefix::default());
    }
    let mut found = Prefix { length: colon + 1, ..Prefix::default() };
    let mut names = &line[..colon];
    let after_all =
        names.trim_start().strip_prefix("all").filter(|rest| rest.starts_with(char::is_whitespace));
    if let Some(rest) = after_all.filter(|rest| !rest.trim().is_empty()) {
        (found.is_all, names) = (true, rest);
    }
    let mut templates = Vec::new();
    let mut start = colon - names.len();
    for name in names.split(',') {
        let lead = name.len() - name.trim_start().len();
        let range = start + lead..start + lead + name.trim().len();
        templates.push(named(program, name.trim(), range)?);
        start += name.len() + 1;
    }
    match templates[..] {
        [template] if found.is_all => found.passive = Some(template),
        [template] => found.active = Some(template),
        [active, passive] if !found.is_all => {
            (found.active, found.passive) = (Some(active), Some(passive));
        }
        _ => {
            let message = "too many names before the colon".to_owned();
            let expected = "`f:`, `f, g:` or `all f:`".to_owned();
            let range = colon - names.len()..colon;
            return Err(TextError { kind: TextErrorKind::Syntax, range, message, expected });
        }
    }
    Ok(found)
}

fn named(program: &Program, name: &str, range: Range<usize>) -> Result<TemplateId, TextError> {
    template_named(program, name).ok_or_else(|| {
        let all = (0..program.templates.len()).map(|index| template_text(program, TemplateId::new(index)));
        let expected = format!("one of {}", all.collect::<Vec<_>>().join(", "));
        let message = format!("no threads run `{name}`");
        TextError { kind: TextErrorKind::Name, range, message, expected }
    })
}

fn read_line(program: &Program, line: &str, into: &mut Predicates) -> Result<Predicate, TextError> {
    let prefix = prefix(program, line)?;
    let text = &line[prefix.length..];
    let shift = |mut error: TextError| {
        error.range = error.range.start + prefix.length..error.range.end + prefix.length;
        error
    };
    let (expression, context) = read_somehow(program, &mut into.expressions, &prefix, text).map_err(shift)?;
    let expression = simplified(&mut into.expressions, expression);
    let predicate = predicate(program, &into.expressions, expression, context);
    check_predicate(program, &into.expressions, &predicate).map_err(|message| {
        let (kind, expected) = (TextErrorKind::Width, String::new());
        TextError { kind, range: prefix.length..line.len(), message, expected }
    })?;
    Ok(predicate)
}

/// Reads an expression for those threads that its names fit.
fn read_somehow(
    program: &Program,
    expressions: &mut Expressions,
    prefix: &Prefix,
    text: &str,
) -> Result<(ExpressionId, Context), TextError> {
    let mut furthest: Option<TextError> = None;
    for contexts in candidates(program, prefix, text.contains('$')) {
        let mut found = Vec::new();
        for context in contexts {
            match parse_predicate(program, expressions, context, text) {
                Ok(expression) => found.push((expression, context)),
                Err(error) => {
                    let is_further = |old: &TextError| old.range.start < error.range.start;
                    if furthest.as_ref().is_none_or(is_further) {
                        furthest = Some(error);
                    }
                }
            }
        }
        match found[..] {
            [] => {}
            [one] => return Ok(one),
            _ => return Err(ambiguous(program, text, &found)),
        }
    }
    let nothing = || TextError {
        kind: TextErrorKind::Name,
        range: 0..text.len(),
        message: "no threads have these variables".to_owned(),
        expected: String::new(),
    };
    Err(furthest.unwrap_or_else(nothing))
}

fn ambiguous(program: &Program, text: &str, found: &[(ExpressionId, Context)]) -> TextError {
    let prefixes = found.iter().map(|(_, context)| {
        let names = context.active.iter().chain(&context.passive).map(|&id| template_text(program, id));
        format!("`{}:`", names.collect::<Vec<_>>().join(", "))
    });
    let expected = format!("begin with one of {}", prefixes.collect::<Vec<_>>().join(", "));
    let lead = text.len() - text.trim_start().len();
    let message = "several threads have such variables".to_owned();
    TextError { kind: TextErrorKind::Name, range: lead..text.trim_end().len(), message, expected }
}

/// Whom a predicate may be about: lists of which one is to fit, the preferred ones first.
fn candidates(program: &Program, prefix: &Prefix, is_passive: bool) -> Vec<Vec<Context>> {
    let all = || (0..program.templates.len()).map(TemplateId::new);
    let single = |active: Option<TemplateId>| Context { active, passive: None, is_all: false };
    let pair = |a: TemplateId, p: TemplateId| Context { active: Some(a), passive: Some(p), is_all: false };
    match (prefix.active, prefix.passive) {
        (None, passive @ Some(_)) => vec![vec![Context { active: None, passive, is_all: true }]],
        (Some(active), Some(passive)) => vec![vec![pair(active, passive)]],
        (active @ Some(_), None) if !is_passive => vec![vec![single(active)]],
        (Some(active), None) => {
            let others = all().filter(|&p| p != active).map(|p| pair(active, p));
            vec![vec![pair(active, active)], others.collect()]
        }
        (None, None) if !is_passive => {
            vec![vec![single(None)], all().map(|active| single(Some(active))).collect()]
        }
        (None, None) => {
            let same = all().map(|both| pair(both, both));
            let different = all().flat_map(|a| all().filter(move |&p| p != a).map(move |p| pair(a, p)));
            vec![same.collect(), different.collect()]
        }
    }
}

/// The predicate that an expression is, about no more threads than it mentions.
fn predicate(
    program: &Program,
    expressions: &Expressions,
    expression: ExpressionId,
    context: Context,
) -> Predicate {
    let all = parts(expressions, expression);
    let passive_variables: Vec<VariableId> = all
        .iter()
        .filter_map(|&id| match expressions.get(id) {
            Expression::Passive(variable) => Some(variable),
            _ => None,
        })
        .collect();
    let is_own = |&id: &ExpressionId| match expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) => program.variable(v).scope != Scope::Shared,
        Expression::ThisThread => true,
        _ => false,
    };
    let passive = context.passive.filter(|_| !passive_variables.is_empty());
    // What a thread says about all others is about this thread, too: about itself it says nothing.
    let active = context.active.filter(|_| passive.is_some() || all.iter().any(is_own));
    let party =
        passive.map(|template| Party { template, scope: scope(program, template, &passive_variables) });
    Predicate { expression, active, passive: party }
}

/// Where all of these variables have been assigned.
fn scope(program: &Program, template: TemplateId, variables: &[VariableId]) -> Vec<LocationId> {
    let mut scopes = variables.iter().map(|&variable| definitely_assigned(program, template, variable));
    let mut scope = scopes.next().unwrap_or_default();
    for other in scopes {
        scope.retain(|location| other.binary_search(location).is_ok());
    }
    scope
}

/// The same condition, made by the functions that simplify.
fn simplified(e: &mut Expressions, root: ExpressionId) -> ExpressionId {
    let mut new = rustc_hash::FxHashMap::default();
    for id in parts(e, root) {
        let bits = e.bits(id);
        let part = |id: ExpressionId| new.get(&id).copied().unwrap_or(id);
        let simple = match e.get(id) {
            Expression::Unary(UnaryOperator::Not, a) => e.not(part(a)),
            Expression::Unary(UnaryOperator::Negate, a) => e.negate(part(a)),
            Expression::Binary(operator, a, b) => e.binary(operator, part(a), part(b)),
            Expression::IfThenElse(c, a, b) => e.if_then_else(part(c), part(a), part(b)),
            Expression::Extend { operand, is_signed } => e.resize(part(operand), bits, is_signed),
            Expression::Extract { operand, low } => e.extract(part(operand), low, bits),
            Expression::Element(variable, index) => e.element(variable, part(index), bits),
            _ => id,
        };
        new.insert(id, simple);
    }
    new.get(&root).copied().unwrap_or(root)
}

/// Adds the predicates that stand in the program (`__CPROVER_predicate`); those with arbitrary values say nothing about
/// states and are left out.
pub fn from_program(program: &Program, into: &mut Predicates) {
    for given in &program.predicates {
        let context = Context { active: Some(given.template), passive: None, is_all: false };
        let predicate = predicate(program, &into.expressions, given.expression, context);
        if check_predicate(program, &into.expressions, &predicate).is_ok() {
            into.insert(predicate);
        }
    }
}
