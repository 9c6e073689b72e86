//! Tests of names and types, mostly from C text: what comes out is printed in a compact form and compared.

mod conversions;
mod dump;
mod errors;
mod gcc;
mod initializers;
mod layouts;
mod programs;

use super::resolve;
use crate::hir::{DataModel, Program};
use crate::{parser, preprocess};
use throng_base::Diagnostic;

/// Resolves units given as texts.
fn resolve_texts(texts: &[&str], model: DataModel) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut whole = String::new();
    let mut parts = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let start = whole.len();
        whole.push_str(text);
        whole.push('\n');
        let file = format!("{}.c", char::from(b'a' + index as u8));
        let span = throng_base::Span::new(start, whole.len());
        parts.push(preprocess::UnitPart { file, span, is_library: false });
    }
    let source = throng_base::Source::from_text("a.c", whole);
    let markers = parts.iter().map(|part| throng_cfa::text::Marker {
        offset: part.span.start,
        file: part.file.clone(),
        line: 1,
        is_system: false,
    });
    let text = throng_cfa::text::Text::new(source, markers.collect());
    let units = parser::parse(&text, &parts)?;
    resolve(text, units, model)
}

fn program_of(text: &str) -> Program {
    match resolve_texts(&[text], DataModel::Lp64) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{text}: {}", lines(&errors)),
    }
}

/// The body of the function `f`, compactly.
fn body(text: &str) -> String {
    dump::body(&program_of(text), "f")
}

/// One expression, compactly, after declarations.
fn expression(declarations: &str, text: &str) -> String {
    let body = body(&format!("{declarations} void f(void) {{ {text}; }}"));
    body.trim_end_matches(';').to_owned()
}

/// The errors of a program, one a line.
fn errors(texts: &[&str]) -> String {
    match resolve_texts(texts, DataModel::Lp64) {
        Ok(_) => String::new(),
        Err(errors) => lines(&errors),
    }
}

fn lines(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let mut line = diagnostic.to_string();
            for extra in diagnostic.notes.iter().chain(&diagnostic.hints) {
                line.push_str(" | ");
                line.push_str(extra);
            }
            line
        })
        .collect();
    lines.join("\n")
}
