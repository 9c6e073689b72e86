/* Built-ins about bits. What C leaves open, of 0, is arbitrary. */
static int __throng_popcount(unsigned long long x)
{
    x = x - (x >> 1 & 0x5555555555555555ull);
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = x + (x >> 4) & 0x0f0f0f0f0f0f0f0full;
    return (int)(x * 0x0101010101010101ull >> 56);
}

static unsigned long long __throng_fill(unsigned long long x)
{
    x = x | x >> 1;
    x = x | x >> 2;
    x = x | x >> 4;
    x = x | x >> 8;
    x = x | x >> 16;
    return x | x >> 32;
}

unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned __builtin_bswap32(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
unsigned long long __builtin_bswap64(unsigned long long x)
{
    return x << 56 | (x & 0xff00ull) << 40 | (x & 0xff0000ull) << 24 | (x & 0xff000000ull) << 8 |
           (x >> 8 & 0xff000000ull) | (x >> 24 & 0xff0000ull) | (x >> 40 & 0xff00ull) | x >> 56;
}

int __builtin_popcount(unsigned x) { return __throng_popcount(x); }
int __builtin_parity(unsigned x) { return __throng_popcount(x) & 1; }
int __builtin_ctz(unsigned x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return __throng_popcount(~x & (x - 1));
}
int __builtin_clz(unsigned x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return 8 * sizeof(x) - __throng_popcount(__throng_fill(x));
}
int __builtin_ffs(int x)
{
    if (x == 0)
        return 0;
    return 1 + __throng_popcount(~(unsigned)x & ((unsigned)x - 1));
}

int __builtin_popcountl(unsigned long x) { return __throng_popcount(x); }
int __builtin_parityl(unsigned long x) { return __throng_popcount(x) & 1; }
int __builtin_ctzl(unsigned long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return __throng_popcount(~x & (x - 1));
}
int __builtin_clzl(unsigned long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return 8 * sizeof(x) - __throng_popcount(__throng_fill(x));
}
int __builtin_ffsl(long x)
{
    if (x == 0)
        return 0;
    return 1 + __throng_popcount(~(unsigned long)x & ((unsigned long)x - 1));
}

int __builtin_popcountll(unsigned long long x) { return __throng_popcount(x); }
int __builtin_parityll(unsigned long long x) { return __throng_popcount(x) & 1; }
int __builtin_ctzll(unsigned long long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return __throng_popcount(~x & (x - 1));
}
int __builtin_clzll(unsigned long long x)
{
    if (x == 0)
        return __VERIFIER_nondet_int();
    return 8 * sizeof(x) - __throng_popcount(__throng_fill(x));
}
int __builtin_ffsll(long long x)
{
    if (x == 0)
        return 0;
    return 1 + __throng_popcount(~(unsigned long long)x & ((unsigned long long)x - 1));
}

int ffs(int x) { return x == 0 ? 0 : 1 + __throng_popcount(~(unsigned)x & ((unsigned)x - 1)); }
int ffsl(long x) { return x == 0 ? 0 : 1 + __throng_popcount(~(unsigned long)x & ((unsigned long)x - 1)); }
int ffsll(long long x)
{
    return x == 0 ? 0 : 1 + __throng_popcount(~(unsigned long long)x & ((unsigned long long)x - 1));
}
