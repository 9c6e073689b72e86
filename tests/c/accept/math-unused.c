/* A root that is only printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <math.h>
#include <assert.h>

int main(void)
{
    int a = 2;
    printf("%f\n", sqrt(a));
    assert(a == 2);
    return 0;
}
