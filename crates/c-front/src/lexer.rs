//! The tokens of preprocessed C: names, keywords in all their GNU spellings, literals and punctuators.
//!
//! What a literal is worth is decided in [`crate::literals`]. Comments are blanks, since files that were preprocessed by
//! others may still have them; a `#` is no token. Which names are types is the parser's business.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use throng_base::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name.
    Name,
    /// An integer or floating constant.
    Number,
    /// `'a'`, `L'a'`
    Character,
    /// `"…"`, `L"…"`
    String,
    /// A keyword.
    Keyword(Keyword),
    /// An operator or separator.
    Punctuator(Punctuator),
    /// The end of the unit.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// Something that is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexError {
    /// The code of the error.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// Declares keywords, each with all its spellings; the first is the one shown.
macro_rules! keywords {
    ($($name:ident: $($text:literal)*;)*) => {
        /// The keywords of C11 and GNU C.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the keywords themselves")]
        pub enum Keyword { $($name),* }

        impl Keyword {
            /// All keywords with their spellings.
            const ALL: &[(Keyword, &[&str])] = &[$((Keyword::$name, &[$($text),*])),*];
        }
    };
}

keywords! {
    Alignas: "_Alignas";
    Alignof: "_Alignof" "__alignof" "__alignof__";
    Asm: "asm" "__asm" "__asm__";
    Atomic: "_Atomic";
    Attribute: "__attribute__" "__attribute";
    Auto: "auto";
    AutoType: "__auto_type";
    Bool: "_Bool" "__CPROVER_bool";
    Break: "break";
    Case: "case";
    Char: "char";
    ChooseExpr: "__builtin_choose_expr";
    Complex: "_Complex" "__complex" "__complex__" "_Imaginary";
    Const: "const" "__const" "__const__";
    Continue: "continue";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    Extension: "__extension__";
    Extern: "extern";
    Float: "float";
    FloatN: "_Float16" "_Float32" "_Float64" "_Float128" "_Float32x" "_Float64x" "_Float128x" "__float128"
        "__float80" "__fp16" "__bf16" "__ibm128" "_Decimal32" "_Decimal64" "_Decimal128";
    For: "for";
    Generic: "_Generic";
    Goto: "goto";
    If: "if";
    Imaginary: "__imag" "__imag__";
    Inline: "inline" "__inline" "__inline__";
    Int: "int";
    Int128: "__int128" "__int128_t";
    Label: "__label__";
    Long: "long";
    Noreturn: "_Noreturn";
    Offsetof: "__builtin_offsetof";
    Real: "__real" "__real__";
    Register: "register";
    Restrict: "restrict" "__restrict" "__restrict__" "_Nonnull" "_Nullable";
    Return: "return";
    Short: "short";
    Signed: "signed" "__signed" "__signed__";
    Sizeof: "sizeof";
    Static: "static";
    StaticAssert: "_Static_assert";
    Struct: "struct";
    Switch: "switch";
    Thread: "_Thread_local" "__thread";
    Typedef: "typedef";
    Typeof: "typeof" "__typeof" "__typeof__";
    TypesCompatible: "__builtin_types_compatible_p";
    Uint128: "__uint128_t";
    Union: "union";
    Unsigned: "unsigned" "__unsigned" "__unsigned__";
    VaArg: "__builtin_va_arg";
    VaList: "__builtin_va_list";
    Void: "void";
    Volatile: "volatile" "__volatile" "__volatile__";
    While: "while";
}

/// The keyword that a word is.
fn keyword(word: &str) -> Option<Keyword> {
    static TABLE: LazyLock<FxHashMap<&'static str, Keyword>> = LazyLock::new(|| {
        let spellings = |&(keyword, texts): &(Keyword, &'static [&'static str])| {
            texts.iter().map(move |&text| (text, keyword)).collect::<Vec<_>>()
        };
        Keyword::ALL.iter().flat_map(spellings).collect()
    });
    TABLE.get(word).copied()
}

/// Declares punctuators with their spelling; of two that start alike, the longer stands first.
macro_rules! punctuators {
    ($($name:ident $text:literal)*) => {
        /// Operators and separators.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the punctuators themselves")]
        pub enum Punctuator { $($name),* }

        impl Punctuator {
            /// All punctuators, longer ones first.
            const ALL: &[(Punctuator, &str)] = &[$((Punctuator::$name, $text)),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Punctuator::$name => $text),* }
            }
        }
    };
}

