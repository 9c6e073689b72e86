/* Three nested loops over local variables; one of the three programs of the table that are wrong.
 * Main runs them itself; more threads do not change anything.
 *
 * Asserted: the number computed from the three counters stays below 8.
 * Breaks (off by one in the innermost bound, <= for <): with x = 0, y = 3, z = 2 the value is
 * 0 * 4 + 3 * 2 + 2 = 8.
 */
#include <assert.h>
#include <pthread.h>

static void *loops(void *arg)
{
    int x, y, z;

    for (x = 0; x < 1; x++)
        for (y = 0; y < 4; y++)
            for (z = 0; z <= 2; z++) {
                int n = x * 4 + y * 2 + z;
                assert(n >= 0 && n < 8);
            }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, loops, NULL);
    loops(NULL);
    return 0;
}
