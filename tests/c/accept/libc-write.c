/* Write returns at most the size. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    assert(write(1, "ab", 2) <= 2);
    return 0;
}
