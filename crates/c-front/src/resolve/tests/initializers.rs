//! Initialisers: which part gets which value.

use super::{dump, errors, program_of};

#[track_caller]
fn check(declaration: &str, expected: &str) {
    let program = program_of(&format!("struct p {{ int x, y; }}; {declaration} void f(void) {{}}"));
    assert_eq!(dump::initial(&program, "v"), expected, "{declaration}");
}

#[test]
fn lists_fill_parts_in_order() {
    check("int v = 3;", "{=3:i32}");
    check("int v = { 3 };", "{=3:i32}");
    check("int v[3] = { 1, 2 };", "{[0]=1:i32,[1]=2:i32}");
    check("struct p v[2] = { 1, 2, 3 };", "{[0].0=1:i32,[0].1=2:i32,[1].0=3:i32}");
    check("struct p v[2] = { { 1 }, { 2, 3 } };", "{[0].0=1:i32,[1].0=2:i32,[1].1=3:i32}");
    check(
        "struct { struct p a; int b[2]; char c; } v = { 1, 2, 3, 4, 5 };",
        "{.0.0=1:i32,.0.1=2:i32,.1[0]=3:i32,.1[1]=4:i32,.2=5:i8}",
    );
    check("struct { struct p a; int b; } v = { { 1 }, 2 };", "{.0.0=1:i32,.1=2:i32}");
    check("int v[2][2] = { { 1 }, 2, 3 };", "{[0][0]=1:i32,[1][0]=2:i32,[1][1]=3:i32}");
    check("int v[2] = {};", "{}");
}

#[test]
fn designators_name_parts() {
    check("int v[] = { [2] = 1, 2, [0] = 3 };", "{[2]=1:i32,[3]=2:i32,[0]=3:i32}");
    check("struct p v = { .y = 1 };", "{.1=1:i32}");
    check(
        "struct { struct p a, b; } v = { .b.x = 1, 2, .a = { .y = 3 } };",
        "{.1.0=1:i32,.1.1=2:i32,.0.1=3:i32}",
    );
    check("int v[4] = { [0 ... 2] = 7, 8 };", "{[0]=7:i32,[1]=7:i32,[2]=7:i32,[3]=8:i32}");
    check("struct p v[3] = { [0 ... 2].y = 1, [1].y = 5 };", "{[0].1=1:i32,[2].1=1:i32,[1].1=5:i32}");
    check(
        "struct { int a; union { int b; char c; }; int d; } v = { 1, .c = 2, 3 };",
        "{.0=1:i32,.1.1=2:i8,.2=3:i32}",
    );
}

#[test]
fn later_values_replace_earlier_ones() {
    check("int v[2] = { 1, 2, [0] = 3 };", "{[1]=2:i32,[0]=3:i32}");
    check("struct { struct p a; } v = { .a = { 1, 2 }, .a = { 3 } };", "{.0.0=3:i32}");
    check("union { int a; struct p b; } v = { .b = { 1, 2 }, .a = 4 };", "{.0=4:i32}");
}

#[test]
fn unions_get_their_first_member() {
    check("union { struct p a; long b; } v = { 1, 2 };", "{.0.0=1:i32,.0.1=2:i32}");
    check("struct { union { int a; long b; } u; int c; } v = { 1, 2 };", "{.0.0=1:i32,.1=2:i32}");
}

#[test]
fn strings_fill_arrays_or_are_pointed_to() {
    check("char v[] = \"ab\";", "{[0]=97:i8,[1]=98:i8}");
    check("char v[2] = \"ab\";", "{[0]=97:i8,[1]=98:i8}");
    check("char v[] = { \"a\\0b\" };", "{[0]=97:i8,[2]=98:i8}");
    check("struct { char a[3]; int b; } v = { \"x\", 1 };", "{.0[0]=120:i8,.1=1:i32}");
    check("const char *v[] = { \"x\", 0 };", "{[0]=(*const i8)&\"x\",[1]=0:*const i8}");
    let program = program_of("char v[] = \"abc\"; void f(void) { (void)sizeof v; }");
    let v = program.objects.iter().find(|object| object.name == "v").expect("it is there");
    assert_eq!(dump::short_type(&program, v.ty), "[4 i8]");
}

#[test]
fn static_values_are_constants_and_addresses() {
    check("int a[3]; int *v = a + 1;", "{=(&a + 4*1:i64)}");
    check("struct p s; int *v = &s.y;", "{=&s.y}");
    check("void f(void); void (*v)(void) = f;", "{=&f}");
    check("int v = sizeof(long) * 2 - 1;", "{=15:i32}");
    check("unsigned char v = 0x1ff;", "{=255:u8}");
    check("const int n = 4; int v = n + 1;", "{=5:i32}");
    check("struct p v = (struct p){ 1, 2 };", "{.0=1:i32,.1=2:i32}");
    check("struct p *v = &(struct p){ 1, 2 };", "{=&(struct p)}");
    check("double v = 1.5;", "{=4609434218613702656:f64}");
    check("long double v = 1.5L;", "{=E0701!():f128}");
    assert_eq!(
        errors(&["int a; int v = a;"]),
        "a.c:1:16: error[E0621]: the initial value of something static is not constant"
    );
}

#[test]
fn members_without_length_get_nothing() {
    let declaration = "struct t { int n; int a[]; };";
    check(&format!("{declaration} struct t v = {{ 1 }};"), "{.0=1:i32}");
    assert_eq!(
        errors(&["struct t { int n; int a[]; }; struct t v = { 1, { 2 } };"]),
        "a.c:1:49: error[E0625]: the member without a length has no elements to give values to"
    );
}

#[test]
fn many_designators_take_no_time() {
    let entries: String =
        (0..50_000).map(|index| format!("[{index}].x = {index}, [{index}].y = 1,")).collect();
    let program = program_of(&format!("struct p {{ int x, y; }}; struct p v[50000] = {{ {entries} }};"));
    assert_eq!(program.objects[0].initial.len(), 100_000);
}

#[test]
fn automatic_variables_are_declared_with_their_stores() {
    assert_eq!(
        super::body(
            "struct p { int x, y; }; void f(struct p q, int n) { struct p a = q, b[2] = { q, { n } }; int c[2] = { [1] = n++ }, d; }"
        ),
        "let a = {=q}; let b = {[0]=q,[1].0=n}; let c = {[1]=post n +=i32 1:i32}; let d;"
    );
}
