/* The ends of a pipe differ. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) == 0)
        assert(ends[0] != ends[1] && ends[0] >= 0);
    return 0;
}
