/* Files that nobody depends on. */
#define _GNU_SOURCE
#include <stdio.h>
#include <assert.h>

int main(void)
{
    FILE *file = fopen("x", "w");
    int n = 1;
    if (file) {
        fprintf(file, "%d\n", n);
        fclose(file);
    }
    assert(n == 1);
    return 0;
}
