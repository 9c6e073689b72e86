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

char *strncat(char *to, const char *from, size_t n)
{
    size_t end = 0, i = 0;
    while (to[end])
        end++;
    while (i < n && from[i]) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    while (*from) {
        *to = *from;
        to++;
        from++;
    }
    *to = 0;
    return to;
}

/* Whether a character other than the last is in a text. */
static _Bool __throng_is_one_of(char c, const char *characters)
{
    while (*characters) {
        if (*characters == c)
            return 1;
        characters++;
    }
    return 0;
}

size_t strspn(const char *text, const char *accepted)
{
    size_t n = 0;
    while (text[n] && __throng_is_one_of(text[n], accepted))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *rejected)
{
    size_t n = 0;
    while (text[n] && !__throng_is_one_of(text[n], rejected))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *accepted)
{
    while (*text) {
        if (__throng_is_one_of(*text, accepted))
            return (char *)text;
        text++;
    }
    return 0;
}

char *strstr(const char *text, const char *wanted)
{
    for (;;) {
        size_t i = 0;
        while (wanted[i] && text[i] == wanted[i])
            i++;
        if (!wanted[i])
            return (char *)text;
        if (!*text)
            return 0;
        text++;
    }
}

static unsigned char __throng_lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int strcasecmp(const char *a, const char *b)
{
    while (*a && __throng_lower(*a) == __throng_lower(*b)) {
        a++;
        b++;
    }
    return __throng_order(__throng_lower(*a), __throng_lower(*b));
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    while (n > 0 && *a && __throng_lower(*a) == __throng_lower(*b)) {
        a++;
        b++;
        n--;
    }
    return n == 0 ? 0 : __throng_order(__throng_lower(*a), __throng_lower(*b));
}

void *memchr(const void *bytes, int c, size_t n)
{
    const unsigned char *at = bytes;
    while (n > 0) {
        if (*at == (unsigned char)c)
            return (void *)at;
        at++;
        n--;
    }
    return 0;
}
