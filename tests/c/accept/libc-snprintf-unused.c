/* A text that is only printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <assert.h>

int main(void)
{
    char text[64];
    int n = 5;
    snprintf(text, sizeof text, "%d", n);
    puts(text);
    assert(n == 5);
    return 0;
}
