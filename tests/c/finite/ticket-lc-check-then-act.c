/* ticket-lc-check-then-act.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>
#include <pthread.h>

static volatile unsigned char s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned m;

    if (s == t) {
        t = (t + 1) & 7;
    } else {
        m = __sync_fetch_and_add(&t, 1) & 7;
        while (s != m)
            ;
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    s = (s + 1) & 7;
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
