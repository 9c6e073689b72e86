//! What is refused, with which words, where.

use super::{errors, resolve_texts};
use crate::hir::DataModel;
use crate::resolve::CODES;

/// Programs with the code of the first error or warning that each has: every code of this stage but those of
/// constructs without a model, which are no errors here.
const CASES: &[(&str, &str)] = &[
    ("E0600", "int f(void) { return x; }"),
    ("E0601", "typedef int t; int f(void) { return sizeof(int) + t; }"),
    ("E0602", "enum { A = 0xffffffffffffffffu, B = -1 };"),
    ("E0604", "int f(void) { return g(1); }"),
    ("E0606", "int f(int n) { int a[n]; return a[0]; }"),
    ("E0608", "struct s { int a; }; union s u;"),
    ("E0609", "struct s { int a; }; struct s { int a; };"),
    ("E0609", "struct s { int a; char a; };"),
    ("E0611", "int f(void) { int a; int a; return 0; }"),
    ("E0612", "int a; long a;"),
    ("E0614", "int f(void) { return 0; } int f(void) { return 1; }"),
    ("E0615", "struct s { int a : 33; };"),
    ("E0616", "typedef int t = 3;"),
    ("E0617", "int f(void) { __auto_type x; return 0; }"),
    ("E0618", "void a[3];"),
    ("E0619", "int a[-1];"),
    ("E0620", "int *p; int a[3] = { [(int *)0] = 1 };"),
    ("E0621", "int x; struct s { int a : x; };"),
    ("E0622", "_Static_assert(sizeof(int) == 2, \"small\");"),
    ("E0623", "int b[2]; int a[2] = b;"),
    ("E0624", "int a[100000000] = { [0 ... 99999999] = 1 };"),
    ("E0625", "int a[2] = { [2] = 1 };"),
    ("E0630", "struct s; struct s x;"),
    ("E0631", "struct s { int a; } x; void f(void) { if (x) ; }"),
    ("E0632", "struct s { int a; } x; void f(void) { int y = x; }"),
    ("E0633", "struct s { int a; } x; void f(void) { (int)x; }"),
    ("E0634", "int *p; void f(void) { p * 2; }"),
    ("E0635", "int *p; char *q; void f(void) { p - q; }"),
    ("E0636", "struct s { int a; } x; void f(void) { 1 ? x : 1; }"),
    ("E0640", "void f(void) { 1 = 2; }"),
    ("E0641", "int a[2], b[2]; void f(void) { a = b; }"),
    ("E0642", "const int a; void f(void) { a = 1; }"),
    ("E0643", "int a; void f(void) { *a; }"),
    ("E0644", "int *p, *q; void f(void) { p[q]; }"),
    ("E0645", "struct s; int f(void) { return sizeof(struct s); }"),
    ("E0646", "int a; void f(void) { a.x; }"),
    ("E0647", "struct s { int count; } x; void f(void) { x.cout; }"),
    ("E0648", "struct s { int a : 3; } x; void f(void) { &x.a; }"),
    ("E0649", "void f(void) { _Generic(1, char *: 2); }"),
    ("E0650", "int g(int); void f(void) { g(); }"),
    ("E0651", "int a; void f(void) { a(); }"),
    ("E0652", "int a; void f(void) { __atomic_load_n(a, 0); }"),
    ("E0660", "void f(void) { goto nowhere; }"),
    ("E0661", "int a = ({ 1; });"),
    ("E0662", "void f(void) { int g(void) { return 1; } }"),
    ("E0663", "void f(void) { a: ; a: ; }"),
    ("E0664", "void f(void) { break; }"),
    ("E0665", "int *p; void f(void) { switch (p) { } }"),
    ("E0666", "void f(int a) { switch (a) { case 1: case 1: ; } }"),
    ("W0601", "int *p; char *q; void f(void) { p = q; }"),
    ("W0602", "int *p; void f(void) { p = 4; }"),
    ("W0603", "void f(int a) { switch (a) { case 3 ... 1: ; } }"),
    ("W0604", "int f(void) { return; }"),
    ("W0605", "int a[1] = { 1, 2 };"),
];

/// Codes that no text gives: the parser stops before.
const WITHOUT_TEXT: &[&str] = &["E0603", "E0605", "E0607"];

#[test]
fn every_code_has_a_program() {
    for &(code, text) in CASES {
        let first = match resolve_texts(&[text], DataModel::Lp64) {
            Ok((_, warnings)) => warnings.first().map(|warning| warning.code),
            Err(errors) => errors.first().map(|error| error.code),
        };
        assert_eq!(first, Some(code), "{text}");
    }
    for code in
        CODES.iter().filter(|code| !code.code.starts_with("E07") && !WITHOUT_TEXT.contains(&code.code))
    {
        assert!(CASES.iter().any(|(case, _)| *case == code.code), "{} has no test", code.code);
    }
}

