/* Rand is not negative. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    assert(rand() >= 0);
    return 0;
}
