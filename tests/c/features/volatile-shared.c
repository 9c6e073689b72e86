/* A volatile variable is an ordinary shared one by default. */
#include <assert.h>

volatile int port;

int main(void)
{
    int a = port;
    int b = port;

    assert(a == b);
    return 0;
}
