/* bs-loop.c with the right bound in the innermost loop.
 *
 * Asserted: the number computed from the three counters stays below 8.
 * Safe: n <= 0 * 4 + 3 * 2 + 1 = 7.
 */
#include <assert.h>
#include <pthread.h>

static void *loops(void *arg)
{
    int x, y, z;

    for (x = 0; x < 1; x++)
        for (y = 0; y < 4; y++)
            for (z = 0; z < 2; z++) {
                int n = x * 4 + y * 2 + z;
                assert(n >= 0 && n < 8);
            }
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, loops, NULL);
}
