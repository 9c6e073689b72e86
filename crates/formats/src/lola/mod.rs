//! LoLA nets, `.lola`, and formulas, `.formula` (see [`formula`]).
//!
//! ```text
//! net        := 'PLACE' group+ 'MARKING' list ';' transition*
//! group      := ['SAFE' [n] ':'] name (',' name)* ';'
//! transition := 'TRANSITION' name [('STRONG' | 'WEAK') 'FAIR'] 'CONSUME' list ';' 'PRODUCE' list ';'
//! list       := [item (',' item)*]            item := name [':' n]           -- n is 1 if left out
//! ```
//!
//! `{…}` is a comment; a name is anything without blanks and `,;:(){}`. Token bounds (`SAFE`) and fairness do not
//! change which markings can be covered and are read over. High-level nets (`SORT`, `FUNCTION`) are refused.

mod formula;

pub(crate) use formula::parse_formula;

use crate::net_view::{Alphabet, NetView, Weighted, plain_net};
use crate::tokens::{Describe, TakeCount, Tokens};
use crate::{Draft, Format, Printed};
use logos::Logos;
use std::fmt::Write;
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Source, Span};
use throng_model::names::NameTable;
use throng_model::{Bag, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip r"\{[^}]*\}")]
enum Token {
    #[token("PLACE")]
    Place,
    #[token("SAFE")]
    Safe,
    #[token("MARKING")]
    Marking,
    #[token("TRANSITION")]
    Transition,
    #[token("STRONG")]
    Strong,
    #[token("WEAK")]
    Weak,
    #[token("FAIR")]
    Fair,
    #[token("CONSUME")]
    Consume,
    #[token("PRODUCE")]
    Produce,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[regex("[0-9]+", priority = 4)]
    Number,
    #[regex(r"[^,;:(){} \t\r\n\f]+", priority = 3)]
    Name,
}

impl Describe for Token {
    fn describe(&self) -> String {
        match self {
            Token::Place => "`PLACE`",
            Token::Safe => "`SAFE`",
            Token::Marking => "`MARKING`",
            Token::Transition => "`TRANSITION`",
            Token::Strong => "`STRONG`",
            Token::Weak => "`WEAK`",
            Token::Fair => "`FAIR`",
            Token::Consume => "`CONSUME`",
            Token::Produce => "`PRODUCE`",
            Token::Comma => "`,`",
            Token::Semicolon => "`;`",
            Token::Colon => "`:`",
            Token::Number => "a number",
            Token::Name => "a name",
        }
        .to_owned()
    }
}

type LolaTokens<'s> = Tokens<'s, Token>;

/// Reads a net.
pub(crate) fn parse(source: &Source) -> Result<Draft, Vec<Diagnostic>> {
    parse_net(source).map_err(|error| vec![error])
}

fn parse_net(source: &Source) -> Result<Draft, Diagnostic> {
    let mut tokens = Tokens::new(source);
    if matches!(tokens.text(), "SORT" | "FUNCTION") {
        return Err(Diagnostic::error("E0423", "high-level nets are not supported")
            .at(source, tokens.span(), "expected `PLACE`")
            .hint("unfold the net into a place/transition net first"));
    }
    let mut builder = SystemBuilder::net(places(&mut tokens)?);
    let mut counts = Vec::new();
    tokens.expect(Token::Marking)?;
    let exact = list(&mut tokens, &builder, &mut counts)?;
    builder.initial(Initial { shared: SharedId::new(0), exact, unbounded: Vec::new() });
    let mut lines = LineCounter::new(source);
    while !tokens.at_end() {
        transition(&mut tokens, &mut builder, &mut counts, &mut lines)?;
    }
    Ok(Draft::new(builder))
}

fn places(tokens: &mut LolaTokens<'_>) -> Result<Names, Diagnostic> {
    let mut places = NameTable::default();
    tokens.expect(Token::Place)?;
    while tokens.peek() != Some(Token::Marking) {
        if tokens.eat(Token::Safe) {
            if tokens.peek() == Some(Token::Number) {
                tokens.number(Token::Number)?;
            }
            tokens.expect(Token::Colon)?;
        }
        loop {
            let (name, span) = name(tokens)?;
            if !places.insert(name).1 {
                return Err(crate::net_draft::declared_twice(tokens.source, span, "place", name));
            }
            if !tokens.eat(Token::Comma) {
                break;
            }
        }
        tokens.expect(Token::Semicolon)?;
    }
    Ok(Names::Listed(places))
}

