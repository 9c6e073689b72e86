/* In which order the values of an initialiser are computed is open. */
#include <assert.h>

int count;

int next(void)
{
    return count++;
}

int main(void)
{
    int a[2] = { next(), next() };

    assert(count == 2);
    assert(a[0] < a[1]);
    return 0;
}
