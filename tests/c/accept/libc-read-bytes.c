/* Read brings any bytes. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    char text[2] = { 0 };
    read(0, text, 2);
    assert(text[1] != 'x');
    return 0;
}
