/* Ignoring a signal. */
#define _GNU_SOURCE
#include <signal.h>
#include <assert.h>

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    assert(1);
    return 0;
}
