//! A C program after name resolution and typing: one linked program of all units in which every name is an object or a
//! function, every expression has a type, every conversion is explicit, every constant is folded where C says
//! so (`sizeof`, enumeration constants, sizes of arrays), and initialisers are lists of stores.
//!
//! Statements keep their structure; control flow, threads and memory are given a meaning when they are lowered to
//! [`throng_cfa::flow`]. Floating-point numbers, unions, calls of unknown functions and so on are all here: what is not
//! modelled is refused later, and only where it matters.

use crate::syntax::{BinaryOperator, Qualifiers};
use throng_base::{Span, define_id};
use throng_cfa::text::Text;

define_id! {
    /// A type, by its number in [`Program::types`]. Equal types have equal numbers, qualifiers included.
    TypeId
}
define_id! {
    /// A struct or union, by its number in [`Program::records`].
    RecordId
}
define_id! {
    /// A variable, parameter, string or compound literal, by its number in [`Program::objects`].
    ObjectId
}
define_id! {
    /// A function, by its number in [`Program::functions`].
    FunctionId
}
define_id! {
    /// A label of a function, by its number in [`Function::labels`].
    LabelId
}

/// How wide `long` and pointers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
}

impl DataModel {
    /// The width of pointers, `long`, `size_t` and `ptrdiff_t` in bits.
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// A linked program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What all places point into.
    pub text: Text,
    /// The widths.
    pub data_model: DataModel,
    /// The types.
    pub types: Vec<Type>,
    /// The structs and unions.
    pub records: Vec<Record>,
    /// Everything that has an address and a type that is not a function.
    pub objects: Vec<Object>,
    /// All functions that are declared, with or without bodies.
    pub functions: Vec<Function>,
    /// Unsigned integers of 1, 2, 4, 8 and 16 bytes.
    pub words: [TypeId; 5],
}

/// A type with its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// `const`, `volatile`, `_Atomic`.
    pub qualifiers: Qualifiers,
    /// The name it was given by a `typedef`, if that matters to the meaning: `pthread_mutex_t` and the like are known
    /// by their names, whatever a header says they are.
    pub opaque: Option<Opaque>,
    /// The alignment in bytes that a `typedef` with the attribute `aligned` gave it.
    pub aligned: Option<u64>,
}

