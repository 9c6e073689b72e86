/* unverex.c where the first thread is found out in two steps.
 *
 * Asserted: the two counts are equal after each round.
 * Breaks (check, then act): A: taken is 0    B: taken is 0, taken = 1, s = 1, l = 1
 *   A: taken = 1, s = 2, l = 1, assert(2 == 1) fails
 */
#include <assert.h>
#include <pthread.h>

static _Bool taken = 0;
static unsigned s = 0;

static void *thread(void *arg)
{
    unsigned l = 0;

    if (taken)
        return arg;
    taken = 1;
again:
    s = s + 1;
    l = l + 1;
    assert(s == l);
    goto again;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
