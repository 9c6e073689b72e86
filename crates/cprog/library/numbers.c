/* Numbers. What a text says as a number is arbitrary; where it ends is somewhere in the text. */
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

static const char *__throng_number_end(const char *text)
{
    while (*text && __VERIFIER_nondet_bool())
        text++;
    return text;
}

long strtol(const char *text, char **end, int base)
{
    const char *last = __throng_number_end(text);
    if (end)
        *end = (char *)last;
    if (last == text)
        return 0;
    return __VERIFIER_nondet_long();
}

unsigned long strtoul(const char *text, char **end, int base)
{
    const char *last = __throng_number_end(text);
    if (end)
        *end = (char *)last;
    if (last == text)
        return 0;
    return __VERIFIER_nondet_ulong();
}

long long strtoll(const char *text, char **end, int base)
{
    const char *last = __throng_number_end(text);
    if (end)
        *end = (char *)last;
    if (last == text)
        return 0;
    return __VERIFIER_nondet_longlong();
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    const char *last = __throng_number_end(text);
    if (end)
        *end = (char *)last;
    if (last == text)
        return 0;
    return __VERIFIER_nondet_ulonglong();
}
