/* Numbers. */
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

static int __throng_digit(char c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 10;
    if ('A' <= c && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* The number that a text begins with, without its sign: blanks, a sign, `0x` or `0`, digits. Numbers that do not fit are
   the largest one; `errno`, which says so as well, has no model. */
static unsigned long long __throng_number(const char *text, char **end, int base, int *is_negative, int *is_over)
{
    const char *at = text;
    const char *digits;
    unsigned long long value = 0;

    *is_negative = 0;
    *is_over = 0;
    while (*at == ' ' || ('\t' <= *at && *at <= '\r'))
        at++;
    if (*at == '-' || *at == '+') {
        *is_negative = *at == '-';
        at++;
    }
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __throng_digit(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    digits = at;
    while (__throng_digit(*at) < base) {
        unsigned long long digit = __throng_digit(*at);
        if (value > (~0ull - digit) / (unsigned long long)base)
            *is_over = 1;
        value = value * (unsigned long long)base + digit;
        at++;
    }
    if (end)
        *end = (char *)(at == digits ? text : at);
    return value;
}

static long long __throng_signed(const char *text, char **end, int base, unsigned long long most)
{
    int is_negative, is_over;
    unsigned long long value = __throng_number(text, end, base, &is_negative, &is_over);

    if (is_over || value > most + is_negative)
        value = most + is_negative;
    return is_negative ? 0 - value : value;
}

static unsigned long long __throng_unsigned(const char *text, char **end, int base, unsigned long long most)
{
    int is_negative, is_over;
    unsigned long long value = __throng_number(text, end, base, &is_negative, &is_over);

    if (is_over || value > most)
        return most;
    return is_negative ? 0 - value : value;
}

long strtol(const char *text, char **end, int base) { return __throng_signed(text, end, base, ~0ul >> 1); }
unsigned long strtoul(const char *text, char **end, int base) { return __throng_unsigned(text, end, base, ~0ul); }
long long strtoll(const char *text, char **end, int base) { return __throng_signed(text, end, base, ~0ull >> 1); }
unsigned long long strtoull(const char *text, char **end, int base) { return __throng_unsigned(text, end, base, ~0ull); }
int atoi(const char *text) { return __throng_signed(text, 0, 10, ~0ul >> 1); }
long atol(const char *text) { return __throng_signed(text, 0, 10, ~0ul >> 1); }
long long atoll(const char *text) { return __throng_signed(text, 0, 10, ~0ull >> 1); }
