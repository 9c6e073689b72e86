/* Nobody knows the time. */
#define _GNU_SOURCE
#include <time.h>
#include <assert.h>

int main(void)
{
    time_t now = time(0);
    assert(now != 1000);
    return 0;
}
