//! Tests of the preprocessor as a whole.

use super::*;

/// The output without line markers, with single spaces.
fn run(text: &str) -> String {
    let output = preprocess_text("t.c", text, &Preprocessing::default());
    let output = output.unwrap_or_else(|errors| panic!("{}", errors[0]));
    let lines = output.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The first error.
fn fail(text: &str) -> String {
    preprocess_text("t.c", text, &Preprocessing::default()).unwrap_err()[0].to_string()
}

#[test]
fn object_like_macros_expand_again_but_not_themselves() {
    assert_eq!(run("#define A B + A\n#define B A\nA"), "A + A");
    assert_eq!(
        run("#define f(x) x + f(x)\nf(f(1))"),
        "1 + f(1) + f(1 + f(1))".replace("f(", "f ( ").replace(')', " )")
    );
}

/// The example of C11 6.10.3.5, section 3.
#[test]
fn the_example_of_the_standard_expands_as_it_says() {
    let definitions = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
        #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
        #define r(x,y) x ## y\n#define str(x) # x\n";
    let squeeze = |text: &str| text.replace(' ', "");
    let check = |use_: &str, expected: &str| {
        assert_eq!(squeeze(&run(&format!("{definitions}{use_}"))), squeeze(expected), "{use_}");
    };
    check(
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);",
    );
    check("g(x+(3,4)-w) | h 5) & m\n(f)^m(m);", "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);");
    check("p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };", "int i[] = { 1, 23, 4, 5, };");
    check("char c[2][6] = { str(hello), str() };", "char c[2][6] = { \"hello\", \"\" };");
}

#[test]
fn strings_keep_what_was_written() {
    let text = "#define str(s) # s\n#define xstr(s) str(s)\n#define N 4\nstr(a  b \"c\\n\" '\\0') xstr(N) str(\n x\n)";
    assert_eq!(run(text), r#""a b \"c\\n\" '\\0'" "4" "x""#);
}

#[test]
fn variable_arguments_take_the_rest() {
    let text = "#define e(f, ...) p(f, ## __VA_ARGS__)\n#define g(a...) q(a)\n#define h(...) r(__VA_ARGS__)\n\
                e(1) e(1, 2, 3) g(1, 2) h() h(1,2)";
    assert_eq!(run(text).replace(' ', ""), "p(1)p(1,2,3)q(1,2)r()r(1,2)");
}

#[test]
fn conditions_choose_one_branch() {
    let text = "#define V 3\n#if V == 1\na\n#elif defined(V) && V * 2 > 5\nb\n#elif 1\nc\n#else\nd\n#endif\n\
                #ifndef V\n#if 1\ne\n#endif\n#else\nf\n#endif\n#if 0\n#error \"it's not\n#bad\n#endif\n";
    assert_eq!(run(text), "b f");
    for (condition, holds) in [
        ("-1 < 0", true),
        ("-1 < 0u", false),
        ("(2 || 1/0) && 'a' == 97", true),
        ("1 ? 2 > 1 : 1/0", true),
        ("UNKNOWN", false),
        ("10 - 4 - 3 == 3", true),
        ("1 << 4 | 1 == 16", true),
        ("!defined X && ~0 == -1", true),
        ("0x7fffffffffffffff + 1 < 0", true),
        ("18446744073709551615u >> 63 == 1", true),
    ] {
        let expected = if holds { "yes" } else { "" };
        assert_eq!(run(&format!("#if {condition}\nyes\n#endif\n")), expected, "{condition}");
    }
}

#[test]
fn headers_are_ours_and_depend_on_the_widths() {
    let text = "#include <limits.h>\n#include <stdint.h>\nLONG_MAX";
    for (data_model, most) in
        [(crate::hir::DataModel::Ilp32, "2147483647L"), (crate::hir::DataModel::Lp64, "9223372036854775807L")]
    {
        let options = Preprocessing { data_model, ..Preprocessing::default() };
        let output = preprocess_text("t.c", text, &options).unwrap();
        assert!(output.trim_end().ends_with(most), "{output}");
        assert!(output.contains("# 1 \"<limits.h>\" 1 3\n"), "{output}");
    }
}

#[test]
fn options_define_and_undefine() {
    let options = Preprocessing {
        defines: vec!["A=7".into(), "B".into(), "C=1".into(), "F(x)=x+1".into()],
        undefines: vec!["C".into()],
        ..Preprocessing::default()
    };
    let output = preprocess_text("t.c", "A B C F(2)", &options).unwrap();
    assert_eq!(output.lines().last().map(|line| line.replace(' ', "")).as_deref(), Some("71C2+1"));
}

#[test]
fn lines_and_columns_stay() {
    let text = "#define N 3\n\n  int x = N;\nint y /* c */ = \\\n __LINE__;\n";
    let output = preprocess_text("t.c", text, &Preprocessing::default());
    // What a macro made is followed by what stands where it stood.
    assert_eq!(output.unwrap(), "# 1 \"t.c\" 1\n\n\n  int x = 3;\nint y         =\n5        ;");
}

#[test]
fn headers_are_found_next_to_the_file_and_by_options() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    std::fs::create_dir(directory.path().join("more")).unwrap();
    write(
        "a.c",
        "#include \"b.h\"\n#include <c.h>\n#include \"b.h\"\n#define H <c.h>\n#include H\nint end;\n",
    );
    write("b.h", "#pragma once\nint b;\n");
    write("more/c.h", "#ifndef C\n#define C\nint c = __LINE__;\n#endif\n");
    let options = Preprocessing { include: vec![directory.path().join("more")], ..Preprocessing::default() };
    let output = preprocess(&directory.path().join("a.c"), &options).unwrap();
    let lines: Vec<&str> = output.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert_eq!(lines, ["int b;", "int c = 3       ;", "int end;"]);
    assert!(output.ends_with("a.c\" 2\nint end;"), "{output}");
}

