//! Nets as Prolog facts, `.pl`: the format of the first Petrinizer and of the QCover suite.
//!
//! ```text
//! fact := 'place' '(' atom ')' | 'transition' '(' atom ',' list ',' list ')'          -- inputs, outputs
//!       | 'init' '(' atom ',' n ')' | 'target' '(' k ',' '[' [entry (',' entry)*] ']' ')'       each followed by '.'
//! list := '[' [item (',' item)*] ']'       item := atom | '(' atom ',' n ')'          entry := '(' list ',' n ')'
//! ```
//!
//! An atom is a word, a number or anything in single quotes (`''`, `\'` and `\\` stand for themselves); `'a'` and
//! `a` are the same. `%` and `/* */` start comments. Facts come in any order. A weight is written as a pair or as
//! repetition; both occur in the suite. A target asks that, for each entry,
//! the places of its list hold at least `n` tokens together; several targets are a union.

use crate::formula::{Comparison, Formula, Linear, NodeId, too_large_number};
use crate::net_draft::{declared_twice, undeclared};
use crate::net_view::{Alphabet, NetView, Weighted, plain_net};
use crate::tokens::{Describe, TakeCount, Tokens};
use crate::{Draft, Format, Printed};
use logos::Logos;
use std::borrow::Cow;
use std::fmt::Write;
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Source, Span};
use throng_model::names::NameTable;
use throng_model::{Bag, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"%[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenList,
    #[token("]")]
    CloseList,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[regex("[0-9]+")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*")]
    Word,
    #[regex(r"'([^'\\\n]|''|\\[^\n])*'")]
    Quoted,
}

impl Describe for Token {
    fn describe(&self) -> String {
        match self {
            Token::Open => "`(`",
            Token::Close => "`)`",
            Token::OpenList => "`[`",
            Token::CloseList => "`]`",
            Token::Comma => "`,`",
            Token::Dot => "`.`",
            Token::Number => "a number",
            Token::Word => "a word",
            Token::Quoted => "a quoted atom",
        }
        .to_owned()
    }
}

/// Reads a net and its targets.
pub(crate) fn parse(source: &Source) -> Result<Draft, Vec<Diagnostic>> {
    let places = places(source).map_err(|error| vec![error])?;
    let reader = Reader {
        tokens: Tokens::new(source),
        lines: LineCounter::new(source),
        draft: Draft::new(SystemBuilder::net(places)),
        formula: Formula::default(),
        counts: Vec::new(),
        marking: Vec::new(),
        targets: None,
    };
    reader.read()
}

/// A first pass for the places: they may be declared after their use.
fn places(source: &Source) -> Result<Names, Diagnostic> {
    let mut tokens: Tokens<'_, Token> = Tokens::new(source);
    let mut places = NameTable::default();
    while !tokens.at_end() {
        if tokens.text() == "place" {
            tokens.advance();
            tokens.expect(Token::Open)?;
            let (name, span) = atom(&mut tokens)?;
            if !places.insert(&name).1 {
                return Err(declared_twice(source, span, "place", &name));
            }
        }
        while !tokens.at_end() && !tokens.eat(Token::Dot) {
            tokens.advance();
        }
    }
    Ok(Names::Listed(places))
}

fn atom<'s>(tokens: &mut Tokens<'s, Token>) -> Result<(Cow<'s, str>, Span), Diagnostic> {
    let text = tokens.text();
    let name = match tokens.peek() {
        Some(Token::Word | Token::Number) => Cow::Borrowed(text),
        Some(Token::Quoted) => unquote(&text[1..text.len() - 1]),
        _ => return Err(tokens.unexpected("an atom")),
    };
    Ok((name, tokens.advance()))
}

/// What stands between quotes, without the escapes.
fn unquote(text: &str) -> Cow<'_, str> {
    if !text.contains(['\'', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let is_escape = matches!(character, '\'' | '\\');
        plain.extend(if is_escape { characters.next() } else { Some(character) });
    }
    Cow::Owned(plain)
}

