//! The tokens of Boolean programs.
//!
//! A name may contain `$` (SATABS writes `c$$main`), but not at its end: there it marks the variable of a passive
//! thread, so `x$` is two tokens. A name may be anything in braces on one line, as SLAM calls variables after predicates:
//! `{x==0}`. The braces belong to the name, and so do blanks in it. Comments are `// …` and `/* … */`; they are skipped and not kept.

use logos::Logos;
use throng_base::tokens::Describe;

/// What the parser sees of a program.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(crate) enum Token {
    #[token("decl")]
    Decl,
    #[token("thread_local")]
    ThreadLocal,
    #[token("dfs")]
    DepthFirst,
    #[token("void")]
    Void,
    #[token("bool")]
    Bool,
    #[token("begin")]
    Begin,
    #[token("end")]
    End,
    #[token("skip")]
    Skip,
    #[token("goto")]
    Goto,
    #[token("constrain")]
    Constrain,
    #[token("return")]
    Return,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("elsif")]
    Elsif,
    #[token("else")]
    Else,
    #[token("fi")]
    Fi,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("assert")]
    Assert,
    #[token("assume")]
    Assume,
    #[token("abortif")]
    AbortIf,
    #[token("enforce")]
    Enforce,
    #[token("start_thread")]
    StartThread,
    #[token("end_thread")]
    EndThread,
    #[token("sync")]
    Sync,
    #[token("dead")]
    Dead,
    #[token("atomic_begin")]
    AtomicBegin,
    #[token("atomic_end")]
    AtomicEnd,
    #[token("schoose")]
    Schoose,
    #[token("T", priority = 3)]
    #[token("true")]
    True,
    #[token("F", priority = 3)]
    #[token("false")]
    False,
    #[token("*")]
    Star,
    #[token("!")]
    #[token("~")]
    Not,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("^")]
    Xor,
    #[token("=>")]
    Implies,
    #[token("=")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token(":=")]
    Assign,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("'")]
    Prime,
    #[token("$")]
    Dollar,
    #[regex("[0-9]+")]
    Number,
    #[regex(r"[A-Za-z_]([A-Za-z0-9_]|\$+[A-Za-z0-9_])*")]
    #[regex(r"\{[^{}\r\n]+\}")]
    Name,
}

impl Describe for Token {
    fn describe(&self) -> String {
        let text = match self {
            Token::Name => return "a name".to_owned(),
            Token::Number => return "a number".to_owned(),
            Token::Decl => "decl",
            Token::ThreadLocal => "thread_local",
            Token::DepthFirst => "dfs",
            Token::Void => "void",
            Token::Bool => "bool",
            Token::Begin => "begin",
            Token::End => "end",
            Token::Skip => "skip",
            Token::Goto => "goto",
            Token::Constrain => "constrain",
            Token::Return => "return",
            Token::If => "if",
            Token::Then => "then",
            Token::Elsif => "elsif",
            Token::Else => "else",
            Token::Fi => "fi",
            Token::While => "while",
            Token::Do => "do",
            Token::Od => "od",
            Token::Assert => "assert",
            Token::Assume => "assume",
            Token::AbortIf => "abortif",
            Token::Enforce => "enforce",
            Token::StartThread => "start_thread",
            Token::EndThread => "end_thread",
            Token::Sync => "sync",
            Token::Dead => "dead",
            Token::AtomicBegin => "atomic_begin",
            Token::AtomicEnd => "atomic_end",
            Token::Schoose => "schoose",
            Token::True => "T",
            Token::False => "F",
            Token::Star => "*",
            Token::Not => "!",
            Token::And => "&",
            Token::Or => "|",
            Token::Xor => "^",
            Token::Implies => "=>",
            Token::Equal => "=",
            Token::NotEqual => "!=",
            Token::Assign => ":=",
            Token::Colon => ":",
            Token::Semicolon => ";",
            Token::Comma => ",",
            Token::Open => "(",
            Token::Close => ")",
            Token::OpenBracket => "[",
            Token::CloseBracket => "]",
            Token::Less => "<",
            Token::Greater => ">",
            Token::Prime => "'",
            Token::Dollar => "$",
        };
        format!("`{text}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Token, &str)> {
        let lexer = Token::lexer(text).spanned();
        lexer.map(|(token, range)| (token.expect("a token"), &text[range])).collect()
    }

    #[test]
    fn a_dollar_is_part_of_a_name_unless_it_ends_it() {
        assert_eq!(tokens("c$$main"), [(Token::Name, "c$$main")]);
        assert_eq!(
            tokens("x$ a$1$"),
            [(Token::Name, "x"), (Token::Dollar, "$"), (Token::Name, "a$1"), (Token::Dollar, "$"),]
        );
    }

    #[test]
    fn names_in_braces_are_whatever_stands_there() {
        assert_eq!(
            tokens("{x==0} {*p > y /* z */}$"),
            [(Token::Name, "{x==0}"), (Token::Name, "{*p > y /* z */}"), (Token::Dollar, "$")]
        );
        for text in ["{}", "{x", "{x\n}"] {
            assert!(Token::lexer(text).any(|token| token.is_err()), "{text}");
        }
    }

    #[test]
    fn a_choice_in_parentheses_is_no_comment() {
        let kinds: Vec<Token> =
            tokens("(*) /* (*) **/ * // *\n*").into_iter().map(|(token, _)| token).collect();
        assert_eq!(kinds, [Token::Open, Token::Star, Token::Close, Token::Star, Token::Star]);
    }

    #[test]
    fn keywords_are_no_prefixes_of_names() {
        assert_eq!(tokens("ending T1"), [(Token::Name, "ending"), (Token::Name, "T1")]);
    }
}
