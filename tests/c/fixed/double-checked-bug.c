/* An object is made twice, with one look. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int made;
int n_made;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *user(void *a)
{
    if (!made) {
        pthread_mutex_lock(&m);
        
            n_made++;
        made = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, user, 0);
    pthread_create(&t[1], 0, user, 0);
    pthread_create(&t[2], 0, user, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(n_made == 1);
    return 0;
}
