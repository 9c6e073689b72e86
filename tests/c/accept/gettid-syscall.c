/* The number of a thread from the system. */
#include <unistd.h>
#include <sys/syscall.h>
#include <assert.h>
#include <pthread.h>
static int n;
static void *run(void *unused)
{
    assert(syscall(SYS_gettid) >= 0);
    __sync_fetch_and_add(&n, 1);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(n == 2);
    return 0;
}
