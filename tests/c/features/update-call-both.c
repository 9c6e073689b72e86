/* What is added is computed before or after the sum is read; nothing else can come out, and indices are computed once. */
#include <assert.h>

int x[2] = { 1, 1 }, i, calls;

int f(void)
{
    calls++;
    return x[1] *= 10;
}

int main(void)
{
    x[++i] += f();
    assert(x[1] == 11 || x[1] == 20);
    assert(x[0] == 1 && i == 1 && calls == 1);
    calls += f();
    assert(calls > 100);
    return 0;
}
