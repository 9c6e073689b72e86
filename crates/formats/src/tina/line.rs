//! The descriptions of a Tina file, line by line.

use super::Token;
use crate::formula::too_large_number;
use crate::net_draft::{ArcKind, NetDraft};
use crate::tokens::Tokens;
use std::borrow::Cow;
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Span};
use throng_model::{LocalId, bag};

pub(super) struct Reader<'s> {
    tokens: Tokens<'s, Token>,
    lines: LineCounter<'s>,
    pub(super) net: NetDraft,
}

impl<'s> Reader<'s> {
    pub(super) fn new(tokens: Tokens<'s, Token>, net: NetDraft) -> Self {
        let lines = LineCounter::new(tokens.source);
        Self { tokens, lines, net }
    }

    /// Reads the whole file.
    pub(super) fn lines(&mut self) -> Result<(), Diagnostic> {
        loop {
            while self.tokens.eat(Token::LineEnd) {}
            if self.tokens.at_end() {
                return Ok(());
            }
            self.description()?;
            if !self.at_line_end() {
                return Err(self.tokens.unexpected("the end of the line"));
            }
        }
    }

    fn at_line_end(&self) -> bool {
        self.tokens.at_end() || self.tokens.peek() == Some(Token::LineEnd)
    }

    fn description(&mut self) -> Result<(), Diagnostic> {
        let keyword = if self.tokens.peek() == Some(Token::Word) { self.tokens.text() } else { "" };
        if !matches!(keyword, "net" | "tr" | "pl" | "lb" | "nt" | "pr") {
            return Err(self.tokens.unexpected("`net`, `tr`, `pl`, `lb`, `nt` or `pr`"));
        }
        let start = self.tokens.advance();
        match keyword {
            "net" => self.name().map(drop),
            "tr" => self.transition(start),
            "pl" => self.place(start),
            "lb" => self.name().and_then(|_| self.name()).map(drop),
            "nt" => {
                self.name()?;
                self.name()?;
                self.name().map(drop)
            }
            _ => Err(Diagnostic::error("E0422", "priorities are not supported")
                .at(self.tokens.source, start, "a priority between transitions")
                .note("with priorities, more tokens can disable a transition: the net is not monotone")
                .hint(
                    "without this line more runs are possible; a `safe` verdict then holds for this net too",
                )),
        }
    }

    fn name(&mut self) -> Result<(Cow<'s, str>, Span), Diagnostic> {
        let text = self.tokens.text();
        let name = match self.tokens.peek() {
            Some(Token::Word) => Cow::Borrowed(text),
            Some(Token::Quoted) => unquote(&text[1..text.len() - 1]),
            _ => return Err(self.tokens.unexpected("a name")),
        };
        Ok((name, self.tokens.advance()))
    }

    /// A number with an optional suffix.
    fn number(&mut self) -> Result<u32, Diagnostic> {
        let text = self.tokens.text();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let exponent = match &text[digits.len()..] {
            "" => Some(0),
            "K" => Some(3),
            "M" => Some(6),
            "G" => Some(9),
            "T" => Some(12),
            "P" => Some(15),
            "E" => Some(18),
            _ => None,
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let Some(exponent) = exponent.filter(|_| is_number && self.tokens.peek() == Some(Token::Word)) else {
            return Err(self.tokens.unexpected("a number"));
        };
        let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(10_u64.pow(exponent)));
        let value =
            value.and_then(|value| u32::try_from(value).ok()).filter(|&value| value <= bag::MAX_COUNT);
        let value = value.ok_or_else(|| too_large_number(self.tokens.source, self.tokens.span()))?;
        self.tokens.advance();
        Ok(value)
    }

    fn label(&mut self) -> Result<(), Diagnostic> {
        if self.tokens.eat(Token::Colon) {
            self.name()?;
        }
        Ok(())
    }

    fn transition_node(&mut self, start: Span) -> Result<u32, Diagnostic> {
        let (name, _) = self.name()?;
        Ok(self.net.transition(&name, || self.lines.line_at(start.start)).0)
    }

