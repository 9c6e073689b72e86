//! What stands before declarators: storage, qualifiers, attributes and the words of a type, in any order.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::syntax::{
    Attribute, Expression, ExpressionKind, IntegerWord, Name, Qualifiers, Specifiers, Storage, TypeSpecifier,
};
use std::sync::Arc;
use throng_base::Span;

/// The words of a type that are met so far.
#[derive(Default)]
struct Words {
    /// All of them in order, as they are written.
    written: Vec<&'static str>,
    /// A type that is not made of words.
    other: Option<TypeSpecifier>,
    /// What is written, for floating types with their own names.
    floating: Option<Arc<str>>,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.written.is_empty() && self.other.is_none() && self.floating.is_none()
    }

    fn count(&self, word: &str) -> usize {
        self.written.iter().filter(|&&written| written == word).count()
    }

    /// The type that they are, if they are one.
    fn specifier(self) -> Option<TypeSpecifier> {
        if let Some(floating) = &self.floating {
            let complex = ["_Complex"; 1];
            return (self.other.is_none() && self.written.iter().all(|word| complex.contains(word)))
                .then(|| TypeSpecifier::Floating(Arc::clone(floating)));
        }
        if self.other.is_some() {
            return if self.written.is_empty() { self.other } else { None };
        }
        let mut words = self.written.clone();
        words.sort_unstable();
        let is_complex = words.contains(&"_Complex");
        match words.as_slice() {
            ["void"] => Some(TypeSpecifier::Void),
            ["_Bool"] => Some(TypeSpecifier::Bool),
            _ if is_complex || words.contains(&"float") || words.contains(&"double") => self.floating_words(),
            _ => self.integer_words(),
        }
    }

    fn floating_words(&self) -> Option<TypeSpecifier> {
        let of = |words: &[&str]| self.written.iter().all(|word| words.contains(word));
        let n = |word| self.count(word);
        let is_real = (of(&["float", "_Complex"]) && n("float") == 1)
            || (of(&["double", "long", "_Complex"]) && n("double") == 1 && n("long") <= 1);
        // `_Complex int` and `_Complex` alone exist in GNU C.
        let is_floating = is_real || n("_Complex") == 1;
        (is_floating && n("_Complex") <= 1).then(|| TypeSpecifier::Floating(self.written.join(" ").into()))
    }

    fn integer_words(&self) -> Option<TypeSpecifier> {
        let n = |word| self.count(word);
        let sign = match (n("signed"), n("unsigned")) {
            (0, 0) => None,
            (1, 0) => Some(true),
            (0, 1) => Some(false),
            _ => return None,
        };
        let word = match (n("char"), n("short"), n("int"), n("long"), n("__int128")) {
            (1, 0, 0, 0, 0) => IntegerWord::Char,
            (0, 1, 0 | 1, 0, 0) => IntegerWord::Short,
            (0, 0, 0 | 1, 0, 0) => IntegerWord::Int,
            (0, 0, 0 | 1, 1, 0) => IntegerWord::Long,
            (0, 0, 0 | 1, 2, 0) => IntegerWord::LongLong,
            (0, 0, 0, 0, 1) => IntegerWord::Int128,
            _ => return None,
        };
        let known = ["signed", "unsigned", "char", "short", "int", "long", "__int128"];
        self.written.iter().all(|word| known.contains(word)).then_some(TypeSpecifier::Integer { word, sign })
    }
}

