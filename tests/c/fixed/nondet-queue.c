/* A producer puts three arbitrary numbers into a queue, a consumer takes what there is.
 * Safe: what is taken is what was put.
 */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int q[3];
static int head, tail;
static int last, sent[3];
static void *producer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        int v = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        q[tail] = v;
        sent[tail] = v;
        tail++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *consumer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (head < tail) {
            assert(q[head] == sent[head]);
            head++;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t0;
    pthread_t t1;
    pthread_create(&t0, 0, producer, 0);
    pthread_create(&t1, 0, consumer, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    assert(head <= tail && tail == 3);
    return 0;
}
