/* Setting, copying and comparing bytes. */
#define _GNU_SOURCE
#include <string.h>
#include <assert.h>

int main(void)
{
    int a[3] = { 1, 2, 3 }, b[3];
    memcpy(b, a, sizeof a);
    assert(memcmp(a, b, sizeof a) == 0);
    memset(b, 0, sizeof b);
    assert(b[2] == 0);
    return 0;
}
