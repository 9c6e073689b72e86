/* time-varying-mutex.c where the block is written before it is marked as busy.
 *
 * Asserted: the block's contents are not changed under the hands of the one who wrote them.
 * Breaks (wrong order): A: lock m_inode, block = 1   F: lock m_busy, busy == 0, block = 0
 *   A: assert(block == 1) fails
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m_busy = PTHREAD_MUTEX_INITIALIZER;
static _Bool busy = 0;
static int inode = 0;
static int block;

static void *alloc_block(void *arg)
{
    pthread_mutex_lock(&m_inode);
    block = 1;
    assert(block == 1);
    if (inode == 0) {
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }
    pthread_mutex_unlock(&m_inode);
    return arg;
}

static void *free_block(void *arg)
{
    pthread_mutex_lock(&m_busy);
    if (!busy)
        block = 0;
    pthread_mutex_unlock(&m_busy);
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1) {
        pthread_create(&t, NULL, alloc_block, NULL);
        pthread_create(&t, NULL, free_block, NULL);
    }
}
