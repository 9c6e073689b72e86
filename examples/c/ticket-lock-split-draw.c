/* A ticket lock, taken again and again by any number of threads: a thread draws the next ticket and waits until it is
 * served. Drawing is two steps here, so that two threads can draw the same ticket, and both be inside. */
#include <assert.h>
#include <pthread.h>

static unsigned next_ticket;
static unsigned now_serving;
static int inside;

static unsigned draw(void)
{
    unsigned ticket = next_ticket;
    next_ticket = ticket + 1;
    return ticket;
}

static void *worker(void *unused)
{
    while (1) {
        unsigned ticket = draw();
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
