/* func-p.c with an operation that needs a guard, and a missing break that drops the guarded one.
 *
 * Asserted: the value stays in -1 .. 1.
 * Breaks (fall-through): two threads draw 1, fall through to `bump`, and raise the value to 2.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value = 0;

static int raise_value(int v)
{
    return v < 1 ? v + 1 : v;
}

static int bump(int v)
{
    return v + 1;
}

static void *thread(void *arg)
{
    int (*operation)(int) = 0;
    int kind = __VERIFIER_nondet_int();

    switch (kind) {
    case 1:
        operation = raise_value; /* break is missing */
    case 2:
        operation = bump;
    }
    pthread_mutex_lock(&m);
    if (kind == 1)
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
