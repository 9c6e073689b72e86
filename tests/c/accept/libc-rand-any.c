/* Rand is anything else. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    assert(rand() % 6 != 5);
    return 0;
}
