/* A disk block that is protected by different mutexes at different times: by m_busy while it is
 * free, by m_inode once it belongs to the file.
 *
 * Asserted: the block's contents are not changed under the hands of the one who wrote them.
 * Safe: free_block writes only while it holds m_busy and busy == 0; alloc_block writes only after
 * it has set busy = 1 under m_busy (busy is never reset), and only one thread holds m_inode.
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
    if (inode == 0) {
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    return arg;
}

static void *free_block(void *arg)
{
    pthread_mutex_lock(&m_busy);
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
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
