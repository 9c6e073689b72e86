//! `__builtin_NAME`, and the families `__atomic_…`, `__sync_…`, `__c11_atomic_…`.

use super::{Entry, harmless, modelled, refused};

const MATTERS: &str = "refused where its value matters: write it in C";

/// All built-ins that are known, without `__builtin_`. Those with a twin in the library, such as `__builtin_memcpy`, mean
/// what the function means.
pub(super) const BUILTINS: &[Entry] = &[
    modelled("expect", "the value of its first operand", "int main(void) { return __builtin_%(0, 1); }"),
    modelled(
        "expect_with_probability",
        "the value of its first operand",
        "int main(void) { return __builtin_%(0, 1, 0.5); }",
    ),
    modelled("unreachable", "nobody comes here", "int main(void) { if (0) __builtin_%(); return 0; }"),
    modelled("trap", "the program ends", "int main(void) { if (0) __builtin_%(); return 0; }"),
    modelled("abort", "the program ends", "int main(void) { if (0) __builtin_%(); return 0; }"),
    modelled(
        "constant_p",
        "1 for what is constant, otherwise 0",
        "int main(void) { return __builtin_%(3); }",
    ),
    modelled(
        "assume_aligned",
        "the value of its first operand",
        "int x; int main(void) { int *p = __builtin_%(&x, 4); return *p; }",
    ),
    modelled("launder", "the value of its operand", "int main(void) { return 0; }"),
    modelled("addressof", "the value of its operand", "int main(void) { return 0; }"),
    modelled(
        "object_size",
        "the value that says that the size is not known",
        "int x; int main(void) { return __builtin_%(&x, 0) == 0; }",
    ),
    modelled(
        "dynamic_object_size",
        "the value that says that the size is not known",
        "int main(void) { return 0; }",
    ),
    modelled(
        "add_overflow",
        "computed exactly, stored wrapped, true if it did not fit; also `sadd`, `uaddl`, …",
        "int main(void) { int r; return __builtin_%(1, 2, &r); }",
    ),
    modelled(
        "sub_overflow",
        "computed exactly, stored wrapped, true if it did not fit; also `ssub`, `usubl`, …",
        "int main(void) { int r; return __builtin_%(1, 1, &r); }",
    ),
    modelled(
        "mul_overflow",
        "computed exactly, stored wrapped, true if it did not fit; also `smul`, `umull`, …",
        "int main(void) { int r; return __builtin_%(1, 2, &r); }",
    ),
    modelled(
        "offsetof",
        "the offset of a member",
        "struct s { int a, b; }; int main(void) { return __builtin_%(struct s, b); }",
    ),
    modelled(
        "types_compatible_p",
        "whether two types are compatible",
        "int main(void) { return __builtin_%(int, long); }",
    ),
    modelled("choose_expr", "one of two operands", "int main(void) { return __builtin_%(1, 0, 2); }"),
    modelled("bswap16", "the bytes in the opposite order", "int main(void) { return __builtin_%(0); }"),
    modelled("bswap32", "the bytes in the opposite order", "int main(void) { return __builtin_%(0); }"),
    modelled("bswap64", "the bytes in the opposite order", "int main(void) { return __builtin_%(0); }"),
    modelled(
        "ffs",
        "the number of the lowest set bit, from 1; 0 for 0",
        "int main(void) { return __builtin_%(0); }",
    ),
    modelled(
        "ffsl",
        "the number of the lowest set bit, from 1; 0 for 0",
        "int main(void) { return __builtin_%(0); }",
    ),
    modelled(
        "ffsll",
        "the number of the lowest set bit, from 1; 0 for 0",
        "int main(void) { return __builtin_%(0); }",
    ),
    modelled(
        "ctz",
        "how many zeros there are below the lowest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(1); }",
    ),
    modelled(
        "ctzl",
        "how many zeros there are below the lowest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(1); }",
    ),
    modelled(
        "ctzll",
        "how many zeros there are below the lowest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(1); }",
    ),
    modelled(
        "clz",
        "how many zeros there are above the highest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(1u << 31); }",
    ),
    modelled(
        "clzl",
        "how many zeros there are above the highest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(-1l); }",
    ),
    modelled(
        "clzll",
        "how many zeros there are above the highest set bit; of 0 arbitrary",
        "int main(void) { return __builtin_%(-1ll); }",
    ),
    modelled("popcount", "how many bits are set", "int main(void) { return __builtin_%(0); }"),
    modelled("popcountl", "how many bits are set", "int main(void) { return __builtin_%(0); }"),
    modelled("popcountll", "how many bits are set", "int main(void) { return __builtin_%(0); }"),
    modelled("parity", "whether an odd number of bits is set", "int main(void) { return __builtin_%(0); }"),
    modelled("parityl", "whether an odd number of bits is set", "int main(void) { return __builtin_%(0); }"),
    modelled("parityll", "whether an odd number of bits is set", "int main(void) { return __builtin_%(0); }"),
    harmless("prefetch", "a hint to the processor", "int x; int main(void) { __builtin_%(&x); return 0; }"),
    harmless(
        "__clear_cache",
        "about instructions, which do not change here",
        "char a[2]; int main(void) { __builtin_%(a, a + 1); return 0; }",
    ),
    harmless("ia32_pause", "a hint to the processor", "int main(void) { __builtin_%(); return 0; }"),
    refused(
        "va_start",
        "give the function a fixed number of parameters",
        "int f(int n, ...) { __builtin_va_list l; __builtin_%(l, n); if (__builtin_va_arg(l, int)) reach_error(); return 0; } int main(void) { return f(1); }",
    ),
    refused(
        "va_end",
        "give the function a fixed number of parameters",
        "int f(int n, ...) { __builtin_va_list l; if (__builtin_va_arg(l, int)) reach_error(); __builtin_%(l); return 0; } int main(void) { return f(1); }",
    ),
    refused(
        "va_copy",
        "give the function a fixed number of parameters",
        "int f(int n, ...) { __builtin_va_list l, m; __builtin_%(l, m); if (__builtin_va_arg(l, int)) reach_error(); return 0; } int main(void) { return f(1); }",
    ),
    refused(
        "va_arg",
        "give the function a fixed number of parameters",
        "int f(int n, ...) { __builtin_va_list l; if (__builtin_%(l, int)) reach_error(); return 0; } int main(void) { return f(1); }",
    ),
    refused(
        "alloca",
        MATTERS,
        "int main(void) { int *p = __builtin_%(4); if (*p) reach_error(); return 0; }",
    ),
    refused("frame_address", MATTERS, "int main(void) { if (__builtin_%(0)) reach_error(); return 0; }"),
    refused("return_address", MATTERS, "int main(void) { if (__builtin_%(0)) reach_error(); return 0; }"),
    refused(
        "extract_return_addr",
        MATTERS,
        "int main(void) { if (__builtin_%(0)) reach_error(); return 0; }",
    ),
    refused("huge_val", MATTERS, "int main(void) { if (__builtin_%() > 1) reach_error(); return 0; }"),
    refused("huge_valf", MATTERS, "int main(void) { if (__builtin_%() > 1) reach_error(); return 0; }"),
    refused("inf", MATTERS, "int main(void) { if (__builtin_%() > 1) reach_error(); return 0; }"),
    refused("inff", MATTERS, "int main(void) { if (__builtin_%() > 1) reach_error(); return 0; }"),
    refused("nan", MATTERS, "int main(void) { if (__builtin_%(\"\") > 1) reach_error(); return 0; }"),
    refused("nanf", MATTERS, "int main(void) { if (__builtin_%(\"\") > 1) reach_error(); return 0; }"),
    refused("fabs", MATTERS, "int main(void) { if (__builtin_%(1.0) > 1) reach_error(); return 0; }"),
    refused("fabsf", MATTERS, "int main(void) { if (__builtin_%(1.0f) > 1) reach_error(); return 0; }"),
    refused("sqrt", MATTERS, "int main(void) { if (__builtin_%(1.0) > 1) reach_error(); return 0; }"),
    refused(
        "copysign",
        MATTERS,
        "int main(void) { if (__builtin_%(1.0, 1.0) > 1) reach_error(); return 0; }",
    ),
    refused(
        "copysignf",
        MATTERS,
        "int main(void) { if (__builtin_%(1.0f, 1.0f) > 1) reach_error(); return 0; }",
    ),
];
