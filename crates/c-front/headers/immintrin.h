#ifndef __throng_immintrin_h
#define __throng_immintrin_h
/* What locks use of these; vectors have no model. */
#define _mm_pause() __builtin_ia32_pause()
#define _mm_mfence() __sync_synchronize()
#define _mm_lfence() __sync_synchronize()
#define _mm_sfence() __sync_synchronize()
#define _mm_prefetch(p, hint) ((void)(p))
#define _bswap(x) __builtin_bswap32(x)
#define _bswap64(x) __builtin_bswap64(x)
#define _mm_popcnt_u32(x) __builtin_popcount(x)
#define _mm_popcnt_u64(x) __builtin_popcountll(x)
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
#define __rdtsc() __VERIFIER_nondet_ulonglong()
#endif
