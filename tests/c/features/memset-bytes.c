/* Memset and memcmp are about bytes. */
#include <assert.h>
#include <string.h>

int a[3], b[3];

int main(void)
{
    memset(a, 0xff, 6);
    assert(a[0] == -1 && a[1] == 0xffff && a[2] == 0);
    memcpy(b, a, sizeof a);
    assert(memcmp(a, b, sizeof a) == 0);
    memmove(b, b + 1, 8);
    assert(b[0] == 0xffff && b[1] == 0 && memcmp(a, b, 4) > 0);
    return 0;
}
