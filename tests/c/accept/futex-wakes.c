/* Waiting may end while the word is the same. */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word = 2;
int main(void)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    assert(word != 2);
    return 0;
}
