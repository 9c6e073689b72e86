//! A proof: what always holds, what holds at lines of the source, and what was proved.

use super::SourceText;
use super::escape::escape;
use super::source::{self, Marks};
use crate::c::{self, CCase};
use crate::result::Case;
use throng_cert::EvidenceDocument;

/// What a proof says.
pub(super) fn render(case: Case<'_>, sources: &[SourceText]) -> String {
    match case {
        Case::C { program, document } => of_c(program, document, sources),
        Case::Program { .. } => source::render(sources, &Marks::default()),
        Case::System { .. } => String::new(),
    }
}

fn of_c(case: CCase<'_>, document: &EvidenceDocument, sources: &[SourceText]) -> String {
    let facts = c::facts_in_words(case, document);
    let marks = Marks::of_notes(c::facts_by_line(case, document));
    let items: String = facts.iter().map(|fact| format!("<li>{}</li>\n", escape(fact))).collect();
    let facts = match items.is_empty() {
        true => String::new(),
        false => format!(
            "<section>\n<h2>Why no error can be reached</h2>\n<p>These hold at the start, and every step of every thread keeps them.</p>\n<ul class=\"claims\">\n{items}</ul>\n</section>\n"
        ),
    };
    let duties: String = case
        .program
        .properties
        .iter()
        .map(|property| {
            let position = &case.program.site(property.site).position;
            format!(
                "<tr><td><span class=\"ok\">proved</span></td><td>never: {}</td><td>{}:{}</td></tr>\n",
                escape(&property.text),
                escape(&position.file),
                position.line
            )
        })
        .collect();
    let duties = match duties.is_empty() {
        true => String::new(),
        false => format!(
            "<section>\n<h2>What was proved</h2>\n<table class=\"duties\">\n<thead><tr><th scope=\"col\">status</th><th scope=\"col\">what</th><th scope=\"col\">where</th></tr></thead>\n<tbody>\n{duties}</tbody>\n</table>\n</section>\n"
        ),
    };
    format!("{facts}{}{duties}", source::render(sources, &marks))
}
