// refused: the contents of a string that the property depends on at line 9
#include <assert.h>
#include <string.h>

int main(void)
{
    const char *name = "throng";

    assert(strlen(name) == 6);
    return 0;
}
