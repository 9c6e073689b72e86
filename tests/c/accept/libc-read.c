/* Read moves at most what is asked for, or fails. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    char text[4] = { 0 };
    long count = read(0, text, 4);
    assert(count >= -1 && count <= 4);
    return 0;
}