punctuators! {
    Ellipsis "..." ShiftLeftAssign "<<=" ShiftRightAssign ">>="
    Arrow "->" Increment "++" Decrement "--" ShiftLeft "<<" ShiftRight ">>" LessOrEqual "<=" GreaterOrEqual ">="
    Equal "==" NotEqual "!=" AndAnd "&&" OrOr "||" StarAssign "*=" SlashAssign "/=" PercentAssign "%="
    PlusAssign "+=" MinusAssign "-=" AndAssign "&=" XorAssign "^=" OrAssign "|="
    OpenBracket "[" CloseBracket "]" OpenParen "(" CloseParen ")" OpenBrace "{" CloseBrace "}"
    Dot "." And "&" Star "*" Plus "+" Minus "-" Tilde "~" Not "!" Slash "/" Percent "%" Less "<" Greater ">"
    Xor "^" Or "|" Question "?" Colon ":" Semicolon ";" Assign "=" Comma ","
}

/// Two characters that stand for one where a keyboard lacks it.
const DIGRAPHS: [(&str, Punctuator); 4] = [
    ("<:", Punctuator::OpenBracket),
    (":>", Punctuator::CloseBracket),
    ("<%", Punctuator::OpenBrace),
    ("%>", Punctuator::CloseBrace),
];

/// The tokens of a part of the text, the last one being [`TokenKind::End`], and what is no token.
pub fn tokens(text: &str, part: Span) -> (Vec<Token>, Vec<LexError>) {
    let text = &text[..part.end as usize];
    let mut lexer = Lexer { text, offset: part.start as usize, tokens: Vec::new(), errors: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.errors)
}

struct Lexer<'t> {
    text: &'t str,
    offset: usize,
    tokens: Vec<Token>,
    errors: Vec<LexError>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        loop {
            self.skip_blanks();
            let start = self.offset;
            let Some(first) = self.text[start..].chars().next() else { break };
            if let Some(kind) = self.token(first) {
                self.tokens.push(Token { kind, span: Span::new(start, self.offset) });
            }
        }
        self.tokens.push(Token { kind: TokenKind::End, span: Span::new(self.offset, self.offset) });
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.offset + ahead).copied().unwrap_or(0)
    }

    fn error(&mut self, code: &'static str, message: impl Into<String>, start: usize) {
        let span = Span::new(start, self.offset);
        self.errors.push(LexError { code, message: message.into(), span });
    }

    /// Spaces, comments and continued lines.
    fn skip_blanks(&mut self) {
        loop {
            let start = self.offset;
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.offset += 1,
                (b'\\', b'\n') => self.offset += 2,
                (b'\\', b'\r') if self.byte(2) == b'\n' => self.offset += 3,
                (b'/', b'/') => {
                    self.offset += self.text[start..].find('\n').unwrap_or(self.text.len() - start);
                }
                (b'/', b'*') => match self.text[start + 2..].find("*/") {
                    Some(length) => self.offset += length + 4,
                    None => {
                        self.offset = start + 2;
                        self.error("E0822", "this comment does not end", start);
                        self.offset = self.text.len();
                    }
                },
                _ => return,
            }
        }
    }

    /// The token that starts here; `None` if there is none.
    fn token(&mut self, first: char) -> Option<TokenKind> {
        let start = self.offset;
        if first.is_ascii_digit() || (first == '.' && self.byte(1).is_ascii_digit()) {
            self.number();
            return Some(TokenKind::Number);
        }
        if let Some((prefix, quote)) = literal_prefix(&self.text.as_bytes()[start..]) {
            self.offset += prefix;
            return self.quoted(quote, start);
        }
        if is_name_start(first) {
            let rest = &self.text[start..];
            let length = rest.find(|c| !is_name_start(c) && !char::is_ascii_digit(&c));
            self.offset += length.unwrap_or(rest.len());
            return Some(keyword(&self.text[start..self.offset]).map_or(TokenKind::Name, TokenKind::Keyword));
        }
        let rest = &self.text[start..];
        for (text, punctuator) in DIGRAPHS {
            if rest.starts_with(text) {
                self.offset += text.len();
                return Some(TokenKind::Punctuator(punctuator));
            }
        }
        if let Some((punctuator, text)) = Punctuator::ALL.iter().find(|(_, text)| rest.starts_with(text)) {
            self.offset += text.len();
            return Some(TokenKind::Punctuator(*punctuator));
        }
        self.offset += first.len_utf8();
        self.error("E0820", format!("`{}` is no part of C", first.escape_debug()), start);
        None
    }

    /// A preprocessing number: what starts like a number up to where it may end. An `e` in a hexadecimal one is a digit:
    /// `0xe+1` is a sum to everyone but the standard.
    fn number(&mut self) {
        let is_hexadecimal = self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X');
        self.offset += 1;
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'e' | b'E', b'+' | b'-') if !is_hexadecimal => self.offset += 2,
                (b'p' | b'P', b'+' | b'-') => self.offset += 2,
                (byte, _) if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' => self.offset += 1,
                _ => return,
            }
        }
    }

    /// A string or character, from its opening quote on.
    fn quoted(&mut self, quote: u8, start: usize) -> Option<TokenKind> {
        self.offset += 1;
        loop {
            match self.byte(0) {
                b'\\' if self.offset + 1 < self.text.len() => self.offset += 2,
                b'\n' => break,
                0 if self.offset >= self.text.len() => break,
                byte => {
                    self.offset += 1;
                    if byte == quote {
                        return Some(if quote == b'"' { TokenKind::String } else { TokenKind::Character });
                    }
                }
            }
        }
        while !self.text.is_char_boundary(self.offset) {
            self.offset += 1;
        }
        let what = if quote == b'"' { "string" } else { "character" };
        self.error("E0820", format!("this {what} does not end on its line"), start);
        None
    }
}

