/* A futex that is not what the caller says. */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word = 1;
int main(void)
{
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 2, 0, 0, 0) == -1);
    return 0;
}
