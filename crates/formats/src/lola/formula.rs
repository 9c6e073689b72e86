//! LoLA formulas, `.formula`: reachability questions about one net.
//!
//! ```text
//! file  := ['FORMULA'] ( bad condition | good condition ) [';']
//! bad   := 'EF' | 'E' 'F' | 'EXPATH' 'EVENTUALLY' | 'REACHABLE' | 'IMPOSSIBLE'        -- the condition is the bad set
//! good  := 'AG' | 'A' 'G' | 'ALLPATH' 'ALWAYS' | 'INVARIANT'                          -- its complement is
//! ```
//!
//! Conditions are those of [`crate::formula::expression`] with `AND OR NOT -> TRUE FALSE`, comparisons
//! `= == != <> # < <= > >=`, and `FIREABLE(t)`. Words may touch operators (`x>=1`) although names may contain
//! operator characters: the longest run that is a place wins. Numbers and operators between blanks are what they look
//! like even if a place is called so.
//! Other temporal operators, `DEADLOCK` and `INITIAL` are refused: they are not coverability questions.

use crate::Draft;
use crate::formula::expression::{Symbol, Symbols, parse_condition};
use crate::formula::{Comparison, Formula, Linear};
use crate::net_draft::undeclared;
use crate::net_view::NetView;
use crate::tokens::parse_count;
use std::borrow::Cow;
use throng_base::{Diagnostic, Source, Span};
use throng_model::Config;

/// Reads a formula about the net of a draft: the minimal bad configurations, none if it is unsatisfiable.
pub(crate) fn parse_formula(source: &Source, draft: &Draft) -> Result<Vec<Config>, Vec<Diagnostic>> {
    let mut words = Words { source, draft, at: 0 };
    let mut formula = Formula::default();
    let is_bad = words.quantifier().map_err(|error| vec![error])?;
    let root = parse_condition(&mut words, &mut formula).map_err(|error| vec![error])?;
    formula.targets(root, is_bad, source, draft)
}

/// Characters that end a word.
const DELIMITERS: &str = ",;:(){}";

/// Operators by their spelling, longer ones before their prefixes.
const OPERATORS: [(&str, Symbol); 18] = [
    ("->", Symbol::Implies),
    (">=", Symbol::Compare(Comparison::GreaterEqual)),
    ("<=", Symbol::Compare(Comparison::LessEqual)),
    ("<>", Symbol::Compare(Comparison::NotEqual)),
    ("!=", Symbol::Compare(Comparison::NotEqual)),
    ("==", Symbol::Compare(Comparison::Equal)),
    ("&&", Symbol::And),
    ("||", Symbol::Or),
    (">", Symbol::Compare(Comparison::Greater)),
    ("<", Symbol::Compare(Comparison::Less)),
    ("=", Symbol::Compare(Comparison::Equal)),
    ("#", Symbol::Compare(Comparison::NotEqual)),
    ("&", Symbol::And),
    ("|", Symbol::Or),
    ("!", Symbol::Not),
    ("+", Symbol::Plus),
    ("-", Symbol::Minus),
    ("*", Symbol::Times),
];

struct Words<'s> {
    source: &'s Source,
    draft: &'s Draft,
    at: usize,
}

