//! The syntax tree of C11 with GNU extensions: what is written, with its places, before names and types have a
//! meaning. The parser knows which names are types, since C cannot be read otherwise, and nothing more.
//!
//! Parentheses and `__extension__` are not part of the tree. Adjacent string literals are one.

use std::sync::Arc;
use throng_base::Span;

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// One translation unit: a file after preprocessing.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The file, as the user gave it.
    pub file: String,
    /// What is declared and defined, in order.
    pub items: Vec<Item>,
    /// Whether it is a part of our model of the C library, of which only what the program needs is taken.
    pub is_library: bool,
}

/// `asm("template" : outputs : inputs : clobbers : labels)`
#[derive(Clone, Debug)]
pub struct Asm {
    /// The instructions.
    pub template: String,
    /// What is written: lvalues.
    pub outputs: Vec<AsmOperand>,
    /// What is read.
    pub inputs: Vec<AsmOperand>,
    /// Whether it may read and write memory that is no operand: `"memory"`.
    pub clobbers_memory: bool,
    /// Whether it may jump to labels.
    pub is_goto: bool,
    /// Where.
    pub span: Span,
}

/// An operand of an `asm`: `[name] "constraint" (value)`.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// What instructions call it, besides its number.
    pub name: Option<String>,
    /// Where it is.
    pub constraint: String,
    /// What it is.
    pub value: Expression,
}

/// Something outside of functions.
#[derive(Clone, Debug)]
pub enum Item {
    /// `int x = 1, *p;`
    Declaration(Declaration),
    /// A function with a body.
    Function(FunctionDefinition),
    /// `_Static_assert(e, "…");`
    StaticAssert(StaticAssert),
    /// `asm("…");`
    Asm(Asm),
}

/// `_Static_assert(condition, "message")`.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// What has to be non-zero.
    pub condition: Expression,
    /// What is said if not.
    pub message: Option<String>,
    /// Where.
    pub span: Span,
}

/// A declaration of any number of names.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What all names have in common.
    pub specifiers: Specifiers,
    /// The names with what each adds.
    pub declarators: Vec<InitDeclarator>,
    /// Where, with the semicolon.
    pub span: Span,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Its result and storage.
    pub specifiers: Specifiers,
    /// Its name and parameters: the last of `derived` that is not a pointer of the result is a function.
    pub declarator: Declarator,
    /// Declarations of parameters between `)` and `{`, in the old style.
    pub old_parameters: Vec<Declaration>,
    /// The body.
    pub body: Block,
    /// Where its head stands.
    pub span: Span,
}

/// `typedef`, `extern`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A name for a type.
    Typedef,
    /// Defined elsewhere, or here.
    Extern,
    /// Known in this unit only, or kept between calls.
    Static,
    /// The default in functions.
    Auto,
    /// A hint.
    Register,
}

/// `const`, `volatile`, `restrict`, `_Atomic`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    /// Not to be assigned.
    pub is_const: bool,
    /// Possibly changed by others.
    pub is_volatile: bool,
    /// A promise about aliases, which means nothing here.
    pub is_restrict: bool,
    /// Accessed atomically.
    pub is_atomic: bool,
}

/// What stands before declarators.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// The storage class, if any.
    pub storage: Option<Storage>,
    /// `_Thread_local` or `__thread`.
    pub is_thread_local: bool,
    /// `inline`.
    pub is_inline: bool,
    /// `_Noreturn`.
    pub is_noreturn: bool,
    /// Qualifiers of the type.
    pub qualifiers: Qualifiers,
    /// The type.
    pub ty: TypeSpecifier,
    /// `__attribute__((…))`.
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// An attribute with its arguments as far as they are expressions.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name, without underscores around it.
    pub name: Name,
    /// Its arguments.
    pub arguments: Vec<Expression>,
}

/// The widths that C has words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntegerWord {
    /// `char`, and `unsigned char`
    Char,
    /// `signed char`, which is a type of its own
    SignedChar,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// `__int128`
    Int128,
}

