/* Threads get their operation through a function pointer; all operations keep the bound.
 *
 * Asserted: the value stays in -1 .. 1.
 * Safe: each operation runs under the lock and maps -1 .. 1 into itself.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value = 0;

static int negate(int v)
{
    return -v;
}

static int raise_value(int v)
{
    return v < 1 ? v + 1 : v;
}

static int reset(int v)
{
    return v - v;
}

static void *thread(void *arg)
{
    int (*operation)(int) = reset;

    switch (__VERIFIER_nondet_int()) {
    case 0:
        operation = negate;
        break;
    case 1:
        operation = raise_value;
        break;
    }
    pthread_mutex_lock(&m);
    value = operation(value);
    assert(value >= -1 && value <= 1);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, NULL, thread, NULL);
}
