/* Predicates about calls (Kaiser, thesis, section 5.1): that parameters have the values of the arguments, and that a call gives
 * what is returned.
 *
 * Expected: safe. In a section in which nobody else counts, what comes next is one more.
 */
#include <assert.h>
#include <pthread.h>

extern void __CPROVER_parameter_predicates(void);
extern void __CPROVER_return_predicates(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned counter;

static unsigned next(unsigned before)
{
    __CPROVER_parameter_predicates();
    __CPROVER_return_predicates();
    return before + 1;
}

static void *worker(void *argument)
{
    unsigned mine;

    __VERIFIER_atomic_begin();
    mine = next(counter);
    counter = mine;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    mine = counter;
    assert(next(mine) == counter + 1);
    __VERIFIER_atomic_end();
    return argument;
}

int main(void)
{
    pthread_t thread;

    while (1)
        pthread_create(&thread, 0, worker, 0);
}
