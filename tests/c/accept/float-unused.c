/* A mean that is only printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <assert.h>

int main(void)
{
    int a = 3, b = 4;
    double mean = (a + b) / 2.0;
    printf("%f\n", mean);
    assert(a + b == 7);
    return 0;
}
