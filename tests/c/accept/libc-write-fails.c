/* Write can fail. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    assert(write(1, "ab", 2) >= 0);
    return 0;
}