#[test]
fn several_errors_are_found_in_one_run() {
    assert_eq!(
        errors(&[
            "int f(void) { int total; totl = 1; x + y; return undefined_thing(); }\nint g(void) { retrun; }"
        ]),
        "a.c:1:26: error[E0600]: `totl` is not declared | did you mean `total`?\n\
         a.c:1:36: error[E0600]: `x` is not declared\n\
         a.c:1:40: error[E0600]: `y` is not declared\n\
         a.c:1:50: error[E0604]: the function `undefined_thing` is not declared\n\
         a.c:2:15: error[E0600]: `retrun` is not declared"
    );
}

#[test]
fn hints_name_headers_and_members() {
    assert_eq!(
        errors(&["struct s { int count; } x; void f(void) { x.cout = 1; malloc(3); }"]),
        "a.c:1:45: error[E0647]: `struct s` has no member `cout` | did you mean `count`?\n\
         a.c:1:55: error[E0604]: the function `malloc` is not declared | write `#include <stdlib.h>`"
    );
}

#[test]
fn a_wrong_type_is_one_error() {
    assert_eq!(
        errors(&["void f(int n) { int a[n]; a = 1; a + 2; }"]),
        "a.c:1:23: error[E0606]: the length of this array is not constant | arrays of variable length are not \
         modelled: give it the largest length it can have"
    );
}

#[test]
fn units_are_linked() {
    let (program, warnings) = resolve_texts(
        &[
            "extern int n[]; int g(); static int k = 1; int f(void) { return n[0] + g() + k; } int t;",
            "int n[4] = { 1 }; static int k = 2; int g(void) { return k; } extern int t; int t;",
        ],
        DataModel::Lp64,
    )
    .expect("the units agree");
    assert!(warnings.is_empty());
    let names: Vec<&str> = program.objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["n", "k", "t", "k"]);
    assert_eq!(super::dump::short_type(&program, program.objects[0].ty), "[4 i32]");
    assert!(program.objects.iter().all(|object| !object.is_external));
    assert_eq!(program.functions.len(), 2);
    assert!(program.functions.iter().all(|function| function.body.is_some()));
}

#[test]
fn units_that_do_not_agree_are_refused_naming_both_places() {
    assert_eq!(
        errors(&["int x;", "\nextern long x;"]),
        "b.c:2:13: error[E0612]: `x` is declared as `long`, and otherwise elsewhere | it is declared as `int` at a.c:1:5"
    );
    assert_eq!(
        errors(&["int x = 1;", "int x = 2;"]),
        "b.c:1:5: error[E0614]: `x` is defined twice | the other definition is at a.c:1:5"
    );
}

#[test]
fn structs_of_units_are_one_if_they_are_written_alike() {
    let header = "struct node { struct node *next; int v; }; typedef struct { int a; } anon; extern struct node *head; extern anon n;";
    let (program, _) = resolve_texts(
        &[
            &format!("{header} struct node *head; anon n;"),
            &format!("{header}\nint f(void) {{ return head->next->v + n.a; }}"),
        ],
        DataModel::Lp64,
    )
    .unwrap_or_else(|errors| panic!("{}", super::lines(&errors)));
    assert_eq!(program.records.len(), 2);
    // Others of the same tag may differ.
    let (program, _) = resolve_texts(&["struct s { int a; } x;", "struct s { char b; } y;"], DataModel::Lp64)
        .unwrap_or_else(|errors| panic!("{}", super::lines(&errors)));
    assert_eq!(program.records.len(), 2);
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    use crate::syntax::*;
    let span = throng_base::Span::default();
    let one = || Expression {
        kind: ExpressionKind::Integer(IntegerLiteral {
            value: 1,
            is_unsigned: false,
            longs: 0,
            is_decimal: true,
        }),
        span,
    };
    let chain = |length: usize| {
        (0..length).fold(one(), |left, _| Expression {
            kind: ExpressionKind::Binary(BinaryOperator::Add, Box::new(left), Box::new(one())),
            span,
        })
    };
    let resolve = |length: usize| {
        let condition = chain(length);
        let assertion = StaticAssert { condition, message: None, span };
        let unit = Unit { file: "a.c".to_owned(), items: vec![Item::StaticAssert(assertion)] };
        let text = crate::text::Text::new(throng_base::Source::from_text("a.c", " "), Vec::new());
        crate::resolve::resolve(text, vec![unit], DataModel::Lp64).map_err(|errors| errors[0].code)
    };
    assert!(resolve(4000).is_ok());
    assert_eq!(resolve(5000).err(), Some("E0603"));
}
