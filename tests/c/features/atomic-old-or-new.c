/* Fetch_and_add yields the old value, add_and_fetch the new one. */
#include <assert.h>

int main(void)
{
    int x = 1;

    assert(__sync_fetch_and_add(&x, 1) == __sync_add_and_fetch(&x, 0));
    return 0;
}
