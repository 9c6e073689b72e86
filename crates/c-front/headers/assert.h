/* Every inclusion counts: NDEBUG may have changed. */
#undef assert
#ifndef __throng_assert_h
#define __throng_assert_h
extern void __throng_assert_fail(const char *__condition) __attribute__((__noreturn__));
#endif
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : __throng_assert_fail(#__VA_ARGS__))
#endif
#undef static_assert
#define static_assert _Static_assert
