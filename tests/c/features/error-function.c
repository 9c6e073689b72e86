/* A call of reach_error that cannot be reached. */
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);

void reach_error(void)
{
    abort();
}

static void check(int c)
{
    if (!c) {
    ERROR:
        reach_error();
        abort();
    }
}

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();

    check(x % 2 == (x & 1));
    return 0;
}
