/* A file is a number from -1 on. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include <assert.h>

int main(void)
{
    int file = open("x", O_RDONLY);
    assert(file >= -1);
    if (file >= 0)
        assert(close(file) <= 0);
    return 0;
}
