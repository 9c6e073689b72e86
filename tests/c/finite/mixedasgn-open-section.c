/* mixedasgn-open-section.c with few values: as there, but for numbers that are cut to a few bits or have a small largest value. */
#include <assert.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

unsigned s = 0;

void thread(void)
{
    unsigned l = s;

    if (s == l) {
        __CPROVER_atomic_begin();
        s = ((s ^ 5) + 1) & 7;
        l = ((l ^ 5) + 1) & 7;
        assert(s == l);
        __CPROVER_atomic_end();
    }
}

int main(void)
{
    while (1) {
    __CPROVER_ASYNC_1:
        thread();
    }
}
