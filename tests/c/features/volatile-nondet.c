/* A volatile variable as a source of arbitrary values. */
#include <assert.h>

volatile int port;

int main(void)
{
    int a = port;
    int b = port;

    assert(a == b);
    return 0;
}
