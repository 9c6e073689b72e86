/* ticket-hc.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>

void __CPROVER_assume(_Bool);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned next_ticket = 0;
unsigned now_serving = 0;
int inside = 0;

static void pause(unsigned delay)
{
    while (delay > 0)
        delay--;
}

static unsigned acquire_lock(void)
{
    unsigned my_ticket, served;

    __CPROVER_atomic_begin();
    __CPROVER_assume(next_ticket != 3); /* no overflow */
    my_ticket = next_ticket;
    next_ticket++;
    __CPROVER_atomic_end();
    while (1) {
        served = now_serving;
        if (served == my_ticket)
            break;
        pause(my_ticket - served);
    }
    return my_ticket;
}

static void release_lock(void)
{
    now_serving++;
}

void thread(void)
{
    while (1) {
        acquire_lock();
        assert(inside == 0);
        inside = 1;
        inside = 0;
        release_lock();
    }
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
