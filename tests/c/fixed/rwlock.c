/* Two readers and a writer with a read-write lock of a mutex and a count. */
#include <assert.h>
#include <pthread.h>

int readers, value, shadow;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *a)
{
    pthread_mutex_lock(&m);
    readers++;
    pthread_mutex_unlock(&m);
    int x = value;
    assert(shadow == x);
    pthread_mutex_lock(&m);
    readers--;
    pthread_mutex_unlock(&m);
    return 0;
}

void *writer(void *a)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (readers == 0)
            break;
        pthread_mutex_unlock(&m);
    }
    value = 1;
    shadow = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, writer, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
    return 0;
}
