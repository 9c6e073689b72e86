/* Reading a clock leaves other variables alone. */
#define _GNU_SOURCE
#include <time.h>
#include <assert.h>

int main(void)
{
    struct timespec now;
    int other = 3;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(other == 3);
    return 0;
}
