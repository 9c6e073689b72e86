/* Read leaves alone what is behind the buffer. */
#define _GNU_SOURCE
#include <unistd.h>
#include <assert.h>

int main(void)
{
    struct { char text[2]; int after; } s = { { 0 }, 7 };
    read(0, s.text, 2);
    assert(s.after == 7);
    return 0;
}