/// Types of the library that are known by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// `pthread_t`
    Thread,
    /// `pthread_mutex_t`
    Mutex,
    /// `pthread_mutexattr_t`
    MutexAttributes,
    /// `pthread_rwlock_t`
    ReadWriteLock,
    /// `pthread_cond_t`
    Condition,
    /// Attributes that have no meaning here: `pthread_attr_t`, `pthread_condattr_t`, …
    Attributes,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`
    Void,
    /// `_Bool`: one byte, values 0 and 1.
    Bool,
    /// An integer, `char` and enumerations included.
    Integer {
        /// The width: 8, 16, 32, 64 or 128.
        bits: u32,
        /// Whether it has negative values.
        is_signed: bool,
        /// `char`, `int`, `long long`: the conversion rank tells `long` from `int` of equal width.
        rank: crate::syntax::IntegerWord,
    },
    /// A floating-point type, with its size in bytes. Its bits are kept; nothing computes with them but the compiler
    /// with constants.
    Floating {
        /// Its size.
        bytes: u32,
        /// Whether it is `float`, `double` or `long double`, and no complex type and no vector.
        is_real: bool,
    },
    /// A pointer.
    Pointer(TypeId),
    /// An array; without a length it is incomplete (the parameter `int a[]` is a pointer, though).
    Array {
        /// The type of its elements.
        element: TypeId,
        /// How many there are.
        length: Option<u64>,
    },
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// `…`, or nothing is said about parameters.
        is_variadic: bool,
    },
    /// `__builtin_va_list`. Not modelled.
    VaList,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, or what it is called in messages.
    pub name: String,
    /// Whether members overlap.
    pub is_union: bool,
    /// Its members, in order, anonymous ones included; `None` if it is never completed.
    pub fields: Option<Vec<Field>>,
    /// Its size in bytes, with padding.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; anonymous structs and unions have none.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// Its offset in bytes.
    pub offset: u64,
    /// For a bit-field: its first bit from the offset, and its width.
    pub bits: Option<(u32, u32)>,
    /// Whether a bit-field of width 0 stands before it: then it is another memory location than what is before that.
    pub is_apart: bool,
}

/// How long an object lives and who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// From the start to the end, for everybody: globals, `static` locals, strings.
    Static,
    /// From the start to the end of a thread: `_Thread_local`.
    Thread,
    /// While a block of this function runs: locals and compound literals.
    Automatic(FunctionId),
    /// A parameter of this function.
    Parameter(FunctionId),
}

/// A variable, parameter, string or compound literal.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name as written; strings and compound literals get one.
    pub name: String,
    /// Its type; arrays are complete.
    pub ty: TypeId,
    /// How long it lives.
    pub storage: Storage,
    /// What it holds at the start, for static and thread storage: stores on a background of zeros.
    pub initial: Vec<Store>,
    /// Whether it is declared `extern` and never defined: then what it holds is arbitrary.
    pub is_external: bool,
    /// Whether files that are not given can know it by its name: it has external linkage.
    pub is_linked: bool,
    /// Whether it is declared weak: without a definition it has no address.
    pub is_weak: bool,
    /// The alignment in bytes that it was given, if it is more than that of its type.
    pub alignment: Option<u64>,
    /// The function that is called with its address when its scope is left.
    pub cleanup: Option<FunctionId>,
    /// For an array of variable length: the variable that has its length, as it was when the array was declared. The array's type
    /// has the longest length that is modelled.
    pub length: Option<ObjectId>,
    /// Where it is declared.
    pub span: Span,
}

/// One part of an initialiser: the scalar at this offset gets this value. For records initialised by a value of record
/// type, `ty` is the record's type.
#[derive(Clone, Debug)]
pub struct Store {
    /// Which part of the object, from the outside in.
    pub path: Vec<Step>,
    /// The value, converted to the type of the part. In objects of static and thread storage it is constant:
    /// integers, addresses of objects and functions, with conversions and additions of constants.
    pub value: Expression,
}

/// A step into an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member, by its number.
    Field(u32),
    /// An element.
    Element(u64),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type, of kind [`TypeKind::Function`].
    pub ty: TypeId,
    /// Its parameters; objects of storage [`Storage::Parameter`].
    pub parameters: Vec<ObjectId>,
    /// Its body, if it has one.
    pub body: Option<Vec<Statement>>,
    /// Its labels, by name.
    pub labels: Vec<Label>,
    /// Whether it is declared not to return.
    pub is_noreturn: bool,
    /// Whether it is declared weak: without a definition it has no address.
    pub is_weak: bool,
    /// Whether other files can call it: it has external linkage.
    pub is_linked: bool,
    /// Runs before `main`, with this priority; small ones first.
    pub constructor: Option<u32>,
    /// Runs when the program ends, with this priority; large ones first.
    pub destructor: Option<u32>,
    /// Where its name stands where it is defined, or first declared.
    pub span: Span,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
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
    /// Evaluated for what it does.
    Expression(Expression),
    /// An automatic object begins to live, with these stores. Without an initialiser (`None`) its value is arbitrary;
    /// with one, what is not stored to is zero.
    Declare(ObjectId, Option<Vec<Store>>),
    /// `{ … }`
    Block(Vec<Statement>),
    /// `if`
    If {
        /// Compared with zero.
        condition: Expression,
        /// If it is not.
        then: Vec<Statement>,
        /// If it is.
        otherwise: Vec<Statement>,
    },
    /// `while`, `for` (what stands first in it comes before, in a block) and `do`.
    Loop {
        /// Tested before each round, or after it for `do`; `None` for always.
        condition: Option<Expression>,
        /// Whether the test comes after the body.
        is_do: bool,
        /// Evaluated after each round, where `continue` goes.
        step: Option<Expression>,
        /// The body.
        body: Vec<Statement>,
    },
    /// `switch`; its body has [`StatementKind::Case`] and [`StatementKind::Default`] at any depth.
    Switch {
        /// Of promoted type.
        value: Expression,
        /// The body.
        body: Vec<Statement>,
    },
    /// `case first ... last:` of the innermost switch, values converted to its type (sign- or zero-extended to i128).
    Case(i128, i128),
    /// `default:`
    Default,
    /// `label:`
    Label(LabelId),
    /// `goto label;`
    Goto(LabelId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`, converted to the function's result type.
    Return(Option<Expression>),
    /// Something without a model: a computed goto, an `asm` with instructions. The code and what to say.
    Unmodelled(Unmodelled),
}

/// Something that is not modelled: refused if a thread can come there and it matters.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    /// The code of the refusal.
    pub code: &'static str,
    /// What it is, in a few words.
    pub what: String,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What is computed.
    pub kind: ExpressionKind,
    /// The type of the value: never an array or a function; qualifiers mean nothing on values.
    pub ty: TypeId,
    /// Where.
    pub span: Span,
}

