/* Input and output of bytes: how many is arbitrary within what POSIX says, and so are the bytes that come in. */
typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;

/* How many of `n` bytes are moved, or -1. */
static ssize_t __throng_moved(size_t n)
{
    long count = __VERIFIER_nondet_long();
    __VERIFIER_assume(count >= -1 && (count < 0 || (size_t)count <= n));
    return count;
}

static ssize_t __throng_receive(char *to, size_t n)
{
    ssize_t count = __throng_moved(n);
    ssize_t i;
    for (i = 0; i < count; i++)
        to[i] = __VERIFIER_nondet_char();
    return count;
}

ssize_t read(int file, void *to, size_t n) { return __throng_receive(to, n); }
ssize_t recv(int file, void *to, size_t n, int flags) { return __throng_receive(to, n); }
ssize_t getrandom(void *to, size_t n, unsigned flags) { return __throng_receive(to, n); }
ssize_t write(int file, const void *from, size_t n) { return __throng_moved(n); }
ssize_t send(int file, const void *from, size_t n, int flags) { return __throng_moved(n); }

int pipe(int *ends)
{
    if (__VERIFIER_nondet_bool())
        return -1;
    ends[0] = __VERIFIER_nondet_int();
    ends[1] = __VERIFIER_nondet_int();
    __VERIFIER_assume(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
    return 0;
}

int gethostname(char *name, size_t n)
{
    size_t i;
    if (__VERIFIER_nondet_bool())
        return -1;
    for (i = 0; i < n; i++)
        name[i] = __VERIFIER_nondet_char();
    return 0;
}
