/* The number of processors is at least -1. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    assert(sysconf(_SC_NPROCESSORS_ONLN) >= -1);
    return 0;
}
