/* A filter with one level too few. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int level[3], last[2];
int inside;

void *process(void *a)
{
    long i = (long)a;
    for (int l = 2; l < 2; l++) {
        level[i] = l + 1;
        last[l] = i;
        for (;;) {
            int first = (i + 1) % 3, second = (i + 2) % 3;
            if (last[l] != i)
                break;
            if (level[first] <= l && level[second] <= l)
                break;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    level[i] = 0;
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, process, (void *)0);
    pthread_create(&t[1], 0, process, (void *)1);
    pthread_create(&t[2], 0, process, (void *)2);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
    return 0;
}
