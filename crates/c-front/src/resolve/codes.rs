//! The codes of messages about names and types, with a page for each: what is wrong, programs that are wrong so (one on
//! each indented line), and what to write instead. The programs are tests.

use crate::codes::Code;

const fn code(code: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { code, title, explanation }
}

/// All codes of this stage.
pub const CODES: &[Code] = &[
    code(
        "E0600",
        "a name is not declared",
        "\
A variable, function or constant is used, but no declaration of it is in sight. Declare it before, or
include the header that does. Names are case-sensitive, and what is declared in a block is known in that
block only.

    int f(void) { return x; }
",
    ),
    code(
        "E0601",
        "a type is used as a value",
        "\
A name that `typedef` made a type stands where a value is needed.

    typedef int t; int f(void) { return sizeof(int) + t; }
",
    ),
    code(
        "E0602",
        "a number is too large",
        "\
No integer type of the data model holds this number. The largest have 128 bits.

    enum { A = 0xffffffffffffffffu, B = -1 };
",
    ),
    code(
        "E0603",
        "an expression is too long",
        "\
More than 4096 operators follow each other without parentheses. Split the expression into several
statements.
",
    ),
    code(
        "E0604",
        "a function is not declared",
        "\
C11 has no implicit declarations of functions. Include the header that declares the function, or write a
prototype. Functions of verifiers (`__VERIFIER_…`, `__CPROVER_…`, `nondet_…`) need none.

    int f(void) { return g(1); }
",
    ),
    code(
        "E0605",
        "a type is not known",
        "\
This name is not a type here. If it is the tag of a struct, write `struct` before it.
",
    ),
    code(
        "E0606",
        "the length of an array is not constant",
        "\
The outermost length of a variable in a function may be computed, other lengths may not, since the size of elements has to be
known. Give the array the largest length it can have, as a constant.

    int f(int n) { int a[2][n]; return a[0][0]; }
",
    ),
    code(
        "E0607",
        "a struct or enum has neither tag nor members",
        "\
`struct` and `enum` are followed by a tag, by members between braces, or by both.
",
    ),
    code(
        "E0608",
        "a tag is of another kind",
        "\
The tag names a struct, a union or an enum, and is used with another of these words.

    struct s { int a; }; union s u;
",
    ),
    code(
        "E0609",
        "a struct, enum or member is defined twice",
        "\
In one scope, a tag is defined once (the same definition again changes nothing); in one struct, a member is.

    struct s { int a; }; struct s { int b; };
    struct s { int a; char a; };
",
    ),
    code(
        "E0611",
        "a name is declared twice",
        "\
In one scope, a name means one thing. Rename one of the two, or put one into a block of its own.

    int f(void) { int a; int a; return 0; }
",
    ),
    code(
        "E0612",
        "declarations do not agree",
        "\
A variable, function or struct is declared with different types, in one file or in two that are linked. Both
places are named.

    int a; long a;
",
    ),
    code(
        "E0614",
        "something is defined twice",
        "\
A function has one body and a global variable one initial value, in all files together. Make one of them
`static`, or `extern` without an initial value.

    int f(void) { return 0; } int f(void) { return 1; }
",
    ),
    code(
        "E0615",
        "a width or alignment is not possible",
        "\
A bit-field is of integer type and has at most as many bits as its type; an alignment is a power of two.

    struct s { int a : 33; };
",
    ),
    code(
        "E0616",
        "a declaration makes no sense",
        "\
The name is missing, or something that has no value is given one.

    typedef int t = 3;
",
    ),
    code(
        "E0617",
        "`__auto_type` without a value",
        "\
`__auto_type` takes the type of the initial value, which has to be an expression.

    int f(void) { __auto_type x; return 0; }
",
    ),
    code(
        "E0618",
        "a type cannot be formed",
        "\
There are no arrays of functions, of `void` or of incomplete types, and no functions that return arrays or
functions.

    void a[3];
",
    ),
    code(
        "E0619",
        "an object is too large",
        "\
No object can be larger than half of the memory that pointers can address, and no length is negative.

    int a[-1];
",
    ),
    code(
        "E0620",
        "a constant is not an integer",
        "\
Indices of designators, values of cases and lengths of arrays are integers.

    int *p; int a[3] = { [(int *)0] = 1 };
",
    ),
    code(
        "E0621",
        "an expression is not constant",
        "\
Here C needs a value that is known before the program runs: numbers, enumeration constants, `sizeof`, and,
for initial values of static variables, addresses of static variables and functions.

    int x; struct s { int a : x; };
",
    ),
    code(
        "E0622",
        "a static assertion does not hold",
        "\
The condition of `_Static_assert` is zero under the data model that was chosen (`--ilp32` or `--lp64`).

    _Static_assert(sizeof(int) == 2, \"small\");
",
    ),
    code(
        "E0623",
        "an array is initialised by a value",
        "\
An array is initialised by a list between braces, or by a string.

    int b[2]; int a[2] = b;
",
    ),
    code(
        "E0624",
        "an initialiser is too large",
        "\
It has more than a million parts. Fill the array in a loop.

    int a[100000000] = { [0 ... 99999999] = 1 };
",
    ),
    code(
        "E0625",
        "a designator names no part",
        "\
`[i]` and `.m` in an initialiser name elements and members that are there.

    int a[2] = { [2] = 1 };
",
    ),
    code(
        "E0630",
        "a type is incomplete",
        "\
The members of a struct, or the length of an array, have to be known where a value or variable of the type
is used.

    struct s; struct s x;
",
    ),
    code(
        "E0631",
        "a value cannot be compared with zero",
        "\
Conditions are numbers or pointers, not structs and not `void`.

    struct s { int a; } x; void f(void) { if (x) ; }
",
    ),
    code(
        "E0632",
        "a value is of the wrong type",
        "\
The value cannot be converted to the type that is needed here.

    struct s { int a; } x; void f(void) { int y = x; }
",
    ),
    code(
        "E0633",
        "a cast is not possible",
        "\
Casts convert between numbers and pointers, and to `void`.

    struct s { int a; } x; void f(void) { (int)x; }
",
    ),
    code(
        "E0634",
        "an operator is not for these operands",
        "\
The operands of an arithmetic operator are numbers; those of `%`, shifts and bit operators are integers.

    int *p; void f(void) { p * 2; }
",
    ),
    code(
        "E0635",
        "pointers of different types are subtracted",
        "\
The difference of two pointers is defined if both point into one array.

    int *p; char *q; void f(void) { p - q; }
",
    ),
    code(
        "E0636",
        "two values have no common type",
        "\
Both values after `?` have to be numbers, pointers, structs of one type, or `void`.

    struct s { int a; } x; void f(void) { 1 ? x : 1; }
",
    ),
    code(
        "E0637",
        "it depends on the compiler in how many bits this is computed",
        "\
A bit-field that is wider than an `int` is computed with as it is by some compilers, and in its declared type by others, and
the result may differ. Convert it to the type that is meant.

    struct { unsigned long f : 40; } s; unsigned long f(void) { return s.f << 30; }
",
    ),
    code(
        "E0638",
        "a part of what was given as a whole is given again",
        "\
After `.s = x`, where x is a struct, `.s.a = 1` leaves the other members of s as they are in x for some compilers, and makes
them zero for others. Give all members, or assign to the one that differs afterwards.

    struct s { int a, b; }; struct t { struct s s; }; void f(struct s x) { struct t t = { .s = x, .s.a = 1 }; }
",
    ),
    code(
        "E0640",
        "something cannot be assigned to",
        "\
Only variables, elements, members and what pointers point to can be assigned to and have an address.

    void f(void) { 1 = 2; }
",
    ),
    code(
        "E0641",
        "an array is assigned",
        "\
Arrays are not values in C. Assign element by element, or put the array into a struct.

    int a[2], b[2]; void f(void) { a = b; }
",
    ),
    code(
        "E0642",
        "something constant is changed",
        "\
The type says `const`: what has it is given its value where it is declared, and never again. Leave `const` out if
it is meant to change.

    const int a; void f(void) { a = 1; }
",
    ),
    code(
        "E0643",
        "something is not a pointer",
        "\
`*`, `->` and `[]` are for pointers and arrays. To read a member of a struct itself, write `.`.

    int a; void f(void) { *a; }
",
    ),
    code(
        "E0644",
        "an index is not an integer",
        "\
One side of `a[i]` is an integer; the other is an array or a pointer.

    int *p, *q; void f(void) { p[q]; }
",
    ),
    code(
        "E0645",
        "a size is not known",
        "\
The type is incomplete here, so its size is not known.

    struct s; int f(void) { return sizeof(struct s); }
",
    ),
    code(
        "E0646",
        "something has no members",
        "\
`.` is for structs and unions, `->` for pointers to these.

    int a; void f(void) { a.x; }
",
    ),
    code(
        "E0647",
        "a member is not known",
        "\
The struct or union has no member of this name.

    struct s { int count; } x; void f(void) { x.cout; }
",
    ),
    code(
        "E0648",
        "a bit-field has no address",
        "\
Neither `&` nor `offsetof` is for bit-fields.

    struct s { int a : 3; } x; void f(void) { &x.a; }
",
    ),
    code(
        "E0649",
        "`_Generic` has no choice",
        "\
None of the types of `_Generic` is that of the value, and there is no `default`.

    void f(void) { _Generic(1, char *: 2); }
",
    ),
    code(
        "E0650",
        "the number of arguments is wrong",
        "\
A function is called with as many arguments as it has parameters; with `...`, with at least as many.

    int g(int); void f(void) { g(); }
",
    ),
    code(
        "E0651",
        "something is not a function",
        "\
Only functions and pointers to functions are called.

    int a; void f(void) { a(); }
",
    ),
    code(
        "E0652",
        "a builtin is given operands of wrong types",
        "\
Atomic operations are on integers and pointers, through a pointer to them.

    int a; void f(void) { __atomic_load_n(a, 0); }
",
    ),
    code(
        "E0660",
        "a label is not there",
        "\
`goto` goes to a label of the same function. Define the label, or correct its name.

    void f(void) { goto nowhere; }
",
    ),
    code(
        "E0661",
        "something may stand in functions only",
        "\
Statement expressions, `({ … })`, have to be in a function: outside of one, nothing runs.

    int a = ({ 1; });
",
    ),
    code(
        "E0662",
        "a function is defined in a function",
        "\
Nested functions of GNU C are not modelled. Define the function outside, with what it uses as parameters.

    void f(void) { int g(void) { return 1; } }
",
    ),
    code(
        "E0663",
        "a label is there twice",
        "\
In one function, a label is defined once, however deep in blocks. Rename one of the two.

    void f(void) { a: ; a: ; }
",
    ),
    code(
        "E0664",
        "a jump or label is at the wrong place",
        "\
`break` stands in a loop or `switch`, `continue` in a loop, `case` and `default` in a `switch`.

    void f(void) { break; }
",
    ),
    code(
        "E0665",
        "`switch` over something that is no integer",
        "\
The value of `switch` is of integer type.

    int *p; void f(void) { switch (p) { } }
",
    ),
    code(
        "E0666",
        "a case is there twice",
        "\
In one `switch`, each value has one `case`, and there is one `default`.

    void f(int a) { switch (a) { case 1: case 1: ; } }
",
    ),
    code(
        "E0667",
        "an alias comes after its use in another file",
        "\
`alias(\"name\")` makes a name mean another variable or function of its file. Another file that was read before took the
name for something of its own. Give the file with the alias first.
",
    ),
    code(
        "E0701",
        "floating-point numbers are not modelled",
        "\
Integers are modelled bit by bit; floating-point numbers are not. They are accepted where they do not
influence the property. Scale to integers, or take a `__VERIFIER_nondet_…` value in place of the number.

    int f(int n) { return n * 1.5; }
",
    ),
    code(
        "E0702",
        "variable arguments are not modelled",
        "\
`va_start`, `va_arg` and the like have no model. Write a function with a fixed number of parameters.

    int f(int n, ...) { __builtin_va_list l; return __builtin_va_arg(l, int); }
",
    ),
    code(
        "E0703",
        "addresses of labels are not modelled",
        "\
`&&label` and `goto *p` of GNU C have no model. Write a `switch`.

    void f(void) { void *p = &&end; goto *p; end: ; }
",
    ),
    code(
        "E0704",
        "instructions are not modelled",
        "\
Fences and hints (docs/c-world.md) are known, and the instructions of x86-64 of which locks are made: `mov`, `xchg`, and with the
prefix `lock` `xadd`, `cmpxchg`, `inc`, `dec`, `add`, `sub`, `and`, `or`, `xor`, `not`; then `sete` and `setne`, and `syscall`.
Others have no model: what they compute is refused where it matters, and one that may change memory everywhere. Use `__atomic_…`
or `__sync_…` functions.

    void f(void) { asm(\"cli\" ::: \"memory\"); }
",
    ),
    code(
        "E0705",
        "a builtin function is not modelled",
        "\
This function of the compiler has no model. Write it in C.

    int f(void) { return __builtin_return_address(0) != 0; }
",
    ),
    code(
        "E0706",
        "transparent unions are not modelled",
        "\
A parameter whose type is a union with the attribute `transparent_union` takes any member's value. It is read, but has
no model: declare the parameter with the type that is passed.

    union __attribute__((transparent_union)) u { int *a; char *b; }; void g(union u); void f(int *p) { g(p); }
",
    ),
    code(
        "E0707",
        "a builtin function is not known",
        "\
Functions of the compiler are read by a table (docs/c-world.md), and this one is not in it: what it does is not known, so a thread
must not come there. Write in C what it does.

    int f(void) { return __builtin_speculation_safe_value(1); }
",
    ),
    code(
        "W0601",
        "pointers to different types meet",
        "\
A pointer is given a value, or compared with one, that points to another type. The program is read as it is
written.

    int *p; char *q; void f(void) { p = q; }
",
    ),
    code(
        "W0602",
        "an integer and a pointer meet",
        "\
A pointer is given an integer, or an integer a pointer, without a cast.

    int *p; void f(void) { p = 4; }
",
    ),
    code(
        "W0603",
        "a range of cases is empty",
        "\
In `case a ... b`, `b` is below `a`.

    void f(int a) { switch (a) { case 3 ... 1: ; } }
",
    ),
    code(
        "W0604",
        "a return does not fit its function",
        "\
A function with a result returns without a value, or one without a result returns a value.

    int f(void) { return; }
",
    ),
    code(
        "W0605",
        "an initialiser has too many values",
        "\
There are more values than parts, or a string is longer than its array. What does not fit is left out.

    int a[1] = { 1, 2 };
",
    ),
    code(
        "W0606",
        "a well-known function is not declared",
        "\
A function of the library or of verifiers is called without a declaration. It is taken for what everybody means by its name;
include the header that declares it, so that its arguments are checked.

    void f(void) { abort(); }
",
    ),
    code(
        "W0607",
        "functions of other files are called",
        "\
`--list-unsupported` looks at the files that it is given. Functions that none of them defines and that are not known are not
unsupported but missing: give the files that define them, or let `--havoc-calls` take them for anything. A run without
`--list-unsupported` refuses programs in which such functions matter (E0710).
",
    ),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_in_order() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
