/* A sum computed in two halves. */
#include <assert.h>
#include <pthread.h>

int a[4] = {1, 2, 3, 4}, part[2];

void *half(void *p)
{
    long h = (long)p;
    int s = 0;
    for (int i = 2 * h; i < 2 * h + 2; i++)
        s += a[i % 4];
    part[h] = s;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, half, (void *)0);
    pthread_create(&t[1], 0, half, (void *)1);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(part[0] + part[1] == 10);
    return 0;
}
