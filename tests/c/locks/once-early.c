/* Initialisation that happens once (after musl's pthread_once: not begun, running, done; waiters are
 * woken).
 *
 * Asserted: it runs once, and whoever goes on finds it done.
 * Unsafe: it is called done before it is.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int control = 0;
static int runs = 0;
static int ready = 0;

static void init(void)
{
    assert(runs == 0);
    runs = 1;
    ready = 1;
}

static void call_once(void)
{
    for (;;) {
        int old = 0;

        if (atomic_load(&control) == 2)
            return;
        if (atomic_compare_exchange_strong(&control, &old, 1)) {
            atomic_store(&control, 2);
            init();
            return;
        }
        if (old == 2)
            return;
    }
}

static void *thread(void *arg)
{
    call_once();
    assert(ready == 1);
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
