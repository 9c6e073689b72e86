/* Each thread writes its own element. */
#include <assert.h>
#include <pthread.h>

int cell[3];

void *worker(void *a)
{
    int *p = a;
    *p = *p + 1;
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, worker, &cell[0]);
    pthread_create(&t[1], 0, worker, &cell[1]);
    pthread_create(&t[2], 0, worker, &cell[2]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(cell[0] == 1 && cell[1] == 1 && cell[2] == 1);
    return 0;
}
