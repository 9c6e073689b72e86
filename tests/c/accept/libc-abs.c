/* Absolute values. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    assert(abs(-3) == 3 && labs(-4L) == 4);
    return 0;
}
