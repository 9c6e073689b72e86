/* Nobody knows the number of processors. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    assert(sysconf(_SC_NPROCESSORS_ONLN) != 3);
    return 0;
}
