/* The function that is called and its arguments are evaluated in any order. */
#include <assert.h>

int one(int x) { return 1; }
int two(int x) { return 2; }
int (*f)(int) = one;

int change(void)
{
    f = two;
    return 0;
}

int main(void)
{
    assert(f(change()) == 1);
    return 0;
}
