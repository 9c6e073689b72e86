/* Hints and fences by intrinsics. */
#include <immintrin.h>
#include <assert.h>
#include <pthread.h>
static int n;
static void *run(void *unused)
{
    _mm_pause();
    _mm_mfence();
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
