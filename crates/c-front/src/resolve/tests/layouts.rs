//! Sizes and offsets under both data models, with expectations written by hand.

use super::resolve_texts;
use crate::hir::{DataModel, Program};

fn program(text: &str, model: DataModel) -> Program {
    resolve_texts(&[text], model)
        .map(|(program, _)| program)
        .unwrap_or_else(|errors| panic!("{}", super::lines(&errors)))
}

/// `size/alignment: offset[.first bit+width] …` of a struct.
fn layout(text: &str, tag: &str, model: DataModel) -> String {
    let program = program(text, model);
    let record = program.records.iter().find(|record| record.name == tag).expect("the struct is there");
    let fields = record.fields.as_ref().expect("it is complete").iter().map(|field| match field.bits {
        None => field.offset.to_string(),
        Some((bit, width)) => format!("{}.{bit}+{width}", field.offset),
    });
    format!("{}/{}: {}", record.size, record.alignment, fields.collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn check(members: &str, lp64: &str, ilp32: &str) {
    let text = format!("struct s {{ {members} }};");
    assert_eq!(layout(&text, "s", DataModel::Lp64), lp64, "{members} in LP64");
    assert_eq!(layout(&text, "s", DataModel::Ilp32), ilp32, "{members} in ILP32");
}

#[test]
fn members_are_aligned() {
    check("char c; int i;", "8/4: 0 4", "8/4: 0 4");
    check("char c; long l; char d;", "24/8: 0 8 16", "12/4: 0 4 8");
    check("char c; long long l;", "16/8: 0 8", "12/4: 0 4");
    check("int *p; short s;", "16/8: 0 8", "8/4: 0 4");
    check("char c; struct { short a; char b; } t; char d;", "8/2: 0 2 6", "8/2: 0 2 6");
    check("char c; int a[]; ", "4/4: 0 4", "4/4: 0 4");
    check("char c; long double d;", "32/16: 0 16", "16/4: 0 4");
}

#[test]
fn bit_fields_do_not_cross_units() {
    check("int a : 3; int b : 30; int c : 2;", "8/4: 0.0+3 4.0+30 4.30+2", "8/4: 0.0+3 4.0+30 4.30+2");
    check("char c; int a : 20; int b : 4;", "4/4: 0 0.8+20 0.28+4", "4/4: 0 0.8+20 0.28+4");
    check("int a : 3; int : 0; int b : 3;", "8/4: 0.0+3 4.0+3", "8/4: 0.0+3 4.0+3");
    check("short a : 9; short b : 9;", "4/2: 0.0+9 2.0+9", "4/2: 0.0+9 2.0+9");
    check("char c; int : 5; char d;", "3/1: 0 2", "3/1: 0 2");
    check("long long a : 40; long long b : 30;", "16/8: 0.0+40 8.0+30", "12/4: 0.0+40 4.8+30");
}

#[test]
fn packed_and_aligned() {
    check("char c; int i __attribute__((packed));", "5/1: 0 1", "5/1: 0 1");
    check("char c; char d __attribute__((aligned(8)));", "16/8: 0 8", "16/8: 0 8");
    let text = "struct s { char c; long l; short s; } __attribute__((packed));";
    assert_eq!(layout(text, "s", DataModel::Lp64), "11/1: 0 1 9");
    assert_eq!(layout(text, "s", DataModel::Ilp32), "7/1: 0 1 5");
}

#[test]
fn unions_are_as_large_as_their_largest_member() {
    let text = "union s { char c[5]; int i; long l; };";
    assert_eq!(layout(text, "s", DataModel::Lp64), "8/8: 0 0 0");
    assert_eq!(layout(text, "s", DataModel::Ilp32), "8/4: 0 0 0");
}

#[test]
fn opaque_types_are_known_by_their_names() {
    let program = program(
        "typedef union { char size[40]; long align; } pthread_mutex_t; typedef unsigned long pthread_t;
         typedef pthread_mutex_t lock; lock m = { { 0 } }; pthread_t t; int f(void) { return t == 1; }",
        DataModel::Lp64,
    );
    let ty = |name: &str| {
        let object = program.objects.iter().find(|object| object.name == name).expect("it is there");
        super::dump::short_type(&program, object.ty)
    };
    assert_eq!((ty("m"), ty("t")), ("Mutex".to_owned(), "Thread".to_owned()));
    assert_eq!(super::dump::initial(&program, "m"), "{.0[0]=0:i8}");
    assert_eq!(super::dump::body(&program, "f"), "return ((u64)t == 1:u64):i32;");
}

#[test]
fn equal_types_have_equal_numbers() {
    let program = program(
        "int (*a)(int *restrict, char[3]); int (*b)(int *, char *); const int c[2]; typedef const int k; k d[2];
         long e; int g(void) { return 0; }",
        DataModel::Lp64,
    );
    let ty = |name: &str| program.objects.iter().find(|object| object.name == name).map(|object| object.ty);
    assert_eq!(ty("a"), ty("b"));
    assert_eq!(ty("c"), ty("d"));
    let distinct: std::collections::HashSet<_> = program.types.iter().collect();
    assert_eq!(distinct.len(), program.types.len());
}
