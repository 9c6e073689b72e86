// accepted: `pthread_once` at line 15
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;

static void init(void)
{
    x++;
}

int main(void)
{
    pthread_once(&once, init);
    assert(x == 1);
    return 0;
}