/// A name; a number may be one.
fn name<'s>(tokens: &mut LolaTokens<'s>) -> Result<(&'s str, Span), Diagnostic> {
    match tokens.peek() {
        Some(Token::Name | Token::Number) => {
            let name = tokens.text();
            Ok((name, tokens.advance()))
        }
        _ => Err(tokens.unexpected("a name")),
    }
}

/// Reads a list of weighted places and the semicolon after it; `counts` is memory to use.
fn list(
    tokens: &mut LolaTokens<'_>,
    builder: &SystemBuilder,
    counts: &mut Vec<(LocalId, u32)>,
) -> Result<Bag, Diagnostic> {
    let start = tokens.span();
    counts.clear();
    while tokens.peek() != Some(Token::Semicolon) {
        let (name, span) = name(tokens)?;
        let place = builder.local_names().find(name).map(LocalId::new);
        let place = place.ok_or_else(|| crate::net_draft::undeclared(tokens.source, span, "place", name))?;
        let weight = if tokens.eat(Token::Colon) { tokens.number(Token::Number)?.0 } else { 1 };
        counts.push((place, weight));
        if !tokens.eat(Token::Comma) {
            break;
        }
    }
    let end = tokens.expect(Token::Semicolon)?;
    Bag::from_counts(counts.drain(..))
        .map_err(|_| crate::formula::too_large_number(tokens.source, start.to(end)))
}

fn transition(
    tokens: &mut LolaTokens<'_>,
    builder: &mut SystemBuilder,
    counts: &mut Vec<(LocalId, u32)>,
    lines: &mut LineCounter<'_>,
) -> Result<(), Diagnostic> {
    let start = tokens.expect(Token::Transition)?;
    let (name, span) = name(tokens)?;
    if tokens.eat(Token::Strong) || tokens.eat(Token::Weak) {
        tokens.expect(Token::Fair)?;
    }
    tokens.expect(Token::Consume)?;
    let take = list(tokens, builder, counts)?;
    tokens.expect(Token::Produce)?;
    let put = list(tokens, builder, counts)?;
    let shared = SharedId::new(0);
    let rule = Rule { from: shared, to: shared, take, put, moves: Vec::new() };
    match builder.named_rule(name, &rule, lines.line_at(start.start)) {
        Ok(_) => Ok(()),
        Err(_) => Err(crate::net_draft::declared_twice(tokens.source, span, "transition", name)),
    }
}

/// Numbers and operators are names to LoLA, but not in formulas.
const ALPHABET: Alphabet = Alphabet {
    first: |c| !c.is_ascii_digit(),
    rest: |c| !c.is_whitespace() && !c.is_control() && !",;:(){}".contains(c),
    reserved: &[
        "PLACE",
        "SAFE",
        "MARKING",
        "TRANSITION",
        "STRONG",
        "WEAK",
        "FAIR",
        "CONSUME",
        "PRODUCE",
        "SORT",
        "FUNCTION",
        "AND",
        "OR",
        "NOT",
        "TRUE",
        "FALSE",
        "->",
        ">=",
        "<=",
        "<>",
        "!=",
        "==",
        "&&",
        "||",
        ">",
        "<",
        "=",
        "#",
        "&",
        "|",
        "!",
        "+",
        "-",
        "*",
    ],
    one_name_space: false,
};

/// Writes a net, with its targets as a companion `.formula`.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let (net, notes) = plain_net(system, Format::Lola, &ALPHABET)?;
    let companions =
        if net.targets.is_empty() { Vec::new() } else { vec![("formula", formula::print(&net))] };
    Ok(Printed { text: print_net(&net), companions, notes })
}

fn print_net(net: &NetView) -> String {
    let mut text = String::from("PLACE\n");
    if !net.places.is_empty() {
        text += &net.places.join(",\n");
        text += ";\n";
    }
    let marking = net.initial.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect();
    text += "\nMARKING";
    print_list(&mut text, net, &marking);
    for transition in &net.transitions {
        let _ = write!(text, "\nTRANSITION {}\nCONSUME", transition.name);
        print_list(&mut text, net, &transition.pre);
        text += "PRODUCE";
        print_list(&mut text, net, &transition.post);
    }
    text
}

fn print_list(text: &mut String, net: &NetView, list: &Weighted) {
    for (i, &(place, count)) in list.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(text, "{comma} {}: {count}", net.places[place]);
    }
    text.push_str(if list.is_empty() { " ;\n" } else { ";\n" });
}

#[cfg(test)]
mod tests;
