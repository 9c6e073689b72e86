/* Numbers from texts. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    assert(atoi("42") == 42);
    assert(strtol("-7", 0, 10) == -7);
    assert(strtoul("ff", 0, 16) == 255);
    return 0;
}
