//! Petrinizer nets with their properties, `.pnet`.
//!
//! ```text
//! file      := 'petri' 'net' [name] '{' statement* '}' property*
//! statement := 'places' list | 'transitions' list | 'arcs' arcs | 'initial' marks | ('trap' | 'siphon' | 'yes' | 'no') list
//! list      := name | '{' (name [','])* '}'
//! marks     := mark | '{' (mark [','])* '}'          mark := name ['[' n ']']
//! arcs      := chain | '{' (chain [','])* '}'        chain := list ('->' ['[' n ']'] list)+
//! property  := ('safety' | 'liveness') 'property' [name] '{' condition '}'
//! ```
//!
//! A name is a word or anything in double quotes; `//` and `/* */` start comments. A list in a chain is joined with
//! every node of the next one; weights are 1 if left out. `trap`, `siphon`, `yes` and `no` are hints to Petrinizer and read over.
//!
//! A safety property states the bad set; all of them are asked together unless one is named. What a liveness
//! property asks is not a coverability question: beside safety properties it is skipped with a warning.

mod property;

use crate::net_draft::{ArcStyle, GraphDraft, declared_twice};
use crate::net_view::{Alphabet, NetView, plain_net};
use crate::tokens::{Describe, TakeCount, Tokens};
use crate::{Draft, Format, Printed};
use logos::Logos;
use std::borrow::Cow;
use std::fmt::Write;
use throng_base::source::LineCounter;
use throng_base::{Diagnostic, Source, Span};
use throng_model::System;

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
enum Token {
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token("->")]
    Arrow,
    #[token("!")]
    Not,
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[regex("[0-9]+")]
    Number,
    #[regex("[A-Za-z_][A-Za-z_0-9]*")]
    Word,
    #[regex("\"[^\"]*\"")]
    Quoted,
}

impl Describe for Token {
    fn describe(&self) -> String {
        match self {
            Token::OpenBrace => "`{`",
            Token::CloseBrace => "`}`",
            Token::OpenBracket => "`[`",
            Token::CloseBracket => "`]`",
            Token::Open => "`(`",
            Token::Close => "`)`",
            Token::Comma => "`,`",
            Token::Arrow => "`->`",
            Token::Not => "`!`",
            Token::And => "`&&`",
            Token::Or => "`||`",
            Token::Less => "`<`",
            Token::LessEqual => "`<=`",
            Token::Equal => "`=`",
            Token::NotEqual => "`!=`",
            Token::Greater => "`>`",
            Token::GreaterEqual => "`>=`",
            Token::Plus => "`+`",
            Token::Minus => "`-`",
            Token::Times => "`*`",
            Token::Number => "a number",
            Token::Word => "a name",
            Token::Quoted => "a quoted name",
        }
        .to_owned()
    }
}

/// Reads a net and its safety properties, or the one called `property_name`.
pub(crate) fn parse(source: &Source, property_name: Option<&str>) -> Result<Draft, Vec<Diagnostic>> {
    let mut reader = Reader {
        tokens: Tokens::new(source),
        lines: LineCounter::new(source),
        graph: GraphDraft::default(),
        nodes: Vec::new(),
        next_nodes: Vec::new(),
    };
    reader.net().map_err(|error| vec![error])?;
    let Reader { tokens, graph, .. } = reader;
    let net = graph.resolve(source).and_then(|net| net.finish()).map_err(|error| vec![error])?;
    property::read(tokens, Draft::new(net), property_name)
}

struct Reader<'s> {
    tokens: Tokens<'s, Token>,
    lines: LineCounter<'s>,
    graph: GraphDraft,
    /// The nodes of the list read last, and memory for the next one.
    nodes: Vec<(u32, Span)>,
    next_nodes: Vec<(u32, Span)>,
}

