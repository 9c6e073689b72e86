/* tas-lock.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

#define UNLOCKED 0
#define LOCKED 1

volatile int lock = UNLOCKED;
_Thread_local unsigned delay = 1;
_Thread_local int old;
int c = 0;

#define TAS(word, result)          \
    do {                           \
        __CPROVER_atomic_begin();  \
        result = word;             \
        word = LOCKED;             \
        __CPROVER_atomic_end();    \
    } while (0)

static void pause(unsigned n)
{
    for (; n > 0; n--)
        ;
}

static void acquire_lock(void)
{
    TAS(lock, old);
    while (old == LOCKED) {
        pause(delay);
        if (delay < 4)
            delay *= 2;
        TAS(lock, old);
    }
    assert(old != lock);
}

static void release_lock(void)
{
    assert(lock != UNLOCKED);
    lock = UNLOCKED;
}

void thr1(void)
{
    while (1) {
        acquire_lock();
        c++;
        assert(c == 1);
        c--;
        release_lock();
    }
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thr1();
    }
}
