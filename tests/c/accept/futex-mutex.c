/* A lock that waits on a futex. */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
static uint32_t word;
static int inside;
static void *run(void *unused)
{
    while (__sync_lock_test_and_set(&word, 1))
        syscall(SYS_futex, &word, FUTEX_WAIT, 1, 0, 0, 0);
    inside++;
    assert(inside == 1);
    inside--;
    __sync_lock_release(&word);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
