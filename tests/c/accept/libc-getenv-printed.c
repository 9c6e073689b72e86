/* The environment is only printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    const char *home = getenv("HOME");
    printf("%s\n", home);
    assert(1);
    return 0;
}