/// A type without declarators.
#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type; `sign` is what is written: for `char` that makes a third type.
    Integer {
        /// The width.
        word: IntegerWord,
        /// `signed` (true), `unsigned` (false) or nothing.
        sign: Option<bool>,
    },
    /// `float`, `double`, `long double`, complex or vector types: the words as written.
    Floating(Arc<str>),
    /// `struct` or `union`.
    Record(Box<RecordSpecifier>),
    /// `enum`.
    Enum(Box<EnumSpecifier>),
    /// A name of a type.
    Typedef(Name),
    /// `typeof(expression)`.
    TypeofExpression(Box<Expression>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// `__builtin_va_list`.
    VaList,
}

/// `struct tag { … }`, `union { … }`, `struct tag`.
#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    /// Whether members overlap.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Name>,
    /// The members; `None` if they stand elsewhere.
    pub members: Option<Vec<Member>>,
    /// Attributes, such as `packed`.
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// What stands between braces of a `struct`.
#[derive(Clone, Debug)]
pub enum Member {
    /// `int a, b : 3;` A member without declarators is an anonymous `struct` or `union`.
    Field {
        /// Their type.
        specifiers: Specifiers,
        /// Each with the width of a bit-field.
        declarators: Vec<(Declarator, Option<Expression>)>,
    },
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
}

/// `enum tag { A, B = 2 }`, `enum tag`.
#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    /// The tag.
    pub tag: Option<Name>,
    /// The constants; `None` if they stand elsewhere.
    pub constants: Option<Vec<(Name, Option<Expression>)>>,
    /// Where.
    pub span: Span,
}

/// A declarator: a name with what stands around it.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name, if it has one.
    pub name: Option<Name>,
    /// What the type is made of, from the specifiers outwards: `int *a[3]` is pointer, then array. The type of the
    /// name is the specifiers' type with these applied in order.
    pub derived: Vec<Derived>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// One step from a type to another.
#[derive(Clone, Debug)]
pub enum Derived {
    /// A pointer to it.
    Pointer(Qualifiers),
    /// An array of it.
    Array {
        /// The number of elements.
        size: ArraySize,
        /// Where.
        span: Span,
    },
    /// A function that returns it.
    Function(Parameters),
}

/// What stands between brackets.
#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[n]`, `[static n]`
    Expression(Box<Expression>),
}

/// The parameters of a function.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Those with types.
    pub list: Vec<Parameter>,
    /// Names without types, in the old style.
    pub old_names: Vec<Name>,
    /// `…`
    pub is_variadic: bool,
    /// `()`: nothing is said about parameters.
    pub is_unspecified: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub specifiers: Specifiers,
    /// Its name, and what it adds.
    pub declarator: Declarator,
}

/// A declared name with its initial value.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// The name.
    pub declarator: Declarator,
    /// `= …`
    pub initializer: Option<Initializer>,
}

/// An initial value.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// One expression.
    Expression(Expression),
    /// `{ … }`
    List(InitializerList),
}

/// `{ 1, [3] = 2, .x = { 4 } }`
#[derive(Clone, Debug)]
pub struct InitializerList {
    /// Values with what they are for, if it is said.
    pub entries: Vec<(Vec<Designator>, Initializer)>,
    /// Where.
    pub span: Span,
}

/// `.member`, `[index]`, `[first ... last]`
#[derive(Clone, Debug)]
pub enum Designator {
    /// A member.
    Member(Name),
    /// An element.
    Index(Expression),
    /// Several elements.
    Range(Expression, Expression),
}

/// A type in an expression: `(int *)`, `sizeof(struct s)`.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The type.
    pub specifiers: Specifiers,
    /// What is added; it has no name.
    pub declarator: Declarator,
    /// Where.
    pub span: Span,
}

/// `{ … }`
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// What stands in it.
    pub items: Vec<BlockItem>,
    /// Where.
    pub span: Span,
}

/// Something in a block.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// `_Static_assert`.
    StaticAssert(StaticAssert),
    /// A function within a function, which GNU C has.
    NestedFunction(Box<FunctionDefinition>),
    /// A statement.
    Statement(Statement),
}

