//! Tests of the parser as a whole: trees as short texts, and errors with their places.

use super::*;
use crate::preprocess::from_text;
use crate::syntax::*;

fn read(text: &str) -> Result<Vec<Item>, Vec<String>> {
    let read = from_text("t.i", text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    match parse(&read.text, &read.units) {
        Ok(mut units) => Ok(units.remove(0).items),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

fn items(text: &str) -> Vec<Item> {
    read(text).unwrap_or_else(|errors| panic!("{text}\n{}", errors.join("\n")))
}

fn errors(text: &str) -> Vec<String> {
    read(text).err().unwrap_or_else(|| panic!("accepted: {text}"))
}

/// The expression that `int x = …;` starts with, with all parentheses.
fn expression(text: &str) -> String {
    let items = items(&format!("typedef int T; int x = {text};"));
    let Some(Item::Declaration(declaration)) = items.last() else { panic!("{items:?}") };
    match &declaration.declarators[0].initializer {
        Some(Initializer::Expression(expression)) => show(expression),
        other => panic!("{other:?}"),
    }
}

/// An expression with all parentheses; what is not shown in full is shown by its kind.
fn show(expression: &Expression) -> String {
    use ExpressionKind as E;
    match &expression.kind {
        E::Name(name) => name.to_string(),
        E::Integer(literal) => literal.value.to_string(),
        E::Unary(operator, operand) => format!("({operator:?} {})", show(operand)),
        E::Binary(operator, left, right) => format!("({} {operator:?} {})", show(left), show(right)),
        E::And(left, right) => format!("({} && {})", show(left), show(right)),
        E::Or(left, right) => format!("({} || {})", show(left), show(right)),
        E::Comma(left, right) => format!("({} , {})", show(left), show(right)),
        E::Assign(None, left, right) => format!("({} = {})", show(left), show(right)),
        E::Assign(Some(operator), left, right) => format!("({} {operator:?}= {})", show(left), show(right)),
        E::Conditional(condition, then, otherwise) => {
            let then = then.as_ref().map_or(String::new(), |then| show(then));
            format!("({} ? {then} : {})", show(condition), show(otherwise))
        }
        E::Cast(ty, operand) => format!("(cast {} {})", steps(&ty.declarator), show(operand)),
        E::Call(function, arguments) => {
            format!("{}({})", show(function), arguments.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        E::Member(record, name) => format!("{}.{}", show(record), name.text),
        E::Arrow(record, name) => format!("{}->{}", show(record), name.text),
        E::Index(array, index) => format!("{}[{}]", show(array), show(index)),
        E::SizeofType(_) => "sizeof(type)".to_owned(),
        E::SizeofExpression(operand) => format!("(sizeof {})", show(operand)),
        other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
    }
}

/// The steps of a declarator, from the specifiers outwards.
fn steps(declarator: &Declarator) -> String {
    let step = |derived: &Derived| match derived {
        Derived::Pointer(qualifiers) if qualifiers.is_const => "*const".to_owned(),
        Derived::Pointer(_) => "*".to_owned(),
        Derived::Array { size: ArraySize::Expression(size), .. } => format!("[{}]", show(size)),
        Derived::Array { .. } => "[]".to_owned(),
        Derived::Function(parameters) => format!("({})", parameters.list.len()),
    };
    declarator.derived.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// The steps of the first declared name.
fn declared(text: &str) -> String {
    match &items(text)[0] {
        Item::Declaration(declaration) => steps(&declaration.declarators[0].declarator),
        Item::Function(function) => steps(&function.declarator),
        other => panic!("{other:?}"),
    }
}

/// The statements of `void f(void) { … }`, by their kinds.
fn statements(text: &str) -> Vec<String> {
    let items = items(&format!("typedef int T; void f(void) {{ {text} }}"));
    let Some(Item::Function(function)) = items.last() else { panic!("{items:?}") };
    let kind = |item: &BlockItem| {
        let text = match item {
            BlockItem::Statement(statement) => match &statement.kind {
                StatementKind::Expression(expression) => return show(expression),
                kind => format!("{kind:?}"),
            },
            other => format!("{other:?}"),
        };
        text.split(['(', ' ']).next().unwrap_or_default().to_owned()
    };
    function.body.items.iter().map(kind).collect()
}

#[test]
fn operators_bind_as_they_should() {
    assert_eq!(expression("a + b * c - d"), "((a Add (b Multiply c)) Subtract d)");
    assert_eq!(expression("a || b && c | d ^ e & f == g < h << i"), {
        "(a || (b && (c BitOr (d BitXor (e BitAnd (f Equal (g Less (h ShiftLeft i))))))))"
    });
    assert_eq!(expression("a = b += c ? d : e ? f : g"), "(a = (b Add= (c ? d : (e ? f : g))))");
    assert_eq!(expression("(a, b) ?: c"), "((a , b) ?  : c)");
    assert_eq!(expression("-a++ + *p->q.r[1]"), {
        "((Minus (PostIncrement a)) Add (Dereference p->q.r[1]))"
    });
    assert_eq!(expression("!a == ~b"), "((Not a) Equal (BitNot b))");
}

#[test]
fn casts_are_told_from_parentheses_by_types() {
    assert_eq!(expression("(T) - a"), "(cast  (Minus a))");
    assert_eq!(expression("(a) - b"), "(a Subtract b)");
    assert_eq!(expression("sizeof (T) + 1"), "(sizeof(type) Add 1)");
    assert_eq!(expression("sizeof (a) + 1"), "((sizeof a) Add 1)");
    assert_eq!(expression("(T){ 1 }.x"), "CompoundLiteral.x");
    assert_eq!(expression("sizeof (T){ 1 }"), "(sizeof CompoundLiteral)");
    assert_eq!(expression("(int (*)(T, void *)) p"), "(cast (2) * p)");
}

#[test]
fn declarators_are_read_inside_out() {
    assert_eq!(declared("int *a[3];"), "* [3]");
    assert_eq!(declared("int (*a)[3];"), "[3] *");
    assert_eq!(declared("int a[2][3];"), "[3] [2]");
    assert_eq!(declared("int (*f(void))(int, char);"), "(2) * (0)");
    assert_eq!(declared("char *const (*(*x[5])(void))[7];"), "*const [7] * (0) * [5]");
    assert_eq!(declared("void (*signal(int s, void (*h)(int)))(int);"), "(1) * (2)");
}

#[test]
fn names_of_types_are_hidden_by_variables() {
    assert_eq!(statements("T * x;"), ["Declaration"]);
    assert_eq!(statements("int T = 1, x = 2; T * x;"), ["Declaration", "(T Multiply x)"]);
    assert_eq!(statements("{ int T; } T * x;"), ["Block", "Declaration"]);
    assert_eq!(statements("for (int T = 0; T * 1;) T++; T x;"), ["For", "Declaration"]);
    assert_eq!(statements("T: T x; goto T;"), ["Label", "Declaration", "Goto"]);
    assert_eq!(statements("struct s { T T; } s; s.T = 1;"), ["Declaration", "(s.T = 1)"]);
    assert_eq!(statements("enum { T }; T * 2;"), ["Declaration", "(T Multiply 2)"]);
    assert_eq!(statements("T T = sizeof T; T++;"), ["Declaration", "(PostIncrement T)"]);
    let parameter = items("typedef int T; int f(int T, int (*g)(T)) { return T * 2; } T x;");
    assert_eq!(parameter.len(), 3);
}

#[test]
fn parameters_may_be_types_only() {
    assert_eq!(declared("int f(unsigned, char *, int (*)(void), int [], ...);"), "(4)");
    let items = items("typedef int T; void f(T), g(T (x)), h(int (T));");
    let Item::Declaration(declaration) = &items[1] else { panic!() };
    let name = |i: usize| match &declaration.declarators[i].declarator.derived[0] {
        Derived::Function(parameters) => {
            let declarator = &parameters.list[0].declarator;
            (declarator.name.as_ref().map(|name| name.text.to_string()), declarator.derived.len())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!([name(0), name(1), name(2)], [(None, 0), (Some("x".into()), 0), (None, 1)]);
}

#[test]
fn words_of_types_come_in_any_order() {
    let word = |text: &str| match &items(text)[0] {
        Item::Declaration(Declaration { specifiers: Specifiers { ty, .. }, .. }) => format!("{ty:?}"),
        other => panic!("{other:?}"),
    };
    assert_eq!(word("long unsigned int long x;"), "Integer { word: LongLong, sign: Some(false) }");
    assert_eq!(word("short const signed volatile x;"), "Integer { word: Short, sign: Some(true) }");
    assert_eq!(word("char x;"), "Integer { word: Char, sign: None }");
    assert_eq!(word("unsigned __int128 x;"), "Integer { word: Int128, sign: Some(false) }");
    assert_eq!(word("static x;"), "Integer { word: Int, sign: None }");
    assert_eq!(word("double long _Complex x;"), "Floating(\"double long _Complex\")");
    assert_eq!(word("_Float128 x;"), "Floating(\"_Float128\")");
    for text in ["unsigned float x;", "long long long x;", "int struct s { int a; } x;", "signed unsigned x;"]
    {
        assert!(errors(text)[0].contains("E0832"), "{text}");
    }
    assert!(errors("static extern int x;")[0].contains("two storage classes"));
}

#[test]
fn gnu_syntax_is_read() {
    for text in [
        "static __inline__ __attribute__((__always_inline__, unused)) int f(const char *__restrict s, ...);",
        "extern int f(void) __asm__(\"\" \"g\") __attribute__((__nothrow__, format(printf, 1, 2), aligned(int)));",
        "struct __attribute__((packed)) s { int a : 3, : 0, b; union { int c; struct { int d; }; }; } \
         __attribute__((aligned(8)));",
        "__extension__ typedef struct { long long int q; } lldiv_t; typedef int reg __attribute__((__mode__(__DI__)));",
        "int a[10] = { [2 ... 4] = 1, [5] 2, 3 }; struct p { int x, y; } p = { x: 1, .y = 2 };",
        "struct q { struct { int b[2]; } a[2]; } q = { .a[1].b = { [0] = 1 }, };",
        "int f(int n) { switch (n) { case 1 ... 5: return 1; default: ; } __typeof__(n) m = n ?: 2; return m; }",
        "int f(void) { return ({ __auto_type x = 1; __label__ l; goto l; l: x; }); }",
        "void f(void) { void *p = &&l; goto *p; l: asm volatile (\"mfence\" ::: \"memory\"); asm(\"\"); \
         asm goto (\"\" : : : : l); }",
        "int f(void) { int g(int x) { return x; } return g(1); }",
        "int f(a, b) int a; char *b; { return a; }  main() { return f(1, 0); }",
        "_Thread_local int x; static __thread int y; _Alignas(16) char b[4]; _Alignas(long) char c; _Atomic(int) d; \
         _Atomic int *e; int *_Atomic g;",
        "_Static_assert(sizeof(int) == 4, \"x\" \"y\"); _Static_assert(1);",
        "int x = __builtin_offsetof(struct s, a.b[2].c) + __builtin_types_compatible_p(int, char *) \
         + __builtin_choose_expr(1, 2, 3) + _Generic(1, int: 1, default: 2, char *: 3) + _Alignof(int) + __alignof__ x;",
        "int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }",
        "void f(int n, int a[static const 10], int b[*], int c[n][n]);",
        "void f(int x) { if (x) l: __attribute__((unused)) x++; else if (x > 1) ; else x--; do x++; while (x); \
         switch (x) { case 1: __attribute__((fallthrough)); case 2: break; } m: }",
        "__extension__ int x = __extension__ 1;; asm(\".globl x\"); __int128_t y; __uint128_t z;",
        "enum e { A, B = 2, C __attribute__((deprecated)) = 3, }; enum e x = C; const enum { D } y;",
        "typedef float v4 __attribute__((vector_size(16))); _Complex double c = 1.0 + 2.0i; wchar *w = L\"x\";",
        "void __attribute__((noinline)) *f(void); int (__attribute__((unused)) *p); int *__attribute__((used)) q;",
        "int f(void) { __CPROVER_ASYNC_1: f(); __VERIFIER_atomic_begin(); ERROR: return 0; }",
        "struct s; struct s *p; struct e {}; union u { int a; float b; } u = { 1 };",
        "int x <:3:> = <% 1 %>;",
    ] {
        let text = text.replace("wchar *w", "int *w");
        assert!(!items(&text).is_empty());
    }
}

#[test]
fn attributes_lose_their_underscores_and_keep_expressions() {
    let items = items("int x __attribute__((__aligned__(4 * 2), mode(SI), const));");
    let Item::Declaration(declaration) = &items[0] else { panic!() };
    let attributes = &declaration.declarators[0].declarator.attributes;
    let names: Vec<&str> = attributes.iter().map(|attribute| &*attribute.name.text).collect();
    assert_eq!(names, ["aligned", "mode", "const"]);
    assert_eq!(show(&attributes[0].arguments[0]), "(4 Multiply 2)");
}

#[test]
fn spans_are_of_what_is_written() {
    let text = "int x = (a + b) * f(c);";
    let read = from_text("t.i", text).unwrap();
    let units = parse(&read.text, &read.units).unwrap();
    let Item::Declaration(declaration) = &units[0].items[0] else { panic!() };
    let Some(Initializer::Expression(expression)) = &declaration.declarators[0].initializer else { panic!() };
    assert_eq!(read.text.slice(expression.span), "(a + b) * f(c)");
    let ExpressionKind::Binary(_, left, right) = &expression.kind else { panic!() };
    assert_eq!((read.text.slice(left.span), read.text.slice(right.span)), ("(a + b)", "f(c)"));
    assert_eq!(read.text.slice(declaration.span), text);
}

#[test]
fn errors_say_what_was_expected_and_where() {
    let check = |text: &str, expected: &[&str]| assert_eq!(errors(text), expected, "{text}");
    check("int f(void) { return 0 }", &["t.i:1:24: error[E0830]: expected `;`, found `}`"]);
    check("int x\nint y;", &["t.i:1:6: error[E0830]: expected `;`, found `int`"]);
    check("int x = ;", &["t.i:1:9: error[E0830]: expected an expression, found `;`"]);
    check("int f(void) { if x) ; }", &["t.i:1:18: error[E0830]: expected `(`, found the name `x`"]);
    check("foo_t x; foo_t y;", &["t.i:1:1: error[E0831]: unknown type `foo_t`"]);
    check("static const foo_t *x;", &["t.i:1:14: error[E0831]: unknown type `foo_t`"]);
    check("void f(void) { foo_t *x = 0; foo_t y; }", &["t.i:1:16: error[E0831]: unknown type `foo_t`"]);
    check("void f(foo_t *x);", &["t.i:1:8: error[E0831]: unknown type `foo_t`"]);
    check("int x = 089;", &["t.i:1:9: error[E0821]: `8` is no digit of a number in base 8"]);
    check("int x = '';", &["t.i:1:9: error[E0821]: there is no character between the quotes"]);
    check("int x = 1 $$ 2;", &["t.i:1:11: error[E0830]: expected `;`, found the name `$$`"]);
    check("int x = 1 @ + 2;", &["t.i:1:11: error[E0820]: `@` is no part of C"]);
    check("int x; /* no end", &["t.i:1:8: error[E0822]: this comment does not end"]);
    check("int f(void) {", &["t.i:1:14: error[E0830]: expected `}`, found the end of the file"]);
    check(
        "enum __attribute__((packed)) e { A };",
        &["t.i:1:21: error[E0834]: packed enumerations are not supported"],
    );
    check("double x = __real__ z;", &["t.i:1:12: error[E0834]: complex numbers are not supported"]);
    check("else;", &["t.i:1:1: error[E0830]: expected a declaration, found `else`"]);
}

#[test]
fn one_run_tells_several_errors() {
    let text = "struct s { int a b; int c d; };\nint f(void) {\n  x = ;\n  y = 1;\n  if (z { }\n  return 0 0;\n}\n\
                int g(void) { return ) ; }\nint ok;\n";
    let places: Vec<String> =
        errors(text).iter().map(|error| error.split(": ").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(places, ["t.i:1:18", "t.i:1:27", "t.i:3:7", "t.i:5:9", "t.i:6:12", "t.i:8:22"]);
}

#[test]
fn many_errors_end_early() {
    assert_eq!(errors(&"int x = ;\n".repeat(100)).len(), MAX_ERRORS);
}

#[test]
fn long_chains_are_read_and_endless_ones_refused() {
    let long = |n: usize, text: &str| text.repeat(n);
    items(&format!("int x = 1{};", long(900, " + a")));
    items(&format!("int x = 1{};", long(300, " + a * b")));
    items(&format!("int x = {}0;", long(300, "a == 1 ? 2 : ")));
    items(&format!("void f(int x) {{ {} ; }}", long(300, "if (x) x++; else ")));
    items(&format!("void f(int x) {{ switch (x) {{ {} ; }} }}", long(900, "case 1: ")));
    items(&format!("void f(int x) {{ {} }}", long(5000, "x = x[1] + 2, x++; ")));
    items(&format!("int x[] = {{ {} }};", long(5000, "1 + 1, ")));
    items(&format!("int f(void) {{ return g({} 0); }}", long(5000, "x[1] = 2, ")));
    for text in [
        format!("int x = 1{};", long(100_000, " + a")),
        format!("int x = {}0;", long(100_000, "a == 1 ? 2 : ")),
        format!("int x = {}", long(100_000, "(")),
        format!("int x = {}1;", long(100_000, "- ")),
        format!("int x = a{};", long(100_000, "[0]")),
        format!("int x = {}1;", long(100_000, "(int)")),
        format!("int {}x;", long(100_000, "*")),
        format!("int {}x;", long(100_000, "(")),
        format!("int x{};", long(100_000, "[1]")),
        format!("int x = {}", long(100_000, "{")),
        format!("void f(void) {}", long(100_000, "{")),
        format!("void f(void) {{ {} ; }}", long(100_000, "if (x) ")),
        format!("void f(void) {{ {} ; }}", long(100_000, "a: ")),
        format!("void f(void) {{ {} ; }}", long(100_000, "if (x) ; else ")),
        format!("int x = {};", long(100_000, "({")),
        format!("{} x;", long(100_000, "struct {")),
        format!("int x = {}1;", long(100_000, "a = ")),
        format!("int x = sizeof {}1;", long(100_000, "sizeof ")),
        format!("{} x;", long(100_000, "typeof(")),
    ] {
        let told = errors(&text);
        assert!(told.iter().any(|error| error.contains("E0833")), "{}: {told:?}", &text[..40]);
    }
}
