// accepted: `pthread_setspecific` at line 11
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x = 3;

int main(void)
{
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &x);
    assert(*(int *)pthread_getspecific(key) == 3);
    return 0;
}
