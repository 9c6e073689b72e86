//! Promotions, the usual conversions, decay, pointers, calls, and statements.

use super::{body, expression};

const VARIABLES: &str = "char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
    long l; unsigned long ul; long long ll; unsigned long long ull; _Bool b; int *p; char *q; void *v; int a[3];
    int m[2][3]; struct pair { int x, y; } r, *rp; float fl; double d; volatile int vi; _Atomic int ai;
    enum e { A, B = 5, C } e; struct bits { unsigned u3 : 3; unsigned u32 : 32; int i5 : 5; _Bool bb : 1; } bf;
    int g(int, long); int h(const char *, ...); int k(); void (*fp)(char); ";

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(expression(VARIABLES, text), expected, "{text}");
}

#[test]
fn integers_are_promoted_before_they_are_combined() {
    check("c + c", "((i32)c + (i32)c):i32");
    check("us + us", "((i32)us + (i32)us):i32");
    check("b + uc", "((i32)b + (i32)uc):i32");
    check("i + u", "((u32)i + u):u32");
    check("u + l", "((i64)u + l):i64");
    check("ul + ll", "((u64ll)ul + (u64ll)ll):u64ll");
    check("l + ll", "((i64ll)l + ll):i64ll");
    check("ull * c", "(ull * (u64ll)c):u64ll");
    check("-c", "-(i32)c");
    check("~uc", "~(i32)uc");
    check("!p", "!p");
    check("c << l", "((i32)c << l):i32");
    check("e + 1", "(e + 1:u32):u32");
    check("A + 1", "(0:i32 + 1:i32):i32");
}

#[test]
fn bit_fields_are_promoted_by_their_widths() {
    check("bf.u3 + 1", "((i32)bf.u3 + 1:i32):i32");
    check("bf.u32 + 1", "(bf.u32 + 1:u32):u32");
    check("bf.i5 < 0", "(bf.i5 < 0:i32):i32");
    check("bf.bb | 1", "((i32)bf.bb | 1:i32):i32");
}

#[test]
fn comparisons_are_ints_of_operands_of_one_type() {
    check("i < u", "((u32)i < u):i32");
    check("p == 0", "(p == 0:*i32):i32");
    check("p == v", "((*void)p == v):i32");
    check("(void *)0 != p", "(0:*i32 != p):i32");
    check("uc == 'a'", "((i32)uc == 97:i32):i32");
}

#[test]
fn literals_have_the_first_type_that_holds_them() {
    check("2147483647", "2147483647:i32");
    check("2147483648", "2147483648:i64");
    check("0x80000000", "2147483648:u32");
    check("1u", "1:u32");
    check("1ll", "1:i64ll");
    check("0xffffffffffffffff", "18446744073709551615:u64");
    check("-1", "4294967295:i32");
    check("-1 < 0u", "(4294967295:u32 < 0:u32):i32");
    check("'\\xff'", "4294967295:i32");
}

#[test]
fn assignments_convert_to_the_place() {
    check("c = i", "c = (i8)i");
    check("b = i", "b = (bool)i");
    check("b = p", "b = (bool)p");
    check("u = -1", "u = 4294967295:u32");
    check("v = p", "v = (*void)p");
    check("p = 0", "p = 0:*i32");
    check("r = *rp", "r = *rp");
    check("ai = 1", "ai = 1:i32");
}

#[test]
fn updates_say_in_which_type_they_compute() {
    check("c += 1", "c +=i32 1:i32");
    check("c += l", "c +=i64 l");
    check("u >>= ll", "u >>=u32 ll");
    check("i++", "post i +=i32 1:i32");
    check("--p", "p -=*i32 4*1:i64");
    check("q += i", "q +=*i8 1*(i64)i");
    check("ai |= u", "ai |=u32 u");
    check("bf.u3++", "post bf.u3 +=i32 1:i32");
    check("fl += 1", "fl +=f32 1065353216:f32");
    check("fl += i", "fl +=f32 E0701!(i):f32");
}