impl<'s> Reader<'s> {
    fn net(&mut self) -> Result<(), Diagnostic> {
        self.word("petri")?;
        self.word("net")?;
        if self.tokens.peek() != Some(Token::OpenBrace) {
            name(&mut self.tokens)?;
        }
        self.tokens.expect(Token::OpenBrace)?;
        while !self.tokens.eat(Token::CloseBrace) {
            self.statement()?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<Span, Diagnostic> {
        match self.tokens.peek() {
            Some(Token::Word) if self.tokens.text() == word => Ok(self.tokens.advance()),
            _ => Err(self.tokens.unexpected(&format!("`{word}`"))),
        }
    }

    fn statement(&mut self) -> Result<(), Diagnostic> {
        let kind = if self.tokens.peek() == Some(Token::Word) { self.tokens.text() } else { "" };
        match kind {
            "places" | "transitions" | "arcs" | "initial" | "trap" | "siphon" | "yes" | "no" => {
                self.tokens.advance();
            }
            _ => return Err(self.tokens.unexpected("`places`, `transitions`, `arcs`, `initial` or `}`")),
        }
        match kind {
            "places" => self.each(|reader| reader.declare(true)),
            "transitions" => self.each(|reader| reader.declare(false)),
            "arcs" => self.arcs(),
            "initial" => self.each(Self::mark),
            _ => self.each(|reader| name(&mut reader.tokens).map(drop)),
        }
    }

    /// One item, or several in braces.
    fn each(&mut self, item: impl Fn(&mut Self) -> Result<(), Diagnostic>) -> Result<(), Diagnostic> {
        if !self.tokens.eat(Token::OpenBrace) {
            return item(self);
        }
        while !self.tokens.eat(Token::CloseBrace) {
            item(self)?;
            self.tokens.eat(Token::Comma);
        }
        Ok(())
    }

    fn declare(&mut self, is_place: bool) -> Result<(), Diagnostic> {
        let (name, span) = name(&mut self.tokens)?;
        let is_new = match is_place {
            true => self.graph.declare_place(name),
            false => self.graph.declare_transition(name, self.lines.line_at(span.start)),
        };
        let what = if is_place { "place" } else { "transition" };
        if is_new { Ok(()) } else { Err(declared_twice(self.tokens.source, span, what, name)) }
    }

    fn mark(&mut self) -> Result<(), Diagnostic> {
        let (name, span) = name(&mut self.tokens)?;
        let tokens = self.weight()?;
        let node = self.graph.node(name);
        self.graph.mark(node, tokens, span);
        Ok(())
    }

    /// `[n]`, or 1 if it is left out.
    fn weight(&mut self) -> Result<u32, Diagnostic> {
        if !self.tokens.eat(Token::OpenBracket) {
            return Ok(1);
        }
        let (weight, _) = self.tokens.number(Token::Number)?;
        self.tokens.expect(Token::CloseBracket)?;
        Ok(weight)
    }

    /// Chains. A brace after `arcs` opens either a list of chains or the first list of a single chain; what
    /// stands after the names in it tells.
    fn arcs(&mut self) -> Result<(), Diagnostic> {
        if self.tokens.peek() != Some(Token::OpenBrace) {
            return self.chain();
        }
        self.tokens.advance();
        self.nodes.clear();
        let mut names = 0;
        while matches!(self.tokens.peek(), Some(Token::Word | Token::Quoted)) {
            let (name, span) = name(&mut self.tokens)?;
            let node = self.graph.node(name);
            self.nodes.push((node, span));
            names += 1;
            if self.tokens.peek() == Some(Token::Arrow) && names == 1 {
                self.links()?;
                self.tokens.eat(Token::Comma);
                return self.chains();
            }
            self.tokens.eat(Token::Comma);
        }
        if names == 0 {
            return self.chains();
        }
        self.tokens.expect(Token::CloseBrace)?;
        self.links()
    }

    /// The rest of a list of chains.
    fn chains(&mut self) -> Result<(), Diagnostic> {
        while !self.tokens.eat(Token::CloseBrace) {
            self.chain()?;
            self.tokens.eat(Token::Comma);
        }
        Ok(())
    }

    fn chain(&mut self) -> Result<(), Diagnostic> {
        self.node_list()?;
        std::mem::swap(&mut self.nodes, &mut self.next_nodes);
        self.links()
    }

    /// The arrows of a chain whose first list is in `nodes`.
    fn links(&mut self) -> Result<(), Diagnostic> {
        self.tokens.expect(Token::Arrow)?;
        loop {
            let weight = self.weight()?;
            self.node_list()?;
            for &(from, from_span) in &self.nodes {
                for &(to, to_span) in &self.next_nodes {
                    self.graph.arc(from, to, weight, ArcStyle::Plain, from_span.to(to_span));
                }
            }
            std::mem::swap(&mut self.nodes, &mut self.next_nodes);
            if !self.tokens.eat(Token::Arrow) {
                return Ok(());
            }
        }
    }

    /// Reads a list into `next_nodes`.
    fn node_list(&mut self) -> Result<(), Diagnostic> {
        self.next_nodes.clear();
        self.each(|reader| {
            let (name, span) = name(&mut reader.tokens)?;
            let node = reader.graph.node(name);
            reader.next_nodes.push((node, span));
            Ok(())
        })
    }
}

fn name<'s>(tokens: &mut Tokens<'s, Token>) -> Result<(&'s str, Span), Diagnostic> {
    let text = tokens.text();
    match tokens.peek() {
        Some(Token::Word) => Ok((text, tokens.advance())),
        Some(Token::Quoted) => Ok((&text[1..text.len() - 1], tokens.advance())),
        _ => Err(tokens.unexpected("a name")),
    }
}

/// Names that are not words are written in quotes.
const ALPHABET: Alphabet =
    Alphabet { first: |_| true, rest: |c| c != '"' && !c.is_control(), reserved: &[], one_name_space: true };

/// Writes a net, with its targets as one safety property.
pub(crate) fn print(system: &System) -> Result<Printed, Diagnostic> {
    let (net, notes) = plain_net(system, Format::Pnet, &ALPHABET)?;
    Ok(Printed { text: print_net(&net), companions: Vec::new(), notes })
}

fn print_net(net: &NetView) -> String {
    let mut text = String::from("petri net {\n    places {\n");
    for place in &net.places {
        let _ = writeln!(text, "        {}", quote(place));
    }
    text += "    }\n    transitions {\n";
    for transition in &net.transitions {
        let _ = writeln!(text, "        {}", quote(&transition.name));
    }
    text += "    }\n    arcs {\n";
    for transition in &net.transitions {
        let name = quote(&transition.name);
        for &(place, weight) in &transition.pre {
            let _ = writeln!(text, "        {} ->{} {name}", quote(&net.places[place]), bracketed(weight));
        }
        for &(place, weight) in &transition.post {
            let _ = writeln!(text, "        {name} ->{} {}", bracketed(weight), quote(&net.places[place]));
        }
    }
    text += "    }\n    initial {\n";
    for (place, &count) in net.places.iter().zip(&net.initial).filter(|&(_, &count)| count > 0) {
        let _ = writeln!(text, "        {}{}", quote(place), bracketed(count));
    }
    text += "    }\n}\n";
    if !net.targets.is_empty() {
        let formula = net.print_targets(" && ", " ||\n    ", "true", quote);
        let _ = writeln!(text, "safety property {{\n    {formula}\n}}");
    }
    text
}

fn bracketed(weight: u32) -> String {
    if weight == 1 { String::new() } else { format!("[{weight}]") }
}

fn quote(name: &str) -> Cow<'_, str> {
    const WORDS: [&str; 2] = ["true", "false"];
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word && !WORDS.contains(&name) { Cow::Borrowed(name) } else { Cow::Owned(format!("\"{name}\"")) }
}

#[cfg(test)]
mod tests;
