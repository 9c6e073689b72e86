/* Numbers, and what a text says as a number: C11 7.22.1 and 7.22.6, with the errors of POSIX. */
extern _Thread_local int __throng_errno;

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

struct __throng_number { unsigned long long value; const char *end; _Bool is_negative; _Bool is_large; };

/* The digit that a character is, or 36. */
static int __throng_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* Reads blanks, a sign, a prefix and digits; a number above `most` is too large. */
static struct __throng_number __throng_read_number(const char *text, int base, unsigned long long most)
{
    struct __throng_number found = { 0, text, 0, 0 };
    const char *at = text;
    if (base < 0 || base == 1 || base > 36) {
        __throng_errno = 22;
        return found;
    }
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    if (*at == '-' || *at == '+') {
        found.is_negative = *at == '-';
        at++;
    }
    if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && __throng_digit(at[2]) < 16) {
        at += 2;
        base = 16;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    while (__throng_digit(*at) < base) {
        unsigned digit = __throng_digit(*at);
        if (found.is_large || found.value > (~0ull - digit) / base)
            found.is_large = 1;
        else
            found.value = found.value * base + digit;
        at++;
        found.end = at;
    }
    if (found.value > most)
        found.is_large = 1;
    if (found.is_large)
        __throng_errno = 34;
    return found;
}

long strtol(const char *text, char **end, int base)
{
    unsigned long most = ~0ul >> 1;
    struct __throng_number found = __throng_read_number(text, base, ~0ull);
    _Bool is_large = found.is_large || found.value > most + found.is_negative;
    if (is_large)
        __throng_errno = 34;
    if (end)
        *end = (char *)found.end;
    if (is_large)
        return found.is_negative ? -(long)most - 1 : (long)most;
    return found.is_negative ? (long)(0ul - (unsigned long)found.value) : (long)found.value;
}

unsigned long strtoul(const char *text, char **end, int base)
{
    struct __throng_number found = __throng_read_number(text, base, ~0ul);
    if (end)
        *end = (char *)found.end;
    if (found.is_large)
        return ~0ul;
    return found.is_negative ? 0ul - (unsigned long)found.value : (unsigned long)found.value;
}

static long long __throng_read_signed(const char *text, char **end, int base)
{
    unsigned long long most = ~0ull >> 1;
    struct __throng_number found = __throng_read_number(text, base, ~0ull);
    _Bool is_large = found.is_large || found.value > most + found.is_negative;
    if (is_large)
        __throng_errno = 34;
    if (end)
        *end = (char *)found.end;
    if (is_large)
        return found.is_negative ? -(long long)most - 1 : (long long)most;
    return found.is_negative ? (long long)(0ull - found.value) : (long long)found.value;
}

long long strtoll(const char *text, char **end, int base)
{
    return __throng_read_signed(text, end, base);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    struct __throng_number found = __throng_read_number(text, base, ~0ull);
    if (end)
        *end = (char *)found.end;
    if (found.is_large)
        return ~0ull;
    return found.is_negative ? 0ull - found.value : found.value;
}

/* What does not fit is undefined: it is arbitrary here. */
int atoi(const char *text)
{
    long long value = __throng_read_signed(text, 0, 10);
    return (int)value == value ? (int)value : __VERIFIER_nondet_int();
}

long atol(const char *text)
{
    long long value = __throng_read_signed(text, 0, 10);
    return (long)value == value ? (long)value : __VERIFIER_nondet_long();
}

long long atoll(const char *text)
{
    return __throng_read_signed(text, 0, 10);
}
