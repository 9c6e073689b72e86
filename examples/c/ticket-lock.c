/* A ticket lock, taken again and again by any number of threads: a thread draws the next ticket and waits until it is
 * served. No two threads have the same ticket, as long as tickets do not run out, so `inside` is never found set. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

static unsigned next_ticket;
static unsigned now_serving;
static int inside;

static unsigned __VERIFIER_atomic_draw(void)
{
    __VERIFIER_assume(next_ticket != -1);
    return next_ticket++;
}

static void *worker(void *unused)
{
    while (1) {
        unsigned ticket = __VERIFIER_atomic_draw();
        while (now_serving != ticket)
            ;
        assert(!inside);
        inside = 1;
        inside = 0;
        now_serving++;
    }
    return unused;
}

int main(void)
{
    while (1) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
