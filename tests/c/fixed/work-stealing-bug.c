/* The thief takes tasks without the mutex. */
#include <assert.h>
#include <pthread.h>

int task[4] = {1, 1, 1, 1}, bottom = 4, first;
int taken;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *owner(void *a)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        if (first < bottom) {
            bottom--;
            taken += task[bottom];
            task[bottom] = 0;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *thief(void *a)
{
    for (int i = 0; i < 2; i++) {
        if (first < bottom) {
            taken += task[first];
            task[first] = 0;
            first++;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, owner, 0);
    pthread_create(&t[1], 0, thief, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(taken == 4);
    return 0;
}
