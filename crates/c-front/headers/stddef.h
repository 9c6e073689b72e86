#ifndef __throng_stddef_h
#define __throng_stddef_h
#if __throng_pointer_bits == 64
typedef unsigned long size_t;
typedef long ptrdiff_t;
#else
typedef unsigned int size_t;
typedef int ptrdiff_t;
#endif
typedef int wchar_t;
typedef struct {
    long long __throng_long_long __attribute__((__aligned__(8)));
    long double __throng_long_double __attribute__((__aligned__(16)));
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef NULL
#define NULL ((void *)0)
