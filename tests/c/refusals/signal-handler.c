// refused: `signal` at line 14
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_int(int n)
{
    stop = n;
}

int main(void)
{
    signal(SIGINT, on_int);
    assert(stop == 0);
    return 0;
}
