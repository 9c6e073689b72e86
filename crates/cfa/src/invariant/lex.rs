//! The tokens of predicates.
//!
//! `<u`, `>>s` and the like are one token only between blanks and before an operand, so that `x<s` compares with a variable
//! `s`. Operators that C has and this language has not (`++`, `->`, `=`) come out as errors with a place.

use super::parse::{TextError, TextErrorKind};
use std::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier, or a name in quotes.
    Name { text: String, is_quoted: bool },
    /// A number.
    Number(u128),
    /// `#3` after a name.
    Mark(usize),
    /// An operator or a bracket.
    Symbol(&'static str),
}

/// A token and where it stands, in bytes.
pub(super) type Spanned = (Token, Range<usize>);

/// The longest come first.
const SYMBOLS: [&str; 39] = [
    "<=u", "<=s", ">=u", ">=s", ">>u", ">>s", "<u", "<s", ">u", ">s", "/u", "/s", "%u", "%s", "<<", ">>",
    "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":",
    "(", ")", "[",
];

/// More of them, which are never the beginning of others.
const MORE: [&str; 4] = ["]", ",", ".", "$"];

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Spanned>, TextError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = token(text, at, c)?;
        found.push((token, at..at + length));
        at += length;
    }
    Ok(found)
}

fn token(text: &str, at: usize, first: char) -> Result<(Token, usize), TextError> {
    let rest = &text[at..];
    let word_length = |rest: &str| rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = word_length(rest);
        let number = number(&rest[..length]).ok_or_else(|| {
            let message = format!("`{}` is not a number of at most 128 bits", &rest[..length]);
            error(at..at + length, message, "a decimal number, or a hexadecimal one such as 0xff")
        })?;
        return Ok((Token::Number(number), length));
    }
    if is_word(first) {
        let length = word_length(rest);
        return Ok((Token::Name { text: rest[..length].to_owned(), is_quoted: false }, length));
    }
    if first == '\'' {
        return quoted(rest, at);
    }
    if first == '#' {
        let length = 1 + word_length(&rest[1..]);
        let message = || "`#` is not followed by the number of a variable".to_owned();
        let number = rest[1..length].parse();
        let number = number.map_err(|_| error(at..at + length, message(), "such as `x#3`"))?;
        return Ok((Token::Mark(number), length));
    }
    let symbols = SYMBOLS.iter().chain(&MORE).copied();
    let symbol = symbols.filter(|symbol| rest.starts_with(symbol)).find(|symbol| fits(text, at, symbol));
    match symbol {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => {
            let message = format!("`{first}` has no meaning in a predicate");
            Err(error(at..at + first.len_utf8(), message, ""))
        }
    }
}

/// Whether an operator that ends in a letter is meant as such.
fn fits(text: &str, at: usize, symbol: &str) -> bool {
    if !symbol.ends_with(['u', 's']) {
        return true;
    }
    let after = &text[at + symbol.len()..];
    let operand = after.trim_start();
    let begins_operand = operand.starts_with(|c: char| is_word(c) || "('-~!".contains(c));
    text[..at].ends_with(char::is_whitespace)
        && after.starts_with(char::is_whitespace)
        && begins_operand
        && !operand.starts_with("!=")
}

/// A name in quotes, with `\` before quotes and backslashes in it.
fn quoted(rest: &str, at: usize) -> Result<(Token, usize), TextError> {
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((offset, c)) = chars.next() {
        match c {
            '\'' => return Ok((Token::Name { text: name, is_quoted: true }, offset + 1)),
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    Err(error(at..at + rest.len(), "the quoted name does not end".to_owned(), "a closing quote"))
}

/// A number in C's notation, decimal or hexadecimal; octal ones are refused, since `017` is seldom meant.
fn number(word: &str) -> Option<u128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u128::from_str_radix(hexadecimal, 16).ok().filter(|_| !hexadecimal.starts_with('+'));
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn error(range: Range<usize>, message: String, expected: &str) -> TextError {
    TextError { kind: TextErrorKind::Syntax, range, message, expected: expected.to_owned() }
}
