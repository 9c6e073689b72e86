//! C programs and their interleavings in the words of their authors: files, lines, statements, and only the variables
//! that change, with their C values.
//!
//! * `follow`: replays an interleaving and collects what each step does, steps of one statement together; `happen`: what a step
//!   does, in the author's words; `outline`: which rows are shown, and what stands for the others.
//! * `naming`: variables of one name told apart; `values`: values as C would write them.
//! * `facts`: invariants in words; `claim` and `phrase`: their conditions; `places`: their locations.
//! * `duties`: obligations, assumptions, and whether assertions are reached.
//! * `proving`: what the prover did.
//! * `story`: interleavings and proofs as data.
//! * `text`: the table for people; `json`: the same for programs; `dot`: the graphs of threads.

mod claim;
mod dot;
pub(crate) mod duties;
mod facts;
mod follow;
mod happen;
pub(crate) mod json;
mod naming;
mod outline;
mod phrase;
mod places;
pub(crate) mod proving;
mod story;
mod text;
mod values;

pub use dot::graph;
pub use proving::{
    PhaseTimes, PredicateCounts, Proving, ShownPredicate, SignOfLife, Turn, event_line, found_words,
    progress_line,
};
pub(crate) use story::story;
pub use story::{facts_by_line, facts_in_words};
pub(crate) use text::{explanation, ledger, question};
pub use throng::GaveUp;
pub use throng::c::{Assertion, Reached};

use throng_cfa::flow::{Expression, ExpressionId, Expressions, Program, Scope};
use throng_cfa::invariant::{Invariant, PredicateKind, Predicates, counted};
use throng_cfa::merge::prepare;

/// A C program as reports speak about it.
#[derive(Clone, Copy, Debug)]
pub struct CCase<'a> {
    /// The graphs of its threads.
    pub program: &'a Program,
}

impl<'a> From<&'a throng_input::CInput> for CCase<'a> {
    fn from(input: &'a throng_input::CInput) -> Self {
        Self { program: &input.program }
    }
}

/// An interleaving on its own, as `throng replay` shows it: the table and why it is bad. `None` if it is no execution of
/// the program.
pub fn interleaving(
    case: CCase<'_>,
    document: &throng_cert::EvidenceDocument,
    options: crate::text::TextOptions,
) -> Option<String> {
    let explanation = explanation(case, document, options)?;
    let text = format!("{}{explanation}{}", duties::head(case.program), ledger(case.program));
    Some(crate::wrap::paragraphs(&text, options.width))
}

/// The invariant of a document, if it is one about the program, and the program in larger steps with counts, which it is about.
fn invariant_of(program: &Program, document: &throng_cert::EvidenceDocument) -> Option<(Program, Invariant)> {
    let throng_cert::Body::Invariant(invariant) = &document.body else { return None };
    let prepared = prepare(program).program;
    let invariant = throng_check::c::invariant_of(&prepared, invariant).ok()?;
    Some((counted(&prepared, &invariant.counts), invariant))
}

/// The predicates of an invariant as they are shown.
fn predicates(program: &Program, invariant: &Invariant) -> Vec<ShownPredicate> {
    shown_predicates(program, &invariant.predicates)
}

/// Predicates as they are shown.
pub fn shown_predicates(program: &Program, predicates: &Predicates) -> Vec<ShownPredicate> {
    let shown = predicates.list.iter().map(|predicate| {
        let kind = match predicate.kind() {
            PredicateKind::Shared => "shared",
            PredicateKind::Universal => "universal",
            PredicateKind::InterThread => "inter-thread",
            PredicateKind::SingleThread => {
                let mentions = mentions_shared(program, &predicates.expressions, predicate.expression);
                if mentions { "single-thread" } else { "local" }
            }
        };
        let names = phrase::Names { active: "", passive: "other" };
        let phrases = phrase::Phrases { program, expressions: &predicates.expressions, names };
        let text = phrases.condition(predicate.expression, true);
        let whose = predicate.active.or(predicate.passive.as_ref().map(|party| party.template));
        let text = match whose.filter(|_| program.templates.len() > 1) {
            Some(template) => format!("{}: {text}", program.templates[template.index()].name),
            None => text,
        };
        ShownPredicate { kind, text }
    });
    shown.collect()
}

/// Whether an expression is about shared variables, too.
fn mentions_shared(program: &Program, expressions: &Expressions, id: ExpressionId) -> bool {
    let mut waiting = vec![id];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if let Expression::Variable(variable) | Expression::Element(variable, _) = expressions.get(id)
            && program.variable(variable).scope == Scope::Shared
        {
            return true;
        }
        waiting.extend(expressions.operands(id).filter(|&operand| seen.insert(operand)));
    }
    false
}