struct Reader<'s> {
    tokens: Tokens<'s, Token>,
    lines: LineCounter<'s>,
    draft: Draft,
    formula: Formula,
    /// Memory for the lists of transitions.
    counts: Vec<(LocalId, u32)>,
    /// Initial tokens, and where the place is named.
    marking: Vec<(LocalId, u32, Span)>,
    targets: Option<NodeId>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Draft, Vec<Diagnostic>> {
        while !self.tokens.at_end() {
            self.fact().map_err(|error| vec![error])?;
        }
        let exact = self.initial_bag().map_err(|error| vec![error])?;
        self.draft.builder.initial(Initial { shared: SharedId::new(0), exact, unbounded: Vec::new() });
        if let Some(root) = self.targets {
            self.draft.states_target = true;
            for target in self.formula.targets(root, true, self.tokens.source, &self.draft)? {
                self.draft.builder.target(target);
            }
        }
        Ok(self.draft)
    }

    fn fact(&mut self) -> Result<(), Diagnostic> {
        let kind = if self.tokens.peek() == Some(Token::Word) { self.tokens.text() } else { "" };
        if !matches!(kind, "place" | "transition" | "init" | "target") {
            return Err(self.tokens.unexpected("`place`, `transition`, `init` or `target`"));
        }
        let start = self.tokens.advance();
        self.tokens.expect(Token::Open)?;
        match kind {
            "place" => {
                atom(&mut self.tokens)?;
            }
            "transition" => self.transition(start)?,
            "init" => self.init()?,
            _ => self.target()?,
        }
        self.tokens.expect(Token::Close)?;
        self.tokens.expect(Token::Dot)?;
        Ok(())
    }

    fn place(&mut self) -> Result<(LocalId, Span), Diagnostic> {
        let (name, span) = atom(&mut self.tokens)?;
        let place = self.draft.builder.local_names().find(&name);
        let place = place.ok_or_else(|| undeclared(self.tokens.source, span, "place", &name))?;
        Ok((LocalId::new(place), span))
    }

    /// Reads a list of places into `counts`; returns where it stands.
    fn list(&mut self) -> Result<Span, Diagnostic> {
        self.counts.clear();
        let start = self.tokens.expect(Token::OpenList)?;
        while self.tokens.peek() != Some(Token::CloseList) {
            let item = self.item()?;
            self.counts.push(item);
            if !self.tokens.eat(Token::Comma) {
                break;
            }
        }
        Ok(start.to(self.tokens.expect(Token::CloseList)?))
    }

    /// A place with its weight.
    fn item(&mut self) -> Result<(LocalId, u32), Diagnostic> {
        if !self.tokens.eat(Token::Open) {
            return Ok((self.place()?.0, 1));
        }
        let (place, _) = self.place()?;
        self.tokens.expect(Token::Comma)?;
        let (weight, _) = self.tokens.number(Token::Number)?;
        self.tokens.expect(Token::Close)?;
        Ok((place, weight))
    }

    fn bag(&mut self) -> Result<Bag, Diagnostic> {
        let span = self.list()?;
        Bag::from_counts(self.counts.drain(..)).map_err(|_| too_large_number(self.tokens.source, span))
    }

    fn transition(&mut self, start: Span) -> Result<(), Diagnostic> {
        let (name, span) = atom(&mut self.tokens)?;
        self.tokens.expect(Token::Comma)?;
        let take = self.bag()?;
        self.tokens.expect(Token::Comma)?;
        let put = self.bag()?;
        let shared = SharedId::new(0);
        let rule = Rule { from: shared, to: shared, take, put, moves: Vec::new() };
        match self.draft.builder.named_rule(&name, &rule, self.lines.line_at(start.start)) {
            Ok(_) => Ok(()),
            Err(_) => Err(declared_twice(self.tokens.source, span, "transition", &name)),
        }
    }

    fn init(&mut self) -> Result<(), Diagnostic> {
        let (place, span) = self.place()?;
        self.tokens.expect(Token::Comma)?;
        let (count, _) = self.tokens.number(Token::Number)?;
        self.marking.push((place, count, span));
        Ok(())
    }

    fn initial_bag(&mut self) -> Result<Bag, Diagnostic> {
        self.marking.sort_unstable_by_key(|&(place, _, span)| (place, span.start));
        if let Some(pair) = self.marking.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = self.draft.builder.local_names().get(pair[1].0.index()).into_owned();
            return Err(declared_twice(self.tokens.source, pair[1].2, "the marking of", &name));
        }
        let counts = self.marking.iter().map(|&(place, count, _)| (place, count));
        Ok(Bag::from_counts(counts).expect("each place is marked once"))
    }

    fn target(&mut self) -> Result<(), Diagnostic> {
        self.tokens.number(Token::Number)?;
        self.tokens.expect(Token::Comma)?;
        self.tokens.expect(Token::OpenList)?;
        let mut target = self.formula.constant(true);
        while self.tokens.peek() != Some(Token::CloseList) {
            let entry = self.entry()?;
            target = self.formula.and(target, entry);
            if !self.tokens.eat(Token::Comma) {
                break;
            }
        }
        self.tokens.expect(Token::CloseList)?;
        self.targets = Some(match self.targets {
            Some(earlier) => self.formula.or(earlier, target),
            None => target,
        });
        Ok(())
    }

    fn entry(&mut self) -> Result<NodeId, Diagnostic> {
        let start = self.tokens.expect(Token::Open)?;
        self.list()?;
        self.tokens.expect(Token::Comma)?;
        let (count, _) = self.tokens.number(Token::Number)?;
        let span = start.to(self.tokens.expect(Token::Close)?);
        let terms = self.counts.drain(..).map(|(place, weight)| (place, i128::from(weight))).collect();
        let sum = Linear { terms, constant: 0 };
        let count = Linear::constant(i128::from(count));
        self.formula.compare(sum, Comparison::GreaterEqual, count, self.tokens.source, span)
    }
}

/// All atoms are written in quotes, so only what cannot stand on a line is changed.
const ALPHABET: Alphabet =
    Alphabet { first: |_| true, rest: |c| !c.is_control(), reserved: &[], one_name_space: false };

/// Writes a net with its targets.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let (net, notes) = plain_net(system, Format::Pl, &ALPHABET)?;
    Ok(Printed { text: print_net(&net), companions: Vec::new(), notes })
}

fn print_net(net: &NetView) -> String {
    let places: Vec<String> = net.places.iter().map(|place| quote(place)).collect();
    let list = |list: &Weighted| {
        let item = |&(place, weight): &(usize, u32)| match weight {
            1 => places[place].clone(),
            _ => format!("({}, {weight})", places[place]),
        };
        list.iter().map(item).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    for place in &places {
        let _ = writeln!(text, "place({place}).");
    }
    for transition in &net.transitions {
        let name = quote(&transition.name);
        let _ =
            writeln!(text, "transition({name}, [{}], [{}]).", list(&transition.pre), list(&transition.post));
    }
    for (place, &count) in places.iter().zip(&net.initial).filter(|&(_, &count)| count > 0) {
        let _ = writeln!(text, "init({place}, {count}).");
    }
    for (k, target) in net.targets.iter().enumerate() {
        let entries = target.iter().map(|&(place, count)| format!("([{}],{count})", places[place]));
        let _ = writeln!(text, "target({}, [{}]).", k + 1, entries.collect::<Vec<_>>().join(","));
    }
    text
}

fn quote(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests;
