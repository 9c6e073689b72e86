/* Values of threads by a key. */
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int a, b, next;
static void *run(void *unused)
{
    int *mine = __sync_fetch_and_add(&next, 1) ? &a : &b;
    pthread_setspecific(key, mine);
    assert(pthread_getspecific(key) == mine);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_key_create(&key, 0);
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
