//! The properties after a Petrinizer net.

use super::{Token, name};
use crate::Draft;
use crate::formula::expression::{Symbol, Symbols, parse_condition};
use crate::formula::{Comparison, Formula, Linear, NodeId};
use crate::net_draft::undeclared;
use crate::tokens::{Tokens, parse_count};
use throng_base::{Diagnostic, Source, Span};

/// Reads the properties to the end of the file and adds the targets of those that are asked to `draft`.
pub(super) fn read(
    tokens: Tokens<'_, Token>,
    mut draft: Draft,
    property_name: Option<&str>,
) -> Result<Draft, Vec<Diagnostic>> {
    let source = tokens.source;
    let mut reader =
        Reader { tokens, draft: &draft, asked: property_name, seen: Vec::new(), liveness: Vec::new() };
    let mut formula = Formula::default();
    let bad = reader.properties(&mut formula).map_err(|error| vec![error])?;
    let Reader { seen, liveness, .. } = reader;
    match (bad, property_name) {
        (Some(root), _) => {
            let targets = formula.targets(root, true, source, &draft).map_err(|mut errors| {
                if seen.len() > 1 && property_name.is_none() {
                    errors.iter_mut().for_each(|error| {
                        error.hints.push("`--property-name` asks for one of several properties".to_owned());
                    });
                }
                errors
            })?;
            draft.states_target = true;
            targets.into_iter().for_each(|target| {
                draft.builder.target(target);
            });
            let skipped = liveness.iter().map(|&span| {
                Diagnostic::warning(
                    "W0414",
                    "a liveness property is skipped: it is not a coverability question",
                )
                .at(source, span, "not asked")
            });
            draft.warnings.extend(skipped.filter(|_| property_name.is_none()));
            Ok(draft)
        }
        (None, None) if liveness.is_empty() => Ok(draft),
        (None, None) => Err(vec![only_liveness(source, liveness[0])]),
        (None, Some(name)) => Err(vec![not_found(name, &seen, &liveness, source)]),
    }
}

fn only_liveness(source: &Source, span: Span) -> Diagnostic {
    Diagnostic::error("E0414", "a liveness property is not a coverability question")
        .at(source, span, "expected a safety property")
        .note("liveness asks about infinite runs, coverability about single markings")
        .hint("state the bad markings: `safety property { p >= 1 && q >= 1 }`, or name them with `--target`")
}

fn not_found(name: &str, seen: &[(String, Span)], liveness: &[Span], source: &Source) -> Diagnostic {
    if let Some((_, span)) = seen.iter().find(|(other, span)| other == name && liveness.contains(span)) {
        return only_liveness(source, *span);
    }
    let names: Vec<String> =
        seen.iter().filter(|(name, _)| !name.is_empty()).map(|(name, _)| format!("`{name}`")).collect();
    let known = if names.is_empty() { "the file names none".to_owned() } else { names.join(", ") };
    Diagnostic::error("E0415", format!("there is no property called `{name}` in `{}`", source.name()))
        .note(format!("properties: {known}"))
}

struct Reader<'s, 'd> {
    tokens: Tokens<'s, Token>,
    draft: &'d Draft,
    asked: Option<&'d str>,
    /// Names of all properties and where they stand.
    seen: Vec<(String, Span)>,
    /// Where liveness properties stand.
    liveness: Vec<Span>,
}

impl Reader<'_, '_> {
    /// The union of the bad sets that are asked for; `None` if there are none.
    fn properties(&mut self, formula: &mut Formula) -> Result<Option<NodeId>, Diagnostic> {
        let mut bad = None;
        while !self.tokens.at_end() {
            let kind = if self.tokens.peek() == Some(Token::Word) { self.tokens.text() } else { "" };
            if !matches!(kind, "safety" | "liveness") {
                return Err(self.tokens.unexpected("`safety`, `liveness` or the end of the file"));
            }
            let start = self.tokens.advance();
            if self.tokens.text() != "property" {
                return Err(self.tokens.unexpected("`property`"));
            }
            let mut span = start.to(self.tokens.advance());
            let mut own_name = "";
            if self.tokens.peek() != Some(Token::OpenBrace) {
                let (given, place) = name(&mut self.tokens)?;
                (own_name, span) = (given, span.to(place));
            }
            self.seen.push((own_name.to_owned(), span));
            self.tokens.expect(Token::OpenBrace)?;
            if kind == "liveness" {
                self.liveness.push(span);
            }
            if kind == "safety" && self.asked.is_none_or(|asked| asked == own_name) {
                let condition = parse_condition(self, formula)?;
                bad = Some(bad.map_or(condition, |earlier| formula.or(earlier, condition)));
            } else {
                self.skip();
            }
            self.tokens.expect(Token::CloseBrace)?;
        }
        Ok(bad)
    }

    /// Reads over a condition.
    fn skip(&mut self) {
        while !self.tokens.at_end() && self.tokens.peek() != Some(Token::CloseBrace) {
            self.tokens.advance();
        }
    }
}

impl Symbols for Reader<'_, '_> {
    fn source(&self) -> &Source {
        self.tokens.source
    }

    fn next(&mut self, formula: &mut Formula) -> Result<(Symbol, Span), Diagnostic> {
        let symbol = match self.tokens.peek() {
            Some(Token::CloseBrace) => return Ok((Symbol::End, self.tokens.span())),
            None if self.tokens.at_end() => return Ok((Symbol::End, self.tokens.span())),
            Some(Token::Open) => Symbol::Open,
            Some(Token::Close) => Symbol::Close,
            Some(Token::Not) => Symbol::Not,
            Some(Token::And) => Symbol::And,
            Some(Token::Or) => Symbol::Or,
            Some(Token::Less) => Symbol::Compare(Comparison::Less),
            Some(Token::LessEqual) => Symbol::Compare(Comparison::LessEqual),
            Some(Token::Equal) => Symbol::Compare(Comparison::Equal),
            Some(Token::NotEqual) => Symbol::Compare(Comparison::NotEqual),
            Some(Token::Greater) => Symbol::Compare(Comparison::Greater),
            Some(Token::GreaterEqual) => Symbol::Compare(Comparison::GreaterEqual),
            Some(Token::Plus) => Symbol::Plus,
            Some(Token::Minus) => Symbol::Minus,
            Some(Token::Times) => Symbol::Times,
            Some(Token::Number) => {
                let count = parse_count(self.tokens.source, self.tokens.span())?;
                Symbol::Sum(Linear::constant(i128::from(count)))
            }
            Some(Token::Word) if matches!(self.tokens.text(), "true" | "false") => {
                Symbol::Condition(formula.constant(self.tokens.text() == "true"))
            }
            Some(Token::Word | Token::Quoted) => {
                let (name, span) = name(&mut self.tokens)?;
                let place = self.draft.find_place(name);
                let place = place.ok_or_else(|| undeclared(self.tokens.source, span, "place", name))?;
                return Ok((Symbol::Sum(Linear::place(place)), span));
            }
            _ => return Err(self.tokens.unexpected("a condition")),
        };
        Ok((symbol, self.tokens.advance()))
    }
}
