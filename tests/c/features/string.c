/* The length of a string. */
#include <assert.h>
#include <string.h>

int main(void)
{
    const char *name = "throng";

    assert(strlen(name) == 6);
    return 0;
}
