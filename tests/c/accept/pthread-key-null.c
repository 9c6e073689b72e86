/* Nothing was set. */
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static void *run(void *unused)
{
    assert(pthread_getspecific(key) == 0);
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
