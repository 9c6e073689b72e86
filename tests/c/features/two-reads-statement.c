/* Two reads of a shared variable in one expression. Safe only with statements as steps: one access
 * per step lets the writer in between the two reads. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *thread(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int d;

    pthread_create(&t, 0, thread, 0);
    d = x - x;
    assert(d == 0);
    return 0;
}
