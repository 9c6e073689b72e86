//! `#` and `##`.

use super::tokens::{self, Hidden, Kind, Token};
use throng_base::Span;

impl Token {
    /// A token that stands in no file.
    pub(super) fn made(kind: Kind, text: &str) -> Self {
        Self {
            kind,
            text: text.into(),
            span: Span::default(),
            line: 1,
            column: 1,
            is_first: false,
            has_space: false,
            is_written: false,
            hidden: Hidden::default(),
        }
    }
}

/// An argument as a string: one space where there is any, quotes and backslashes in literals escaped.
pub(super) fn stringified(argument: &[Token], at: &Token) -> Token {
    let mut text = String::from("\"");
    for (i, token) in argument.iter().enumerate() {
        if i > 0 && token.has_space {
            text.push(' ');
        }
        for c in token.text.chars() {
            if c == '"' || (c == '\\' && token.kind == Kind::Quoted) {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    Token { kind: Kind::Quoted, text: text.into(), is_written: false, ..at.clone() }
}

/// Two tokens as one; `None` if they do not make one.
pub(super) fn pasted(left: &Token, right: &Token) -> Option<Token> {
    if right.kind == Kind::Placemarker {
        return Some(left.clone());
    }
    if left.kind == Kind::Placemarker {
        return Some(Token { has_space: left.has_space, ..right.clone() });
    }
    let text = format!("{}{}", left.text, right.text);
    let mut tokens = tokens::tokens(&text);
    let token = tokens.pop().filter(|token| tokens.is_empty() && *token.text == *text)?;
    let hidden = left.hidden.intersection(&right.hidden);
    Some(Token { kind: token.kind, text: token.text, hidden, ..left.clone() })
}
