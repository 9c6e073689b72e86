/* Memory that nobody depends on. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>

int main(void)
{
    char *log = malloc(100);
    int n = 1;
    if (log)
        log[0] = 'x';
    free(log);
    assert(n == 1);
    return 0;
}