impl<'s> Words<'s> {
    /// The text from the next word on, after blanks and comments.
    fn rest(&mut self) -> &'s str {
        let text = self.source.text();
        loop {
            let rest = &text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            match trimmed.strip_prefix('{').and_then(|comment| comment.find('}')) {
                Some(end) => self.at += end + 2,
                None => return trimmed,
            }
        }
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.at, self.at + length)
    }

    /// The next word, not consumed; empty at a delimiter and at the end.
    fn word(&mut self) -> &'s str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || DELIMITERS.contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn take(&mut self, length: usize) -> Span {
        let span = self.span(length);
        self.at += length;
        span
    }

    /// Reads what stands before the condition; says whether the condition is the bad set.
    fn quantifier(&mut self) -> Result<bool, Diagnostic> {
        if self.word() == "FORMULA" {
            self.take("FORMULA".len());
        }
        // Single letters are quantifiers in capitals only: `a` is a popular name of places.
        let mut word = self.word().to_owned();
        if word.len() > 1 {
            word.make_ascii_uppercase();
        }
        let span = self.take(word.len());
        let second: &[(&str, bool)] = match &word[..] {
            "EF" | "REACHABLE" | "IMPOSSIBLE" => return Ok(true),
            "AG" | "INVARIANT" => return Ok(false),
            "E" => &[("F", true)],
            "A" => &[("G", false)],
            "EXPATH" => &[("EVENTUALLY", true)],
            "ALLPATH" => &[("ALWAYS", false)],
            _ if is_temporal(&word) => return Err(self.temporal(span)),
            _ => {
                return Err(Diagnostic::error("E0101", "expected `EF` or `AG`")
                    .at(self.source, span, "expected `EF` or `AG`")
                    .note("a condition without it would be about the initial marking only")
                    .hint("write `EF` before the bad condition"));
            }
        };
        let word = self.word().to_ascii_uppercase();
        let span = span.to(self.take(word.len()));
        let found = second.iter().find(|(operator, _)| *operator == word);
        found.map(|&(_, is_bad)| is_bad).ok_or_else(|| self.temporal(span))
    }

    fn temporal(&self, span: Span) -> Diagnostic {
        let text = self.source.slice(span);
        Diagnostic::error("E0414", format!("`{}` is not a coverability question", text.escape_debug()))
            .at(
                self.source,
                span,
                "expected `EF` or `AG` before a condition on places, and nothing temporal in it",
            )
            .note("coverability asks whether a marking with at least so many tokens can be reached")
            .hint("`EF condition` asks for a bad marking; `AG condition` says that all markings are good")
    }

    /// `FIREABLE(t)`, of which the first word has been consumed.
    fn fireable(&mut self, start: Span, formula: &mut Formula) -> Result<(Symbol, Span), Diagnostic> {
        self.delimiter('(')?;
        let name = self.word();
        let span = self.take(name.len());
        let rule = self
            .draft
            .find_transition(name)
            .ok_or_else(|| undeclared(self.source, span, "transition", name))?;
        let span = start.to(self.delimiter(')')?);
        let preset = self.draft.builder.rules().get(rule).take;
        Ok((Symbol::Condition(formula.covers(preset, span)), span))
    }

    fn delimiter(&mut self, delimiter: char) -> Result<Span, Diagnostic> {
        if self.rest().starts_with(delimiter) {
            return Ok(self.take(delimiter.len_utf8()));
        }
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let span = self.span(length);
        let message = format!("expected `{delimiter}`");
        Err(Diagnostic::error("E0101", &message[..]).at(self.source, span, message))
    }

    /// The symbol at the start of a word that is not empty, with its length.
    fn symbol(&self, word: &str, formula: &mut Formula) -> Result<Option<(Symbol, usize)>, Diagnostic> {
        let keyword = match word {
            "AND" => Some(Symbol::And),
            "OR" => Some(Symbol::Or),
            "NOT" => Some(Symbol::Not),
            "TRUE" | "FALSE" => Some(Symbol::Condition(formula.constant(word == "TRUE"))),
            _ => None,
        };
        let operator = |(spelling, _): &&(&str, Symbol)| *spelling == word;
        if let Some(symbol) =
            keyword.or_else(|| OPERATORS.iter().find(operator).map(|(_, symbol)| symbol.clone()))
        {
            return Ok(Some((symbol, word.len())));
        }
        // The whole word or what stands before one of its operator characters, the longest first.
        let cuts = word.rmatch_indices(|c| "<>=!#&|+-*".contains(c)).map(|(at, _)| at);
        for end in std::iter::once(word.len()).chain(cuts).filter(|&end| end > 0) {
            let piece = &word[..end];
            if piece.bytes().all(|b| b.is_ascii_digit()) {
                let count = parse_count(self.source, self.span(end))?;
                return Ok(Some((Symbol::Sum(Linear::constant(i128::from(count))), end)));
            }
            if let Some(place) = self.draft.find_place(piece) {
                return Ok(Some((Symbol::Sum(Linear::place(place)), end)));
            }
        }
        let operator = OPERATORS.iter().find(|(spelling, _)| word.starts_with(spelling));
        Ok(operator.map(|(spelling, symbol)| (symbol.clone(), spelling.len())))
    }
}

impl Symbols for Words<'_> {
    fn source(&self) -> &Source {
        self.source
    }

    fn next(&mut self, formula: &mut Formula) -> Result<(Symbol, Span), Diagnostic> {
        let word = self.word();
        if word.is_empty() {
            let rest = self.rest();
            return match rest.chars().next() {
                None => Ok((Symbol::End, self.span(0))),
                Some(';') if rest[1..].trim().is_empty() => Ok((Symbol::End, self.span(1))),
                Some('(') => Ok((Symbol::Open, self.take(1))),
                Some(')') => Ok((Symbol::Close, self.take(1))),
                Some(other) => Err(Diagnostic::error("E0101", format!("unexpected `{other}`")).at(
                    self.source,
                    self.span(other.len_utf8()),
                    "expected a condition",
                )),
            };
        }
        if let Some((symbol, length)) = self.symbol(word, formula)? {
            return Ok((symbol, self.take(length)));
        }
        match &word.to_ascii_uppercase()[..] {
            "AND" => Ok((Symbol::And, self.take(word.len()))),
            "OR" => Ok((Symbol::Or, self.take(word.len()))),
            "NOT" => Ok((Symbol::Not, self.take(word.len()))),
            truth @ ("TRUE" | "FALSE") => {
                Ok((Symbol::Condition(formula.constant(truth == "TRUE")), self.take(word.len())))
            }
            "FIREABLE" => {
                let start = self.take(word.len());
                self.fireable(start, formula)
            }
            _ if is_temporal(word) => Err(self.temporal(self.span(word.len()))),
            _ => Err(undeclared(self.source, self.span(word.len()), "place", word)),
        }
    }
}

fn is_temporal(word: &str) -> bool {
    const WORDS: [&str; 26] = [
        "A",
        "E",
        "F",
        "G",
        "X",
        "U",
        "R",
        "W",
        "AF",
        "AG",
        "AX",
        "EF",
        "EG",
        "EX",
        "EU",
        "AU",
        "UNTIL",
        "RELEASE",
        "ALWAYS",
        "EVENTUALLY",
        "NEXTSTATE",
        "ALLPATH",
        "EXPATH",
        "DEADLOCK",
        "INITIAL",
        "XOR",
    ];
    WORDS.contains(&word)
}

/// The formula that asks for the targets of a net.
pub(super) fn print(net: &NetView) -> String {
    format!("EF ({})\n", net.print_targets(" AND ", " OR ", "TRUE", |name| Cow::Borrowed(name)))
}