/// The length of the prefix of a literal (`L`, `u8`, …) and its quote, if there is one.
fn literal_prefix(rest: &[u8]) -> Option<(usize, u8)> {
    let prefixes: [&[u8]; 5] = [b"u8", b"L", b"u", b"U", b""];
    let prefix = prefixes.into_iter().find(|prefix| rest.starts_with(prefix))?;
    let quote = *rest.get(prefix.len())?;
    matches!(quote, b'"' | b'\'').then_some((prefix.len(), quote))
}

/// Names start with letters of any language, `_`, and in GNU C with `$`.
fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$' || (!c.is_ascii() && c.is_alphanumeric())
}

/// A token as errors show it, such as "`->`" or "the name `x`".
pub fn describe(kind: TokenKind, text: &str) -> String {
    match kind {
        TokenKind::Name => format!("the name `{text}`"),
        TokenKind::Number => format!("the number `{text}`"),
        TokenKind::Character => format!("the character {text}"),
        TokenKind::String => "a string".to_owned(),
        TokenKind::Keyword(_) | TokenKind::Punctuator(_) => format!("`{text}`"),
        TokenKind::End => "the end of the file".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let (tokens, errors) = tokens(text, Span::new(0, text.len()));
        assert_eq!(errors, []);
        tokens.iter().map(|token| &text[token.span.start as usize..token.span.end as usize]).collect()
    }

    #[test]
    fn the_longest_punctuator_wins() {
        assert_eq!(texts("a+++b>>=c...->d"), ["a", "++", "+", "b", ">>=", "c", "...", "->", "d", ""]);
        assert_eq!(texts("a<:0:>"), ["a", "<:", "0", ":>", ""]);
    }

    #[test]
    fn numbers_end_where_they_should() {
        assert_eq!(texts("0x1e+1"), ["0x1e", "+", "1", ""]);
        assert_eq!(texts("1e+1f .5 0x1.8p-3 1ull"), ["1e+1f", ".5", "0x1.8p-3", "1ull", ""]);
    }

    #[test]
    fn comments_and_continued_lines_are_blanks() {
        assert_eq!(texts("a/* b\n */c // d\n\\\ne"), ["a", "c", "e", ""]);
    }

    #[test]
    fn literals_keep_their_prefixes() {
        assert_eq!(
            texts(r#"L"a\"b" u8"c" '\'' L'd' u x"e""#),
            [r#"L"a\"b""#, r#"u8"c""#, r"'\''", "L'd'", "u", "x", "\"e\"", ""]
        );
    }

    #[test]
    fn all_spellings_of_a_keyword_are_one() {
        let (tokens, _) = tokens("const __const __const__ x", Span::new(0, 25));
        let constants = tokens.iter().filter(|token| token.kind == TokenKind::Keyword(Keyword::Const));
        assert_eq!(constants.count(), 3);
    }

    #[test]
    fn what_is_no_token_is_an_error_with_its_place() {
        let check = |text: &str, code: &str, start: u32| {
            let (_, errors) = tokens(text, Span::new(0, text.len()));
            assert_eq!((errors[0].code, errors[0].span.start), (code, start), "{text}");
        };
        check("a @ b", "E0820", 2);
        check("a \"bc\nd", "E0820", 2);
        check("a 'b", "E0820", 2);
        check("a \"\\é", "E0820", 2);
        check("a /* b", "E0822", 2);
    }
}
