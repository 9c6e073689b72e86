/* What sscanf finds is only printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <assert.h>

int main(void)
{
    int n = 0, other = 2;
    sscanf("12", "%d", &n);
    printf("%d\n", n);
    assert(other == 2);
    return 0;
}