    fn place_node(&mut self) -> Result<LocalId, Diagnostic> {
        let (name, _) = self.name()?;
        Ok(self.net.place(&name).0)
    }

    /// The rest of a line that starts with `tr`.
    fn transition(&mut self, start: Span) -> Result<(), Diagnostic> {
        let transition = self.transition_node(start)?;
        self.label()?;
        if matches!(self.tokens.peek(), Some(Token::OpenBracket | Token::CloseBracket)) {
            self.interval()?;
        }
        if self.at_line_end() {
            return Ok(());
        }
        while !self.tokens.eat(Token::Arrow) {
            let place = self.place_node()?;
            self.input(transition, place)?;
        }
        while !self.at_line_end() {
            let place = self.place_node()?;
            self.output(transition, place)?;
        }
        Ok(())
    }

    /// The rest of a line that starts with `pl`.
    fn place(&mut self, start: Span) -> Result<(), Diagnostic> {
        let place = self.place_node()?;
        self.label()?;
        if self.tokens.eat(Token::Open) {
            let tokens = self.number()?;
            self.tokens.expect(Token::Close)?;
            self.net.mark(place, tokens);
        }
        if self.at_line_end() {
            return Ok(());
        }
        while !self.tokens.eat(Token::Arrow) {
            let transition = self.transition_node(start)?;
            self.output(transition, place)?;
        }
        while !self.at_line_end() {
            let transition = self.transition_node(start)?;
            self.input(transition, place)?;
        }
        Ok(())
    }

    /// What an arc from a place to a transition has after its first end.
    fn input(&mut self, transition: u32, place: LocalId) -> Result<(), Diagnostic> {
        match self.tokens.peek() {
            Some(Token::Read) => {
                self.tokens.advance();
                let weight = self.number()?;
                self.net.arc(transition, ArcKind::Take, place, weight);
                self.net.arc(transition, ArcKind::Put, place, weight);
                Ok(())
            }
            Some(Token::Inhibitor) => {
                Err(Diagnostic::error("E0420", "inhibitor arcs are not supported")
                    .at(self.tokens.source, self.tokens.span(), "tests for few tokens")
                    .note("an inhibitor arc lets a transition fire only while a place holds few tokens: coverability of such nets is undecidable"))
            }
            Some(Token::Stopwatch | Token::StopwatchInhibitor) => {
                Err(Diagnostic::error("E0421", "stopwatch arcs are not supported")
                    .at(self.tokens.source, self.tokens.span(), "depends on time")
                    .note("time is not modelled"))
            }
            _ => self.weight().map(|weight| self.net.arc(transition, ArcKind::Take, place, weight)),
        }
    }

    fn output(&mut self, transition: u32, place: LocalId) -> Result<(), Diagnostic> {
        self.weight().map(|weight| self.net.arc(transition, ArcKind::Put, place, weight))
    }

    fn weight(&mut self) -> Result<u32, Diagnostic> {
        if self.tokens.eat(Token::Star) { self.number() } else { Ok(1) }
    }

    /// A time interval, which must not restrict anything.
    fn interval(&mut self) -> Result<(), Diagnostic> {
        let start = self.tokens.span();
        let closed_left = self.tokens.peek() == Some(Token::OpenBracket);
        self.tokens.advance();
        let (earliest, _) = self.name()?;
        self.tokens.expect(Token::Comma)?;
        let (latest, _) = self.name()?;
        let open_right = self.tokens.peek() == Some(Token::OpenBracket);
        if !open_right && self.tokens.peek() != Some(Token::CloseBracket) {
            return Err(self.tokens.unexpected("`[` or `]`"));
        }
        let span = start.to(self.tokens.advance());
        if closed_left && open_right && earliest == "0" && latest == "w" {
            return Ok(());
        }
        Err(Diagnostic::error("E0421", "time intervals are not supported")
            .at(self.tokens.source, span, "expected `[0,w[` or nothing")
            .note("an interval says when a transition may or must fire; time is not modelled")
            .hint("without intervals more runs are possible; a `safe` verdict then holds for this net too"))
    }
}

/// What stands between braces, without the escapes.
fn unquote(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    Cow::Owned(plain)
}