#[test]
fn arrays_and_functions_become_pointers() {
    check("p = a", "p = &a");
    check("a[i]", "a[(i64)i]");
    check("i[a]", "a[(i64)i]");
    check("*a", "a[0:i64]");
    check("*(a + i)", "a[(i64)i]");
    check("m[1][i]", "m[1:i64][(i64)i]");
    check("**m", "m[0:i64][0:i64]");
    check("p[i]", "*(p + 4*(i64)i)");
    check("*p", "*p");
    check("&*p", "p");
    check("*&i", "i");
    check("&a[1]", "&a[1:i64]");
}

#[test]
fn pointers_move_by_the_size_of_what_they_point_to() {
    check("p + 1", "(p + 4*1:i64)");
    check("p - u", "(p - 4*(i64)u)");
    check("1 + rp", "(rp + 8*1:i64)");
    check("v + 1", "(v + 1*1:i64)");
    check("p - a", "((p - &a)/4):i64");
}

#[test]
fn members_are_found_through_pointers_and_values() {
    check("r.y", "r.y");
    check("rp->x", "*rp.x");
    check("(&r)->x", "r.x");
    check("(*rp).y = 1", "*rp.y = 1:i32");
}

#[test]
fn conditionals_have_a_common_type() {
    check("i ? c : u", "(i ? (u32)c : u):u32");
    check("i ? p : 0", "(i ? p : 0:*i32):*i32");
    check("i ? p : v", "(i ? (*void)p : v):*void");
    check("i ? (void)0 : (void)1", "(i ? (void)0:i32 : (void)1:i32):void");
    check("i ?: l", "((i64)i ?: l):i64");
    check("i && p || !c", "((i && p) || !c)");
    check("(i, c)", "(i, c)");
}

#[test]
fn calls_convert_arguments() {
    check("g(c, i)", "g((i32)c, (i64)i):i32");
    check("h(\"x\", c, fl)", "h((*const i8)&\"x\", (i32)c, E0701!(fl):f64):i32");
    check("k(c)", "k((i32)c):i32");
    check("fp(i)", "*fp((i8)i):void");
    check("(*fp)(i)", "*fp((i8)i):void");
    check("(&g)(1, 2)", "g(1:i32, 2:i64):i32");
    check("(**g)(1, 2)", "g(1:i32, 2:i64):i32");
}

#[test]
fn functions_of_verifiers_need_no_declaration() {
    check("u = __VERIFIER_nondet_uint()", "u = __VERIFIER_nondet_uint():u32");
    check("b = nondet_bool()", "b = nondet_bool():bool");
    check("__CPROVER_assume(i < 3)", "__CPROVER_assume((i < 3:i32):i32):void");
    check("__VERIFIER_atomic_begin()", "__VERIFIER_atomic_begin():void");
    check("reach_error()", "reach_error():void");
}

#[test]
fn atomic_functions_are_builtins() {
    check("__atomic_load_n(p, 5)", "AtomicLoad(p, 5:i32):i32");
    check("__atomic_store_n(&c, i, 5)", "AtomicStore(&c, (i8)i, 5:i32):void");
    check("__sync_bool_compare_and_swap(&l, 1, i)", "CompareAndSwapBool(&l, 1:i64, (i64)i):bool");
    check(
        "__sync_fetch_and_add(&ai, 1)",
        "AtomicUpdate { operator: Add, is_nand: false, returns_new: false }(&ai, 1:i32):i32",
    );
    check(
        "__atomic_nand_fetch(&u, i, 0)",
        "AtomicUpdate { operator: BitAnd, is_nand: true, returns_new: true }(&u, (u32)i, 0:i32):u32",
    );
    check("__atomic_load(p, &i, 5)", "(void)i = AtomicLoad(p, 5:i32):i32");
    check(
        "__atomic_compare_exchange_n(p, &i, 3, 0, 5, 5)",
        "AtomicCompareExchange(p, &i, 3:i32, 0:i32, 5:i32, 5:i32):bool",
    );
    check("__atomic_test_and_set(&rp->x, 5)", "AtomicTestAndSet(&*rp.x, 5:i32):bool");
    check("__atomic_test_and_set(v, 5)", "AtomicTestAndSet((*u8)v, 5:i32):bool");
    check("__atomic_clear(rp, 5)", "AtomicClear(&*rp.x, 5:i32):void");
    check("__sync_synchronize()", "Fence():void");
}