/// The expressions. Operands have the types that the usual conversions give them: [`ExpressionKind::Convert`] is the
/// only place where a value changes its type.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// An integer, as the two's complement bits of its type; also a null pointer.
    Constant(u128),
    /// What a place holds: an access.
    Load(Place),
    /// The address of a place; arrays in expressions become the address of their first element (the type tells).
    AddressOf(Place),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `-e`, of integer type.
    Negate(Box<Expression>),
    /// `~e`
    BitNot(Box<Expression>),
    /// `!e`: an int; the operand is an integer or a pointer.
    Not(Box<Expression>),
    /// Both operands have the same type, but for shifts, where the right one has its own. Comparisons give an int; they
    /// also compare pointers.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A pointer plus an integer (of pointer width, signed) times the size of what it points to.
    Offset {
        /// The pointer.
        pointer: Box<Expression>,
        /// How many elements.
        index: Box<Expression>,
        /// The size of an element in bytes.
        size: u64,
        /// Whether it is subtracted.
        is_negative: bool,
    },
    /// The difference of two pointers in elements of this size.
    Difference(Box<Expression>, Box<Expression>, u64),
    /// `a && b`: an int
    And(Box<Expression>, Box<Expression>),
    /// `a || b`: an int
    Or(Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `c ?: b` where `c` has the result's type
    Elvis(Box<Expression>, Box<Expression>),
    /// `a, b`
    Comma(Box<Expression>, Box<Expression>),
    /// The operand's value in this expression's type: between integers, `_Bool`, pointers, floating types, or to void.
    Convert(Box<Expression>),
    /// `place = value`; the value is what the place holds afterwards. Records are assigned whole.
    Assign(Place, Box<Expression>),
    /// `place op= value`: the place's value is converted to the type of `value`'s arithmetic (`computed`), combined with
    /// it and converted back. For pointers, the operator is `+` or `-` and `size` scales the value.
    Update {
        /// What is updated; evaluated once.
        place: Place,
        /// The operator.
        operator: BinaryOperator,
        /// The right operand, of type `computed`; of its own promoted type in shifts.
        value: Box<Expression>,
        /// The type in which is computed.
        computed: TypeId,
        /// For pointers, the size of what they point to.
        size: Option<u64>,
        /// Whether the expression's value is that before the update: `i++`.
        is_postfix: bool,
    },
    /// `f(a, b)`; arguments are converted to the types of the parameters.
    Call(Callee, Vec<Expression>),
    /// A function that the compiler knows.
    Builtin(Builtin, Vec<Expression>),
    /// `({ …; e; })`
    Block(Vec<Statement>, Option<Box<Expression>>),
    /// A number, operation or conversion of floating type, `va_arg`, the address of a label: not modelled. The operands
    /// are evaluated for what they do.
    Unmodelled(Unmodelled, Vec<Expression>),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// This function.
    Direct(FunctionId),
    /// What this pointer points to.
    Indirect(Box<Expression>),
}

/// What is read or written: an lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// Which.
    pub kind: PlaceKind,
    /// Its type, with qualifiers.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// The lvalues.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A variable.
    Object(ObjectId),
    /// `*p`, and `p->m` as a member of it, and `p[i]` as `*(p + i)`.
    Dereference(Box<Expression>),
    /// A member, by its number, of a struct or union.
    Member(Box<Place>, u32),
    /// An element of an array that is itself a place (not a pointer), with an index of pointer width, signed.
    Element(Box<Place>, Box<Expression>),
    /// A value of record type that is no lvalue: `f().x`.
    Value(Box<Expression>),
}

/// Functions that the compiler knows. Pointers are the first operands; memory orders are the last, as ints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `__atomic_load_n(p, order)`, and `__atomic_load(p, q, order)` as an assignment of it.
    AtomicLoad,
    /// `__atomic_store_n(p, v, order)`
    AtomicStore,
    /// `__atomic_exchange_n(p, v, order)`, `__sync_lock_test_and_set(p, v)`
    AtomicExchange,
    /// `__atomic_compare_exchange_n(p, expected, v, weak, success, failure)`: true, or `*expected` is what `*p` holds.
    AtomicCompareExchange,
    /// `__sync_bool_compare_and_swap(p, old, new)`
    CompareAndSwapBool,
    /// `__sync_val_compare_and_swap(p, old, new)`
    CompareAndSwapValue,
    /// `__atomic_fetch_add(p, v, order)`, `__atomic_add_fetch`, `__sync_fetch_and_add`, …
    AtomicUpdate {
        /// `+`, `-`, `&`, `|`, `^`; with `is_nand`, `~(old & v)`.
        operator: BinaryOperator,
        /// Whether it is nand.
        is_nand: bool,
        /// Whether the value is that after the update.
        returns_new: bool,
    },
    /// `__atomic_test_and_set(p, order)`: a byte becomes 1, the value is whether it was set.
    AtomicTestAndSet,
    /// `__atomic_clear(p, order)`, `__sync_lock_release(p)`: becomes 0.
    AtomicClear,
    /// `__atomic_thread_fence(order)`, `__sync_synchronize()`, signal fences: nothing, under sequential consistency.
    Fence,
    /// `__builtin_expect(e, c)`: the value of `e`.
    Expect,
    /// `__builtin_unreachable()`: nobody comes here.
    Unreachable,
    /// `__builtin_trap()`, `__builtin_abort`: the program ends.
    Trap,
    /// `__builtin_add_overflow(a, b, p)` and the like: computed exactly, stored wrapped, true if it did not fit.
    Overflow(BinaryOperator),
    /// `__builtin_constant_p(e)` that is not folded: 0.
    ConstantP,
}
