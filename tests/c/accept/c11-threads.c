/* Threads and locks of C11. */
#include <assert.h>
#include <threads.h>
static mtx_t lock;
static int inside;
static int run(void *unused)
{
    mtx_lock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    mtx_unlock(&lock);
    return 0;
}
int main(void)
{
    thrd_t one, two;
    mtx_init(&lock, mtx_plain);
    thrd_create(&one, run, 0);
    thrd_create(&two, run, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return 0;
}
