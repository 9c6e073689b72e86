//! Preprocessing tokens, with continued lines joined and comments made spaces.

use std::rc::Rc;
use throng_base::Span;

/// What a preprocessing token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string or character.
    Quoted,
    Punctuator,
    /// A character that is no token of C.
    Other,
    /// An empty argument next to `##`.
    Placemarker,
    /// A `_Pragma` with what it says.
    Pragma,
}

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    /// Where it stands in its file.
    pub(super) span: Span,
    /// The line that it is written to, from 1.
    pub(super) line: u32,
    /// The column in its file, from 1.
    pub(super) column: u32,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
    /// Whether something blank stands before it.
    pub(super) has_space: bool,
    /// Whether it stands in the file as it is, not made by a macro.
    pub(super) is_written: bool,
    /// The macros that it is not to be taken for.
    pub(super) hidden: Hidden,
}

/// A set of names of macros, most often empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden(Option<Rc<Vec<Rc<str>>>>);

impl Hidden {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.iter().any(|hidden| &**hidden == name))
    }

    /// Both sets together.
    pub(super) fn union(&self, other: &Hidden) -> Hidden {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(left), Some(right)) => {
                let new = right.iter().filter(|name| !self.contains(name));
                Hidden(Some(Rc::new(left.iter().chain(new).cloned().collect())))
            }
        }
    }

    /// What is in both sets.
    pub(super) fn intersection(&self, other: &Hidden) -> Hidden {
        let Some(names) = &self.0 else { return Hidden::default() };
        let both: Vec<Rc<str>> = names.iter().filter(|name| other.contains(name)).cloned().collect();
        Hidden((!both.is_empty()).then(|| Rc::new(both)))
    }

    /// With one name more.
    pub(super) fn with(&self, name: &Rc<str>) -> Hidden {
        self.union(&Hidden(Some(Rc::new(vec![Rc::clone(name)]))))
    }
}

/// Punctuators, longer ones first.
const PUNCTUATORS: [&str; 29] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { text, offset: 0, line: 1, line_start: 0, tokens: Vec::new() };
    scanner.run();
    scanner.tokens
}

struct Scanner<'t> {
    text: &'t str,
    offset: usize,
    line: u32,
    line_start: usize,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let (mut is_first, mut has_space) = (true, false);
        while let Some(c) = self.peek() {
            if c == '\n' {
                self.bump();
                (is_first, has_space) = (true, false);
            } else if c.is_whitespace() || c == '\0' {
                self.bump();
                has_space = true;
            } else if self.comment() {
                has_space = true;
            } else {
                self.token(c, is_first, has_space);
                (is_first, has_space) = (false, false);
            }
        }
    }

    /// The next character after continued lines.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.offset..];
            let length = if rest.starts_with("\\\n") {
                2
            } else if rest.starts_with("\\\r\n") {
                3
            } else {
                return rest.chars().next();
            };
            self.offset += length;
            self.line += 1;
            self.line_start = self.offset;
        }
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        if c == '\n' {
            self.line += 1;
            self.line_start = self.offset;
        }
        Some(c)
    }

    /// Whether these characters come next; they are taken then.
    fn take(&mut self, text: &str) -> bool {
        let before = (self.offset, self.line, self.line_start);
        for expected in text.chars() {
            if self.peek() != Some(expected) {
                (self.offset, self.line, self.line_start) = before;
                return false;
            }
            self.bump();
        }
        true
    }

    fn comment(&mut self) -> bool {
        if self.take("//") {
            while self.peek().is_some_and(|c| c != '\n') {
                self.bump();
            }
            return true;
        }
        if self.take("/*") {
            while !self.take("*/") {
                // A comment that does not end is told by the lexer of the output if it is not last; here it just ends.
                if self.bump().is_none() {
                    break;
                }
            }
            return true;
        }
        false
    }

    fn token(&mut self, first: char, is_first: bool, has_space: bool) {
        let (start, line) = (self.offset, self.line);
        let column = self.text[self.line_start..start].chars().count() as u32 + 1;
        let mut text = String::new();
        let kind = self.scan(first, &mut text);
        let span = Span::new(start, self.offset);
        let text = text.into();
        let hidden = Hidden::default();
        let is_written = true;
        self.tokens.push(Token { kind, text, span, line, column, is_first, has_space, is_written, hidden });
    }

    fn scan(&mut self, first: char, text: &mut String) -> Kind {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if first.is_ascii_digit()
            || (first == '.' && self.text[self.offset + 1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            text.extend(self.bump());
            while let Some(c) = self.peek().filter(|&c| is_name(c) || c == '.') {
                text.push(c);
                self.bump();
                let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
                let is_exponent =
                    if is_hexadecimal { matches!(c, 'p' | 'P') } else { matches!(c, 'e' | 'E') };
                if is_exponent && matches!(self.peek(), Some('+' | '-')) {
                    text.extend(self.bump());
                }
            }
            return Kind::Number;
        }
        if is_name(first) {
            while let Some(c) = self.peek().filter(|&c| is_name(c)) {
                text.push(c);
                self.bump();
            }
            let is_prefix = matches!(&text[..], "L" | "u" | "U" | "u8");
            return match self.peek() {
                Some(quote @ ('"' | '\'')) if is_prefix && self.quoted(quote, text) => Kind::Quoted,
                _ => Kind::Name,
            };
        }
        if matches!(first, '"' | '\'') && self.quoted(first, text) {
            return Kind::Quoted;
        }
        if let Some(punctuator) = PUNCTUATORS.iter().find(|&&punctuator| self.take(punctuator)) {
            text.push_str(match *punctuator {
                "%:" => "#",
                "%:%:" => "##",
                other => other,
            });
            return Kind::Punctuator;
        }
        text.extend(self.bump());
        if "[](){}.&*+-~!/%<>^|?:;=,#".contains(first) { Kind::Punctuator } else { Kind::Other }
    }

    /// A string or character from its quote on, if it ends on its line.
    fn quoted(&mut self, quote: char, text: &mut String) -> bool {
        let before = (self.offset, self.line, self.line_start, text.len());
        text.extend(self.bump());
        while let Some(c) = self.peek().filter(|&c| c != '\n') {
            text.push(c);
            self.bump();
            if c == quote {
                return true;
            }
            if c == '\\' && self.peek().is_some_and(|c| c != '\n') {
                text.extend(self.bump());
            }
        }
        (self.offset, self.line, self.line_start) = (before.0, before.1, before.2);
        text.truncate(before.3);
        false
    }
}
