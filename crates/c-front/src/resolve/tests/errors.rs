//! What is refused, with which words, where.

use super::{errors, resolve_texts};
use crate::hir::DataModel;
use crate::resolve::CODES;

/// Codes that no text gives, since the parser stops before.
const WITHOUT_TEXT: &[&str] = &["E0603", "E0605", "E0607", "E0667", "W0607"];

/// The code of the first error or warning, or of the first thing without a model, in a program.
fn first_code(text: &str) -> Option<String> {
    match resolve_texts(&[text], DataModel::Lp64) {
        Err(errors) => errors.first().map(|error| error.code.to_owned()),
        Ok((_, warnings)) if !warnings.is_empty() => warnings.first().map(|warning| warning.code.to_owned()),
        Ok((program, _)) => {
            let body = super::dump::body(&program, "f");
            body.find("E07").map(|at| body[at..at + 5].to_owned())
        }
    }
}

#[test]
fn the_programs_on_the_pages_of_codes_are_refused_with_these_codes() {
    for code in CODES {
        let programs: Vec<&str> =
            code.explanation.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        assert_eq!(programs.is_empty(), WITHOUT_TEXT.contains(&code.code), "{}", code.code);
        for program in programs {
            assert_eq!(first_code(program).as_deref(), Some(code.code), "{program}");
        }
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
        errors(&["struct s { int count; } x; void f(void) { x.cout = 1; qsort(3); }"]),
        "a.c:1:45: error[E0647]: `struct s` has no member `cout` | did you mean `count`?\n\
         a.c:1:55: error[E0604]: the function `qsort` is not declared | write `#include <stdlib.h>`"
    );
}

#[test]
fn a_wrong_type_is_one_error() {
    assert_eq!(
        errors(&["void f(int n) { int a[2][n]; a = 1; a + 2; }"]),
        "a.c:1:26: error[E0606]: the length of this array is not constant | only the outermost length of an array \
         in a function may vary: give it the largest length it can have"
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
        let unit =
            Unit { file: "a.c".to_owned(), items: vec![Item::StaticAssert(assertion)], is_library: false };
        let text = throng_cfa::text::Text::new(throng_base::Source::from_text("a.c", " "), Vec::new());
        crate::resolve::resolve(text, vec![unit], DataModel::Lp64).map_err(|errors| errors[0].code)
    };
    assert!(resolve(4000).is_ok());
    assert_eq!(resolve(5000).err(), Some("E0603"));
}

#[test]
fn trees_that_no_text_gives_are_refused() {
    use crate::syntax::*;
    let span = throng_base::Span::default();
    let refused = |ty: TypeSpecifier| {
        let specifiers = Specifiers {
            storage: None,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            qualifiers: Qualifiers::default(),
            ty,
            attributes: Vec::new(),
            span,
        };
        let name = Name { text: "x".into(), span };
        let declarator = Declarator { name: Some(name), derived: Vec::new(), attributes: Vec::new(), span };
        let declarators = vec![InitDeclarator { declarator, initializer: None }];
        let declaration = Item::Declaration(Declaration { specifiers, declarators, span });
        let unit = Unit { file: "a.c".to_owned(), items: vec![declaration], is_library: false };
        let text = throng_cfa::text::Text::new(throng_base::Source::from_text("a.c", " "), Vec::new());
        crate::resolve::resolve(text, vec![unit], DataModel::Lp64).map_err(|errors| errors[0].code).err()
    };
    assert_eq!(refused(TypeSpecifier::Bool), None);
    assert_eq!(refused(TypeSpecifier::Typedef(Name { text: "unknown".into(), span })), Some("E0605"));
    let record = RecordSpecifier { is_union: false, tag: None, members: None, attributes: Vec::new(), span };
    assert_eq!(refused(TypeSpecifier::Record(Box::new(record))), Some("E0607"));
    let enumeration = EnumSpecifier { tag: None, constants: None, span };
    assert_eq!(refused(TypeSpecifier::Enum(Box::new(enumeration))), Some("E0607"));
}