#[test]
fn other_builtins() {
    check("__builtin_expect(i, 0)", "Expect((i64)i, 0:i64):i64");
    check("__builtin_add_overflow(c, l, &i)", "Overflow(Add)(c, l, &i):bool");
    check("__builtin_umul_overflow(c, 1, &u)", "Overflow(Multiply)((u32)c, 1:u32, &u):bool");
    check("__builtin_constant_p(3 + A)", "1:i32");
    check("__builtin_constant_p(i)", "0:i32");
    check("__builtin_unreachable()", "Unreachable():void");
    check("__builtin_popcount(u)", "__builtin_popcount(u):i32");
    check("__builtin_return_address(0)", "E0705!(0:i32):*void");
    check("__builtin_memcpy(v, p, 4)", "memcpy(v, (*void)p, 4:u64):*void");
}

#[test]
fn types_are_asked_for_without_evaluation() {
    check("sizeof(int)", "4:u64");
    check("sizeof a", "12:u64");
    check("sizeof \"abc\"", "4:u64");
    check("sizeof(i++)", "4:u64");
    check("_Alignof(double)", "8:u64");
    check("_Generic(c, int: 1, char: 2, default: 3)", "2:i32");
    check("_Generic(&i, int *: 1, default: 3)", "1:i32");
    check("_Generic(r, int: 1, default: 3)", "3:i32");
    check("__builtin_types_compatible_p(int, const int)", "1:i32");
    check("__builtin_choose_expr(1, c, p)", "c");
    check("__builtin_offsetof(struct pair, y)", "4:u64");
    check("(unsigned long)&((struct pair *)0)->y", "4:u64");
    check("(int)1.5", "1:i32");
    check("(int)fl", "E0701!(fl):i32");
    check("_Generic((signed char)1, char: 1, signed char: 2)", "2:i32");
}

#[test]
fn statement_expressions_and_compound_literals() {
    check("i = ({ int z = 1; z + 1; })", "i = ({ let z = {=1:i32}; (z + 1:i32):i32 })");
    check("r = (struct pair){1, 2}", "r = ({ let (struct pair) = {.0=1:i32,.1=2:i32}; (struct pair) })");
    check("rp = &(struct pair){ .y = 2 }", "rp = ({ let (struct pair) = {.1=2:i32}; &(struct pair) })");
    check(
        "({ typeof(c) z = 1; __auto_type w = z + 1; w; })",
        "({ let z = {=1:i8}; let w = {=((i32)z + 1:i32):i32}; w })",
    );
}

#[test]
fn statements_keep_their_structure() {
    assert_eq!(
        body("int f(int n) { for (int i = 0; i < n; i++) if (i == 3) break; else continue; return n; }"),
        "{ let i = {=0:i32}; loop [(i < n):i32;post i +=i32 1:i32] { if (i == 3:i32):i32 { break; } else { continue; } } } return n;"
    );
    assert_eq!(
        body(
            "long f(char c) { switch (c) { case 'a': case 200: c++; default: ; case 1 ... 3: break; } return c; }"
        ),
        "switch (i32)c { case 97: case 200: post c +=i32 1:i32; default: case 1..3: break; } return (i64)c;"
    );
    assert_eq!(
        body("void f(void) { again: do { goto out; } while (1); goto again; out: ; }"),
        "again: do [1:i32;] { goto out; } goto again; out:"
    );
    assert_eq!(
        body(
            "unsigned char f(unsigned char x) { switch (x) { case -1: return 1; } switch (1u) { case -1: return 300; } return 2; }"
        ),
        "switch (i32)x { case -1: return 1:u8; } switch 1:u32 { case 4294967295: return 44:u8; } return 2:u8;"
    );
    assert_eq!(
        body("void f(void) { asm(\"\"); asm(\"cli\"); void *p = &&l; goto *p; l: ; }"),
        "E0704!; let p = {=E0703!():*void}; p; E0703!; l:"
    );
}

#[test]
fn static_and_old_style() {
    assert_eq!(
        body("int f(a, c) int a; char c; { static int n = 3; return a + c + n; }"),
        "return ((a + (i32)c):i32 + n):i32;"
    );
    assert_eq!(expression("int g(a, c) char c; { return c; }", "g(1, 300)"), "g(1:i32, 44:i8):i32");
    assert_eq!(body("const char *f(void) { return __func__; }"), "return (*const i8)&\"f\";");
}
