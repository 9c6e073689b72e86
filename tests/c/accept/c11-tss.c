/* Values of threads of C11. */
#include <assert.h>
#include <threads.h>
static tss_t key;
static int a;
static int run(void *unused)
{
    assert(tss_get(key) == 0);
    return 0;
}
int main(void)
{
    thrd_t one;
    tss_create(&key, 0);
    tss_set(key, &a);
    thrd_create(&one, run, 0);
    thrd_join(one, 0);
    assert(tss_get(key) == &a);
    return 0;
}
