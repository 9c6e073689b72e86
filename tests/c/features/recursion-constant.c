/* Functions that call themselves and each other, with arguments that say how deep. */
#include <assert.h>

int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int fibonacci(int n)
{
    int a, b;

    if (n < 2)
        return n;
    a = fibonacci(n - 1);
    b = fibonacci(n - 2);
    return a + b;
}

int odd(int n);

int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
    assert(factorial(5) == 120);
    assert(fibonacci(6) == 8);
    assert(even(4) && !even(3));
    return 0;
}
