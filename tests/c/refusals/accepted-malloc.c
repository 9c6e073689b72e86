// accepted: `malloc` that the property does not depend on at line 7
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *buffer = malloc(100);
    int x = 2;

    free(buffer);
    assert(x == 2);
    return 0;
}
