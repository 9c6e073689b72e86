/* A pointer to a struct passed as the thread argument. */
#include <assert.h>
#include <pthread.h>

struct job {
    int in, out;
};

static void *thread(void *arg)
{
    struct job *j = arg;

    j->out = 2 * j->in;
    return 0;
}

int main(void)
{
    struct job a = {3, 0}, b = {4, 0};
    pthread_t s, t;

    pthread_create(&s, 0, thread, &a);
    pthread_create(&t, 0, thread, &b);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a.out == 6 && b.out == 8);
    return 0;
}
