/* Plain char is signed here. */
#include <assert.h>

int main(void)
{
    char c = (char)200;

    assert(c == 200);
    return 0;
}
