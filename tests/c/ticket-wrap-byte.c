/* The ticket lock with tickets of two bits: five threads are too many.
 *
 * Asserted: mutual exclusion.
 * Breaks (wrap-around): A draws 0 and is inside; B, C, D draw 1, 2, 3; E draws 0 again, sees s == 0
 * and asserts inside == 0 while A is inside.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned char s = 0, t = 0;
static int inside = 0;

static void *thread(void *arg)
{
    unsigned char m;

    __VERIFIER_atomic_begin();
    m = t;
    t = (t + 1) & 3;
    __VERIFIER_atomic_end();
    while (s != m)
        ;
    assert(inside == 0);
    inside = 1;
    inside = 0;
    s = (m + 1) & 3;
    return arg;
}

int main(void)
{
    pthread_t id;

    while (1)
        pthread_create(&id, NULL, thread, NULL);
}
