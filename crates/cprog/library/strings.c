/* Texts. */
typedef __typeof__(sizeof(int)) size_t;

/* C says only which sign a comparison has. */
static int __throng_order(unsigned char a, unsigned char b)
{
    int order;
    if (a == b)
        return 0;
    order = __VERIFIER_nondet_int();
    __VERIFIER_assume(a < b ? order < 0 : order > 0);
    return order;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return __throng_order(*a, *b);
}

int strncmp(const char *a, const char *b, size_t n)
{
    while (n > 0 && *a && *a == *b) {
        a++;
        b++;
        n--;
    }
    return n == 0 ? 0 : __throng_order(*a, *b);
}

char *strcpy(char *to, const char *from)
{
    size_t i = 0;
    while (from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to;
}

char *strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

char *strcat(char *to, const char *from)
{
    size_t n = 0, i = 0;
    while (to[n])
        n++;
    while (from[i]) {
        to[n + i] = from[i];
        i++;
    }
    to[n + i] = 0;
    return to;
}

char *strchr(const char *text, int c)
{
    while (*text != (char)c) {
        if (!*text)
            return 0;
        text++;
    }
    return (char *)text;
}

char *strrchr(const char *text, int c)
{
    const char *found = 0;
    for (;;) {
        if (*text == (char)c)
            found = text;
        if (!*text)
            return (char *)found;
        text++;
    }
}

char *strncat(char *to, const char *from, size_t most)
{
    size_t at = 0, n = 0;
    while (to[at])
        at++;
    while (n < most && from[n]) {
        to[at + n] = from[n];
        n++;
    }
    to[at + n] = 0;
    return to;
}

char *strstr(const char *text, const char *word)
{
    for (;; text++) {
        size_t n = 0;
        while (word[n] && text[n] == word[n])
            n++;
        if (!word[n])
            return (char *)text;
        if (!*text)
            return 0;
    }
}

void *memchr(const void *bytes, int byte, size_t n)
{
    const unsigned char *at = bytes;
    for (; n; n--, at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return 0;
}
