// accepted: `sem_wait` at line 11
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

int main(void)
{
    sem_init(&s, 0, 1);
    sem_wait(&s);
    assert(1);
    sem_post(&s);
    return 0;
}