/// A statement at a place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `e;`
    Expression(Expression),
    /// `{ … }`
    Block(Block),
    /// `label: s`
    Label(Name, Box<Statement>),
    /// `case a: s`, `case a ... b: s`
    Case(Expression, Option<Expression>, Box<Statement>),
    /// `default: s`
    Default(Box<Statement>),
    /// `if (e) s else t`
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    /// `switch (e) s`
    Switch(Expression, Box<Statement>),
    /// `while (e) s`
    While(Expression, Box<Statement>),
    /// `do s while (e);`
    DoWhile(Box<Statement>, Expression),
    /// `for (a; b; c) s`
    For(Box<ForInit>, Option<Expression>, Option<Expression>, Box<Statement>),
    /// `goto label;`
    Goto(Name),
    /// `goto *e;`
    ComputedGoto(Expression),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<Expression>),
    /// `asm("…" : … );`
    Asm(Box<Asm>),
}

/// What stands first in a `for`.
#[derive(Clone, Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expression(Expression),
    /// A declaration.
    Declaration(Declaration),
}

/// An expression at a place.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What is computed.
    pub kind: ExpressionKind,
    /// Where.
    pub span: Span,
}

/// `-e`, `&e`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    BitNot,
    /// `!e`
    Not,
    /// `&e`
    AddressOf,
    /// `*e`
    Dereference,
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
}

/// Operators between two values, assignments and `&&`, `||`, `,` left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
}

/// What the prefix of a character or string says about its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// None, or `u8`: bytes.
    Narrow,
    /// `L`: `wchar_t`, an `int`.
    Wide,
    /// `u`: `char16_t`, an unsigned integer of two bytes.
    Utf16,
    /// `U`: `char32_t`, an unsigned integer of four bytes.
    Utf32,
}

impl Encoding {
    /// How many bytes each character has.
    pub fn size(self) -> usize {
        match self {
            Encoding::Narrow => 1,
            Encoding::Utf16 => 2,
            Encoding::Wide | Encoding::Utf32 => 4,
        }
    }
}

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A name.
    Name(Arc<str>),
    /// An integer: its value and what its suffix and base say about its type.
    Integer(IntegerLiteral),
    /// A character with its value.
    Character(i64, Encoding),
    /// A number with a point, as written.
    Floating(Arc<str>),
    /// A string: its bytes without the final zero.
    String {
        /// The bytes; characters of more than one byte in little-endian order.
        bytes: Vec<u8>,
        /// What its prefix says.
        encoding: Encoding,
    },
    /// One operand.
    Unary(UnaryOperator, Box<Expression>),
    /// Two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `a && b`
    And(Box<Expression>, Box<Expression>),
    /// `a || b`
    Or(Box<Expression>, Box<Expression>),
    /// `a = b`, or with an operator `a += b`
    Assign(Option<BinaryOperator>, Box<Expression>, Box<Expression>),
    /// `c ? a : b`; without `a`, it is `c`, evaluated once
    Conditional(Box<Expression>, Option<Box<Expression>>, Box<Expression>),
    /// `a, b`
    Comma(Box<Expression>, Box<Expression>),
    /// `(type) e`
    Cast(Box<TypeName>, Box<Expression>),
    /// `(type) { … }`
    CompoundLiteral(Box<TypeName>, InitializerList),
    /// `f(a, b)`
    Call(Box<Expression>, Vec<Expression>),
    /// `e.m`
    Member(Box<Expression>, Name),
    /// `e->m`
    Arrow(Box<Expression>, Name),
    /// `a[i]`
    Index(Box<Expression>, Box<Expression>),
    /// `sizeof e`
    SizeofExpression(Box<Expression>),
    /// `sizeof(type)`
    SizeofType(Box<TypeName>),
    /// `_Alignof(type)`
    AlignofType(Box<TypeName>),
    /// `__alignof__ e`
    AlignofExpression(Box<Expression>),
    /// `__builtin_offsetof(type, m.n[2])`
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `({ … })`
    StatementExpression(Block),
    /// `_Generic(e, type: a, default: b)`
    Generic(Box<Expression>, Vec<(Option<TypeName>, Expression)>),
    /// `__builtin_va_arg(e, type)`
    VaArg(Box<Expression>, Box<TypeName>),
    /// `__builtin_types_compatible_p(type, type)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `&&label`
    LabelAddress(Name),
}

/// An integer as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    /// Its value.
    pub value: u128,
    /// Whether there is a `u`.
    pub is_unsigned: bool,
    /// How many `l`s there are: 0, 1 or 2.
    pub longs: u8,
    /// Whether it is decimal: then its type is signed unless there is a `u`.
    pub is_decimal: bool,
}