/// The one spelling of a word of a type.
fn type_word(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Void => "void",
        Keyword::Char => "char",
        Keyword::Short => "short",
        Keyword::Int => "int",
        Keyword::Long => "long",
        Keyword::Signed => "signed",
        Keyword::Unsigned => "unsigned",
        Keyword::Float => "float",
        Keyword::Double => "double",
        Keyword::Complex => "_Complex",
        Keyword::Bool => "_Bool",
        Keyword::Int128 => "__int128",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether a token starts a declaration, or a type in parentheses.
    pub(super) fn starts_specifiers(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            TokenKind::Name => self.scopes.is_type(self.text_at(ahead)),
            TokenKind::Keyword(Keyword::Extension) => self.starts_specifiers(ahead + 1),
            TokenKind::Keyword(keyword) => {
                use Keyword as K;
                type_word(keyword).is_some()
                    || matches!(
                        keyword,
                        K::Typedef | K::Extern | K::Static | K::Auto | K::Register | K::Thread | K::Inline
                    )
                    || matches!(keyword, K::Noreturn | K::Alignas | K::Attribute | K::Typeof | K::AutoType)
                    || matches!(keyword, K::Const | K::Volatile | K::Restrict | K::Atomic)
                    || matches!(keyword, K::Struct | K::Union | K::Enum | K::VaList | K::FloatN | K::Uint128)
            }
            _ => false,
        }
    }

    /// The specifiers that stand here. Without a type they mean `int`, as they did before 1999.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.peek_span();
        let mut specifiers = Specifiers {
            storage: None,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            qualifiers: Qualifiers::default(),
            ty: TypeSpecifier::Integer { word: IntegerWord::Int, sign: None },
            attributes: Vec::new(),
            span: start,
        };
        let mut words = Words::default();
        loop {
            self.attributes(&mut specifiers.attributes)?;
            let is_more = self.declaration_word(&mut specifiers)?
                || self.qualifier(&mut specifiers.qualifiers)
                || self.type_specifier(&mut words)?;
            let goes_on = is_more || (words.is_empty() && self.unknown_type());
            if !goes_on {
                break;
            }
        }
        specifiers.span = self.since(start);
        if !words.is_empty() {
            match words.specifier() {
                Some(ty) => specifiers.ty = ty,
                None => {
                    return self.fail("E0832", "these words together are not a type", specifiers.span);
                }
            }
        }
        Ok(specifiers)
    }

    /// A storage class, `inline`, `_Noreturn`, `_Alignas`.
    fn declaration_word(&mut self, specifiers: &mut Specifiers) -> Parsed<bool> {
        let TokenKind::Keyword(keyword) = self.peek() else { return Ok(false) };
        let storage = match keyword {
            Keyword::Typedef => Storage::Typedef,
            Keyword::Extern => Storage::Extern,
            Keyword::Static => Storage::Static,
            Keyword::Auto => Storage::Auto,
            Keyword::Register => Storage::Register,
            Keyword::Thread | Keyword::Inline | Keyword::Noreturn => {
                self.advance();
                specifiers.is_thread_local |= keyword == Keyword::Thread;
                specifiers.is_inline |= keyword == Keyword::Inline;
                specifiers.is_noreturn |= keyword == Keyword::Noreturn;
                return Ok(true);
            }
            Keyword::Alignas => {
                specifiers.attributes.push(self.alignas()?);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let span = self.advance().span;
        if specifiers.storage.is_some_and(|other| other != storage) {
            return self.fail("E0832", "there are two storage classes", span);
        }
        specifiers.storage = Some(storage);
        Ok(true)
    }

    /// `_Alignas(16)`, `_Alignas(long)`: an attribute of that name.
    fn alignas(&mut self) -> Parsed<Attribute> {
        let name = Name { text: "aligned".into(), span: self.take_name().span };
        self.expect(Punctuator::OpenParen)?;
        let argument = if self.starts_specifiers(0) {
            let type_name = self.nested(Self::type_name)?;
            let span = type_name.span;
            Expression { kind: ExpressionKind::AlignofType(Box::new(type_name)), span }
        } else {
            self.nested(Self::conditional)?
        };
        self.expect(Punctuator::CloseParen)?;
        Ok(Attribute { name, arguments: vec![argument] })
    }

    /// Takes a qualifier if one is next.
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        let open = TokenKind::Punctuator(Punctuator::OpenParen);
        match self.peek() {
            TokenKind::Keyword(Keyword::Const) => qualifiers.is_const = true,
            TokenKind::Keyword(Keyword::Volatile) => qualifiers.is_volatile = true,
            TokenKind::Keyword(Keyword::Restrict) => qualifiers.is_restrict = true,
            TokenKind::Keyword(Keyword::Atomic) if self.peek_at(1) != open => qualifiers.is_atomic = true,
            _ => return false,
        }
        self.advance();
        true
    }

    /// Takes a word of a type, or a whole type, if one is next and can belong to the type.
    fn type_specifier(&mut self, words: &mut Words) -> Parsed<bool> {
        let span = self.peek_span();
        match self.peek() {
            TokenKind::Name if words.is_empty() && self.scopes.is_type(self.text_at(0)) => {
                words.other = Some(TypeSpecifier::Typedef(self.take_name()));
            }
            TokenKind::Keyword(keyword) => {
                if let Some(word) = type_word(keyword) {
                    self.advance();
                    words.written.push(word);
                } else if keyword == Keyword::FloatN {
                    words.floating = Some(self.take_name().text);
                } else if let Some(other) = self.whole_type(keyword)? {
                    if words.other.is_some() {
                        return self.fail("E0832", "there are two types", self.since(span));
                    }
                    words.other = Some(other);
                } else {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A type that a keyword starts and that no other word belongs to.
    fn whole_type(&mut self, keyword: Keyword) -> Parsed<Option<TypeSpecifier>> {
        Ok(Some(match keyword {
            Keyword::Struct | Keyword::Union => {
                TypeSpecifier::Record(Box::new(self.nested(Self::record_specifier)?))
            }
            Keyword::Enum => TypeSpecifier::Enum(Box::new(self.nested(Self::enum_specifier)?)),
            Keyword::Typeof => self.nested(Self::typeof_specifier)?,
            Keyword::Atomic => {
                self.advance();
                self.expect(Punctuator::OpenParen)?;
                let inner = self.nested(Self::type_name)?;
                self.expect(Punctuator::CloseParen)?;
                TypeSpecifier::Atomic(Box::new(inner))
            }
            Keyword::AutoType => self.take_type(TypeSpecifier::Auto),
            Keyword::VaList => self.take_type(TypeSpecifier::VaList),
            Keyword::Uint128 => {
                self.take_type(TypeSpecifier::Integer { word: IntegerWord::Int128, sign: Some(false) })
            }
            _ => return Ok(None),
        }))
    }

    fn take_type(&mut self, ty: TypeSpecifier) -> TypeSpecifier {
        self.advance();
        ty
    }

    /// `typeof(expression)`, `typeof(type)`
    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.advance();
        self.expect(Punctuator::OpenParen)?;
        let ty = if self.starts_specifiers(0) {
            TypeSpecifier::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeofExpression(Box::new(self.expression()?))
        };
        self.expect(Punctuator::CloseParen)?;
        Ok(ty)
    }

    /// Whether the next token is a name that no declaration made a type although it is used like one: a name or a
    /// pointer follows it. Tells so once, and takes it for a type from then on.
    pub(super) fn unknown_type(&mut self) -> bool {
        let is_declared = |next| match next {
            TokenKind::Name => true,
            TokenKind::Keyword(keyword) => matches!(keyword, Keyword::Const | Keyword::Volatile),
            _ => false,
        };
        let star = TokenKind::Punctuator(Punctuator::Star);
        let assign = TokenKind::Punctuator(Punctuator::Assign);
        let is_pointer = self.peek_at(1) == star
            && self.peek_at(2) == TokenKind::Name
            && (self.peek_at(3) == assign || self.depth == 0);
        if self.peek() != TokenKind::Name || !(is_declared(self.peek_at(1)) || is_pointer) {
            return false;
        }
        let span: Span = self.peek_span();
        let name = self.intern(self.text.slice(span));
        let error = self.text.error("E0831", format!("unknown type `{name}`"), span);
        self.errors
            .push(error.hint(format!("declare it: `typedef … {name};`, or include the header that does")));
        self.scopes.declare_outside(&name);
        true
    }
}
