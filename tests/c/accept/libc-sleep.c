/* Sleeping ends early or not. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    assert(sleep(3) <= 3);
    return 0;
}