#[test]
fn errors_have_places() {
    assert_eq!(fail("int x;\n#include <no.h>\n"), "t.c:2:1: error[E0804]: there is no header `no.h`");
    assert_eq!(fail("#define\n"), "t.c:1:1: error[E0805]: expected a name after `#define`");
    assert_eq!(
        fail("#define f(a,a) a\n"),
        "t.c:1:1: error[E0805]: the parameters of this macro are malformed"
    );
    assert_eq!(fail("#foo\n"), "t.c:1:1: error[E0805]: `#foo` is no directive");
    assert_eq!(fail("#error only for \"x\"\n"), "t.c:1:1: error[E0806]: #error only for \"x\"");
    assert_eq!(fail("#define f(a) a\n x f(1, 2)\n"), "t.c:2:4: error[E0807]: `f` takes 1 argument, not 2");
    assert_eq!(fail("#define f(a) a\nf(1\n"), "t.c:2:1: error[E0807]: the arguments of `f` do not end");
    assert_eq!(
        fail("#define j(a,b) a##b\nj(+,1)\n"),
        "t.c:2:1: error[E0807]: `+` and `1` do not make a token"
    );
    assert_eq!(fail("##define x\n"), "t.c:1:1: error[E0820]: `##` is no part of C");
    assert_eq!(fail("#if 1 +\n#endif\n"), "t.c:1:1: error[E0808]: the condition is not complete");
    assert_eq!(fail("#if 1 / 0\n#endif\n"), "t.c:1:1: error[E0808]: division by zero in the condition");
    assert_eq!(fail("#if 1\n"), "t.c:1:1: error[E0809]: this `#if` has no `#endif`");
    assert_eq!(fail("\n#endif\n"), "t.c:2:1: error[E0809]: this `#endif` has no `#if`");
}

#[test]
fn expansion_ends() {
    let mut text = String::from("#define a0 x x x x x x x x x x\n");
    for i in 1..12 {
        let before = format!(" a{}", i - 1).repeat(10);
        text.push_str(&format!("#define a{i}{before}\n"));
    }
    assert!(fail(&format!("{text}a11\n")).contains("E0810"));
    let nested = format!("#define f(x) x\n{}1{}\n", "f(".repeat(1000), ")".repeat(1000));
    assert!(fail(&nested).contains("E0810"));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.h");
    std::fs::write(&file, "#include \"a.h\"\n").unwrap();
    assert!(preprocess(&file, &Preprocessing::default()).unwrap_err()[0].code == "E0810");
}
