/* Finding characters. */
#define _GNU_SOURCE
#include <string.h>
#include <assert.h>

int main(void)
{
    const char *text = "abcb";
    assert(strchr(text, 'b') == text + 1);
    assert(strrchr(text, 'b') == text + 3);
    assert(strchr(text, 'x') == 0);
    return 0;
}
