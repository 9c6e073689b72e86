/* Kinds of characters. */
#define _GNU_SOURCE
#include <ctype.h>
#include <assert.h>

int main(void)
{
    assert(isdigit('7') && !isdigit('x'));
    assert(toupper('a') == 'A');
    return 0;
}
